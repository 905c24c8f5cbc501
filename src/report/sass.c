// NVIDIA's machine code for the page, from two listings of nvdisasm with the same instructions:
//
//   .text.softmax:                                          .text.softmax:                        // |       |        |        |         |
//   \t//## File "softmax.tk", line 57                               /*0000*/      LDC R1, … ;      // |   2   |        |        |         |
//           /*0000*/      LDC R1, c[0x0][0x28] ;
//
// The first has the line of each, the second how many registers live there.
#define _GNU_SOURCE // memmem
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/texts.h"

// "/*0010*/   @!P0 LDG.E R4, [R2.64] ;": the part from the offset on; NULL: no instruction.
static const char *instruction_of(const char *line, size_t length) {
    size_t at = 0;
    while (at < length && isspace((unsigned char)line[at])) {
        at++;
    }
    return length - at > 4 && memcmp(line + at, "/*", 2) == 0 && isxdigit((unsigned char)line[at + 2])
               ? line + at
               : NULL;
}

// The kernel of ".text.softmax:"; none for any other line.
static size_t section_of(const char *line, size_t length, const char **name) {
    static const char head[] = ".text.";
    bool is = text_starts(line, length, head) && line[length - 1] == ':';
    *name = line + sizeof head - 1;
    return is ? length - sizeof head : 0;
}

static struct report_kernel *find_kernel(const struct report_code *code, const char *name, size_t length) {
    for (size_t i = 0; i < code->kernel_count; i++) {
        if (strlen(code->kernels[i].name) == length && memcmp(code->kernels[i].name, name, length) == 0) {
            return &code->kernels[i];
        }
    }
    return NULL;
}

// The number of registers in the second listing's line: behind "// |".
static unsigned live_of(const char *line, size_t length) {
    static const char mark[] = "// |";
    const char *at = memmem(line, length, mark, sizeof mark - 1);
    return at ? (unsigned)strtoul(at + sizeof mark - 1, NULL, 10) : 0;
}

// The next instruction of the second listing; 0: there are no more.
static unsigned next_live(const char **at) {
    const char *line;
    size_t length;
    while (text_next_line(at, &line, &length)) {
        if (instruction_of(line, length)) {
            return live_of(line, length);
        }
    }
    return 0;
}

// An instruction without its padding and its semicolon: "0010  @!P0 LDG.E R4, [R2.64]".
static void add_instruction(struct text_lines *out, const char *line, const char *at, size_t length,
                            unsigned from) {
    const char *end = line + length, *offset = at + 2;
    const char *close = memchr(offset, '*', (size_t)(end - offset));
    const char *text = close && end - close >= 2 ? close + 2 : end;
    while (text < end && isspace((unsigned char)*text)) {
        text++;
    }
    while (end > text && (end[-1] == ';' || isspace((unsigned char)end[-1]))) {
        end--;
    }
    const char *whole = arena_printf(out->arena, "%.*s  %s%.*s", (int)(close ? close - offset : 0), offset,
                                     text < end && *text == '@' ? "" : "    ", (int)(end - text), text);
    text_lines_add(out, whole, strlen(whole), from);
}

static void note_live(struct report_kernel *kernel, unsigned line, unsigned live) {
    if (kernel && kernel->registers && line <= kernel->line_count && live > kernel->registers[line]) {
        kernel->registers[line] = live;
    }
}

void report_sass(struct arena *arena, struct report_code *code, const char *lines, const char *lives) {
    struct text_lines out = {.arena = arena};
    struct report_kernel *kernel = NULL;
    const char *at = lines, *line, *name;
    size_t length;
    unsigned from = 0;
    for (size_t i = 0; i < code->kernel_count && *lives; i++) {
        code->kernels[i].registers = ARENA_ARRAY(arena, unsigned, code->kernels[i].line_count + 1);
    }
    while (text_next_line(&at, &line, &length)) {
        const char *instruction = instruction_of(line, length);
        size_t section = section_of(line, length, &name);
        if (text_starts(line, length, "\t//## File")) {
            const char *number = memmem(line, length, "\", line ", 8);
            from = number ? (unsigned)strtoul(number + 8, NULL, 10) : 0;
        } else if (instruction) {
            note_live(kernel, from, next_live(&lives));
            add_instruction(&out, line, instruction, length, from);
        } else if (section) {
            kernel = find_kernel(code, name, section);
            from = 0;
            text_lines_add(&out, name, section + 1, 0);
        } else if (text_starts(line, length, ".L_x_")) {
            text_lines_add(&out, line, length, 0);
        }
    }
    code->texts[REPORT_SASS] = text_lines_end(&out, "SASS");
}
