// Integer expressions of launch grids, by recursive descent: or, and, comparison, sum, product, unary,
// primary.
#include "run.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    const struct expression_name *names;
    size_t count;
    char error[256];
};

static int64_t sum(struct parser *parser);

static void fail(struct parser *parser, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct parser *parser, const char *format, ...) {
    if (parser->error[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(parser->error, sizeof parser->error, format, args);
    va_end(args);
}

static bool accept(struct parser *parser, const char *text) {
    parser->at += strspn(parser->at, " ");
    if (strncmp(parser->at, text, strlen(text)))
        return false;
    parser->at += strlen(text);
    return true;
}

static int64_t floor_divide(struct parser *parser, int64_t a, int64_t b) {
    if (b == 0) {
        fail(parser, "division by zero");
        return 0;
    }
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

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
    if (length > 4 && !strncmp(name, "tkc_", 4))
        name += 4, length -= 4;
    const char *dot = memchr(name, '.', length);
    if (dot)
        length -= (size_t)(dot + 1 - name), name = dot + 1;
#define NAMED(text, arguments)                                                                               \
    (length == strlen(text) && !strncmp(name, text, length) && count == (arguments))
    if (NAMED("cdiv", 2))
        return floor_divide(parser, values[0] + values[1] - 1, values[1]);
    if (NAMED("floordiv", 2))
        return floor_divide(parser, values[0], values[1]);
    if (NAMED("mod", 2))
        return values[0] - values[1] * floor_divide(parser, values[0], values[1]);
    if (NAMED("min", 2))
        return values[0] < values[1] ? values[0] : values[1];
    if (NAMED("max", 2))
        return values[0] > values[1] ? values[0] : values[1];
    if (NAMED("abs", 1))
        return values[0] < 0 ? -values[0] : values[0];
    fail(parser, "unknown function %.*s of %u arguments", (int)length, name, count);
    return 0;
}

static int64_t primary(struct parser *parser) {
    if (accept(parser, "(")) {
        int64_t value = sum(parser);
        if (!accept(parser, ")"))
            fail(parser, "expected ')' at '%s'", parser->at);
        return value;
    }
    if (accept(parser, "-"))
        return -primary(parser);
    parser->at += strspn(parser->at, " ");
    if (isdigit((unsigned char)*parser->at)) {
        char *end;
        int64_t value = strtoll(parser->at, &end, 0);
        parser->at = end + strspn(end, "lLuU");
        return value;
    }
    const char *name = parser->at;
    while (isalnum((unsigned char)*parser->at) || *parser->at == '_' || *parser->at == '.')
        parser->at++;
    size_t length = (size_t)(parser->at - name);
    if (length == 0) {
        fail(parser, "expected a value at '%s'", parser->at);
        return 0;
    }
    if (accept(parser, "("))
        return call(parser, name, length);
    for (size_t i = 0; i < parser->count; i++)
        if (strlen(parser->names[i].name) == length && !strncmp(parser->names[i].name, name, length))
            return parser->names[i].value;
    fail(parser, "'%.*s' has no value", (int)length, name);
    return 0;
}

static int64_t product(struct parser *parser) {
    int64_t value = primary(parser);
    for (;;) {
        if (accept(parser, "//") || accept(parser, "/"))
            value = floor_divide(parser, value, primary(parser));
        else if (accept(parser, "*"))
            value *= primary(parser);
        else if (accept(parser, "%")) {
            int64_t by = primary(parser);
            value -= by * floor_divide(parser, value, by);
        } else
            return value;
        if (parser->error[0])
            return 0;
    }
}

static int64_t sum(struct parser *parser) {
    int64_t value = product(parser);
    while (!parser->error[0]) {
        if (accept(parser, "+"))
            value += product(parser);
        else if (accept(parser, "-"))
            value -= product(parser);
        else
            return value;
    }
    return 0;
}

char *expression_evaluate(const char *text, const struct expression_name *names, size_t count,
                          int64_t *value) {
    struct parser parser = {.at = text, .names = names, .count = count};
    *value = sum(&parser);
    parser.at += strspn(parser.at, " ");
    if (!parser.error[0] && *parser.at)
        fail(&parser, "unexpected '%s'", parser.at);
    if (!parser.error[0])
        return NULL;
    size_t size = strlen(text) + sizeof parser.error + 8;
    char *message = malloc(size);
    snprintf(message, size, "%s: %s", text, parser.error);
    return message;
}
