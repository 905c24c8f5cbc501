// Integer expressions by recursive descent: sum, product, unary, primary.
#include "command/expression.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/launcher/grid.h"

struct parser {
    const char *at;
    const struct expression_name *names;
    size_t count;
    unsigned depth; // of brackets and signs
    char *error;
};

static int64_t sum(struct parser *parser);

static void fail(struct parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct parser *parser, const char *format, ...) {
    if (parser->error[0]) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(parser->error, EXPRESSION_WRONG, format, args);
    va_end(args);
}

static bool accept(struct parser *parser, const char *text) {
    parser->at += strspn(parser->at, " \t\r\n");
    if (strncmp(parser->at, text, strlen(text))) {
        return false;
    }
    parser->at += strlen(text);
    return true;
}

typedef int64_t one(int64_t), two(int64_t, int64_t), three(int64_t, int64_t, int64_t);

// The launcher's functions, under their names without tkc_.
static const struct {
    const char *name;
    one *one;
    two *two;
    three *three;
} functions[] = {
#define GRID_FUNCTION_1(name, shown) {#name, tkc_##name, NULL, NULL},
#define GRID_FUNCTION_2(name, shown) {#name, NULL, tkc_##name, NULL},
#define GRID_FUNCTION_3(name, shown) {#name, NULL, NULL, tkc_##name},
#include "artifact/launcher/grid_functions.def"
#undef GRID_FUNCTION_1
#undef GRID_FUNCTION_2
#undef GRID_FUNCTION_3
};

static int64_t call(struct parser *parser, const char *name, size_t length) {
    int64_t values[4] = {0};
    unsigned count = 0;
    while (!accept(parser, ")")) {
        if (count == 4 || parser->error[0] || (count && !accept(parser, ","))) {
            fail(parser, "expected ',' or ')' at '%s'", parser->at);
            return 0;
        }
        values[count++] = sum(parser);
    }
    if (length > 4 && !strncmp(name, "tkc_", 4)) {
        name += 4, length -= 4;
    }
    const char *dot = memchr(name, '.', length);
    if (dot) {
        length -= (size_t)(dot + 1 - name), name = dot + 1;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strlen(functions[i].name) != length || strncmp(name, functions[i].name, length)) {
            continue;
        }
        if (functions[i].one && count == 1) {
            return functions[i].one(values[0]);
        }
        if (functions[i].two && count == 2) {
            return functions[i].two(values[0], values[1]);
        }
        if (functions[i].three && count == 3) {
            return functions[i].three(values[0], values[1], values[2]);
        }
    }
    fail(parser, "unknown function %.*s of %u arguments", (int)length, name, count);
    return 0;
}

static int64_t primary(struct parser *parser);

static int64_t operand(struct parser *parser) {
    enum { DEPTH = 100 };
    if (parser->depth == DEPTH) {
        fail(parser, "it nests deeper than %d", DEPTH);
        return 0;
    }
    parser->depth++;
    int64_t value = primary(parser);
    parser->depth--;
    return value;
}

static int64_t primary(struct parser *parser) {
    if (accept(parser, "(")) {
        int64_t value = sum(parser);
        if (!accept(parser, ")")) {
            fail(parser, "expected ')' at '%s'", parser->at);
        }
        return value;
    }
    if (accept(parser, "-")) {
        return tkc_neg(operand(parser));
    }
    parser->at += strspn(parser->at, " \t\r\n");
    if (isdigit((unsigned char)*parser->at)) {
        char *end;
        errno = 0;
        int64_t value = strtoll(parser->at, &end, 0);
        if (errno) {
            fail(parser, "a number is beyond 64 bits");
        }
        parser->at = end + strspn(end, "lLuU");
        return value;
    }
    const char *name = parser->at;
    while (isalnum((unsigned char)*parser->at) || *parser->at == '_' || *parser->at == '.') {
        parser->at++;
    }
    size_t length = (size_t)(parser->at - name);
    if (length == 0) {
        fail(parser, "expected a value at '%s'", parser->at);
        return 0;
    }
    if (accept(parser, "(")) {
        return call(parser, name, length);
    }
    for (size_t i = 0; i < parser->count; i++) {
        if (strlen(parser->names[i].name) == length && !strncmp(parser->names[i].name, name, length)) {
            return parser->names[i].value;
        }
    }
    fail(parser, "'%.*s' has no value", (int)length, name);
    return 0;
}

static int64_t product(struct parser *parser) {
    int64_t value = operand(parser);
    for (;;) {
        if (accept(parser, "//") || accept(parser, "/")) {
            value = tkc_floordiv(value, operand(parser));
        } else if (accept(parser, "*")) {
            value = tkc_mul(value, operand(parser));
        } else if (accept(parser, "%")) {
            value = tkc_mod(value, operand(parser));
        } else {
            return value;
        }
        if (parser->error[0]) {
            return 0;
        }
    }
}

static int64_t sum(struct parser *parser) {
    int64_t value = product(parser);
    while (!parser->error[0]) {
        if (accept(parser, "+")) {
            value = tkc_add(value, product(parser));
        } else if (accept(parser, "-")) {
            value = tkc_sub(value, product(parser));
        } else {
            return value;
        }
    }
    return 0;
}

bool expression_evaluate(const char *text, const struct expression_name *names, size_t count, int64_t *value,
                         char wrong[EXPRESSION_WRONG]) {
    struct parser parser = {.at = text, .names = names, .count = count, .error = wrong};
    wrong[0] = 0;
    *value = sum(&parser);
    parser.at += strspn(parser.at, " ");
    if (*parser.at) {
        fail(&parser, "unexpected '%s'", parser.at);
    }
    if (*value == TKC_NO_GRID) {
        fail(&parser, "it overflows or divides by zero");
    }
    return !wrong[0];
}
