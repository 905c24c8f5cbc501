// Programs and their warps in turn.
#ifndef TKC_EMULATOR_SCHEDULE_SCHEDULE_H
#define TKC_EMULATOR_SCHEDULE_SCHEDULE_H

#include "emulator/machine/machine.h"

// block.c
enum emulator_order run_order(const struct run *run);
struct block *block_create(struct run *run);
void block_destroy(struct block *block); // NULL: nothing
void block_start(struct block *block, uint64_t program);
// One round over the warps. True when the program has ended, or cannot (block->failed).
bool block_round(struct block *block);

// worker.c: runs every program of the grid
void worker_run(struct run *run);
double run_clock(void); // seconds, monotonic

#endif
