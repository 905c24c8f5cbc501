// Calls: evaluates the arguments, dispatches on the kind of callee, and gives builtins their entry points for
// calling back.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"

struct arguments {
    struct value *items;
    size_t count, capacity;
    const char **names;
    struct value *keywords;
    size_t keyword_count, keyword_capacity;
    struct location *places, *keyword_places, *keyword_values;
};

static void add_argument(struct emitter *e, struct arguments *arguments, struct value v, struct location at) {
    size_t place_capacity = arguments->capacity;
    arguments->places =
        arena_grown(e->arena, arguments->places, arguments->count, &place_capacity, sizeof at);
    arguments->places[arguments->count] = at;
    arguments->items =
        arena_grown(e->arena, arguments->items, arguments->count, &arguments->capacity, sizeof v);
    arguments->items[arguments->count++] = v;
}

static void add_keyword(struct emitter *e, struct arguments *arguments, const char *name, struct value v,
                        struct location at, struct location value_at) {
    size_t count = arguments->keyword_count, name_capacity = arguments->keyword_capacity,
           place_capacity = name_capacity, value_capacity = name_capacity;
    arguments->keyword_values =
        arena_grown(e->arena, arguments->keyword_values, count, &value_capacity, sizeof at);
    arguments->keyword_values[count] = value_at;
    arguments->keyword_places =
        arena_grown(e->arena, arguments->keyword_places, count, &place_capacity, sizeof at);
    arguments->keyword_places[count] = at;
    arguments->names =
        arena_grown(e->arena, arguments->names, count, &name_capacity, sizeof *arguments->names);
    arguments->keywords =
        arena_grown(e->arena, arguments->keywords, count, &arguments->keyword_capacity, sizeof v);
    arguments->names[arguments->keyword_count] = name;
    arguments->keywords[arguments->keyword_count++] = v;
}

static bool eval_keyword(struct emitter *e, const struct keyword *keyword, struct arguments *arguments) {
    struct value v = eval(e, keyword->value);
    if (value_failed(v)) {
        return false;
    }
    if (keyword->name) {
        add_keyword(e, arguments, keyword->name, v, keyword->location, keyword->value->location);
        return true;
    }
    if (v.kind != VALUE_DICT) {
        emit_error(e, keyword->location, "** needs a dict, not %s", value_type_name(e->arena, v));
        return false;
    }
    if (!emit_check_weight(e, arguments->keyword_count + v.list.count, keyword->location)) {
        return false;
    }
    for (size_t i = 0; i < v.list.count; i += 2) {
        const char *name;
        if (!value_to_string(e, v.list.items[i], "the key of a keyword argument", keyword->location, &name)) {
            return false;
        }
        add_keyword(e, arguments, name, v.list.items[i + 1], keyword->location, (struct location){0});
    }
    return true;
}

static bool eval_arguments(struct emitter *e, const struct expr *expr, struct arguments *arguments) {
    bool ok = true;
    for (size_t i = 0; i < expr->call.args.count; i++) {
        const struct expr *arg = expr->call.args.items[i];
        if (arg->kind == EXPR_STARRED) {
            struct value_list spread;
            struct value sequence = eval(e, arg->operand);
            if (!eval_elements(e, sequence, arg->location, &spread) ||
                (e->frame->is_jit && value_is_constant(sequence) &&
                 !language_takes(e, LANGUAGE_SPREAD_CONSTANTS, arg->location))) {
                return false;
            }
            if (!emit_check_weight(e, arguments->count + spread.count, arg->location)) {
                return false;
            }
            for (size_t j = 0; j < spread.count; j++) {
                add_argument(e, arguments, spread.items[j], arg->location);
            }
            continue;
        }
        struct value v = eval(e, arg);
        ok = ok && !value_failed(v);
        add_argument(e, arguments, v, arg->location);
    }
    for (size_t i = 0; i < expr->call.keyword_count; i++) {
        ok = eval_keyword(e, &expr->call.keywords[i], arguments) && ok;
    }
    return ok;
}

// Triton's @must_use_result: set in the row of a builtin, or by a decorator of the program's function.
static bool must_use(struct emitter *e, struct value callee) {
    while (callee.kind == VALUE_METHOD) {
        callee = *callee.method.function;
    }
    if (callee.kind == VALUE_BUILTIN) {
        return callee.builtin->must_use;
    }
    return callee.kind == VALUE_FUNCTION && callee.function->def &&
           decorators_have(e, callee.function->file, callee.function->def, TYPE_MUST_USE_RESULT);
}

static struct value call_expression(struct emitter *e, const struct expr *expr, bool is_dropped) {
    struct value callee = eval(e, expr->call.function);
    if (value_failed(callee)) {
        return callee;
    }
    if (is_dropped && must_use(e, callee)) {
        return emit_error(e, expr->location,
                          "the result of this call is dropped, and the call does nothing else: assign it to "
                          "a name");
    }
    if (callee.kind == VALUE_HOST) {
        return emit_error(e, expr->call.function->location, "%s cannot be used in a kernel", callee.host);
    }
    struct arguments arguments = {0};
    if (!eval_arguments(e, expr, &arguments)) {
        return value_error();
    }
    emit_at(e, expr->location);
    e->places = (struct call_places){expr->location,           arguments.places, arguments.keyword_places,
                                     arguments.keyword_values, arguments.count,  arguments.keyword_count};
    struct value result = emit_call(e, callee, arguments.items, arguments.count, arguments.names,
                                    arguments.keywords, arguments.keyword_count, expr->location);
    emit_at(e, expr->location);
    return result;
}

struct value eval_call(struct emitter *e, const struct expr *expr) {
    return call_expression(e, expr, false);
}
struct value eval_dropped_call(struct emitter *e, const struct expr *expr) {
    return call_expression(e, expr, true);
}

// ---- types as functions ----

static struct value to_float(struct emitter *e, struct value v, struct location location) {
    if (v.kind == VALUE_STRING) {
        const char *text = v.string.bytes;
        double sign = *text == '-' ? -1 : 1;
        text += *text == '-' || *text == '+';
        if (strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0) {
            return value_float(sign * INFINITY);
        }
        if (strcasecmp(text, "nan") == 0) {
            return value_float(NAN);
        }
        char *end;
        double number = strtod(v.string.bytes, &end);
        bool decimal = !v.string.bytes[strspn(v.string.bytes, "0123456789.eE+- ")];
        return decimal && end != v.string.bytes && !*end && strlen(v.string.bytes) == v.string.length
                   ? value_float(number)
                   : emit_error(e, location, "'%s' is not a float", v.string.bytes);
    }
    return value_is_number(v)
               ? value_float(value_number(v))
               : emit_error(e, location, "float() needs a constant, not %s; use .to(tl.float32)",
                            value_type_name(e->arena, v));
}

static struct value to_int(struct emitter *e, struct value v, struct location location) {
    if (v.kind == VALUE_FLOAT) {
        if (!(fabs(v.number) < 0x1p126)) {
            return emit_error(e, location, "%s has no integer value", value_text(e->arena, v));
        }
        return value_int((wide_int)v.number);
    }
    if (v.kind == VALUE_STRING) {
        char *end;
        errno = 0;
        long long number = strtoll(v.string.bytes, &end, 10);
        bool whole = end != v.string.bytes && end == v.string.bytes + v.string.length;
        return whole && !errno ? value_int(number)
                               : emit_error(e, location, "'%s' is not an integer of 64 bits", v.string.bytes);
    }
    if (v.kind == VALUE_SYMBOL) {
        return v;
    }
    return value_is_integral(v) ? value_int(value_integer(v))
                                : emit_error(e, location, "int() needs a constant, not %s; use .to(tl.int32)",
                                             value_type_name(e->arena, v));
}

static struct value sequence_of(struct emitter *e, enum known_type type, const struct value *args,
                                size_t count, struct location location) {
    struct value_list elements = {0};
    if (count && !eval_elements(e, args[0], location, &elements)) {
        return value_error();
    }
    return type == TYPE_LIST ? value_list_of(e->arena, elements.items, elements.count)
                             : value_tuple(e->arena, elements.items, elements.count);
}

static struct value to_bool(struct emitter *e, struct value v, struct location location) {
    bool ok, truth = value_truth(v, &ok);
    return ok ? value_bool(truth)
              : emit_error(e, location, "bool() needs a constant, not %s", value_type_name(e->arena, v));
}

// triton.jit(f) and triton.constexpr_function(f) beside a function, not above it. Builtins stay as they are.
static struct value wrap_function(struct emitter *e, enum known_type type, struct value callee,
                                  struct location location) {
    if (callee.kind == VALUE_FUNCTION) {
        struct function *wrapped = ARENA_NEW(e->arena, struct function);
        *wrapped = *callee.function;
        wrapped->is_jit |= type == TYPE_JIT;
        wrapped->is_wrapped = true;
        return value_function(wrapped);
    }
    return callee.kind == VALUE_BUILTIN
               ? callee
               : emit_error(e, location, "%s is of a function, not %s", known_type_text(type),
                            value_type_name(e->arena, callee));
}

// tl.dtype("uint16"), tl.dtype("fp32"): Triton's names of types, not those of signatures or of tl.
static bool dtype_named(struct value name, struct dtype *dtype) {
    static const char *const others[] = {"float", "bfloat", "*"};
    if (name.kind != VALUE_STRING || !dtype_parse(name.string.bytes, dtype)) {
        return false;
    }
    const char *text = name.string.bytes;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strncmp(text, others[i], strlen(others[i])) == 0) {
            return false;
        }
    }
    return !((text[0] == 'i' || text[0] == 'u') && text[1] >= '0' && text[1] <= '9');
}

static struct value call_type(struct emitter *e, enum known_type type, const struct value *args, size_t count,
                              struct location location) {
    struct value constant, arg = count ? args[0] : value_none();
    struct dtype dtype;
    if (tensor_constant(e, arg, &constant) && arg.tensor.rank == 0) {
        arg = constant;
    }
    if (count <= 1 && (type == TYPE_TUPLE || type == TYPE_LIST || type == TYPE_TL_TUPLE)) {
        return sequence_of(e, type, args, count, location);
    }
    if (type == TYPE_TUPLE_TYPE && (count == 1 || (count == 2 && value_is_none(args[1])))) {
        return sequence_of(e, TYPE_TUPLE, args, 1, location);
    }
    if (type == TYPE_POINTER_TYPE && count >= 1) {
        return value_to_dtype(e, arg, "the argument of tl.pointer_type", location, &dtype)
                   ? value_dtype(dtype_pointer_to(dtype))
                   : value_error();
    }
    switch (count == 1 ? type : KNOWN_TYPE_COUNT) {
    case TYPE_CONSTEXPR:
        return args[0];
    case TYPE_JIT:
    case TYPE_CONSTEXPR_FUNCTION:
    case TYPE_TL_CONSTEXPR_FUNCTION:
        return wrap_function(e, type, arg, location);
    case TYPE_CONSTEXPR_TYPE:
        return value_is_constant(arg) ? value_constexpr_type(e->arena, arg)
                                      : emit_error(e, location, "tl.constexpr_type is of a constant, not %s",
                                                   value_type_name(e->arena, arg));
    case TYPE_FLOAT:
        return to_float(e, arg, location);
    case TYPE_INT:
        return to_int(e, arg, location);
    case TYPE_BOOL:
        return to_bool(e, arg, location);
    case TYPE_STR:
        return has_text(e, arg, location) ? value_string(e->arena, value_text(e->arena, arg)) : value_error();
    case TYPE_DTYPE:
        if (dtype_named(arg, &dtype)) {
            return value_dtype(dtype);
        }
        return value_to_dtype(e, arg, "the argument of tl.dtype", location, &dtype) ? value_dtype(dtype)
                                                                                    : value_error();
    default:
        return emit_error(e, location, "%s cannot be called in a kernel with %zu argument%s",
                          known_type_text(type), count, count == 1 ? "" : "s");
    }
}

// ---- entry points ----

static struct value call_method(struct emitter *e, struct value callee, const struct value *args,
                                size_t count, const char *const *names, const struct value *keywords,
                                size_t keyword_count, struct location location) {
    struct value *all = ARENA_ARRAY(e->arena, struct value, count + 1);
    all[0] = *callee.method.self;
    for (size_t i = 0; i < count; i++) {
        all[i + 1] = args[i];
    }
    return emit_call(e, *callee.method.function, all, count + 1, names, keywords, keyword_count, location);
}

struct value emit_call(struct emitter *e, struct value callee, const struct value *args, size_t count,
                       const char *const *names, const struct value *keywords, size_t keyword_count,
                       struct location location) {
    for (size_t i = 0; i < count; i++) {
        if (value_failed(args[i])) {
            return value_error();
        }
        if (args[i].kind == VALUE_HOST) {
            return emit_error(e, location, "%s cannot be used in a kernel", args[i].host);
        }
    }
    switch (callee.kind) {
    case VALUE_ERROR:
        return callee;
    case VALUE_BUILTIN:
        return call_builtin(e, callee.builtin, args, count, names, keywords, keyword_count, location);
    case VALUE_FUNCTION:
        return call_function(e, callee.function, args, count, names, keywords, keyword_count, location);
    case VALUE_METHOD:
        return call_method(e, callee, args, count, names, keywords, keyword_count, location);
    case VALUE_DTYPE:
        if (count == 1 && keyword_count == 0) {
            return emit_cast(e, emit_to_tensor(e, args[0], location), callee.dtype, location);
        }
        break;
    case VALUE_TYPE:
        if (callee.type == TYPE_DICT) {
            return call_builtin(e, builtin_find(e->program, "python.dict"), args, count, names, keywords,
                                keyword_count, location);
        }
        if (keyword_count == 0 || callee.type == TYPE_POINTER_TYPE) {
            return call_type(e, callee.type, args, count, location);
        }
        break;
    case VALUE_HOST:
        return emit_error(e, location, "%s cannot be used in a kernel", callee.host);
    case VALUE_OBJECT: {
        struct value method;
        if (aggregate_method(e, callee, "__call__", &method)) {
            return emit_call(e, method, args, count, names, keywords, keyword_count, location);
        }
        break;
    }
    default:
        break;
    }
    return emit_error(e, location, "%s cannot be called%s", value_type_name(e->arena, callee),
                      callee.kind == VALUE_STRING ? ": a function is needed here" : "");
}

struct value emit_call_function(struct emitter *e, struct value callee, const struct value *args,
                                size_t count, struct location location) {
    return emit_call(e, callee, args, count, NULL, NULL, 0, location);
}

struct value emit_call_library(struct emitter *e, const char *file, const char *name,
                               const struct value *args, size_t count, struct location location) {
    struct value function;
    if (!library_function(e, file, name, &function)) {
        bug("the library file %s.tk has no function %s", file, name);
    }
    return emit_call(e, function, args, count, NULL, NULL, 0, location);
}

struct value emit_call_builtin(struct emitter *e, const char *name, const struct value *args, size_t count,
                               struct location location) {
    const struct builtin *builtin = builtin_find(e->program, name);
    if (!builtin) {
        bug("there is no builtin %s", name);
    }
    return emit_call(e, value_builtin(builtin), args, count, NULL, NULL, 0, location);
}
