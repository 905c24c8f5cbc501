// Mutable lists and dicts of plain functions, used to build lists of configurations. Values here are
// immutable, so a mutating method binds the name to a changed copy. If another name refers to the list, or
// another container holds it, the change is refused: such functions build one list and return it.
#include <string.h>

#include "frontend/eval/walk.h"

// The binding of a plain name of the current function if it holds a list or dict, else NULL.
static struct binding *container(struct emitter *e, const struct expr *object) {
    struct binding *binding = object->kind == EXPR_NAME ? scope_find(e->frame->scope, object->name.id) : NULL;
    bool fits = binding && (binding->value.kind == VALUE_LIST || binding->value.kind == VALUE_DICT);
    return fits ? binding : NULL;
}

static bool holds(struct value v, const struct value *items) {
    if (v.kind != VALUE_LIST && v.kind != VALUE_DICT && v.kind != VALUE_TUPLE && v.kind != VALUE_OBJECT) {
        return false;
    }
    struct value_list parts = value_parts(v);
    bool found = parts.items == items;
    for (size_t i = 0; i < parts.count && !found; i++) {
        found = holds(parts.items[i], items);
    }
    return found;
}

// True if an enclosing unrolled loop iterates over this list; the loop has taken the elements before the
// change.
static bool is_walked(const struct call_frame *frame, struct value_list list) {
    for (const struct continuation *rest = frame->rest; rest; rest = rest->outer) {
        if (!rest->list && rest->values.items > list.items && rest->values.items <= list.items + list.count) {
            return true;
        }
    }
    return false;
}

// True if no other reachable name is this list or dict, or contains it. False after an error.
static bool is_own(struct emitter *e, const struct binding *object, struct location location) {
    const struct value *items = object->value.list.items;
    for (const struct call_frame *frame = e->frame; frame; frame = frame->function ? frame->caller : NULL) {
        if (is_walked(frame, object->value.list)) {
            emit_error(e, location,
                       "%s changes here, and a loop around goes over it; let that go over a copy",
                       object->name);
            return false;
        }
        for (const struct scope *scope = frame->scope; scope; scope = scope->parent) {
            for (size_t i = 0; i < scope->count; i++) {
                const struct binding *other = &scope->items[i];
                if (other != object && holds(other->value, items)) {
                    emit_error(e, location,
                               "%s changes here, and %s is the same %s or has it; give one of them a copy",
                               object->name, other->name, value_type_name(e->arena, object->value));
                    return false;
                }
            }
        }
    }
    return true;
}

// Copies the elements. With `added` the copy has room for as many again, so that appending thousands of
// configurations takes at most twice the memory.
static void grow(struct emitter *e, struct value_list *list, size_t added) {
    size_t kept = list->count, capacity = added ? 2 * (kept + added) : kept;
    struct value *items = ARENA_ARRAY(e->arena, struct value, capacity + 1);
    if (kept) {
        memcpy(items, list->items, kept * sizeof *items);
    }
    list->items = items;
    list->room = ARENA_ARRAY(e->arena, struct value_room, 1);
    *list->room = (struct value_room){.taken = kept, .capacity = capacity};
}

static void append(struct emitter *e, struct value_list *list, const struct value *items, size_t count) {
    if (!list->room || list->room->taken != list->count || list->room->capacity - list->count < count) {
        grow(e, list, count);
    }
    for (size_t i = 0; i < count; i++) {
        list->items[list->count + i] = items[i];
        list->weight += value_weight(items[i]);
    }
    list->count += count;
    list->room->taken = list->count;
}

static bool set_item(struct emitter *e, struct binding *dict, struct value key, struct value value) {
    const struct value *old = value_dict_get(dict->value, key);
    size_t at = old ? (size_t)(old - dict->value.list.items) : 0;
    struct value pair[] = {key, value};
    if (old) {
        grow(e, &dict->value.list, 0); // the old array may be shared
        dict->value.list.items[at] = value;
    } else {
        append(e, &dict->value.list, pair, 2);
    }
    return true;
}

bool run_host_method(struct emitter *e, const struct expr *call, enum flow *flow) {
    if (call->kind != EXPR_CALL || call->call.function->kind != EXPR_ATTRIBUTE ||
        call->call.args.count != 1 || call->call.keyword_count) {
        return false;
    }
    const char *method = call->call.function->attribute.name;
    struct binding *object = container(e, call->call.function->attribute.object);
    bool appends = strcmp(method, "append") == 0, extends = strcmp(method, "extend") == 0;
    bool updates = strcmp(method, "update") == 0;
    if (!object || !(object->value.kind == VALUE_LIST ? appends || extends : updates)) {
        return false;
    }
    struct value argument = eval(e, call->call.args.items[0]);
    struct value_list items = {.items = &argument, .count = 1};
    *flow = FLOW_FAIL;
    if (value_failed(argument) || (extends && !eval_elements(e, argument, call->location, &items)) ||
        !is_own(e, object, call->location)) {
        return true;
    }
    if (updates && argument.kind != VALUE_DICT) {
        emit_error(e, call->location, "update() needs a dict, not %s", value_type_name(e->arena, argument));
        return true;
    }
    if (updates) {
        for (size_t i = 0; i + 1 < argument.list.count; i += 2) {
            set_item(e, object, argument.list.items[i], argument.list.items[i + 1]);
        }
    } else {
        append(e, &object->value.list, items.items, items.count);
    }
    *flow = FLOW_NEXT;
    return true;
}

bool host_may_change(struct emitter *e, const struct expr *name, struct location location) {
    const struct binding *object = container(e, name);
    return !object || is_own(e, object, location);
}

bool assign_host_element(struct emitter *e, const struct expr *target, struct value value) {
    struct binding *object = container(e, target->subscript.object);
    struct value key = object ? eval(e, target->subscript.index) : value_error();
    int64_t index;
    if (!object || value_failed(key)) {
        if (!object) {
            emit_error(e, target->location,
                       "only elements of a list or dict of this function can be assigned");
        }
        return false;
    }
    if (!is_own(e, object, target->location)) {
        return false;
    }
    if (object->value.kind == VALUE_DICT) {
        return set_item(e, object, key, value);
    }
    if (!value_to_int(e, key, "an index", target->location, &index)) {
        return false;
    }
    int64_t count = (int64_t)object->value.list.count;
    index += index < 0 ? count : 0;
    if (index < 0 || index >= count) {
        emit_error(e, target->location, "index %lld is out of range for a list of %lld elements",
                   (long long)index, (long long)count);
        return false;
    }
    grow(e, &object->value.list, 0); // the old array may be shared
    object->value.list.items[index] = value;
    return true;
}

// ---- statements ----

// `try`: a failing evaluation counts as an exception, and the handler runs. The exception's type is unknown.
static enum flow run_try(struct emitter *e, const struct stmt *stmt) {
    e->quiet++;
    enum flow flow = run_list(e, &stmt->try_block.body, 0);
    e->quiet--;
    if (flow == FLOW_FAIL && stmt->try_block.handler_count > 1) {
        emit_error(e, stmt->location, "which of the handlers of this try runs, is for the host to tell");
    } else if (flow == FLOW_FAIL) {
        flow = stmt->try_block.handler_count ? run_list(e, &stmt->try_block.handlers[0].body, 0) : FLOW_FAIL;
    } else if (flow == FLOW_NEXT) {
        flow = run_list(e, &stmt->try_block.orelse, 0);
    }
    enum flow last = run_list(e, &stmt->try_block.finally, 0);
    return last == FLOW_NEXT ? flow : last;
}

static bool import_one(struct emitter *e, const struct stmt *stmt, const struct import_alias *alias) {
    struct value v;
    const char *name = alias->as_name ? alias->as_name : alias->name;
    if (stmt->kind == STMT_IMPORT) { // import a.b binds a
        name = alias->as_name ? name : arena_strndup(e->arena, name, strcspn(name, "."));
        v = module_import(e, e->frame->file, alias->as_name ? alias->name : name, 0);
    } else {
        v = module_import(e, e->frame->file, stmt->import_from.module ? stmt->import_from.module : "",
                          stmt->import_from.level);
        v = value_failed(v) ? v : module_attribute(e, v, alias->name, alias->location);
    }
    if (!value_failed(v)) {
        scope_set(e, e->frame->scope, name, v);
    }
    return !value_failed(v);
}

enum flow run_host_statement(struct emitter *e, const struct stmt *stmt) {
    if (stmt->kind == STMT_TRY) {
        return run_try(e, stmt);
    }
    bool plain = stmt->kind == STMT_IMPORT;
    size_t count = plain ? stmt->import.count : stmt->import_from.count;
    const struct import_alias *names = plain ? stmt->import.names : stmt->import_from.names;
    for (size_t i = 0; i < count; i++) {
        if (!import_one(e, stmt, &names[i])) {
            return FLOW_FAIL;
        }
    }
    return FLOW_NEXT;
}
