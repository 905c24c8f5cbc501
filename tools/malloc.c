// The C library's allocation functions for the tools: when memory runs out they print an error and end the
// process.
//
// LLVM calls our handler when operator new or its own buffers fail (support/memory.h). But MLIR also calls
// malloc and writes through the result unchecked: a crash under a limit such as `ulimit -v`. A program's own
// malloc takes precedence over the C library's for all code loaded into it, so these three serve LLVM too,
// linked statically or not. They belong in programs only: a library must not replace malloc. Sanitizers have
// a malloc of their own.
//
// The heap's first part is of huge pages. A compilation touches 5 to 20 MiB within some 50 ms: of 4 KiB, a
// page had a fault each, 3,400 of the 4,400 faults of attention on sm_90a and a tenth of the processor time.
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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

// Ahead of LLVM's own constructors, whose allocations then are in huge pages. Under a limit that is lower than the
// room, malloc does without it. Nothing is trimmed, nor mapped on its own: pages given back would only be faulted in
// again.
__attribute__((constructor(101))) static void open_heap(void) {
    enum { ROOM = 64 << 20, HUGE_PAGE = 2 << 20 };
    uintptr_t old_end = (uintptr_t)sbrk(0);
    mallopt(M_TOP_PAD, ROOM);
    mallopt(M_TRIM_THRESHOLD, 4 * ROOM);
    mallopt(M_MMAP_THRESHOLD, ROOM / 2);
    free(__libc_malloc(1)); // the compiler leaves out the pair of malloc and free
    uintptr_t begin = (old_end + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    uintptr_t end = (uintptr_t)sbrk(0) / HUGE_PAGE * HUGE_PAGE;
    if (end > begin) {
        madvise((void *)begin, end - begin, MADV_HUGEPAGE); // a hint: without it pages are of 4 KiB
    }
}
#endif
