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

static CUresult launch(CUdeviceptr workspace, int32_t columns) {
    seen[0] = 0;
    return layer_launch(NULL, 0x1000, 0x2000, 2048, ROWS, columns, 4096, workspace);
}

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

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    check_workspace();
    check_layer();
    check_rules();
    return faults != 0;
}
