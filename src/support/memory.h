// Memory outside of arenas, and running out of memory: a source asked for more than the machine has, which is the user's to know and
// no fault of tkc.
#ifndef TKC_SUPPORT_MEMORY_H
#define TKC_SUPPORT_MEMORY_H

#include <stddef.h>

// Says so and ends the process with EXIT_USER_ERROR. 0: how much was asked for is not known.
_Noreturn void out_of_memory(size_t bytes);

// Memory of count × size bytes, all 0, to be freed by free(); never NULL.
void *memory_zeroed(size_t count, size_t size);

// Room for one more element of an array from realloc that has `count` of `size` bytes and fits `*capacity`.
void *memory_grown(void *items, size_t count, size_t *capacity, size_t size);

// From now on the C++ libraries' operator new ends in out_of_memory too.
void memory_watch_new(void);

#endif
