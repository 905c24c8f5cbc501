/* Runs a generated launcher of a kernel with variants on the recording driver: the picked variant, its
 * arguments, the loaded images, the choices of tuning and the memory of them. */
#ifdef RUN_HIP
#define __HIP_PLATFORM_AMD__
#endif
#define TKC_IMAGES "images/"
#ifdef VARIANTS /* with driver functions found at run time */
#include VARIANTS
#else
#include "on_variants.h"
#endif
#ifdef RUN_ANY /* of either driver; both are there, and the first argument tells which one has a device */
#include "on_dynamic_levels.h"
#else
#include "on_levels.h"
#endif
#if defined(RUN_ANY)
#define ON_AMD (tkc_driver_1.vendor == TKC_AMD)
#define THERE "sm_80 (PTX, assembly that later chips take too), gfx942, sm_90a (no other chip), gfx1100"
#define POINTER(value) ((uint64_t)(value))
#define SUCCESS 0
#define INVALID 1
#define NO_BINARY 209
#define FAILED 999
#elif defined(RUN_HIP)
#define ON_AMD 1
#define THERE "gfx942, gfx1100"
#define POINTER(value) ((void *)(uintptr_t)(value))
#define SUCCESS hipSuccess
#define INVALID hipErrorInvalidValue
#define NO_BINARY hipErrorNoBinaryForGpu
#define NOT_OPENED hipErrorSharedObjectInitFailed
#define FAILED hipErrorUnknown
#else
#define ON_AMD 0
#define THERE "sm_80 (PTX, assembly that later chips take too), sm_90a (no other chip)"
#define POINTER(value) ((CUdeviceptr)(value))
#define SUCCESS CUDA_SUCCESS
#define INVALID CUDA_ERROR_INVALID_VALUE
#define NO_BINARY CUDA_ERROR_NO_BINARY_FOR_GPU
#define NOT_OPENED CUDA_ERROR_SHARED_OBJECT_INIT_FAILED
#define FAILED CUDA_ERROR_UNKNOWN
#endif
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

#include "fake.h"

static int faults;
#define CHECK(condition)                                                                                     \
    ((condition) ? (void)0                                                                                   \
                 : (void)(faults++, fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))
#include "choice_files.h"
#include "fail_in_turn.h"

static int32_t last_m;
static uint16_t last_scale;

static void look(void **arguments) {
    memcpy(&last_m, arguments[2], sizeof last_m);
    memcpy(&last_scale, arguments[5], sizeof last_scale);
}

/* a, c, count, sums in the device's memory. */
enum { C = 4096, COUNT = 8192, SUMS = 12288, SUMS_BYTES = 64 };
#define AT(offset) POINTER((size_t)fake_device_memory() + (offset))
#define ARGUMENTS(m, n, k) AT(0), AT(C), m, n, k, 1.5f, AT(COUNT), AT(SUMS)

static int launch(int32_t m, int64_t n, int32_t k) {
    return (int)mm_launch(NULL, ARGUMENTS(m, n, k));
}

static int launch_variant(unsigned variant, int32_t m) {
    return (int)mm_launch_variant(NULL, variant, ARGUMENTS(m, 64, 64));
}

static unsigned picked(int32_t m, int64_t n, int32_t k) {
    unsigned variant = 99;
    CHECK((int)mm_pick(&variant, ARGUMENTS(m, n, k)) == SUCCESS);
    return variant;
}

/* Large grids take large tiles, small ones are spread over the chip. */
static void check_cost(void) {
    CHECK(mm_VARIANTS == 3 && strcmp(mm_variant_name(0), "TILE_256") == 0 && mm_variant_name(3) == NULL);
    CHECK(mm_EVEN == 1);
    CHECK(picked(16384, 16384, 4096) == 0 || picked(16384, 16384, 4096) == 1);
    CHECK(picked(128, 128, 4096) == 2);
    CHECK(launch(128, 128, 4096) == SUCCESS && strcmp(fake.kernel, "mm_TILE_32") == 0);
    CHECK(fake.grid[0] == 16 && fake.threads == 128 && fake.shared == 32 * 128);
    CHECK(last_m == 128 && last_scale == 0x3e00);
}

static int second_grid_alone(unsigned variant, const int64_t *values, int64_t grid[3]) {
    (void)values;
    grid[0] = grid[1] = grid[2] = 1;
    return variant == 1;
}

/* A variant is not launched if its grid has no result for the arguments. */
static void check_grids_without_result(void) {
    static const struct tkc_variant variants[3];
    struct tkc_family family;
    struct tkc_fit fits[3];
    struct tkc_chip chip;
    int64_t values[1] = {0};
    int i;
    memset(&family, 0, sizeof family);
    memset(&chip, 0, sizeof chip);
    memset(fits, 0, sizeof fits);
    family.variants = variants;
    family.count = 3;
    family.grid = second_grid_alone;
    for (i = 0; i < 3; i++) {
        fits[i].fits = 1;
        fits[i].threads = 128;
    }
    CHECK(tkc_cheapest(&family, fits, &chip, values) == 1);
    fits[1].fits = 0;
    CHECK(tkc_cheapest(&family, fits, &chip, values) == 0);
}

static int grid_of_eight(unsigned variant, const int64_t *values, int64_t grid[3]) {
    (void)variant;
    (void)values;
    grid[0] = 8;
    grid[1] = grid[2] = 1;
    return 1;
}

/* Term 1 of variant 1 ends where its program begins, id * 2 + 1 steps: 8 on the mean of ids 0 to 7. */
static int64_t steps_by_id(unsigned variant, unsigned term, const int64_t *values, const int64_t id[3]) {
    (void)values;
    return variant == 1 && term == 1 ? id[0] * 2 + 1 : -1;
}

/* Of two variants alike the one whose programs do half of the steps on the mean is taken. */
static void check_steps_of_programs(void) {
    static const struct tkc_variant variants[2] = {{"a", 2, {{-1, 3, 1e6, 1e4, 0}, {0, 4, 1e6, 1e4, 0}}, 0},
                                                   {"b", 2, {{-1, 3, 1e6, 1e4, 0}, {0, 4, 1e6, 1e4, 0}}, 0}};
    struct tkc_family family;
    struct tkc_fit fits[2];
    struct tkc_chip chip;
    int64_t values[1] = {61}, grid[3] = {8, 1, 1};
    memset(&family, 0, sizeof family);
    memset(&chip, 0, sizeof chip);
    memset(fits, 0, sizeof fits);
    family.variants = variants;
    family.count = 2;
    family.grid = grid_of_eight;
    fits[0].fits = fits[1].fits = 1;
    fits[0].threads = fits[1].threads = 128;
    CHECK(tkc_cheapest(&family, fits, &chip, values) == 0);
    family.steps = steps_by_id;
    CHECK(tkc_times(&family, 0, 1, values, grid) == 16 && tkc_times(&family, 1, 0, values, grid) == 3);
    CHECK(tkc_times(&family, 1, 1, values, grid) == 8);
    CHECK(tkc_cheapest(&family, fits, &chip, values) == 1);
}

static void check_launches(void) {
    int before = fake.launches;
    CHECK(launch_variant(1, 100) == SUCCESS && strcmp(fake.kernel, "mm_TILE_64") == 0 && fake.grid[0] == 2);
    CHECK(launch_variant(3, 100) == INVALID && launch_variant(1, -100) == INVALID);
    CHECK(launch_variant(1, 0) == SUCCESS && launch(0, 64, 64) == SUCCESS); /* empty grids */
    CHECK(launch(100, 100, 64) == INVALID);                                 /* a hint */
    CHECK(fake.launches == before + 1);
}

/* PTX is loaded a variant at a time, a code object as a whole. */
static void check_loading(void) {
    int loads = fake.loads, unloads = fake.unloads;
    CHECK((int)mm_unload() == SUCCESS);
    loads = fake.loads;
    CHECK(launch_variant(2, 32) == SUCCESS && fake.loads == loads + 1);
    CHECK((int)mm_load() == SUCCESS);
    CHECK(ON_AMD ? fake.loads == loads + 1
                 : fake.loads == loads + 3 && strcmp(fake.image, "ptx for sm_90a: mm_TILE_64") == 0);
    loads = fake.loads;
    CHECK(launch_variant(0, 32) == SUCCESS && launch_variant(1, 32) == SUCCESS && fake.loads == loads);
    fake.capturing = 1; /* a new key: nothing is loaded, allocated or waited for */
    CHECK(launch(640, 1280, 192) == SUCCESS && fake.loads == loads);
    fake.capturing = 0;
    unloads = fake.unloads;
    CHECK((int)mm_unload() == SUCCESS);
    CHECK(fake.unloads == unloads + (ON_AMD ? 1 : 3));
}

/* The largest tile does not fit sm_80 and gfx1100: it is never picked, and cannot be launched. */
static void check_left_out(void) {
    fake.context_id = 40;
    fake.major = 8;
    fake.device = 40;
    fake.chip = "gfx1100";
    for (int32_t m = 64; m < 40000; m *= 2) {
        CHECK(picked(m, m, 4096) != 0);
    }
    CHECK((int)mm_load() == SUCCESS);
    CHECK(launch_variant(0, 32) == NO_BINARY && launch_variant(1, 32) == SUCCESS);
    CHECK((int)mm_unload() == SUCCESS);
    fake.context_id = 41;
    fake.major = 7;
    fake.device = 41;
    fake.chip = "gfx90a";
    CHECK(launch(128, 128, 64) == NO_BINARY && (int)mm_load() == NO_BINARY);
    CHECK(strcmp(mm_strerror(NO_BINARY), "no image of mm fits this device; there is " THERE) == 0);
    CHECK(strcmp(mm_strerror(INVALID), "an error of the fake driver") == 0);
#ifndef RUN_ANY
    CHECK(strstr(mm_strerror(NOT_OPENED), "could not be opened") != NULL);
#endif
    fake.context_id = 7;
    fake.major = 9;
    fake.device = 0;
    fake.chip = "gfx942:sramecc+:xnack-";
}

static void check_distances(void) {
    int64_t a[2] = {4096, 1}, b[2] = {1024, 1}, c[2] = {4096, 3}, zero[2] = {0, -5};
    CHECK(tkc_log2(1) == 0 && tkc_log2(0) == 0 && tkc_log2(UINT64_C(1) << 63) == 63 << 16);
    CHECK(tkc_log2(3) == (3 << 15) && tkc_log2(96) - tkc_log2(64) == 1 << 15);
    CHECK(tkc_log2(UINT64_MAX) > tkc_log2(UINT64_C(1) << 63));
    CHECK(tkc_key_distance(a, a, 2) == 0 && tkc_key_distance(a, b, 2) == (2 << 16) + 1);
    CHECK(tkc_key_distance(a, c, 2) < tkc_key_distance(a, b, 2) && tkc_key_distance(a, zero, 2) > 0);
}

/* A choice for another device, or for a variant too large for this one, is ignored. */
static void check_nearest(void) {
    static const struct tkc_choice choices[] = {
        {"one", {64}, 0, 1}, {"other", {100}, 1, 1}, {"one", {4096}, 1, 1}, {"one", {90}, 2, 1}};
    struct tkc_fit fits[3];
    int64_t key = 100;
    uint64_t distance = 7;
    memset(fits, 0, sizeof fits);
    fits[0].fits = fits[1].fits = 1;
    CHECK(tkc_nearest(choices, 4, "one", &key, 1, fits, &distance) == 0);
    fits[2].fits = 1;
    CHECK(tkc_nearest(choices, 4, "one", &key, 1, fits, &distance) == 3);
    key = 3000;
    CHECK(tkc_nearest(choices, 4, "one", &key, 1, fits, &distance) == 2);
    key = 4096;
    CHECK(tkc_nearest(choices, 4, "one", &key, 1, fits, &distance) == 2 && distance == 0);
    CHECK(tkc_nearest(choices, 4, "none", &key, 1, fits, &distance) == 4);
}

/* ---- tuning: the kernel writes c, counts into `count` and doubles `sums`; each variant takes its own time */

static double durations[3];
static int wrong_variant = -1, noise, adds_to_c;

static double work(const char *kernel, void **arguments) {
    int variant = strcmp(kernel, "mm_TILE_256") == 0 ? 0 : strcmp(kernel, "mm_TILE_64") == 0 ? 1 : 2;
    float c;
    int32_t count;
    uint16_t sum;
    memcpy(&c, fake_device_memory() + C, 4);
    memcpy(&count, fake_device_memory() + COUNT, 4);
    memcpy(&sum, fake_device_memory() + SUMS, 2);
    (void)arguments;
    c = (adds_to_c ? c + 1.0f : 100.0f) + (variant == wrong_variant ? 5.0f : (float)variant / 1000.0f);
    count += 3;
    sum = (uint16_t)(sum + 0x400); /* twice the fp16 */
    memcpy(fake_device_memory() + C, &c, 4);
    memcpy(fake_device_memory() + COUNT, &count, 4);
    memcpy(fake_device_memory() + SUMS, &sum, 2);
    noise = (noise * 5 + 1) % 16; /* now and then something else takes the device */
    return durations[variant] * (noise == 3 || noise == 8 ? 40.0 : 1.0);
}

static int tune(int32_t m, int64_t n) {
    uint16_t one = 0x3c00;
    memcpy(fake_device_memory() + SUMS, &one, 2);
    return (int)mm_tune(NULL, ARGUMENTS(m, n, 64), 4, SUMS_BYTES);
}

static void set_durations(double a, double b, double c) {
    durations[0] = a;
    durations[1] = b;
    durations[2] = c;
}

static void check_tuning(void) {
    int32_t count;
    uint16_t sum;
    fake.takes = work;
    fake.name = "Fake \x41";
    set_durations(30, 10, 20);
    CHECK(tune(16384, 16384) == SUCCESS);
    CHECK(strstr(mm_tune_report(), "mm: TILE_64, 10.00 us") != NULL);
    memcpy(&count, fake_device_memory() + COUNT, 4);
    memcpy(&sum, fake_device_memory() + SUMS, 2);
    CHECK(count == 3 && sum == 0x4000); /* the state after one launch */
    CHECK(fake.events == 0 && fake.allocations == 0 && fake.streams == 0 && fake.graphs == 0);
    CHECK(picked(16384, 16384, 64) == 1 && picked(16384, 16384, 1) == 1);
    set_durations(300, 200, 100);
    CHECK(tune(64, 16384) == SUCCESS && picked(64, 16384, 64) == 2);
    CHECK(picked(128, 16384, 64) == 2 && picked(8192, 8192, 64) == 1); /* the nearest key */
    set_durations(1, 2, 3);
    CHECK(tune(64, 16384) == SUCCESS && picked(64, 16384, 64) == 0); /* tuned again */
}

/* Two close variants run against each other for longer. */
static void check_close_variants(void) {
    int apart, close;
    set_durations(20, 10, 30);
    apart = fake.launches;
    CHECK(tune(512, 512) == SUCCESS && picked(512, 512, 64) == 1);
    apart = fake.launches - apart;
    set_durations(10.25, 10, 30);
    close = fake.launches;
    CHECK(tune(512, 512) == SUCCESS && picked(512, 512, 64) == 1);
    CHECK(strstr(mm_tune_report(), "mm: TILE_64, 10.00 us") != NULL);
    CHECK(fake.launches - close == apart + 2 * (TKC_SAMPLES - TKC_FIRST_SAMPLES));
}

/* The header's own table; later tuning takes precedence. */
static void check_given_choices(void) {
    fake.context_id = 60;
    fake.device = 3;
    fake.name = "Tuned before";
    CHECK(picked(4096, 4096, 64) == 2 && picked(64, 64, 64) == 1);
    CHECK(picked(100, 128, 64) == 1 && picked(16384, 4096, 64) == 2);
    set_durations(1, 2, 3);
    CHECK(tune(64, 64) == SUCCESS && picked(64, 64, 64) == 0 && picked(4096, 4096, 64) == 2);
    fake.context_id = 7;
    fake.device = 0;
}

/* Another device has choices of its own. */
static void check_devices(void) {
    fake.context_id = 50;
    fake.device = 1;
    fake.name = "another";
    CHECK(picked(128, 128, 4096) == 2);
    fake.name = "Fake A";
    fake.context_id = 51;
    fake.device = 2;
    CHECK(picked(64, 16384, 64) == 0);
    fake.context_id = 7;
    fake.device = 0;
}

/* A number in only one of two results is no rounding difference, anywhere in the array; bytes of other types
 * must be equal. */
static void check_agreement(void) {
    const float nan = (float)NAN, plain[3] = {100, 200, 300};
    float close[3] = {100.5f, 200, 300}, far[3] = {100, 203.5f, 300}, lost[3] = {100, 200, 300.5f};
    size_t where = 9;
    lost[0] = nan;
    CHECK(tkc_agree("fp32", plain, close, sizeof plain, &where) && where == 0);
    CHECK(!tkc_agree("fp32", plain, far, sizeof plain, &where) && where == 1);
    CHECK(!tkc_agree("fp32", plain, lost, sizeof plain, &where) && where == 0);
    CHECK(!tkc_agree("fp32", lost, plain, sizeof plain, &where) && tkc_agree("fp32", lost, lost, 12, &where));
    CHECK(!tkc_agree("i8", "a", "b", 1, &where) && !tkc_agree("i32", plain, close, 12, &where));
}

static void check_refused_tuning(void) {
    int before = fake.launches;
    fake.capturing = 1;
    CHECK(tune(64, 64) != SUCCESS && fake.launches == before);
    fake.capturing = 0;
    CHECK((int)mm_tune(NULL, ARGUMENTS(64, 64, 64), 4, 1 << 20) == INVALID); /* beyond the allocation */
    CHECK(strstr(mm_tune_report(), "sums has 53248 bytes up to the end of its allocation, not 1048576") !=
          NULL);
    CHECK(tune(0, 64) == SUCCESS && strcmp(mm_tune_report(), "mm: an empty grid") == 0);
    CHECK(fake.launches == before && picked(1, 64, 64) == picked(1, 128, 64)); /* nothing was chosen */
    wrong_variant = 2;
    CHECK(tune(64, 64) == INVALID);
    CHECK(strstr(mm_tune_report(), "TILE_256 and TILE_32 do not agree in c, element 0") != NULL);
    wrong_variant = -1;
    adds_to_c = 1;
    CHECK(tune(64, 64) == INVALID && strstr(mm_tune_report(), "reset_to_zero") != NULL);
    adds_to_c = 0;
    CHECK(tune(64, 100) == INVALID); /* a broken hint */
    CHECK(fake.events == 0 && fake.allocations == 0);
    fake.fail_launch = 2; /* a variant that fails to launch is left out */
    set_durations(3, 1, 2);
    CHECK(tune(64, 64) == SUCCESS && picked(64, 64, 64) == 2);
}

/* The most special level with all hints kept; a variant is launched only if its level's hints are kept. */
static int launch_level(uint64_t x, int32_t n, int64_t one) {
    fake.kernel = "none";
    return (int)lv_launch(NULL, POINTER(x), n, one);
}

static int launch_of_level(unsigned variant, uint64_t x, int32_t n, int64_t one) {
    return (int)lv_launch_variant(NULL, variant, POINTER(x), n, one);
}

static double work_of_levels(const char *kernel, void **arguments) {
    (void)arguments;
    return strstr(kernel, "_B_") ? 5 : 9;
}

static void look_at_nothing(void **arguments) {
    (void)arguments;
}

/* A fact about one of many levels is not used for another. */
static void check_places(void) {
    struct tkc_memory *memory = (struct tkc_memory *)calloc(1, sizeof *memory);
    struct tkc_family family;
    uint64_t first, last;
    memset(&family, 0, sizeof family);
    family.memory = memory;
    memory->generation = UINT_MAX;
    first = tkc_pick_place(&family, 7, 0);
    last = tkc_pick_place(&family, 7, 256);
    CHECK(first != last && last != tkc_pick_place(&family, 7, TKC_LEVELS - 1));
    CHECK(tkc_pick_place(&family, 7, TKC_LEVELS - 1) != tkc_pick_place(&family, 8, 0));
    free(memory);
}

static void check_levels(void) {
    size_t at = (size_t)fake_device_memory();
    const char *text;
    (void)remove("levels.json");
    fake.seen = look_at_nothing;
    fake.takes = NULL;
    CHECK(launch_level(at, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_A_n_16") == 0);
    CHECK(strcmp(fake.image, ON_AMD ? "images/lv.gfx942" : "images/lv.sm_90a") ==
          0); /* of the chip, in the given folder */
    CHECK(launch_level(at, 641, 1) == SUCCESS && strcmp(fake.kernel, "lv_A_any") == 0);
    CHECK(launch_level(at, 640, 2) == SUCCESS && strcmp(fake.kernel, "lv_A_any") == 0);
    CHECK(launch_level(at + 4, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_A_any") == 0);
    CHECK(launch_level(at, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_A_n_16") == 0);
    CHECK(launch_of_level(1, at, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_B_n_16") == 0);
    CHECK(launch_of_level(1, at, 641, 1) == INVALID && launch_of_level(0, at, 640, 3) == INVALID);
    CHECK(launch_of_level(3, at, 641, 3) == SUCCESS && launch_of_level(3, at, 640, 1) == SUCCESS);
    CHECK(launch_of_level(4, at, 640, 1) == INVALID);
    fake.takes = work_of_levels;
    CHECK((int)lv_tune(NULL, POINTER(at), 640, 1) == SUCCESS && strstr(lv_tune_report(), "B_n_16"));
    CHECK(launch_level(at, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_B_n_16") == 0);
    CHECK(launch_level(at, 640, 2) == SUCCESS && strcmp(fake.kernel, "lv_A_any") == 0);
    /* A choice for the same key at another level stands beside it, also in the file. */
    CHECK((int)lv_tune(NULL, POINTER(at + 4), 640, 1) == SUCCESS && strstr(lv_tune_report(), "B_any"));
    CHECK(launch_level(at, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_B_n_16") == 0);
    CHECK(launch_level(at + 4, 640, 1) == SUCCESS && strcmp(fake.kernel, "lv_B_any") == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(lv_save_tuned("levels.json") == 0);
        text = contents("levels.json");
        CHECK(strstr(text, "\"B_any\"") && strstr(strstr(text, "\"B_any\""), "\"B_n_16\""));
        CHECK(strchr(strchr(strchr(strchr(text, '\n') + 1, '\n') + 1, '\n') + 1, '\n') + 1 ==
              strchr(text, 0));
    }
}

/* The functions of Triton's own tools. */
static void check_triton(void) {
    fake.seen = look;
    CHECK(mm_get_num_algos() == 3 && (int)load_mm() == SUCCESS);
    CHECK((int)mm(NULL, ARGUMENTS(100, 64, 64), 1) == SUCCESS && strcmp(fake.kernel, "mm_TILE_64") == 0);
    CHECK((int)mm(NULL, ARGUMENTS(100, 64, 64), 3) == INVALID);
    CHECK((int)mm(NULL, ARGUMENTS(100, 64, 64), -1) == INVALID);
    CHECK((int)mm_default(NULL, ARGUMENTS(128, 128, 4096)) == SUCCESS && last_m == 128);
    CHECK((int)unload_mm() == SUCCESS);
}

static int launch_once(void) {
    return launch(320, 320, 64);
}

static int tune_once(void) {
    return tune(320, 320);
}

static int pick_once(void) {
    unsigned variant;
    return (int)mm_pick(&variant, ARGUMENTS(320, 320, 64));
}

static int load_once(void) {
    return (int)mm_load();
}

static int unload_once(void) {
    return (int)mm_unload();
}

static int launch_file(void) {
    return (int)lv_launch(NULL, AT(0), 640, 1);
}

static int unload_file(void) {
    return (int)lv_unload();
}

/* Tuning leaves out a variant that cannot be launched. */
static void check_failures(void) {
    const char *launching = ON_AMD ? "hipGetDevice hipModuleLaunchKernel" : "cuCtxGetId cuLaunchKernel";
    fake.seen = look;
    fake.takes = work;
    set_durations(1, 2, 3);
    CHECK(fail_in_turn(1000, launch_once, launch_once, unload_once, "", 0) > 5);
    CHECK(fail_in_turn(2000, pick_once, launch_once, unload_once, "", 0) > 2);
    CHECK(fail_in_turn(3000, load_once, launch_once, unload_once, "", 0) > 5);
    CHECK(fail_in_turn(4000, unload_once, launch_once, unload_once, "", 1) > 2);
    CHECK(fail_in_turn(10000, tune_once, launch_once, unload_once, launching, 0) > 100);
    fake.seen = look_at_nothing;
    fake.takes = NULL;
    CHECK(fail_in_turn(5000, launch_file, launch_file, unload_file, "", 0) > 5);
}

/* Launches and tuning in several threads, in one context; at the same time loading, tuning and unloading in a
 * context of the thread's own. */
static void *tune_and_launch(void *number) {
    int i, wrong = 0;
    for (i = 0; i < 200; i++) {
        int32_t m = 16 * (1 + (int32_t)((size_t)number * 7 + (size_t)i) % 900);
        wrong += launch(m, 640, 64) != SUCCESS;
        wrong += i % 40 == 0 && (int)lv_tune(NULL, AT(0), m, 1) != SUCCESS;
        wrong += (int)lv_launch(NULL, AT(0), m, 1) != SUCCESS;
        fake_own_context = 500 + (size_t)number;
        wrong += i % 40 == 20 && tune(m, 640) != SUCCESS;
        wrong += i % 4 == 0 && launch(m, 640, 64) != SUCCESS;
        wrong += i % 8 == 0 && ((int)mm_unload() != SUCCESS || (int)lv_unload() != SUCCESS);
        fake_own_context = 0;
    }
    return wrong ? number : NULL;
}

static void check_threads(void) {
    pthread_t threads[16];
    size_t i;
    int balance;
    fake.seen = NULL;
    fake.takes = NULL;
#ifndef THREADS_ONLY
    (void)mm_unload();
    (void)lv_unload();
#endif
    balance = fake.loads - fake.unloads;
    for (i = 0; i < 16; i++) {
        pthread_create(&threads[i], NULL, tune_and_launch, (void *)(i + 1));
    }
    for (i = 0; i < 16; i++) {
        void *result;
        pthread_join(threads[i], &result);
        CHECK(result == NULL);
        fake_own_context = 501 + i;
        CHECK((int)mm_unload() == SUCCESS);
    }
    fake_own_context = 0;
    CHECK((int)mm_unload() == SUCCESS && (int)lv_unload() == SUCCESS);
    CHECK(fake.loads - fake.unloads == balance && fake.events == 0 && fake.allocations == 0);
}

/* CUDA's runtime makes a context current if the driver has none. */
static void check_context(void) {
#if !defined(RUN_HIP) && !defined(RUN_ANY)
    fake.context_id = 0;
#ifdef VARIANTS
    CHECK(launch(128, 128, 64) == SUCCESS && fake.context_id == 7);
#else
    CHECK(launch(128, 128, 64) == CUDA_ERROR_INVALID_CONTEXT);
#endif
    fake.context_id = 7;
#endif
}

#ifdef RUN_ANY
/* Drivers without a device: AMD's is tried after CUDA's, and each call tries again. */
static void check_opening(int amd) {
    fake.no_cuda = fake.no_hip = 1;
    CHECK(launch(128, 128, 64) == TKC_NO_DEVICE && (int)mm_load() == TKC_NO_DEVICE);
    CHECK(strcmp(mm_strerror(TKC_NO_DEVICE),
                 "libcuda.so.1 finds no device; libamdhip64.so.7 finds no device") == 0);
    fake.no_cuda = amd;
    fake.no_hip = 0;
    CHECK(launch(128, 128, 64) == SUCCESS && tkc_driver_1.vendor == (amd ? TKC_AMD : TKC_NVIDIA));
    CHECK(!amd || tkc_driver_1.CtxGetId(NULL, NULL) ==
                      TKC_NO_FUNCTION); /* a function the vendor lacks may be called */
}
#endif

int main(int argc, char **argv) {
    (void)argv;
    (void)setlocale(LC_ALL, "");
    fake.no_cuda = argc > 1;
    fake.context_id = 7;
    fake.major = 9;
    fake.chip = "gfx942:sramecc+:xnack-";
    fake.multiprocessors = 132;
    fake.seen = look;
#ifndef THREADS_ONLY /* they open the driver, too */
#ifdef RUN_ANY
    check_opening(argc > 1);
#endif
    check_context();
    check_cost();
    check_grids_without_result();
    check_steps_of_programs();
    check_launches();
    check_loading();
    check_left_out();
    check_distances();
    check_nearest();
    check_tuning();
    check_close_variants();
    check_given_choices();
    check_devices();
    check_agreement();
    check_refused_tuning();
    check_file();
    check_foreign_files();
    check_odd_device();
    check_places();
    check_levels();
    check_triton();
    check_failures();
#endif
    check_threads();
    if (!faults) {
        puts("variants are picked");
    }
    return faults != 0;
}
