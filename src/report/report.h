// The page of --report: one self-contained HTML file about a source, for people. The driver's jobs gather facts while a module is there
// (report_gather), and the page is written of all of them at the end (report_write). The page depends on the facts alone: same
// compilation, same bytes.
#ifndef TKC_REPORT_REPORT_H
#define TKC_REPORT_REPORT_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "chip/target.h"
#include "dialects/tk/layout.h"
#include "ir/context.h"
#include "passes/facts/sums.h"
#include "passes/remark.h"
#include "report/sharing.h"
#include "support/arena.h"
#include "support/source.h"
#include "support/strbuf.h"

// The largest page, in bytes: code, pictures, comparisons and source tables beyond it are left out, with a word about each. Answers and
// figures stay, of so many kernels with their variants and targets.
enum { REPORT_BYTES_MAX = 1500000, REPORT_KERNELS_MAX = 500 };

// A text of the code. Its line i comes from line lines[i] of the source; 0: from no known line.
struct report_text {
    const char *name; // "tile IR", "LLVM", "PTX", "GCN", "SASS"; NULL: the text is not known
    const char *text;
    size_t length;
    const unsigned *lines;
    size_t count;
};
enum { REPORT_TILES, REPORT_LLVM, REPORT_CODE, REPORT_SASS, REPORT_TEXTS };

// A layout of the tile IR.
struct report_tile {
    unsigned number; // of the dump: #L3
    struct layout layout;
    const char *shape, *element; // "64x32", "f16"
    bool is_shared;
    unsigned element_bytes;
    unsigned line, uses; // the first line with such a tile, and the number of results
};

// A piece of shared memory. It lives from one op to another, by their numbers in program order.
struct report_piece {
    enum report_piece_kind { PIECE_BUFFER, PIECE_SCRATCH, PIECE_BARRIERS, PIECE_ADDRESS } kind;
    const char *what; // "64×32 f16" of a slot; of scratch the op's name
    unsigned offset, bytes, stages, line;
    size_t first, last;
};

// The work of a loop's body, by source line.
enum report_doing {
#define DOING(id, name) DOING_##id,
#include "report/doings.def"
#undef DOING
};
// The warps of an action: those of the layouts; those for copies; the one for products into tensor memory.
enum report_role { ROLE_COMPUTES, ROLE_COPIES, ROLE_MULTIPLIES, ROLE_COUNT };
struct report_action {
    enum report_doing doing;
    enum report_role role;
    unsigned line, count;
};
struct report_loop {
    unsigned line, depth; // depth: loops around it
    bool over_programs;   // no loop of the source: a block takes one program after another
    unsigned called;      // the line of the call, of a loop in an inlined function; 0: it is in none
    unsigned copy,
        copies; // the code has several of one loop of the source: this one's number, from 1, and how many
    const char *pipeline;         // "2 stages, through registers"; NULL: it says nothing
    const void *seen[ROLE_COUNT]; // the role's loop, while the facts are gathered
    unsigned slots;               // of the buffers of its copies; 0: no copy
    bool has_producer;
    struct report_action *actions;
    size_t count, capacity;
};

// The width of accesses at a line, as the lowering makes them.
struct report_access {
    unsigned line;
    const char *what;   // "load", "store", "copy to shared memory", "tensor copy"
    unsigned bytes;     // a thread at once; 0: not a thread's
    unsigned condition; // the line of the `if` around it outside loops; 0: none
    bool otherwise;     // it stands in the else
};

// The work of one program (driver/work.h) by trip counts.
struct report_term {
    // Its value, divided by the divisor and rounded up, is the number of steps; NULL: divisor steps.
    const char *parameter;
    int64_t divisor;
    unsigned branch;                         // number from 1; 0: every launch does it
    double products, bytes, special, simple; // a step
    double again;                            // of the bytes, those loaded before by another loop
    // "tkc_min(1024, n_cols)", over the parameters and tkc_id_0 to 2: a program does the amounts steps / per times, its loop's steps or the
    // elements inside its mask. NULL: parameter and divisor say all.
    const char *steps;
    double per;
    double accesses; // of global memory by threads
    double shared, exchanged,
        barriers; // bytes of shared memory, those of changes of layouts and partial results, barriers
    unsigned exchange_line; // of the largest exchange; 0: none
};
// A branch of an `if`; a program takes one: outside loops, or by parameters alone. Branches 1 and 2, 3 and 4 … belong together.
struct report_branch {
    unsigned line, within; // within: number of the branch around the `if`; 0: none
    const char *where;     // "where n_cols <= 8192 (line 62)"
    // "tkc_le(n_cols, 8192)": the condition as an expression like a grid's; NULL: it is not of parameters alone.
    const char *when;
    int64_t bound; // the constant beside an argument in `where`; 0: there is none
    bool less;     // the other branch has more work
};

struct report_kernel {
    const char *name; // of the entry
    unsigned line;
    unsigned warps, producer_warps, stages, persistent;
    bool one_program;            // blocks are not persistent: a block runs one program
    unsigned grouped;            // rows of tiles of a group of programs; 0: the ids stay as they are
    double loaded[SHARING_SETS]; // by the axes in the addresses (sharing.h)
    unsigned computing,
        copying; // a thread's registers once the roles of warps have begun (setmaxnreg); 0: roles share alike
    bool has_multiplier;    // one of the producer's warps starts products into tensor memory
    bool gathers;           // all threads of the producer's warps copy, not one
    unsigned varying;       // the line of a loop whose end depends on the program; 0: none
    const char *looped;     // "k and v": the arrays loaded in loops; NULL: not known
    const char *multiplies; // the element type of dots, "f16"; NULL: no dot
    unsigned turned; // the line of a load whose matrix has K apart in memory, for wgmma or tcgen05; 0: none
    const struct report_term *terms;
    size_t term_count;
    const struct report_branch *branches;
    size_t branch_count;
    struct report_tile *tiles;
    size_t tile_count;
    struct report_piece *pieces;
    size_t piece_count, op_count;
    unsigned shared_bytes; // of a block, all pieces with their padding
    struct report_loop *loops;
    size_t loop_count;
    struct report_access *accesses;
    size_t access_count;
    struct sums sums;
    unsigned *live; // by source line, up to line_count: registers of a thread for float tiles (live.c)
    unsigned line_count;
    // By source line, up to line_count: live registers of a thread, of the machine code; NULL: not known.
    unsigned *registers;
};

// The code of a job: some kernels for one target.
struct report_code {
    struct report_text texts[REPORT_TEXTS];
    struct report_kernel *kernels;
    size_t kernel_count;
    const char *ptx; // with places of lines, for report_sass; NULL: none
    size_t ptx_length;
};

// ---- gather.c, tiles.c, loops.c, live.c, texts.c ----

// The page's facts of a module after the last pass, of its LLVM module with locations of `source` alone, and of its code with such
// lines. Everything is in the arena.
struct report_code *report_gather(struct arena *arena, struct ir *ir, MlirModule tiles,
                                  const struct target *target, const struct source *source, const char *llvm,
                                  const struct strbuf *code);

// The line of a location in the source; 0: none. Of an inlined function's op in another source, the call's.
unsigned report_line_of(struct ir *ir, MlirLocation at, const struct source *source);

// Adds the machine code, as nvdisasm prints it (artifact/artifact.h, sass_listing).
void report_sass(struct arena *arena, struct report_code *code, const char *lines, const char *lives);

// ---- page.c ----

// The kernels of a compiled job: with variants one kernel, else all of the source.
struct report_part {
    const struct target *target;
    struct report_code *code;
    const struct remarks *remarks;
    size_t first;                      // kernel of the reflection
    const struct resources *resources; // of all kernels of the reflection; those of others are zeroed
};
// A run of the kernel with its arguments, for tkc-run.
struct report_value {
    const char *name;
    int64_t value;
};
struct report_run {
    const char *where;                 // "the emulator of sm_90a", "NVIDIA H200"
    unsigned grid[3];                  // programs
    const struct report_value *values; // of integer arguments
    size_t value_count;
    double array_bytes; // of all arrays
    double seconds;     // 0: not measured
};
struct report {
    const struct source *source;
    const struct report_run *run;         // NULL: none
    const struct reflect_kernel *kernels; // of the reflection
    size_t kernel_count;
    const struct report_part *parts; // target by target
    size_t part_count;
};
void report_write(struct arena *arena, const struct report *report, struct strbuf *out);

#endif
