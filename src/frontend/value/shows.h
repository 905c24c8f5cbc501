// A debugger's requests to a kernel: tiles behind lines, and every step. The front end writes tk.watch and tk.step ops for it, and
// describes each of them here.
#ifndef TKC_FRONTEND_SHOWS_H
#define TKC_FRONTEND_SHOWS_H

#include "frontend/value/dtype.h"
#include "support/arena.h"
#include "support/source.h"

enum { SHOWN_RANK = 8 };

struct show_request {
    const char *file; // the end of a source's path; NULL: the kernel's own file
    unsigned line;    // a name is shown behind the statement from there on
    const char *name;
    bool reached, found; // after the emission: a statement begins there; it has such a value behind it
};

// One op, by its number; or a constant, without a number.
struct shown {
    bool is_step;
    int request;        // its index; -1: of a step
    struct location at; // a step: of the next statement
    const char *name, *function;
    unsigned depth; // calls around a step
    struct dtype dtype;
    unsigned rank;
    size_t shape[SHOWN_RANK];
    const char *constant; // its text; NULL: a value of run time
};

struct shows {
    struct arena *arena;
    const struct source *source; // the kernel's file
    struct show_request *requests;
    size_t request_count;
    bool steps;
    struct shown *items;
    size_t count, room;
};

#endif
