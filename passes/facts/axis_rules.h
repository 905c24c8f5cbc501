// Rules of axis information for integer arithmetic: what is known of a result from what is known of the
// operands. Each holds for every value that the operands' facts allow, with wrapping, at any width; where
// that needs an assumption, the fact carries it. tests/unit/test_axis_rules.c tries them all on narrow
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
    bool is_index; // wide enough to count elements of memory: assumed not to wrap, nor divided by negatives
};

struct axis_info axis_unknown(const struct axis_shape *shape);
struct axis_info axis_constant(const struct axis_shape *shape, uint64_t value); // wraps to the type
bool axis_is_constant(const struct axis_info *info, int64_t *value);

// An op on elements at the same place, of integers or tk.addptr.
struct axis_op {
    enum op_kind kind;
    struct axis_shape shape; // of the result
    unsigned from_bits;      // of operand 0
    int64_t unit;            // bytes of what a pointer counts, 1 for integers
    int64_t predicate;       // of a comparison
    int count;
    struct axis_info operands[AXIS_OPERANDS];
};

// Of ops without a rule no more than that the result is the same where all operands are.
struct axis_info axis_computed(const struct axis_op *op);
// What holds of both.
struct axis_info axis_meet(const struct axis_info *a, const struct axis_info *b);
// The same where `a` is what held of a value before: bounds that moved go to the end of the type.
struct axis_info axis_widen(const struct axis_shape *shape, const struct axis_info *a,
                            const struct axis_info *b);

int64_t axis_power_of_two_in(int64_t value); // the largest that divides it, capped

// Inside a contiguous group only the first element has the group's divisibility.
int64_t axis_every_divisibility(const struct axis_info *info, int d);

#endif
