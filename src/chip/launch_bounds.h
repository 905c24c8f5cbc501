// Launch bounds of a kernel in LLVM IR (NVIDIA): the PTX directives .reqntid, .minnctapersm and .maxnreg, and parameters that are
// read in place (__grid_constant__ of CUDA C++).
//
// LLVM 22 reads them from attributes of the function ("nvvm.reqntid"="128,1,1") and of its parameters, and ignores the
// module's metadata !nvvm.annotations in modules that are built in memory. LLVM 19 reads the metadata alone.
// The functions here write the form that this LLVM reads; they read both forms.
#ifndef TKC_CHIP_LAUNCH_BOUNDS_H
#define TKC_CHIP_LAUNCH_BOUNDS_H

#include <llvm-c/Core.h>

enum launch_bound {
    BOUND_THREADS,   // of a block, exactly: .reqntid N, 1, 1
    BOUND_BLOCKS,    // of a multiprocessor, at least: .minnctapersm
    BOUND_REGISTERS, // of a thread, at most: .maxnreg
};

void launch_bound_set(LLVMValueRef function, enum launch_bound bound, unsigned value);

// 0: the function has no such bound.
unsigned launch_bound(LLVMValueRef function, enum launch_bound bound);

// Marks the function as a kernel, where LLVM does not take its calling convention for that.
void launch_bound_mark_kernel(LLVMValueRef function);

// The parameters (counted from 0; each a pointer with "byval") stay in the constant bank of the launch's parameters.
void launch_bound_keep_parameters(LLVMValueRef function, const unsigned *parameters, unsigned count);

#endif
