// MFMA and WMMA: the emulator's matrix instructions on rows of vector registers. Constants, and 64-bit
// elements, whose halves are separate rows, are first laid out in the rows behind the registers.
#include "emulator/amdgcn/amdgcn.h"

#include <ctype.h>
#include <stdio.h>

#include "emulator/amd/amd.h"
#include "emulator/number/number.h"

enum {
    STAGE_A = ROW_STAGE,
    STAGE_B = ROW_STAGE + 16,
    STAGE_C = ROW_STAGE + 32,
    STAGE_D = ROW_STAGE + 80,
    STAGE_SCALE = ROW_STAGE + 112
};

struct matrix_form {
    exec_fn *run;
    const void *matrix;
    bool doubles, integers;
    bool formatted, scaled; // f8f6f4; with scales
    uint8_t scale_byte[2];  // of A's word of scales, of B's
    struct signs {
        uint32_t keep, flip; // bits of a row's words
    } signs[3]; // of WMMA's A, B and C; flip is 0 and keep all bits where the operand is taken as it is
};

static void put_pair(uint8_t *to, uint32_t low, uint32_t high) {
    memcpy(to, &low, 4);
    memcpy(to + 4, &high, 4);
}

// The operand's place: its own rows, or the rows behind the registers from `stage` on.
static struct operand place(struct warp *warp, const struct gcn_operand *from, unsigned count, bool doubles,
                            unsigned stage) {
    struct operand operand = {.shape = {.bytes = doubles ? 8 : 4,
                                        .bits = doubles ? 64 : 32,
                                        .components = (uint16_t)(doubles ? count / 2 : count)}};
    if (from->kind == OPERAND_VECTOR && !doubles) {
        operand.reg = row_offset(warp, from->reg);
        return operand;
    }
    operand.reg = row_offset(warp, stage);
    uint8_t *to = (uint8_t *)row_of(warp, stage);
    for (unsigned i = 0; i < operand.shape.components; i++) {
        for (unsigned lane = 0; lane < warp->lanes; lane++, to += operand.shape.bytes) {
            if (from->kind != OPERAND_VECTOR) {
                memcpy(to, &from->bits, operand.shape.bytes);
            } else {
                put_pair(to, row_of(warp, from->reg + 2 * i)[lane],
                         row_of(warp, from->reg + 2 * i + 1)[lane]);
            }
        }
    }
    return operand;
}

// The operand with other signs, in the rows behind the registers from `stage` on.
static struct operand with_signs(struct warp *warp, const struct gcn_operand *from, struct operand operand,
                                 const struct signs *signs, unsigned stage) {
    if (signs->keep == UINT32_MAX && signs->flip == 0) {
        return operand;
    }
    for (unsigned i = 0; i < operand.shape.components; i++) {
        const uint32_t *given = row_of(warp, from->kind == OPERAND_VECTOR ? from->reg + i : stage + i);
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            row_of(warp, stage + i)[lane] = (given[lane] & signs->keep) ^ signs->flip;
        }
    }
    operand.reg = row_offset(warp, stage);
    return operand;
}

static void take_back(struct warp *warp, const struct gcn_operand *to) {
    const uint32_t *from = row_of(warp, STAGE_D);
    for (unsigned i = 0; i < to->count / 2u; i++) {
        for (unsigned lane = 0; lane < warp->lanes; lane++, from += 2) {
            row_of(warp, to->reg + 2 * i)[lane] = from[0];
            row_of(warp, to->reg + 2 * i + 1)[lane] = from[1];
        }
    }
}

// Behind a, b, c and the formats: A's byte and word of scales, and B's; constants 0 without scales.
static void place_scales(struct warp *warp, const struct gcn *gcn, const struct matrix_form *form,
                         struct operand *operands) {
    for (unsigned i = 0; i < 2; i++) {
        operands[5 + 2 * i] = (struct operand){.is_constant = true, .constant = form->scale_byte[i]};
        operands[6 + 2 * i] = form->scaled ? place(warp, &gcn->operands[4 + i], 1, false, STAGE_SCALE + i)
                                           : (struct operand){.is_constant = true};
    }
}

static void run_matrix(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct matrix_form *form = gcn->matrix;
    const struct gcn_operand *d = &gcn->operands[0], *a = &gcn->operands[1], *b = &gcn->operands[2],
                             *c = &gcn->operands[3];
    bool doubles = form->doubles;
    struct operand operands[9] = {{0}}, given[3] = {place(warp, a, a->count, doubles, STAGE_A),
                                                    place(warp, b, b->count, doubles, STAGE_B),
                                                    place(warp, c, d->count, doubles, STAGE_C)};
    for (unsigned i = 0; i < 3 && !doubles; i++) {
        static const unsigned stages[] = {STAGE_A, STAGE_B, STAGE_C};
        given[i] = with_signs(warp, &gcn->operands[1 + i], given[i], &form->signs[i], stages[i]);
    }
    memcpy(operands, given, sizeof given);
    if (form->integers) { // a signed, a, b signed, b, c, clamp
        operands[0] = (struct operand){.is_constant = true, .constant = gcn->neg_lo & 1};
        operands[1] = given[0];
        operands[2] = (struct operand){.is_constant = true, .constant = gcn->neg_lo >> 1 & 1};
        operands[3] = given[1];
        operands[4] = given[2];
        operands[5] = (struct operand){.is_constant = true, .constant = gcn->clamp};
    }
    if (form->formatted) {
        place_scales(warp, gcn, form, operands);
    }
    struct instr inner = *in;
    inner.extra = form->matrix;
    inner.operands = operands;
    inner.operand_count = form->integers ? 6 : form->formatted ? 9 : 3;
    form->run(warp, &inner, row_of(warp, doubles ? STAGE_D : d->reg));
    if (doubles) {
        take_back(warp, d);
    }
}

// "v_mfma_f32_32x32x8_f16", "v_mfma_f32_32x32x8f16", "v_mfma_f32_16x16x16bf16_1k", "v_mfma_f32_16x16x32_fp8_bf8",
// "v_mfma_f32_16x16x32_f16", "v_mfma_scale_f32_16x16x128_f8f6f4" to the names of LLVM's intrinsics: "f32.32x32x8f16",
// "f32.16x16x16bf16.1k", "f32.16x16x32.fp8.bf8", "f32.16x16x32.f16", "scale.f32.16x16x128.f8f6f4"
static bool mfma_name(const char *name, bool gfx942, char *out, size_t size) {
    enum { ELEMENTS = 512 }; // of an operand of gfx950's instructions of 16 bits
    char result[8], shape[12], type[16];
    int used = 0;
    unsigned m = 0, n = 0, k = 0;
    static const char plain[] = "v_mfma_", scaled[] = "v_mfma_scale_";
    bool scale = !strncmp(name, scaled, sizeof scaled - 1);
    if (strncmp(name, plain, sizeof plain - 1) != 0) {
        return false;
    }
    name += scale ? sizeof scaled - 1 : sizeof plain - 1;
    if (sscanf(name, "%7[a-z0-9]_%11[0-9x]%n", result, shape, &used) != 2 ||
        sscanf(shape, "%ux%ux%u", &m, &n, &k) != 3) {
        return false;
    }
    snprintf(type, sizeof type, "%s", name + used + (name[used] == '_'));
    for (char *c = type; *c; c++) {
        *c = *c == '_' ? '.' : *c;
    }
    bool halves = !strcmp(type, "f16") || !strncmp(type, "bf16", 4), apart = halves && m * k == ELEMENTS;
    bool joined = (halves && !apart) || !strcmp(type, "f32") || !strcmp(type, "f64") ||
                  (!strcmp(type, "i8") && name[used] != '_');
    snprintf(out, size, "%s%s.%s%s%s%s", scale ? "scale." : "", result, shape, joined ? "" : ".", type,
             !strcmp(type, "bf16") && gfx942 && !apart ? ".1k" : "");
    return true;
}

static bool wmma_name(const char *name, char *out, size_t size) {
    if (strncmp(name, "v_wmma_", 7) != 0) {
        return false;
    }
    snprintf(out, size, "%s", name + 7);
    for (char *c = out; *c; c++) {
        *c = *c == '_' ? '.' : *c;
    }
    return true;
}

static bool overlap(const struct gcn_operand *a, const struct gcn_operand *b) {
    return b->kind == OPERAND_VECTOR && a->reg < b->reg + (unsigned)b->count &&
           b->reg < a->reg + (unsigned)a->count;
}

// A result of more than 4 registers is written while operands are read: it may be C itself, and overlaps nothing else. Of MFMA
// smaller results are written last (LLVM's VOPProfileMAI, NoDstOverlap); WMMA's A and B are never to be overlapped (RDNA3 ISA
// 7.9).
static bool check_overlap(struct gcn_decoder *decoder, const struct gcn *gcn, bool mfma) {
    const struct gcn_operand *d = &gcn->operands[0];
    for (unsigned i = 1; i < 4; i++) {
        const struct gcn_operand *source = &gcn->operands[i];
        bool is_c = i == 3 && source->reg == d->reg;
        if ((!mfma || d->count > 4) && !is_c && overlap(d, source)) {
            return gcn_refuse(decoder, "its result overlaps operand %u, which this instruction cannot", i);
        }
    }
    return true;
}

// Modifiers of MFMA that are not modelled: broadcasts of A and B, and signs. In f8f6f4 cbsz and blgp are the formats of A and B.
static bool read_formats(const struct gcn_text *text, bool formatted, unsigned formats[2]) {
    int64_t flag, cbsz = 0, blgp = 0;
    bool broadcast = text_value(text, "cbsz", &cbsz), swapped = text_value(text, "blgp", &blgp);
    formats[0] = (unsigned)cbsz;
    formats[1] = (unsigned)blgp;
    return !text_value(text, "abid", &flag) && (formatted || (!broadcast && !swapped));
}

// The bytes of the words of scales: a bit of op_sel and one of op_sel_hi for each of the words.
static void read_scale_bytes(const struct gcn_text *text, struct matrix_form *form) {
    unsigned low = text_bits(text, "op_sel", 0), high = text_bits(text, "op_sel_hi", 3);
    for (unsigned i = 0; i < 2; i++) {
        form->scale_byte[i] = (uint8_t)((low >> i & 1) | (high >> i & 1) << 1);
    }
}

// Signs of WMMA's operands (RDNA 3 ISA, 7.9): of A and B neg_lo is for the low halves of words and neg_hi for the high ones; of C neg_lo is
// the sign, behind neg_hi, the magnitude. Products of integers have other meanings for neg_lo, those of 8-bit floats signs of C alone.
static bool read_signs(const struct gcn_text *text, const char *name, bool wmma, struct matrix_form *form) {
    unsigned low = text_bits(text, "neg_lo", 0), high = text_bits(text, "neg_hi", 0);
    bool halves = strstr(name, ".f16") || strstr(name, ".bf16");
    for (unsigned i = 0; i < 3; i++) {
        form->signs[i] = (struct signs){.keep = UINT32_MAX};
    }
    if (form->integers) {
        return high == 0 && low < 4;
    }
    for (unsigned i = 0; i < 2; i++) {
        form->signs[i].flip = (low >> i & 1 ? 0x8000u : 0) | (high >> i & 1 ? 0x80000000u : 0);
    }
    form->signs[2] = (struct signs){high >> 2 & 1 ? INT32_MAX : UINT32_MAX, low >> 2 & 1 ? 0x80000000u : 0};
    return (low | high) == 0 || (wmma && (halves || ((low | high) & 3) == 0));
}

static bool read_operands(struct gcn_decoder *decoder, const struct gcn_text *text, unsigned count,
                          struct gcn *gcn) {
    if (text->operand_count != count) {
        return gcn_refuse(decoder, "it has %u operands, and %u are known", text->operand_count, count);
    }
    for (unsigned i = 0; i < count; i++) {
        if (!text_operand(text->operands[i], &gcn->operands[i])) {
            return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[i]);
        }
    }
    gcn->operand_count = (uint8_t)count;
    return true;
}

static uint64_t number_bits(const struct gcn_operand *operand, bool doubles) {
    return !operand->is_float ? (uint64_t)operand->integer
           : doubles          ? double_bits(operand->number)
                              : float_bits((float)operand->number);
}

bool bind_matrix(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                 struct gcn *gcn) {
    char name[64];
    bool mfma = mfma_name(text->name, gcn_is_cdna3(decoder->emulator), name, sizeof name);
    if (!mfma && !wmma_name(text->name, name, sizeof name)) {
        return false;
    }
    struct matrix_form *form = ARENA_NEW(decoder->arena, struct matrix_form);
    *form = (struct matrix_form){.run = mfma ? exec_mfma : exec_wmma,
                                 .doubles = !strncmp(name, "f64", 3),
                                 .formatted = mfma && strstr(name, ".f8f6f4"),
                                 .scaled = mfma && !strncmp(name, "scale.", 6)};
    form->integers = !mfma && strstr(name, ".iu");
    unsigned formats[2];
    gcn->neg_lo = (uint8_t)text_bits(text, "neg_lo", 0);
    gcn->clamp = text_flag(text, "clamp");
    if (!read_formats(text, form->formatted, formats) || !read_signs(text, name, !mfma, form)) {
        return gcn_refuse(decoder, "broadcasts and signs of matrix operands are not modelled");
    }
    form->matrix = mfma ? mfma_parse(decoder->arena, decoder->emulator, name, formats)
                        : wmma_parse(decoder->arena, decoder->emulator, name, true);
    bool halves = !strncmp(name, "f16", 3) || !strncmp(name, "bf16", 4);
    if (!form->matrix || (halves && !mfma)) {
        return gcn_refuse(decoder, "matrix instruction %s is not modelled", name);
    }
    if (!read_operands(decoder, text, form->scaled ? 6 : 4, gcn)) {
        return false;
    }
    if (form->scaled) {
        read_scale_bytes(text, form);
    }
    if (!check_overlap(decoder, gcn, mfma)) {
        return false;
    }
    for (unsigned i = 3; i < gcn->operand_count; i++) {
        gcn->operands[i].bits = number_bits(&gcn->operands[i], form->doubles);
    }
    gcn->matrix = form;
    gcn->run = run_matrix;
    in->kind = KIND_MATRIX;
    return true;
}
