// Aggregates: classes under @triton.aggregate, whose objects hold tensors and constants by name.
//
//   @triton.aggregate
//   class View:                                       v = View(x, n)           the constructor, its own or __init__
//       base: tl.tensor                               v.base, v.size           fields
//       size: tl.tensor                               v.load(o)                methods, also of the bases
//       step: tl.constexpr = 1                        v + 1                    __add__ and its like
//
//       @triton.jit
//       def load(self, at): …
//
// An object is immutable once its constructor has ended. Inside, `self.x = v` binds the name self to an object with one
// field more; the object that self names at the end is the constructor's result.
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"

// ---- classes ----

// The type that one of the class's decorators is; KNOWN_TYPE_COUNT: no aggregate.
static enum known_type kind_of(struct emitter *e, const struct class_def *class_, struct file_scope *file) {
    struct call_frame frame = {.caller = e->frame, .file = file, .scope = scope_inside(e, NULL)};
    enum known_type found = KNOWN_TYPE_COUNT;
    enter_frame(e, &frame);
    e->quiet++;
    for (size_t i = 0; i < class_->decorators.count; i++) {
        struct value v = eval(e, class_->decorators.items[i]);
        bool is_one = v.kind == VALUE_TYPE && (v.type == TYPE_AGGREGATE || v.type == TYPE_EARLY_AGGREGATE);
        found = is_one ? v.type : found;
    }
    e->quiet--;
    leave_frame(e);
    return found;
}

static const struct parameter *find_field(const struct aggregate *aggregate, const char *name) {
    for (size_t i = 0; i < aggregate->fields.count; i++) {
        if (strcmp(aggregate->fields.items[i].name, name) == 0) {
            return &aggregate->fields.items[i];
        }
    }
    return NULL;
}

// Adds a field, or changes one of a base, with its default.
static void add_field(struct aggregate *aggregate, const struct parameter *field, struct value otherwise) {
    size_t at = 0;
    while (at < aggregate->fields.count && strcmp(aggregate->fields.items[at].name, field->name) != 0) {
        at++;
    }
    aggregate->fields.count += at == aggregate->fields.count;
    aggregate->fields.items[at] = *field;
    aggregate->defaults[at] = otherwise;
}

static void add_own_fields(struct emitter *e, struct aggregate *aggregate) {
    const struct stmt_list *body = &aggregate->def->body;
    struct call_frame frame = {.caller = e->frame, .file = aggregate->file, .scope = scope_inside(e, NULL)};
    struct ir *ir = e->ir;
    enter_frame(e, &frame);
    e->ir = NULL;
    e->quiet++;
    for (size_t i = 0; i < body->count; i++) {
        const struct stmt *stmt = body->items[i];
        if (stmt->kind != STMT_ANNOTATED_ASSIGN || stmt->annotated.target->kind != EXPR_NAME) {
            continue;
        }
        struct parameter field = {.kind = PARAMETER_NORMAL,
                                  .name = stmt->annotated.target->name.id,
                                  .annotation = stmt->annotated.annotation,
                                  .default_value = stmt->annotated.value,
                                  .location = stmt->location};
        add_field(aggregate, &field, field.default_value ? eval(e, field.default_value) : value_error());
    }
    e->quiet--;
    e->ir = ir;
    leave_frame(e);
}

// The class's bases; false after an error.
static bool add_bases(struct emitter *e, struct aggregate *aggregate) {
    const struct expr_list *bases = &aggregate->def->bases;
    aggregate->bases = ARENA_ARRAY(e->arena, const struct aggregate *, bases->count + 1);
    struct call_frame frame = {.caller = e->frame, .file = aggregate->file, .scope = scope_inside(e, NULL)};
    enter_frame(e, &frame);
    bool ok = true;
    for (size_t i = 0; i < bases->count && ok; i++) {
        struct value base = eval(e, bases->items[i]);
        ok = base.kind == VALUE_FUNCTION && base.function->aggregate;
        if (ok) {
            aggregate->bases[aggregate->base_count++] = base.function->aggregate;
        } else if (!value_failed(base)) {
            emit_error(e, bases->items[i]->location,
                       "a base of the aggregate %s is %s; it has to be an aggregate", aggregate->def->name,
                       value_type_name(e->arena, base));
        }
    }
    leave_frame(e);
    return ok;
}

struct value aggregate_class(struct emitter *e, const struct class_def *class_, struct file_scope *file) {
    enum known_type kind = kind_of(e, class_, file);
    if (kind == KNOWN_TYPE_COUNT) {
        return value_none();
    }
    if (kind == TYPE_AGGREGATE && !language_takes(e, LANGUAGE_AGGREGATES, class_->name_location)) {
        return value_error();
    }
    struct aggregate *aggregate = ARENA_NEW(e->arena, struct aggregate);
    *aggregate = (struct aggregate){.def = class_, .file = file};
    if (!add_bases(e, aggregate)) {
        return value_error();
    }
    size_t limit = class_->body.count + 1;
    for (size_t i = 0; i < aggregate->base_count; i++) {
        limit += aggregate->bases[i]->fields.count;
    }
    aggregate->fields.items = ARENA_ARRAY(e->arena, struct parameter, limit);
    aggregate->defaults = ARENA_ARRAY(e->arena, struct value, limit);
    for (size_t i = aggregate->base_count; i-- > 0;) { // the first base counts before the later ones
        const struct aggregate *base = aggregate->bases[i];
        for (size_t j = 0; j < base->fields.count; j++) {
            add_field(aggregate, &base->fields.items[j], base->defaults[j]);
        }
    }
    add_own_fields(e, aggregate);
    struct function *function = ARENA_NEW(e->arena, struct function);
    *function = (struct function){.name = class_->name,
                                  .location = class_->name_location,
                                  .file = file,
                                  .fields = &aggregate->fields,
                                  .defaults = aggregate->defaults,
                                  .aggregate = aggregate};
    return value_function(function);
}

// ---- methods ----

// The definition of a name in the class or its bases, and the class that has it.
static const struct function_def *find_method(const struct aggregate *aggregate, const char *name,
                                              const struct aggregate **owner) {
    const struct stmt_list *body = &aggregate->def->body;
    for (size_t i = body->count; i-- > 0;) {
        const struct stmt *stmt = body->items[i];
        if (stmt->kind == STMT_FUNCTION && strcmp(stmt->function->name, name) == 0) {
            *owner = aggregate;
            return stmt->function;
        }
    }
    const struct function_def *found = NULL;
    for (size_t i = 0; i < aggregate->base_count && !found; i++) {
        found = find_method(aggregate->bases[i], name, owner);
    }
    return found;
}

static bool is_static(const struct function_def *def) {
    for (size_t i = 0; i < def->decorators.count; i++) {
        const struct expr *decorator = def->decorators.items[i];
        if (decorator->kind == EXPR_NAME && strcmp(decorator->name.id, "staticmethod") == 0) {
            return true;
        }
    }
    return false;
}

// The function of that name in the class or its bases; NULL: none. Python calls it where @triton.jit does not
// stand above it, so that a kernel may call it either way.
static struct function *member(struct emitter *e, const struct aggregate *aggregate, const char *name) {
    const struct aggregate *owner;
    const struct function_def *def = find_method(aggregate, name, &owner);
    struct function *function = def ? function_value(e, def, owner->file, NULL).function : NULL;
    if (function) {
        function->is_wrapped = true;
    }
    return function;
}

bool aggregate_function(struct emitter *e, const struct aggregate *aggregate, const char *name,
                        struct value *out) {
    struct function *function = member(e, aggregate, name);
    *out = function ? value_function(function) : value_none();
    return function != NULL;
}

bool aggregate_method(struct emitter *e, struct value object, const char *name, struct value *out) {
    bool is_aggregate = object.kind == VALUE_OBJECT && object.object.aggregate;
    struct function *function = is_aggregate ? member(e, object.object.aggregate, name) : NULL;
    if (function) {
        struct value plain = value_function(function);
        *out = is_static(function->def) ? plain : value_method(e->arena, object, plain);
    }
    return function != NULL;
}

// ---- construction ----

// The value as one of the field: a known constant where constants are, else it has to be of the annotation's kind.
static struct value field_value(struct emitter *e, const struct aggregate *aggregate,
                                const struct parameter *field, struct value v, struct location location) {
    struct call_frame frame = {.caller = e->frame, .file = aggregate->file, .scope = scope_inside(e, NULL)};
    struct value type = value_none(), constant;
    if (field->annotation && field->annotation->kind != EXPR_STRING) {
        enter_frame(e, &frame);
        e->quiet++;
        type = eval(e, field->annotation);
        e->quiet--;
        leave_frame(e);
    }
    bool wants_constant = type.kind == VALUE_TYPE && type.type == TYPE_CONSTEXPR;
    bool wants_tensor = type.kind == VALUE_TYPE && type.type == TYPE_TENSOR;
    if (wants_constant && v.kind == VALUE_TENSOR && v.tensor.rank == 0 && tensor_constant(e, v, &constant)) {
        v = constant;
    }
    if ((wants_constant && !value_is_constant(v)) ||
        (wants_tensor && v.kind != VALUE_TENSOR && !value_failed(v))) {
        return emit_error(e, location, "the field %s of the aggregate %s is a %s, not %s", field->name,
                          aggregate->def->name, wants_tensor ? "tl.tensor" : "tl.constexpr",
                          value_type_name(e->arena, v));
    }
    return v;
}

static struct value with_field(struct emitter *e, struct value object, const char *name, struct value v) {
    struct value_list old = object.object.fields;
    struct value *items = ARENA_ARRAY(e->arena, struct value, old.count + 2);
    size_t count = 0;
    bool found = false;
    for (; count < old.count; count += 2) {
        bool here = strcmp(old.items[count].string.bytes, name) == 0;
        items[count] = old.items[count];
        items[count + 1] = here ? v : old.items[count + 1];
        found = found || here;
    }
    if (!found) {
        items[count++] = value_string(e->arena, name);
        items[count++] = v;
    }
    struct value result = value_object(e->arena, CLASS_AGGREGATE, items, count);
    result.object.name = object.object.name;
    result.object.aggregate = object.object.aggregate;
    result.object.is_open = object.object.is_open;
    return result;
}

// Behind the kernel its arguments are no names.
static const char *grid_remedy(struct emitter *e, const char *target) {
    const char *name = suggest_scalar(e, false, "");
    return *name ? arena_printf(e->arena, ": %s = lambda meta: (…,), with meta[\"%s\"] for %s", target, name,
                                name)
                 : arena_printf(e->arena, ": %s = lambda meta: (…,)", target);
}

bool assign_field(struct emitter *e, const struct expr *target, struct value value) {
    const struct expr *name = target->attribute.object;
    struct binding *binding = name->kind == EXPR_NAME ? scope_find(e->frame->scope, name->name.id) : NULL;
    struct value object = binding ? binding->value : value_none();
    const char *field_name = target->attribute.name;
    if (object.kind != VALUE_OBJECT || !object.object.aggregate) {
        emit_error(e, target->location,
                   "attributes cannot be assigned in a kernel; those of a kernel (NAME.grid) are set "
                   "behind it, without indent%s",
                   strcmp(field_name, "grid") == 0
                       ? grid_remedy(e, emit_text_of(e, target->location, "NAME.grid"))
                       : "");
        return false;
    }
    const struct aggregate *aggregate = object.object.aggregate;
    const struct parameter *field = find_field(aggregate, field_name);
    if (!field) {
        emit_error(e, target->location, "the aggregate %s has no field %s", aggregate->def->name, field_name);
        return false;
    }
    if (!object.object.is_open) {
        emit_error(e, target->location,
                   "the field %s of the aggregate %s cannot be assigned: objects are immutable; "
                   "tl.aggregate_replace() makes another one",
                   field_name, aggregate->def->name);
        return false;
    }
    struct value v = field_value(e, aggregate, field, value, target->location);
    if (!value_failed(v)) {
        scope_set(e, e->frame->scope, name->name.id, with_field(e, object, field_name, v));
    }
    return !value_failed(v);
}

static struct value new_object(struct emitter *e, const struct aggregate *aggregate) {
    struct value object = value_object(e->arena, CLASS_AGGREGATE, NULL, 0);
    object.object.name = aggregate->def->name;
    object.object.aggregate = aggregate;
    object.object.is_open = true;
    return object;
}

// The fields in the class's order, each of which is set.
static struct value closed(struct emitter *e, struct value object, struct location location) {
    const struct aggregate *aggregate = object.object.aggregate;
    struct value result = new_object(e, aggregate);
    for (size_t i = 0; i < aggregate->fields.count; i++) {
        const char *name = aggregate->fields.items[i].name;
        const struct value *v = value_field(object, name);
        if (!v) {
            return emit_error(e, location, "the constructor of the aggregate %s does not set the field %s",
                              aggregate->def->name, name);
        }
        result = with_field(e, result, name, *v);
    }
    result.object.is_open = false;
    return result;
}

struct value aggregate_from_fields(struct emitter *e, const struct function *class_, struct scope *scope,
                                   struct location location) {
    const struct aggregate *aggregate = class_->aggregate;
    struct value object = new_object(e, aggregate);
    for (size_t i = 0; i < aggregate->fields.count; i++) {
        const struct parameter *field = &aggregate->fields.items[i];
        struct value v = field_value(e, aggregate, field, scope_find(scope, field->name)->value, location);
        if (value_failed(v)) {
            return v;
        }
        object = with_field(e, object, field->name, v);
    }
    return closed(e, object, location);
}

struct value construct_aggregate(struct emitter *e, struct function *class_, const struct value *args,
                                 size_t count, const char *const *names, const struct value *keywords,
                                 size_t keyword_count, struct location location) {
    const struct aggregate *aggregate = class_->aggregate, *owner;
    const struct function_def *init = find_method(aggregate, "__init__", &owner);
    bool is_new = !init || aggregate->base_count > 0;
    for (size_t i = 0; i < aggregate->fields.count; i++) {
        is_new = is_new || aggregate->fields.items[i].default_value;
    }
    if (is_new && !language_takes(e, LANGUAGE_AGGREGATE_FIELDS, location)) {
        return value_error();
    }
    // The constructor of a base is not inherited by a class with fields of its own.
    if (!init || owner != aggregate) {
        return call_function_keeping(e, class_, args, count, names, keywords, keyword_count, NULL, location);
    }
    struct value *all = ARENA_ARRAY(e->arena, struct value, count + 1);
    all[0] = new_object(e, aggregate);
    for (size_t i = 0; i < count; i++) {
        all[i + 1] = args[i];
    }
    struct value self = value_error(), function = function_value(e, init, owner->file, NULL);
    struct value result = call_function_keeping(e, function.function, all, count + 1, names, keywords,
                                                keyword_count, &self, location);
    return value_failed(result) || value_failed(self) ? value_error() : closed(e, self, location);
}

struct value aggregate_replace(struct emitter *e, struct value object, struct value changes,
                               struct location location) {
    if (object.kind != VALUE_OBJECT || !object.object.aggregate) {
        return emit_error(e, location, "tl.aggregate_replace() needs an aggregate, not %s",
                          value_type_name(e->arena, object));
    }
    const struct aggregate *aggregate = object.object.aggregate;
    for (size_t i = 0; i < changes.list.count; i += 2) {
        if (!find_field(aggregate, changes.list.items[i].string.bytes)) {
            return emit_error(e, location, "the aggregate %s has no field %s", aggregate->def->name,
                              changes.list.items[i].string.bytes);
        }
    }
    size_t count = aggregate->fields.count;
    const char **names = ARENA_ARRAY(e->arena, const char *, count + 1);
    struct value *values = ARENA_ARRAY(e->arena, struct value, count + 1);
    for (size_t i = 0; i < count; i++) {
        names[i] = aggregate->fields.items[i].name;
        const struct value *changed = value_dict_get(changes, value_string(e->arena, names[i]));
        values[i] = changed ? *changed : *value_field(object, names[i]);
    }
    struct function class_ = {.name = aggregate->def->name,
                              .location = aggregate->def->name_location,
                              .file = aggregate->file,
                              .fields = &aggregate->fields,
                              .defaults = aggregate->defaults,
                              .aggregate = aggregate};
    return construct_aggregate(e, &class_, NULL, 0, names, values, count, location);
}

// ---- operators ----

static const struct {
    const char *forward, *reflected;
} binary_methods[] = {
    [BINARY_ADD] = {"__add__", "__radd__"},
    [BINARY_SUB] = {"__sub__", "__rsub__"},
    [BINARY_MUL] = {"__mul__", "__rmul__"},
    [BINARY_DIV] = {"__truediv__", "__rtruediv__"},
    [BINARY_MOD] = {"__mod__", "__rmod__"},
    [BINARY_FLOOR_DIV] = {"__floordiv__", "__rfloordiv__"},
    [BINARY_POW] = {"__pow__", "__rpow__"},
    [BINARY_SHL] = {"__lshift__", "__rlshift__"},
    [BINARY_SHR] = {"__rshift__", "__rrshift__"},
    [BINARY_AND] = {"__and__", "__rand__"},
    [BINARY_OR] = {"__or__", "__ror__"},
    [BINARY_XOR] = {"__xor__", "__rxor__"},
    [BINARY_MATMUL] = {"__matmul__", "__rmatmul__"},
};

static const struct {
    const char *forward, *reflected;
} compare_methods[] = {
    [COMPARE_EQ] = {"__eq__", "__eq__"}, [COMPARE_NE] = {"__ne__", "__ne__"},
    [COMPARE_LT] = {"__lt__", "__gt__"}, [COMPARE_LE] = {"__le__", "__ge__"},
    [COMPARE_GT] = {"__gt__", "__lt__"}, [COMPARE_GE] = {"__ge__", "__le__"},
};

static bool is_aggregate(struct value v) {
    return v.kind == VALUE_OBJECT && v.object.aggregate;
}

// Calls the operator's method of one of the operands. False if neither has one.
static bool call_operator(struct emitter *e, const char *forward, const char *reflected, struct value a,
                          struct value b, struct location location, struct value *out) {
    struct value method, other = b;
    bool found = aggregate_method(e, a, forward, &method);
    if (!found) {
        found = aggregate_method(e, b, reflected, &method);
        other = a;
    }
    if (found) {
        *out = language_takes(e, LANGUAGE_AGGREGATE_OPERATORS, location)
                   ? emit_call_function(e, method, &other, 1, location)
                   : value_error();
    }
    return found;
}

struct value eval_binary_of(struct emitter *e, enum binary_op op, struct value a, struct value b,
                            struct location location) {
    struct value result;
    if (value_failed(a) || value_failed(b)) {
        return value_error();
    }
    if ((is_aggregate(a) || is_aggregate(b)) &&
        call_operator(e, binary_methods[op].forward, binary_methods[op].reflected, a, b, location, &result)) {
        return result;
    }
    return emit_binary(e, op, a, b, location);
}

struct value eval_compare_of(struct emitter *e, enum compare_op op, struct value a, struct value b,
                             struct location location) {
    struct value result;
    bool has_method = op < sizeof compare_methods / sizeof *compare_methods && compare_methods[op].forward;
    if ((is_aggregate(a) || is_aggregate(b)) && has_method &&
        call_operator(e, compare_methods[op].forward, compare_methods[op].reflected, a, b, location,
                      &result)) {
        return result;
    }
    return emit_compare(e, op, a, b, location);
}

struct value eval_unary_of(struct emitter *e, enum unary_op op, struct value a, struct location location) {
    static const char *const methods[] = {[UNARY_MINUS] = "__neg__",
                                          [UNARY_PLUS] = "__pos__",
                                          [UNARY_INVERT] = "__invert__",
                                          [UNARY_NOT] = "__not__"};
    struct value method;
    return is_aggregate(a) && aggregate_method(e, a, methods[op], &method)
               ? emit_call_function(e, method, NULL, 0, location)
               : emit_unary(e, op, a, location);
}
