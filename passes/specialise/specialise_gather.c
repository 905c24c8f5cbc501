// Operands whose rows have addresses of their own: gathered rows, shifted rows of a convolution, odd strides. No
// tensor map has their addresses, so all threads of the producer's warps copy them by cp.async, to the same
// slots as tensor copies fill, while the first thread starts the tensor copies of the other operand.
//
//   consumers' source                          producer
//     %i = tk.load %rows                         %i = tk.load %rows          before the loop, in the producer's layout
//     scf.for %k … {                             scf.for %k … {
//       %x = tk.load %a + %i * K + %k              tk.mbarrier_wait %empty[slot]
//       %y = tk.load …                             tk.mbarrier_expect, tk.bulk_load      the first thread
//       %d = tk.dot %x, %y, %c           →         tk.gather_load %slot, %a + %i * K + %k
//     }                                            tk.async_commit
//                                                  tk.async_wait {pending = 1, proxy}
//                                                  tk.mbarrier_arrive %full[slot before]
//                                                }
//
// The wait for a slot's copies stands behind the start of the next ones: of the next slot's, in the next loop or program if need be, or
// of the values', where keys and values are waited for apart (specialise_chain.c). For the last slot of all it stands at the end, and for
// the last slot of a tile ahead of one without a step behind this one's loop.
//
// A slot is full when the tensor copies have brought their bytes and each of the producer's warps has arrived.
// cp.async writes by the generic proxy: a fence stands between its end and the arrival.
//
// Several lanes hold vectors of one row. Offsets and masks of rows, if they take arithmetic, are computed by one lane
// a row, and a convert_layout hands them to the others by shuffles and votes.
//
// Layouts of the producer's tiles are those of four warps; higher bits of a warp's number are zero there.
#include "passes/specialise/specialise.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include "chip/scratch.h"
#include "chip/wgmma.h"
#include "ir/build.h"
#include "passes/facts/operand_layout.h"

enum { VECTOR_BYTES = 16, LANES = 32, PRODUCER_WARP_BITS = 2 };

// ---- deciding ----

bool gathers_group(const struct stage_loop *stage, unsigned group) {
    bool any = false;
    for (size_t i = 0; i < stage->load_count; i++) {
        any |= stage->loads[i].gathered && stage->loads[i].group == group;
    }
    return any;
}

bool any_gathered(const struct copy *copies, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        any |= copies[i].gathered;
    }
    return any;
}

bool gathers(const struct stage_loop *stage) {
    return any_gathered(stage->loads, stage->load_count);
}

bool gathered_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                   struct copy *copy) {
    struct wgmma_operand operand;
    unsigned bytes = type_bits(type_element(shared)) / 8;
    *copy = (struct copy){.access = load, .type = shared, .gathered = true};
    bool fits = bytes <= 2 && !load_is_volatile(load) &&
                bytes * (unsigned)op_int(load, ATTR_VECTOR) >= VECTOR_BYTES &&
                wgmma_operand_of(type_layout(s->ir, shared), bytes, &operand);
    MlirValue mask = load_mask(load);
    if (!fits || (!mlirValueIsNull(load_other(load)) && !fills_with_zero(s->ir, load_other(load))) ||
        !is_tile_producible(s, loop, load_pointer(load)) ||
        (!mlirValueIsNull(mask) && !is_tile_producible(s, loop, mask))) {
        return false;
    }
    struct tile_access tile;
    copy->known_run = shifted_rows(s, load, &tile) ? (int)tile.dim[1].run : 0;
    copy->fastest = operand.rows_fastest ? 0 : 1;
    copy->swizzle = operand.swizzle;
    copy->bytes = (unsigned)type_elements(shared) * bytes;
    return true;
}

bool operand_copy(struct specialise *s, MlirOperation loop, MlirOperation load, MlirType shared,
                  struct copy *copy) {
    bool threads = read_by_threads(s, load, shared);
    bool copied = boxed_copy(s, loop, load, shared, copy) || (!threads && in_block(load, op_body(loop, 0)) &&
                                                              gathered_copy(s, loop, load, shared, copy));
    copy->in_threads = threads;
    return copied;
}

void gather_alike(struct specialise *s) {
    for (size_t n = 0; n < s->loop_count * s->loop_count; n++) {
        const struct stage_loop *from = &s->loops[n / s->loop_count];
        struct stage_loop *to = &s->loops[n % s->loop_count];
        for (size_t i = 0; i < from->load_count && i < to->load_count; i++) {
            struct copy copy;
            if (from->loads[i].gathered && !to->loads[i].gathered && !to->loads[i].in_threads &&
                gathered_copy(s, to->loop, to->loads[i].access, to->loads[i].type, &copy)) {
                copy.group = to->loads[i].group;
                to->loads[i] = copy;
            }
        }
    }
}

// ---- tiles of the producer ----

struct made {
    const struct layout *layout;
    MlirValue value;
    struct made *next;
};

struct gather {
    struct specialise *s;
    MlirOperation loop;
    struct map *scalars; // as of specialise_corner
    struct map made;     // tile → list of struct made
};

void gather_all_warps(const struct specialise *s, struct layout *layout) {
    unsigned bits = 0;
    while (1u << bits < s->num_warps) {
        bits++;
    }
    for (unsigned bit = layout->bits[LAYOUT_WARP]; bit < bits; bit++) {
        layout->basis[LAYOUT_WARP][bit] = 0;
    }
    layout->bits[LAYOUT_WARP] = bits;
}

// Threads of four warps, each with 16 bytes of a row.
static struct layout layout_of(const struct specialise *s, const struct copy *copy) {
    int64_t shape[] = {type_extent(copy->type, 0), type_extent(copy->type, 1)};
    unsigned bytes = type_bits(type_element(copy->type)) / 8, along = (unsigned)copy->fastest;
    unsigned order[] = {along, 1 - along}, size[] = {1, 1}, lanes[] = {1, 1}, warps[] = {1, 1};
    size[along] = VECTOR_BYTES / bytes;
    lanes[along] = (unsigned)shape[along] / size[along];
    lanes[along] = lanes[along] < LANES ? lanes[along] : LANES;
    lanes[1 - along] = LANES / lanes[along];
    warps[1 - along] = 1 << PRODUCER_WARP_BITS;
    struct layout layout = layout_blocked(2, shape, size, lanes, warps, order);
    gather_all_warps(s, &layout);
    return layout;
}

static MlirValue tile(struct gather *g, struct builder *b, MlirValue value, const struct layout *layout);

// A carried tile of addresses: the first one, and as many steps as iterations have passed.
static MlirValue carried_tile(struct gather *g, struct builder *b, MlirValue value,
                              const struct layout *layout) {
    struct ir *ir = b->ir;
    intptr_t number = carried_number(value, g->loop);
    MlirValue first = tile(g, b, for_init(g->loop, number), layout);
    MlirValue step = tile(g, b, carried_step(g->s, g->loop, number), layout);
    MlirType wide = type_with_layout(ir, type_with_shape_of(mlirValueGetType(step), type_i64(ir)), layout);
    if (!mlirTypeEqual(mlirValueGetType(step), wide)) {
        step = VALUE(b, OP_EXTSI, OPERANDS(step), RESULTS(wide), NO_ATTRS);
    }
    MlirValue count = specialise_iteration(b, g->scalars, g->loop);
    count = mlirTypeEqual(mlirValueGetType(count), type_i64(ir))
                ? count
                : VALUE(b, OP_EXTSI, OPERANDS(count), RESULTS(type_i64(ir)), NO_ATTRS);
    count = VALUE(b, OP_SPLAT, OPERANDS(count), RESULTS(wide), NO_ATTRS);
    return VALUE(b, OP_ADDPTR, OPERANDS(first, build_binary(b, OP_MULI, step, count)),
                 RESULTS(mlirValueGetType(first)), NO_ATTRS);
}

static MlirValue repeated(struct gather *g, struct builder *b, MlirOperation op,
                          const struct layout *layout) {
    struct arena *arena = g->s->arena;
    enum op_kind kind = op_kind(b->ir, op);
    MlirType type = type_with_layout(b->ir, mlirValueGetType(mlirOperationGetResult(op, 0)), layout);
    if (kind == OP_CONVERT_LAYOUT) {
        return tile(g, b, unary_source(op), layout);
    }
    if (kind == OP_CONSTANT) {
        MlirAttribute splat = mlirDenseElementsAttrGetSplatValue(op_attribute(op, ATTR_VALUE));
        return VALUE(b, OP_CONSTANT, NO_OPERANDS, RESULTS(type),
                     ATTRS(attr(b, ATTR_VALUE, mlirDenseElementsAttrSplatGet(type, splat))));
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    MlirValue *operands = ARENA_ARRAY(arena, MlirValue, count + 1);
    for (intptr_t i = 0; i < count; i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        struct layout own = type_is_tensor(mlirValueGetType(operand))
                                ? operand_layout(b->ir, arena, op, i, layout)
                                : (struct layout){0};
        operands[i] = tile(g, b, operand, &own);
    }
    MlirOperation made =
        build_op(b, kind, (struct operands){count, operands}, RESULTS(type), op_attributes(arena, op));
    if (kind == OP_LOAD) {
        op_set_int(b->ir, made, ATTR_VECTOR, 1);
    }
    return mlirOperationGetResult(made, 0);
}

// ---- rows' places, once a row ----

// Without copies of an element in several lanes, as far as a thread has several elements: one lane of a warp has the elements
// needed by all lanes with vectors of the row. False: it is so already.
static bool spread_out(const struct layout *layout, struct layout *out) {
    *out = *layout;
    for (unsigned lane = 0; lane < layout->bits[LAYOUT_LANE] && out->bits[LAYOUT_REGISTER] > 0; lane++) {
        if (layout->basis[LAYOUT_LANE][lane] == 0) {
            unsigned last = --out->bits[LAYOUT_REGISTER];
            out->basis[LAYOUT_LANE][lane] = out->basis[LAYOUT_REGISTER][last];
            out->basis[LAYOUT_REGISTER][last] = 0;
        }
    }
    return out->bits[LAYOUT_REGISTER] < layout->bits[LAYOUT_REGISTER];
}

// The instructions of a thread for one element of the op; none if an element only changes its place.
static unsigned instructions(enum op_kind kind) {
    bool none = kind == OP_CONSTANT || kind == OP_RANGE || kind == OP_SPLAT || kind == OP_BROADCAST ||
                kind == OP_EXPAND_DIMS || kind == OP_TRANS || kind == OP_CONVERT_LAYOUT;
    unsigned many = op_traits(kind) >> COST_SHIFT;
    return none ? 0 : many > 0 ? many : 1;
}

// Instructions for an element of the tile, in the loop if it stands there, else before it; `most` if they are more.
static unsigned work(const struct gather *g, MlirValue value, unsigned most) {
    MlirOperation op = value_op(value);
    if (mlirOperationIsNull(op) || !type_is_tensor(mlirValueGetType(value))) {
        return 0;
    }
    bool inside = in_block(op, op_body(g->loop, 0));
    unsigned sum = instructions(op_kind(g->s->ir, op));
    for (intptr_t i = 0; sum < most && i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        if (in_block(value_op(operand), op_body(g->loop, 0)) == inside) {
            sum += work(g, operand, most - sum);
        }
    }
    return sum < most ? sum : most;
}

// True if the tile is computed in the layout `out`, once for each row, and the lanes of a warp then exchange it. A
// pointer is computed from exchanged offsets: they are shorter.
static bool exchanges(const struct gather *g, MlirValue value, const struct layout *layout,
                      struct layout *out) {
    enum { EXCHANGE = 4 }; // cost of the exchange of an element, in instructions
    return !type_is_ptr(type_element(mlirValueGetType(value))) && spread_out(layout, out) &&
           layout_conversion(out, layout, SCRATCH_SHUFFLE_ROUNDS).kind == LAYOUT_CONVERT_SHUFFLE &&
           work(g, value, EXCHANGE + 1) > EXCHANGE;
}

static MlirValue exchanged(struct gather *g, struct builder *b, MlirValue value, const struct layout *layout,
                           const struct layout *rows) {
    MlirValue made = tile(g, b, value, rows);
    return VALUE(b, OP_CONVERT_LAYOUT, OPERANDS(made),
                 RESULTS(type_with_layout(b->ir, mlirValueGetType(made), layout)), NO_ATTRS);
}

static MlirValue tile(struct gather *g, struct builder *b, MlirValue value, const struct layout *layout) {
    if (!type_is_tensor(mlirValueGetType(value))) {
        return specialise_scalar(b, value, g->scalars);
    }
    struct layout rows;
    for (struct made *one = map_get(&g->made, value.ptr); one; one = one->next) {
        if (layout_equal(one->layout, layout)) {
            return one->value;
        }
    }
    MlirValue made = exchanges(g, value, layout, &rows)     ? exchanged(g, b, value, layout, &rows)
                     : mlirOperationIsNull(value_op(value)) ? carried_tile(g, b, value, layout)
                                                            : repeated(g, b, value_op(value), layout);
    struct layout *kept = ARENA_NEW(g->s->arena, struct layout);
    struct made *one = ARENA_NEW(g->s->arena, struct made);
    *kept = *layout;
    *one = (struct made){kept, made, map_get(&g->made, value.ptr)};
    map_put(&g->made, value.ptr, one);
    return made;
}

MlirValue gather_tile(struct specialise *s, struct builder *b, struct map *map, MlirValue value,
                      const struct layout *layout) {
    struct gather g = {.s = s, .loop = s->loops[0].loop, .scalars = map};
    MlirValue made = tile(&g, b, value, layout);
    map_free(&g.made);
    return made;
}

// Computes the tile's parts outside the loop.
static void prepare(struct gather *g, struct builder *b, MlirValue value, const struct layout *layout) {
    if (!type_is_tensor(mlirValueGetType(value))) {
        return;
    }
    intptr_t number = carried_number(value, g->loop);
    if (number >= 0) {
        prepare(g, b, for_init(g->loop, number), layout);
        prepare(g, b, carried_step(g->s, g->loop, number), layout);
        return;
    }
    MlirOperation op = value_op(value);
    if (!in_block(op, op_body(g->loop, 0))) {
        tile(g, b, value, layout);
        return;
    }
    struct layout rows;
    layout = exchanges(g, value, layout, &rows) ? &rows : layout;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        if (type_is_tensor(mlirValueGetType(operand))) {
            struct layout own = op_kind(b->ir, op) == OP_CONVERT_LAYOUT
                                    ? *layout
                                    : operand_layout(b->ir, g->s->arena, op, i, layout);
            prepare(g, b, operand, &own);
        }
    }
}

struct gather *gather_begin(struct specialise *s, const struct stage_loop *stage, struct builder *b,
                            struct map *map) {
    struct gather *g = ARENA_NEW(s->arena, struct gather);
    *g = (struct gather){.s = s, .loop = stage->loop, .scalars = map};
    for (size_t i = 0; i < stage->load_count; i++) {
        MlirOperation load = stage->loads[i].access;
        if (stage->loads[i].gathered) {
            struct layout layout = layout_of(s, &stage->loads[i]);
            prepare(g, b, load_pointer(load), &layout);
            if (!mlirValueIsNull(load_mask(load))) {
                prepare(g, b, load_mask(load), &layout);
            }
        }
    }
    return g;
}

// Waits until at most `pending` of the thread's groups are under way, and signals the slot for the group's readers, if the condition holds.
static void signal(struct specialise *s, struct builder *b, int pending, unsigned group, MlirValue slot,
                   MlirValue condition) {
    OP(b, OP_ASYNC_WAIT, NO_OPERANDS, NO_RESULTS,
       ATTRS(attr_i32(b, ATTR_PENDING, pending), attr_unit(b, ATTR_PROXY)));
    slot_fill_together(b, s->full[group], slot, condition);
}

// Signals the last group of the slot before the turn's, if there is one.
static void signal_before(struct specialise *s, struct builder *b, int pending, struct turn turn) {
    unsigned group = SPECIALISE_GROUPS - 1;
    while (!gathers_group(&s->loops[0], group)) {
        group--;
    }
    MlirValue copied = build_compare(b, INT_NE, turn.copied, const_i32(b, 0));
    signal(s, b, pending, group, place_before(s, b, turn.at).slot, copied);
}

void gather_bring(struct specialise *s, const struct stage_loop *stage, struct gather *g, unsigned group,
                  struct builder *b, struct turn turn) {
    for (size_t i = 0; i < stage->load_count; i++) {
        const struct copy *copy = &stage->loads[i];
        if (!copy->gathered || copy->group != group) {
            continue;
        }
        struct layout layout = layout_of(s, copy);
        b->location = mlirOperationGetLocation(copy->access);
        MlirValue slot = slot_view(b, copy, turn.at.slot), mask = load_mask(copy->access);
        MlirValue operands[] = {slot, tile(g, b, load_pointer(copy->access), &layout), {NULL}};
        if (!mlirValueIsNull(mask)) {
            operands[2] = tile(g, b, mask, &layout);
        }
        build_op(b, OP_GATHER_LOAD, (struct operands){mlirValueIsNull(mask) ? 2 : 3, operands}, NO_RESULTS,
                 ATTRS(attr_i32(b, ATTR_VECTOR, (int32_t)op_int(copy->access, ATTR_VECTOR))));
    }
    OP(b, OP_ASYNC_COMMIT, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    if (group > 0 && gathers_group(stage, group - 1)) {
        signal(s, b, 1, group - 1, turn.at.slot, const_int(b, type_i1(s->ir), 1));
    } else {
        signal_before(s, b, 1, turn);
    }
}

// The last slot's signal comes with the next step. A producer's wait between the two must not need the slot: a kept operand's
// buffer is free once a tile is done, and another tile may have no step.
static void settle(struct specialise *s, struct builder *b, struct turn *turn, MlirValue when) {
    MlirBlock blocks[2];
    build_if(b, when, NO_RESULTS, &blocks[0], &blocks[1]);
    struct builder now = builder_at_end(s->ir, blocks[0], b->location),
                   not_yet = builder_at_end(s->ir, blocks[1], b->location);
    signal_before(s, &now, 0, *turn);
    build_yield(&now, NO_OPERANDS);
    build_yield(&not_yet, NO_OPERANDS);
    turn->copied = build_select(b, when, const_i32(b, 0), turn->copied);
}

enum { TILE_BEFORE = 2 }; // of `copied`: the slot is one of a tile before

void gather_settle(struct specialise *s, struct builder *b, struct turn *turn) {
    if (s->signals) {
        settle(s, b, turn, build_compare(b, INT_NE, turn->copied, const_i32(b, 0)));
    }
}

void gather_tile_begins(struct specialise *s, struct builder *b, struct turn *turn) {
    if (s->signals && s->kept_count > 0) {
        MlirValue any = build_compare(b, INT_NE, turn->copied, const_i32(b, 0));
        turn->copied = build_select(b, any, const_i32(b, TILE_BEFORE), turn->copied);
    }
}

void gather_tile_ends(struct specialise *s, struct builder *b, struct turn *turn) {
    if (s->signals && s->kept_count > 0) {
        settle(s, b, turn, build_compare(b, INT_EQ, turn->copied, const_i32(b, TILE_BEFORE)));
    }
}

void gather_end(struct specialise *s, struct builder *b, struct turn end) {
    signal_before(s, b, 0, end);
}
