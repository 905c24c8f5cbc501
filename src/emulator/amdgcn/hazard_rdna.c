// Dependencies without an order in the hardware of gfx11 and gfx12. LLVM's hazard recognizer inserts the waits; here an instruction
// without its wait is reported.
//
// gfx12: a scalar register that a vector instruction has read may hide a later write to it from the next reader. `s_wait_alu` with
// sa_sdst(0), va_sdst(0) or va_vcc(0) waits for such writes by scalar instructions, by vector instructions, and by vector instructions
// to VCC. Registers are read in pairs: a read of s2 counts for s3 (LLVM, AMDGPUWaitSGPRHazards). A scalar instruction that reads a
// scalar register waits by itself for the writes of all vector instructions to scalars but VCC, or to VCC: it is not issued before their
// counter is zero (LLVM's pull request 131111). LLVM counts on that wait for registers that a vector instruction has read on any way to
// the place, and for trap registers: LLVM 22 takes ttmp9 for s0, and no document says whether its reads wait. A scalar load and an access
// through a buffer's descriptor wait for all writes, as LLVM counts on it; other accesses to memory and LDS do not.
//
// gfx11: a vector instruction that reads the result of a transcendental one, up to 5 vector instructions and 1 transcendental one later,
// needs `s_waitcnt_depctr` with va_vdst(0); accesses to memory wait for it, too (GCNHazardRecognizer, fixVALUTransUseHazard).
//
// Both: between a matrix product and another whose A or B is its result stands a vector instruction (fixWMMAHazards).
#include "emulator/amdgcn/amdgcn.h"

#include <stdlib.h>
#include <string.h>

#include "emulator/report/report.h"

enum {
    VALU = 1 << 0,
    TRANSCENDENTAL = 1 << 1,
    MATRIX = 1 << 2,
    MEMORY = 1 << 3, // by vectors of addresses, LDS too
    SALU = 1 << 4,
    READS_VCC = 1 << 5, // without naming it as an operand
    SMEM = 1 << 6,
    BUFFER = 1 << 7, // through a descriptor
};
enum {
    WAITS_SCALAR = 1 << 0,
    WAITS_VECTOR = 1 << 1,
    WAITS_VCC = 1 << 2,
    WAITS_ROWS = 1 << 3
}; // hazard_states
enum { VALU_BETWEEN = 5, TRANSCENDENTAL_BETWEEN = 1 };

static bool begins_with_any(const char *text, const char *const *with, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!strncmp(text, with[i], strlen(with[i]))) {
            return true;
        }
    }
    return false;
}
#define BEGINS(text, ...)                                                                                    \
    begins_with_any(text, (const char *const[]){__VA_ARGS__},                                                \
                    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static unsigned class_of(const char *text) {
    if (BEGINS(text, "global_", "flat_", "buffer_", "scratch_", "ds_")) {
        return MEMORY | (BEGINS(text, "buffer_") ? BUFFER : 0);
    }
    if (BEGINS(text, "v_wmma_", "v_swmmac_")) {
        return MATRIX;
    }
    if (BEGINS(text, "v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_")) {
        return VALU | TRANSCENDENTAL;
    }
    if (BEGINS(text, "v_")) {
        return VALU | (BEGINS(text, "v_div_fmas_") ? READS_VCC : 0);
    }
    if (BEGINS(text, "s_load_", "s_buffer_load_")) {
        return SMEM;
    }
    bool scalar = BEGINS(text, "s_") && !BEGINS(text, "s_prefetch_");
    return (scalar ? SALU : 0) | (BEGINS(text, "s_cbranch_vcc") ? READS_VCC : 0);
}

// Of the number that LLVM 19 writes in place of the fields' names (RDNA 3 ISA, S_WAITCNT_DEPCTR): a field of 0 waits for all.
static unsigned waits_of_number(unsigned long fields) {
    return (fields & 1 ? 0 : WAITS_SCALAR) | (fields >> 9 & 7 ? 0 : WAITS_VECTOR) |
           (fields & 2 ? 0 : WAITS_VCC) | (fields >> 12 & 15 ? 0 : WAITS_ROWS);
}

static unsigned waits_of(const char *text) {
    if (!BEGINS(text, "s_wait_alu", "s_waitcnt_depctr")) {
        return 0;
    }
    const char *number = strstr(text, " 0x");
    if (number) {
        return waits_of_number(strtoul(number, NULL, 16));
    }
    return (strstr(text, "depctr_sa_sdst(0)") ? WAITS_SCALAR : 0) |
           (strstr(text, "depctr_va_sdst(0)") ? WAITS_VECTOR : 0) |
           (strstr(text, "depctr_va_vcc(0)") ? WAITS_VCC : 0) |
           (strstr(text, "depctr_va_vdst(0)") ? WAITS_ROWS : 0);
}

void bind_rdna_hazards(struct gcn *gcn) {
    gcn->hazard_class = (uint16_t)class_of(gcn->place.text);
    gcn->hazard_states = (uint8_t)waits_of(gcn->place.text);
}

// ---- operands ----

static unsigned result_count(const struct gcn *gcn) {
    return gcn->first_source || gcn->writes_exec || gcn->hazard_class & SALU ? gcn->first_source : 1;
}

static bool is_pair_tracked(const struct scalar_set *bits, unsigned reg) {
    return bits->word[reg >> 6] >> (reg & 62) & 3;
}

static bool has_bit(const struct scalar_set *bits, unsigned reg) {
    return bits->word[reg >> 6] >> (reg & 63) & 1;
}

static void set_bit(struct scalar_set *bits, unsigned reg, bool value) {
    uint64_t bit = (uint64_t)1 << (reg & 63);
    bits->word[reg >> 6] = value ? bits->word[reg >> 6] | bit : bits->word[reg >> 6] & ~bit;
}

static bool is_tracked_kind(unsigned reg) {
    return reg < SCALAR_TTMP; // not M0, EXEC and the null register
}

static bool is_trap(unsigned reg) { // ttmp9: the program's number
    return reg >= SCALAR_TTMP && reg < SCALAR_M0;
}

static bool is_vcc(unsigned reg) {
    return reg == SCALAR_VCC || reg == SCALAR_VCC + 1;
}

// ---- scalar registers (gfx12) ----

static void report_hidden(struct warp *warp, const struct instr *in, unsigned reg, const char *wait) {
    uint32_t writer = wave_of(warp)->scalar_writers[reg].instr;
    report_at(warp, in, 0, FAULT_WAIT, &warp->kernel->code[writer], "writes",
              "register s%u is used while what `%s` writes may be hidden from it: a vector instruction has "
              "read the register "
              "before, and `s_wait_alu %s` is missing",
              reg, ((const struct gcn *)warp->kernel->code[writer].extra)->place.text, wait);
}

// Vector instructions' writes have been done: those to VCC, those to other registers.
static void show_vector_writes(struct wave *wave, bool vcc, bool others) {
    struct scalar_set left = {{0}};
    for (unsigned reg = 0; reg < SCALARS; reg++) {
        set_bit(&left, reg, has_bit(&wave->hidden_vector, reg) && !(is_vcc(reg) ? vcc : others));
    }
    wave->hidden_vector = left;
}

static void wait_for_scalars(struct wave *wave, unsigned waits) {
    show_vector_writes(wave, waits & WAITS_VCC, waits & WAITS_VECTOR);
    if (waits & WAITS_SCALAR) {
        wave->hidden_scalar = (struct scalar_set){{0}};
    }
}

static void read_scalar(struct warp *warp, const struct instr *in, unsigned reg, bool vector) {
    struct wave *wave = wave_of(warp);
    if (!is_tracked_kind(reg)) {
        if (!vector && is_trap(reg)) {
            show_vector_writes(wave, false, true);
        }
        return;
    }
    if (has_bit(&wave->hidden_scalar, reg)) {
        report_hidden(warp, in, reg, "depctr_sa_sdst(0)");
    }
    if (!vector) {
        show_vector_writes(wave, is_vcc(reg), !is_vcc(reg));
    }
    if (has_bit(&wave->hidden_vector, reg)) {
        report_hidden(warp, in, reg, is_vcc(reg) ? "depctr_va_vcc(0)" : "depctr_va_sdst(0)");
    }
    if (vector) {
        set_bit(&wave->read_by_vectors, reg, true);
    }
}

static void write_scalar(struct wave *wave, unsigned reg, bool vector, uint32_t instr) {
    if (is_tracked_kind(reg) && is_pair_tracked(&wave->read_by_vectors, reg)) {
        set_bit(&wave->hidden_vector, reg, vector);
        set_bit(&wave->hidden_scalar, reg, !vector);
        wave->scalar_writers[reg].instr = instr;
    }
}

static void step_scalars(struct warp *warp, const struct instr *in, const struct gcn *gcn, bool vector) {
    unsigned results = result_count(gcn);
    for (unsigned i = gcn->reads_result ? 0 : results; i < gcn->operand_count; i++) {
        const struct gcn_operand *operand = &gcn->operands[i];
        for (unsigned j = 0; operand->kind == OPERAND_SCALAR && j < operand->count; j++) {
            read_scalar(warp, in, operand->reg + j, vector);
        }
    }
    if (gcn->hazard_class & READS_VCC) {
        read_scalar(warp, in, SCALAR_VCC, vector);
    }
    for (unsigned i = 0; i < results && i < gcn->operand_count; i++) {
        const struct gcn_operand *operand = &gcn->operands[i];
        for (unsigned j = 0; operand->kind == OPERAND_SCALAR && j < operand->count; j++) {
            write_scalar(wave_of(warp), operand->reg + j, vector, in->index);
        }
    }
}

// ---- vector registers ----

static bool reads_result(const struct gcn *reader, const struct gcn *writer, unsigned first, unsigned end) {
    for (unsigned i = first; i < reader->operand_count && i < end; i++) {
        for (unsigned j = 0; j < result_count(writer) && j < writer->operand_count; j++) {
            const struct gcn_operand *read = &reader->operands[i], *written = &writer->operands[j];
            if (read->kind == OPERAND_VECTOR && written->kind == OPERAND_VECTOR &&
                read->reg < written->reg + written->count && written->reg < read->reg + read->count) {
                return true;
            }
        }
    }
    return false;
}

static void check_transcendental(struct warp *warp, const struct instr *in, const struct gcn *gcn) {
    const struct wave *wave = wave_of(warp);
    for (unsigned i = 0; i <= TRANSCENDENTAL_BETWEEN && wave->recent[i].clock; i++) {
        const struct instr *writer = &warp->kernel->code[wave->recent[i].instr];
        const struct gcn *written = writer->extra;
        if (wave->hazard_clock - wave->recent[i].clock > VALU_BETWEEN ||
            !reads_result(gcn, written, result_count(gcn), GCN_OPERANDS)) {
            continue;
        }
        report_at(warp, in, 0, FAULT_WAIT, writer, "writes",
                  "the result of `%s` is used %u vector instructions later: `s_waitcnt_depctr "
                  "depctr_va_vdst(0)` is missing",
                  written->place.text, wave->hazard_clock - wave->recent[i].clock);
    }
}

static void check_product(struct warp *warp, const struct instr *in, const struct gcn *gcn) {
    const struct wave *wave = wave_of(warp);
    const struct instr *writer = &warp->kernel->code[wave->product.instr];
    if (wave->product.clock && reads_result(gcn, writer->extra, 1, 3)) { // A and B
        report_at(warp, in, 0, FAULT_WAIT, writer, "writes",
                  "an operand is the result of `%s` just before: `v_nop` is missing",
                  ((const struct gcn *)writer->extra)->place.text);
    }
}

static void note_transcendental(struct wave *wave, uint32_t instr) {
    wave->recent[1] = wave->recent[0];
    wave->recent[0] = (struct writer){.clock = wave->hazard_clock, .instr = instr};
}

static void step_rows(struct warp *warp, const struct instr *in, const struct gcn *gcn, bool transcendental) {
    struct wave *wave = wave_of(warp);
    if (gcn->hazard_class & MATRIX) {
        check_product(warp, in, gcn);
    }
    for (const struct gcn *part = gcn; transcendental && part; part = part->second) {
        check_transcendental(warp, in, part);
    }
    wave->hazard_clock++;
    if (gcn->hazard_class & TRANSCENDENTAL) {
        note_transcendental(wave, in->index);
    }
    wave->product =
        (struct writer){.clock = gcn->hazard_class & MATRIX ? wave->hazard_clock : 0, .instr = in->index};
}

// A wait for a hidden write has an effect.
static void note_wait(const struct warp *warp, const struct gcn *gcn) {
    const struct wave *wave = wave_of(warp);
    const struct scalar_set *scalar = &wave->hidden_scalar, *vector = &wave->hidden_vector;
    if (((gcn->hazard_states & WAITS_SCALAR) && (scalar->word[0] | scalar->word[1])) ||
        ((gcn->hazard_states & (WAITS_VECTOR | WAITS_VCC)) && (vector->word[0] | vector->word[1]))) {
        wave_note(warp, gcn);
    }
}

void rdna_step(struct warp *warp, const struct instr *in) {
    struct wave *wave = wave_of(warp);
    const struct gcn *gcn = in->extra;
    enum amd_generation generation = gcn_kernel_of(warp->kernel)->generation;
    if (gcn->hazard_class & (SMEM | BUFFER)) {
        wait_for_scalars(wave, WAITS_SCALAR | WAITS_VECTOR | WAITS_VCC);
    } else if (gcn->hazard_states) {
        note_wait(warp, gcn);
        wait_for_scalars(wave, gcn->hazard_states);
    }
    if (gcn->hazard_class & MEMORY || gcn->hazard_states & WAITS_ROWS) {
        memset(wave->recent, 0, sizeof wave->recent);
    }
    for (const struct gcn *part = gcn;
         generation == GENERATION_GFX12 && gcn->hazard_class & (VALU | MATRIX | SALU) && part;
         part = part->second) {
        step_scalars(warp, in, part, gcn->hazard_class & (VALU | MATRIX));
    }
    if (gcn->hazard_class & (VALU | MATRIX)) {
        step_rows(warp, in, gcn, generation == GENERATION_GFX11);
    }
}
