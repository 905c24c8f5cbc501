// NVIDIA's mma.sync. Fragments (PTX ISA, "Matrix Fragments for mma.m…"): with g = lane / 4, t = lane % 4 and
// e elements in a register (2 of 16 bits, 4 of 8, 1 of 32 or 64), register j holds
//   A (16 rows)      row g + 8 (j mod 2)    column 4e (j / 2) + e t + i
//   A (8 rows)       row g                  column e t + i
//   B                row 4e j + e t + i     column g
//   C, D element i   row g + 8 (i / 2)      column 2t + i mod 2
// for i = 0 … e - 1; one rule serves every shape. Products are exact; they and the accumulator are summed in
// double and rounded once, because the hardware's own order and truncation are not documented.
#include "emulator/nvidia/nvidia.h"

#include <stdlib.h>

#include "emulator/number/matrix.h"
#include "emulator/number/number.h"
#include "emulator/report/report.h"

struct mma_shape {
    unsigned m, n, k;
    enum matrix_type a, b, c, d;
    bool saturate;   // integers
    unsigned scales; // of a row of A or column of B: blocks of K, each with a byte; 0: none
};

static bool parse_type(const char **text, enum matrix_type *type) {
    static const struct {
        const char *name;
        enum matrix_type type;
    } names[] = {{"bf16", MATRIX_BF16}, {"f16", MATRIX_F16},   {"tf32", MATRIX_TF32}, {"f32", MATRIX_F32},
                 {"f64", MATRIX_F64},   {"s8", MATRIX_S8},     {"u8", MATRIX_U8},     {"e4m3", MATRIX_E4M3},
                 {"e5m2", MATRIX_E5M2}, {"e2m1", MATRIX_E2M1}, {"s32", MATRIX_S32}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        if (!strncmp(*text, names[i].name, length)) {
            *text += length;
            *type = names[i].type;
            return true;
        }
    }
    return false;
}

// The length of the kind of sm_120a's forms, and how many scales it has.
static size_t skip_kind(const char *text, unsigned *scales) {
    static const struct {
        const char *text;
        unsigned scales;
    } kinds[] = {{".kind::f8f6f4", 0},
                 {".kind::mxf8f6f4.block_scale.scale_vec::1X", 1},
                 {".kind::mxf4.block_scale.scale_vec::2X", 2},
                 {".kind::mxf4nvf4.block_scale.scale_vec::4X", 4}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].text);
        if (!strncmp(text, kinds[i].text, length) && text[length] == '.') {
            *scales = kinds[i].scales;
            return length;
        }
    }
    return 0;
}

// Names of intrinsics have the variable types: "f32.f16" (D and C, f16 operands), "bf16", "tf32", "s8",
// "s8.u8", "f64". Assembly names all four: "f32.e4m3.e4m3.f32".
const struct mma_shape *mma_parse(struct arena *arena, const char *name) {
    struct mma_shape shape = {0};
    int used = 0;
    if (sscanf(name, "m%un%uk%u.row.col%n", &shape.m, &shape.n, &shape.k, &used) != 3 || !used ||
        shape.n != 8 || (shape.m != 16 && shape.m != 8)) {
        return NULL;
    }
    enum matrix_type types[4];
    unsigned count = 0;
    const char *at = name + used;
    if (!strncmp(at, ".satfinite", 10)) {
        shape.saturate = true;
        at += 10;
    }
    at += skip_kind(at, &shape.scales);
    while (*at == '.' && count < 4) {
        at++;
        if (!parse_type(&at, &types[count++])) {
            return NULL;
        }
    }
    if (shape.scales && strcmp(at, shape.scales == 4 ? ".ue4m3" : ".ue8m0") != 0) {
        return NULL;
    }
    if ((*at && !shape.scales) || count == 0 || count == 3) {
        return NULL;
    }
    enum matrix_type first = types[0];
    if (count == 4) {
        shape.d = types[0], shape.a = types[1], shape.b = types[2], shape.c = types[3];
    } else if (first == MATRIX_F32 || first == MATRIX_F16) {
        if (count != 2) {
            return NULL;
        }
        shape.a = shape.b = MATRIX_F16, shape.d = types[0], shape.c = types[1];
    } else {
        shape.a = first;
        shape.b = count == 2 ? types[1] : first;
        shape.d = shape.c = first == MATRIX_F64                        ? MATRIX_F64
                            : first == MATRIX_S8 || first == MATRIX_U8 ? MATRIX_S32
                                                                       : MATRIX_F32;
    }
    if (shape.m * shape.k * matrix_bits(shape.a) > 16 * 32 * 32 ||
        matrix_bits(shape.a) != matrix_bits(shape.b)) {
        return NULL;
    }
    struct mma_shape *result = ARENA_NEW(arena, struct mma_shape);
    *result = shape;
    return result;
}

// Each lane's register: a 32-bit or 64-bit scalar or a packed pair.
static void register_words(const struct warp *warp, const struct operand *operand, uint64_t words[32]) {
    const uint8_t *data = warp->registers + operand->reg;
    unsigned bytes = operand->shape.bytes;
    memset(words, 0, 32 * sizeof *words);
    for (unsigned c = 0; c < operand->shape.components; c++, data += (size_t)warp->lanes * bytes) {
        unsigned shift = c * operand->shape.bits;
        if (bytes == 2) {
            const uint16_t *parts = (const uint16_t *)data;
            for (unsigned lane = 0; lane < 32; lane++) {
                words[lane] |= (uint64_t)parts[lane] << shift;
            }
        } else if (bytes == 4) {
            const uint32_t *parts = (const uint32_t *)data;
            for (unsigned lane = 0; lane < 32; lane++) {
                words[lane] |= (uint64_t)parts[lane] << shift;
            }
        } else {
            for (unsigned lane = 0; lane < 32; lane++) {
                uint64_t part = 0;
                memcpy(&part, data + (size_t)lane * bytes, bytes);
                words[lane] |= part << shift;
            }
        }
    }
}

// Element `i` of each lane's word.
static void elements(enum matrix_type type, const uint64_t words[32], unsigned i, double numbers[32]) {
    unsigned bits = matrix_bits(type);
    uint64_t keep = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1, ones[32];
    for (unsigned lane = 0; lane < 32; lane++) {
        ones[lane] = words[lane] >> i * bits & keep;
    }
    matrix_numbers(type, ones, 32, numbers);
}

struct tile {
    double a[16][64], b[64][8], c[16][8];
};

static unsigned load_operands(const struct warp *warp, const struct instr *in, const struct mma_shape *shape,
                              struct tile *tile) {
    unsigned bits = matrix_bits(shape->a), width = bits == 64 ? 64 : 32, e = width / bits;
    unsigned a_count = shape->m * shape->k / 32 / e, b_count = shape->k * shape->n / 32 / e;
    uint64_t words[32];
    double numbers[32];
    for (unsigned j = 0; j < a_count; j++) {
        unsigned row = shape->m == 16 ? 8 * (j % 2) : 0, column = (shape->m == 16 ? j / 2 : j) * 4 * e;
        register_words(warp, &in->operands[j], words);
        for (unsigned i = 0; i < e; i++) {
            elements(shape->a, words, i, numbers);
            for (unsigned lane = 0; lane < 32; lane++) {
                tile->a[row + lane / 4][column + e * (lane % 4) + i] = numbers[lane];
            }
        }
    }
    for (unsigned j = 0; j < b_count; j++) {
        register_words(warp, &in->operands[a_count + j], words);
        for (unsigned i = 0; i < e; i++) {
            elements(shape->b, words, i, numbers);
            for (unsigned lane = 0; lane < 32; lane++) {
                tile->b[4 * e * j + e * (lane % 4) + i][lane / 4] = numbers[lane];
            }
        }
    }
    unsigned per = matrix_bits(shape->c) == 16 ? 2 : 1;
    for (unsigned i = 0; i < shape->m * shape->n / 32; i++) {
        register_words(warp, &in->operands[a_count + b_count + i / per], words);
        elements(shape->c, words, i % per, numbers);
        for (unsigned lane = 0; lane < 32; lane++) {
            tile->c[lane / 4 + 8 * (i / 2)][2 * (lane % 4) + i % 2] = numbers[lane];
        }
    }
    return a_count + b_count;
}

// A power of two (E8M0: 255 is a NaN), or, if there are four, an unsigned number of e4m3.
static double scale_of(const struct mma_shape *shape, uint64_t word, unsigned byte) {
    enum { BIAS = 127, NOT_A_NUMBER = 255, UNSIGNED = 127 };
    uint64_t code = word >> 8 * byte & 255;
    if (shape->scales == 4) {
        return matrix_number(MATRIX_E4M3, code & UNSIGNED);
    }
    return code == NOT_A_NUMBER ? (double)NAN : ldexp(1, (int)code - BIAS);
}

// Operands from `first` on: A's word, its first byte, the pair of lanes of each quad that gives rows g and g + 8; B's word, its first
// byte, the lane of each quad that gives column g (PTX ISA, "mma with block scaling").
static void scale_operands(const struct warp *warp, const struct instr *in, const struct mma_shape *shape,
                           unsigned first, struct tile *tile) {
    const struct operand *at = in->operands + first;
    unsigned block = shape->k / shape->scales;
    uint64_t a[32], b[32];
    register_words(warp, &at[0], a);
    register_words(warp, &at[3], b);
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned g = lane / 4, t = lane % 4;
        for (unsigned k = 0; k < shape->k; k++) {
            unsigned byte = k / block;
            if (t / 2 == at[2].constant) {
                tile->a[g + 8 * (t % 2)][k] *= scale_of(shape, a[lane], byte + (unsigned)at[1].constant);
            }
            if (t == at[5].constant) {
                tile->b[k][g] *= scale_of(shape, b[lane], byte + (unsigned)at[4].constant);
            }
        }
    }
}

// Results: one field of the struct per register, 64-byte aligned; f16 results are pairs.
static void store_results(const struct warp *warp, const struct instr *in, const struct mma_shape *shape,
                          const struct tile *tile, uint8_t *dst) {
    unsigned bits = matrix_bits(shape->d), lanes = warp->lanes;
    bool words = in->variant == 1; // the fields are i32 although the elements have 16 bits
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned g = lane / 4, t = lane % 4;
        for (unsigned i = 0; i < shape->m * shape->n / 32; i++) {
            double value = tile->c[g + 8 * (i / 2)][2 * t + i % 2];
            if (bits == 16) {
                uint16_t half = half_from_float(float_to_odd(value));
                if (words) {
                    memcpy(dst + (size_t)(i / 2) * lanes * 4 + lane * 4u + 2 * (i % 2), &half, 2);
                } else {
                    memcpy(dst + (size_t)i * lanes * 2 + lane * 2u, &half, 2);
                }
            } else if (shape->d == MATRIX_F32) {
                ((float *)dst)[i * lanes + lane] = (float)value;
            } else if (shape->d == MATRIX_F64) {
                ((double *)dst)[i * lanes + lane] = value;
            } else {
                bool clamps = shape->saturate && fabs(value) > 0x1p31 - 1;
                ((int32_t *)dst)[i * lanes + lane] = clamps ? (value > 0 ? INT32_MAX : INT32_MIN)
                                                            : (int32_t)(uint32_t)(uint64_t)(int64_t)value;
            }
        }
    }
}

static void multiply_doubles(const struct mma_shape *shape, struct tile *tile) {
    for (unsigned i = 0; i < shape->m; i++) {
        for (unsigned k = 0; k < shape->k; k++) {
            for (unsigned j = 0; j < 8; j++) {
                tile->c[i][j] = fma(tile->a[i][k], tile->b[k][j], tile->c[i][j]);
            }
        }
    }
}

static void multiply(const struct mma_shape *shape, struct tile *tile) {
    for (unsigned i = 0; i < shape->m; i++) {
        double sum[8] = {0};
        for (unsigned k = 0; k < shape->k; k++) {
            for (unsigned j = 0; j < 8; j++) {
                sum[j] += tile->a[i][k] * tile->b[k][j];
            }
        }
        for (unsigned j = 0; j < 8; j++) {
            tile->c[i][j] += sum[j];
        }
    }
}

void exec_mma(struct warp *warp, const struct instr *in, void *dst) {
    const struct mma_shape *shape = in->extra;
    struct tile tile;
    if (!collective_check(warp, in, warp->full) || warp->full != mask_of(32)) {
        warp->state = WARP_FAULT;
        return;
    }
    unsigned read = load_operands(warp, in, shape, &tile);
    if (shape->scales) {
        scale_operands(warp, in, shape, read + shape->m * shape->n / 32, &tile);
    }
    if (shape->d == MATRIX_F64) {
        multiply_doubles(shape, &tile);
    } else {
        multiply(shape, &tile);
    }
    warp->statistics.matrix_operations += 2u * shape->m * shape->n * shape->k;
    store_results(warp, in, shape, &tile, dst);
}
