// The spine: the loops and branches between the function's body and the stage loops. Both roles follow the
// same path through it.
//
//   scf.for %tile = … {                    the source's own loop over tiles (persistent kernels)
//     scf.if %runs {                       an early return
//       scf.for %t = … {                   nine shifts, pages, experts
//         scf.for %k = … { … tk.dot … }    a stage loop
//       }
//       tk.store …
//     }
//   }
//
// or an scf.while over tiles or runs of steps (stream-K), whose condition and carried scalars the producer
// computes, too.
//
// The producer repeats the spine with only the scalars behind its bounds, its conditions and the corners of
// boxes. Of the values carried by the source's loops it carries only the needed ones. The consumers keep the
// spine as it is. Both carry the place of the next slot through it.
#include "passes/specialise/specialise.h"

#include "ir/build.h"

static MlirOperation parent_of(MlirOperation op) {
    return mlirOperationGetParentOperation(op);
}

static bool lies_in(MlirOperation op, MlirBlock block) {
    MlirOperation around = mlirBlockGetParentOperation(block);
    for (; !mlirOperationIsNull(op); op = parent_of(op)) {
        if (in_block(op, block)) {
            return true;
        }
        if (mlirOperationEqual(op, around)) {
            return false;
        }
    }
    return false;
}

bool spine_add(struct specialise *s, MlirOperation loop) {
    for (MlirOperation op = parent_of(loop); !mlirOperationEqual(op, s->function); op = parent_of(op)) {
        enum op_kind kind = op_kind(s->ir, op);
        bool decides = kind == OP_WHILE && lies_in(loop, op_body(op, 0));
        if (decides) {
            return decline(s->context, op, REASON_DOT_WHILE);
        }
        if (kind != OP_FOR && kind != OP_WHILE && (kind != OP_IF || mlirBlockIsNull(op_body(op, 1)))) {
            return decline(s->context, loop, REASON_DOT_PLACE);
        }
        map_put(&s->spine, op.ptr, (void *)op.ptr);
    }
    return true;
}

void spine_settle(struct specialise *s) {
    MlirBlock block = mlirOperationGetBlock(s->loops[0].loop);
    for (size_t i = 1; i < s->loop_count;) {
        bool inside = lies_in(s->loops[i].loop, block);
        block = inside ? block : mlirOperationGetBlock(mlirBlockGetParentOperation(block));
        i = inside ? i + 1 : 1;
    }
    s->home = block;
}

// The values behind the way of the spine's op: its bounds or its condition. Returns their number.
static intptr_t deciding_values(struct specialise *s, MlirOperation op, MlirValue values[3]) {
    enum op_kind kind = op_kind(s->ir, op);
    MlirOperation decides = kind == OP_WHILE ? mlirBlockGetTerminator(op_body(op, 0)) : op;
    intptr_t count = kind == OP_FOR ? 3 : 1;
    for (intptr_t n = 0; n < count; n++) {
        values[n] = mlirOperationGetOperand(decides, n);
    }
    return count;
}

bool spine_is_producible(struct specialise *s) {
    size_t count;
    unsigned axes = 0;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirValue values[3];
        intptr_t deciding = on_spine(s, ops[i]) ? deciding_values(s, ops[i], values) : 0;
        for (intptr_t n = 0; n < deciding; n++) {
            if (!is_producible(s, s->loops[0].loop, values[n], &axes)) {
                return decline(s->context, ops[i], REASON_BOUNDS);
            }
        }
    }
    s->reduces |= axes & AXES_REDUCED;
    return true;
}

void spine_needs(struct specialise *s) {
    size_t count;
    MlirOperation *ops = ops_collect(s->ir, s->arena, s->function, &count);
    for (size_t i = 0; i < count; i++) {
        MlirValue values[3];
        intptr_t deciding = on_spine(s, ops[i]) ? deciding_values(s, ops[i], values) : 0;
        for (intptr_t n = 0; n < deciding; n++) {
            producer_needs(s, s->loops[0].loop, values[n], true);
        }
    }
}

unsigned spine_axes(const struct specialise *s, unsigned axes) {
    return s->spine.count > 0 || (axes & AXES_VARY) ? 0 : axes;
}

bool spine_repeats(const struct specialise *s, MlirOperation op) {
    for (op = parent_of(op); !mlirOperationEqual(op, s->function); op = parent_of(op)) {
        if (on_spine(s, op) && op_kind(s->ir, op) != OP_IF) {
            return true;
        }
    }
    return false;
}

struct stage_loop *stage_at(struct specialise *s, MlirOperation op) {
    for (size_t i = 0; i < s->loop_count; i++) {
        if (mlirOperationEqual(s->loops[i].loop, op)) {
            return &s->loops[i];
        }
    }
    return NULL;
}

// ---- turns through the spine ----

enum { MOST_TURN_VALUES = 6 + SPECIALISE_MAX_RESIDUALS * TILE_DIMS };

static intptr_t turn_count(const struct specialise *s) {
    intptr_t count = 2 + (s->kept_count > 0 ? 2 : 0) + s->signals;
    if (s->produces && s->residual_count > 0) {
        count++;
        for (size_t i = 0; i < s->residual_count; i++) {
            count += s->residuals[i].tile.rank;
        }
    }
    return count;
}

struct operands turn_values(const struct specialise *s, struct turn turn) {
    MlirValue *values = ARENA_ARRAY(s->arena, MlirValue, MOST_TURN_VALUES);
    intptr_t count = 2;
    values[0] = turn.at.slot, values[1] = turn.at.parity;
    if (s->kept_count > 0) {
        values[count++] = turn.kept.slot;
        values[count++] = turn.kept.parity;
    }
    if (s->signals) {
        values[count++] = turn.copied;
    }
    if (s->produces && s->residual_count > 0) {
        values[count++] = turn.left;
        for (size_t i = 0; i < s->residual_count; i++) {
            for (unsigned d = 0; d < s->residuals[i].tile.rank; d++) {
                values[count++] = turn.corners[i][d];
            }
        }
    }
    return (struct operands){turn_count(s), values};
}

static struct turn turn_of(const struct specialise *s, const MlirValue *values) {
    struct turn turn = {.at = {values[0], values[1]}};
    if (s->kept_count > 0) {
        turn.kept = (struct place){values[2], values[3]};
    }
    intptr_t count = s->kept_count > 0 ? 4 : 2;
    if (s->signals) {
        turn.copied = values[count++];
    }
    if (s->produces && s->residual_count > 0) {
        turn.left = values[count++];
        for (size_t i = 0; i < s->residual_count; i++) {
            for (unsigned d = 0; d < s->residuals[i].tile.rank; d++) {
                turn.corners[i][d] = values[count++];
            }
        }
    }
    return turn;
}

struct turn turn_of_arguments(const struct specialise *s, MlirBlock block) {
    MlirValue values[MOST_TURN_VALUES];
    intptr_t first = mlirBlockGetNumArguments(block) - turn_count(s);
    for (intptr_t i = 0; i < turn_count(s); i++) {
        values[i] = mlirBlockGetArgument(block, first + i);
    }
    return turn_of(s, values);
}

struct turn turn_of_results(const struct specialise *s, MlirOperation op) {
    MlirValue values[MOST_TURN_VALUES];
    intptr_t first = mlirOperationGetNumResults(op) - turn_count(s);
    for (intptr_t i = 0; i < turn_count(s); i++) {
        values[i] = mlirOperationGetResult(op, first + i);
    }
    return turn_of(s, values);
}
