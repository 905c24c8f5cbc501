// @triton.autotune and @triton.heuristics: reads the chosen configuration, applies it to constants and launch
// settings, and names the variant compiled from it.
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "frontend/kernel.h"
#include "frontend/semantics/language.h"
#include "support/nearest.h"

// ---- autotune and heuristics ----

// The next decorator, from number `from` on (0: all), with a call of the type. NULL: none.
static const struct expr *decorator_call(struct emitter *e, const struct function_def *def,
                                         enum known_type type, size_t *from) {
    for (; *from < def->decorators.count; (*from)++) {
        const struct expr *call = def->decorators.items[*from];
        if (call->kind != EXPR_CALL) {
            continue;
        }
        struct value v = kernel_eval_quietly(e, def, call->call.function);
        if (v.kind == VALUE_TYPE && v.type == type) {
            (*from)++;
            return call;
        }
    }
    return NULL;
}

static const struct expr *keyword_argument(const struct expr *call, const char *name) {
    for (size_t i = 0; i < call->call.keyword_count; i++) {
        if (call->call.keywords[i].name && strcmp(call->call.keywords[i].name, name) == 0) {
            return call->call.keywords[i].value;
        }
    }
    return NULL;
}

static const struct expr *call_argument(const struct expr *call, const char *name) {
    const struct expr *value = keyword_argument(call, name);
    return value ? value : call->call.args.count ? call->call.args.items[0] : NULL;
}

// The list of configurations: from @triton.autotune, or from a decorator of the program with the same
// keyword.
static const struct expr *find_configs(struct emitter *e, const struct function_def *def) {
    size_t from = 0;
    const struct expr *call = decorator_call(e, def, TYPE_AUTOTUNE, &from), *list = NULL;
    if (call) {
        return call_argument(call, "configs");
    }
    for (size_t i = 0; i < def->decorators.count && !list; i++) {
        const struct expr *other = def->decorators.items[i];
        list = other->kind == EXPR_CALL ? keyword_argument(other, "configs") : NULL;
    }
    return list;
}

struct location kernel_config_key(struct emitter *e, const struct function_def *def, const char *name,
                                  struct location otherwise) {
    const struct expr *list = find_configs(e, def);
    size_t count = list && (list->kind == EXPR_LIST || list->kind == EXPR_TUPLE) ? list->elements.count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct expr *call = list->elements.items[i];
        const struct expr *dict = call->kind == EXPR_CALL ? call_argument(call, "kwargs") : NULL;
        for (size_t j = 0; dict && dict->kind == EXPR_DICT && j < dict->dict.count; j++) {
            const struct expr *key = dict->dict.items[j].key;
            if (key && key->kind == EXPR_STRING && strcmp(key->string.bytes, name) == 0) {
                return key->location;
            }
        }
    }
    return otherwise;
}

// The final value of a name of the configuration.
static struct value settled_value(const struct kernel_instance *kernel, const char *name, struct value v) {
    for (size_t j = 0; j < kernel->param_count; j++) {
        if (strcmp(kernel->params[j].name, name) == 0 && kernel->params[j].is_constant) {
            return kernel->params[j].value;
        }
    }
    return v;
}

// Writes text as part of an identifier: a minus becomes `m`, a point `p`, any other special character `_`.
void kernel_add_identifier(struct strbuf *out, const char *text) {
    for (const char *c = text; *c; c++) {
        bool plain = (unsigned char)*c < 128 && isalnum((unsigned char)*c);
        strbuf_add_char(out, plain ? *c : *c == '-' ? 'm' : *c == '.' ? 'p' : '_');
    }
}

// A value in the text of a configuration; strings are written without quotes.
static const char *written(struct arena *arena, struct value v) {
    struct strbuf text = {0};
    value_print(&text, v, v.kind == VALUE_STRING ? WORDS_STR : WORDS_SIGNATURE);
    const char *copy = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return copy;
}

void kernel_name_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel) {
    struct strbuf text = {0}, name = {0};
    kernel->config_text = kernel->config_name = "";
    if (!kernel->config_count) {
        return;
    }
    for (size_t i = 0; i + 1 < kwargs.list.count; i += 2) {
        const char *key = value_text(e->arena, kwargs.list.items[i]);
        const char *v = written(e->arena, settled_value(kernel, key, kwargs.list.items[i + 1]));
        strbuf_printf(&text, "%s=%s, ", key, v);
        kernel_add_identifier(&name, key);
        strbuf_add_char(&name, '_');
        kernel_add_identifier(&name, v);
        strbuf_add_char(&name, '_');
    }
    strbuf_printf(&text, "num_warps=%d, num_stages=%d", kernel->num_warps, kernel->num_stages);
    strbuf_printf(&name, "warps_%d_stages_%d", kernel->num_warps, kernel->num_stages);
    if (kernel->num_ctas > 1) {
        strbuf_printf(&text, ", num_ctas=%d", kernel->num_ctas);
        strbuf_printf(&name, "_ctas_%d", kernel->num_ctas);
    }
    if (kernel->max_registers) {
        strbuf_printf(&text, ", maxnreg=%d", kernel->max_registers);
        strbuf_printf(&name, "_registers_%d", kernel->max_registers);
    }
    kernel->config_text = arena_strdup(e->arena, strbuf_text(&text));
    kernel->config_name = arena_strdup(e->arena, strbuf_text(&name));
    strbuf_free(&text);
    strbuf_free(&name);
}

static struct kernel_param *find_param(struct kernel_instance *kernel, const char *name) {
    for (size_t j = 0; j < kernel->param_count; j++) {
        if (strcmp(kernel->params[j].name, name) == 0) {
            return &kernel->params[j];
        }
    }
    return NULL;
}

static bool has_no_param(struct emitter *e, const struct kernel_instance *kernel, const char *what,
                         const char *name, struct location location) {
    struct strbuf names = {0};
    struct nearest nearest = {.text = name};
    for (size_t j = 0; j < kernel->param_count; j++) {
        strbuf_printf(&names, "%s%s", j ? ", " : "", kernel->params[j].name);
        nearest_offer(&nearest, kernel->params[j].name);
    }
    emit_unknown(e, location, &nearest, "%s names %s, which is no parameter of %s: it has %s", what, name,
                 kernel->name, strbuf_text(&names));
    strbuf_free(&names);
    return false;
}

// A list of names of parameters in @triton.autotune: sets the flag of each named parameter. `arrays`: all have to be pointers; the error
// comes once, for the first configuration. False after an error.
static bool read_names(struct emitter *e, const struct expr *call, const char *what,
                       struct kernel_instance *kernel, size_t flag, bool arrays) {
    const struct expr *list = keyword_argument(call, what);
    list = list || arrays || call->call.args.count < 2 ? list : call->call.args.items[1];
    struct value names = list ? kernel_eval_quietly(e, kernel->callee->def, list) : value_error();
    for (size_t i = 0; value_is_sequence(names) && i < names.list.count; i++) {
        const char *name = value_text(e->arena, names.list.items[i]);
        struct kernel_param *param = find_param(kernel, name);
        if (!param && !language_has(e, LANGUAGE_AUTOTUNE_NAMES)) {
            continue;
        }
        if (!param) {
            return has_no_param(e, kernel, what, name, list->location);
        }
        *(bool *)((char *)param + flag) = true;
        bool is_array = !param->is_constant && dtype_is_pointer(param->dtype);
        if (arrays && !is_array && kernel->config == 0 && kernel->hints == 0) {
            emit_warning(e, list->location, "%s has no array \"%s\" that tuning could put back", kernel->name,
                         name);
        }
    }
    return true;
}

// The arguments of @triton.autotune beside its configurations.
static bool read_tuning(struct emitter *e, struct kernel_instance *kernel) {
    size_t from = 0;
    const struct expr *call = decorator_call(e, kernel->callee->def, TYPE_AUTOTUNE, &from);
    return !call ||
           (read_names(e, call, "key", kernel, offsetof(struct kernel_param, is_key), false) &&
            read_names(e, call, "reset_to_zero", kernel, offsetof(struct kernel_param, reset_to_zero),
                       true) &&
            read_names(e, call, "restore_value", kernel, offsetof(struct kernel_param, restore_value), true));
}

// True if the configuration has subnormal results kept, as an option of Triton's for NVIDIA's chips says.
static bool keeps_subnormals(struct emitter *e, struct value config) {
    const struct value *options = value_field(config, "options");
    const struct value *flush =
        options ? value_dict_get(*options, value_string(e->arena, "enable_reflect_ftz")) : NULL;
    return flush && flush->kind == VALUE_BOOL && !value_integer(*flush);
}

static bool read_setting(struct emitter *e, struct value v, const char *name, struct location location,
                         int *out) {
    int64_t number;
    if (!value_to_int(e, v, name, location, &number)) {
        return false;
    }
    if (number != (int)number) {
        emit_error(e, location, "%s is %lld, more than any chip has", name, (long long)number);
        return false;
    }
    *out = (int)number;
    return true;
}

// Applies prune_configs_by["early_config_prune"](configs, named_args). Returns all configurations if the
// function leaves none or needs values known only at a launch.
static struct value prune(struct emitter *e, const struct frontend_options *options,
                          struct kernel_instance *kernel, struct value configs) {
    size_t from = 0;
    const struct expr *call = decorator_call(e, kernel->callee->def, TYPE_AUTOTUNE, &from);
    const struct expr *by = call ? keyword_argument(call, "prune_configs_by") : NULL;
    struct value table = by ? kernel_eval_quietly(e, kernel->callee->def, by) : value_error();
    const struct value *early =
        table.kind == VALUE_DICT ? value_dict_get(table, value_string(e->arena, "early_config_prune")) : NULL;
    if (!early || !value_is_callable(*early)) {
        return configs;
    }
    struct value arguments[] = {configs, kernel_meta(e, options, kernel)};
    e->quiet++;
    struct value left = emit_call_function(e, *early, arguments, 2, by->location);
    e->quiet--;
    bool some = !value_failed(left) && value_is_sequence(left) && left.list.count;
    return some ? left : configs;
}

static bool has_hook(struct value config) {
    const struct value *hook = config.kind == VALUE_OBJECT ? value_field(config, "pre_hook") : NULL;
    return hook && !value_is_none(*hook);
}

// Warns about pre_hook: Triton calls it before each launch, often to clear a tensor the kernel accumulates
// into. Reported once, for the first configuration with a hook.
static void warn_of_hook(struct emitter *e, const struct frontend_options *options,
                         const struct kernel_instance *kernel, struct value_list configs, size_t index,
                         struct location location) {
    bool said = kernel->hints > 0;
    for (size_t i = 0; options->every_config && i < index && !said; i++) {
        said = has_hook(configs.items[i]);
    }
    if (has_hook(configs.items[index]) && !said) {
        emit_warning(
            e, location,
            "the pre_hook of %s runs on the host: what it does ahead of each launch is for the caller to do",
            kernel->name);
    }
}

// Reads one of the listed configurations.
static bool read_listed(struct emitter *e, const struct frontend_options *options,
                        struct kernel_instance *kernel, const struct expr *list, struct value configs,
                        int index, struct value *kwargs) {
    if ((size_t)index >= configs.list.count) {
        emit_usage(e, list->location, "--config %d: %s has configurations 0 to %zu", index, kernel->name,
                   configs.list.count - 1);
        return false;
    }
    struct value config = configs.list.items[index];
    if (config.kind != VALUE_OBJECT || config.object.class != CLASS_CONFIG) {
        emit_error(e, list->location, "configs is not a list of triton.Config");
        return false;
    }
    *kwargs = *value_field(config, "kwargs");
    struct value limit = *value_field(config, "maxnreg");
    if (kwargs->kind != VALUE_DICT) {
        emit_error(e, list->location,
                   "configuration %d of %s: triton.Config takes a dict of constants, not %s", index,
                   kernel->name, value_text(e->arena, *kwargs));
        return false;
    }
    if (!read_setting(e, *value_field(config, "num_warps"), "num_warps", list->location,
                      &kernel->num_warps) ||
        !read_setting(e, *value_field(config, "num_stages"), "num_stages", list->location,
                      &kernel->num_stages) ||
        !read_setting(e, *value_field(config, "num_ctas"), "num_ctas", list->location, &kernel->num_ctas) ||
        (!value_is_none(limit) &&
         !read_setting(e, limit, "maxnreg", list->location, &kernel->max_registers))) {
        return false;
    }
    kernel->keeps_subnormals |= keeps_subnormals(e, config);
    warn_of_hook(e, options, kernel, configs.list, (size_t)index, list->location);
    kernel->config = (unsigned)index;
    kernel->config_count = (unsigned)configs.list.count;
    return read_tuning(e, kernel);
}

bool kernel_read_config(struct emitter *e, const struct frontend_options *options,
                        struct kernel_instance *kernel, struct value *kwargs) {
    *kwargs = value_list_of(e->arena, NULL, 0);
    kwargs->kind = VALUE_DICT;
    int index = options->config < 0 ? 0 : options->config;
    const struct expr *list = find_configs(e, kernel->callee->def);
    if (!list) {
        if (options->config > 0) {
            emit_usage(e, kernel->location, "--config %d: %s has no @triton.autotune", options->config,
                       kernel->name);
        }
        return options->config <= 0;
    }
    // Configurations may depend on the host; the flags then give the constants.
    struct value configs = kernel_eval_quietly(e, kernel->callee->def, list);
    if (value_failed(configs)) {
        e->first_choice = true;
        configs = kernel_eval_quietly(e, kernel->callee->def, list);
        e->first_choice = false;
        if (!value_failed(configs)) {
            emit_warning(e, list->location,
                         "the configurations of %s depend on the host, whose first choices are taken; -D, "
                         "--num-warps and --num-stages count before them",
                         kernel->name);
        }
    }
    if (value_failed(configs) && index == 0) {
        emit_warning(
            e, list->location,
            "the configurations of %s depend on the host; -D, --num-warps and --num-stages count instead",
            kernel->name);
        return true;
    }
    if (value_failed(configs)) {
        kernel_eval(e, kernel->callee->def, list); // to report its errors
        return false;
    }
    if (value_is_sequence(configs) && configs.list.count == 0 && index == 0) {
        return read_tuning(e, kernel); // one configuration of defaults
    }
    if (!value_is_sequence(configs) || configs.list.count == 0) {
        emit_error(e, list->location, "configs is not a list of triton.Config");
        return false;
    }
    configs = kernel_add_named(e, options, kernel, prune(e, options, kernel, configs));
    return read_listed(e, options, kernel, list, configs, index, kwargs);
}

// Names accepted in a launch beside the parameters: Triton's options without a meaning for tkc.
static const char *const other_options[] = {
    "waves_per_eu", "matrix_instr_nonkdim",    "kpack",      "enable_fp_fusion",   "allow_flush_denorm",
    "debug",        "launch_cooperative_grid", "launch_pdl", "enable_reflect_ftz", "sanitize_overflow"};

// A heuristic for a setting of the launch; the command line overrides it. It is left out if only a launch can answer it. False if the name
// is no setting.
static bool settle_launch(struct emitter *e, const struct frontend_options *options,
                          struct kernel_instance *kernel, const char *name, struct value function,
                          struct location location, bool *ok) {
    const struct {
        const char *name;
        int asked, *setting;
    } settings[] = {{"num_warps", options->num_warps, &kernel->num_warps},
                    {"num_stages", options->num_stages, &kernel->num_stages},
                    {"num_ctas", options->num_ctas, &kernel->num_ctas},
                    {"maxnreg", options->max_registers, &kernel->max_registers}};
    for (size_t i = 0; i < sizeof other_options / sizeof *other_options; i++) {
        if (strcmp(other_options[i], name) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (strcmp(settings[i].name, name) != 0) {
            continue;
        }
        struct value meta = kernel_meta(e, options, kernel);
        e->quiet++;
        struct value v = emit_call_function(e, function, &meta, 1, location);
        e->quiet--;
        if (settings[i].asked) {
            return true;
        }
        if (value_failed(v) || v.kind == VALUE_SYMBOL) {
            emit_warning(e, location, "the heuristic for %s depends on run-time arguments: %d is taken", name,
                         *settings[i].setting);
            return true;
        }
        *ok = read_setting(e, v, name, location, settings[i].setting);
        return true;
    }
    return false;
}

// Applies one @triton.heuristics: functions of the arguments, with constant results.
static bool apply_heuristic(struct emitter *e, const struct frontend_options *options,
                            struct kernel_instance *kernel, const bool *settled, const struct expr *values) {
    struct value table = kernel_eval_quietly(e, kernel->callee->def, values);
    if (value_failed(table)) {
        emit_warning(e, values->location, "the heuristics of %s depend on the host; -D counts instead",
                     kernel->name);
        return true;
    }
    if (table.kind != VALUE_DICT) {
        emit_error(e, values->location, "the heuristics of %s are not a dict", kernel->name);
        return false;
    }
    for (size_t i = 0; i + 1 < table.list.count; i += 2) {
        const char *name = value_text(e->arena, table.list.items[i]);
        struct kernel_param *param = find_param(kernel, name);
        struct value function = table.list.items[i + 1];
        bool ok = true;
        if (!param && settle_launch(e, options, kernel, name, function, values->location, &ok)) {
            if (!ok) {
                return false;
            }
            continue;
        }
        if (!param) {
            return has_no_param(e, kernel, "a heuristic", name, values->location);
        }
        if (!settled[param - kernel->params]) {
            struct value meta = kernel_meta(e, options, kernel);
            struct value v = emit_call_function(e, function, &meta, 1, values->location);
            if (v.kind == VALUE_SYMBOL) {
                emit_error(e, param->location,
                           "the heuristic for %s depends on run-time arguments; give -D %s=…", name, name);
                return false;
            }
            if (value_failed(v)) {
                diag_note(e->diag, param->location, "needed for %s; or give -D %s=…", name, name);
                return false;
            }
            kernel_set_constant(param, v);
        }
    }
    return true;
}

bool kernel_apply_heuristics(struct emitter *e, const struct frontend_options *options,
                             struct kernel_instance *kernel, const bool *settled) {
    size_t from = 0;
    const struct expr *call;
    bool ok = true;
    while (ok && (call = decorator_call(e, kernel->callee->def, TYPE_HEURISTICS, &from))) {
        const struct expr *values = call_argument(call, "values");
        ok = !values || apply_heuristic(e, options, kernel, settled, values);
    }
    return ok;
}

bool kernel_check_specialised(struct emitter *e, const struct kernel_instance *kernel) {
    static const char *const lists[] = {"do_not_specialize", "do_not_specialize_on_alignment"};
    size_t from = 0;
    const struct expr *jit = decorator_call(e, kernel->callee->def, TYPE_JIT, &from);
    for (size_t i = 0; jit && i < sizeof lists / sizeof *lists; i++) {
        const struct expr *named = keyword_argument(jit, lists[i]);
        struct value names = named ? kernel_eval_quietly(e, kernel->callee->def, named) : value_none();
        for (size_t j = 0; value_is_sequence(names) && j < names.list.count; j++) {
            struct value name = names.list.items[j];
            for (size_t k = 0; k < kernel->param_count; k++) {
                const struct kernel_param *param = &kernel->params[k];
                if (param->is_constant && (value_equal(name, value_string(e->arena, param->name)) ||
                                           value_equal(name, value_int((wide_int)k)))) {
                    emit_error(e, param->location,
                               "%s marked as constexpr and listed in %s: leave one of the two out",
                               param->name, lists[i]);
                    return false;
                }
            }
        }
    }
    return true;
}

void kernel_apply_config(struct emitter *e, struct value kwargs, struct kernel_instance *kernel,
                         bool *settled) {
    for (size_t j = 0; j < kernel->param_count; j++) {
        const struct value *v = value_dict_get(kwargs, value_string(e->arena, kernel->params[j].name));
        if (v && !settled[j]) {
            kernel_set_constant(&kernel->params[j], *v);
            settled[j] = true;
        }
    }
}
