// What the files that choose kernels and fix their parameters share.
#ifndef TKC_FRONTEND_KERNEL_H
#define TKC_FRONTEND_KERNEL_H

#include "frontend/eval/walk.h"
#include "frontend/frontend.h"
#include "frontend/semantics/constant.h"

// ---- frontend.c ----
// An expression given on the command line; NULL after an error, which names `what`.
const struct expr *frontend_parse_expression(struct frontend *frontend, const char *text, const char *what);

// ---- kernel_params.c ----
// Types, constants and launch settings of one kernel. False after an error.
bool kernel_fix_params(struct emitter *e, const struct frontend_options *options,
                       struct kernel_instance *kernel);

// ---- grid.c ----
bool kernel_fix_grid(struct emitter *e, const struct frontend_options *options,
                     struct kernel_instance *kernel, const struct expr *grid);
// The kernel's arguments as the dict that grid lambdas and heuristics get: constants, and symbols for
// integers.
struct value kernel_meta(struct emitter *e, const struct frontend_options *options,
                         const struct kernel_instance *kernel);

#endif
