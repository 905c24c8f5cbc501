// Between the files for facts of a kernel's tile IR.
#ifndef TKC_REPORT_GATHER_H
#define TKC_REPORT_GATHER_H

#include "dialects/tk/tk.h"
#include "report/texts.h"

// A kernel's function after the last pass.
struct gathering {
    struct arena *arena;
    struct ir *ir;
    const struct target *target;
    const struct source *source;
    const struct report_text *text; // of the tile IR, whose aliases number the layouts
    MlirOperation *ops;             // of the function, in program order
    size_t count;
    struct report_kernel *kernel; // receives the facts
};

// "f16", "pointer": of an element; in the arena.
const char *gather_shape(struct arena *arena, MlirType type); // "64×32"
const char *gather_element(struct arena *arena, MlirType element);
void gather_tiles(struct gathering *g);
void gather_loops(struct gathering *g);
enum report_doing doing_of_kind(enum op_kind kind); // of products: with a matrix instruction
void gather_live(struct gathering *g);

#endif
