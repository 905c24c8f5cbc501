// Facts of a compiled module for the page: its texts by line, and of each kernel the layouts, shared memory, loops and widths.
#include "report/gather.h"

#include "passes/shared/shared_life.h"
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
    MlirType pointee = tk_ptr_pointee(ir, type_element(pointers));
    access->bytes = (unsigned)op_int(op, ATTR_VECTOR) * ((type_bits(pointee) + 7) / 8);
    return true;
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
            kernel->accesses[kernel->access_count++] = access;
        }
    }
}

// The line of the first op to fill a buffer: a copy's or a store's. Without one, that of the allocation.
static unsigned filling_line(const struct gathering *g, const struct shared_life *life) {
    for (size_t i = life->first + 1; i <= life->last; i++) {
        enum op_kind kind = op_kind(g->ir, g->ops[i]);
        bool fills =
            kind == OP_ASYNC_COPY || kind == OP_GATHER_LOAD || kind == OP_BULK_LOAD || kind == OP_SMEM_STORE;
        if (fills && shared_buffer(g->ir, leading_operand(g->ops[i])).ptr == life->op.ptr) {
            return gather_line(g->ir, g->ops[i], g->source);
        }
    }
    return gather_line(g->ir, life->op, g->source);
}

static const char *tile_of(const struct gathering *g, const struct shared_life *life) {
    if (!life->is_buffer) {
        MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(life->op));
        return arena_strndup(g->arena, name.data, name.length);
    }
    MlirType type = mlirValueGetType(mlirOperationGetResult(life->op, 0));
    return arena_printf(g->arena, "%s %s", gather_shape(g->arena, type),
                        gather_element(g->arena, type_element(type)));
}

static void gather_pieces(struct gathering *g) {
    struct report_kernel *kernel = g->kernel;
    struct shared_life *lives =
        shared_lives(g->ir, g->arena, g->target, g->ops, g->count, &kernel->piece_count);
    kernel->pieces = ARENA_ARRAY(g->arena, struct report_piece, kernel->piece_count + 1);
    kernel->op_count = g->count;
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const struct shared_life *life = &lives[i];
        kernel->pieces[i] = (struct report_piece){
            .what = life->is_buffer ? "buffer" : "scratch",
            .offset = life->offset,
            .bytes = life->bytes,
            .stages = life->is_buffer ? (unsigned)op_int(life->op, ATTR_STAGES) : 1,
            .tile = tile_of(g, life),
            .line = life->is_buffer ? filling_line(g, life) : gather_line(g->ir, life->op, g->source),
            .first = life->first,
            .last = life->last};
    }
}

// The type of the factors of the kernel's largest products; NULL: it has none.
static const char *factor_type(const struct gathering *g) {
    const char *name = NULL;
    int64_t most = 0;
    for (size_t i = 0; i < g->count; i++) {
        enum op_kind kind = op_kind(g->ir, g->ops[i]);
        if (kind != OP_DOT && kind != OP_WARPGROUP_DOT && kind != OP_SHARED_DOT) {
            continue;
        }
        MlirType a = mlirValueGetType(dot_a(g->ops[i]));
        if (type_elements(a) > most) {
            most = type_elements(a);
            name = gather_element(g->arena, type_element(a));
        }
    }
    return name;
}

static void gather_kernel(struct gathering *g, MlirOperation function) {
    struct report_kernel *kernel = g->kernel;
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    *kernel = (struct report_kernel){
        .name = arena_strndup(g->arena, name.data, name.length),
        .line = gather_line(g->ir, function, g->source),
        .warps = (unsigned)(op_int(function, ATTR_NUM_WARPS) * op_int(function, ATTR_SLICES)),
        .producer_warps = (unsigned)op_int(function, ATTR_PRODUCER_WARPS),
        .stages = (unsigned)op_int(function, ATTR_NUM_STAGES),
        .persistent = (unsigned)op_int_or(function, ATTR_PERSISTENT, 0)};
    g->ops = ops_collect(g->ir, g->arena, function, &g->count);
    kernel->multiplies = factor_type(g);
    gather_tiles(g);
    gather_pieces(g);
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
    size_t functions = 0;
    MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(tiles));
    for (MlirOperation f = first; !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f)) {
        functions++;
    }
    gathered->kernels = ARENA_ARRAY(arena, struct report_kernel, functions + 1);
    for (MlirOperation f = first; !mlirOperationIsNull(f); f = mlirOperationGetNextInBlock(f)) {
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
