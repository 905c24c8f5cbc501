// Helpers shared by the handlers of builtins.
#ifndef TKC_FRONTEND_BUILTIN_HANDLER_H
#define TKC_FRONTEND_BUILTIN_HANDLER_H

#include "dialects/tk/tk.h"
#include "dialects/tk/words.h"
#include "frontend/semantics/emit.h"

static inline bool given(struct value v) {
    return v.kind != VALUE_NONE && v.kind != VALUE_ERROR;
}
static inline bool is_dtype(struct value tensor, struct dtype dtype) {
    return dtype_equal(tensor.tensor.dtype, dtype);
}
static inline struct dtype element(struct value tensor) {
    return tensor.tensor.dtype;
}

// Makes the argument a tensor; false after an error.
bool tensor_argument(struct emitter *e, struct value *v, struct location at);
// Optional booleans and integers: None leaves *out as it is.
bool bool_option(struct emitter *e, struct value v, const char *what, struct location at, bool *out);
bool int_option(struct emitter *e, struct value v, const char *what, struct location at, int64_t *out);
// Reads a constant word of the kind, restricted to the bits set in `allowed` (ANY_WORD: all); `otherwise` is
// the value for None and "". False after an error.
enum { ANY_WORD = -1 };
bool word_argument(struct emitter *e, struct value v, enum word_kind kind, int allowed, int otherwise,
                   struct location at, int *out);
// A shape given as one tuple or as *extents (the tuple of the rest arguments).
bool shape_rest(struct emitter *e, struct value rest, const char *what, struct location at,
                int64_t shape[TILE_MAX_RANK], int *rank);
bool ints_rest(struct emitter *e, struct value rest, const char *what, struct location at, int limit,
               int64_t *out, int *count);

// "float32", "tensor<16x32xfp16>": for messages.
const char *describe(struct emitter *e, struct value v);
const char *describe_dtype(struct emitter *e, struct dtype dtype);

bool same_shape(struct value a, struct value b);
int64_t element_count(struct value tensor);

struct value emit_reshape(struct emitter *e, struct value tensor, int rank, const int64_t *shape,
                          bool reorder);
// A tile without extents of 1, those of `shape` but for its other ones.
struct value emit_squeeze(struct emitter *e, struct value tensor, int rank, const int64_t *shape);
struct value emit_permute(struct emitter *e, struct value tensor, const int32_t *order);
struct value emit_swap_last(struct emitter *e, struct value tensor); // the last two dimensions
struct value emit_to_scalar(struct emitter *e, struct value tensor);
struct value emit_constant_like(struct emitter *e, struct value like, double number);

#endif
