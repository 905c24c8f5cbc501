// Versions of Triton's language, and which of them the code at hand is written in. The differences are the rows of
// language.def. A version is the N of Triton 3.N.
#ifndef TKC_FRONTEND_SEMANTICS_LANGUAGE_H
#define TKC_FRONTEND_SEMANTICS_LANGUAGE_H

#include "frontend/semantics/emit.h"

enum { LANGUAGE_OLDEST = 6, LANGUAGE_NEWEST = 9 };

enum language_change {
#define CHANGE(id, version, functions, text) LANGUAGE_##id,
#define FORM(id, version, text) LANGUAGE_##id,
#define NAME(name, version, vendors)
#define PARAMETER(function, parameter, version)
#include "frontend/semantics/language.def"
#undef PARAMETER
#undef NAME
#undef FORM
#undef CHANGE
};

// "3.9" as 9. False for any other text than a version from the oldest to the newest.
bool language_parse(const char *text, unsigned *version);
const char *language_versions(struct arena *arena); // "3.6, 3.7, 3.8 or 3.9"

// True if the code at hand is of a version with the change.
bool language_has(const struct emitter *e, enum language_change change);
bool language_find_change(const char *id, enum language_change *change); // by the name in its row
// False, with an error, if the code at hand is of a version without the form, the function or the parameter. Names
// without a row belong to every version, and the library's own code may use everything.
bool language_takes(struct emitter *e, enum language_change form, struct location at);
bool language_takes_name(struct emitter *e, const char *name, struct location at);
bool language_takes_parameter(struct emitter *e, const char *function, const char *parameter,
                              struct location at);

#endif
