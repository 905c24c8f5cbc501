// JSON in the use of --tuned: accepted texts have strings in UTF-8 and numbers in the range of doubles.
#include <math.h>
#include <string.h>

#include "fuzz_input.h"
#include "support/diag.h"
#include "support/escape.h"
#include "support/json.h"

static void check_text(const char *text) {
    for (size_t length = strlen(text), count; length; text += count, length -= count) {
        unsigned code;
        count = escape_utf8(text, length, &code);
        if (!count) {
            bug("a string that is no UTF-8");
        }
    }
}

static void check(const struct json *value) {
    long long integer;
    if (value->kind == JSON_STRING) {
        check_text(value->text);
    } else if (value->kind == JSON_NUMBER && !isfinite(value->number)) {
        bug("%s is no number", value->text);
    } else if (json_integer(value, &integer) && (double)integer != value->number) {
        bug("%s is %lld", value->text, integer);
    }
    for (size_t i = 0; i < value->count; i++) {
        if (value->kind == JSON_OBJECT) {
            check_text(value->names[i]);
        }
        check(&value->items[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct arena *arena = arena_create();
    const char *why = NULL;
    size_t at = 0;
    const char *text = arena_strndup(arena, (const char *)bytes, length);
    const struct json *root = json_parse(arena, text, &why, &at);
    if (root) {
        check(root);
    } else if (!why || at > strlen(text)) {
        bug("refused without a place");
    }
    arena_destroy(arena);
    return 0;
}
