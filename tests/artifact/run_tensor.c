/* Runs a generated launcher of a kernel with hidden parameters on the recording driver: the encoded maps, the
 * arguments, the number of blocks, and refused launches. */
#include <cuda.h>
#ifdef DYNAMIC
#include "on_dynamic_tensor.h"
#else
#include "on_tensor.h"
#endif

#include <pthread.h>
#include <stdio.h>

#include "fake.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))
#define SUCCESS CUDA_SUCCESS
#define FAILED CUDA_ERROR_UNKNOWN
#include "fail_in_turn.h"

/* The kernel's parameters: scale, a, c, M, K, stride_am, stride_cm, then grid_y, map of a, map of c, grid_x. */
enum { A = 1, C = 2, K = 4, GRID_Y = 7, MAP_A = 8, MAP_C = 9, GRID_X = 10 };
static uint64_t map_a[16], map_c[16];
static int32_t grid_x, grid_y;

static void look_at_hidden(void **arguments) {
    CHECK(*(float *)arguments[0] == 2.5f && *(uint64_t *)arguments[A] != 0);
    CHECK((uintptr_t)arguments[MAP_A] % 64 == 0 && (uintptr_t)arguments[MAP_C] % 64 == 0);
    memcpy(map_a, arguments[MAP_A], sizeof map_a);
    memcpy(map_c, arguments[MAP_C], sizeof map_c);
    memcpy(&grid_x, arguments[GRID_X], sizeof grid_x);
    memcpy(&grid_y, arguments[GRID_Y], sizeof grid_y);
}

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

static CUresult launch(uint64_t a, uint64_t c, int32_t m, int64_t k, int32_t stride_am, int64_t stride_cm) {
    return (CUresult)gemm_launch(NULL, 2.5f, a, c, m, k, stride_am, stride_cm);
}

/* The number of maps encoded by a successful launch; -1 for a failed one. */
static int encodes(uint64_t a, uint64_t c, int32_t m, int64_t k, int32_t stride_am, int64_t stride_cm) {
    int before = fake.encodes;
    return launch(a, c, m, k, stride_am, stride_cm) == CUDA_SUCCESS ? fake.encodes - before : -1;
}

static void check_arguments(void) {
    const struct fake_map *c = &fake.map;
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 512, 4) == 2);
    CHECK(map_a[0] == 0x1000 && map_a[1] == 48 && map_a[15] == 0x1000);
    CHECK(map_c[0] == 0x2040 && map_c[1] == 32);
    CHECK(c->type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 && c->swizzle == CU_TENSOR_MAP_SWIZZLE_32B);
    CHECK(c->rank == 3 && c->address == 0x2040);
    CHECK(c->sizes[0] == 32 && c->sizes[1] == 1000 && c->sizes[2] == 96);
    CHECK(c->strides[0] == 16 && c->strides[1] == 256); /* 4 * (32 + 8 * (48 / 11)) */
    CHECK(c->box[0] == 8 && c->box[1] == 256 && c->box[2] == 1);
    CHECK(grid_x == 8 && grid_y == 48);
    CHECK(fake.threads == 384 && fake.grid[0] == 264 && fake.grid[1] == 1 && fake.grid[2] == 1);
}

static void check_cache(void) {
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 512, 4) == 0);
    CHECK(map_a[0] == 0x1000 && map_a[1] == 48 && map_c[0] == 0x2040 && map_c[1] == 32);
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 1024, 4) == 1); /* another stride of a */
    CHECK(fake.map.strides[0] == 2048 && fake.map.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
    CHECK(encodes(0x1000, 0x3000, 1000, 48, 1024, 4) == 1 && map_c[0] == 0x3040);
    CHECK(encodes(0x1000, 0x2000, 1001, 48, 512, 4) == 2); /* both have M rows */
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 512, 4) == 0);
    fake.context_id++; /* maps are a context's */
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 512, 4) == 2);
    fake.context_id--;
    CHECK(encodes(0x1000, 0x2000, 1000, 48, 512, 4) == 0);
    fake.fail_encode = 1;
    CHECK(encodes(0x9000, 0x2000, 1000, 48, 512, 4) == -1);
    fake.fail_encode = 0;
    CHECK(encodes(0x9000, 0x2000, 1000, 48, 512, 4) == 1 && map_a[0] == 0x9000);
}

static void check_refusals(void) {
    int before = fake.launches, encoded = fake.encodes;
    CHECK(launch(0x1008, 0x2000, 1000, 48, 512, 4) == CUDA_ERROR_INVALID_VALUE); /* address */
    CHECK(launch(0x1000, 0x2000, 1000, 48, 516, 4) == CUDA_ERROR_INVALID_VALUE); /* stride of 1032 bytes */
    CHECK(launch(0x1000, 0x2000, 1000, 48, -512, 4) == CUDA_ERROR_INVALID_VALUE);
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1000, 0x2000, 8, INT64_C(0x80000001), 512, 4) ==
          CUDA_ERROR_INVALID_VALUE); /* more than 2^31 */
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1000, 0x2000, 8, INT64_MAX, 512, 4) ==
          CUDA_ERROR_INVALID_VALUE); /* twice K overflows */
    encoded = fake.encodes - encoded;
    CHECK(encoded == 0 && fake.launches == before);
    CHECK(launch(0x1000, 0x2000, 1000, 48, 512, INT64_C(1) << 38) == CUDA_ERROR_INVALID_VALUE);
    CHECK(launch(0x1000, 0x2000, 1000, 48, 512, INT64_MAX) == CUDA_ERROR_INVALID_VALUE);
    CHECK(fake.launches == before);
    CHECK(launch(0x1000, 0x2000, 1000, 48, 512, (INT64_C(1) << 38) - 4) == CUDA_SUCCESS);
    CHECK(launch(0x1000, 0x2000, 1000, 48, 0, 4) == CUDA_SUCCESS); /* the same row again and again */
    CHECK(launch(0x1000, 0x2000, 1, 48, 3, -7) == CUDA_SUCCESS); /* strides of one row: they do not matter */
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1000, 0x2000, 8, INT64_C(0x40000000), 512, 4) ==
          CUDA_SUCCESS); /* a size of exactly 2^31 */
}

/* If a size is not positive, the maps describe the launcher's own memory: zeros for loads, scratch bytes for
 * stores. */
static void check_empty(void) {
    int before = fake.launches;
    CHECK(launch(0x1000, 0x2000, 0, 48, 512, 4) == CUDA_SUCCESS && fake.launches == before); /* empty grid */
    CHECK(fake.allocations == 0);
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1008, 0x2000, 0, 0, 3, 3) == CUDA_SUCCESS);
    CHECK(fake.launches == before + 1 && fake.allocations == 1);
    CHECK(map_a[0] == 0x7010 && map_a[1] == 1 && map_c[0] == 0x7000 && map_c[1] == 1);
    CHECK(fake.map.sizes[2] == 1 && fake.map.strides[0] == 16 && fake.map.strides[1] == 16);
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1000, 0x2000, -1, 48, 512, 4) == CUDA_SUCCESS);
    CHECK(fake.launches == before + 2 && map_a[0] == 0x7010 && fake.map.sizes[2] == 1);
    CHECK(gemm_unload() == CUDA_SUCCESS && fake.allocations == 0);
}

/* Inside a stream capture the driver allocates nothing, waits for nothing and loads nothing; after k_load no launch asks it to. */
static void check_capture(void) {
    CHECK(gemm_load() == CUDA_SUCCESS && fill_load() == CUDA_SUCCESS && fake.allocations == 1);
    fake.capturing = 1;
    CHECK(launch(0x1000, 0x2000, 1000, 48, 512, 4) == CUDA_SUCCESS);
    CHECK(gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1008, 0x2000, 0, 0, 3, 3) == CUDA_SUCCESS);
    CHECK(map_a[0] == 0x7010 && map_c[0] == 0x7000);
    fake.seen = look_at_nothing;
    CHECK(fill_launch_grid(NULL, 7, 3, 1) == CUDA_SUCCESS);
    fake.seen = look_at_hidden;
    fake.capturing = 0;
    CHECK(gemm_unload() == CUDA_SUCCESS && fill_unload() == CUDA_SUCCESS && fake.allocations == 0);
}

static void check_blocks(void) {
    CHECK(launch(0x1000, 0x2000, 128 * 20, 3, 512, 4) == CUDA_SUCCESS && fake.grid[0] == 60);
    CHECK(grid_x == 20 && grid_y == 3);
    CHECK(gemm_launch_grid(NULL, 46341, 46341, 1, 2.5f, 0x1000, 0x2000, 8, 48, 512, 4) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gemm_launch_grid(NULL, 1u << 31, 1u << 31, 4, 2.5f, 0x1000, 0x2000, 8, 48, 512, 4) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(gemm_launch_grid(NULL, 1u << 15, 1u << 15, 4, 2.5f, 0x1000, 0x2000, 8, 48, 512, 4) ==
          CUDA_ERROR_INVALID_VALUE);
    fake.seen = look_at_nothing; /* fill has no arguments */
    CHECK(fill_launch_grid(NULL, 70000, 3, 1) == CUDA_SUCCESS && fake.grid[0] == 70000 && fake.grid[1] == 3);
}

/* Launches of 8 programs a multiprocessor and more, in rounds of 264 that are full to 7/8, with 20 steps in the program in the middle of the
 * grid, take the second form, with its own hidden parameters. */
static void look_at_second(void **arguments) {
    memcpy(&grid_x, arguments[GRID_Y], sizeof grid_x); /* the first one */
    CHECK(*(float *)arguments[0] == 2.5f && (uintptr_t)arguments[MAP_A] % 64 == 0);
    memcpy(map_a, arguments[MAP_A], sizeof map_a);
}

static CUresult launch_programs(const unsigned grid[3], int32_t m) {
    return (CUresult)gemm_launch_grid(NULL, grid[0], grid[1], grid[2], 2.5f, 0x1000, 0x2000, m, 48, 512, 4);
}

static void check_forms(void) {
    static const struct {
        unsigned grid[3];
        int32_t m;
        int second;
    } launches[] = {{{1154, 1, 1}, 8, 0},    {{1155, 1, 1}, 8, 1},   {{1055, 1, 1}, 8, 0},
                    {{1056, 1, 1}, 8, 1},    {{1057, 1, 1}, 8, 0},   {{1, 1, 1056}, 2000, 1},
                    {{1, 1, 1056}, 1999, 0}, {{5, 211, 1}, 2000, 0}, {{11, 12, 8}, 1499, 0},
                    {{11, 12, 8}, 1500, 1},  {{7, 15, 10}, 2000, 0}, {{46341, 46340, 1}, 8, 1}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        fake.seen = launches[i].second ? look_at_second : look_at_hidden;
        CHECK(launch_programs(launches[i].grid, launches[i].m) == CUDA_SUCCESS);
        CHECK((unsigned)grid_x == launches[i].grid[0] && map_a[0] == 0x1000);
        CHECK(strcmp(fake.kernel, launches[i].second ? "gemm$paired" : "gemm") == 0);
        CHECK(fake.threads == (launches[i].second ? 640 : 384));
        CHECK(fake.grid[0] == (launches[i].second ? 132 : 264) && fake.grid[1] == 1 && fake.grid[2] == 1);
    }
    CHECK(gemm_unload() == CUDA_SUCCESS && gemm_load() == CUDA_SUCCESS);
    int lookups = fake.lookups;
    CHECK(launch_programs((const unsigned[]){1056, 1, 1}, 8) == CUDA_SUCCESS);
    fake.seen = look_at_hidden;
    CHECK(launch_programs((const unsigned[]){1, 1, 1}, 8) == CUDA_SUCCESS);
    CHECK(fake.lookups == lookups); /* both are loaded together */
    CHECK(gemm_unload() == CUDA_SUCCESS && fill_unload() == CUDA_SUCCESS && fake.allocations == 0);
}

/* Another chip's code of the same kernel takes its own arguments only. */
static void check_other_chip(void) {
    int before = fake.encodes;
    fake.context_id = 50;
    fake.major = 8;
    fake.seen = look_at_nothing;
    CHECK(launch(0x1008, 0x2000, 1000, 48, 3, 3) == CUDA_SUCCESS && fake.encodes == before);
    CHECK(fake.threads == 256 && fake.grid[0] == 8 && fake.grid[1] == 48);
    fake.context_id = 7;
    fake.major = 9;
}

/* Launches with new maps, and a grid that is not empty. */
static int launch_new(void) {
    static uint64_t at = 0x100000;
    at += 32;
    return (int)launch(at, at + 16, 1000, 48, 512, 4);
}

static int launch_empty(void) {
    return (int)gemm_launch_grid(NULL, 1, 1, 1, 2.5f, 0x1008, 0x2000, 0, 0, 3, 3);
}

static int load_both(void) {
    CUresult result = gemm_load();
    return (int)(result == CUDA_SUCCESS ? fill_load() : result);
}

static int unload_both(void) {
    CUresult result = gemm_unload(), other = fill_unload();
    return (int)(result == CUDA_SUCCESS ? other : result);
}

static void check_failures(void) {
    fake.seen = look_at_nothing;
    CHECK(fail_in_turn(1000, launch_new, launch_new, unload_both, "", 0) > 10);
    CHECK(fail_in_turn(2000, launch_empty, launch_empty, unload_both, "", 0) > 10);
    CHECK(fail_in_turn(3000, load_both, launch_new, unload_both, "", 0) > 10);
    CHECK(fail_in_turn(4000, unload_both, launch_empty, unload_both, "", 1) > 2);
}

/* From several threads, with more arguments than the cache has room for, each launch gets maps of its own. */
#ifdef THREADS_ONLY
enum { LAUNCHES = 1000 };
#else
enum { LAUNCHES = 10000 };
#endif
static void *launch_many(void *seed) {
    uint64_t next = (uint64_t)(uintptr_t)seed;
    for (int i = 0; i < LAUNCHES; i++) {
        fake_own_context =
            i % 64 == 0 ? 500 + (uintptr_t)seed : 0; /* now and then in a context of its own, and out of it */
        next = next * 6364136223846793005u + 1442695040888963407u;
        if (launch(0x10000 + (next >> 40) % 600 * 16, 0x2000, 1000, 16 + (int64_t)(next >> 33) % 3, 512, 4) !=
            CUDA_SUCCESS) {
            return seed;
        }
        if (fake_own_context && gemm_unload() != CUDA_SUCCESS) {
            return seed;
        }
    }
    return NULL;
}

static int torn;
static void look_for_torn(void **arguments) {
    uint64_t map[16], a, differs = 0;
    int64_t k;
    memcpy(map, arguments[MAP_A], sizeof map);
    memcpy(&a, arguments[A], sizeof a);
    memcpy(&k, arguments[K], sizeof k);
    for (int i = 0; i < 16; i++) {
        differs |= map[i] ^ (i == 1 ? (uint64_t)k : a);
    }
    if (differs) {
        __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    }
}

static void check_threads(void) {
    pthread_t threads[16];
    int before = fake.encodes;
    fake.seen = look_for_torn;
    fake.threads_launch = 1;
    for (size_t i = 0; i < 16; i++) {
        pthread_create(&threads[i], NULL, launch_many, (void *)(uintptr_t)(i + 1));
    }
    for (size_t i = 0; i < 16; i++) {
        void *result;
        pthread_join(threads[i], &result);
        CHECK(result == NULL);
    }
    CHECK(torn == 0);
    CHECK(fake.encodes > before + 600 &&
          fake.encodes < before + 2 * 16 * LAUNCHES); /* both paths were taken */
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    fake.seen = look_at_hidden;
#ifndef THREADS_ONLY
    check_arguments();
    check_cache();
    check_refusals();
    check_empty();
    check_capture();
    check_blocks();
    check_forms();
    check_other_chip();
    check_failures();
#endif
    check_threads();
    if (!faults) {
        puts("tensor maps are encoded once");
    }
    return faults != 0;
}
