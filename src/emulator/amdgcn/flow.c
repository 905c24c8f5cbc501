// Branches, barriers, cache operations, and instructions without an effect here.
//
// CDNA3 ISA 12.4 (SOPP), RDNA3 ISA 16.5, RDNA4 ISA 16.5 (S_BARRIER_SIGNAL, S_BARRIER_WAIT); cache operations from LLVM's AMDGPU
// usage guide, "Memory Model".
#include "emulator/amdgcn/amdgcn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

enum condition { ALWAYS, SCC_0, SCC_1, VCC_0, VCC_1, EXEC_0, EXEC_1 };

static bool holds(const struct warp *warp, unsigned condition) {
    switch (condition) {
    case SCC_0:
    case SCC_1:
        return wave_of(warp)->scc == (condition == SCC_1);
    case VCC_0:
    case VCC_1:
        return (vcc_read(warp) != 0) == (condition == VCC_1);
    case EXEC_0:
    case EXEC_1:
        return (warp->mask != 0) == (condition == EXEC_1);
    default:
        return true;
    }
}

static void run_branch(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    warp->statistics.branches++;
    if (holds(warp, (unsigned)gcn->immediate)) {
        warp->pc = gcn->place.jump;
    }
}

static void run_end(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    warp->state = WARP_DONE;
}

static void run_nothing(struct warp *warp, const struct instr *in, void *dst) {
    (void)warp, (void)in, (void)dst;
}

static void run_trap(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    report_at(warp, in, 0, FAULT_TRAP, NULL, NULL, "the kernel stopped itself");
    warp->state = WARP_FAULT;
}

// ---- barriers ----

// Releases this wave's completed accesses to LDS.
static void release(struct warp *warp) {
    if (wave_lds_clock(warp) == warp->view.seen[warp->index]) {
        warp_fence(warp);
    }
    warp->released = warp->view;
    warp->released.seen[warp->index] = wave_lds_clock(warp);
}

static void run_barrier(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    release(warp);
    barrier_arrive(warp, in, 0, warp->block->warp_count, true);
}

static void run_signal(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    release(warp);
    barrier_arrive(warp, in, 0, warp->block->warp_count, false);
}

static void run_barrier_wait(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    struct barrier *barrier = &warp->block->barriers[0];
    if (barrier->arrived >> warp->index & 1) {
        barrier->waiting |= (uint64_t)1 << warp->index;
        warp->state = WARP_BARRIER;
        warp->barrier = 0;
        return;
    }
    view_join(warp->run, &warp->view, &warp->incoming);
    warp_fence(warp);
}

// ---- caches ----

static void run_write_back(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    wave_of(warp)->unwritten = false;
    wave_issue(warp, in, COUNTER_STORE, NULL, false);
}

static void run_invalidate(struct warp *warp, const struct instr *in, void *dst) {
    (void)in, (void)dst;
    publish_take(warp, SCOPE_SYSTEM);
}

static void run_program_counter(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    scalar_write(warp, &gcn->operands[0], gcn->immediate, true);
}

static void run_clock(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    uint64_t ticks = (uint64_t)time.tv_sec * 100000000u + (uint64_t)time.tv_nsec / 10;
    const struct gcn *gcn = in->extra;
    scalar_write(warp, &gcn->operands[0], ticks, true);
}

// ---- decoding ----

enum form { PLAIN, BRANCH, FAR_BRANCH, END, REGISTER, MODE };

static const struct {
    const char *name;
    exec_fn *run;
    uint8_t form, condition;
} rows[] = {
    {"s_branch", run_branch, BRANCH, ALWAYS},
    {"s_cbranch_scc0", run_branch, BRANCH, SCC_0},
    {"s_cbranch_scc1", run_branch, BRANCH, SCC_1},
    {"s_cbranch_vccz", run_branch, BRANCH, VCC_0},
    {"s_cbranch_vccnz", run_branch, BRANCH, VCC_1},
    {"s_cbranch_execz", run_branch, BRANCH, EXEC_0},
    {"s_cbranch_execnz", run_branch, BRANCH, EXEC_1},
    {"s_setpc_b64", run_branch, FAR_BRANCH, ALWAYS},
    {"s_endpgm", run_end, END, 0},
    {"s_trap", run_trap, PLAIN, 0},
    {"s_barrier", run_barrier, PLAIN, 0},
    {"s_barrier_signal", run_signal, PLAIN, 0},
    {"s_barrier_wait", run_barrier_wait, PLAIN, 0},
    {"s_getpc_b64", run_program_counter, REGISTER, 0},
    {"s_memrealtime", run_clock, REGISTER, 0},
    {"s_sendmsg_rtn_b64", run_clock, REGISTER, 0}, // LLVM asks for the time alone
    {"buffer_wbl2", run_write_back, PLAIN, 0},
    {"global_wb", run_write_back, PLAIN, 0},
    {"buffer_inv", run_invalidate, PLAIN, 0},
    {"buffer_invl2", run_nothing, PLAIN, 0}, // fine-grained memory of other devices
    {"buffer_wbinvl1_vol", run_invalidate, PLAIN, 0},
    {"buffer_wbinvl1", run_invalidate, PLAIN, 0},
    {"buffer_gl1_inv", run_nothing, PLAIN, 0}, // followed by the next
    {"buffer_gl0_inv", run_invalidate, PLAIN, 0},
    {"global_inv", run_invalidate, PLAIN, 0},
    {"s_nop", run_nothing, PLAIN, 0},
    {"v_nop", run_nothing, PLAIN, 0},
    {"s_delay_alu", run_nothing, PLAIN, 0},
    {"s_clause", run_nothing, PLAIN, 0},
    {"s_sleep", run_nothing, PLAIN, 0},
    {"s_setprio", run_nothing, PLAIN, 0},
    {"s_sendmsg", run_nothing, PLAIN, 0}, // frees registers before the end
    {"s_set_inst_prefetch_distance", run_nothing, PLAIN, 0},
    {"s_inst_prefetch", run_nothing, PLAIN, 0},
    {"s_waitcnt_depctr", run_nothing, PLAIN, 0},
    {"s_wait_alu", run_nothing, PLAIN, 0},
    {"s_setreg_imm32_b32", run_nothing, MODE, 0},
    {"s_wait_idle", run_nothing, PLAIN, 0},
    {"s_wait_xcnt", run_nothing, PLAIN,
     0}, // gfx1250: translations of addresses, which may have to be repeated
    {"s_wait_event", run_nothing, PLAIN, 0},
    {"s_code_end", run_nothing, END, 0},
};

// For a branch out of range LLVM adds a distance to the program counter (SIInstrInfo::insertIndirectBranch):
//
//   s_getpc_b64 s[8:9]; s_add_u32 s8, s8, LOW; s_addc_u32 s9, s9, HIGH; s_setpc_b64 s[8:9]
static bool find_far_jump(struct gcn_decoder *decoder, const struct gcn_text *text, uint32_t index) {
    static const char *const names[] = {"s_getpc_b64", "s_add_u32", "s_addc_u32"};
    enum { BEFORE = 3 };
    uint64_t from = 0, distance = 0;
    bool fits = index >= BEFORE;
    for (unsigned i = 0; i < BEFORE && fits; i++) {
        const struct gcn *gcn = decoder->kernel->code[index - BEFORE + i].extra;
        struct gcn_text before;
        struct gcn_operand number = {0};
        text_split(gcn->place.text, &before);
        fits = !strcmp(gcn_alias(before.name), names[i]) &&
               (i == 0 ? !strcmp(before.operands[0], text->operands[0])
                       : text_operand(before.operands[2], &number) && number.kind == OPERAND_NUMBER);
        from = i == 0 ? (uint64_t)gcn->immediate : from;
        distance |= (uint64_t)(uint32_t)number.integer << (i == 2 ? 32 : 0);
    }
    decoder->jump = from - decoder->image_address + distance;
    return fits || gcn_refuse(decoder, "only jumps by a constant distance are modelled");
}

// gfx1250: accesses may have to be repeated after a fault of translation, which does not happen here; sums round to nearest, as they do.
static bool keeps_mode(struct gcn_decoder *decoder, const struct gcn *gcn) {
    static const char *const known[] = {"s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1",
                                        "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 2, 2), 0"};
    return !strcmp(gcn->place.text, known[0]) || !strcmp(gcn->place.text, known[1]) ||
           gcn_refuse(decoder, "this change of the wave's mode is not modelled");
}

bool bind_flow(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in, struct gcn *gcn) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, text->name) != 0) {
            continue;
        }
        gcn->run = rows[i].run;
        gcn->immediate = rows[i].condition;
        bool branches = rows[i].form == BRANCH || rows[i].form == FAR_BRANCH;
        gcn->place.goes_on = rows[i].form != END && !(branches && rows[i].condition == ALWAYS);
        bool barrier =
            rows[i].run == run_barrier || rows[i].run == run_signal || rows[i].run == run_barrier_wait;
        in->kind = branches ? KIND_BRANCH : barrier ? KIND_BARRIER : KIND_MOVE;
        in->scope = SCOPE_DEVICE;
        if (rows[i].form == BRANCH) {
            int16_t words;
            memcpy(&words, decoder->bytes, 2); // the low half of the encoding
            decoder->jump = decoder->address + 4 + (uint64_t)((int64_t)words * 4);
        }
        if (rows[i].form == MODE) {
            return keeps_mode(decoder, gcn);
        }
        if (rows[i].form == FAR_BRANCH) {
            return find_far_jump(decoder, text, in->index);
        }
        if (rows[i].form == REGISTER) {
            gcn->immediate = decoder->image_address + decoder->address + decoder->size;
            gcn->operand_count = 1;
            return text_operand(text->operands[0], &gcn->operands[0]);
        }
        if ((rows[i].run == run_signal || rows[i].run == run_barrier_wait) &&
            strcmp(text->operands[0], "-1") && strcmp(text->operands[0], "0xffff")) {
            return gcn_refuse(decoder, "only the work-group's own barrier is modelled");
        }
        return true;
    }
    return false;
}
