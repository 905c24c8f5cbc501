// Numbers for texts: equal texts have equal numbers, in the order of their first use.
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "support/memory.h"

static uint64_t hash_of(const char *text, size_t length) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325); // FNV-1a
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}

static void put_slot(struct names *names, uint32_t number) {
    size_t slot = names->items[number].hash & (names->slot_count - 1);
    while (names->slots[slot]) {
        slot = (slot + 1) & (names->slot_count - 1);
    }
    names->slots[slot] = number + 1;
}

static void grow(struct names *names) {
    free(names->slots);
    names->slot_count = names->slot_count ? 2 * names->slot_count : 1024;
    names->slots = memory_zeroed(names->slot_count, sizeof *names->slots);
    for (size_t i = 0; i < names->count; i++) {
        put_slot(names, (uint32_t)i);
    }
}

uint32_t names_number(struct names *names, struct arena *arena, const char *text, size_t length) {
    uint64_t hash = hash_of(text, length);
    if (2 * names->count >= names->slot_count) {
        grow(names);
    }
    for (size_t slot = hash & (names->slot_count - 1); names->slots[slot];
         slot = (slot + 1) & (names->slot_count - 1)) {
        const struct name *name = &names->items[names->slots[slot] - 1];
        if (name->hash == hash && strlen(name->text) == length && !memcmp(name->text, text, length)) {
            return names->slots[slot] - 1;
        }
    }
    names->items = memory_grown(names->items, names->count, &names->capacity, sizeof *names->items);
    names->items[names->count] = (struct name){arena_strndup(arena, text, length), hash};
    put_slot(names, (uint32_t)names->count);
    return (uint32_t)names->count++;
}

void names_free(struct names *names) {
    free(names->items);
    free(names->slots);
    *names = (struct names){0};
}
