// --report: the numbers of a run for its page.
#include "report.h"

#include "program_compile.h"

// Each array once, though several arguments may be parts of it.
static double bytes_of_arrays(const struct settings *settings) {
    double bytes = 0;
    for (unsigned i = 0; i < settings->argument_count; i++) {
        const struct run_argument *argument = &settings->arguments[i];
        bytes += argument->is_array && argument->used && !argument->base
                     ? (double)array_bytes(&argument->array)
                     : 0;
    }
    return bytes;
}

bool report_run(const struct settings *settings, const struct kernel_program *program,
                struct run_argument *const *bound, const unsigned *grid, const struct report_place *place) {
    struct report_value values[RUN_ARGUMENTS];
    struct report_run run = {.where = place->name,
                             .grid = {grid[0], grid[1], grid[2]},
                             .values = values,
                             .array_bytes = bytes_of_arrays(settings),
                             .seconds = place->seconds};
    for (unsigned i = 0; i < program->parameter_count; i++) {
        if (!program->parameters[i].pointer && bound[i]->is_integer) {
            values[run.value_count++] = (struct report_value){program->parameters[i].name, bound[i]->integer};
        }
    }
    return program_page(program, &run);
}
