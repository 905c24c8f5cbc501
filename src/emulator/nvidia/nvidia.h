// Execution of NVIDIA's operations of a whole warp.
#ifndef TKC_EMULATOR_NVIDIA_NVIDIA_H
#define TKC_EMULATOR_NVIDIA_NVIDIA_H

#include "emulator/machine/machine.h"

// collective.c
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM, VOTE_BALLOT };
enum reduce_mode {
    REDUCE_ADD,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_UMIN,
    REDUCE_UMAX,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR
};
exec_fn exec_shuffle, exec_vote, exec_reduce, exec_match_any, exec_active_mask, exec_barrier_id,
    exec_warp_sync, exec_elect, exec_elect_lane;

// ldmatrix.c: `immediate` = matrices | transposed << 4; stmatrix likewise
exec_fn exec_ldmatrix, exec_stmatrix;

// wgmma.c
exec_fn exec_wgmma, exec_wgmma_fence, exec_wgmma_commit, exec_wgmma_wait;

// tcgen05.c: `immediate` of a product: enum tmem_kind, TMEM_LEFT if A is in tensor memory, TMEM_PAIR if it is of two blocks; of moves:
// words, and TMEM_HALVES for shape 16x128b
enum tmem_kind {
    TMEM_F16,
    TMEM_TF32,
    TMEM_F8F6F4,
    TMEM_I8,
    TMEM_MXF8F6F4,
    TMEM_MXF4,
    TMEM_MXF4NVF4,
    TMEM_LEFT = 8,
    TMEM_PAIR = 16
};
enum { TMEM_HALVES = 1 << 16 };
exec_fn exec_tmem_alloc, exec_tmem_relinquish, exec_tmem_free, exec_tmem_before, exec_tmem_after,
    exec_tmem_multiply, exec_tmem_commit, exec_tmem_load, exec_tmem_wait_load, exec_tmem_store,
    exec_tmem_wait_store, exec_tmem_copy_scales;

// registers.c
exec_fn exec_setmaxnreg;
// collective.c: dependent launches. Launches run one after another, so that a wait has nothing to wait for.
exec_fn exec_grid_wait, exec_grid_trigger;

// mma.c
exec_fn exec_mma;
// Parses the shape in a name such as "m16n8k16.row.col.f32.f32"; NULL for an unknown name.
const struct mma_shape *mma_parse(struct arena *arena, const char *name);

#endif
