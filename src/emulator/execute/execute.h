// Execution of operations common to both vendors: elementwise operations, control flow, prints.
#ifndef TKC_EMULATOR_EXECUTE_EXECUTE_H
#define TKC_EMULATOR_EXECUTE_EXECUTE_H

#include "emulator/machine/machine.h"

// arithmetic.c, convert.c
double element_load(const void *data, unsigned element, uint32_t index);        // of a register of floats
void element_store(void *data, unsigned element, uint32_t index, double value); // rounded to nearest even
exec_fn exec_integer, exec_integer_wide, exec_float, exec_compare_integer, exec_compare_float, exec_select,
    exec_negate, exec_integer_checked;
exec_fn exec_convert_integer, exec_float_to_float, exec_float_to_integer, exec_integer_to_float, exec_repack,
    exec_pointer_offset, exec_move, exec_extract_dynamic, exec_insert, exec_insert_dynamic,
    exec_shuffle_vector, exec_gep, exec_gep_constant, exec_nothing;

// NVIDIA's arithmetic returns one NaN per format, whatever NaN comes in (PTX ISA, "Floating Point":
// 0x7fffffff, 0x7fff).
void canonical_nans(const struct warp *warp, const struct instr *in, void *dst);

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
exec_fn exec_round_tf32, exec_math_unary, exec_math_binary, exec_fma, exec_float_class, exec_to_integer_sat;
double math_unary(enum math_function function, double x);
double math_binary(enum math_function function, double x, double y);

// bits.c
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
exec_fn exec_bits, exec_overflow;
uint64_t reverse_bits(uint64_t value, unsigned bits);
uint32_t permute_bytes_amd(uint32_t a, uint32_t b, uint32_t selectors);

// special.c
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
exec_fn exec_special;

// print.c
exec_fn exec_print, exec_print_values, exec_assert_fail, exec_assert_values, exec_watch, exec_step;

// control.c
exec_fn exec_jump, exec_branch, exec_switch, exec_return, exec_unreachable, exec_trap;

// flight.c: register words of asynchronous products
exec_fn exec_guarded, exec_carry; // instructions with guarded words: kernel->guards
void flight_follow_edge(struct warp *warp, const struct instr *in,
                        const struct edge *edge);                // before its copies
void flight_copy(struct warp *warp, uint32_t to, uint32_t from); // a slot gets the state of another one
bool flight_check_read(struct warp *warp, const struct instr *in, uint32_t slot); // false: reported

// warp.c
void warp_start(struct warp *warp);
void warp_step(struct warp *warp, uint64_t budget); // until it waits, ends or the budget is used
void warp_set_mask(struct warp *warp, lane_mask mask);
// The lanes of `mask` of a register.
void copy_lanes(uint8_t *to, const uint8_t *from, unsigned components, unsigned lanes, unsigned bytes,
                lane_mask mask);

#endif
