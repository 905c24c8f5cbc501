// Statements other than `if` and loops. An error in one statement does not stop the next: its target names
// then hold VALUE_ERROR, and using them reports nothing more.
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"

// True if a failure here is an exception inside `try` in host code: the rest does not run, and names keep
// their values.
static bool is_tried(const struct emitter *e) {
    return e->quiet && !e->frame->is_jit;
}

// ---- assignment ----

static void poison_target(struct emitter *e, const struct expr *target) {
    if (is_tried(e)) {
        return;
    }
    if (target->kind == EXPR_NAME) {
        scope_set(e, e->frame->scope, target->name.id, value_error());
    } else if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
        for (size_t i = 0; i < target->elements.count; i++) {
            poison_target(e, target->elements.items[i]);
        }
    }
}

static bool unpack(struct emitter *e, const struct expr *target, struct value value) {
    struct value_list elements;
    if (value.kind == VALUE_OBJECT && !value.object.aggregate) {
        elements.count = value.object.fields.count / 2;
        elements.items = ARENA_ARRAY(e->arena, struct value, elements.count + 1);
        for (size_t i = 0; i < elements.count; i++) {
            elements.items[i] = value.object.fields.items[2 * i + 1];
        }
    } else if (!value_is_sequence(value)) {
        emit_error(e, target->location, "%s is no tuple, and there are %zu names for it: write one name",
                   value_type_name(e->arena, value), target->elements.count);
        return false;
    } else {
        elements = value.list;
    }
    size_t wanted = target->elements.count, star = wanted;
    for (size_t i = 0; i < wanted; i++) {
        if (target->elements.items[i]->kind == EXPR_STARRED) {
            star = i;
        }
    }
    if (star == wanted ? elements.count != wanted : elements.count + 1 < wanted) {
        emit_error(e, target->location, "%zu names for %zu values", wanted, elements.count);
        return false;
    }
    size_t spread = elements.count + 1 - wanted;
    bool ok = true;
    for (size_t i = 0; i < wanted; i++) {
        const struct expr *one = target->elements.items[i];
        if (i == star) {
            ok = assign_target(e, one->operand, value_list_of(e->arena, elements.items + i, spread)) && ok;
        } else {
            ok = assign_target(e, one, elements.items[i < star ? i : i - 1 + spread]) && ok;
        }
    }
    return ok;
}

// The text behind the target and its =, to the line's end.
static const char *assigned_text(struct emitter *e, const struct expr *target) {
    const char *line, *otherwise = "value";
    struct location at = target->location;
    size_t length = at.source ? source_line(at.source, at.line, &line) : 0, start = at.column - 1 + at.length;
    while (start < length && line[start] == ' ') {
        start++;
    }
    if (start + 1 >= length || line[start] != '=' || line[start + 1] == '=') {
        return otherwise;
    }
    for (start++; start < length && line[start] == ' '; start++) {
    }
    while (length > start && line[length - 1] == ' ') {
        length--;
    }
    at.column = (uint32_t)start + 1;
    at.length = (uint32_t)(length - start);
    return emit_text_of(e, at, otherwise);
}

// In place of an assignment to an element of a pointer or a tile.
static const char *element_remedy(struct emitter *e, const struct expr *target, struct value object) {
    if (object.kind != VALUE_TENSOR) {
        return "a name = …, and assign its elements";
    }
    const char *name = emit_text_of(e, target->subscript.object->location, "x");
    const struct expr *at = target->subscript.index;
    bool alone = at->kind != EXPR_SLICE && at->kind != EXPR_TUPLE;
    const char *index = alone ? emit_term_text(e, at->location, "index") : "offsets";
    const char *value = assigned_text(e, target);
    if (dtype_is_pointer(object.tensor.dtype)) {
        return arena_printf(e->arena, "tl.store(%s + %s, %s)", name, index, value);
    }
    if (object.tensor.rank != 1 || !alone) {
        return arena_printf(e->arena, "%s = tl.where(mask, %s, %s), with a mask that is true there alone",
                            name, value, name);
    }
    return arena_printf(e->arena, "%s = tl.where(tl.arange(0, %lld) == %s, %s, %s)", name,
                        (long long)object.tensor.shape[0], index, value, name);
}

// t[i] = v of a tuple or list: the name gets another one.
static bool assign_element(struct emitter *e, const struct expr *target, struct value value) {
    const struct expr *name = target->subscript.object;
    struct binding *binding = name->kind == EXPR_NAME ? scope_find(e->frame->scope, name->name.id) : NULL;
    int64_t i;
    if (!binding || !value_is_sequence(binding->value)) {
        struct value object = binding ? binding->value : value_none();
        emit_error(e, target->location, "elements of %s cannot be assigned: write %s",
                   binding ? value_type_name(e->arena, object) : "what has no name",
                   element_remedy(e, target, object));
        return false;
    }
    struct value_list list = binding->value.list;
    if (!value_to_int(e, eval(e, target->subscript.index), "an index", target->location, &i)) {
        return false;
    }
    if (i < -(int64_t)list.count || i >= (int64_t)list.count) {
        emit_error(e, target->location, "index %lld is out of range for %zu elements", (long long)i,
                   list.count);
        return false;
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, list.count + 1);
    memcpy(items, list.items, list.count * sizeof *items);
    items[i < 0 ? i + (int64_t)list.count : i] = value;
    scope_set(e, e->frame->scope, name->name.id, value_tuple(e->arena, items, list.count));
    return true;
}

bool assign_target(struct emitter *e, const struct expr *target, struct value value) {
    if (value_failed(value)) {
        poison_target(e, target);
        return false;
    }
    switch (target->kind) {
    case EXPR_NAME:
        scope_set(e, e->frame->scope, target->name.id, value);
        return emit_step(e, e->frame->scope->count / NAMES_A_STEP, target->location);
    case EXPR_TUPLE:
    case EXPR_LIST:
        if (!unpack(e, target, value)) {
            poison_target(e, target);
            return false;
        }
        return true;
    case EXPR_SUBSCRIPT:
        if (!e->frame->is_jit) {
            return assign_host_element(e, target, value);
        }
        return assign_element(e, target, value);
    case EXPR_ATTRIBUTE:
        return assign_field(e, target, value);
    default:
        emit_error(e, target->location, "this cannot be assigned to in a kernel");
        return false;
    }
}

// The constant behind a scalar tensor, if it is known; other values as they are.
static struct value constant_of(struct emitter *e, struct value v) {
    struct value constant;
    bool known = v.kind == VALUE_TENSOR && v.tensor.rank == 0 && tensor_constant(e, v, &constant);
    return known ? constant : v;
}

static void announce(struct emitter *e, const char *name, bool is_over) {
    struct announced *announced = ARENA_NEW(e->arena, struct announced);
    *announced = (struct announced){name, is_over, e->frame->scope->announced};
    e->frame->scope->announced = announced;
}

struct value decay_for_name(struct emitter *e, const char *name, struct value v, struct location location) {
    const struct announced *announced = e->frame->scope->announced;
    while (announced && strcmp(announced->name, name) != 0) {
        announced = announced->earlier;
    }
    if (!announced || announced->is_over) {
        return decay(e, v, location);
    }
    announce(e, name, true);
    return constant_of(e, v);
}

struct value decay_for(struct emitter *e, const struct expr *target, struct value v,
                       struct location location) {
    if (!e->frame->is_jit || value_failed(v)) {
        return v;
    }
    if (target->kind == EXPR_NAME) {
        return decay_for_name(e, target->name.id, v, location);
    }
    bool is_display = target->kind == EXPR_TUPLE || target->kind == EXPR_LIST;
    if (!is_display || !value_is_sequence(v) || v.list.count != target->elements.count) {
        return decay(e, v, location);
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, v.list.count + 1);
    for (size_t i = 0; i < v.list.count; i++) {
        items[i] = decay_for(e, target->elements.items[i], v.list.items[i], location);
    }
    return value_tuple(e->arena, items, v.list.count);
}

static bool run_assign(struct emitter *e, const struct stmt *stmt) {
    struct value value = eval(e, stmt->assign.value);
    emit_at(e, stmt->location);
    struct location at = stmt->assign.value->location;
    if (stmt->assign.targets.count > 1 && e->frame->is_jit && !value_failed(value)) {
        value = decay(e, value, at); // one value under several names
    }
    bool ok = true;
    for (size_t i = 0; i < stmt->assign.targets.count; i++) {
        const struct expr *target = stmt->assign.targets.items[i];
        ok = assign_target(e, target, decay_for(e, target, value, at)) && ok;
    }
    return ok;
}

static bool run_augmented(struct emitter *e, const struct stmt *stmt) {
    const struct expr *target = stmt->augmented.target;
    if (target->kind != EXPR_NAME && !(target->kind == EXPR_SUBSCRIPT && e->frame->is_jit)) {
        emit_error(e, target->location, "attributes cannot be changed by %s=; assign them",
                   binary_op_text(stmt->augmented.op));
        return false;
    }
    if (!e->frame->is_jit && !host_may_change(e, target, stmt->location)) {
        return false;
    }
    struct value left = eval(e, target), right = eval(e, stmt->augmented.value);
    emit_at(e, stmt->location);
    struct value value = eval_binary_of(e, stmt->augmented.op, left, right, stmt->location);
    value = emit_check_value(e, value, stmt->location);
    if (e->frame->is_jit && !value_failed(value)) {
        value = decay(e, value, stmt->location);
    }
    return assign_target(e, target, value);
}

const struct expr *annotation_text(const struct expr *annotation) {
    if (!annotation || annotation->kind != EXPR_SUBSCRIPT) {
        return annotation;
    }
    const struct expr *object = annotation->subscript.object, *index = annotation->subscript.index;
    const char *name = object->kind == EXPR_NAME        ? object->name.id
                       : object->kind == EXPR_ATTRIBUTE ? object->attribute.name
                                                        : "";
    bool is_pair = index->kind == EXPR_TUPLE && index->elements.count == 2;
    bool has_text = is_pair && index->elements.items[1]->kind == EXPR_STRING;
    return has_text && strcmp(name, "Annotated") == 0 ? index->elements.items[1] : annotation;
}

bool annotation_is_constexpr(const struct expr *annotation) {
    const char *name = "";
    if (annotation) {
        name = annotation->kind == EXPR_NAME        ? annotation->name.id
               : annotation->kind == EXPR_ATTRIBUTE ? annotation->attribute.name
               : annotation->kind == EXPR_STRING    ? annotation->string.bytes
               : annotation->kind == EXPR_SUBSCRIPT && annotation->subscript.object->kind == EXPR_ATTRIBUTE
                   ? annotation->subscript.object->attribute.name
                   : "";
    }
    size_t length = strlen(name);
    return length >= 9 && strcmp(name + length - 9, "constexpr") == 0;
}

static bool run_annotated(struct emitter *e, const struct stmt *stmt) {
    const struct expr *target = stmt->annotated.target;
    bool is_constant = annotation_is_constexpr(stmt->annotated.annotation);
    if (!stmt->annotated.value) {
        if (e->frame->is_jit && !language_takes(e, LANGUAGE_BARE_ANNOTATIONS, stmt->location)) {
            return false;
        }
        if (is_constant && target->kind == EXPR_NAME) {
            announce(e, target->name.id, false);
        }
        return true;
    }
    struct value value = eval(e, stmt->annotated.value);
    emit_at(e, stmt->location);
    if (is_constant) {
        value = constant_of(e, value);
    } else if (e->frame->is_jit && !value_failed(value)) {
        value = decay(e, value, stmt->annotated.value->location);
    }
    return assign_target(e, target, value);
}

// ---- others ----

static bool has_none(struct value v) {
    bool has = false;
    for (size_t i = 0; value_is_sequence(v) && i < v.list.count; i++) {
        has = has || value_is_none(v.list.items[i]) || has_none(v.list.items[i]);
    }
    return has;
}

static enum flow run_return(struct emitter *e, const struct stmt *stmt) {
    struct value value = stmt->return_value.value ? eval(e, stmt->return_value.value) : value_none();
    emit_at(e, stmt->location);
    bool is_jit = e->frame->is_jit && !value_failed(value);
    if (is_jit && has_none(value) && !language_takes(e, LANGUAGE_RETURNED_NONE, stmt->location)) {
        return FLOW_FAIL;
    }
    if (is_jit && (e->frame->promotes || !language_has(e, LANGUAGE_RETURNED_CONSTANTS))) {
        value = decay(e, value, stmt->location);
    }
    e->frame->returned = value;
    e->frame->returned_at = stmt->location;
    e->frame->fell_off = false;
    return value_failed(value) ? FLOW_FAIL : FLOW_RETURN;
}

// An assert on values of run time is tl.device_assert. Triton checks a kernel's asserts in its debug mode alone: one that is known
// to fail is a warning. Host code stops there, as Python does.
static bool run_assert(struct emitter *e, const struct stmt *stmt) {
    struct value test = eval(e, stmt->assertion.test);
    if (value_failed(test)) {
        return false;
    }
    bool ok, truth = value_truth(test, &ok);
    if (!ok && e->asserts) {
        struct value args[] = {test, stmt->assertion.message ? eval(e, stmt->assertion.message)
                                                             : value_string(e->arena, "")};
        emit_at(e, stmt->location);
        return !value_failed(args[1]) &&
               !value_failed(emit_call_builtin(e, "tl.device_assert", args, 2, stmt->location));
    }
    if (!ok || truth) {
        return true;
    }
    struct value message =
        stmt->assertion.message ? eval(e, stmt->assertion.message) : value_string(e->arena, "");
    const char *text = value_failed(message) ? "" : value_text(e->arena, message);
    if (e->frame->is_jit) {
        emit_warning(e, stmt->location,
                     "this assertion fails with these constants%s%s; to refuse them write tl.static_assert",
                     *text ? ": " : "", text);
        return true;
    }
    emit_error(e, stmt->location, "assertion failed%s%s", *text ? ": " : "", text);
    return false;
}

static enum flow run_jump(struct emitter *e, const struct stmt *stmt) {
    const char *word = stmt->kind == STMT_BREAK ? "break" : "continue";
    if (!e->frame->static_loops && !e->frame->jump_loop) {
        emit_error(e, stmt->location, "%s outside a loop", word);
        return FLOW_FAIL;
    }
    return stmt->kind == STMT_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
}

// True inside an if or a loop of run time: its block is in no operation yet.
static bool is_conditional(const struct emitter *e) {
    return e->frame->is_jit && e->ir && mlirOperationIsNull(mlirBlockGetParentOperation(e->builder.block));
}

static bool run_raise(struct emitter *e, const struct stmt *stmt) {
    const struct expr *exception = stmt->raise.exception;
    const char *text = "";
    if (exception && exception->kind == EXPR_CALL && exception->call.args.count) {
        struct value message = eval(e, exception->call.args.items[0]);
        text = value_failed(message) ? "" : value_text(e->arena, message);
    }
    const struct expr *class =
        exception && exception->kind == EXPR_CALL ? exception->call.function : exception;
    const char *name = class && class->kind == EXPR_NAME ? class->name.id : "an exception";
    if (is_conditional(e)) {
        emit_error(
            e, stmt->location,
            "raise is not supported where a value of run time decides whether it is reached: kernels raise "
            "no "
            "exceptions; in place of the if write tl.device_assert(condition that has to hold, \"%s\")",
            text);
        return false;
    }
    emit_error(e, stmt->location, "the kernel raises %s with these constants%s%s", name, *text ? ": " : "",
               text);
    return false;
}

// `global` and `nonlocal`: reading such names needs no declaration; binding them is an error.
static bool run_scope(struct emitter *e, const struct stmt *stmt) {
    struct name_list assigned = {0};
    const struct function *function = e->frame->function;
    if (function && function->def) {
        collect_assigned(e, &function->def->body, &assigned);
    }
    for (size_t i = 0; i < assigned.count; i++) {
        for (size_t j = 0; j < stmt->scope.count; j++) {
            if (strcmp(assigned.items[i], stmt->scope.names[j]) == 0) {
                emit_error(e, stmt->location,
                           "%s is set by a function of another scope, which is not supported; return it",
                           stmt->scope.names[j]);
                return false;
            }
        }
    }
    return true;
}

// A name that is gone is read by no program that runs; an element that is gone is missed.
// The name stays bound, to what says why it is none any more.
static bool delete_names(struct emitter *e, const struct expr_list *targets) {
    for (size_t i = 0; i < targets->count; i++) {
        const struct expr *target = targets->items[i];
        struct location at = target->location;
        if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
            if (!delete_names(e, &target->elements)) {
                return false;
            }
            continue;
        }
        if (target->kind != EXPR_NAME) {
            emit_error(e, at, "elements cannot be deleted; build a list or dict without them");
            return false;
        }
        const char *name = target->name.id;
        struct binding *binding = scope_find(e->frame->scope, name);
        if (!binding || binding->value.kind == VALUE_HOST) {
            emit_error(e, at, "%s cannot be deleted: %s", name,
                       binding ? binding->value.host : "this function sets no such name before");
            return false;
        }
        scope_set(e, e->frame->scope, name,
                  value_host(arena_printf(e->arena, "it is deleted on line %u", at.line)));
    }
    return true;
}

static enum flow flow_of(bool ok) {
    return ok ? FLOW_NEXT : FLOW_FAIL;
}

// What a refused statement would set is not reported as missing, too.
static void poison_names(struct emitter *e, const struct stmt *stmt) {
    bool from = stmt->kind == STMT_IMPORT_FROM, import = from || stmt->kind == STMT_IMPORT;
    const struct import_alias *names = from ? stmt->import_from.names : stmt->import.names;
    size_t count = !import ? 0 : from ? stmt->import_from.count : stmt->import.count;
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i].as_name
                               ? names[i].as_name
                               : arena_strndup(e->arena, names[i].name, strcspn(names[i].name, "."));
        scope_set(e, e->frame->scope, name, value_error());
    }
    if (stmt->kind == STMT_CLASS) {
        scope_set(e, e->frame->scope, stmt->class_->name, value_error());
    }
}

// What `with` binds is assigned.
static const char *with_remedy(struct emitter *e, const struct stmt *stmt) {
    const char *assignments = "";
    for (size_t i = 0; i < stmt->with.count; i++) {
        const struct with_item *item = &stmt->with.items[i];
        if (item->target) {
            assignments = arena_printf(e->arena, "%s%s%s = %s", assignments, *assignments ? "; " : "",
                                       emit_text_of(e, item->target->location, "the name"),
                                       emit_text_of(e, item->context->location, "…"));
        }
    }
    return *assignments ? arena_printf(e->arena, "write %s in place of its line, and its body without indent",
                                       assignments)
                        : "delete its line, and write its body without indent";
}

static enum flow refuse_statement(struct emitter *e, const struct stmt *stmt) {
    static const struct {
        const char *name, *remedy;
    } statements[] = {
        [STMT_WITH] = {"with", ""}, // with_remedy
        [STMT_TRY] = {"try",
                      "nothing raises in a kernel: write its body without it, and test values with if"},
        [STMT_IMPORT] = {"import", "import at the top of the file"},
        [STMT_IMPORT_FROM] = {"import", "import at the top of the file"},
        [STMT_CLASS] = {"class",
                        "move it to the top of the file, as a NamedTuple or under @triton.aggregate; or "
                        "use a tuple (a, b) in its place"},
        [STMT_TYPE_ALIAS] = {"type", "write the type itself"},
    };
    bool known = stmt->kind < sizeof statements / sizeof *statements && statements[stmt->kind].name;
    emit_error(e, stmt->location, "%s%sis not supported in a kernel: %s",
               known ? statements[stmt->kind].name : "this", known ? " " : " statement ",
               stmt->kind == STMT_WITH ? with_remedy(e, stmt)
               : known                 ? statements[stmt->kind].remedy
                                       : "leave it out");
    poison_names(e, stmt);
    return FLOW_FAIL;
}

static enum flow run_kind(struct emitter *e, const struct stmt *stmt) {
    enum flow flow;
    emit_at(e, stmt->location);
    switch (stmt->kind) {
    case STMT_EXPR:
        if (!e->frame->is_jit && run_host_method(e, stmt->expr, &flow)) {
            return flow;
        }
        return flow_of(!value_failed(stmt->expr->kind == EXPR_CALL ? eval_dropped_call(e, stmt->expr)
                                                                   : eval(e, stmt->expr)));
    case STMT_ASSIGN:
        return flow_of(run_assign(e, stmt));
    case STMT_AUGMENTED_ASSIGN:
        return flow_of(run_augmented(e, stmt));
    case STMT_ANNOTATED_ASSIGN:
        return flow_of(run_annotated(e, stmt));
    case STMT_RETURN:
        return run_return(e, stmt);
    case STMT_IF:
        return run_if(e, stmt);
    case STMT_FOR:
        return run_for(e, stmt);
    case STMT_WHILE:
        return run_while(e, stmt);
    case STMT_MATCH:
        return run_match(e, stmt);
    case STMT_TRY:
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
        if (!e->frame->is_jit) {
            return run_host_statement(e, stmt);
        }
        return refuse_statement(e, stmt);
    case STMT_BREAK:
    case STMT_CONTINUE:
        return run_jump(e, stmt);
    case STMT_GLOBAL:
    case STMT_NONLOCAL:
        return flow_of(run_scope(e, stmt));
    case STMT_PASS:
        return FLOW_NEXT;
    case STMT_DELETE:
        return flow_of(delete_names(e, &stmt->targets));
    case STMT_ASSERT:
        return flow_of(run_assert(e, stmt));
    case STMT_RAISE:
        return flow_of(run_raise(e, stmt));
    case STMT_FUNCTION:
        if (e->frame->is_jit) {
            emit_error(e, stmt->location,
                       "a function within a function of a kernel: move %s to the module, under @triton.jit",
                       stmt->function->name);
            scope_set(e, e->frame->scope, stmt->function->name, value_error());
            return FLOW_FAIL;
        }
        scope_set(e, e->frame->scope, stmt->function->name,
                  function_value(e, stmt->function, e->frame->file, e->frame->scope));
        return FLOW_NEXT;
    case STMT_UNPARSED:
        emit_fault(e, stmt->unparsed.fault);
        return FLOW_FAIL;
    default:
        return refuse_statement(e, stmt);
    }
}

static enum flow run_statement(struct emitter *e, const struct stmt *stmt) {
    enum { LEVELS = 2 }; // its frames are larger than an expression's
    if (!emit_step(e, 1, stmt->location) || !enter(e, LEVELS, stmt->location)) {
        return FLOW_FAIL;
    }
    enum flow flow = run_kind(e, stmt);
    leave(e, LEVELS);
    return flow;
}

enum flow run_list(struct emitter *e, const struct stmt_list *list, size_t from) {
    struct continuation *outer = e->frame->rest;
    enum flow flow = FLOW_NEXT;
    bool failed = false;
    for (size_t i = from; i < list->count && flow == FLOW_NEXT; i++) {
        struct continuation rest = {.list = list, .next = i + 1, .outer = outer};
        e->frame->rest = &rest;
        if (e->shows) {
            show_before(e, list, i, i == from);
        }
        flow = run_statement(e, list->items[i]);
        if (e->shows && flow == FLOW_NEXT) {
            show_behind(e, list->items[i]);
        }
        if (flow == FLOW_FAIL) {
            failed = true;
            flow = is_tried(e) ? FLOW_FAIL : FLOW_NEXT;
        }
    }
    e->frame->rest = outer;
    return failed ? FLOW_FAIL : flow;
}
