// The front end: a source file in, kernels and their tile IR out.
//
//   struct frontend *frontend = frontend_load(arena, diag, source, &options);
//   for each target: MlirModule module = frontend_emit(frontend, ir, target);
#ifndef TKC_FRONTEND_FRONTEND_H
#define TKC_FRONTEND_FRONTEND_H

#include "frontend/chain.h"
#include "frontend/value/shows.h"
#include "frontend/value/value.h"
#include "support/diag.h"
#include "chip/target.h"
#include "tkc/tkc.h"

struct module; // syntax/ast.h

// A configuration selected by name in a file of choices; the source need not list it.
struct frontend_named {
    const char *function, *config;
};

struct frontend_options {
    const char *const *kernels; // none: every jit function with a signature or a grid
    size_t kernel_count;
    const char *signature;
    const char *grid;
    const char *language;        // "3.6": of files that do not say theirs; NULL: the newest
    const struct target *target; // read by configurations; of several the first. NULL: none (tests)
    int num_warps, num_stages, num_ctas, max_registers; // 0: as the source says
    const struct tkc_define *defines;
    size_t define_count;
    int config; // index of the autotune configuration; below 0: the first
    // one instance per distinct configuration and level, regardless of `config` and `level`
    bool every_config;
    unsigned level; // index of the set of hints (kernel_levels.c)
    const char *const *specialisations;
    size_t specialisation_count;
    const char *const *folders; // to search for imports behind those of the source
    size_t folder_count;
    const struct tkc_file *files; // imports in memory, ahead of those on disk
    size_t file_count;
    const struct frontend_named *named;
    size_t named_count;
    const char *entry_name; // of the single kernel selected; NULL: its function's name
    // The source's tree if parsed already. It is immutable, so threads may share it.
    const struct module *parsed;
    bool asserts;          // device_assert is checked, as in Triton's debug mode
    bool pads;             // extents of tiles need be no powers of two
    bool keeps_subnormals; // of exp2, in every kernel
    struct shows *shows;   // a debugger's requests; NULL: none
    // The C spelling of a parameter in grid expressions; NULL: its own name.
    const char *(*c_name)(struct arena *arena, const char *name);
};

// A tensor descriptor as a parameter (kernel_descriptor.c).
struct kernel_descriptor {
    const char *block_text; // "BLOCK_M, 64"
    int rank;
    int64_t block[TILE_MAX_RANK];
};

// A size or stride of a tensor: a parameter's value, a number, or (strides only) dense: the product of the
// inner sizes.
enum kernel_extent_kind { KERNEL_EXTENT_DENSE, KERNEL_EXTENT_PARAMETER, KERNEL_EXTENT_NUMBER };
struct kernel_extent {
    enum kernel_extent_kind kind;
    const char *parameter;
    int64_t number;
};

struct kernel_dimension {
    struct kernel_extent size, stride;
};

// The tensor behind a pointer parameter, declared in `NAME.tensors`.
enum kernel_role { KERNEL_GIVEN, KERNEL_MADE, KERNEL_CHANGED };
struct kernel_tensor {
    enum kernel_role role;
    size_t rank;
    struct kernel_dimension *dimensions;
};

struct kernel_param {
    const char *name;
    bool is_constant; // constexpr, None, or given by -D: not a parameter of the compiled kernel
    struct value value;
    struct dtype dtype;    // of a run-time parameter
    unsigned divisible_by; // a hint; 0: none
    bool equals_one;       // a hint: a constant in the body, still a parameter
    // of a tuple in the signature, "(*fp32, i32)": its elements, which replace it
    struct kernel_param *parts;
    size_t part_count;
    const char *tuple;                    // of an element: its tuple parameter in the source
    struct kernel_descriptor *descriptor; // NULL: the parts form a tuple or an object, else this descriptor
    // Of a parameter and its elements: the named tuple or aggregate with these fields; NULL: a tuple.
    struct function *class_;
    bool reads_only; // annotated tl.const: a pointer never stored through
    // From @triton.autotune: tuned choices are keyed by is_key parameters; timing launches must leave the
    // others' data unchanged.
    bool is_key, reset_to_zero, restore_value;
    unsigned alternative, alternative_count; // number of its alternative of hints, and how many it has
    struct kernel_tensor *tensor;            // NULL: the source declares none
    struct location location;
};

struct kernel_instance {
    const char *name;     // of the entry point: the function's, plus the configuration's if there are several
    const char *function; // in the source
    // The first paragraph of its docstring, or of the file's if it is the only kernel; NULL: none.
    const char *doc;
    struct function *callee;
    struct kernel_param *params; // all of the source's, in order
    size_t param_count;
    // C expressions (int64_t) over parameter names; NULL: none given, or 1 in [1] and [2]
    const char *grid[3];
    int num_warps;
    int num_stages;
    int num_ctas;                     // blocks per program in Triton; here one block runs a program
    int max_registers;                // per thread, triton.Config(maxnreg=…); 0: not limited
    bool keeps_subnormals;            // of exp2: enable_reflect_ftz=False
    unsigned config, config_count;    // count 0: no autotune
    unsigned level, level_count;      // number among the distinct levels of hints
    unsigned hints;                   // its level as numbered in frontend_options
    const char *config_text;          // "BLOCK_M=128, BLOCK_N=64, num_warps=4"; "" without autotune
    const char *config_name;          // "BLOCK_M_128_BLOCK_N_64_warps_4_stages_3"; "" without autotune
    const struct kernel_order *order; // of a kernel of a chain; NULL: none of any, or by itself
    const struct kernel_merge *merge; // several steps of a chain; NULL: a kernel of the source
    struct location location;
};

struct frontend {
    struct arena *arena;
    struct diag *diag;
    struct program *program;
    struct kernel_instance *kernels; // variants of one function are adjacent
    size_t kernel_count;
    struct kernel_chain *chains;
    size_t chain_count;
    const char *(*c_name)(struct arena *arena, const char *name); // of the options
    bool asserts, pads;                                           // of the options
    struct shows *shows;
};

// Parses the file, chooses the kernels and fixes their parameters. NULL after an error.
struct frontend *frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                               const struct frontend_options *options);
// A module with one func.func per kernel. `target` may be NULL (tests). Null module after an error.
MlirModule frontend_emit(struct frontend *frontend, struct ir *ir, const struct target *target);
// Lets another receiver hear the messages; returns the one before.
struct diag *frontend_hear(struct frontend *frontend, struct diag *diag);
// Adds a kernel for steps of a chain in one launch (chain_merge.c), as the last one. NULL if the steps' grids, arrays or
// variants forbid it; *why says so. The bodies may forbid it, too (passes/chain).
const struct kernel_instance *frontend_merge(struct frontend *frontend, const struct kernel_chain *chain,
                                             size_t first, size_t count, enum merge_kind kind,
                                             const char **why);
// Says how many programs of a row the last kernel, a merged one, does at once.
void frontend_pack_rows(struct frontend *frontend, int rows);
// True if a step of the chain writes an array that another one has among its arguments.
bool frontend_hands_on(const struct frontend *frontend, const struct kernel_chain *chain, size_t from,
                       size_t to);
// The kernel of a name; NULL if there is none.
const struct kernel_instance *frontend_kernel_named(const struct frontend *frontend, const char *name);
// Takes the last kernel away again.
void frontend_unmerge(struct frontend *frontend);
// Notes the product's loop of the last kernel, a merged one with a step on the product's operand.
void frontend_merge_loop(struct frontend *frontend, struct merge_loop loop);
// The rule by which sizes choose such a kernel, and not its steps apart (chain_launches.c); NULL: the front end cannot tell.
const char *frontend_merge_rule(const struct frontend *frontend, const struct kernel_chain *chain,
                                const struct kernel_instance *kernel);
// Lets the chain launch its steps in groups: of each the steps and the rule are given. The kernels of longer ones have been added. Called
// once, on a chain with a launch a step.
void frontend_group(struct frontend *frontend, struct kernel_chain *chain, const struct chain_launch *groups,
                    size_t count);
// Marks the kernels of chains with the launches they must wait for.
void frontend_order(struct frontend *frontend);
// Leaves only the variants of one function.
void frontend_keep(struct frontend *frontend, const char *function);
// True if the main file's version of the language lets a multiplication and an addition round once.
bool frontend_contracts(const struct frontend *frontend);
const struct module *frontend_parsed(const struct frontend *frontend); // the main file's tree
// The source files read so far (imports are read when a kernel reaches them), in order; the first is the main
// one.
const char **frontend_dependencies(struct frontend *frontend, size_t *count);
// The paths of imports without a file; each once.
const char *const *frontend_absent(const struct frontend *frontend, size_t *count);

#endif
