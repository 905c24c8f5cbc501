// Warpgroup products and their waits: composed texts (chip/wgmma.h) of more operands than other assembly has.
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "chip/wgmma.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/nvidia/wgmma.h"

enum { WORD_BYTES = 4 };

static enum matrix_type number_type(enum mma_type type) {
    switch (type) {
    case MMA_F16:
        return MATRIX_F16;
    case MMA_BF16:
        return MATRIX_BF16;
    case MMA_TF32:
        return MATRIX_TF32;
    case MMA_E4M3:
        return MATRIX_E4M3;
    case MMA_E5M2:
        return MATRIX_E5M2;
    case MMA_I8:
        return MATRIX_S8;
    case MMA_I32:
        return MATRIX_S32;
    default:
        return MATRIX_F32;
    }
}

// The results' words lie one after another, as the members of the call's struct do.
static unsigned result_words(LLVMValueRef call) {
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMVoidTypeKind ? 0 : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 1;
}

static struct instr *emit(struct decoder *decoder, LLVMValueRef call, exec_fn *exec, unsigned operands,
                          unsigned words) {
    struct instr *in = decode_call(decoder, call, exec, KIND_MATRIX, false);
    if (in->operand_count != operands || result_words(call) != words) {
        decode_refuse(decoder, call,
                      "a warpgroup operation has %u operands and %u results; %u and %u belong to it",
                      in->operand_count, result_words(call), operands, words);
    }
    decoder->kernel->has_products = decoder->kernel->has_agents = true;
    return in;
}

// ---- reads of shared memory that a product waits for ----

struct sources {
    struct map seen;
    LLVMValueRef *loads;
    unsigned count;
    size_t capacity;
};

// True if the call only computes, or shuffles values between lanes, which waits for the reads of all lanes.
static bool is_pure_call(LLVMValueRef call) {
    static const char memory[] = "memory", shuffles[] = "llvm.nvvm.shfl.sync.";
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t length;
    if (LLVMIsAInlineAsm(called)) {
        return !LLVMGetInlineAsmHasSideEffects(called);
    }
    if (strncmp(LLVMGetValueName2(called, &length), shuffles, sizeof shuffles - 1) == 0) {
        return true;
    }
    unsigned kind = LLVMGetEnumAttributeKindForName(memory, sizeof memory - 1);
    LLVMAttributeRef effects = LLVMIsAFunction(called)
                                   ? LLVMGetEnumAttributeAtIndex(called, LLVMAttributeFunctionIndex, kind)
                                   : NULL;
    return effects && LLVMGetEnumAttributeValue(effects) == 0; // none
}

// The value that a wgmma.fence or a wait passes through as this part of its results; null: `value` is no such part.
static LLVMValueRef passed_through(LLVMValueRef value) {
    LLVMValueRef call = LLVMIsAExtractValueInst(value) ? LLVMGetOperand(value, 0) : value;
    LLVMValueRef called = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
    if (!called || !LLVMIsAInlineAsm(called)) {
        return NULL;
    }
    size_t length;
    int pending;
    const char *text = LLVMGetInlineAsmAsmString(called, &length);
    return wgmma_order_parse(text, length, &pending)
               ? LLVMGetOperand(call, call == value ? 0 : *LLVMGetIndices(value))
               : NULL;
}

// Adds the reads, and other operations with effects, that the value is computed from. Loops end the search: what a step carries was read before
// its products.
static void add_sources(struct sources *s, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || map_has(&s->seen, value)) {
        return;
    }
    map_put(&s->seen, value, value);
    LLVMValueRef passed = passed_through(value);
    if (passed) {
        add_sources(s, passed);
        return;
    }
    if (LLVMIsALoadInst(value) || (LLVMIsACallInst(value) && !is_pure_call(value))) {
        s->loads = memory_grown(s->loads, s->count, &s->capacity, sizeof *s->loads);
        s->loads[s->count++] = value;
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        add_sources(s, LLVMGetOperand(value, (unsigned)i));
    }
}

static void find_loads(struct decoder *decoder, struct wgmma_form *form, LLVMValueRef call, unsigned first) {
    struct sources s = {0};
    for (unsigned i = 0; i < WGMMA_A_WORDS; i++) {
        add_sources(&s, LLVMGetOperand(call, first + i));
    }
    LLVMValueRef *loads = ARENA_ARRAY(decoder->emulator->arena, LLVMValueRef, s.count + 1);
    memcpy(loads, s.loads, s.count * sizeof *loads);
    form->loads = loads;
    form->load_count = s.count;
    decoder->kernel->multiplies_reads |= s.count > 0;
    free(s.loads);
    map_free(&s.seen);
}

// One instruction of the call: after the first step it accumulates onto the previous step's result, in the
// same registers.
static void emit_product(struct decoder *decoder, const struct instr *call, const struct wgmma_group *group,
                         unsigned step, unsigned block) {
    const struct wgmma *w = &group->form;
    struct arena *arena = decoder->emulator->arena;
    struct wgmma_form *form = ARENA_NEW(arena, struct wgmma_form);
    *form = (struct wgmma_form){
        .columns = w->columns,
        .depth = w->mma->k,
        .words = wgmma_results(w),
        .a = number_type(w->mma->a),
        .b = number_type(w->mma->b),
        .result = number_type(w->mma->acc),
        .accumulate = w->accumulate || step > 0,
        .asks = group->asks && step == 0,
        .a_in_registers = w->a_in_registers,
        .a_rows_fastest = w->a_rows_fastest,
        .b_columns_fastest = w->b_columns_fastest,
    };
    form->first_a = form->accumulate ? form->words : 0;
    form->first_b = form->first_a + (w->a_in_registers ? WGMMA_A_WORDS : 1);
    struct operand *operands = ARENA_ARRAY(arena, struct operand, form->first_b + 2);
    uint32_t word = WORD_BYTES * decoder->emulator->lanes, own = block * form->words;
    for (unsigned i = 0; i < form->first_a && step == 0; i++) {
        operands[i] = call->operands[own + i];
    }
    for (unsigned i = 0; i < form->first_a && step > 0; i++) {
        operands[i] = (struct operand){.reg = call->dst + (own + i) * word,
                                       .shape = {.components = 1, .bytes = WORD_BYTES}};
    }
    unsigned a = wgmma_group_a(group, step, block / group->parts);
    memcpy(operands + form->first_a, call->operands + a, sizeof *operands * (form->first_b - form->first_a));
    if (w->a_in_registers) {
        find_loads(decoder, form, call->value, a);
    }
    operands[form->first_b] = call->operands[wgmma_group_b(group, step, block % group->parts)];
    if (form->asks) {
        operands[form->first_b + 1] = call->operands[wgmma_group_asked(group)];
    }
    struct instr *in = PUSH(decoder->kernel, code, code_count, code_capacity);
    *in = *call;
    in->index = decoder->kernel->code_count - 1;
    in->dst = call->dst + own * word;
    in->operands = operands;
    in->operand_count = (uint16_t)(form->first_b + 1 + form->asks);
    in->extra = form;
}

bool decode_wgmma(struct decoder *decoder, LLVMValueRef call, const char *text) {
    struct wgmma_group group;
    int pending;
    if (wgmma_order_parse(text, strlen(text), &pending)) {
        unsigned words = result_words(call);
        exec_fn *exec = pending < 0 ? exec_wgmma_fence : exec_wgmma_wait;
        emit(decoder, call, exec, words, words)->immediate = pending;
        return true;
    }
    if (!wgmma_parse(text, strlen(text), &group)) {
        return false;
    }
    struct instr first =
        *emit(decoder, call, exec_wgmma, wgmma_group_arguments(&group), wgmma_group_results(&group));
    decoder->kernel->code_count--;
    for (unsigned step = 0; step < group.steps; step++) {
        for (unsigned block = 0; block < group.rows * group.parts; block++) {
            emit_product(decoder, &first, &group, step, block);
        }
    }
    return true;
}
