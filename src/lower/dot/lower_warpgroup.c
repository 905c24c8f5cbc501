// tk.warpgroup_dot and tk.dot_wait: products of four warps with operands in shared memory (wgmma).
//
// The result's layout gives the rows and columns of each warpgroup: the instruction's 64 rows and 8 columns
// are its lowest bits, further registers repeat them, and warp bits above the second number the warpgroups.
// One instruction takes as many columns as it can (256, if registers hold them). One is issued for each 64
// rows, each part of the columns and each k step, k outermost, all in one call. The start of a step's operand
// is the shared layout's offset of its corner: a multiple of the swizzle's eight rows, or a column within a
// swizzled row. So offsets of rows, columns and warpgroups add up (each uses its own address bits), and only
// the descriptor's address changes.
//
// Accumulators are in flight from the instruction to the wait on them. Between the two only another
// instruction with the same accumulators may touch them: the wait's results are new values, tied to its
// operands, so no use can move before it. But a copy can, if the result of a tied operand may not have the
// operand's register: a sum at another position in the next iteration is copied here, behind the wait.
//
// A loop's first product may have nothing to add to: the instruction asks a predicate whether it reads its accumulators. Zeros there
// are 128 registers of each thread to set for a tile, while nothing multiplies (1 % of the time of fp16 products on an H200).
#include "lower/dot/lower_dot.h"

#include <string.h>

#include "chip/wgmma.h"

LLVMValueRef lower_composed_call(struct lowering *l, const struct strbuf *text, struct strbuf *constraints,
                                 LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
    LLVMTypeRef *types = ARENA_ARRAY(l->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(args[i]);
    }
    strbuf_printf(constraints, "%s~{memory}", constraints->length ? "," : "");
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef snippet = LLVMGetInlineAsm(type, strbuf_text(text), text->length, strbuf_text(constraints),
                                            constraints->length, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMValueRef made = LLVMBuildCall2(l->b, type, snippet, args, count, "");
    lower_mark_convergent(l, made);
    return made;
}

LLVMTypeRef lower_registers_type(struct lowering *l, LLVMTypeRef element, unsigned count) {
    LLVMTypeRef *members = ARENA_ARRAY(l->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        members[i] = element;
    }
    return LLVMStructTypeInContext(l->context, members, count, 0);
}

// A fence (pending < 0) or a wait with `count` registers as operands and results: accumulators first, then
// the words of A.
static void order(struct lowering *l, int pending, LLVMValueRef *registers, unsigned accumulators,
                  unsigned words) {
    unsigned count = accumulators + words;
    LLVMTypeRef *types = ARENA_ARRAY(l->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(registers[i]);
    }
    struct strbuf text = {0}, constraints = {0};
    bool integers = accumulators > 0 && types[0] == l->i32;
    wgmma_order_compose(pending, accumulators, integers ? 'r' : 'f', words, &text, &constraints);
    LLVMTypeRef type = count == 0   ? l->void_type
                       : count == 1 ? types[0]
                                    : LLVMStructTypeInContext(l->context, types, count, 0);
    LLVMValueRef passed = lower_composed_call(l, &text, &constraints, type, registers, count);
    for (unsigned i = 0; i < count; i++) {
        registers[i] = count == 1 ? passed : LLVMBuildExtractValue(l->b, passed, i, "");
    }
    strbuf_free(&text);
    strbuf_free(&constraints);
}

// ---- operands ----

struct shared_operand {
    bool in_registers;
    const struct layout *layout;
    struct layout_inverse offsets; // element → offset in the slot
    struct wgmma_operand arrangement;
    unsigned bytes;          // of an element
    LLVMValueRef descriptor; // i64, of the warpgroup's first row or column at k = 0
    LLVMValueRef *elements;  // in registers
    LLVMValueRef *words;     // the same as the instructions take them: four a fragment, k step by k step
};

static uint32_t byte_offset(const struct shared_operand *operand, uint32_t flat) {
    return layout_locate(&operand->offsets, flat).at[LAYOUT_OFFSET] * operand->bytes;
}

static uint32_t flat_at(const struct layout *layout, uint32_t row, uint32_t column) {
    return layout_join_coordinates(layout, (uint32_t[LAYOUT_MAX_RANK]){row, column});
}

// The byte offset of this thread's warpgroup along dimension `side` of the result, from its warp bits above
// the instruction's, in the operand's layout.
static LLVMValueRef warpgroup_offset(struct lowering *l, const struct shared_operand *operand,
                                     const struct layout *result, unsigned side) {
    uint32_t basis[LAYOUT_MAX_BITS] = {0};
    for (unsigned bit = 2; bit < result->bits[LAYOUT_WARP]; bit++) {
        uint32_t at[LAYOUT_MAX_RANK] = {0};
        layout_split_coordinates(result, result->basis[LAYOUT_WARP][bit], at);
        uint32_t flat = side == 0 ? flat_at(operand->layout, at[0], 0) : flat_at(operand->layout, 0, at[1]);
        basis[l->lane_bits + bit] = byte_offset(operand, flat);
    }
    return lower_warp_linear(l, basis);
}

// The layout with rows as the instructions have them.
static const struct layout *in_order(struct lowering *l, MlirOperation op, const struct layout *layout) {
    return op_has(op, ATTR_ROW_ORDER) ? lower_undo_order(l, op, ATTR_ROW_ORDER, layout, 0) : layout;
}

static struct shared_operand operand_of(struct lowering *l, MlirOperation op, const struct mma *mma,
                                        unsigned index, const struct layout *result) {
    MlirValue value = mlirOperationGetOperand(op, index);
    struct shared_operand operand = {.layout = lower_layout(l, value), .bytes = mma_type_bits(mma->a) / 8};
    if (operand.layout->bits[LAYOUT_OFFSET] == 0) {
        operand.in_registers = true;
        operand.layout = in_order(l, op, operand.layout);
        operand.elements = lower_values(l, value)->at;
        return operand;
    }
    if (!layout_invert(operand.layout, &operand.offsets) ||
        !wgmma_operand_of(operand.layout, operand.bytes, &operand.arrangement)) {
        bug("warpgroup_dot: operand %u is arranged in shared memory as no descriptor can say", index);
    }
    LLVMValueRef own = warpgroup_offset(l, &operand, result, index);
    LLVMValueRef offset = LLVMBuildAdd(l->b, lower_scalar(l, value), own, "");
    LLVMValueRef address = LLVMBuildPtrToInt(l->b, lower_shared_address(l, offset), l->i32, "");
    LLVMValueRef field =
        LLVMBuildLShr(l->b, LLVMBuildAnd(l->b, address, lower_i32(l, 0x3ffff), ""), lower_i32(l, 4), "");
    operand.descriptor = LLVMBuildOr(l->b, LLVMBuildZExt(l->b, field, l->i64, ""),
                                     lower_i64(l, wgmma_descriptor(&operand.arrangement)), "");
    return operand;
}

static LLVMValueRef descriptor_at(struct lowering *l, const struct shared_operand *operand, uint32_t row,
                                  uint32_t column) {
    uint32_t offset = byte_offset(operand, flat_at(operand->layout, row, column));
    return LLVMBuildAdd(l->b, operand->descriptor, lower_i64(l, offset / 16), "");
}

// The four words of A's fragment at (row, k).
static void pack_fragment(struct lowering *l, const struct mma *mma, const struct shared_operand *a,
                          uint32_t row, uint32_t k, LLVMValueRef words[WGMMA_A_WORDS]) {
    unsigned count = mma_registers(mma, MMA_A), per_word = count / WGMMA_A_WORDS;
    LLVMValueRef elements[16];
    for (unsigned reg = 0; reg < count; reg++) {
        unsigned at[2];
        mma_tile_element(mma, MMA_A, reg, 0, at);
        elements[reg] = a->elements[wgmma_result_register(a->layout, row + at[0], k + at[1])];
    }
    for (unsigned w = 0; w < WGMMA_A_WORDS; w++) {
        LLVMValueRef packed[4];
        lower_pack(l, elements + w * per_word, per_word, packed);
        words[w] = packed[0];
    }
}

// ---- the instructions ----

struct product {
    struct wgmma_group group;
    const struct shared_operand *a, *b;
    const struct layout *result;
    const LLVMValueRef *words; // of A, if it is in registers
    LLVMValueRef keeps;        // i32: 0: accumulators are not read; NULL: always read
    unsigned first;            // k step
    uint32_t column;           // of the tile, the first one
};

// For each result word: its index among the thread's words of the tile.
static void find_results(const struct product *p, unsigned *where) {
    const struct wgmma_group *g = &p->group;
    const struct mma *mma = g->form.mma;
    unsigned each = wgmma_results(&g->form), per_word = wgmma_per_word(mma);
    for (unsigned i = 0; i < wgmma_group_results(g); i++) {
        unsigned block = i / each, element = i % each * per_word, at[2];
        mma_tile_element(mma, MMA_C, element % 4, 0, at);
        uint32_t column = p->column + block % g->parts * g->form.columns + element / 4 * 8 + at[1];
        where[i] = wgmma_result_register(p->result, block / g->parts * mma->m + at[0], column) / per_word;
    }
}

static void issue(struct lowering *l, const struct product *p, LLVMValueRef *sums) {
    const struct wgmma_group *g = &p->group;
    const struct mma *mma = g->form.mma;
    unsigned results = wgmma_group_results(g), count = wgmma_group_arguments(g);
    LLVMValueRef *args = ARENA_ARRAY(l->arena, LLVMValueRef, count);
    unsigned *where = ARENA_ARRAY(l->arena, unsigned, results);
    find_results(p, where);
    for (unsigned i = 0; i < results && g->form.accumulate; i++) {
        args[i] = sums[where[i]];
    }
    const LLVMValueRef *words = p->words;
    for (unsigned step = 0; step < g->steps; step++) {
        for (unsigned row = 0; row < g->rows; row++) {
            LLVMValueRef *a = args + wgmma_group_a(g, step, row);
            if (p->a->in_registers) {
                memcpy(a, words, WGMMA_A_WORDS * sizeof *a);
                words += WGMMA_A_WORDS;
            } else {
                *a = descriptor_at(l, p->a, row * mma->m, (p->first + step) * mma->k);
            }
        }
        for (unsigned part = 0; part < g->parts; part++) {
            args[wgmma_group_b(g, step, part)] =
                descriptor_at(l, p->b, (p->first + step) * mma->k, p->column + part * g->form.columns);
        }
    }
    if (g->asks) {
        args[wgmma_group_asked(g)] = p->keeps;
    }
    struct strbuf text = {0}, constraints = {0};
    wgmma_compose(g, &text, &constraints);
    LLVMTypeRef element = mma->acc == MMA_F32 ? l->f32 : l->i32;
    LLVMValueRef made =
        lower_composed_call(l, &text, &constraints, lower_registers_type(l, element, results), args, count);
    for (unsigned i = 0; i < results; i++) {
        sums[where[i]] = LLVMBuildExtractValue(l->b, made, i, "");
    }
    strbuf_free(&text);
    strbuf_free(&constraints);
}

// ---- halves ----

// 16-bit accumulators are pairs in a register. While a product is in flight, both halves have this register
// as their value; the wait unpacks it.

// A tile's values as the words the instructions take. Returns their number.
static unsigned as_words(struct lowering *l, const struct values *values, LLVMTypeRef element,
                         LLVMValueRef *words) {
    unsigned each = 32 / lower_type_bits(element);
    for (unsigned i = 0; i < values->count; i += each) {
        words[i / each] = values->at[i];
        if (each > 1 && LLVMTypeOf(values->at[i]) == element) {
            LLVMValueRef packed[4];
            lower_pack(l, values->at + i, each, packed);
            words[i / each] = packed[0];
        }
    }
    return values->count / each;
}

static void keep_words(const LLVMValueRef *words, unsigned each, struct values *values) {
    for (unsigned i = 0; i < values->count; i++) {
        values->at[i] = words[i / each];
    }
}

static bool all_zero(const struct values *values) {
    for (unsigned r = 0; r < values->count; r++) {
        if (!LLVMIsConstant(values->at[r]) || !LLVMIsNull(values->at[r])) {
            return false;
        }
    }
    return true;
}

// The width of a piece of the columns whose partial products, beside all accumulators, leave a thread
// registers.
static uint32_t piece_of(uint32_t columns, unsigned words) {
    enum { MOST = 160, LEAST_COLUMNS = 64 };
    uint32_t piece = columns;
    while (piece > LEAST_COLUMNS && words + words / (columns / piece) > MOST) {
        piece /= 2;
    }
    return piece;
}

// Multiplies one part of k of one piece of the columns, waits for it and adds it to the sums; `part` has room
// for all.
static void add_part(struct lowering *l, struct product *product, LLVMValueRef *part, LLVMValueRef *sums,
                     bool zero) {
    unsigned count = wgmma_group_results(&product->group);
    unsigned *where = ARENA_ARRAY(l->arena, unsigned, count);
    LLVMValueRef *made = ARENA_ARRAY(l->arena, LLVMValueRef, count);
    issue(l, product, part);
    asm_call(l, ASM_WGMMA_COMMIT, l->void_type, NULL, 0);
    find_results(product, where);
    for (unsigned i = 0; i < count; i++) {
        made[i] = part[where[i]];
    }
    order(l, 0, made, count, 0);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef *sum = &sums[where[i]];
        *sum = zero ? made[i] : LLVMBuildFAdd(l->b, *sum, made[i], "");
    }
}

// The matrix units accumulate f8 products with fewer bits than f32. If the program limits the number of such
// additions, each part of k of that length is a product of its own, waited for and added to the sums in f32.
static void issue_in_parts(struct lowering *l, struct product *product, unsigned most, LLVMValueRef *sums,
                           unsigned count, bool zero) {
    struct wgmma_group *g = &product->group;
    unsigned all = g->steps, each = most > g->form.mma->k ? most / g->form.mma->k : 1,
             words = product->a->in_registers ? g->rows * all * WGMMA_A_WORDS : 0;
    uint32_t columns = g->parts * g->form.columns, piece = piece_of(columns, count);
    LLVMValueRef *registers = ARENA_ARRAY(l->arena, LLVMValueRef, words + 1);
    LLVMValueRef *part = ARENA_ARRAY(l->arena, LLVMValueRef, count);
    memcpy(registers, product->words, words * sizeof *registers);
    if (piece < g->form.columns) {
        g->form.columns = piece;
    }
    g->parts = piece / g->form.columns;
    for (unsigned first = 0; first < all; first += each) {
        product->first = first;
        g->steps = all - first < each ? all - first : each;
        product->words = registers + (words > 0 ? first * g->rows * WGMMA_A_WORDS : 0);
        for (product->column = 0; product->column < columns; product->column += piece) {
            order(l, -1, registers, 0, words);
            add_part(l, product, part, sums, zero && first == 0);
        }
    }
}

// Issues the product one k step at a time, each behind a fence for its own words of A, so that threads compute the
// words of a step while the matrix units multiply the step before.
static void issue_by_steps(struct lowering *l, struct product *product, LLVMValueRef *words,
                           LLVMValueRef *sums) {
    struct wgmma_group *g = &product->group;
    unsigned each = g->rows * WGMMA_A_WORDS, all = g->steps;
    g->steps = 1;
    product->words = words;
    issue(l, product, sums);
    g->asks = false;
    g->form.accumulate = true;
    for (product->first = 1; product->first < all; product->first++) {
        words += each;
        order(l, -1, words, 0, each);
        product->words = words;
        issue(l, product, sums);
    }
}

static const struct mma *instruction_of(MlirOperation op) {
    MlirStringRef name = op_string(op, ATTR_INSTRUCTION);
    const struct mma *mma = name.data ? mma_find(name.data, name.length) : NULL;
    if (!mma || mma->warps == 1) {
        bug("warpgroup_dot without a warpgroup's instruction");
    }
    return mma;
}

// The columns of one instruction: as many as registers hold.
static uint32_t width_of(struct lowering *l, uint32_t columns) {
    unsigned limit = (unsigned)op_int(l->kernel, ATTR_MAXNREG);
    if (limit > 0 && limit < WGMMA_LEAST_REGISTERS) {
        lower_error(l, "maxnreg is %u, and products of warpgroups take %d registers of a thread at least",
                    limit, WGMMA_LEAST_REGISTERS);
    }
    uint32_t most = wgmma_most_columns(l->target, l->num_warps, limit);
    return columns < most ? columns : most;
}

// The op's product without its words of A and what it asks for; no instruction.
static struct product product_of(struct lowering *l, MlirOperation op, struct shared_operand *a,
                                 struct shared_operand *b, const struct layout *result, bool accumulate) {
    const struct mma *mma = instruction_of(op);
    uint32_t rows = wgmma_result_extent(result, 0), columns = wgmma_result_extent(result, 1),
             width = width_of(l, columns);
    uint32_t start = (uint32_t)op_int(op, ATTR_START),
             end = (uint32_t)op_int_or(op, ATTR_END, layout_extent(b->layout, 0));
    return (struct product){
        .group = {.form = {.mma = mma,
                           .columns = width,
                           .a_in_registers = a->in_registers,
                           .a_rows_fastest = !a->in_registers && a->arrangement.rows_fastest,
                           .b_columns_fastest = !b->arrangement.rows_fastest,
                           .accumulate = accumulate},
                  .rows = rows / mma->m,
                  .parts = columns / width,
                  .steps = (end - start) / mma->k},
        .a = a,
        .b = b,
        .result = result,
        .first = start / mma->k};
}

// A's words in registers, in the order of the instructions: k step by k step. -> their number
static unsigned pack_words(struct lowering *l, const struct product *product, LLVMValueRef *words) {
    const struct wgmma_group *g = &product->group;
    const struct mma *mma = g->form.mma;
    unsigned count = 0;
    for (unsigned step = 0; g->form.a_in_registers && step < g->steps; step++) {
        for (unsigned row = 0; row < g->rows; row++, count += WGMMA_A_WORDS) {
            pack_fragment(l, mma, product->a, row * mma->m, (product->first + step) * mma->k, words + count);
        }
    }
    return count;
}

void lower_warpgroup_dot(struct lowering *l, MlirOperation op) {
    MlirValue sum = warpgroup_dot_c(op), keeps = warpgroup_dot_keeps(op);
    struct values *in = lower_values(l, sum), *out = lower_result(l, op, 0);
    const struct layout *result = in_order(l, op, lower_layout(l, sum));
    const struct mma *mma = instruction_of(op);
    struct shared_operand a = operand_of(l, op, mma, MMA_A, result),
                          b = operand_of(l, op, mma, MMA_B, result);
    bool in_parts = op_has(op, ATTR_IMPRECISE), zero = all_zero(in);
    bool by_steps = op_has(op, ATTR_BY_STEPS) && a.in_registers && !in_parts;
    struct product product = product_of(l, op, &a, &b, result, !zero && !in_parts);
    struct wgmma_group *g = &product.group;
    // Registers read by the instructions pass through the fence: accumulators, then A's words.
    LLVMValueRef *before = ARENA_ARRAY(l->arena, LLVMValueRef, in->count);
    unsigned result_words = as_words(l, in, lower_type(l, lower_element(sum)), before),
             sums = zero || in_parts ? 0 : result_words;
    LLVMValueRef *registers =
        ARENA_ARRAY(l->arena, LLVMValueRef, in->count + g->rows * g->steps * WGMMA_A_WORDS + 1);
    memcpy(registers, before, sums * sizeof *registers);
    product.words = registers + sums;
    unsigned words = pack_words(l, &product, registers + sums);
    if (!in_parts) {
        order(l, -1, registers, sums, by_steps ? g->rows * WGMMA_A_WORDS : words);
    }
    LLVMValueRef *results = ARENA_ARRAY(l->arena, LLVMValueRef, result_words);
    memcpy(results, sums > 0 ? registers : before, result_words * sizeof *registers);
    if (!mlirValueIsNull(keeps)) {
        product.keeps = LLVMBuildZExt(l->b, lower_scalar(l, keeps), l->i32, "");
        g->asks = true;
    }
    if (in_parts) {
        issue_in_parts(l, &product, (unsigned)op_int(op, ATTR_IMPRECISE), results, result_words, zero);
    } else {
        if (by_steps) {
            issue_by_steps(l, &product, registers + sums, results);
        } else {
            issue(l, &product, results);
        }
        asm_call(l, ASM_WGMMA_COMMIT, l->void_type, NULL, 0);
    }
    keep_words(results, wgmma_per_word(mma), out);
}

// The loop argument behind the accumulator, through products and waits; null if there is none.
static MlirValue carried_from(struct lowering *l, MlirValue sum) {
    while (!mlirValueIsABlockArgument(sum)) {
        MlirOperation op = mlirOpResultGetOwner(sum);
        enum op_kind kind = op_kind(l->ir, op);
        if (kind != OP_WARPGROUP_DOT && kind != OP_DOT_WAIT) {
            return (MlirValue){NULL};
        }
        sum = kind == OP_WARPGROUP_DOT ? warpgroup_dot_c(op)
                                       : dot_wait_tile(op, mlirOpResultGetResultNumber(sum));
    }
    return sum;
}

// True if the loop yields the wait's result at another position than the accumulator's.
static bool changes_place(struct lowering *l, MlirOperation wait, intptr_t number) {
    MlirValue from = carried_from(l, dot_wait_tile(wait, number));
    MlirValue passed = mlirOperationGetResult(wait, number);
    MlirOperation end = mlirBlockGetTerminator(mlirOperationGetBlock(wait));
    if (mlirValueIsNull(from) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(from), mlirOperationGetBlock(wait))) {
        return false;
    }
    bool changes = false;
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
        changes |= value_is(yield_value(end, i), passed) && i + 1 != mlirBlockArgumentGetArgNumber(from);
    }
    return changes;
}

static LLVMValueRef moved(struct lowering *l, LLVMValueRef word) {
    bool integer = LLVMTypeOf(word) == l->i32;
    return asm_call(l, integer ? ASM_MOVE_B32 : ASM_MOVE_F32, LLVMTypeOf(word), &word, 1);
}

void lower_dot_wait(struct lowering *l, MlirOperation op) {
    unsigned count = 0;
    intptr_t operands = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < operands; i++) {
        count += lower_operand(l, op, i)->count;
    }
    LLVMValueRef *registers = ARENA_ARRAY(l->arena, LLVMValueRef, count + 1);
    count = 0;
    for (intptr_t i = 0; i < operands; i++) {
        LLVMTypeRef element = lower_type(l, lower_element(mlirOperationGetOperand(op, i)));
        count += as_words(l, lower_operand(l, op, i), element, registers + count);
    }
    order(l, (int)op_int(op, ATTR_PENDING), registers, count, 0);
    count = 0;
    for (intptr_t i = 0; i < operands; i++) {
        struct values *values = lower_result(l, op, i);
        LLVMTypeRef element = lower_type(l, lower_element(mlirOperationGetOperand(op, i)));
        unsigned each = 32 / lower_type_bits(element);
        bool moves = changes_place(l, op, i);
        for (unsigned r = 0; r < values->count; r += each, count++) {
            registers[count] = moves ? moved(l, registers[count]) : registers[count];
            values->at[r] = registers[count];
            if (each > 1) {
                lower_unpack(l, registers + count, element, each, values->at + r);
            }
        }
    }
}
