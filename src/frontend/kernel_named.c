// Configurations named in a file of choices but not listed by @triton.autotune, as found by tuning. If all
// values are integers, a configuration's name (kernel_name_config) determines it: it has the keys of the
// listed ones, in their order.
//
//   BLOCK_M_64_BLOCK_N_256_BLOCK_K_64_warps_8_stages_3
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/kernel.h"

// The text after `word` and an underscore; NULL if it starts otherwise.
static const char *skip_word(const char *text, const char *word) {
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && text[length] == '_' ? text + length + 1 : NULL;
}

// Reads an integer in the form of kernel_add_identifier. Returns the text after it; NULL: no integer.
static const char *read_number(const char *text, int *number) {
    bool negative = *text == 'm';
    const char *digits = text + negative;
    char *end;
    if (!isdigit((unsigned char)*digits) || strlen(digits) > 200) {
        return NULL;
    }
    long value = strtol(digits, &end, 10);
    if (value > 1 << 30 || (*end && *end != '_')) {
        return NULL;
    }
    *number = negative ? (int)-value : (int)value;
    return *end ? end + 1 : end;
}

// Reads one setting of "warps_4_stages_3": the number after its name, or `without` if the name is absent.
static bool read_setting(const char **text, const char *name, int without, int *number) {
    const char *at = skip_word(*text, name);
    *number = without;
    if (at) {
        at = read_number(at, number);
        *text = at;
    }
    return at || without >= 0;
}

static struct value copied(struct arena *arena, struct value v) {
    struct value_list parts = value_parts(v);
    struct value *items = ARENA_ARRAY(arena, struct value, parts.count + 1);
    memcpy(items, parts.items, parts.count * sizeof *items);
    parts.items = items;
    return value_with_parts(v, parts);
}

// A field of a copied configuration, to be changed.
static struct value *field_of(struct value config, const char *name) {
    return (struct value *)value_field(config, name);
}

// A configuration like `like` with the values in `text`. VALUE_ERROR: the text names no such configuration.
static struct value read_named(struct arena *arena, struct value like, const char *text) {
    struct value made = copied(arena, like);
    struct value *kwargs = field_of(made, "kwargs");
    if (!kwargs || kwargs->kind != VALUE_DICT) {
        return value_error();
    }
    *kwargs = copied(arena, *kwargs);
    for (size_t i = 0; i + 1 < kwargs->list.count; i += 2) {
        struct strbuf key = {0};
        int number = 0;
        kernel_add_identifier(&key, value_text(arena, kwargs->list.items[i]));
        text = skip_word(text, strbuf_text(&key));
        strbuf_free(&key);
        text = text ? read_number(text, &number) : NULL;
        if (!text || !value_is_integral(kwargs->list.items[i + 1])) {
            return value_error();
        }
        kwargs->list.items[i + 1] = value_int(number);
    }
    static const struct {
        const char *name, *field;
        int without;
    } settings[] = {{"warps", "num_warps", -1},
                    {"stages", "num_stages", -1},
                    {"ctas", "num_ctas", 1},
                    {"registers", "maxnreg", 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int number;
        if (!read_setting(&text, settings[i].name, settings[i].without, &number)) {
            return value_error();
        }
        bool none = i == 3 && number == 0;
        *field_of(made, settings[i].field) = none ? value_none() : value_int(number);
    }
    return made;
}

static bool same_config(struct value a, struct value b) {
    static const char *const fields[] = {"num_warps", "num_stages", "num_ctas", "maxnreg"};
    if (a.kind != VALUE_OBJECT || a.object.class != CLASS_CONFIG) {
        return false;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!value_equal(*value_field(a, fields[i]), *value_field(b, fields[i]))) {
            return false;
        }
    }
    struct value_list x = value_parts(*value_field(a, "kwargs")), y = value_parts(*value_field(b, "kwargs"));
    bool same = x.count == y.count;
    for (size_t i = 0; i < x.count && same; i++) {
        same = value_equal(x.items[i], y.items[i]);
    }
    return same;
}

static bool is_listed(struct value configs, struct value config) {
    for (size_t i = 0; i < configs.list.count; i++) {
        if (same_config(configs.list.items[i], config)) {
            return true;
        }
    }
    return false;
}

struct value kernel_add_named(struct emitter *e, const struct frontend_options *options,
                              const struct kernel_instance *kernel, struct value configs) {
    struct value *items = ARENA_ARRAY(e->arena, struct value, configs.list.count + options->named_count + 1);
    memcpy(items, configs.list.items, configs.list.count * sizeof *items);
    configs.list.items = items;
    for (size_t i = 0; i < options->named_count; i++) {
        const struct frontend_named *named = &options->named[i];
        if (strcmp(named->function, kernel->callee->def->name) != 0 || items[0].kind != VALUE_OBJECT ||
            items[0].object.class != CLASS_CONFIG) {
            continue;
        }
        struct value config = read_named(e->arena, items[0], named->config);
        if (!value_failed(config) && !is_listed(configs, config)) {
            items[configs.list.count++] = config;
        }
    }
    return configs;
}
