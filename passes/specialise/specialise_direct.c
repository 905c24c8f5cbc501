// Whether the warps that multiply would load more of their operands than warps of their own would copy for them.
//
// An operand of a dot may be computed, of a tile that no copy brings: packed weights whose rows no hint aligns (AWQ). Its
// loads are one step ahead at most, and the blocks that are at hand hide their latency: without roles a multiprocessor holds more of them.
// A lone block of one warpgroup hides nothing, whatever copies bring (roles.c; H200, AWQ, 2,048 rows in tiles of 128 x 128 x 32: 339 us with
// roles, 264 in two blocks without).
//
// test: tests/golden/passes/roles/direct.mlir, tests/cli/check_reasons.py (SCORES)
#include "passes/specialise/specialise.h"

#include "ir/build.h"

struct direct {
    const struct specialise *s;
    const struct stage_loop *stage;
    struct map seen;
    int64_t bytes;
    bool tiles;  // some are of more than one row and one column
    bool of_dot; // another dot's result is among what the operand is computed from
};

static bool is_copied(const struct stage_loop *stage, MlirOperation load) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, load)) {
            return true;
        }
    }
    return false;
}

static bool is_tile(MlirType type) {
    int wide = 0;
    for (int d = 0; d < type_rank(type); d++) {
        wide += type_extent(type, d) > 1;
    }
    return wide > 1;
}

static void add_loads(struct direct *d, MlirValue value) {
    MlirOperation op = value_op(value);
    struct ir *ir = d->s->ir;
    if (!in_block(op, op_body(d->stage->loop, 0)) || map_has(&d->seen, value.ptr)) {
        return;
    }
    map_put(&d->seen, value.ptr, (void *)value.ptr);
    MlirType type = mlirValueGetType(value);
    enum op_kind kind = op_kind(ir, op);
    d->of_dot |= kind == OP_DOT;
    if (kind == OP_LOAD) {
        bool direct = type_is_tensor(type) && !is_copied(d->stage, op);
        d->tiles |= direct && is_tile(type);
        d->bytes += direct ? type_elements(type) * type_bits(type_element(type)) / 8 : 0;
        return;
    }
    for (intptr_t i = 0; kind != OP_DOT && i < mlirOperationGetNumOperands(op); i++) {
        add_loads(d, mlirOperationGetOperand(op, i));
    }
}

// What threads load of the loop's left operands.
static struct direct direct_loads(const struct specialise *s, const struct stage_loop *stage) {
    struct direct d = {.s = s, .stage = stage};
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            add_loads(&d, dot_a(op));
            add_loads(&d, dot_b(op));
        }
    }
    map_free(&d.seen);
    return d;
}

static int64_t bytes_copied(const struct stage_loop *stage) {
    int64_t copied = 0;
    for (size_t i = 0; i < stage->load_count; i++) {
        copied += stage->loads[i].bytes;
    }
    return copied;
}

bool loads_more_than_copies(const struct specialise *s, const struct stage_loop *stage) {
    struct direct d = direct_loads(s, stage);
    return !d.of_dot && d.bytes > bytes_copied(stage);
}

// A bias of each score stands between attention's two products, and no copy runs ahead of its loads (H200, us with roles and without, tiles of
// the scores by depth; a bias of as many bytes as keys and values: 64 x 64 x 32 63.6, 50.7; 128 x 64 x 64 158, 121; 128 x 128 x 64 193, 154; of
// twice as many: 128 x 64 x 32 58.6, 55.3; of half as many: 64 x 64 x 64 166, 144, but 128 x 64 x 128 99, 109).
bool loads_tiles_for_scores(const struct specialise *s, const struct stage_loop *stage) {
    struct direct d = direct_loads(s, stage);
    return d.of_dot && d.tiles && d.bytes >= bytes_copied(stage);
}

bool loads_tiles_directly(const struct specialise *s, const struct stage_loop *stage) {
    struct direct d = direct_loads(s, stage);
    return !d.of_dot && d.tiles;
}

// A lone warpgroup converts between its products. Two blocks that copy for themselves do so beside each other's (H200, bf16 rows times s8 weights,
// 4 warps, 1,024 x 8,192 x 4,096 in tiles of 128 x 128 x 64 and 32: 172 us to 157, 201 to 176).
bool computes_of_tiles(const struct specialise *s, const struct stage_loop *stage) {
    MlirValue left = dot_a(stage->dot);
    bool tiles = s->slices <= 1 && !type_is_shared(s->ir, mlirValueGetType(left)) &&
                 in_block(value_op(left), op_body(stage->loop, 0)) && direct_loads(s, stage).bytes == 0;
    for (size_t i = 0; i < stage->load_count; i++) {
        tiles &= is_tile(stage->loads[i].type);
    }
    return tiles;
}
