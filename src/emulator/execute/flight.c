// Register words read or written asynchronously by a warpgroup product, from its issue to the wait that
// covers it (nvidia/wgmma.c). Until then no other instruction may touch them (PTX ISA, "wgmma.mma_async":
// accessing the accumulator or the registers of A before wgmma.wait_group is undefined). A word written by
// another instruction must pass wgmma.fence before a product reads it.
//
// In SSA a value has one register, and the accumulator goes through several: phi and insertvalue carry it, so
// a slot's state goes with the copy. Every other instruction on a slot is guarded (decode/flight.c).
#include "emulator/execute/execute.h"
#include "emulator/report/report.h"

static bool is_under_way(const struct warp *warp, uint32_t product) {
    return product > warp->landed;
}

static const struct instr *issued_by(const struct warp *warp, uint32_t number) {
    for (unsigned i = 0; i < warp->product_count; i++) {
        if (warp->products[i].number == number) {
            return warp->products[i].in;
        }
    }
    return NULL;
}

bool flight_check_read(struct warp *warp, const struct instr *in, uint32_t slot) {
    const struct flight *flight = &warp->flights[slot];
    if (is_under_way(warp, flight->product)) {
        report_at(warp, in, 0, FAULT_PRODUCT, issued_by(warp, flight->product), "multiplies",
                  "reads a register that %s has not delivered; %s must cover it first",
                  warp->block->tmem ? "a load from tensor memory" : "wgmma",
                  warp->block->tmem ? "tcgen05.wait::ld" : "wgmma.wait_group");
        return false;
    }
    if (is_under_way(warp, flight->reader)) {
        report_at(warp, in, 0, FAULT_PRODUCT, issued_by(warp, flight->reader), "multiplies",
                  "reads a register that wgmma is still to read as A; wgmma.wait_group must cover it first");
        return false;
    }
    return true;
}

static bool check_write(struct warp *warp, const struct instr *in, uint32_t slot) {
    const struct flight *flight = &warp->flights[slot];
    if (!is_under_way(warp, flight->reader)) {
        return true;
    }
    report_at(warp, in, 0, FAULT_PRODUCT, issued_by(warp, flight->reader), "multiplies",
              "overwrites a register that wgmma is still to read as A; wgmma.wait_group must cover it first");
    return false;
}

void exec_guarded(struct warp *warp, const struct instr *in, void *dst) {
    const struct guard *guard = warp->kernel->guards[in->index];
    bool clean = true;
    for (uint32_t i = 0; i < guard->read_count && clean; i++) {
        clean = flight_check_read(warp, in, guard->reads[i]);
    }
    for (uint32_t i = 0; i < guard->write_count && clean; i++) {
        clean = check_write(warp, in, guard->writes[i]);
    }
    guard->exec(warp, in, dst);
    warp->moment++;
    for (uint32_t i = 0; i < guard->write_count; i++) {
        warp->flights[guard->writes[i]] = (struct flight){.touched = warp->moment};
    }
}

// An insertvalue's copy of one word.
void exec_carry(struct warp *warp, const struct instr *in, void *dst) {
    const struct guard *guard = warp->kernel->guards[in->index];
    for (uint32_t i = 0; i < guard->write_count; i++) {
        check_write(warp, in, guard->writes[i]);
        warp->flights[guard->writes[i]] =
            i < guard->read_count ? warp->flights[guard->reads[i]] : (struct flight){0};
        warp->flights[guard->writes[i]].reader = 0;
    }
    guard->exec(warp, in, dst);
}

static uint32_t slot_of(const struct kernel *kernel, uint32_t reg) {
    return kernel->slots[reg / SLOT_UNIT];
}

void flight_follow_edge(struct warp *warp, const struct instr *in, const struct edge *edge) {
    const struct kernel *kernel = warp->kernel;
    const struct phi_copy *copies = kernel->copies + edge->first;
    struct flight *carried = (struct flight *)warp->scratch;
    for (uint32_t i = 0; i < edge->count; i++) {
        uint32_t from = slot_of(kernel, copies[i].src);
        carried[i] = from ? warp->flights[from - 1] : (struct flight){0};
        carried[i].reader = 0; // A is read from the source register, not from the copy
    }
    for (uint32_t i = 0; i < edge->count; i++) {
        uint32_t to = slot_of(kernel, copies[i].dst);
        if (!to) {
            continue;
        }
        check_write(warp, in, to - 1);
        warp->flights[to - 1] = carried[i];
    }
}

void flight_copy(struct warp *warp, uint32_t to, uint32_t from) {
    warp->flights[to] = warp->flights[from];
    warp->flights[to].reader = 0;
}
