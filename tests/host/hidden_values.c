/* tools/tkc-run/hidden.c with a recording encoder: the numbers named in cuda.h, the substitute for an empty
 * tensor, and the error for a tensor out of TMA's reach. */
#include <cuda.h>
#include <stdio.h>

#include "hidden.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

static struct {
    void *map;
    uint64_t address, size, stride;
    int status;
} seen;

static int encode(void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                  const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                  int swizzle, int promotion, int fill) {
    CHECK(type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && rank == 2 && (uintptr_t)map % 64 == 0);
    CHECK(interleave == CU_TENSOR_MAP_INTERLEAVE_NONE && swizzle == CU_TENSOR_MAP_SWIZZLE_64B);
    CHECK(promotion == CU_TENSOR_MAP_L2_PROMOTION_L2_256B && fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CHECK(box[0] == 32 && box[1] == 128 && steps[0] == 1 && steps[1] == 1);
    seen.map = map;
    seen.address = (uint64_t)(uintptr_t)address;
    seen.size = sizes[1];
    seen.stride = strides[0];
    return seen.status;
}

#define MAP(number, written)                                                                                 \
    {                                                                                                        \
        .pointer = number, .element = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, .element_bytes = 2, .rank = 2,        \
        .sizes = {{0, 32, -1, -1, 1}, {0, 1, 2, -1, 1}}, .strides = {{0, 1, 3, -1, 1}}, .box = {32, 128},    \
        .swizzle = 64, .is_written = written                                                                 \
    }

int main(void) {
    static const struct tkc_hidden hidden[] = {{TKC_HIDDEN_TENSOR_MAP, MAP(0, 1)},
                                               {TKC_HIDDEN_GRID_Z, TKC_NO_TENSOR_MAP},
                                               {TKC_HIDDEN_TENSOR_MAP, MAP(1, 0)}};
    int64_t numbers[] = {0x1000, 0x2000, 100, 40};
    struct hidden_launch launch = {.hidden = hidden,
                                   .hidden_count = 3,
                                   .dealing.persistent = 1,
                                   .grid = {20, 3, 2},
                                   .multiprocessors = 78,
                                   .numbers = numbers,
                                   .zeros = 0x8000,
                                   .encode = encode};
    void *values[3];
    size_t which;
    CHECK(!hidden_fill(&launch, values, &which));
    CHECK(seen.address == 0x2000 && seen.size == 100 && seen.stride == 80 && seen.map == values[2]);
    CHECK(values[0] != values[2] && *(unsigned *)values[1] == 2);
    CHECK(launch.blocks[0] == 78 && launch.blocks[1] == 1 && launch.blocks[2] == 1);

    numbers[2] = 0;
    numbers[3] = 41;
    CHECK(!hidden_fill(&launch, values, &which) && seen.address == 0x8000 && /* not the stores' memory */
          seen.size == 1 && seen.stride == 16);
    numbers[2] = 100;
    const char *wrong = hidden_fill(&launch, values, &which);
    CHECK(wrong && strstr(wrong, "multiples of 16") && which == 0);
    numbers[3] = 40;
    numbers[1] = 0x2008;
    CHECK(hidden_fill(&launch, values, &which) && which == 2);
    numbers[1] = 0x2000;
    seen.status = CUDA_ERROR_INVALID_VALUE;
    CHECK(hidden_fill(&launch, values, &which) && which == 0);
    seen.status = 0;
    launch.grid[0] = 1u << 31;
    wrong = hidden_fill(&launch, values, &which);
    CHECK(wrong && strstr(wrong, "2147483647") && which == 3);
    launch.encode = NULL;
    CHECK(hidden_fill(&launch, values, &which) && which == 0);
    return faults != 0;
}
