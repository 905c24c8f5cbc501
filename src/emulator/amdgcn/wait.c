// Outstanding instructions. A load's registers become valid at the wait for it: an earlier read or write of
// them is reported. An access to LDS is complete when a wait on its counter covers it: until then a barrier
// passes nothing of it on. Stores are complete after a wait and, if a cache keeps them, after the write-back.
//
// Counters: CDNA3 ISA, "S_WAITCNT"; RDNA3 ISA, "Data Dependency Resolution"; RDNA4 ISA, the same. Loads, stores and LDS return in
// order, scalar loads in any: among instructions of one counter only a wait for all of them waits for a scalar load.
#include "emulator/amdgcn/amdgcn.h"

#include <stdio.h>
#include <stdlib.h>

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

static uint16_t *busy_of(struct wave *wave, const struct outstanding *what) {
    return (what->scalar ? wave->busy_scalars : wave->busy) + what->first;
}

// Copies to LDS land in order.
static void land_oldest(struct warp *warp) {
    unsigned copies = 0;
    for (unsigned i = 0; i < wave_of(warp)->outstanding_count; i++) {
        copies += wave_of(warp)->outstanding[i].copies;
    }
    async_land_all_but(warp, copies - 1);
    warp->lane_clock = ++warp->view.seen[warp->index];
}

static void complete(struct warp *warp, unsigned index) {
    struct wave *wave = wave_of(warp);
    struct outstanding *what = &wave->outstanding[index];
    uint16_t *busy = busy_of(wave, what);
    if (what->copies) {
        land_oldest(warp);
    }
    for (unsigned i = 0; i < what->count; i++) {
        if (busy[i] == what->number) {
            busy[i] = 0;
        }
    }
    wave->outstanding_count--;
    memmove(what, what + 1, (wave->outstanding_count - index) * sizeof *what);
}

// A full counter holds further instructions back.
static void make_room(struct warp *warp) {
    if (wave_of(warp)->outstanding_count == OUTSTANDING) {
        complete(warp, 0);
    }
}

void wave_issue(struct warp *warp, const struct instr *in, enum counter counter,
                const struct gcn_operand *written, bool lds) {
    struct wave *wave = wave_of(warp);
    make_room(warp);
    struct outstanding *what = &wave->outstanding[wave->outstanding_count++];
    wave->issued = wave->issued == UINT16_MAX ? 1 : wave->issued + 1;
    *what = (struct outstanding){.counter = (uint8_t)counter,
                                 .lds = lds,
                                 .clock = warp->view.seen[warp->index],
                                 .number = wave->issued,
                                 .instr = in->index};
    // A wave's accesses to LDS are done in order. Its lanes see each other's accesses to other memory, too (LLVM's AMDGPU usage guide,
    // "Memory model"): LLVM takes away the barriers of a program of one wave.
    if (lds || warp->block->warp_count == 1) {
        warp->lane_clock = ++warp->view.seen[warp->index];
    }
    if (!written || written->kind == OPERAND_NONE ||
        (written->kind == OPERAND_SCALAR && written->reg == SCALAR_NULL)) {
        return;
    }
    what->scalar = written->kind == OPERAND_SCALAR;
    what->first = written->reg;
    what->count = written->count;
    uint16_t *busy = busy_of(wave, what);
    for (unsigned i = 0; i < what->count; i++) {
        busy[i] = what->number;
    }
}

// ---- use before arrival ----

static const struct outstanding *find(const struct wave *wave, uint16_t number) {
    for (unsigned i = 0; i < wave->outstanding_count; i++) {
        if (wave->outstanding[i].number == number) {
            return &wave->outstanding[i];
        }
    }
    return NULL;
}

static void report_early(struct warp *warp, const struct instr *in, const struct gcn_operand *operand,
                         unsigned reg, const struct outstanding *what) {
    char name = operand->kind == OPERAND_SCALAR ? 's' : reg >= ROW_AGPR ? 'a' : 'v';
    report_at(warp, in, 0, FAULT_WAIT, &warp->kernel->code[what->instr], "loads",
              "register %c%u is used while a load that writes it has not been waited for", name,
              reg % (name == 's' ? SCALARS : ROW_AGPR));
}

// Loads of one counter write in order: a later one may have the same target.
static bool in_order(const struct instr *in, const struct outstanding *what, unsigned operand) {
    const struct gcn *gcn = in->extra;
    return operand == 0 && gcn->loads && gcn->counter == what->counter && gcn->counter != COUNTER_SCALAR;
}

static void check_operands(struct warp *warp, const struct instr *in, const struct gcn *gcn) {
    struct wave *wave = wave_of(warp);
    for (unsigned i = 0; i < gcn->operand_count; i++) {
        const struct gcn_operand *operand = &gcn->operands[i];
        if (operand->kind != OPERAND_VECTOR && operand->kind != OPERAND_SCALAR) {
            continue;
        }
        uint16_t *busy = operand->kind == OPERAND_SCALAR ? wave->busy_scalars : wave->busy;
        for (unsigned reg = operand->reg; reg < operand->reg + (unsigned)operand->count; reg++) {
            const struct outstanding *what = busy[reg] ? find(wave, busy[reg]) : NULL;
            if (!what || in_order(in, what, i)) {
                continue;
            }
            report_early(warp, in, operand, reg, what);
            busy[reg] = 0;
        }
    }
}

void wave_check(struct warp *warp, const struct instr *in) {
    for (const struct gcn *gcn = in->extra; gcn; gcn = gcn->second) {
        check_operands(warp, in, gcn);
    }
}

// ---- waits ----

uint32_t wave_lds_clock(const struct warp *warp) {
    const struct wave *wave = wave_of(warp);
    for (unsigned i = 0; i < wave->outstanding_count; i++) {
        if (wave->outstanding[i].lds) {
            return wave->outstanding[i].clock;
        }
    }
    return warp->view.seen[warp->index];
}

static bool covers(unsigned counters, const struct outstanding *what) {
    return counters >> what->counter & 1;
}

// Until at most `most` of these counters' instructions are on their way. False: no more were.
static bool wait_for(struct warp *warp, unsigned counters, unsigned most) {
    struct wave *wave = wave_of(warp);
    unsigned count = 0, left = wave->outstanding_count;
    for (unsigned i = 0; i < wave->outstanding_count; i++) {
        count += covers(counters, &wave->outstanding[i]);
    }
    // Out-of-order instructions may be the completed ones: of the others only the number above `most` without
    // them surely is.
    for (unsigned i = 0; i < wave->outstanding_count && most; i++) {
        count -= covers(counters, &wave->outstanding[i]) && wave->outstanding[i].counter == COUNTER_SCALAR;
    }
    for (unsigned i = 0; i < wave->outstanding_count && count > most;) {
        const struct outstanding *what = &wave->outstanding[i];
        if (!covers(counters, what) || (most && what->counter == COUNTER_SCALAR)) {
            i++;
            continue;
        }
        complete(warp, i);
        count--;
    }
    bool waited = left != wave->outstanding_count, stores = false;
    for (unsigned i = 0; i < wave->outstanding_count; i++) {
        stores |= wave->outstanding[i].counter == COUNTER_STORE;
    }
    if (counters >> COUNTER_STORE & 1 && !stores && wave->stored && !wave->unwritten) {
        publish_complete(warp);
        wave->stored = false;
    }
    return waited;
}

void run_wait(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    const struct gcn *gcn = in->extra;
    bool waited = false;
    for (unsigned i = 0; i < gcn->wait_count; i++) {
        waited |= wait_for(warp, gcn->waits[i].counters, gcn->waits[i].most);
    }
    if (waited) {
        wave_note(warp, gcn);
    }
}

static void add_wait(struct gcn *gcn, unsigned counters, int64_t most) {
    gcn->waits[gcn->wait_count].counters = (uint8_t)counters;
    gcn->waits[gcn->wait_count++].most = (uint8_t)most;
}

static int64_t number_of(const char *text) {
    return strtoll(text, NULL, 0);
}

enum {
    LOAD = 1 << COUNTER_LOAD,
    STORE = 1 << COUNTER_STORE,
    LDS = 1 << COUNTER_LDS,
    SCALAR = 1 << COUNTER_SCALAR
};

// "vmcnt(0)", "lgkmcnt(1)", "expcnt(0)"
static bool bind_waitcnt(struct gcn_decoder *decoder, const char *text, struct gcn *gcn) {
    unsigned vm = decoder->generation == GENERATION_GFX9 ? LOAD | STORE : LOAD;
    if (!strncmp(text, "vmcnt(", 6)) {
        add_wait(gcn, vm, number_of(text + 6));
    } else if (!strncmp(text, "lgkmcnt(", 8)) {
        add_wait(gcn, LDS | SCALAR, number_of(text + 8));
    } else if (!strcmp(text, "0") || !strcmp(text, "0x0")) {
        add_wait(gcn, vm, 0);
        add_wait(gcn, LDS | SCALAR, 0);
    } else if (strncmp(text, "expcnt(", 7) != 0) {
        return gcn_refuse(decoder, "wait `%s` is not understood", text);
    }
    return true;
}

bool bind_wait(struct gcn_decoder *decoder, const struct gcn_text *text, struct instr *in, struct gcn *gcn) {
    static const struct {
        const char *name;
        unsigned counters, high; // high: those of bits 8 and up
        unsigned operand;
    } waits[] = {{"s_waitcnt_vscnt", STORE, 0, 1},
                 {"s_waitcnt_vmcnt", LOAD, 0, 1},
                 {"s_waitcnt_lgkmcnt", LDS | SCALAR, 0, 1},
                 {"s_wait_loadcnt", LOAD, 0, 0},
                 {"s_wait_storecnt", STORE, 0, 0},
                 {"s_wait_dscnt", LDS, 0, 0},
                 {"s_wait_kmcnt", SCALAR, 0, 0},
                 {"s_wait_loadcnt_dscnt", LDS, LOAD, 0},
                 {"s_wait_storecnt_dscnt", LDS, STORE, 0}};
    gcn->run = run_wait;
    in->kind = KIND_BARRIER;
    if (!strcmp(text->name, "s_waitcnt")) {
        char rest[sizeof text->modifiers], *words = rest, *word;
        snprintf(rest, sizeof rest, "%s", text->modifiers);
        bool good = bind_waitcnt(decoder, text->operands[0], gcn);
        while (good && (word = strsep(&words, " "))) {
            good = !*word || gcn->wait_count == GCN_WAITS || bind_waitcnt(decoder, word, gcn);
        }
        return good;
    }
    for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++) {
        if (strcmp(text->name, waits[i].name) != 0) {
            continue;
        }
        int64_t most = number_of(text->operands[waits[i].operand]);
        add_wait(gcn, waits[i].counters, waits[i].high ? most & 63 : most);
        if (waits[i].high) {
            add_wait(gcn, waits[i].high, most >> 8);
        }
        return true;
    }
    return false;
}
