// setmaxnreg (PTX ISA, "Miscellaneous Instructions: setmaxnreg"): a warpgroup gives registers back or takes
// registers given back by others. Register contents are not modelled. The rules for the counts are: every
// warp of a warpgroup changes to the same count, in order; counts are multiples of 8 from 24 to 256; `inc`
// takes only free registers, and waits for them.
// A thread begins with the registers ptxas gives a kernel for one block a multiprocessor, or for the kernel's
// own number of blocks (.minnctapersm): its share of 65,536 registers, down to a multiple of 8, but no more
// than the kernel asks for.
#include "emulator/nvidia/nvidia.h"

#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

enum { REGISTER_FILE = 65536, UNIT = 8, LEAST = 24, MOST = 256, THREAD_MOST = 255 };

static unsigned initial(const struct warp *warp) {
    unsigned blocks = warp->kernel->resident_blocks ? warp->kernel->resident_blocks : 1;
    unsigned threads = blocks * warp->run->block_warps * warp->lanes;
    unsigned share = REGISTER_FILE / threads / UNIT * UNIT;
    unsigned most = warp->kernel->most_registers ? warp->kernel->most_registers : THREAD_MOST;
    return share < most ? share : most;
}

static unsigned registers_of(const struct warp *warp) {
    return warp->register_limit ? warp->register_limit : initial(warp);
}

// Registers given back by warps, for each of a warp's lanes; negative: never happens.
static int free_registers(const struct warp *warp) {
    unsigned count = warp->run->block_warps;
    const struct warp *warps = &warp->block->warps[warp->rank * count];
    int sum = (int)(count * initial(warp));
    for (unsigned i = 0; i < count; i++) {
        sum -= (int)registers_of(&warps[i]);
    }
    return sum;
}

static unsigned wanted(const struct instr *in) {
    return (unsigned)in->operands[0].constant;
}

static bool registers_are_free(const struct warp *warp) {
    const struct instr *in = &warp->kernel->code[warp->pc - 1];
    return free_registers(warp) >= (int)(wanted(in) - registers_of(warp));
}

static void describe(const struct warp *warp, struct strbuf *out) {
    const struct instr *in = &warp->kernel->code[warp->pc - 1];
    strbuf_printf(out, " for %u registers a thread; it has %u, and %d are free in each of the warp's lanes",
                  wanted(in), registers_of(warp), free_registers(warp));
}

// The warps of a warpgroup change to the same counts, one after another.
static bool same_as_others(struct warp *warp, const struct instr *in) {
    const struct block *block = warp->block;
    unsigned first = warp->index / WARPGROUP * WARPGROUP;
    for (unsigned i = first; i < first + WARPGROUP && i < block->warp_count; i++) {
        const struct warp *other = &block->warps[i];
        if (other->register_changes != warp->register_changes + 1 || registers_of(other) == wanted(in)) {
            continue;
        }
        report_at(
            warp, in, 0, FAULT_WARPGROUP, NULL, NULL,
            "the warps of a warpgroup change to different counts of registers: warp %u to %u, warp %u to %u",
            warp->index, wanted(in), other->index, registers_of(other));
        return false;
    }
    return true;
}

static bool check(struct warp *warp, const struct instr *in) {
    unsigned count = wanted(in), now = registers_of(warp);
    bool more = in->immediate;
    if (count % UNIT || count < LEAST || count > MOST) {
        report_at(warp, in, 0, FAULT_WARPGROUP, NULL, NULL,
                  "%u registers a thread; it must be a multiple of 8 from 24 to 256", count);
    } else if (more ? count < now : count > now) {
        report_at(warp, in, 0, FAULT_WARPGROUP, NULL, NULL,
                  "changes %u registers a thread to %u, which is not %s", now, count, more ? "more" : "less");
    } else {
        return same_as_others(warp, in);
    }
    return false;
}

// Operand: registers of a thread. immediate: more of them, not less.
void exec_setmaxnreg(struct warp *warp, const struct instr *in, void *dst) {
    static const struct wait registers = {registers_are_free, describe};
    (void)dst;
    if (!collective_check(warp, in, warp->full) || !check(warp, in)) {
        warp->state = WARP_FAULT;
        return;
    }
    if (in->immediate && !registers_are_free(warp)) {
        warp_poll(warp, &registers);
        return;
    }
    warp->register_limit = (uint16_t)wanted(in);
    warp->register_changes++;
}
