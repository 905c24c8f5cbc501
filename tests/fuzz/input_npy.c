// An .npy file, as --arg reads it.
#define _GNU_SOURCE // memfd_create
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_input.h"
#include "run.h"
#include "support/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    char path[64];
    int fd = memfd_create("input", 0);
    if (fd < 0 || write(fd, bytes, length) != (ssize_t)length) {
        bug("cannot write an input of %zu bytes", length);
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (int raw = 0; raw < 2; raw++) {
        struct array array = {0};
        char *error = npy_read(path, raw ? element_type_find("bf16", 4) : NULL, &array);
        if (!error) {
            double sum = 0;
            for (size_t i = 0; i < array.count; i++) {
                sum += array_get(&array, i);
            }
            (void)sum;
            array_free(&array);
        }
        free(error);
    }
    close(fd);
    return 0;
}
