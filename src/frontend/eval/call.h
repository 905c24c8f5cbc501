// What the handlers of builtins may ask of the evaluator: to call anything callable, attributes, elements. The
// evaluator knows the handlers by the rows of its program's table alone (struct builtin, value/value.h).
#ifndef TKC_FRONTEND_EVAL_CALL_H
#define TKC_FRONTEND_EVAL_CALL_H

#include "frontend/semantics/emit.h"

// ---- call.c ----
// Any callable value. Keywords: `names[i]` goes with keywords[i].
struct value emit_call(struct emitter *e, struct value callee, const struct value *args, size_t count,
                       const char *const *names, const struct value *keywords, size_t keyword_count,
                       struct location location);
struct value emit_call_function(struct emitter *e, struct value callee, const struct value *args,
                                size_t count, struct location location);
// A function of the embedded library by its name: emit_call_library(e, "standard", "sigmoid", …).
struct value emit_call_library(struct emitter *e, const char *file, const char *name,
                               const struct value *args, size_t count, struct location location);
// A builtin by its row name, as if called in source; used by aliases and by handlers that build on others.
struct value emit_call_builtin(struct emitter *e, const char *name, const struct value *args, size_t count,
                               struct location location);

// ---- function.c ----
// Whether the innermost function is a kernel's: under @triton.jit. Python's own rules hold in others and at module level.
bool eval_in_kernel(const struct emitter *e);
// The region of tk.reduce and tk.scan: a block with 2n scalar arguments of the given types that calls
// `combine` and ends in tk.yield. The results must have the same n types. On failure a null region.
MlirRegion emit_combine_region(struct emitter *e, struct value combine, int n, const struct dtype *types,
                               struct location location);

// ---- attribute.c, subscript.c ----
struct value eval_attribute_of(struct emitter *e, struct value object, const char *name,
                               struct location location);
// The elements of a tuple, list, string, dict or constant range. False after an error.
bool eval_elements(struct emitter *e, struct value iterable, struct location location,
                   struct value_list *out);

#endif
