// Region allocator: a chain of blocks, each twice the size of the one before it up to a limit. arena_reset
// keeps freed blocks in a free list, so a pass with a mark and a reset in a loop does not call malloc each
// time.
#include "support/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/bug.h"
#include "support/memory.h"

enum { ARENA_ALIGN = 16, ARENA_FIRST_BLOCK = 64 << 10, ARENA_LARGEST_STEP = 4 << 20 };

struct block {
    struct block *previous;
    size_t capacity;
    size_t used;
    alignas(ARENA_ALIGN) unsigned char bytes[];
};

struct arena {
    struct block *current;
    struct block *spare; // blocks released by a reset, linked through `previous`
    size_t next_size;
    size_t size; // of all blocks
};

static void *checked_malloc(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        out_of_memory(size);
    }
    return memory;
}

struct arena *arena_create(void) {
    struct arena *arena = checked_malloc(sizeof *arena);
    *arena = (struct arena){.next_size = ARENA_FIRST_BLOCK};
    return arena;
}

static void free_chain(struct block *block) {
    while (block) {
        struct block *previous = block->previous;
        free(block);
        block = previous;
    }
}

void arena_destroy(struct arena *arena) {
    if (!arena) {
        return;
    }
    free_chain(arena->current);
    free_chain(arena->spare);
    free(arena);
}

static struct block *take_spare(struct arena *arena, size_t size) {
    for (struct block **link = &arena->spare; *link; link = &(*link)->previous) {
        struct block *block = *link;
        if (block->capacity >= size) {
            *link = block->previous;
            return block;
        }
    }
    return NULL;
}

static void push_block(struct arena *arena, size_t size) {
    struct block *block = take_spare(arena, size);
    if (!block) {
        size_t capacity = arena->next_size > size ? arena->next_size : size;
        if (capacity > SIZE_MAX - sizeof *block) {
            out_of_memory(size);
        }
        block = checked_malloc(sizeof *block + capacity);
        block->capacity = capacity;
        arena->size += capacity;
        if (arena->next_size < ARENA_LARGEST_STEP) {
            arena->next_size *= 2;
        }
    }
    block->used = 0;
    block->previous = arena->current;
    arena->current = block;
}

void *arena_alloc(struct arena *arena, size_t size) {
    if (size > SIZE_MAX - ARENA_ALIGN) {
        out_of_memory(size);
    }
    size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if (!arena->current || arena->current->capacity - arena->current->used < size) {
        push_block(arena, size);
    }
    void *memory = arena->current->bytes + arena->current->used;
    arena->current->used += size;
    return memset(memory, 0, size);
}

size_t arena_size(const struct arena *arena) {
    return arena->size;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    if (length) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        bug("cannot format \"%s\"", format);
    }
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void *arena_grown(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return items;
    }
    *capacity = *capacity ? 2 * *capacity : 16;
    void *grown = arena_alloc(arena, *capacity * size);
    if (count) {
        memcpy(grown, items, count * size);
    }
    return grown;
}

struct arena_mark arena_mark(struct arena *arena) {
    return (struct arena_mark){arena->current, arena->current ? arena->current->used : 0};
}

void arena_reset(struct arena *arena, struct arena_mark mark) {
    while (arena->current != mark.block) {
        struct block *block = arena->current;
        if (!block) {
            bug("arena reset to a mark that is not in it");
        }
        arena->current = block->previous;
        block->previous = arena->spare;
        arena->spare = block;
    }
    if (arena->current) {
        arena->current->used = mark.used;
    }
}
