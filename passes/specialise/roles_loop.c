// Decides where the tiles of one stage loop come from: the operands of its dots, and values loaded beside them.
//
//   an operand         loaded in the loop                 a copy to the loop's slots, by tensor maps or by gathering threads
//                      loaded once a tile, in the home    a copy kept for the tile, if it is a box; else the consumers' own
//                      computed by the loop               the consumers put it into shared memory, or multiply it from registers
//   a value beside     vectors, packed weights            copies with the operands, read by threads
//
// With mma.sync threads read the slots: every tile of the loop is a copy to a slot, or the loop gets no roles.
#include "passes/specialise/specialise.h"

#include "chip/tcgen05.h"
#include "ir/build.h"
#include "passes/facts/run_ahead.h"
#include "passes/pipeline/warpgroup.h"

static bool add_load(struct specialise *s, struct stage_loop *stage, MlirOperation load, MlirType shared) {
    for (size_t i = 0; i < stage->load_count; i++) {
        if (mlirOperationEqual(stage->loads[i].access, load)) {
            return true;
        }
    }
    if (stage->load_count == SPECIALISE_MAX_LOADS) {
        return decline(s->context, load, REASON_MANY_LOADS);
    }
    return operand_copy(s, stage->loop, load, shared, &stage->loads[stage->load_count++]);
}

// True if a dot beside the loops reads the tile: its slot would be full too late, or free too early.
static bool feeds_dot_beside(struct specialise *s, MlirOperation reads) {
    MlirValue tile = mlirOperationGetResult(reads, 0);
    for (MlirOpOperand use = mlirValueGetFirstUse(tile); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        enum op_kind kind = op_kind(s->ir, user);
        bool passes_on = kind == OP_CONVERT_LAYOUT || kind == OP_SMEM_TRANS;
        if (kind == OP_DOT ? in_block(user, s->body) : passes_on && feeds_dot_beside(s, user)) {
            return true;
        }
    }
    return false;
}

// Adds an operand loaded outside the stage loops: it is constant for a tile. If possible the producer copies
// it too, while the consumers store the results of the tile before.
static void add_kept(struct specialise *s, const struct stage_loop *stage, MlirValue operand) {
    MlirOperation load;
    MlirType shared;
    struct copy copy;
    if (!operand_load(s, s->home, operand, &load, &shared) || feeds_dot_beside(s, load)) {
        return;
    }
    for (size_t i = 0; i < s->kept_count; i++) {
        if (mlirOperationEqual(s->kept[i].access, load)) {
            return;
        }
    }
    if (s->kept_count < SPECIALISE_MAX_KEPT) {
        s->at_home = true;
        if (boxed_copy(s, stage->loop, load, shared, &copy)) {
            s->kept[s->kept_count++] = copy;
        } else {
            reason_keep(s->context, load, ATTR_TENSOR_COPY);
        }
        s->at_home = false;
    }
}

// Makes a value's load a copy. A producer that gathers none of the copies so far reduces no tiles: then no reduction may say where it lies.
static bool add_value(struct specialise *s, MlirOperation loop, MlirOperation load, struct copy *copies,
                      size_t count) {
    if (!value_copy(s, loop, load, &copies[count])) {
        return false;
    }
    return !copies[count].reduced || any_gathered(copies, count) || decline(s->context, load, REASON_CORNER);
}

// Adds values loaded beside the operands, by the loop or once a tile: statistics for rows and columns of
// scores, packed weights, the sources of computed operands, which may be all that a loop loads. The producer copies them with the operands;
// readers find them in shared memory and do not wait for global memory.
void values_add(struct specialise *s, MlirOperation loop, MlirBlock block, struct copy *copies, size_t *count,
                size_t limit) {
    MlirOperation last = values_end(loop, block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block);
         *count < limit && !mlirOperationEqual(op, last); op = mlirOperationGetNextInBlock(op)) {
        if (!loads_value(s, loop, op)) {
            continue;
        }
        if (add_value(s, loop, op, copies, *count)) {
            ++*count;
        } else {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
}

// Finds the late dots of a loop with more than two (attention's gradients), provided registers hold all
// results and the late dots' operands.
static void find_late(struct specialise *s, struct stage_loop *stage, MlirOperation first, size_t dots) {
    unsigned registers = registers_reserved(RESERVE_LATE_DOTS);
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) != OP_DOT) {
            continue;
        }
        registers += specialise_registers(s, mlirValueGetType(mlirOperationGetResult(op, 0)));
        if (stage->late_count < SPECIALISE_MAX_LATE && dot_may_be_late(s, stage, op)) {
            registers += specialise_registers(s, mlirValueGetType(dot_a(op)));
            stage->late[stage->late_count++] = op;
        }
    }
    if (dots <= 2 || stage->late_count == dots || registers > REGISTERS_MOST_CONSUMER ||
        !mlirOperationIsNull(stage->aside)) {
        stage->late_count = 0;
    }
    stage->few_products = stage->late_count > 0 && are_few_products(first, stage->late[0]);
}

// True if one dot multiplies two gathered tiles: no tensor copy would be left.
static bool gathers_both(const struct stage_loop *stage, size_t dots) {
    bool all = stage->load_count > 1;
    for (size_t i = 0; i < stage->load_count; i++) {
        all &= stage->loads[i].gathered;
    }
    return all && dots == 1;
}

// Refuses rows with addresses of their own. If they are a box refused by tensor copies, this is the reason.
static bool decline_gathered(struct specialise *s, const struct stage_loop *stage) {
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *rows = &stage->loads[i];
        struct copy box;
        if (rows->gathered && !boxed_copy(s, stage->loop, rows->access, rows->type, &box) &&
            s->context->declined.reason != REASON_ADDRESS) {
            return false;
        }
    }
    return decline(s->context, stage->loop, REASON_GATHERED);
}

// True if threads read an operand of dots, too, and may not: dots of a schedule free slots by themselves, and what comes rounded is another
// number.
static bool has_shared_operand(struct specialise *s, const struct stage_loop *stage, bool scheduled) {
    bool shared = false;
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *load = &stage->loads[i];
        shared |= load->in_threads && (scheduled ? is_operand(s, load->access) : is_rounded(s, load));
    }
    return shared;
}

// The loads of scales read by the dot from shared memory: the consumers' warps copy them, 4 bytes at a time. Returns their number.
static size_t scale_loads(struct specialise *s, MlirOperation dot, MlirOperation loads[2]) {
    size_t count = 0;
    for (intptr_t i = at_dot_a_scale; i < mlirOperationGetNumOperands(dot); i++) {
        MlirOperation convert = value_op(mlirOperationGetOperand(dot, i)), none = {NULL};
        bool converts = !mlirOperationIsNull(convert) && op_kind(s->ir, convert) == OP_CONVERT_LAYOUT;
        MlirOperation load = converts ? value_op(unary_source(convert)) : none;
        if (!mlirOperationIsNull(load) && op_kind(s->ir, load) == OP_LOAD &&
            op_int(load, ATTR_VECTOR) >= TENSOR_SCALE_GROUPS) {
            loads[count++] = load;
        }
    }
    return count;
}

// The loop's products, if they may run beside the next step: their operands' slots outlive the step; else 0.
static int stays_in_flight(struct specialise *s, const struct stage_loop *stage, MlirOperation dot) {
    MlirOperation loads[SPECIALISE_MAX_LOADS + 2];
    size_t count = 0;
    for (; count < stage->load_count; count++) {
        loads[count] = stage->loads[count].access;
    }
    count += mlirOperationIsNull(dot) ? 0 : scale_loads(s, dot, loads + count);
    size_t dots = dots_in_flight(s->context, stage->loop, loads, count);
    bool scaled = !mlirOperationIsNull(dot) && !mlirValueIsNull(dot_a_scale(dot));
    return dots > 1 && (scaled || dots > SPECIALISE_MOST_IN_FLIGHT) ? 0 : (int)dots;
}

// Of dots by threads: every tile of the loop is copied to a slot, from which threads read it in the layouts of its readers.
static bool decide_tiles(struct specialise *s, struct stage_loop *stage) {
    MlirBlock body = op_body(stage->loop, 0);
    size_t dots = 0;
    for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        dots += op_kind(s->ir, op) == OP_DOT;
        if (op_kind(s->ir, op) != OP_LOAD ||
            !type_is_tensor(mlirValueGetType(mlirOperationGetResult(op, 0)))) {
            continue;
        }
        bool tile = type_rank(mlirValueGetType(mlirOperationGetResult(op, 0))) > 1;
        bool room = stage->load_count < SPECIALISE_MAX_LOADS, copied = false;
        if (room && loads_value(s, stage->loop, op)) {
            copied = add_value(s, stage->loop, op, stage->loads, stage->load_count);
        } else {
            decline(s->context, op, room ? REASON_OPERAND : REASON_MANY_LOADS);
        }
        stage->load_count += copied;
        if (tile && !copied) {
            return false;
        }
        if (!copied) {
            reason_keep(s->context, op, ATTR_TENSOR_COPY);
        }
    }
    s->dots = dots > s->dots ? dots : s->dots;
    return stage->load_count > 0 || decline(s->context, stage->loop, REASON_NO_LOADS);
}

// True if the loop computes the operand, and its threads put it into shared memory: a state, an unpacked or scaled tile.
static bool is_computed(const struct specialise *s, const struct stage_loop *stage, MlirValue operand) {
    MlirBlock body = op_body(stage->loop, 0);
    MlirOperation op = value_op(operand);
    while (in_block(op, body) && op_kind(s->ir, op) == OP_SMEM_TRANS) {
        op = value_op(smem_trans_slot(op));
    }
    if (target_has(s->context->target, FEATURE(TCGEN05)) || !in_block(op, body) ||
        op_kind(s->ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    MlirOperation source = value_op(unary_source(op));
    return !in_block(source, body) || op_kind(s->ir, source) != OP_LOAD;
}

// True if some dot of the loop adds to a sum. A loop with a stored product in each step is bound by memory, and more blocks without roles
// are faster (H200, products of 64 x 64 with two scaled tiles, stored: 0.159 ms for 0.234).
static bool adds_up(const struct specialise *s, const struct stage_loop *stage) {
    bool adds = false;
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            MlirOperation sum = value_op(dot_c(op));
            adds |= mlirOperationIsNull(sum) || op_kind(s->ir, sum) != OP_CONSTANT;
        }
    }
    return adds;
}

// Decides where a dot's operand comes from: slots, copies kept for a tile, threads, or a computed tile aside.
static bool decide_operand(struct specialise *s, struct stage_loop *stage, MlirOperation dot,
                           intptr_t number) {
    MlirOperation load;
    MlirType shared;
    MlirValue operand = mlirOperationGetOperand(dot, number);
    MlirOperation maker = value_op(operand);
    bool in_threads = number == 0 && !type_is_shared(s->ir, mlirValueGetType(operand));
    bool outside = stands_around(s, maker);
    if (!in_threads && outside) {
        add_kept(s, stage, operand);
    }
    bool aside =
        number == 0 && mlirOperationIsNull(stage->aside) && !mlirOperationIsNull(aside_operand(s, dot));
    stage->aside = aside ? aside_operand(s, dot) : stage->aside;
    if (in_threads || outside || aside) {
        return true;
    }
    if (is_computed(s, stage, operand)) {
        stage->computes = true;
        return true;
    }
    if (!operand_load(s, op_body(stage->loop, 0), operand, &load, &shared)) {
        return decline(s->context, dot, REASON_OPERAND);
    }
    return add_load(s, stage, load, shared);
}

bool loop_decide(struct specialise *s, struct stage_loop *stage) {
    for (intptr_t i = 0; i < 3; i++) {
        MlirValue bound = mlirOperationGetOperand(stage->loop, i);
        if (!is_producible(s, stage->loop, bound, &s->uneven)) {
            return decline(s->context, stage->loop, REASON_BOUNDS);
        }
    }
    s->reduces |= s->uneven & AXES_REDUCED;
    if (s->mma_sync) {
        return decide_tiles(s, stage);
    }
    size_t dots = 0;
    MlirOperation first = {NULL};
    for (MlirOperation op = mlirBlockGetFirstOperation(op_body(stage->loop, 0)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (op_kind(s->ir, op) == OP_DOT) {
            first = dots++ == 0 ? op : first;
            if (!decide_operand(s, stage, op, 0) || !decide_operand(s, stage, op, 1)) {
                return false;
            }
        }
    }
    s->dots = dots > s->dots ? dots : s->dots;
    stage->in_flight = stays_in_flight(s, stage, first);
    stage->chained = specialise_is_chained(s, stage, first, dots) ? first : (MlirOperation){NULL};
    if (!mlirOperationIsNull(stage->chained)) {
        stage->loads[1].group = 1; // each dot waits for its own operand
    }
    if (mlirOperationIsNull(stage->chained)) {
        if (!target_has(s->context->target, FEATURE(TCGEN05)) && !gathers(stage) && !stage->computes) {
            find_late(s, stage, first, dots);
        }
        if (stage->load_count > 0 || (stage->computes && adds_up(s, stage))) {
            values_add(s, stage->loop, op_body(stage->loop, 0), stage->loads, &stage->load_count,
                       SPECIALISE_MAX_LOADS);
        }
    }
    bool scheduled = !mlirOperationIsNull(stage->chained) || stage->late_count > 0;
    if (has_shared_operand(s, stage, scheduled)) {
        return decline(s->context, first, REASON_OPERAND);
    }
    if (gathers_both(stage, dots)) {
        return decline_gathered(s, stage);
    }
    if (stage->load_count == 0) {
        return decline(s->context, stage->loop, REASON_NO_LOADS);
    }
    if (loads_tiles_for_scores(s, stage)) {
        return decline(s->context, stage->loop, REASON_SCORES);
    }
    return !loads_more_than_copies(s, stage) || decline(s->context, stage->loop, REASON_DIRECT);
}
