// Prototypes and heads of the functions of a launcher header, from the rows of header_functions.def.
#include <string.h>

#include "artifact/header.h"

enum presence { PRESENT_ALONE = 1, PRESENT_VARIANTS = 2, PRESENT_TRITON = 4, PRESENT_GRID = 8 };
#define ALONE PRESENT_ALONE
#define ALONE_GRID (PRESENT_ALONE | PRESENT_GRID)
#define VARIANTS PRESENT_VARIANTS
#define BOTH (PRESENT_ALONE | PRESENT_VARIANTS)
#define TRITON_GRID (PRESENT_TRITON | PRESENT_GRID)

static const struct {
    unsigned presence; // bits of enum presence
    const char *result, *name, *parameters, *doc;
} functions[HEADER_FUNCTIONS] = {
#define HEADER_FUNCTION(id, presence, result, name, parameters, doc)                                         \
    [HEADER_##id] = {presence, result, name, parameters, doc},
#include "artifact/header_functions.def"
#undef HEADER_FUNCTION
};

bool header_may_have_function(const struct header_family *family, bool triton, enum header_function id) {
    unsigned presence = functions[id].presence;
    return presence & PRESENT_TRITON ? triton
                                     : presence & (family->count > 1 ? PRESENT_VARIANTS : PRESENT_ALONE);
}

bool header_has_function(const struct header_family *family, bool triton, enum header_function id) {
    return header_may_have_function(family, triton, id) &&
           (!(functions[id].presence & PRESENT_GRID) || family->kernels->grid[0]);
}

// Expands a template of header_functions.def: replaces every $ and letter. `text` may be NULL if only $K
// occurs.
static void expand(const struct writer *w, const struct vendor_text *text, const struct header_family *family,
                   const char *template) {
    for (const char *c = template; *c; c++) {
        if (*c != '$') {
            strbuf_add_char(w->out, *c);
            continue;
        }
        switch (*++c) {
        case 'K':
            strbuf_add(w->out, family->name);
            break;
        case 'R':
            strbuf_add(w->out, text->result);
            break;
        case 'S':
            strbuf_printf(w->out, "%sstream", text->stream);
            break;
        case 'A':
            header_parameters(w, text, family->kernels);
            break;
        case 'I':
            header_integers(w, family->kernels);
            break;
        case 'Z':
            header_size_parameters(w, family->kernels);
            break;
        default:
            bug("header_functions.def: $%c has no meaning", *c);
        }
    }
}

const char *header_function_name(struct arena *arena, const struct header_family *family,
                                 enum header_function id) {
    struct strbuf name = {0};
    struct writer w = {.arena = arena, .out = &name};
    expand(&w, NULL, family, functions[id].name);
    const char *result = arena_strdup(arena, strbuf_text(&name));
    strbuf_free(&name);
    return result;
}

// "static inline CUresult k_launch(CUstream stream, …)", on as many lines as it takes.
static void add_head(const struct writer *w, const struct vendor_text *text,
                     const struct header_family *family, enum header_function id) {
    struct strbuf head = {0};
    struct writer inner = *w;
    inner.out = &head;
    strbuf_add(&head, "static inline ");
    expand(&inner, text, family, functions[id].result);
    expand(&inner, text, family, functions[id].name);
    strbuf_add_char(&head, '(');
    expand(&inner, text, family, functions[id].parameters);
    strbuf_add_char(&head, ')');
    header_wrap(w->out, strbuf_text(&head), "    ");
    strbuf_free(&head);
}

void header_begin(const struct writer *w, const struct vendor_text *text, const struct header_family *family,
                  enum header_function id) {
    add_head(w, text, family, id);
    strbuf_add(w->out, " {\n");
}

// A prototype and its line of documentation: on one line if both fit, else the documentation above.
static void write_prototype(const struct writer *w, const struct vendor_text *text,
                            const struct header_family *family, enum header_function id) {
    struct strbuf prototype = {0}, doc = {0};
    struct writer inner = *w;
    inner.out = &prototype;
    add_head(&inner, text, family, id);
    strbuf_add_char(&prototype, ';');
    inner.out = &doc;
    expand(&inner, text, family, functions[id].doc);
    bool behind = !memchr(prototype.data, '\n', prototype.length) &&
                  prototype.length + doc.length + strlen(" // ") <= HEADER_WIDTH;
    if (doc.length && !behind) {
        strbuf_printf(w->out, "// %s\n", strbuf_text(&doc));
    }
    strbuf_add(w->out, strbuf_text(&prototype));
    if (doc.length && behind) {
        strbuf_printf(w->out, " // %s", strbuf_text(&doc));
    }
    strbuf_add_char(w->out, '\n');
    strbuf_free(&prototype);
    strbuf_free(&doc);
}

void header_prototypes(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    if (family->count > 1) {
        strbuf_printf(w->out, "enum { %s_VARIANTS = %zu };\n", family->name, family->count);
    }
    for (int id = 0; id < HEADER_FUNCTIONS; id++) {
        if (header_has_function(family, w->reflection->triton_abi, (enum header_function)id)) {
            write_prototype(w, text, family, (enum header_function)id);
        }
    }
}
