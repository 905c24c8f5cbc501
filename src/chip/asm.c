// The inline-assembly table.
#include "chip/asm.h"

#include <stdio.h>

const struct asm_row asm_table[ASM_COUNT] = {
#define ASM(id, vendor, text, constraints, effects, doc)                                                     \
    {#id, VENDOR_##vendor, text, constraints, effects, doc},
#include "chip/asm.def"
#undef ASM
};

const char *asm_constraints(enum asm_id id, char *buffer, unsigned size) {
    const struct asm_row *row = &asm_table[id];
    const char *clobber = row->effects != ASM_PURE ? "~{memory}" : "";
    snprintf(buffer, size, "%s%s%s", row->constraints, *row->constraints && *clobber ? "," : "", clobber);
    return buffer;
}
