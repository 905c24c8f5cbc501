// Emission of tile IR from evaluated values, for builtins and for the walk over statements.
//
// Conventions. A function that fails reports the error itself (with the chain of calls) and returns
// VALUE_ERROR or false; a VALUE_ERROR operand silently gives a VALUE_ERROR result. Locations are source
// positions; `e->builder` always has the location of the innermost statement or call being emitted, nested in
// the locations of its callers, so a builtin just builds ops with OP(&e->builder, …).
#ifndef TKC_FRONTEND_SEMANTICS_EMIT_H
#define TKC_FRONTEND_SEMANTICS_EMIT_H

#include "chip/target.h"
#include "frontend/value/value.h"
#include "dialects/tk/tk.h"
#include "support/diag.h"
#include "support/nearest.h"

// Types of the evaluator, opaque here.
struct program;
struct call_frame;

struct shows; // frontend/value/shows.h

// Places of a call's arguments in the source.
struct call_places {
    struct location call;
    const struct location *arguments, *keywords, *keyword_values;
    size_t count, keyword_count;
};

// Places of the arguments of a builtin's parameters.
struct parameter_place {
    const char *name;
    struct location at;    // of the argument, with its keyword
    struct location value; // without; zeroed: not known
};
struct parameter_places {
    const struct parameter_place *items;
    size_t count;
};

// Places of a binary operator at work: of the whole, and of its operands.
struct operand_places {
    struct location whole, left, right;
};

struct emitter {
    struct ir *ir;
    struct arena *arena;
    struct diag *diag;
    struct builder builder;
    const struct target *target;                 // NULL: none chosen (tests)
    struct program *program;                     // the source files and the table of builtins
    struct call_frame *frame;                    // innermost function call
    void (*note_calls)(const struct emitter *e); // after an error: lists the calls leading to `frame`
    // After an error: notes name the statements behind the tiles of the expression there.
    void (*note_tiles)(struct emitter *e, struct location expression);
    int num_warps;
    bool asked_warps; // the kernel uses num_warps as a value
    int num_stages;
    bool keeps_subnormals; // of exp2
    bool lanewise;         // inside tl.map_elementwise: a condition may be a tile, memory may not be accessed
    // there: the enclosing conditions, with one value per element (eval/lanes.c)
    const struct lanes *lanes;
    bool told_of_block_pointers; // a warning says that Triton has none any more
    unsigned language;           // version of the code at hand: 9 of Triton 3.9 (language.h)
    bool in_library;             // it is the library's own
    bool first_choice;           // host code: an unknown condition counts as true
    unsigned depth;              // nesting of expressions, statements and calls, all functions together
    bool asserts;                // device_assert is checked
    bool pads;                   // extents of tiles need be no powers of two
    struct shows *shows;         // a debugger's requests; NULL: none
    unsigned quiet;              // > 0: errors are not printed; the evaluation may fail
    struct call_places places;   // of the call with evaluated arguments
    struct parameter_places parameters; // of the builtin at work
    struct operand_places operands;
};

// ---- emit.c: errors ----
// Reports at `location`, adds "called from here" notes for the chain of calls, returns VALUE_ERROR.
struct value emit_error(struct emitter *e, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct value emit_fault(struct emitter *e, const struct syntax_fault *fault); // a syntax error, with its fix
// The place of the argument for the parameter of the builtin at work; `otherwise` without one.
struct location emit_place_of(const struct emitter *e, const char *parameter, struct location otherwise);
void emit_offer(struct emitter *e, struct location at, const char *text); // the fix of the next message
// An error about an option, whose value does not go with the source.
struct value emit_usage(struct emitter *e, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// An error about an unknown name at `location`; the nearest known one follows as a question and as the fix.
struct value emit_unknown(struct emitter *e, struct location location, const struct nearest *nearest,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
void emit_warning(struct emitter *e, struct location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- quote.c: the user's own words for an error ----
// The text of the expression at the place; `otherwise` if it is long, spans lines, or is the library's.
const char *emit_text_of(struct emitter *e, struct location at, const char *otherwise);
bool emit_is_name(const char *text);
// As emit_text_of, in brackets unless it is a name: x as in x.T.
const char *emit_operand_text(struct emitter *e, struct location at, const char *otherwise);
const char *emit_term_text(struct emitter *e, struct location at, const char *otherwise); // x as in x + 1
// Of the argument for a parameter of the builtin at work: the place of its value, and its text.
struct location emit_value_place(const struct emitter *e, const char *parameter);
struct location emit_value_at(const struct emitter *e, struct location argument); // zeroed: of none
// An element of the tuple or list written at the place; NULL: none is.
const char *emit_element_text(struct emitter *e, struct location at, size_t index);
const char *emit_argument_text(struct emitter *e, const char *parameter, const char *otherwise);
// What to write for an integer in place of the float `v`, whose expression is at the place: n // 2.
const char *emit_as_integer(struct emitter *e, struct value v, struct location at);
// Explains the error before it.
void emit_note(struct emitter *e, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void emit_note_tiles(struct emitter *e, struct location expression);
// The operands of the operator at the place; zeroed: not known.
struct location emit_left_place(const struct emitter *e, struct location whole);
struct location emit_right_place(const struct emitter *e, struct location whole);

// ---- hint.c ----
void emit_spread_hints(struct emitter *e, MlirOperation function); // once the function is complete

// ---- known.c: of an integer, read as a signed one ----
bool emit_is_not_negative(struct emitter *e, struct value v);
bool emit_is_positive(struct emitter *e, struct value v); // also by a tl.assume(v > 0) before

// ---- emit.c: the budget ----
// Charges steps of evaluation and checks the memory used so far. False if the budget is exhausted, with an
// error even while errors are suppressed: from then on no step succeeds, and no other error is printed.
bool emit_step(struct emitter *e, size_t steps, struct location location);
// The limit of parts in a value; it bounds the time of every walk over a value.
enum { VALUE_WEIGHT_MAX = 1 << 16 };
bool emit_check_weight(struct emitter *e, size_t weight, struct location location);
// The value, or VALUE_ERROR after an error if it has too many parts or is too large a tile.
struct value emit_check_value(struct emitter *e, struct value v, struct location location);

// ---- argument.c: constant arguments; `what` names the argument in an error ----
bool value_to_int(struct emitter *e, struct value v, const char *what, struct location location,
                  int64_t *out);
bool value_to_bool(struct emitter *e, struct value v, const char *what, struct location location, bool *out);
bool value_to_string(struct emitter *e, struct value v, const char *what, struct location location,
                     const char **out);
bool value_to_dtype(struct emitter *e, struct value v, const char *what, struct location location,
                    struct dtype *out);
// A tuple or list of ints, or one int; at most `limit` (TILE_MAX_RANK for shapes).
bool value_to_ints(struct emitter *e, struct value v, const char *what, struct location location, int limit,
                   int64_t *out, int *count);
// As value_to_ints, and every extent is a positive power of two. Of tiles --pad-shapes allows any.
bool value_to_shape(struct emitter *e, struct value v, const char *what, struct location location,
                    int64_t shape[TILE_MAX_RANK], int *rank);
bool value_to_tile_shape(struct emitter *e, struct value v, const char *what, struct location location,
                         int64_t shape[TILE_MAX_RANK], int *rank);
// An axis of a tile of the rank; negative ones count from the end.
bool value_to_axis(struct emitter *e, struct value v, int rank, const char *what, struct location location,
                   int *axis);

// ---- tensor.c: making tensors ----
struct value tensor_from(struct emitter *e, MlirValue value, struct dtype dtype, int rank,
                         const int64_t *shape);
struct value tensor_like(struct emitter *e, MlirValue value, struct dtype dtype,
                         struct value like); // like's shape
MlirType tensor_mlir_type(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape);
struct value emit_int(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape, wide_int value);
struct value emit_float(struct emitter *e, struct dtype dtype, int rank, const int64_t *shape, double value);
// A constant number as a tile or scalar of `dtype` (Triton's scalar_constant). An integer beyond 64 bits and
// a float out of the range of `dtype` are errors; other integers wrap.
struct value emit_full(struct emitter *e, struct value constant, struct dtype dtype, int rank,
                       const int64_t *shape, struct location location);
struct value emit_scalar_of(struct emitter *e, struct value constant, struct dtype dtype,
                            struct location location);
// Triton's to_tensor: tensors unchanged; a constant becomes a scalar tensor (bool int1; int the first of
// int32, uint32, int64, uint64 able to hold it; float float32, or float64 if out of its normal range).
// Anything else is an error.
struct value emit_to_tensor(struct emitter *e, struct value v, struct location location);
// The constant behind a scalar or splat tensor (arith.constant, possibly splat); false if unknown.
bool tensor_constant(struct emitter *e, struct value tensor, struct value *out);

// ---- shape.c ----
// Checks the element count of a tile of the shape; false after an error. Extents are powers of two.
bool emit_check_size(struct emitter *e, int rank, const int64_t *shape, struct location location);
struct value emit_splat(struct emitter *e, struct value scalar, int rank, const int64_t *shape);
struct value emit_expand_dims(struct emitter *e, struct value tensor, int axis);
struct value emit_range(struct emitter *e, int64_t start, int64_t end); // start … end - 1, int32
// "[16, 32]"
const char *shape_text(struct emitter *e, int rank, const int64_t *shape);
struct value emit_broadcast_to(struct emitter *e, struct value tensor, int rank, const int64_t *shape,
                               struct location location);
// NumPy's rule: missing leading dimensions are added, extents of 1 repeat. Both must be tensors.
bool emit_broadcast_pair(struct emitter *e, struct value *a, struct value *b, struct location location);

// ---- promote.c, cast.c: types ----
// Triton's promotion of two operands to one element type and shape (a constant does not promote a tensor of
// its own kind). Pointers are refused unless allowed.
enum {
    PROMOTE_ALLOW_POINTER_A = 1,
    PROMOTE_ALLOW_POINTER_B = 2,
    PROMOTE_DIVISION = 4,
    PROMOTE_NO_ARITHMETIC = 8
};
// bf16 to f32, before Triton 3.9.
struct value emit_widen_bf16(struct emitter *e, struct value tensor, struct location location);
bool emit_promote_pair(struct emitter *e, struct value *a, struct value *b, unsigned flags,
                       struct location location);
// Three operands to one type and shape; numbers take it from the tensors, whatever their order.
bool emit_promote_three(struct emitter *e, struct value v[3], struct location location);
bool dtype_promote(struct dtype a, bool a_is_constant, struct dtype b, bool b_is_constant, bool division,
                   struct dtype *out); // Triton's computation_type; false when there is none
struct dtype dtype_promote_integers(struct dtype a, struct dtype b);
bool integer_holds(struct dtype type, double number); // its whole part
// A constant as a scalar of `type`; an integer type must be able to hold it, else an error.
struct value emit_constant_in(struct emitter *e, struct value constant, struct dtype type,
                              struct location location);
// Conversion of value (x.to): constants too. ROUNDING_NONE: to the nearest.
struct value emit_cast(struct emitter *e, struct value v, struct dtype dtype, struct location location);
struct value emit_cast_rounding(struct emitter *e, struct value v, struct dtype dtype,
                                enum float_rounding rounding, struct location location);
struct value emit_bitcast(struct emitter *e, struct value v, struct dtype dtype, struct location location);
struct value emit_to_bool(struct emitter *e, struct value v, struct location location); // v != 0

// ---- operator.c (constants fold by Python's rules, tensors by Triton's) ----
struct value emit_binary(struct emitter *e, enum binary_op op, struct value a, struct value b,
                         struct location location);
struct value emit_unary(struct emitter *e, enum unary_op op, struct value a, struct location location);
struct value emit_compare(struct emitter *e, enum compare_op op, struct value a, struct value b,
                          struct location location);
struct value emit_where(struct emitter *e, struct value condition, struct value a, struct value b,
                        struct location location);
struct value emit_rarely(struct emitter *e, struct value condition, struct value a, struct value b,
                         bool always,
                         struct location location); // emit_where for an almost always false condition
enum min_max { MIN_MAX_IGNORE_NAN, MIN_MAX_PROPAGATE_NAN };
// tl.maximum and tl.minimum. In a grid as constant_min_max.
struct value emit_min_max(struct emitter *e, bool is_max, struct value a, struct value b, enum min_max nan,
                          struct location location);
// Emits one elementwise op; operands and result share one MLIR type: emit_elementwise2(e, OP_ADDF, dtype, a,
// b).
struct value emit_elementwise(struct emitter *e, enum op_kind op, struct dtype result, struct value a);
struct value emit_elementwise2(struct emitter *e, enum op_kind op, struct dtype result, struct value a,
                               struct value b);
// As emit_elementwise2, and folds constants (x+0, x*1, splats); used by emit_binary.
struct value emit_arith(struct emitter *e, enum binary_op op, struct value a, struct value b);

#endif
