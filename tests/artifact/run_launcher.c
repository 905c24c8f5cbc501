/* Runs a generated launcher on the recording driver: arguments, grids, hints, loading and unloading. */
#ifdef RUN_HIP
#include "on_hip.h"
#define POINTER(value) ((void *)(uintptr_t)(value))
#define SUCCESS hipSuccess
#define FAILED hipErrorUnknown
#define INVALID hipErrorInvalidValue
#define NO_BINARY hipErrorNoBinaryForGpu
#else
#include "on_cuda.h"
#define POINTER(value) (value)
#define SUCCESS CUDA_SUCCESS
#define FAILED CUDA_ERROR_UNKNOWN
#define INVALID CUDA_ERROR_INVALID_VALUE
#define NO_BINARY CUDA_ERROR_NO_BINARY_FOR_GPU
#endif
#include <pthread.h>
#include <stdio.h>

#include "fake.h"

int other_unit_fill(void);

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

#include "fail_in_turn.h"

static void look_at_arguments(void **arguments) {
    uint16_t bits;
    CHECK(*(uint64_t *)arguments[0] == 0x1000);
    CHECK(*(uint64_t *)arguments[1] == 0x2002);
    CHECK(*(int32_t *)arguments[2] == 4096);
    CHECK(*(int64_t *)arguments[3] == 1);
    CHECK(*(uint8_t *)arguments[4] == 1);
    memcpy(&bits, arguments[5], 2);
    CHECK(bits == 0x3555); /* 1/3 in fp16 */
    memcpy(&bits, arguments[6], 2);
    CHECK(bits == 0x3eab); /* 1/3 in bf16 */
    CHECK(*(double *)arguments[7] == 2.5);
    CHECK(*(uint8_t *)arguments[8] == 200);
    CHECK(*(uint64_t *)arguments[9] == 5);
}

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

static int launch(uint64_t x, int32_t n, int64_t one, uint64_t big) {
    return (int)add_launch(NULL, POINTER(x), POINTER(0x2002), n, one, true, 1.0f / 3.0f, 1.0f / 3.0f, 2.5,
                           200, big);
}

static void check_launch(void) {
    fake.seen = look_at_arguments;
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS);
    CHECK(strcmp(fake.kernel, "add") == 0);
    CHECK(fake.grid[0] == 64 && fake.grid[1] == 5 && fake.grid[2] == 1);
    CHECK(fake.launches == 1 && fake.loads == 1);
    fake.seen = look_at_nothing;
    CHECK(launch(0x1000, 4096, 1, 0) == SUCCESS); /* tkc_max makes it 1 */
    CHECK(fake.grid[1] == 1);
    CHECK(add_NUM_WARPS == 4 && add_BLOCK == 64 && add_OFFSET == -3 && add_EVEN == 1);
}

/* One variant, as users of Triton's tools call it. */
static void check_triton(void) {
    int before = fake.launches;
    fake.seen = look_at_nothing;
    CHECK(add_get_num_algos() == 1 && (int)load_add() == SUCCESS);
    CHECK((int)add(NULL, POINTER(0x1000), POINTER(0x2002), 4096, 1, true, 0, 0, 2.5, 200, 5, 0) == SUCCESS);
    CHECK((int)add(NULL, POINTER(0x1000), POINTER(0x2002), 4096, 1, true, 0, 0, 2.5, 200, 5, 1) == INVALID);
    CHECK((int)add_default(NULL, POINTER(0x1000), POINTER(0x2002), 4096, 1, true, 0, 0, 2.5, 200, 5) ==
          SUCCESS);
    CHECK(fake.launches == before + 2 && fake.grid[0] == 64);
}

static bool says(const char *text) {
    return strcmp(add_strerror(INVALID), text) == 0;
}

static void check_refusals(void) {
    int before = fake.launches;
    CHECK(launch(0x1008, 4096, 1, 5) == INVALID); /* alignment */
    CHECK(says("add: argument 'x' has to be a multiple of 16 (its hint says so), and 0x1008 was given"));
    CHECK(strcmp(fill_strerror(INVALID), add_strerror(INVALID)) != 0); /* another kernel's rule */
    CHECK(launch(0x1000, 4100, 1, 5) == INVALID);                      /* divisibility */
    CHECK(says("add: argument 'n' has to be a multiple of 16 (its hint says so), and 4100 was given"));
    CHECK(launch(0x1000, 4096, 2, 5) == INVALID); /* equal to one */
    CHECK(says("add: argument 'one' has to be 1 (its hint says so), and 2 was given"));
    CHECK(launch(0x1000, -4096, 1, 5) == INVALID);
    CHECK(says("add: its grid is negative or too large"));
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS); /* a launch that keeps all rules forgets the broken one */
    CHECK(!says("add: its grid is negative or too large"));
    CHECK(launch(0x1000, 4096, 1, UINT64_MAX) == INVALID); /* beyond a grid's integers */
    CHECK(launch(0x1000, 0, 1, 5) == SUCCESS);
    CHECK(fill_launch_grid(NULL, 1, 0, 1) == SUCCESS);
    CHECK(fake.launches == before + 1);
}

static void check_unloading(void) {
    CHECK(fill_launch_grid(NULL, 2, 3, 4) == SUCCESS);
    CHECK(strcmp(fake.kernel, "fill") == 0 && fake.grid[2] == 4 && fake.shared == 0);
    CHECK(other_unit_fill() == SUCCESS);
    CHECK(fake.loads == 1);
    CHECK(add_unload() == SUCCESS && fake.unloads == 0);
    CHECK(fill_unload() == SUCCESS && fake.unloads == 1);
    CHECK(fill_unload() == SUCCESS && fake.unloads == 1);
    CHECK(add_load() == SUCCESS && fake.loads == 2);
}

static void *launch_often(void *unused) {
    for (int i = 0; i < 2000; i++) {
        if (launch(0x1000, 4096, 1, 5) != SUCCESS || other_unit_fill() != SUCCESS) {
            return unused;
        }
    }
    return NULL;
}

static void check_threads(void) {
    pthread_t threads[8];
    int loads = fake.loads, failed = 0, launches = fake.launches;
    void (*seen)(void **) = fake.seen;
    fake.seen = NULL;
    add_unload();
    for (size_t i = 0; i < 8; i++) {
        pthread_create(&threads[i], NULL, launch_often, &failed);
    }
    for (size_t i = 0; i < 8; i++) {
        void *result;
        pthread_join(threads[i], &result);
        CHECK(result == NULL);
    }
    fake.seen = seen;
    CHECK(fake.loads == loads + 1);
    CHECK(fake.launches == launches + 8 * 4000);
}

#ifdef RUN_HIP
static void check_vendor(void) {
    int loads = fake.loads;
    CHECK(fake.threads == 64 * 1 || fake.threads == 64 * 4);
    CHECK(strncmp(fake.image, "elf for gfx942", sizeof "elf for gfx942" - 1) == 0);
    fake.device = 1;
    fake.chip = "gfx1100";
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS);
    CHECK(fake.loads == loads + 1 &&
          strncmp(fake.image, "elf for gfx1100", sizeof "elf for gfx1100" - 1) == 0);
    CHECK(fake.threads == 128 && fake.shared == 65536 + 32);
    fake.device = 2;
    fake.chip = "gfx1151:xnack-"; /* no image of its own, but its family's */
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS &&
          strncmp(fake.image, "elf for gfx11-generic", sizeof "elf for gfx11-generic" - 1) == 0);
    CHECK(fake.threads == 128 && fake.shared == 65536 + 16);
    fake.device = 3;
    fake.chip = "gfx94";
    CHECK(launch(0x1000, 4096, 1, 5) == NO_BINARY);
    fake.chip = "gfx115";
    CHECK(launch(0x1000, 4096, 1, 5) == NO_BINARY);
    fake.chip = "gfx1200";
    CHECK(launch(0x1000, 4096, 1, 5) == NO_BINARY);
}
#else
static void check_vendor(void) {
    int loads = fake.loads;
    CHECK(strncmp(fake.image, "ptx for sm_90a", sizeof "ptx for sm_90a" - 1) == 0);
    CHECK(fake.limit == 65536 + 16);
    fake.context_id++; /* the handle is the same one: only the id tells */
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS && fake.loads == loads + 1);
    fake.context_id--;
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS && fake.loads == loads + 1);
    fake.context_id = 100;
    fake.major = 9;
    fake.minor = 9;
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS &&
          strncmp(fake.image, "ptx for sm_80", sizeof "ptx for sm_80" - 1) == 0);
    CHECK(fake.threads == 128 && fake.shared == 65536);
    static const struct {
        int major, minor;
        const char *image;
    } blackwell[] = {{10, 0, "ptx for sm_100f"}, // its family's
                     {10, 3, "ptx for sm_103a"}, // its own
                     {10, 7, "ptx for sm_100f"}, // the family's, though a later plain one is there
                     {11, 0, "ptx for sm_103"},  // of another family: the latest plain one
                     {12, 0, "ptx for sm_103"}};
    for (size_t i = 0; i < sizeof blackwell / sizeof *blackwell; i++) {
        fake.context_id++;
        fake.major = blackwell[i].major;
        fake.minor = blackwell[i].minor;
        CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS && strcmp(fake.image, blackwell[i].image) == 0);
    }
    fake.context_id = 111;
    fake.major = 8;
    fake.minor = 9;
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS &&
          strncmp(fake.image, "cubin for sm_86", sizeof "cubin for sm_86" - 1) == 0);
    fake.context_id = 112;
    fake.major = 7;
    fake.minor = 5;
    CHECK(launch(0x1000, 4096, 1, 5) == NO_BINARY);
    fake.major = 8;
    fake.fail_load = 1;
    CHECK(launch(0x1000, 4096, 1, 5) == CUDA_ERROR_INVALID_PTX);
    fake.fail_load = 0;
    CHECK(launch(0x1000, 4096, 1, 5) == SUCCESS);
    fake.context_id = 0;
    CHECK(launch(0x1000, 4096, 1, 5) == CUDA_ERROR_INVALID_CONTEXT);
}
#endif

static int launch_once(void) {
    return launch(0x1000, 4096, 1, 5);
}

static int load_once(void) {
    return (int)add_load();
}

static int unload_once(void) {
    return (int)add_unload();
}

static void check_failures(void) {
    fake.seen = look_at_nothing;
    fake.major = 9;
    fake.chip = "gfx942";
    CHECK(fail_in_turn(1000, launch_once, launch_once, unload_once, "", 0) > 4);
    CHECK(fail_in_turn(2000, load_once, launch_once, unload_once, "", 0) > 3);
    CHECK(fail_in_turn(3000, unload_once, launch_once, unload_once, "", 1) == 2);
}

/* Every float between two neighbouring halves, at the ends, the middle and next to it. */
static void check_half(void) {
#ifdef __FLT16_MAX__
    for (uint32_t bits = 0; bits < 0x7c00u; bits++) {
        uint16_t low = (uint16_t)bits, high = (uint16_t)(bits + 1);
        _Float16 from, to;
        memcpy(&from, &low, 2);
        memcpy(&to, &high, 2);
        float a = (float)from, b = high == 0x7c00 ? 65536.0f : (float)to, middle = (a + b) / 2;
        CHECK(tkc_half_bits(a) == low);
        CHECK(tkc_half_bits(middle) == (low & 1 ? high : low));
        CHECK(tkc_half_bits(middle - (b - a) / 64) == low);
        CHECK(tkc_half_bits(middle + (b - a) / 64) == high);
        CHECK(tkc_half_bits(-a) == (low | 0x8000));
    }
#endif
    CHECK(tkc_bfloat_bits(1.00390625f) == 0x3f80 && tkc_bfloat_bits(1.01171875f) == 0x3f82);
}

__extension__ typedef __int128 wide;

/* Python's result, or no grid if it is beyond 64 bits. */
static int64_t narrow(wide exact) {
    return exact > INT64_MAX || exact <= INT64_MIN ? TKC_NO_GRID : (int64_t)exact;
}

static wide floor_of(wide a, wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static void check_pair(int64_t a, int64_t b) {
    bool none = a == TKC_NO_GRID || b == TKC_NO_GRID, none_or_zero = none || b == 0;
    wide x = a, y = b;
    CHECK(tkc_add(a, b) == (none ? TKC_NO_GRID : narrow(x + y)));
    CHECK(tkc_sub(a, b) == (none ? TKC_NO_GRID : narrow(x - y)));
    CHECK(tkc_mul(a, b) == (none ? TKC_NO_GRID : narrow(x * y)));
    CHECK(tkc_floordiv(a, b) == (none_or_zero ? TKC_NO_GRID : narrow(floor_of(x, y))));
    CHECK(tkc_mod(a, b) == (none_or_zero ? TKC_NO_GRID : narrow(x - y * floor_of(x, y))));
    /* In a division by a negative number the inner sum may exceed 64 bits although the quotient does not. */
    bool wide_sum = b < 0 && (narrow(y - 1) == TKC_NO_GRID || narrow(x + y - 1) == TKC_NO_GRID);
    CHECK(tkc_cdiv(a, b) == (none_or_zero || wide_sum ? TKC_NO_GRID : narrow(floor_of(x + y - 1, y))));
    CHECK(tkc_min(a, b) == (none ? TKC_NO_GRID : a < b ? a : b));
    CHECK(tkc_max(a, b) == (none ? TKC_NO_GRID : a > b ? a : b));
    CHECK(tkc_lt(a, b) == (none ? TKC_NO_GRID : a < b) && tkc_le(a, b) == (none ? TKC_NO_GRID : a <= b));
    CHECK(tkc_eq(a, b) == (none ? TKC_NO_GRID : a == b) && tkc_ne(a, b) == (none ? TKC_NO_GRID : a != b));
    CHECK(tkc_bit_and(a, b) == (none ? TKC_NO_GRID : (a & b)));
    CHECK(tkc_bit_or(a, b) == (none ? TKC_NO_GRID : (a | b)));
    CHECK(tkc_bit_xor(a, b) == (none ? TKC_NO_GRID : (a ^ b)));
    bool shifts = !none && b >= 0, far = b > 62;
    CHECK(tkc_shl(a, b) == (!shifts  ? TKC_NO_GRID
                            : a == 0 ? 0
                            : far    ? TKC_NO_GRID
                                     : narrow(x * ((wide)1 << (far ? 0 : b)))));
    CHECK(tkc_shr(a, b) == (!shifts ? TKC_NO_GRID : far ? (a < 0 ? -1 : 0) : a >> (far ? 0 : b)));
    CHECK(tkc_choose(a, b, 5) == (a == TKC_NO_GRID ? TKC_NO_GRID : a ? b : 5));
    CHECK(tkc_and(a, b) == (a == TKC_NO_GRID ? TKC_NO_GRID : a ? b : a));
    CHECK(tkc_or(a, b) == (a == TKC_NO_GRID ? TKC_NO_GRID : a ? a : b));
}

static void check_grid_arithmetic(void) {
    static const int64_t edges[] = {INT64_MIN,
                                    INT64_MIN + 1,
                                    INT32_MIN,
                                    -64,
                                    -9,
                                    -8,
                                    -2,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    7,
                                    8,
                                    62,
                                    63,
                                    64,
                                    INT32_MAX,
                                    INT64_C(1) << 32,
                                    3037000500,
                                    INT64_MAX / 2,
                                    INT64_MAX - 1,
                                    INT64_MAX};
    size_t count = sizeof edges / sizeof *edges;
    for (size_t i = 0; i < count; i++) {
        int64_t a = edges[i];
        bool none = a == TKC_NO_GRID;
        for (size_t j = 0; j < count; j++) {
            check_pair(a, edges[j]);
        }
        CHECK(tkc_neg(a) == (none ? TKC_NO_GRID : narrow(-(wide)a)) && tkc_abs(a) == (none    ? a
                                                                                      : a < 0 ? -a
                                                                                              : a));
        CHECK(tkc_not(a) == (none ? TKC_NO_GRID : a == 0) &&
              tkc_invert(a) == (none ? TKC_NO_GRID : narrow(~(wide)a)));
    }
    CHECK(tkc_of_unsigned(INT64_MAX) == INT64_MAX && tkc_of_unsigned(UINT64_C(1) << 63) == TKC_NO_GRID);
}

/* Faulty grids: one that used to become a single program, and an empty one. */
static void check_grid_faults(void) {
    int64_t by_zero[3] = {tkc_mul(tkc_cdiv(5, 0), tkc_cdiv(6, 0)), 1, 1};
    int64_t cube[3] = {tkc_mul(tkc_mul(INT64_C(1) << 22, INT64_C(1) << 22), INT64_C(1) << 22), 1, 1};
    int64_t below[3] = {0, -1, 1}, empty[3] = {4, 0, 5}, unused[3] = {tkc_choose(0, tkc_cdiv(1, 0), 3), 1, 1};
    CHECK(!tkc_grid_fits(by_zero) && !tkc_grid_fits(cube) && !tkc_grid_fits(below));
    CHECK(tkc_grid_fits(empty) && empty[0] == 0 && empty[2] == 0);
    CHECK(tkc_grid_fits(unused) && unused[0] == 3);
}

int main(void) {
    fake.context_id = 7;
    fake.major = 9;
    fake.chip = "gfx942:sramecc+:xnack-";
    check_launch();
    check_triton();
    check_refusals();
    check_unloading();
    check_threads();
    check_vendor();
    check_failures();
    check_half();
    check_grid_arithmetic();
    check_grid_faults();
    if (!faults) {
        puts("the launcher behaves");
    }
    return faults != 0;
}
