// The artifact writers and their input. The compiler's driver fills struct reflection; nothing here reads IR.
#ifndef TKC_ARTIFACT_ARTIFACT_H
#define TKC_ARTIFACT_ARTIFACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/strbuf.h"
#include "artifact/dealing.h"
#include "artifact/launcher/common.h"
#include "artifact/launcher/tensor.h"
#include "artifact/launcher/variant.h"
#include "artifact/resources.h"
#include "chip/target.h"
#include "tkc/tkc.h"

// A size or stride of a tensor: a parameter's value, else a number. A stride with neither is dense.
struct reflect_extent {
    const char *parameter; // NULL: none
    bool is_number;
    int64_t number;
};

// The role of an array: the kernel reads it, makes it, or reads and changes it.
enum reflect_role { REFLECT_GIVEN, REFLECT_MADE, REFLECT_CHANGED };
struct reflect_tensor {
    enum reflect_role role;
    size_t rank;
    struct reflect_extent *sizes, *strides; // in elements
};

// A run-time parameter of the source, in the order of the entry. Hidden parameters follow these; they belong
// to a target.
struct reflect_param {
    const char *name;
    const char *dtype; // "fp16", "i32", "u8", "i1" …: the scalar's type, or a pointer's element type
    bool pointer;
    unsigned divisible_by; // a hint, checked by the launcher; 0 or 1: none
    bool equals_one;       // a hint, too
    // The hint follows from the kernel's use of the parameter; the source gives none, or a weaker one.
    bool by_use;
    bool is_key; // part of the key of tuned choices
    bool reset_to_zero,
        restore_value;                   // tuning clears the array, or restores it
    const struct reflect_tensor *tensor; // of a pointer; NULL: not in the source
};

// A constexpr parameter, fixed at compile time.
struct reflect_constant {
    const char *name;
    const char *value; // in Python's form: "128", "True", "None", "'tf32'", "fp16"
    bool is_integer;   // an integer or a bool: becomes a macro of the header
};

// The work of one program, for the cost rule.
struct kernel_work {
    struct tkc_work terms[TKC_WORKS];
    // The condition of a term in a launch, spelled as a grid (grid below); NULL: every launch does it.
    const char *when[TKC_WORKS];
    // The steps of a program whose loop ends as it computes, over its ids tkc_id_0 to 2, too; NULL: as the term says.
    const char *steps[TKC_WORKS];
    unsigned count;
    unsigned sums; // bytes of the largest result of a dot
};

// Two arrays assumed by the compiler not to overlap: loads of a loop through one are done ahead of stores by earlier steps
// through the other, unless all these pairs of numbers are equal: then both are read and written alike, as one array in place.
// Indices of parameters.
enum { APART_EQUALS = 4 };
struct reflect_apart {
    unsigned loaded, stored;
    unsigned equals[APART_EQUALS][2], equal_count; // count 0: in any case
};

// The loop of a program's products: as in struct tkc_extra.
struct reflect_loop {
    int parameter;
    int64_t divisor; // 0: not known
    double products;
};

// A kernel on one target.
struct reflect_entry {
    unsigned threads;      // a block, producer warps included; 0: the kernel is left out on this target
    const char *left_out;  // why, on one line
    unsigned shared_bytes; // a block
    unsigned dynamic_shared_bytes; // of shared_bytes: the part requested by the launch call
    unsigned producer_warps;       // the last warps of the block, for the copies; 0: none
    bool waits; // for the launch ahead of it, and may so begin before its end (dependent launches)
    struct dealing dealing;
    const struct tkc_hidden *hidden; // parameters after the source's
    size_t hidden_count;
    const unsigned *implied; // hints for the source's parameters from their use: 1, a divisor, 0: none
    size_t implied_count;
    const struct reflect_apart *apart;
    size_t apart_count;
    struct reflect_loop loop;          // of one with `waits`: decides how a chain launches it
    struct kernel_work work;           // for the choice between variants
    const struct resources *resources; // --resource-usage; NULL: not asked for
    // A second form of the kernel, of the same grid and parameters, with an entry of its own (passes/specialise/paired_form.c); NULL: none.
    const struct reflect_form *paired;
};

// Its tiles are those of `together` programs. Launches of so many programs a multiprocessor may take it (tkc_form_asks), if the program in
// the middle of the grid has so many steps.
struct reflect_form {
    const char *name; // of the entry
    unsigned together, programs, least_steps;
    const char *steps; // of a program: spelled as a grid, over its ids tkc_id_0 to 2, too
    struct reflect_entry entry;
};

// One kernel in one configuration (autotune variant).
struct reflect_kernel {
    // entry name, and the prefix of everything in the header: `add`, or `add_BLOCK_64` for variants
    const char *name;
    const char *function;    // as in the source
    const char *doc;         // its purpose, in the source's words, on one line; NULL: it does not say
    unsigned config;         // index of the configuration
    unsigned config_count;   // of the source; 0: no @triton.autotune
    unsigned level;          // set of hints, the strictest first
    const char *config_text; // "BLOCK_M=128, num_warps=4, num_stages=3"; "" without @triton.autotune
    struct reflect_param *params;
    size_t param_count;
    struct reflect_constant *constants;
    size_t constant_count;
    // The launch grid: C expressions of int64_t. They are calls of the functions of launcher/grid.h over
    // constants and the C names (artifact_c_name) of integer parameters. NULL in [0]: the source gives no
    // grid; NULL in [1] or [2]: 1.
    const char *grid[3];
    unsigned num_warps;
    unsigned num_stages;
    struct reflect_entry *entries; // one per target
};

// The launcher's access to the functions of the driver.
enum launcher_runtime {
    RUNTIME_LINKED,       // linked with its vendor's driver: <cuda.h>, <hip/hip_runtime_api.h>
    RUNTIME_CUDA_DRIVER,  // the same, for NVIDIA alone
    RUNTIME_HIP,          // the same, for AMD alone
    RUNTIME_CUDA_RUNTIME, // linked with CUDA's runtime, used to find the driver's functions
    RUNTIME_DYNAMIC,      // opens a vendor's library at run time
    RUNTIME_COUNT
};

// One target's image file, with all kernels of the source for the target.
struct reflect_target {
    const struct target *target;
    enum tkc_kind kind; // TKC_PTX, TKC_CUBIN or TKC_HSACO
    const void *bytes;
    size_t length;
    const char *path; // of the image's own file
    const char *tool; // the tool between LLVM's output and it: "ptxas 12.9.86"; NULL: none
};

// One image as loaded by a launcher: a target's image file, or the part with some of its kernels.
struct reflect_image {
    size_t target;                     // its index
    size_t first_kernel, kernel_count; // a run of kernels
    const void *bytes;
    size_t length;
    const char *file; // the launcher reads this file; NULL: the launcher has the bytes
    size_t unpacked;  // how many bytes the packed ones stand for (pack.c); 0: they are not packed
};

// A tuned choice: the best variant for a key on a device.
struct reflect_choice {
    size_t kernel; // its index
    const char *device;
    int64_t key[TKC_KEYS]; // the values of the key's parameters, in order
    double microseconds;
};

// A chain's argument for a parameter of a kernel.
enum reflect_value_kind { REFLECT_PARAMETER, REFLECT_TEMPORARY, REFLECT_NUMBER, REFLECT_PRODUCT };
struct reflect_value {
    enum reflect_value_kind kind;
    size_t index;       // of the chain's parameter or temporary
    const char *number; // as C and JSON write it
    const struct reflect_value *factors;
    size_t factor_count;
};

// An array between the kernels of a chain, dense.
struct reflect_temporary {
    const char *name, *dtype;
    const struct reflect_value *sizes;
    size_t rank;
    unsigned element_bytes;
    bool kept; // has a place in the workspace; without one, nobody reads it from memory
};

// A launch of a chain: the values of a kernel's parameters.
struct reflect_launch {
    size_t kernel;     // its first variant
    const char *steps; // the calls of the source done by it: "norm, softmax"
    const char *when;  // launched where this gives 1, over C names of the chain's parameters; NULL: always
    bool otherwise;    // launched where it gives another number
    const struct reflect_value *arguments;
    size_t argument_count;
};

// Kernels launched one after another.
struct reflect_chain {
    const char *name;
    struct reflect_param *params;
    size_t param_count;
    struct reflect_temporary *temporaries;
    size_t temporary_count;
    struct reflect_launch *launches;
    size_t launch_count;
};

struct reflection {
    const char *source;             // path of the source as given
    struct reflect_kernel *kernels; // variants of one function are neighbours
    size_t kernel_count;
    struct reflect_chain *chains;
    size_t chain_count;
    struct reflect_target *targets;
    size_t target_count;
    struct reflect_image *images; // in the order of the targets
    size_t image_count;
    struct reflect_choice *choices;
    size_t choice_count;
    bool triton_abi; // add the functions of triton.tools.link
    enum launcher_runtime runtime;
};

// True if the parameter's value is part of the key: it must be an integer.
static inline bool reflect_is_key(const struct reflect_param *param) {
    return param->is_key && !param->pointer && (param->dtype[0] == 'i' || param->dtype[0] == 'u');
}

// --- outputs.c: the files to make

struct output {
    enum tkc_kind kind;
    const struct target *target;
    const char *path;
    bool inner; // part of another file, not written by itself
};

struct output_plan {
    struct output *outputs; // each kind and target once, in the order of the command line
    size_t output_count;
    const struct target **targets; // every named target once
    size_t target_count;
    const char *header_path; // NULL: none wanted
    const char *json_path;
    const char *depfile_path;
    const char *torch_path;
    const char *page_path;
    bool clash; // a file is named twice, or a source would be overwritten
};

// False after an error in diag: options in conflict.
bool outputs_plan(struct arena *arena, const struct tkc_options *options, struct diag *diag,
                  struct output_plan *plan);
// No output may be the same file as another output or a source, by whatever path. False after an error in
// diag.
bool outputs_check(struct output_plan *plan, const char *const *sources, size_t source_count,
                   struct diag *diag);
const char *outputs_kind_name(enum tkc_kind kind); // "ptx", "cubin", …: also the suffix

// --- names.c: C spellings

// A parameter's name in C: unique, no keyword, and no name or macro of any header.
const char *artifact_c_name(struct arena *arena, const char *name);
// True if a C expression (NULL: none) uses the name.
bool artifact_uses_name(const char *expression, const char *name);
bool artifact_grid_uses(const struct reflect_kernel *kernel, const char *name);
bool artifact_may_be_c_name(const char *name); // true if a parameter may have this name in C
// An expression with the source's names in place of the C names and without suffixes of numbers, for readers
// other than C.
const char *artifact_source_names(struct arena *arena, const char *expression, const char *const *names,
                                  size_t count);
// "ceil(M_ / 64) * 2" for an expression over C names in the language of grids (header_grid.c).
const char *artifact_shown_expression(struct arena *arena, const char *expression);
// The C type of a scalar parameter ("int32_t", "float"), or NULL if the launcher cannot pass the dtype.
const char *artifact_c_type(const char *dtype);

// --- tensor_type.c: element types of tensor maps

struct tensor_type {
    const char *dtype; // "fp16"
    unsigned bytes;
    const char *cuda; // "FLOAT16": CU_TENSOR_MAP_DATA_TYPE_FLOAT16
    int value;        // the enumerator's
};
const struct tensor_type *tensor_type_find(const char *dtype); // NULL: TMA has none
const struct tensor_type *tensor_type_of(const struct tkc_tensor_map *map);

// --- header.c, reflection.c, depfile.c: text artifacts

// The launcher header. `stem` is part of the include guard. False after an error in diag: a scalar that C
// cannot pass.
bool header_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                  struct strbuf *out, struct diag *diag);
// The number of the JSON's format. Raise it with a key that a loader must know to launch rightly, or whose meaning changes: loaders refuse
// numbers above the one that they know.
enum { REFLECTION_FORMAT = 1 };
void reflection_write(const struct reflection *reflection, struct strbuf *out);
// Every product depends on every source. Sources also get empty rules: make goes on if one is deleted. False
// after an error in diag: a path beyond make's names.
bool depfile_write(const char *const *products, size_t product_count, const char *const *sources,
                   size_t source_count, struct strbuf *out, struct diag *diag);

// --- torch.c: the launcher and operators of PyTorch in one C file. False after an error in diag.
bool torch_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                 struct strbuf *out, struct diag *diag);

// --- ptx.c

// Joins the modules of one target. Their entries and variables must have different names.
void ptx_join(const struct strbuf *modules, size_t count, struct strbuf *out);

// --- pack.c

// Adds the bytes in LZ4's block format.
void pack_bytes(const void *bytes, size_t length, struct strbuf *out);

// --- hsaco.c, cubin.c, sass.c: external tools. *tool becomes "LLD 19.1.7". On failure diag gets the tool's messages
// and a command to repeat the failure.

bool hsaco_link(struct arena *arena, const struct strbuf *objects, size_t count, const char *ld,
                struct strbuf *out, const char **tool, struct diag *diag);
bool cubin_assemble(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                    const struct tkc_options *options, struct strbuf *out, const char **tool,
                    struct diag *diag);
// The machine code of PTX with places of lines: as nvdisasm prints it with lines, and with numbers of live registers, which may be
// empty. False without a message if ptxas or nvdisasm is not there; with a note if nvdisasm fails, with an error if ptxas does.
bool sass_listing(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                  const struct tkc_options *options, struct strbuf *lines, struct strbuf *lives,
                  struct diag *diag);
// True if a kernel of the .cubin has memory of its own for each thread: its values may be spilled there.
bool cubin_has_stack(const void *bytes, size_t length);

// ptxas's report of a kernel.
struct ptxas_figures {
    const char *kernel;
    unsigned registers, stack, spill_stores, spill_loads; // bytes but for the registers
};
// Assembles for these figures alone. False if ptxas is not there, without a message, or fails, with one.
bool ptxas_report(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                  const struct tkc_options *options, struct ptxas_figures **all, size_t *count,
                  const char **tool, struct diag *diag);

#endif
