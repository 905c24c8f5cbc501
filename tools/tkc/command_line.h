// The settings from tkc's command line.
#ifndef TKC_TOOLS_COMMAND_LINE_H
#define TKC_TOOLS_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "tkc/tkc.h"

enum action {
    ACTION_COMPILE,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_PRINT_PASSES,
    ACTION_PRINT_TARGETS,
    ACTION_PRINT_REMARKS,
    ACTION_PRINT_WARNINGS
};

struct command_line {
    enum action action;
    const char *const *inputs; // at least one to compile; options.input is the one at hand
    size_t input_count;
    struct tkc_options options;
    enum tkc_kind only;      // write this companion of the outputs alone; TKC_KIND_DEFAULT: everything
    const char *temporaries; // a folder, "": the current one; NULL: none
    const char *diagnostics_format, *diagnostics_file, *color; // NULL: the default
};

// False for a usage error, printed to `errors`. `serves`: tkc lsp, with sources from an editor.
bool command_line_parse(int argc, char **argv, bool serves, struct command_line *line, FILE *errors);
void command_line_free(struct command_line *line);
void command_line_help(FILE *out);

#endif
