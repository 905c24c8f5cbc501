// The main loop of a kernel in NVIDIA's machine code, as the page's listing has it (sass.c): from a label to a branch back to it.
//
//   .L_x_1:                                     a pass
//   0010      STL.64 [R1+0xd8], R2              8 bytes stored by a thread
//   0020      LDG.E.U16 R4, [R2.64]             an access
//   0030      HGMMA.64x128x16.F32 R88, …        a product
//   0040  @P0 BRA `(.L_x_1)
//
// Main is the loop with the most products, else with the most instructions, of loops without another one inside.
//
// test: tests/cli/check_report.py
#define _GNU_SOURCE // memmem
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/instructions.h"
#include "report/page.h"
#include "report/texts.h"

struct sass_line {
    const char *text;
    size_t length;
    unsigned from; // of the source
};

struct sass_code {
    struct sass_line *lines;
    size_t count;
};

// The lines of one kernel: behind "matmul:", up to the next such head.
static struct sass_code code_of(const struct page_part *page, size_t kernel) {
    const struct report_text *text = &page->part->code->texts[REPORT_SASS];
    const char *name = page->part->code->kernels[kernel].name, *at = text->name ? text->text : "", *line;
    struct sass_code code = {ARENA_ARRAY(page->arena, struct sass_line, text->count + 1), 0};
    size_t length, size = strlen(name);
    bool own = false;
    for (size_t i = 0; i < text->count && text_next_line(&at, &line, &length); i++) {
        if (length && line[length - 1] == ':' && line[0] != '.') {
            own = length == size + 1 && memcmp(line, name, size) == 0;
        } else if (own) {
            code.lines[code.count++] = (struct sass_line){line, length, text->lines[i]};
        }
    }
    return code;
}

// The label in a branch's operand, "`(.L_x_1)"; its length, 0: the line is no branch.
static size_t branch_label(const struct sass_line *line, const char **label) {
    static const char mark[] = "`(";
    const char *at = memmem(line->text, line->length, " BRA ", 5), *end = line->text + line->length;
    at = at ? memmem(at, (size_t)(end - at), mark, sizeof mark - 1) : NULL;
    *label = at ? at + sizeof mark - 1 : NULL;
    const char *close = at ? memchr(*label, ')', (size_t)(end - *label)) : NULL;
    return close ? (size_t)(close - *label) : 0;
}

static bool is_label(const struct sass_line *line, const char *label, size_t length) {
    return line->length == length + 1 && line->text[length] == ':' && memcmp(line->text, label, length) == 0;
}

// The first line of the loop closed by a line's branch; `at` itself: it closes none.
static size_t begin_of(const struct sass_code *code, size_t at) {
    const char *label;
    size_t length = branch_label(&code->lines[at], &label);
    for (size_t i = at; length && i-- > 0;) {
        if (is_label(&code->lines[i], label, length)) {
            return i;
        }
    }
    return at;
}

// The name of an instruction behind its offset and its predicate: "LDG.E.U16".
static size_t name_of(const struct sass_line *line, const char **name) {
    const char *at = line->text, *end = line->text + line->length;
    while (at < end && isxdigit((unsigned char)*at)) {
        at++;
    }
    while (at < end && (*at == ' ' || *at == '@')) {
        bool predicate = *at == '@';
        while (at < end && (predicate ? *at != ' ' : *at == ' ')) {
            at++;
        }
    }
    *name = at;
    while (at < end && !isspace((unsigned char)*at)) {
        at++;
    }
    return line->text[0] == '.' ? 0 : (size_t)(at - *name);
}

// Adds an instruction. An access takes the path to shared memory and the cache for 4 bytes of a thread or more.
static void add_line(const struct sass_line *line, struct page_machine_loop *loop) {
    enum { LEAST = 4 };
    const char *name;
    size_t length = name_of(line, &name);
    if (!length) {
        return;
    }
    struct instruction_facts facts = instruction_facts(SET_SASS, name, length);
    unsigned width = facts.width > LEAST ? facts.width : LEAST;
    loop->instructions++;
    switch (facts.kind) {
    case INSTRUCTION_MATRIX:
        loop->products++;
        break;
    case INSTRUCTION_LOCAL_LOAD:
    case INSTRUCTION_LOCAL_STORE:
        loop->spills++;
        loop->spilled += width;
        loop->moved += width;
        break;
    case INSTRUCTION_GLOBAL_LOAD:
    case INSTRUCTION_GLOBAL_STORE:
    case INSTRUCTION_SHARED_LOAD:
    case INSTRUCTION_SHARED_STORE:
    case INSTRUCTION_ATOMIC:
        loop->moved += width;
        break;
    default:
        break;
    }
    loop->line = loop->line && line->from > loop->line ? loop->line : line->from ? line->from : loop->line;
}

static struct page_machine_loop measure(const struct sass_code *code, size_t first, size_t last) {
    struct page_machine_loop loop = {0};
    for (size_t i = first; i <= last; i++) {
        add_line(&code->lines[i], &loop);
    }
    return loop;
}

bool page_machine_loop(const struct page_part *page, size_t kernel, struct page_machine_loop *found) {
    struct sass_code code = code_of(page, kernel);
    size_t inner = 0; // no loop behind it has begun before this line
    *found = (struct page_machine_loop){0};
    for (size_t i = 0; i < code.count; i++) {
        size_t begin = begin_of(&code, i);
        if (begin == i || begin < inner) {
            continue;
        }
        inner = i;
        struct page_machine_loop loop = measure(&code, begin, i);
        bool better = loop.products != found->products ? loop.products > found->products
                                                       : loop.instructions > found->instructions;
        *found = better ? loop : *found;
    }
    return found->instructions > 1; // a branch to itself ends a kernel's code
}
