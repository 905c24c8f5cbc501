#ifndef TKC_LAUNCHER_GRID_1
#define TKC_LAUNCHER_GRID_1
// ---- Arithmetic of launch grids: Python's rules on 64-bit integers. A result that does not exist (an
// overflow, a division by zero, a shift by a negative number) is TKC_NO_GRID, and so is all that is computed
// from it. A launch with such a grid is an error, and so is a negative side.
#define TKC_NO_GRID INT64_MIN

static inline int tkc_both(int64_t a, int64_t b) {
    return a != TKC_NO_GRID && b != TKC_NO_GRID;
}

static inline int64_t tkc_add(int64_t a, int64_t b) {
    int64_t sum;
    return tkc_both(a, b) && !__builtin_add_overflow(a, b, &sum) ? sum : TKC_NO_GRID;
}

static inline int64_t tkc_sub(int64_t a, int64_t b) {
    int64_t difference;
    return tkc_both(a, b) && !__builtin_sub_overflow(a, b, &difference) ? difference : TKC_NO_GRID;
}

static inline int64_t tkc_mul(int64_t a, int64_t b) {
    int64_t product;
    return tkc_both(a, b) && !__builtin_mul_overflow(a, b, &product) ? product : TKC_NO_GRID;
}

static inline int64_t tkc_floordiv(int64_t a, int64_t b) {
    return tkc_both(a, b) && b != 0 ? a / b - (a % b != 0 && (a < 0) != (b < 0)) : TKC_NO_GRID;
}

static inline int64_t tkc_mod(int64_t a, int64_t b) {
    return tkc_both(a, b) && b != 0 ? a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0) : TKC_NO_GRID;
}

// (a + (b - 1)) // b
static inline int64_t tkc_cdiv(int64_t a, int64_t b) {
    if (b < 0) {
        return tkc_floordiv(tkc_add(a, tkc_sub(b, 1)), b);
    }
    return tkc_both(a, b) && b != 0 ? a / b + (a % b > 0) : TKC_NO_GRID;
}

static inline int64_t tkc_shl(int64_t a, int64_t b) {
    if (a == 0 && b >= 0) {
        return 0;
    }
    return b >= 0 && b < 63 ? tkc_mul(a, (int64_t)1 << b) : TKC_NO_GRID;
}

static inline int64_t tkc_shr(int64_t a, int64_t b) {
    if (a == TKC_NO_GRID || b < 0) {
        return TKC_NO_GRID;
    }
    return b < 63 ? a >> b : a < 0 ? -1 : 0;
}

static inline int64_t tkc_bit_and(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a & b : TKC_NO_GRID;
}

static inline int64_t tkc_bit_or(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a | b : TKC_NO_GRID;
}

static inline int64_t tkc_bit_xor(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a ^ b : TKC_NO_GRID;
}

static inline int64_t tkc_min(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a < b ? a : b : TKC_NO_GRID;
}

static inline int64_t tkc_max(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a > b ? a : b : TKC_NO_GRID;
}

static inline int64_t tkc_lt(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a < b : TKC_NO_GRID;
}

static inline int64_t tkc_le(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a <= b : TKC_NO_GRID;
}

static inline int64_t tkc_eq(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a == b : TKC_NO_GRID;
}

static inline int64_t tkc_ne(int64_t a, int64_t b) {
    return tkc_both(a, b) ? a != b : TKC_NO_GRID;
}

static inline int64_t tkc_neg(int64_t a) {
    return tkc_sub(0, a);
}

static inline int64_t tkc_invert(int64_t a) {
    return tkc_sub(-1, a);
}

static inline int64_t tkc_not(int64_t a) {
    return tkc_eq(a, 0);
}

static inline int64_t tkc_abs(int64_t a) {
    return a < 0 ? tkc_neg(a) : a;
}

// `a if test else b`. The value that is not chosen may be TKC_NO_GRID.
static inline int64_t tkc_choose(int64_t test, int64_t a, int64_t b) {
    return test == TKC_NO_GRID ? TKC_NO_GRID : test ? a : b;
}

// `a and b`, `a or b`
static inline int64_t tkc_and(int64_t a, int64_t b) {
    return tkc_choose(a, b, a);
}

static inline int64_t tkc_or(int64_t a, int64_t b) {
    return tkc_choose(a, a, b);
}

// An argument of type uint64_t.
static inline int64_t tkc_of_unsigned(uint64_t a) {
    return a <= (uint64_t)INT64_MAX ? (int64_t)a : TKC_NO_GRID;
}

// Sets all sides to 0 if one is 0. False: a side is negative or needs more than 32 bits. The device's own limits are lower;
// the driver knows them, and a persistent kernel's grid is not launched as it is.
static inline int tkc_grid_fits(int64_t grid[3]) {
    int i;
    for (i = 0; i < 3; i++) {
        if (grid[i] < 0 || grid[i] > INT64_C(0xffffffff)) {
            return 0;
        }
    }
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0) {
        grid[0] = grid[1] = grid[2] = 0;
    }
    return 1;
}
#endif
