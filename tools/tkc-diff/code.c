// Instructions from their text: facts by the table, the shape without numbers of registers.
#include "diff.h"

#include <string.h>

// ---- building ----

void code_begin(struct code *code, const char *opcode, size_t length) {
    struct instruction_facts facts = instruction_facts(code->set, opcode, length);
    strbuf_clear(&code->shape);
    strbuf_clear(&code->form);
    code->operand_count = 0;
    code->position = 0;
    code->depth = 0;
    code->in_address = false;
    code->kind = (uint16_t)facts.kind;
    code->width = facts.width;
    code->writes = facts.writes == WRITES_NONE ? 0 : facts.writes == WRITES_TWO ? 2 : 1;
    code->reads_first = facts.writes == WRITES_BOTH;
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

// A result under a predicate is read, too: it keeps its value then.
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
