// Launch bounds of a kernel in LLVM IR (NVIDIA): the PTX directives .reqntid, .minnctapersm, .maxnreg and
// .reqnctapercluster, and parameters read in place (__grid_constant__ of CUDA C++).
//
// LLVM 22 reads attributes of the function ("nvvm.reqntid"="128,1,1") and of its parameters. It ignores the
// metadata !nvvm.annotations in modules built in memory. LLVM 19 reads only the metadata. These functions
// write the form for the LLVM of this build, and read both forms.
#ifndef TKC_CHIP_LAUNCH_BOUNDS_H
#define TKC_CHIP_LAUNCH_BOUNDS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

enum launch_bound {
    BOUND_THREADS,   // of a block, exactly: .reqntid N, 1, 1
    BOUND_BLOCKS,    // of a multiprocessor, at least: .minnctapersm
    BOUND_REGISTERS, // of a thread, at most: .maxnreg
    BOUND_CLUSTER,   // blocks of a cluster, along x: .reqnctapercluster N, 1, 1
};

void launch_bound_set(LLVMValueRef function, enum launch_bound bound, unsigned value);

// 0: no such bound.
unsigned launch_bound(LLVMValueRef function, enum launch_bound bound);

// A mark: threads of the kernel scan runs of many elements by long combinations.
void launch_scans_runs_set(LLVMValueRef function);
bool launch_scans_runs(LLVMValueRef function);

// A mark: each warp of the kernel multiplies whole tiles that it unpacks from words.
void launch_unpacks_tiles_set(LLVMValueRef function);
bool launch_unpacks_tiles(LLVMValueRef function);

// Marks the function as a kernel, if its calling convention alone does not (LLVM 19).
void launch_bound_mark_kernel(LLVMValueRef function);

// The parameters (counted from 0; each a pointer with "byval") stay in the constant bank of the launch's parameters.
void launch_bound_keep_parameters(LLVMValueRef function, const unsigned *parameters, unsigned count);

#endif
