// Second forms of kernels: launches that take them.
#ifndef TKC_DRIVER_FORMS_H
#define TKC_DRIVER_FORMS_H

#include "driver/compile.h"

// Before the passes: the steps of a program of each kernel as an expression (struct reflect_form); NULL: a launch cannot know them.
const char *const *forms_steps(struct unit *unit, struct compiled *c);
// Behind the passes: reads second forms into the entries of their kernels, and drops those whose steps are not known.
void forms_read(struct unit *unit, struct compiled *c, const char *const *steps);

#endif
