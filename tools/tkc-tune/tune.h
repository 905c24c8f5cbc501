// tkc-tune: times configurations of a kernel on the devices of this machine. Declarations shared by its
// files.
#ifndef TKC_TUNE_TUNE_H
#define TKC_TUNE_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/launcher/common.h"

#include "artifact/launcher/grid.h"
#include "artifact/launcher/tensor.h"
#include "artifact/launcher/variant.h"
#include "support/arena.h"
#include "support/json.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

enum { TUNE_PARAMETERS = 64, TUNE_DEVICES = 64 };

struct settings {
    struct tkc_options options; // the source, the kernel, and other choices for the compilation
    const char *shapes, *output, *svg, *shard, *target;
    const char *const *devices; // ordinals
    size_t device_count;
    unsigned limit; // most candidates
    double budget;  // a candidate's highest cost by the rule, as a factor of the least
    bool listed_only, dry_run, fresh, quiet;
    bool jit; // images are PTX, even with ptxas installed
    int action;
};
enum { ACTION_SWEEP, ACTION_HELP, ACTION_VERSION };

// --- kernel.c: a kernel's parameters, from its JSON

struct parameter {
    const char *name, *type; // a pointer's: of its elements
    bool pointer, is_one;
    int treatment;                      // of an array: TKC_ARRAY_...
    const struct json *shape, *strides; // NULL: not in the source
};

struct kernel {
    const char *name;
    struct parameter parameters[TUNE_PARAMETERS];
    unsigned parameter_count;
    const char *keys[TKC_KEYS];
    unsigned key_parameters[TKC_KEYS];
    unsigned key_count;
};

// One way to compile the kernel.
struct candidate {
    const char *config;  // "BLOCK_64_warps_4_stages_3"
    int listed;          // index in the source's list; -1: generated
    const char **names;  // of constants, with their values
    const char **values; // NULL in place of both: those of the listed configuration
    int warps, stages;
    unsigned distance; // steps from the nearest listed one
    // compiled
    char *image; // NULL: not compiled
    size_t image_length;
    const char *why;   // first line of the message
    const char *entry; // name in the image
    const char *grid[3];
    struct tkc_fit fit;
    unsigned dynamic_shared;
    bool fills; // no fewer blocks for few programs
    struct tkc_hidden *hidden;
    unsigned hidden_count;
    struct tkc_form form;   // the second form, without a function for its steps; name NULL: none
    const char *form_steps; // of a program
    struct tkc_variant work;
    const char *when[TKC_WORKS];  // conditions of the work's terms; NULL: none
    const char *steps[TKC_WORKS]; // and their steps in a program; NULL: as the term says
};

struct shape {
    int64_t numbers[TUNE_PARAMETERS]; // of integers
    double reals[TUNE_PARAMETERS];    // of floats
    size_t elements[TUNE_PARAMETERS]; // of arrays
};

// False after a message.
bool kernel_read(struct arena *arena, const struct json *described, struct kernel *kernel);
bool candidate_read(struct arena *arena, const struct kernel *kernel, const struct json *described,
                    struct candidate *candidate);
int kernel_parameter(const struct kernel *kernel, const char *name); // below 0: not found
unsigned type_bytes(const char *type);                               // 0: unknown
bool type_is_real(const char *type);
bool type_holds(const char *type, int64_t number); // true for reals
// The bytes of a scalar, in the form of a launch argument.
uint64_t scalar_bits(const char *type, int64_t number, double real);
bool grid_of(const struct candidate *candidate, const struct kernel *kernel, const int64_t *numbers,
             int64_t grid[3]);
// The steps of the term in the program with these ids; -1: as the term says.
int64_t term_steps(const struct candidate *candidate, const struct kernel *kernel, unsigned term,
                   const int64_t *numbers, const int64_t id[3]);
// True if a launch with these numbers takes the second form.
bool takes_form(const struct candidate *candidate, const struct kernel *kernel, const unsigned grid[3],
                unsigned multiprocessors, const int64_t *numbers);
// True if a launch with these numbers does the term of the candidate's work.
bool term_counts(const struct candidate *candidate, const struct kernel *kernel, unsigned term,
                 const int64_t *numbers);

// --- shapes.c
// False after a message.
bool shapes_read(struct arena *arena, const char *path, const struct kernel *kernel, struct shape **shapes,
                 size_t *count);
void shape_print(const struct kernel *kernel, const struct shape *shape, struct strbuf *out); // "M=512 N=512"

// --- candidates.c
// True if ptxas is installed and knows this chip.
bool candidates_assembler(const struct settings *settings);
// Finds the configurations of the source, then generated ones, nearest first. False after a message.
bool candidates_find(struct arena *arena, const struct settings *settings, struct kernel *kernel,
                     struct candidate **candidates, size_t *count);
void candidates_compile(struct arena *arena, const struct settings *settings, const struct kernel *kernel,
                        struct candidate *candidates, size_t count);

// --- device.c: in a process of its own
struct device_about {
    char name[128], chip[32];
    struct tkc_chip facts; // zeros if unknown
};
struct device;
// Lists the devices. NULL, or the reason why none can be used.
const char *devices_probe(struct device_about *about, unsigned *count);
struct device *device_open(int ordinal, const struct device_about *about, const struct kernel *kernel,
                           const char **why);
// Times candidates against each other (artifact/launcher/tune.h): microseconds, or 0 for a candidate that
// cannot be launched or disagrees with the first. NULL, or the driver's message: then the device must not be
// used any more.
const char *device_time(struct device *device, const struct shape *shape, struct candidate *const *candidates,
                        unsigned count, double *times, struct strbuf *notes);

// --- choices.c: files of choices and logs of sweeps, a line each
struct choice {
    const char *kernel, *device, *key, *config; // the key as written: {"M": 512}
    double microseconds;
    int round; // 1: against some candidates, 2: against the best; 0: from a file of choices
};
struct choices {
    struct choice *rows;
    size_t count, room;
};
bool choices_read(struct arena *arena, const char *path, struct choices *choices); // false after a message
void choices_add(struct arena *arena, struct choices *choices, const struct choice *choice);
// The best of each kernel, device and key, in the order of k_save_tuned.
struct choices choices_best(struct arena *arena, const struct choices *all);
void choices_line(const struct choice *choice, struct strbuf *out);
bool choices_write(const char *path, const struct choices *choices);
const char *key_text(struct arena *arena, const struct kernel *kernel, const struct shape *shape);

// --- landscape.c
bool landscape_write(const char *path, const struct choices *all);

// --- sweep.c
struct sweep {
    const struct settings *settings;
    struct arena *arena;
    const struct kernel *kernel;
    struct candidate *candidates;
    size_t candidate_count;
    struct shape *shapes;
    size_t shape_count;
    const struct device_about *about; // of the devices used, all alike
    const int *ordinals;
    unsigned device_count;
    struct choices log; // the times so far
    const char *log_path;
};
bool sweep_run(struct sweep *sweep);
// True if the shape is timed with the candidate: any listed one, or one with a cost near the least.
bool sweep_admits(const struct sweep *sweep, const struct shape *shape, size_t candidate);

bool complain(const char *format, ...) __attribute__((format(printf, 1, 2))); // false

#endif
