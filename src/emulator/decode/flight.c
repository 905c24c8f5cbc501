// Finds the register words read or written asynchronously by warpgroup products, and guards the instructions
// that touch them (execute/flight.c). These are the words in the operands of a product or its wait, and the
// words connected with them by copies of phi and insertvalue. Kernels without products have no slot and no
// guard.
#include "emulator/decode/decode.h"

#include <string.h>

#include "emulator/execute/execute.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/nvidia/wgmma.h"

enum { WORD_BYTES = 4 };

static uint32_t word_size(const struct decoder *decoder) {
    return WORD_BYTES * decoder->emulator->lanes;
}

static bool is_word(const struct shape *shape) {
    return shape->bytes == WORD_BYTES && shape->components == 1;
}

static bool mark(struct kernel *kernel, uint32_t reg) {
    uint32_t *slot = &kernel->slots[reg / SLOT_UNIT];
    bool fresh = *slot == 0;
    if (fresh) {
        *slot = ++kernel->slot_count;
    }
    return fresh;
}

static bool is_product(const struct instr *in) {
    return in->exec == exec_wgmma || in->exec == exec_wgmma_fence || in->exec == exec_wgmma_wait ||
           in->exec == exec_tmem_load || in->exec == exec_tmem_wait_load;
}

// A fence or a wait has one result word for each operand.
static unsigned result_words(const struct instr *in) {
    const struct wgmma_form *form = in->exec == exec_wgmma ? in->extra : NULL;
    return form ? form->words : in->exec == exec_tmem_load ? (unsigned)in->immediate : in->operand_count;
}

// Marks the words in operands and results of products and waits.
static void mark_products(struct decoder *decoder) {
    struct kernel *kernel = decoder->kernel;
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        const struct instr *in = &kernel->code[i];
        if (!is_product(in)) {
            continue;
        }
        for (unsigned j = 0; j < in->operand_count && in->exec != exec_tmem_load; j++) {
            if (is_word(&in->operands[j].shape) && !in->operands[j].is_constant) {
                mark(kernel, in->operands[j].reg);
            }
        }
        unsigned count = result_words(in);
        for (unsigned j = 0; j < count; j++) {
            mark(kernel, in->dst + j * word_size(decoder));
        }
    }
}

static bool is_carry(const struct instr *in) {
    return in->exec == exec_move && LLVMIsAInsertValueInst(in->value);
}

// If one side of a word's copy is a slot, so is the other. Constants never are.
static bool connect(struct kernel *kernel, const bool *is_constant, uint32_t dst, uint32_t src) {
    if (is_constant[src / SLOT_UNIT]) {
        return false;
    }
    bool changed = kernel->slots[src / SLOT_UNIT] && mark(kernel, dst);
    return (kernel->slots[dst / SLOT_UNIT] && mark(kernel, src)) || changed;
}

static void connect_copies(struct decoder *decoder) {
    struct kernel *kernel = decoder->kernel;
    bool *is_constant = ARENA_ARRAY(decoder->emulator->arena, bool, kernel->register_bytes / SLOT_UNIT + 1);
    for (uint32_t i = 0; i < kernel->constant_count; i++) {
        is_constant[kernel->constants[i].reg / SLOT_UNIT] = true;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < kernel->copy_count; i++) {
            const struct phi_copy *copy = &kernel->copies[i];
            if (copy->bytes == WORD_BYTES && copy->components == 1) {
                changed |= connect(kernel, is_constant, copy->dst, copy->src);
            }
        }
        for (uint32_t i = 0; i < kernel->code_count; i++) {
            const struct instr *in = &kernel->code[i];
            if (is_carry(in) && in->bytes == WORD_BYTES && in->components == 1) {
                changed |= connect(kernel, is_constant, in->dst, in->src[0]);
            }
        }
    }
}

// The slots within `size` bytes of registers, added to `slots`.
static uint32_t add_slots(const struct kernel *kernel, uint32_t reg, uint32_t size, uint32_t *slots,
                          uint32_t count) {
    for (uint32_t at = reg; at < reg + size; at += SLOT_UNIT) {
        if (kernel->slots[at / SLOT_UNIT]) {
            slots[count++] = kernel->slots[at / SLOT_UNIT] - 1;
        }
    }
    return count;
}

static uint32_t read_slots(struct decoder *decoder, const struct instr *in, uint32_t *slots) {
    uint32_t count = 0;
    if (is_carry(in)) {
        return add_slots(decoder->kernel, in->src[0], word_size(decoder), slots, 0);
    }
    for (int i = 0; i < LLVMGetNumOperands(in->value); i++) {
        LLVMValueRef operand = LLVMGetOperand(in->value, (unsigned)i);
        if (LLVMIsAInstruction(operand) || LLVMIsAArgument(operand)) {
            count = add_slots(decoder->kernel, decode_operand(decoder, operand).reg,
                              decode_size(decoder, LLVMTypeOf(operand)), slots, count);
        }
    }
    return count;
}

static uint32_t write_slots(struct decoder *decoder, const struct instr *in, uint32_t *slots) {
    LLVMTypeRef type = LLVMTypeOf(in->value);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind) {
        return 0;
    }
    uint32_t size = in->total ? in->total * in->bytes : decode_size(decoder, type);
    return add_slots(decoder->kernel, in->dst, size, slots, 0);
}

static void guard(struct decoder *decoder, struct instr *in, uint32_t *slots) {
    struct kernel *kernel = decoder->kernel;
    struct arena *arena = decoder->emulator->arena;
    uint32_t reads = read_slots(decoder, in, slots), writes = write_slots(decoder, in, slots + reads);
    if (reads + writes == 0) {
        return;
    }
    uint32_t *copy = ARENA_ARRAY(arena, uint32_t, reads + writes);
    memcpy(copy, slots, sizeof *copy * (reads + writes));
    struct guard *guard = ARENA_NEW(arena, struct guard);
    *guard = (struct guard){in->exec, copy, copy + reads, reads, writes};
    kernel->guards[in->index] = guard;
    in->exec = is_carry(in) ? exec_carry : exec_guarded;
}

void decode_flights(struct decoder *decoder) {
    struct kernel *kernel = decoder->kernel;
    struct arena *arena = decoder->emulator->arena;
    if (!kernel->has_products) {
        return;
    }
    uint32_t units = kernel->register_bytes / SLOT_UNIT + 1;
    kernel->slots = ARENA_ARRAY(arena, uint32_t, units);
    kernel->guards = ARENA_ARRAY(arena, const struct guard *, kernel->code_count);
    mark_products(decoder);
    connect_copies(decoder);
    kernel->slot_registers = ARENA_ARRAY(arena, uint32_t, kernel->slot_count + 1);
    for (uint32_t unit = 0; unit < units; unit++) {
        if (kernel->slots[unit]) {
            kernel->slot_registers[kernel->slots[unit] - 1] = unit * SLOT_UNIT;
        }
    }
    // An instruction may name each of its operands' registers once for every operand.
    uint32_t most = 0;
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        uint32_t operands = (uint32_t)LLVMGetNumOperands(kernel->code[i].value) + 1;
        most = operands > most ? operands : most;
    }
    uint32_t *slots = ARENA_ARRAY(arena, uint32_t, (size_t)(most + 1) * (kernel->slot_count + 1));
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        if (!is_product(&kernel->code[i])) {
            guard(decoder, &kernel->code[i], slots);
        }
    }
}
