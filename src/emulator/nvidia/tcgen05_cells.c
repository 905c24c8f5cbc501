// Cells of tensor memory: who may read or write one, and when (tcgen05.c has the rules).
#include "emulator/nvidia/tcgen05.h"

#include "emulator/report/report.h"

static const struct instr *instr_at(const struct warp *warp, uint32_t number) {
    return number ? &warp->kernel->code[number - 1] : NULL;
}

// `waits`: the moment of the warp's first access of the same kind that no wait covers; 0: none.
static bool ordered(const struct warp *warp, unsigned agent, uint32_t moment, uint32_t waits) {
    return agent == warp->index ? !waits || moment < waits : moment < warp->tmem_known[agent];
}

static const char *missing(const struct warp *warp, unsigned agent) {
    return agent == warp->index
               ? "wait::ld or wait::st is missing"
               : "fence::before_thread_sync, a barrier and fence::after_thread_sync must be between";
}

// ---- cells ----

// The cell of a lane and column; NULL after a report.
struct tmem_cell *tmem_cell_at(struct warp *warp, const struct instr *in, unsigned thread, uint32_t lane,
                               uint32_t column) {
    struct tmem *tmem = warp->block->tmem;
    struct tmem_cell *cell = tmem && lane < TMEM_LANES * warp->run->cluster && column < TMEM_COLUMNS
                                 ? &tmem->cells[lane * TMEM_COLUMNS + column]
                                 : NULL;
    if (cell && cell->state != TMEM_FREE) {
        return cell;
    }
    TENSOR_FAULT(warp, in, thread, NULL, NULL, "lane %u, column %u of tensor memory is not this block's",
                 lane % TMEM_LANES, column);
    return NULL;
}

bool tmem_check_idle(struct warp *warp, const struct instr *in, unsigned thread, const struct tmem_cell *cell,
                     const char *what) {
    if (cell->state != TMEM_BUSY) {
        return true;
    }
    TENSOR_FAULT(warp, in, thread, instr_at(warp, cell->write_instr), "multiplies",
                 "%s tensor memory that a product has not reached; commit it and wait for the mbarrier",
                 what);
    return false;
}

bool tmem_check_written_before(struct warp *warp, const struct instr *in, unsigned thread,
                               const struct tmem_cell *cell, const char *what) {
    if (ordered(warp, cell->writer, cell->written, warp->tmem_store)) {
        return true;
    }
    TENSOR_FAULT(warp, in, thread, instr_at(warp, cell->write_instr), "wrote",
                 "%s tensor memory before what was written there is known to be over: %s", what,
                 missing(warp, cell->writer));
    return false;
}

bool tmem_check_loaded_before(struct warp *warp, const struct instr *in, unsigned thread,
                              const struct tmem_cell *cell, const char *what) {
    if (!cell->loaded || ordered(warp, cell->loader, cell->loaded, warp->tmem_load)) {
        return true;
    }
    TENSOR_FAULT(warp, in, thread, instr_at(warp, cell->load_instr), "read",
                 "%s tensor memory before a load from there is known to be over: %s", what,
                 missing(warp, cell->loader));
    return false;
}

// Products that have the cell in their left operand are done, or are the thread's own and so run before what it starts next.
bool tmem_check_left_before(struct warp *warp, const struct instr *in, unsigned thread,
                            const struct tmem_cell *cell, const char *what, bool own) {
    if (own || (!cell->left && (!cell->left_read || ordered(warp, AGENT_TENSOR, cell->left_read, 0)))) {
        return true;
    }
    TENSOR_FAULT(warp, in, thread, instr_at(warp, cell->left_instr), "multiplies",
                 "%s tensor memory that a product has as its left operand, and is not known to be done: %s",
                 what, cell->left ? "commit it and wait for the mbarrier" : missing(warp, AGENT_TENSOR));
    return false;
}
