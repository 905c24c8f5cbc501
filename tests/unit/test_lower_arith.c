// Lowering of arithmetic, executed: f8 conversions of every value, integer operations of every width, choices by branches.
#include "lower_testing.h"

// ---- f8 ----

struct f8 {
    int mantissa, bias;
    bool fnuz, infinity;
    float most;
};
static const struct f8 formats[] = {{3, 7, false, false, 448},
                                    {2, 15, false, true, 57344},
                                    {3, 8, true, false, 240},
                                    {2, 16, true, false, 57344}};

static double f8_value(const struct f8 *f, unsigned code) {
    unsigned magnitude = code & 0x7f, exponent = magnitude >> f->mantissa,
             fraction = magnitude & ((1u << f->mantissa) - 1);
    double sign = code & 0x80 ? -1 : 1;
    if (f->fnuz ? code == 0x80 : f->infinity ? magnitude > 0x7c : magnitude == 0x7f) {
        return NAN;
    }
    if (f->infinity && magnitude == 0x7c) {
        return sign * INFINITY;
    }
    double scale = ldexp(1, (int)(exponent ? exponent : 1) - f->bias - f->mantissa);
    return sign * scale * (exponent ? fraction + (1u << f->mantissa) : fraction);
}

static unsigned f8_nearest(const struct f8 *f, double x) {
    unsigned best = 0;
    double distance = INFINITY, magnitude = fabs(x) > f->most ? f->most : fabs(x);
    for (unsigned code = 0; code < 0x80; code++) {
        double value = f8_value(f, code);
        if (!isfinite(value)) {
            continue;
        }
        double d = fabs(value - magnitude);
        if (d < distance || (d == distance && !(code & 1))) {
            best = code;
            distance = d;
        }
    }
    return best | (signbit(x) && !(f->fnuz && !best) ? 0x80 : 0);
}

static float *floats;

static void check_f8(const struct run *run, const char *chip) {
    for (int f = 0; f < 4; f++) {
        for (unsigned code = 0; code < 256; code++) {
            float got;
            memcpy(&got, &out[256 * f + (int)code], 4);
            double expected = f8_value(&formats[f], code);
            if (!(isnan(expected) ? isnan(got) : got == expected)) {
                fail_msg("f8 on %s: format %d, code %#x gives %g, not %g", chip, f, code, got, expected);
            }
        }
        for (int i = 0; i < 1024; i++) {
            EXPECT(1024 + 1024 * f + i, f8_nearest(&formats[f], floats[i]));
        }
    }
}

static void test_f8(void **state) {
    (void)state;
    uint8_t *codes = aligned_bytes(256);
    floats = aligned_bytes(4096);
    out = aligned_bytes(5 * 4096);
    uint32_t random = 3;
    for (int i = 0; i < 256; i++) {
        codes[i] = (uint8_t)i;
    }
    for (int i = 0; i < 1024; i++) {
        double magnitude =
            ldexp(1 + next_random(&random) / 16777216.0, (int)(next_random(&random) % 40) - 20);
        floats[i] = (float)(i & 1 ? -magnitude : magnitude);
        if (i < 256) { // values of the formats themselves and halves between them
            double value = f8_value(&formats[i & 3], (unsigned)i / 2);
            floats[i] = isfinite(value) ? (float)(value + (i & 4 ? ldexp(value, -5) : 0)) : 1.0f;
        }
    }
    struct emulator_buffer buffers[] = {{.name = "in", .data = codes, .size = 256, .element_bits = 8},
                                        {.name = "fin", .data = floats, .size = 4096, .element_bits = 32},
                                        {.name = "out", .data = out, .size = 5 * 4096, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "fin", .buffer = &buffers[1]},
                                            {.name = "out", .buffer = &buffers[2]}};
    struct run run = {"f8", buffers, arguments, 3, 2, check_f8};
    run_everywhere(&run);
    free(codes);
    free(floats);
    free(out);
}

// ---- integer arithmetic ----

// The order of the results in arith_int.mlir.
static uint64_t integer_result(unsigned which, uint64_t x, uint64_t y, unsigned bits) {
    uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    int64_t sx = (int64_t)(x << (64 - bits)) >> (64 - bits), sy = (int64_t)(y << (64 - bits)) >> (64 - bits);
    switch (which) {
    case 0:
        return x + y;
    case 1:
        return x - y;
    case 2:
        return x * y;
    case 3:
        return (uint64_t)(sx / sy);
    case 4:
        return x / y;
    case 5:
        return (uint64_t)(sx % sy);
    case 6:
        return x % y;
    case 7:
        return x & y;
    case 8:
        return x | y;
    case 9:
        return x ^ y;
    case 10:
        return (uint64_t)(sx < sy ? sx : sy);
    case 11:
        return (uint64_t)(sx > sy ? sx : sy);
    case 12:
        return x < y ? x : y;
    case 13:
        return x > y ? x : y;
    case 14:
        return x << (y & 7);
    case 15:
        return (uint64_t)(sx >> (y & 7));
    case 16:
        return x >> (y & 7);
    case 17:
        return (uint64_t)(sx < 0 ? -sx : sx);
    case 18:
        return x ? (uint64_t)(__builtin_clzll(x) - (64 - (int)bits)) : bits;
    case 19:
        return (uint64_t)__builtin_popcountll(x);
    case 20:
        return bits < 32 ? 0 : bits == 32 ? x * y >> 32 : (uint64_t)((unsigned __int128)x * y >> 64);
    case 21:
        return x == y;
    case 22:
        return x != y;
    case 23:
        return sx < sy;
    case 24:
        return sx <= sy;
    case 25:
        return sx > sy;
    case 26:
        return sx >= sy;
    case 27:
        return x < y;
    case 28:
        return x <= y;
    case 29:
        return x > y;
    case 30:
        return x >= y;
    default:
        return (uint64_t)(sx < sy ? x : y) & mask;
    }
}

enum { INTEGER_RESULTS = 32 };
static uint8_t *operands[4][2], *integer_out[4];

static uint64_t element(const uint8_t *data, size_t index, unsigned bytes) {
    uint64_t value = 0;
    memcpy(&value, data + index * bytes, bytes);
    return value;
}

static void check_integers(const struct run *run, const char *chip) {
    (void)run;
    for (unsigned type = 0; type < 4; type++) {
        unsigned bytes = 1u << type;
        uint64_t mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
        for (unsigned i = 0; i < 256 * INTEGER_RESULTS; i++) {
            uint64_t x = element(operands[type][0], i % 256, bytes),
                     y = element(operands[type][1], i % 256, bytes);
            uint64_t expected = integer_result(i / 256, x, y, 8 * bytes) & mask;
            if (element(integer_out[type], i, bytes) != expected) {
                fail_msg("%s: i%u operation %u of %llx and %llx is %llx, not %llx", chip, 8 * bytes, i / 256,
                         (unsigned long long)x, (unsigned long long)y,
                         (unsigned long long)element(integer_out[type], i, bytes),
                         (unsigned long long)expected);
            }
        }
    }
}

static void test_integers(void **state) {
    (void)state;
    struct emulator_buffer buffers[12] = {{0}};
    struct emulator_argument arguments[12] = {{0}};
    uint32_t random = 17;
    for (unsigned type = 0; type < 4; type++) {
        unsigned bytes = 1u << type;
        operands[type][0] = aligned_bytes(256 * bytes);
        operands[type][1] = aligned_bytes(256 * bytes);
        integer_out[type] = aligned_bytes(256 * INTEGER_RESULTS * bytes);
        for (unsigned i = 0; i < 256 * bytes; i++) {
            operands[type][0][i] = (uint8_t)next_random(&random);
            operands[type][1][i] =
                (uint8_t)(next_random(&random) & 0x7f) | 1; // no division by zero or minus one
        }
        uint8_t *data[] = {operands[type][0], operands[type][1], integer_out[type]};
        for (unsigned i = 0; i < 3; i++) {
            buffers[3 * type + i] =
                (struct emulator_buffer){.name = "x",
                                         .data = data[i],
                                         .size = 256 * bytes * (i == 2 ? INTEGER_RESULTS : 1),
                                         .element_bits = 8 * bytes};
            arguments[3 * type + i] =
                (struct emulator_argument){.name = "x", .buffer = &buffers[3 * type + i]};
        }
    }
    struct run run = {"arith_int", buffers, arguments, 12, 2, check_integers};
    run_everywhere(&run);
    for (unsigned type = 0; type < 4; type++) {
        free(operands[type][0]);
        free(operands[type][1]);
        free(integer_out[type]);
    }
}

// ---- divisors known to be positive ----

static int32_t divisor; // or limit

static void check_positive(const struct run *run, const char *chip) {
    for (int i = 0; i < 512; i++) {
        EXPECT(i, in[i] / divisor * 1000 + in[i] % divisor);
    }
}

static void test_positive(void **state) {
    (void)state;
    uint32_t random = 1;
    in = aligned_bytes(512 * 4);
    out = aligned_bytes(512 * 4);
    for (int i = 0; i < 512; i++) {
        in[i] = (int32_t)(next_random(&random) % 2000) - 1000;
    }
    for (int32_t n = -1; n < 4; n++) {
        struct emulator_buffer buffers[] = {
            {.name = "in", .data = in, .size = 512 * 4, .element_bits = 32},
            {.name = "out", .data = out, .size = 512 * 4, .element_bits = 32}};
        struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                                {.name = "out", .buffer = &buffers[1]},
                                                {.name = "n", .bits = (uint32_t)n}};
        struct run run = {"divide_positive", buffers, arguments, 3, 1, check_positive};
        divisor = n > 1 ? n : 1;
        run_everywhere(&run);
    }
    free(in);
    free(out);
    struct lowered t = lower_file("divide_positive", "sm_80", false);
    char *text = LLVMPrintModuleToString(t.module);
    assert_non_null(strstr(text, " sdiv "));
    assert_null(strstr(text, " select "));
    LLVMDisposeMessage(text);
    LLVMDisposeModule(t.module);
    lowered_free(&t);
}

// ---- choices with operands from other choices ----

static void check_rarely(const struct run *run, const char *chip) {
    for (int i = 0; i < 512; i++) {
        bool rare = in[i] > divisor;
        int32_t p = rare ? 2 * in[i] : in[i], q = rare ? in[i] * in[i] : divisor, r = rare ? p : q;
        EXPECT(i, r - p + q);
    }
}

static void test_rarely(void **state) {
    (void)state;
    in = aligned_bytes(512 * 4);
    out = aligned_bytes(512 * 4);
    for (int i = 0; i < 512; i++) {
        in[i] = i * 37 % 101 - 50;
    }
    struct emulator_buffer buffers[] = {{.name = "in", .data = in, .size = 512 * 4, .element_bits = 32},
                                        {.name = "out", .data = out, .size = 512 * 4, .element_bits = 32}};
    struct emulator_argument arguments[] = {{.name = "in", .buffer = &buffers[0]},
                                            {.name = "out", .buffer = &buffers[1]},
                                            {.name = "n", .bits = (uint32_t)(divisor = 40)}};
    struct run run = {"rarely", buffers, arguments, 3, 1, check_rarely};
    run_everywhere(&run);
    free(in);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f8),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_positive),
        cmocka_unit_test(test_rarely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
