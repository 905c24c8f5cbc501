// The three texts of a page, without noise: metadata, directives, debug labels. Each line keeps its source line.
//
//   tile IR   MLIR prints an op a line, in the order of a walk; terminators without operands may be left out
//   LLVM      "%3 = add i32 …, !dbg !17", and far below "!17 = !DILocation(line: 12, …"
//   PTX       ".loc 1 12 9" before the instructions of line 12
//   GCN       the same
//
// Locations are of one source alone (lower_options.lines_of), so a line number says everything.
#include "report/texts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialects/tk/tk.h"
#include "passes/pass.h"

void text_lines_add(struct text_lines *t, const char *text, size_t length, unsigned source_line) {
    t->lines = arena_grown(t->arena, t->lines, t->count, &t->capacity, sizeof *t->lines);
    t->lines[t->count++] = source_line;
    strbuf_add_bytes(&t->text, text, length);
    strbuf_add_char(&t->text, '\n');
}

struct report_text text_lines_end(struct text_lines *t, const char *name) {
    struct report_text done = {.name = name,
                               .text = arena_strndup(t->arena, strbuf_text(&t->text), t->text.length),
                               .length = t->text.length,
                               .lines = t->lines,
                               .count = t->count};
    strbuf_free(&t->text);
    return done;
}

bool text_next_line(const char **at, const char **line, size_t *length) {
    if (!**at) {
        return false;
    }
    *line = *at;
    *length = strcspn(*at, "\n");
    *at += *length + ((*at)[*length] == '\n');
    return true;
}

bool text_starts(const char *line, size_t length, const char *word) {
    size_t size = strlen(word);
    return length >= size && memcmp(line, word, size) == 0;
}

// ---- tile IR ----

unsigned report_line_of(struct ir *ir, MlirLocation at, const struct source *source) {
    const struct ir_place *place = ir_place(ir, at);
    while (place && place->position.source != source) {
        place = place->caller;
    }
    return place ? place->position.line : 0;
}

unsigned gather_line(struct ir *ir, MlirOperation op, const struct source *source) {
    return report_line_of(ir, mlirOperationGetLocation(op), source);
}

// The line's op is the walk's: its name stands in the line, or behind the dialect (return).
static bool is_printed_as(MlirOperation op, const char *line, size_t length) {
    char name[64], text[512];
    MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(op));
    const char *dot = memchr(full.data, '.', full.length);
    size_t skip = dot ? (size_t)(dot - full.data) + 1 : 0;
    snprintf(name, sizeof name, "%.*s", (int)(full.length - skip), full.data + skip);
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    return strstr(text, name) != NULL;
}

// MLIR prints no terminator of a loop or branch without results.
static bool is_left_out(struct ir *ir, MlirOperation op) {
    if (op_kind(ir, op) != OP_SCF_YIELD) {
        return false;
    }
    MlirOperation parent = mlirOperationGetParentOperation(op);
    enum op_kind kind = op_kind(ir, parent);
    return (kind == OP_FOR || kind == OP_IF) && mlirOperationGetNumResults(parent) == 0;
}

// The first line of an op: no brace, block or alias.
static bool begins_op(const char *line, size_t length) {
    size_t at = 0;
    while (at < length && line[at] == ' ') {
        at++;
    }
    return at < length && line[at] != '}' && line[at] != '^' && line[at] != '#';
}

struct report_text report_tile_text(struct arena *arena, struct ir *ir, MlirModule tiles,
                                    const struct source *source) {
    struct text_lines lines = {.arena = arena};
    char *text = NULL;
    size_t length = 0, count = 0, next = 0;
    FILE *memory = open_memstream(&text, &length);
    ir_print(ir, tiles, memory);
    fclose(memory);
    MlirOperation *ops = ops_collect(ir, arena, mlirModuleGetOperation(tiles), &count);
    const char *at = text, *line;
    while (text_next_line(&at, &line, &length)) {
        unsigned from = 0;
        if (begins_op(line, length) && !text_starts(line, length, "module")) {
            while (next < count && is_left_out(ir, ops[next])) {
                next++;
            }
            bool known = next < count && is_printed_as(ops[next], line, length);
            from = known ? gather_line(ir, ops[next], source) : 0;
            next++;
        }
        text_lines_add(&lines, line, length, from);
    }
    free(text);
    return text_lines_end(&lines, "tile IR");
}

// ---- LLVM ----

static unsigned number_behind(const char *line, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size < length; i++) {
        if (memcmp(line + i, word, size) == 0) {
            return (unsigned)strtoul(line + i + size, NULL, 10);
        }
    }
    return 0;
}

// The source line of each metadata node of a location: lines[number].
static unsigned *location_lines(struct arena *arena, const char *text, size_t *count) {
    const char *at = text, *line;
    size_t length, most = 0;
    for (int pass = 0; pass < 2; pass++) {
        unsigned *lines = pass ? ARENA_ARRAY(arena, unsigned, most + 1) : NULL;
        for (at = text; text_next_line(&at, &line, &length);) {
            size_t number =
                line[0] == '!' && isdigit((unsigned char)line[1]) ? strtoul(line + 1, NULL, 10) : 0;
            if (number && pass && memchr(line, '=', length)) {
                lines[number] = number_behind(line, length, "DILocation(line: ");
            }
            most = number > most ? number : most;
        }
        if (pass) {
            *count = most + 1;
            return lines;
        }
    }
    return NULL;
}

static bool is_noise_of_llvm(const char *line, size_t length) {
    static const char *const heads[] = {
        "!",          "declare ",         "attributes ",      "source_filename",
        "; ModuleID", "; Function Attrs", "target datalayout"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (text_starts(line, length, heads[i])) {
            return true;
        }
    }
    return length == 0;
}

struct report_text report_llvm_text(struct arena *arena, const char *text) {
    struct text_lines lines = {.arena = arena};
    size_t count = 0, length;
    unsigned *places = location_lines(arena, text, &count);
    const char *at = text, *line;
    while (text_next_line(&at, &line, &length)) {
        if (is_noise_of_llvm(line, length)) {
            continue;
        }
        static const char mark[] = ", !dbg !";
        char *place = NULL;
        for (size_t i = length; i-- > 0 && !place;) {
            place = text_starts(line + i, length - i, mark) ? (char *)line + i : NULL;
        }
        size_t number = place ? strtoul(place + strlen(mark), NULL, 10) : 0;
        bool is_define = text_starts(line, length, "define ");
        text_lines_add(&lines, line, place && !is_define ? (size_t)(place - line) : length,
                       number < count && !is_define ? places[number] : 0);
    }
    return text_lines_end(&lines, "LLVM");
}

// ---- PTX and GCN ----

static bool is_noise_of_ptx(const char *line, size_t length) {
    return length == 0 || text_starts(line, length, "//") || text_starts(line, length, "$L__tmp") ||
           text_starts(line, length, "$L__func_") || text_starts(line, length, "\t.file") ||
           text_starts(line, length, "\t.section") || text_starts(line, length, "\t// .globl");
}

static bool is_noise_of_amd(const char *line, size_t length) {
    return length == 0 || text_starts(line, length, "\t.") || text_starts(line, length, ".Ltmp") ||
           text_starts(line, length, ".Lfunc_begin") || line[0] == ';' || text_starts(line, length, "\t;");
}

// AMD's text has tables before and behind the code of each kernel: the code stands between its label and .Lfunc_end.
static bool opens_kernel(const char *line, size_t length) {
    return length && line[0] != '.' && line[0] != '\t' && line[0] != ';' && memchr(line, ':', length);
}

struct report_text report_code_text(struct arena *arena, const struct strbuf *code, enum vendor vendor) {
    struct text_lines lines = {.arena = arena};
    const char *at = strbuf_text(code), *line;
    size_t length;
    unsigned current = 0;
    bool amd = vendor == VENDOR_AMD, inside = !amd;
    while (text_next_line(&at, &line, &length)) {
        if (amd && opens_kernel(line, length)) {
            inside = true;
            current = 0;
        }
        if (text_starts(line, length, "\t.loc")) {
            const char *number = line + strlen("\t.loc");
            number += strspn(number, " \t");
            number += strcspn(number, " \t");
            current = (unsigned)strtoul(number, NULL, 10);
        } else if (inside && !(amd ? is_noise_of_amd : is_noise_of_ptx)(line, length)) {
            bool instruction = line[0] == '\t' || line[0] == ' ';
            text_lines_add(&lines, line, length, instruction ? current : 0);
        }
        if (amd && text_starts(line, length, ".Lfunc_end")) {
            inside = false;
        }
    }
    return text_lines_end(&lines, amd ? "GCN" : "PTX");
}
