// Tensor descriptors as parameters, made in Triton by the host (TensorDescriptor.from_tensor):
//
//   x: "tensordesc<fp16[BLOCK_M, 64]>"
//
// The compiled kernel takes the parts of the descriptor instead: the pointer x, the extents x_shape_0,
// x_shape_1 and the strides in elements x_stride_0 …; the last stride is 1. As for any descriptor, the
// address and the other strides are multiples of 16 bytes. The block's extents may be constants of the
// kernel.
#include <string.h>

#include "frontend/kernel.h"

bool kernel_parse_descriptor(struct emitter *e, const char *text, struct kernel_param *param) {
    static const char start[] = "tensordesc<";
    const char *type = text + sizeof start - 1, *open = strchr(text, '['), *close = strchr(text, ']');
    struct dtype element;
    if (strncmp(text, start, sizeof start - 1) != 0 || !open || !close || open < type || close < open ||
        !dtype_parse(arena_strndup(e->arena, type, (size_t)(open - type)), &element)) {
        return false;
    }
    struct kernel_descriptor *descriptor = ARENA_NEW(e->arena, struct kernel_descriptor);
    descriptor->block_text = arena_strndup(e->arena, open + 1, (size_t)(close - open - 1));
    descriptor->rank = 1;
    for (const char *c = descriptor->block_text; *c; c++) {
        descriptor->rank += *c == ',';
    }
    if (descriptor->rank > TILE_MAX_RANK || dtype_is_pointer(element)) {
        return false;
    }
    size_t rank = (size_t)descriptor->rank;
    unsigned bytes = dtype_bits(element) < 8 ? 1 : dtype_bits(element) / 8;
    param->part_count = 2 * rank;
    param->parts = ARENA_ARRAY(e->arena, struct kernel_param, param->part_count);
    for (size_t i = 0; i < param->part_count; i++) {
        struct kernel_param part = {
            .tuple = param->name, .location = param->location, .descriptor = descriptor};
        if (i == 0) {
            part.name = param->name;
            part.dtype = dtype_pointer_to(element);
            part.divisible_by = 16;
        } else if (i <= rank) {
            part.name = arena_printf(e->arena, "%s_shape_%zu", param->name, i - 1);
            part.dtype = DTYPE_OF(INT32);
        } else {
            part.name = arena_printf(e->arena, "%s_stride_%zu", param->name, i - 1 - rank);
            part.dtype = DTYPE_OF(INT64);
            part.divisible_by = bytes < 16 ? 16 / bytes : 0;
        }
        param->parts[i] = part;
    }
    return true;
}

bool kernel_fix_descriptors(struct emitter *e, struct kernel_instance *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        struct kernel_descriptor *descriptor = param->parts ? param->parts[0].descriptor : NULL;
        if (!descriptor) {
            continue;
        }
        struct frontend frontend = {.arena = e->arena, .diag = e->diag, .program = e->program};
        struct scope *scope = scope_inside(e, NULL);
        struct call_frame frame = {.caller = e->frame, .file = kernel->callee->file, .scope = scope};
        for (size_t j = 0; j < kernel->param_count; j++) {
            if (kernel->params[j].is_constant) {
                scope_set(e, scope, kernel->params[j].name, kernel->params[j].value);
            }
        }
        const char *text = arena_printf(e->arena, "%s,", descriptor->block_text);
        const struct expr *expr = frontend_parse_expression(&frontend, text, "tensordesc");
        enter_frame(e, &frame);
        struct value block = expr ? eval(e, expr) : value_error();
        leave_frame(e);
        int rank;
        if (value_failed(block) || !value_to_shape(e, block, "the block of a tensor descriptor",
                                                   param->location, descriptor->block, &rank)) {
            diag_note(e->diag, param->location, "for parameter %s", param->name);
            return false;
        }
    }
    return true;
}

struct value kernel_make_descriptor(struct emitter *e, const struct kernel_descriptor *descriptor,
                                    struct value parts, struct location location) {
    size_t rank = (size_t)descriptor->rank;
    struct value strides[TILE_MAX_RANK], block[TILE_MAX_RANK];
    for (size_t i = 0; i < rank; i++) {
        strides[i] = i + 1 < rank ? parts.list.items[1 + rank + i] : value_int(1);
        block[i] = value_int(descriptor->block[i]);
    }
    struct value arguments[] = {parts.list.items[0], value_tuple(e->arena, parts.list.items + 1, rank),
                                value_tuple(e->arena, strides, rank), value_tuple(e->arena, block, rank)};
    struct value made = emit_call_builtin(e, "tl.make_tensor_descriptor", arguments, 4, location);
    if (!value_failed(made)) {
        made.block_ptr->by_host = true;
    }
    return made;
}
