// Scalar instructions: rows of isa_scalar.def.
#include "emulator/amdgcn/amdgcn.h"
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"

#include <stdio.h>

enum type {
    TYPE_NONE,
    TYPE_U32,
    TYPE_I32,
    TYPE_F16,
    TYPE_F32,
    TYPE_U64,
    TYPE_I64,
    TYPE_F64,
    TYPE_K16,
    TYPE_KU16,
    TYPE_OWN,
    TYPE_OWN_F16,
    TYPE_OWN_F32
};

struct scalars {
    uint64_t operands[3];
    uint64_t exec;
    uint64_t result;
    bool scc;
};
struct scalar_row {
    const char *name;
    void (*run)(struct scalars *x);
    uint8_t result, operands[3]; // enum type
    bool saves;
};

static inline uint64_t field(uint64_t x, unsigned offset, unsigned width, bool is_signed) {
    if (width == 0) {
        return 0;
    }
    width = width > 64 - offset ? 64 - offset : width;
    uint64_t up = x << (64 - offset - width);
    return is_signed ? (uint64_t)((int64_t)up >> (64 - width)) : up >> (64 - width);
}

static inline int64_t to_integer(float value, double low, double high) {
    double x = (double)value;
    return isnan(x) ? 0 : (int64_t)(x < low ? low : x > high ? high : trunc(x));
}

#define LET_NONE(n, i)
#define LET_U32(n, i) uint32_t n = (uint32_t)x->operands[i];
#define LET_OWN(n, i) uint32_t n = (uint32_t)x->operands[i];
#define LET_KU16(n, i) uint32_t n = (uint16_t)x->operands[i];
#define LET_I32(n, i) int32_t n = (int32_t)x->operands[i];
#define LET_K16(n, i) int32_t n = (int16_t)x->operands[i];
#define LET_F16(n, i) float n = half_to_float((uint16_t)x->operands[i]);
#define LET_F32(n, i) float n = float_from_bits((uint32_t)x->operands[i]);
#define LET_OWN_F16(n, i) LET_F16(n, i)
#define LET_OWN_F32(n, i) LET_F32(n, i)
#define LET_U64(n, i) uint64_t n = x->operands[i];
#define LET_I64(n, i) int64_t n = (int64_t)x->operands[i];
#define PUT_NONE(value)                                                                                      \
    uint32_t d = (value);                                                                                    \
    x->result = d;
#define PUT_U32(value) PUT_NONE(value)
#define PUT_U64(value)                                                                                       \
    uint64_t d = (value);                                                                                    \
    x->result = d;
#define PUT_F16(value) PUT_NONE(half_from_float(value))
#define PUT_F32(value)                                                                                       \
    uint32_t d = float_bits(value);                                                                          \
    x->result = d;
#define KEPT scc

#define SCALAR(name, D, A, B, C, value, condition)                                                           \
    static void run_##name(struct scalars *x) {                                                              \
        bool scc = x->scc;                                                                                   \
        LET_##A(a, 0) LET_##B(b, 1) LET_##C(c, 2) PUT_##D(value) x->scc = (condition) != 0;                  \
        (void)d, (void)scc;                                                                                  \
    }
#define SAVE(name, value)                                                                                    \
    static void run_##name(struct scalars *x) {                                                              \
        uint64_t a = x->operands[0], exec = x->exec;                                                         \
        x->result = (value);                                                                                 \
    }
#include "emulator/amdgcn/isa_scalar.def"
#undef SCALAR
#undef SAVE

static const struct scalar_row rows[] = {
#define SCALAR(name, D, A, B, C, value, condition)                                                           \
    {#name, run_##name, TYPE_##D, {TYPE_##A, TYPE_##B, TYPE_##C}, false},
#define SAVE(name, value)                                                                                    \
    {#name "_b64", run_##name, TYPE_U64, {TYPE_U64}, true},                                                  \
        {#name "_b32", run_##name, TYPE_U32, {TYPE_U32}, true},
#include "emulator/amdgcn/isa_scalar.def"
#undef SCALAR
#undef SAVE
};

static bool is_wide(unsigned type) {
    return type == TYPE_U64 || type == TYPE_I64 || type == TYPE_F64;
}
static bool is_own(unsigned type) {
    return type == TYPE_OWN || type == TYPE_OWN_F16 || type == TYPE_OWN_F32;
}

static void run_scalar(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    const struct scalar_row *row = gcn->scalar;
    struct wave *wave = wave_of(warp);
    struct scalars x = {.scc = wave->scc, .exec = warp->mask};
    for (unsigned i = 0, at = gcn->first_source; i < 3 && row->operands[i] != TYPE_NONE; i++) {
        const struct gcn_operand *operand =
            is_own(row->operands[i]) ? &gcn->operands[0] : &gcn->operands[at++];
        x.operands[i] =
            is_wide(row->operands[i]) ? scalar_read_wide(warp, operand) : scalar_read(warp, operand);
    }
    row->run(&x);
    lane_mask old = warp->mask;
    if (row->saves) {
        mask_write(warp, &(struct gcn_operand){.kind = OPERAND_SCALAR, .reg = SCALAR_EXEC, .count = 2},
                   x.result);
        mask_write(warp, &gcn->operands[0], old);
        wave->scc = warp->mask != 0;
    } else {
        wave->scc = x.scc;
        if (row->result != TYPE_NONE) {
            scalar_write(warp, &gcn->operands[0], x.result, is_wide(row->result));
        }
    }
    if (warp->mask != old) {
        wave->changed_exec = gcn;
    }
}

static uint64_t bits_of(const struct gcn_operand *operand, unsigned type) {
    if (!operand->is_float) {
        return (uint64_t)operand->integer;
    }
    if (type == TYPE_F16) {
        return half_from_float((float)operand->number);
    }
    return is_wide(type) ? double_bits(operand->number) : float_bits((float)operand->number);
}

bool bind_scalar(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                 struct gcn *gcn) {
    const struct scalar_row *row = NULL;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows && !row; i++) {
        if (!strcmp(rows[i].name, text->name)) {
            row = &rows[i];
        }
    }
    if (!row) {
        return false;
    }
    gcn->scalar = row;
    gcn->run = run_scalar;
    in->kind = KIND_INTEGER;
    gcn->first_source = row->result != TYPE_NONE;
    unsigned at = gcn->first_source;
    for (unsigned i = 0; i < text->operand_count; i++) {
        if (!text_operand(text->operands[i], &gcn->operands[i])) {
            return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[i]);
        }
    }
    for (unsigned i = 0; i < 3 && row->operands[i] != TYPE_NONE; i++) {
        if (is_own(row->operands[i])) {
            gcn->reads_result = true;
            continue;
        }
        gcn->operands[at].bits = bits_of(&gcn->operands[at], row->operands[i]);
        at++;
    }
    gcn->operand_count = text->operand_count;
    return at == text->operand_count ||
           gcn_refuse(decoder, "it has %u operands, and %u are known", text->operand_count, at);
}
