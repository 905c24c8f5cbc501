// Calling functions: every call is inlined. Arguments are bound as Python binds them; numbers stay
// compile-time constants as arguments, and become tensors when assigned or returned in a jit function.
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"

enum { MAX_CALL_DEPTH = 100 };

struct value decay(struct emitter *e, struct value v, struct location location) {
    if (!e->ir) {
        return v;
    }
    if (value_is_number(v)) {
        return emit_to_tensor(e, v, location);
    }
    bool is_aggregate = v.kind == VALUE_OBJECT && v.object.aggregate; // keeps its constants
    if (v.kind == VALUE_TUPLE || v.kind == VALUE_LIST || (v.kind == VALUE_OBJECT && !is_aggregate)) {
        struct value_list parts = value_parts(v);
        struct value *items = ARENA_ARRAY(e->arena, struct value, parts.count + 1);
        for (size_t i = 0; i < parts.count; i++) {
            items[i] = decay(e, parts.items[i], location);
        }
        return value_with_parts(v, (struct value_list){.items = items, .count = parts.count});
    }
    return v;
}

struct value *defaults_of(struct emitter *e, const struct parameter_list *params) {
    struct value *defaults = ARENA_ARRAY(e->arena, struct value, params->count + 1);
    e->quiet++;
    for (size_t i = 0; i < params->count; i++) {
        const struct expr *source = params->items[i].default_value;
        defaults[i] = source ? eval(e, source) : value_error();
    }
    e->quiet--;
    return defaults;
}

struct value function_value(struct emitter *e, const struct function_def *def, struct file_scope *file,
                            struct scope *captured) {
    struct function *function = ARENA_NEW(e->arena, struct function);
    *function = (struct function){.name = def->name,
                                  .def = def,
                                  .location = def->name_location,
                                  .file = file,
                                  .captured = captured,
                                  .is_jit = decorators_have_jit(e, file, def)};
    if (captured) {
        function->defaults = defaults_of(e, &def->params);
    }
    return value_function(function);
}

// ---- binding arguments ----

static const struct parameter_list *parameters_of(const struct function *function) {
    return function->fields ? function->fields
           : function->def  ? &function->def->params
                            : &function->lambda->lambda.params;
}

// The default as evaluated when the function was defined. If that evaluation failed, it runs again for its
// error.
static struct value default_of(struct emitter *e, const struct function *function,
                               const struct parameter *parameter) {
    size_t number = (size_t)(parameter - parameters_of(function)->items);
    if (function->defaults && !value_failed(function->defaults[number])) {
        return function->defaults[number];
    }
    struct call_frame frame = {
        .caller = e->frame, .file = function->file, .scope = scope_inside(e, function->captured)};
    const struct binding_site *before =
        file_stand_at(function->file, function->captured ? NULL : function->def);
    enter_frame(e, &frame);
    struct value v = eval(e, parameter->default_value);
    leave_frame(e);
    file_stand_back(function->file, before);
    return v;
}

struct binding_state {
    struct emitter *e;
    const struct function *function;
    const struct value *args;
    size_t count, used;
    const char *const *names;
    const struct value *keywords;
    size_t keyword_count;
    bool *keyword_used;
    struct location location;
};

static bool keyword_for(struct binding_state *s, const char *name, struct value *out) {
    for (size_t i = 0; i < s->keyword_count; i++) {
        if (strcmp(s->names[i], name) == 0) {
            s->keyword_used[i] = true;
            *out = s->keywords[i];
            return true;
        }
    }
    return false;
}

static struct value rest_keywords(struct binding_state *s) {
    struct value *items = ARENA_ARRAY(s->e->arena, struct value, 2 * s->keyword_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < s->keyword_count; i++) {
        if (!s->keyword_used[i]) {
            s->keyword_used[i] = true;
            items[count++] = value_string(s->e->arena, s->names[i]);
            items[count++] = s->keywords[i];
        }
    }
    struct value dict = value_list_of(s->e->arena, items, count);
    dict.kind = VALUE_DICT;
    return dict;
}

static const char *parameter_names(struct emitter *e, const struct parameter_list *params) {
    const char *text = "";
    for (size_t i = 0; i < params->count; i++) {
        text = arena_printf(e->arena, "%s%s%s", text, i ? ", " : "", params->items[i].name);
    }
    return text;
}

static bool bind_parameter(struct binding_state *s, const struct parameter *parameter, struct value *out) {
    struct emitter *e = s->e;
    bool is_new = s->function->is_jit && !s->function->file->library;
    switch (parameter->kind) {
    case PARAMETER_VARARGS:
        if (is_new && !language_takes(e, LANGUAGE_VARIADIC_FUNCTIONS, s->location)) {
            return false;
        }
        *out = value_tuple(e->arena, s->args + s->used, s->count - s->used);
        s->used = s->count;
        return true;
    case PARAMETER_KWARGS:
        *out = rest_keywords(s);
        return true;
    default:
        break;
    }
    if (is_new && parameter->kind == PARAMETER_KEYWORD_ONLY &&
        !language_takes(e, LANGUAGE_KEYWORD_PARAMETERS, s->location)) {
        return false;
    }
    struct value keyword;
    bool named = parameter->kind != PARAMETER_POSITIONAL_ONLY && keyword_for(s, parameter->name, &keyword);
    if (parameter->kind != PARAMETER_KEYWORD_ONLY && s->used < s->count) {
        *out = s->args[s->used++];
        if (named) {
            emit_error(e, s->location, "%s() got %s both by position and by name", s->function->name,
                       parameter->name);
            return false;
        }
        return true;
    }
    if (named) {
        *out = keyword;
        const char *name =
            s->function->file->library ? arena_printf(e->arena, "tl.%s", s->function->name) : "";
        return language_takes_parameter(e, name, parameter->name, s->location);
    }
    if (!parameter->default_value) {
        emit_error(e, s->location, "%s() needs an argument for %s: it takes (%s)", s->function->name,
                   parameter->name, parameter_names(e, parameters_of(s->function)));
        return false;
    }
    *out = default_of(e, s->function, parameter);
    return !value_failed(*out);
}

static bool bind_arguments(struct binding_state *s, struct scope *scope) {
    const struct parameter_list *params = parameters_of(s->function);
    if (!emit_step(s->e, params->count * (s->keyword_count + params->count) / NAMES_A_STEP, s->location)) {
        return false;
    }
    s->keyword_used = ARENA_ARRAY(s->e->arena, bool, s->keyword_count + 1);
    for (size_t i = 0; i < params->count; i++) {
        struct value v;
        if (!bind_parameter(s, &params->items[i], &v)) {
            return false;
        }
        scope_set(s->e, scope, params->items[i].name, v);
    }
    if (s->used < s->count) {
        emit_error(s->e, s->location, "%s() takes %zu argument%s, not %zu", s->function->name, params->count,
                   params->count == 1 ? "" : "s", s->count);
        return false;
    }
    for (size_t i = 0; i < s->keyword_count; i++) {
        if (!s->keyword_used[i]) {
            struct nearest nearest = {.text = s->names[i]};
            for (size_t j = 0; j < params->count; j++) {
                nearest_offer(&nearest, params->items[j].name);
            }
            emit_unknown(s->e, s->location, &nearest, "%s() has no parameter %s", s->function->name,
                         s->names[i]);
            return false;
        }
    }
    return true;
}

// ---- named tuples ----

// class Pair(NamedTuple): its annotated names are the fields. NULL for any other class.
static const struct parameter_list *fields_of(struct emitter *e, const struct class_def *class_) {
    bool is_tuple = false;
    for (size_t i = 0; i < class_->bases.count; i++) {
        const struct expr *base = class_->bases.items[i];
        const char *name = base->kind == EXPR_NAME        ? base->name.id
                           : base->kind == EXPR_ATTRIBUTE ? base->attribute.name
                                                          : "";
        is_tuple = is_tuple || strcmp(name, "NamedTuple") == 0;
    }
    if (!is_tuple) {
        return NULL;
    }
    struct parameter_list *fields = ARENA_NEW(e->arena, struct parameter_list);
    fields->items = ARENA_ARRAY(e->arena, struct parameter, class_->body.count + 1);
    for (size_t i = 0; i < class_->body.count; i++) {
        const struct stmt *stmt = class_->body.items[i];
        if (stmt->kind == STMT_ANNOTATED_ASSIGN && stmt->annotated.target->kind == EXPR_NAME) {
            fields->items[fields->count++] = (struct parameter){.kind = PARAMETER_NORMAL,
                                                                .name = stmt->annotated.target->name.id,
                                                                .annotation = stmt->annotated.annotation,
                                                                .default_value = stmt->annotated.value,
                                                                .location = stmt->location};
        }
    }
    return fields;
}

struct value class_value(struct emitter *e, const struct class_def *class_, struct file_scope *file) {
    struct value aggregate = aggregate_class(e, class_, file);
    const struct parameter_list *fields = fields_of(e, class_);
    if (!value_is_none(aggregate)) {
        return aggregate;
    }
    if (!fields) {
        return value_host(arena_printf(e->arena, "the class %s", class_->name));
    }
    struct function *function = ARENA_NEW(e->arena, struct function);
    *function = (struct function){
        .name = class_->name, .location = class_->name_location, .file = file, .fields = fields};
    return value_function(function);
}

static struct value make_tuple(struct emitter *e, const struct function *function, struct scope *scope) {
    size_t count = function->fields->count;
    struct value *fields = ARENA_ARRAY(e->arena, struct value, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        fields[2 * i] = value_string(e->arena, function->fields->items[i].name);
        fields[2 * i + 1] = scope_find(scope, function->fields->items[i].name)->value;
    }
    return value_named_tuple(e->arena, function->name, fields, 2 * count);
}

// ---- the call ----

// The result of a function that ends without a return. In Triton `a = False` makes a tensor, so that a later
// `if a: return x` fixes the function's result type; here the `if` is folded, and the result is a zero of
// that type.
static struct value at_the_end(struct emitter *e) {
    const struct stmt *skipped = e->frame->skipped;
    if (!e->frame->is_jit || !e->ir || !skipped || !skipped->return_value.value) {
        return value_none();
    }
    struct builder saved = e->builder;
    MlirBlock block = mlirBlockCreate(0, NULL, NULL);
    e->builder = builder_at_end(e->ir, block, saved.location);
    e->quiet++;
    struct value value = eval(e, skipped->return_value.value);
    value = value_failed(value) ? value : decay(e, value, skipped->location);
    e->quiet--;
    e->builder = saved;
    value = value_failed(value) || value_is_none(value) ? value_none() : zero_like(e, value);
    mlirBlockDestroy(block);
    return value;
}

static struct value run_body(struct emitter *e, struct function *function) {
    if (!function->def) {
        return eval(e, function->lambda->lambda.body);
    }
    if (function->def->fault) {
        return emit_fault(e, function->def->fault);
    }
    switch (run_list(e, &function->def->body, 0)) {
    case FLOW_FAIL:
        return value_error();
    case FLOW_RETURN:
        return e->frame->returned;
    default:
        return at_the_end(e);
    }
}

// A kernel calls functions with @triton.jit, as in Triton; in host code any.
static bool may_call(struct emitter *e, const struct function *function, struct location location) {
    const struct function_def *def = function->def;
    const struct call_frame *caller = e->frame;
    if (!e->ir || !caller || !caller->is_jit || caller->file->library || !def || function->is_jit ||
        function->is_wrapped || def->decorators.count || function->captured || function->file->library ||
        strcmp(def->name, "__init__") == 0) { // of an aggregate
        return true;
    }
    emit_error(e, location,
               "a kernel calls @triton.jit functions only: write @triton.jit above def %s on line %u",
               def->name, def->name_location.line);
    emit_note(e, def->name_location, "%s is defined here, without @triton.jit", def->name);
    return false;
}

struct value call_function(struct emitter *e, struct function *function, const struct value *args,
                           size_t count, const char *const *names, const struct value *keywords,
                           size_t keyword_count, struct location location) {
    return function->aggregate
               ? construct_aggregate(e, function, args, count, names, keywords, keyword_count, location)
               : call_function_keeping(e, function, args, count, names, keywords, keyword_count, NULL,
                                       location);
}

struct value call_function_keeping(struct emitter *e, struct function *function, const struct value *args,
                                   size_t count, const char *const *names, const struct value *keywords,
                                   size_t keyword_count, struct value *self, struct location location) {
    struct call_frame *caller = e->frame;
    struct scope *scope = scope_inside(e, function->captured);
    struct binding_state state = {e,     function, args,          count, 0,
                                  names, keywords, keyword_count, NULL,  location};
    if (caller && caller->depth >= MAX_CALL_DEPTH) {
        return emit_error(e, location, "calls nest deeper than %d; recursion ends on constants only",
                          MAX_CALL_DEPTH);
    }
    if (!self && !may_call(e, function, location)) { // an aggregate calls its constructor itself
        return value_error();
    }
    if (!bind_arguments(&state, scope)) {
        return value_error();
    }
    if (function->fields) {
        return function->aggregate ? aggregate_from_fields(e, function, scope, location)
                                   : make_tuple(e, function, scope);
    }
    struct call_frame frame = {.caller = caller,
                               .function = function,
                               .file = function->file,
                               .scope = scope,
                               .call_location = location,
                               .call_site = e->builder.location,
                               .depth = caller ? caller->depth + 1 : 0,
                               .splits = caller ? caller->splits : 0,
                               .is_jit = function->is_jit};
    MlirLocation saved = e->builder.location;
    enter_frame(e, &frame);
    struct value result = run_body(e, function);
    leave_frame(e);
    e->builder.location = saved;
    if (self && function->def->params.count) {
        *self = scope_find(scope, function->def->params.items[0].name)->value;
    }
    return result;
}

// In a comprehension is_jit of the frame is cleared, so the function's own flag counts too.
bool eval_in_kernel(const struct emitter *e) {
    const struct call_frame *frame = e->frame;
    return frame && (frame->is_jit || (frame->function && frame->function->is_jit));
}

MlirRegion emit_combine_region(struct emitter *e, struct value combine, int n, const struct dtype *types,
                               struct location location) {
    MlirType *block_types = ARENA_ARRAY(e->arena, MlirType, 2 * n);
    MlirLocation *locations = ARENA_ARRAY(e->arena, MlirLocation, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
        block_types[i] = dtype_mlir(e->ir, types[i % n]);
        locations[i] = e->builder.location;
    }
    MlirBlock block = mlirBlockCreate(2 * n, block_types, locations);
    struct value *args = ARENA_ARRAY(e->arena, struct value, 2 * n);
    for (int i = 0; i < 2 * n; i++) {
        args[i] = tensor_from(e, mlirBlockGetArgument(block, i), types[i % n], 0, NULL);
    }
    struct builder saved = e->builder;
    e->builder = builder_at_end(e->ir, block, saved.location);
    struct shows *shows = e->shows; // of programs alone
    e->shows = NULL;
    struct value result = emit_call(e, combine, args, (size_t)(2 * n), NULL, NULL, 0, location);
    e->shows = shows;
    result = value_failed(result) ? result : decay(e, result, location);
    MlirValue *results = ARENA_ARRAY(e->arena, MlirValue, n);
    bool is_tuple = value_is_sequence(result);
    bool ok = !value_failed(result);
    if (ok && (is_tuple ? result.list.count != (size_t)n : n != 1)) {
        emit_error(e, location, "the combining function must return %d value%s", n, n == 1 ? "" : "s");
        ok = false;
    }
    for (int i = 0; i < n && ok; i++) {
        struct value one = emit_to_tensor(e, is_tuple ? result.list.items[i] : result, location);
        if (!value_failed(one) && one.tensor.rank == 0 && !dtype_equal(one.tensor.dtype, types[i])) {
            one = emit_cast(e, one, types[i], location);
        }
        ok = !value_failed(one);
        if (ok && one.tensor.rank != 0) {
            emit_error(e, location, "the combining function must return scalars");
            ok = false;
        }
        results[i] = one.tensor.value;
    }
    MlirRegion region = {NULL};
    if (ok) {
        OP(&e->builder, OP_YIELD, ((struct operands){n, results}), NO_RESULTS, NO_ATTRS);
        region = mlirRegionCreate();
        mlirRegionAppendOwnedBlock(region, block);
    } else {
        mlirBlockDestroy(block);
    }
    e->builder = saved;
    return region;
}
