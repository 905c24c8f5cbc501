// libdevice's rarer functions, against C's and its rounding modes.
#include "lang.h"

#include <fenv.h>
#include <math.h>

static void bessel(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double x = real(r, 0, i);
        put_real(r, 1, i, j0(x));
        put_real(r, 1, 128 + i, j1(x));
        put_real(r, 1, 256 + i, y0(fabs(x)));
        put_real(r, 1, 384 + i, y1(fabs(x)));
    }
}

static void bessel_orders(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        int n = (int)integer(r, 0, i);
        put_real(r, 2, i, jn(n, real(r, 1, i)));
        put_real(r, 2, 128 + i, yn(n, fabs(real(r, 1, i)) + 1));
    }
}

// The power series, with positive terms only.
static double modified(double x, int n) {
    long double term = n ? (long double)x / 2 : 1, total = term;
    for (int k = 1; k < 400; k++) {
        term *= (long double)x * x / 4 / k / (k + n);
        total += term;
    }
    return (double)total;
}

static void modified_bessel(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        put_real(r, 1, i, modified(real(r, 0, i), 0));
        put_real(r, 1, 128 + i, modified(real(r, 0, i), 1));
    }
}

static void gamma_functions(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, lgamma(real(r, 0, i)));
        put_real(r, 1, 256 + i, tgamma(real(r, 0, i)));
    }
}

// Near whole numbers: small sines and logarithms.
static void gamma_near(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double x = (double)((int)i % 12 - 9) + real(r, 0, i);
        put_real(r, 1, i, lgamma(x));
        put_real(r, 1, 256 + i, tgamma(x));
    }
}

static void gamma_f32(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 1, i, tgamma(real(r, 0, i)));
    }
}

static void error_functions(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double x = real(r, 0, i), wide = x * 30;
        put_real(r, 1, i, x);
        put_real(r, 1, 128 + i, x + 1);
        put_real(r, 1, 256 + i, fabs(x));
        put_real(r, 1, 384 + i, (double)(expl((long double)wide * wide) * erfcl((long double)wide)));
    }
}

// One operation with the processor's rounding; volatile, so that it runs at run time.
static double rounded(int mode, char op, double x, double y, double z, bool single) {
    volatile double a = x, b = y, c = z, d = 0;
    volatile float f = (float)x, g = (float)y, h = (float)z, e = 0;
    fesetround(mode);
    switch (op) {
    case '+':
        d = a + b;
        e = f + g;
        break;
    case '-':
        d = a - b;
        e = f - g;
        break;
    case '*':
        d = a * b;
        e = f * g;
        break;
    case '/':
        d = a / b;
        e = f / g;
        break;
    case 's':
        d = sqrt(a);
        e = sqrtf(f);
        break;
    default:
        d = fma(a, b, c);
        e = fmaf(f, g, h);
    }
    fesetround(FE_TONEAREST);
    return single ? e : d;
}

static void directed(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, rounded(FE_DOWNWARD, '+', a, b, 0, true));
        put_real(r, 2, 128 + i, rounded(FE_UPWARD, '+', a, b, 0, true));
        put_real(r, 2, 256 + i, rounded(FE_TOWARDZERO, '*', a, b, 0, true));
        put_real(r, 2, 384 + i, rounded(FE_DOWNWARD, '/', a, b, 0, true));
        put_real(r, 2, 512 + i, rounded(FE_UPWARD, '/', a, b, 0, true));
        put_real(r, 2, 640 + i, rounded(FE_TOWARDZERO, 's', fabs(a), 0, 0, true));
        put_real(r, 2, 768 + i, rounded(FE_UPWARD, 'f', a, b, a, true));
        put_real(r, 2, 896 + i, rounded(FE_TOWARDZERO, '-', a, b, 0, true));
    }
}

static void directed_f64(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, rounded(FE_DOWNWARD, '+', a, b, 0, false));
        put_real(r, 2, 128 + i, rounded(FE_UPWARD, '*', a, b, 0, false));
        put_real(r, 2, 256 + i, rounded(FE_TOWARDZERO, '/', a, b, 0, false));
        put_real(r, 2, 384 + i, rounded(FE_DOWNWARD, '/', 1, b, 0, false));
        put_real(r, 2, 512 + i, rounded(FE_DOWNWARD, 'f', a, b, a, false));
        put_real(r, 2, 640 + i, rounded(FE_UPWARD, 's', fabs(a), 0, 0, false));
    }
}

static double as_float(int mode, double x) {
    volatile double a = x;
    fesetround(mode);
    volatile float f = (float)a;
    fesetround(FE_TONEAREST);
    return f;
}

static double from_integer(int mode, int64_t k, bool is_signed, bool single) {
    volatile int64_t a = k;
    fesetround(mode);
    volatile float f = is_signed ? (float)a : (float)(uint64_t)a;
    volatile double d = is_signed ? (double)a : (double)(uint64_t)a;
    fesetround(FE_TONEAREST);
    return single ? f : d;
}

static void conversions(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double x = real(r, 0, i);
        int64_t k = integer(r, 1, i);
        put_real(r, 2, i, as_float(FE_DOWNWARD, x));
        put_real(r, 2, 128 + i, as_float(FE_UPWARD, x));
        put_real(r, 2, 256 + i, as_float(FE_TOWARDZERO, x));
        put_real(r, 2, 384 + i, from_integer(FE_TOWARDZERO, k, true, true));
        put_real(r, 2, 512 + i, from_integer(FE_UPWARD, k, true, true));
        put_real(r, 2, 640 + i, from_integer(FE_DOWNWARD, k, false, true));
        put_real(r, 2, 768 + i, from_integer(FE_DOWNWARD, (int32_t)k, true, true));
        put_real(r, 3, i, from_integer(FE_DOWNWARD, k, true, false));
        put_real(r, 3, 128 + i, from_integer(FE_UPWARD, k, false, false));
        put_integer(r, 4, i, (int64_t)floor(x));
        put_integer(r, 4, 128 + i, (int32_t)ceil(x));
        put_integer(r, 4, 256 + i, (uint32_t)fabs(x));
    }
}

static void parts(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        float a = (float)real(r, 0, i), b = (float)real(r, 1, i);
        put_real(r, 2, i, logbf(a));
        put_real(r, 2, 128 + i, nextafterf(a, b));
        put_real(r, 2, 256 + i, remainderf(a, b));
        put_real(r, 2, 384 + i, fmodf(a, b));
        put_integer(r, 3, i, ilogbf(a));
    }
}

// Numbers of all exponents, and quotients halfway between integers.
static void rests_f64(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, fmod(a, b));
        put_real(r, 2, 512 + i, remainder(a, b));
        put_real(r, 2, 1024 + i, remainder(((double)i + 0.5) * 3, -3));
    }
}

static void norms(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double a = real(r, 0, i), b = real(r, 0, 128 + i), c = real(r, 0, 256 + i);
        put_real(r, 1, i, sqrt(a * a + b * b + c * c));
        put_real(r, 1, 128 + i, sqrt(2 * a * a + b * b + c * c));
        put_real(r, 1, 256 + i, 1 / hypot(a, b));
    }
}

static void integer_parts(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        uint32_t a = (uint32_t)integer(r, 0, i), b = (uint32_t)integer(r, 1, i), turned = 0, picked = 0;
        int64_t x = (int32_t)a, y = (int32_t)b;
        uint64_t both = (uint64_t)b << 32 | a;
        for (unsigned k = 0; k < 32; k++) {
            turned |= (a >> k & 1) << (31 - k);
        }
        for (unsigned k = 0; k < 4; k++) {
            picked |= (uint32_t)(both >> (i * 0x1357 >> 4 * k & 7) * 8 & 255) << 8 * k;
        }
        put_integer(r, 2, i, (int32_t)turned);
        put_integer(r, 2, 128 + i, (int32_t)picked);
        put_integer(r, 2, 256 + i,
                    (int32_t)((uint32_t)((int32_t)(a << 8) >> 8) * (uint32_t)((int32_t)(b << 8) >> 8)));
        put_integer(r, 2, 384 + i, (x + y) >> 1);
        put_integer(r, 2, 512 + i, (x + y + 1) >> 1);
        put_integer(r, 2, 640 + i, (int32_t)((x > y ? x - y : y - x) + (int64_t)i));
        put_bits(r, 3, i, (uint64_t)a << 32 | b);
        put_integer(r, 2, 768 + i, (int32_t)(a ^ b));
    }
}

static void cut_to_e5m2(struct lang_run *r) {
    for (size_t i = 0; i < 512; i++) {
        put_bits(r, 2, i, float_encode(E5M2, real(r, 0, i), true));
        put_bits(r, 3, i, float_encode(E5M2, real(r, 1, i), true));
    }
}

// Flushes a subnormal result to zero, like some instructions.
static double flushed(double value, double least) {
    return fabs(value) < least ? 0 : value;
}

static void ends(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, flushed(pow(10, a), 0x1p-126));
        put_real(r, 2, 256 + i, expm1((double)((float)a * 3.0F)));
        put_real(r, 2, 512 + i, 1 / float_round(F32, expm1(a)));
        put_real(r, 2, 768 + i, hypot(a, b));
        put_real(r, 2, 1024 + i, 1 / float_round(F32, pow(a, rint(b))));
    }
}

static void ends_f64(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        put_real(r, 2, i, pow(10, a));
        put_real(r, 2, 256 + i, expm1(a * 10));
        put_real(r, 2, 512 + i, 1 / expm1(a));
        put_real(r, 2, 768 + i, hypot(a, b));
        put_real(r, 2, 1024 + i, 1 / pow(a, rint(b)));
    }
}

// From the fractional part of x, and its distance from a half: zeros are exact.
static double half_turn(double x, bool cosine) {
    const long double pi = 3.14159265358979323846264338327950288L;
    double n = rint(x), rest = cosine ? 0.5 - fabs(x - n) : x - n;
    double y = (double)sinl(pi * (long double)rest);
    return fmod(n, 2) == 0 ? y : -y;
}

static void half_turns(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        double a = float_round(F32, real(r, 0, i) * 0.25), b = real(r, 1, i) * 0.25;
        put_real(r, 2, i, half_turn(a, false));
        put_real(r, 2, 256 + i, half_turn(a, true));
        put_real(r, 3, i, half_turn(b, false));
        put_real(r, 3, 256 + i, half_turn(b, true));
    }
}

static void scaled(struct lang_run *r) {
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 4, i, ldexp(real(r, 0, i), (int)integer(r, 1, i)));
        put_real(r, 5, i, ldexp(real(r, 2, i), (int)integer(r, 3, i)));
    }
}

static void normal_tail(struct lang_run *r) {
    const long double root = 0.707106781186547524400844362104849039L;
    for (size_t i = 0; i < 256; i++) {
        put_real(r, 2, i, (double)(0.5L * erfcl(-(long double)real(r, 0, i) * root)));
        put_real(r, 3, i, (double)(0.5L * erfcl(-(long double)real(r, 1, i) * root)));
    }
}

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD}; // rn, rz, rd, ru
enum { RN, RZ, RD, RU };

static int64_t whole(int mode, double x) {
    return (int64_t)(mode == RN ? rint(x) : mode == RZ ? trunc(x) : mode == RD ? floor(x) : ceil(x));
}

static void to_whole(struct lang_run *r) {
    static const int from_f64[] = {RN, RZ, RD, RN, RZ, RU, RN, RD, RU, RN, RZ, RD, RU};
    for (size_t i = 0; i < 128; i++) {
        double x = real(r, 0, i), z = real(r, 1, i);
        for (size_t k = 0; k < 16; k++) {
            put_integer(r, 2, 128 * k + i, whole((int)k % 4, k < 8 ? x : fabs(x)));
        }
        for (size_t k = 0; k < 13; k++) {
            put_integer(r, 3, 128 * k + i, whole(from_f64[k], k < 6 ? z : fabs(z)));
        }
        put_integer(r, 3, 128 * 13 + i, llrint(z));
        put_integer(r, 3, 128 * 14 + i, llround(z));
    }
}

static void from_whole(struct lang_run *r) {
    static const int to_f32[] = {RN, RZ, RU, RN, RZ, RD, RU, RN, RD, RN, RZ, RU};
    static const int to_f64[] = {RN, RZ, RU, RN, RZ, RD};
    for (size_t i = 0; i < 128; i++) {
        int64_t n = integer(r, 0, i);
        for (size_t k = 0; k < 12; k++) {
            int64_t value = k < 3 ? (int32_t)n : k < 7 ? (uint32_t)n : n;
            put_real(r, 2, 128 * k + i, from_integer(modes[to_f32[k]], value, k < 9, true));
        }
        put_real(r, 2, 128 * 12 + i, as_float(FE_TONEAREST, real(r, 1, i)));
        for (size_t k = 0; k < 6; k++) {
            put_real(r, 3, 128 * k + i, from_integer(modes[to_f64[k]], n, k < 3, false));
        }
        put_real(r, 3, 128 * 6 + i, (int32_t)n);
        put_real(r, 3, 128 * 7 + i, (uint32_t)n);
    }
}

static void directed_rest(struct lang_run *r) {
    static const struct {
        int mode;
        char op;
    } all[] = {{RN, '+'}, {RZ, '+'}, {RN, '-'}, {RD, '-'}, {RU, '-'}, {RN, '*'}, {RD, '*'},
               {RN, 'f'}, {RZ, 'f'}, {RD, 's'}, {RN, '1'}, {RZ, '1'}, {RU, '1'}};
    for (size_t i = 0; i < 128; i++) {
        double a = real(r, 0, i), b = real(r, 1, i);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            bool one = all[k].op == '1', root = all[k].op == 's';
            put_real(r, 2, 128 * k + i,
                     rounded(modes[all[k].mode], one ? '/' : all[k].op,
                             one    ? 1
                             : root ? fabs(a)
                                    : a,
                             b, a, true));
        }
    }
}

static void bit_patterns(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        int32_t n = (int32_t)integer(r, 0, i);
        int64_t m = integer(r, 1, i);
        uint32_t u = (uint32_t)n;
        float s = (float)n * 1e-9f;
        put_integer(r, 2, i, n);
        put_integer(r, 2, 128 + i, n);
        put_integer(r, 2, 256 + i, u ? __builtin_clz(u) : 32);
        put_integer(r, 2, 384 + i, __builtin_popcount(u));
        put_integer(r, 2, 512 + i, __builtin_ffs(n));
        put_integer(r, 2, 640 + i, (u >> 23 & 0xFF) != 0xFF);
        put_integer(r, 2, 768 + i, ((uint64_t)m >> 52 & 0x7FF) != 0x7FF);
        put_integer(r, 2, 896 + i, (int32_t)((int64_t)n * (n ^ 0x5A5A5A5A) >> 32));
        put_integer(r, 3, i, m);
        put_real(r, 4, i, s < 0 ? 0 : s > 1 ? 1 : s);
        put_real(r, 4, 128 + i, fdimf(s, 0.25f));
        put_real(r, 4, 256 + i, scalbnf(s, n % 8));
    }
}

static void fast(struct lang_run *r) {
    for (size_t i = 0; i < 128; i++) {
        double a = real(r, 0, i);
        double want[] = {exp(a),      pow(10, a), log(a),      log2(a),     log10(a),          sin(a),
                         cos(a),      tan(a),     pow(a, 1.5), 1 / cbrt(a), 1 / (a * sqrt(6)), 1 / (a * 2),
                         1 / sqrt(a), 1 / a};
        for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
            put_real(r, 1, 128 * k + i, want[k]);
        }
    }
}

static const struct lang_case libdevice_cases[] = {
    CASE(to_whole,
         .arguments = {IN(F32, 128, -30000, 30000), IN(F64, 128, -2e9, 2e9), OUT(I64, 2048), OUT(I64, 1920)}),
    CASE(from_whole, .arguments = {BITS(I64, 128), IN(F64, 128, -3, 3), OUT(F32, 1664), OUT(F64, 1024)}),
    CASE(directed_rest, .arguments = {IN(F32, 128, -3, 3), IN(F32, 128, 1e-3, 3), OUT(F32, 1664)}),
    CASE(bit_patterns,
         .arguments = {BITS(I32, 128), BITS(I64, 128), OUT(I32, 1024), OUT(I64, 128), OUT(F32, 384)}),
    CASE(fast, .arguments = {IN(F32, 128, 0.01, 1.4), OUT(F32, 1792)}, .relative = 1e-5, .absolute = 1e-6),
    CASE(bessel, .arguments = {IN(F64, 128, -40, 40), OUT(F64, 512)}, .relative = 1e-10, .absolute = 1e-10),
    CASE(bessel_orders, .arguments = {IN(I32, 128, -12, 20), IN(F64, 128, -30, 30), OUT(F64, 256)},
         .relative = 1e-12, .absolute = 1e-13),
    CASE_OF(bessel_large_orders, bessel_orders,
            .arguments = {IN(I32, 128, 50, 200), IN(F64, 128, 40, 210), OUT(F64, 256)}, .relative = 1e-12,
            .absolute = 1e-13),
    CASE(modified_bessel, .arguments = {IN(F32, 128, -60, 60), OUT(F32, 256)}, .relative = 1e-6),
    ROW("gamma", gamma, gamma_functions, .arguments = {IN(F64, 256, -20, 100), OUT(F64, 512)},
        .relative = 1e-12, .absolute = 1e-14),
    CASE(gamma_near, .arguments = {IN(F64, 256, -1e-6, 1e-6), OUT(F64, 512)}, .relative = 1e-13),
    CASE_OF(gamma_ends, gamma_f32, .arguments = {SPECIAL(F32, 256, -6, 40), OUT(F32, 256)}, .relative = 1e-6),
    CASE(error_functions, .arguments = {IN(F64, 128, -0.8, 0.999), OUT(F64, 512)}, .relative = 1e-11),
    CASE(directed, .arguments = {IN(F32, 128, -3, 3), IN(F32, 128, -1e-3, 3), OUT(F32, 1024)}),
    CASE_OF(directed_ends, directed,
            .arguments = {SPECIAL(F32, 128, -3, 3), IN(F32, 128, -3, 3), OUT(F32, 1024)}),
    CASE(directed_f64, .arguments = {IN(F64, 128, -3, 3), IN(F64, 128, -1e-3, 3), OUT(F64, 768)}),
    CASE(conversions,
         .arguments = {IN(F64, 128, -1e9, 1e9), BITS(I64, 128), OUT(F32, 896), OUT(F64, 256), OUT(I64, 384)}),
    CASE(parts, .arguments = {SPECIAL(F32, 128, -9, 9), IN(F32, 128, -5, 5), OUT(F32, 512), OUT(I32, 128)}),
    CASE(rests_f64, .arguments = {FINITE(F64, 512), FINITE(F64, 512), OUT(F64, 1536)}),
    CASE(norms, .arguments = {IN(F32, 384, -1e30, 1e30), OUT(F32, 384)}, .relative = 1e-6),
    CASE(integer_parts, .arguments = {BITS(I32, 128), BITS(I32, 128), OUT(I32, 896), OUT(F64, 128)}),
    CASE(cut_to_e5m2, .arguments = {BITS(F32, 512), BITS(F16, 512), OUT(E5M2, 512), OUT(E5M2, 512)}),
    CASE(ends, .arguments = {SPECIAL(F32, 256, -40, 40), SPECIAL(F32, 256, -6, 6), OUT(F32, 1280)},
         .relative = 1e-6),
    CASE(ends_f64, .arguments = {SPECIAL(F64, 256, -90, 90), SPECIAL(F64, 256, -6, 6), OUT(F64, 1280)},
         .relative = 1e-14),
    CASE(half_turns, .arguments = {IOTA(F32, 256, -128), IOTA(F64, 256, -96), OUT(F32, 512), OUT(F64, 512)},
         .relative = 1e-6),
    CASE_OF(half_turns_ends, half_turns,
            .arguments = {SPECIAL(F32, 256, -9, 9), SPECIAL(F64, 256, -9, 9), OUT(F32, 512), OUT(F64, 512)},
            .relative = 1e-6),
    CASE(scaled, .arguments = {SPECIAL(F32, 256, -9, 9), IN(I32, 256, -300, 300), SPECIAL(F64, 256, -9, 9),
                               IN(I32, 256, -2200, 2200), OUT(F32, 256), OUT(F64, 256)}),
    CASE(normal_tail, .arguments = {IN(F32, 256, -12, 6), IN(F64, 256, -36, 9), OUT(F32, 256), OUT(F64, 256)},
         .relative = 6e-7),
};

FAMILY(libdevice);
