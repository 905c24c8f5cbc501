// Cluster launch control (PTX ISA 9.0, "clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel"). A request takes the place of
// a waiting block, or cluster, or is refused; its answer of 16 bytes comes to shared memory beside the program and counts
// at an mbarrier. A request may be refused while places are left: they then begin by themselves.
//
// Which place is given, and whether, is drawn: a kernel may rely on no order. The answer lands when a thread waits for the phase
// that it completes. Only query_cancel reads its bits.
//
// Reported are: requests behind a refusal once it has come; a request to a place whose last answer some warp has not read, or has read
// with no arrival or no proxy fence since; a warp's read behind one it has missed; answers on their way to an ended block.
#include "emulator/memory/memory.h"

#include "emulator/report/report.h"
#include "support/memory.h"

enum { ANSWER_BYTES = 16, NUMBERS = 4, REFUSALS = 8 };

static const uint64_t COUNTER_LEFT = UINT64_C(1) << 63; // the last block has given the counter back
static const uint64_t ONE_LEFT = UINT64_C(1) << 32; // a block that takes no more, above the programs taken

static uint32_t word_of(const struct warp *warp, const struct instr *in, unsigned index, unsigned lane) {
    return ((const uint32_t *)operand(warp, in, index))[lane];
}

bool launch_claim(struct run *run, uint64_t program) {
    return !run->claimed || !atomic_exchange(&run->claimed[program], 1);
}

// Draws a waiting program, or cluster. One in 8 requests is refused in vain. Several ranks, or launches, run in order.
static bool draw(struct block *block, uint64_t *program) {
    struct run *run = block->run;
    uint64_t first = atomic_load(&run->next_program), number = random_next(&block->random);
    if (run->ranks > 1 || run->launches > 1 || first >= run->program_count || number % REFUSALS == 0) {
        return false;
    }
    uint64_t left = run->program_count - first, from = (number >> 8) % left;
    for (uint64_t i = 0; i < left; i++) {
        *program = first + (from + i) % left;
        if (launch_claim(run, *program)) {
            atomic_fetch_add(&run->programs_done, 1);
            block->took = true;
            return true;
        }
    }
    return false;
}

// The record of a place for answers.
static struct answer *answer_at(struct block *block, uint32_t offset) {
    for (unsigned i = 0; i < block->answer_count; i++) {
        if (block->answers[i].offset == offset) {
            return &block->answers[i];
        }
    }
    block->answers =
        memory_grown(block->answers, block->answer_count, &block->answer_capacity, sizeof *block->answers);
    block->answers[block->answer_count] = (struct answer){.offset = offset};
    return &block->answers[block->answer_count++];
}

// The readers of the place's last answer have told the asking thread so.
static void check_readers(struct warp *warp, const struct instr *in, unsigned lane,
                          const struct answer *answer) {
    for (unsigned i = 0; i < warp->block->warp_count && warp->run->checks; i++) {
        const struct instr *reader =
            answer->read[i].instr ? &warp->kernel->code[answer->read[i].instr - 1] : NULL;
        uint32_t clock = answer->read[i].clock;
        if (!reader) {
            continue;
        }
        if (answer->read[i].number < answer->number) {
            report_at(warp, in, lane, FAULT_RACE, reader, "reads",
                      "asks for an answer at shared memory byte %u, where warp %u has not read the last one",
                      answer->offset, i);
        } else if (i != warp->index && warp->view.seen[i] <= clock) {
            report_at(warp, in, lane, FAULT_RACE, reader, "read",
                      "asks for an answer at shared memory byte %u, where warp %u has read one, with no "
                      "arrival of it "
                      "since",
                      answer->offset, i);
        } else if (warp->view.proxy[i] <= clock) {
            report_at(warp, in, lane, FAULT_PROXY, reader, "read",
                      "asks for an answer at shared memory byte %u, where warp %u has read one, with no "
                      "fence.proxy.async of it since",
                      answer->offset, i);
        }
    }
}

// A request's answer to one block of the cluster. False: reported.
static bool answer_to(struct warp *warp, const struct instr *in, unsigned lane, unsigned rank,
                      const int32_t numbers[NUMBERS]) {
    struct block *block = warp->block;
    struct memory_place place = memory_place(warp, in, lane, word_of(warp, in, 0, lane), SPACE_SHARED,
                                             ANSWER_BYTES, ANSWER_BYTES, ACCESS_WRITE);
    uint32_t mapped = word_of(warp, in, 1, lane) | (rank + 1) << CLUSTER_AT;
    struct mbarrier *barrier = place.data ? mbarrier_find_mapped(warp, in, lane, mapped) : NULL;
    if (!barrier) {
        return false;
    }
    struct tensor_copy copy = {.in = in, .warp = warp->index, .lane = (uint8_t)lane, .bytes = ANSWER_BYTES};
    copy.shared = place.shared + rank * warp->run->shared_span - warp->rank * warp->run->shared_span;
    copy.mbarrier = (uint32_t)(barrier - block->mbarriers);
    memcpy(copy.at, numbers, NUMBERS * sizeof *numbers);
    mbarrier_check_fenced(warp, in, lane, barrier);
    check_readers(warp, in, lane, answer_at(block, copy.shared));
    if (block->shadow) {
        shadow_issue(warp, in, lane, copy.shared, ANSWER_BYTES);
    }
    barrier->under_way += ANSWER_BYTES;
    tensor_push_load(block, &copy);
    return true;
}

// Operands: address of the answer, mbarrier, predicate. Immediate: 1: to all blocks of the cluster.
void exec_launch_ask(struct warp *warp, const struct instr *in, void *dst) {
    struct run *run = warp->run;
    (void)dst;
    FOR_LANES(lane, lanes_where(warp, &in->operands[2])) {
        uint64_t program = 0;
        if (warp->block->refused) {
            report_at(
                warp, in, lane, FAULT_OPERATION, NULL, NULL,
                "asks for the place of another block, which was refused before: the block has seen that");
            warp->state = WARP_FAULT;
            return;
        }
        bool given = draw(warp->block, &program);
        const unsigned *grid = run->launch->grid;
        uint64_t own = program * run->cluster;
        int32_t numbers[NUMBERS] = {(int32_t)(own % grid[0]), (int32_t)(own / grid[0] % grid[1]),
                                    (int32_t)(own / grid[0] / grid[1]), given};
        for (unsigned rank = 0; rank < run->cluster; rank++) {
            bool to = in->immediate || rank == warp->rank;
            if (to && !answer_to(warp, in, lane, rank, numbers)) {
                return;
            }
        }
    }
}

void launch_land(struct block *block, const struct tensor_copy *copy) {
    memcpy(block->shared + copy->shared, copy->at, ANSWER_BYTES);
    answer_at(block, copy->shared)->number++;
    block->refused |= !copy->at[NUMBERS - 1];
}

// Operand: address. Gives whether a place was given, and its first block.
void exec_launch_read(struct warp *warp, const struct instr *in, void *dst) {
    FOR_LANES(lane, warp->mask) {
        uint32_t numbers[NUMBERS] = {0}, address = word_of(warp, in, 0, lane);
        if (!memory_read(warp, in, lane, address, SPACE_SHARED, ANSWER_BYTES, ANSWER_BYTES, numbers)) {
            return;
        }
        for (unsigned i = 0; i < NUMBERS; i++) {
            bool given = numbers[NUMBERS - 1] == 1;
            ((uint32_t *)dst)[i * warp->lanes + lane] = i == 0 ? given : given ? numbers[i - 1] : 0;
        }
        uint32_t offset = address - warp->run->emulator->shared_base + warp->rank * warp->run->shared_span;
        struct answer *answer = answer_at(warp->block, offset);
        struct answer_reader *reader = &answer->read[warp->index];
        if (reader->instr && answer->number > reader->number + 1) {
            report_at(warp, in, lane, FAULT_RACE, NULL, NULL,
                      "reads answer %u at shared memory byte %u, and has missed the %u before it",
                      answer->number, offset, answer->number - reader->number - 1);
        }
        *reader = (struct answer_reader){warp->view.seen[warp->index], in->index + 1, answer->number};
    }
}

// The launch's counter (lower_launch.c). A run is one launch, or several that share nothing, so the table is not modelled: a counter has
// the address of the table. (tests/unit/test_launch_table.c runs the table's assembly for overlapping launches.) Reported are takes from a counter already given back, and launches ended without giving theirs back.
void exec_launch_number(struct warp *warp, const struct instr *in, void *dst) {
    (void)in;
    memset(dst, 0, warp->lanes * sizeof(uint64_t));
}

void exec_launch_look(struct warp *warp, const struct instr *in, void *dst) {
    (void)in;
    memset(dst, 0, warp->lanes * sizeof(uint64_t));
}

// Operands: the table, the launch, the word, predicate.
void exec_launch_join(struct warp *warp, const struct instr *in, void *dst) {
    memcpy(dst, operand(warp, in, 0), warp->lanes * sizeof(uint64_t));
}

static atomic_uint_fast64_t *programs_taken(const struct warp *warp) {
    const struct run *run = warp->run;
    uint64_t number = warp->block->number, launch = number / run->ranks / run->grid_size;
    return &run->taken[launch * run->ranks + number % run->ranks];
}

// Operands: the counter, how many programs to take. Gives how many of the launch were taken before.
void exec_launch_take(struct warp *warp, const struct instr *in, void *dst) {
    FOR_LANES(lane, warp->mask) {
        uint64_t many = ((const uint64_t *)operand(warp, in, 1))[lane];
        uint64_t taken = atomic_fetch_add(programs_taken(warp), many);
        if (taken & COUNTER_LEFT) {
            report_at(warp, in, lane, FAULT_RACE, NULL, NULL,
                      "takes a program from the launch's counter, which has been given back");
            warp->state = WARP_FAULT;
            return;
        }
        ((uint64_t *)dst)[lane] = taken;
    }
}

// Operands: the table, the launch, the counter, takers. The last of the takers gives the counter back.
void exec_launch_leave(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    FOR_LANES(lane, warp->mask) {
        uint64_t takers = ((const uint64_t *)operand(warp, in, 3))[lane];
        uint64_t left = atomic_fetch_add(programs_taken(warp), ONE_LEFT);
        if (left & COUNTER_LEFT) {
            report_at(warp, in, lane, FAULT_RACE, NULL, NULL,
                      "leaves the launch's counter, which has been given back");
            warp->state = WARP_FAULT;
            return;
        }
        if (left / ONE_LEFT + 1 == takers) {
            atomic_fetch_or(programs_taken(warp), COUNTER_LEFT);
        }
    }
}

void launch_check_counters(struct block *block) {
    struct run *run = block->run;
    for (uint64_t i = 0; i < (uint64_t)run->ranks * run->launches && !block->failed; i++) {
        uint64_t taken = atomic_load(&run->taken[i]);
        if (taken && !(taken & COUNTER_LEFT)) {
            report_at(
                &block->warps[0], &block->warps[0].kernel->code[0], 0, FAULT_RACE, NULL, NULL,
                "the launch has ended, and its counter has not been given back: %llu programs were taken",
                (unsigned long long)(taken % ONE_LEFT));
            block->failed = true;
        }
    }
}

void launch_end(struct block *block) {
    for (unsigned i = 0; i < block->load_count; i++) {
        const struct tensor_copy *copy = &block->loads[i];
        if (!copy->map) {
            report_at(&block->warps[copy->warp], copy->in, copy->lane, FAULT_ASYNC, NULL, NULL,
                      "the block ends before this answer has come: %s",
                      copy->at[NUMBERS - 1] ? "nobody does the program of the place that was given"
                                            : "wait for its mbarrier");
            block->failed = true;
        }
    }
}
