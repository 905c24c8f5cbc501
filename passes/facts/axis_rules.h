// Rules of axis information for integer arithmetic: the facts about a result from the facts about the
// operands. Each rule holds for all values allowed by the operands' facts, with wrapping, at any width; a
// fact under an assumption carries it. tests/unit/test_axis_rules.c tries all rules on narrow integers.
// integers.
#ifndef TKC_PASSES_AXIS_RULES_H
#define TKC_PASSES_AXIS_RULES_H

#include "passes/facts/axis.h"

enum { AXIS_OPERANDS = 3 };

// Extents are 1 for scalars.
struct axis_shape {
    int rank;
    int64_t extent[LAYOUT_MAX_RANK];
    unsigned bits; // of an integer, 64 for anything else
    bool is_index; // 32 bits or more: assumed not to wrap, nor to divide by negatives
};

struct axis_info axis_unknown(const struct axis_shape *shape);
struct axis_info axis_constant(const struct axis_shape *shape, uint64_t value); // wraps to the type
bool axis_is_constant(const struct axis_info *info, int64_t *value);

// An elementwise op on integers, or tk.addptr.
struct axis_op {
    enum op_kind kind;
    struct axis_shape shape; // of the result
    unsigned from_bits;      // of operand 0
    int64_t unit;            // step of a pointer in bytes, 1 for integers
    int64_t predicate;       // of a comparison
    int count;
    struct axis_info operands[AXIS_OPERANDS];
};

// The facts about a result. Ops without a rule: equal operands give equal results, no more.
struct axis_info axis_computed(const struct axis_op *op);
// The facts true of both.
struct axis_info axis_meet(const struct axis_info *a, const struct axis_info *b);
// The same if `a` are the facts about the value so far: a moved bound becomes the type's.
struct axis_info axis_widen(const struct axis_shape *shape, const struct axis_info *a,
                            const struct axis_info *b);

int64_t axis_power_of_two_in(int64_t value); // the largest power of two dividing `value`, capped

// The divisibility of every element: in a contiguous group only the first element has the group's.
int64_t axis_every_divisibility(const struct axis_info *info, int d);

#endif
