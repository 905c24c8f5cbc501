// Order among programs: what the files that keep it share.
#ifndef TKC_EMULATOR_MEMORY_GLOBAL_H
#define TKC_EMULATOR_MEMORY_GLOBAL_H

#include "emulator/memory/memory.h"

// A moment of a warp in which it stored to global memory.
struct store_record {
    uint64_t program, sequence; // sequence: of all records and publications of the run
    uint32_t clock;             // the warp's
    uint16_t warp;
};

enum { RECORDS_IN_CHUNK = 4096, RECORD_CHUNKS = 1 << 14, LINK_LIMIT = 1 << 24 };

struct variable;

struct global_order {
    pthread_mutex_t lock; // of all that follows, and of strong accesses to global memory
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

// publish.c: whether what the warp knows puts this store, by `in`, of another program before its next access. Else *released
// says whether it knows of a release that stands after the store in that program, and did not cover it.
bool publish_covers(struct warp *warp, const struct store_record *record, unsigned lane,
                    const struct instr *in, bool *released);

// stores.c: whether control goes from one instruction to the other.
bool leads_to(const struct kernel *kernel, const struct instr *from, const struct instr *to);

#endif
