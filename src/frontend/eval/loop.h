// Between the files of loops: the loop-carried names, and the loop's body.
#ifndef TKC_FRONTEND_EVAL_LOOP_H
#define TKC_FRONTEND_EVAL_LOOP_H

#include "frontend/eval/walk.h"

struct carry {
    const char *name;
    struct value before, inside;
    size_t first, parts; // index into the flat values
    bool dropped;
};

struct bounds {
    struct value lower, upper, step; // signed, of the width of `type`
    bool downwards;                  // by a constant step
    bool steps_far;                  // by more than a signed number holds, which scf.for cannot
    struct value flip;               // by xor, between the loop's index and the source's; none
    struct dtype type;               // of the source's index
};

struct loop {
    const struct stmt *stmt;
    const struct stmt_list *body;
    bool jumps;                  // break, continue or return leave its body
    const struct bounds *bounds; // bounds of a `for` emitted as scf.while, and below its trip count
    struct value trips;
    // tl.map_elementwise: the mask of elements in the body; none: all
    struct value lanes;
    struct carry *carries;
    size_t count, flat;
    MlirValue *inits, *yields;
    MlirType *types;
    MlirLocation *locations;
    struct scope before;
    struct first_read *reads; // one for each name in `before`
};

// ---- loop_bounds.c ----
bool loop_bounds(struct emitter *e, const struct range_value *range, const struct stmt *stmt,
                 struct bounds *out);
// The source's index, counted up or down already.
struct value loop_index(struct emitter *e, const struct bounds *bounds, struct value index);

// ---- loop_carry.c ----
bool may_carry(struct value v);
// Collects the carried names and their initial values. Numbers in `promoted` are carried as tensors. From
// here on the first read of each name is recorded.
void find_carries(struct emitter *e, struct loop *loop, const struct name_list *assigned,
                  const struct name_list *promoted);
// Binds the carried names to the arguments of a block, from `first` on.
void bind_carries(struct emitter *e, struct loop *loop, MlirBlock block, intptr_t first);
// Emits the body into its block. If a `for` became a `while`, the body ends by advancing the index. FLOW_NEXT
// or FLOW_FAIL.
enum flow run_body(struct emitter *e, struct loop *loop, MlirBlock block);
// Fills the yields; false after an error. Adds names to both lists if a constant became a tensor or a tensor
// changed unexpectedly; the caller then emits the loop again.
bool finish_carries(struct emitter *e, struct loop *loop, MlirBlock block, struct name_list *assigned,
                    struct name_list *promoted);
// Carries the variable of a `for` if the name is bound before the loop to a number or a value of the same
// type.
void carry_target(struct emitter *e, const struct stmt *stmt, const struct bounds *bounds,
                  struct name_list *assigned);
void restore_scope(struct emitter *e, struct loop *loop);
enum flow fail_loop(struct emitter *e, struct loop *loop);
void set_results(struct emitter *e, struct loop *loop, MlirOperation op, const size_t *kept,
                 size_t kept_count);
size_t prune(struct emitter *e, struct loop *loop, MlirBlock *blocks, const intptr_t *first, int block_count,
             size_t *kept);
void select_kept(struct loop *loop, const size_t *kept, size_t count, MlirValue *inits, MlirValue *yields,
                 MlirType *types);

// ---- loop_while.c: `while`, and every loop with break, continue or return ----
enum flow emit_while(struct emitter *e, const struct stmt *stmt, const struct bounds *bounds);
void next_index(struct emitter *e, const struct stmt *loop);

#endif
