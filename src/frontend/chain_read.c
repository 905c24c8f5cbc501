// Chains: kernels launched one after another, declared by a line that is an ordinary assignment to Triton:
//
//     class layer: pass
//     layer.chain = "rms_norm(x, w, h); softmax(h, y, scale=s)"
//
// A call passes arrays to the pointers of a kernel, in the order of its parameters, and numbers by keyword. A name
// ties arguments together: `h`, which one kernel makes and a later one reads, is a temporary; what nobody reads is
// an output; the others are inputs. `-> y, h` behind the calls names the outputs instead, and what is made and not
// named is a temporary. Sizes and strides follow from the kernels' lines `NAME.tensors` (chain_bind.c).
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "frontend/kernel.h"
#include "frontend/syntax/parser.h"
#include "support/nearest.h"

struct value chain_error(const struct chain_reader *r, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return emit_error(r->e, r->chain->location, "%s.chain: %s", r->chain->name, text);
}

const char *chain_kernel_name(const struct chain_reader *r, const struct chain_call *call) {
    return r->frontend->kernels[call->kernel].function;
}

// ---- text to calls

static bool find_kernel(const struct frontend *frontend, const char *name, size_t *index) {
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (strcmp(frontend->kernels[i].function, name) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static struct chain_call make_call(struct arena *arena, const struct frontend *frontend, size_t index) {
    const struct kernel_instance *kernel = &frontend->kernels[index];
    struct chain_call call = {.kernel = index,
                              .params =
                                  ARENA_ARRAY(arena, const struct kernel_param *, kernel->param_count + 1),
                              .given = ARENA_ARRAY(arena, struct chain_given, kernel->param_count + 1)};
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (!kernel->params[i].is_constant) {
            call.given[call.param_count] = (struct chain_given){NULL, value_error()};
            call.params[call.param_count++] = &kernel->params[i];
        }
    }
    return call;
}

// Sets one argument: an array's name, or the name or value of a number.
static bool give(const struct chain_reader *r, struct chain_call *call, size_t param,
                 const struct expr *expr) {
    const char *kernel = chain_kernel_name(r, call), *name = call->params[param]->name;
    bool pointer = dtype_is_pointer(call->params[param]->dtype);
    struct chain_given *given = &call->given[param];
    if (given->name || given->number.kind != VALUE_ERROR) {
        chain_error(r, "%s of %s is given twice", name, kernel);
        return false;
    }
    if (expr->kind == EXPR_NAME) {
        given->name = expr->name.id;
        return true;
    }
    if (pointer) {
        chain_error(r, "%s of %s is an array, and needs a name", name, kernel);
        return false;
    }
    given->number = eval(r->e, expr);
    if (value_failed(given->number)) {
        return false;
    }
    bool whole = value_is_integral(given->number), integer = dtype_is_integer(call->params[param]->dtype);
    bool finite = value_is_number(given->number) && isfinite(value_number(given->number));
    if (!finite || (integer && !whole)) {
        chain_error(r, "%s of %s is %s; it is a name or %s", name, kernel,
                    value_text(r->e->arena, given->number), integer ? "an integer" : "a number");
        return false;
    }
    return true;
}

static bool give_keyword(const struct chain_reader *r, struct chain_call *call,
                         const struct keyword *keyword) {
    struct nearest nearest = {.text = keyword->name ? keyword->name : "**"};
    for (size_t i = 0; i < call->param_count; i++) {
        if (strcmp(call->params[i]->name, nearest.text) == 0) {
            return give(r, call, i, keyword->value);
        }
        nearest_offer(&nearest, call->params[i]->name);
    }
    chain_error(r, "%s has no run-time parameter %s%s%s%s", chain_kernel_name(r, call), nearest.text,
                nearest.name ? "; did you mean " : "", nearest.name ? nearest.name : "",
                nearest.name ? "?" : "");
    return false;
}

// Arguments by place go to the pointers, in order.
static bool read_arguments(const struct chain_reader *r, struct chain_call *call, const struct expr *expr) {
    size_t place = 0, arrays = 0;
    for (size_t i = 0; i < call->param_count; i++) {
        if (!dtype_is_pointer(call->params[i]->dtype)) {
            continue;
        }
        arrays++;
        if (place < expr->call.args.count && !give(r, call, i, expr->call.args.items[place++])) {
            return false;
        }
    }
    if (expr->call.args.count > arrays) {
        chain_error(r, "%s takes %zu arrays, and %zu are passed by place; numbers are passed by keyword",
                    chain_kernel_name(r, call), arrays, expr->call.args.count);
        return false;
    }
    for (size_t i = 0; i < expr->call.keyword_count; i++) {
        if (!give_keyword(r, call, &expr->call.keywords[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < call->param_count; i++) {
        if (dtype_is_pointer(call->params[i]->dtype) && !call->given[i].name) {
            chain_error(r, "%s takes %zu arrays, and none is passed for %s", chain_kernel_name(r, call),
                        arrays, call->params[i]->name);
            return false;
        }
    }
    return true;
}

static bool read_call(struct chain_reader *r, const struct expr *expr) {
    if (!expr || expr->kind != EXPR_CALL || expr->call.function->kind != EXPR_NAME) {
        chain_error(r, "a chain is calls of kernels with a ; between them, \"norm(x, h); softmax(h, y)\"");
        return false;
    }
    const char *name = expr->call.function->name.id;
    size_t index;
    if (!find_kernel(r->frontend, name, &index)) {
        chain_error(r, "%s is no kernel of this file with types or a grid", name);
        return false;
    }
    struct chain_call *call = &r->calls[r->call_count++];
    *call = make_call(r->e->arena, r->frontend, index);
    if (!r->frontend->kernels[index].grid[0]) {
        chain_error(r, "%s has no grid; add %s.grid = …", name, name);
        return false;
    }
    return read_arguments(r, call, expr);
}

static struct module *parse_text(struct emitter *e, const char *name, const char *text) {
    char *line = arena_printf(e->arena, "%s\n", text);
    for (char *c = line; *c && c[1]; c++) {
        *c = *c == '\n' ? ' ' : *c;
    }
    line += strspn(line, " \t");
    return parse_module(e->arena, e->diag,
                        source_from_text(e->arena, arena_printf(e->arena, "<%s.chain>", name), line));
}

static bool read_calls(struct chain_reader *r, const struct module *module) {
    r->calls = ARENA_ARRAY(r->e->arena, struct chain_call, module->body.count + 1);
    for (size_t i = 0; i < module->body.count; i++) {
        const struct stmt *stmt = module->body.items[i];
        if (!read_call(r, stmt->kind == STMT_EXPR ? stmt->expr : NULL)) {
            return false;
        }
    }
    if (!r->call_count) {
        chain_error(r, "it has no calls");
    }
    return r->call_count;
}

static bool read_outputs(struct chain_reader *r, const char *text) {
    const struct expr *expr =
        frontend_parse_expression(r->frontend, text, arena_printf(r->e->arena, "%s.chain", r->chain->name));
    if (!expr) {
        return false;
    }
    bool several = expr->kind == EXPR_TUPLE;
    size_t count = several ? expr->elements.count : 1;
    r->has_arrow = true;
    r->outputs = ARENA_ARRAY(r->e->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct expr *one = several ? expr->elements.items[i] : expr;
        if (one->kind != EXPR_NAME) {
            chain_error(r, "behind the arrow are names of arrays");
            return false;
        }
        r->outputs[r->output_count++] = one->name.id;
    }
    return true;
}

// ---- declarations of a file

// The last `NAME.chain = …` before the end of the file: NULL for other statements, and for those that a later one replaces.
static const char *chain_of(const struct module *module, size_t index) {
    const struct stmt *stmt = module->body.items[index];
    if (stmt->kind != STMT_ASSIGN || stmt->assign.targets.count != 1) {
        return NULL;
    }
    const struct expr *target = stmt->assign.targets.items[0];
    bool is_chain = target->kind == EXPR_ATTRIBUTE && strcmp(target->attribute.name, "chain") == 0 &&
                    target->attribute.object->kind == EXPR_NAME;
    return is_chain ? target->attribute.object->name.id : NULL;
}

static bool is_replaced(const struct module *module, size_t index, const char *name) {
    for (size_t i = index + 1; i < module->body.count; i++) {
        const char *other = chain_of(module, i);
        if (other && strcmp(other, name) == 0) {
            return true;
        }
    }
    return false;
}

// The text of a declaration; NULL after an error.
static const char *chain_text(struct chain_reader *r, const struct expr *expr) {
    struct value text = eval(r->e, expr);
    if (value_failed(text)) {
        return NULL;
    }
    if (text.kind != VALUE_STRING || strlen(text.string.bytes) != text.string.length) {
        chain_error(r, "a chain is a string such as \"norm(x, h); softmax(h, y)\"");
        return NULL;
    }
    return text.string.bytes;
}

static bool check_chain_name(struct chain_reader *r, const struct file_scope *file) {
    size_t index;
    if (find_kernel(r->frontend, r->chain->name, &index)) {
        chain_error(
            r,
            "%s is a kernel, and both would have %s_launch; take another name, as in \"class layer: pass\"",
            r->chain->name, r->chain->name);
        return false;
    }
    if (!file_site(file, r->chain->name)) {
        chain_error(r, "nothing binds %s, and Python would stop here; write \"class %s: pass\" before it",
                    r->chain->name, r->chain->name);
        return false;
    }
    return true;
}

// True if every call is of a selected kernel, or of no function of the file, which is an error to report.
static bool is_selected(const struct frontend *frontend, const struct file_scope *file,
                        const struct module *calls) {
    for (size_t i = 0; i < calls->body.count; i++) {
        const struct expr *expr = calls->body.items[i]->kind == STMT_EXPR ? calls->body.items[i]->expr : NULL;
        bool call = expr && expr->kind == EXPR_CALL && expr->call.function->kind == EXPR_NAME;
        size_t index;
        if (call && !find_kernel(frontend, expr->call.function->name.id, &index) &&
            file_site(file, expr->call.function->name.id)) {
            return false;
        }
    }
    return true;
}

// Reads one declaration; `selected` tells if the chain is among the selected kernels.
static bool read_chain(struct chain_reader *r, const struct file_scope *file, const struct expr *value,
                       bool *selected) {
    static const char arrow[] = "->";
    const char *text = chain_text(r, value);
    const char *behind = text ? strstr(text, arrow) : NULL;
    const char *calls = behind ? arena_strndup(r->e->arena, text, (size_t)(behind - text)) : text;
    const struct module *module = text ? parse_text(r->e, r->chain->name, calls) : NULL;
    if (!module) {
        return false;
    }
    *selected = is_selected(r->frontend, file, module);
    return !*selected || (check_chain_name(r, file) && read_calls(r, module) &&
                          (!behind || read_outputs(r, behind + sizeof arrow - 1)) && chain_bind(r));
}

bool frontend_read_chains(struct emitter *e, struct frontend *frontend, struct file_scope *file) {
    const struct module *module = file->ast;
    bool ok = true;
    frontend->chains = ARENA_ARRAY(e->arena, struct kernel_chain, module->body.count + 1);
    for (size_t i = 0; i < module->body.count; i++) {
        const char *name = chain_of(module, i);
        if (!name || is_replaced(module, i, name)) {
            continue;
        }
        const struct expr *value = module->body.items[i]->assign.value;
        struct kernel_chain *chain = &frontend->chains[frontend->chain_count];
        *chain = (struct kernel_chain){.name = name, .location = value->location};
        struct chain_reader reader = {.e = e, .frontend = frontend, .chain = chain};
        bool selected = false;
        ok = read_chain(&reader, file, value, &selected) && ok;
        frontend->chain_count += selected;
    }
    return ok;
}
