// Options at odds with each other, or with the outputs (produce_check.c).
#ifndef TKC_DRIVER_PRODUCE_CHECK_H
#define TKC_DRIVER_PRODUCE_CHECK_H

#include <stdbool.h>

#include "artifact/artifact.h"
#include "support/diag.h"
#include "tkc/tkc.h"

// Reports the first fault to `diag` and returns false; reads --runtime to `runtime`. `every_config`: all configurations are compiled.
bool check_options(const struct tkc_options *options, const struct output_plan *plan, bool every_config,
                   struct diag *diag, enum launcher_runtime *runtime);

#endif
