// PTX modules of one target joined into one:
//
//     .version, .target, .address_size        the same in all: once
//     .extern .shared .align 1024 … tkc_shared[];    once, with the largest alignment
//     .extern .func … vprintf …;              once
//     entries and all other definitions       in order
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"

static const char shared_start[] = ".extern .shared .align ";

struct joining {
    struct strbuf *out;
    struct strbuf declarations, bodies;
    unsigned alignment;        // of the shared memory; 0: not declared
    struct strbuf shared_rest; // " .b8 tkc_shared[];\n"
};

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// The length of the declaration at `text`, to the end of the line with its semicolon.
static size_t declaration_length(const char *text) {
    size_t length = strcspn(text, ";");
    return length + strcspn(text + length, "\n") + 1;
}

static void declare(struct joining *j, const char *text, size_t length) {
    if (begins_with(text, shared_start)) {
        char *end;
        unsigned alignment = (unsigned)strtoul(text + sizeof shared_start - 1, &end, 10);
        j->alignment = alignment > j->alignment ? alignment : j->alignment;
        strbuf_clear(&j->shared_rest);
        strbuf_add_bytes(&j->shared_rest, end, length - (size_t)(end - text));
        return;
    }
    struct strbuf one = {0};
    strbuf_add_bytes(&one, text, length);
    if (!strstr(strbuf_text(&j->declarations), strbuf_text(&one))) {
        strbuf_add_bytes(&j->declarations, text, length);
    }
    strbuf_free(&one);
}

static void take_module(struct joining *j, const struct strbuf *module, bool first) {
    const char *text = module->data, *end = text + module->length;
    const char *size = strstr(text, "\n.address_size ");
    if (!size) {
        bug("PTX without .address_size");
    }
    const char *rest = size + 1 + strcspn(size + 1, "\n") + 1;
    if (first) {
        strbuf_add_bytes(j->out, text, (size_t)(rest - text));
    }
    while (rest < end) {
        bool declares = begins_with(rest, ".extern ");
        size_t length = declares ? declaration_length(rest) : strcspn(rest, "\n") + 1;
        length = length < (size_t)(end - rest) ? length : (size_t)(end - rest);
        if (declares) {
            declare(j, rest, length);
        } else {
            strbuf_add_bytes(&j->bodies, rest, length);
        }
        rest += length;
    }
}

void ptx_join(const struct strbuf *modules, size_t count, struct strbuf *out) {
    if (count == 1) {
        strbuf_add_bytes(out, modules->data, modules->length);
        return;
    }
    struct joining j = {.out = out};
    for (size_t i = 0; i < count; i++) {
        take_module(&j, &modules[i], i == 0);
    }
    strbuf_add_char(out, '\n');
    strbuf_add(out, strbuf_text(&j.declarations));
    if (j.alignment) {
        strbuf_printf(out, "%s%u%s", shared_start, j.alignment, strbuf_text(&j.shared_rest));
    }
    strbuf_add(out, strbuf_text(&j.bodies));
    strbuf_free(&j.declarations);
    strbuf_free(&j.shared_rest);
    strbuf_free(&j.bodies);
}
