// The order of memory accesses among programs: declarations shared by its files.
#ifndef TKC_EMULATOR_MEMORY_GLOBAL_H
#define TKC_EMULATOR_MEMORY_GLOBAL_H

#include "emulator/memory/memory.h"

// A moment of a warp with a store to global memory.
struct store_record {
    uint64_t program, sequence; // sequence: of all records and publications of the run
    uint32_t clock;             // the warp's
    uint16_t warp;
};

enum { RECORDS_IN_CHUNK = 4096, RECORD_CHUNKS = 1 << 14, LINK_LIMIT = 1 << 24 };

struct variable;

struct global_order {
    pthread_mutex_t lock; // of all members below, and of strong accesses to global memory
    struct arena *arena;
    struct store_record *records[RECORD_CHUNKS];
    uint32_t record_count;
    uint64_t sequence;
    struct variable **variables; // by address; capacity is a power of two
    size_t variable_count, variable_capacity;
    uint32_t link_count;
    uint32_t stamp; // of the last search
    struct known **stack;
    size_t stack_capacity;
    atomic_bool off; // more was recorded than can be kept
};

// publish.c: true if, by the warp's knowledge, this store of another program (by `in`) happens before its
// next access. Otherwise *released is set if the warp knows of a release behind the store in that program
// that did not cover it.
bool publish_covers(struct warp *warp, const struct store_record *record, unsigned lane,
                    const struct instr *in, bool *released);

// stores.c: true if control can go from one instruction to the other.
bool leads_to(const struct kernel *kernel, const struct instr *from, const struct instr *to);

#endif
