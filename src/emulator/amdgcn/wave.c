// A wave's registers: their initial values from the dispatcher, and reads and writes of scalar operands.
//
// User registers come in the order of the descriptor's bits, then the ids of the work-group (LLVM's AMDGPU
// usage guide, "Initial Kernel Execution State"); from gfx12 on the ids are in trap registers. Behind the ids
// follows the offset of the wave's scratch in the buffer described by the first user registers: its lanes are
// interleaved by 4 bytes.
#include "emulator/amdgcn/amdgcn.h"

#include "emulator/execute/execute.h"

enum { POISON = 0x7fc0dead, BUFFER_ADDS_LANE = 1 << 23 };

const struct gcn_operand operand_vcc = {.kind = OPERAND_SCALAR, .reg = SCALAR_VCC, .count = 2};

static void put_user_registers(struct warp *warp, struct wave *wave, const struct gcn_kernel *kernel) {
    static const uint8_t sizes[] = {4, 2, 2, 2,
                                    2, 2, 1}; // buffer, dispatch, queue, kernarg, id, scratch, size
    unsigned at = 0;
    for (unsigned i = 0; i < sizeof sizes; i++) {
        if (!(kernel->properties >> i & 1)) {
            continue;
        }
        if (i == 0) {
            wave->s[at] = (uint32_t)SCRATCH_ADDRESS;
            wave->s[at + 1] = (uint32_t)(SCRATCH_ADDRESS >> 32) | BUFFER_SWIZZLED;
            wave->s[at + 2] = UINT32_MAX;
            wave->s[at + 3] = BUFFER_ADDS_LANE | (warp->lanes == 64 ? 3 : 2)
                                                     << 21; // the lanes between two elements
        }
        if (i == 3) {
            wave->s[at] = (uint32_t)warp->run->segment_address;
            wave->s[at + 1] = (uint32_t)(warp->run->segment_address >> 32);
        }
        at += sizes[i];
    }
}

static void put_system_registers(struct warp *warp, struct wave *wave, const struct gcn_kernel *kernel) {
    const uint32_t *program = warp->block->program;
    unsigned at = kernel->resources2 >> 1 & 31;
    if (kernel->generation >= GENERATION_GFX12) {
        wave->s[SCALAR_TTMP + 9] = program[0];
        wave->s[SCALAR_TTMP + 7] = program[1] | program[2] << 16;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (kernel->resources2 >> (7 + i) & 1) {
            wave->s[at++] = program[i];
        }
    }
    at += kernel->resources2 >> 10 & 1; // the size of the work-group
    if (kernel->resources2 & 1) {
        wave->s[at] = warp->index * warp->lanes * warp->kernel->local_bytes;
    }
}

void wave_start(struct warp *warp) {
    const struct gcn_kernel *kernel = gcn_kernel_of(warp->kernel);
    struct wave *wave = wave_of(warp);
    memset(wave, 0, sizeof *wave);
    for (unsigned i = 0; i < SCALARS; i++) {
        wave->s[i] = POISON;
    }
    put_user_registers(warp, wave, kernel);
    put_system_registers(warp, wave, kernel);
    wave->s[SCALAR_EXEC] = (uint32_t)warp->full;
    wave->s[SCALAR_EXEC + 1] = (uint32_t)(warp->full >> 32);
    wave->mode = kernel->resources1 >> 12 & 0xff;
    uint32_t *rows = row_of(warp, 0);
    for (size_t i = 0; i < (size_t)kernel->rows * warp->lanes; i++) {
        rows[i] = POISON;
    }
    for (unsigned lane = 0; lane < warp->lanes; lane++) {
        rows[lane] = warp->index * warp->lanes + lane;
    }
}

// ---- scalar operands ----

uint32_t scalar_read(const struct warp *warp, const struct gcn_operand *operand) {
    const struct wave *wave = wave_of(warp);
    switch (operand->kind) {
    case OPERAND_SCALAR:
        return operand->reg == SCALAR_NULL ? 0 : wave->s[operand->reg];
    case OPERAND_SCC:
        return wave->scc;
    default:
        return (uint32_t)operand->bits;
    }
}

uint64_t scalar_read_wide(const struct warp *warp, const struct gcn_operand *operand) {
    if (operand->kind != OPERAND_SCALAR) {
        return operand->kind == OPERAND_SCC ? scalar_read(warp, operand) : operand->bits;
    }
    if (operand->reg == SCALAR_NULL) {
        return 0;
    }
    const uint32_t *s = wave_of(warp)->s + operand->reg;
    return operand->count > 1 ? s[0] | (uint64_t)s[1] << 32 : s[0];
}

void scalar_write(struct warp *warp, const struct gcn_operand *operand, uint64_t value, bool wide) {
    struct wave *wave = wave_of(warp);
    if (operand->kind != OPERAND_SCALAR || operand->reg == SCALAR_NULL) {
        return;
    }
    wave->s[operand->reg] = (uint32_t)value;
    if (wide) {
        wave->s[operand->reg + 1] = (uint32_t)(value >> 32);
    }
    if (operand->reg + wide < SCALAR_EXEC) {
        return;
    }
    uint64_t mask = wave->s[SCALAR_EXEC] | (uint64_t)wave->s[SCALAR_EXEC + 1] << 32;
    warp_set_mask(warp, mask & mask_of(warp->lanes));
}

lane_mask mask_read(const struct warp *warp, const struct gcn_operand *operand) {
    if (warp->lanes == 64) {
        return scalar_read_wide(warp, operand);
    }
    return scalar_read(warp, operand);
}

void mask_write(struct warp *warp, const struct gcn_operand *operand, lane_mask mask) {
    scalar_write(warp, operand, mask, warp->lanes == 64);
}

lane_mask vcc_read(const struct warp *warp) {
    return mask_read(warp, &operand_vcc);
}

void wave_note(const struct warp *warp, const struct gcn *gcn) {
    uint8_t *notes = warp->run->emulator->options.mattered;
    if (notes) {
        __atomic_store_n(&notes[gcn->word], 1, __ATOMIC_RELAXED);
    }
}
