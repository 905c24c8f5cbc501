// Registers for the accumulators of a loop. All accumulators alive at one time stay in registers, beside
// addresses and operands. If they do not fit, ptxas spills some to local memory and serialises the warpgroup
// products (warning C7512). Example: attention with 128 features on 16 warps has 256 x 64 scores and 256 x
// 128 sums, 96 of a thread's 112 registers. ptxas runs long after the launchers are written, so the count is
// made here.
//
// test: tests/cli/check_variants.sh
#include "passes/facts/sums.h"

#include "chip/registers.h"
#include "dialects/tk/tk.h"

// The live range of a dot's result in the loop's body.
struct life {
    size_t begin, end; // numbers of ops
    unsigned registers;
};

static bool is_dot(struct ir *ir, MlirOperation op) {
    enum op_kind kind = op_kind(ir, op);
    return kind == OP_DOT || kind == OP_WARPGROUP_DOT;
}

// The dot's result behind a chain of waits.
static MlirValue unwaited(struct ir *ir, MlirValue value) {
    MlirOperation op = value_op(value);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_DOT_WAIT) {
        value = dot_wait_tile(op, 0);
        op = value_op(value);
    }
    return value;
}

// The number of the op of the body with the last reader of the value; a wait's result counts as the value.
static size_t last_reader(struct ir *ir, MlirValue value, MlirBlock body, const struct map *numbers) {
    size_t last = 0;
    for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        size_t here = (size_t)(uintptr_t)map_get(numbers, op_in_block(user, body).ptr);
        if (op_kind(ir, user) == OP_DOT_WAIT) {
            here = last_reader(ir, mlirOperationGetResult(user, 0), body, numbers);
        }
        last = here > last ? here : last;
    }
    return last;
}

// The most registers of a thread taken by the loop's accumulators at one time.
static unsigned sums_of_loop(struct ir *ir, struct arena *arena, MlirOperation loop, unsigned threads) {
    MlirBlock body = op_body(loop, 0);
    struct map numbers = {0};
    size_t count = 0, dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        map_put(&numbers, op.ptr, (void *)(uintptr_t)++count);
        dots += is_dot(ir, op);
    }
    struct life *lives = ARENA_ARRAY(arena, struct life, dots + 1);
    dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        MlirValue sum = is_dot(ir, op) ? unwaited(ir, product_c(op)) : (MlirValue){NULL};
        bool goes_on = !mlirValueIsNull(sum) && !mlirValueIsABlockArgument(sum) && is_dot(ir, value_op(sum));
        if (mlirValueIsNull(sum) || goes_on) { // counted with the dot whose result it adds to
            continue;
        }
        MlirValue result = mlirOperationGetResult(op, 0);
        struct life *life = &lives[dots++];
        size_t last = last_reader(ir, result, body, &numbers);
        bool carried = mlirValueIsABlockArgument(sum) || last == count; // to the next iteration
        life->registers = registers_spread(mlirValueGetType(result), threads);
        life->begin = carried ? 0 : (size_t)(uintptr_t)map_get(&numbers, op.ptr);
        life->end = carried ? count : last;
    }
    map_free(&numbers);
    unsigned most = 0;
    for (size_t i = 0; i < dots; i++) { // the maximum is reached where some live range begins
        unsigned sums = 0;
        for (size_t j = 0; j < dots; j++) {
            bool alive = lives[j].begin <= lives[i].begin && lives[i].begin <= lives[j].end;
            sums += alive ? lives[j].registers : 0;
        }
        most = sums > most ? sums : most;
    }
    return most;
}

static unsigned registers_there(const struct target *target, MlirOperation function, unsigned warps) {
    if (op_has(function, ATTR_PRODUCER_WARPS)) {
        unsigned blocks = (unsigned)op_int(function, ATTR_PERSISTENT);
        return registers_specialised(target, warps, registers_producer(function), blocks).consumer;
    }
    return registers_share(target, warps, 1);
}

static bool warn_of(struct ir *ir, struct arena *arena, const struct target *target, MlirOperation function,
                    struct diag *diag) {
    size_t count;
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS), most = 0;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(ir, ops[i]) == OP_FOR) {
            unsigned sums = sums_of_loop(ir, arena, ops[i], warps * target->warp_size);
            most = sums > most ? sums : most;
        }
    }
    unsigned there = registers_there(target, function, warps);
    unsigned others = registers_reserved(RESERVE_SUMS_OF_PRODUCTS);
    if (!most || most + others <= there) {
        return false;
    }
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    diag_warning(
        diag, WARNING_SUMS, ir_user_location(ir, function),
        "%.*s on %s: the sums of a loop's products take %u of the %u registers of a thread, and %u are for "
        "other values: ptxas will keep some in local memory, or do products one after the other; use "
        "smaller tiles, or another number of warps",
        (int)name.length, name.data, target->name, most, there, others);
    return true;
}

bool sums_warn(struct ir *ir, struct arena *arena, const struct target *target, MlirModule module,
               struct diag *diag) {
    bool any = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        any |= warn_of(ir, arena, target, op, diag);
    }
    return any;
}
