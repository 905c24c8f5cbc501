// Vector instructions: operands with their modifiers are gathered, a row of isa_vector.def computes every lane, results go to the
// active ones.
//
// Modifiers: CDNA3 ISA 6.2 (VOP3: neg, abs, clamp, omod, op_sel), 12.14 (SDWA), 12.15 (DPP); RDNA3 ISA 7.2 to 7.7.
#include "emulator/amdgcn/vector.h"

#include <stdlib.h>

#include "emulator/amd/amd.h"
#include "emulator/execute/execute.h"
#include "emulator/number/number.h"
#include "emulator/report/report.h"

uint64_t number_bits(const struct gcn_operand *operand, unsigned type) {
    if (!operand->is_float) {
        return type == TYPE_F64 && operand->is_upper ? (uint64_t)operand->integer << 32
                                                     : (uint64_t)operand->integer;
    }
    if (type_is_half(type) || type == TYPE_PAIR) {
        return half_from_float((float)operand->number);
    }
    return type_is_wide(type) ? double_bits(operand->number) : float_bits((float)operand->number);
}

// ---- operands ----

static void fill(uint32_t *row, unsigned count, uint32_t value) {
    for (unsigned lane = 0; lane < count; lane++) {
        row[lane] = value;
    }
}

// One register's worth of an operand in every lane.
static const uint32_t *plain_row(struct warp *warp, const struct gcn_operand *operand, unsigned word,
                                 uint32_t *space) {
    if (operand->kind == OPERAND_VECTOR) {
        return row_of(warp, operand->reg + word);
    }
    uint64_t value = operand->count > 1 || operand->kind != OPERAND_SCALAR ? scalar_read_wide(warp, operand)
                                                                           : scalar_read(warp, operand);
    if (operand->kind == OPERAND_SCALAR && operand->count > 1 && word > 1) {
        value = scalar_read(
            warp, &(struct gcn_operand){.kind = OPERAND_SCALAR, .reg = (uint16_t)(operand->reg + word)});
    } else if (word) {
        value >>= 32;
    }
    fill(space, warp->lanes, (uint32_t)value);
    return space;
}

// SDWA and op_sel take a part of each register.
static void take_part(const uint32_t *from, uint32_t *to, unsigned count, unsigned select, bool sign_extend) {
    static const uint8_t shifts[] = {0, 0, 8, 16, 24, 0, 16}, bits[] = {32, 8, 8, 8, 8, 16, 16};
    unsigned rest = 32u - bits[select], up = rest - shifts[select];
    for (unsigned lane = 0; lane < count; lane++) {
        to[lane] = sign_extend ? (uint32_t)((int32_t)(from[lane] << up) >> rest) : from[lane] << up >> rest;
    }
}

// For each active lane the value of its source lane; lanes without a source get 0, or are not written at all:
// *kept.
static void move_lanes(struct warp *warp, const struct gcn *gcn, const uint32_t *from, uint32_t *to,
                       lane_mask *kept) {
    bool gfx9 = gcn_kernel_of(warp->kernel)->generation == GENERATION_GFX9;
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        int source = gcn->dpp_control == DPP_EIGHT
                         ? (int)((lane & ~7u) | (gcn->eight >> 3 * (lane & 7) & 7))
                         : amd_dpp_source(gcn->dpp_control, lane, warp->lanes, gfx9);
        bool enabled = gcn->dpp_control == DPP_EIGHT ||
                       ((gcn->row_mask >> lane / 16 & 1) && (gcn->bank_mask >> lane / 4 % 4 & 1));
        bool there = source >= 0 && (warp->mask >> source & 1 || gcn->fetch_inactive);
        to[lane] = there ? from[source] : 0;
        if (!enabled || (!there && !gcn->bound_control)) {
            *kept |= (lane_mask)1 << lane;
        }
    }
}

static void apply_signs(uint32_t *row, unsigned count, const struct gcn_operand *operand, uint32_t sign) {
    for (unsigned lane = 0; lane < count; lane++) {
        row[lane] = operand->absolute ? row[lane] & ~sign : row[lane];
        row[lane] = operand->negate ? row[lane] ^ sign : row[lane];
    }
}

struct space {
    uint32_t narrow[3][MAX_LANES];
    uint64_t wide[3][MAX_LANES];
};

static void fetch_narrow(struct warp *warp, const struct gcn *gcn, unsigned index, unsigned type,
                         struct lanes *x, struct space *space, lane_mask *kept) {
    const struct gcn_operand *operand = &gcn->operands[index + gcn->first_source];
    uint32_t *own = space->narrow[index];
    const uint32_t *row = plain_row(warp, operand, 0, own);
    if (gcn->dpp && index == 0) {
        move_lanes(warp, gcn, row, own, kept);
        row = own;
    }
    unsigned select = operand->select;
    if (type_is_half(type) && gcn->op_sel >> index & 1 && operand->kind == OPERAND_VECTOR) {
        select = SELECT_WORD_1;
    }
    if (select != SELECT_ALL || operand->sign_extend) {
        take_part(row, own, warp->lanes, select, operand->sign_extend);
        row = own;
    }
    if (operand->negate || operand->absolute) {
        if (row != own) {
            memcpy(own, row, warp->lanes * sizeof *own);
        }
        apply_signs(own, warp->lanes, operand, type_is_half(type) ? 0x8000 : 0x80000000u);
        row = own;
    }
    x->narrow[index] = row;
}

static void fetch_wide(struct warp *warp, const struct gcn *gcn, unsigned index, struct lanes *x,
                       struct space *space, lane_mask *kept) {
    const struct gcn_operand *operand = &gcn->operands[index + gcn->first_source];
    uint32_t low_space[MAX_LANES], high_space[MAX_LANES], moved[2][MAX_LANES];
    const uint32_t *low = plain_row(warp, operand, 0, low_space),
                   *high = plain_row(warp, operand, 1, high_space);
    if (gcn->dpp && index == 0) {
        move_lanes(warp, gcn, low, moved[0], kept);
        move_lanes(warp, gcn, high, moved[1], kept);
        low = moved[0];
        high = moved[1];
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        uint64_t value = low[lane] | (uint64_t)high[lane] << 32;
        value = operand->absolute ? value & INT64_MAX : value;
        space->wide[index][lane] = operand->negate ? value ^ (uint64_t)1 << 63 : value;
    }
    x->wide[index] = space->wide[index];
}

// ---- results ----

static double scaled(double value, unsigned scale) {
    return scale == 1 ? value * 2 : scale == 2 ? value * 4 : scale == 3 ? value / 2 : value;
}
static double clamped(double value, bool clamp) {
    return !clamp ? value : value > 0 ? (value < 1 ? value : 1) : 0;
}

static void finish_floats(const struct gcn *gcn, unsigned type, struct lanes *x) {
    for (unsigned lane = 0; lane < x->count; lane++) {
        if (type == TYPE_F64) {
            x->wide_result[lane] =
                double_bits(clamped(scaled(double_from_bits(x->wide_result[lane]), gcn->scale), gcn->clamp));
        } else if (type == TYPE_F32) {
            x->result[lane] = float_bits(
                (float)clamped(scaled((double)float_from_bits(x->result[lane]), gcn->scale), gcn->clamp));
        } else {
            x->result[lane] = half_from_float((float)clamped(
                scaled((double)half_to_float((uint16_t)x->result[lane]), gcn->scale), gcn->clamp));
        }
    }
}

// SDWA: the result's low bits to a part of the register; the rest is 0, the sign, or stays.
static void place_part(const struct gcn *gcn, struct lanes *x, const uint32_t *old) {
    static const uint8_t shifts[] = {0, 0, 8, 16, 24, 0, 16}, bits[] = {32, 8, 8, 8, 8, 16, 16};
    unsigned shift = shifts[gcn->result_select], width = bits[gcn->result_select];
    uint32_t field = width == 32 ? ~0u : ((1u << width) - 1) << shift;
    for (unsigned lane = 0; lane < x->count; lane++) {
        uint32_t part = x->result[lane] << shift & field;
        uint32_t above = gcn->result_rest == 1 && x->result[lane] >> (width - 1) & 1 && shift + width < 32
                             ? ~0u << (shift + width)
                             : 0;
        x->result[lane] = part | (gcn->result_rest == 2 ? old[lane] & ~field : above);
    }
}

static void place_half(const struct gcn *gcn, struct lanes *x, const uint32_t *old) {
    for (unsigned lane = 0; lane < x->count; lane++) {
        x->result[lane] = gcn->high_result ? (old[lane] & 0xffff) | x->result[lane] << 16
                                           : (old[lane] & 0xffff0000u) | (x->result[lane] & 0xffff);
    }
}

static void put_row(struct warp *warp, unsigned row, const uint32_t *from, lane_mask mask) {
    uint32_t *to = row_of(warp, row);
    if (mask == mask_of(warp->lanes)) {
        memcpy(to, from, warp->lanes * sizeof *to);
    } else {
        FOR_LANES(lane, mask) {
            to[lane] = from[lane];
        }
    }
}

struct outcome {
    struct lanes x;
    uint32_t result[MAX_LANES];
    uint64_t wide_result[MAX_LANES];
    lane_mask kept;
};

static void compute(struct warp *warp, const struct gcn *gcn, struct outcome *out) {
    const struct vector_row *row = gcn->vector;
    struct space space;
    struct lanes *x = &out->x;
    *x = (struct lanes){
        .count = warp->lanes, .gcn = gcn, .result = out->result, .wide_result = out->wide_result};
    out->kept = 0;
    for (unsigned i = 0; i < 3 && row->operands[i] != TYPE_NONE; i++) {
        if (row->operands[i] == TYPE_MASK) {
            x->mask[i] = mask_read(warp, &gcn->operands[i + gcn->first_source]);
        } else if (type_is_wide(row->operands[i])) {
            fetch_wide(warp, gcn, i, x, &space, &out->kept);
        } else {
            fetch_narrow(warp, gcn, i, row->operands[i], x, &space, &out->kept);
        }
    }
    x->vcc = vcc_read(warp);
    row->run(x);
    if (type_is_float(row->result) && (gcn->clamp || gcn->scale)) {
        finish_floats(gcn, row->result, x);
    }
}

static void put_mask(struct warp *warp, const struct gcn *gcn, lane_mask lanes) {
    if (!gcn->writes_exec) {
        mask_write(warp, &gcn->operands[gcn->vector->result == TYPE_MASK ? 0 : 1], lanes);
        return;
    }
    if (lanes != warp->mask) {
        wave_of(warp)->changed_exec = gcn;
    }
    mask_write(warp, &(struct gcn_operand){.kind = OPERAND_SCALAR, .reg = SCALAR_EXEC, .count = 2}, lanes);
}

static void put(struct warp *warp, const struct gcn *gcn, struct outcome *out) {
    const struct vector_row *row = gcn->vector;
    struct lanes *x = &out->x;
    lane_mask mask = warp->mask & ~out->kept;
    if (row->carry || row->result == TYPE_MASK) {
        put_mask(warp, gcn, x->carry & mask);
    }
    if (row->result == TYPE_MASK) {
        return;
    }
    unsigned reg = gcn->operands[0].reg;
    if (type_is_wide(row->result)) {
        uint32_t low[MAX_LANES], high[MAX_LANES];
        for (unsigned lane = 0; lane < warp->lanes; lane++) {
            low[lane] = (uint32_t)x->wide_result[lane];
            high[lane] = (uint32_t)(x->wide_result[lane] >> 32);
        }
        put_row(warp, reg, low, mask);
        put_row(warp, reg + 1, high, mask);
        return;
    }
    if (gcn->result_select) {
        place_part(gcn, x, row_of(warp, reg));
    } else if (type_is_half(row->result) && gcn->keeps_high) {
        place_half(gcn, x, row_of(warp, reg));
    }
    put_row(warp, reg, x->result, mask);
}

static void run_vector(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    struct outcome out;
    compute(warp, in->extra, &out);
    put(warp, in->extra, &out);
}

// RDNA3 ISA 7.6, VOPD: both read before either writes.
static void run_pair(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    struct outcome first, second;
    compute(warp, gcn, &first);
    compute(warp, gcn->second, &second);
    put(warp, gcn, &first);
    put(warp, gcn->second, &second);
}

// ---- decoding ----

static bool part_named(const char *word, unsigned *select) {
    static const char *const names[] = {"DWORD", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1"};
    size_t length = strcspn(word, " ");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == length && !strncmp(word, names[i], length)) {
            *select = i;
            return true;
        }
    }
    return false;
}

static bool bind_parts(struct gcn_decoder *decoder, const struct gcn_text *text, struct gcn *gcn) {
    static const char *const sources[] = {"src0_sel", "src1_sel"};
    unsigned select = SELECT_ALL;
    for (unsigned i = 0; i < 2; i++) {
        if (part_named(text_word(text, sources[i]), &select)) {
            gcn->operands[gcn->first_source + i].select = (uint8_t)select;
        }
    }
    if (part_named(text_word(text, "dst_sel"), &select)) {
        gcn->result_select = (uint8_t)select;
    }
    const char *rest = text_word(text, "dst_unused");
    gcn->result_rest = !strncmp(rest, "UNUSED_PRESERVE", 15) ? 2 : !strncmp(rest, "UNUSED_SEXT", 11) ? 1 : 0;
    (void)decoder;
    return true;
}

// The last word of the encoding says it all: control in bits 8 to 16, then fetch inactive, bound control, masks.
static bool bind_moves(struct gcn_decoder *decoder, const struct gcn_text *text, struct gcn *gcn) {
    uint32_t word;
    memcpy(&word, decoder->bytes + decoder->size - 4, 4);
    gcn->dpp = true;
    if (*text_word(text, "dpp8")) {
        gcn->dpp_control = DPP_EIGHT;
        gcn->eight = word >> 8;
        return true;
    }
    gcn->dpp_control = word >> 8 & 0x1ff;
    gcn->fetch_inactive = decoder->generation != GENERATION_GFX9 && word >> 18 & 1;
    gcn->bound_control = word >> 19 & 1;
    gcn->bank_mask = word >> 24 & 15;
    gcn->row_mask = word >> 28;
    if (amd_dpp_source(gcn->dpp_control, 0, decoder->emulator->lanes,
                       decoder->generation == GENERATION_GFX9) == -2) {
        return gcn_refuse(decoder, "%s has no such DPP control", decoder->emulator->chip);
    }
    return true;
}

static void bind_numbers(const struct vector_row *row, struct gcn *gcn) {
    for (unsigned i = 0; i < 3 && row->operands[i] != TYPE_NONE; i++) {
        struct gcn_operand *operand = &gcn->operands[gcn->first_source + i];
        operand->bits = number_bits(operand, row->operands[i]);
    }
}

static unsigned sources_of(const struct vector_row *row) {
    unsigned count = 0;
    while (count < 3 && row->operands[count] != TYPE_NONE) {
        count++;
    }
    return count;
}

static bool bind_operands(struct gcn_decoder *decoder, const struct gcn_text *text, struct gcn *gcn) {
    const struct vector_row *row = gcn->vector;
    unsigned sources = sources_of(row), results = (row->carry ? 2u : 1u) - gcn->writes_exec;
    gcn->first_source = (uint8_t)results;
    for (unsigned i = 0; i < text->operand_count && i < GCN_OPERANDS; i++) {
        if (!text_operand(text->operands[i], &gcn->operands[i])) {
            return gcn_refuse(decoder, "operand `%s` is not understood", text->operands[i]);
        }
    }
    gcn->operand_count = text->operand_count;
    if (gcn->operand_count + 1 == results + sources && gcn->operand_count < GCN_OPERANDS) {
        // Implicit operands: VCC of a selection, or the result as accumulator.
        bool mask = row->operands[sources - 1] == TYPE_MASK;
        struct gcn_operand vcc = operand_vcc;
        vcc.count = (uint8_t)(decoder->emulator->lanes / 32);
        gcn->operands[gcn->operand_count++] = mask ? vcc : gcn->operands[0];
    }
    if (gcn->operand_count != results + sources) {
        return gcn_refuse(decoder, "it has %u operands, and %u are known", text->operand_count,
                          results + sources);
    }
    bind_numbers(row, gcn);
    return true;
}

static bool bind_row(struct gcn_decoder *decoder, const struct gcn_text *text, const struct vector_row *row,
                     struct gcn *gcn) {
    int64_t factor = 0, table = 0;
    gcn->vector = row;
    gcn->immediate = text_value(text, "bitop3", &table) ? (uint64_t)table : 0;
    if (!bind_operands(decoder, text, gcn)) {
        return false;
    }
    gcn->clamp = text_flag(text, "clamp");
    if (gcn->clamp && !type_is_float(row->result)) {
        char name[sizeof text->name + 8];
        snprintf(name, sizeof name, "%s_clamp", row->name);
        gcn->vector = vector_find(name);
        if (!gcn->vector) {
            return gcn_refuse(decoder, "%s is in no table", name);
        }
    }
    if (text_value(text, "mul", &factor)) {
        gcn->scale = factor == 2 ? 1 : 2;
    }
    if (text_value(text, "div", &factor)) {
        gcn->scale = 3;
    }
    gcn->op_sel = (uint8_t)text_bits(text, "op_sel", 0);
    gcn->op_sel_hi = (uint8_t)text_bits(text, "op_sel_hi", 7);
    gcn->neg_lo = (uint8_t)text_bits(text, "neg_lo", 0);
    gcn->neg_hi = (uint8_t)text_bits(text, "neg_hi", 0);
    gcn->high_result = gcn->op_sel >> sources_of(row) & 1;
    gcn->keeps_high = decoder->generation != GENERATION_GFX9 || gcn->high_result;
    return (!text->sdwa || bind_parts(decoder, text, gcn)) && (!text->dpp || bind_moves(decoder, text, gcn));
}

bool bind_vector(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in,
                 struct gcn *gcn) {
    char name[sizeof text->name];
    memcpy(name, text->name, sizeof name);
    if (!strncmp(name, "v_cmpx_", 7)) { // v_cmpx_lt_u32 is v_cmp_lt_u32 into EXEC
        memmove(name + 5, name + 6, strlen(name + 6) + 1);
        gcn->writes_exec = true;
    }
    const struct vector_row *row = vector_find(name);
    if (!row) {
        return false;
    }
    if (gcn->writes_exec && decoder->generation == GENERATION_GFX9) {
        return gcn_refuse(decoder, "a comparison into EXEC has two results here, which is not modelled");
    }
    gcn->run = run_vector;
    in->kind = row->result == TYPE_MASK     ? KIND_COMPARE
               : type_is_float(row->result) ? KIND_FLOAT
                                            : KIND_INTEGER;
    return bind_row(decoder, text, row, gcn);
}

// "v_dual_add_f32 v6, v3, v4 :: v_dual_sub_f32 v8, v3, v4": `text` is the first, gcn->place.text all of it
bool bind_pair(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in, struct gcn *gcn) {
    const char *second = strstr(gcn->place.text, " :: ");
    if (strncmp(text->name, "v_dual_", 7) != 0 || !second) {
        return false;
    }
    char line[256];
    struct gcn_text texts[2];
    struct gcn *parts[2] = {gcn, ARENA_NEW(decoder->arena, struct gcn)};
    snprintf(line, sizeof line, "%.*s", (int)(second - gcn->place.text), gcn->place.text);
    text_split(line, &texts[0]);
    text_split(second + 4, &texts[1]);
    *parts[1] = (struct gcn){0};
    for (unsigned i = 0; i < 2; i++) {
        char name[sizeof texts[i].name];
        snprintf(name, sizeof name, "v_%.*s", (int)sizeof name - 3, texts[i].name + 7);
        const struct vector_row *row = vector_find(gcn_alias(name));
        if (!row) {
            return gcn_refuse(decoder, "%s is in no table", name);
        }
        if (!bind_row(decoder, &texts[i], row, parts[i])) {
            return false;
        }
    }
    gcn->second = parts[1];
    gcn->run = run_pair;
    in->kind = KIND_FLOAT;
    return true;
}
