// A kernel of the tests on an NVIDIA GPU, through CUDA's driver.
#ifndef TKC_TESTS_LANG_DEVICE_H
#define TKC_TESTS_LANG_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "../lang.h"

// False: no driver or no GPU. Persistent kernels get the blocks of so many multiprocessors; 0: of the card's.
bool device_open(unsigned multiprocessors);
char *device_read_file(const char *path); // the text, for free(); NULL: not there
// Runs the PTX of `text` on the run's arguments and judges the outputs. False with a message; ends the process with 1
// after an error of the driver that nothing can run behind.
bool device_launch(const char *text, struct lang_run *run, char *message, size_t size);

#endif
