// Shared by the golden tests: a case's settings in comments, and the comparison with its expectation.
#ifndef TKC_TESTS_GOLDEN_H
#define TKC_TESTS_GOLDEN_H

#include "support/diag.h"
#include "support/strbuf.h"

// A sink of diagnostics: appends to the strbuf `user`.
void golden_collect(void *user, enum diag_severity severity, const char *text);

// The rest of the line "MARK KEY: " among the comments at the start of `text`, allocated; NULL without it.
char *golden_setting(const char *text, const char *mark, const char *key);

// Appends the lines of `dump` that the setting "show" in the comments of `text` selects (select.h). Without it these are all but
// constants and address computations: these stand in the expressions of their uses.
void golden_select(const char *text, const char *mark, const char *dump, struct strbuf *found);

// The name of a file without its folders.
const char *golden_name(const char *path);

// Compares `found` with the file `expect`, or with UPDATE=1 in the environment rewrites that file. Says where they differ.
// Returns an exit status.
int golden_compare(const char *expect, const struct strbuf *found);

#endif
