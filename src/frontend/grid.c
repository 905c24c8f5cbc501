// The launch grid as C: the source's `NAME.grid` (or --grid) evaluated with symbols for the integer
// parameters.
#include <string.h>

#include "frontend/kernel.h"

static struct value param_value(struct emitter *e, const struct frontend_options *options,
                                const struct kernel_param *param) {
    if (param->is_constant) {
        return param->value;
    }
    if (param->equals_one) {
        return value_int(1);
    }
    if (dtype_is_integer(param->dtype)) {
        return value_symbol(options->c_name ? options->c_name(e->arena, param->name) : param->name);
    }
    return value_host(arena_printf(e->arena, "%s, which is not an integer,", param->name));
}

struct value kernel_meta(struct emitter *e, const struct frontend_options *options,
                         const struct kernel_instance *kernel) {
    struct value *items = ARENA_ARRAY(e->arena, struct value, 2 * kernel->param_count + 5);
    size_t count = 0;
    items[count++] = value_string(e->arena, "num_warps");
    items[count++] = value_int(kernel->num_warps);
    items[count++] = value_string(e->arena, "num_stages");
    items[count++] = value_int(kernel->num_stages);
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct value v = param_value(e, options, &kernel->params[i]);
        if (!value_failed(v)) {
            items[count++] = value_string(e->arena, kernel->params[i].name);
            items[count++] = v;
        }
    }
    struct value dict = value_list_of(e->arena, items, count);
    dict.kind = VALUE_DICT;
    return dict;
}

static void note_names(struct emitter *e, const struct kernel_instance *kernel, struct value meta) {
    struct strbuf names = {0};
    for (size_t i = 0; i + 1 < meta.list.count; i += 2) {
        if (meta.list.items[i + 1].kind != VALUE_HOST) {
            strbuf_printf(&names, "%s, ", meta.list.items[i].string.bytes);
        }
    }
    diag_note(e->diag, kernel->location, "--grid may use %scdiv and next_power_of_2", strbuf_text(&names));
    strbuf_free(&names);
}

// --grid "cdiv(n, BLOCK), 1": parameters by name, and cdiv.
static struct value eval_option(struct emitter *e, struct kernel_instance *kernel, struct value meta,
                                const char *text) {
    struct frontend frontend = {.arena = e->arena, .diag = e->diag, .program = e->program};
    const struct expr *expr = frontend_parse_expression(&frontend, text, "--grid");
    if (!expr) {
        return value_error();
    }
    struct scope *scope = scope_inside(e, NULL);
    scope_set(e, scope, "cdiv", value_builtin(builtin_find(e->program, "triton.cdiv")));
    scope_set(e, scope, "next_power_of_2", value_builtin(builtin_find(e->program, "triton.next_power_of_2")));
    scope_set(e, scope, "meta", meta);
    scope_set(e, scope, "META", meta);
    for (size_t i = 0; i + 1 < meta.list.count; i += 2) {
        scope_set(e, scope, meta.list.items[i].string.bytes, meta.list.items[i + 1]);
    }
    struct call_frame frame = {.caller = e->frame, .file = kernel->callee->file, .scope = scope};
    enter_frame(e, &frame);
    struct value grid = eval(e, expr);
    leave_frame(e);
    if (value_failed(grid)) {
        note_names(e, kernel, meta);
    }
    return grid;
}

static bool write_grid(struct emitter *e, struct value grid, struct location at, const char *texts[3]) {
    if (value_failed(grid)) {
        return false;
    }
    if (!value_is_sequence(grid)) {
        grid = value_tuple(e->arena, &grid, 1);
    }
    if (grid.list.count < 1 || grid.list.count > 3) {
        emit_error(e, at, "a grid has one to three dimensions, not %zu", grid.list.count);
        return false;
    }
    for (size_t i = 0; i < grid.list.count; i++) {
        struct value side = grid.list.items[i];
        texts[i] = symbol_text(e, side, at);
        if (!texts[i]) {
            return false;
        }
        if (value_is_integral(side) && value_integer(side) < 0) {
            emit_error(e, at, "a grid of %s blocks: a launch has 0 or more", texts[i]);
            return false;
        }
    }
    return true;
}

bool kernel_grid_texts(struct emitter *e, const struct expr *source, struct value meta,
                       const char *texts[3]) {
    struct value grid = eval(e, source);
    if (value_is_callable(grid)) {
        grid = emit_call_function(e, grid, &meta, 1, source->location);
    }
    return write_grid(e, grid, source->location, texts);
}

bool kernel_fix_grid(struct emitter *e, const struct frontend_options *options,
                     struct kernel_instance *kernel, const struct expr *source) {
    struct value meta = kernel_meta(e, options, kernel);
    const char *text = options->grid ? options->grid : !source ? inductor_grid(e, kernel, meta) : NULL;
    if (!source && !text) {
        return true;
    }
    return text ? write_grid(e, eval_option(e, kernel, meta, text), kernel->location, kernel->grid)
                : kernel_grid_texts(e, source, meta, kernel->grid);
}
