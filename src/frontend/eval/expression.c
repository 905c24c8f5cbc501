// Expressions: a walk over the tree. It folds constants and emits IR for everything else.
#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"
#include "frontend/semantics/constant.h"

#include <stdio.h>
#include <string.h>

// ---- the emitter and its locations ----

static void note_calls(const struct emitter *e) {
    enum { MAX_NOTES = 6 };
    int notes = 0;
    for (struct call_frame *frame = e->frame; frame && frame->caller && frame->function && notes < MAX_NOTES;
         frame = frame->caller) {
        if (frame->call_location.source) {
            diag_note(e->diag, frame->call_location, "in %s, called from here", frame->function->name);
            notes++;
        }
    }
}

// The name at the place, of a tile: the assignment that made it.
static void note_tile(struct emitter *e, const char *name, struct location at) {
    const struct function *function = e->frame ? e->frame->function : NULL;
    struct binding *binding = scope_find(e->frame->scope, name);
    struct value v = binding ? binding->value : value_none();
    if (!function || !function->def || v.kind != VALUE_TENSOR || !v.tensor.rank) {
        return;
    }
    const struct assignment made = last_assignment_before(&function->def->body, name, at.line);
    if (made.target) {
        emit_note(e, made.target->location, "%s, %s, is made here", name,
                  shape_text(e, v.tensor.rank, v.tensor.shape));
    }
}

static void note_tiles(struct emitter *e, struct location expression) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *text = emit_text_of(e, expression, ""), *seen[8];
    size_t count = 0;
    for (const char *c = text; *c && count < sizeof seen / sizeof *seen;) {
        size_t length = strspn(c, letters);
        bool is_name = length && !(c > text && c[-1] == '.') && !(*c >= '0' && *c <= '9');
        const char *name = is_name ? arena_strndup(e->arena, c, length) : NULL;
        for (size_t i = 0; name && i < count; i++) {
            name = strcmp(seen[i], name) == 0 ? NULL : name;
        }
        if (name) {
            seen[count++] = name;
            note_tile(e, name, expression);
        }
        c += length ? length : 1;
    }
}

struct emitter program_emitter(struct program *program) {
    return (struct emitter){.arena = program->arena,
                            .diag = program->diag,
                            .program = program,
                            .note_calls = note_calls,
                            .note_tiles = note_tiles,
                            .language = program->language};
}

void enter_frame(struct emitter *e, struct call_frame *frame) {
    frame->language = e->language;
    frame->in_library = e->in_library;
    e->frame = frame;
    e->in_library = frame->file->library != NULL;
    e->language = e->in_library ? e->language : frame->file->language;
}

void leave_frame(struct emitter *e) {
    e->language = e->frame->language;
    e->in_library = e->frame->in_library;
    e->frame = e->frame->caller;
}

void emit_at(struct emitter *e, struct location location) {
    if (!e->ir || !location.source) {
        return;
    }
    MlirLocation place = ir_location(e->ir, location);
    if (e->frame && !mlirLocationIsNull(e->frame->call_site)) {
        const struct function *function = e->frame->function;
        place = ir_call_location(e->ir, place, e->frame->call_site, function ? function->name : NULL,
                                 function ? function->location.line : 0);
    }
    e->builder.location = place;
}

// Frames are larger with the address sanitizer.
#ifdef __SANITIZE_ADDRESS__
enum { LARGER = 3 };
#else
enum { LARGER = 1 };
#endif

// The evaluator is mutually recursive throughout, so a thread's stack bounds the nesting depth.
bool enter(struct emitter *e, unsigned levels, struct location location) {
    enum { MAX_DEPTH = 3000 };
    levels *= LARGER;
    if (e->depth + levels > MAX_DEPTH) {
        emit_error(e, location, "expressions, statements and calls nest deeper than %d here; split them",
                   MAX_DEPTH);
        return false;
    }
    e->depth += levels;
    return true;
}

void leave(struct emitter *e, unsigned levels) {
    e->depth -= levels * LARGER;
}

// ---- names ----

// As in Triton, code of a jit function sees constants of the module only if they are constexpr.
static bool check_global(struct emitter *e, const char *name, struct value v, struct location location) {
    const struct file_scope *file = e->frame->file;
    bool plain = value_is_number(v) || value_is_sequence(v) || v.kind == VALUE_STRING || v.kind == VALUE_DICT;
    if (!plain || !e->ir || !e->frame->is_jit || file->library ||
        file_name_is_constexpr(e, e->frame->file, name)) {
        return true;
    }
    emit_error(e, location,
               "%s is a variable of the module, and a kernel may use its constants only: write %s = "
               "tl.constexpr(%s) there",
               name, name, value_text(e->arena, v));
    return false;
}

// A grid's function finds arguments and constants in its parameter, a dict.
static const char *dict_with(const struct emitter *e, const char *name, struct nearest *nearest) {
    for (const struct scope *scope = e->frame->scope; scope; scope = scope->parent) {
        for (size_t i = 0; i < scope->count; i++) {
            struct value v = scope->items[i].value;
            size_t before = v.kind == VALUE_DICT ? v.list.count : 0;
            *nearest = (struct nearest){.text = name};
            for (size_t k = 0; k < before; k += 2) {
                if (v.list.items[k].kind == VALUE_STRING) {
                    nearest_offer(nearest, v.list.items[k].string.bytes);
                }
            }
            if (nearest->name) {
                return scope->items[i].name;
            }
        }
    }
    return NULL;
}

static struct value undefined(struct emitter *e, const char *name, struct location location) {
    struct nearest nearest = {.text = name};
    if (e->quiet) {
        return value_error();
    }
    const char *dict = e->frame->is_jit ? NULL : dict_with(e, name, &nearest);
    if (dict) {
        return emit_error(e, location, "%s is not defined here: write %s[\"%s\"]", name, dict, nearest.name);
    }
    const char *import = suggest_synonym("import", name);
    if (import) {
        return emit_error(e, location, "%s is not defined: write %s at the top of the file", name, import);
    }
    nearest = (struct nearest){.text = name};
    suggest_names(e, &nearest);
    return emit_unknown(e, location, &nearest, "%s is not defined", name);
}

struct value eval_name(struct emitter *e, const char *name, struct location location) {
    for (struct scope *scope = e->frame->scope; scope; scope = scope->parent) {
        struct binding *binding = scope_find(scope, name);
        if (!emit_step(e, scope->count / NAMES_A_STEP, location)) {
            return value_error();
        }
        if (binding) {
            if (binding->value.kind == VALUE_HOST) {
                return emit_error(e, location, "%s cannot be used here: %s", name, binding->value.host);
            }
            for (struct first_read *read = binding->first_read; read && !read->seen; read = read->outer) {
                read->seen = true;
            }
            return binding->value;
        }
    }
    struct value found;
    if (file_lookup(e, e->frame->file, name, &found)) {
        if (!check_global(e, name, found, location)) {
            return value_error();
        }
        if (value_failed(found) && !e->quiet) {
            diag_note(e->diag, location, "%s is needed here", name);
        }
        return found;
    }
    enum known_type type;
    if (known_type_find(name, &type)) {
        return value_type(type);
    }
    char row[64];
    snprintf(row, sizeof row, "python.%s", name);
    const struct builtin *builtin = builtin_find(e->program, row);
    if (builtin) {
        return value_builtin(builtin);
    }
    return undefined(e, name, location);
}

// ---- conditions ----

bool eval_condition(struct emitter *e, struct value test, struct location location, bool *known, bool *truth,
                    MlirValue *run_time) {
    if (value_failed(test)) {
        return false;
    }
    if (test.kind == VALUE_HOST) {
        emit_error(e, location, "%s cannot be used in a kernel", test.host);
        return false;
    }
    if (test.kind != VALUE_TENSOR) {
        *truth = value_truth(test, known);
        if (!*known) {
            emit_error(e, location, "%s has no truth value", value_type_name(e->arena, test));
        }
        return *known;
    }
    if (test.tensor.rank != 0) {
        bool one = true;
        for (int i = 0; i < test.tensor.rank; i++) {
            one = one && test.tensor.shape[i] == 1;
        }
        if (!one) {
            emit_error(e, location,
                       "the condition is %s; a scalar is needed: write tl.max of it for any element, tl.min "
                       "for all, or choose element by "
                       "element by tl.where or a mask",
                       value_type_name(e->arena, test));
            return false;
        }
        test = emit_call_builtin(e, "tensor.item", &test, 1, location);
    }
    test = emit_to_bool(e, test, location);
    if (value_failed(test)) {
        return false;
    }
    struct value constant;
    *known = tensor_constant(e, test, &constant);
    *truth = *known && constant.boolean;
    *run_time = test.tensor.value;
    return true;
}

static void warn_of_tiles(struct emitter *e, const struct expr *expr, bool is_and, struct value v) {
    if (v.kind == VALUE_TENSOR && v.tensor.rank && !e->frame->file->library) {
        emit_warning(
            e, expr->location,
            "%s of tiles is deprecated, as in Triton; it means %c, element by element: write (a) %c (b)",
            is_and ? "and" : "or", is_and ? '&' : '|', is_and ? '&' : '|');
    }
}

// `and`, `or`: a constant operand decides the result at once or drops out; the other operands combine as
// int1.
static struct value eval_bool(struct emitter *e, const struct expr *expr) {
    bool is_and = expr->boolean.op == BOOL_AND;
    struct value combined = value_none(), last = value_none();
    struct location first = expr->location;
    bool any = false;
    for (size_t i = 0; i < expr->boolean.values.count; i++) {
        const struct expr *operand = expr->boolean.values.items[i];
        last = eval(e, operand);
        if (value_failed(last)) {
            return last;
        }
        if (last.kind == VALUE_SYMBOL || (any && combined.kind == VALUE_SYMBOL)) {
            combined = any ? symbol_and_or(e, is_and, combined, last, operand->location) : last;
            any = true;
            if (value_failed(combined)) {
                return combined;
            }
            continue;
        }
        if (last.kind != VALUE_TENSOR) {
            bool ok, truth = value_truth(last, &ok);
            if (!ok) {
                return emit_error(e, operand->location, "%s has no truth value",
                                  value_type_name(e->arena, last));
            }
            if (truth != is_and) {
                return last;
            }
            continue;
        }
        emit_at(e, expr->location);
        if (any) { // a single operand keeps its type, as in Triton
            combined = emit_to_bool(e, combined, first);
            struct value truth = emit_to_bool(e, last, operand->location);
            combined = emit_binary(e, is_and ? BINARY_AND : BINARY_OR, combined, truth, expr->location);
        } else {
            combined = last;
            first = operand->location;
        }
        any = true;
        if (value_failed(combined)) {
            return combined;
        }
    }
    warn_of_tiles(e, expr, is_and, combined);
    return any ? combined : last;
}

// Turns lists into tuples at all depths: x.shape == [64, 32] holds in a kernel because a list is a tuple
// there.
static struct value lists_to_tuples(struct emitter *e, struct value v) {
    if (!value_is_sequence(v) || value_is_set(v)) {
        return v;
    }
    struct value *items = ARENA_ARRAY(e->arena, struct value, v.list.count + 1);
    for (size_t i = 0; i < v.list.count; i++) {
        items[i] = lists_to_tuples(e, v.list.items[i]);
    }
    return value_tuple(e->arena, items, v.list.count);
}

static struct value eval_compared(struct emitter *e, const struct expr *expr) {
    struct value v = eval(e, expr);
    return eval_in_kernel(e) ? lists_to_tuples(e, v) : v;
}

// "o < n & o > 2" compares o with n & o: the chain is legal, and seldom meant.
static void warn_of_bits(struct emitter *e, const struct expr *expr) {
    for (size_t i = 0; i + 1 < expr->compare.count; i++) {
        const struct expr *middle = expr->compare.operands[i];
        bool bits = middle->kind == EXPR_BINARY && !middle->parenthesized &&
                    (middle->binary.op == BINARY_AND || middle->binary.op == BINARY_OR);
        if (bits && e->frame->is_jit && !e->frame->file->library) {
            emit_warning(
                e, middle->location,
                "%s binds its neighbours before they are compared: write (a) %s (b) for comparisons a and b",
                binary_op_text(middle->binary.op), binary_op_text(middle->binary.op));
        }
    }
}

// `a < b < c` is `a < b and b < c` with b evaluated once. As in eval_bool, constants decide at once or drop
// out.
static struct value eval_compare(struct emitter *e, const struct expr *expr) {
    struct value left = eval_compared(e, expr->compare.first), all = value_bool(true);
    if (expr->compare.count > 1 && eval_in_kernel(e) &&
        !language_takes(e, LANGUAGE_CHAINED_COMPARISONS, expr->location)) {
        return value_error();
    }
    warn_of_bits(e, expr);
    for (size_t i = 0; i < expr->compare.count; i++) {
        struct value right = eval_compared(e, expr->compare.operands[i]);
        if (value_failed(left) || value_failed(right)) {
            return value_error();
        }
        emit_at(e, expr->location);
        const struct expr *before = i ? expr->compare.operands[i - 1] : expr->compare.first;
        e->operands =
            (struct operand_places){expr->location, before->location, expr->compare.operands[i]->location};
        struct value one = eval_compare_of(e, expr->compare.ops[i], left, right, expr->location);
        if (value_failed(one) || (one.kind == VALUE_BOOL && !one.boolean)) {
            return one;
        }
        if (all.kind == VALUE_BOOL) {
            all = one;
        } else if (one.kind == VALUE_SYMBOL || all.kind == VALUE_SYMBOL) {
            all = symbol_and_or(e, true, all, one, expr->location);
        } else if (one.kind != VALUE_BOOL) {
            all = emit_binary(e, BINARY_AND, all, one, expr->location);
        }
        left = right;
    }
    return all;
}

static struct value eval_ternary(struct emitter *e, const struct expr *expr) {
    struct value test = eval(e, expr->ternary.test);
    if (test.kind == VALUE_SYMBOL) {
        struct value then_value = eval(e, expr->ternary.then_value),
                     else_value = eval(e, expr->ternary.else_value);
        return value_failed(then_value) || value_failed(else_value)
                   ? value_error()
                   : symbol_select(e, test, then_value, else_value, expr->location);
    }
    if (is_lanewise(e, test)) {
        return eval_ternary_lanewise(e, expr, test);
    }
    if (is_undecided(e, test)) {
        return eval(e, expr->ternary.then_value);
    }
    bool known, truth;
    MlirValue condition;
    if (!eval_condition(e, test, expr->ternary.test->location, &known, &truth, &condition)) {
        return value_error();
    }
    if (known) {
        return eval(e, truth ? expr->ternary.then_value : expr->ternary.else_value);
    }
    return eval_ternary_run_time(e, expr, condition);
}

// ---- displays ----

static struct value eval_display(struct emitter *e, const struct expr *expr) {
    size_t count = 0, capacity = expr->elements.count;
    struct value *items = ARENA_ARRAY(e->arena, struct value, capacity + 1);
    for (size_t i = 0; i < expr->elements.count; i++) {
        const struct expr *element = expr->elements.items[i];
        if (element->kind != EXPR_STARRED) {
            items[count++] = eval(e, element);
            if (value_failed(items[count - 1])) {
                return value_error();
            }
            continue;
        }
        struct value_list spread;
        if (!eval_elements(e, eval(e, element->operand), element->location, &spread)) {
            return value_error();
        }
        capacity += spread.count;
        if (!emit_check_weight(e, capacity, element->location)) {
            return value_error();
        }
        struct value *grown = ARENA_ARRAY(e->arena, struct value, capacity + 1);
        memcpy(grown, items, count * sizeof *items);
        items = grown;
        for (size_t j = 0; j < spread.count; j++) {
            items[count++] = spread.items[j];
        }
    }
    return expr->kind == EXPR_LIST  ? value_list_of(e->arena, items, count)
           : expr->kind == EXPR_SET ? constant_set(e, items, count, expr->location)
                                    : value_tuple(e->arena, items, count);
}

static struct value eval_dict(struct emitter *e, const struct expr *expr) {
    struct value dict = value_list_of(e->arena, NULL, 0);
    for (size_t i = 0; i < expr->dict.count; i++) {
        const struct dict_item *item = &expr->dict.items[i];
        struct value pair[2] = {item->key ? eval(e, item->key) : value_none(), eval(e, item->value)};
        if (value_failed(pair[0]) || value_failed(pair[1])) {
            return value_error();
        }
        if (!item->key && pair[1].kind != VALUE_DICT) {
            return emit_error(e, item->value->location, "** needs a dict, not %s",
                              value_type_name(e->arena, pair[1]));
        }
        struct value more = item->key ? value_list_of(e->arena, pair, 2) : pair[1];
        more.kind = VALUE_LIST;
        dict = emit_binary(e, BINARY_ADD, dict, more, expr->location);
        if (value_failed(dict)) {
            return dict;
        }
    }
    return constant_dict(e, dict.list.items, dict.list.count / 2, expr->location);
}

static struct value eval_slice(struct emitter *e, const struct expr *expr) {
    struct value *parts = ARENA_ARRAY(e->arena, struct value, 3);
    const struct expr *sources[] = {expr->slice.lower, expr->slice.upper, expr->slice.step};
    for (int i = 0; i < 3; i++) {
        parts[i] = sources[i] ? eval(e, sources[i]) : value_none();
        if (value_failed(parts[i])) {
            return value_error();
        }
    }
    return (struct value){.kind = VALUE_SLICE, .slice = parts};
}

static struct value eval_lambda(struct emitter *e, const struct expr *expr) {
    struct function *function = ARENA_NEW(e->arena, struct function);
    *function = (struct function){.name = "<lambda>",
                                  .lambda = expr,
                                  .location = expr->location,
                                  .file = e->frame->file,
                                  .captured = e->frame->scope,
                                  .defaults = defaults_of(e, &expr->lambda.params),
                                  .is_jit = false};
    return value_function(function);
}

static struct value eval_integer(struct emitter *e, const struct expr *expr) {
    __extension__ unsigned __int128 limit = ((unsigned __int128)1 << 127) - 1;
    if (expr->integer.overflow || expr->integer.value > limit) {
        return emit_error(e, expr->location,
                          "integer %.40s%s does not fit 128 bits; a tensor holds at most 64: write a number "
                          "below 2**64, or a float",
                          expr->integer.text, strlen(expr->integer.text) > 40 ? "…" : "");
    }
    return value_int((wide_int)expr->integer.value);
}

static struct value eval_kind(struct emitter *e, const struct expr *expr) {
    struct value a, b;
    switch (expr->kind) {
    case EXPR_NAME:
        return eval_name(e, expr->name.id, expr->location);
    case EXPR_INT:
        return eval_integer(e, expr);
    case EXPR_FLOAT:
        return value_float(expr->number.value);
    case EXPR_STRING:
        return value_string_n(e->arena, expr->string.bytes, expr->string.length);
    case EXPR_FSTRING:
        return eval_fstring(e, expr);
    case EXPR_TRUE:
    case EXPR_FALSE:
        return value_bool(expr->kind == EXPR_TRUE);
    case EXPR_NONE:
        return value_none();
    case EXPR_ELLIPSIS:
        return (struct value){.kind = VALUE_ELLIPSIS};
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
        return eval_display(e, expr);
    case EXPR_DICT:
        return eval_dict(e, expr);
    case EXPR_UNARY:
        a = eval(e, expr->unary.operand);
        emit_at(e, expr->location);
        return eval_unary_of(e, expr->unary.op, a, expr->location);
    case EXPR_BINARY:
        a = eval(e, expr->binary.left);
        b = eval(e, expr->binary.right);
        emit_at(e, expr->location);
        e->operands = (struct operand_places){expr->location, expr->binary.left->location,
                                              expr->binary.right->location};
        return eval_binary_of(e, expr->binary.op, a, b, expr->location);
    case EXPR_COMPARE:
        return eval_compare(e, expr);
    case EXPR_BOOL:
        return eval_bool(e, expr);
    case EXPR_CALL:
        return eval_call(e, expr);
    case EXPR_ATTRIBUTE:
        a = eval(e, expr->attribute.object);
        emit_at(e, expr->location);
        return value_failed(a)
                   ? a
                   : eval_attribute_of(e, a, expr->attribute.name,
                                       a.kind == VALUE_HOST ? expr->location : expr->attribute.name_location);
    case EXPR_SUBSCRIPT:
        a = eval(e, expr->subscript.object);
        b = eval(e, expr->subscript.index);
        emit_at(e, expr->location);
        e->operands = (struct operand_places){expr->location, expr->subscript.object->location,
                                              expr->subscript.index->location};
        return value_failed(a) || value_failed(b)
                   ? value_error()
                   : eval_subscript_of(
                         e, a, b, a.kind == VALUE_DICT ? expr->subscript.index->location : expr->location);
    case EXPR_SLICE:
        return eval_slice(e, expr);
    case EXPR_LAMBDA:
        return eval_lambda(e, expr);
    case EXPR_TERNARY:
        return eval_ternary(e, expr);
    case EXPR_WALRUS:
        if (e->frame->is_jit && !language_takes(e, LANGUAGE_NAMED_EXPRESSIONS, expr->location)) {
            return value_error();
        }
        a = eval(e, expr->walrus.value);
        if (!value_failed(a)) {
            a = e->frame->is_jit ? decay_for_name(e, expr->walrus.name, a, expr->location) : a;
            struct scope *scope = e->frame->scope;
            while (scope->is_comprehension) { // its names, but for loop variables, are the function's
                scope = scope->parent;
            }
            scope_set(e, scope, expr->walrus.name, a);
        }
        return a;
    case EXPR_COMPREHENSION:
        return eval_comprehension(e, expr);
    case EXPR_IMAGINARY:
    case EXPR_AWAIT:
    case EXPR_YIELD:
    case EXPR_YIELD_FROM:
    case EXPR_STARRED:
    case EXPR_AS_PATTERN:
        break;
    }
    return emit_error(e, expr->location, "this expression cannot be used in a kernel");
}

struct value eval(struct emitter *e, const struct expr *expr) {
    if (!emit_step(e, 1, expr->location) || !enter(e, 1, expr->location)) {
        return value_error();
    }
    struct value v = eval_kind(e, expr);
    leave(e, 1);
    return emit_check_value(e, v, expr->location);
}
