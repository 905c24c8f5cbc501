#ifndef TKC_LAUNCHER_TUNE_4
#define TKC_LAUNCHER_TUNE_4

// ---- Tuning: runs and times every variant that fits, for given arguments.
//
//   1. Every variant runs once. Results must agree with those of the first.
//   2. Rounds of samples. A round samples each variant in turn, so that a drift of the clock affects all of them. A variant's time is
//      the median of its samples. Variants that take three times the best are left out.
//   3. Variants within a twentieth of the best run further rounds.
//   4. The best variant runs once more, so the arrays hold its results.
//
// A sample is a graph of several launches: single launches of a small kernel would measure the host. Before each launch
// arrays of reset_to_zero are cleared and arrays of restore_value are restored; a sample is then one launch.
#include <math.h>
#include <stdio.h>

enum { TKC_FIRST_SAMPLES = 9, TKC_SAMPLES = 33 };
#define TKC_COMPARED ((size_t)1 << 20) // bytes of each array that are compared

// The functions of the device that tuning needs. They return 0 or the driver's code.
struct tkc_bench {
    void *user;
    int (*launch)(void *user, unsigned variant);
    int (*capture)(void *user, unsigned variant, unsigned launches, void **graph);
    int (*replay)(void *user, void *graph);
    void (*forget)(void *user, void *graph);
    int (*begin)(void *user); // starts the clock, on the stream
    int (*end)(void *user, double *microseconds);
    int (*wait)(void *user); // for the stream
    int (*room)(void *user, uint64_t address,
                size_t *bytes); // bytes from the address to the end of its allocation
    int (*read)(void *user, void *to, uint64_t from, size_t bytes);
    int (*copy)(void *user, uint64_t to, uint64_t from, size_t bytes);
    int (*clear)(void *user, uint64_t at, size_t bytes);
    int (*allocate)(void *user, uint64_t *at, size_t bytes);
    void (*release)(void *user, uint64_t at);
    int invalid; // the driver's codes for an invalid value and for lack of memory
    int no_memory;
};

// The result of the last tuning in this thread, in words.
static __thread char tkc_report[512];

static inline const char *tkc_last_report(void) {
    return tkc_report;
}

struct tkc_trial {
    const struct tkc_family *family;
    const struct tkc_bench *bench;
    const int64_t *values;
    const size_t *sizes; // of each array, in bytes; 0: not known
    uint64_t *copies;    // device memory: copies of the arrays to restore
    void **first;        // host memory: the results of the first variant
    size_t *compared;    // of each array: the bytes that are compared
    double *samples;     // [variant][TKC_SAMPLES]
    void **graphs;       // of each variant; NULL: not captured
    unsigned *launches;  // of each graph
};

static inline uint64_t tkc_array_address(const struct tkc_trial *trial, unsigned array) {
    return (uint64_t)trial->values[trial->family->arrays[array].parameter];
}

static inline int tkc_trial_prepare(const struct tkc_trial *trial) {
    unsigned i;
    int result = 0;
    for (i = 0; i < trial->family->array_count && !result; i++) {
        uint64_t address = tkc_array_address(trial, i);
        int treatment = trial->family->arrays[i].treatment;
        if (treatment == TKC_ARRAY_RESET && trial->sizes[i]) {
            result = trial->bench->clear(trial->bench->user, address, trial->sizes[i]);
        } else if (trial->copies[i]) {
            result = trial->bench->copy(trial->bench->user, address, trial->copies[i], trial->sizes[i]);
        }
    }
    return result;
}

static inline double tkc_half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double value = (double)(bits & 1023u) + (exponent ? 1024.0 : 0.0);
    if (exponent == 31) {
        value = value > 1024.0 ? (double)NAN : (double)INFINITY;
    } else {
        value *= (double)(UINT64_C(1) << (exponent ? exponent - 1 : 0)) / 16777216.0;
    }
    return bits & 0x8000u ? -value : value;
}

// Bytes of an element that is compared as a number; 0: elements are compared by their bytes.
static inline size_t tkc_number_size(const char *type) {
    return strcmp(type, "fp64") == 0                                ? 8u
           : strcmp(type, "fp32") == 0                              ? 4u
           : strcmp(type, "fp16") == 0 || strcmp(type, "bf16") == 0 ? 2u
                                                                    : 0u;
}

static inline double tkc_number(const char *type, const void *data, size_t i) {
    uint16_t half;
    uint32_t bits;
    float single;
    double value;
    if (strcmp(type, "fp64") == 0) {
        memcpy(&value, (const char *)data + 8u * i, 8);
        return value;
    }
    if (strcmp(type, "fp32") == 0) {
        memcpy(&bits, (const char *)data + 4u * i, 4);
    } else {
        memcpy(&half, (const char *)data + 2u * i, 2);
        if (strcmp(type, "fp16") == 0) {
            return tkc_half_value(half);
        }
        bits = (uint32_t)half << 16;
    }
    memcpy(&single, &bits, 4);
    return (double)single;
}

// Whether two results are equal up to rounding: equal bytes, or numbers that differ by at most a hundredth of
// the largest number. A NaN in one result alone is a difference. *where: the element with the largest
// difference.
static inline int tkc_agree(const char *type, const void *a, const void *b, size_t bytes, size_t *where) {
    size_t i, size = tkc_number_size(type);
    double largest = 0, most = 0;
    *where = 0;
    if (memcmp(a, b, bytes) == 0) {
        return 1;
    }
    if (size == 0) {
        return 0;
    }
    for (i = 0; i < bytes / size; i++) {
        double x = tkc_number(type, a, i), y = tkc_number(type, b, i);
        if (x != y && !(x != x && y != y)) {
            double difference = x > y ? x - y : x < y ? y - x : (double)INFINITY;
            if (difference > most) {
                most = difference;
                *where = i;
            }
        }
        x = x < 0 ? -x : x;
        largest = x <= 1e300 && x > largest ? x : largest;
    }
    return most <= largest / 100.0;
}

// Copies the arrays to restore and fixes the bytes to compare. A null pointer is no array.
static inline int tkc_trial_open(struct tkc_trial *trial) {
    const struct tkc_family *family = trial->family;
    const struct tkc_bench *bench = trial->bench;
    unsigned i;
    int result = 0;
    for (i = 0; i < family->array_count && !result; i++) {
        size_t room = 0;
        uint64_t address = tkc_array_address(trial, i);
        result = address ? bench->room(bench->user, address, &room) : 0;
        if (!result && trial->sizes[i] > room) {
            snprintf(tkc_report, sizeof tkc_report,
                     "%s: %s has %lu bytes up to the end of its allocation, not %lu", family->name,
                     family->arrays[i].name, (unsigned long)room, (unsigned long)trial->sizes[i]);
            return bench->invalid;
        }
        room = trial->sizes[i] ? trial->sizes[i] : room;
        trial->compared[i] = room < TKC_COMPARED ? room : TKC_COMPARED;
        trial->first[i] = malloc(trial->compared[i] + 1u);
        if (!trial->first[i]) {
            return bench->no_memory;
        }
        if (!result && family->arrays[i].treatment == TKC_ARRAY_RESTORE && trial->sizes[i]) {
            result = bench->allocate(bench->user, &trial->copies[i], trial->sizes[i]);
            if (!result) {
                result = bench->copy(bench->user, trial->copies[i], address, trial->sizes[i]);
            }
        }
    }
    return result;
}

static inline void tkc_trial_close(struct tkc_trial *trial) {
    unsigned i;
    for (i = 0; i < trial->family->array_count; i++) {
        if (trial->copies && trial->copies[i]) {
            trial->bench->release(trial->bench->user, trial->copies[i]);
        }
        if (trial->first) {
            free(trial->first[i]);
        }
    }
    for (i = 0; trial->graphs && i < trial->family->count; i++) {
        if (trial->graphs[i]) {
            trial->bench->forget(trial->bench->user, trial->graphs[i]);
        }
    }
    free(trial->graphs);
    free(trial->launches);
    free(trial->copies);
    free(trial->first);
    free(trial->compared);
    free(trial->samples);
}

// Reads the results of a variant and compares them with those of the first.
static inline int tkc_trial_check(const struct tkc_trial *trial, unsigned variant, unsigned first) {
    const struct tkc_family *family = trial->family;
    const struct tkc_bench *bench = trial->bench;
    unsigned i;
    int result = 0;
    for (i = 0; i < family->array_count && !result; i++) {
        void *here = malloc(trial->compared[i] + 1u);
        size_t where = 0;
        if (!here) {
            return bench->no_memory;
        }
        if (trial->compared[i]) {
            result = bench->read(bench->user, here, tkc_array_address(trial, i), trial->compared[i]);
        }
        if (!result && variant == first) {
            memcpy(trial->first[i], here, trial->compared[i]);
        } else if (!result &&
                   !tkc_agree(family->arrays[i].type, trial->first[i], here, trial->compared[i], &where)) {
            snprintf(
                tkc_report, sizeof tkc_report,
                "%s: variants %s and %s do not agree in %s, element %lu; an array that the kernel adds to "
                "belongs in reset_to_zero or restore_value of @triton.autotune",
                family->name, family->variants[first].name, family->variants[variant].name,
                family->arrays[i].name, (unsigned long)where);
            result = bench->invalid;
        }
        free(here);
    }
    return result;
}

// Runs a variant once. *refused: the launch itself failed.
static inline int tkc_trial_run(const struct tkc_trial *trial, unsigned variant, int *refused) {
    int result = tkc_trial_prepare(trial);
    if (!result) {
        result = trial->bench->launch(trial->bench->user, variant);
        *refused = result != 0;
    }
    return result ? result : trial->bench->wait(trial->bench->user);
}

// Captures a graph of launches and replays it once.
static inline int tkc_trial_capture(const struct tkc_trial *trial, unsigned variant, unsigned launches) {
    const struct tkc_bench *bench = trial->bench;
    int result = bench->capture(bench->user, variant, launches, &trial->graphs[variant]);
    return result ? result : bench->replay(bench->user, trial->graphs[variant]);
}

// One sample: the time of a launch, from a graph of `launches` launches. 0: from a single launch, for an
// estimate or where arrays must be prepared before each launch.
static inline int tkc_trial_sample(const struct tkc_trial *trial, unsigned variant, unsigned launches,
                                   double *microseconds) {
    const struct tkc_bench *bench = trial->bench;
    int result = tkc_trial_prepare(trial);
    if (!result && launches && !trial->graphs[variant]) {
        result = tkc_trial_capture(trial, variant, launches);
    }
    result = result ? result : bench->begin(bench->user);
    if (!result) {
        result = launches ? bench->replay(bench->user, trial->graphs[variant])
                          : bench->launch(bench->user, variant);
    }
    result = result ? result : bench->end(bench->user, microseconds);
    *microseconds /= launches ? (double)launches : 1.0;
    return result;
}

static inline double tkc_median(const double *samples, unsigned count) {
    double sorted[TKC_SAMPLES];
    unsigned i, j;
    for (i = 0; i < count; i++) {
        for (j = i; j > 0 && sorted[j - 1] > samples[i]; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = samples[i];
    }
    return sorted[count / 2];
}

static inline int tkc_needs_preparing(const struct tkc_family *family) {
    unsigned i;
    for (i = 0; i < family->array_count; i++) {
        if (family->arrays[i].treatment != TKC_ARRAY_KEEP) {
            return 1;
        }
    }
    return 0;
}

// The shortest of three single launches: one slow launch must not rule out a variant.
static inline int tkc_trial_estimate(const struct tkc_trial *trial, unsigned variant, double *least) {
    double time = 0;
    unsigned i;
    int result = 0;
    for (i = 0; i < 3 && !result; i++) {
        result = tkc_trial_sample(trial, variant, 0, &time);
        *least = i == 0 || time < *least ? time : *least;
    }
    return result;
}

// Launches in a sample: enough for 200 us, 50 at most. A kernel of up to half a millisecond gets at least
// four, because a device that was idle runs the first launch at another clock.
static inline unsigned tkc_launches_of_sample(double microseconds) {
    return microseconds > 500.0  ? 1u
           : microseconds > 50.0 ? 4u
           : microseconds > 4.0  ? (unsigned)(200.0 / microseconds)
                                 : 50u;
}

// Samples the variants that take at most `longest`, in rounds `from` to `to`, and takes the median of all
// samples of each.
static inline int tkc_trial_rounds(struct tkc_trial *trial, const struct tkc_fit *fits, double *times,
                                   double longest, unsigned from, unsigned to) {
    const struct tkc_family *family = trial->family;
    unsigned v, round;
    int result = 0, single = tkc_needs_preparing(family);
    for (round = from; round < to && !result; round++) {
        for (v = 0; v < family->count && !result; v++) {
            if (fits[v].fits && times[v] <= longest) {
                result = tkc_trial_sample(trial, v, single ? 0 : trial->launches[v],
                                          &trial->samples[v * TKC_SAMPLES + round]);
            }
        }
    }
    for (v = 0; v < family->count && !result; v++) {
        if (fits[v].fits && times[v] <= longest) {
            times[v] = tkc_median(&trial->samples[v * TKC_SAMPLES], to);
        }
    }
    return result;
}

static inline double tkc_least_time(const struct tkc_family *family, const struct tkc_fit *fits,
                                    const double *times) {
    unsigned v;
    double least = 0;
    for (v = 0; v < family->count; v++) {
        least = fits[v].fits && (least == 0 || times[v] < least) ? times[v] : least;
    }
    return least;
}

// Times the variants that fit. All of them have run.
static inline int tkc_trial_time(struct tkc_trial *trial, const struct tkc_fit *fits, double *times) {
    const struct tkc_family *family = trial->family;
    unsigned v, close = 0;
    double least;
    int result = 0;
    for (v = 0; v < family->count && !result; v++) {
        times[v] = 0;
        if (fits[v].fits) {
            result = tkc_trial_estimate(trial, v, &times[v]);
            trial->launches[v] = tkc_launches_of_sample(times[v]);
        }
    }
    if (!result) {
        result = tkc_trial_rounds(trial, fits, times, 3.0 * tkc_least_time(family, fits, times), 0,
                                  TKC_FIRST_SAMPLES);
    }
    least = 1.05 * tkc_least_time(family, fits, times);
    for (v = 0; v < family->count; v++) {
        close += fits[v].fits && times[v] <= least;
    }
    if (!result && close > 1u) {
        result = tkc_trial_rounds(trial, fits, times, least, TKC_FIRST_SAMPLES, TKC_SAMPLES);
    }
    return result;
}

// Writes a time with a point in every locale, as JSON needs it.
static inline void tkc_put_time(char *to, size_t room, double microseconds) {
    unsigned long long hundredths = (unsigned long long)(microseconds * 100.0 + 0.5);
    snprintf(to, room, "%llu.%02llu", hundredths / 100u, hundredths % 100u);
}

// Tunes. A variant that the driver refuses to launch no longer fits (`fits`).
static inline int tkc_tune(struct tkc_trial *trial, struct tkc_fit *fits, double *times, unsigned *best) {
    const struct tkc_family *family = trial->family;
    unsigned v, first = family->count;
    int result, failed = 0;
    tkc_report[0] = 0;
    trial->copies = (uint64_t *)calloc(family->array_count + 1u, sizeof *trial->copies);
    trial->first = (void **)calloc(family->array_count + 1u, sizeof *trial->first);
    trial->compared = (size_t *)calloc(family->array_count + 1u, sizeof *trial->compared);
    trial->samples = (double *)calloc((size_t)family->count * TKC_SAMPLES, sizeof *trial->samples);
    trial->graphs = (void **)calloc(family->count, sizeof *trial->graphs);
    trial->launches = (unsigned *)calloc(family->count, sizeof *trial->launches);
    result =
        trial->copies && trial->first && trial->compared && trial->samples && trial->graphs && trial->launches
            ? tkc_trial_open(trial)
            : trial->bench->no_memory;
    for (v = 0; v < family->count && !result; v++) {
        int refused = 0;
        result = fits[v].fits ? tkc_trial_run(trial, v, &refused) : 0;
        if (refused) {
            failed = result;
            result = 0;
            fits[v].fits = 0;
        } else if (fits[v].fits && !result) {
            first = first == family->count ? v : first;
            result = tkc_trial_check(trial, v, first);
        }
    }
    if (!result && first == family->count) {
        result = failed ? failed : trial->bench->invalid;
    }
    result = result ? result : tkc_trial_time(trial, fits, times);
    *best = first;
    for (v = first; v < family->count && !result; v++) {
        *best = fits[v].fits && times[v] < times[*best] ? v : *best;
    }
    if (!result) {
        result = tkc_trial_run(trial, *best, &failed);
        char took[32];
        tkc_put_time(took, sizeof took, times[*best]);
        snprintf(tkc_report, sizeof tkc_report, "%s: %s, %s us", family->name, family->variants[*best].name,
                 took);
    }
    tkc_trial_close(trial);
    return result;
}
#endif
