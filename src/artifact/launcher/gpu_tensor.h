#ifndef TKC_LAUNCHER_GPU_TENSOR_10
#define TKC_LAUNCHER_GPU_TENSOR_10

// ---- Launching kernels with hidden parameters, on GPU_INTERFACE.

static inline gpu_result tkc_gpu_encode(const struct tkc_tensor_map *map, const struct tkc_tensor *tensor,
                                        gpu_tensor_map *encoded) {
    gpu_tensor_swizzle swizzle = map->swizzle == 128  ? GPU_SWIZZLE_128B
                                 : map->swizzle == 64 ? GPU_SWIZZLE_64B
                                 : map->swizzle == 32 ? GPU_SWIZZLE_32B
                                                      : GPU_SWIZZLE_NONE;
    uint64_t sizes[TKC_TENSOR_RANK], strides[TKC_TENSOR_RANK];
    uint32_t box[TKC_TENSOR_RANK], steps[TKC_TENSOR_RANK];
    unsigned i;
    for (i = 0; i < map->rank; i++) {
        sizes[i] = tensor->sizes[i];
        strides[i] = i + 1 < map->rank ? tensor->strides[i] : 0;
        box[i] = map->box[i];
        steps[i] = 1;
    }
    return gpu_encode(encoded, (gpu_tensor_type)map->element, map->rank, (void *)(uintptr_t)tensor->address,
                      sizes, strides, box, steps, GPU_INTERLEAVE_NONE, swizzle, GPU_PROMOTION_256B,
                      GPU_ZEROS_OUTSIDE);
}

// Device memory for empty tensors (tkc_tensor_fill). Allocated and cleared once a context.
static inline gpu_result tkc_gpu_zeros(struct tkc_gpu_program *program, struct tkc_gpu_context *context,
                                       gpu_pointer *zeros) {
    gpu_result result = GPU_SUCCESS;
    tkc_lock(&program->lock);
    *zeros = context->zeros;
    if (!*zeros) {
        result = gpu_allocate(zeros, TKC_EMPTY_BYTES);
        if (result == GPU_SUCCESS) {
            context->zeros = *zeros;
            result = gpu_fill_now(*zeros, 0, TKC_EMPTY_BYTES);
        }
        if (result == GPU_SUCCESS) {
            result = gpu_stream_wait(NULL);
        }
        if (result != GPU_SUCCESS && context->zeros) {
            (void)gpu_release(context->zeros);
            context->zeros = 0;
        }
    }
    tkc_unlock(&program->lock);
    return result;
}

// Allocates the memory for empty tensors when kernels with tensor maps are loaded: launches then allocate
// nothing and wait for nothing.
static inline gpu_result tkc_gpu_ready(struct tkc_gpu_program *program, const struct tkc_source *source,
                                       const struct tkc_extra *extras, unsigned first, unsigned count) {
    unsigned long long key = 0;
    unsigned k, i;
    gpu_pointer zeros;
    gpu_result result = tkc_gpu_key(&key);
    struct tkc_gpu_context *context = result == GPU_SUCCESS ? tkc_gpu_find(program, key) : NULL;
    for (k = first; context && k < first + count; k++) {
        const struct tkc_extra *extra;
        if (!__atomic_load_n(&context->functions[k], __ATOMIC_ACQUIRE)) {
            continue;
        }
        extra = &extras[tkc_gpu_index(source, context, k)];
        for (i = 0; i < extra->hidden_count; i++) {
            if (extra->hidden[i].kind == TKC_HIDDEN_TENSOR_MAP) {
                return tkc_gpu_zeros(program, context, &zeros);
            }
        }
    }
    return result;
}

// A tensor map of a kernel for these arguments, from the table of encoded maps or encoded now. Maps of empty
// tensors are not put into the table, since unload frees their memory.
static inline gpu_result tkc_gpu_map(struct tkc_gpu_program *program, struct tkc_gpu_context *context,
                                     const struct tkc_tensor_map *map, const int64_t *values,
                                     gpu_tensor_map *encoded) {
    struct tkc_tensor tensor;
    struct tkc_map_slot *slot;
    uint64_t key[TKC_MAP_KEY];
    unsigned i, count;
    gpu_pointer zeros = 0;
    gpu_result result;
    if (!tkc_tensor_fill(map, values, &tensor)) {
        return GPU_INVALID_VALUE;
    }
    if (tensor.empty) {
        result = tkc_gpu_zeros(program, context, &zeros);
        tensor.address += zeros;
        return result == GPU_SUCCESS ? tkc_gpu_encode(map, &tensor, encoded) : result;
    }
    count = tkc_map_key(__atomic_load_n(&context->key, __ATOMIC_ACQUIRE), map, &tensor, key);
    slot = tkc_map_slot_of(key, count);
    for (i = 0; i < TKC_MAP_WAYS; i++) {
        if (tkc_map_recall(&slot[i], key, count, encoded->opaque)) {
            return GPU_SUCCESS;
        }
    }
    result = tkc_gpu_encode(map, &tensor, encoded);
    if (result == GPU_SUCCESS) {
        tkc_map_remember(slot, key, count, encoded->opaque);
    }
    return result;
}

// Launches with hidden parameters. `values`: the source's parameters as integers. `arguments`: their
// addresses, `visible` of them, and room for the hidden ones behind.
static inline gpu_result tkc_gpu_launch_hidden(struct tkc_gpu_program *program,
                                               const struct tkc_source *source,
                                               const struct tkc_extra *extras, unsigned kernel,
                                               gpu_stream stream, unsigned grid_x, unsigned grid_y,
                                               unsigned grid_z, const int64_t *values, void **arguments,
                                               unsigned visible) {
    unsigned grid[3], i, map_count = 0, index, hidden_count, slot = kernel;
    __attribute__((aligned(128))) gpu_tensor_map maps[TKC_TENSOR_MAPS];
    struct tkc_gpu_context *context = NULL;
    const struct tkc_entry *entry;
    const struct tkc_hidden *hidden;
    const struct tkc_form *form;
    int64_t id[3];
    gpu_result result = tkc_gpu_load(program, source, kernel, &context);
    tkc_forget_rule();
    if (result != GPU_SUCCESS) {
        return result;
    }
    grid[0] = grid_x;
    grid[1] = grid_y;
    grid[2] = grid_z;
    index = tkc_gpu_index(source, context, kernel);
    entry = &source->entries[index];
    hidden = extras[index].hidden;
    hidden_count = extras[index].hidden_count;
    form = tkc_gpu_form(source, context, kernel);
    if (form &&
        tkc_form_asks(form->programs, form->together, form->entry.persistent, grid,
                      context->chip.multiprocessors, id) &&
        form->steps(values, id) >= (int64_t)form->least_steps) {
        entry = &form->entry;
        hidden = form->hidden;
        hidden_count = form->hidden_count;
        slot = source->kernel_count + kernel;
    }
    for (i = 0; i < hidden_count; i++) {
        if (hidden[i].kind != TKC_HIDDEN_TENSOR_MAP) {
            arguments[visible + i] = &grid[hidden[i].kind];
            continue;
        }
        result = tkc_gpu_map(program, context, &hidden[i].map, values, &maps[map_count]);
        if (result != GPU_SUCCESS) {
            return result;
        }
        arguments[visible + i] = &maps[map_count++];
    }
    if (entry->persistent || entry->cluster > 1) {
        grid_x = tkc_persistent_blocks(grid, context->chip.multiprocessors, entry->persistent, entry->cluster,
                                       entry->fills);
        grid_y = grid_z = 1;
        if (grid_x == 0) {
            return GPU_INVALID_VALUE;
        }
        if (tkc_begins_behind(&extras[index], entry->persistent, grid, context->chip.multiprocessors,
                              values)) {
            tkc_gpu_chain_next(0);
        }
    }
    return gpu_launch(__atomic_load_n(&context->functions[slot], __ATOMIC_ACQUIRE), grid_x, grid_y, grid_z,
                      entry->threads, 1, 1, entry->dynamic_shared, stream, arguments, NULL);
}
#endif
