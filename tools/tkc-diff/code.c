// Instructions from their text: the kind and the width by tables, the shape without numbers of registers.
#define _GNU_SOURCE // memmem
#include "diff.h"

#include <string.h>

const char *const kind_names[] = {
#define KIND(id, name) name,
#include "instructions.def"
#undef KIND
};

enum { KIND_ARITHMETIC = KIND_COUNT };
enum writes { WRITES_NONE, WRITES_FIRST, WRITES_TWO, WRITES_BOTH };

static const struct instruction_row {
    enum instruction_set set;
    const char *prefix;
    uint16_t kind;
    enum writes writes;
} rows[] = {
#define INSTRUCTION(set, prefix, kind, writes) {SET_##set, prefix, KIND_##kind, WRITES_##writes},
#include "instructions.def"
#undef INSTRUCTION
};

// ---- tables ----

static bool begins(const char *name, size_t length, const char *prefix) {
    size_t size = strlen(prefix);
    if (size > length || memcmp(name, prefix, size) != 0) {
        return false;
    }
    return size == length || prefix[size - 1] == '_' || name[size] == '.' || name[size] == '_';
}

static const struct instruction_row *find_row(enum instruction_set set, const char *name, size_t length) {
    const struct instruction_row *best = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].set == set && begins(name, length, rows[i].prefix) &&
            (!best || strlen(best->prefix) < strlen(rows[i].prefix))) {
            best = &rows[i];
        }
    }
    return best;
}

static bool has(const char *name, size_t length, const char *part) {
    return memmem(name, length, part, strlen(part)) != NULL;
}

static bool has_any(const char *name, size_t length, const char *const *parts) {
    for (; *parts; parts++) {
        if (has(name, length, *parts)) {
            return true;
        }
    }
    return false;
}

static uint16_t kind_of(const struct instruction_row *row, enum instruction_set set, const char *name,
                        size_t length) {
    static const char *const ptx[] = {".f16", ".f32", ".f64", ".bf16", ".tf32", NULL};
    static const char *const amd[] = {"_f16", "_f32", "_f64", "_bf16", NULL};
    uint16_t kind = row ? row->kind : set == SET_AMD ? KIND_OTHER : KIND_ARITHMETIC;
    if (kind == KIND_ARITHMETIC) {
        kind = has_any(name, length, set == SET_AMD ? amd : ptx) ? KIND_FLOAT : KIND_INTEGER;
    }
    return kind;
}

// Bytes that a thread moves: the first row whose text is in the name.
static uint16_t width_of(enum instruction_set set, const char *name, size_t length) {
    static const struct {
        enum instruction_set set;
        const char *text;
        uint16_t bytes;
    } widths[] = {
        {SET_PTX, ".m8n8.x4", 16},
        {SET_PTX, ".m8n8.x2", 8},
        {SET_PTX, ".m8n8.x1", 4},
        {SET_AMD, "2_b64", 16},
        {SET_AMD, "2st64_b64", 16},
        {SET_AMD, "2addr_b64", 16},
        {SET_AMD, "stride64_b64", 16},
        {SET_AMD, "write2", 8},
        {SET_AMD, "read2", 8},
        {SET_AMD, "2addr", 8},
        {SET_AMD, "x4", 16},
        {SET_AMD, "x3", 12},
        {SET_AMD, "x2", 8},
        {SET_AMD, "b128", 16},
        {SET_AMD, "b96", 12},
        {SET_AMD, "b64", 8},
        {SET_AMD, "dword", 4},
        {SET_AMD, "b32", 4},
        {SET_AMD, "byte", 1},
        {SET_AMD, "_u8", 1},
        {SET_AMD, "_i8", 1},
        {SET_AMD, "_b8", 1},
        {SET_AMD, "short", 2},
        {SET_AMD, "16", 2},
        {SET_SASS, ".128", 16},
        {SET_SASS, ".M88.4", 16},
        {SET_SASS, ".M88.2", 8},
        {SET_SASS, ".M88", 4},
        {SET_SASS, ".64", 8},
        {SET_SASS, ".U16", 2},
        {SET_SASS, ".S16", 2},
        {SET_SASS, ".U8", 1},
        {SET_SASS, ".S8", 1},
        {SET_SASS, "", 4},
    };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (widths[i].set == set && has(name, length, widths[i].text)) {
            return widths[i].bytes;
        }
    }
    return 0;
}

// ".v4.b32" is 16: the number of elements times the bits of the last type. Of matrices the number says it.
static uint16_t ptx_width(const char *name, size_t length) {
    unsigned elements = 1, bits = 0;
    uint16_t of_matrices = width_of(SET_PTX, name, length);
    if (of_matrices) {
        return of_matrices;
    }
    for (size_t i = 0; i + 1 < length; i++) {
        const char *part = name + i + 1;
        size_t digits = 0;
        while (name[i] == '.' && i + 2 + digits < length && part[1 + digits] >= '0' &&
               part[1 + digits] <= '9') {
            digits++;
        }
        unsigned number = 0;
        for (size_t d = 0; d < digits && number < 1000; d++) {
            number = 10 * number + (unsigned)(part[1 + d] - '0');
        }
        if (digits && *part == 'v') {
            elements = number;
        } else if (digits && strchr("busf", *part)) {
            bits = number;
        }
    }
    return (uint16_t)(elements * bits / 8);
}

static bool is_access(uint16_t kind) {
    return kind == KIND_GLOBAL_LOAD || kind == KIND_GLOBAL_STORE || kind == KIND_SHARED_LOAD ||
           kind == KIND_SHARED_STORE || kind == KIND_LOCAL_LOAD || kind == KIND_LOCAL_STORE;
}

// ---- building ----

void code_begin(struct code *code, const char *opcode, size_t length) {
    const struct instruction_row *row = find_row(code->set, opcode, length);
    enum writes writes = row ? row->writes : WRITES_FIRST;
    strbuf_clear(&code->shape);
    strbuf_clear(&code->form);
    code->operand_count = 0;
    code->position = 0;
    code->depth = 0;
    code->in_address = false;
    code->kind = kind_of(row, code->set, opcode, length);
    code->width = !is_access(code->kind) ? 0
                  : code->set == SET_PTX ? ptx_width(opcode, length)
                                         : width_of(code->set, opcode, length);
    code->writes = writes == WRITES_NONE ? 0 : writes == WRITES_TWO ? 2 : 1;
    code->reads_first = writes == WRITES_BOTH;
    code_text(code, opcode, length);
    code_text(code, " ", 1);
}

static void add_both(struct code *code, const char *text, size_t length) {
    strbuf_add_bytes(&code->shape, text, length);
    strbuf_add_bytes(&code->form, text, length);
}

void code_text(struct code *code, const char *text, size_t length) {
    add_both(code, text, length);
    if (length != 1) {
        return;
    }
    code->depth += *text == '{' || *text == '[' || *text == '(';
    code->depth -= *text == '}' || *text == ']' || *text == ')';
    code->in_address = *text == '[' || (code->in_address && *text != ']');
    code->position += *text == ',' && code->depth == 0;
}

void code_number(struct code *code, const char *text, size_t length) {
    strbuf_add_bytes(&code->shape, text, length);
    strbuf_add_char(&code->form, '#');
}

void code_register(struct code *code, const char *class, uint32_t first, unsigned count) {
    add_both(code, "%", 1);
    add_both(code, class, strlen(class));
    if (count > 1) {
        strbuf_printf(&code->shape, "*%u", count);
        strbuf_printf(&code->form, "*%u", count);
    }
    bool written = code->position < code->writes && !code->in_address;
    uint8_t role = !written ? ROLE_READ : code->reads_first ? ROLE_READ | ROLE_WRITTEN : ROLE_WRITTEN;
    code->operands = arena_grown(code->loader->arena, code->operands, code->operand_count,
                                 &code->operand_capacity, sizeof *code->operands);
    code->operands[code->operand_count++] = (struct operand){first, (uint16_t)count, role};
    if (first + count > code->kernel->register_count) {
        code->kernel->register_count = first + count;
    }
}

// A result that a predicate may leave out is read, too: it keeps its value then.
void code_predicate(struct code *code, bool negated, const char *class, uint32_t first) {
    unsigned writes = code->writes;
    code->writes = 0;
    code_text(code, negated ? "@!" : "@", negated ? 2 : 1);
    code_register(code, class, first, 1);
    code_text(code, " ", 1);
    code->writes = writes;
    code->reads_first = true;
}

void code_end(struct code *code, int32_t target) {
    struct arena *arena = code->loader->arena;
    struct kernel *kernel = code->kernel;
    kernel->code = arena_grown(arena, kernel->code, kernel->count, &kernel->capacity, sizeof *kernel->code);
    struct instruction *added = &kernel->code[kernel->count++];
    struct names *names = &code->loader->names;
    *added = (struct instruction){
        .shape = names_number(names, arena, strbuf_text(&code->shape), code->shape.length),
        .form = names_number(names, arena, strbuf_text(&code->form), code->form.length),
        .kind = code->kind,
        .width = code->width,
        .target = target,
        .operand_count = (uint32_t)code->operand_count,
        .operands = ARENA_ARRAY(arena, struct operand, code->operand_count + 1)};
    if (code->operand_count) {
        memcpy(added->operands, code->operands, code->operand_count * sizeof *code->operands);
    }
}
