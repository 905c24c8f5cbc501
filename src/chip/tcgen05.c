// Descriptors and texts of tcgen05.
#include "chip/tcgen05.h"

#include <stdio.h>
#include <string.h>

#include "support/diag.h"

// ---- instruction descriptors ----

// Bit fields (CUTLASS, mma_sm100_desc.hpp): 4–5 D, 7–9 A, 10–12 B, 15 A is M-major, 16 B is N-major, 17–22 N / 8,
// 24–28 M / 16. The others are 0: dense, no negation, no saturation, no shift.
enum { D_AT = 4, A_AT = 7, B_AT = 10, A_MAJOR_AT = 15, B_MAJOR_AT = 16, N_AT = 17, M_AT = 24 };

static const struct {
    const char *kind;
    enum mma_type type;
    unsigned code;
} operand_types[] = {
    {"f16", MMA_F16, 0},
    {"f16", MMA_BF16, 1},
    {"tf32", MMA_TF32, 2},
    {"f8f6f4", MMA_E4M3, 0},
    {"f8f6f4", MMA_E5M2, 1},
    {"i8", MMA_I8, 1},
    {"mxf8f6f4", MMA_SCALED_E4M3, 0},
    {"mxf8f6f4", MMA_SCALED_E5M2, 1},
    {"mxf4", MMA_SCALED_E2M1, 1},
    {"mxf4nvf4", MMA_NV_E2M1, 1},
};
enum { TYPES = sizeof operand_types / sizeof *operand_types };

static unsigned code_of(const struct mma *mma, enum mma_type type) {
    for (unsigned i = 0; i < TYPES; i++) {
        if (operand_types[i].type == type && strcmp(operand_types[i].kind, mma->types) == 0) {
            return operand_types[i].code;
        }
    }
    bug("tcgen05.mma of kind %s has no such type", mma->types);
}

static const enum mma_type results[] = {MMA_F16, MMA_F32, MMA_I32};

uint32_t tcgen05_instruction(const struct mma *mma, unsigned blocks, unsigned columns, bool a_rows_fastest,
                             bool b_columns_fastest) {
    uint32_t d = 0;
    while (results[d] != mma->acc) {
        d++;
    }
    return d << D_AT | code_of(mma, mma->a) << A_AT | code_of(mma, mma->b) << B_AT |
           (uint32_t)a_rows_fastest << A_MAJOR_AT | (uint32_t)b_columns_fastest << B_MAJOR_AT |
           columns / 8 << N_AT | (uint32_t)TENSOR_ROWS * blocks / 16 << M_AT;
}

uint32_t tcgen05_scaled_instruction(const struct mma *mma, unsigned blocks, unsigned columns, unsigned a_byte,
                                    unsigned b_byte) {
    enum { B_BYTE_AT = 4, EXPONENTS_AT = 23, A_BYTE_AT = 29 };
    return b_byte << B_BYTE_AT | code_of(mma, mma->a) << A_AT | code_of(mma, mma->b) << B_AT |
           columns / 8 << N_AT | (uint32_t)(mma->a != MMA_NV_E2M1) << EXPONENTS_AT |
           (uint32_t)TENSOR_ROWS * blocks / 16 << M_AT | a_byte << A_BYTE_AT;
}

// ---- scales ----

bool tcgen05_scale_layout(const int64_t shape[2], struct layout *layout) {
    *layout = layout_empty(2, shape);
    if (shape[0] < TENSOR_SCALE_ROWS || shape[1] < TENSOR_SCALE_GROUPS) {
        return false;
    }
    uint32_t groups = (uint32_t)shape[1];
    for (uint32_t group = 1; group < TENSOR_SCALE_GROUPS; group *= 2) {
        layout_push(layout, LAYOUT_OFFSET, group);
    }
    for (uint32_t row = TENSOR_WARP_LANES; row < TENSOR_SCALE_ROWS; row *= 2) {
        layout_push(layout, LAYOUT_OFFSET, row * groups);
    }
    for (uint32_t row = 1; row < TENSOR_WARP_LANES; row *= 2) {
        layout_push(layout, LAYOUT_OFFSET, row * groups);
    }
    for (uint32_t row = TENSOR_SCALE_ROWS; row < shape[0]; row *= 2) {
        layout_push(layout, LAYOUT_OFFSET, row * groups);
    }
    for (uint32_t group = TENSOR_SCALE_GROUPS; group < groups; group *= 2) {
        layout_push(layout, LAYOUT_OFFSET, group);
    }
    return true;
}

unsigned tcgen05_scale_columns(int64_t rows, int64_t groups) {
    return (unsigned)(rows / TENSOR_WARP_LANES * (groups / TENSOR_SCALE_GROUPS));
}

enum { VERSION_AT = 46 };

uint64_t tcgen05_scale_descriptor(void) {
    enum { STRIDE_AT = 32, STRIDE = 128 };
    return UINT64_C(1) << VERSION_AT | (uint64_t)STRIDE / 16 << STRIDE_AT;
}

uint64_t tcgen05_descriptor(const struct wgmma_operand *operand, bool k_contiguous) {
    struct wgmma_operand own = *operand;
    own.leading = k_contiguous ? 0 : own.leading;
    return wgmma_descriptor(&own) | UINT64_C(1) << VERSION_AT;
}

// ---- moves ----

static const char load_wait[] = "tcgen05.wait::ld.sync.aligned;";

static const struct {
    const char *name;
    unsigned words; // of a repetition
} shapes[] = {
    [TENSOR_LOAD] = {"tcgen05.ld.sync.aligned.16x256b.x", TENSOR_WORDS},
    [TENSOR_STORE] = {"tcgen05.st.sync.aligned.16x256b.x", TENSOR_WORDS},
    [TENSOR_STORE_HALVES] = {"tcgen05.st.sync.aligned.16x128b.x", TENSOR_HALF_WORDS},
};

static void add_words(struct strbuf *text, unsigned first, unsigned count) {
    strbuf_add(text, "{");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(text, "%s$%u", i ? ", " : "", first + i);
    }
    strbuf_add(text, "}");
}

static void compose_text(const struct tcgen05_move *move, struct strbuf *text) {
    if (move->move == TENSOR_LOAD_WAIT) {
        strbuf_add(text, load_wait);
        return;
    }
    strbuf_printf(text, "%s%u.b32 ", shapes[move->move].name, move->words / shapes[move->move].words);
    if (move->move == TENSOR_LOAD) {
        add_words(text, 0, move->words);
        strbuf_printf(text, ", [$%u];", move->words);
    } else {
        strbuf_add(text, "[$0], ");
        add_words(text, 1, move->words);
        strbuf_add(text, ";");
    }
}

void tcgen05_compose(const struct tcgen05_move *move, char class, struct strbuf *text,
                     struct strbuf *constraints) {
    compose_text(move, text);
    bool stores = move->move == TENSOR_STORE || move->move == TENSOR_STORE_HALVES;
    strbuf_add(constraints, stores ? "r" : "");
    for (unsigned i = 0; i < move->words; i++) {
        strbuf_printf(constraints, "%s%s%c", i || stores ? "," : "", stores ? "" : "=", class);
    }
    for (unsigned i = 0; move->move == TENSOR_LOAD_WAIT && i < move->words; i++) {
        strbuf_printf(constraints, ",%u", i);
    }
    if (move->move == TENSOR_LOAD) {
        strbuf_add(constraints, ",r");
    }
}

static unsigned outputs_in(const char *constraints) {
    unsigned count = 0;
    for (; *constraints; constraints++) {
        count += *constraints == '=';
    }
    return count;
}

static bool parse_move(const char *text, enum tensor_move move, struct tcgen05_move *out) {
    unsigned repeat = 0;
    size_t length = strlen(shapes[move].name);
    if (strncmp(text, shapes[move].name, length) != 0 || sscanf(text + length, "%u", &repeat) != 1 ||
        repeat == 0 || repeat > TENSOR_MOST_REPEAT) {
        return false;
    }
    *out = (struct tcgen05_move){move, shapes[move].words * repeat};
    return true;
}

bool tcgen05_parse(const char *text, size_t length, const char *constraints, struct tcgen05_move *out) {
    if (length == sizeof load_wait - 1 && memcmp(text, load_wait, length) == 0) {
        *out = (struct tcgen05_move){TENSOR_LOAD_WAIT, outputs_in(constraints)};
        return true;
    }
    if (!parse_move(text, TENSOR_LOAD, out) && !parse_move(text, TENSOR_STORE, out) &&
        !parse_move(text, TENSOR_STORE_HALVES, out)) {
        return false;
    }
    struct strbuf composed = {0};
    compose_text(out, &composed);
    bool same = composed.length == length && memcmp(strbuf_text(&composed), text, length) == 0;
    strbuf_free(&composed);
    return same;
}
