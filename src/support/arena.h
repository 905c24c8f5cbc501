// Region allocator: all memory of one compilation in the front end comes from one arena, freed as a whole.
#ifndef TKC_SUPPORT_ARENA_H
#define TKC_SUPPORT_ARENA_H

#include <stddef.h>

struct arena;

struct arena_mark {
    void *block;
    size_t used;
};

struct arena *arena_create(void);
void arena_destroy(struct arena *arena); // NULL is allowed

// Zeroed memory aligned to 16 bytes. Never NULL: see out_of_memory.
void *arena_alloc(struct arena *arena, size_t size);
size_t arena_size(const struct arena *arena); // bytes held by the arena
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

// arena_reset frees everything allocated after the mark.
struct arena_mark arena_mark(struct arena *arena);
void arena_reset(struct arena *arena, struct arena_mark mark);

// Makes room for one more element in an array with `count` elements of `size` bytes and room for `*capacity`:
// returns the array itself, or a copy with twice the room.
void *arena_grown(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif
