// Running out of memory: a source asked for more than the machine has, which is the user's to know and no fault of tkc.
#ifndef TKC_SUPPORT_MEMORY_H
#define TKC_SUPPORT_MEMORY_H

#include <stddef.h>

// Says so and ends the process with EXIT_USER_ERROR. 0: how much was asked for is not known.
_Noreturn void out_of_memory(size_t bytes);

// From now on the C++ libraries' operator new ends in out_of_memory too.
void memory_watch_new(void);

#endif
