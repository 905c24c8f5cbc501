/* Chains whose sizes choose between one kernel and two, or how the second one is launched, on the recording driver. */
#include <stdio.h>
#include <string.h>

#include "forms.h"

#include "fake.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

enum { WORKSPACE = 0x10000, DEPTH = 64, COLUMNS = 16 };

static char seen[64];

static void see(void **arguments) {
    (void)arguments;
    strcat(strcat(seen, fake.kernel), " ");
}

static CUresult launch(int32_t rows) {
    seen[0] = 0;
    return forms_launch(NULL, 0x1000, 0x2000, 0x3000, rows, DEPTH, COLUMNS, WORKSPACE);
}

/* The dependent launches of a product of so many tiles and columns of its left operand behind another kernel, on 132 multiprocessors. */
static int dependents(int32_t tiles, int32_t depth) {
    int before = fake.dependents;
    seen[0] = 0;
    CHECK(apart_launch(NULL, 0x1000, 0x2000, 0x3000, 0x4000, 128 * tiles, COLUMNS, depth, WORKSPACE) ==
          CUDA_SUCCESS);
    CHECK(strcmp(seen, "gate product ") == 0);
    return fake.dependents - before;
}

/* A step of 64 columns is 1,048,576 multiply-adds: 38 of them are as long as a dependent launch may be. */
static void check_length(void) {
    CHECK(dependents(1, 64) == 1);
    CHECK(dependents(132, 38 * 64) == 1);
    CHECK(dependents(132, 38 * 64 + 16) == 0);
    CHECK(dependents(133, 19 * 64) == 1);
    CHECK(dependents(133, 19 * 64 + 16) == 0);
    CHECK(dependents(38 * 132, 64) == 1);
    CHECK(dependents(38 * 132 + 1, 64) == 0);
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.multiprocessors = 132;
    fake.seen = see;
    CHECK(forms_load() == CUDA_SUCCESS);
    CHECK(launch(16384) == CUDA_SUCCESS);
    CHECK(strcmp(seen, "forms_steps_1_to_2 ") == 0);
    CHECK(launch(128) == CUDA_SUCCESS);
    CHECK(strcmp(seen, "narrow product ") == 0);
    check_length();
    CHECK(forms_workspace_bytes(128, DEPTH, COLUMNS) == 128 * DEPTH * 2);
    fake.context_id = 8; /* a smaller device: 128 programs are 16 of each multiprocessor */
    fake.multiprocessors = 8;
    CHECK(launch(16384) == CUDA_SUCCESS);
    CHECK(strcmp(seen, "narrow product ") == 0);
    fake.context_id = 7;
    fake.fail_launch = 1;
    CHECK(launch(16384) != CUDA_SUCCESS);
    CHECK(strcmp(seen, "") == 0); /* nor the kernels of the other form */
    return faults != 0;
}
