// The inline-assembly table.
#include "chip/asm.h"

#include <stdio.h>

#include "dialects/tk/tk.h"
#include "dialects/tk/words.h"
#include "ir/build.h"

const struct asm_row asm_table[ASM_COUNT] = {
#define ASM(id, vendor, text, constraints, effects, doc)                                                     \
    {#id, VENDOR_##vendor, text, constraints, effects, doc},
#include "chip/asm.def"
#undef ASM
};

const char *asm_constraints(enum asm_id id, char *buffer, unsigned size) {
    const struct asm_row *row = &asm_table[id];
    const char *clobber = row->effects >= ASM_MEMORY ? "~{memory}" : "";
    snprintf(buffer, size, "%s%s%s", row->constraints, *row->constraints && *clobber ? "," : "", clobber);
    return buffer;
}

bool atomic_adds_vectors(struct ir *ir, const struct target *target, MlirOperation op) {
    return target->vendor == VENDOR_NVIDIA && target->compute_capability >= 90 &&
           op_kind(ir, op) == OP_ATOMIC_RMW && op_rmw_operation(op) == RMW_FADD &&
           !value_has_uses(mlirOperationGetResult(op, 0));
}
