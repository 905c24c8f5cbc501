// kept_sources: the source tile of a gather, if invariant in the loop, is put into shared memory once, ahead
// of the loop.
//
//   scf.for %j … {                                        %s = tk.smem_alloc; tk.smem_store %s, %x; tk.barrier
//     %r = tk.gather %x, %i {scratch}              →      scf.for %j … {
//   }                                                       %r = tk.smem_gather %s, %i
//                                                         }
//
// A gather writes its whole source to scratch, waits at a barrier and reads its elements; a second barrier
// keeps the next gather's writes behind these reads. Loops over the rows of a tile did so for each of a dozen
// tiles in each iteration. A kept source occupies its bytes as long as the loop runs, so all sources together
// get few bytes.
//
// requires: layouts
// provides: shared buffers, without offsets until shared_alloc
// test:     tests/unit/test_kept_sources.c
#include "ir/build.h"
#include "passes/pass.h"
#include "passes/shared/shared_ranges.h"

enum { MOST_BYTES = 32768 };

struct kept_sources {
    struct pass_context *context;
    struct ir *ir;
    MlirOperation function;
    struct map buffers;  // source → its smem_alloc ahead of the loop at hand
    MlirOperation loop;  // the loop behind these buffers
    MlirOperation meets; // the barrier there
    unsigned bytes;      // of all buffers
};

static bool is_inside(MlirOperation op, MlirOperation loop) {
    while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, loop)) {
        op = mlirOperationGetParentOperation(op);
    }
    return !mlirOperationIsNull(op);
}

static MlirOperation place_of(MlirValue value) {
    return mlirValueIsABlockArgument(value) ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
                                            : mlirOpResultGetOwner(value);
}

// The outermost loop around the op in which the value is invariant; null: none.
static MlirOperation loop_around(struct kept_sources *k, MlirOperation op, MlirValue value) {
    MlirOperation loop = {NULL};
    for (op = mlirOperationGetParentOperation(op);
         !mlirOperationIsNull(op) && !is_inside(place_of(value), op);
         op = mlirOperationGetParentOperation(op)) {
        enum op_kind kind = op_kind(k->ir, op);
        if (kind == OP_FOR) {
            loop = op;
        } else if (kind != OP_IF) {
            break;
        }
    }
    return loop;
}

static unsigned bytes_of(MlirType type) {
    return (unsigned)type_elements(type) * type_bits(type_element(type)) / 8;
}

static bool fits(struct kept_sources *k, MlirOperation loop, unsigned bytes) {
    struct shared_claim claim = {loop, loop, bytes};
    return k->bytes + bytes <= MOST_BYTES &&
           shared_need(k->context, k->function, &claim, 1, NULL) <= k->context->target->shared_limit;
}

static MlirValue buffer_of(struct kept_sources *k, MlirOperation loop, MlirValue source) {
    if (!mlirOperationEqual(k->loop, loop)) {
        map_clear(&k->buffers);
        k->loop = loop;
        k->meets = (MlirOperation){NULL};
    }
    MlirOperation known = {map_get(&k->buffers, source.ptr)};
    if (!mlirOperationIsNull(known)) {
        return mlirOperationGetResult(known, 0);
    }
    MlirType type = mlirValueGetType(source);
    const struct layout *own = type_layout(k->ir, type);
    if (type_is_ptr(type_element(type)) || type_bits(type_element(type)) < 8 || !own ||
        !fits(k, loop, bytes_of(type))) {
        return (MlirValue){NULL};
    }
    struct builder b = builder_before(k->ir, mlirOperationIsNull(k->meets) ? loop : k->meets);
    b.location = mlirOperationGetLocation(loop);
    int64_t shape[LAYOUT_MAX_RANK];
    for (unsigned d = 0; d < own->rank; d++) {
        shape[d] = layout_extent(own, d);
    }
    struct layout rows = layout_row_major_shared(own->rank, shape);
    MlirOperation alloc = OP(&b, OP_SMEM_ALLOC, NO_OPERANDS, RESULTS(type_with_layout(k->ir, type, &rows)),
                             ATTRS(attr_i32(&b, ATTR_STAGES, 1)));
    OP(&b, OP_SMEM_STORE, OPERANDS(mlirOperationGetResult(alloc, 0), source), NO_RESULTS, NO_ATTRS);
    if (mlirOperationIsNull(k->meets)) {
        k->meets = OP(&b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, NO_ATTRS);
    }
    map_put(&k->buffers, source.ptr, alloc.ptr);
    k->bytes += bytes_of(type);
    return mlirOperationGetResult(alloc, 0);
}

static void keep_source(struct kept_sources *k, MlirOperation gather) {
    MlirValue source = gather_source(gather), result = mlirOperationGetResult(gather, 0);
    MlirOperation loop = loop_around(k, gather, source);
    MlirValue buffer = mlirOperationIsNull(loop) ? (MlirValue){NULL} : buffer_of(k, loop, source);
    if (mlirValueIsNull(buffer)) {
        return;
    }
    struct builder b = builder_before(k->ir, gather);
    b.location = mlirOperationGetLocation(gather);
    MlirValue picked =
        VALUE(&b, OP_SMEM_GATHER, OPERANDS(buffer, gather_indices(gather)), RESULTS(mlirValueGetType(result)),
              ATTRS(attr_i32(&b, ATTR_AXIS, (int32_t)op_int(gather, ATTR_AXIS))));
    mlirValueReplaceAllUsesOfWith(result, picked);
    mlirOperationDestroy(gather);
}

void pass_kept_sources(struct pass_context *context, MlirModule module) {
    struct kept_sources k = {.context = context, .ir = context->ir};
    size_t count;
    MlirOperation *ops = ops_collect(context->ir, context->arena, mlirModuleGetOperation(module), &count);
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(context->ir, ops[i]);
        if (kind == OP_FUNC) {
            k.function = ops[i];
            k.bytes = 0;
        } else if (kind == OP_GATHER) {
            keep_source(&k, ops[i]);
        }
    }
    map_free(&k.buffers);
}
