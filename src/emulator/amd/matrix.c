// AMD's matrix instructions. Layouts from the ISA documents (CDNA3, "Matrix Arithmetic Instructions"; RDNA3,
// RDNA4, "WMMA"), compared element by element with the output of AMD's matrix instruction calculator.
//
// MFMA, 64 lanes, M×N×K with B blocks, each lane holding E elements of A and of B:
//   A[i][k] of block b: lane i + M (b + B (k / E)), element k mod E; B[k][j] likewise with j.
//   D: the accumulator of an M×N tile is cut into groups of 4 rows (1 for f64), distributed round the lanes.
//   f8f6f4 (gfx950), 32 elements of K a lane: those of 4 bits are neighbours, those of 8 bits lie in two runs of 16, half of K
//   apart. Each lane gives the scale of 32 neighbours of K of its row: lane i + M g that of k = 32 g to 32 g + 31, whichever lane
//   holds them (CDNA4 ISA, "Block-scaled matrix instructions"; Triton 3.9's layouts of operands and of scales).
// WMMA, 32 lanes, 16×16×K. gfx11: lane l holds row (column) l mod 16 whole, lanes 16–31 repeat it, D register
// r is row 2r + l / 16. gfx12: the two halves of the wave share K; D register r is row r + 8 (l / 16). gfx1250: the same with runs of
// K, 8 elements of 16 and 8 bits or 2 of f32, that go to the halves in turn (Triton 3.9's layouts for this chip).
//
// gfx90a: "MFMA_F16, MFMA_BF16, and MFMA_BF16_1K flush subnormal input/output data to zero" (ROCm documents, MIOpen, "MI200 MFMA
// behavior specifics"; signs stay). Other chips and other types keep them.
#include "emulator/amd/amd.h"

#include <stdlib.h>

#include "emulator/number/matrix.h"
#include "emulator/number/number.h"
#include "emulator/report/report.h"

struct matrix {
    unsigned m, n, k, blocks;
    unsigned a_bits, b_bits, per_lane; // of an element; elements of A in a lane
    unsigned depth;                    // of a row of A in struct tiles
    enum matrix_type a, b, d;
    bool wmma, gfx12, nibbles, integer_flags, flushes;
    unsigned run;       // WMMA of gfx1250: neighbours of K in a half of the wave; else 0
    uint8_t at[3];      // WMMA: which operands A, B and C are
    bool blocks_scaled; // f8f6f4: 32 neighbours of K share a scale
    // For each lane and element: its index in struct tiles, for A and B, and for the result.
    const struct element_place *places;
    const uint16_t *results;
};

struct element_place {
    uint16_t a, b;
};

// Element `element` of every lane.
static void element_bits(const struct warp *warp, const struct operand *operand, unsigned element,
                         unsigned bits, uint64_t row[MAX_LANES]) {
    unsigned per = operand->shape.bits / bits, bytes = operand->shape.bytes, shift = element % per * bits;
    const uint8_t *from = warp->registers + operand->reg + (size_t)(element / per) * warp->lanes * bytes;
    uint64_t keep = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
    if (bytes == 4) { // in registers of 32 bits all of these are
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            row[lane] = ((const uint32_t *)from)[lane] >> shift & keep;
        }
    } else if (bytes == 2) { // and single halves
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            row[lane] = ((const uint16_t *)from)[lane] >> shift & keep;
        }
    } else {
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            uint64_t word = 0;
            memcpy(&word, from + (size_t)lane * bytes, bytes);
            row[lane] = word >> shift & keep;
        }
    }
}

// Subnormal numbers of the type become 0.
static void flush(struct warp *warp, enum matrix_type type, double numbers[MAX_LANES]) {
    double smallest = type == MATRIX_F16 ? 0x1p-14 : 0x1p-126;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        if (numbers[lane] != 0 && fabs(numbers[lane]) < smallest) {
            numbers[lane] = copysign(0, numbers[lane]);
            warp->statistics.matrix_flushes++;
        }
    }
}

static void element_numbers(struct warp *warp, const struct matrix *matrix, const struct operand *operand,
                            unsigned element, enum matrix_type type, unsigned bits,
                            double numbers[MAX_LANES]) {
    uint64_t row[MAX_LANES];
    element_bits(warp, operand, element, bits, row);
    if (!matrix->nibbles) {
        matrix_numbers(type, row, warp->lanes, numbers);
        if (matrix->flushes) {
            flush(warp, type, numbers);
        }
        return;
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        numbers[lane] = type == MATRIX_S8 ? (double)((int8_t)(row[lane] << 4) >> 4) : (double)row[lane];
    }
}

// The row, k and block of the lane's element e of A (or of B, with columns counted as rows).
static void input_position(const struct matrix *matrix, unsigned rows, unsigned bits, unsigned lane,
                           unsigned e, unsigned *row, unsigned *k, unsigned *block) {
    enum { RUN = 16 }; // of bytes
    *block = 0;
    if (matrix->blocks_scaled && bits == 8) {
        *row = lane % rows;
        *k = e % RUN + RUN * (lane / rows) + matrix->k / 2 * (e / RUN);
        return;
    }
    if (!matrix->wmma) {
        *row = lane % rows;
        *block = lane / rows % matrix->blocks;
        *k = e + matrix->per_lane * (lane / (rows * matrix->blocks));
        return;
    }
    *row = lane % 16;
    if (matrix->run) {
        *k = e % matrix->run + matrix->run * (lane / 16) + 2 * matrix->run * (e / matrix->run);
    } else if (!matrix->gfx12) {
        *k = e;
    } else if (bits == 16) {
        *k = e % 4 + 4 * (lane / 16) + 8 * (e / 4);
    } else {
        *k = e + matrix->per_lane * (lane / 16);
    }
}

// The row, column and block of the lane's accumulator element r.
static void output_position(const struct matrix *matrix, unsigned lane, unsigned r, unsigned *row,
                            unsigned *column, unsigned *block) {
    *block = 0;
    if (matrix->wmma) {
        *row = matrix->gfx12 ? r + 8 * (lane / 16) : 2 * r + lane / 16;
        *column = lane % 16;
        return;
    }
    unsigned group = matrix->d == MATRIX_F64 ? 1 : 4;      // consecutive rows in a lane
    unsigned across = 64 / matrix->n;                      // lanes per column
    unsigned tiles = matrix->m / group;                    // groups of rows in a block
    unsigned slot = r / group * across + lane / matrix->n; // group number, over all blocks
    if (tiles < across) {                                  // several blocks lie side by side in the lanes
        *block = lane / matrix->n % matrix->blocks;
        *row = r % group + group * (lane / (matrix->n * matrix->blocks));
    } else {
        *block = slot / tiles;
        *row = slot % tiles * group + r % group;
    }
    *column = lane % matrix->n;
}

enum { SIDE = 32, TILE = SIDE * SIDE, BLOCKS = 16 };

// Blocks of rows of SIDE numbers (of A: of matrix->depth): A by row and k, B by k and column, the result by row and column.
struct tiles {
    double a[BLOCKS * TILE], b[BLOCKS * TILE], d[BLOCKS * TILE];
};

static void gather_inputs(struct warp *warp, const struct matrix *matrix, const struct operand *a,
                          const struct operand *b, enum matrix_type a_type, enum matrix_type b_type,
                          struct tiles *tiles) {
    double numbers[MAX_LANES];
    for (unsigned e = 0; e < matrix->per_lane; e++) {
        const struct element_place *place = matrix->places + (size_t)e * warp->lanes;
        element_numbers(warp, matrix, a, e, a_type, matrix->a_bits, numbers);
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            tiles->a[place[lane].a] = numbers[lane];
        }
        element_numbers(warp, matrix, b, e, b_type, matrix->b_bits, numbers);
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            tiles->b[place[lane].b] = numbers[lane];
        }
    }
}

static bool start(struct warp *warp, const struct instr *in, unsigned lanes) {
    if (collective_check(warp, in, warp->full) && warp->full == mask_of(lanes)) {
        return true;
    }
    warp->state = WARP_FAULT;
    return false;
}

// Each sum in the order of k.
static inline void product_row(const double *a, const double *b, double *d, unsigned k_count,
                               unsigned columns) {
    double sums[SIDE] = {0};
    for (unsigned k = 0; k < k_count; k++) {
        for (unsigned j = 0; j < columns; j++) {
            sums[j] += a[k] * b[k * SIDE + j];
        }
    }
    memcpy(d, sums, columns * sizeof *d);
}

static void products(const struct matrix *matrix, struct tiles *tiles) {
    for (unsigned block = 0; block < matrix->blocks; block++) {
        for (unsigned row = 0; row < matrix->m; row++) {
            const double *a = tiles->a + block * TILE + row * matrix->depth, *b = tiles->b + block * TILE;
            double *d = tiles->d + block * TILE + row * SIDE;
            if (matrix->n == 16) {
                product_row(a, b, d, matrix->k, 16);
            } else {
                product_row(a, b, d, matrix->k, matrix->n);
            }
        }
    }
}

static double fused(const struct matrix *matrix, const struct tiles *tiles, unsigned place, double sum) {
    const double *a = tiles->a + place / SIDE * SIDE, *b = tiles->b + place / TILE * TILE + place % SIDE;
    for (unsigned k = 0; k < matrix->k; k++) {
        sum = fma(a[k], b[k * SIDE], sum);
    }
    return sum;
}

static void store_elements(const struct matrix *matrix, uint8_t *to, const double *values, unsigned count,
                           bool clamp) {
    switch (matrix->d) {
    case MATRIX_F32:
        for (unsigned i = 0; i < count; i++) {
            ((float *)to)[i] = (float)values[i];
        }
        return;
    case MATRIX_F64:
        memcpy(to, values, count * sizeof *values);
        return;
    case MATRIX_F16:
    case MATRIX_BF16:
        for (unsigned i = 0; i < count; i++) {
            float odd = float_to_odd(values[i]);
            ((uint16_t *)to)[i] = matrix->d == MATRIX_F16 ? half_from_float(odd) : bfloat_from_float(odd);
        }
        return;
    default:
        for (unsigned i = 0; i < count; i++) {
            ((int32_t *)to)[i] = clamp && fabs(values[i]) > 0x1p31 - 1
                                     ? (values[i] > 0 ? INT32_MAX : INT32_MIN)
                                     : (int32_t)(uint32_t)(uint64_t)(int64_t)values[i];
        }
    }
}

static void multiply(struct warp *warp, const struct instr *in, const struct matrix *matrix,
                     const struct operand *c, struct tiles *tiles, unsigned stride, unsigned offset,
                     bool clamp, uint8_t *dst) {
    unsigned bits = matrix_bits(matrix->d), bytes = bits / 8;
    unsigned count = matrix->m * matrix->n * matrix->blocks / warp->lanes;
    uint64_t row[MAX_LANES];
    double values[SIDE][MAX_LANES]; // all of C is read first: d may overlap c in part
    if (matrix->d != MATRIX_F64) {
        products(matrix, tiles);
    }
    for (unsigned r = 0; r < count; r++) {
        const uint16_t *results = matrix->results + (size_t)r * warp->lanes;
        element_bits(warp, c, r * stride + offset, bits, row);
        matrix_numbers(matrix->d, row, warp->lanes, values[r]);
        if (matrix->flushes) {
            flush(warp, matrix->d, values[r]);
        }
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            values[r][lane] = matrix->d == MATRIX_F64 ? fused(matrix, tiles, results[lane], values[r][lane])
                                                      : tiles->d[results[lane]] + values[r][lane];
        }
        if (matrix->flushes) {
            flush(warp, matrix->d, values[r]);
        }
    }
    for (unsigned r = 0; r < count; r++) {
        store_elements(matrix, dst + (size_t)(r * stride + offset) * warp->lanes * bytes, values[r],
                       warp->lanes, clamp);
    }
    warp->statistics.matrix_operations += 2ull * matrix->m * matrix->n * matrix->k * matrix->blocks;
    (void)in;
}

// A wave with repeated rows in lanes 16-31 must repeat them exactly (RDNA3 ISA, "WMMA": undefined otherwise).
static void check_replicas(struct warp *warp, const struct instr *in, const struct matrix *matrix,
                           unsigned index) {
    uint64_t row[MAX_LANES];
    const struct shape *shape = &in->operands[index].shape;
    const uint8_t *registers = warp->registers + in->operands[index].reg;
    bool same = true;
    for (unsigned i = 0; i < shape->components; i++, registers += (size_t)warp->lanes * shape->bytes) {
        same &= !memcmp(registers, registers + (size_t)16 * shape->bytes, (size_t)16 * shape->bytes);
    }
    for (unsigned e = 0; e < matrix->per_lane && !same; e++) {
        element_bits(warp, &in->operands[index], e, matrix->a_bits, row);
        for (unsigned lane = 0; lane < 16; lane++) {
            if (row[lane] == row[lane + 16]) {
                continue;
            }
            report_at(warp, in, lane, FAULT_OPERAND, NULL, NULL,
                      "matrix operand %u: lane %u must hold the same elements as lane %u", index, lane + 16,
                      lane);
            return;
        }
    }
}

// The scale of each row (column) and 32 elements of K: byte `byte` of the lane's word, a power of two (E8M0: 255 is a NaN).
static void scale_inputs(struct warp *warp, const struct operand *scales, unsigned byte, double *to,
                         unsigned rows, unsigned row_stride, unsigned k_stride) {
    enum { BLOCK = 32, BIAS = 127, NOT_A_NUMBER = 255 };
    uint64_t row[MAX_LANES];
    element_bits(warp, scales, 0, 32, row);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        unsigned code = (unsigned)(row[lane] >> 8 * byte & 255);
        double scale = code == NOT_A_NUMBER ? (double)NAN : ldexp(1, (int)code - BIAS);
        double *first = to + lane % rows * row_stride + (size_t)(lane / rows) * BLOCK * k_stride;
        for (unsigned k = 0; k < BLOCK; k++) {
            first[k * k_stride] *= scale;
        }
    }
}

// Without scales: both are the constant 0 (LLVM selects the instruction without them).
static bool has_scales(const struct instr *in) {
    const struct operand *a = &in->operands[6], *b = &in->operands[8];
    return !a->is_constant || !b->is_constant || a->constant || b->constant || in->operands[5].constant ||
           in->operands[7].constant;
}

// a, b, c, cbsz, blgp or abid, …; of blocks with scales: a, b, c, cbsz, blgp, byte of A's scales, A's scales, byte of B's, B's.
void exec_mfma(struct warp *warp, const struct instr *in, void *dst) {
    const struct matrix *matrix = in->extra;
    struct tiles tiles;
    if (!start(warp, in, 64)) {
        return;
    }
    gather_inputs(warp, matrix, &in->operands[0], &in->operands[1], matrix->a, matrix->b, &tiles);
    if (matrix->blocks_scaled && has_scales(in)) {
        scale_inputs(warp, &in->operands[6], in->operands[5].constant & 3, tiles.a, matrix->m, matrix->depth,
                     1);
        scale_inputs(warp, &in->operands[8], in->operands[7].constant & 3, tiles.b, matrix->n, 1, SIDE);
    }
    multiply(warp, in, matrix, &in->operands[2], &tiles, 1, 0, false, dst);
}

// Flags of floats ahead of A, B and C.
static void check_flags(struct warp *warp, const struct instr *in, const struct matrix *matrix) {
    for (unsigned i = 0; i < 3; i++) {
        unsigned before = i ? matrix->at[i - 1] + 1u : 0;
        if (matrix->at[i] > before && in->operands[before].constant) {
            report_at(warp, in, 0, FAULT_OPERATION, NULL, NULL,
                      "negations of matrix operand %u are not modelled", i);
        }
    }
}

// Floats: a, b, c [, high half]; integers: a signed, a, b signed, b, c, clamp; of gfx1250 floats of 16 and 32 bits: negations of a, a,
// of b, b, of c, c; of 8 bits: a, b, negations of c, c.
void exec_wmma(struct warp *warp, const struct instr *in, void *dst) {
    const struct matrix *matrix = in->extra;
    struct tiles tiles;
    unsigned a = matrix->at[0], b = matrix->at[1], c = matrix->at[2];
    enum matrix_type a_type = matrix->a, b_type = matrix->b;
    if (!start(warp, in, 32)) {
        return;
    }
    if (matrix->integer_flags) {
        a_type = in->operands[0].constant & 1 ? MATRIX_S8 : MATRIX_U8;
        b_type = in->operands[2].constant & 1 ? MATRIX_S8 : MATRIX_U8;
    }
    if (!matrix->integer_flags) {
        check_flags(warp, in, matrix);
    }
    if (!matrix->gfx12 && warp->run->checks) {
        check_replicas(warp, in, matrix, a);
        check_replicas(warp, in, matrix, b);
    }
    gather_inputs(warp, matrix, &in->operands[a], &in->operands[b], a_type, b_type, &tiles);
    // gfx11 keeps 16-bit accumulators in one half of each 32-bit register; the other half passes through.
    bool halves = !matrix->gfx12 && matrix_bits(matrix->d) == 16;
    bool high = halves && in->operand_count > 3 && (in->operands[3].constant & 1);
    if (halves) {
        memcpy(dst, operand(warp, in, c), (size_t)16 * warp->lanes * 2);
    }
    bool clamp = matrix->integer_flags && (in->operands[5].constant & 1);
    multiply(warp, in, matrix, &in->operands[c], &tiles, halves ? 2 : 1, high, clamp, dst);
}

// ---- sums of a thread ----

static float without_subnormal(float value) {
    return fabsf(value) < 0x1p-126f ? copysignf(0, value) : value;
}

float amd_dot_halves(float low_a, float low_b, float high_a, float high_b, float sum) {
    double products = (double)low_a * (double)low_b + (double)high_a * (double)high_b;
    return without_subnormal((float)(products + (double)without_subnormal(sum)));
}

int64_t amd_dot_integers(uint32_t a, uint32_t b, unsigned width, bool signed_a, bool signed_b) {
    unsigned rest = 64 - width;
    int64_t sum = 0;
    for (unsigned at = 0; at < 32; at += width) {
        uint64_t x = (uint64_t)(a >> at) << rest, y = (uint64_t)(b >> at) << rest;
        int64_t left = signed_a ? (int64_t)x >> rest : (int64_t)(x >> rest),
                right = signed_b ? (int64_t)y >> rest : (int64_t)(y >> rest);
        sum += left * right;
    }
    return sum;
}

// fdot2(<2 x half>, <2 x half>, float, clamp)
void exec_dot_halves(struct warp *warp, const struct instr *in, void *dst) {
    const uint16_t *a = operand(warp, in, 0), *b = operand(warp, in, 1);
    const float *c = operand(warp, in, 2);
    unsigned lanes = warp->lanes;
    for (unsigned lane = 0; lane < lanes; lane++) {
        ((float *)dst)[lane] =
            amd_dot_halves(half_to_float(a[lane]), half_to_float(b[lane]), half_to_float(a[lanes + lane]),
                           half_to_float(b[lanes + lane]), c[lane]);
    }
}

// sdot4(4 bytes, 4 bytes, i32, clamp)
void exec_dot_bytes(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *a = operand(warp, in, 0), *b = operand(warp, in, 1), *c = operand(warp, in, 2);
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        ((uint32_t *)dst)[lane] = c[lane] + (uint32_t)amd_dot_integers(a[lane], b[lane], 8, true, true);
    }
}

// ---- names ----

static const struct matrix *finish(struct arena *arena, const struct matrix *matrix) {
    struct matrix *result = ARENA_NEW(arena, struct matrix);
    unsigned lanes = matrix->wmma ? 32 : 64, row, column, k, block;
    unsigned count = matrix->m * matrix->n * matrix->blocks / lanes;
    unsigned depth = matrix->k > SIDE ? matrix->k : SIDE; // one block, if K is larger
    struct element_place *places = ARENA_ARRAY(arena, struct element_place, matrix->per_lane * lanes);
    uint16_t *results = ARENA_ARRAY(arena, uint16_t, count * lanes);
    for (unsigned i = 0; i < matrix->per_lane * lanes; i++) {
        input_position(matrix, matrix->m, matrix->a_bits, i % lanes, i / lanes, &row, &k, &block);
        places[i].a = (uint16_t)(block * TILE + row * depth + k);
        input_position(matrix, matrix->n, matrix->b_bits, i % lanes, i / lanes, &column, &k, &block);
        places[i].b = (uint16_t)(block * TILE + k * SIDE + column);
    }
    for (unsigned i = 0; i < count * lanes; i++) {
        output_position(matrix, i % lanes, i / lanes, &row, &column, &block);
        results[i] = (uint16_t)(block * TILE + row * SIDE + column);
    }
    *result = *matrix;
    result->depth = depth;
    result->places = places;
    result->results = results;
    return result;
}

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
        if (strlen(names[i].name) != length || strncmp(text, names[i].name, length)) {
            continue;
        }
        *type = names[i].type;
        if (fnuz && *type == MATRIX_E4M3) {
            *type = MATRIX_E4M3_FNUZ;
        }
        if (fnuz && *type == MATRIX_E5M2) {
            *type = MATRIX_E5M2_FNUZ;
        }
        *bits = names[i].bits;
        return true;
    }
    return false;
}

// "f32.16x16x128.f8f6f4": formats of A and of B are operands, cbsz and blgp of the instruction.
static const struct matrix *f8f6f4_parse(struct arena *arena, struct matrix *matrix,
                                         const unsigned formats[2]) {
    static const struct {
        enum matrix_type type;
        unsigned bits;
    } codes[] = {{MATRIX_E4M3, 8}, {MATRIX_E5M2, 8}, {0, 0}, {0, 0}, {MATRIX_E2M1, 4}}; // 2, 3: of 6 bits
    enum { CODES = sizeof codes / sizeof *codes, ELEMENTS = 2048 };
    if (formats[0] >= CODES || formats[1] >= CODES || !codes[formats[0]].bits || !codes[formats[1]].bits ||
        matrix->m != matrix->n || matrix->m * matrix->k != ELEMENTS) {
        return NULL;
    }
    matrix->a = codes[formats[0]].type;
    matrix->b = codes[formats[1]].type;
    matrix->a_bits = codes[formats[0]].bits;
    matrix->b_bits = codes[formats[1]].bits;
    matrix->per_lane = ELEMENTS / 64;
    matrix->blocks = 1;
    matrix->blocks_scaled = true;
    return finish(arena, matrix);
}

// "f32.16x16x16f16", "f32.16x16x16bf16.1k", "i32.16x16x32.i8", "f32.16x16x32.fp8.bf8", "f32.16x16x8.xf32"; with formats (cbsz,
// blgp) "scale.f32.16x16x128.f8f6f4.v8i32.v8i32"
const void *mfma_parse(struct arena *arena, const struct emulator *emulator, const char *name,
                       const unsigned formats[2]) {
    struct matrix matrix = {0};
    const char scale[] = "scale.", mixed[] = ".f8f6f4";
    bool scaled = !strncmp(name, scale, sizeof scale - 1);
    name += scaled ? sizeof scale - 1 : 0;
    char d[8];
    int used = 0;
    unsigned bits;
    if (sscanf(name, "%7[a-z0-9].%ux%ux%u%n", d, &matrix.m, &matrix.n, &matrix.k, &used) != 4 || !used ||
        !type_named(d, strlen(d), &matrix.d, &bits, false)) {
        return NULL;
    }
    if (!strncmp(name + used, mixed, sizeof mixed - 1)) {
        return f8f6f4_parse(arena, &matrix, formats);
    }
    if (scaled || formats[0] || formats[1]) { // of other instructions: broadcasts
        return NULL;
    }
    const char *at = name + used + (name[used] == '.');
    const char *dot = strchr(at, '.');
    bool pair = dot && (!strncmp(at, "fp8", 3) || !strncmp(at, "bf8", 3));
    bool fnuz = target_has(emulator->target, FEATURE(FP8_FNUZ));
    size_t length = pair ? (size_t)(dot - at) : strlen(at);
    if (!type_named(at, length, &matrix.a, &matrix.a_bits, fnuz)) {
        return NULL;
    }
    matrix.b = matrix.a;
    matrix.flushes = matrix.a_bits == 16 && target_has(emulator->target, FEATURE(MFMA_GFX90A)) &&
                     !target_has(emulator->target, FEATURE(MFMA_GFX942));
    if (pair && !type_named(dot + 1, strlen(dot + 1), &matrix.b, &bits, fnuz)) {
        return NULL;
    }
    matrix.b_bits = matrix.a_bits;
    // A type behind a dot: one block. Others: 4 elements of 16 and 8 bits a lane (bf16 without .1k: 2); f32 and f64: 1.
    matrix.per_lane = name[used] == '.'                                  ? matrix.m * matrix.k / 64
                      : matrix.a == MATRIX_F32 || matrix.a == MATRIX_F64 ? 1
                      : matrix.a == MATRIX_BF16 && length == 4           ? 2
                                                                         : 4;
    matrix.blocks = 64 * matrix.per_lane / (matrix.m * matrix.k);
    if (matrix.blocks == 0 || matrix.blocks * matrix.m * matrix.k != 64 * matrix.per_lane ||
        matrix.m != matrix.n) {
        return NULL;
    }
    return finish(arena, &matrix);
}

static void place_operands(struct matrix *matrix, bool machine) {
    static const uint8_t plain[] = {0, 1, 2}, signs[] = {1, 3, 4}, all_signs[] = {1, 3, 5},
                         last_signs[] = {0, 1, 3};
    const uint8_t *at = matrix->integer_flags     ? signs
                        : machine || !matrix->run ? plain
                        : matrix->a_bits == 8     ? last_signs
                                                  : all_signs;
    memcpy(matrix->at, at, sizeof matrix->at);
}

// "f32.16x16x16.f16.v8f32.v16f16", "i32.16x16x16.iu8.…", "f32.16x16x16.fp8.bf8.…". Instructions of machine code have no flags of floats.
const void *wmma_parse(struct arena *arena, const struct emulator *emulator, const char *name, bool machine) {
    enum { DEEPEST = 128 };
    enum amd_generation generation = emulator->target->generation;
    bool gfx1250 = generation == GENERATION_GFX1250, gfx12 = generation >= GENERATION_GFX12;
    struct matrix matrix = {.wmma = true, .gfx12 = gfx12, .blocks = 1};
    char d[8], a[8], b[8];
    unsigned bits;
    int count =
        sscanf(name, "%7[a-z0-9].%ux%ux%u.%7[a-z0-9].%7[a-z0-9]", d, &matrix.m, &matrix.n, &matrix.k, a, b);
    if (count < 5 || matrix.m != 16 || matrix.n != 16 || matrix.k > (gfx1250 ? DEEPEST : 32) ||
        !type_named(d, strlen(d), &matrix.d, &bits, false)) {
        return NULL;
    }
    if (!strcmp(a, "iu8") || !strcmp(a, "iu4")) {
        matrix.a = matrix.b = MATRIX_U8;
        matrix.integer_flags = true;
        matrix.nibbles = a[2] == '4';
        matrix.a_bits = matrix.nibbles ? 4 : 8;
    } else if (!type_named(a, strlen(a), &matrix.a, &matrix.a_bits, false)) {
        return NULL;
    } else {
        matrix.b = matrix.a;
        if (matrix.a_bits == 8 && (count < 6 || !type_named(b, strlen(b), &matrix.b, &bits, false))) {
            return NULL;
        }
    }
    matrix.b_bits = matrix.a_bits;
    matrix.per_lane = gfx12 ? matrix.k / 2 : matrix.k;
    matrix.run = !gfx1250 ? 0 : matrix.a_bits == 32 ? 2 : 8;
    place_operands(&matrix, machine);
    return finish(arena, &matrix);
}
