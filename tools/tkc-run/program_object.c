// Reads a linked code object: its kernels are known only from its metadata.
#include "program_compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"

bool program_read_object(struct kernel_program *program, const struct program_request *request) {
    const char *kernel = request->options.kernel_count ? request->options.kernels[0] : NULL;
    struct emulator_object_kernel described;
    char *error = NULL;
    program->image = file_read(request->options.input, &program->image_length);
    if (!program->image) {
        fprintf(stderr, "tkc-run: error: cannot read %s: %s\n", request->options.input, file_read_error());
        return false;
    }
    if (!emulator_describe_object(program->image, program->image_length, kernel, &described, &error)) {
        fprintf(stderr, "tkc-run: error: %s: %s\n", request->options.input, error);
        free(error);
        return false;
    }
    program->name = strdup(described.name);
    program->threads = described.threads;
    program->shared_bytes = request->shared_bytes;
    program->given_object = true;
    program->parameter_count = described.parameter_count;
    for (unsigned i = 0; i < described.parameter_count; i++) {
        if (*described.parameter[i]) {
            snprintf(program->unnamed[i], sizeof program->unnamed[i], "%s", described.parameter[i]);
        } else {
            snprintf(program->unnamed[i], sizeof program->unnamed[i], "arg%u", i);
        }
        program->parameters[i] =
            (struct kernel_parameter){.name = program->unnamed[i], .pointer = described.pointer[i]};
    }
    return true;
}
