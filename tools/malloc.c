// The C library's allocation functions for the tools: when memory runs out they print an error and end the
// process.
//
// LLVM calls our handler when operator new or its own buffers fail (support/memory.h). But MLIR also calls
// malloc and writes through the result unchecked: a crash under a limit such as `ulimit -v`. A program's own
// malloc takes precedence over the C library's for all code loaded into it, so these three serve LLVM too,
// linked statically or not. They belong in programs only: a library must not replace malloc. Sanitizers have
// a malloc of their own.
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
    if (!memory && size) { // size 0 frees
        out_of_memory(size);
    }
    return memory;
}
#endif
