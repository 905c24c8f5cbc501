/* Runs the launchers of the chains in rows.tk on the recording driver. */
#include <stdio.h>
#include <string.h>

#include "rows.h"

#include "fake.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

enum { WORKSPACE = 0x10000, ROWS = 5, COLUMNS = 1008 };

static char seen[64];

static uint64_t address(void *argument) {
    return *(uint64_t *)argument;
}

static int32_t number(void *argument) {
    return *(int32_t *)argument;
}

#ifndef FUSED

static void see_norm(void **arguments) {
    CHECK(address(arguments[0]) == 0x1000 && address(arguments[1]) == WORKSPACE);
    CHECK(number(arguments[2]) == 2048 && number(arguments[3]) == ROWS && number(arguments[4]) == COLUMNS);
    CHECK(*(float *)arguments[5] == 1e-5f);
}

static void see_softmax(void **arguments) {
    CHECK(address(arguments[0]) == WORKSPACE && address(arguments[1]) == 0x2000);
    CHECK(number(arguments[2]) == COLUMNS && number(arguments[3]) == 4096 && number(arguments[4]) == ROWS &&
          number(arguments[5]) == COLUMNS);
}

static void see(void **arguments) {
    strcat(strcat(seen, fake.kernel), " ");
    if (strcmp(fake.kernel, "norm") == 0) {
        see_norm(arguments);
    } else {
        see_softmax(arguments);
    }
    CHECK(fake.grid[0] == ROWS && fake.grid[1] == 1 && fake.grid[2] == 1);
}

#endif

static CUresult launch(CUdeviceptr workspace, int32_t columns) {
    seen[0] = 0;
    return layer_launch(NULL, 0x1000, 0x2000, 2048, ROWS, columns, 4096, workspace);
}

#ifdef FUSED

static void see_layer(void **arguments) {
    strcat(strcat(seen, fake.kernel), " ");
    CHECK(address(arguments[0]) == 0x1000 && address(arguments[1]) == 0x2000);
    CHECK(number(arguments[2]) == 2048 && number(arguments[3]) == ROWS && number(arguments[4]) == COLUMNS &&
          number(arguments[5]) == 4096);
    CHECK(fake.grid[0] == ROWS && fake.grid[1] == 1 && fake.grid[2] == 1);
}

static void check_fused(void) {
    fake.seen = see_layer;
    CHECK(layer_workspace_bytes(2048, ROWS, COLUMNS, 4096) == 0);
    CHECK(launch(0, COLUMNS) == CUDA_SUCCESS);
    CHECK(strcmp(seen, "layer_steps_1_to_2 ") == 0);
    CHECK(launch(0, COLUMNS + 1) == CUDA_ERROR_INVALID_VALUE); /* a rule of both kernels */
    CHECK(layer_load() == CUDA_SUCCESS);
}

#endif

/* A product of sizes as an argument, for a kernel with variants. */
static void see_flat(void **arguments) {
    if (strncmp(fake.kernel, "tuned", 5) == 0) {
        CHECK(address(arguments[0]) == WORKSPACE && address(arguments[1]) == WORKSPACE + 10240);
        CHECK(number(arguments[2]) == ROWS * COLUMNS);
    }
}

static void check_flat(void) {
    int before = fake.launches, dependents = fake.dependents;
    fake.seen = see_flat;
    CHECK(flat_workspace_bytes(2048, ROWS, COLUMNS, 4096) == 20480);
    CHECK(flat_launch(NULL, 0x1000, 0x2000, 2048, ROWS, COLUMNS, 4096, WORKSPACE) == CUDA_SUCCESS);
    CHECK(fake.launches == before + 3);
    CHECK(fake.dependents == dependents + DEPENDENT); /* all but the first, on sm_90 */
    CHECK(norm_launch(NULL, 0x1000, WORKSPACE, 2048, ROWS, COLUMNS, 1e-5f) == CUDA_SUCCESS);
    CHECK(fake.dependents == dependents + DEPENDENT); /* by itself it is launched plainly */
    before++;
    CHECK(flat_launch(NULL, 0x1000, 0x2000, 2048, 1 << 20, 4096, 4096, WORKSPACE) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(
        strstr(norm_strerror(CUDA_ERROR_INVALID_VALUE), "is a product of sizes that its type does not hold"));
    CHECK(fake.launches == before + 3);
}

#ifndef FUSED

static void check_layer(void) {
    fake.seen = see;
    CHECK(layer_load() == CUDA_SUCCESS);
    CHECK(launch(WORKSPACE, COLUMNS) == CUDA_SUCCESS);
    CHECK(strcmp(seen, "norm softmax ") == 0);
    fake.fail_launch = 1;
    CHECK(launch(WORKSPACE, COLUMNS) != CUDA_SUCCESS);
    CHECK(strcmp(seen, "") == 0); /* the second kernel is not launched */
    fake.fail_launch = 0;
}

static void check_rules(void) {
    CHECK(launch(0, COLUMNS) == CUDA_ERROR_INVALID_VALUE);
    CHECK(strstr(norm_strerror(CUDA_ERROR_INVALID_VALUE), "the workspace of layer"));
    CHECK(launch(WORKSPACE + 128, COLUMNS) == CUDA_ERROR_INVALID_VALUE);
    CHECK(launch(WORKSPACE, -COLUMNS) == CUDA_ERROR_INVALID_VALUE);
    CHECK(strcmp(seen, "") == 0);
    CHECK(launch(WORKSPACE, COLUMNS + 1) == CUDA_ERROR_INVALID_VALUE); /* a rule of norm */
}

static void check_workspace(void) {
    /* rounded up to 256 bytes: 5 * 1008 * 2 = 10,080 */
    CHECK(layer_workspace_bytes(2048, ROWS, COLUMNS, 4096) == 10240);
    CHECK(layer_workspace_bytes(2048, 0, COLUMNS, 4096) == 0);
    CHECK(layer_workspace_bytes(1, INT64_MAX / 2, 3, 1) == SIZE_MAX);
    CHECK(layer_workspace_bytes(1, -1, 3, 1) == SIZE_MAX);
    CHECK(three_workspace_bytes(ROWS, 1) == ROWS * 1024 * 2); /* of its arrays only `a` is no output */
}

#endif

#ifdef TKC_CHECK_APART

static void see_nothing(void **arguments) {
    (void)arguments;
}

static CUresult launch_at(CUdeviceptr x, CUdeviceptr y, int32_t rows, CUdeviceptr workspace) {
    return layer_launch(NULL, x, y, 2048, rows, COLUMNS, 4096, workspace);
}

/* Five rows, of strides 2,048 and 4,096: x has 18,400 bytes, y 34,784, and the workspace 10,240. */
static void check_apart(void) {
    enum { X = 0x100000, FAR = 0x200000 };
    fake.seen = see_nothing;
    CHECK(launch_at(X, X + 18400, ROWS, FAR) == CUDA_SUCCESS);
    CHECK(launch_at(X, X + 18384, ROWS, FAR) == CUDA_ERROR_INVALID_VALUE);
    CHECK(strstr(norm_strerror(CUDA_ERROR_INVALID_VALUE), "y of layer overlaps another array"));
    CHECK(launch_at(X, X - 34784, ROWS, FAR) == CUDA_SUCCESS);
    CHECK(launch_at(X, X - 34768, ROWS, FAR) == CUDA_ERROR_INVALID_VALUE);
    CHECK(launch_at(X, X, 0, FAR) == CUDA_SUCCESS); /* nothing in them */
    CHECK(launch_at(X, FAR, ROWS, X + 18432) == CUDA_SUCCESS);
    CHECK(launch_at(X, FAR, ROWS, X + 18176) == CUDA_ERROR_INVALID_VALUE);
    CHECK(strstr(norm_strerror(CUDA_ERROR_INVALID_VALUE), "the workspace of layer overlaps another array"));
    CHECK(launch_at(FAR, X, ROWS, X - 10240) == CUDA_SUCCESS);
    CHECK(launch_at(FAR, X, ROWS, X - 9984) == CUDA_ERROR_INVALID_VALUE);
    CHECK(three_launch(NULL, X, X, FAR, 2 * FAR, ROWS, 1, 1024, 3 * FAR) ==
          CUDA_SUCCESS); /* x and s are only read */
    CHECK(three_launch(NULL, X, FAR, FAR, 2 * FAR, ROWS, 1, 1024, 3 * FAR) == CUDA_ERROR_INVALID_VALUE);
    CHECK(strstr(scale_strerror(CUDA_ERROR_INVALID_VALUE), "b of three overlaps another array"));
}

#endif

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
#ifdef TKC_CHECK_APART
    check_apart();
    return faults != 0;
#endif
    check_flat();
#ifdef FUSED
    check_fused();
#else
    check_workspace();
    check_layer();
    check_rules();
#endif
    return faults != 0;
}
