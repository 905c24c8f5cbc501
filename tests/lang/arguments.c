// Arguments of language tests: random inputs by seed, poisoned outputs between guard zones, and the verdict.
#include "lang.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, POISON = 0xFF, GUARD_BYTE = 0xA5 };

unsigned element_bytes(enum element element) {
    static const unsigned char bytes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 1, 1, 1, 1, 1};
    return bytes[element];
}

bool element_is_real(enum element element) {
    return element >= F16;
}

// One step of splitmix64 over a counter.
uint64_t lang_hash(uint64_t seed, uint64_t stream, uint64_t index) {
    uint64_t x = seed ^ stream * 0xD1342543DE82EF95u;
    x += (index + 1) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint64_t load(const void *data, unsigned bytes, size_t index) {
    switch (bytes) {
    case 1:
        return ((const uint8_t *)data)[index];
    case 2:
        return ((const uint16_t *)data)[index];
    case 4:
        return ((const uint32_t *)data)[index];
    default:
        return ((const uint64_t *)data)[index];
    }
}

static void save(void *data, unsigned bytes, size_t index, uint64_t value) {
    memcpy((char *)data + index * bytes, &value, bytes);
}

static int64_t extend(enum element element, uint64_t value) {
    switch (element) {
    case I1:
        return value & 1;
    case I8:
        return (int8_t)value;
    case I16:
        return (int16_t)value;
    case I32:
        return (int32_t)value;
    default:
        return (int64_t)value;
    }
}

static double number_of(enum element element, uint64_t code) {
    if (element_is_real(element)) {
        return float_decode(element, code);
    }
    return element == U64 ? (double)code : (double)extend(element, code);
}

static uint64_t encode(enum element element, double value) {
    if (element == I1) {
        return value != 0;
    }
    return element_is_real(element) ? float_encode(element, value, false) : (uint64_t)(int64_t)value;
}

// Integers at the ends of their type, and beside powers of two.
static uint64_t hostile_integer(enum element element, uint64_t random) {
    unsigned width = 8 * element_bytes(element);
    uint64_t top = UINT64_C(1) << (width - 1), power = UINT64_C(1) << (random >> 8) % width;
    const uint64_t some[] = {0,       1,     ~UINT64_C(0), top,       top - 1,
                             top + 1, power, power - 1,    0 - power, random >> 16};
    uint64_t value = some[random % (sizeof some / sizeof *some)];
    return element == I1 ? value & 1 : value;
}

// Reals in stretches of a kind each, so that sums meet their like: ordinary, nearly opposite, near the largest
// number (of both signs, or of one), subnormal, anything finite, zeros and ones. A few are NaN or infinite.
static double hostile_real(const struct lang_argument *a, uint64_t random, size_t index) {
    enum { STRETCH = 128, RARE = 400 };
    uint64_t kind = lang_hash((uint64_t)a->low, a->element, index / STRETCH) % 8;
    double largest = a->element == F16 ? 65504 : a->element == F64 ? 0x1p1023 : 0x1p127;
    double least = a->element == F16 ? 0x1p-24 : a->element == F64 ? 0x1p-1074 : 0x1p-149;
    double fraction = (double)(random >> 40) * 0x1p-24, sign = random & 1 ? -1 : 1;
    if ((random >> 1) % RARE < 3) {
        return (random >> 1) % RARE ? sign * INFINITY : NAN;
    }
    switch (kind) {
    case 0:
    case 1:
        return sign * (1 + fraction) * exp2((double)((random >> 10) % 7) - 3);
    case 2:
        return sign * 3000 + fraction;
    case 3:
        return sign * largest * (0.25 + 0.75 * fraction);
    case 4:
        return largest * (0.25 + 0.75 * fraction);
    case 5:
        return sign * least * floor(fraction * 2000);
    case 6:
        return sign * exp2(log2(least) + fraction * (log2(largest) - log2(least)));
    default:
        return sign * (double)((random >> 10) % 2);
    }
}

static uint64_t generate(const struct lang_argument *a, uint64_t random, size_t index) {
    double fraction = (double)(random >> 11) * 0x1p-53;
    double value = a->low + fraction * (a->high - a->low);
    if (!element_is_real(a->element) || a->generator == GENERATE_WHOLE) {
        value = floor(a->low + fraction * (a->high - a->low + 1));
    }
    uint64_t mask = a->element == I1 ? 1 : ~UINT64_C(0);
    switch (a->generator) {
    case GENERATE_BITS:
        return random & mask;
    case GENERATE_CODES:
        return (uint64_t)a->low + random % (uint64_t)(a->high - a->low + 1);
    case GENERATE_FINITE:
        for (uint64_t i = 0; !isfinite(
                 float_decode(a->element, random & (~UINT64_C(0) >> (64 - 8 * element_bytes(a->element)))));
             i++) {
            random = lang_hash(random, 1, i);
        }
        return random;
    case GENERATE_SPECIAL: {
        static const double specials[] = {0.0,  -0.0,     INFINITY,  -INFINITY, NAN,     1.0,
                                          -1.0, 0x1p-149, -0x1p-140, 0x1p-24,   0x1p127, -0x1.fp127};
        if (random % 3 == 0) {
            value = specials[(random >> 3) % (sizeof specials / sizeof *specials)];
        }
        return encode(a->element, value);
    }
    case GENERATE_HOSTILE:
        return element_is_real(a->element) ? encode(a->element, hostile_real(a, random, index))
                                           : hostile_integer(a->element, random);
    case GENERATE_IOTA:
        return encode(a->element, a->low + (double)index);
    default: // no subnormal halves, which the matrix units of gfx90a take for 0
        return encode(a->element, a->element == F16 && fabs(value) < 0x1p-14 ? 0 : value);
    }
}

static void fill(struct lang_array *array, uint64_t seed, uint64_t stream) {
    const struct lang_argument *a = &array->argument;
    unsigned bytes = element_bytes(a->element);
    if (a->kind == ARGUMENT_OUTPUT) {
        memset(array->data, POISON, array->bytes);
        return;
    }
    for (size_t i = 0; i < a->count; i++) {
        save(array->data, bytes, i,
             a->generator == GENERATE_PERMUTE ? i : generate(a, lang_hash(seed, stream, i), i));
    }
    if (a->generator == GENERATE_PERMUTE) {
        for (size_t i = a->count; i > 1; i--) {
            size_t j = lang_hash(seed, stream, i) % i;
            uint64_t x = load(array->data, bytes, i - 1);
            save(array->data, bytes, i - 1, load(array->data, bytes, j));
            save(array->data, bytes, j, x);
        }
    }
}

static void *memory(size_t bytes) {
    void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);
    if (!p) {
        abort();
    }
    memset(p, 0, bytes);
    return p;
}

uint64_t lang_seed(const struct lang_case *test, uint64_t seed) {
    uint64_t name = 0;
    for (const char *c = test->name; *c; c++) {
        name = name * 131 + (unsigned char)*c;
    }
    return seed ^ name;
}

void lang_arguments_make(struct lang_run *run, const struct lang_case *test, uint64_t seed) {
    memset(run, 0, sizeof *run);
    run->test = test;
    for (unsigned i = 0; i < LANG_ARGUMENTS && test->arguments[i].kind; i++) {
        struct lang_array *array = &run->arrays[i];
        array->argument = test->arguments[i];
        run->count = i + 1;
        if (array->argument.kind == ARGUMENT_INTEGER || array->argument.kind == ARGUMENT_REAL) {
            continue;
        }
        array->bytes = array->argument.count * element_bytes(array->argument.element);
        array->allocation = memory(array->bytes + 2 * GUARD);
        array->data = (char *)array->allocation + GUARD;
        memset(array->allocation, GUARD_BYTE, array->bytes + 2 * GUARD);
        fill(array, lang_seed(test, seed), i);
        array->before = memory(array->bytes);
        memcpy(array->before, array->data, array->bytes);
        array->want = memory(array->bytes);
        memcpy(array->want, array->before, array->bytes);
        array->has_want = memory(array->argument.count);
        array->is_free = memory(array->argument.count);
        if (array->argument.kind == ARGUMENT_OUTPUT) {
            continue;
        }
        array->numbers = memory(array->argument.count * sizeof *array->numbers);
        for (size_t k = 0; k < array->argument.count; k++) {
            array->numbers[k] = number_of(array->argument.element, bits(run, i, k));
        }
    }
}

void lang_arguments_reset(struct lang_run *run) {
    for (unsigned i = 0; i < run->count; i++) {
        if (run->arrays[i].allocation) {
            memset(run->arrays[i].allocation, GUARD_BYTE, run->arrays[i].bytes + 2 * GUARD);
            memcpy(run->arrays[i].data, run->arrays[i].before, run->arrays[i].bytes);
        }
    }
}

void lang_arguments_free(struct lang_run *run) {
    for (unsigned i = 0; i < run->count; i++) {
        free(run->arrays[i].allocation);
        free(run->arrays[i].before);
        free(run->arrays[i].want);
        free(run->arrays[i].has_want);
        free(run->arrays[i].is_free);
        free(run->arrays[i].bounds);
        free(run->arrays[i].numbers);
    }
}

uint64_t bits(const struct lang_run *run, unsigned argument, size_t index) {
    const struct lang_array *array = &run->arrays[argument];
    if (!array->before || index >= array->argument.count) {
        fprintf(stderr, "%s: the reference reads argument %u beyond its end\n", run->test->name, argument);
        abort();
    }
    return load(array->before, element_bytes(array->argument.element), index);
}

int64_t integer(const struct lang_run *run, unsigned argument, size_t index) {
    return extend(run->test->arguments[argument].element, bits(run, argument, index));
}

double lang_real(const struct lang_run *run, unsigned argument, size_t index) {
    const struct lang_argument *a = &run->test->arguments[argument];
    if (a->kind == ARGUMENT_REAL) {
        return float_round(a->element, a->low);
    }
    return number_of(a->element, bits(run, argument, index));
}

const double *numbers_from(const struct lang_run *run, unsigned argument, size_t first, size_t count) {
    if (count) {
        real(run, argument, first + count - 1); // refuses an index beyond the end
    }
    return run->arrays[argument].numbers + first;
}

void give_real(struct lang_run *run, unsigned argument, size_t index, double value) {
    struct lang_array *array = &run->arrays[argument];
    enum element element = array->argument.element;
    save(array->before, element_bytes(element), index, float_encode(element, value, false));
    save(array->want, element_bytes(element), index, float_encode(element, value, false));
    array->numbers[index] = float_round(element, value);
}

void give_integer(struct lang_run *run, unsigned argument, size_t index, int64_t value) {
    struct lang_array *array = &run->arrays[argument];
    unsigned bytes = element_bytes(array->argument.element);
    save(array->before, bytes, index, (uint64_t)value);
    save(array->want, bytes, index, (uint64_t)value);
    array->numbers[index] = (double)value;
}

void put_bits(struct lang_run *run, unsigned argument, size_t index, uint64_t value) {
    struct lang_array *array = &run->arrays[argument];
    if (!array->want || index >= array->argument.count) {
        fprintf(stderr, "%s: the reference writes argument %u beyond its end\n", run->test->name, argument);
        abort();
    }
    save(array->want, element_bytes(array->argument.element), index, value);
    array->has_want[index] = true;
    array->is_free[index] = false;
    if (array->bounds) {
        array->bounds[2 * index] = NAN;
    }
}

void put_integer(struct lang_run *run, unsigned argument, size_t index, int64_t value) {
    put_bits(run, argument, index,
             run->test->arguments[argument].element == I1 ? value != 0 : (uint64_t)value);
}

void put_real(struct lang_run *run, unsigned argument, size_t index, double value) {
    put_bits(run, argument, index, float_encode(run->test->arguments[argument].element, value, false));
}

void put_any(struct lang_run *run, unsigned argument, size_t index) {
    run->arrays[argument].is_free[index] = true;
}

void put_between(struct lang_run *run, unsigned argument, size_t index, double low, double high) {
    struct lang_array *array = &run->arrays[argument];
    put_real(run, argument, index, low);
    if (!array->bounds) {
        array->bounds = memory(2 * array->argument.count * sizeof *array->bounds);
        for (size_t i = 0; i < 2 * array->argument.count; i++) {
            array->bounds[i] = NAN;
        }
    }
    array->bounds[2 * index] = low;
    array->bounds[2 * index + 1] = high;
}

double wanted_real(const struct lang_run *run, unsigned argument, size_t index) {
    const struct lang_array *array = &run->arrays[argument];
    return float_decode(array->argument.element,
                        load(array->want, element_bytes(array->argument.element), index));
}

static bool agrees(const struct lang_run *run, enum element element, uint64_t got, uint64_t want) {
    if (got == want) {
        return true;
    }
    if (!element_is_real(element)) {
        return false;
    }
    double g = float_decode(element, got), w = float_decode(element, want);
    if (isnan(w)) {
        return isnan(g);
    }
    if (run->test->relative == 0 && run->test->absolute == 0) {
        return false;
    }
    return g == w || fabs(g - w) <= run->test->absolute + run->test->relative * fabs(w);
}

uint64_t lang_arguments_hash(const struct lang_run *run) {
    uint64_t hash = 0;
    for (unsigned a = 0; a < run->count; a++) {
        const struct lang_array *array = &run->arrays[a];
        enum element element = array->argument.element;
        for (size_t i = 0; array->data && i < array->argument.count; i++) {
            uint64_t code = load(array->data, element_bytes(element), i);
            if (element_is_real(element) && isnan(float_decode(element, code))) {
                code = float_encode(element, NAN, false);
            }
            hash = lang_hash(hash, a, code);
        }
    }
    return hash;
}

static bool is_right(const struct lang_run *run, const struct lang_array *array, size_t i) {
    enum element element = array->argument.element;
    unsigned bytes = element_bytes(element);
    uint64_t got = load(array->data, bytes, i), want = load(array->want, bytes, i);
    const double *bounds = array->bounds ? &array->bounds[2 * i] : NULL;
    if (array->is_free[i] || !array->has_want[i]) {
        return array->is_free[i] || got == want;
    }
    if (bounds && !isnan(bounds[0])) {
        double number = float_decode(element, got);
        return number >= bounds[0] && number <= bounds[1];
    }
    return agrees(run, element, got, want);
}

static void describe(enum element element, uint64_t value, char *text, size_t size) {
    if (element_is_real(element)) {
        snprintf(text, size, "%.9g", float_decode(element, value));
    } else {
        snprintf(text, size, "%lld", (long long)extend(element, value));
    }
}

bool lang_arguments_judge(const struct lang_run *run, char *message, size_t size) {
    for (unsigned a = 0; a < run->count; a++) {
        const struct lang_array *array = &run->arrays[a];
        if (!array->data) {
            continue;
        }
        for (size_t i = 0; i < GUARD; i++) {
            if (((unsigned char *)array->allocation)[i] != GUARD_BYTE ||
                ((unsigned char *)array->data)[array->bytes + i] != GUARD_BYTE) {
                snprintf(message, size, "argument %u: its guard zone was written", a);
                return false;
            }
        }
        size_t wrong = 0, first = 0;
        enum element element = array->argument.element;
        unsigned bytes = element_bytes(element);
        for (size_t i = 0; i < array->argument.count; i++) {
            if (!is_right(run, array, i) && !wrong++) {
                first = i;
            }
        }
        if (wrong) {
            char got[64], want[64];
            describe(element, load(array->data, bytes, first), got, sizeof got);
            describe(element, load(array->want, bytes, first), want, sizeof want);
            int at = snprintf(message, size, "argument %u: %zu of %zu differ; [%zu] is %s, expected %s%s", a,
                              wrong, array->argument.count, first, got, want,
                              array->has_want[first] ? "" : " (not to be written)");
            if (array->bounds && !isnan(array->bounds[2 * first]) && at > 0 && (size_t)at < size) {
                snprintf(message + at, size - (size_t)at, " to %.9g", array->bounds[2 * first + 1]);
            }
            return false;
        }
    }
    return true;
}
