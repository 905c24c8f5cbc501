// A warp's first state, and its steps.
#include "emulator/execute/execute.h"
#include "emulator/report/report.h"

void warp_set_mask(struct warp *warp, lane_mask mask) {
    warp->mask = mask;
    warp->partial = mask != mask_of(warp->lanes);
}

void copy_lanes(uint8_t *to, const uint8_t *from, unsigned components, unsigned lanes, unsigned bytes,
                lane_mask mask) {
    for (unsigned component = 0; component < components; component++) {
        size_t row = (size_t)component * lanes * bytes;
        switch (bytes) {
        case 1:
            FOR_LANES(lane, mask) {
                to[row + lane] = from[row + lane];
            }
            break;
        case 4:
            FOR_LANES(lane, mask) {
                ((uint32_t *)(to + row))[lane] = ((const uint32_t *)(from + row))[lane];
            }
            break;
        default:
            FOR_LANES(lane, mask) {
                memcpy(to + row + (size_t)lane * bytes, from + row + (size_t)lane * bytes, bytes);
            }
        }
    }
}

void warp_start(struct warp *warp) {
    const struct run *run = warp->run;
    unsigned first = own_index(warp) * warp->lanes;
    unsigned count = run->threads - first < warp->lanes ? run->threads - first : warp->lanes;
    warp->full = warp->live = mask_of(count);
    warp_set_mask(warp, warp->full);
    warp->pc = warp->kernel->blocks[0].first;
    warp->state = WARP_READY;
    warp->depth = 1;
    warp->frames[0] = (struct frame){warp->full, 0, BLOCK_NONE};
    memset(&warp->view, 0, sizeof warp->view);
    memset(&warp->released, 0, sizeof warp->released);
    memset(&warp->incoming, 0, sizeof warp->incoming);
    memset(warp->committed, 0, sizeof warp->committed);
    memset(warp->bulk_committed, 0, sizeof warp->bulk_committed);
    warp->touched = warp->lanes_released = 0;
    warp->register_limit = warp->register_changes = 0;
    warp->view.seen[warp->index] = warp->lane_clock = 1;
    if (warp->flights) {
        memset(warp->flights, 0, sizeof *warp->flights * (warp->kernel->slot_count + 1));
    }
    memset(warp->tmem_known, 0, sizeof warp->tmem_known);
    warp->tmem_load = warp->tmem_store = warp->tmem_met = 0;
    warp->product_count = warp->open_count = warp->read_count = warp->read_step = 0;
    warp->issued = warp->landed = warp->product_groups = warp->moment = warp->fenced = 0;
    memset(warp->covered, 0, sizeof warp->covered);
    warp->ready = warp->publishing = NULL;
    warp->heard = warp->heard_before = NULL;
    warp->vain = warp->meetings = 0;
    warp->record = 0;
    warp->pending_count = 0;
    const struct emulator_options *options = &run->emulator->options;
    const uint32_t *program = warp->block->program;
    warp->traced = options->trace && options->trace_thread / warp->lanes == own_index(warp) &&
                   program[0] + warp->rank == options->trace_program[0] &&
                   program[1] == options->trace_program[1] && program[2] == options->trace_program[2];
    if (warp->kernel->machine) {
        warp->kernel->machine->start(warp);
    }
}

static void count(struct warp *warp, const struct instr *in) {
    warp->statistics.warp_instructions++;
    warp->statistics.lane_instructions += (uint64_t)__builtin_popcountll(warp->mask);
    warp->statistics.by_kind[in->kind]++;
}

void warp_step(struct warp *warp, uint64_t budget) {
    const struct instr *code = warp->kernel->code;
    bool counting = warp->run->emulator->options.count;
    while (budget-- > 0 && warp->state == WARP_RUNNING) {
        const struct instr *in = &code[warp->pc++];
        if (counting) {
            count(warp, in);
        }
        bool shown =
            warp->traced && warp->mask >> warp->run->emulator->options.trace_thread % warp->lanes & 1;
        if (warp->partial && in->blend) {
            in->exec(warp, in, warp->scratch);
            copy_lanes(warp->registers + in->dst, warp->scratch, in->components, warp->lanes, in->bytes,
                       warp->mask);
        } else {
            in->exec(warp, in, warp->registers + in->dst);
        }
        if (shown) {
            report_trace(warp, in);
        }
    }
}
