// The compiler behind tkc.h: one source file, opened once, compiled for any number of targets. tkc_compile
// makes artifacts from the result; tkc-run takes the LLVM module before instruction selection.
#ifndef TKC_DRIVER_COMPILE_H
#define TKC_DRIVER_COMPILE_H

#include <llvm-c/Core.h>
#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "frontend/frontend.h"
#include "ir/context.h"
#include "passes/remark.h"
#include "support/arena.h"
#include "support/diag.h"
#include "chip/target.h"
#include "tkc/tkc.h"

// One source file and its options. All memory is in the arena, created and destroyed by the caller.
struct unit {
    struct arena *arena;
    struct diag diag;
    const struct tkc_options *options;
    const struct source *source;        // given, or read by unit_open
    struct frontend *frontend;          // kernels × variants; NULL for IR text
    bool every_config;                  // for unit_open: an instance for each configuration of a kernel
    unsigned level;                     // for unit_open: the set of hints
    const char *entry_name;             // for unit_open: the name of the only kernel's entry; NULL: its own
    const struct module *parsed;        // for unit_open: the parsed source; NULL: unit_open parses it
    const struct frontend_named *named; // for unit_open: configurations beside those of the source
    size_t named_count;
    struct shows *shows; // a debugger's requests, in a module for the emulator; NULL: none
    bool emulated;       // the module is for the emulator (lower_options)
    bool wants_assembly; // AMD code only as text: the search for registers makes assembly, too
};

static inline size_t unit_kernel_count(const struct unit *unit) {
    return unit->frontend ? unit->frontend->kernel_count : 0;
}

// The kernels of a unit on one target.
struct compiled {
    const struct target *target;
    struct ir *ir;
    MlirModule tiles; // after the last pass run
    // The pipeline ended at --stop-after or --run-pass: there is no code, and an LLVM module only after a
    // step.
    bool stopped;
    LLVMContextRef llvm_context;
    LLVMModuleRef llvm;            // optimised: the input of instruction selection
    struct strbuf object;          // its code; empty if not yet made
    enum llvmgen_kind object_kind; // of `object`: an object, unless the unit wants assembly
    struct reflect_entry *entries; // one a kernel
    struct reflect_loop *loops;    // one a kernel of the source; NULL: there is no source
    struct work_survey *surveys;   // one a kernel, if a page is wanted
    struct sharing *sharings;      // as many
    struct remarks remarks;        // of the passes
};

// Reads, parses and evaluates the source, as far as its kernels need. `target`, the first of several, answers
// module-level queries of the chip. False after errors in unit->diag.
bool unit_open(struct unit *unit, const struct tkc_options *options, const struct target *target);

// The change to make a kernel fit in the registers of its threads.
struct fit {
    unsigned warps; // factor of the requested warps
};

// The passes' context by the unit's options, without remarks.
struct pass_context; // passes/pass.h
void unit_pass_context(struct unit *unit, struct ir *ir, const struct target *target,
                       struct pass_context *context);
// The passes left out by the options (pass_options.without).
struct pass_set unit_passes_left_out(const struct unit *unit);
// The options for the steps of the LLVM pipeline.
struct step_options unit_steps(const struct unit *unit);

// Emits the kernels for a target, runs the passes, lowers and optimises. compile_for: with the best fits
// (fit.c), in two steps: compile_as_asked with the requested warps, then compile_fitting searches more warps
// for kernels with spills. compile_fitted: with one given fit for each kernel. False after errors;
// compiled_free is needed either way.
bool compile_for(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_as_asked(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_fitting(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_fitted(struct unit *unit, const struct target *target, const struct fit *fits,
                    struct compiled *compiled);
void compiled_free(struct compiled *compiled);
// fit.c, before code is wanted. fit_may_change: false if the tile IR of the unit's kernels, with layouts, has no value large enough to
// spill. fit_changed compiles the kernels: the first one that gets more warps than requested, or their number.
bool fit_may_change(const struct unit *unit, const struct target *target, struct ir *ir, MlirModule tiles);
size_t fit_changed(struct unit *unit, const struct target *target);
// Lowers and optimises the tile IR once more, with locations in the unit's source alone. NULL after an error.
LLVMModuleRef compile_lines(struct unit *unit, struct compiled *compiled, LLVMContextRef context);

// reflect.c: a kernel's properties for the launcher, with room for an entry on each target; and the entry,
// after the passes.
struct reflect_kernel reflect_instance(struct arena *arena, const struct kernel_instance *kernel,
                                       size_t target_count);
struct reflect_entry reflect_function(struct ir *ir, struct arena *arena, MlirOperation function,
                                      const struct target *target);
struct reflect_param reflect_parameter(struct arena *arena, const struct kernel_param *param);
// reflect_chain.c: the chains of the source; their kernels are in `out` already.
void reflect_chains(struct arena *arena, const struct frontend *frontend, struct reflection *out);
// Adds the hints implied by an entry to the hints of the parameters.
void reflect_imply(struct reflect_param *params, const struct reflect_entry *entry);

#endif
