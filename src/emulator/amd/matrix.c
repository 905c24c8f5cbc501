// AMD's matrix instructions. Layouts from the ISA documents (CDNA3, "Matrix Arithmetic Instructions"; RDNA3,
// RDNA4, "WMMA"), compared element by element with the output of AMD's matrix instruction calculator.
//
// MFMA, 64 lanes, M×N×K with B blocks, each lane holding E elements of A and of B:
//   A[i][k] of block b: lane i + M (b + B (k / E)), element k mod E; B[k][j] likewise with j.
//   D: the accumulator of an M×N tile is cut into groups of 4 rows (1 for f64) that go round the lanes.
// WMMA, 32 lanes, 16×16×K. gfx11: lane l holds row (column) l mod 16 whole, lanes 16–31 repeat it, D register
// r is row 2r + l / 16. gfx12: the two halves of the wave share K; D register r is row r + 8 (l / 16).
#include "emulator/amd/amd.h"

#include <stdlib.h>

#include "emulator/number/matrix.h"
#include "emulator/number/number.h"
#include "emulator/report/report.h"

struct matrix {
    unsigned m, n, k, blocks;
    unsigned a_bits, per_lane; // of an element; elements of A in a lane
    enum matrix_type a, b, d;
    bool wmma, gfx12, nibbles, integer_flags;
};

static uint64_t lane_bits(const struct warp *warp, const struct operand *operand, unsigned lane,
                          unsigned element, unsigned bits) {
    unsigned per = operand->shape.bits / bits, component = element / per;
    uint64_t word = 0;
    memcpy(&word,
           warp->registers + operand->reg + ((size_t)component * warp->lanes + lane) * operand->shape.bytes,
           operand->shape.bytes);
    uint64_t keep = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    return word >> element % per * bits & keep;
}

static double element_of(const struct matrix *matrix, enum matrix_type type, uint64_t bits) {
    if (matrix->nibbles)
        return type == MATRIX_S8 ? (double)((int8_t)(bits << 4) >> 4) : (double)bits;
    return matrix_number(type, bits);
}

// Where lane's element e of A (or of B, whose columns count as rows) lies.
static void input_position(const struct matrix *matrix, unsigned rows, unsigned lane, unsigned e,
                           unsigned *row, unsigned *k, unsigned *block) {
    *block = 0;
    if (!matrix->wmma) {
        *row = lane % rows;
        *block = lane / rows % matrix->blocks;
        *k = e + matrix->per_lane * (lane / (rows * matrix->blocks));
        return;
    }
    *row = lane % 16;
    if (!matrix->gfx12)
        *k = e;
    else if (matrix->a_bits == 16)
        *k = e % 4 + 4 * (lane / 16) + 8 * (e / 4);
    else
        *k = e + matrix->per_lane * (lane / 16);
}

// Where lane's accumulator element r lies.
static void output_position(const struct matrix *matrix, unsigned lane, unsigned r, unsigned *row,
                            unsigned *column, unsigned *block) {
    *block = 0;
    if (matrix->wmma) {
        *row = matrix->gfx12 ? r + 8 * (lane / 16) : 2 * r + lane / 16;
        *column = lane % 16;
        return;
    }
    unsigned group = matrix->d == MATRIX_F64 ? 1 : 4;      // consecutive rows in a lane
    unsigned across = 64 / matrix->n;                      // lanes that share a column
    unsigned tiles = matrix->m / group;                    // groups of rows in a block
    unsigned slot = r / group * across + lane / matrix->n; // which group of which block
    if (tiles < across) {                                  // several blocks lie side by side in the lanes
        *block = lane / matrix->n % matrix->blocks;
        *row = r % group + group * (lane / (matrix->n * matrix->blocks));
    } else {
        *block = slot / tiles;
        *row = slot % tiles * group + r % group;
    }
    *column = lane % matrix->n;
}

static double accumulate(const struct matrix *matrix, const double *a, const double *b, double c) {
    double sum = matrix->d == MATRIX_F64 ? c : 0;
    for (unsigned k = 0; k < matrix->k; k++)
        sum = matrix->d == MATRIX_F64 ? fma(a[k], b[k], sum) : sum + a[k] * b[k];
    return matrix->d == MATRIX_F64 ? sum : sum + c;
}

static void store_element(const struct matrix *matrix, uint8_t *to, double value, bool clamp) {
    switch (matrix->d) {
    case MATRIX_F32: {
        float number = (float)value;
        memcpy(to, &number, 4);
        return;
    }
    case MATRIX_F64:
        memcpy(to, &value, 8);
        return;
    case MATRIX_F16:
    case MATRIX_BF16: {
        float odd = float_to_odd(value);
        uint16_t number = matrix->d == MATRIX_F16 ? half_from_float(odd) : bfloat_from_float(odd);
        memcpy(to, &number, 2);
        return;
    }
    default: {
        int32_t number = clamp && fabs(value) > 0x1p31 - 1 ? (value > 0 ? INT32_MAX : INT32_MIN)
                                                           : (int32_t)(uint32_t)(uint64_t)(int64_t)value;
        memcpy(to, &number, 4);
    }
    }
}

struct tiles {
    double a[16][32][32]; // block, row, k
    double b[16][32][32]; // block, column, k
    double c[32][64];     // element of a lane, lane
};

static void gather_inputs(const struct warp *warp, const struct matrix *matrix, const struct operand *a,
                          const struct operand *b, enum matrix_type a_type, enum matrix_type b_type,
                          struct tiles *tiles) {
    unsigned row, k, block;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        for (unsigned e = 0; e < matrix->per_lane; e++) {
            input_position(matrix, matrix->m, lane, e, &row, &k, &block);
            tiles->a[block][row][k] = element_of(matrix, a_type, lane_bits(warp, a, lane, e, matrix->a_bits));
            input_position(matrix, matrix->n, lane, e, &row, &k, &block);
            tiles->b[block][row][k] = element_of(matrix, b_type, lane_bits(warp, b, lane, e, matrix->a_bits));
        }
    }
}

static bool start(struct warp *warp, const struct instr *in, unsigned lanes) {
    if (collective_check(warp, in, warp->full) && warp->full == mask_of(lanes))
        return true;
    warp->state = WARP_FAULT;
    return false;
}

static void multiply(struct warp *warp, const struct instr *in, const struct matrix *matrix,
                     const struct operand *c, struct tiles *tiles, unsigned stride, unsigned offset,
                     bool clamp, uint8_t *dst) {
    unsigned bits = matrix_bits(matrix->d), bytes = bits / 8;
    unsigned count = matrix->m * matrix->n * matrix->blocks / warp->lanes;
    // All of it before anything is written: in machine code 4 registers of C and of the result may overlap by some.
    for (unsigned r = 0; r < count; r++)
        for (unsigned lane = 0; lane < warp->lanes; lane++)
            tiles->c[r][lane] = matrix_number(matrix->d, lane_bits(warp, c, lane, r * stride + offset, bits));
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        for (unsigned r = 0; r < count; r++) {
            unsigned row, column, block, element = r * stride + offset;
            output_position(matrix, lane, r, &row, &column, &block);
            double value =
                accumulate(matrix, tiles->a[block][row], tiles->b[block][column], tiles->c[r][lane]);
            store_element(matrix, dst + ((size_t)element * warp->lanes + lane) * bytes, value, clamp);
        }
    }
    warp->statistics.matrix_operations += 2ull * matrix->m * matrix->n * matrix->k * matrix->blocks;
    (void)in;
}

// A wave that repeats rows in lanes 16–31 must repeat them truly (RDNA3 ISA, "WMMA": undefined otherwise).
static void check_replicas(struct warp *warp, const struct instr *in, const struct matrix *matrix,
                           unsigned index) {
    for (unsigned lane = 0; lane < 16; lane++) {
        for (unsigned e = 0; e < matrix->per_lane; e++) {
            if (lane_bits(warp, &in->operands[index], lane, e, matrix->a_bits) ==
                lane_bits(warp, &in->operands[index], lane + 16, e, matrix->a_bits))
                continue;
            report_at(warp, in, lane, FAULT_OPERAND, NULL, NULL,
                      "matrix operand %u: lane %u must hold the same elements as lane %u", index, lane + 16,
                      lane);
            return;
        }
    }
}

void exec_mfma(struct warp *warp, const struct instr *in, void *dst) {
    const struct matrix *matrix = in->extra;
    struct tiles tiles;
    if (!start(warp, in, 64))
        return;
    gather_inputs(warp, matrix, &in->operands[0], &in->operands[1], matrix->a, matrix->b, &tiles);
    multiply(warp, in, matrix, &in->operands[2], &tiles, 1, 0, false, dst);
}

// Floats: a, b, c [, high half]; integers: a signed, a, b signed, b, c, clamp.
void exec_wmma(struct warp *warp, const struct instr *in, void *dst) {
    const struct matrix *matrix = in->extra;
    struct tiles tiles;
    unsigned a = matrix->integer_flags ? 1 : 0, b = matrix->integer_flags ? 3 : 1,
             c = matrix->integer_flags ? 4 : 2;
    enum matrix_type a_type = matrix->a, b_type = matrix->b;
    if (!start(warp, in, 32))
        return;
    if (matrix->integer_flags) {
        a_type = in->operands[0].constant & 1 ? MATRIX_S8 : MATRIX_U8;
        b_type = in->operands[2].constant & 1 ? MATRIX_S8 : MATRIX_U8;
    }
    if (!matrix->gfx12 && warp->run->checks) {
        check_replicas(warp, in, matrix, a);
        check_replicas(warp, in, matrix, b);
    }
    gather_inputs(warp, matrix, &in->operands[a], &in->operands[b], a_type, b_type, &tiles);
    // gfx11 keeps 16-bit accumulators in one half of each 32-bit register; the other half passes through.
    bool halves = !matrix->gfx12 && matrix_bits(matrix->d) == 16;
    bool high = halves && in->operand_count > 3 && (in->operands[3].constant & 1);
    if (halves)
        memcpy(dst, operand(warp, in, c), (size_t)16 * warp->lanes * 2);
    bool clamp = matrix->integer_flags && (in->operands[5].constant & 1);
    multiply(warp, in, matrix, &in->operands[c], &tiles, halves ? 2 : 1, high, clamp, dst);
}

// ---- names ----

static bool type_named(const char *text, size_t length, enum matrix_type *type, unsigned *bits, bool fnuz) {
    static const struct {
        const char *name;
        enum matrix_type type;
        unsigned bits;
    } names[] = {{"f16", MATRIX_F16, 16}, {"bf16", MATRIX_BF16, 16}, {"bf16.1k", MATRIX_BF16, 16},
                 {"f32", MATRIX_F32, 32}, {"xf32", MATRIX_TF32, 32}, {"f64", MATRIX_F64, 64},
                 {"i8", MATRIX_S8, 8},    {"i32", MATRIX_S32, 32},   {"fp8", MATRIX_E4M3, 8},
                 {"bf8", MATRIX_E5M2, 8}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) != length || strncmp(text, names[i].name, length))
            continue;
        *type = names[i].type;
        if (fnuz && *type == MATRIX_E4M3)
            *type = MATRIX_E4M3_FNUZ;
        if (fnuz && *type == MATRIX_E5M2)
            *type = MATRIX_E5M2_FNUZ;
        *bits = names[i].bits;
        return true;
    }
    return false;
}

// "f32.16x16x16f16", "f32.16x16x16bf16.1k", "i32.16x16x32.i8", "f32.16x16x32.fp8.bf8", "f32.16x16x8.xf32"
const void *mfma_parse(struct arena *arena, const char *name) {
    struct matrix matrix = {0};
    char d[8];
    int used = 0;
    unsigned bits;
    if (sscanf(name, "%7[a-z0-9].%ux%ux%u%n", d, &matrix.m, &matrix.n, &matrix.k, &used) != 4 || !used ||
        !type_named(d, strlen(d), &matrix.d, &bits, false))
        return NULL;
    const char *at = name + used + (name[used] == '.');
    const char *dot = strchr(at, '.');
    bool pair = dot && (!strncmp(at, "fp8", 3) || !strncmp(at, "bf8", 3));
    size_t length = pair ? (size_t)(dot - at) : strlen(at);
    if (!type_named(at, length, &matrix.a, &matrix.a_bits, true))
        return NULL;
    matrix.b = matrix.a;
    if (pair && !type_named(dot + 1, strlen(dot + 1), &matrix.b, &bits, true))
        return NULL;
    // Plain 16-bit and 8-bit names: 4 elements a lane (bf16 without .1k: 2); f32 and f64: 1; 64-bit operands:
    // 8; xf32: 2.
    matrix.per_lane = matrix.a == MATRIX_F32 || matrix.a == MATRIX_F64    ? 1
                      : matrix.a == MATRIX_TF32                           ? 2
                      : matrix.a == MATRIX_BF16 && length == 4            ? 2
                      : matrix.a_bits == 8 && (pair || name[used] == '.') ? 8
                                                                          : 4;
    matrix.blocks = 64 * matrix.per_lane / (matrix.m * matrix.k);
    if (matrix.blocks == 0 || matrix.blocks * matrix.m * matrix.k != 64 * matrix.per_lane ||
        matrix.m != matrix.n)
        return NULL;
    struct matrix *result = ARENA_NEW(arena, struct matrix);
    *result = matrix;
    return result;
}

// "f32.16x16x16.f16.v8f32.v16f16", "i32.16x16x16.iu8.…", "f32.16x16x16.fp8.bf8.…"
const void *wmma_parse(struct arena *arena, const char *name, bool gfx12) {
    struct matrix matrix = {.wmma = true, .gfx12 = gfx12, .blocks = 1};
    char d[8], a[8], b[8];
    unsigned bits;
    int count =
        sscanf(name, "%7[a-z0-9].%ux%ux%u.%7[a-z0-9].%7[a-z0-9]", d, &matrix.m, &matrix.n, &matrix.k, a, b);
    if (count < 5 || matrix.m != 16 || matrix.n != 16 || matrix.k > 32 ||
        !type_named(d, strlen(d), &matrix.d, &bits, false))
        return NULL;
    if (!strcmp(a, "iu8") || !strcmp(a, "iu4")) {
        matrix.a = matrix.b = MATRIX_U8;
        matrix.integer_flags = true;
        matrix.nibbles = a[2] == '4';
        matrix.a_bits = matrix.nibbles ? 4 : 8;
    } else if (!type_named(a, strlen(a), &matrix.a, &matrix.a_bits, false)) {
        return NULL;
    } else {
        matrix.b = matrix.a;
        if (matrix.a_bits == 8 && (count < 6 || !type_named(b, strlen(b), &matrix.b, &bits, false)))
            return NULL;
    }
    matrix.per_lane = gfx12 ? matrix.k / 2 : matrix.k;
    struct matrix *result = ARENA_NEW(arena, struct matrix);
    *result = matrix;
    return result;
}
