// Memory outside of arenas, and the exit when memory runs out: an error for the user, because the source
// needs more than the machine has.
#ifndef TKC_SUPPORT_MEMORY_H
#define TKC_SUPPORT_MEMORY_H

#include <stddef.h>

// Prints the error and ends the process with EXIT_USER_ERROR. 0: unknown size.
_Noreturn void out_of_memory(size_t bytes);

// Memory of count × size bytes, all 0, to be freed by free(); never NULL.
void *memory_zeroed(size_t count, size_t size);

// Makes room for one more element in a malloc'ed array with `count` elements of `size` bytes and room for
// `*capacity`.
void *memory_grown(void *items, size_t count, size_t *capacity, size_t size);

// Makes the C++ libraries' operator new end in out_of_memory, too.
void memory_watch_new(void);

#endif
