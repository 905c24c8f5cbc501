// What one program of a kernel does, for the cost rule of launchers with several variants.
#ifndef TKC_WORK_H
#define TKC_WORK_H

#include <mlir-c/IR.h>

#include "artifact/artifact.h"
#include "ir/context.h"

// Of a function as the front end made it. Parameters are counted as the function's arguments.
struct kernel_work work_of(struct ir *ir, MlirOperation function);

#endif
