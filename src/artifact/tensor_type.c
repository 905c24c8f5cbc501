// Element types of tensor maps.
#include <string.h>

#include "artifact/artifact.h"

static const struct tensor_type types[] = {
#define TENSOR_TYPE(dtype, bytes, cuda, value) {dtype, bytes, #cuda, value},
#include "artifact/tensor_types.def"
#undef TENSOR_TYPE
};

const struct tensor_type *tensor_type_find(const char *dtype) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].dtype, dtype) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

const struct tensor_type *tensor_type_of(const struct tkc_tensor_map *map) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].value == map->element) {
            return &types[i];
        }
    }
    bug("no element type of tensor maps has the value %d", map->element);
}
