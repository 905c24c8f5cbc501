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

bool atomic_takes_vectors(struct ir *ir, const struct target *target, MlirOperation op) {
    if (target->vendor != VENDOR_NVIDIA || op_kind(ir, op) != OP_ATOMIC_RMW) {
        return false;
    }
    enum rmw_operation operation = op_rmw_operation(op);
    MlirValue result = mlirOperationGetResult(op, 0);
    unsigned bits = type_bits(type_element(mlirValueGetType(result)));
    if (operation == RMW_LOAD || operation == RMW_STORE) {
        return op_memory_order(op) == ORDER_RELAXED && bits >= 32;
    }
    return operation == RMW_FADD && target_has(target, FEATURE(SM90)) && bits <= 32 &&
           !value_has_uses(result);
}
