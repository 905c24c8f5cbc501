// Hidden parameters for the emulator.
#include "emulate.h"

#include "artifact/artifact.h"

static const char *make_map(const struct tkc_tensor_map *map, const int64_t *numbers,
                            const struct emulator_argument *arguments, unsigned index,
                            struct emulated_hidden *out) {
    struct tkc_tensor tensor;
    if (!tkc_tensor_fill(map, numbers, &tensor)) {
        return "TMA cannot reach such a tensor: address and strides (in bytes) must be multiples of 16, "
               "strides not negative, sizes at most 2^31";
    }
    struct emulator_tensor_map *made = &out->maps[index];
    *made =
        (struct emulator_tensor_map){.buffer = tensor.empty ? &out->zeros : arguments[map->pointer].buffer,
                                     .offset = (size_t)tensor.address,
                                     .rank = map->rank,
                                     .element_bytes = map->element_bytes,
                                     .is_bf16 = map->element == tensor_type_find("bf16")->value,
                                     .rounds_tf32 = map->element == tensor_type_find("tf32")->value,
                                     .swizzle = map->swizzle};
    memcpy(made->sizes, tensor.sizes, sizeof made->sizes);
    memcpy(made->strides, tensor.strides, sizeof made->strides);
    memcpy(made->box, map->box, sizeof made->box);
    return NULL;
}

const char *emulate_hidden(const struct tkc_hidden *hidden, size_t count, struct emulated_blocks blocks,
                           const int64_t *numbers, struct emulator_argument *arguments,
                           struct emulator_launch *launch, struct emulated_hidden *out) {
    unsigned maps = 0;
    memset(out, 0, sizeof *out);
    out->zeros =
        (struct emulator_buffer){.name = "zeros", .data = out->zero_bytes, .size = sizeof out->zero_bytes};
    for (size_t i = 0; i < count; i++) {
        struct emulator_argument *argument = &arguments[launch->argument_count];
        *argument = (struct emulator_argument){.name = "tensor map"};
        if (hidden[i].kind == TKC_HIDDEN_TENSOR_MAP) {
            const char *wrong = make_map(&hidden[i].map, numbers, arguments, maps, out);
            if (wrong) {
                return wrong;
            }
            argument->map = &out->maps[maps++];
        } else {
            argument->name = "grid";
            argument->bits = launch->grid[hidden[i].kind];
        }
        launch->argument_count++;
    }
    if ((blocks.dealing.persistent || blocks.dealing.cluster > 1) && launch->grid[0] && launch->grid[1] &&
        launch->grid[2]) {
        unsigned multiprocessors = blocks.multiprocessors ? blocks.multiprocessors : EMULATED_MULTIPROCESSORS;
        launch->grid[0] = tkc_persistent_blocks(launch->grid, multiprocessors, blocks.dealing.persistent,
                                                blocks.dealing.cluster, blocks.dealing.fills);
        launch->grid[1] = launch->grid[2] = 1;
        launch->persistent = blocks.dealing.persistent > 0;
        if (!launch->grid[0]) {
            return "the grid is beyond 2147483647 programs";
        }
    }
    return NULL;
}
