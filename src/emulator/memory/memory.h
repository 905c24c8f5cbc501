// Memory of kernels: accesses with their checks, races, asynchronous copies, and the order made by barriers
// and fences.
#ifndef TKC_EMULATOR_MEMORY_MEMORY_H
#define TKC_EMULATOR_MEMORY_MEMORY_H

#include "emulator/machine/machine.h"

// access.c
exec_fn exec_load, exec_store, exec_alloca;
struct memory_place {
    uint8_t *data; // NULL: reported
    uint8_t *written;
    uint32_t shared; // offset in shared memory
    bool is_shared;
    struct region *region; // of global memory; else NULL
    uint64_t offset;
};
enum access_type { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };
struct memory_place memory_place(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                                 unsigned space, unsigned size, unsigned align, enum access_type type);
// The bytes of an access to global memory inside the buffer of its first byte; `size` if it begins in no
// buffer.
unsigned memory_inside(const struct warp *warp, uint64_t address, unsigned space, unsigned size);
// One lane's access with every check; false after a report (reads then give zeros).
bool memory_read(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                 unsigned size, unsigned align, void *data);
bool memory_write(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                  unsigned size, unsigned align, const void *data);
// A strong access of one lane to global memory is done between these; memory_lock is false for any other.
bool memory_lock(struct warp *warp, const struct instr *in, const struct memory_place *place);
void memory_unlock(struct warp *warp, uint64_t address, bool reads, bool writes);
// Reports an access to bytes still to be written by an earlier launch.
void memory_report_late(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                        unsigned space);
// Reports a read of unwritten bytes.
void memory_check_written(struct warp *warp, const struct instr *in, unsigned lane,
                          const struct memory_place *place, uint64_t address, unsigned space, unsigned size);

// count.c: statistics of one access by the lanes of `mask`
void memory_count(struct warp *warp, const struct instr *in, const uint64_t *address, lane_mask mask,
                  unsigned space, unsigned size, bool write);

// atomic.c
exec_fn exec_atomic, exec_compare_exchange;
enum { ATOMIC_CAS = 100, ATOMIC_INC_WRAP, ATOMIC_DEC_WRAP };
// One lane's read-modify-write; `operation` is an LLVMAtomicRMWBinOp or one of the above. Stores the old
// value.
void memory_atomic(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address, unsigned space,
                   unsigned operation, struct shape shape, const void *value, const void *compare, void *old);

// open_reads.c
void reads_open(struct warp *warp, const struct instr *in); // a lane reads shared memory
// The warp has waited for a product of what these instructions have read, up to that read of the warp. True if now all reads are over.
bool reads_close(struct warp *warp, const LLVMValueRef *loads, unsigned count, uint32_t last);

// shadow.c
void shadow_read(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                 bool atomic);
void shadow_write(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size,
                  bool atomic, const uint8_t *data);
bool shadow_ordered(const struct warp *warp, unsigned lane, const struct shadow_access *earlier);
void shadow_make_mbarrier(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                          unsigned size);
void shadow_land(struct block *block, uint32_t offset, unsigned size, unsigned agent, uint32_t clock);
void shadow_arrive(struct block *block, uint32_t offset, unsigned size, uint32_t clock);
const struct shadow *shadow_seen(const struct block *block, uint32_t offset); // a byte's state
// Asynchronous reads of CHUNK bytes of shared memory: checked and held at the issue; released when read, as
// an access by `agent` at its `clock`.
void shadow_hold(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset);
void shadow_release(struct warp *warp, const struct instr *in, unsigned agent, uint32_t clock, unsigned lane,
                    uint32_t offset);
void shadow_issue(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset, unsigned size);
// Reports the target of a tensor copy, if a thread has read it with no fence behind the read (order.c).
void shadow_check_reads_done(struct warp *warp, const struct instr *in, unsigned lane, uint32_t offset,
                             unsigned size);

// async.c
void async_issue(struct warp *warp, const struct instr *in, unsigned lane, uint64_t source, uint32_t target,
                 unsigned size, unsigned source_size);
exec_fn exec_async_copy, exec_async_commit, exec_async_wait;
// AMD: ends the group that a wave's copies were issued in; lands all groups but so many of the latest.
void async_close(struct warp *warp);
void async_land_all_but(struct warp *warp, unsigned latest);

// stores.c: the last store to each byte of global memory
struct global_order *global_order_create(void);
void global_order_destroy(struct global_order *order); // NULL: nothing
void stores_free(struct region *region);
void stores_note(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                 unsigned size);
void stores_check(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                  uint64_t address, unsigned space, unsigned size);
// With several ranks: notes the last read of each byte, for the check of another rank's store.
void reads_note(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                unsigned size);
void reads_check(struct warp *warp, const struct instr *in, unsigned lane, const struct memory_place *place,
                 uint64_t address, unsigned space, unsigned size);

// publish.c: releases and acquires. A strong access to global memory is the lanes' between begin and end; each is done, and
// then told to publish_lane, under the lock of run->order.
void publish_begin(struct warp *warp, const struct instr *in);
// Behind publish_begin: the access, no atomic one, passes on all completed accesses of its warp.
void publish_as_release(struct warp *warp, const struct instr *in);
void publish_lane(struct warp *warp, uint64_t address, bool reads, bool writes);
void publish_end(struct warp *warp, const struct instr *in);
// With several launches on a rank: a program ends and leaves its view of memory to the programs of the rank's next launch.
void publish_program(struct warp *warp);
void publish_start(struct warp *warp);
// A release by a fence, and an acquire, both among programs.
void publish_fence(struct warp *warp, const struct instr *in, enum scope scope);
void publish_take(struct warp *warp, enum scope scope);
void publish_complete(struct warp *warp);
void join_clocks(uint32_t *into, const uint32_t *from, unsigned count);
void view_join(struct run *run, struct view *into, const struct view *from);
// mbarrier.c
exec_fn exec_mbarrier_init, exec_mbarrier_fence, exec_mbarrier_expect, exec_mbarrier_arrive,
    exec_mbarrier_arrive_mapped, exec_mbarrier_wait;
lane_mask lanes_where(const struct warp *warp, const struct operand *predicate);
// The barrier at an address in shared memory; NULL: reported.
struct mbarrier *mbarrier_find(struct warp *warp, const struct instr *in, unsigned lane, uint32_t address);
// The same at a mapped address, of a running block of the cluster.
struct mbarrier *mbarrier_find_mapped(struct warp *warp, const struct instr *in, unsigned lane,
                                      uint32_t address);

// Reports an mbarrier that the thread of a copy may not use: with no fence.mbarrier_init since it was made.
void mbarrier_check_fenced(struct warp *warp, const struct instr *in, unsigned lane,
                           const struct mbarrier *barrier);

// launch.c
exec_fn exec_launch_ask, exec_launch_read, exec_launch_number, exec_launch_look, exec_launch_join,
    exec_launch_take, exec_launch_leave;
bool launch_claim(struct run *run, uint64_t program); // false: it has begun, or its place was given away
void launch_land(struct block *block, const struct tensor_copy *copy);
void launch_end(struct block *block);            // reports answers on their way to a block that ends
void launch_check_counters(struct block *block); // behind the last block of a run

// tensor.c: immediate: the rank; TENSOR_PAIR: the mbarrier's address is mapped
enum { TENSOR_PAIR = 8 };
exec_fn exec_tensor_prefetch, exec_tensor_load, exec_bulk_load, exec_tensor_store, exec_tensor_add,
    exec_bulk_commit, exec_bulk_wait, exec_bulk_wait_read;
void tensor_push_load(struct block *block, const struct tensor_copy *copy);
void tensor_land(struct block *block, struct mbarrier *barrier); // lands every load of this mbarrier
// Reports a cluster's copies under way to the memory, or to an mbarrier, of an ended block.
void tensor_leave(struct block *block, unsigned rank);
void tensor_end(struct block *block); // at the program's end: reports unread stores and completes them

// order.c
exec_fn exec_barrier, exec_fence, exec_lanes_meet, exec_memory_fence, exec_proxy_fence,
    exec_proxy_fence_global, exec_wait_count, exec_cluster_meet, exec_map_address;
void order_fence(struct warp *warp, const struct instr *in, LLVMAtomicOrdering ordering, enum scope scope);
// `expected` warps take part; `wait`: this warp waits for all of them.
void barrier_arrive(struct warp *warp, const struct instr *in, unsigned id, unsigned expected, bool wait);
void cluster_check(struct block *block); // the same of the cluster's barrier, also when warps have ended
void barrier_check(struct block *block, unsigned id);          // lets the warps go on when all have come
struct view view_released(struct warp *warp, lane_mask lanes); // the view passed on by the lanes
void order_reads_over(struct warp *warp);                      // what the warp has read from shared memory
void warp_poll(struct warp *warp,
               const struct wait *wait); // the instruction is executed again when it is ready
void warp_fence(struct warp *warp);      // orders this warp's lanes: earlier accesses before later ones

#endif
