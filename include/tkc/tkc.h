// tkc as a library: options in, artifacts and diagnostics out, memory to memory. Nothing is written to disk (but to
// `cache_folder`) and nothing is printed, except to the streams named in the options. Any number of threads may call any function
// at once.
//
//   struct tkc_options options;
//   tkc_options_init(&options);
//   options.input = "matmul.tk";
//   options.isolate = true;
//   struct tkc_result *result = tkc_compile(&options);
//   for (size_t i = 0; i < result->artifact_count; i++) …
//   tkc_result_free(result);
//
// Structures grow with the minor version, which the soname of libtkc.so has: libtkc.so.0.1. A program that was compiled with another
// tkc.h than the library's gets an error from tkc_compile.
#ifndef TKC_TKC_H
#define TKC_TKC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define TKC_VERSION_MAJOR 0
#define TKC_VERSION_MINOR 1

enum tkc_severity { TKC_NOTE, TKC_WARNING, TKC_ERROR, TKC_REMARK };

// A part of a line of a source. Lines and columns count from 1. The end is the column behind the last; a part without a
// length is a point before its column.
struct tkc_place {
    const char *file;                  // NULL: none
    unsigned line;                     // 0: the file as a whole
    unsigned column, end_column;       // in bytes
    unsigned character, end_character; // in Unicode's code points
};

// A change that is sure to be meant: `text` in place of a part.
struct tkc_fix {
    struct tkc_place place;
    const char *text;
};

// A note with a line belongs to the error or warning before it.
struct tkc_diagnostic {
    enum tkc_severity severity;
    const char *text;    // complete: header line, source line, caret line; ends with a newline
    const char *message; // the header line without the place and the severity
    struct tkc_place place;
    const struct tkc_fix *fix; // NULL: none
    const char *name;          // of a warning (tkc_warning_at) or a remark (tkc_remark_at); NULL: none
};

enum tkc_kind {
    TKC_KIND_DEFAULT, // options only: chosen by the output's suffix, or by the target
    TKC_PTX,
    TKC_CUBIN,
    TKC_HSACO,
    TKC_ASSEMBLY, // AMDGCN assembly; PTX for NVIDIA
    TKC_LLVM_IR,
    TKC_MLIR,
    TKC_HEADER,  // the launcher
    TKC_JSON,    // the reflection
    TKC_DEPFILE, // make rules
    TKC_TORCH,   // operators of PyTorch in C, with PTX inside
    TKC_REPORT,  // a page for people: options.page
};

struct tkc_artifact {
    enum tkc_kind kind;
    const char *target; // "sm_80"; NULL for files common to all targets (header, reflection, depfile)
    const char *path;   // derived from the options' outputs; "-" is standard output
    const void *bytes;
    size_t length;
};

// A kernel file in memory.
struct tkc_file {
    const char *path; // as an import would find it: "lib/helpers.tk" from "lib/matmul.tk"
    const char *text;
};

struct tkc_define {
    const char *name;
    const char *value; // a Python literal
};

enum tkc_debug { TKC_DEBUG_NONE, TKC_DEBUG_LINES, TKC_DEBUG_FULL };

// In place of the index of an autotune configuration. TKC_CONFIG_AUTO compiles all configurations if every
// output is an image for a launcher that chooses between them, and no option fixes a property of the
// configurations; else the first.
enum { TKC_CONFIG_AUTO = -1, TKC_CONFIG_ALL = -2 };

// Set up with tkc_options_init, then change fields. Strings and arrays are borrowed until tkc_compile
// returns.
struct tkc_options {
    size_t size; // set by tkc_options_init

    const char *input; // path; names the file in messages too
    const char *text;  // the source itself; NULL: read from `input`

    // Outputs. The suffix of an output gives its kind; for several targets the target is inserted:
    // x.sm_80.ptx.
    const char *const *outputs; // NULL or none: the input's name with .ptx (.hsaco if all targets are AMD's)
    size_t output_count;
    const char *out_path; // without outputs: replaces the input's name without its suffix
    enum tkc_kind kind;   // overrides the suffix; decides for "-"
    // "sm_80", "gfx942", "native", or in Triton's form "cuda:80:32"; none: a default for each output.
    const char *const *targets;
    size_t target_count;
    bool no_header;
    bool triton_abi; // the launcher has the functions of triton.tools.link, too: k(stream, …, algo_id)
    // The launcher's runtime: cuda-driver, cuda-runtime, hip or dynamic; NULL: that of its images.
    const char *runtime;
    bool compress_images; // NVIDIA's images in the launcher are packed, and unpacked when they are loaded
    bool external_images; // the launcher opens the image files at run time instead of embedding them
    bool no_json;
    bool depfile;
    const char *depfile_path;   // NULL: the first output's name with .d
    const char *depfile_target; // of its rule; NULL: the outputs

    const char *const *import_folders; // searched behind the source's own folder and those above it
    size_t import_folder_count;
    const struct tkc_file *files; // imports in memory: they come before files of the same path
    size_t file_count;

    // Choices left open by the source.
    const char *const *kernels; // none: every compilable kernel
    size_t kernel_count;
    const char *out_name;  // the only kernel's name in all outputs; NULL: the source's
    const char *signature; // "*fp16:16, i32, 128"
    const char *grid;      // "cdiv(n, BLOCK), 1, 1"
    const char *language;  // "3.6": that of Triton 3.6, in files that do not say theirs; NULL: the newest
    bool pad_shapes;       // extents of tiles need be no powers of two: they are padded, which Triton refuses
    int num_warps;         // 0: the source's number, or 4
    int num_stages;        // 0: the source's number, or the target's default
    int num_ctas;          // 0: the source's number, or 1; a program is one block for any number
    int max_registers;     // of a thread (.maxnreg); 0: the source's number, or no limit
    const struct tkc_define *defines;
    size_t define_count;
    int config; // the index of an autotune configuration of the kernel, or TKC_CONFIG_…
    // "M:16 N:16": sets of hints tested by launchers, before those of the source.
    const char *const *specialisations;
    size_t specialisation_count;
    const char *tuned; // path of choices: compiles only these, for a launcher with their table
    unsigned budget;   // factor of the default limits on the work of a compilation; 0: 1

    // The compilation.
    int group_size; // of grouped program ids; 0: chosen
    bool no_grouped_pid;
    bool no_fuse;         // the kernels of a chain stay a launch each
    bool reassociate;     // kernels of a chain become one also where that changes rounding
    bool fuse_operands;   // an elementwise step ahead of a product is done on its operand for all sizes
    bool no_tensor_maps;  // no hidden kernel parameters: no bulk copies on sm_90a
    bool fp_contract;     // fuse multiply and add
    bool keep_subnormals; // of exp2, as Triton does under enable_reflect_ftz=False
    int opt_level;        // of the LLVM pipeline: 0 to 3
    enum tkc_debug debug;
    // "OLD=NEW": NEW replaces OLD at the start of source paths in lines and assertions
    const char *const *prefix_maps;
    size_t prefix_map_count;
    bool debug_asserts; // check tl.device_assert and assert, as Triton's debug mode does
    unsigned jobs;      // compiling threads; 0: the number of processors; the output is always the same
    const char *ld;     // LLD; NULL: searched for
    const char *ptxas;  // NULL: searched for
    const char *const *ptxas_options; // flags of the user behind tkc's own: "-dlcm=cg"
    size_t ptxas_option_count;

    // Messages and gates.
    const char *remarks;         // a regular expression of kinds (tkc_remark_at); "": all; NULL: none
    bool remarks_joined;         // one remark for all configurations of a kernel that it is about
    const char *const *warnings; // choices of -W, in order: "no-slow", "error", "error=spills"
    size_t warning_count;
    bool resource_usage; // a table of the kernels' resources goes to `dump` and to the reflection
    // Path of a page (HTML) about the compilation: what was decided of each line, the code by line, layouts, shared memory, loops and
    // resources of all variants; NULL: none. The other outputs stay the same.
    const char *page;
    bool fail_on_spill;      // the gates, each an error for a kernel beyond it
    unsigned most_registers; // of a thread; 0: any number
    size_t most_shared;      // bytes of a block; 0: any number
    double least_occupancy;  // percent, up to 100; 0: any

    // Inspection. Text goes to `dump`.
    const char *dump_after;     // a pass or a step of the LLVM pipeline, or "all"
    const char *stop_after;     // a pass: the IR after it becomes the (TKC_MLIR) artifact
    const char *run_pass;       // a pass or step to run alone; the input is IR text, LLVM IR for a step
    const char *const *without; // passes and steps to leave out (tkc_without_fault)
    size_t without_count;
    bool time_passes;
    bool check_shared; // prove the order of shared memory accesses in the LLVM module, too
    FILE *dump;        // NULL: standard error

    // Called with each diagnostic at once, by the thread that called tkc_compile; all are in the result, too. May be NULL.
    void (*report)(void *user, const struct tkc_diagnostic *diagnostic);
    void *report_user;

    // The process around the compilation.
    //
    // Isolated, the work is done by a child of this process (fork), and a fault of tkc or LLVM, or lack of memory, is a result with
    // `fault` set. Otherwise a fault ends the process with status 70, lack of memory with status 1; such a compilation runs
    // on the caller's stack, up to 64 MiB of it. An isolated compilation begins when no other thread is within one that
    // is not. The child has none of the caller's threads and runs none of its code.
    bool isolate;
    // Any thread sets it to 1 to cancel (atomically); NULL: never. Isolated, the work ends at once, else behind the pass at hand.
    const int *cancel;
    // Results are kept there and found again, by the content of all dependencies: this tkc, the options, the sources, imports,
    // and the linker or assembler. Processes may share it at once. NULL: no cache.
    const char *cache_folder;
    size_t cache_bytes; // bound of its size: beyond it the least recently used results go; 0: 1 GiB
    bool verbose;       // `dump` gets the commands of the external tools that run
};

struct tkc_result {
    bool ok; // false: `diagnostics` has an error and there are no artifacts
    // An output would overwrite another output or a source; nothing was made.
    bool clash;
    bool fault;     // a fault of tkc, in an isolated compilation; the last diagnostic is its message
    bool cancelled; // by options.cancel
    bool cached;    // found in the cache
    bool usage; // the options are wrong in themselves, or with each other or this source; true for a clash
    struct tkc_artifact *artifacts;
    size_t artifact_count;
    struct tkc_diagnostic *diagnostics;
    size_t diagnostic_count;
    // The files read, the source first; and the paths of imports without a file. The result may change when one of
    // the former changes or one of the latter appears.
    const char *const *dependencies, *const *absent;
    size_t dependency_count, absent_count;
    void *memory; // owns all of the above
};

// Sets defaults in a structure of `size` bytes, as the caller's tkc.h has it.
void tkc_options_default(struct tkc_options *options, size_t size);
#define tkc_options_init(options) tkc_options_default((options), sizeof *(options))

// Never NULL.
struct tkc_result *tkc_compile(const struct tkc_options *options);
void tkc_result_free(struct tkc_result *result);

// "0.1.0", and the version of the linked LLVM.
const char *tkc_version(void);
const char *tkc_llvm_version(void);
const char *tkc_commit(void); // of the source, as git describes it; "": built outside a repository

// The tables by index; false past the end.
bool tkc_target_at(size_t index, const char **name, const char **description);
// Products by name ("h100"), and the target that stands for each; targets take these names.
bool tkc_product_at(size_t index, const char **name, const char **target);
// Groups by name ("blackwell"), and the targets, with blanks between, that are compiled for it.
bool tkc_group_at(size_t index, const char **name, const char **targets);
bool tkc_pass_at(size_t index, const char **name, const char **description); // passes, then steps
bool tkc_remark_at(size_t index, const char **name, const char **description);
bool tkc_warning_at(size_t index, const char **name, const char **description);
const char *tkc_warning_fault(const char *choice); // the reason for a choice that is none; NULL: it is one
bool tkc_is_step(const char *name);                // of the LLVM pipeline; false: a pass, or no such name
// The reason for a pass or step that cannot be left out; NULL: it can.
const char *tkc_without_fault(const char *name);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
