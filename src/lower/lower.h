// Lowering: from the final tile IR (every tensor has a layout, shared offsets are fixed) to one LLVM module
// per target, with LLVM-C's builder. One walk; a tile value becomes one LLVM value per register of its
// layout.
#ifndef TKC_LOWER_LOWER_H
#define TKC_LOWER_LOWER_H

#include <llvm-c/Core.h>
#include <mlir-c/IR.h>

#include "ir/context.h"
#include "chip/target.h"

// Nothing is printed for DEBUG_PLACES, but instructions have locations.
enum debug_info { DEBUG_NONE, DEBUG_PLACES, DEBUG_LINES, DEBUG_FULL };

struct lower_options {
    enum debug_info debug;
    // For the emulator: the kernel's output goes to its functions tkc_print, tkc_assert, tkc_watch and tkc_step.
    bool emulated;
    // A source's name in code and its lines; NULL: as its path is.
    const char *(*file_name)(const void *file_names, struct arena *arena, const struct source *source);
    const void *file_names;
    // Locations are lines of this source alone: of code that was inlined from elsewhere, the call's. NULL: all sources, with the calls.
    const struct source *lines_of;
};

// Kernels are the func.func ops of the module. Function attributes read here: tk.num_warps (i32),
// tk.shared_bytes (i32, set by shared_alloc); argument attribute tk.divisibility (i32). Locations become
// DILocations unless `debug` is DEBUG_NONE: the level also decides how much of them is printed. Returns NULL after
// an error recorded in diag.
LLVMModuleRef lower_module(struct ir *ir, MlirModule module, const struct target *target,
                           LLVMContextRef context, const struct lower_options *options);

#endif
