// A run: the memory of kernels, programs and their warps.
#ifndef TKC_EMULATOR_MACHINE_MACHINE_H
#define TKC_EMULATOR_MACHINE_MACHINE_H

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "emulator/machine/code.h"

enum {
    MAX_LANES = 64,
    MAX_WARPS = 64,
    MAX_DEPTH = 64, // of the divergence stack
    BARRIER_COUNT = 16,
    MOST_CLUSTER = 2, // blocks
    CLUSTER_BARRIER = MOST_CLUSTER * BARRIER_COUNT,
    CLUSTER_AT = 24, // from this bit on a mapped shared address has its block's rank, plus 1
    LANE_ALL = 255,
    CHUNK = 16, // bytes of shared memory held at once by an asynchronous reader
    WARPGROUP = 4,
    COVERED = 16,
    // Clocks of asynchronous agents follow those of NVIDIA's at most 32 warps: each warpgroup's products,
    // then the copies of each mbarrier.
    AGENT_PRODUCTS = 32,
    AGENT_COPIES = 40,
    AGENT_TENSOR = AGENT_COPIES - 1, // products into tensor memory
    TENSOR_RANK = 5,
};

typedef uint64_t lane_mask;

struct region {
    const struct emulator_buffer *buffer; // NULL: the module's own
    const char *name;
    uint8_t *data;
    uint8_t *written; // NULL: not tracked
    size_t size;
    bool read_only;
    bool late;                             // an earlier launch may still write
    uint64_t **pages;                      // the last store to each byte (memory/stores.c)
    uint64_t **read_pages;                 // with several ranks: the last read
    const struct emulator_tensor_map *map; // the bytes are a tensor map
    uint64_t map_base;                     // address of its tensor; may lie ahead of the buffer
    unsigned map_region;                   // number of the tensor's region
};

struct report_entry;

struct run {
    struct emulator *emulator;
    struct kernel *kernel;
    const struct emulator_launch *launch;
    struct region *regions;
    unsigned region_count;
    unsigned threads; // of a block
    // A cluster's blocks run as one program with all of their warps; block r's shared memory begins at r * shared_span.
    unsigned cluster, block_warps, warps;
    uint32_t shared_span;
    unsigned clocks;               // of the warps and of asynchronous agents
    uint32_t shared_bytes;         // of a block
    uint64_t (*argument_bits)[64]; // by rank
    unsigned ranks, launches;
    uint64_t grid_size, *ended; // programs of a launch; ended ones of each rank
    uint64_t program_count;     // of all ranks and launches; number n is of rank n % ranks
    uint64_t changes;           // of global memory, and of programs under way: counted with several ranks
    uint64_t implicit_address;  // AMD's implicit kernel arguments
    uint8_t *segment;           // kernel arguments of machine code, and their address
    uint64_t segment_address;
    atomic_uint_fast64_t next_program, programs_done;
    atomic_uint_fast64_t *taken; // of each launch and rank, programs by launch_take (memory/launch.c)
    // By program: it has begun, or its place was given away; NULL: the kernel asks for none.
    atomic_uchar *claimed;
    atomic_int stop;          // enum emulator_status + 1
    atomic_bool reports_full; // as many as were asked for
    atomic_uint error_count;
    bool checks;
    double deadline;      // monotonic seconds; 0: none
    pthread_mutex_t lock; // reports, trace, statistics
    struct report_entry *reports;
    unsigned report_count;
    size_t report_capacity;
    char *places; // the warps' places when the run was stopped
    struct emulator_statistics statistics;
    struct global_order *order; // among programs (memory/global.h); NULL without checks
};

// A warp's knowledge of the warps of its program: their accesses before seen[w] happen before its own next
// one, and their stores to global memory before done[w] have reached the memory read by other programs. Its
// own clock is seen[index].
struct view {
    uint32_t seen[MAX_WARPS], done[MAX_WARPS];
    uint32_t proxy[MAX_WARPS]; // NVIDIA: accesses before it have passed a proxy fence
    uint32_t read[MAX_WARPS];  // NVIDIA: reads of shared memory before it have passed their warp's fence
    // Blackwell: accesses of warps and products to tensor memory, before these moments, done and passed
    // fence::before_thread_sync (nvidia/tcgen05.c).
    uint32_t tensor[MAX_WARPS];
    struct known *foreign; // and of other programs (memory/publish.c)
};

// ---- tensor memory ----

enum { TMEM_LANES = 128, TMEM_COLUMNS = 512, TMEM_CELLS = TMEM_LANES * TMEM_COLUMNS, TMEM_ALLOCATIONS = 16 };
enum tmem_state { TMEM_FREE, TMEM_EMPTY, TMEM_WRITTEN, TMEM_BUSY };
// The last write, and the last load, of a cell: its thread, moment and instruction (plus 1; 0: none). A BUSY cell waits for the
// product of that number. A product may have it in its left operand, or among its scales: the last one's number, and, once that is done, a moment.
struct tmem_cell {
    uint32_t word, product;
    uint32_t written, loaded; // moments
    uint32_t write_instr, load_instr;
    uint32_t left, left_read, left_instr;
    uint16_t issuer;        // of the last product: its thread
    uint8_t writer, loader; // warp, or AGENT_TENSOR
    uint8_t state;          // enum tmem_state
};
// A product issued by one thread, without a wait yet.
struct tmem_product {
    const struct instr *in;
    uint64_t a, b; // descriptors; a may be an address in tensor memory
    uint32_t number, instruction, address, a_scale, b_scale;
    uint16_t warp;
    uint8_t lane;
    bool adds, left; // left: A is in tensor memory
    bool copies;     // no product: scales come from shared memory, at `a`
    bool pair;       // 256 rows, of two blocks
};
// A commit on its way: it arrives at the mbarrier when the thread's products up to `number` are done.
struct tmem_commit {
    const struct instr *in;
    uint32_t mbarrier, number;
    uint16_t warp;
    uint8_t lane;
    struct view view; // the thread's knowledge of others: its products came behind it
};
struct block;
struct mbarrier;
struct tmem {
    struct tmem_cell
        cells[MOST_CLUSTER *
              TMEM_CELLS]; // [lane * TMEM_COLUMNS + column]; block r's lanes begin at r * TMEM_LANES
    struct tmem_allocation {
        uint32_t first, columns;
        const struct instr *in;
        uint16_t warp;
        uint8_t rank;
    } allocations[TMEM_ALLOCATIONS];
    unsigned allocation_count;
    uint32_t
        least_columns[MOST_CLUSTER]; // of all allocations of a block so far: later ones may not be larger
    bool relinquished[MOST_CLUSTER];
    unsigned takes[MOST_CLUSTER], frees[MOST_CLUSTER]; // by both blocks of a pair together
    struct tmem_product *products;
    struct tmem_commit *commits;
    unsigned product_count, commit_count;
    size_t product_capacity, commit_capacity;
    uint32_t issued, moment;
    // For rooms below nvidia: the products of the mbarrier's commits are done, and the commits arrive; the program ends; a block of a
    // cluster ends.
    void (*land)(struct block *block, struct mbarrier *barrier);
    void (*end)(struct block *block);
    void (*leave)(struct block *block, unsigned rank);
};

// The last access of one kind to a byte of shared memory.
struct shadow_access {
    uint32_t clock;
    uint32_t instr;     // index in the kernel's code, plus 1; 0: none
    uint8_t warp, lane; // LANE_ALL: the warp as a whole
    bool atomic;
    bool async; // asynchronous: needs no proxy fence
};
enum shadow_state { SHADOW_EMPTY, SHADOW_WRITTEN, SHADOW_PENDING, SHADOW_MBARRIER };
// An asynchronous reader's CHUNK of shared memory.
struct held {
    uint32_t instr; // the last reader's index in the kernel's code
    uint32_t count; // of readers
};
struct shadow {
    struct shadow_access write, read[2];
    uint8_t state; // enum shadow_state
};

// An asynchronous copy in flight.
struct pending_copy {
    uint64_t source;
    uint32_t target; // shared address
    uint8_t lane, size, source_size;
    uint32_t group;
    const struct instr *in;
};

// A slot (code.h): numbers count a warp's products from 1.
struct flight {
    uint32_t product, element; // the future writer, a product; written once product <= warp->landed
    uint32_t reader;           // the last product reading it as A
    uint32_t touched;          // moment of another instruction's last write
};

// A warp's part of a warpgroup product in flight (nvidia/wgmma.c).
struct product {
    uint32_t number, group;
    uint32_t previous; // number of the product it accumulates onto; 0: `values` holds the accumulator
    bool done;         // `values` holds the result, and the operands have been read
    bool fresh;        // accumulates onto nothing, by its predicate
    uint32_t reads;    // the warp's last read of shared memory ahead of it; 0: none, or not kept
    const struct instr *in;
    uint64_t a, b; // descriptors; a: unless A is in registers
    uint32_t *values;
};

// A polling warp executes its instruction again once warp->wait is ready. An opening barrier makes its
// warps ready: none of them goes on in the slice of the last arrival.
enum warp_state { WARP_READY, WARP_RUNNING, WARP_BARRIER, WARP_POLLING, WARP_DONE, WARP_FAULT };

// An instruction with reads of shared memory, perhaps under way; the last of them: its number among the warp's, and the warp's waits at
// mbarriers before it.
struct open_read {
    LLVMValueRef load;
    uint32_t number, step;
};

struct warp;
struct strbuf;
// The condition a warp polls for; both functions refer to the warp's last instruction.
struct wait {
    bool (*ready)(const struct warp *warp);
    void (*describe)(const struct warp *warp, struct strbuf *out); // " for …"
};

struct frame {
    lane_mask mask;
    uint32_t next; // block of these lanes
    uint32_t reconverge;
};

struct warp {
    struct run *run;
    struct block *block;
    const struct kernel *kernel;
    uint8_t *registers;
    uint8_t *scratch;
    uint8_t *local;
    lane_mask mask; // active lanes
    lane_mask full; // all of the program's lanes in this warp
    lane_mask live; // not returned
    uint32_t pc;
    uint16_t index; // in the program
    uint8_t rank;   // of its block in the cluster
    uint8_t lanes;
    uint8_t state; // enum warp_state
    uint8_t barrier;
    const struct wait *wait; // of a polling warp
    bool partial;            // mask != full register width
    bool waited;             // for the launch ahead (griddepcontrol.wait)
    unsigned depth;
    struct frame frames[MAX_DEPTH];
    struct view view;
    struct known *by_copies; // view.foreign at the last fence.proxy.async.global: tensor copies see this
    uint32_t lane_clock;     // view.seen[index] at the last fence between this warp's lanes
    lane_mask touched;       // lanes with accesses to shared memory since then
    uint32_t
        lanes_released; // AMD: view.seen[index] at the last fence of a wavefront, passed on at the next meeting of its lanes
    struct view released; // AMD: released by a fence, passed on at the next barrier
    struct view incoming; // AMD: passed on by a barrier, until an acquire fence
    // Releases and acquires at variables in global memory.
    struct publication *ready;      // by a fence, for the next strong write
    struct publication *publishing; // by the current instruction
    struct known *heard, *heard_before;
    bool far; // the current access is of the system's scope
    uint32_t record, record_clock;
    uint64_t covered[COVERED];   // other programs' stores this warp may read
    uint64_t changes, vain;      // run->changes at the last strong read, and such reads since its last change
    const struct instr *watches; // the last of them
    uint64_t met, meetings; // run->changes at the last barrier, and barriers passed since its last change
    struct pending_copy *pending;
    unsigned pending_count;
    size_t pending_capacity;
    uint32_t committed[MAX_LANES]; // asynchronous groups
    uint32_t bulk_committed[MAX_LANES];
    uint16_t register_limit, register_changes; // setmaxnreg; 0: as launched
    uint32_t awaited;                          // the product this warp waits for
    // Products beside the program: NULL and 0 in kernels without any.
    struct flight *flights; // by slot
    struct product *products;
    unsigned product_count, product_capacity;
    uint32_t issued, landed, product_groups;
    // Since the last fence that waits for reads: those that no product was waited for, and the number of all (kernel->multiplies_reads).
    struct open_read *open_reads;
    unsigned open_count;
    size_t open_capacity;
    uint32_t read_count, read_step;
    uint32_t moment, fenced; // of register writes, and of the last wgmma.fence
    // Tensor memory: the warp's knowledge since its last fence::after_thread_sync, and the moments of its first load and store
    // without a wait; 0: none.
    uint32_t tmem_known[MAX_WARPS];
    uint32_t tmem_met; // view.tensor[index] at the last fence between this warp's lanes
    uint32_t tmem_load, tmem_store;
    struct emulator_statistics statistics;
    bool traced;
};

struct barrier {
    uint64_t arrived;  // warps
    uint64_t waiting;  // warps waiting
    unsigned expected; // warps; 0: nobody has come
    struct view view;
};

struct mbarrier {
    uint32_t offset;                   // in shared memory
    uint32_t agent;                    // the agent whose clock its copies have
    uint32_t expected, arrived, phase; // arrivals per phase and in the running one; complete phases
    uint32_t bytes, under_way;         // of the running phase; of copies in flight
    uint32_t commits;                  // arrivals of products into tensor memory under way
    struct shadow_access init, fence;  // fence.instr 0: no fence.mbarrier_init yet
    struct view running, complete;     // of arrivals in the running phase, and before
};

// A place of shared memory for answers to requests (memory/launch.c): their number so far, and each warp's last read.
struct answer_reader {
    uint32_t clock, instr; // index in the kernel's code, plus 1; 0: none
    uint32_t number;
};
struct answer {
    uint32_t offset, number;
    struct answer_reader read[MAX_WARPS];
};

// An unfinished tensor-map copy between global and shared memory, or an answer to a request.
struct tensor_copy {
    const struct instr *in;
    const struct region *map; // NULL: bytes from `source`, or `at` is an answer
    uint64_t source;          // 0: none
    int32_t at[TENSOR_RANK];  // of the box, innermost first
    uint32_t shared, bytes;
    uint16_t warp;
    uint8_t lane;
    uint32_t mbarrier;     // of a load: its number
    struct known *foreign; // of a load: as of `by_copies` when it began
    uint32_t group;        // of a store
    uint8_t *data;         // of a store: the data read
    bool adds;             // of a store: f32, added to the memory's number
};

// The products issued by the warps of a warpgroup: each warp must issue the same ones.
struct issue {
    const struct instr *in;
    uint64_t a, b;
    bool fresh;
};
struct warpgroup {
    struct issue *issues; // not yet issued by all warps; the first is number `first`
    uint32_t first, count;
    size_t capacity;
};

struct block {
    struct run *run;
    uint32_t program[3];
    uint64_t number; // of the program
    bool stored;     // to global memory
    struct warp *warps;
    unsigned warp_count, running;
    uint8_t *shared;
    struct shadow *shadow; // by byte; NULL without checks
    struct shadow *chunks; // by chunk: the state of all of its bytes, if it is not split
    bool *split;
    struct held *held;            // by chunk; NULL: no checks, or nothing reads beside the program
    struct warpgroup *warpgroups; // NULL: no products
    struct mbarrier *mbarriers;
    unsigned mbarrier_count;
    size_t mbarrier_capacity;
    struct tensor_copy *loads, *stores; // in flight, in order of issue
    unsigned load_count, store_count;
    size_t load_capacity, store_capacity;
    struct answer *answers;
    unsigned answer_count;
    size_t answer_capacity;
    bool refused, took;                           // the last request; it does other blocks' programs, too
    uint32_t landings;                            // the clock of copies
    struct tmem *tmem;                            // NULL: nobody has taken any
    struct barrier barriers[CLUSTER_BARRIER + 1]; // each block's, and the cluster's
    uint64_t random;
    unsigned favourite; // the warp to run ahead or stay behind
    unsigned unfair;    // consecutive slices of one side only
    bool failed;
    bool left[MOST_CLUSTER]; // ended blocks of the cluster
};

static inline uint64_t random_next(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// A number of 1, 2, 4 or 8 bytes.
static inline uint64_t bits_at(const void *data, unsigned bytes) {
    uint64_t bits = 0;
    switch (bytes) { // copies of known sizes take one instruction
    case 1:
        return *(const uint8_t *)data;
    case 2:
        memcpy(&bits, data, 2);
        return bits;
    case 4:
        memcpy(&bits, data, 4);
        return bits;
    default:
        memcpy(&bits, data, bytes);
        return bits;
    }
}

static inline const void *source(const struct warp *warp, const struct instr *in, unsigned index) {
    return warp->registers + in->src[index];
}
static inline const void *operand(const struct warp *warp, const struct instr *in, unsigned index) {
    return warp->registers + in->operands[index].reg;
}
#define FOR_LANES(lane, bits)                                                                                \
    for (lane_mask bits_##lane = (bits); bits_##lane; bits_##lane &= bits_##lane - 1)                        \
        for (unsigned lane = (unsigned)__builtin_ctzll(bits_##lane), once_##lane = 1; once_##lane;           \
             once_##lane = 0)

// The warp's number in its block.
static inline unsigned own_index(const struct warp *warp) {
    return warp->index - warp->rank * warp->run->block_warps;
}

// True if block `rank` of the cluster has no warp left.
static inline bool block_has_ended(const struct block *block, unsigned rank) {
    const struct warp *warps = block->warps + rank * block->run->block_warps;
    for (unsigned i = 0; i < block->run->block_warps; i++) {
        if (warps[i].state != WARP_DONE) {
            return false;
        }
    }
    return true;
}

static inline lane_mask mask_of(unsigned lanes) {
    return lanes >= 64 ? ~(lane_mask)0 : ((lane_mask)1 << lanes) - 1;
}

#endif
