// C spellings of the source's names and types.
#include <ctype.h>
#include <string.h>

#include "artifact/artifact.h"
#include "support/escape.h"

// No other identifier of a header, no keyword, and no macro or type of a system header ends in an underscore.
// So a parameter's name with a final underscore clashes with none of them. A name with no such form (a
// leading underscore is reserved, letters beyond ASCII are not C everywhere) is encoded: u_, then `_` as `__`
// and each other odd character as its number between underscores, then 0.
const char *artifact_c_name(struct arena *arena, const char *name) {
    bool plain = name[0] != '_';
    for (const char *c = name; *c; c++) {
        plain = plain && (unsigned char)*c < 128;
    }
    if (plain) {
        return arena_printf(arena, "%s_", name);
    }
    struct strbuf spelled = {0};
    size_t length = strlen(name);
    strbuf_add(&spelled, "u_");
    for (size_t i = 0; i < length;) {
        unsigned code = (unsigned char)name[i];
        size_t count = escape_utf8(name + i, length - i, &code);
        if (count == 1 && code != '_') {
            strbuf_add_char(&spelled, name[i]);
        } else if (count == 1) {
            strbuf_add(&spelled, "__");
        } else {
            strbuf_printf(&spelled, "_%x_", code);
        }
        i += count ? count : 1;
    }
    strbuf_add_char(&spelled, '0');
    const char *result = arena_strdup(arena, strbuf_text(&spelled));
    strbuf_free(&spelled);
    return result;
}

bool artifact_uses_name(const char *expression, const char *name) {
    size_t length = strlen(name);
    for (const char *at = expression; at && (at = strstr(at, name)); at += length) {
        bool begins = at == expression || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_') {
            return true;
        }
    }
    return false;
}

bool artifact_grid_uses(const struct reflect_kernel *kernel, const char *name) {
    return artifact_uses_name(kernel->grid[0], name) || artifact_uses_name(kernel->grid[1], name) ||
           artifact_uses_name(kernel->grid[2], name);
}

// True if the name has an ending of artifact_c_name.
bool artifact_may_be_c_name(const char *name) {
    size_t length = strlen(name);
    char last = length ? name[length - 1] : 0;
    return last == '_' || (last == '0' && strncmp(name, "u_", 2) == 0);
}

const char *artifact_source_names(struct arena *arena, const char *expression, const char *const *names,
                                  size_t count) {
    struct strbuf out = {0};
    for (const char *c = expression; *c;) {
        size_t length = 0;
        while (isalnum((unsigned char)c[length]) || c[length] == '_') {
            length++;
        }
        if (!length) {
            strbuf_add_char(&out, *c++);
            continue;
        }
        size_t kept = length; // 2147483648LL without its suffix
        while (isdigit((unsigned char)*c) && strchr("lLuU", c[kept - 1])) {
            kept--;
        }
        const char *word = arena_strndup(arena, c, kept), *source = NULL;
        for (size_t i = 0; i < count && !source; i++) {
            source = strcmp(word, artifact_c_name(arena, names[i])) == 0 ? names[i] : NULL;
        }
        strbuf_add(&out, source ? source : word);
        c += length;
    }
    const char *result = arena_strdup(arena, strbuf_text(&out));
    strbuf_free(&out);
    return result;
}

const char *artifact_c_type(const char *dtype) {
    static const struct {
        const char *dtype;
        const char *type;
    } types[] = {
        {"i1", "bool"},    {"i8", "int8_t"},    {"i16", "int16_t"},  {"i32", "int32_t"},  {"i64", "int64_t"},
        {"u8", "uint8_t"}, {"u16", "uint16_t"}, {"u32", "uint32_t"}, {"u64", "uint64_t"}, {"fp16", "float"},
        {"bf16", "float"}, {"fp32", "float"},   {"fp64", "double"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(dtype, types[i].dtype) == 0) {
            return types[i].type;
        }
    }
    return NULL;
}
