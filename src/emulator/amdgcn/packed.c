// VOP3P: two halves of a register at once, pairs of floats, and f32 arithmetic with some operands in half precision.
//
// op_sel chooses the half (for v_pk_…_f32: the register) read for the low result, op_sel_hi for the high one.
// For v_fma_mix op_sel_hi marks the operands in half precision and op_sel their half (CDNA3 ISA 6.5 and
// 12.13, RDNA3 ISA 7.4 and 16.11).
#include "emulator/amdgcn/amdgcn.h"
#include "emulator/number/number.h"

#include <stdio.h>

enum packed_type { PACKED_F16, PACKED_U16, PACKED_I16, PACKED_F32, PACKED_B32 };
struct packed_row {
    const char *name;
    uint8_t type, operands;
    uint32_t (*run)(uint32_t a, uint32_t b, uint32_t c);
};

static inline double half(uint32_t bits) {
    return (double)half_to_float((uint16_t)bits);
}
static inline uint32_t to_half(double value) {
    return half_from_float(float_to_odd(value));
}
#define FLOATS(name, value)                                                                                  \
    static uint32_t name(uint32_t x, uint32_t y, uint32_t z) {                                               \
        float a = float_from_bits(x), b = float_from_bits(y), c = float_from_bits(z);                        \
        (void)c;                                                                                             \
        return float_bits(value);                                                                            \
    }
#define HALVES(name, value)                                                                                  \
    static uint32_t name(uint32_t x, uint32_t y, uint32_t z) {                                               \
        double a = half(x), b = half(y), c = half(z);                                                        \
        (void)c;                                                                                             \
        return to_half(value);                                                                               \
    }
#define WORDS(name, type, value)                                                                             \
    static uint32_t name(uint32_t x, uint32_t y, uint32_t z) {                                               \
        type a = (type)x, b = (type)y, c = (type)z;                                                          \
        (void)c;                                                                                             \
        return (uint16_t)(value);                                                                            \
    }
FLOATS(add_f32, a + b)
FLOATS(mul_f32, a *b)
FLOATS(fma_f32, fmaf(a, b, c))
HALVES(add_f16, a + b)
HALVES(mul_f16, a *b)
HALVES(fma_f16, (double)fused_to_odd(a, b, c))
HALVES(max_f16, isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b)
HALVES(min_f16, isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b)
WORDS(add_u16, uint16_t, a + b)
WORDS(sub_u16, uint16_t, a - b)
WORDS(mul_u16, uint16_t, (uint32_t)a *b)
WORDS(mad_u16, uint16_t, (uint32_t)a *b + c)
WORDS(max_u16, uint16_t, a > b ? a : b)
WORDS(min_u16, uint16_t, a < b ? a : b)
WORDS(max_i16, int16_t, a > b ? a : b)
WORDS(min_i16, int16_t, a < b ? a : b)
WORDS(shl_u16, uint16_t, b << (a & 15))
WORDS(shr_u16, uint16_t, b >> (a & 15))
WORDS(shr_i16, int16_t, b >> (a & 15))

static const struct packed_row rows[] = {
    {"v_pk_add_f32", PACKED_F32, 2, add_f32},     {"v_pk_mul_f32", PACKED_F32, 2, mul_f32},
    {"v_pk_fma_f32", PACKED_F32, 3, fma_f32},     {"v_pk_mov_b32", PACKED_B32, 2, NULL},
    {"v_pk_add_f16", PACKED_F16, 2, add_f16},     {"v_pk_mul_f16", PACKED_F16, 2, mul_f16},
    {"v_pk_fma_f16", PACKED_F16, 3, fma_f16},     {"v_pk_max_f16", PACKED_F16, 2, max_f16},
    {"v_pk_min_f16", PACKED_F16, 2, min_f16},     {"v_pk_max_num_f16", PACKED_F16, 2, max_f16},
    {"v_pk_min_num_f16", PACKED_F16, 2, min_f16}, {"v_pk_add_u16", PACKED_U16, 2, add_u16},
    {"v_pk_sub_u16", PACKED_U16, 2, sub_u16},     {"v_pk_add_i16", PACKED_I16, 2, add_u16},
    {"v_pk_sub_i16", PACKED_I16, 2, sub_u16},     {"v_pk_mul_lo_u16", PACKED_U16, 2, mul_u16},
    {"v_pk_mad_u16", PACKED_U16, 3, mad_u16},     {"v_pk_mad_i16", PACKED_I16, 3, mad_u16},
    {"v_pk_max_u16", PACKED_U16, 2, max_u16},     {"v_pk_min_u16", PACKED_U16, 2, min_u16},
    {"v_pk_max_i16", PACKED_I16, 2, max_i16},     {"v_pk_min_i16", PACKED_I16, 2, min_i16},
    {"v_pk_lshlrev_b16", PACKED_U16, 2, shl_u16}, {"v_pk_lshrrev_b16", PACKED_U16, 2, shr_u16},
    {"v_pk_ashrrev_i16", PACKED_I16, 2, shr_i16},
};

static uint32_t word_of(const struct warp *warp, const struct gcn_operand *operand, unsigned word,
                        unsigned lane) {
    if (operand->kind == OPERAND_VECTOR) {
        return row_of(warp, operand->reg + word)[lane];
    }
    return (uint32_t)(scalar_read_wide(warp, operand) >> (word ? 32 : 0));
}

// The low or high result's operand, with its sign.
static uint32_t part_of(const struct warp *warp, const struct gcn *gcn, unsigned index, bool high,
                        unsigned lane, bool words) {
    const struct gcn_operand *operand = &gcn->operands[1 + index];
    bool upper = (high ? gcn->op_sel_hi : gcn->op_sel) >> index & 1;
    bool negate = (high ? gcn->neg_hi : gcn->neg_lo) >> index & 1;
    uint32_t value = word_of(warp, operand, words && upper, lane);
    if (!words) {
        value = upper ? value >> 16 : value & 0xffff;
    }
    return negate ? value ^ (words ? 0x80000000u : 0x8000) : value;
}

static uint32_t clamp_half(uint32_t bits) {
    double value = half(bits);
    return value > 0 ? (value < 1 ? bits : 0x3c00) : 0;
}
static uint32_t clamp_float(uint32_t bits) {
    float value = float_from_bits(bits);
    return value > 0 ? (value < 1 ? bits : float_bits(1)) : 0;
}

static void run_packed(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct packed_row *row = gcn->matrix;
    bool words = row->type == PACKED_F32 || row->type == PACKED_B32;
    uint32_t results[2][MAX_LANES];
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        for (unsigned high = 0; high < 2; high++) {
            uint32_t parts[3] = {0};
            for (unsigned i = 0; i < row->operands; i++) {
                parts[i] = part_of(warp, gcn, i, high, lane, words);
            }
            // v_pk_mov: the low result is a part of the first operand, the high one of the second
            uint32_t value = row->run ? row->run(parts[0], parts[1], parts[2]) : parts[high];
            results[high][lane] = !gcn->clamp               ? value
                                  : row->type == PACKED_F32 ? clamp_float(value)
                                                            : clamp_half(value);
        }
    }
    unsigned reg = gcn->operands[0].reg;
    FOR_LANES(lane, warp->mask) {
        row_of(warp, reg)[lane] = words ? results[0][lane] : results[0][lane] | results[1][lane] << 16;
        if (words) {
            row_of(warp, reg + 1u)[lane] = results[1][lane];
        }
    }
}

// ---- v_fma_mix_f32, v_fma_mixlo_f16, v_fma_mixhi_f16; of gfx1250 the same with bf16 ----

enum { MIX_F32, MIX_LOW, MIX_HIGH, MIX_KINDS, MIX_BF16 = 4 };

static uint32_t narrowed(const struct gcn *gcn, float value) {
    return gcn->immediate & MIX_BF16 ? bfloat_from_float(value) : half_from_float(value);
}

static float widened(const struct gcn *gcn, uint16_t bits) {
    return gcn->immediate & MIX_BF16 ? float_from_bits((uint32_t)bits << 16) : half_to_float(bits);
}

static float mixed(const struct warp *warp, const struct gcn *gcn, unsigned index, unsigned lane) {
    const struct gcn_operand *operand = &gcn->operands[1 + index];
    bool narrow = gcn->op_sel_hi >> index & 1, high = gcn->op_sel >> index & 1;
    uint32_t word = word_of(warp, operand, 0, lane);
    if (operand->kind == OPERAND_NUMBER && operand->is_float) {
        word = narrow ? narrowed(gcn, (float)operand->number) : float_bits((float)operand->number);
    }
    float value = narrow ? widened(gcn, (uint16_t)(high ? word >> 16 : word)) : float_from_bits(word);
    value = operand->absolute ? fabsf(value) : value;
    return operand->negate ? -value : value;
}

static void run_mix(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    uint32_t *to = row_of(warp, gcn->operands[0].reg);
    unsigned kind = gcn->immediate & ~(unsigned)MIX_BF16;
    FOR_LANES(lane, warp->mask) {
        float a = mixed(warp, gcn, 0, lane), b = mixed(warp, gcn, 1, lane), c = mixed(warp, gcn, 2, lane);
        float sum = fmaf(a, b, c); // rounded to a half afterwards (ISA documents, V_FMA_MIXLO_F16)
        uint32_t value = kind == MIX_F32 ? float_bits(sum) : narrowed(gcn, sum);
        if (gcn->clamp) {
            value = kind == MIX_F32 ? clamp_float(value) : clamp_half(value);
        }
        to[lane] = kind == MIX_F32   ? value
                   : kind == MIX_LOW ? (to[lane] & 0xffff0000u) | value
                                     : (to[lane] & 0xffff) | value << 16;
    }
}

// ---- decoding ----

static bool bind_operands(struct gcn_decoder *decoder, const struct gcn_text *text, struct gcn *gcn,
                          unsigned count, unsigned op_sel_hi) {
    if (text->operand_count != count + 1) {
        return gcn_refuse(decoder, "it has %u operands, and %u are known", text->operand_count, count + 1);
    }
    for (unsigned i = 0; i <= count; i++) {
        if (!text_operand(text->operands[i], &gcn->operands[i])) {
            return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[i]);
        }
    }
    gcn->operand_count = count + 1;
    gcn->op_sel = (uint8_t)text_bits(text, "op_sel", 0);
    gcn->op_sel_hi = (uint8_t)text_bits(text, "op_sel_hi", op_sel_hi);
    gcn->neg_lo = (uint8_t)text_bits(text, "neg_lo", 0);
    gcn->neg_hi = (uint8_t)text_bits(text, "neg_hi", 0);
    gcn->clamp = text_flag(text, "clamp");
    return true;
}

static bool bind_mix(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                     struct gcn *gcn) {
    static const char *const names[] = {"v_fma_mix_f32",      "v_fma_mixlo_f16",  "v_fma_mixhi_f16",
                                        "v_fma_mix_f32_bf16", "v_fma_mixlo_bf16", "v_fma_mixhi_bf16"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text->name, names[i]) != 0) {
            continue;
        }
        gcn->run = run_mix;
        gcn->immediate = i % MIX_KINDS | (i < MIX_KINDS ? 0 : MIX_BF16);
        in->kind = KIND_FLOAT;
        if (!bind_operands(decoder, text, gcn, 3, 0)) {
            return false;
        }
        if (i > MIX_KINDS && text_flag(text, "clamp")) {
            return gcn_refuse(decoder, "a bf16 limited to 0 to 1 is not modelled");
        }
        for (unsigned j = 1; j < 4; j++) {
            gcn->operands[j].bits = (uint64_t)gcn->operands[j].integer;
        }
        return true;
    }
    return false;
}

bool bind_packed(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                 struct gcn *gcn) {
    if (bind_mix(decoder, text, in, gcn)) {
        return true;
    }
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(text->name, rows[i].name) != 0) {
            continue;
        }
        gcn->run = run_packed;
        gcn->matrix = &rows[i];
        in->kind = rows[i].type == PACKED_U16 || rows[i].type == PACKED_I16 ? KIND_INTEGER : KIND_FLOAT;
        if (!bind_operands(decoder, text, gcn, rows[i].operands, 7)) {
            return false;
        }
        for (unsigned j = 1; j <= rows[i].operands; j++) {
            struct gcn_operand *operand = &gcn->operands[j];
            bool narrow = rows[i].type == PACKED_F16;
            uint64_t bits = !operand->is_float ? (uint32_t)operand->integer
                            : narrow           ? half_from_float((float)operand->number)
                                               : float_bits((float)operand->number);
            operand->bits = rows[i].type == PACKED_F32 ? bits | bits << 32 : bits;
        }
        if (rows[i].type == PACKED_B32) { // each result has one operand, and its choice is in op_sel
            gcn->op_sel_hi = gcn->op_sel;
        }
        return !gcn->clamp || in->kind == KIND_FLOAT ||
               gcn_refuse(decoder, "saturating integers are not modelled");
    }
    return false;
}
