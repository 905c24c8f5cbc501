// pipeline: builds prologue, kernel and epilogue of each loop with copies through shared buffers ahead of
// their use, as `plan` says.
//
//   scf.for %k … {                            prologue: copies of iterations 0 … distance-1 start
//     %x = tk.load %p                         scf.for %k … {
//     %a = tk.convert_layout %x       →         tk.async_wait; tk.barrier
//     %d = tk.dot %a, …                         copies of iteration k + distance start, addresses ahead
//   }                                           %a = tk.smem_load %slot
//                                               %d = tk.dot %a, …
//                                             }
//
// With cp.async the distance is the number of stages minus one, and one barrier an iteration serves two ends:
// this iteration's tiles are visible to every thread, and no thread still reads the slot overwritten next.
// Chips without asynchronous copies stage through registers: the next tile is loaded ahead of the dots and
// stored to the other slot after them. The number of stages is the kernel's choice, or fewer if shared memory
// is too small. A warpgroup dot left in flight still reads its slot in the next iteration: one of three slots
// becomes free only behind that iteration's dot, and the copies start there, behind a barrier of their own.
//
// The last iterations have nothing to load ahead. Where that costs much, the last one is a copy of the body without loads, behind the loop
// (last_step.c). If predicates cost a branch (AMD), unmasked loads are not
// guarded: the last iteration loads its own tile again, without a reader. To this end its induction variable
// and iteration arguments do not advance, at the cost of scalar instructions only.
//
// The ops the copies depend on are found from the copies; the plan does not list them.
//
// requires: layouts, the plan
// provides: no plan; smem ops; while a loop runs its slots are ordered by the waits and barriers placed here
// test:     tests/golden/passes/pipeline
#include "passes/pipeline/pipeline.h"

#include <mlir-c/BuiltinTypes.h>

#include "ir/build.h"
#include "passes/pipeline/look_ahead.h"
#include "passes/pipeline/narrow.h"

static MlirValue and_guard(struct builder *b, MlirValue mask, MlirValue guard, MlirType pointers) {
    MlirType type = type_with_shape_of(pointers, type_i1(b->ir));
    MlirValue all =
        type_is_tensor(type) ? VALUE(b, OP_SPLAT, OPERANDS(guard), RESULTS(type), NO_ATTRS) : guard;
    return mlirValueIsNull(mask) ? all : VALUE(b, OP_ANDI, OPERANDS(all, mask), RESULTS(type), NO_ATTRS);
}

// Repeats the slice for another iteration. `map` holds the slice's inputs in that iteration and receives its
// results. Loads in the slice are guarded, unless the guard is null: that iteration may not exist.
static void copy_slice(struct pipeline *p, struct builder *b, struct map *map, MlirValue guard) {
    for (size_t s = 0; s < p->slice_count; s++) {
        MlirOperation op = p->slice[s];
        bool load = op_kind(p->ir, op) == OP_LOAD;
        intptr_t count = mlirOperationGetNumOperands(op);
        MlirValue operands[3] = {{NULL}};
        for (intptr_t i = 0; load && i < count; i++) {
            operands[i] = value_under(map, mlirOperationGetOperand(op, i));
        }
        bool guarded = load && !mlirValueIsNull(guard);
        operands[1] = guarded ? and_guard(b, operands[1], guard, mlirValueGetType(operands[0])) : operands[1];
        op_repeat(b, p->arena, map, op);
        if (guarded) {
            mlirOperationSetOperands(value_op(value_under(map, mlirOperationGetResult(op, 0))),
                                     count > 2 ? 3 : 2, operands);
        }
    }
}

// Iteration argument a in the iteration after that of `map`. Without `further`, the value yielded by the
// body. With `further`, an i1 "a next iteration exists", the argument keeps its value if it is false: a
// pointer advances by 0.
static MlirValue next_argument(struct pipeline *p, struct builder *b, const struct map *map, intptr_t a,
                               MlirValue same, MlirValue further) {
    MlirValue next = value_under(map, mlirOperationGetOperand(mlirBlockGetTerminator(p->body), a));
    if (mlirValueIsNull(further) || value_is(next, same)) {
        return next;
    }
    if (!mlirValueIsNull(p->narrow[a].low) && !type_is_tensor(mlirValueGetType(same))) {
        MlirValue bytes = build_select(b, further, p->narrow[a].bytes, const_i32(b, 0));
        return VALUE(b, OP_ADDPTR, OPERANDS(same, bytes), RESULTS(mlirValueGetType(same)),
                     ATTRS(attr_unit(b, ATTR_NARROW)));
    }
    MlirValue by = pointer_advance(b, p->loop, a);
    if (mlirValueIsNull(by)) {
        return build_select(b, further, next, same);
    }
    MlirType pointers = mlirValueGetType(same), type = type_with_shape_of(pointers, mlirValueGetType(by));
    by = build_select(b, further, by, const_int(b, mlirValueGetType(by), 0));
    by = type_is_tensor(type) ? VALUE(b, OP_SPLAT, OPERANDS(by), RESULTS(type), NO_ATTRS) : by;
    return VALUE(b, OP_ADDPTR, OPERANDS(same, by), RESULTS(pointers), NO_ATTRS);
}

// Marks tiles of pointers carried ahead as one scalar pointer, if peel's run-time test covers the loop.
static void find_narrow(struct pipeline *p, struct builder *b) {
    bool asked = p->unguarded && op_has(p->loop, ATTR_NEAR);
    for (intptr_t a = 0; a < p->arg_count && asked; a++) {
        MlirValue tile = for_init(p->loop, a);
        MlirValue by = p->ahead[a] ? pointer_advance(b, p->loop, a) : (MlirValue){NULL};
        MlirValue first = mlirValueIsNull(by) ? by : narrow_first(b, tile);
        if (!mlirValueIsNull(first)) {
            MlirValue low = narrow_below(b, first);
            p->narrow[a] = (struct narrow_tile){.low = low,
                                                .offsets = narrow_offsets(b, tile, low),
                                                .by = by,
                                                .bytes = narrow_step(b, tile, by)};
        }
    }
}

// The initial values of the narrow tiles: their pointers in the first iteration that the loop copies ahead. The second one exists: the trip
// count is even.
static void start_narrow(struct pipeline *p, struct builder *b, MlirValue *ahead_values) {
    for (intptr_t a = 0; a < p->arg_count; a++) {
        MlirValue low = p->narrow[a].low, by = p->narrow[a].by;
        for (int k = 1; k <= p->distance && !mlirValueIsNull(p->narrow[a].low); k++) {
            MlirValue none = const_int(b, mlirValueGetType(by), 0);
            MlirValue step = k == 1 ? by : build_select(b, look_ahead_from_first(b, p->loop, k), by, none);
            low = VALUE(b, OP_ADDPTR, OPERANDS(low, step), RESULTS(mlirValueGetType(low)), NO_ATTRS);
            ahead_values[a] = low;
        }
    }
}

// An unrolled body of two iterations advances by both at once.
static void advance_by_two(struct pipeline *p) {
    MlirOperation yield = mlirBlockGetTerminator(p->body);
    struct builder before = builder_before(p->ir, p->loop), end = builder_before(p->ir, yield);
    before.location = end.location = mlirOperationGetLocation(p->loop);
    for (intptr_t a = 0, e = p->arg_count; a < p->arg_count; a++) {
        e += p->ahead[a];
        if (!mlirValueIsNull(p->narrow[a].low)) {
            MlirValue argument = mlirBlockGetArgument(p->body, e), by = p->narrow[a].by;
            MlirValue two = build_binary(&before, OP_ADDI, by, by);
            MlirValue next = VALUE(&end, OP_ADDPTR, OPERANDS(argument, two),
                                   RESULTS(mlirValueGetType(argument)), NO_ATTRS);
            mlirOperationSetOperand(yield, e - 1, next);
        }
    }
}

static MlirValue slot_of(struct builder *b, const struct staged_load *load, MlirValue index) {
    return VALUE(b, OP_SMEM_SLOT, OPERANDS(load->buffer, index), RESULTS(mlirValueGetType(load->buffer)),
                 NO_ATTRS);
}

// The load's attributes valid on its copy: {constancy}, equal neighbours, matters only to registers.
static struct attrs attributes_of_copy(struct pipeline *p, MlirOperation load) {
    struct attrs all = op_attributes(p->arena, load), kept = {.attributes = all.attributes};
    for (intptr_t i = 0; i < all.count; i++) {
        if (op_may_have(OP_ASYNC_COPY, attribute_of(p->ir, all.attributes[i].name))) {
            kept.attributes[kept.count++] = all.attributes[i];
        }
    }
    return kept;
}

// Starts the copies of one iteration into the slot at `index`: those of late tiles, or of all others. The others end a group of copies, so late
// tiles, which are started first, belong to the group of the others behind them; if all have one slot, late tiles end a group, too.
// A null guard as of load_ahead.
static void start_copies(struct pipeline *p, struct builder *b, const struct map *map, MlirValue guard,
                         MlirValue index, bool late) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation load = p->loads[i].load;
        if (p->loads[i].late != late) {
            continue;
        }
        b->location = mlirOperationGetLocation(load);
        bool masked = !mlirValueIsNull(load_mask(load));
        MlirValue operands[3] = {slot_of(b, &p->loads[i], index), value_under(map, load_pointer(load))};
        MlirValue mask = masked ? value_under(map, load_mask(load)) : (MlirValue){NULL};
        intptr_t given = masked || !mlirValueIsNull(guard) ? 3 : 2;
        operands[2] =
            mlirValueIsNull(guard) ? mask : and_guard(b, mask, guard, mlirValueGetType(operands[1]));
        build_op(b, OP_ASYNC_COPY, (struct operands){given, operands}, NO_RESULTS,
                 attributes_of_copy(p, load));
    }
    if (!late || p->slots == 1) { // else the other tiles' copies follow, in the same group
        OP(b, OP_ASYNC_COMMIT, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
}

// Loads one iteration into registers; values[i] receives load i. A null guard: the iteration exists, or an
// existing one is loaded again.
static void load_ahead(struct pipeline *p, struct builder *b, const struct map *map, MlirValue guard,
                       MlirValue values[]) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation load = p->loads[i].load;
        b->location = mlirOperationGetLocation(load);
        MlirType type = mlirValueGetType(mlirOperationGetResult(load, 0));
        MlirValue operands[3] = {value_under(map, load_pointer(load))};
        intptr_t given = 1;
        if (!mlirValueIsNull(load_mask(load))) {
            operands[given++] = value_under(map, load_mask(load));
        }
        if (!mlirValueIsNull(load_other(load))) {
            operands[given++] = value_under(map, load_other(load));
        }
        if (!mlirValueIsNull(guard)) {
            operands[2] = given > 2 ? operands[2]
                                    : (mlirTypeIsAInteger(type_element(type)) ? const_int(b, type, 0)
                                                                              : const_float(b, type, 0));
            operands[1] = and_guard(b, given > 1 ? operands[1] : (MlirValue){NULL}, guard,
                                    mlirValueGetType(operands[0]));
            given = 3;
        }
        struct attrs attributes = op_attributes(p->arena, load);
        values[i] = VALUE(b, OP_LOAD, ((struct operands){given, operands}), RESULTS(type), attributes);
    }
}

// One fence, on the last store, covers all of them.
static void store_slots(struct pipeline *p, struct builder *b, MlirValue index, const MlirValue values[]) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirNamedAttribute proxy = attr_unit(b, ATTR_PROXY);
        OP(b, OP_SMEM_STORE, OPERANDS(slot_of(b, &p->loads[i], index), values[i]), NO_RESULTS,
           ((struct attrs){p->proxy && i + 1 == p->load_count, &proxy}));
    }
}

// True if a load's slots are f32 operands of warpgroup dots: the unit truncates them to tf32.
static bool is_cut(struct pipeline *p, MlirOperation load) {
    MlirValue tile = mlirOperationGetResult(load, 0);
    MlirOpOperand use = mlirValueGetFirstUse(tile);
    return mlirTypeIsAF32(type_element(mlirValueGetType(tile))) && !mlirOpOperandIsNull(use) &&
           op_kind(p->ir, mlirOpOperandGetOwner(use)) == OP_CONVERT_LAYOUT &&
           type_is_shared(p->ir, mlirValueGetType(mlirOperationGetResult(mlirOpOperandGetOwner(use), 0)));
}

// True if warpgroup dots read the slots as copied.
static bool reads_as_copied(struct pipeline *p) {
    bool cut = p->operand_count > 0;
    for (size_t i = 0; i < p->operand_count; i++) {
        cut &= is_cut(p, p->loads[i].load);
    }
    return p->proxy && !cut;
}

// cp.async copies f32 operands unrounded, and warpgroup dots would truncate them to tf32. So they are rounded
// in their slot after arrival: behind the common barrier, and before another one. (Loads through registers
// would take these from accumulators; tensor copies round by themselves, and warpgroup.c rounds tiles stored
// from registers.)
static void round_slots(struct pipeline *p, struct builder *b, MlirValue index) {
    MlirValue last = {NULL};
    for (size_t i = 0; i < p->operand_count; i++) {
        MlirOperation load = p->loads[i].load;
        if (is_cut(p, load)) {
            last = VALUE(b, OP_SMEM_ROUND, OPERANDS(slot_of(b, &p->loads[i], index)),
                         RESULTS(mlirValueGetType(mlirOperationGetResult(load, 0))),
                         ATTRS(attr_i32(b, ATTR_VECTOR, (int32_t)op_int(load, ATTR_VECTOR))));
        }
    }
    if (last.ptr) {
        op_set_unit(p->ir, value_op(last), ATTR_PROXY);
        OP(b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
}

// index + 1 modulo the number of slots.
static MlirValue next_slot(struct builder *b, MlirValue index, int slots) {
    if (slots == 1) {
        return index;
    }
    MlirValue next = build_binary(b, OP_ADDI, index, const_int(b, type_i32(b->ir), 1));
    MlirValue inside = build_compare(b, INT_SLT, next, const_int(b, type_i32(b->ir), slots));
    return VALUE(b, OP_SELECT, OPERANDS(inside, next, const_int(b, type_i32(b->ir), 0)),
                 RESULTS(type_i32(b->ir)), NO_ATTRS);
}

static void allocate(struct pipeline *p, struct builder *b) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirType type = mlirValueGetType(mlirOperationGetResult(p->loads[i].load, 0));
        b->location = mlirOperationGetLocation(p->loads[i].load);
        p->loads[i].buffer =
            VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(p->ir, type, &p->loads[i].shared)),
                  ATTRS(attr_i32(b, ATTR_STAGES, p->loads[i].late ? 1 : p->slots)));
    }
}

// Starts this iteration's copies of late tiles.
static void copy_late(struct pipeline *p, struct builder *b) {
    struct map own = {0};
    copy_slice(p, b, &own, (MlirValue){NULL});
    start_copies(p, b, &own, (MlirValue){NULL}, const_int(b, type_i32(p->ir), 0), true);
    map_free(&own);
}

// The first iterations' copies, ahead of the loop. Sets ahead_values to the ahead arguments at the loop's
// start.
static void build_prologue(struct pipeline *p, struct builder *b, MlirValue *ahead_values) {
    MlirValue induction = for_lower(p->loop), step = for_step(p->loop);
    for (intptr_t a = 0; a < p->arg_count; a++) {
        ahead_values[a] = for_init(p->loop, a);
    }
    for (int k = 0; k < p->distance; k++) {
        struct map map = {0};
        map_value(&map, mlirBlockGetArgument(p->body, 0), induction);
        for (intptr_t a = 0; a < p->arg_count; a++) {
            map_value(&map, mlirBlockGetArgument(p->body, a + 1), ahead_values[a]);
        }
        bool exists = p->unguarded && p->async; // or copies what the last one does
        MlirValue guard = exists ? (MlirValue){NULL} : look_ahead_from_first(b, p->loop, k);
        copy_slice(p, b, &map, guard);
        MlirValue index = const_int(b, type_i32(p->ir), k);
        if (p->async) {
            start_copies(p, b, &map, guard, index, false);
        } else {
            MlirValue values[MAX_LOADS];
            load_ahead(p, b, &map, guard, values);
            store_slots(p, b, index, values);
        }
        bool repeats =
            p->unguarded && !(k == 0 && op_has(p->loop, ATTR_EVEN)); // an even loop has a second iteration
        MlirValue further = repeats ? look_ahead_from_first(b, p->loop, k + 1) : (MlirValue){NULL};
        for (intptr_t a = 0; a < p->arg_count; a++) {
            if (p->ahead[a]) {
                MlirValue same = value_under(&map, mlirBlockGetArgument(p->body, a + 1));
                ahead_values[a] = next_argument(p, b, &map, a, same, further);
            }
        }
        MlirValue next = build_binary(b, OP_ADDI, induction, step);
        induction = repeats && k + 1 < p->distance ? build_select(b, further, next, induction) : next;
        map_free(&map);
    }
}

// Adds arguments to the loop: its ahead values, the number of the slot to fill and the number of the slot to
// read. Returns the number of added arguments.
static intptr_t extend_loop(struct pipeline *p, struct builder *b, const MlirValue *ahead_values) {
    MlirValue *extra = ARENA_ARRAY(p->arena, MlirValue, p->arg_count + 2);
    intptr_t count = 0;
    for (intptr_t a = 0; a < p->arg_count; a++) {
        if (p->ahead[a]) {
            extra[count++] = ahead_values[a];
        }
    }
    extra[count++] = const_int(b, type_i32(p->ir), p->distance % p->slots);
    extra[count++] = const_int(b, type_i32(p->ir), 0);
    p->loop = build_more(p->ir, p->arena, p->loop, (struct operands){count, extra});
    p->body = op_body(p->loop, 0);
    return count;
}

// Each load of the loop becomes a read of its slot.
static void read_slots(struct pipeline *p, MlirValue index) {
    for (size_t i = 0; i < p->load_count; i++) {
        MlirOperation load = p->loads[i].load;
        struct builder b = builder_before(p->ir, load);
        MlirValue number = p->loads[i].late ? const_int(&b, type_i32(p->ir), 0) : index;
        MlirValue slot = slot_of(&b, &p->loads[i], number);
        if (i >= p->operand_count) {
            MlirValue tile = mlirOperationGetResult(load, 0);
            MlirValue read =
                VALUE(&b, OP_SMEM_LOAD, OPERANDS(slot), RESULTS(mlirValueGetType(tile)), NO_ATTRS);
            mlirValueReplaceAllUsesOfWith(tile, read);
        }
        for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0));
             !mlirOpOperandIsNull(use); use = mlirValueGetFirstUse(mlirOperationGetResult(load, 0))) {
            MlirOperation convert = mlirOpOperandGetOwner(use);
            struct builder at = builder_before(p->ir, convert);
            MlirType type = mlirValueGetType(mlirOperationGetResult(convert, 0));
            MlirValue read = type_is_shared(p->ir, type)
                                 ? slot
                                 : VALUE(&at, OP_SMEM_LOAD, OPERANDS(slot), RESULTS(type), NO_ATTRS);
            mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(convert, 0), read);
            mlirOperationDestroy(convert);
        }
        mlirOperationDestroy(load);
    }
}

// The next values of the arguments that are computed ahead, with room behind them for the slots. Taken ahead of read_slots: an argument may
// be a staged load's result itself, of which the next iteration's address takes the repeated load, not the slot.
static MlirValue *next_ahead(struct pipeline *p, const struct map *map, MlirValue further, intptr_t *count) {
    MlirValue *values = ARENA_ARRAY(p->arena, MlirValue, p->arg_count + 2);
    intptr_t ahead = 1 + p->arg_count;
    struct builder b = builder_before(p->ir, mlirBlockGetTerminator(p->body));
    *count = 0;
    for (intptr_t a = 0; a < p->arg_count; a++) {
        if (p->ahead[a]) {
            values[(*count)++] =
                next_argument(p, &b, map, a, mlirBlockGetArgument(p->body, ahead++), further);
        }
    }
    return values;
}

static void extend_yield(struct pipeline *p, MlirValue *values, intptr_t count, MlirValue fill,
                         MlirValue read) {
    struct builder b = builder_before(p->ir, mlirBlockGetTerminator(p->body));
    values[count++] = next_slot(&b, fill, p->slots);
    values[count++] = next_slot(&b, read, p->slots);
    build_yield_more(p->ir, p->arena, p->body, (struct operands){count, values});
}

// The insertion point of an iteration's copies. If they start behind the dot, builds a barrier there first:
// all threads have then waited for the previous dot. One in tensor memory is all threads' dot: each waits for all of its reads.
static struct builder place_of_copies(struct pipeline *p, struct builder top) {
    MlirOperation op = mlirBlockGetFirstOperation(p->body);
    while (p->behind && op_kind(p->ir, op) != OP_DOT) {
        op = mlirOperationGetNextInBlock(op);
    }
    if (!p->behind) {
        return top;
    }
    struct builder b = builder_after(p->ir, op);
    b.location = top.location;
    if (!target_has(p->context->target, FEATURE(TCGEN05))) {
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    return b;
}

// The copies of this iteration have arrived.
static void wait_for_step(struct pipeline *p, struct builder *b) {
    MlirNamedAttribute attributes[2] = {attr_i32(b, ATTR_PENDING, p->distance - 1)};
    intptr_t count = 1;
    if (target_has(p->context->target, FEATURE(LDS_COPY))) {
        attributes[count++] = attr_i32(b, ATTR_GROUP, (int32_t)pipeline_group_of_copies(p));
    } else if (reads_as_copied(p)) {
        attributes[count++] = attr_unit(b, ATTR_PROXY);
    }
    OP(b, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS, ((struct attrs){count, attributes}));
}

// The iteration whose tiles are copied in this one, or the last one.
static MlirValue index_ahead(struct pipeline *p, struct builder *before, struct builder *at,
                             MlirValue induction) {
    MlirValue ahead = induction, step = for_step(p->loop);
    for (int k = 1; k < p->distance; k++) {
        MlirValue exists = look_ahead_exists(before, at, p->loop, induction, k);
        ahead = build_select(at, exists, build_binary(at, OP_ADDI, ahead, step), ahead);
    }
    return ahead;
}

// The last iteration's copy of the body reads slot number `read`.
static void rewrite_last(struct pipeline *last, MlirValue read) {
    struct builder b = builder_before(last->ir, mlirBlockGetFirstOperation(last->body));
    b.location = mlirOperationGetLocation(last->loop);
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    read_slots(last, read);
    pipeline_inline_last(last);
}

// The start of a step: its slots are full, and others are free. Returns the place where copies for a later step start.
static struct builder begin_step(struct pipeline *p, MlirValue read) {
    struct builder in = builder_before(p->ir, mlirBlockGetFirstOperation(p->body));
    struct builder first = builder_before(p->ir, p->loop);
    in.location = first.location = mlirOperationGetLocation(p->loop);
    // With late tiles a step waits for these behind its first product, and so for the next step's other tiles, too.
    bool late = pipeline_late_count(p) > 0, refills = late && p->slots == 1;
    if (p->async) {
        wait_for_step(p, late && !refills ? &first : &in);
    }
    OP(&in, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    if (p->async) {
        round_slots(p, &in, read);
    }
    in = place_of_copies(p, in);
    if (late) {
        copy_late(p, &in);
        struct builder behind = pipeline_wait_for_late(p);
        behind.location = in.location;
        in = refills ? behind : in;
    }
    return in;
}

// Maps the loop's carried values to those of the copied step.
static void map_ahead(struct pipeline *p, struct builder *in, struct map *map) {
    for (intptr_t a = 0, e = 0; a < p->arg_count; a++) {
        if (p->ahead[a]) {
            MlirValue argument = mlirBlockGetArgument(p->body, 1 + p->arg_count + e++);
            bool wide = mlirValueIsNull(p->narrow[a].low);
            argument = wide ? argument : narrow_pointers(in, argument, p->narrow[a].offsets);
            map_value(map, mlirBlockGetArgument(p->body, a + 1), argument);
        }
    }
}

// Copies the step's tiles to slots: asynchronously, or by loads here and stores at the end of the body.
static void copy_ahead(struct pipeline *p, struct builder *in, struct map *map, MlirValue guard,
                       MlirValue fill) {
    copy_slice(p, in, map, guard);
    if (p->async) {
        start_copies(p, in, map, guard, fill, false);
        return;
    }
    MlirValue values[MAX_LOADS];
    load_ahead(p, in, map, guard, values);
    struct builder end = builder_before(p->ir, mlirBlockGetTerminator(p->body));
    end.location = mlirOperationGetLocation(p->loop);
    if (p->slots == 1) {
        OP(&end, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    store_slots(p, &end, fill, values);
}

static void rewrite_loop(struct pipeline *p) {
    if (p->unguarded &&
        p->async) { // a wave's waits count its copies: they start for all iterations, or the loop does not run
        build_guard(p->ir, p->arena, p->loop);
    }
    struct builder b = builder_before(p->ir, p->loop);
    MlirValue *ahead_values = ARENA_ARRAY(p->arena, MlirValue, p->arg_count + 1);
    b.location = mlirOperationGetLocation(p->loop);
    p->narrow = ARENA_ARRAY(p->arena, struct narrow_tile, p->arg_count + 1); // null
    find_narrow(p, &b);
    allocate(p, &b);
    b.location = mlirOperationGetLocation(p->loop);
    MlirValue step = for_step(p->loop);
    MlirValue lead = VALUE(&b, OP_MULI, OPERANDS(step, const_int(&b, mlirValueGetType(step), p->distance)),
                           RESULTS(mlirValueGetType(step)), NO_ATTRS);
    build_prologue(p, &b, ahead_values);
    b.location = mlirOperationGetLocation(p->loop);
    start_narrow(p, &b, ahead_values);
    bool peels = pipeline_peels_last(p);
    struct pipeline last = peels ? pipeline_split_last(p, &b) : *p;
    intptr_t extra = extend_loop(p, &b, ahead_values);
    MlirValue fill = mlirBlockGetArgument(p->body, p->arg_count + extra - 1);
    MlirValue read = mlirBlockGetArgument(p->body, p->arg_count + extra);

    struct builder in = begin_step(p, read);
    struct map map = {0};
    MlirValue induction = mlirBlockGetArgument(p->body, 0),
              ahead = build_binary(&in, OP_ADDI, induction, lead);
    struct builder before = builder_before(p->ir, p->loop);
    MlirValue guard = look_ahead_exists(&before, &in, p->loop, induction, p->distance);
    MlirValue next = guard, further = {NULL};
    if (p->unguarded) {
        ahead = build_select(&in, next, ahead, index_ahead(p, &before, &in, induction));
        further = look_ahead_exists(&before, &in, p->loop, induction, p->distance + 1);
        guard = (MlirValue){NULL};
    }
    guard = peels ? (MlirValue){NULL} : guard; // the last iteration is none of this loop
    map_value(&map, induction, ahead);
    map_ahead(p, &in, &map);
    copy_ahead(p, &in, &map, guard, fill);
    intptr_t ahead_count;
    MlirValue *nexts = next_ahead(p, &map, further, &ahead_count);
    read_slots(p, read);
    extend_yield(p, nexts, ahead_count, fill, read);
    if (p->unrolled) {
        pipeline_unroll(p, fill, read, next, further);
        advance_by_two(p);
    }
    if (peels) {
        rewrite_last(&last, mlirOperationGetResult(p->loop, p->arg_count + extra - 1));
    }
    if (p->async) {
        struct builder after = builder_after(p->ir, p->loop);
        after.location = mlirOperationGetLocation(p->loop);
        OP(&after, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS, ATTRS(attr_i32(&after, ATTR_PENDING, 0)));
    }
    map_free(&map);
}

// ---- the plan, read from the IR ----

static struct pipeline read_plan(struct pass_context *context, MlirOperation loop) {
    struct pipeline p = {.context = context,
                         .ir = context->ir,
                         .arena = context->arena,
                         .loop = loop,
                         .body = op_body(loop, 0),
                         .async = op_copy_way(loop) == COPIES_ASYNC,
                         .here = op_copy_way(loop) == COPIES_HERE,
                         .behind = op_has(loop, ATTR_BEHIND),
                         .proxy = op_has(loop, ATTR_PROXY),
                         .unguarded = op_has(loop, ATTR_UNGUARDED),
                         .unrolled = op_has(loop, ATTR_TWO_STEPS)};
    static const enum op_role roles[] = {ROLE_COPY, ROLE_COPY_VALUE};
    for (int r = 0; r < 2; r++) {
        for (MlirOperation op = mlirBlockGetFirstOperation(p.body); !mlirOperationIsNull(op);
             op = mlirOperationGetNextInBlock(op)) {
            if (op_op_role(op) == roles[r] && p.load_count < MAX_LOADS) {
                int slots = (int)op_int(op, ATTR_SLOTS);
                p.slots = slots > p.slots ? slots : p.slots;
                p.loads[p.load_count++] =
                    (struct staged_load){.load = op,
                                         .shared = pipeline_slot_layout(&p, op, roles[r]),
                                         .late = slots == 1 && op_int(op, ATTR_STAGE) > 0};
            }
        }
        p.operand_count = r == 0 ? p.load_count : p.operand_count;
    }
    p.distance = (int)op_int(mlirBlockGetTerminator(p.body), ATTR_STAGE);
    return p;
}

// The plan is removed before the loop is expanded, so that no copy of an op carries it.
static void forget_plan(struct pipeline *p) {
    static const enum attribute_name of_loop[] = {ATTR_COPIES, ATTR_BEHIND, ATTR_PROXY, ATTR_UNGUARDED,
                                                  ATTR_TWO_STEPS};
    for (size_t i = 0; i < sizeof of_loop / sizeof *of_loop; i++) {
        op_remove_attribute(p->loop, of_loop[i]);
    }
    for (size_t i = 0; i < p->load_count; i++) {
        op_remove_attribute(p->loads[i].load, ATTR_ROLE);
        op_remove_attribute(p->loads[i].load, ATTR_SLOTS);
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(p->body); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        op_remove_attribute(op, ATTR_STAGE);
    }
}

void pass_pipeline(struct pass_context *context, MlirModule module) {
    size_t count, plan_count = 0;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    struct pipeline *plans = NULL;
    for (int round = 0; round < 2; round++) {
        plans = round ? ARENA_ARRAY(context->arena, struct pipeline, plan_count + 1) : NULL;
        plan_count = 0;
        for (size_t i = 0; i < count; i++) {
            if (op_kind(context->ir, ops[i]) == OP_FOR && op_has(ops[i], ATTR_COPIES)) {
                if (plans) {
                    plans[plan_count] = read_plan(context, ops[i]);
                }
                plan_count++;
            }
        }
    }
    // Rewriting a loop destroys loads and conversions of its own body, and no other loop.
    for (size_t i = 0; i < plan_count; i++) {
        struct pipeline *p = &plans[i];
        forget_plan(p);
        if (p->load_count == 0 || !(p->here || pipeline_find_slice(p))) {
            continue;
        }
        if (!p->here) {
            rewrite_loop(p);
            continue;
        }
        struct builder b = builder_before(context->ir, p->loop);
        allocate(p, &b);
        pipeline_stage_here(p);
    }
}
