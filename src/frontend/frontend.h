// The front end: a source file in, kernels and their tile IR out.
//
//   struct frontend *frontend = frontend_load(arena, diag, source, &options);
//   for each target: MlirModule module = frontend_emit(frontend, ir, target);
#ifndef TKC_FRONTEND_FRONTEND_H
#define TKC_FRONTEND_FRONTEND_H

#include "frontend/value/value.h"
#include "support/diag.h"
#include "chip/target.h"
#include "tkc/tkc.h"

struct module; // syntax/ast.h

// A configuration of a kernel that a choice names; the source may list it or not.
struct frontend_named {
    const char *function, *config;
};

struct frontend_options {
    const char *const *kernels; // none: every jit function with a signature or a grid
    size_t kernel_count;
    const char *signature;
    const char *grid;
    const struct target *target; // configurations may ask for it; of several the first. NULL: none (tests)
    int num_warps, num_stages, num_ctas, max_registers; // 0: as the source says
    const struct tkc_define *defines;
    size_t define_count;
    int config; // index of the autotune configuration; below 0: the first
    // an instance for each that differs and for each level, whatever `config` and `level` say
    bool every_config;
    unsigned level; // which set of hints (kernel_levels.c)
    const char *const *specialisations;
    size_t specialisation_count;
    const struct frontend_named *named;
    size_t named_count;
    const char *entry_name; // of the one kernel chosen; NULL: its function's
    // The source's tree, where it is parsed already: nothing changes it, so threads share it.
    const struct module *parsed;
    // The C spelling of a parameter in grid expressions; NULL: its own name.
    const char *(*c_name)(struct arena *arena, const char *name);
};

// A parameter that is a tensor descriptor (kernel_descriptor.c).
struct kernel_descriptor {
    const char *block_text; // "BLOCK_M, 64"
    int rank;
    int64_t block[TILE_MAX_RANK];
};

// A size or stride of a tensor: a parameter's value, or a number; of strides also what lies behind, densely.
enum kernel_extent_kind { KERNEL_EXTENT_DENSE, KERNEL_EXTENT_PARAMETER, KERNEL_EXTENT_NUMBER };
struct kernel_extent {
    enum kernel_extent_kind kind;
    const char *parameter;
    int64_t number;
};

struct kernel_dimension {
    struct kernel_extent size, stride;
};

// The tensor that a pointer parameter stands for, as `NAME.tensors` says.
enum kernel_role { KERNEL_GIVEN, KERNEL_MADE, KERNEL_CHANGED };
struct kernel_tensor {
    enum kernel_role role;
    size_t rank;
    struct kernel_dimension *dimensions;
};

struct kernel_param {
    const char *name;
    bool is_constant; // constexpr, None, or given by -D: no parameter of the compiled kernel
    struct value value;
    struct dtype dtype;    // of a run-time parameter
    unsigned divisible_by; // promised by the caller; 0: nothing
    bool equals_one;       // promised: a constant in the body, still a parameter
    // of a tuple in the signature, "(*fp32, i32)": its elements take the place of it
    struct kernel_param *parts;
    size_t part_count;
    const char *tuple;                    // an element: the parameter of the source that it belongs to
    struct kernel_descriptor *descriptor; // which is one made of all its elements, and no tuple
    bool reads_only;                      // annotated tl.const: the pointer that it is writes nothing
    // What @triton.autotune says of it: choices are remembered by its value; launches that are only timed leave it so.
    bool is_key, reset_to_zero, restore_value;
    unsigned alternative, alternative_count; // of its hints: which, and how many there are
    struct kernel_tensor *tensor;            // NULL: the source does not say
    struct location location;
};

struct kernel_instance {
    const char *name;     // of the entry: the function's, with the configuration where it is one of several
    const char *function; // in the source
    struct function *callee;
    struct kernel_param *params; // all of the source's, in order
    size_t param_count;
    // C expressions (int64_t) over parameter names; NULL: none given, or 1 in [1] and [2]
    const char *grid[3];
    int num_warps;
    int num_stages;
    int num_ctas;                  // blocks that Triton would give a program; here a program is one
    int max_registers;             // of a thread, triton.Config(maxnreg=…); 0: not limited
    unsigned config, config_count; // count 0: no autotune
    unsigned level, level_count;   // of hints: which of those that differ
    unsigned hints;                // the same as the number that frontend_options ask for
    const char *config_text;       // "BLOCK_M=128, BLOCK_N=64, num_warps=4"; "" without autotune
    const char *config_name;       // "BLOCK_M_128_BLOCK_N_64_warps_4_stages_3"; "" without autotune
    struct location location;
};

struct frontend {
    struct arena *arena;
    struct diag *diag;
    struct program *program;
    struct kernel_instance *kernels; // those of one function stand together
    size_t kernel_count;
};

// Parses the file, chooses the kernels and fixes their parameters. NULL after an error.
struct frontend *frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                               const struct frontend_options *options);
// A module with one func.func per kernel. `target` may be NULL (tests). Null module after an error.
MlirModule frontend_emit(struct frontend *frontend, struct ir *ir, const struct target *target);
const struct module *frontend_parsed(const struct frontend *frontend); // the main file's tree
// The source files read so far (imports are read when a kernel reaches them), in order; the first is the main
// one.
const char **frontend_dependencies(struct frontend *frontend, size_t *count);

#endif
