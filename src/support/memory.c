// Growing arrays, and the exit when memory runs out.
#include "support/memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/diag.h"

// std::set_new_handler, by its mangled name.
extern void (*set_new_handler(void (*handler)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");

void out_of_memory(size_t bytes) {
    fflush(stdout);
    fputs("tkc: error: out of memory", stderr);
    if (bytes) {
        fprintf(stderr, " (%zu bytes asked)", bytes);
    }
    fputs("; make the source smaller, or give the process more\n", stderr);
    fflush(stderr);
    _Exit(EXIT_USER_ERROR);
}

void *memory_zeroed(size_t count, size_t size) {
    void *made = calloc(count ? count : 1, size);
    if (!made) {
        out_of_memory(count * size);
    }
    return made;
}

void *memory_grown(void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity ? 2 * *capacity : 16;
    items = realloc(items, *capacity * size);
    if (!items) {
        out_of_memory(*capacity * size);
    }
    return items;
}

static void on_new(void) {
    out_of_memory(0);
}

void memory_watch_new(void) {
    set_new_handler(on_new);
}
