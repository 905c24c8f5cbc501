// Facts of a compiled module for the page: its texts by line, and of each kernel the layouts, shared memory, loops and widths.
#include "report/gather.h"

#include <stdlib.h>
#include <string.h>

#include "chip/registers.h"
#include "chip/wgmma.h"
#include "passes/shared/shared_ranges.h"

// The lowering's width of an access: 0 if it is not a thread's own.
static bool access_of(struct ir *ir, MlirOperation op, struct report_access *access) {
    MlirType pointers;
    switch (op_kind(ir, op)) {
    case OP_LOAD:
        access->what = "load";
        pointers = mlirValueGetType(load_pointer(op));
        break;
    case OP_STORE:
        access->what = "store";
        pointers = mlirValueGetType(store_pointer(op));
        break;
    case OP_ASYNC_COPY:
    case OP_GATHER_LOAD:
        access->what = "asynchronous copy";
        pointers = mlirValueGetType(async_copy_pointer(op));
        break;
    case OP_BULK_LOAD:
    case OP_BULK_STORE:
        access->what = "tensor copy (TMA)";
        return true;
    default:
        return false;
    }
    access->bytes = (unsigned)(op_int(op, ATTR_VECTOR) * pointee_bytes(ir, pointers));
    return true;
}

// The innermost `if` around an access outside of loops.
static void find_condition(struct gathering *g, MlirOperation op, struct report_access *access) {
    for (MlirOperation up = mlirOperationGetParentOperation(op);
         !mlirOperationIsNull(up) && op_kind(g->ir, up) != OP_FUNC;
         op = up, up = mlirOperationGetParentOperation(up)) {
        enum op_kind kind = op_kind(g->ir, up);
        if (kind == OP_FOR || kind == OP_WHILE) {
            access->condition = 0;
        } else if (kind == OP_IF && !access->condition) {
            access->condition = gather_line(g->ir, up, g->source);
            access->otherwise = mlirOperationGetNumRegions(up) > 1 &&
                                mlirBlockEqual(mlirOperationGetBlock(op), op_body(up, 1));
        }
    }
}

static void gather_accesses(struct gathering *g) {
    struct report_kernel *kernel = g->kernel;
    kernel->accesses = ARENA_ARRAY(g->arena, struct report_access, g->count + 1);
    for (size_t i = 0; i < g->count; i++) {
        struct report_access access = {.line = gather_line(g->ir, g->ops[i], g->source)};
        bool is_new = access.line && access_of(g->ir, g->ops[i], &access);
        for (size_t j = 0; j < kernel->access_count && is_new; j++) {
            const struct report_access *known = &kernel->accesses[j];
            is_new = known->line != access.line || known->what != access.what || known->bytes != access.bytes;
        }
        if (is_new) {
            find_condition(g, g->ops[i], &access);
            kernel->accesses[kernel->access_count++] = access;
        }
    }
}

static bool takes(const struct gathering *g, MlirOperation op, MlirOperation buffer) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
        MlirValue operand = mlirOperationGetOperand(op, i);
        MlirType type = mlirValueGetType(operand);
        if (type_is_tensor(type) && type_is_shared(g->ir, type) &&
            shared_buffer(g->ir, operand).ptr == buffer.ptr) {
            return true;
        }
    }
    return false;
}

// The first op to fill a buffer: a copy or a store; else the store by tensor copies that fills its buffer itself. Without one, the
// allocation.
static MlirOperation filling_op(const struct gathering *g, const struct shared_piece *piece) {
    for (size_t i = piece->first + 1; i <= piece->last; i++) {
        enum op_kind kind = op_kind(g->ir, g->ops[i]);
        bool fills =
            kind == OP_ASYNC_COPY || kind == OP_GATHER_LOAD || kind == OP_BULK_LOAD || kind == OP_SMEM_STORE;
        if (fills && shared_buffer(g->ir, leading_operand(g->ops[i])).ptr == piece->op.ptr) {
            return g->ops[i];
        }
    }
    for (size_t i = piece->first + 1; i <= piece->last; i++) {
        if (takes(g, g->ops[i], piece->op) && op_kind(g->ir, g->ops[i]) == OP_BULK_STORE) {
            return g->ops[i];
        }
    }
    return piece->op;
}

// The scratch of tk.convert_layout: "convert layout".
static const char *scratch_name(struct arena *arena, MlirOperation op) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    const char *dot = memchr(name.data, '.', name.length);
    size_t skip = dot ? (size_t)(dot - name.data) + 1 : 0;
    char *words = arena_strndup(arena, name.data + skip, name.length - skip);
    for (char *at = words; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return words;
}

static struct report_piece piece_of(const struct gathering *g, const struct shared_piece *piece) {
    MlirOperation op = piece->op;
    struct report_piece made = {.offset = piece->offset,
                                .bytes = piece->bytes,
                                .stages = 1,
                                .line = gather_line(g->ir, op, g->source),
                                .first = piece->first,
                                .last = piece->last};
    MlirOperation filling;
    MlirType type;
    switch (op_kind(g->ir, op)) {
    case OP_SMEM_ALLOC:
        filling = filling_op(g, piece);
        type = mlirValueGetType(mlirOperationGetResult(op, 0));
        made.kind = PIECE_BUFFER;
        made.stages = (unsigned)op_int(op, ATTR_STAGES);
        made.line = gather_line(g->ir, filling, g->source);
        made.what = op_kind(g->ir, filling) == OP_BULK_STORE
                        ? "result, on its way to the store"
                        : arena_printf(g->arena, "%s %s", gather_shape(g->arena, type),
                                       gather_element(g->arena, type_element(type)));
        break;
    case OP_MBARRIER_ALLOC:
        made.kind = PIECE_BARRIERS;
        made.what = arena_printf(g->arena, "%d of %d bytes", (int)op_int(op, ATTR_COUNT), MBARRIER_BYTES);
        break;
    case OP_TENSOR_ALLOC:
        made.kind = PIECE_ADDRESS;
        made.what = "of tensor memory";
        break;
    default:
        made.kind = PIECE_SCRATCH;
        made.what = scratch_name(g->arena, op);
    }
    return made;
}

static void gather_pieces(struct gathering *g, MlirOperation function) {
    struct report_kernel *kernel = g->kernel;
    struct pass_context context = {.ir = g->ir, .arena = g->arena, .target = g->target};
    struct shared_piece **pieces = shared_pieces(&context, function, &kernel->piece_count);
    kernel->shared_bytes = (unsigned)op_int(function, ATTR_SHARED_BYTES);
    kernel->pieces = ARENA_ARRAY(g->arena, struct report_piece, kernel->piece_count + 1);
    kernel->op_count = g->count;
    for (size_t i = 0; i < kernel->piece_count; i++) {
        kernel->pieces[i] = piece_of(g, pieces[i]);
    }
}

// The type of the factors of the kernel's largest products; NULL: it has none.
static const char *factor_type(const struct gathering *g) {
    const char *name = NULL;
    int64_t most = 0;
    for (size_t i = 0; i < g->count; i++) {
        if (!(op_traits(op_kind(g->ir, g->ops[i])) & MULTIPLIES)) {
            continue;
        }
        MlirType a = mlirValueGetType(product_a(g->ops[i]));
        if (type_elements(a) > most) {
            most = type_elements(a);
            name = gather_element(g->arena, type_element(a));
        }
    }
    return name;
}

// Whether wgmma or tcgen05 reads the factor from shared memory with M or N contiguous there, not K.
static bool is_turned(const struct gathering *g, MlirValue factor, enum mma_operand which) {
    MlirType type = mlirValueGetType(factor);
    struct wgmma_operand arrangement;
    return type_is_shared(g->ir, type) &&
           wgmma_operand_of(type_layout(g->ir, type), type_bits(type_element(type)) / 8, &arrangement) &&
           arrangement.rows_fastest == (which == MMA_A);
}

// The line of the copy from memory to the factor's buffer; 0: none.
static unsigned copy_line(const struct gathering *g, MlirValue factor) {
    MlirOperation buffer = shared_buffer(g->ir, factor);
    for (size_t i = 0; i < g->count; i++) {
        enum op_kind kind = op_kind(g->ir, g->ops[i]);
        if ((kind == OP_ASYNC_COPY || kind == OP_GATHER_LOAD || kind == OP_BULK_LOAD) &&
            shared_buffer(g->ir, leading_operand(g->ops[i])).ptr == buffer.ptr) {
            return gather_line(g->ir, g->ops[i], g->source);
        }
    }
    return 0;
}

static unsigned turned_line(const struct gathering *g) {
    unsigned line = 0;
    for (size_t i = 0; i < g->count && !line; i++) {
        enum op_kind kind = op_kind(g->ir, g->ops[i]);
        if (kind == OP_WARPGROUP_DOT || kind == OP_TENSOR_DOT) {
            MlirValue a = product_a(g->ops[i]), b = product_b(g->ops[i]);
            line = is_turned(g, a, MMA_A) ? copy_line(g, a) : 0;
            line = !line && is_turned(g, b, MMA_B) ? copy_line(g, b) : line;
        }
    }
    return line;
}

// Of "grouped 16": 16; 0: the programs are not grouped.
static unsigned group_of(MlirOperation function) {
    static const char grouped[] = "grouped ";
    MlirStringRef text = op_string(function, ATTR_GROUPED_PID);
    return text.data && text_starts(text.data, text.length, grouped)
               ? (unsigned)strtoul(text.data + strlen(grouped), NULL, 10)
               : 0;
}

// The registers of a thread of either role, as lower_specialise.c divides them.
static void gather_registers(struct gathering *g, MlirOperation function) {
    if (g->kernel->producer_warps) {
        struct registers_specialised r =
            registers_specialised(g->target, g->kernel->warps, registers_producer(function),
                                  g->kernel->persistent ? g->kernel->persistent : 1);
        g->kernel->computing = r.consumer;
        g->kernel->copying = r.producer;
    }
}

static void gather_kernel(struct gathering *g, MlirOperation function) {
    struct report_kernel *kernel = g->kernel;
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    *kernel = (struct report_kernel){
        .name = arena_strndup(g->arena, name.data, name.length),
        .line = gather_line(g->ir, function, g->source),
        .warps = (unsigned)(op_int(function, ATTR_NUM_WARPS) * op_int(function, ATTR_SLICES)),
        .producer_warps = (unsigned)op_int(function, ATTR_PRODUCER_WARPS),
        .gathers = op_has(function, ATTR_GATHERS),
        .stages = (unsigned)op_int(function, ATTR_NUM_STAGES),
        .persistent = (unsigned)op_int_or(function, ATTR_PERSISTENT, 0),
        .one_program = op_has(function, ATTR_ONE_PROGRAM),
        .grouped = group_of(function)};
    gather_registers(g, function);
    kernel->sums = sums_of(g->ir, g->arena, g->target, function);
    g->ops = ops_collect(g->ir, g->arena, function, &g->count);
    kernel->multiplies = factor_type(g);
    kernel->turned = turned_line(g);
    gather_tiles(g);
    gather_pieces(g, function);
    gather_loops(g);
    gather_live(g);
    gather_accesses(g);
}

struct report_code *report_gather(struct arena *arena, struct ir *ir, MlirModule tiles,
                                  const struct target *target, const struct source *source, const char *llvm,
                                  const struct strbuf *code) {
    struct report_code *gathered = ARENA_NEW(arena, struct report_code);
    gathered->texts[REPORT_TILES] = report_tile_text(arena, ir, tiles, source);
    gathered->texts[REPORT_LLVM] = report_llvm_text(arena, llvm);
    gathered->texts[REPORT_CODE] = report_code_text(arena, code, target->vendor);
    if (target->vendor == VENDOR_NVIDIA) {
        gathered->ptx = arena_strndup(arena, strbuf_text(code), code->length);
        gathered->ptx_length = code->length;
    }
    size_t functions = 0;
    MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(tiles));
    for (MlirOperation f = first; !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f)) {
        functions++;
    }
    gathered->kernels = ARENA_ARRAY(arena, struct report_kernel, functions + 1);
    for (MlirOperation f = first; !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f)) {
        if (op_has(f, ATTR_FORM_OF)) { // its kernel's remark speaks of it
            continue;
        }
        struct gathering g = {.arena = arena,
                              .ir = ir,
                              .target = target,
                              .source = source,
                              .text = &gathered->texts[REPORT_TILES],
                              .kernel = &gathered->kernels[gathered->kernel_count++]};
        gather_kernel(&g, f);
    }
    return gathered;
}
