// The compiler below its public face: one source file, opened once, compiled for any number of targets.
// tkc_compile makes artifacts of it; tkc-run takes the LLVM module that instruction selection would receive.
#ifndef TKC_DRIVER_COMPILE_H
#define TKC_DRIVER_COMPILE_H

#include <llvm-c/Core.h>
#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "codegen/llvmgen.h"
#include "frontend/frontend.h"
#include "ir/context.h"
#include "support/arena.h"
#include "support/diag.h"
#include "chip/target.h"
#include "tkc/tkc.h"

// One source file and what the options ask of it. Everything made for it lives in the arena, which the caller
// provides and destroys.
struct unit {
    struct arena *arena;
    struct diag diag;
    const struct tkc_options *options;
    const struct source *source;        // given, or read by unit_open
    struct frontend *frontend;          // its kernels × variants; NULL when the input is IR text
    bool every_config;                  // asked of unit_open: an instance for each configuration of a kernel
    unsigned level;                     // likewise: which set of hints
    const char *entry_name;             // likewise: the name of the only kernel's entry; NULL: its own
    const struct module *parsed;        // likewise: the source's tree; NULL: it is parsed
    const struct frontend_named *named; // likewise: configurations beside those of the source
    size_t named_count;
    bool wants_assembly; // AMD's code is asked for as text alone: so the search for registers makes it
};

static inline size_t unit_kernel_count(const struct unit *unit) {
    return unit->frontend ? unit->frontend->kernel_count : 0;
}

// The kernels of a unit on one target.
struct compiled {
    const struct target *target;
    struct ir *ir;
    MlirModule tiles; // after the last pass that ran
    // --stop-after or --run-pass ended the pipeline: there is no code, and an LLVM module only where a step made one.
    bool stopped;
    LLVMContextRef llvm_context;
    LLVMModuleRef llvm;            // optimised: what instruction selection receives
    struct strbuf object;          // made of it already; empty: not yet
    enum llvmgen_kind object_kind; // what that is: an object, unless the unit wants assembly
    struct reflect_entry *entries; // one a kernel
};

// Reads, parses and evaluates the source as far as its kernels need. What the module level asks of the chip is answered
// for `target`, the first of several. False after errors in unit->diag.
bool unit_open(struct unit *unit, const struct tkc_options *options, const struct target *target);

// How a kernel is made to fit in the registers of its threads.
struct fit {
    unsigned warps; // times as many as it asks for
};

// What the options ask of the steps of the LLVM pipeline.
struct step_options unit_steps(const struct unit *unit);

// Emits the kernels for a target, runs the passes, lowers and optimises. compile_for: as they fit best (fit.c), in two steps: as they
// ask, and what that gave made again for registers where these are short. compile_fitted: as it is told, a fit for each
// kernel. False after errors; compiled_free serves either way.
bool compile_for(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_as_asked(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_fitting(struct unit *unit, const struct target *target, struct compiled *compiled);
bool compile_fitted(struct unit *unit, const struct target *target, const struct fit *fits,
                    struct compiled *compiled);
void compiled_free(struct compiled *compiled);

// reflect.c: what a launcher must know of a kernel, with room for its entry on each target; and that, once the passes have run.
struct reflect_kernel reflect_instance(struct arena *arena, const struct kernel_instance *kernel,
                                       size_t target_count);
struct reflect_entry reflect_function(struct ir *ir, struct arena *arena, MlirOperation function,
                                      const struct target *target);
// The hints of an entry that the source does not give, to those of its parameters.
void reflect_imply(struct reflect_param *params, const struct reflect_entry *entry);

#endif
