// The values of --arg: NAME=GENERATOR(…):DTYPE, NAME=FILE.npy[:DTYPE], NAME=NUMBER[:DTYPE],
//
// or NAME=OTHER or OTHER[FROM:TO], elements of another argument's array.
//
//   zeros(d…)  ones(d…)  full(v, d…)  arange(d…)  empty(d…)          d…: dimensions
//   rand(d…) in [0, 1)   randn(d…) normal   randint(low, high, d…)   with seed=N
//
// addresses(ARRAY) is such an array on each rank, and their addresses; rank() the number of the rank.
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = RUN_DIMENSIONS + 2 };

struct call {
    char name[16];
    double numbers[NUMBERS];
    unsigned count;
    uint64_t seed;
};

static uint64_t random_next(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static double random_unit(uint64_t *state) {
    return (double)(random_next(state) >> 11) * 0x1p-53;
}
static double random_normal(uint64_t *state) { // Box and Muller
    double u = 1 - random_unit(state), v = random_unit(state);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static char *parse_call(const char *text, struct call *call) {
    const char *open = strchr(text, '(');
    size_t length = (size_t)(open - text);
    if (length >= sizeof call->name) {
        return message("unknown generator '%.*s'", (int)length, text);
    }
    memcpy(call->name, text, length);
    call->name[length] = 0;
    const char *at = open + 1 + strspn(open + 1, " ");
    while (*at && *at != ')') {
        char *end;
        if (!strncmp(at, "seed=", 5)) {
            call->seed = strtoull(at + 5, &end, 0);
            at += 5;
        } else {
            if (call->count == NUMBERS) {
                return message("%s: at most %d numbers", call->name, NUMBERS);
            }
            call->numbers[call->count++] = strtod(at, &end);
        }
        if (end == at) {
            return message("%s: expected a number at '%s'", call->name, at);
        }
        at = end + strspn(end, " ");
        if (*at == ',') {
            at += 1 + strspn(at + 1, " ");
        } else if (*at != ')') {
            return message("%s: expected ',' or ')' at '%s'", call->name, at);
        }
    }
    return *at == ')' && !at[1] ? NULL : message("%s: the closing ')' is missing", call->name);
}

static void fill(struct array *array, const struct call *call, double a, double b) {
    uint64_t state = call->seed * 0x2545f4914f6cdd1du + 1;
    for (size_t i = 0; i < array->count; i++) {
        if (!strcmp(call->name, "rand")) {
            array_set(array, i, random_unit(&state));
        } else if (!strcmp(call->name, "randn")) {
            array_set(array, i, random_normal(&state));
        } else if (!strcmp(call->name, "randint")) {
            array_set_integer(array, i, (int64_t)(a + floor(random_unit(&state) * (b - a))));
        } else if (!strcmp(call->name, "arange")) {
            array_set_integer(array, i, (int64_t)i);
        } else if (!strcmp(call->name, "ones")) {
            array_set(array, i, 1);
        } else if (!strcmp(call->name, "full")) {
            array_set(array, i, a);
        }
    }
}

static char *generate(const char *text, const struct element_type *dtype, uint64_t seed, unsigned ranks,
                      struct array *array) {
    static const struct {
        const char *name;
        unsigned skip; // numbers before the dimensions
    } generators[] = {{"zeros", 0}, {"ones", 0}, {"full", 1},  {"arange", 0},
                      {"empty", 0}, {"rand", 0}, {"randn", 0}, {"randint", 2}};
    struct call call = {.seed = seed};
    char *error = parse_call(text, &call);
    if (error) {
        return error;
    }
    for (unsigned i = 0; i < sizeof generators / sizeof *generators; i++) {
        if (strcmp(call.name, generators[i].name)) {
            continue;
        }
        unsigned skip = generators[i].skip, outer = ranks > 1;
        size_t dimensions[RUN_DIMENSIONS] = {ranks};
        if (call.count <= skip || call.count - skip + outer > RUN_DIMENSIONS) {
            return message("%s needs %s1 to %u dimensions", call.name, skip ? "its values and " : "",
                           RUN_DIMENSIONS - outer);
        }
        for (unsigned j = skip; j < call.count; j++) {
            if (call.numbers[j] < 0 || call.numbers[j] != floor(call.numbers[j])) {
                return message("%s: %g is no dimension", call.name, call.numbers[j]);
            }
            if (call.numbers[j] > 0x1p40) {
                return message("%s: the array is too large", call.name);
            }
            dimensions[j - skip + outer] = (size_t)call.numbers[j];
        }
        if (!array_create(array, dtype, dimensions, call.count - skip + outer)) {
            return message("%s: the array is too large", call.name);
        }
        array->empty = !strcmp(call.name, "empty");
        fill(array, &call, call.numbers[0], call.numbers[1]);
        if (array->empty) {
            memset(array->data, 0xff, array_bytes(array));
        }
        return NULL;
    }
    return message("unknown generator '%s'; there are zeros, ones, full, arange, empty, rand, randn, randint",
                   call.name);
}

static char *parse_scalar(const char *value, struct run_argument *argument) {
    char *end;
    if (!strcmp(value, "True") || !strcmp(value, "False")) {
        argument->is_integer = true;
        argument->integer = value[0] == 'T';
        argument->number = (double)argument->integer;
        return NULL;
    }
    errno = 0;
    argument->integer = strtoll(value, &end, 0);
    if (errno == ERANGE && value[0] != '-') {
        errno = 0;
        argument->integer = (int64_t)strtoull(value, &end, 0);
        argument->is_large = true;
    }
    if (end != value && !*end) {
        if (errno == ERANGE) {
            return message("%s is beyond 64 bits", value);
        }
        argument->is_integer = true;
        argument->number =
            argument->is_large ? (double)(uint64_t)argument->integer : (double)argument->integer;
        return NULL;
    }
    argument->number = strtod(value, &end);
    if (end == value || *end) {
        return message("'%s' is no number, no generator and no .npy file", value);
    }
    argument->integer = (int64_t)argument->number;
    return NULL;
}

// OTHER or OTHER[FROM:TO], either number left out. False: something else.
static bool parse_part(const char *text, struct run_argument *argument) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    const char *at = text + length;
    char *end;
    strtod(text, &end);
    if (!length || (text[0] >= '0' && text[0] <= '9') || (*end == 0 && end != text) ||
        !strcmp(text, "True") || !strcmp(text, "False")) {
        return false;
    }
    argument->first = 0;
    argument->last = SIZE_MAX;
    if (*at == '[') {
        argument->first = strtoull(at + 1, &end, 10);
        at = *end == ':' ? end + 1 : "";
        argument->last = *at == ']' ? SIZE_MAX : strtoull(at, &end, 10);
        at = *at == ']' ? at + 1 : *end == ']' ? end + 1 : "?";
    }
    if (*at) {
        return false;
    }
    argument->of = strndup(text, length);
    argument->is_array = true;
    return true;
}

char *argument_resolve(struct run_argument *arguments, unsigned count, struct run_argument *argument) {
    struct run_argument *base = NULL;
    for (unsigned i = 0; i < count && !base; i++) {
        base = strcmp(arguments[i].name, argument->of) == 0 ? &arguments[i] : NULL;
    }
    if (!base || !base->is_array || base->of) {
        return message("argument '%s': '%s' is no array of its own", argument->name, argument->of);
    }
    const struct array *whole = &base->array;
    bool all = argument->first == 0 && argument->last == SIZE_MAX;
    size_t last = argument->last == SIZE_MAX ? whole->count : argument->last;
    if (argument->first > last || last > whole->count) {
        return message("argument '%s': '%s' has %zu elements, not %zu to %zu", argument->name, argument->of,
                       whole->count, argument->first, last);
    }
    argument->base = base;
    argument->array = *whole;
    if (!all) {
        argument->array.rank = 1;
        argument->array.count = argument->array.dimensions[0] = last - argument->first;
        argument->array.data = (char *)whole->data + argument->first * (whole->dtype->bits / 8);
    }
    return NULL;
}

// Takes the text within "addresses(…)"; false if the value is something else.
static bool parse_addresses(char *value, struct run_argument *argument) {
    static const char head[] = "addresses(";
    size_t length = strlen(value), before = sizeof head - 1;
    if (strncmp(value, head, before) || length == before || value[length - 1] != ')') {
        return false;
    }
    memmove(value, value + before, length - before - 1);
    value[length - before - 1] = 0;
    argument->addresses = true;
    return true;
}

static char *read_array(const char *value, const struct element_type *dtype, uint64_t seed, unsigned ranks,
                        struct run_argument *argument) {
    if (!argument->file) {
        return generate(value, dtype, seed, ranks, &argument->array);
    }
    char *error = npy_read(value, dtype, &argument->array);
    if (!error && ranks > 1 && (argument->array.rank == 0 || argument->array.dimensions[0] != ranks)) {
        error = message("%s needs a first dimension of %u, one array for each rank", value, ranks);
    }
    return error;
}

char *argument_parse(const char *text, uint64_t seed, unsigned ranks, struct run_argument *argument) {
    memset(argument, 0, sizeof *argument);
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return message("--arg %s: expected NAME=VALUE", text);
    }
    argument->name = strndup(text, (size_t)(equals - text));
    char *value = strdup(equals + 1), *colon = strrchr(value, ':'), *error = NULL;
    const struct element_type *dtype = NULL;
    if (!strcmp(value, "rank()")) {
        argument->is_rank = argument->is_integer = true;
        free(value);
        return NULL;
    }
    if (parse_part(value, argument)) {
        free(value);
        bool whole = argument->first == 0 && argument->last == SIZE_MAX; // each rank's own
        return ranks > 1 && !whole ? message("argument '%s': with several ranks an argument is no part of "
                                             "another one, but all of it",
                                             argument->name)
                                   : NULL;
    }
    if (colon) {
        dtype = element_type_find(colon + 1, strlen(colon + 1));
        if (!dtype) {
            error = message("unknown element type '%s'", colon + 1);
        }
        *colon = 0;
    }
    parse_addresses(value, argument);
    size_t length = strlen(value);
    bool file = length > 4 && !strcmp(value + length - 4, ".npy");
    if (!error && (file || strchr(value, '('))) {
        argument->is_array = true;
        if (!file && !dtype) {
            error = message("an element type is missing: %s:fp32", value);
        }
        argument->file = file ? strdup(value) : NULL;
        if (!error) {
            error = read_array(value, dtype, seed, ranks, argument);
        }
    } else if (!error) {
        argument->dtype = dtype;
        error = parse_scalar(value, argument);
    }
    free(value);
    if (!error) {
        return NULL;
    }
    char *whole = message("argument '%s': %s", argument->name, error);
    free(error);
    return whole;
}

void argument_free(struct run_argument *argument) {
    free(argument->name);
    free(argument->file);
    free(argument->of);
    if (!argument->base) {
        array_free(&argument->array);
    }
}
