// The settings from the command line, shared by tkc-run and the mutation test.
#ifndef TKC_RUN_SETTINGS_H
#define TKC_RUN_SETTINGS_H

#include "run.h"
#include "watch.h"

// --arg or --expect as written.
struct argument_text {
    const char *text;
    bool expected;
};

struct settings {
    struct program_request request;
    const char *on, *stats, *level;
    bool machine; // `level` is the machine level
    struct argument_text values[2 * RUN_ARGUMENTS];
    size_t value_count;
    struct run_argument arguments[RUN_ARGUMENTS], expected[RUN_ARGUMENTS];
    unsigned argument_count, expected_count;
    const char *const *outputs, *const *prints;
    size_t output_count, print_count;
    const char *const *watches;
    size_t watch_count;
    struct watching watching;
    bool step;
    unsigned step_program[3];
    struct file_use *files; // request.files
    struct tolerance tolerance;
    struct emulator_options emulator;
    unsigned ranks;           // devices of the emulator
    unsigned launches;        // on each of them; 0: one
    unsigned multiprocessors; // of the emulated chip; 0: EMULATED_MULTIPROCESSORS
    bool time, quiet, help;
    // For each empty array or part of one among the arguments, the bytes written: kept from launch to launch.
    uint8_t *written[RUN_ARGUMENTS], *shown[RUN_ARGUMENTS];
    bool ran;     // a kernel ran: there are results
    bool overlap; // arguments may overlap, though the compiler assumed the contrary
    bool clash;   // a file would have been written over an import: wrong usage, seen late
};

// settings.c: ends the process on wrong usage.
void settings_parse(struct settings *settings, int argc, char **argv);
// files.c: after all options are read.
void settings_list_files(struct settings *settings);
void settings_free(struct settings *settings);

// bind.c
struct run_argument *argument_find(struct run_argument *arguments, unsigned count, const char *name,
                                   size_t length);
// Prints an error; false.
bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool bind_parameter(struct settings *settings, const struct kernel_program *program, unsigned index,
                    struct run_argument **bound);
// Finds the argument of each parameter. False after messages.
bool bind_arguments(struct settings *settings, const struct kernel_program *program,
                    struct run_argument **bound);
// Evaluates --grid, or the source's grid, over all integer arguments and constants.
bool bind_grid(const struct settings *settings, const struct kernel_program *program,
               struct run_argument *const *bound, unsigned *grid);

// launch.c: runs one kernel with bound arguments. False after messages, and after faults.
bool run_program(struct settings *settings, struct kernel_program *program, const char *where,
                 struct run_argument **bound);
bool place_is_device(const char *where); // "cuda" or "hip", not a chip of the emulator
// Stops the emulator, and further launches; for signal handlers.
void launch_interrupt(void);
bool launch_is_interrupted(void);

// chain.c: the launches of a chain, one after another.
bool run_chain(struct settings *settings, const char *where);
// Frees the arguments added by run_chain behind the command line's.
void end_chain(struct settings *settings, unsigned argument_count);

// Reports overlapping arguments, if the compiler assumed them apart. False after messages.
bool check_apart(const struct settings *settings, const struct kernel_program *program,
                 struct run_argument *const *bound);

// results.c: --expect, --print, --out
bool results_check(struct settings *settings, uint8_t *const *written);

#endif
