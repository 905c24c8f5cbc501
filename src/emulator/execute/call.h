// Operations that are calls in the module: the table of intrinsics and the functions that carry them out.
#ifndef TKC_EMULATOR_CALL_H
#define TKC_EMULATOR_CALL_H

#include "emulator/machine/machine.h"

// What a call's row says besides its function.
enum call_flags {
    CALL_BLEND = 1, // elementwise: the caller keeps inactive lanes
    CALL_OMIT = 2,  // no effect: emit nothing
    CALL_ALIAS = 4, // the result is the first operand
    CALL_RETURNS_STRUCT = 8,
};

// math.c
enum math_function {
    MATH_ABS,
    MATH_FLOOR,
    MATH_CEIL,
    MATH_TRUNC,
    MATH_RINT,
    MATH_ROUND,
    MATH_SQRT,
    MATH_RSQRT,
    MATH_RECIPROCAL,
    MATH_EXP,
    MATH_EXP2,
    MATH_LOG,
    MATH_LOG2,
    MATH_SIN,
    MATH_COS,
    MATH_TANH,
    MATH_FRACT,
    MATH_IDENTITY,
    MATH_SIN_TURNS,
    MATH_COS_TURNS,
    MATH_MIN,
    MATH_MAX,
    MATH_MIN_NAN,
    MATH_MAX_NAN,
    MATH_COPYSIGN,
    MATH_DIVIDE,
    MATH_ADD,
    MATH_MULTIPLY,
    MATH_FLUSH = 256, // subnormal inputs and results become zero
};
enum bit_function {
    BITS_POPULATION,
    BITS_LEADING,
    BITS_TRAILING,
    BITS_REVERSE,
    BITS_SWAP,
    BITS_ABS,
    BITS_SMIN,
    BITS_SMAX,
    BITS_UMIN,
    BITS_UMAX,
    BITS_FUNNEL_LEFT,
    BITS_FUNNEL_RIGHT,
    BITS_MULTIPLY_HIGH,
    BITS_MULTIPLY_HIGH_UNSIGNED,
    BITS_SADD_SAT,
    BITS_UADD_SAT,
    BITS_SSUB_SAT,
    BITS_USUB_SAT,
    BITS_PERMUTE,
    BITS_FIND_SIGN,
    BITS_EXTRACT_SIGNED,
    BITS_EXTRACT_UNSIGNED,
    BITS_MULTIPLY_24,
    BITS_MULTIPLY_24_UNSIGNED,
    BITS_PERMUTE_AMD,
};
exec_fn exec_round_tf32, exec_math_unary, exec_math_binary, exec_fma, exec_bits, exec_float_class,
    exec_overflow, exec_to_integer_sat;
double math_unary(enum math_function function, double x);
double math_binary(enum math_function function, double x, double y);

// print.c
exec_fn exec_print, exec_assert_fail;

// nvidia.c
enum special_register {
    SPECIAL_THREAD_X,
    SPECIAL_THREAD_Y,
    SPECIAL_THREAD_Z,
    SPECIAL_THREADS_X,
    SPECIAL_THREADS_Y,
    SPECIAL_THREADS_Z,
    SPECIAL_PROGRAM_X,
    SPECIAL_PROGRAM_Y,
    SPECIAL_PROGRAM_Z,
    SPECIAL_GRID_X,
    SPECIAL_GRID_Y,
    SPECIAL_GRID_Z,
    SPECIAL_LANE,
    SPECIAL_WARP,
    SPECIAL_WARP_SIZE,
    SPECIAL_CLOCK,
    SPECIAL_ZERO,
    SPECIAL_LANE_MASK_LT,
};
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
exec_fn exec_special, exec_shuffle, exec_vote, exec_reduce, exec_match_any, exec_active_mask, exec_barrier_id,
    exec_barrier_arrive, exec_barrier_reduce, exec_memory_fence, exec_trap, exec_warp_sync, exec_elect;
// ldmatrix.c: `immediate` = matrices | transposed << 4; stmatrix likewise
exec_fn exec_ldmatrix, exec_stmatrix;
// mma.c
enum matrix_type {
    MATRIX_F16,
    MATRIX_BF16,
    MATRIX_TF32,
    MATRIX_F32,
    MATRIX_F64,
    MATRIX_S8,
    MATRIX_U8,
    MATRIX_E4M3,
    MATRIX_E5M2,
    MATRIX_E4M3_FNUZ,
    MATRIX_E5M2_FNUZ,
    MATRIX_S32
};
struct mma_shape {
    unsigned m, n, k;
    enum matrix_type a, b, c, d;
    bool saturate; // integers
};
exec_fn exec_mma;
// Finds the shape in a name such as "m16n8k16.row.col.f32.f32"; NULL when the name is not understood.
const struct mma_shape *mma_parse(struct arena *arena, const char *name);
double matrix_number(enum matrix_type type, uint64_t bits);
unsigned matrix_bits(enum matrix_type type);

// amd.c, amd_matrix.c, amd_buffer.c
exec_fn exec_amd_thread, exec_amd_implicit, exec_amd_mbcnt, exec_amd_read_first, exec_amd_read_lane,
    exec_amd_bpermute, exec_amd_permute, exec_amd_dpp, exec_amd_swizzle, exec_amd_ballot, exec_amd_permlane,
    exec_amd_write_lane, exec_amd_dispatch;
exec_fn exec_amd_cvt;
exec_fn exec_mfma, exec_wmma;
const void *mfma_parse(struct arena *arena, const char *name);
const void *wmma_parse(struct arena *arena, const char *name, bool gfx12);
exec_fn exec_make_resource, exec_buffer_load, exec_buffer_store, exec_buffer_atomic;

#endif
