// The registers used by AMD's final code, from its metadata.
#ifndef TKC_CODEGEN_SPILLS_H
#define TKC_CODEGEN_SPILLS_H

#include <stdbool.h>
#include <stddef.h>

// Of each thread.
struct spills {
    unsigned registers;    // vector registers
    unsigned accumulators; // of them, for matrix instructions alone
    unsigned scalars;      // scalar registers, of a wave
    unsigned spilled;      // spilled values of vector registers, and parked fragments (park.c)
    unsigned bytes;        // of scratch memory
};

// The largest of the kernels of an object or of assembly; those of one of its kernels, in the order of the module.
struct spills spills_read(const char *code, size_t length, bool object);
struct spills spills_of_kernel(const char *code, size_t length, bool object, size_t kernel);

#endif
