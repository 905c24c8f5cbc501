// Programs in which no role of a specialised function does anything, told by a condition at the head of the roles' loops over programs.
//
//   %count = tk.load (%counts + expert)           a grid has room for the most rows of an expert;
//   %none = cmpi sge, %row, %count                most experts have fewer
//   scf.if %none { } else { … everything … }
#ifndef TKC_PASSES_IDLE_PROGRAMS_H
#define TKC_PASSES_IDLE_PROGRAMS_H

#include "ir/build.h"

struct idle_programs {
    struct ir *ir;
    struct arena *arena;
    MlirBlock body;       // of the first role's loop
    MlirOperation branch; // there
    MlirValue condition;  // of the branch
    bool when;            // the condition's value in an idle program
};

// True if the roles' loops over programs, each an scf.for whose body begins with the program's number, do nothing but one arm of a branch on the
// same condition, and the other arm leaves their carried values as they are. Sets `idle`.
bool idle_programs_find(struct idle_programs *idle, const MlirOperation *loops, int count);
// An i1 in the block of the branch, true if its program is idle, or if it is not.
MlirValue idle_programs_now(const struct idle_programs *idle, struct builder *b, bool is_idle);
// Builds an i1, true if another program is idle: the condition's ops again, where those are seen that the block of the branch sees.
MlirValue idle_programs_test(const struct idle_programs *idle, struct builder *b, MlirValue program);

#endif
