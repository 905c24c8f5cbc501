// A kernel source through the compiler: the module for the emulator, the image for a device.
#ifndef TKC_RUN_PROGRAM_COMPILE_H
#define TKC_RUN_PROGRAM_COMPILE_H

#include "report/report.h"
#include "run.h"

bool program_compile(struct kernel_program *program, const struct program_request *request);
// program.c: name and parameters from the module.
bool program_describe(struct kernel_program *program, const struct program_request *request);
// program_object.c: name, parameters and image from a code object.
bool program_read_object(struct kernel_program *program, const struct program_request *request);
// Writes the page of the options. False after a message.
bool program_page(const struct kernel_program *program, const struct report_run *run);
void program_compile_free(struct kernel_program *program);

#endif
