// Distances that the hardware of gfx9 does not keep by itself: a register that one instruction writes is read
// too early by another unless other instructions, or an s_nop, stand between. LLVM's hazard recognizer inserts
// them; here an instruction that comes too soon is reported.
//
// A wait state is an instruction; `s_nop n` is n + 1 of them. Sources: CDNA3 ISA, "Manually Inserted Wait States (NOPs)"; the
// numbers for matrix instructions are the least of their shape, of any type (LLVM, GCNHazardRecognizer).
#include "emulator/amdgcn/amdgcn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emulator/report/report.h"

enum {
    VALU = 1 << 0,
    TRANSCENDENTAL = 1 << 1, // exponentials, logarithms, reciprocals, roots, sines
    MATRIX = 1 << 2,
    MEMORY = 1 << 3, // by vectors of addresses, not LDS
    LDS = 1 << 4,
    DPP = 1 << 5,
    LANE = 1 << 6, // its third operand chooses a lane
    DIV_FMAS = 1 << 7,
    NOP = 1 << 8,
    SETS_M0 = 1 << 9, // by a scalar instruction
    COPY = 1 << 10    // of memory to LDS
};

enum part { SCALARS_READ, LANE_CHOICE, VCC_READ, EXEC_READ, ROWS_READ, DPP_SOURCE, M0_READ };

static const struct hazard {
    unsigned writer, reader, except; // classes
    enum part part;
    unsigned states; // 0: by the shape of the matrix instruction
    bool gfx942;     // and gfx950 alone; else all of gfx9
} hazards[] = {
    {VALU, MEMORY, 0, SCALARS_READ, 5, false},
    {VALU, LANE, 0, LANE_CHOICE, 4, false},
    {VALU, DIV_FMAS, 0, VCC_READ, 4, false},
    {VALU, DPP, 0, EXEC_READ, 5, false},
    {VALU, DPP, 0, DPP_SOURCE, 2, false},
    {TRANSCENDENTAL, VALU, TRANSCENDENTAL, ROWS_READ, 1, true},
    {MATRIX, VALU | MEMORY | LDS, 0, ROWS_READ, 0, false},
    {SETS_M0, COPY, 0, M0_READ, 1, false},
};

static bool begins(const char *text, const char *with) {
    return !strncmp(text, with, strlen(with));
}

static unsigned class_of_vector(const char *text, const struct gcn *gcn) {
    static const char *const slow[] = {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"};
    unsigned class = VALU | (gcn->dpp ? DPP : 0);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        class |= begins(text, slow[i]) ? TRANSCENDENTAL : 0;
    }
    class |= begins(text, "v_readlane_") || begins(text, "v_writelane_") ? LANE : 0;
    return class | (begins(text, "v_div_fmas_") ? DIV_FMAS : 0);
}

static unsigned class_of(const char *text, const struct gcn *gcn) {
    static const char *const memory[] = {"global_", "flat_", "buffer_", "scratch_"};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        if (begins(text, memory[i])) {
            bool copies = strstr(text, "_load_lds_") || strstr(text, " lds");
            return MEMORY | (copies ? COPY : 0);
        }
    }
    if (begins(text, "s_") && gcn->operands[0].kind == OPERAND_SCALAR && gcn->operands[0].reg == SCALAR_M0) {
        return SETS_M0;
    }
    return begins(text, "v_mfma_f64") ? 0
           : begins(text, "v_mfma_")  ? MATRIX
           : begins(text, "v_")       ? class_of_vector(text, gcn)
           : begins(text, "ds_")      ? LDS
           : begins(text, "s_nop")    ? NOP
                                      : 0;
}

// The least number of wait states behind a matrix instruction: of 16x16, of 32x32.
static unsigned states_of_matrix(const struct emulator *emulator, const char *text) {
    static const uint8_t states[3][2] = {{10, 18}, {11, 19}, {7, 11}};
    unsigned row = gcn_is_cdna3(emulator) ? 2 : target_has(emulator->target, FEATURE(MFMA_GFX90A));
    return states[row][!strstr(text, "_16x16x")];
}

void bind_hazards(const struct gcn_decoder *decoder, struct gcn *gcn) {
    const char *text = gcn->place.text;
    if (decoder->generation != GENERATION_GFX9) {
        bind_rdna_hazards(gcn);
        return;
    }
    gcn->hazard_class = (uint16_t)class_of(text, gcn);
    gcn->hazard_states = 1;
    if (gcn->hazard_class & NOP) {
        gcn->hazard_states = (uint8_t)(strtoul(text + strlen("s_nop"), NULL, 0) + 1);
    } else if (gcn->hazard_class & MATRIX) {
        gcn->hazard_states = (uint8_t)states_of_matrix(decoder->emulator, text);
    }
}

// ---- what was written ----

static void write_registers(struct wave *wave, const struct gcn *gcn, const struct gcn_operand *operand,
                            uint32_t instr) {
    struct writer writer = {wave->hazard_clock, instr, gcn->hazard_class, gcn->hazard_states};
    bool scalar = operand->kind == OPERAND_SCALAR;
    for (unsigned i = 0; i < operand->count && (scalar || operand->kind == OPERAND_VECTOR); i++) {
        *(scalar ? &wave->scalar_writers[operand->reg + i] : &wave->row_writers[operand->reg + i]) = writer;
    }
}

static void note_writes(struct wave *wave, const struct gcn *gcn, uint32_t instr) {
    unsigned results = gcn->writes_exec ? gcn->first_source : gcn->first_source ? gcn->first_source : 1;
    for (unsigned i = 0; i < results && i < gcn->operand_count; i++) {
        write_registers(wave, gcn, &gcn->operands[i], instr);
    }
    if (gcn->writes_exec) {
        struct gcn_operand exec = {.kind = OPERAND_SCALAR, .reg = SCALAR_EXEC, .count = 2};
        write_registers(wave, gcn, &exec, instr);
    }
}

// ---- what is read ----

struct reading {
    struct warp *warp;
    const struct instr *in;
    const struct hazard *hazard;
};

static void check_register(const struct reading *r, const struct writer *writer, char name, unsigned reg) {
    const struct wave *wave = wave_of(r->warp);
    unsigned needed = r->hazard->states ? r->hazard->states : writer->states;
    unsigned between = wave->hazard_clock - writer->clock - 1;
    if (!writer->clock || !(writer->class & r->hazard->writer) || between >= needed) {
        return;
    }
    report_at(r->warp, r->in, 0, FAULT_WAIT, &r->warp->kernel->code[writer->instr], "writes",
              "register %c%u is used %u wait states after `%s` writes it, %u are needed", name,
              name == 'a' ? reg - ROW_AGPR : reg, between,
              ((const struct gcn *)r->warp->kernel->code[writer->instr].extra)->place.text, needed);
}

static void check_operand(const struct reading *r, const struct gcn_operand *operand) {
    const struct wave *wave = wave_of(r->warp);
    bool scalar = operand->kind == OPERAND_SCALAR;
    for (unsigned i = 0; i < operand->count && (scalar || operand->kind == OPERAND_VECTOR); i++) {
        unsigned reg = operand->reg + i;
        check_register(r, scalar ? &wave->scalar_writers[reg] : &wave->row_writers[reg],
                       scalar            ? 's'
                       : reg >= ROW_AGPR ? 'a'
                                         : 'v',
                       reg);
    }
}

// The operands that are read: all but results. Of a store the first operand is read, too.
static void check_sources(const struct reading *r, enum operand_kind kind) {
    const struct gcn *gcn = r->in->extra;
    bool stores = (gcn->hazard_class & (MEMORY | LDS)) && !gcn->loads;
    unsigned first = stores ? 0 : gcn->first_source ? gcn->first_source : gcn->writes_exec ? 0 : 1;
    for (unsigned i = first; i < gcn->operand_count; i++) {
        if (gcn->operands[i].kind == kind) {
            check_operand(r, &gcn->operands[i]);
        }
    }
}

static void check_hazard(const struct reading *r) {
    const struct gcn *gcn = r->in->extra;
    static const struct gcn_operand vcc = {.kind = OPERAND_SCALAR, .reg = SCALAR_VCC, .count = 2},
                                    exec = {.kind = OPERAND_SCALAR, .reg = SCALAR_EXEC, .count = 2},
                                    m0 = {.kind = OPERAND_SCALAR, .reg = SCALAR_M0, .count = 1};
    unsigned first = gcn->first_source ? gcn->first_source : 1;
    switch (r->hazard->part) {
    case SCALARS_READ:
        check_sources(r, OPERAND_SCALAR);
        break;
    case ROWS_READ:
        check_sources(r, OPERAND_VECTOR);
        break;
    case LANE_CHOICE:
        check_operand(r, &gcn->operands[2]);
        break;
    case DPP_SOURCE:
        check_operand(r, &gcn->operands[first]);
        break;
    case VCC_READ:
        check_operand(r, &vcc);
        break;
    case EXEC_READ:
        check_operand(r, &exec);
        break;
    case M0_READ:
        check_operand(r, &m0);
    }
}

void hazard_step(struct warp *warp, const struct instr *in) {
    struct wave *wave = wave_of(warp);
    const struct gcn *gcn = in->extra;
    bool gfx942 = gcn_is_cdna3(warp->run->emulator);
    wave->hazard_clock += gcn->hazard_class & NOP ? gcn->hazard_states : 1;
    for (size_t i = 0; i < sizeof hazards / sizeof *hazards; i++) {
        const struct hazard *hazard = &hazards[i];
        bool here = !hazard->gfx942 || gfx942;
        if (here && gcn->hazard_class & hazard->reader && !(gcn->hazard_class & hazard->except)) {
            check_hazard(&(struct reading){warp, in, hazard});
        }
    }
    if (gcn->hazard_class & (VALU | MATRIX | SETS_M0)) {
        note_writes(wave, gcn, in->index);
    }
}
