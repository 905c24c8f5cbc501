// Walks over the instructions of a kernel in PTX or in AMD's assembly.
//
//   .visible .entry matmul(          PTX: from the entry to the brace at the start of a line; an instruction ends in a semicolon
//   matmul:                          AMD: from the label to .Lfunc_end; an instruction is a line that begins with a tab
//
// test: tests/unit/test_listing.c
#define _GNU_SOURCE // memmem
#include "artifact/listing.h"

#include <ctype.h>
#include <string.h>

#include "support/strbuf.h"

struct walk {
    enum vendor vendor;
    listing_each *each;
    void *user;
};

static void visit(const struct walk *walk, const char *mnemonic, size_t length) {
    walk->each(walk->user, mnemonic,
               instruction_facts(walk->vendor == VENDOR_NVIDIA ? SET_PTX : SET_AMD, mnemonic, length));
}

static size_t word_length(const char *at, const char *end) {
    const char *from = at;
    while (at < end && (isalnum((unsigned char)*at) || strchr("._:", *at))) {
        at++;
    }
    return (size_t)(at - from);
}

// Reads a statement of PTX, without its semicolon: a label, a directive or an instruction, behind a predicate.
static void read_statement(const struct walk *walk, const char *at, const char *end) {
    for (;;) {
        while (at < end && (isspace((unsigned char)*at) || *at == '{' || *at == '}')) {
            at++;
        }
        if (at < end && *at == '@') { // "@%p1 bra …"
            while (at < end && !isspace((unsigned char)*at)) {
                at++;
            }
        } else if (at < end && *at == '$') { // "$L__BB0_1:"
            const char *colon = memchr(at, ':', (size_t)(end - at));
            at = colon ? colon + 1 : end;
        } else {
            break;
        }
    }
    if (at < end && isalpha((unsigned char)*at)) {
        visit(walk, at, word_length(at, end));
    }
}

// Behind the next place of `mark`; NULL: there is none.
static const char *behind(const char *from, const char *end, const char *mark) {
    size_t length = strlen(mark);
    const char *at = from ? memmem(from, (size_t)(end - from), mark, length) : NULL;
    return at ? at + length : NULL;
}

static void read_ptx(const struct walk *walk, const char *from, const char *to) {
    const char *statement = from;
    for (const char *at = from; at < to; at++) {
        if (*at == '/' && at + 1 < to && at[1] == '/') {
            const char *line = memchr(at, '\n', (size_t)(to - at));
            statement = at = line ? line : to;
        } else if (*at == ';') {
            read_statement(walk, statement, at);
            statement = at + 1;
        }
    }
}

static void read_amd(const struct walk *walk, const char *from, const char *to) {
    for (const char *line = from; line < to;) {
        const char *next = memchr(line, '\n', (size_t)(to - line));
        if (line[0] == '\t' && line + 1 < to && islower((unsigned char)line[1])) {
            visit(walk, line + 1, word_length(line + 1, to));
        }
        line = next ? next + 1 : to;
    }
}

bool listing_walk(const char *text, size_t length, enum vendor vendor, const char *kernel, listing_each *each,
                  void *user) {
    struct walk walk = {vendor, each, user};
    bool ptx = vendor == VENDOR_NVIDIA;
    const char *end = text + length;
    struct strbuf mark = {0};
    strbuf_printf(&mark, ptx ? ".entry %s(" : "\n%s:", kernel);
    bool at_start = !ptx && mark.length <= length + 1 && memcmp(text, mark.data + 1, mark.length - 1) == 0;
    const char *from = at_start ? text + mark.length - 1 : behind(text, end, strbuf_text(&mark));
    from = ptx ? behind(from, end, "\n{") : from;
    const char *to = behind(from, end, ptx ? "\n}" : ".Lfunc_end");
    strbuf_free(&mark);
    if (to) {
        (ptx ? read_ptx : read_amd)(&walk, from, to);
    }
    return to;
}

static void count(void *user, const char *mnemonic, struct instruction_facts facts) {
    (void)mnemonic;
    struct instruction_mix *mix = user;
    enum instruction_column column = instruction_column_of(facts.kind);
    unsigned width = facts.width < LISTING_WIDEST ? facts.width : LISTING_WIDEST;
    mix->all++;
    if (column != NO_COLUMN) {
        mix->of[column]++;
        mix->loads[width] += column == COLUMN_LOADS;
        mix->stores[width] += column == COLUMN_STORES;
    }
}

bool listing_count(const char *text, size_t length, enum vendor vendor, const char *kernel,
                   struct instruction_mix *mix) {
    *mix = (struct instruction_mix){0};
    return listing_walk(text, length, vendor, kernel, count, mix);
}
