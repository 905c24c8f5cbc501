// The loads shared by programs, for the page: programs whose ids are equal on some axes of the grid load the same addresses.
#ifndef TKC_REPORT_SHARING_H
#define TKC_REPORT_SHARING_H

#include <mlir-c/IR.h>

#include "ir/context.h"

// Bytes that the loads of a program's loops ask for in a step, by the axes of the program ids that their addresses depend on: bit 0 for
// axis 0. Of a kernel without loads in loops, those of all its loads.
enum { SHARING_AXES = 3, SHARING_SETS = 1 << SHARING_AXES };
struct sharing {
    double bytes[SHARING_SETS];
    bool varies;          // a loop's end depends on a program id
    MlirLocation varying; // the first such loop
};

// Reads a function as emitted by the front end.
struct sharing sharing_survey(struct ir *ir, MlirOperation function);

#endif
