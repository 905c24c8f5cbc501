// The evaluator's interface for handlers of builtins: call any callable, read attributes and elements. The
// evaluator in turn reaches handlers only through the rows of its program's table (struct builtin,
// value/value.h).
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
// Calls a builtin by its row name, as source code would; for aliases and for handlers built on other
// builtins.
struct value emit_call_builtin(struct emitter *e, const char *name, const struct value *args, size_t count,
                               struct location location);

// ---- suggest.c ----
// The one parameter of the innermost function that holds a scalar: a pointer, or an integer of run time. `otherwise`: none
// or several do.
const char *suggest_scalar(const struct emitter *e, bool is_pointer, const char *otherwise);

// ---- function.c ----
// True if the innermost function belongs to a kernel (@triton.jit). Other functions and the module level
// follow Python's rules.
bool eval_in_kernel(const struct emitter *e);
// Builds the region of tk.reduce and tk.scan: one block with 2n scalar arguments of the given types, a call
// of `combine`, and tk.yield. The results must have the same n types. A null region after an error.
MlirRegion emit_combine_region(struct emitter *e, struct value combine, int n, const struct dtype *types,
                               struct location location);

// ---- aggregate.c: tl.aggregate_replace; `changes` is a dict ----
struct value aggregate_replace(struct emitter *e, struct value object, struct value changes,
                               struct location location);

// ---- string.c: str.format ----
struct value eval_format(struct emitter *e, struct value text, struct value_list args, struct value named,
                         struct location location);

// ---- attribute.c, subscript.c ----
struct value eval_attribute_of(struct emitter *e, struct value object, const char *name,
                               struct location location);
// The elements of a tuple, list, string, dict or constant range. False after an error.
bool eval_elements(struct emitter *e, struct value iterable, struct location location,
                   struct value_list *out);

#endif
