// Calls of builtins: the row by its name, and the binding of call arguments to its signature.
#include <stdlib.h>
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"
#include "frontend/semantics/padding.h"

const struct builtin *builtin_find(const struct program *program, const char *name) {
    for (const struct builtin *row = program->builtins; row->name; row++) {
        if (row->name[3] == name[3] && strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}

// ---- signatures ----

struct signature_reader {
    const char *at;
    struct arena *arena;
};

static void skip_spaces(struct signature_reader *r) {
    while (*r->at == ' ' || *r->at == ',') {
        r->at++;
    }
}

static const char *read_word(struct signature_reader *r) {
    size_t length = strcspn(r->at, " ,=()");
    const char *word = arena_strndup(r->arena, r->at, length);
    r->at += length;
    return word;
}

static struct value read_default(struct signature_reader *r) {
    skip_spaces(r);
    if (*r->at == '\'') {
        const char *start = ++r->at;
        r->at += strcspn(r->at, "'");
        return value_string_n(r->arena, start, (size_t)(r->at++ - start));
    }
    if (*r->at == '(') {
        struct value items[8];
        size_t count = 0;
        r->at++;
        for (skip_spaces(r); *r->at != ')'; skip_spaces(r)) {
            items[count++] = read_default(r);
        }
        r->at++;
        return value_tuple(r->arena, items, count);
    }
    const char *word = read_word(r);
    struct dtype dtype;
    if (strcmp(word, "None") == 0) {
        return value_none();
    }
    if (strcmp(word, "True") == 0 || strcmp(word, "False") == 0) {
        return value_bool(word[0] == 'T');
    }
    if (dtype_parse(word, &dtype)) {
        return value_dtype(dtype);
    }
    return strchr(word, '.') ? value_float(strtod(word, NULL)) : value_int(strtoll(word, NULL, 10));
}

struct bound_parameter {
    const char *name;
    int stars;
    bool keyword_only, has_default;
    struct value otherwise;
};

enum { MAX_PARAMETERS = 24 };

static size_t read_signature(struct arena *arena, const char *text, struct bound_parameter *out) {
    struct signature_reader reader = {text, arena};
    size_t count = 0;
    bool keyword_only = false;
    for (skip_spaces(&reader); *reader.at; skip_spaces(&reader)) {
        struct bound_parameter parameter = {.keyword_only = keyword_only};
        while (*reader.at == '*') {
            parameter.stars++;
            reader.at++;
        }
        parameter.name = read_word(&reader);
        if (*reader.at == '=') {
            reader.at++;
            parameter.has_default = true;
            parameter.otherwise = read_default(&reader);
        }
        keyword_only = keyword_only || parameter.stars == 1;
        if (*parameter.name) {
            out[count++] = parameter;
        }
    }
    return count;
}

// ---- calls ----

struct builtin_call {
    const struct builtin *builtin;
    const struct value *args;
    size_t count, used;
    const char *const *names;
    const struct value *keywords;
    size_t keyword_count;
    bool keyword_used[MAX_PARAMETERS];
    struct location location;
    const struct call_places *places; // NULL: not known
    struct parameter_place bound[MAX_PARAMETERS];
    size_t bound_count;
};

static bool same_location(struct location a, struct location b) {
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

// A method's first argument is its object, without a place among the call's.
static struct location place_of_argument(const struct builtin_call *call, size_t index) {
    const struct call_places *places = call->places;
    size_t objects = places && call->count == places->count + 1;
    bool known = places && call->count == places->count + objects && index >= objects;
    return known ? places->arguments[index - objects] : call->location;
}

static struct location place_of_keyword(const struct builtin_call *call, size_t index) {
    bool known = call->places && call->keyword_count == call->places->keyword_count;
    return known ? call->places->keywords[index] : call->location;
}

static void note_place(struct builtin_call *call, const char *parameter, struct location at,
                       struct location value) {
    call->bound[call->bound_count++] = (struct parameter_place){parameter, at, value};
}

struct location emit_place_of(const struct emitter *e, const char *parameter, struct location otherwise) {
    for (size_t i = 0; i < e->parameters.count; i++) {
        if (strcmp(e->parameters.items[i].name, parameter) == 0) {
            return e->parameters.items[i].at;
        }
    }
    return otherwise;
}

static struct location place_of_bound(const struct builtin_call *call, const char *parameter) {
    for (size_t i = 0; i < call->bound_count; i++) {
        if (strcmp(call->bound[i].name, parameter) == 0) {
            return call->bound[i].at;
        }
    }
    return call->location;
}

static struct value rest_of_keywords(struct emitter *e, struct builtin_call *call) {
    struct value items[2 * MAX_PARAMETERS];
    size_t count = 0;
    for (size_t i = 0; i < call->keyword_count; i++) {
        if (!call->keyword_used[i]) {
            call->keyword_used[i] = true;
            items[count++] = value_string(e->arena, call->names[i]);
            items[count++] = call->keywords[i];
        }
    }
    struct value dict = value_list_of(e->arena, items, count);
    dict.kind = VALUE_DICT;
    return dict;
}

// tl.arange takes both ends, where range takes the last alone.
static const char *missing_remedy(struct emitter *e, const struct builtin_call *call) {
    bool end_alone = strcmp(call->builtin->name, "tl.arange") == 0 && call->count == 1 && call->bound_count;
    const char *end = end_alone ? emit_text_of(e, call->bound[0].value, "") : "";
    return *end ? arena_printf(e->arena, "; write tl.arange(0, %s)", end) : "";
}

static bool bind_one(struct emitter *e, struct builtin_call *call, const struct bound_parameter *parameter,
                     struct value *out) {
    if (parameter->stars == 1) {
        *out = value_tuple(e->arena, call->args + call->used, call->count - call->used);
        call->used = call->count;
        return true;
    }
    if (parameter->stars == 2) {
        *out = rest_of_keywords(e, call);
        return true;
    }
    const struct value *keyword = NULL;
    for (size_t i = 0; i < call->keyword_count; i++) {
        if (strcmp(call->names[i], parameter->name) == 0) {
            call->keyword_used[i] = true;
            keyword = &call->keywords[i];
            struct location at = place_of_keyword(call, i);
            bool known = !same_location(at, call->location);
            note_place(call, parameter->name, at,
                       known ? call->places->keyword_values[i] : (struct location){0});
        }
    }
    bool by_position = !parameter->keyword_only && call->used < call->count;
    if ((by_position || keyword) &&
        !language_takes_parameter(e, call->builtin->name, parameter->name, call->location)) {
        return false;
    }
    if (by_position) {
        struct location at = place_of_argument(call, call->used);
        note_place(call, parameter->name, at, same_location(at, call->location) ? (struct location){0} : at);
        *out = call->args[call->used++];
        if (keyword) {
            emit_error(e, call->location, "%s got %s both by position and by name", call->builtin->name,
                       parameter->name);
        }
        return !keyword;
    }
    if (keyword) {
        *out = *keyword;
        return true;
    }
    if (!parameter->has_default) {
        emit_error(e, call->location, "%s needs an argument for %s: it takes (%s)%s", call->builtin->name,
                   parameter->name, call->builtin->signature, missing_remedy(e, call));
        return false;
    }
    *out = parameter->otherwise;
    return true;
}

// Keywords for Triton's own implementation (its builder objects): accepted and ignored.
static bool is_ignored_keyword(const char *name) {
    return strcmp(name, "_builder") == 0 || strcmp(name, "_semantic") == 0 || strcmp(name, "_generator") == 0;
}

static struct value unknown_keyword(struct emitter *e, const struct builtin_call *call, size_t index,
                                    const struct bound_parameter *parameters, size_t count) {
    const char *name = call->names[index], *synonym = suggest_synonym("keyword", name);
    struct nearest nearest = {.text = name};
    for (size_t j = 0; j < count; j++) {
        if (synonym && strcmp(parameters[j].name, synonym) == 0) {
            nearest.name = synonym;
            break;
        }
        nearest_offer(&nearest, parameters[j].name);
    }
    return emit_unknown(e, place_of_keyword(call, index), &nearest, "%s has no parameter %s",
                        call->builtin->name, name);
}

// False after an error: a keyword is that of no parameter.
static bool knows_keywords(struct emitter *e, const struct builtin_call *call,
                           const struct bound_parameter *parameters, size_t count) {
    for (size_t i = 0; i < call->keyword_count; i++) {
        bool known = is_ignored_keyword(call->names[i]);
        for (size_t j = 0; j < count && !known; j++) {
            known = parameters[j].stars == 2 ||
                    (parameters[j].stars == 0 && strcmp(parameters[j].name, call->names[i]) == 0);
        }
        if (!known) {
            unknown_keyword(e, call, i, parameters, count);
            return false;
        }
    }
    return true;
}

static const char *const *names_of(struct emitter *e, const struct bound_parameter *parameters,
                                   size_t count) {
    const char **names = ARENA_ARRAY(e->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        names[i] = parameters[i].name;
    }
    return names;
}

struct value call_builtin(struct emitter *e, const struct builtin *builtin, const struct value *args,
                          size_t count, const char *const *names, const struct value *keywords,
                          size_t keyword_count, struct location location) {
    struct bound_parameter parameters[MAX_PARAMETERS];
    struct value bound[MAX_PARAMETERS];
    size_t parameter_count = read_signature(e->arena, builtin->signature, parameters);
    struct builtin_call call = {.builtin = builtin,
                                .args = args,
                                .count = count,
                                .names = names,
                                .keywords = keywords,
                                .keyword_count = keyword_count,
                                .location = location,
                                .places = same_location(e->places.call, location) ? &e->places : NULL};
    if (keyword_count > MAX_PARAMETERS) {
        return emit_error(e, location, "%s has no %zu keyword arguments", builtin->name, keyword_count);
    }
    if (!e->ir && !builtin->is_compile_time) {
        return emit_error(e, location, "%s can be called in kernels only", builtin->name);
    }
    if (!knows_keywords(e, &call, parameters, parameter_count)) {
        return value_error();
    }
    for (size_t i = 0; i < parameter_count; i++) {
        if (!bind_one(e, &call, &parameters[i], &bound[i])) {
            return value_error();
        }
        if (bound[i].kind == VALUE_HOST) {
            return emit_error(e, place_of_bound(&call, parameters[i].name), "%s cannot be used in a kernel",
                              bound[i].host);
        }
    }
    if (call.used < count) {
        return emit_error(e, location, "%s takes at most %zu argument%s, not %zu: (%s)", builtin->name,
                          parameter_count, parameter_count == 1 ? "" : "s", count, builtin->signature);
    }
    struct parameter_places outer = e->parameters;
    e->parameters = (struct parameter_places){call.bound, call.bound_count};
    struct padding_call padding = {builtin, names_of(e, parameters, parameter_count), bound, parameter_count};
    bool settled = !e->pads || padding_settle(e, &padding, location);
    struct value result = settled ? builtin->handler(e, bound, location) : value_error();
    e->parameters = outer;
    return result;
}
