// Warpgroup products and their waits: composed texts (chip/wgmma.h) of more operands than other assembly has.
#include "emulator/decode/decode.h"

#include <string.h>

#include "chip/wgmma.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/nvidia/wgmma.h"

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
    if (in->operand_count != operands || result_words(call) != words)
        decode_refuse(decoder, call,
                      "a warpgroup operation has %u operands and %u results; %u and %u belong to it",
                      in->operand_count, result_words(call), operands, words);
    decoder->kernel->has_products = decoder->kernel->has_agents = true;
    return in;
}

bool decode_wgmma(struct decoder *decoder, LLVMValueRef call, const char *text) {
    struct wgmma w;
    int pending;
    if (wgmma_order_parse(text, strlen(text), &pending)) {
        unsigned words = result_words(call);
        exec_fn *exec = pending < 0 ? exec_wgmma_fence : exec_wgmma_wait;
        emit(decoder, call, exec, words, words)->immediate = pending;
        return true;
    }
    if (!wgmma_parse(text, strlen(text), &w))
        return false;
    struct wgmma_form *form = ARENA_NEW(decoder->emulator->arena, struct wgmma_form);
    *form = (struct wgmma_form){
        .columns = w.columns,
        .depth = w.mma->k,
        .words = wgmma_results(&w),
        .a = number_type(w.mma->a),
        .b = number_type(w.mma->b),
        .result = number_type(w.mma->acc),
        .accumulate = w.accumulate,
        .a_in_registers = w.a_in_registers,
        .a_rows_fastest = w.a_rows_fastest,
        .b_columns_fastest = w.b_columns_fastest,
    };
    form->first_a = w.accumulate ? form->words : 0;
    form->first_b = form->first_a + (w.a_in_registers ? WGMMA_A_WORDS : 1);
    emit(decoder, call, exec_wgmma, form->first_b + 1, form->words)->extra = form;
    return true;
}
