// What the files of loops share: the names that a loop carries, and its body.
#ifndef TKC_FRONTEND_EVAL_LOOP_H
#define TKC_FRONTEND_EVAL_LOOP_H

#include "frontend/eval/walk.h"

struct carry {
    const char *name;
    struct value before, inside;
    size_t first, parts; // of the flat values
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
    bool jumps;                  // its body is left by break, continue or return
    const struct bounds *bounds; // of a `for` that is emitted as scf.while, and how many iterations it has
    struct value trips;
    // the elements that the body is for, each of which leaves the loop by itself; none: for all
    struct value lanes;
    struct carry *carries;
    size_t count, flat;
    MlirValue *inits, *yields;
    MlirType *types;
    MlirLocation *locations;
    struct scope before;
    struct first_read *reads; // of the names in `before`
};

// ---- loop_bounds.c ----
bool loop_bounds(struct emitter *e, const struct range_value *range, struct location at, struct bounds *out);
// The source's index, counted up or down already.
struct value loop_index(struct emitter *e, const struct bounds *bounds, struct value index);

// ---- loop_carry.c ----
bool may_carry(struct value v);
// Collects the carried names and their initial values. Numbers in `promoted` are carried as tensors. From here on first
// reads are noted.
void find_carries(struct emitter *e, struct loop *loop, const struct name_list *assigned,
                  const struct name_list *promoted);
// Binds the carried names to the arguments of a block, from `first` on.
void bind_carries(struct emitter *e, struct loop *loop, MlirBlock block, intptr_t first);
// The body, into its block; in the end of a `for` that became a `while` the next index. FLOW_NEXT or FLOW_FAIL.
enum flow run_body(struct emitter *e, struct loop *loop, MlirBlock block);
// Fills the yields; false after an error. Names of constants that became tensors, and of tensors that were not known to
// change, are added to both lists.
bool finish_carries(struct emitter *e, struct loop *loop, MlirBlock block, struct name_list *assigned,
                    struct name_list *promoted);
// The variable of a `for`, where it is bound before the loop to what it is in the loop.
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

// ---- loop_while.c: `while`, and every loop that is left by break, continue or return ----
enum flow emit_while(struct emitter *e, const struct stmt *stmt, const struct bounds *bounds);
void next_index(struct emitter *e, const struct stmt *loop);

#endif
