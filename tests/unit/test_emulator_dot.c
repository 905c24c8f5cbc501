// Dots on the emulator: every row of mma.def computes a product, on a chip that has it.
//
// A kernel loads a and b, multiplies them and stores the result. Values are small integers, exact in every
// operand type and in every sum in any order, so the results must be equal to the bit. Each dot runs twice:
// with operands converted from the loaded layout, and with operands read from a swizzled shared tile as in a
// pipelined loop (with ldmatrix if it fits), stored there in both orders.
#include "dot_testing.h"
#include "emulator/number/number.h"
#include "emulator_harness.h"

// A small value, exactly.
static uint64_t encode(const struct element *type, double value) {
    if (!type->exponent_bits) {
        return (uint64_t)(int64_t)value & (~(uint64_t)0 >> (64 - type->bits));
    }
    if (value == 0) {
        return 0;
    }
    int exponent = 0;
    double fraction = value < 0 ? -value : value;
    for (; fraction >= 2; fraction /= 2) {
        exponent++;
    }
    for (; fraction < 1; fraction *= 2) {
        exponent--;
    }
    uint64_t mantissa = (uint64_t)((fraction - 1) * (double)((uint64_t)1 << type->mantissa_bits));
    uint64_t sign = value < 0 ? (uint64_t)1 << (type->bits - 1) : 0;
    return sign | (uint64_t)(exponent + type->bias) << type->mantissa_bits | mantissa;
}

static double decode(const struct element *type, const void *at) {
    int32_t i;
    float f;
    double d;
    if (type->bits == 16) {
        uint16_t half;
        memcpy(&half, at, 2);
        return half_to_float(half);
    }
    if (type->bits == 64) {
        memcpy(&d, at, 8);
        return d;
    }
    if (type->exponent_bits) {
        memcpy(&f, at, 4);
        return f;
    }
    memcpy(&i, at, 4);
    return i;
}

// ---- running ----

struct data {
    uint64_t storage[3][16384];
    double a[16384], b[16384];
    struct emulator_buffer buffers[3];
    struct emulator_argument arguments[3];
};

static void make_data(struct data *data, const struct dot_case *c) {
    const struct shape *s = &c->shape;
    int batch = s->batch ? s->batch : 1,
        counts[] = {batch * s->m * s->k, batch * s->k * s->n, batch * s->m * s->n};
    const char *names[] = {"a", "b", "d"}, *types[] = {c->a, c->b, c->acc};
    double step = c->step != 0 ? c->step : 1;
    uint64_t random = 12345;
    memset(data, 0, sizeof *data);
    for (int n = 0; n < 3; n++) {
        const struct element *type = element_named(types[n]);
        assert_true((size_t)counts[n] * type->bits / 8 <= sizeof data->storage[n]);
        for (int i = 0; n < 2 && i < counts[n]; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double value = (double)((int)(random >> 60) - 7) / 2;
            value = step == 1 ? (double)(int)value : value * step + 1.0 / 3;
            uint64_t bits = encode(type, value);
            (n ? data->b : data->a)[i] = value;
            memcpy((char *)data->storage[n] + (size_t)i * type->bits / 8, &bits, type->bits / 8);
        }
        data->buffers[n] = (struct emulator_buffer){
            names[n], data->storage[n], (size_t)counts[n] * type->bits / 8, type->bits, n == 2, n < 2, NULL};
        data->arguments[n] = (struct emulator_argument){.name = names[n], .buffer = &data->buffers[n]};
    }
}

static void check_data(const struct data *data, const struct dot_case *c, const char *how) {
    const struct shape *s = &c->shape;
    const struct element *type = element_named(c->acc);
    for (int batch = 0; batch < (s->batch ? s->batch : 1); batch++) {
        for (int i = 0; i < s->m; i++) {
            for (int j = 0; j < s->n; j++) {
                double wanted = 1;
                for (int k = 0; k < s->k; k++) {
                    wanted += data->a[(batch * s->m + i) * s->k + k] * data->b[(batch * s->k + k) * s->n + j];
                }
                int at = (batch * s->m + i) * s->n + j;
                double found = decode(type, (const char *)data->storage[2] + (size_t)at * type->bits / 8);
                double error = found > wanted ? found - wanted : wanted - found;
                if (!(error <= c->tolerance)) {
                    fail_msg("%s %s x %s (%s, %s): d[%d][%d][%d] is %.9g, not %.9g", c->chip, c->a, c->b,
                             c->instruction, how, batch, i, j, found, wanted);
                }
            }
        }
    }
}

static void run_variant(const struct dot_case *c, int variant) {
    static const char *const how[] = {"converted", "from shared memory", "from transposed shared memory"};
    struct lowered_dot lowered;
    if (lacks_chip(c->chip)) {
        return;
    }
    lower_dot_case(&lowered, c, variant);
    struct harness harness = {.context = lowered.context};
    struct emulator_options options = {.chip = c->chip, .workers = 1};
    char *error = NULL;
    harness.emulator = emulator_create(lowered.module, &options, &error);
    if (!harness.emulator) {
        fail_msg("%s %s: %s", c->chip, c->instruction, error);
    }
    struct data *data = malloc(sizeof *data);
    make_data(data, c);
    harness_expect_clean(&harness, harness_run(&harness, data->arguments, 3, 1, 0, lowered.shared_bytes));
    check_data(data, c, how[variant]);
    free(data);
    harness_end(&harness);
    lowered_dot_free(&lowered);
}

static void run(size_t group) {
    for (size_t i = 0; i < dot_cases[group].count; i++) {
        for (int variant = 0; variant < 3; variant++) {
            run_variant(&dot_cases[group].cases[i], variant);
        }
    }
}

static void test_nvidia(void **state) {
    (void)state;
    run(0);
}

static void test_nvidia_f8(void **state) {
    (void)state;
    run(1);
}

static void test_mfma(void **state) {
    (void)state;
    run(2);
}

static void test_mfma_f8(void **state) {
    (void)state;
    run(3);
}

static void test_wmma(void **state) {
    (void)state;
    run(4);
}

static void test_sm_120a(void **state) {
    (void)state;
    run(5);
}

static void test_gfx950(void **state) {
    (void)state;
    run(6);
}

// No row of the table is left out, but those with scales, which tests/lang/dot.c multiplies.
static void test_every_row(void **state) {
    (void)state;
    for (unsigned n = 0; n < mma_count; n++) {
        bool found = false;
        for (size_t group = 0; group < sizeof dot_cases / sizeof *dot_cases; group++) {
            for (size_t i = 0; i < dot_cases[group].count; i++) {
                found |= strcmp(dot_cases[group].cases[i].instruction, mma_table[n].name) == 0;
            }
        }
        if (!found && mma_table[n].warps == 1 && !mma_table[n].group) {
            fail_msg("no case computes with %s", mma_table[n].name);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nvidia), cmocka_unit_test(test_nvidia_f8),
                                       cmocka_unit_test(test_mfma),   cmocka_unit_test(test_mfma_f8),
                                       cmocka_unit_test(test_wmma),   cmocka_unit_test(test_sm_120a),
                                       cmocka_unit_test(test_gfx950), cmocka_unit_test(test_every_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
