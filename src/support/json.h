// Reading JSON: a text becomes a tree in an arena. For small files of our own making; no limits but the nesting.
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
    const char *text;   // of a string, and of a number as it was written
    const char **names; // of an object's members, beside `items`
    struct json *items; // of an array or object
    size_t count;
};

// NULL where the text is no JSON: *why says what was expected, *at is the offset.
const struct json *json_parse(struct arena *arena, const char *text, const char **why, size_t *at);

// The member of that name; NULL where there is none, or `of` is no object or NULL.
const struct json *json_member(const struct json *of, const char *name);
// Its text where it is a string; else NULL.
const char *json_text(const struct json *of, const char *name);
// An integer member. False where there is none, or it does not fit.
bool json_integer(const struct json *value, long long *out);

#endif
