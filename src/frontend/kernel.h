// Between the files for the choice of kernels and for their parameters.
#ifndef TKC_FRONTEND_KERNEL_H
#define TKC_FRONTEND_KERNEL_H

#include "frontend/eval/walk.h"
#include "frontend/frontend.h"
#include "frontend/semantics/constant.h"

// ---- frontend.c ----
// Parses an expression of the command line. NULL after an error; the error contains `what`.
const struct expr *frontend_parse_expression(struct frontend *frontend, const char *text, const char *what);

// The value of the last `NAME.attribute = …` at module level; NULL: none.
const struct expr *frontend_attribute(struct emitter *e, const struct module *module,
                                      const struct function_def *def, const char *attribute);

// ---- kernel_params.c ----
// Types, constants and launch settings of one kernel. False after an error.
bool kernel_fix_params(struct emitter *e, const struct frontend_options *options,
                       struct kernel_instance *kernel);

void kernel_set_constant(struct kernel_param *param, struct value v);
// Evaluates an expression at the position of a function in its file, like its decorators and defaults: names
// have their values there.
struct value kernel_eval(struct emitter *e, const struct function_def *def, const struct expr *expr);
struct value kernel_eval_quietly(struct emitter *e, const struct function_def *def,
                                 const struct expr *expr); // an error is a value, no message

// "*fp16:16", "i32", "i32:1", "*fp32", "fp32" as the type and hint of a parameter. False if it is none of these.
bool kernel_parse_type(struct emitter *e, const char *text, struct kernel_param *param);

// ---- kernel_config.c: autotune and heuristics ----
// Reads the chosen configuration; *kwargs stays empty without autotune. False after an error.
bool kernel_read_config(struct emitter *e, const struct frontend_options *options,
                        struct kernel_instance *kernel, struct value *kwargs);
// The place of a configuration of @triton.autotune in the source that sets the name first; else `otherwise`.
struct location kernel_config_key(struct emitter *e, const struct function_def *def, const char *name,
                                  struct location otherwise);
// Sets the constants not settled yet from the configuration.
void kernel_apply_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel,
                         bool *settled);
// Names the configuration with its final values (flags may have overridden some), as text and as the suffix
// of a variant's name.
void kernel_add_identifier(struct strbuf *out,
                           const char *text); // as part of an entry's name: ASCII letters, digits, _
void kernel_name_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel);
// kernel_named.c: the list of configurations, extended by those of a file of choices.
struct value kernel_add_named(struct emitter *e, const struct frontend_options *options,
                              const struct kernel_instance *kernel, struct value configs);
// False, with an error, if @triton.jit(do_not_specialize=…) names a constexpr parameter.
bool kernel_check_specialised(struct emitter *e, const struct kernel_instance *kernel);
bool kernel_apply_heuristics(struct emitter *e, const struct frontend_options *options,
                             struct kernel_instance *kernel, const bool *settled);

// ---- kernel_levels.c: sets of hints ----
// Of "i32:16|i32": the alternative selected by the parameter's level.
const char *kernel_alternative(struct emitter *e, const char *text, struct kernel_param *param);
// Adds the hints of one --specialize. False after an error.
bool kernel_specialize(struct emitter *e, struct kernel_instance *kernel, const char *hints);
// True if an earlier level of the `count` kernels has exactly the hints of this kernel.
bool kernel_level_repeats(const struct kernel_instance *before, size_t count,
                          const struct kernel_instance *kernel);
// The hints of a level beyond the most general one, as part of a name: "M_16_N_16"; "any" for none.
const char *kernel_level_name(struct emitter *e, const struct kernel_instance *kernel,
                              const struct kernel_instance *general);

// ---- kernel_descriptor.c ----
// Parses "tensordesc<fp16[64, 64]>" into the parts of the parameter. False if the text is of another form.
bool kernel_parse_descriptor(struct emitter *e, const char *text, struct kernel_param *param);
// Evaluates the block extents once the kernel's constants are known. False after an error.
bool kernel_fix_descriptors(struct emitter *e, struct kernel_instance *kernel);
// Makes the descriptor from a tuple of its parts.
struct value kernel_make_descriptor(struct emitter *e, const struct kernel_descriptor *descriptor,
                                    struct value parts, struct location location);

// ---- inductor.c: facts in the decorators of TorchInductor's kernels; no effect on other kernels ----
bool inductor_is_kernel(struct emitter *e, const struct function_def *def);
// Types, alignment and constants. False after an error.
bool inductor_signature(struct emitter *e, struct kernel_instance *kernel, bool *has_type);
// Chooses the block sizes without a value, and the number of warps.
void inductor_blocks(struct emitter *e, struct kernel_instance *kernel, bool *settled);
// The grid in the syntax of --grid; NULL if unknown. `meta` comes from kernel_meta.
const char *inductor_grid(struct emitter *e, const struct kernel_instance *kernel, struct value meta);

// ---- kernel_tensors.c ----
// Reads `NAME.tensors`; NULL: the source has none. False after an error.
bool kernel_read_tensors(struct emitter *e, struct kernel_instance *kernel, const struct expr *source);

// ---- chain_read.c: kernels launched one after another ----
// An argument of a call in a chain: a name, a number, or neither (VALUE_ERROR).
struct chain_given {
    const char *name;
    struct value number;
};

// A call in a chain. `params` and `given` have an element for each run-time parameter of the kernel.
struct chain_call {
    size_t kernel; // in struct frontend
    const struct kernel_param **params;
    struct chain_given *given;
    size_t param_count;
};

struct chain_reader {
    struct emitter *e;
    struct frontend *frontend;
    struct kernel_chain *chain;
    struct chain_call *calls;
    size_t call_count;
    const char **outputs; // behind the arrow
    size_t output_count;
    bool has_arrow;
};

// Reads `NAME.chain = …` of the file, for chains whose kernels are all selected. False after an error.
bool frontend_read_chains(struct emitter *e, struct frontend *frontend, struct file_scope *file);
struct value chain_error(const struct chain_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *chain_kernel_name(const struct chain_reader *r, const struct chain_call *call);

// ---- chain_merge.c ----
// True if the kernel of a step writes the array.
bool chain_step_writes(const struct kernel_chain *chain, const struct kernel_instance *kernel, size_t step,
                       const struct chain_value *array);

// ---- chain_beside.c ----
// Emits independent steps of a chain, each for programs of its own. False after an error.
bool kernel_emit_beside(struct emitter *e, const struct kernel_instance *kernel, MlirBlock body);
// True if a grid is made of operations with the launcher's rules: sums, products, minima, maxima, divisions by positive numbers.
bool chain_grid_is_plain(const char *const grid[3]);

// ---- kernel_emit.c ----
// Emits a kernel's body at the end of a block; `arguments`: the function's block. `step`: of a function with several steps, or NULL.
bool kernel_emit_body(struct emitter *e, const struct kernel_instance *kernel, const struct merge_step *step,
                      MlirBlock arguments, MlirBlock at);

// ---- chain_bind.c ----
// Fills the chain's parameters, temporaries and steps from its calls. False after an error.
bool chain_bind(struct chain_reader *r);

// ---- chain_sizes.c: sizes and strides of a chain with one number ----
struct chain_sizes;
// Unites the sizes of arrays with one name. False after an error.
struct chain_sizes *chain_unite(const struct chain_reader *r, const bool *is_temporary,
                                const char *const *arrays, size_t array_count);
// The chain's argument for the number `param` of a call, once all numbers have parameters (chain_sizes_settle).
struct chain_value chain_number(const struct chain_sizes *s, size_t call, size_t param);
// A size of an array, by its first use with this dimension.
struct chain_value chain_size(const struct chain_sizes *s, size_t array, size_t dimension);
size_t chain_rank(const struct chain_sizes *s, size_t array);
// The stride of an array's dimension as its uses give it; NULL: dense.
const struct chain_value *chain_stride(const struct chain_sizes *s, size_t array, size_t dimension);
// Adds a parameter to the chain for each number given neither by the source nor by a product. False after an error.
bool chain_sizes_settle(struct chain_sizes *s);

// ---- grid.c ----
bool kernel_fix_grid(struct emitter *e, const struct frontend_options *options,
                     struct kernel_instance *kernel, const struct expr *grid);
// The grid for these arguments as C; false after an error.
bool kernel_grid_texts(struct emitter *e, const struct expr *source, struct value meta, const char *texts[3]);
// The kernel's arguments as the dict passed to grid lambdas and heuristics: constants, and symbols for
// integers.
struct value kernel_meta(struct emitter *e, const struct frontend_options *options,
                         const struct kernel_instance *kernel);

#endif
