// Hidden parameters without a generated header: from a kernel's description, as
// artifact/launcher/gpu_tensor.h does in generated headers.
#include "hidden.h"

enum { INTERLEAVE_NONE, PROMOTION_256 = 3, FILL_ZERO = 0 };

static const char *fill_map(struct hidden_launch *launch, const struct tkc_tensor_map *map, unsigned index) {
    const uint32_t steps[TKC_TENSOR_RANK] = {1, 1, 1, 1, 1};
    int swizzle = map->swizzle == 128 ? 3 : map->swizzle == 64 ? 2 : map->swizzle == 32;
    struct tkc_tensor tensor;
    if (!launch->encode) {
        return "this driver knows no tensor maps";
    }
    if (!tkc_tensor_fill(map, launch->numbers, &tensor)) {
        return "TMA cannot reach such a tensor: address and strides (in bytes) must be multiples of 16, "
               "strides not negative, sizes at most 2^31";
    }
    if (tensor.empty) {
        tensor.address += launch->zeros;
    }
    int status = launch->encode(launch->maps[index], map->element, map->rank,
                                (void *)(uintptr_t)tensor.address, tensor.sizes, tensor.strides, map->box,
                                steps, INTERLEAVE_NONE, swizzle, PROMOTION_256, FILL_ZERO);
    return status ? "the driver does not encode its tensor map" : NULL;
}

const char *hidden_fill(struct hidden_launch *launch, void **values, size_t *which) {
    unsigned maps = 0;
    memcpy(launch->blocks, launch->grid, sizeof launch->blocks);
    for (size_t i = 0; i < launch->hidden_count; i++) {
        const struct tkc_hidden *hidden = &launch->hidden[i];
        if (hidden->kind != TKC_HIDDEN_TENSOR_MAP) {
            values[i] = &launch->grid[hidden->kind];
            continue;
        }
        const char *wrong = fill_map(launch, &hidden->map, maps);
        if (wrong) {
            *which = i;
            return wrong;
        }
        values[i] = launch->maps[maps++];
    }
    if ((launch->dealing.persistent || launch->dealing.cluster > 1) && launch->grid[0] && launch->grid[1] &&
        launch->grid[2]) {
        launch->blocks[0] =
            tkc_persistent_blocks(launch->grid, launch->multiprocessors, launch->dealing.persistent,
                                  launch->dealing.cluster, launch->dealing.fills);
        launch->blocks[1] = launch->blocks[2] = 1;
    }
    *which = launch->hidden_count;
    return launch->blocks[0] || !launch->grid[0] ? NULL : "the grid is beyond 2147483647 programs";
}
