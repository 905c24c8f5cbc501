// Loops whose loads are copied to LDS past the registers (gfx950): which ones, and how many slots they get.
//
// A wave waits for its copies by their number (vmcnt), so each iteration has to start as many as any other. Masks would leave lanes out: only
// loads without any are copied, and the last iterations start copies of tiles that are there already, which nobody reads.
//
// A part of plan. test: tests/golden/passes/plan/lds_copies.mlir, tests/unit/test_plan.c
#include "passes/pipeline/pipeline.h"

#include "chip/lds_copy.h"
#include "chip/registers.h"
#include "ir/build.h"

static unsigned bytes_of(MlirOperation load) {
    return type_bits(type_element(mlirValueGetType(mlirOperationGetResult(load, 0)))) / 8;
}

static bool is_copied(struct pipeline *p, MlirOperation load) {
    struct layout slot;
    const struct layout *pointers = type_layout(p->ir, mlirValueGetType(load_pointer(load)));
    unsigned bytes = bytes_of(load), width = bytes * (unsigned)op_int(load, ATTR_VECTOR);
    if (mlirOperationGetNumOperands(load) > 1) {
        return decline(p->context, load, REASON_COPY_MASK);
    }
    if (width != LDS_COPY_BYTES) {
        return decline_numbers(p->context, load, REASON_COPY_WIDTH, width, LDS_COPY_BYTES);
    }
    return lds_copy_slot(p->context->target, pointers, bytes, &slot) ||
           decline(p->context, load, REASON_COPY_LAYOUT);
}

bool pipeline_copies_to_lds(struct pipeline *p) {
    for (size_t i = 0; i < p->load_count; i++) {
        if (!is_copied(p, p->loads[i].load)) {
            return false;
        }
    }
    for (size_t s = 0; s < p->slice_count; s++) {
        if (op_kind(p->ir, p->slice[s]) == OP_LOAD) {
            return decline(p->context, p->slice[s], REASON_COPY_ADDRESS);
        }
    }
    return true;
}

unsigned pipeline_group_of_copies(const struct pipeline *p) {
    unsigned count = 0;
    for (size_t i = 0; i < p->load_count; i++) {
        MlirValue pointers = load_pointer(p->loads[i].load);
        count += layout_registers(type_layout(p->ir, mlirValueGetType(pointers))) *
                 bytes_of(p->loads[i].load) / LDS_COPY_BYTES;
    }
    return count;
}

// A third slot lets copies run two iterations ahead. It must not cost a block: two that take half of the registers each share the compute unit.
void lds_copies_stages(struct pass_context *context, struct pipeline *plans, struct loop_stages *stages,
                       size_t count) {
    enum { MOST_SLOTS = 3, HALF = 256 };
    const struct target *target = context->target;
    for (size_t i = 0; i < count; i++) {
        stages[i].slots = plans[i].async ? 2 : stages[i].slots;
    }
    if (!stages_kept(context, stages, count, target->shared_limit)) {
        for (size_t i = 0; i < count; i++) {
            if (plans[i].async) {
                plans[i].async = false;
                plans[i].slots = 2;
                decline(context, (MlirOperation){NULL}, REASON_COPY_ROOM);
                plans[i].uncopied = context->declined;
                stages[i].least = 1;
            }
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (plans[i].async && plans[i].slots >= MOST_SLOTS) {
            unsigned blocks = registers_blocks(target, plans[i].num_warps, HALF);
            unsigned share = target_shared_share(target, blocks > 1 ? 2 : 1);
            unsigned limit = stages_kept(context, stages, count, share) ? share : target->shared_limit;
            stages[i].slots = MOST_SLOTS;
            stages[i].slots -= !stages_kept(context, stages, count, limit);
        }
    }
}
