// Elementwise arithmetic, comparisons and selects. Each function loops over components × lanes. Inactive
// lanes compute on whatever is in their registers, and the caller keeps their old result.
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"
#include "emulator/report/report.h"

#define EACH(T, U, expression)                                                                               \
    {                                                                                                        \
        const T *restrict a = source(warp, in, 0), *restrict b = source(warp, in, 1);                        \
        U *restrict d = dst;                                                                                 \
        for (uint32_t i = 0; i < in->total; i++) {                                                           \
            T x = a[i], y = b[i];                                                                            \
            d[i] = (U)(expression);                                                                          \
        }                                                                                                    \
        break;                                                                                               \
    }

// Sign extension of a value with `bits` significant bits in its container.
#define SIGNED(S, T, value) ((S)((T)((value) << extend)) >> extend)

static bool divides(LLVMOpcode opcode) {
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

static bool element_is_zero(const uint8_t *data, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        if (data[i]) {
            return false;
        }
    }
    return true;
}

static void check_division(struct warp *warp, const struct instr *in) {
    const uint8_t *divisor = source(warp, in, 1);
    for (unsigned component = 0; component < in->components; component++) {
        FOR_LANES(lane, warp->mask) {
            if (element_is_zero(divisor + ((size_t)component * warp->lanes + lane) * in->bytes, in->bytes)) {
                report_at(warp, in, lane, FAULT_DIVISION, NULL, NULL, "integer %s by zero",
                          in->variant == LLVMUDiv || in->variant == LLVMSDiv ? "division" : "remainder");
                return;
            }
        }
    }
}

#define INTEGER_CASES(T, S)                                                                                  \
    switch (in->variant) {                                                                                   \
    case LLVMAdd:                                                                                            \
        EACH(T, T, (T)(x + y) & keep)                                                                        \
    case LLVMSub:                                                                                            \
        EACH(T, T, (T)(x - y) & keep)                                                                        \
    case LLVMMul:                                                                                            \
        EACH(T, T, (T)((uint64_t)x * y) & keep)                                                              \
    case LLVMAnd:                                                                                            \
        EACH(T, T, x &y)                                                                                     \
    case LLVMOr:                                                                                             \
        EACH(T, T, x | y)                                                                                    \
    case LLVMXor:                                                                                            \
        EACH(T, T, x ^ y)                                                                                    \
    case LLVMShl:                                                                                            \
        EACH(T, T, y < in->bits ? (T)(x << y) & (T)keep : (T)0)                                              \
    case LLVMLShr:                                                                                           \
        EACH(T, T, y < in->bits ? x >> y : 0)                                                                \
    case LLVMAShr:                                                                                           \
        EACH(T, T, (T)(SIGNED(S, T, x) >> (y < in->bits ? y : (T)(in->bits - 1))) & keep)                    \
    case LLVMUDiv:                                                                                           \
        EACH(T, T, y ? x / y : 0)                                                                            \
    case LLVMURem:                                                                                           \
        EACH(T, T, y ? x % y : x)                                                                            \
    case LLVMSDiv:                                                                                           \
        EACH(T, T,                                                                                           \
             (y == 0                  ? (T)0                                                                 \
              : SIGNED(S, T, y) == -1 ? (T)(0 - x)                                                           \
                                      : (T)(SIGNED(S, T, x) / SIGNED(S, T, y))) &                            \
                 keep)                                                                                       \
    case LLVMSRem:                                                                                           \
        EACH(T, T, (y == 0 || SIGNED(S, T, y) == -1 ? (T)0 : (T)(SIGNED(S, T, x) % SIGNED(S, T, y))) & keep) \
    default:                                                                                                 \
        break;                                                                                               \
    }                                                                                                        \
    break

void exec_integer(struct warp *warp, const struct instr *in, void *dst) {
    unsigned extend = in->bytes * 8u - in->bits;
    uint64_t keep = in->bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << in->bits) - 1;
    if (divides(in->variant) && warp->run->checks) {
        check_division(warp, in);
    }
    switch (in->bytes) {
    case 1:
        INTEGER_CASES(uint8_t, int8_t);
    case 2:
        INTEGER_CASES(uint16_t, int16_t);
    case 4:
        INTEGER_CASES(uint32_t, int32_t);
    case 8:
        INTEGER_CASES(uint64_t, int64_t);
    default:
        break;
    }
}

void exec_integer_wide(struct warp *warp, const struct instr *in, void *dst) {
    typedef unsigned __int128 wide;
    typedef __int128 signed_wide;
    unsigned extend = 128u - in->bits;
    wide keep = in->bits >= 128 ? ~(wide)0 : ((wide)1 << in->bits) - 1;
    if (divides(in->variant) && warp->run->checks) {
        check_division(warp, in);
    }
    const wide *a = source(warp, in, 0), *b = source(warp, in, 1);
    wide *d = dst;
    for (uint32_t i = 0; i < in->total; i++) {
        wide x = a[i], y = b[i], r = 0;
        signed_wide sx = SIGNED(signed_wide, wide, x), sy = SIGNED(signed_wide, wide, y);
        switch (in->variant) {
        case LLVMAdd:
            r = x + y;
            break;
        case LLVMSub:
            r = x - y;
            break;
        case LLVMMul:
            r = x * y;
            break;
        case LLVMAnd:
            r = x & y;
            break;
        case LLVMOr:
            r = x | y;
            break;
        case LLVMXor:
            r = x ^ y;
            break;
        case LLVMShl:
            r = y < in->bits ? x << y : 0;
            break;
        case LLVMLShr:
            r = y < in->bits ? x >> y : 0;
            break;
        case LLVMAShr:
            r = (wide)(sx >> (y < in->bits ? (unsigned)y : in->bits - 1u));
            break;
        case LLVMUDiv:
            r = y ? x / y : 0;
            break;
        case LLVMURem:
            r = y ? x % y : x;
            break;
        case LLVMSDiv:
            r = !y ? 0 : sy == -1 ? -x : (wide)(sx / sy);
            break;
        case LLVMSRem:
            r = !y || sy == -1 ? 0 : (wide)(sx % sy);
            break;
        default:
            break;
        }
        d[i] = r & keep;
    }
}

// 32-bit arithmetic for a part of an address: signed overflow is reported.
void exec_integer_checked(struct warp *warp, const struct instr *in, void *dst) {
    const int32_t *a = source(warp, in, 0), *b = source(warp, in, 1);
    exec_integer(warp, in, dst);
    for (unsigned component = 0; component < in->components; component++) {
        FOR_LANES(lane, warp->mask) {
            uint32_t i = component * warp->lanes + lane;
            int64_t x = a[i], y = b[i];
            int64_t exact = in->variant == LLVMAdd   ? x + y
                            : in->variant == LLVMSub ? x - y
                            : in->variant == LLVMMul ? x * y
                                                     : (y >= 0 && y < 32 ? (int64_t)((uint64_t)x << y) : 0);
            if (exact != (int32_t)exact) {
                report_at(warp, in, lane, FAULT_OVERFLOW, NULL, NULL,
                          "32-bit address arithmetic wraps: %lld %s %lld; compute it in 64 bits",
                          (long long)x,
                          in->variant == LLVMAdd   ? "+"
                          : in->variant == LLVMSub ? "-"
                          : in->variant == LLVMMul ? "×"
                                                   : "<<",
                          (long long)y);
                return;
            }
        }
    }
}

#define FLOAT_CASES(T, load, store, remainder)                                                               \
    switch (in->variant) {                                                                                   \
    case LLVMFAdd:                                                                                           \
        EACH(T, T, store(load(x) + load(y)))                                                                 \
    case LLVMFSub:                                                                                           \
        EACH(T, T, store(load(x) - load(y)))                                                                 \
    case LLVMFMul:                                                                                           \
        EACH(T, T, store(load(x) * load(y)))                                                                 \
    case LLVMFDiv:                                                                                           \
        EACH(T, T, store(load(x) / load(y)))                                                                 \
    case LLVMFRem:                                                                                           \
        EACH(T, T, store(remainder(load(x), load(y))))                                                       \
    default:                                                                                                 \
        break;                                                                                               \
    }                                                                                                        \
    break

// Half and bfloat16 compute in float and round once more: with 24 ≥ 2 × 11 + 2 bits the second rounding
// changes nothing.
static void float_operation(struct warp *warp, const struct instr *in, void *dst) {
    switch (in->element) {
    case ELEMENT_HALF:
        FLOAT_CASES(uint16_t, half_to_float, half_from_float, fmodf);
    case ELEMENT_BFLOAT:
        FLOAT_CASES(uint16_t, bfloat_to_float, bfloat_from_float, fmodf);
    case ELEMENT_FLOAT:
        FLOAT_CASES(float, , , fmodf);
    case ELEMENT_DOUBLE:
        FLOAT_CASES(double, , , fmod);
    default:
        break;
    }
}

void exec_float(struct warp *warp, const struct instr *in, void *dst) {
    float_operation(warp, in, dst);
    canonical_nans(warp, in, dst);
}

void canonical_nans(const struct warp *warp, const struct instr *in, void *dst) {
    uint32_t *words = dst;
    uint16_t *halves = dst;
    if (warp->run->emulator->amd) {
        return;
    }
    if (in->element == ELEMENT_FLOAT) {
        for (uint32_t i = 0; i < in->total; i++) {
            words[i] = (words[i] & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : words[i];
        }
    } else if (in->element == ELEMENT_HALF) {
        for (uint32_t i = 0; i < in->total; i++) {
            halves[i] = (halves[i] & 0x7fff) > 0x7c00 ? 0x7fff : halves[i];
        }
    } else if (in->element == ELEMENT_BFLOAT) {
        for (uint32_t i = 0; i < in->total; i++) {
            halves[i] = (halves[i] & 0x7fff) > 0x7f80 ? 0x7fff : halves[i];
        }
    }
}

void exec_negate(struct warp *warp, const struct instr *in, void *dst) {
    const void *from = source(warp, in, 0);
    for (uint32_t i = 0; i < in->total; i++) {
        if (in->bytes == 2) {
            ((uint16_t *)dst)[i] = ((const uint16_t *)from)[i] ^ 0x8000;
        } else if (in->bytes == 4) {
            ((uint32_t *)dst)[i] = ((const uint32_t *)from)[i] ^ 0x80000000u;
        } else {
            ((uint64_t *)dst)[i] = ((const uint64_t *)from)[i] ^ (uint64_t)1 << 63;
        }
    }
}

#define COMPARE_CASES(T, S)                                                                                  \
    switch (in->variant) {                                                                                   \
    case LLVMIntEQ:                                                                                          \
        EACH(T, uint8_t, x == y)                                                                             \
    case LLVMIntNE:                                                                                          \
        EACH(T, uint8_t, x != y)                                                                             \
    case LLVMIntUGT:                                                                                         \
        EACH(T, uint8_t, x > y)                                                                              \
    case LLVMIntUGE:                                                                                         \
        EACH(T, uint8_t, x >= y)                                                                             \
    case LLVMIntULT:                                                                                         \
        EACH(T, uint8_t, x < y)                                                                              \
    case LLVMIntULE:                                                                                         \
        EACH(T, uint8_t, x <= y)                                                                             \
    case LLVMIntSGT:                                                                                         \
        EACH(T, uint8_t, SIGNED(S, T, x) > SIGNED(S, T, y))                                                  \
    case LLVMIntSGE:                                                                                         \
        EACH(T, uint8_t, SIGNED(S, T, x) >= SIGNED(S, T, y))                                                 \
    case LLVMIntSLT:                                                                                         \
        EACH(T, uint8_t, SIGNED(S, T, x) < SIGNED(S, T, y))                                                  \
    case LLVMIntSLE:                                                                                         \
        EACH(T, uint8_t, SIGNED(S, T, x) <= SIGNED(S, T, y))                                                 \
    default:                                                                                                 \
        break;                                                                                               \
    }                                                                                                        \
    break

void exec_compare_integer(struct warp *warp, const struct instr *in, void *dst) {
    unsigned extend = in->source_element == ELEMENT_POINTER ? 0 : in->source_bytes * 8u - in->source_bits;
    switch (in->source_bytes) {
    case 1:
        COMPARE_CASES(uint8_t, int8_t);
    case 2:
        COMPARE_CASES(uint16_t, int16_t);
    case 4:
        COMPARE_CASES(uint32_t, int32_t);
    case 8:
        COMPARE_CASES(uint64_t, int64_t);
    case 16:
        COMPARE_CASES(unsigned __int128, __int128);
    default:
        break;
    }
}

#define UNORDERED(x, y) ((x) != (x) || (y) != (y))
// The predicate's bits: 1 equal, 2 greater, 4 less, 8 unordered (the encoding of LLVM's predicates).
#define EACH_FLOAT(T, load)                                                                                  \
    {                                                                                                        \
        const T *restrict a = source(warp, in, 0), *restrict b = source(warp, in, 1);                        \
        uint8_t *restrict d = dst;                                                                           \
        unsigned equal = in->variant & 1, greater = in->variant >> 1 & 1, less = in->variant >> 2 & 1,       \
                 unordered = in->variant >> 3 & 1;                                                           \
        for (uint32_t i = 0; i < in->total; i++) {                                                           \
            __typeof__(load(a[0])) x = load(a[i]), y = load(b[i]);                                           \
            d[i] = (uint8_t)((unsigned)(x == y) * equal | (unsigned)(x > y) * greater |                      \
                             (unsigned)(x < y) * less | (unsigned)UNORDERED(x, y) * unordered);              \
        }                                                                                                    \
        break;                                                                                               \
    }

void exec_compare_float(struct warp *warp, const struct instr *in, void *dst) {
    switch (in->source_element) {
    case ELEMENT_HALF:
        EACH_FLOAT(uint16_t, half_to_float)
    case ELEMENT_BFLOAT:
        EACH_FLOAT(uint16_t, bfloat_to_float)
    case ELEMENT_FLOAT:
        EACH_FLOAT(float, )
    case ELEMENT_DOUBLE:
        EACH_FLOAT(double, )
    default:
        break;
    }
}

#define SELECT_LOOP(T)                                                                                       \
    {                                                                                                        \
        const T *restrict yes = source(warp, in, 1), *restrict no = source(warp, in, 2);                     \
        T *restrict d = dst;                                                                                 \
        for (uint32_t base = 0; base < in->total; base += lanes)                                             \
            for (uint32_t lane = 0; lane < lanes; lane++) {                                                  \
                T x = yes[base + lane], y = no[base + lane];                                                 \
                d[base + lane] = condition[(in->variant ? base : 0) + lane] ? x : y;                         \
            }                                                                                                \
        break;                                                                                               \
    }

// variant: the condition is a vector too.
void exec_select(struct warp *warp, const struct instr *in, void *dst) {
    const uint8_t *restrict condition = source(warp, in, 0);
    uint32_t lanes = warp->lanes;
    switch (in->bytes) {
    case 1:
        SELECT_LOOP(uint8_t)
    case 2:
        SELECT_LOOP(uint16_t)
    case 4:
        SELECT_LOOP(uint32_t)
    case 8:
        SELECT_LOOP(uint64_t)
    case 16:
        SELECT_LOOP(unsigned __int128)
    default:
        break;
    }
}
