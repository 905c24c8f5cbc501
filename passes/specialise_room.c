// How many slots fit in shared memory beside what the rest of the function needs, and whether there is room for two tiles'
// operands that stay for a tile.
#include "passes/specialise.h"

#include "ir/build.h"
#include "passes/shared_ranges.h"

// Bytes as buffers take them, which begin at whole pieces.
static unsigned pieces(unsigned bytes) {
    enum { PIECE = 1024 };
    return (bytes + PIECE - 1) / PIECE * PIECE;
}

// What the loops' slots take, with barriers for them and for what is kept for a tile; and the buffers of that.
static unsigned slot_bytes(const struct specialise *s, int slots) {
    enum { KEPT_SLOTS = 2, FULL_AND_EMPTY = 2 };
    unsigned bytes = MBARRIER_BYTES * FULL_AND_EMPTY * SPECIALISE_GROUPS * (unsigned)(slots + KEPT_SLOTS);
    for (size_t i = 0; i < s->loops[0].load_count; i++) {
        bytes += pieces(s->loops[0].loads[i].bytes * (unsigned)slots);
    }
    return bytes;
}

static unsigned kept_bytes(const struct specialise *s, int slots) {
    unsigned bytes = 0;
    for (size_t i = 0; i < s->kept_count; i++) {
        bytes += pieces(s->kept[i].bytes * (unsigned)slots);
    }
    return bytes;
}

// Those that go with the vectors.
static void forget_conversions(struct map *gone, const struct copy *copies, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (copies[i].swizzle == 0) {
            MlirOperation convert = vector_conversion(&copies[i]);
            map_put(gone, convert.ptr, convert.ptr);
        }
    }
}

int slots_that_fit(struct specialise *s, int wanted) {
    struct map gone = {0};
    for (size_t n = 0; n < s->loop_count; n++) {
        for (size_t i = 0; i < s->loops[n].load_count; i++) {
            MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(s->loops[n].loads[i].access, 0));
            for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
                map_put(&gone, mlirOpOperandGetOwner(use).ptr, mlirOpOperandGetOwner(use).ptr);
            }
        }
    }
    for (size_t n = 0; n < s->loop_count; n++) {
        forget_conversions(&gone, s->loops[n].loads, s->loops[n].load_count);
    }
    forget_conversions(&gone, s->kept, s->kept_count);
    unsigned taken = 0;
    for (size_t i = 0; i < s->store_count; i++) {
        MlirOperation convert = value_op(mlirOperationGetOperand(s->stores[i].access, 1));
        map_put(&gone, convert.ptr, convert.ptr);
        taken += pieces(s->stores[i].bytes);
    }
    // Other operands in shared memory stay there while the loops run.
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirType type = op_kind(s->ir, ops[i]) == OP_CONVERT_LAYOUT && !map_has(&gone, ops[i].ptr)
                            ? mlirValueGetType(mlirOperationGetResult(ops[i], 0))
                            : (MlirType){NULL};
        if (!mlirTypeIsNull(type) && type_is_shared(s->ir, type)) {
            taken += pieces((unsigned)type_elements(type) * type_bits(type_element(type)) / 8);
            map_put(&gone, ops[i].ptr, ops[i].ptr);
        }
    }
    taken += pieces(shared_need(s->context, s->function, NULL, 0, &gone));
    map_free(&gone);
    unsigned limit = s->context->target->shared_limit;
    int fit = wanted;
    while (fit > 0 && taken + slot_bytes(s, fit) > limit) {
        fit--;
    }
    // `taken` has one buffer of what is kept.
    s->kept_slots = taken + slot_bytes(s, fit) + kept_bytes(s, 2) - kept_bytes(s, 1) <= limit ? 2 : 1;
    return fit;
}
