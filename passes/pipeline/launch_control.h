// Roles' loops over programs become loops over the programs that a block is given: by other blocks' places (launch_control.c), or by a counter of the launch
// (launch_counter.c).
#ifndef TKC_PASSES_LAUNCH_CONTROL_H
#define TKC_PASSES_LAUNCH_CONTROL_H

#include "ir/build.h"
#include "passes/pass.h"
#include "passes/pipeline/idle_programs.h"

enum launch_role { PRODUCER, CONSUMERS, MULTIPLIER, ROLES };
enum { LAUNCH_AXES = 3 };

// Answers, each with an mbarrier that tells it and one that its readers free it by: their number as a power of two, and the bytes of one.
struct ring {
    unsigned bits;
    int answer_bytes;
};

struct control {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function, specialise;
    int roles;                     // regions: the last one, of products, is not there with mma.sync
    MlirOperation tiles[ROLES];    // the roles' loops over programs
    MlirValue grid[LAUNCH_AXES];   // hidden arguments
    MlirValue answers, told, free; // i32 offsets: of the answers, and of their mbarriers
    struct ring ring;
    bool pair;
    bool counts; // programs are taken from the launch's counter: no block's place is asked for
    bool passes; // idle programs by
    struct idle_programs idle;
};

// The values that a loop carries ahead of those of the source's loop. Behind LAUNCH_NUMBER a taker has more.
enum { LAUNCH_PROGRAM, LAUNCH_NUMBER, LAUNCH_OWN, LAUNCH_MOST_OWN = LAUNCH_OWN + 2 };

// A role's new loop: it carries the number of its program, the number of the next answer, `own` - 2 other values, those of the old loop, and whether there is
// a program.
struct launch_loop {
    MlirOperation loop, tiles; // the new one, and the old one, whose body is still there
    MlirBlock body;
    intptr_t own;
    struct builder end; // of the body
};

// Begins a role's loop from its first program. `inits`: `count` further values of its own.
struct launch_loop launch_begin_loop(struct control *c, enum launch_role role, intptr_t count,
                                     const MlirValue *inits);
// Moves the old loop's body to the end of the new one's.
void launch_move_body(struct launch_loop *l);
// Ends the body with its own values, and whether there is another program; the old loop goes.
void launch_end_loop(struct control *c, struct launch_loop *l, const MlirValue *own, MlirValue more);

// The number of a ring's answers.
int32_t launch_answers(const struct control *c);
// The program of a block: x + grid_x * (y + grid_y * z). Clusters are launched along x.
MlirValue launch_program(struct control *c, struct builder *b, const MlirValue index[LAUNCH_AXES]);
// The place of a number in a ring whose first place, an i32 offset, is `first`.
MlirValue launch_place(struct control *c, struct builder *b, MlirValue first, MlirValue number, int bytes);
// Waits at one of a ring of barriers for the phase of an answer's number; `before`: for the one before it.
void launch_wait(struct control *c, struct builder *b, MlirValue barriers, MlirValue number, bool before,
                 bool pair);
// A branch without an other arm. The builder is in it; the caller yields nothing.
struct builder launch_begin_if(struct builder *b, MlirValue condition);

// Replaces the producer's loop by one that takes programs from the launch's counter.
void launch_rewrite_taker(struct control *c);

#endif
