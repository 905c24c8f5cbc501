// --watch and --step: output of a kernel while it runs in the emulator.
#ifndef TKC_RUN_WATCH_H
#define TKC_RUN_WATCH_H

#include "frontend/value/shows.h"
#include "run.h"

// A tile shown once by all warps of a program.
struct capture {
    const struct shown *shown;
    uint64_t *bits; // by element
};

// Of one program and one request or name.
struct capture_list {
    struct capture *items;
    unsigned count;
    size_t room;
    unsigned *begun; // by warp: how often it has begun to show the tile
};

struct watching {
    struct shows shows; // the requests; the front end adds their ops
    struct show_request *requests;
    const char *const *texts; // LINE:NAME[=FILE.npy]
    size_t count;
    struct capture_list *captured; // by program and request
    uint64_t program_count;
    uint32_t (*programs)[3];   // their coordinates
    struct stepping *stepping; // NULL: no --step
};

// watch.c. False after a message.
bool watch_parse(struct watching *watching, const char *const *texts, size_t count);
bool watch_check(const struct watching *watching,
                 const char *path); // after the compilation: every request was found
void watch_begin(struct watching *watching, uint64_t programs);
void watch_show(void *watching, const struct emulator_shown *shown);
bool watch_finish(struct watching *watching); // prints and saves
void watch_free(struct watching *watching);
size_t watch_elements(const struct shown *shown);
// The element type of a shown value, and its array; data NULL without memory or a type.
struct array watch_array(const struct capture *capture, const size_t *outer, unsigned outer_rank);
void watch_print(FILE *out, const char *label, const struct array *array); // the first 64 elements

// step.c: a line interface on standard input.
struct stepping *step_begin(struct watching *watching, const uint32_t program[3], volatile int *stop);
void step_show(void *watching, const struct emulator_shown *shown); // a watch_show with stops
void step_free(struct stepping *stepping);

#endif
