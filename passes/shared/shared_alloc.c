// shared_alloc: byte offsets in shared memory for buffers and for the scratch of single ops.
//
//   %b = tk.smem_alloc {stages = 3}                 %b = tk.smem_alloc {offset = 0, stages = 3}
//   %y = tk.convert_layout %x               →       %y = tk.convert_layout %x {scratch = 49152}
//                                                   func.func … attributes {tk.shared_bytes = 65536}
//
// A buffer is live from its allocation to the end of the outermost loop (below the allocation's own block)
// around a use of it; scratch is live at its op alone. Larger pieces are placed first, each at the lowest
// offset without overlap with a piece live at the same time.
//
// requires: layouts
// provides: `offset`, `scratch` and `tk.shared_bytes`
// test:     tests/golden/passes/shared_alloc
#include "passes/shared/shared_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "ir/build.h"
#include "chip/scratch.h"
#include "chip/wgmma.h"

// Swizzle patterns of matrix descriptors and of bulk copies repeat every 1,024 bytes and start at address 0.
enum { BUFFER_ALIGNMENT = 128, SWIZZLE_ALIGNMENT = 1024, SCRATCH_ALIGNMENT = 16, SMALL_SCRATCH = 512 };

struct piece_list {
    size_t count;
    struct shared_piece **at;
};

MlirOperation shared_buffer(struct ir *ir, MlirValue handle) {
    MlirOperation op = value_op(handle);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) != OP_SMEM_ALLOC) {
        enum op_kind kind = op_kind(ir, op);
        if (kind != OP_SMEM_SLOT && kind != OP_SMEM_TRANS) {
            return (MlirOperation){NULL};
        }
        op = value_op(leading_operand(op));
    }
    return op;
}

MlirValue shared_slot(struct ir *ir, MlirValue handle) {
    MlirOperation op = value_op(handle);
    while (!mlirOperationIsNull(op) && op_kind(ir, op) == OP_SMEM_TRANS) {
        op = value_op(smem_trans_slot(op));
    }
    bool slot = !mlirOperationIsNull(op) && op_kind(ir, op) == OP_SMEM_SLOT;
    return slot ? smem_slot_index(op) : (MlirValue){NULL};
}

unsigned shared_buffer_bytes(struct ir *ir, MlirOperation alloc) {
    (void)ir;
    MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
    unsigned element = (type_bits(type_element(type)) + 7) / 8;
    return (unsigned)type_elements(type) * element * (unsigned)op_int(alloc, ATTR_STAGES);
}

struct positions {
    struct pass_context *context;
    struct map of; // op → position + 1
    MlirOperation *ops;
    size_t count;
};

static size_t position(const struct positions *p, MlirOperation op) {
    return (size_t)(uintptr_t)map_get(&p->of, op.ptr) - 1;
}

// The last position inside `op`; for a loop, its end.
static size_t end_position(const struct positions *p, MlirOperation op) {
    size_t end = position(p, op);
    while (end + 1 < p->count) {
        MlirOperation next = p->ops[end + 1];
        while (!mlirOperationIsNull(next) && !mlirOperationEqual(next, op)) {
            next = mlirOperationGetParentOperation(next);
        }
        if (mlirOperationIsNull(next)) {
            break;
        }
        end++;
    }
    return end;
}

static void extend_to_uses(const struct positions *p, struct shared_piece *piece, MlirValue handle) {
    for (MlirOpOperand use = mlirValueGetFirstUse(handle); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use)) {
        MlirOperation user = mlirOpOperandGetOwner(use);
        MlirOperation top = op_in_block(user, mlirOperationGetBlock(piece->op));
        size_t end = end_position(p, top);
        piece->last = end > piece->last ? end : piece->last;
        enum op_kind kind = op_kind(p->context->ir, user);
        if (kind == OP_SMEM_SLOT || kind == OP_SMEM_TRANS) {
            extend_to_uses(p, piece, mlirOperationGetResult(user, 0));
        }
    }
}

// Small scratch, as for reductions, gets bytes of its own: reuse would save little and cost a barrier. If
// these bytes make the total too large, small scratch shares like the rest.
static bool is_small(const struct shared_piece *piece) {
    return piece->alignment == SCRATCH_ALIGNMENT && piece->bytes <= SMALL_SCRATCH;
}

static bool alive_together(const struct shared_piece *a, const struct shared_piece *b, bool small_apart) {
    return (small_apart && is_small(a) && is_small(b)) || (a->first <= b->last && b->first <= a->last);
}

static int larger_first(const void *a, const void *b) {
    const struct shared_piece *x = *(struct shared_piece *const *)a, *y = *(struct shared_piece *const *)b;
    if (x->bytes != y->bytes) {
        return x->bytes > y->bytes ? -1 : 1;
    }
    return x->first < y->first ? -1 : x->first > y->first;
}

// The lowest offset without overlap between the piece and placed pieces live with it.
static unsigned lowest_offset(const struct shared_piece *piece, struct shared_piece *const *pieces,
                              size_t count, bool small_apart) {
    unsigned offset = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < count; i++) {
            const struct shared_piece *other = pieces[i];
            if (other->placed && alive_together(piece, other, small_apart) &&
                offset < other->offset + other->bytes && other->offset < offset + piece->bytes) {
                unsigned past = other->offset + other->bytes;
                offset = (past + piece->alignment - 1) / piece->alignment * piece->alignment;
                moved = true;
            }
        }
    }
    return offset;
}

static bool read_by_warpgroups(struct pass_context *context, MlirType type) {
    struct wgmma_operand operand;
    unsigned bytes = (type_bits(type_element(type)) + 7) / 8;
    return context->target->has & FEATURES_SWIZZLED &&
           wgmma_operand_of(type_layout(context->ir, type), bytes, &operand);
}

// True if warpgroup will put the conversion's result into a buffer.
static bool makes_buffer(struct ir *ir, MlirOperation convert) {
    return type_is_shared(ir, mlirValueGetType(mlirOperationGetResult(convert, 0)));
}

static void add_piece(struct pass_context *context, struct piece_list *list, struct shared_piece piece) {
    if (piece.bytes > 0) {
        list->at[list->count] = ARENA_NEW(context->arena, struct shared_piece);
        *list->at[list->count++] = piece;
    }
}

// The pieces for the function's ops, except those in `gone`, with room for `extra` more.
static struct piece_list find_pieces(struct positions *p, MlirOperation function, const struct map *gone,
                                     size_t extra) {
    struct pass_context *context = p->context;
    struct piece_list list = {.at = ARENA_ARRAY(context->arena, struct shared_piece *, p->count + extra + 1)};
    unsigned num_warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    for (size_t i = 0; i < p->count; i++) {
        enum op_kind kind = op_kind(context->ir, p->ops[i]);
        struct shared_piece piece = {.op = p->ops[i], .first = i, .last = i, .alignment = SCRATCH_ALIGNMENT};
        if (gone && map_has(gone, p->ops[i].ptr)) {
            continue;
        }
        if (kind == OP_SMEM_ALLOC) {
            piece.bytes = shared_buffer_bytes(context->ir, p->ops[i]);
            MlirType type = mlirValueGetType(mlirOperationGetResult(p->ops[i], 0));
            unsigned usual = read_by_warpgroups(context, type) ? SWIZZLE_ALIGNMENT : BUFFER_ALIGNMENT;
            piece.alignment = (unsigned)op_int_or(p->ops[i], ATTR_ALIGNMENT, usual);
            extend_to_uses(p, &piece, mlirOperationGetResult(p->ops[i], 0));
        } else if (kind == OP_MBARRIER_ALLOC) { // live throughout
            piece.bytes = MBARRIER_BYTES * (unsigned)op_int(p->ops[i], ATTR_COUNT);
            piece.first = 0;
            piece.last = p->count;
        } else if (kind == OP_LAUNCH_ANSWERS) {
            piece.bytes = LAUNCH_ANSWER_BYTES * (unsigned)op_int(p->ops[i], ATTR_COUNT);
            piece.first = 0;
            piece.last = p->count;
        } else if (kind == OP_TENSOR_ALLOC) {
            piece.bytes = TENSOR_WORD_BYTES;
            piece.first = 0;
            piece.last = p->count;
        } else if (op_traits(kind) & SCRATCH) {
            piece.bytes = scratch_bytes(context->ir, context->target, num_warps, p->ops[i]);
        }
        if (kind == OP_CONVERT_LAYOUT && makes_buffer(context->ir, p->ops[i])) {
            piece.alignment = SWIZZLE_ALIGNMENT;
            extend_to_uses(p, &piece, mlirOperationGetResult(p->ops[i], 0));
        }
        add_piece(context, &list, piece);
    }
    return list;
}

// Gives every piece its offset. Returns the total bytes.
static unsigned place(struct piece_list *list, bool small_apart) {
    unsigned total = 0;
    qsort(list->at, list->count, sizeof *list->at, larger_first);
    for (size_t i = 0; i < list->count; i++) {
        struct shared_piece *piece = list->at[i];
        piece->offset = lowest_offset(piece, list->at, i, small_apart);
        piece->placed = true;
        total = piece->offset + piece->bytes > total ? piece->offset + piece->bytes : total;
    }
    return total;
}

static struct positions find_positions(struct pass_context *context, MlirOperation function) {
    struct positions p = {.context = context};
    p.ops = ops_collect(context->ir, context->arena, function, &p.count);
    for (size_t i = 0; i < p.count; i++) {
        map_put(&p.of, p.ops[i].ptr, (void *)(uintptr_t)(i + 1));
    }
    return p;
}

// True for ops whose result is a place in shared memory; others have scratch there.
static bool has_place(enum op_kind kind) {
    return kind == OP_SMEM_ALLOC || kind == OP_MBARRIER_ALLOC || kind == OP_TENSOR_ALLOC ||
           kind == OP_LAUNCH_ANSWERS;
}

static void allocate(struct pass_context *context, MlirOperation function) {
    struct positions p = find_positions(context, function);
    struct piece_list list = find_pieces(&p, function, NULL, 0);
    unsigned total = place(&list, true);
    total = total > context->target->shared_limit ? place(&list, false) : total;
    for (size_t i = 0; i < list.count; i++) {
        MlirOperation op = list.at[i]->op;
        op_set_int(context->ir, op, has_place(op_kind(context->ir, op)) ? ATTR_OFFSET : ATTR_SCRATCH,
                   (int32_t)list.at[i]->offset);
    }
    op_set_int(context->ir, function, ATTR_SHARED_BYTES, (int32_t)total);
    if (total > context->target->shared_limit) {
        diag_error(context->diag, ir_op_location(context->ir, list.at[0]->op),
                   "the kernel needs %u B of shared memory, more than the %u B of %s; use smaller tiles or "
                   "fewer stages",
                   total, context->target->shared_limit, context->target->name);
    }
    map_free(&p.of);
}

unsigned shared_need(struct pass_context *context, MlirOperation function, const struct shared_claim *claims,
                     size_t count, const struct map *gone) {
    struct positions p = find_positions(context, function);
    struct piece_list list = find_pieces(&p, function, gone, count);
    for (size_t i = 0; i < count; i++) {
        struct shared_piece piece = {
            .op = claims[i].first, .bytes = claims[i].bytes, .alignment = BUFFER_ALIGNMENT};
        piece.first = position(&p, claims[i].first);
        piece.last = end_position(&p, claims[i].last);
        add_piece(context, &list, piece);
    }
    map_free(&p.of);
    return place(&list, true);
}

struct shared_piece **shared_pieces(struct pass_context *context, MlirOperation function, size_t *count) {
    struct positions p = find_positions(context, function);
    struct piece_list list = find_pieces(&p, function, NULL, 0);
    *count = 0;
    for (size_t i = 0; i < list.count; i++) {
        struct shared_piece *piece = list.at[i];
        enum attribute_name place = has_place(op_kind(context->ir, piece->op)) ? ATTR_OFFSET : ATTR_SCRATCH;
        piece->placed = op_has(piece->op, place);
        piece->last = piece->last < p.count ? piece->last : p.count - 1;
        if (piece->placed) {
            piece->offset = (unsigned)op_int(piece->op, place);
            list.at[(*count)++] = piece;
        }
    }
    map_free(&p.of);
    return list.at;
}

void pass_shared_alloc(struct pass_context *context, MlirModule module) {
    for (MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op)) {
        allocate(context, op);
    }
}
