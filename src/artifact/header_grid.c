// A grid expression in a reader's form: tkc_mul(tkc_cdiv(M_, 64), 2) is "ceil(M_ / 64) * 2".
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"

static const struct {
    const char *name, *shown;
} functions[] = {
#define GRID_FUNCTION_1(name, shown) {"tkc_" #name, shown},
#define GRID_FUNCTION_2(name, shown) {"tkc_" #name, shown},
#define GRID_FUNCTION_3(name, shown) {"tkc_" #name, shown},
#include "artifact/launcher/grid_functions.def"
#undef GRID_FUNCTION_1
#undef GRID_FUNCTION_2
#undef GRID_FUNCTION_3
};

enum { MOST_ARGUMENTS = 3 };

static const char *shown_call(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
            return functions[i].shown;
        }
    }
    return NULL;
}

// True if an operator would bind to only a part of the text: it has a space outside of parentheses.
static bool is_compound(const char *text) {
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(') - (*text == ')');
        if (*text == ' ' && depth == 0) {
            return true;
        }
    }
    return false;
}

// Fills the arguments into `shown`. Compound operands get parentheses; arguments between commas need none.
static const char *fill(struct arena *arena, const char *shown, const char *const *arguments) {
    struct strbuf out = {0};
    bool commas = strchr(shown, ',') != NULL;
    for (const char *c = shown; *c; c++) {
        if (*c != '$') {
            strbuf_add_char(&out, *c);
            continue;
        }
        const char *argument = arguments[*++c - '1'];
        strbuf_printf(&out, !commas && is_compound(argument) ? "(%s)" : "%s", argument);
    }
    const char *result = arena_strdup(arena, strbuf_text(&out));
    strbuf_free(&out);
    return result;
}

// Reads an expression at *at and moves *at behind it.
static const char *show(struct arena *arena, const char **at) {
    const char *start = *at, *arguments[MOST_ARGUMENTS] = {"", "", ""};
    size_t count = 0;
    while (isalnum((unsigned char)**at) || **at == '_' || **at == '-') {
        ++*at;
    }
    size_t length = (size_t)(*at - start);
    const char *shown = shown_call(start, length);
    if (!shown || **at != '(') {
        while (length && isdigit((unsigned char)start[start[0] == '-']) &&
               strchr("lLuU", start[length - 1])) {
            length--; // 2147483648LL
        }
        size_t prefix = length > 4 && memcmp(start, "tkc_", 4) == 0 ? 4 : 0; // a number of the device
        return arena_strndup(arena, start + prefix, length - prefix);
    }
    do {
        *at += 1 + strspn(*at + 1, " ");
        const char *argument = show(arena, at);
        if (count < MOST_ARGUMENTS) {
            arguments[count++] = argument;
        }
    } while (**at == ',');
    *at += **at == ')';
    return fill(arena, shown, arguments);
}

const char *artifact_shown_expression(struct arena *arena, const char *expression) {
    const char *at = expression, *shown = show(arena, &at);
    return *at ? expression : shown; // the whole was read
}
