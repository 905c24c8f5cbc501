// Text of kernels in LLVM IR with tensor memory: rows of asm.def, and composed moves.
#ifndef TKC_TESTS_TENSOR_TEXT_H
#define TKC_TESTS_TENSOR_TEXT_H

#include "emulator_harness.h"

#include "chip/asm.h"
#include "chip/tcgen05.h"
#include "support/strbuf.h"

static inline void row(struct strbuf *text, enum asm_id id, const char *operands) {
    char constraints[128];
    strbuf_printf(text, "call void asm sideeffect \"%s\", \"%s\"(%s)\n", asm_table[id].text,
                  asm_constraints(id, constraints, sizeof constraints), operands);
}

static inline void words(struct strbuf *text, const char *name, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; i++) {
        strbuf_printf(text, "%si32 %%%s%u", i > first ? ", " : "", name, i);
    }
}

// A move or a wait; results become words `to`.
static inline void move(struct strbuf *text, struct tcgen05_move what, const char *address, const char *from,
                        const char *to, unsigned first) {
    struct strbuf assembly = {0}, constraints = {0}, type = {0};
    tcgen05_compose(&what, 'r', &assembly, &constraints);
    for (unsigned i = 0; i < what.words; i++) {
        strbuf_add(&type, i ? ", i32" : "{i32");
    }
    strbuf_add(&type, "}");
    if (to) {
        strbuf_printf(text, "%%%s.all%u = ", to, first);
    }
    strbuf_printf(text, "call %s asm sideeffect \"%s\", \"%s,~{memory}\"(", to ? strbuf_text(&type) : "void",
                  strbuf_text(&assembly), strbuf_text(&constraints));
    if (address) {
        strbuf_printf(text, "i32 %s%s", address, from ? ", " : "");
    }
    if (from) {
        words(text, from, first, what.words);
    }
    strbuf_add(text, ")\n");
    for (unsigned i = 0; to && i < what.words; i++) {
        strbuf_printf(text, "%%%s%u = extractvalue %s %%%s.all%u, %u\n", to, first + i, strbuf_text(&type),
                      to, first, i);
    }
    strbuf_free(&assembly);
    strbuf_free(&constraints);
    strbuf_free(&type);
}

#endif
