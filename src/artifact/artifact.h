// What the compiler hands to the artifact writers, and the writers. The front end and the lowering fill
// struct reflection; nothing here looks at IR.
#ifndef TKC_ARTIFACT_ARTIFACT_H
#define TKC_ARTIFACT_ARTIFACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/strbuf.h"
#include "artifact/launcher/common.h"
#include "artifact/launcher/tensor.h"
#include "artifact/launcher/variant.h"
#include "chip/target.h"
#include "tkc/tkc.h"

// A size or stride of a tensor: a parameter's value, else a number; neither, of strides: dense.
struct reflect_extent {
    const char *parameter; // NULL: none
    bool is_number;
    int64_t number;
};

// What an array's elements are to a caller that has tensors: given, made, or given and changed.
enum reflect_role { REFLECT_GIVEN, REFLECT_MADE, REFLECT_CHANGED };
struct reflect_tensor {
    enum reflect_role role;
    size_t rank;
    struct reflect_extent *sizes, *strides; // in elements
};

// A run-time parameter of the source, in the entry's order. Hidden ones follow: they belong to a target.
struct reflect_param {
    const char *name;
    const char *dtype; // "fp16", "i32", "u8", "i1" …: the scalar's type, or a pointer's element type
    bool pointer;
    unsigned divisible_by; // promised by the caller and checked by the launcher; 0 or 1: nothing
    bool equals_one;       // likewise
    bool is_key;           // choices between variants go by its value
    bool reset_to_zero,
        restore_value; // launches that are only timed: cleared before each, put back after them
    const struct reflect_tensor *tensor; // of a pointer; NULL: the source does not say
};

// A constexpr parameter, fixed at compile time.
struct reflect_constant {
    const char *name;
    const char *value; // rendered as in Python: "128", "True", "None", "'tf32'", "fp16"
    bool is_integer;   // value is an integer (or bool) that C reads alike; goes into the header as a macro
};

// What one of its programs does.
struct kernel_work {
    struct tkc_work terms[TKC_WORKS];
    unsigned count;
    unsigned sums; // bytes of the largest result of a dot
};

// What one kernel is on one target.
struct reflect_entry {
    unsigned threads;              // of a block, producers included; 0: the kernel is left out on this target
    unsigned shared_bytes;         // all of the block's shared memory
    unsigned dynamic_shared_bytes; // the part that the launch call must give
    unsigned producer_warps;       // warps behind those that compute; 0: all do
    unsigned persistent; // blocks per multiprocessor, which share the grid's programs; 0: a block a program
    const struct tkc_hidden *hidden; // parameters behind the source's
    size_t hidden_count;
    struct kernel_work work; // of a variant
};

// One kernel in one configuration (autotune variant).
struct reflect_kernel {
    // entry name, and the prefix of everything in the header: `add`, or `add_BLOCK_64` for variants
    const char *name;
    const char *function;    // as in the source
    unsigned config;         // index of the configuration
    unsigned level;          // of hints, the most special first
    const char *config_text; // "BLOCK_M=128, num_warps=4, num_stages=3"; "" without @triton.autotune
    struct reflect_param *params;
    size_t param_count;
    struct reflect_constant *constants;
    size_t constant_count;
    // The launch grid as C expressions in int64_t over artifact_c_name(parameter) of the integer scalars and
    // over constants, made of calls of the functions of launcher/grid.h. NULL in [0]: the source gives no
    // grid; NULL in [1] or [2]: 1.
    const char *grid[3];
    unsigned num_warps;
    unsigned num_stages;
    struct reflect_entry *entries; // one per target
};

// How a launcher comes by the functions that it calls.
enum launcher_runtime {
    RUNTIME_LINKED,       // the driver of its vendor, as <cuda.h> and <hip/hip_runtime_api.h> declare it
    RUNTIME_CUDA_DRIVER,  // likewise, for NVIDIA alone
    RUNTIME_HIP,          // likewise, for AMD alone
    RUNTIME_CUDA_RUNTIME, // CUDA's runtime is linked, and says where the driver's functions are
    RUNTIME_DYNAMIC,      // the vendor's library is opened when the program runs
    RUNTIME_COUNT
};

// One target's image file: holds every kernel of the source, of variants those that fit the target.
struct reflect_target {
    const struct target *target;
    enum tkc_kind kind; // TKC_PTX, TKC_CUBIN or TKC_HSACO
    const void *bytes;
    size_t length;
    const char *path; // of the image's own file
    const char *tool; // "ptxas 12.9.86", "LLD 19.1.7": what made it after LLVM; NULL: nothing
};

// What a launcher loads at once: a target's image file, or the part of it that holds some kernels.
struct reflect_image {
    size_t target;                     // its index
    size_t first_kernel, kernel_count; // a run of kernels
    const void *bytes;
    size_t length;
    const char *file; // where the launcher reads it; NULL: it holds the bytes
};

// A variant that was tuned for a key on a device.
struct reflect_choice {
    size_t kernel; // its index
    const char *device;
    int64_t key[TKC_KEYS]; // of the parameters that are keys, in order
    double microseconds;
};

struct reflection {
    const char *source;             // path of the source as given
    struct reflect_kernel *kernels; // variants of one function stand together
    size_t kernel_count;
    struct reflect_target *targets;
    size_t target_count;
    struct reflect_image *images; // in the order of the targets
    size_t image_count;
    struct reflect_choice *choices;
    size_t choice_count;
    bool triton_abi; // the launcher has the functions of Triton's own tools, too
    enum launcher_runtime runtime;
};

// Whether choices go by the parameter's value: a key that is an integer.
static inline bool reflect_is_key(const struct reflect_param *param) {
    return param->is_key && !param->pointer && (param->dtype[0] == 'i' || param->dtype[0] == 'u');
}

// --- outputs.c: which files are to be made

struct output {
    enum tkc_kind kind;
    const struct target *target;
    const char *path;
    bool inner; // goes into another file alone
};

struct output_plan {
    struct output *outputs; // each kind × target once, in the order of the command line
    size_t output_count;
    const struct target **targets; // every target named there, once
    size_t target_count;
    const char *header_path; // NULL: none wanted
    const char *json_path;
    const char *depfile_path;
    const char *torch_path;
    bool clash; // a file is named twice, or is one that is read
};

// Says through diag what does not fit together; false then.
bool outputs_plan(struct arena *arena, const struct tkc_options *options, struct diag *diag,
                  struct output_plan *plan);
// No output may lead to another one or to one of the files read, however spelled. False after an error in diag.
bool outputs_check(struct output_plan *plan, const char *const *sources, size_t source_count,
                   struct diag *diag);
const char *outputs_kind_name(enum tkc_kind kind); // "ptx", "cubin", …: also the suffix

// --- names.c: C spellings

// A parameter's name in C: different for every name, no keyword, and no name or macro of any header.
const char *artifact_c_name(struct arena *arena, const char *name);
bool artifact_may_be_c_name(const char *name); // whether some parameter may be spelled so
// An expression over C names again with the source's, and numbers without C's suffixes: for readers that are no C compiler.
const char *artifact_source_names(struct arena *arena, const char *expression, const char *const *names,
                                  size_t count);
// The C type of a scalar parameter ("int32_t", "float"), or NULL if the launcher cannot pass that dtype.
const char *artifact_c_type(const char *dtype);

// --- tensor_type.c: what TMA calls the element types

struct tensor_type {
    const char *dtype; // "fp16"
    unsigned bytes;
    const char *cuda; // "FLOAT16": the end of the name of a CUtensorMapDataType
    int value;        // of that enumerator
};
const struct tensor_type *tensor_type_find(const char *dtype); // NULL: TMA has none
const struct tensor_type *tensor_type_of(const struct tkc_tensor_map *map);

// --- header.c, reflection.c, depfile.c: text artifacts

// The launcher. `stem` names the include guard. Scalars that C cannot pass are refused through diag.
bool header_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                  struct strbuf *out, struct diag *diag);
void reflection_write(const struct reflection *reflection, struct strbuf *out);
// Every product depends on every source; sources also get empty rules, so that a deleted file does not stop
// make. False after an error in diag: a path that make cannot name.
bool depfile_write(const char *const *products, size_t product_count, const char *const *sources,
                   size_t source_count, struct strbuf *out, struct diag *diag);

// --- torch.c: the launcher and operators of PyTorch, one C++ file. False after an error in diag.
bool torch_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                 struct strbuf *out, struct diag *diag);

// --- ptx.c

// Modules of one target as one: their entries have different names, and so have the variables that each defines.
void ptx_join(const struct strbuf *modules, size_t count, struct strbuf *out);

// --- hsaco.c, cubin.c: external tools. *tool becomes "LLD 19.1.7". On failure the tool's own messages and
// the command that repeats it go through diag.

bool hsaco_link(struct arena *arena, const struct strbuf *objects, size_t count, const char *ld,
                struct strbuf *out, const char **tool, struct diag *diag);
bool cubin_assemble(struct arena *arena, const char *ptx, size_t length, const struct target *target,
                    const char *ptxas, enum tkc_debug debug, struct strbuf *out, const char **tool,
                    struct diag *diag);

#endif
