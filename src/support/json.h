// A JSON parser: a text becomes a tree in an arena. For small files written by our own tools; only the
// nesting is limited.
#ifndef TKC_SUPPORT_JSON_H
#define TKC_SUPPORT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

enum { JSON_NESTING = 64 };

struct json {
    enum json_kind kind;
    bool truth;
    double number;
    const char *text;   // of a string, and of a number as written
    const char **names; // of an object's members, beside `items`
    struct json *items; // of an array or object
    size_t count;
};

// NULL if the text is no JSON: *why names the expected token, *at is its offset.
const struct json *json_parse(struct arena *arena, const char *text, const char **why, size_t *at);

// The member with this name; NULL without one, or if `of` is no object or NULL.
const struct json *json_member(const struct json *of, const char *name);
// The text of a string member; else NULL.
const char *json_text(const struct json *of, const char *name);
// An integer. False for other values, or if it does not fit.
bool json_integer(const struct json *value, long long *out);

#endif
