// The parameters of a kernel: types and hints from string annotations or --signature; constants from -D, the
// autotune configuration, heuristics (kernel_config.c) and defaults, in this order of precedence; warps and
// stages.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/kernel.h"
#include "support/nearest.h"

static struct frontend as_frontend(struct emitter *e) {
    return (struct frontend){.arena = e->arena, .diag = e->diag, .program = e->program};
}

struct value kernel_eval(struct emitter *e, const struct function_def *def, const struct expr *expr) {
    struct file_scope *file = e->frame->file;
    const struct binding_site *before = file_stand_at(file, def);
    struct value v = eval(e, expr);
    file_stand_back(file, before);
    return v;
}

struct value kernel_eval_quietly(struct emitter *e, const struct function_def *def, const struct expr *expr) {
    e->quiet++;
    struct value v = kernel_eval(e, def, expr);
    e->quiet--;
    return v;
}

// ---- types ----

bool kernel_parse_type(struct emitter *e, const char *text, struct kernel_param *param) {
    text = kernel_alternative(e, text, param);
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    if (!dtype_parse(arena_strndup(e->arena, text, length), &param->dtype)) {
        return false;
    }
    param->divisible_by = 0;
    param->equals_one = false;
    if (colon && !dtype_is_pointer(param->dtype) && !dtype_is_integer(param->dtype)) {
        return false;
    }
    if (colon) {
        char *end;
        unsigned long number = strtoul(colon + 1, &end, 10);
        if (*end || end == colon + 1 || number == 0 || number > 1u << 20 || (number & (number - 1))) {
            return false;
        }
        param->equals_one = number == 1 && dtype_is_integer(param->dtype);
        param->divisible_by = number > 1 ? (unsigned)number : 0;
    }
    return true;
}

static struct value eval_text(struct emitter *e, const char *text, const char *what) {
    struct frontend frontend = as_frontend(e);
    struct dtype dtype;
    if (dtype_parse(text, &dtype)) {
        return value_dtype(dtype);
    }
    const struct expr *expr = frontend_parse_expression(&frontend, text, what);
    return expr ? eval(e, expr) : value_error();
}

void kernel_set_constant(struct kernel_param *param, struct value v) {
    param->is_constant = true;
    param->value = v;
}

// The first bracket or quote of the text without its partner; NULL: none.
static const char *unmatched(const char *text) {
    int depth = 0;
    const char *open = NULL, *quote = NULL;
    for (const char *c = text; *c; c++) {
        if (quote) {
            quote = *c == *quote ? NULL : quote;
        } else if (*c == '\'' || *c == '"') {
            quote = c;
        } else if (strchr("([{", *c)) {
            open = depth++ == 0 ? c : open;
        } else if (strchr(")]}", *c) && depth-- == 0) {
            return c;
        }
    }
    return quote ? quote : depth > 0 ? open : NULL;
}

// Splits at commas outside brackets and quotes.
static size_t split_signature(struct emitter *e, const char *text, const char **items, size_t limit) {
    size_t count = 0;
    int depth = 0;
    char quote = 0;
    const char *start = text;
    for (const char *c = text;; c++) {
        if (*c == 0 || (*c == ',' && depth == 0 && !quote)) {
            const char *end = c;
            while (start < end && isspace((unsigned char)*start)) {
                start++;
            }
            while (end > start && isspace((unsigned char)end[-1])) {
                end--;
            }
            if (count < limit && (*c || end > start)) {
                items[count] = arena_strndup(e->arena, start, (size_t)(end - start));
            }
            count += *c || end > start;
            start = c + 1;
            if (*c == 0) {
                return count;
            }
            continue;
        }
        quote = quote ? (*c == quote ? 0 : quote) : (*c == '\'' || *c == '"' ? *c : 0);
        depth += !quote && strchr("([{", *c) ? 1 : !quote && strchr(")]}", *c) ? -1 : 0;
    }
}

static bool apply_signature_item(struct emitter *e, const char *text, struct kernel_param *param);

// The elements of a tuple or the fields of an object; false after an error.
static bool apply_parts(struct emitter *e, const char *const *items, size_t count,
                        struct kernel_param *param) {
    const struct parameter_list *fields = param->class_ ? param->class_->fields : NULL;
    if (fields && fields->count != count) {
        emit_error(e, param->location, "parameter %s: %s has %zu field%s, and %zu %s given", param->name,
                   param->class_->name, fields->count, fields->count == 1 ? "" : "s", count,
                   count == 1 ? "is" : "are");
        return false;
    }
    param->parts = ARENA_ARRAY(e->arena, struct kernel_param, count + 1);
    param->part_count = count;
    for (size_t i = 0; i < count; i++) {
        const char *name = fields ? arena_printf(e->arena, "%s_%s", param->name, fields->items[i].name)
                                  : arena_printf(e->arena, "%s_%zu", param->name, i);
        param->parts[i] = (struct kernel_param){.name = name,
                                                .tuple = param->name,
                                                .class_ = param->class_,
                                                .alternative = param->alternative,
                                                .location = param->location};
        if (!apply_signature_item(e, items[i], &param->parts[i])) {
            return false;
        }
        if (param->parts[i].parts) {
            emit_error(e, param->location, "parameter %s: tuples inside a tuple are not supported",
                       param->name);
            return false;
        }
    }
    return true;
}

// The class in front of "Point(*fp32, i32)", by its name in the source; NULL: none.
static struct function *class_named(struct emitter *e, const char *text, size_t length) {
    const char *name = arena_strndup(e->arena, text, length);
    if (!length || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")]) {
        return NULL;
    }
    e->quiet++;
    struct value v = eval_text(e, name, "--signature");
    e->quiet--;
    return v.kind == VALUE_FUNCTION && v.function->fields ? v.function : NULL;
}

// True for "Point(*fp32, i32)", whatever Point is: a name, and a type among what is behind it in brackets.
static bool names_class(struct emitter *e, const char *text) {
    size_t length = strlen(text), open = strcspn(text, "(");
    bool found = false;
    if (open == 0 || length < open + 2 || text[length - 1] != ')') {
        return false;
    }
    const char *inside = arena_strndup(e->arena, text + open + 1, length - open - 2), *items[64];
    size_t count = split_signature(e, inside, items, sizeof items / sizeof *items);
    for (size_t i = 0; i < count && i < sizeof items / sizeof *items; i++) {
        struct kernel_param probe = {0};
        found = found || kernel_parse_type(e, items[i], &probe);
    }
    return found;
}

// Reads "(*fp32, i32, 4)": a tuple with at least one type among its elements, or "Point(*fp32, i32)": a named tuple
// or aggregate. For other texts false, with *is_tuple false.
static bool apply_tuple(struct emitter *e, const char *text, struct kernel_param *param, bool *is_tuple) {
    size_t length = strlen(text), open = strcspn(text, "(");
    *is_tuple = false;
    if (length < open + 2 || text[length - 1] != ')') {
        return false;
    }
    struct function *class_ = open ? class_named(e, text, open) : param->class_;
    if (open && !class_) {
        return false;
    }
    const char *inside = arena_strndup(e->arena, text + open + 1, length - open - 2), *items[64];
    size_t count = split_signature(e, inside, items, sizeof items / sizeof *items);
    for (size_t i = 0; i < count && i < sizeof items / sizeof *items; i++) {
        struct kernel_param probe = *param;
        *is_tuple = *is_tuple || kernel_parse_type(e, items[i], &probe);
    }
    if (!*is_tuple || count > sizeof items / sizeof *items) {
        return false;
    }
    param->class_ = class_;
    return apply_parts(e, items, count, param);
}

// A parameter annotated with a named tuple or aggregate: its fields have the types written in the class as text.
static bool apply_class(struct emitter *e, struct function *class_, struct kernel_param *param,
                        bool *has_type) {
    const struct parameter_list *fields = class_->fields;
    const char **items = ARENA_ARRAY(e->arena, const char *, fields->count + 1);
    param->class_ = class_;
    for (size_t i = 0; i < fields->count; i++) {
        const struct expr *annotation = fields->items[i].annotation;
        if (!annotation || annotation->kind != EXPR_STRING) {
            return true; // --signature has the types
        }
        items[i] = annotation->string.bytes;
    }
    *has_type = fields->count > 0;
    return !*has_type || apply_parts(e, items, fields->count, param);
}

// The nearest type as a signature has it: "*fp32:16" for "*float32x:16".
static const char *nearest_type(struct emitter *e, const char *text) {
    size_t stars = strspn(text, "*"), length = strcspn(text + stars, "*: "),
           behind = strspn(text + stars + length, "*");
    struct nearest nearest = {.text = arena_strndup(e->arena, text + stars, length)};
    struct dtype dtype;
    for (unsigned i = 0; i < SCALAR_COUNT; i++) {
        nearest_offer(&nearest, dtype_table[i].signature);
        nearest_offer(&nearest, dtype_table[i].name);
    }
    if (!nearest.name || !dtype_parse(nearest.name, &dtype)) {
        return NULL;
    }
    const char *colon = strchr(text, ':');
    return arena_printf(e->arena, "%.*s%s%s", (int)(stars + behind), "****",
                        dtype_table[dtype.scalar].signature, colon ? colon : "");
}

static bool refuse_type(struct emitter *e, const char *text, struct location location) {
    const char *near = nearest_type(e, text);
    const char *colon = strchr(text, ':');
    const char *type = colon ? arena_strndup(e->arena, text, (size_t)(colon - text)) : "";
    struct kernel_param param = {0};
    if (colon && kernel_parse_type(e, type, &param)) {
        bool takes = dtype_is_pointer(param.dtype) || dtype_is_integer(param.dtype);
        emit_error(e, location,
                   takes
                       ? "'%s': the hint behind %s is no power of two up to 1048576; write %s:16 or the like"
                       : "'%s': %s takes no hint, which pointers and integers do; write %s",
                   text, type, type);
        return false;
    }
    if (near) {
        emit_error(e, location, "'%s' is not a type; did you mean %s?", text, near);
        return false;
    }
    emit_error(e, location,
               "'%s' is not a type; types are i1, i8 to i64, u8 to u64, fp16, bf16, fp32, fp64 and fp8e5, "
               "fp8e4nv, with * in front for a pointer and a hint behind it (\"*fp32:16\", \"i32:16\")",
               text);
    return false;
}

// Reads one element of --signature: a type, or the value of a constant.
static bool apply_signature_item(struct emitter *e, const char *text, struct kernel_param *param) {
    param->parts = NULL; // of the annotation
    if (kernel_parse_type(e, text, param) || kernel_parse_descriptor(e, text, param)) {
        param->is_constant = false;
        return true;
    }
    if (strcmp(text, "constexpr") == 0) {
        param->is_constant = true;
        return true;
    }
    bool is_tuple, ok = apply_tuple(e, text, param, &is_tuple);
    if (is_tuple) {
        return ok;
    }
    bool like_type = *text && !text[strspn(text, "*:|-+_abcdefghijklmnopqrstuvwxyz0123456789")];
    bool pointer = *text == '*' || (*text && text[strlen(text) - 1] == '*');
    if (like_type && (strchr(text, ':') || pointer)) {
        return refuse_type(e, text, param->location);
    }
    if (names_class(e, text)) {
        emit_error(
            e, param->location,
            "--signature: parameter %s is given as '%s', and the file has no named tuple or aggregate %.*s",
            param->name, text, (int)strcspn(text, "("), text);
        return false;
    }
    e->quiet++;
    bool near = like_type && nearest_type(e, text);
    bool is_value = !near || !value_failed(eval_text(e, text, "--signature"));
    e->quiet--;
    if (!is_value) {
        return refuse_type(e, text, param->location);
    }
    struct value v = eval_text(e, text, "--signature");
    if (v.kind == VALUE_FUNCTION && v.function->fields && param->class_ == NULL) {
        emit_error(e, param->location,
                   "--signature: parameter %s is a %s, whose %zu fields need types: write %s(*fp32, …)",
                   param->name, text, v.function->fields->count, text);
        return false;
    }
    if (value_failed(v)) {
        diag_note(e->diag, param->location,
                  "in --signature, for parameter %s: a type (*fp16:16, i32) or a constant is needed",
                  param->name);
        return false;
    }
    kernel_set_constant(param, v);
    return true;
}

// A type for every parameter that is no constant: those given, those of the annotations, and i32 for the rest.
static void refuse_count(struct emitter *e, const struct kernel_instance *kernel, const bool *has_type,
                         const char *const *items, size_t count, size_t run_time) {
    struct strbuf names = {0}, types = {0};
    size_t constants = kernel->param_count - run_time, next = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        const char *typed = has_type[i] && !param->parts ? dtype_signature(e->arena, param->dtype) : "i32";
        if (!param->is_constant) {
            strbuf_printf(&names, "%s%s", names.length ? ", " : "", param->name);
            strbuf_printf(&types, "%s%s", types.length ? ", " : "", next < count ? items[next] : typed);
            next++;
        }
    }
    emit_usage(
        e, (struct location){0}, "--signature has %zu type%s, %s needs %zu (%s)%s: write --signature \"%s\"",
        count, count == 1 ? "" : "s", kernel->name, run_time, strbuf_text(&names),
        constants ? arena_printf(e->arena, ", or %zu with the constants' values", kernel->param_count) : "",
        strbuf_text(&types));
    strbuf_free(&names);
    strbuf_free(&types);
}

static bool apply_signature(struct emitter *e, const char *text, struct kernel_instance *kernel,
                            const bool *has_type) {
    const char *alone = unmatched(text);
    if (alone) {
        emit_usage(e, kernel->location, "--signature: the %c at character %td of \"%s\" has no partner",
                   *alone, alone - text + 1, text);
        return false;
    }
    const char **items = ARENA_ARRAY(e->arena, const char *, kernel->param_count + 1);
    size_t count = split_signature(e, text, items, kernel->param_count), run_time = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        run_time += !kernel->params[i].is_constant;
    }
    if (count != kernel->param_count && count != run_time) {
        refuse_count(e, kernel, has_type, items, count, run_time);
        return false;
    }
    bool all = count == kernel->param_count;
    size_t next = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        if ((all || !kernel->params[i].is_constant) &&
            !apply_signature_item(e, items[next++], &kernel->params[i])) {
            return false;
        }
    }
    return true;
}

// Reads the annotation in the source: sets the type, or marks a constexpr. `has_type` tells if it did either.
static bool apply_annotation(struct emitter *e, const struct function_def *def, const struct expr *annotation,
                             struct kernel_param *param, bool *has_type) {
    *has_type = false;
    annotation = annotation_text(annotation);
    if (!annotation) {
        return true;
    }
    if (annotation_is_constexpr(annotation)) {
        param->is_constant = *has_type = true;
        return true;
    }
    if (annotation->kind == EXPR_STRING && strlen(annotation->string.bytes) != annotation->string.length) {
        emit_error(e, annotation->location, "the annotation of parameter %s holds a NUL character",
                   param->name);
        return false;
    }
    if (annotation->kind == EXPR_STRING) {
        bool is_tuple, ok = apply_tuple(e, annotation->string.bytes, param, &is_tuple);
        if (is_tuple) {
            *has_type = true;
            return ok;
        }
        *has_type = kernel_parse_type(e, annotation->string.bytes, param) ||
                    kernel_parse_descriptor(e, annotation->string.bytes, param);
        bool looks = strpbrk(annotation->string.bytes, "*:") != NULL;
        if (!*has_type && looks) {
            return refuse_type(e, annotation->string.bytes, annotation->location);
        }
        return true;
    }
    struct value v = kernel_eval_quietly(e, def, annotation);
    if (v.kind == VALUE_DTYPE && v.dtype.scalar != SCALAR_VOID) {
        param->dtype = v.dtype;
        *has_type = true;
    }
    param->reads_only = v.kind == VALUE_TYPE && v.type == TYPE_CONST;
    if (v.kind == VALUE_FUNCTION && v.function->fields) {
        return apply_class(e, v.function, param, has_type);
    }
    return true;
}

// ---- constants ----

static bool apply_defines(struct emitter *e, const struct frontend_options *options,
                          struct kernel_instance *kernel, bool *settled) {
    for (size_t i = 0; i < options->define_count; i++) {
        for (size_t j = 0; j < kernel->param_count; j++) {
            struct kernel_param *param = &kernel->params[j];
            if (strcmp(param->name, options->defines[i].name) != 0) {
                continue;
            }
            struct value v = eval_text(e, options->defines[i].value, "-D");
            if (value_failed(v)) {
                return false;
            }
            kernel_set_constant(param, v);
            settled[j] = true;
        }
    }
    return true;
}

static struct value launch_setting(const struct kernel_instance *kernel, const char *name) {
    if (strcmp(name, "num_warps") == 0) {
        return value_int(kernel->num_warps);
    }
    if (strcmp(name, "num_ctas") == 0) {
        return value_int(kernel->num_ctas);
    }
    return strcmp(name, "num_stages") == 0 ? value_int(kernel->num_stages) : value_error();
}

// The name in a configuration that is nearest to a parameter's and no parameter itself; NULL: none.
static const char *misspelled(struct emitter *e, const struct kernel_instance *kernel, const char *name) {
    struct nearest nearest = {.text = name};
    for (const char *at = kernel->config_text ? kernel->config_text : ""; *at;) {
        const char *set = arena_strndup(e->arena, at, strcspn(at, "=,"));
        bool known = false;
        for (size_t i = 0; i < kernel->param_count; i++) {
            known = known || strcmp(kernel->params[i].name, set) == 0;
        }
        if (!known) {
            nearest_offer(&nearest, set);
        }
        at += strcspn(at, ",");
        at += strspn(at, ", ");
    }
    return nearest.name;
}

static void report_no_value(struct emitter *e, const struct kernel_instance *kernel,
                            const struct kernel_param *param) {
    const char *set = misspelled(e, kernel, param->name);
    if (set) {
        emit_error(
            e, kernel_config_key(e, kernel->callee->def, set, param->location),
            "configuration %u sets %s, which is no parameter of %s, whose constexpr parameter %s has no "
            "value: write %s in place of %s",
            kernel->config, set, kernel->name, param->name, param->name, set);
        return;
    }
    emit_error(e, param->location,
               "constexpr parameter %s of %s has no value; give -D %s=…, or a default in the source",
               param->name, kernel->name, param->name);
}

static bool check_params(struct emitter *e, struct kernel_instance *kernel, const bool *has_type) {
    bool ok = true;
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct kernel_param *param = &kernel->params[i];
        if (param->is_constant && param->value.kind == VALUE_ERROR) {
            param->value = launch_setting(kernel, param->name);
        }
        if (param->is_constant && param->value.kind == VALUE_ERROR) {
            report_no_value(e, kernel, param);
            ok = false;
        } else if (param->value.kind == VALUE_HOST) {
            emit_error(e, param->location,
                       "parameter %s is %s, which cannot be used in a kernel; give -D %s=…", param->name,
                       param->value.host, param->name);
            ok = false;
        } else if (!param->is_constant && !has_type[i]) {
            emit_error(e, param->location,
                       "parameter %s of %s has no type; annotate it (%s: \"*fp32\" for an address, \"i32\" "
                       "or \"fp32\" for a number), "
                       "or give all types by --signature \"*fp32, i32\"",
                       param->name, kernel->name, param->name);
            ok = false;
        }
    }
    return ok;
}

static bool check_launch(struct emitter *e, const struct kernel_instance *kernel) {
    int warps = kernel->num_warps;
    if (warps < 1 || warps > 32 || (warps & (warps - 1))) {
        emit_error(e, kernel->location, "num_warps is %d; it must be a power of two from 1 to 32", warps);
        return false;
    }
    if (kernel->num_stages > TARGET_MOST_STAGES) {
        emit_error(e, kernel->location, "num_stages is %d; it must be at most %d", kernel->num_stages,
                   TARGET_MOST_STAGES);
        return false;
    }
    if (kernel->max_registers != 0 && (kernel->max_registers < 24 || kernel->max_registers > 255)) {
        emit_error(e, kernel->location, "maxnreg is %d; it must be from 24 to 255", kernel->max_registers);
        return false;
    }
    if (kernel->num_ctas < 1 || kernel->num_ctas > 16 || (kernel->num_ctas & (kernel->num_ctas - 1))) {
        emit_error(e, kernel->location, "num_ctas is %d; it must be a power of two from 1 to 16",
                   kernel->num_ctas);
        return false;
    }
    return true;
}

// Replaces tuples by their elements.
static void spread_tuples(struct emitter *e, struct kernel_instance *kernel) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        count += kernel->params[i].parts ? kernel->params[i].part_count : 1;
    }
    struct kernel_param *spread = ARENA_ARRAY(e->arena, struct kernel_param, count + 1);
    count = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct kernel_param *param = &kernel->params[i];
        size_t parts = param->parts ? param->part_count : 1;
        memcpy(spread + count, param->parts ? param->parts : param, parts * sizeof *spread);
        count += parts;
    }
    kernel->params = spread;
    kernel->param_count = count;
}

// Elements of tuples and descriptors have derived names, so these may clash.
static bool check_names(struct emitter *e, const struct kernel_instance *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(kernel->params[i].name, kernel->params[j].name) == 0) {
                emit_error(
                    e, kernel->params[i].location,
                    "two parameters of the compiled kernel would be called %s: rename one of the source's",
                    kernel->params[i].name);
                return false;
            }
        }
    }
    return true;
}

static void count_levels(const struct frontend_options *options, struct kernel_instance *kernel) {
    unsigned most = 1;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        most = param->alternative_count > most ? param->alternative_count : most;
        for (size_t j = 0; j < param->part_count; j++) {
            unsigned count = param->parts[j].alternative_count;
            most = count > most ? count : most;
        }
    }
    kernel->level = kernel->hints = options->level;
    kernel->level_count = most + (unsigned)options->specialisation_count;
}

// The parameters of the definition, with types of their annotations.
static bool read_parameters(struct emitter *e, const struct frontend_options *options,
                            struct kernel_instance *kernel, bool *has_type) {
    const struct parameter_list *params = &kernel->callee->def->params;
    size_t specialised = options->specialisation_count;
    for (size_t i = 0; i < params->count; i++) {
        const struct parameter *parameter = &params->items[i];
        kernel->params[i] = (struct kernel_param){
            .name = parameter->name,
            .location = parameter->location,
            .alternative = options->level > specialised ? options->level - (unsigned)specialised : 0};
        if (parameter->kind == PARAMETER_VARARGS || parameter->kind == PARAMETER_KWARGS) {
            emit_error(e, parameter->location, "a kernel cannot take *%s", parameter->name);
            return false;
        }
        if (!apply_annotation(e, kernel->callee->def, parameter->annotation, &kernel->params[i],
                              &has_type[i])) {
            return false;
        }
    }
    return kernel_check_specialised(e, kernel) && inductor_signature(e, kernel, has_type);
}

// The types of -s, and of the level of specialisation.
static bool apply_types(struct emitter *e, const struct frontend_options *options,
                        struct kernel_instance *kernel, bool *settled, bool *has_type) {
    if (options->signature) {
        if (!apply_signature(e, options->signature, kernel, has_type)) {
            return false;
        }
        for (size_t i = 0; i < kernel->param_count; i++) {
            has_type[i] = true;
            settled[i] = kernel->params[i].is_constant && kernel->params[i].value.kind != VALUE_ERROR;
        }
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct kernel_param *param = &kernel->params[i];
        param->dtype = dtype_const(param->dtype, param->dtype.is_const || param->reads_only);
    }
    count_levels(options, kernel);
    return options->level >= options->specialisation_count ||
           kernel_specialize(e, kernel, options->specialisations[options->level]);
}

static void apply_launch_options(const struct frontend_options *options, struct kernel_instance *kernel) {
    kernel->num_warps = options->num_warps ? options->num_warps : kernel->num_warps;
    kernel->num_stages = options->num_stages ? options->num_stages : kernel->num_stages;
    kernel->num_ctas = options->num_ctas ? options->num_ctas : kernel->num_ctas;
    kernel->max_registers = options->max_registers ? options->max_registers : kernel->max_registers;
    kernel->keeps_subnormals |= options->keeps_subnormals;
}

// The default of a parameter without a type is its value too: None and flags are passed this way.
static bool apply_defaults(struct emitter *e, struct kernel_instance *kernel, const bool *settled,
                           const bool *has_type) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct expr *given = kernel->callee->def->params.items[i].default_value;
        bool constant = kernel->params[i].is_constant || !has_type[i];
        if (!settled[i] && constant && given) {
            struct value v = kernel_eval(e, kernel->callee->def, given);
            if (value_failed(v)) {
                return false;
            }
            kernel_set_constant(&kernel->params[i], v);
        }
    }
    return true;
}

bool kernel_fix_params(struct emitter *e, const struct frontend_options *options,
                       struct kernel_instance *kernel) {
    size_t count = kernel->callee->def->params.count;
    kernel->params = ARENA_ARRAY(e->arena, struct kernel_param, count + 1);
    kernel->param_count = count;
    kernel->num_warps = 4;
    kernel->num_stages = 3;
    kernel->num_ctas = 1;
    bool *settled = ARENA_ARRAY(e->arena, bool, count + 1),
         *has_type = ARENA_ARRAY(e->arena, bool, count + 1);
    struct value kwargs;
    if (!read_parameters(e, options, kernel, has_type) ||
        !apply_types(e, options, kernel, settled, has_type) || !apply_defines(e, options, kernel, settled) ||
        !kernel_read_config(e, options, kernel, &kwargs)) {
        return false;
    }
    kernel_apply_config(e, kwargs, kernel, settled);
    inductor_blocks(e, kernel, settled);
    apply_launch_options(options, kernel);
    kernel_name_config(e, kwargs, kernel);
    if (!apply_defaults(e, kernel, settled, has_type) ||
        !kernel_apply_heuristics(e, options, kernel, settled) || !check_params(e, kernel, has_type) ||
        !kernel_fix_descriptors(e, kernel)) {
        return false;
    }
    spread_tuples(e, kernel);
    return check_names(e, kernel) && check_launch(e, kernel);
}
