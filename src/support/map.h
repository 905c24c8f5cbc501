// Hash map from a pointer to a pointer: the side tables of passes (MlirValue.ptr, MlirAttribute.ptr … as
// keys). Iteration order is never used: output must not depend on addresses. A zeroed struct is a valid empty
// map.
#ifndef TKC_SUPPORT_MAP_H
#define TKC_SUPPORT_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct map {
    const void **keys;
    void **values;
    size_t capacity; // a power of two, or 0
    size_t count;
};

void *map_get(const struct map *map, const void *key); // NULL if absent
bool map_has(const struct map *map, const void *key);
void map_put(struct map *map, const void *key, void *value); // replaces; key must not be NULL
void map_add_all(struct map *map, const struct map *from);   // adds the entries of `from`
void map_clear(struct map *map);
void map_free(struct map *map);

#endif
