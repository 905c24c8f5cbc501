// C spellings of the source's names and types.
#include <ctype.h>
#include <string.h>

#include "artifact/artifact.h"

// Keywords of C and C++, macros of the usual headers, and the launcher's own parameter names. Python's own
// keywords cannot be parameter names and are left out.
static const char *const taken[] = {
    "NULL",    "EOF",      "_Bool",    "alignas",   "alignof",      "asm",       "auto",      "bool",
    "case",    "catch",    "char",     "complex",   "concept",      "const",     "constexpr", "decltype",
    "default", "delete",   "do",       "double",    "enum",         "errno",     "explicit",  "export",
    "extern",  "false",    "float",    "friend",    "goto",         "grid_x",    "grid_y",    "grid_z",
    "inline",  "int",      "linux",    "long",      "mutable",      "namespace", "new",       "noexcept",
    "nullptr", "operator", "private",  "protected", "public",       "register",  "requires",  "restrict",
    "short",   "signed",   "sizeof",   "static",    "stderr",       "stdin",     "stdout",    "stream",
    "struct",  "switch",   "template", "this",      "thread_local", "throw",     "true",      "typedef",
    "typeid",  "typename", "typeof",   "union",     "unix",         "unsigned",  "using",     "virtual",
    "void",    "volatile", "wchar_t",  "and",       "or",           "not",       "xor",       "bitand",
    "bitor",   "compl",    "and_eq",   "or_eq",     "not_eq",       "xor_eq",
};

const char *artifact_c_name(struct arena *arena, const char *name) {
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (strcmp(name, taken[i]) == 0) {
            return arena_printf(arena, "%s_", name);
        }
    }
    if (strncmp(name, "tkc_", 4) == 0 || strncmp(name, "__", 2) == 0 ||
        (name[0] == '_' && isupper((unsigned char)name[1]))) {
        return arena_printf(arena, "p_%s", name);
    }
    struct strbuf spelled = {0};
    for (const char *c = name; *c; c++) {
        if ((unsigned char)*c < 128) {
            strbuf_add_char(&spelled, *c);
        } else {
            strbuf_printf(&spelled, "x%02x", (unsigned)(unsigned char)*c);
        }
    }
    const char *result = arena_strdup(arena, strbuf_text(&spelled));
    strbuf_free(&spelled);
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
