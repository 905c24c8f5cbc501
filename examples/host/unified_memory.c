/* Unified memory in place of copies: host and device use the same addresses, and prefetches move pages before
 * their use. Timed against pages moved at the first access.
 *
 *     tkc steps.tk -o steps.ptx
 *     cc unified_memory.c -I. -I<tkc>/include -I/usr/local/cuda/include -lcuda -o unified_memory
 *     ./unified_memory */
#define TKC_RUNTIME_CUDA_DRIVER
#include "example.h"
#include "steps.h"

enum { N = 1 << 24, TIMES = 40 };

static CUdeviceptr allocate_managed(size_t bytes) {
    CUdeviceptr memory;
    check(cuMemAllocManaged(&memory, bytes, CU_MEM_ATTACH_GLOBAL), "allocating managed memory");
    return memory;
}

static void prefetch(CUdeviceptr memory, size_t bytes, CUdevice device, CUstream stream) {
#if CUDA_VERSION >= 13000
    CUmemLocation place = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
    check(cuMemPrefetchAsync(memory, bytes, place, 0, stream), "prefetching");
#else
    check(cuMemPrefetchAsync(memory, bytes, device, stream), "prefetching");
#endif
}

int main(void) {
    use_device(0);
    size_t bytes = N * sizeof(float);
    double spent[2] = {0, 0};
    int wrong = 0;
    check(iterate_load(), "loading");
    CUstream stream = make_stream();
    for (int with_prefetch = 0; with_prefetch < 2; with_prefetch++) {
        CUdeviceptr shared_x = allocate_managed(bytes), shared_y = allocate_managed(bytes);
        float *x = (float *)(uintptr_t)shared_x, *y = (float *)(uintptr_t)shared_y;
        for (int i = 0; i < N; i++) {
            x[i] = (float)(i % 4099), y[i] = 0;
        }
        struct stopwatch watch = start_stopwatch(stream);
        if (with_prefetch) {
            prefetch(shared_x, bytes, 0, stream);
            prefetch(shared_y, bytes, 0, stream);
        }
        check(iterate_launch(stream, shared_x, shared_y, TIMES, N), "launching");
        spent[with_prefetch] = stop_milliseconds(&watch);
        for (int i = 0; i < N; i++) {
            wrong += y[i] != iterated(x[i], TIMES);
        }
        check(cuMemFree(shared_x), "freeing x");
        check(cuMemFree(shared_y), "freeing y");
    }
    printf("unified_memory: %zu MiB, pages that move when touched %.2f ms, with prefetch %.2f ms: %d of %d "
           "elements wrong\n",
           2 * bytes >> 20, spent[0], spent[1], wrong, 2 * N);
    return wrong != 0;
}
