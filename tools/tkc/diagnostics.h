// Messages as text, in colour if wanted, and as data.
#ifndef TKC_TOOLS_DIAGNOSTICS_H
#define TKC_TOOLS_DIAGNOSTICS_H

#include "command_line.h"
#include "support/strbuf.h"

enum diagnostics_format { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON, DIAGNOSTICS_SARIF };

// color.c
bool color_is_on(const char *when); // of standard error; `when` as for --color
void color_print(const struct tkc_diagnostic *diagnostic, struct strbuf *out);

// diagnostics.c. False: a file whose name does not say its format, without --diagnostics-format.
bool diagnostics_choose(const struct command_line *line, enum diagnostics_format *format);
void diagnostics_write(enum diagnostics_format format, const struct tkc_result *result, struct strbuf *out);

#endif
