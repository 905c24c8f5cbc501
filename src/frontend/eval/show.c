// Watched values and steps of a kernel, for tkc-run: the ops that show them.
//
//     acc = tl.dot(a, b, acc)        →        tk.step {watch = 7}       with --step: ahead of each statement, and the values
//                                             …                         that the statement before has set
//                                             tk.watch %acc {watch = 8} with --watch of this line: behind it
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/value/shows.h"

// False if the code of a statement is not the program's at this place: host code, the library's functions, functions of
// elements. (Functions that combine elements are emitted without e->shows.)
static bool shows_here(const struct emitter *e) {
    return e->shows && e->ir && e->frame->is_jit && !e->in_library && !e->lanewise;
}

static struct shown *add_shown(struct emitter *e, const struct stmt *stmt) {
    struct shows *shows = e->shows;
    if (shows->count == shows->room) {
        struct shown *before = shows->items;
        shows->room = shows->room ? 2 * shows->room : 64;
        shows->items = ARENA_ARRAY(shows->arena, struct shown, shows->room);
        if (shows->count) {
            memcpy(shows->items, before, shows->count * sizeof *before);
        }
    }
    struct shown *shown = &shows->items[shows->count++];
    *shown = (struct shown){.request = -1, .at = stmt->location};
    shown->function = e->frame->function ? e->frame->function->name : "";
    for (const struct call_frame *frame = e->frame; frame && !mlirLocationIsNull(frame->call_site);
         frame = frame->caller) {
        shown->depth++;
    }
    return shown;
}

// False for values other than tiles, scalars and constants.
static bool show_value(struct emitter *e, const struct stmt *stmt, const char *name, struct value value,
                       int request) {
    bool constant = value_is_constant(value) && value.kind != VALUE_NONE;
    if ((value.kind != VALUE_TENSOR && !constant) ||
        (value.kind == VALUE_TENSOR && value.tensor.rank > SHOWN_RANK)) {
        return false;
    }
    struct shown *shown = add_shown(e, stmt);
    shown->request = request;
    shown->name = name;
    if (constant) {
        shown->constant = value_text(e->shows->arena, value);
        return true;
    }
    shown->dtype = value.tensor.dtype;
    shown->rank = (unsigned)value.tensor.rank;
    for (int i = 0; i < value.tensor.rank; i++) {
        shown->shape[i] = (size_t)padded_extent(value.tensor.shape[i]);
    }
    struct builder *b = &e->builder;
    OP(b, OP_WATCH, OPERANDS(value.tensor.value), NO_RESULTS,
       ATTRS(attr_i32(b, ATTR_WATCH, (int32_t)(e->shows->count - 1))));
    return true;
}

static void show_names(struct emitter *e, const struct stmt *stmt, const struct stmt *before) {
    struct name_list names = {0};
    struct stmt *one[] = {(struct stmt *)(uintptr_t)before};
    collect_assigned(e, &(struct stmt_list){one, 1}, &names);
    for (size_t i = 0; i < names.count; i++) {
        const struct binding *binding = scope_find(e->frame->scope, names.items[i]);
        if (binding) {
            show_value(e, stmt, binding->name, binding->value, -1);
        }
    }
}

void show_before(struct emitter *e, const struct stmt_list *list, size_t index, bool first) {
    const struct stmt *stmt = list->items[index];
    if (!shows_here(e) || !e->shows->steps) {
        return;
    }
    emit_at(e, stmt->location);
    // A list is entered with names set by a loop or a call.
    for (size_t i = 0; first && i < e->frame->scope->count; i++) {
        const struct binding *binding = &e->frame->scope->items[i];
        show_value(e, stmt, binding->name, binding->value, -1);
    }
    if (!first) {
        show_names(e, stmt, list->items[index - 1]);
    }
    add_shown(e, stmt)->is_step = true;
    // Barriers around it: at a stop all warps have shown the values before it, and none a value behind it.
    struct builder *b = &e->builder;
    OP(b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_memory_scope(b, SCOPE_GPU)));
    OP(b, OP_STEP, NO_OPERANDS, NO_RESULTS, ATTRS(attr_i32(b, ATTR_WATCH, (int32_t)(e->shows->count - 1))));
    OP(b, OP_BARRIER, NO_OPERANDS, NO_RESULTS, ATTRS(attr_memory_scope(b, SCOPE_GPU)));
}

static bool is_asked(const struct shows *shows, const struct show_request *request, struct location at) {
    if (!request->file) {
        return request->line == at.line && at.source == shows->source;
    }
    size_t length = strlen(at.source->path), tail = strlen(request->file);
    return request->line == at.line && length >= tail &&
           strcmp(at.source->path + length - tail, request->file) == 0;
}

void show_behind(struct emitter *e, const struct stmt *stmt) {
    for (size_t i = 0; e->shows && stmt->location.source && i < e->shows->request_count; i++) {
        struct show_request *request = &e->shows->requests[i];
        if (!is_asked(e->shows, request, stmt->location) || !shows_here(e)) {
            continue;
        }
        request->reached = true;
        const struct binding *binding = scope_find(e->frame->scope, request->name);
        emit_at(e, stmt->location);
        request->found |= binding && show_value(e, stmt, request->name, binding->value, (int)i);
    }
}
