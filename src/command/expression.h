// Integer expressions of command lines, shapes and launch grids: + - * / // % ( ), names, and the grid
// functions (launcher/grid_functions.def), with tkc_ or a module prefix or without. Values are computed as in
// generated headers (launcher/grid.h).
#ifndef TKC_COMMAND_EXPRESSION_H
#define TKC_COMMAND_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_name {
    const char *name;
    int64_t value;
};

enum { EXPRESSION_WRONG = 256 };

// False with a description of the error in `wrong`.
bool expression_evaluate(const char *text, const struct expression_name *names, size_t count, int64_t *value,
                         char wrong[EXPRESSION_WRONG]);

#endif
