// PTX modules of one target joined into one:
//
//     .version, .target, .address_size        the same in all: once
//     .extern .shared .align 1024 … tkc_shared[];    once, with the largest alignment
//     .extern .func … vprintf …;              once
//     .file N "path"                          once a path; .loc directives get the numbers of the whole
//     .section .debug_str, names of functions once, with each name once
//     entries and all other definitions       in order
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"

static const char shared_start[] = ".extern .shared .align ";

enum { MOST_FILES = 256 };

struct joining {
    struct strbuf *out;
    struct strbuf declarations, bodies;
    unsigned alignment;           // of the shared memory; 0: not declared
    struct strbuf shared_rest;    // " .b8 tkc_shared[];\n"
    struct strbuf files, names;   // the .file directives; the content of .debug_str
    unsigned numbers[MOST_FILES]; // of the module's files, by its own numbers - 1
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

static const char file_start[] = "\t.file\t", loc_start[] = "\t.loc\t", at_start[] = "inlined_at ",
                  section_start[] = "\t.section\t.debug_str";

// A line `.file 1 "path"`: the path gets a number of the whole.
static void take_file(struct joining *j, const char *line, size_t length) {
    char *path;
    unsigned long own = strtoul(line + sizeof file_start - 1, &path, 10), number = 1;
    struct strbuf rest = {0}; // ` "path"`
    strbuf_add_bytes(&rest, path, length - (size_t)(path - line));
    const char *at = strbuf_text(&j->files);
    for (; *at && !begins_with(at + strcspn(at, " "), strbuf_text(&rest)); number++) {
        at += strcspn(at, "\n") + 1;
    }
    if (!*at) {
        strbuf_printf(&j->files, "%s%lu%s", file_start, number, strbuf_text(&rest));
    }
    if (own >= 1 && own <= MOST_FILES) {
        j->numbers[own - 1] = (unsigned)number;
    }
    strbuf_free(&rest);
}

// Adds the file number at `text` as one of the whole. -> the text behind it
static const char *add_number(struct joining *j, const char *text) {
    char *rest;
    unsigned long own = strtoul(text, &rest, 10);
    strbuf_printf(&j->bodies, "%lu", own >= 1 && own <= MOST_FILES ? j->numbers[own - 1] : own);
    return rest;
}

// A line `.loc 1 5 16, function_name …, inlined_at 1 10 9`.
static void add_loc(struct joining *j, const char *line, size_t length) {
    const char *end = line + length, *rest;
    strbuf_add(&j->bodies, loc_start);
    rest = add_number(j, line + sizeof loc_start - 1);
    for (const char *at = rest; at < end; at++) {
        if (begins_with(at, at_start)) {
            at += sizeof at_start - 1;
            strbuf_add_bytes(&j->bodies, rest, (size_t)(at - rest));
            rest = add_number(j, at);
        }
    }
    strbuf_add_bytes(&j->bodies, rest, (size_t)(end - rest));
}

// The names of a section .debug_str, in lines "label:" and ".b8 …". -> the length of the section's text
static size_t take_names(struct joining *j, const char *text) {
    const char *line = strchr(text, '{'), *end = strchr(text, '}');
    for (line += strcspn(line, "\n") + 1; line < end && *line != '\t';) {
        size_t label = strcspn(line, "\n") + 1, length = label + strcspn(line + label, "\n") + 1;
        struct strbuf one = {0};
        strbuf_add_bytes(&one, line, length);
        if (!strstr(strbuf_text(&j->names), strbuf_text(&one))) {
            strbuf_add_bytes(&j->names, one.data, one.length);
        }
        strbuf_free(&one);
        line += length;
    }
    return (size_t)(end - text) + strcspn(end, "\n") + 1;
}

// The numbers of a module's files, from its end.
static void take_files(struct joining *j, const struct strbuf *module) {
    for (const char *line = module->data, *end = line + module->length; line < end;) {
        size_t length = strcspn(line, "\n") + 1;
        if (begins_with(line, file_start)) {
            take_file(j, line, length);
        }
        line += length;
    }
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
    take_files(j, module);
    while (rest < end) {
        bool declares = begins_with(rest, ".extern ");
        size_t length = declares ? declaration_length(rest) : strcspn(rest, "\n") + 1;
        length = length < (size_t)(end - rest) ? length : (size_t)(end - rest);
        if (begins_with(rest, loc_start)) {
            add_loc(j, rest, length);
        } else if (begins_with(rest, section_start)) {
            length = take_names(j, rest);
        } else if (declares) {
            declare(j, rest, length);
        } else if (!begins_with(rest, file_start)) { // those are taken
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
    strbuf_add(out, strbuf_text(&j.files));
    if (j.names.length) {
        strbuf_printf(out, "%s\n\t{\n%s\t}\n", section_start, strbuf_text(&j.names));
    }
    strbuf_free(&j.files);
    strbuf_free(&j.names);
    strbuf_free(&j.declarations);
    strbuf_free(&j.shared_rest);
    strbuf_free(&j.bodies);
}
