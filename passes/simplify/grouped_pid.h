// The decision of grouped_pid for one kernel, separate from the rewriting.
#ifndef TKC_PASSES_GROUPED_PID_H
#define TKC_PASSES_GROUPED_PID_H

#include "passes/pass.h"

enum grouped_pid_form {
    GROUPED_PID_NONE,
    GROUPED_PID_LINEAR, // program_id(0) is divided into row and column by `tiles`
    GROUPED_PID_GRID,   // program_id(1) is the row, program_id(0) the column
    GROUPED_PID_LOOP, // a loop over tiles, from program_id(0) in steps of a number of programs, divides its counter by `tiles`
};

struct grouped_pid {
    enum grouped_pid_form form;
    int group;          // rows side by side
    MlirValue tiles;    // LINEAR, LOOP: the number of columns
    MlirOperation loop; // LOOP
    const char *why;    // the report when form is NONE
};

// The number of rows of tiles in a group, for tiles of tile_rows × tile_columns elements. Programs that run
// at one time read the fewest elements if their tiles cover as many rows as columns of elements. A power of
// two; 8 if the number of multiprocessors is not known.
int grouped_pid_rows(unsigned multiprocessors, int64_t tile_rows, int64_t tile_columns);
struct grouped_pid grouped_pid_decide(struct pass_context *context, MlirOperation function);

#endif
