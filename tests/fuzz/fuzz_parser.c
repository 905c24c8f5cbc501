// fuzz_parser ITERATIONS FILE…: parses ITERATIONS mutated copies of each file. Nothing may crash, every
// location must lie in the file, and a file is either refused with an error or gives a tree. The sequence is
// the same in every run.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/syntax/ast_dump.h"
#include "frontend/syntax/parser.h"
#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"

static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t random_below(uint64_t *state, size_t limit) {
    return limit ? (size_t)(random_next(state) % limit) : 0;
}

// ---- mutations ----

struct text {
    char *bytes;
    size_t length;
};

// Replaces `removed` bytes at `offset` by `length` bytes, possibly from the text itself.
static void splice(struct text *text, size_t offset, size_t removed, const char *bytes, size_t length) {
    struct strbuf buf = {0};
    strbuf_add_bytes(&buf, text->bytes, offset);
    strbuf_add_bytes(&buf, bytes, length);
    strbuf_add_bytes(&buf, text->bytes + offset + removed, text->length - offset - removed);
    free(text->bytes);
    text->length = buf.length;
    text->bytes = malloc(buf.length + 1);
    memcpy(text->bytes, strbuf_text(&buf), buf.length + 1);
    strbuf_free(&buf);
}

static const char *const words[] = {
    "(",      ")",    "[",         "]",       "{",        "}",
    ":",      ",",    "=",         ":=",      "'",        "\"",
    "\"\"\"", "'''",  "f'",        "f\"{",    "\\",       "\n",
    "\r\n",   "\t",   "    ",      "\n    ",  "#",        "if ",
    "else:",  "def ", "class ",    "match ",  "case ",    "lambda ",
    "for ",   "in ",  "async ",    "await ",  "yield ",   "with ",
    "as ",    "try:", "except ",   "@",       "**",       "*",
    "not ",   "is ",  "0x",        "1e",      "1_",       "999999999999999999999999999999999999999999",
    "\\x",    "\\N{", "!r",        "\xff",    "\xc3\xa9", "return ",
    "->",     "...",  "type X = ", "global ", "import ",  "from . ",
};

static void mutate(struct text *text, uint64_t *random) {
    size_t offset = random_below(random, text->length + 1);
    size_t rest = text->length - offset;
    size_t piece = random_below(random, rest < 64 ? rest + 1 : 64);
    size_t other = random_below(random, text->length - piece + 1);
    const char *word = words[random_below(random, sizeof words / sizeof *words)];
    char byte = (char)random_next(random);
    switch (random_below(random, 6)) {
    case 0: // one byte
        splice(text, offset, rest ? 1 : 0, &byte, 1);
        break;
    case 1: // lose a piece
        splice(text, offset, piece, "", 0);
        break;
    case 2: // repeat a piece elsewhere
        splice(text, offset, 0, text->bytes + other, piece);
        break;
    case 3: // the end is missing
        splice(text, offset, random_below(random, 8) ? piece : rest, "", 0);
        break;
    default:
        splice(text, offset, 0, word, strlen(word));
        break;
    }
}

// ---- checks ----

static void check_location(const struct source *source, struct location location) {
    const char *start;
    size_t length = location.line ? source_line(source, location.line, &start) : 0;
    // One column past the end is the line's end; a carriage return alone ends a line for the lexer only.
    bool inside = location.line && location.column && location.column <= length + 1;
    if (location.source != source || (!inside && !memchr(source->text, '\r', source->length))) {
        fprintf(stderr, "location %u:%u+%u is outside the file:\n%s\n", location.line, location.column,
                location.length, source->text);
        abort();
    }
}

static void check_statements(const struct source *source, const struct stmt_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const struct stmt *stmt = list->items[i];
        check_location(source, stmt->location);
        if (stmt->kind == STMT_UNPARSED) {
            check_location(source, stmt->unparsed.fault->location);
        } else if (stmt->kind == STMT_FUNCTION) {
            if (stmt->function->fault) {
                check_location(source, stmt->function->fault->location);
            }
            check_statements(source, &stmt->function->body);
        } else if (stmt->kind == STMT_CLASS) {
            check_statements(source, &stmt->class_->body);
        }
    }
}

static void ignore(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static bool parse_once(const struct text *text) {
    struct arena *arena = arena_create();
    struct diag diag = {.sink = ignore};
    struct source source = {.path = "fuzz.tk", .text = text->bytes, .length = text->length};
    const struct module *module = parse_module(arena, &diag, &source);
    if (!module == !diag.error_count) {
        fprintf(stderr, "no tree and no error, or both:\n%s\n", text->bytes);
        abort();
    }
    if (module) {
        struct strbuf dump = {0};
        ast_dump(&dump, module);
        strbuf_free(&dump);
        check_statements(&source, &module->body);
    }
    arena_destroy(arena);
    return module != NULL;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: fuzz_parser ITERATIONS FILE...\n", stderr);
        return EXIT_USAGE;
    }
    size_t iterations = strtoul(argv[1], NULL, 10);
    size_t parsed = 0, total = 0;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int i = 2; i < argc; i++) {
        size_t length;
        char *seed = file_read(argv[i], &length);
        if (!seed) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        for (size_t k = 0; k < iterations; k++) {
            struct text text = {.bytes = malloc(length + 1), .length = length};
            memcpy(text.bytes, seed, length + 1);
            for (size_t mutations = 1 + random_below(&random, 6); mutations; mutations--) {
                mutate(&text, &random);
            }
            parsed += parse_once(&text);
            total++;
            free(text.bytes);
        }
        free(seed);
    }
    printf("%zu mutated files, %zu of them parsed\n", total, parsed);
    return EXIT_SUCCESS;
}
