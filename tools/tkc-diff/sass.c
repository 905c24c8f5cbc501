// NVIDIA's machine code as nvdisasm prints it:
//
//   .text.softmax:
//           /*0000*/                   MOV R1, c[0x0][0x28] ;
//           /*02c0*/              @!P0 LDG.E.U16 R4, [R2.64] ;
//   .L_x_0:
//
// A wide access names the first of its registers, so registers keep their place in a group of four (struct kernel).
#define _GNU_SOURCE // memmem
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"
#include "diff.h"

enum { REGISTERS_OF_A_KIND = 256 };

struct label {
    const char *name;
    size_t length;
    int32_t at;
};

struct labels {
    struct label *items;
    size_t count, capacity;
};

struct reader {
    struct loader *loader;
    struct code code; // code.kernel: NULL outside of kernels
    struct labels labels, uses;
};

static void add_label(struct reader *r, struct labels *labels, const char *name, size_t length, int32_t at) {
    labels->items =
        arena_grown(r->loader->arena, labels->items, labels->count, &labels->capacity, sizeof *labels->items);
    labels->items[labels->count++] =
        (struct label){arena_strndup(r->loader->arena, name, length), length, at};
}

// `R12`, `UR4`, `P0`, `UP1`; zero (RZ) and true (PT) are names.
static bool register_at(const char *at, const char **class, uint32_t *number, size_t *length) {
    static const char *const classes[] = {"UR", "UP", "R", "P"};
    for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t size = strlen(classes[i]);
        if (strncmp(at, classes[i], size) != 0 || !isdigit((unsigned char)at[size])) {
            continue;
        }
        char *end;
        unsigned long index = strtoul(at + size, &end, 10);
        *class = classes[i];
        *number = i * REGISTERS_OF_A_KIND + (uint32_t)index;
        *length = (size_t)(end - at);
        return index < REGISTERS_OF_A_KIND && !isalpha((unsigned char)*end) && *end != '_';
    }
    return false;
}

static bool is_name(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// "`(.L_x_0)": adds a use and returns its length; 0: none.
static size_t take_label(struct reader *r, const char *at) {
    if (at[0] != '`' || at[1] != '(') {
        return 0;
    }
    size_t length = strcspn(at + 2, ")");
    add_label(r, &r->uses, at + 2, length, (int32_t)r->code.kernel->count);
    code_text(&r->code, "label", 5);
    return length + 2 + (at[length + 2] == ')');
}

static void add_operands(struct reader *r, const char *at) {
    struct code *code = &r->code;
    while (*at && *at != ';') {
        const char *class;
        uint32_t number;
        size_t length = take_label(r, at);
        if (length) {
            at += length;
            continue;
        }
        if (register_at(at, &class, &number, &length)) {
            code_register(code, class, number, 1);
            at += length;
            at += strncmp(at, ".reuse", 6) ? 0 : 6; // a hint for the register file
            continue;
        }
        while (is_name(at[length])) {
            length++;
        }
        if (length && isdigit((unsigned char)*at)) {
            code_number(code, at, length);
        } else if (!isspace((unsigned char)*at)) {
            code_text(code, at, length ? length : 1);
        }
        at += length ? length : 1;
    }
}

static void add_instruction(struct reader *r, const char *at) {
    bool guarded = *at == '@', negated = guarded && at[1] == '!';
    const char *class = NULL;
    uint32_t number = 0;
    size_t length = 0;
    bool real = guarded && register_at(at + 1 + negated, &class, &number, &length);
    if (guarded) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    size_t name = strcspn(at, " ;");
    if (!name || (name == 3 && !memcmp(at, "NOP", 3))) {
        return; // padding
    }
    code_begin(&r->code, at, name);
    if (real) {
        code_predicate(&r->code, negated, class, number);
    } else if (guarded) {
        code_text(&r->code, "@", 1);
    }
    add_operands(r, at + name);
    code_end(&r->code, -1);
}

static void end_kernel(struct reader *r) {
    struct kernel *kernel = r->code.kernel;
    for (size_t i = 0; kernel && i < r->uses.count; i++) {
        const struct label *use = &r->uses.items[i];
        for (size_t j = 0; j < r->labels.count && use->at < (int32_t)kernel->count; j++) {
            if (r->labels.items[j].length == use->length &&
                !memcmp(r->labels.items[j].name, use->name, use->length)) {
                kernel->code[use->at].target = r->labels.items[j].at;
            }
        }
    }
    if (kernel) {
        kernel->machine = NULL;
        kernel->grouped = true;
        kernel->metrics[METRIC_INSTRUCTIONS] = (long long)kernel->count;
    }
    r->code.kernel = NULL;
    r->labels.count = r->uses.count = 0;
}

static void begin_kernel(struct reader *r, const struct file *file, const char *name, size_t length) {
    for (size_t i = 0; i < file->kernel_count; i++) {
        if (strlen(file->kernels[i]->name) == length && !memcmp(file->kernels[i]->name, name, length)) {
            r->code.kernel = file->kernels[i];
        }
    }
}

static void take_line(struct reader *r, const struct file *file, const char *line, size_t length) {
    if (length > 7 && !memcmp(line, ".text.", 6) && line[length - 1] == ':') {
        end_kernel(r);
        begin_kernel(r, file, line + 6, length - 7);
    } else if (length > 8 && !memcmp(line, ".section", 8)) {
        end_kernel(r);
    } else if (r->code.kernel && length > 1 && line[length - 1] == ':') {
        add_label(r, &r->labels, line, length - 1, (int32_t)r->code.kernel->count);
    } else if (r->code.kernel && length > 4 && !memcmp(line, "/*", 2)) {
        const char *close = memmem(line, length, "*/", 2);
        const char *at = close ? close + 2 : line + length;
        add_instruction(r, at + strspn(at, " \t{"));
    }
}

static bool run_nvdisasm(struct loader *loader, const uint8_t *bytes, size_t length, struct strbuf *text) {
    struct diag diag = {0};
    struct tool_work work;
    if (!tool_begin(&work, loader->arena, &diag)) {
        return false;
    }
    const char *argv[] = {loader->nvdisasm, "-c", tool_path(&work, "kernel.cubin"), NULL};
    bool good = tool_put(&work, "kernel.cubin", bytes, length) && tool_run(argv, text, &diag);
    tool_end(&work, good);
    return good;
}

bool sass_read(struct loader *loader, struct file *file, const uint8_t *bytes, size_t length) {
    struct reader r = {.loader = loader, .code = {.loader = loader, .set = SET_SASS}};
    struct strbuf text = {0};
    if (!run_nvdisasm(loader, bytes, length, &text)) {
        strbuf_free(&text);
        return load_fault(loader, file->path, "%s cannot decode it", loader->nvdisasm);
    }
    char *save = NULL;
    for (char *line = strtok_r(text.data, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " \t");
        size_t end = strlen(line);
        while (end && isspace((unsigned char)line[end - 1])) {
            line[--end] = 0;
        }
        take_line(&r, file, line, end);
    }
    end_kernel(&r);
    strbuf_free(&text);
    strbuf_free(&r.code.shape);
    strbuf_free(&r.code.form);
    return true;
}
