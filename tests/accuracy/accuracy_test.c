// The accuracy of the library: every function of accuracy.def in f32 and f64, in the emulator, against the C library in
// long double.
//
//   accuracy_test [--chip CHIP] [--only NAME] [--samples N] [--seed N] [--measure] [--table]
//
// A function fails if its error exceeds the table's bound. --measure prints the largest errors and their places;
// --table prints the table of src/decisions/accuracy.md.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lang/run_case.h"
#include "emulator/emulator.h"

enum { BLOCK = 256, MOST_PROGRAMS = 4096 };
enum scale { RESULT, WAVE, ONE };
enum second { NONE, LIKE_A };

typedef long double real_function(long double a, long double b);

#define PI 3.14159265358979323846264338327950288L

// ---- references missing from the C library ----

#define OF_ONE(name, value)                                                                                  \
    static long double ref_##name(long double a, long double b) {                                            \
        (void)b;                                                                                             \
        return value;                                                                                        \
    }
#define OF_TWO(name, value)                                                                                  \
    static long double ref_##name(long double a, long double b) {                                            \
        return value;                                                                                        \
    }

// sin(pi a), exact at multiples of a half.
static long double sine_of_turns(long double a) {
    long double rest = fmodl(fabsl(a), 2), sign = a < 0 ? -1 : 1;
    sign = rest > 1 ? -sign : sign;
    rest = rest > 1 ? rest - 1 : rest;
    rest = rest > 0.5L ? 1 - rest : rest;
    return sign * (rest > 0.25L ? cosl(PI * (0.5L - rest)) : sinl(PI * rest));
}

// exp(a^2) erfc(a): beyond 7 a continued fraction (Abramowitz and Stegun 7.1.14).
static long double scaled_complement(long double a) {
    if (a < 7) {
        return expl(a * a) * erfcl(a);
    }
    long double rest = a;
    for (int k = 80; k > 0; k--) {
        rest = a + 0.5L * k / rest;
    }
    return 1 / (rest * sqrtl(PI));
}

// The z with erfc(z) = t: by bisection, and then by Newton's method.
static long double inverse_complement(long double t) {
    if (t == 1 || t <= 0 || t >= 2) {
        return t == 1 ? 0 : t == 0 ? INFINITY : t == 2 ? -INFINITY : NAN;
    }
    long double low = -10, high = 110;
    for (int i = 0; i < 80; i++) {
        long double middle = (low + high) / 2;
        *(erfcl(middle) > t ? &low : &high) = middle;
    }
    long double z = (low + high) / 2;
    for (int i = 0; i < 2; i++) {
        long double off = fabsl(z) < 0.5L ? (1 - t) - erfl(z) : erfcl(z) - t;
        z += off / (2 / sqrtl(PI) * expl(-z * z));
    }
    return z;
}

static long double inverse_error(long double e) {
    if (fabsl(e) >= 1) {
        return fabsl(e) > 1 ? NAN : e * INFINITY;
    }
    long double z = fabsl(e) < 0.5L ? e * sqrtl(PI) / 2 : copysignl(inverse_complement(1 - fabsl(e)), e);
    for (int i = 0; i < 6; i++) {
        z += (e - erfl(z)) / (2 / sqrtl(PI) * expl(-z * z));
    }
    return z;
}

// The modified Bessel function of order n by its series of positive terms.
static long double modified_bessel(long double a, int n) {
    long double term = n ? a / 2 : 1, sum = term;
    for (int k = 1; k < 1000 && term > sum * 0x1p-70L; k++) {
        term *= a * a / 4 / ((long double)k * (k + n));
        sum += term;
    }
    return sum;
}

OF_ONE(exp, expl(a))
OF_ONE(exp10, powl(10, a))
OF_ONE(expm1, expm1l(a))
OF_ONE(exp2, exp2l(a))
OF_ONE(log, logl(a))
OF_ONE(log2, log2l(a))
OF_ONE(log10, log10l(a))
OF_ONE(log1p, log1pl(a))
OF_ONE(cbrt, cbrtl(a))
OF_ONE(rcbrt, 1 / cbrtl(a))
OF_ONE(sqrt, sqrtl(a))
OF_ONE(rsqrt, 1 / sqrtl(a))
OF_ONE(sin, sinl(a))
OF_ONE(cos, cosl(a))
OF_ONE(tan, tanl(a))
OF_ONE(sinpi, sine_of_turns(a))
OF_ONE(cospi, sine_of_turns(0.5L - fmodl(fabsl(a), 2)))
OF_ONE(asin, asinl(a))
OF_ONE(acos, acosl(a))
OF_ONE(atan, atanl(a))
OF_ONE(sinh, sinhl(a))
OF_ONE(cosh, coshl(a))
OF_ONE(tanh, tanhl(a))
OF_ONE(asinh, asinhl(a))
OF_ONE(acosh, acoshl(a))
OF_ONE(atanh, atanhl(a))
OF_ONE(erf, erfl(a))
OF_ONE(erfc, erfcl(a))
OF_ONE(erfinv, inverse_error(a))
OF_ONE(erfcinv, inverse_complement(a))
OF_ONE(erfcx, scaled_complement(a))
OF_ONE(normcdf, erfcl(-a / sqrtl(2)) / 2)
OF_ONE(normcdfinv, -sqrtl(2) * inverse_complement(2 * a))
OF_ONE(lgamma, lgammal(a))
OF_ONE(tgamma, tgammal(a))
OF_ONE(j0, j0l(a))
OF_ONE(j1, j1l(a))
OF_ONE(y0, y0l(a))
OF_ONE(y1, y1l(a))
OF_ONE(cyl_bessel_i0, modified_bessel(fabsl(a), 0))
OF_ONE(cyl_bessel_i1, copysignl(modified_bessel(fabsl(a), 1), a))
// Orders from 0 to 12.
OF_TWO(jn, jnl((int)(fabsl(b) / 8), a))
OF_TWO(yn, ynl((int)(fabsl(b) / 8), a))
OF_TWO(pow, powl(a, b))
OF_TWO(atan2, atan2l(a, b))
OF_TWO(hypot, hypotl(a, b))
OF_TWO(fmod, fmodl(a, b))
OF_TWO(remainder, remainderl(a, b))

// ---- the table ----

static const struct function {
    const char *name, *spelling;
    real_function *reference;
    enum second second;
    double low, high;
    enum scale scale;
    double bounds[2]; // of f32 and f64
} functions[] = {
#define FUNCTION(name, spelling, reference, second, low, high, scale, f32, f64)                              \
    {name, spelling, ref_##reference, second, low, high, scale, {f32, f64}},
#include "accuracy.def"
#undef FUNCTION
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

struct options {
    const char *chip, *only;
    unsigned programs;
    uint64_t seed;
    bool measure, table;
};

static const struct function *current;
static struct options options;

static enum element element_of(int wide) {
    return wide ? F64 : F32;
}

// The distance of neighbouring numbers of the format at a value.
static long double unit_at(enum element element, long double value) {
    int exponent, digits = element == F64 ? 53 : 24, least = element == F64 ? -1074 : -149;
    if (value == 0) {
        return ldexpl(1, least);
    }
    frexpl(value, &exponent);
    return ldexpl(1, exponent - digits > least ? exponent - digits : least);
}

static long double unit_of(const struct function *f, enum element element, long double a,
                           long double result) {
    long double size = fabsl(result);
    if (f->scale == WAVE && a != 0) {
        size = fmaxl(size, fminl(1, sqrtl(2 / (PI * fabsl(a)))));
    } else if (f->scale == ONE && a < 0) {
        size = fmaxl(size, 1);
    }
    return unit_at(element, size);
}

// The argument of this number: evenly spread, or with evenly spread exponents.
static double sample(const struct function *f, enum element element, unsigned argument, size_t index) {
    uint64_t random = lang_hash(options.seed, argument, index);
    double fraction = (double)(random >> 12) * 0x1p-52, value = f->low + fraction * (f->high - f->low);
    if (index % 2) {
        double most = log2(fmax(fabs(f->low), fabs(f->high))), least = element == F64 ? -60 : -30;
        double size = exp2(least + fraction * (most - least));
        value = f->high <= 0 || (f->low < 0 && random & 1) ? -size : size;
        value = value < f->low || value > f->high ? fabs(value) : value;
    }
    value = float_round(element, value);
    return value < f->low || value > f->high ? f->low : value;
}

static void reference(struct lang_run *run) {
    const struct function *f = current;
    enum element element = run->arrays[0].argument.element;
    unsigned to = f->second ? 2 : 1;
    double bound = f->bounds[element == F64];
    for (size_t i = 0; i < run->arrays[0].argument.count; i++) {
        double a = sample(f, element, 0, i), b = f->second ? sample(f, element, 1, i) : 0;
        give_real(run, 0, i, a);
        if (f->second) {
            give_real(run, 1, i, b);
        }
        long double want = f->reference(a, b), off = (long double)bound * unit_of(f, element, a, want);
        double most = element == F64 ? 0x1.fffffffffffffp1023 : 0x1.fffffep127;
        if (options.measure || isnan(want)) {
            put_any(run, to, i);
        } else if (fabsl(want) + off > most) {
            put_between(run, to, i, want > 0 ? (double)(want - off) : -INFINITY,
                        want > 0 ? INFINITY : (double)(want + off));
        } else {
            put_between(run, to, i, (double)(want - off), (double)(want + off));
        }
    }
}

// Prints the largest error of a run.
static void measure(const struct function *f, const struct lang_run *run) {
    const struct lang_array *out = &run->arrays[f->second ? 2 : 1];
    enum element element = out->argument.element;
    long double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < out->argument.count; i++) {
        double a = real(run, 0, i), b = f->second ? real(run, 1, i) : 0, got;
        long double want = f->reference(a, b);
        uint64_t code = 0;
        memcpy(&code, (const char *)out->data + i * element_bytes(element), element_bytes(element));
        got = float_decode(element, code);
        long double error = fabsl(got - want) / unit_of(f, element, a, want);
        bool compares = isfinite(want) && isfinite(float_round(element, (double)want));
        if (compares && !(error <= worst)) {
            worst = error;
            at = i;
        }
    }
    double a = real(run, 0, at), b = f->second ? real(run, 1, at) : 0;
    printf("%-14s %s %8.3Lf at %.17g", f->name, element == F64 ? "f64" : "f32", worst, a);
    printf(f->second ? ", %.17g\n" : "\n", b);
    fflush(stdout);
}

static bool run(const struct function *f, int wide) {
    enum element element = element_of(wide);
    char path[] = "/tmp/accuracy_XXXXXX.tk", message[2048] = "";
    int file = mkstemps(path, 3);
    FILE *text = file < 0 ? NULL : fdopen(file, "w");
    if (!text) {
        perror(path);
        exit(1);
    }
    const char *type = wide ? "fp64" : "fp32";
    fprintf(text,
            "import triton\nimport triton.language as tl\nfrom triton.language import math\n"
            "from triton.language.extra import libdevice\n\n\n@triton.jit\ndef kernel(x: \"*%s\", %s%s%sy: "
            "\"*%s\"):\n"
            "    o = tl.program_id(0) * %d + tl.arange(0, %d)\n    a = tl.load(x + o)\n%s    tl.store(y + o, "
            "%s)\n",
            type, f->second ? "z: \"*" : "", f->second ? type : "", f->second ? "\", " : "", type, BLOCK,
            BLOCK, f->second ? "    b = tl.load(z + o)\n" : "", f->spelling);
    fclose(text);
    size_t count = (size_t)options.programs * BLOCK;
    struct lang_case test = {.name = f->name, .file = path, .kernel = "kernel", .grid = {options.programs}};
    struct lang_argument in = IN(element, count, 0, 1), out = OUT(element, count);
    test.arguments[0] = in;
    test.arguments[1] = f->second ? in : out;
    if (f->second) {
        test.arguments[2] = out;
    }
    test.reference = reference;
    struct run_settings settings = {.seed = options.seed, .order = EMULATOR_IN_TURN};
    struct lang_run made = {0};
    current = f;
    enum case_outcome outcome =
        run_case("accuracy", &test, options.chip, 4, 1, &settings, &made, message, sizeof message);
    if (options.measure && outcome == CASE_PASSED) {
        measure(f, &made);
    }
    lang_arguments_free(&made);
    unlink(path);
    if (outcome != CASE_PASSED) {
        printf("%s of %s on %s: more than %g units in the last place: %s\n", f->name, type, options.chip,
               f->bounds[wide], message);
    }
    return outcome == CASE_PASSED;
}

static void print_table(void) {
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        const struct function *f = &functions[i];
        static const char *const notes[] = {"", " of the amplitude",
                                            " of 1 where it is less, for negative arguments"};
        printf("| `%s` | %g to %g | %g | %g |%s |\n", f->name, f->low, f->high, f->bounds[0], f->bounds[1],
               notes[f->scale]);
    }
}

static void usage(void) {
    fprintf(
        stderr,
        "usage: accuracy_test [--chip CHIP] [--only NAME] [--samples N] [--seed N] [--measure] [--table]\n");
    exit(2);
}

static void read_options(int argc, char **argv) {
    options = (struct options){.chip = "sm_80", .programs = 16, .seed = 1};
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (!strcmp(argv[i], "--chip") && has_value) {
            options.chip = argv[++i];
        } else if (!strcmp(argv[i], "--only") && has_value) {
            options.only = argv[++i];
        } else if (!strcmp(argv[i], "--samples") && has_value) {
            options.programs = (unsigned)(strtoul(argv[++i], NULL, 10) + BLOCK - 1) / BLOCK;
        } else if (!strcmp(argv[i], "--seed") && has_value) {
            options.seed = strtoull(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--measure")) {
            options.measure = true;
        } else if (!strcmp(argv[i], "--table")) {
            options.table = true;
        } else {
            usage();
        }
    }
    if (!options.programs || options.programs > MOST_PROGRAMS) {
        usage();
    }
}

int main(int argc, char **argv) {
    read_options(argc, argv);
    if (options.table) {
        print_table();
        return 0;
    }
    unsigned failed = 0, runs = 0;
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        if (!options.only || !strcmp(options.only, functions[i].name)) {
            for (int wide = 0; wide < 2; wide++) {
                failed += !run(&functions[i], wide);
                runs++;
            }
        }
    }
    printf("%u functions and types on %s, %u arguments each: %u failed\n", runs, options.chip,
           options.programs * BLOCK, failed);
    return failed != 0;
}
