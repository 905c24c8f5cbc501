// What the files that choose kernels and fix their parameters share.
#ifndef TKC_FRONTEND_KERNEL_H
#define TKC_FRONTEND_KERNEL_H

#include "frontend/eval/walk.h"
#include "frontend/frontend.h"
#include "frontend/semantics/constant.h"

// ---- frontend.c ----
// An expression given on the command line; NULL after an error, which names `what`.
const struct expr *frontend_parse_expression(struct frontend *frontend, const char *text, const char *what);

// ---- kernel_params.c ----
// Types, constants and launch settings of one kernel. False after an error.
bool kernel_fix_params(struct emitter *e, const struct frontend_options *options,
                       struct kernel_instance *kernel);

void kernel_set_constant(struct kernel_param *param, struct value v);
// What stands at a function of the file, as decorators and defaults do: names are what they are there.
struct value kernel_eval(struct emitter *e, const struct function_def *def, const struct expr *expr);
struct value kernel_eval_quietly(struct emitter *e, const struct function_def *def,
                                 const struct expr *expr); // an error is a value, no message

// "*fp16:16", "i32", "i32:1", "*fp32", "fp32" as the type and hint of a parameter. False if it is none of these.
bool kernel_parse_type(struct emitter *e, const char *text, struct kernel_param *param);

// ---- kernel_config.c: autotune and heuristics ----
// Reads the chosen configuration; *kwargs stays empty without autotune. False after an error.
bool kernel_read_config(struct emitter *e, const struct frontend_options *options,
                        struct kernel_instance *kernel, struct value *kwargs);
// Constants that are not settled yet, from the configuration.
void kernel_apply_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel,
                         bool *settled);
// What the configuration decides as it came to be, as text and as the end of a variant's name: flags may have decided
// otherwise.
void kernel_add_identifier(struct strbuf *out,
                           const char *text); // as part of an entry's name: ASCII letters, digits, _
void kernel_name_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel);
// kernel_named.c: the list of configurations, and behind it those that choices name beyond it.
struct value kernel_add_named(struct emitter *e, const struct frontend_options *options,
                              const struct kernel_instance *kernel, struct value configs);
// Whether no parameter whose annotation says constexpr is named in @triton.jit(do_not_specialize=…), with an error.
bool kernel_check_specialised(struct emitter *e, const struct kernel_instance *kernel);
bool kernel_apply_heuristics(struct emitter *e, const struct frontend_options *options,
                             struct kernel_instance *kernel, const bool *settled);

// ---- kernel_levels.c: sets of hints ----
// Of "i32:16|i32" the alternative that the parameter is to have.
const char *kernel_alternative(struct emitter *e, const char *text, struct kernel_param *param);
// Adds the hints of one --specialize. False after an error.
bool kernel_specialize(struct emitter *e, struct kernel_instance *kernel, const char *hints);
// Whether an earlier level of the `count` kernels promises just what the kernel's does.
bool kernel_level_repeats(const struct kernel_instance *before, size_t count,
                          const struct kernel_instance *kernel);
// What a level promises beyond the most general one, as part of a name: "M_16_N_16"; "any" for nothing.
const char *kernel_level_name(struct emitter *e, const struct kernel_instance *kernel,
                              const struct kernel_instance *general);

// ---- kernel_descriptor.c ----
// "tensordesc<fp16[64, 64]>": the parts that such a parameter becomes. False if it is none.
bool kernel_parse_descriptor(struct emitter *e, const char *text, struct kernel_param *param);
// The blocks, once the kernel's constants are known. False after an error.
bool kernel_fix_descriptors(struct emitter *e, struct kernel_instance *kernel);
// The descriptor from the values of its parts, a tuple.
struct value kernel_make_descriptor(struct emitter *e, const struct kernel_descriptor *descriptor,
                                    struct value parts, struct location location);

// ---- inductor.c: what the decorators of TorchInductor's kernels say; nothing for other kernels ----
// Types, alignment and constants. False after an error.
bool inductor_signature(struct emitter *e, struct kernel_instance *kernel, bool *has_type);
// Constants that are block sizes and have no value yet, and the number of warps.
void inductor_blocks(struct emitter *e, struct kernel_instance *kernel, bool *settled);
// The grid as --grid would say it; NULL when it is not known. `meta` as kernel_meta gives it.
const char *inductor_grid(struct emitter *e, const struct kernel_instance *kernel, struct value meta);

// ---- kernel_tensors.c ----
// What the source says of the kernel's tensors; NULL: nothing. False after an error.
bool kernel_read_tensors(struct emitter *e, struct kernel_instance *kernel, const struct expr *source);

// ---- grid.c ----
bool kernel_fix_grid(struct emitter *e, const struct frontend_options *options,
                     struct kernel_instance *kernel, const struct expr *grid);
// The kernel's arguments as the dict that grid lambdas and heuristics get: constants, and symbols for
// integers.
struct value kernel_meta(struct emitter *e, const struct frontend_options *options,
                         const struct kernel_instance *kernel);

#endif
