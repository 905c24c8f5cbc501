// Kinds of ops, and their properties from the op tables (tk_ops.def, upstream_ops.def).
#ifndef TKC_DIALECTS_TK_OPS_H
#define TKC_DIALECTS_TK_OPS_H

#include <stdbool.h>

#include <mlir-c/IR.h>

#include "ir/build.h"

enum op_trait {
    NONE = 0,
    PURE = 1 << 0,
    READ = 1 << 1,
    WRITE = 1 << 2,
    SHARED_READ = 1 << 3,
    SHARED_WRITE = 1 << 4,
    SYNC = 1 << 5,
    ELEMENTWISE = 1 << 6,
    SCRATCH = 1 << 7,
    TERMINATOR = 1 << 8,
    COMMUTES = 1 << 9,      // exchanging the first two operands gives the same bits
    MULTIPLIES = 1 << 10,   // a matrix product, whose factors are the first two operands
    SPECIAL_UNIT = 1 << 11, // elementwise, by the units for exponentials, divisions and roots
    REARRANGES = 1 << 12,   // each element of the result is an element of the source
    COST_SHIFT = 16,
};

// The number of ops this op counts as in the budget (support/budget.def), if LLVM takes much longer for it
// than for an addition.
#define COSTS(ops) ((unsigned)(ops) << COST_SHIFT)

enum op_kind {
    OP_UNKNOWN,
#define TK_OP(id, ...) OP_##id,
#include "dialects/tk/tk_ops.def"
#undef TK_OP
#define UPSTREAM_OP(id, ...) OP_##id,
#include "dialects/tk/upstream_ops.def"
#undef UPSTREAM_OP
    OP_KIND_COUNT
};

struct op_info {
    const char *name;                                         // full, "tk.load"
    int min_operands, max_operands, min_results, max_results; // max -1: any; results of upstream ops: 0, -1
    unsigned traits;
    bool attributes[ATTRIBUTE_COUNT]; // allowed on the op
    const char *doc;
};

extern const struct op_info op_table[OP_KIND_COUNT];

static inline bool op_may_have(enum op_kind kind, enum attribute_name name) {
    return (name < ATTRIBUTE_COUNT && op_table[kind].attributes[name]) ||
           (name == ATTR_SCRATCH && op_table[kind].traits & SCRATCH) || name == ATTR_STAGE;
}

// Registers the ops, their kinds and costs in the context; op_kind does it on first use otherwise.
void tk_register_ops(struct ir *ir);
// The kind of an op, by its name's pointer: one hash look-up, no string comparison.
enum op_kind op_kind(struct ir *ir, MlirOperation op);
static inline unsigned op_traits(enum op_kind kind) {
    return op_table[kind].traits;
}
// Spread over a tile, reshaped, permuted or in another layout: a fact true of each element of the source is true of the result's.
static inline bool op_rearranges(enum op_kind kind) {
    return (op_traits(kind) & REARRANGES) != 0;
}
// Ops on one element at a time that other programs may act on meanwhile.
static inline bool op_is_atomic(enum op_kind kind) {
    return kind == OP_ATOMIC_RMW || kind == OP_ATOMIC_CAS || kind == OP_ATOMIC_POLL;
}

#endif
