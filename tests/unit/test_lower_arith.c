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

// Operations on the tiles %a and %b, and their results from the bits x and y of an element each, sx and sy read as signed numbers.
// In these texts T is the tile's type, Q that of its pointers, P a pointer, # the row's number, $ its first element of the output.
#define INTEGER_OPERATIONS(ROW)                                                                              \
    ROW("arith.addi %a, %b : T", x + y)                                                                      \
    ROW("arith.subi %a, %b : T", x - y)                                                                      \
    ROW("arith.muli %a, %b : T", (x * y))                                                                    \
    ROW("arith.divsi %a, %b : T", sx / sy)                                                                   \
    ROW("arith.divui %a, %b : T", x / y)                                                                     \
    ROW("arith.remsi %a, %b : T", sx % sy)                                                                   \
    ROW("arith.remui %a, %b : T", x % y)                                                                     \
    ROW("arith.andi %a, %b : T", (x & y))                                                                    \
    ROW("arith.ori %a, %b : T", x | y)                                                                       \
    ROW("arith.xori %a, %b : T", x ^ y)                                                                      \
    ROW("arith.minsi %a, %b : T", sx < sy ? sx : sy)                                                         \
    ROW("arith.maxsi %a, %b : T", sx > sy ? sx : sy)                                                         \
    ROW("arith.minui %a, %b : T", x < y ? x : y)                                                             \
    ROW("arith.maxui %a, %b : T", x > y ? x : y)                                                             \
    ROW("arith.shli %a, %shift : T", x << (y & 7))                                                           \
    ROW("arith.shrsi %a, %shift : T", sx >> (y & 7))                                                         \
    ROW("arith.shrui %a, %shift : T", x >> (y & 7))                                                          \
    ROW("\"math.absi\"(%a) : (T) -> T", sx < 0 ? -sx : sx)                                                   \
    ROW("\"math.ctlz\"(%a) : (T) -> T", x ? __builtin_clzll(x) - (64 - (int)bits) : (int)bits)               \
    ROW("\"math.ctpop\"(%a) : (T) -> T", __builtin_popcountll(x))                                            \
    ROW("arith.cmpi eq, %a, %b : T", x == y)                                                                 \
    ROW("arith.cmpi ne, %a, %b : T", x != y)                                                                 \
    ROW("arith.cmpi slt, %a, %b : T", sx < sy)                                                               \
    ROW("arith.cmpi sle, %a, %b : T", sx <= sy)                                                              \
    ROW("arith.cmpi sgt, %a, %b : T", sx > sy)                                                               \
    ROW("arith.cmpi sge, %a, %b : T", sx >= sy)                                                              \
    ROW("arith.cmpi ult, %a, %b : T", x < y)                                                                 \
    ROW("arith.cmpi ule, %a, %b : T", x <= y)                                                                \
    ROW("arith.cmpi ugt, %a, %b : T", x > y)                                                                 \
    ROW("arith.cmpi uge, %a, %b : T", x >= y)                                                                \
    ROW("arith.select %less, %a, %b : tensor<256xi1>, T", sx < sy ? x : y)                                   \
    ROW("\"tk.mulhi\"(%a, %b) : (T, T) -> T",                                                                \
        bits == 32 ? x * y >> 32 : (uint64_t)((unsigned __int128)x * y >> 64))

static uint64_t integer_result(unsigned which, uint64_t x, uint64_t y, unsigned bits) {
    int64_t sx = (int64_t)(x << (64 - bits)) >> (64 - bits), sy = (int64_t)(y << (64 - bits)) >> (64 - bits);
#define RESULT(text, result) (uint64_t)(result),
    const uint64_t results[] = {INTEGER_OPERATIONS(RESULT)};
#undef RESULT
    return results[which];
}

#define TEXT(text, result) text,
static const char *const integer_texts[] = {INTEGER_OPERATIONS(TEXT)};
#undef TEXT
enum { INTEGER_RESULTS = sizeof integer_texts / sizeof *integer_texts };

// Chips multiply for the upper half in 32 and 64 bits.
static bool has_operation(unsigned which, unsigned bits) {
    return bits >= 32 || !strstr(integer_texts[which], "mulhi");
}

static const char kernel_start[] =
    "module {\n  func.func @arith_int(%x: P {tk.divisibility = 16 : i32}, %y: P {tk.divisibility = 16 : "
    "i32}, "
    "%out: P {tk.divisibility = 16 : i32}) attributes {tk.num_warps = 4 : i32} {\n"
    "%range = \"tk.range\"() {start = 0 : i32, end = 256 : i32} : () -> tensor<256xi32>\n"
    "%x_tile = \"tk.splat\"(%x) : (P) -> Q\n"
    "%x_pointers = \"tk.addptr\"(%x_tile, %range) : (Q, tensor<256xi32>) -> Q\n"
    "%a = \"tk.load\"(%x_pointers) : (Q) -> T\n"
    "%y_tile = \"tk.splat\"(%y) : (P) -> Q\n"
    "%y_pointers = \"tk.addptr\"(%y_tile, %range) : (Q, tensor<256xi32>) -> Q\n"
    "%b = \"tk.load\"(%y_pointers) : (Q) -> T\n"
    "%seven = arith.constant dense<7> : T\n"
    "%shift = arith.andi %b, %seven : T\n"
    "%less = arith.cmpi slt, %a, %b : T\n";

static const char operation_end[] = "%offset# = arith.constant $ : i32\n"
                                    "%start# = \"tk.addptr\"(%out, %offset#) : (P, i32) -> P\n"
                                    "%tile# = \"tk.splat\"(%start#) : (P) -> Q\n"
                                    "%to# = \"tk.addptr\"(%tile#, %range) : (Q, tensor<256xi32>) -> Q\n"
                                    "\"tk.store\"(%to#, %result#) : (Q, T) -> ()\n";

static void print_for(struct strbuf *text, const char *pattern, unsigned bits, unsigned which) {
    for (const char *c = pattern; *c; c++) {
        switch (*c) {
        case 'T':
            strbuf_printf(text, "tensor<256xi%u>", bits);
            break;
        case 'Q':
            strbuf_printf(text, "tensor<256x!tk.ptr<i%u>>", bits);
            break;
        case 'P':
            strbuf_printf(text, "!tk.ptr<i%u>", bits);
            break;
        case '#':
            strbuf_printf(text, "%u", which);
            break;
        case '$':
            strbuf_printf(text, "%u", 256 * which);
            break;
        default:
            strbuf_add_char(text, *c);
        }
    }
}

static void print_kernel(struct strbuf *text, unsigned bits) {
    print_for(text, kernel_start, bits, 0);
    for (unsigned i = 0; i < INTEGER_RESULTS; i++) {
        bool compares = strncmp(integer_texts[i], "arith.cmpi", 10) == 0;
        if (has_operation(i, bits)) {
            print_for(text, compares ? "%bit# = " : "%result# = ", bits, i);
            print_for(text, integer_texts[i], bits, i);
            print_for(text, compares ? "\n%result# = arith.extui %bit# : tensor<256xi1> to T\n" : "\n", bits,
                      i);
            print_for(text, operation_end, bits, i);
        }
    }
    strbuf_add(text, "func.return\n  }\n}\n");
}

static uint8_t *operands[2], *integer_out;
static unsigned integer_bits;

static uint64_t element(const uint8_t *data, size_t index) {
    uint64_t value = 0;
    memcpy(&value, data + index * (integer_bits / 8), integer_bits / 8);
    return value;
}

static void check_integers(const struct run *run, const char *chip) {
    (void)run;
    uint64_t mask = integer_bits == 64 ? ~0ull : (1ull << integer_bits) - 1;
    for (unsigned i = 0; i < 256 * INTEGER_RESULTS; i++) {
        uint64_t x = element(operands[0], i % 256), y = element(operands[1], i % 256),
                 found = element(integer_out, i);
        uint64_t expected =
            has_operation(i / 256, integer_bits) ? integer_result(i / 256, x, y, integer_bits) & mask : 0;
        if (found != expected) {
            fail_msg("%s: i%u %s of %llx and %llx is %llx, not %llx", chip, integer_bits,
                     integer_texts[i / 256], (unsigned long long)x, (unsigned long long)y,
                     (unsigned long long)found, (unsigned long long)expected);
        }
    }
}

static void run_width(uint32_t *random) {
    unsigned bytes = integer_bits / 8;
    operands[0] = aligned_bytes(256 * bytes);
    operands[1] = aligned_bytes(256 * bytes);
    integer_out = aligned_bytes(256 * INTEGER_RESULTS * bytes);
    for (unsigned i = 0; i < 256 * bytes; i++) {
        operands[0][i] = (uint8_t)next_random(random);
        operands[1][i] = (uint8_t)(next_random(random) & 0x7f) | 1; // no division by zero or minus one
    }
    uint8_t *data[] = {operands[0], operands[1], integer_out};
    struct emulator_buffer buffers[3];
    struct emulator_argument arguments[3];
    for (unsigned i = 0; i < 3; i++) {
        buffers[i] = (struct emulator_buffer){.name = "x",
                                              .data = data[i],
                                              .size = 256 * bytes * (i == 2 ? INTEGER_RESULTS : 1),
                                              .element_bits = integer_bits};
        arguments[i] = (struct emulator_argument){.name = "x", .buffer = &buffers[i]};
    }
    struct strbuf text = {0};
    print_kernel(&text, integer_bits);
    struct run run = {"arith_int", buffers, arguments, 3, 2, check_integers};
    run_text_everywhere(&run, strbuf_text(&text));
    strbuf_free(&text);
    free(operands[0]);
    free(operands[1]);
    free(integer_out);
}

static void test_integers(void **state) {
    uint32_t random = 17;
    for (integer_bits = 8; integer_bits <= 64; integer_bits *= 2) {
        run_width(&random);
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

RUN(TEST(test_f8), TEST(test_integers), TEST(test_positive), TEST(test_rarely))
