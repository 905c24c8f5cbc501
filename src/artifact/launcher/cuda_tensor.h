#ifndef TKC_LAUNCHER_CUDA_TENSOR_3
#define TKC_LAUNCHER_CUDA_TENSOR_3

// ---- Launching kernels with hidden parameters through the CUDA driver API.

// What a kernel on one target takes behind its own parameters.
struct tkc_cuda_extra {
    const struct tkc_hidden *hidden;
    unsigned hidden_count;
};

// Encoded maps, one of the few things that all launchers of a program share: a launch with the arguments of
// an earlier one encodes nothing. What a map is made of is its description, which lives as long as these slots do, and the
// arguments that it names; they are looked for in four slots. A slot is a sequence lock: the sequence is odd while the slot
// is written, and a reader that finds it changed has read nothing. Nobody waits: who cannot write a slot leaves it.
enum { TKC_CUDA_KEY = 2 + 2 * TKC_TENSOR_RANK, TKC_CUDA_SLOTS = 2048, TKC_CUDA_WAYS = 4 };
struct tkc_cuda_slot {
    unsigned sequence;
    uint64_t key[TKC_CUDA_KEY]; // [0], the context, is 0 in a free slot
    uint64_t map[CU_TENSOR_MAP_NUM_QWORDS];
};
#ifdef __cplusplus
extern "C" {
#endif
TKC_SHARED_SYMBOL extern struct tkc_cuda_slot tkc_cuda_slots_2[TKC_CUDA_SLOTS];
struct tkc_cuda_slot tkc_cuda_slots_2[TKC_CUDA_SLOTS];
#ifdef __cplusplus
}
#endif

// Returns how many words the key has.
static inline unsigned tkc_cuda_make_key(unsigned long long context, const struct tkc_tensor_map *map,
                                         const int64_t *values, uint64_t key[TKC_CUDA_KEY]) {
    unsigned i, count = 3;
    key[0] = context;
    key[1] = (uint64_t)(uintptr_t)map;
    key[2] = (uint64_t)values[map->pointer];
    for (i = 0; i < map->rank; i++) {
        key[count++] = map->sizes[i].parameter < 0 ? 0u : (uint64_t)values[map->sizes[i].parameter];
    }
    for (i = 0; i + 1 < map->rank; i++) {
        key[count++] = map->strides[i].parameter < 0 ? 0u : (uint64_t)values[map->strides[i].parameter];
    }
    return count;
}

// The first of its slots; the others are behind it.
static inline struct tkc_cuda_slot *tkc_cuda_slot_of(const uint64_t *key, unsigned count) {
    uint64_t hash = 0;
    unsigned i;
    for (i = 0; i < count; i++) {
        hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return &tkc_cuda_slots_2[(hash >> 32) % (TKC_CUDA_SLOTS / TKC_CUDA_WAYS) * TKC_CUDA_WAYS];
}

static inline int tkc_cuda_recall(struct tkc_cuda_slot *slot, const uint64_t *key, unsigned count,
                                  CUtensorMap *encoded) {
    unsigned i, before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    uint64_t differs = before & 1u;
    for (i = 0; i < count; i++) {
        differs |= __atomic_load_n(&slot->key[i], __ATOMIC_ACQUIRE) ^ key[i];
    }
    if (differs) {
        return 0;
    }
    for (i = 0; i < CU_TENSOR_MAP_NUM_QWORDS; i++) {
        encoded->opaque[i] = __atomic_load_n(&slot->map[i], __ATOMIC_ACQUIRE);
    }
    return __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

// In the slot that was written least often, as a free one was.
static inline void tkc_cuda_remember(struct tkc_cuda_slot *slot, const uint64_t *key, unsigned count,
                                     const CUtensorMap *encoded) {
    unsigned i, before = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED);
    struct tkc_cuda_slot *ways = slot;
    for (i = 1; i < TKC_CUDA_WAYS; i++) {
        unsigned sequence = __atomic_load_n(&ways[i].sequence, __ATOMIC_RELAXED);
        slot = sequence < before ? &ways[i] : slot;
        before = sequence < before ? sequence : before;
    }
    if ((before & 1u) || !__atomic_compare_exchange_n(&slot->sequence, &before, before + 1u, 0,
                                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return;
    }
    for (i = 0; i < count; i++) {
        __atomic_store_n(&slot->key[i], key[i], __ATOMIC_RELEASE);
    }
    for (i = 0; i < CU_TENSOR_MAP_NUM_QWORDS; i++) {
        __atomic_store_n(&slot->map[i], encoded->opaque[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&slot->sequence, before + 2u, __ATOMIC_RELEASE);
}

static inline CUresult tkc_cuda_encode(const struct tkc_tensor_map *map, const struct tkc_tensor *tensor,
                                       CUtensorMap *encoded) {
    CUtensorMapSwizzle swizzle = map->swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                 : map->swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                 : map->swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                      : CU_TENSOR_MAP_SWIZZLE_NONE;
    cuuint64_t sizes[TKC_TENSOR_RANK], strides[TKC_TENSOR_RANK];
    cuuint32_t box[TKC_TENSOR_RANK], steps[TKC_TENSOR_RANK];
    unsigned i;
    for (i = 0; i < map->rank; i++) {
        sizes[i] = tensor->sizes[i];
        strides[i] = i + 1 < map->rank ? tensor->strides[i] : 0;
        box[i] = map->box[i];
        steps[i] = 1;
    }
    return cuTensorMapEncodeTiled(encoded, (CUtensorMapDataType)map->element, map->rank,
                                  (void *)(uintptr_t)tensor->address, sizes, strides, box, steps,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

// What stands in for empty tensors: 16 bytes of zeros for each map.
static inline CUresult tkc_cuda_zeros(struct tkc_cuda_program *program, struct tkc_cuda_context *context,
                                      CUdeviceptr *zeros) {
    CUresult result = CUDA_SUCCESS;
    tkc_lock(&program->lock);
    *zeros = context->zeros;
    if (!*zeros) {
        result = cuMemAlloc(zeros, 16u * TKC_TENSOR_MAPS);
        if (result == CUDA_SUCCESS) {
            context->zeros = *zeros;
            result = cuMemsetD8(*zeros, 0, 16u * TKC_TENSOR_MAPS);
        }
        if (result == CUDA_SUCCESS) {
            result = cuStreamSynchronize(NULL);
        }
        if (result != CUDA_SUCCESS && context->zeros) {
            (void)cuMemFree(context->zeros);
            context->zeros = 0;
        }
    }
    tkc_unlock(&program->lock);
    return result;
}

// After loading kernels: launches of them allocate nothing and wait for nothing, also where tensors are empty.
static inline CUresult tkc_cuda_ready(struct tkc_cuda_program *program, const struct tkc_cuda_source *source,
                                      const struct tkc_cuda_extra *extras, unsigned first, unsigned count) {
    unsigned long long key = 0;
    unsigned k, i;
    CUdeviceptr zeros;
    CUresult result = tkc_cuda_key(&key);
    struct tkc_cuda_context *context = result == CUDA_SUCCESS ? tkc_cuda_find(program, key) : NULL;
    for (k = first; context && k < first + count; k++) {
        const struct tkc_cuda_extra *extra;
        if (!__atomic_load_n(&context->functions[k], __ATOMIC_ACQUIRE)) {
            continue;
        }
        extra = &extras[tkc_cuda_index(source, context, k)];
        for (i = 0; i < extra->hidden_count; i++) {
            if (extra->hidden[i].kind == TKC_HIDDEN_TENSOR_MAP) {
                return tkc_cuda_zeros(program, context, &zeros);
            }
        }
    }
    return result;
}

// The index-th map of a kernel, for these arguments. Of an empty tensor none is kept: the zeros may move.
static inline CUresult tkc_cuda_map(struct tkc_cuda_program *program, struct tkc_cuda_context *context,
                                    const struct tkc_tensor_map *map, unsigned index, const int64_t *values,
                                    CUtensorMap *encoded) {
    struct tkc_tensor tensor;
    uint64_t key[TKC_CUDA_KEY];
    unsigned i, count = tkc_cuda_make_key(__atomic_load_n(&context->key, __ATOMIC_ACQUIRE), map, values, key);
    struct tkc_cuda_slot *slot = tkc_cuda_slot_of(key, count);
    CUdeviceptr zeros = 0;
    CUresult result = CUDA_SUCCESS;
    for (i = 0; i < TKC_CUDA_WAYS; i++) {
        if (tkc_cuda_recall(&slot[i], key, count, encoded)) {
            return CUDA_SUCCESS;
        }
    }
    if (!tkc_tensor_fill(map, values, &tensor)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (tensor.empty) {
        result = tkc_cuda_zeros(program, context, &zeros);
        tensor.address = zeros + 16u * index;
    }
    if (result == CUDA_SUCCESS) {
        result = tkc_cuda_encode(map, &tensor, encoded);
    }
    if (result == CUDA_SUCCESS && !tensor.empty) {
        tkc_cuda_remember(slot, key, count, encoded);
    }
    return result;
}

// `arguments` has room behind the `visible` parameters of the source, whose values `values` holds too.
static inline CUresult tkc_cuda_launch_hidden(struct tkc_cuda_program *program,
                                              const struct tkc_cuda_source *source,
                                              const struct tkc_cuda_extra *extras, unsigned kernel,
                                              CUstream stream, unsigned grid_x, unsigned grid_y,
                                              unsigned grid_z, const int64_t *values, void **arguments,
                                              unsigned visible) {
    unsigned grid[3], i, map_count = 0, index;
    __attribute__((aligned(128))) CUtensorMap maps[TKC_TENSOR_MAPS];
    struct tkc_cuda_context *context = NULL;
    CUresult result = tkc_cuda_load(program, source, kernel, &context);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    grid[0] = grid_x;
    grid[1] = grid_y;
    grid[2] = grid_z;
    index = tkc_cuda_index(source, context, kernel);
    for (i = 0; i < extras[index].hidden_count; i++) {
        const struct tkc_hidden *hidden = &extras[index].hidden[i];
        if (hidden->kind != TKC_HIDDEN_TENSOR_MAP) {
            arguments[visible + i] = &grid[hidden->kind];
            continue;
        }
        result = tkc_cuda_map(program, context, &hidden->map, map_count, values, &maps[map_count]);
        if (result != CUDA_SUCCESS) {
            return result;
        }
        arguments[visible + i] = &maps[map_count++];
    }
    if (source->entries[index].persistent) {
        grid_x =
            tkc_persistent_blocks(grid, context->chip.multiprocessors, source->entries[index].persistent);
        grid_y = grid_z = 1;
        if (grid_x == 0) {
            return CUDA_ERROR_INVALID_VALUE;
        }
    }
    return cuLaunchKernel(__atomic_load_n(&context->functions[kernel], __ATOMIC_ACQUIRE), grid_x, grid_y,
                          grid_z, source->entries[index].threads, 1, 1, source->entries[index].dynamic_shared,
                          stream, arguments, NULL);
}
#endif
