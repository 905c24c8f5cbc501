// The table of language.def, and the questions to it.
#include "frontend/semantics/language.h"

#include <stdio.h>
#include <string.h>

#include "support/strbuf.h"

enum vendors { ON_ALL, ON_AMD };

static const struct {
    const char *id, *text;
    unsigned version;
} changes[] = {
#define CHANGE(id, version, functions, text) {#id, text, version},
#define FORM(id, version, text) {#id, text, version},
#define NAME(name, version, vendors)
#define PARAMETER(function, parameter, version)
#include "frontend/semantics/language.def"
#undef PARAMETER
#undef NAME
#undef FORM
#undef CHANGE
};

// Functions, and parameters of functions.
static const struct {
    const char *name, *parameter;
    unsigned version;
    enum vendors vendors;
} names[] = {
#define CHANGE(id, version, functions, text)
#define FORM(id, version, text)
#define NAME(name, version, vendors) {name, NULL, version, vendors},
#define PARAMETER(function, parameter, version) {function, parameter, version, ON_ALL},
#include "frontend/semantics/language.def"
#undef PARAMETER
#undef NAME
#undef FORM
#undef CHANGE
};

bool language_parse(const char *text, unsigned *version) {
    char name[8];
    for (unsigned v = LANGUAGE_OLDEST; v <= LANGUAGE_NEWEST; v++) {
        snprintf(name, sizeof name, "3.%u", v);
        if (strcmp(name, text) == 0) {
            *version = v;
            return true;
        }
    }
    return false;
}

const char *language_versions(struct arena *arena) {
    struct strbuf list = {0};
    for (unsigned v = LANGUAGE_OLDEST; v <= LANGUAGE_NEWEST; v++) {
        strbuf_printf(&list, "%s3.%u", v == LANGUAGE_OLDEST ? "" : v == LANGUAGE_NEWEST ? " or " : ", ", v);
    }
    const char *text = arena_strndup(arena, strbuf_text(&list), list.length);
    strbuf_free(&list);
    return text;
}

bool language_has(const struct emitter *e, enum language_change change) {
    return e->language >= changes[change].version;
}

bool language_find_change(const char *id, enum language_change *change) {
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (strcmp(changes[i].id, id) == 0) {
            *change = (enum language_change)i;
            return true;
        }
    }
    return false;
}

static bool takes(struct emitter *e, unsigned version, const char *what, struct location at) {
    if (e->in_library || e->language >= version) {
        return true;
    }
    emit_error(e, at,
               "%s: of Triton 3.%u and later, and the language here is 3.%u; compile with --language=3.%u",
               what, version, e->language, version);
    return false;
}

bool language_takes(struct emitter *e, enum language_change form, struct location at) {
    return takes(e, changes[form].version, changes[form].text, at);
}

static bool concerns(const struct emitter *e, enum vendors vendors) {
    return vendors == ON_ALL || (e->target && e->target->vendor == VENDOR_AMD);
}

bool language_takes_name(struct emitter *e, const char *name, struct location at) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!names[i].parameter && concerns(e, names[i].vendors) && strcmp(names[i].name, name) == 0) {
            return takes(e, names[i].version, name, at);
        }
    }
    return true;
}

bool language_takes_parameter(struct emitter *e, const char *function, const char *parameter,
                              struct location at) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].parameter && strcmp(names[i].name, function) == 0 &&
            strcmp(names[i].parameter, parameter) == 0) {
            return takes(e, names[i].version,
                         arena_printf(e->arena, "the parameter %s of %s", parameter, function), at);
        }
    }
    return true;
}
