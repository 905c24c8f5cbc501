// operands_late: the operands of each dot are built right before it: first the operands computed in this
// iteration (their conversion may exchange through scratch, with a barrier), then the operands read from
// shared memory or converted from a load. Each operand's live range is as short as possible, and no barrier
// in between stops the back end from moving the reads to the matrix instructions.
//
// Without matrix instructions each thread needs whole rows and columns, far more than its registers hold.
// Then the tiles stay in shared memory until the dot is done, instead of a conversion, and the dot reads them
// step by step: on NVIDIA in ptxas's order, on AMD in a loop over k if the dot is long (shared_dot).
// Written out, 8,000 multiply-adds of a thread took LLVM's register allocator 20 s, and spilled thousands of values.
// Tiles of f8, widened by legal_dots, stay in shared memory as f8: shared_dot widens the part it reads.
//
//   %v = tk.smem_load %slot                        %p = tk.convert_layout %weights
//   %p = tk.convert_layout %weights        →       %v = tk.smem_load %slot
//   %d = tk.dot %p, %v, %c                         %d = tk.dot %p, %v, %c
//
// requires: layouts, no plan
// provides: each dot's operands right before it
// test:     tests/golden/passes/operands_late
#include "passes/pass.h"

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

// The only user if it is in the same block, else the op itself.
static MlirOperation only_user(MlirOperation convert) {
    MlirValue result = mlirOperationGetResult(convert, 0);
    MlirOperation user =
        value_has_one_use(result) ? mlirOpOperandGetOwner(mlirValueGetFirstUse(result)) : convert;
    return mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(convert)) ? user : convert;
}

static bool changes_hands(struct ir *ir, MlirOperation op) {
    if (mlirOperationIsNull(op) || op_kind(ir, op) != OP_CONVERT_LAYOUT) {
        return false;
    }
    MlirType from = mlirValueGetType(unary_source(op)), to = mlirValueGetType(mlirOperationGetResult(op, 0));
    return layout_conversion(type_layout(ir, from), type_layout(ir, to), SCRATCH_SHUFFLE_ROUNDS).kind ==
           LAYOUT_CONVERT_SHARED;
}

static unsigned bytes_of(MlirType type) {
    return (type_bits(type_element(type)) + 7) / 8;
}

static unsigned buffer_bytes(MlirValue tile) {
    MlirType type = mlirValueGetType(tile);
    return (unsigned)type_elements(type) * bytes_of(type);
}

// A new buffer with the tile, written at the builder's place, for reading it in the layout of `operand`.
static MlirValue buffer_with(struct pass_context *context, struct builder *b, MlirValue tile,
                             MlirValue operand) {
    MlirType type = mlirValueGetType(tile);
    struct layout shared =
        scratch_shared(context->target, type_layout(context->ir, type),
                       type_layout(context->ir, mlirValueGetType(operand)), bytes_of(type));
    MlirValue buffer =
        VALUE(b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(context->ir, type, &shared)),
              ATTRS(attr_i32(b, ATTR_STAGES, 1)));
    OP(b, OP_SMEM_STORE, OPERANDS(buffer, tile), NO_RESULTS, NO_ATTRS);
    return buffer;
}

static unsigned operand_registers(struct ir *ir, MlirOperation dot) {
    return registers_filled(ir, mlirOperationGetResult(dot, 0)) + registers_filled(ir, dot_a(dot)) +
           registers_filled(ir, dot_b(dot));
}

// NVIDIA: ptxas orders the reads by itself.
static void keep_shared(struct pass_context *context, MlirOperation function, MlirOperation dot) {
    struct ir *ir = context->ir;
    struct shared_claim claims[2];
    intptr_t kept[2];
    size_t count = 0;
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue operand = mlirOperationGetOperand(dot, i);
        if (changes_hands(ir, value_op(operand))) {
            claims[count] = (struct shared_claim){dot, dot, buffer_bytes(operand)};
            kept[count++] = i;
        }
    }
    if (operand_registers(ir, dot) <= context->target->registers_per_thread ||
        shared_need(context, function, claims, count, NULL) > context->target->shared_limit) {
        return;
    }
    struct builder b = builder_before(ir, dot);
    b.location = mlirOperationGetLocation(dot);
    MlirValue buffers[2];
    for (size_t k = 0; k < count; k++) {
        MlirValue operand = mlirOperationGetOperand(dot, kept[k]);
        buffers[k] = buffer_with(context, &b, unary_source(value_op(operand)), operand);
    }
    if (count > 0) {
        OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    for (size_t k = 0; k < count; k++) {
        MlirType type = mlirValueGetType(mlirOperationGetOperand(dot, kept[k]));
        MlirValue loaded = VALUE(&b, OP_SMEM_LOAD, OPERANDS(buffers[k]), RESULTS(type), NO_ATTRS);
        mlirOperationSetOperand(dot, kept[k], loaded);
    }
}

// ---- AMD: a loop over k ----

// The products of a function to become loops.
struct loops {
    struct pass_context *context;
    MlirOperation function;
    struct hoisted *hoisted;
};

// A buffer written once, ahead of the loop around its product. A store and a barrier follow it.
struct hoisted {
    MlirOperation alloc;
    struct hoisted *next;
};

// The source of an operand of a loop over k.
struct kept {
    MlirOperation widening; // of f8, done by the loop itself; else null
    MlirOperation load;     // of an operand in shared memory already; else null
    MlirValue slot;
    MlirValue tile;      // else: the tile to be stored there,
    MlirOperation place; // ahead of this op
};

// The conversion of f8 behind the operand, for this product alone, or null.
static MlirOperation widening_of(struct ir *ir, MlirValue operand) {
    MlirOperation maker = value_op(operand), none = {NULL};
    bool converts =
        !mlirOperationIsNull(maker) && op_kind(ir, maker) == OP_FP_TO_FP && value_has_one_use(operand);
    return converts && type_is_f8(type_element(mlirValueGetType(unary_source(maker)))) ? maker : none;
}

static struct kept kept_of(struct ir *ir, MlirOperation dot, MlirValue operand) {
    struct kept kept = {.widening = widening_of(ir, operand), .place = dot};
    operand = mlirOperationIsNull(kept.widening) ? operand : unary_source(kept.widening);
    kept.tile = operand;
    MlirOperation maker = value_op(operand);
    if (mlirOperationIsNull(maker)) {
        return kept;
    }
    bool beside = mlirBlockEqual(mlirOperationGetBlock(maker), mlirOperationGetBlock(dot));
    if (op_kind(ir, maker) == OP_SMEM_LOAD && beside && value_has_one_use(operand)) {
        kept.load = maker;
        kept.slot = smem_load_slot(maker);
    } else if (op_kind(ir, maker) == OP_CONVERT_LAYOUT) {
        kept.tile = unary_source(maker);
        kept.place = beside ? dot : maker;
    }
    return kept;
}

// More products of a thread than this are a loop: LLVM takes half a second over so many in a row.
static bool is_long(struct pass_context *context, MlirOperation dot) {
    enum { LONG = 2048 };
    MlirType a = mlirValueGetType(dot_a(dot)), sum = mlirValueGetType(mlirOperationGetResult(dot, 0));
    int64_t products =
        type_extent(a, type_rank(a) - 1) * (int64_t)layout_registers(type_layout(context->ir, sum));
    return products > LONG || operand_registers(context->ir, dot) > context->target->registers_per_thread;
}

static bool fits(struct loops *loops, const struct shared_claim claims[2]) {
    return shared_need(loops->context, loops->function, claims, 2, NULL) <=
           loops->context->target->shared_limit;
}

// True if the slot is a buffer written once, in another block: by this pass, or by reload.
static bool is_hoisted(struct ir *ir, MlirOperation dot, MlirValue slot) {
    MlirOperation alloc = value_op(slot), store;
    if (mlirOperationIsNull(alloc) || op_kind(ir, alloc) != OP_SMEM_ALLOC ||
        mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(dot))) {
        return false;
    }
    store = mlirOperationGetNextInBlock(alloc);
    return op_kind(ir, store) == OP_SMEM_STORE && value_is(smem_store_slot(store), slot);
}

static void remember(struct loops *loops, MlirOperation alloc) {
    for (struct hoisted *h = loops->hoisted; h; h = h->next) {
        if (mlirOperationEqual(h->alloc, alloc)) {
            return;
        }
    }
    struct hoisted *made = ARENA_NEW(loops->context->arena, struct hoisted);
    *made = (struct hoisted){alloc, loops->hoisted};
    loops->hoisted = made;
}

// A reader of the buffer, null if there is none left.
static MlirOpOperand reader(MlirValue buffer, MlirOperation store) {
    MlirOpOperand use = mlirValueGetFirstUse(buffer);
    while (!mlirOpOperandIsNull(use) && mlirOperationEqual(mlirOpOperandGetOwner(use), store)) {
        use = mlirOpOperandGetNextUse(use);
    }
    return use;
}

// Gives each reader of the hoisted buffers a buffer of its own, written right before it: in between, shared memory is
// free for other products.
static void store_each_time(struct loops *loops) {
    for (struct hoisted *h = loops->hoisted; h; h = h->next) {
        MlirValue buffer = mlirOperationGetResult(h->alloc, 0);
        MlirOperation store = mlirOperationGetNextInBlock(h->alloc);
        for (MlirOpOperand use = reader(buffer, store); !mlirOpOperandIsNull(use);
             use = reader(buffer, store)) {
            MlirOperation user = mlirOpOperandGetOwner(use);
            struct builder b = builder_before(loops->context->ir, user);
            MlirValue own = VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(mlirValueGetType(buffer)),
                                  ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
            OP(&b, OP_SMEM_STORE, OPERANDS(own, smem_store_tile(store)), NO_RESULTS, NO_ATTRS);
            OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
            mlirOperationSetOperand(user, (intptr_t)mlirOpOperandGetOperandNumber(use), own);
        }
        mlirOperationDestroy(store);
        mlirOperationDestroy(h->alloc);
    }
    loops->hoisted = NULL;
}

// The buffer is written in the conversion's place if there is room from there on, else right before the product.
static void choose_place(struct loops *loops, MlirOperation dot, struct kept *kept,
                         struct shared_claim claims[2], struct shared_claim *own) {
    struct shared_claim at_dot = *own;
    if (!mlirOperationEqual(kept->place, dot)) {
        *own = (struct shared_claim){kept->place, op_in_block(dot, mlirOperationGetBlock(kept->place)),
                                     own->bytes};
        if (!fits(loops, claims)) {
            *own = at_dot;
            kept->place = dot;
        }
    }
}

static MlirValue stored(struct loops *loops, MlirOperation dot, const struct kept *kept, MlirValue operand) {
    struct builder b = builder_before(loops->context->ir, kept->place);
    b.location = mlirOperationGetLocation(dot);
    MlirValue buffer = buffer_with(loops->context, &b, kept->tile, operand);
    OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    return buffer;
}

// The operands' sources, and the bytes of their buffers at the product. Remembers existing buffers.
static void find_operands(struct loops *loops, MlirOperation dot, struct kept kept[2],
                          struct shared_claim claims[2]) {
    struct ir *ir = loops->context->ir;
    for (intptr_t i = 0; i < 2; i++) {
        MlirValue operand = mlirOperationGetOperand(dot, i);
        kept[i] = kept_of(ir, dot, operand);
        bool there = !mlirValueIsNull(kept[i].slot);
        claims[i] = (struct shared_claim){dot, dot, there ? 0 : buffer_bytes(kept[i].tile)};
        if (there && is_hoisted(ir, dot, kept[i].slot)) {
            remember(loops, value_op(kept[i].slot));
        }
    }
}

static void multiply_in_loop(struct loops *loops, MlirOperation dot) {
    struct kept kept[2];
    struct shared_claim claims[2];
    if (!is_long(loops->context, dot)) {
        return;
    }
    find_operands(loops, dot, kept, claims);
    if (!fits(loops, claims)) {
        store_each_time(loops);
        find_operands(loops, dot, kept, claims);
    }
    if (!fits(loops, claims)) {
        return;
    }
    for (intptr_t i = 0; i < 2; i++) {
        if (mlirValueIsNull(kept[i].slot)) {
            choose_place(loops, dot, &kept[i], claims, &claims[i]);
            kept[i].slot = stored(loops, dot, &kept[i], mlirOperationGetOperand(dot, i));
            claims[i].bytes = 0;
            if (!mlirOperationEqual(kept[i].place, dot)) {
                remember(loops, value_op(kept[i].slot));
            }
        }
    }
    struct builder b = builder_before(loops->context->ir, dot);
    MlirValue sum = VALUE(&b, OP_SHARED_DOT, OPERANDS(kept[0].slot, kept[1].slot, dot_c(dot)),
                          RESULTS(mlirValueGetType(dot_c(dot))), NO_ATTRS);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(dot, 0), sum);
    mlirOperationDestroy(dot);
    for (intptr_t i = 0; i < 2; i++) {
        if (!mlirOperationIsNull(kept[i].widening)) {
            mlirOperationDestroy(kept[i].widening);
        }
        if (!mlirOperationIsNull(kept[i].load)) {
            mlirOperationDestroy(kept[i].load);
        }
    }
}

static void keep_all_shared(struct pass_context *context, MlirModule module) {
    struct loops loops = {.context = context};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            loops = (struct loops){.context = context, .function = ops[i]};
        } else if (kind == OP_DOT && !op_has(ops[i], ATTR_INSTRUCTION)) {
            if (context->target->vendor == VENDOR_NVIDIA) {
                keep_shared(context, loops.function, ops[i]);
            } else {
                multiply_in_loop(&loops, ops[i]);
            }
        }
    }
}

void pass_operands_late(struct pass_context *context, MlirModule module) {
    keep_all_shared(context, module);
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (int streamed = 0; streamed < 2; streamed++) {
        for (size_t i = 0; i < count; i++) {
            enum op_kind kind = op_kind(context->ir, ops[i]);
            if (kind != OP_CONVERT_LAYOUT && kind != OP_SMEM_LOAD) {
                continue;
            }
            MlirOperation source = value_op(unary_source(ops[i])), place = only_user(ops[i]);
            bool from_load = !mlirOperationIsNull(source) && op_kind(context->ir, source) == OP_LOAD;
            if (op_kind(context->ir, place) == OP_DOT && (kind == OP_SMEM_LOAD || from_load) == streamed) {
                mlirOperationMoveBefore(ops[i], place);
            }
        }
    }
}
