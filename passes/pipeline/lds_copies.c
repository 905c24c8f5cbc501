// Loops whose loads are copied to LDS past the registers (gfx950): which ones, and how many slots they get.
//
// A wave waits for its copies by their number (vmcnt), so each iteration has to start as many as any other. Masks would leave lanes out: only
// loads without masks are copied, and the last iterations start copies of tiles already there, for no reader.
//
// A part of plan. test: tests/golden/passes/plan/lds_copies.mlir, tests/unit/test_plan.c
#include "passes/pipeline/pipeline.h"

#include <math.h>

#include "chip/lds_copy.h"
#include "chip/peaks.h"
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

// Clocks that a block's products of an iteration take of a compute unit, by the chip's peak rate. With several dots there is arithmetic
// between them, and an iteration is long enough.
static int64_t clocks_of_step(const struct pipeline *p) {
    enum { BITS = 16, LONG = 1 << 20 };
    const struct peaks *peaks = peaks_of(p->context->target);
    int64_t clocks = 0, rate = peaks ? llround(peaks->f16 / peaks->multiprocessors / peaks->clock) : 1;
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(p->ir, op) == OP_DOT) {
            MlirType left = mlirValueGetType(dot_a(op)),
                     sums = mlirValueGetType(mlirOperationGetResult(op, 0));
            int64_t depth = type_extent(left, type_rank(left) - 1);
            int64_t operations = 2 * type_elements(sums) * depth * type_bits(type_element(left)) / BITS;
            clocks = clocks ? LONG : operations / rate;
        }
    }
    return clocks;
}

// A third slot lets copies run two iterations ahead, where the products of one are done before memory answers. It costs scalar instructions for
// the slots' numbers, and must not cost a block: two that take half of the registers each share the compute unit.
void lds_copies_stages(struct pass_context *context, struct pipeline *plans, struct loop_stages *stages,
                       size_t count) {
    enum { MOST_SLOTS = 3, HALF = 256, MEMORY_ANSWERS = 1000 };
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
        unsigned blocks = registers_blocks(target, plans[i].num_warps, HALF) > 1 ? 2 : 1;
        bool is_short = plans[i].async && blocks * clocks_of_step(&plans[i]) < MEMORY_ANSWERS;
        if (is_short && plans[i].slots >= MOST_SLOTS) {
            unsigned share = target_shared_share(target, blocks);
            unsigned limit = stages_kept(context, stages, count, share) ? share : target->shared_limit;
            stages[i].slots = MOST_SLOTS;
            stages[i].slots -= !stages_kept(context, stages, count, limit);
        }
    }
}
