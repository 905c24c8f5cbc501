// Parses a command line by its table.
#include "command/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/diag.h"
#include "support/memory.h"
#include "support/nearest.h"

// ---- errors ----

static bool error_list(const struct option_table *table, FILE *errors, const char *format, va_list args) {
    fprintf(errors, "%s: ", table->tool);
    vfprintf(errors, format, args);
    fprintf(errors, " (%s --help lists the options)\n", table->tool);
    return false;
}

bool options_error(const struct option_table *table, FILE *errors, const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_list(table, errors, format, args);
    va_end(args);
    return false;
}

bool option_error(const struct option_use *use, const char *format, ...) {
    va_list args;
    va_start(args, format);
    error_list(use->table, use->errors, format, args);
    va_end(args);
    return false;
}

// ---- storing ----

static void *field(const struct option_use *use) {
    return (char *)use->settings + use->row->field;
}

static char *copy_text(const char *text, size_t length) {
    char *copy = strndup(text, length);
    if (!copy) {
        out_of_memory(length);
    }
    return copy;
}

// A list in the settings, with items of any type.
struct list {
    void *items;
    size_t count;
};

static struct list list_of(const struct option *row, const void *settings) {
    struct list list;
    memcpy(&list.items, (const char *)settings + row->field, sizeof list.items);
    memcpy(&list.count, (const char *)settings + row->count, sizeof list.count);
    return list;
}

static void set_list(const struct option *row, void *settings, struct list list) {
    memcpy((char *)settings + row->field, &list.items, sizeof list.items);
    memcpy((char *)settings + row->count, &list.count, sizeof list.count);
}

static void append(const struct option_use *use, const void *item, size_t size) {
    struct list list = list_of(use->row, use->settings);
    list.items = realloc(list.items, (list.count + 1) * size);
    if (!list.items) {
        out_of_memory((list.count + 1) * size);
    }
    memcpy((char *)list.items + list.count++ * size, item, size);
    set_list(use->row, use->settings, list);
}

static bool add_commas(const struct option_use *use) {
    const char *text = use->value;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!length) {
            return option_error(use, "%s wants names separated by commas, not \"%s\"", use->name, use->value);
        }
        char *part = copy_text(text, length);
        append(use, &part, sizeof part);
        if (!text[length]) {
            return true;
        }
        text += length + 1;
    }
}

static bool add_define(const struct option_use *use) {
    const char *equals = strchr(use->value, '=');
    if (!equals || equals == use->value || !equals[1]) {
        return option_error(use, "%s wants %s, not \"%s\"", use->name, use->row->argument, use->value);
    }
    struct tkc_define define = {copy_text(use->value, (size_t)(equals - use->value)), equals + 1};
    struct list before = list_of(use->row, use->settings);
    append(use, &define, sizeof define);
    for (size_t i = 0; i < before.count; i++) {
        const struct tkc_define *other =
            (const struct tkc_define *)list_of(use->row, use->settings).items + i;
        if (strcmp(other->name, define.name) == 0 && strcmp(other->value, define.value) != 0) {
            return option_error(use, "%s %s is given twice: \"%s\" and \"%s\"", use->name, define.name,
                                other->value, define.value);
        }
    }
    return true;
}

// An option given twice with different values is an error: no value is dropped silently.
static bool store_text(const struct option_use *use) {
    const char **text = field(use);
    if (*text && strcmp(*text, use->value) != 0) {
        return option_error(use, "%s is given twice: \"%s\" and \"%s\"", use->name, *text, use->value);
    }
    *text = use->value;
    return true;
}

static bool store_number(const struct option_use *use) {
    const struct option *row = use->row;
    static const long long limits[] = {
        [OPTION_INT] = INT32_MAX, [OPTION_UNSIGNED] = UINT32_MAX, [OPTION_SIZE] = INT64_MAX};
    long long high = row->high < limits[row->kind] ? row->high : limits[row->kind];
    char *end;
    errno = 0;
    long long value = strtoll(use->value, &end, 10);
    if (end == use->value || *end || errno || value < row->low || value > high) {
        if (row->high == INT64_MAX && errno != ERANGE && value <= high) {
            return option_error(use, "%s wants a number of at least %lld, not \"%s\"", use->name, row->low,
                                use->value);
        }
        return option_error(use, "%s wants a number from %lld to %lld, not \"%s\"", use->name, row->low, high,
                            use->value);
    }
    if (row->kind == OPTION_INT) {
        *(int *)field(use) = (int)value;
    } else if (row->kind == OPTION_UNSIGNED) {
        *(unsigned *)field(use) = (unsigned)value;
    } else {
        *(unsigned long *)field(use) = (unsigned long)value;
    }
    return true;
}

static bool store_real(const struct option_use *use) {
    char *end;
    double value = strtod(use->value, &end);
    const struct option *row = use->row;
    bool bounded = row->high < INT64_MAX;
    if (end == use->value || *end || !(value >= (double)row->low) || (bounded && value > (double)row->high)) {
        return bounded ? option_error(use, "%s wants a number from %lld to %lld, not \"%s\"", use->name,
                                      row->low, row->high, use->value)
                       : option_error(use, "%s wants a number of at least %lld, not \"%s\"", use->name,
                                      row->low, use->value);
    }
    *(double *)field(use) = value;
    return true;
}

static bool store_flag(const struct option_use *use) {
    const char *words = use->row->argument;
    size_t first = words ? strcspn(words, "|") : 0;
    bool on = !words || (strlen(use->value) == first && strncmp(use->value, words, first) == 0);
    if (!on && strcmp(use->value, words + first + 1) != 0) {
        return option_error(use, "%s wants %.*s or %s, not \"%s\"", use->name, (int)first, words,
                            words + first + 1, use->value);
    }
    *(bool *)field(use) = on;
    return true;
}

static bool store(const struct option_use *use) {
    if (use->row->take && !use->row->take(use)) {
        return false;
    }
    switch (use->row->kind) {
    case OPTION_GROUP:
    case OPTION_OPERAND:
    case OPTION_OPERANDS:
    case OPTION_CALL:
        return true;
    case OPTION_SET:
        *(int *)field(use) = (int)use->row->low;
        return true;
    case OPTION_FLAG:
        return store_flag(use);
    case OPTION_TEXT:
        return store_text(use);
    case OPTION_INT:
    case OPTION_UNSIGNED:
    case OPTION_SIZE:
        return store_number(use);
    case OPTION_REAL:
        return store_real(use);
    case OPTION_LIST:
        append(use, &use->value, sizeof use->value);
        return true;
    case OPTION_COMMAS:
        return add_commas(use);
    case OPTION_DEFINES:
        return add_define(use);
    }
    return false;
}

void options_free(const struct option_table *table, void *settings) {
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (row->kind != OPTION_LIST && row->kind != OPTION_OPERANDS && row->kind != OPTION_COMMAS &&
            row->kind != OPTION_DEFINES) {
            continue;
        }
        struct list list = list_of(row, settings);
        for (size_t i = 0; i < list.count; i++) {
            if (row->kind == OPTION_COMMAS) {
                free(((char **)list.items)[i]);
            } else if (row->kind == OPTION_DEFINES) {
                free((char *)((struct tkc_define *)list.items)[i].name);
            }
        }
        free(list.items);
        set_list(row, settings, (struct list){0});
    }
}

// ---- lookup ----

// "[=REGEX]": without an attached value the option has the value "".
static bool is_optional(const struct option *row) {
    return row->argument && row->argument[0] == '[';
}

// The row for one argument; *value is set if the value is attached (--name=value, -xvalue).
static const struct option *find_row(const struct option_table *table, const char *text, const char **value) {
    const struct option *rows = table->rows, *end = rows + table->row_count;
    bool is_long = text[1] == '-';
    const char *name = text + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : strlen(name);
    *value = NULL;
    for (const struct option *row = rows; row < end; row++) {
        const char *row_name = is_long ? row->long_name : row->short_name;
        if (row_name && strlen(row_name) == length && strncmp(row_name, name, length) == 0) {
            *value = name[length] ? name + length + 1 : NULL;
            return row;
        }
    }
    // A long name behind one dash, as other compilers have it: -save-temps is no -s.
    for (const struct option *row = rows; !is_long && row < end; row++) {
        size_t size = row->long_name ? strlen(row->long_name) : 0;
        if (size > 2 && strncmp(row->long_name, name, size) == 0 && (!name[size] || name[size] == '=')) {
            *value = name[size] ? name + size + 1 : NULL;
            return row;
        }
    }
    for (const struct option *row = rows; !is_long && row < end; row++) {
        if (row->short_name && row->argument && !row->short_name[1] && row->short_name[0] == name[0]) {
            *value = name + 1;
            return row;
        }
    }
    return NULL;
}

static bool unknown(const struct option_table *table, const char *text, FILE *errors) {
    char name[64];
    const char *start = text + (text[1] == '-' ? 2 : 1);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    struct nearest nearest = {.text = name};
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (row->long_name) {
            nearest_offer(&nearest, row->long_name);
        }
    }
    return nearest.name
               ? options_error(table, errors, "unknown option \"%s\"; did you mean --%s?", text, nearest.name)
               : options_error(table, errors, "unknown option \"%s\"", text);
}

// Operands fill their rows in order.
static bool take_operand(const struct option_table *table, void *settings, const char *text, FILE *errors) {
    const struct option *last = NULL;
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (row->kind == OPTION_OPERANDS && *text) {
            append(&(struct option_use){table, row, NULL, text, settings, errors}, &text, sizeof text);
            return true;
        }
        if (row->kind != OPTION_OPERAND && row->kind != OPTION_OPERANDS) {
            continue;
        }
        const char **operand = (const char **)((char *)settings + row->field);
        if (!*text) {
            return options_error(table, errors, "the name of the %s is empty", row->help);
        }
        if (!*operand) {
            *operand = text;
            return true;
        }
        last = row;
    }
    return last ? options_error(table, errors, "one %s at a time: \"%s\" and \"%s\"", last->help,
                                *(const char **)((char *)settings + last->field), text)
                : options_error(table, errors, "\"%s\" is no option", text);
}

static bool take_option(const struct option_table *table, void *settings, int argc, char *const *argv,
                        int *index, FILE *errors) {
    const char *text = argv[*index], *value;
    const struct option *row = find_row(table, text, &value);
    if (!row) {
        return unknown(table, text, errors);
    }
    char name[64];
    snprintf(name, sizeof name, row->long_name ? "--%s" : "-%s",
             row->long_name ? row->long_name : row->short_name);
    if (!row->argument && value) {
        return options_error(table, errors, "%s takes no value", name);
    }
    if (is_optional(row) && !value) {
        value = "";
    } else if (row->argument && !value) {
        if (*index + 1 >= argc) {
            return options_error(table, errors, "%s wants %s", text, row->argument);
        }
        value = argv[++*index];
    }
    return store(&(struct option_use){table, row, name, value, settings, errors});
}

bool options_parse(const struct option_table *table, void *settings, int argc, char *const *argv,
                   FILE *errors) {
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = true;
            continue;
        }
        bool good = ended || argv[i][0] != '-' || !argv[i][1]
                        ? take_operand(table, settings, argv[i], errors)
                        : take_option(table, settings, argc, argv, &i, errors);
        if (!good) {
            return false;
        }
    }
    return true;
}

// ---- help ----

enum { HELP_COLUMN = 30 };

static void print_row(FILE *out, const struct option *row) {
    int width = 0;
    if (row->kind == OPTION_GROUP) {
        fprintf(out, "\n%s:\n", row->help);
        return;
    }
    if (row->short_name) {
        width += fprintf(out, row->long_name ? "  -%s, " : "  -%s", row->short_name);
    } else {
        width += fprintf(out, "      ");
    }
    if (row->long_name) {
        width += fprintf(out, "--%s", row->long_name);
    }
    if (row->argument) {
        const char *between = is_optional(row) ? "" : row->long_name ? "=" : " ";
        width += fprintf(out, "%s%s", between, row->argument);
    }
    if (width > HELP_COLUMN - 2) {
        fputc('\n', out);
        width = 0;
    }
    fprintf(out, "%*s%s\n", HELP_COLUMN - width, "", row->help);
}

void options_help(const struct option_table *table, FILE *out) {
    fputs(table->about, out);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (row->kind != OPTION_OPERAND && row->kind != OPTION_OPERANDS) {
            print_row(out, row);
        }
    }
    if (table->notes) {
        fprintf(out, "\n%s", table->notes);
    }
}
