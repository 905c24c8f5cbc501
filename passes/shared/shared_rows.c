// shared_rows: a row that fills the registers of a multiprocessor waits in shared memory while its block reduces it, so that two
// blocks share the multiprocessor.
//
//   %x = tk.load %p                            %x = tk.load %p
//                                              tk.smem_store %row, %x
//   %f = extf %x                               %f = extf %x
//   %peak = reduce max %f                      %peak = reduce max %f
//                                        →     %y = extf (tk.smem_load %row)
//   %w = exp2 (%f - %peak)                     %w = exp2 (%y - %peak)
//   %sum = reduce add %w                       %sum = reduce add %w
//                                              %z = exp2 (extf (tk.smem_load %row) - %peak)
//   tk.store %q, %w / %sum                     tk.store %q, %z / %sum
//
// A block alone on a multiprocessor loads nothing while it reduces and stores. Behind a reduction over warps each value of the row is
// computed again from the row: the same ops on the same numbers, so results keep their bits. A thread reads what it wrote itself.
// (H200, softmax of 32,768 halves by hand: 0.82 of the time.) Left alone: rows beside another tile in registers, as the scale of a
// normalisation, rows of which two have no room, and accesses of fewer than 16 bytes.
//
// requires: layouts
// provides: shared buffers, without offsets until shared_alloc
// test:     tests/golden/passes/shared_rows
#include "passes/pass.h"

#include <mlir-c/BuiltinTypes.h>

#include "chip/registers.h"
#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

enum { BLOCKS = 2, WHOLE_BITS = 128 };

struct row {
    struct pass_context *context;
    MlirOperation function, load;
    unsigned num_warps;
    struct map phases; // value of the row → 1 + the number of reductions ahead of it
    struct map again;  // value of the row → the same in the phase being rewritten
    MlirValue buffer;
};

static bool meets(const struct row *r, MlirOperation op) {
    return op_kind(r->context->ir, op) == OP_REDUCE &&
           scratch_bytes(r->context->ir, r->context->target, r->num_warps, op) > 0;
}

static size_t phase_of(const struct row *r, MlirValue value) {
    return (size_t)(uintptr_t)map_get(&r->phases, value.ptr);
}

static bool reads(const struct row *r, MlirOperation op) {
    bool any = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        any |= phase_of(r, mlirOperationGetOperand(op, i)) > 0;
    }
    return any;
}

// True if the op computes elements of a tile from elements of the row, each from one.
static bool continues(const struct row *r, MlirOperation op) {
    unsigned traits = op_traits(op_kind(r->context->ir, op));
    return (traits & ELEMENTWISE) && (traits & PURE) && mlirOperationGetNumResults(op) == 1 &&
           mlirOperationGetNumRegions(op) == 0 && reads(r, op);
}

// Numbers the phases of the row's values. Returns the number of reductions of the row.
static size_t find_phases(struct row *r) {
    size_t phase = 1, reductions = 0;
    map_put(&r->phases, mlirOperationGetResult(r->load, 0).ptr, (void *)(uintptr_t)phase);
    for (MlirOperation op = mlirOperationGetNextInBlock(r->load); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        if (continues(r, op)) {
            map_put(&r->phases, mlirOperationGetResult(op, 0).ptr, (void *)(uintptr_t)phase);
        } else if (meets(r, op)) {
            phase++;
            reductions += reads(r, op);
        }
    }
    return reductions;
}

// A tile that lies in registers: no pointers, masks and indices, constants and splats.
static bool is_held(const struct row *r, MlirOperation op) {
    if (mlirOperationGetNumResults(op) != 1) {
        return false;
    }
    enum op_kind kind = op_kind(r->context->ir, op);
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    return type_is_tensor(type) && (kind == OP_LOAD || mlirTypeIsAFloat(type_element(type))) &&
           kind != OP_SPLAT && kind != OP_CONSTANT &&
           registers_filled(r->context->ir, mlirOperationGetResult(op, 0)) > 1;
}

// True if a block around the load's has a tile ahead of it.
static bool is_beside_tiles(const struct row *r) {
    MlirOperation outer = mlirOperationGetParentOperation(r->load);
    for (; !mlirOperationEqual(outer, r->function); outer = mlirOperationGetParentOperation(outer)) {
        MlirOperation op = mlirBlockGetFirstOperation(mlirOperationGetBlock(outer));
        for (; !mlirOperationEqual(op, outer); op = mlirOperationGetNextInBlock(op)) {
            if (is_held(r, op)) {
                return true;
            }
        }
    }
    return false;
}

// True if all tiles are values of the row, read by ops of its block alone. `widest`: registers of the largest of them.
static bool stands_alone(const struct row *r, unsigned *widest) {
    MlirBlock block = mlirOperationGetBlock(r->load);
    *widest = 0;
    if (is_beside_tiles(r)) {
        return false;
    }
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        enum op_kind kind = op_kind(r->context->ir, op);
        if (kind == OP_FOR || kind == OP_WHILE || kind == OP_IF || kind == OP_DOT) {
            return false;
        }
        if (!is_held(r, op)) {
            continue;
        }
        MlirValue value = mlirOperationGetResult(op, 0);
        if (phase_of(r, value) == 0) {
            return false;
        }
        unsigned registers = registers_filled(r->context->ir, value);
        *widest = registers > *widest ? registers : *widest;
    }
    return true;
}

// True if a multiprocessor has one block of threads that hold the row, and more where it waits in shared memory.
static bool pays(const struct row *r, unsigned widest) {
    const struct target *target = r->context->target;
    struct ir *ir = r->context->ir;
    MlirValue value = mlirOperationGetResult(r->load, 0);
    unsigned beside = registers_reserved(RESERVE_EARLY_LOADS);
    unsigned loaded = registers_of(ir, value);
    MlirType type = mlirValueGetType(value);
    if (op_int(r->load, ATTR_VECTOR) * type_bits(type_element(type)) < WHOLE_BITS) {
        return false;
    }
    unsigned bytes = (unsigned)(type_elements(type) * type_bits(type_element(type)) / 8);
    struct shared_claim claim = {r->load, mlirBlockGetTerminator(mlirOperationGetBlock(r->load)), bytes};
    return registers_blocks(target, r->num_warps, registers_rounded_up(widest + beside)) < BLOCKS &&
           registers_blocks(target, r->num_warps, registers_rounded_up(loaded + beside)) >= BLOCKS &&
           r->num_warps * target->warp_size * BLOCKS <= target->threads_per_sm &&
           shared_need(r->context, r->function, &claim, 1, NULL) <= target_shared_share(target, BLOCKS);
}

// The value, computed again ahead of `b`, in the given phase.
static MlirValue repeat(struct row *r, struct builder *b, MlirValue value, size_t phase) {
    void *known = map_get(&r->again, value.ptr);
    if (known || phase_of(r, value) == 0 || phase_of(r, value) == phase) {
        return known ? (MlirValue){known} : value;
    }
    MlirOperation op = value_op(value);
    MlirValue made;
    if (mlirOperationEqual(op, r->load) || op_kind(r->context->ir, op) == OP_SMEM_LOAD) {
        made = VALUE(b, OP_SMEM_LOAD, OPERANDS(r->buffer), RESULTS(mlirValueGetType(value)), NO_ATTRS);
    } else {
        MlirOperation copy = mlirOperationClone(op);
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++) {
            mlirOperationSetOperand(copy, i, repeat(r, b, mlirOperationGetOperand(op, i), phase));
        }
        build_insert(b, copy);
        made = mlirOperationGetResult(copy, 0);
    }
    map_put(&r->again, value.ptr, (void *)made.ptr);
    map_put(&r->phases, made.ptr, (void *)(uintptr_t)phase);
    return made;
}

static void write_row(struct row *r) {
    struct ir *ir = r->context->ir;
    MlirValue value = mlirOperationGetResult(r->load, 0);
    MlirType type = mlirValueGetType(value);
    unsigned bytes = type_bits(type_element(type)) / 8;
    struct layout shared =
        scratch_operand(r->context->target, type_layout(ir, type), type_layout(ir, type), bytes);
    struct builder b = builder_after(ir, r->load);
    b.location = mlirOperationGetLocation(r->load);
    r->buffer = VALUE(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(ir, type, &shared)),
                      ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    OP(&b, OP_SMEM_STORE, OPERANDS(r->buffer, value), NO_RESULTS, NO_ATTRS);
    op_set_int(ir, r->function, ATTR_BLOCKS, BLOCKS);
}

// Computes again what is read in a later phase than its own.
static void rewrite(struct row *r) {
    size_t phase = 1;
    for (MlirOperation op = mlirOperationGetNextInBlock(r->load); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
            MlirValue value = mlirOperationGetOperand(op, i);
            if (phase_of(r, value) > 0 && phase_of(r, value) < phase) {
                struct builder b = builder_before(r->context->ir, op);
                b.location = mlirOperationGetLocation(op);
                mlirOperationSetOperand(op, i, repeat(r, &b, value, phase));
            }
        }
        if (meets(r, op)) {
            phase++;
            map_free(&r->again);
            r->again = (struct map){0};
        }
    }
}

static void run_on_load(struct row *r) {
    unsigned widest;
    if (find_phases(r) > 1 && stands_alone(r, &widest) && pays(r, widest)) {
        write_row(r);
        rewrite(r);
    }
    map_free(&r->phases);
    map_free(&r->again);
    r->phases = r->again = (struct map){0};
}

void pass_shared_rows(struct pass_context *context, MlirModule module) {
    if (context->target->vendor != VENDOR_NVIDIA) {
        return; // not measured
    }
    struct row r = {.context = context};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        if (op_kind(context->ir, ops[i]) == OP_FUNC) {
            r.function = ops[i];
            r.num_warps = (unsigned)op_int(ops[i], ATTR_NUM_WARPS);
        } else if (op_kind(context->ir, ops[i]) == OP_LOAD && !load_is_volatile(ops[i]) &&
                   op_int(r.function, ATTR_MAXNREG) == 0 && op_int(r.function, ATTR_PRODUCER_WARPS) == 0 &&
                   type_is_tensor(mlirValueGetType(mlirOperationGetResult(ops[i], 0)))) {
            r.load = ops[i];
            run_on_load(&r);
        }
    }
}
