// Hidden parameters for the emulator: maps from a kernel's arguments, empty tensors, grids of persistent kernels.
#include "emulator_harness.h"

#include "../../tools/tkc-run/emulate.h"

// Parameters: x, rows, columns. A map of rows by columns halves in boxes of 64 by 8.
static const struct tkc_hidden matrix = {TKC_HIDDEN_TENSOR_MAP,
                                         {.pointer = 0,
                                          .element = 6,
                                          .element_bytes = 2,
                                          .rank = 2,
                                          .sizes = {{0, 1, 2, -1, 1}, {0, 1, 1, -1, 1}},
                                          .strides = {{0, 1, 2, -1, 1}},
                                          .box = {64, 8},
                                          .swizzle = 128}};

static const struct emulated_blocks launched = {.multiprocessors = 0}; // a block a program

struct hidden_case {
    struct emulator_buffer buffer;
    struct emulator_argument arguments[3 + EMULATED_HIDDEN];
    struct emulator_launch launch;
    struct emulated_hidden hidden;
};

static const char *fill(struct hidden_case *c, const struct tkc_hidden *hidden, size_t count,
                        struct emulated_blocks blocks, const int64_t numbers[3]) {
    memset(c, 0, sizeof *c);
    c->arguments[0] = (struct emulator_argument){.name = "x", .buffer = &c->buffer};
    c->arguments[1] = (struct emulator_argument){.name = "rows", .bits = (uint64_t)numbers[1]};
    c->arguments[2] = (struct emulator_argument){.name = "columns", .bits = (uint64_t)numbers[2]};
    c->launch = (struct emulator_launch){.arguments = c->arguments, .argument_count = 3, .grid = {5, 3, 2}};
    return emulate_hidden(hidden, count, blocks, numbers, c->arguments, &c->launch, &c->hidden);
}

static void test_map(void **state) {
    struct hidden_case c;
    assert_null(fill(&c, &matrix, 1, launched, (int64_t[]){32, 100, 64}));
    assert_int_equal(c.launch.argument_count, 4);
    const struct emulator_tensor_map *map = c.arguments[3].map;
    assert_ptr_equal(map->buffer, &c.buffer);
    assert_int_equal(map->offset, 32);
    assert_int_equal(map->rank, 2);
    assert_int_equal(map->element_bytes, 2);
    assert_int_equal(map->sizes[0], 64);
    assert_int_equal(map->sizes[1], 100);
    assert_int_equal(map->strides[0], 128);
    assert_int_equal(map->box[1], 8);
    assert_int_equal(map->swizzle, 128);
    assert_int_equal(c.launch.grid[0], 5);
    assert_false(c.launch.persistent);
    assert_non_null(fill(&c, &matrix, 1, launched, (int64_t[]){0, 100, 60})); // rows of 120 bytes
    assert_non_null(fill(&c, &matrix, 1, launched, (int64_t[]){8, 100, 64}));
}

static void test_empty(void **state) {
    struct hidden_case c;
    struct tkc_hidden two[] = {matrix, matrix};
    two[0].map.is_written = 1;                   // two kinds of memory: bytes for stores, zeros for loads
    for (int64_t size = -1; size <= 0; size++) { // no index is below it
        assert_null(fill(&c, two, 2, launched, (int64_t[]){0, size, 64}));
        for (unsigned i = 0; i < 2; i++) {
            const struct emulator_tensor_map *map = c.arguments[3 + i].map;
            assert_ptr_equal(map->buffer, &c.hidden.zeros);
            assert_int_equal(map->offset, i == 0 ? TKC_EMPTY_WRITTEN : TKC_EMPTY_READ);
            assert_int_equal(map->sizes[1], 1);
        }
    }
}

static void test_grid(void **state) {
    struct hidden_case c;
    const struct tkc_hidden grid[] = {{TKC_HIDDEN_GRID_X, TKC_NO_TENSOR_MAP},
                                      {TKC_HIDDEN_GRID_Y, TKC_NO_TENSOR_MAP},
                                      {TKC_HIDDEN_GRID_Z, TKC_NO_TENSOR_MAP}};
    assert_null(fill(&c, grid, 3, (struct emulated_blocks){.dealing.persistent = 1}, (int64_t[]){0, 1, 1}));
    assert_int_equal(c.arguments[3].bits, 5);
    assert_int_equal(c.arguments[4].bits, 3);
    assert_int_equal(c.arguments[5].bits, 2);
    assert_int_equal(c.launch.grid[0], EMULATED_MULTIPROCESSORS);
    assert_true(c.launch.persistent);
    assert_int_equal(c.launch.grid[1] * c.launch.grid[2], 1);
    assert_null(fill(&c, grid, 3, (struct emulated_blocks){.dealing.persistent = 100}, (int64_t[]){0, 1, 1}));
    assert_int_equal(c.launch.grid[0], 30); // no more blocks than programs
    assert_null(fill(&c, grid, 3, (struct emulated_blocks){.dealing.persistent = 2, .multiprocessors = 7},
                     (int64_t[]){0, 1, 1}));
    assert_int_equal(c.launch.grid[0], 14);
    assert_null(fill(&c, grid, 3, (struct emulated_blocks){{.persistent = 1, .cluster = 2}, 7},
                     (int64_t[]){0, 1, 1}));
    assert_int_equal(c.launch.grid[0], 6); // whole clusters
    assert_null(fill(&c, grid, 3,
                     (struct emulated_blocks){{.persistent = 1, .fills = true}, .multiprocessors = 132},
                     (int64_t[]){0, 1, 1}));
    assert_int_equal(c.launch.grid[0], 132); // blocks share the programs' work
}

RUN(TEST(test_map), TEST(test_empty), TEST(test_grid))
