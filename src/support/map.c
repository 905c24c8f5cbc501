// Pointer hash map: open addressing, linear probing, at most three quarters full. Nothing is ever removed
// singly.
#include "support/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/diag.h"
#include "support/memory.h"

static size_t slot_of(const struct map *map, const void *key) {
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
    size_t mask = map->capacity - 1;
    size_t slot = (size_t)(hash >> 32) & mask;
    while (map->keys[slot] && map->keys[slot] != key) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

void *map_get(const struct map *map, const void *key) {
    if (!map->capacity) {
        return NULL;
    }
    return map->values[slot_of(map, key)];
}

bool map_has(const struct map *map, const void *key) {
    return map->capacity && map->keys[slot_of(map, key)] == key;
}

static void grow(struct map *map) {
    struct map larger = {.capacity = map->capacity ? map->capacity * 2 : 32, .count = map->count};
    larger.keys = calloc(larger.capacity, sizeof *larger.keys);
    larger.values = calloc(larger.capacity, sizeof *larger.values);
    if (!larger.keys || !larger.values) {
        out_of_memory(larger.capacity * sizeof *larger.keys);
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->keys[i]) {
            size_t slot = slot_of(&larger, map->keys[i]);
            larger.keys[slot] = map->keys[i];
            larger.values[slot] = map->values[i];
        }
    }
    map_free(map);
    *map = larger;
}

void map_put(struct map *map, const void *key, void *value) {
    if (!key) {
        bug("map key is NULL");
    }
    if ((map->count + 1) * 4 > map->capacity * 3) {
        grow(map);
    }
    size_t slot = slot_of(map, key);
    if (!map->keys[slot]) {
        map->keys[slot] = key;
        map->count++;
    }
    map->values[slot] = value;
}

void map_add_all(struct map *map, const struct map *from) {
    for (size_t i = 0; i < from->capacity; i++) {
        if (from->keys[i]) {
            map_put(map, from->keys[i], from->values[i]);
        }
    }
}

void map_clear(struct map *map) {
    if (map->capacity) {
        memset(map->keys, 0, map->capacity * sizeof *map->keys);
        memset(map->values, 0, map->capacity * sizeof *map->values);
    }
    map->count = 0;
}

void map_free(struct map *map) {
    free(map->keys);
    free(map->values);
    *map = (struct map){0};
}
