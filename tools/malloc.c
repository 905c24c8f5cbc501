// The C library's allocation for the tools: where there is no memory, that is said and the process ends.
//
// LLVM asks a handler of ours when operator new or its own buffers fail (support/memory.h), but MLIR also calls malloc and
// writes through what it gives without a look, which is a crash under a limit such as `ulimit -v`. A program's own malloc
// stands before the C library's for everything that is loaded into it, so these three serve LLVM too, linked statically or
// not. They belong to programs alone: a library has no right to do so. Sanitizers have a malloc of their own.
#include <stdint.h>
#include <stdlib.h>

#include "support/memory.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size) {
    void *memory = __libc_malloc(size);
    if (!memory) {
        out_of_memory(size);
    }
    return memory;
}

void *calloc(size_t count, size_t size) {
    void *memory = __libc_calloc(count, size);
    if (!memory) {
        out_of_memory(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    }
    return memory;
}

void *realloc(void *old, size_t size) {
    void *memory = __libc_realloc(old, size);
    if (!memory && size) { // of size 0 it frees
        out_of_memory(size);
    }
    return memory;
}
#endif
