// Reads of shared memory by threads that no fence is behind yet (order.c), until a product of warpgroups has been waited for whose left operand's
// registers were computed from them (decode/wgmma.c).
#include "emulator/memory/memory.h"
#include "support/memory.h"

void reads_open(struct warp *warp, const struct instr *in) {
    unsigned at = warp->open_count;
    while (at > 0 && warp->open_reads[at - 1].load != in->value) {
        at--;
    }
    if (at == 0) {
        warp->open_reads =
            memory_grown(warp->open_reads, warp->open_count, &warp->open_capacity, sizeof *warp->open_reads);
        at = ++warp->open_count;
    }
    warp->open_reads[at - 1] = (struct open_read){in->value, ++warp->read_count, warp->read_step};
}

static bool is_among(const LLVMValueRef *loads, unsigned count, LLVMValueRef load) {
    for (unsigned i = 0; i < count; i++) {
        if (loads[i] == load) {
            return true;
        }
    }
    return false;
}

// A warp's reads are done one after the other. So those ahead of an mbarrier's wait are over, too, if one behind it is: the wait is a loop, and
// ptxas moves no read across it.
bool reads_close(struct warp *warp, const LLVMValueRef *loads, unsigned count, uint32_t last) {
    unsigned left = 0, before = warp->open_count;
    uint32_t closed = 0;
    for (unsigned i = 0; i < before; i++) {
        struct open_read read = warp->open_reads[i];
        if (read.number <= last && is_among(loads, count, read.load)) {
            closed = read.step > closed ? read.step : closed;
        } else {
            warp->open_reads[left++] = read;
        }
    }
    for (unsigned i = left; i-- > 0;) {
        if (warp->open_reads[i].step < closed) {
            warp->open_reads[i] = warp->open_reads[--left];
        }
    }
    warp->open_count = left;
    return before > 0 && left == 0;
}
