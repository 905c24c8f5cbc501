// Python's operators on compile-time values, and their rendering as C for grid expressions. Errors are
// reported through the emitter; see emit.h for the conventions.
#ifndef TKC_FRONTEND_SEMANTICS_CONSTANT_H
#define TKC_FRONTEND_SEMANTICS_CONSTANT_H

#include "frontend/semantics/emit.h"

struct value constant_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                             struct location location);
struct value constant_unary(struct emitter *e, enum unary_op op, struct value a, struct location location);
struct value constant_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                              struct location location);
// Python's max and min: the second operand is taken only if it is beyond the first, so of a NaN and a number
// the first is kept.
struct value constant_min_max(struct emitter *e, bool is_max, struct value a, struct value b,
                              struct location location);

// A set as a tuple: of equal elements the first is kept. A dict: of equal keys the first place and the last
// value are kept.
struct value constant_set(struct emitter *e, const struct value *items, size_t count,
                          struct location location);
struct value constant_dict(struct emitter *e, const struct value *pairs, size_t count,
                           struct location location);

// Python's // and % on integers; b is not 0.
wide_int floor_div(wide_int a, wide_int b);
wide_int floor_mod(wide_int a, wide_int b);

// ---- grid expressions: symbol.c ----
bool value_is_symbolic(struct value a, struct value b); // one is a symbol, the other a symbol or an integer
// The C text of a symbol or an integer; NULL after an error for anything else, or a number beyond 64 bits.
const char *symbol_text(struct emitter *e, struct value v, struct location location);
struct value symbol_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                           struct location location);
struct value symbol_unary(struct emitter *e, enum unary_op op, struct value a);
struct value symbol_abs(struct emitter *e, struct value a);
struct value symbol_min_max(struct emitter *e, bool is_max, struct value a, struct value b,
                            struct location location);
struct value symbol_and_or(struct emitter *e, bool is_and, struct value a, struct value b,
                           struct location location);
struct value symbol_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                            struct location location);
struct value symbol_select(struct emitter *e, struct value test, struct value then_value,
                           struct value else_value, struct location location);

#endif
