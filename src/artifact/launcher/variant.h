#ifndef TKC_LAUNCHER_VARIANT_6
#define TKC_LAUNCHER_VARIANT_6

// ---- Variants: one kernel, compiled for several configurations. A launch takes, of the variants that fit
// the chip,
//
//   1. the variant that tuning chose on this device for this key (the values of the key's parameters)
//   2. else the choice for the nearest key on this device: the least sum of |log2| of the ratios
//   3. else the variant of least cost (tkc_cost); of several, the first
//
// No vendor's types: tools that launch without a header use this file too.

enum { TKC_KEYS = 8, TKC_WORKS = 12 };        // the most numbers in a key, the most terms of a variant's work
enum { TKC_PICKS = 1024, TKC_PICK_WAYS = 4 }; // picks in the table, slots of each
enum { TKC_LEVELS = 4096 };                   // the most sets of hints

// A term of the work of one program: ceil(parameter's value / divisor) steps, or the family's `steps`, each of so
// many multiply-adds and bytes of global memory. Parameter -1: `divisor` steps. A term in a branch counts where the
// family's `when` holds. Multiply-adds count at the full speed of the matrix units, with allowance for the other work
// of the step; in a kernel without products they stand for the time of its arithmetic.
struct tkc_work {
    int parameter;
    int64_t divisor;
    double products;
    double bytes;
    double again; // of the bytes, those that another loop of the program has loaded before
};

struct tkc_variant {
    const char *name;
    unsigned work_count;
    struct tkc_work work[TKC_WORKS];
    unsigned sums; // bytes of the largest result of a matrix product, else of the largest tile: in registers
};

// A variant on the current device.
struct tkc_fit {
    unsigned fits;       // 0: the variant does not run here
    unsigned threads;    // of a block
    unsigned shared;     // bytes of a block
    unsigned persistent; // blocks a multiprocessor of a persistent kernel, else 0
    unsigned cluster;    // blocks that run as one cluster, or 0
};

// A choice of tuning.
struct tkc_choice {
    const char *device;
    int64_t key[TKC_KEYS];
    unsigned variant;
    double microseconds;
};

struct tkc_pick {
    unsigned sequence; // odd while it is written
    uint64_t place;    // context, set of hints and generation; 0: free
    int64_t key[TKC_KEYS];
    uint64_t sizes;
    unsigned variant;
};

// Choices and picks of a kernel at run time, shared by all files of a program that include the header.
struct tkc_memory {
    char lock;
    unsigned generation; // counts changes of the choices; picks of an earlier generation are void
    struct tkc_choice *choices;
    unsigned choice_count;
    struct tkc_pick picks[TKC_PICKS];
};

// An array of the kernel, and its treatment in tuning. `type`: the element's type as in the source, "fp16".
enum { TKC_ARRAY_KEEP, TKC_ARRAY_RESET, TKC_ARRAY_RESTORE };
struct tkc_array {
    const char *name;
    const char *type;
    unsigned parameter;
    int treatment; // TKC_ARRAY_…
};

// A kernel with variants: `level_count` sets of hints (levels), each with equally many variants, one set
// after another. `grid` sets all sides of an empty grid to 0 and returns 0 for a grid that does not exist.
struct tkc_family {
    const char *name;
    const struct tkc_variant *variants;
    unsigned count;
    unsigned first; // index of variant 0 among the kernels of the header
    const char *const *key_names;
    const unsigned *keys; // indices of parameters
    unsigned key_count;
    // Indices of further integers that the cost depends on, through the grid or through the work.
    const unsigned *sizes;
    unsigned size_count;
    const struct tkc_choice *choices;
    unsigned choice_count;
    const struct tkc_array *arrays;
    unsigned array_count;
    unsigned level_count;
    int (*holds)(unsigned level, const int64_t *values); // do the arguments keep the hints of a set?
    int (*grid)(unsigned variant, const int64_t *values, int64_t grid[3]);
    // Does a launch with these arguments do term number `term` of the variant's work? NULL: it does all.
    int (*when)(unsigned variant, unsigned term, const int64_t *values);
    // The steps of term number `term` in the program with these ids, whose loop ends as the program computes it (causal
    // ones); negative: the term says them. NULL: the terms say all.
    int64_t (*steps)(unsigned variant, unsigned term, const int64_t *values, const int64_t id[3]);
    struct tkc_memory *memory;
};

// The first set of hints that the arguments keep; level_count: none.
static inline unsigned tkc_level(const struct tkc_family *family, const int64_t *values) {
    unsigned level = 0;
    while (level < family->level_count && !family->holds(level, values)) {
        level++;
    }
    return level;
}

static inline unsigned tkc_level_of(const struct tkc_family *family, unsigned variant) {
    return variant / (family->count / family->level_count);
}

static inline const char *tkc_variant_name(const struct tkc_family *family, unsigned variant) {
    return variant < family->count ? family->variants[variant].name : NULL;
}

// log2 of a positive number in units of 1/65536. Exact at powers of two, linear between them.
static inline int64_t tkc_log2(uint64_t value) {
    int bits;
    uint64_t mantissa;
    if (value == 0) {
        return 0;
    }
    bits = 63 - __builtin_clzll(value);
    mantissa = bits >= 16 ? value >> (bits - 16) : value << (16 - bits);
    return ((int64_t)bits << 16) + (int64_t)(mantissa & 0xffffu);
}

static inline uint64_t tkc_key_distance(const int64_t *a, const int64_t *b, unsigned count) {
    uint64_t distance = 0;
    unsigned i;
    for (i = 0; i < count; i++) {
        int64_t difference =
            tkc_log2(a[i] < 0 ? 0u : (uint64_t)a[i]) - tkc_log2(b[i] < 0 ? 0u : (uint64_t)b[i]);
        distance += (uint64_t)(difference < 0 ? -difference : difference);
        distance += a[i] != b[i]; // numbers below 1 have log2 0 here and must differ too
    }
    return distance;
}

// The index of the nearest choice for this device name and a variant that fits, and its distance; `count`:
// none.
static inline unsigned tkc_nearest(const struct tkc_choice *choices, unsigned count, const char *device,
                                   const int64_t *key, unsigned key_count, const struct tkc_fit *fits,
                                   uint64_t *distance) {
    unsigned i, best = count;
    for (i = 0; i < count; i++) {
        uint64_t here;
        if (!fits[choices[i].variant].fits || strcmp(choices[i].device, device) != 0) {
            continue;
        }
        here = tkc_key_distance(choices[i].key, key, key_count);
        if (best == count || here < *distance) {
            best = i;
            *distance = here;
        }
    }
    return best;
}

// Blocks of a variant on a multiprocessor at once: limited by threads, shared memory and registers. A thread
// needs its share of the sums and about 42 other registers.
static inline double tkc_resident(const struct tkc_variant *variant, const struct tkc_fit *fit,
                                  const struct tkc_chip *chip) {
    unsigned registers = fit->threads * 42u + variant->sums / 4u;
    unsigned most = 65536u / (registers ? registers : 1u), other;
    other = fit->threads ? chip->threads / fit->threads : 1u;
    most = other < most ? other : most;
    other = fit->shared ? chip->shared / (fit->shared + 1024u) : most;
    most = other < most ? other : most;
    most = most ? most : 1u;
    return (double)(fit->persistent && fit->persistent < most ? fit->persistent : most);
}

// The time of two kinds of work side by side: the longer one's, and a fifth of the other's, as they hinder each
// other.
static inline double tkc_beside(double a, double b) {
    return a > b ? a + b / 5.0 : b + a / 5.0;
}

// Number i of `samples` places along a side, evenly apart.
static inline int64_t tkc_sample(unsigned i, unsigned samples, int64_t side) {
    return (int64_t)(((double)i + 0.5) * (double)side / (double)samples);
}

// How often a program does a term, on the mean of programs along the grid's diagonal. Exact to a step where the
// steps grow evenly along each axis.
static inline double tkc_times(const struct tkc_family *family, unsigned index, unsigned term,
                               const int64_t *values, const int64_t grid[3]) {
    const struct tkc_work *work = &family->variants[index].work[term];
    const unsigned samples = 16u;
    int64_t value = work->parameter < 0 ? 0 : values[work->parameter];
    double sum = 0;
    unsigned i;
    for (i = 0; family->steps && i < samples; i++) {
        int64_t id[3], steps;
        id[0] = tkc_sample(i, samples, grid[0]);
        id[1] = tkc_sample(i, samples, grid[1]);
        id[2] = tkc_sample(i, samples, grid[2]);
        steps = family->steps(index, term, values, id);
        if (steps < 0) {
            break;
        }
        sum += (double)steps;
    }
    return family->steps && i == samples ? sum / (double)samples
           : work->parameter < 0         ? (double)work->divisor
           : value > 0                   ? (double)((value - 1) / work->divisor + 1)
                                         : 0.0;
}

// Clocks of `resident` programs together on one multiprocessor: the time of the matrix units (or of arithmetic), of
// memory, and of one program by itself, which waits for its loads and for its own warps. A program keeps as many
// bytes in flight as it has shared memory, or 40 for each thread; each load waits for the latency. Bytes that are loaded
// again come from memory if those of all programs at once exceed the second-level cache. The constants were
// fitted to 63 shapes of matrix products, 240 of attention and its gradients and 708 of softmax and layer norm on
// an H200. They rank the variants of one kernel; they do not predict a time.
static inline double tkc_round(const struct tkc_family *family, unsigned index, const struct tkc_fit *fit,
                               const int64_t *values, const int64_t grid[3], double resident, double units) {
    const struct tkc_variant *variant = &family->variants[index];
    const double products_per_clock = 1200.0, bytes_per_clock = 50.0, latency = 1200.0, start = 1200.0;
    const double warp_products_per_clock = 2048.0 / 0.6 / 8.0, cache_bytes = 5e7,
                 memory_bytes_per_clock = 15.0;
    double products = 0, bytes = 0, again = 0, memory,
           warps = (double)(fit->threads ? fit->threads : 32u) / 32.0, alone;
    unsigned i, on_the_way = fit->shared > fit->threads * 40u ? fit->shared : fit->threads * 40u;
    for (i = 0; i < variant->work_count; i++) {
        const struct tkc_work *work = &variant->work[i];
        double times;
        if (family->when && !family->when(index, i, values)) {
            continue;
        }
        times = tkc_times(family, index, i, values, grid);
        products += times * work->products;
        bytes += times * work->bytes;
        again += times * work->again;
    }
    memory = resident * bytes / bytes_per_clock;
    memory += resident * units * again > cache_bytes ? resident * again / memory_bytes_per_clock : 0.0;
    alone = tkc_beside(latency * bytes / (double)(on_the_way ? on_the_way : 1u),
                       products / (warp_products_per_clock * warps));
    return tkc_beside(tkc_beside(resident * products / products_per_clock, memory), alone) + start;
}

// The integer part of a number that is not negative.
static inline double tkc_floor(double number) {
    return number < 9e18 ? (double)(uint64_t)number : number;
}

// The cost rule: clocks for the whole grid, in rounds of as many programs as the chip holds at once. The last
// round is spread over all multiprocessors. Negative: the grid does not exist.
static inline double tkc_cost(const struct tkc_family *family, unsigned variant, const struct tkc_fit *fit,
                              const struct tkc_chip *chip, const int64_t *values) {
    const struct tkc_variant *of = &family->variants[variant];
    int64_t grid[3];
    double programs, resident, units = chip->multiprocessors ? (double)chip->multiprocessors : 1.0, rounds,
                               left;
    if (!family->grid(variant, values, grid)) {
        return -1.0;
    }
    programs = (double)grid[0] * (double)grid[1] * (double)grid[2];
    resident = tkc_resident(of, fit, chip);
    rounds = tkc_floor(programs / (units * resident));
    left = programs - rounds * units * resident;
    left = left > 0.0 ? tkc_floor((left + units - 1.0) / units) : 0.0;
    return rounds * tkc_round(family, variant, fit, values, grid, resident, units) +
           (left > 0.0 ? tkc_round(family, variant, fit, values, grid, left, units) : 0.0);
}

static inline unsigned tkc_cheapest(const struct tkc_family *family, const struct tkc_fit *fits,
                                    const struct tkc_chip *chip, const int64_t *values) {
    unsigned i, best = family->count;
    double least = 0;
    for (i = 0; i < family->count; i++) {
        double cost = fits[i].fits ? tkc_cost(family, i, &fits[i], chip, values) : -1.0;
        int less = least < 0.0 ? cost >= 0.0 : cost >= 0.0 && cost < least;
        if (fits[i].fits && (best == family->count || less)) {
            best = i;
            least = cost;
        }
    }
    return best;
}

static inline void tkc_make_key(const struct tkc_family *family, const int64_t *values, int64_t *key) {
    unsigned i;
    for (i = 0; i < family->key_count; i++) {
        key[i] = values[family->keys[i]];
    }
}

// The sizes beside the key that the cost depends on, each to within a quarter of a power of two, in one number. A pick holds for
// launches with the same sizes, so that the first launch does not decide for all others.
static inline uint64_t tkc_make_sizes(const struct tkc_family *family, const int64_t *values) {
    uint64_t sizes = 0;
    unsigned i;
    for (i = 0; i < family->size_count; i++) {
        int64_t value = values[family->sizes[i]];
        uint64_t quarters = value > 0 ? 1u + (uint64_t)(tkc_log2((uint64_t)value) >> 14) : 0u;
        sizes = (sizes ^ quarters) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return sizes;
}

// The variant for these arguments; `count`: none fits the chip. The caller holds the lock of the memory.
static inline unsigned tkc_pick_slowly(const struct tkc_family *family, const struct tkc_fit *fits,
                                       const struct tkc_chip *chip, const int64_t *values,
                                       const int64_t *key) {
    const struct tkc_memory *memory = family->memory;
    uint64_t made_distance = 0, given_distance = 0;
    unsigned made = tkc_nearest(memory->choices, memory->choice_count, chip->name, key, family->key_count,
                                fits, &made_distance);
    unsigned given = tkc_nearest(family->choices, family->choice_count, chip->name, key, family->key_count,
                                 fits, &given_distance);
    if (made < memory->choice_count && (given == family->choice_count || made_distance <= given_distance)) {
        return memory->choices[made].variant;
    }
    return given < family->choice_count ? family->choices[given].variant
                                        : tkc_cheapest(family, fits, chip, values);
}

// The first slot for this key in the table of picks.
static inline struct tkc_pick *tkc_pick_slot(const struct tkc_family *family, uint64_t place,
                                             const int64_t *key, uint64_t sizes) {
    uint64_t hash = place ^ sizes;
    unsigned i;
    for (i = 0; i < family->key_count; i++) {
        hash = (hash ^ (uint64_t)key[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return &family->memory->picks[hash % (TKC_PICKS / TKC_PICK_WAYS) * TKC_PICK_WAYS];
}

// The context, the set of hints and the generation of choices in one number.
static inline uint64_t tkc_pick_place(const struct tkc_family *family, unsigned long long context,
                                      unsigned level) {
    unsigned generation = __atomic_load_n(&family->memory->generation, __ATOMIC_ACQUIRE);
    return (uint64_t)context << 32 | (uint64_t)level << 20 | (generation & 0xfffffu);
}

// Whether a slot has the pick for this key. A slot that a thread writes has none.
static inline int tkc_recall_from(const struct tkc_family *family, const struct tkc_pick *slot,
                                  uint64_t place, const int64_t *key, uint64_t sizes, unsigned *variant) {
    unsigned i, before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    uint64_t differs = (before & 1u) | (__atomic_load_n(&slot->place, __ATOMIC_ACQUIRE) ^ place);
    differs |= __atomic_load_n(&slot->sizes, __ATOMIC_ACQUIRE) ^ sizes;
    for (i = 0; i < family->key_count; i++) {
        differs |= (uint64_t)(__atomic_load_n(&slot->key[i], __ATOMIC_ACQUIRE) ^ key[i]);
    }
    *variant = __atomic_load_n(&slot->variant, __ATOMIC_ACQUIRE);
    return !differs && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

static inline int tkc_recall_pick(const struct tkc_family *family, const struct tkc_pick *slot,
                                  uint64_t place, const int64_t *key, uint64_t sizes, unsigned *variant) {
    unsigned i;
    for (i = 0; i < TKC_PICK_WAYS; i++) {
        if (tkc_recall_from(family, &slot[i], place, key, sizes, variant)) {
            return 1;
        }
    }
    return 0;
}

static inline void tkc_keep_pick(const struct tkc_family *family, struct tkc_pick *ways, uint64_t place,
                                 const int64_t *key, uint64_t sizes, unsigned variant) {
    unsigned i, before;
    struct tkc_pick *slot = (struct tkc_pick *)tkc_take_slot(ways, sizeof *ways, TKC_PICK_WAYS, &before);
    if (!slot) {
        return;
    }
    __atomic_store_n(&slot->place, place, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->sizes, sizes, __ATOMIC_RELEASE);
    for (i = 0; i < family->key_count; i++) {
        __atomic_store_n(&slot->key[i], key[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&slot->variant, variant, __ATOMIC_RELEASE);
    tkc_give_slot(slot, before);
}
#endif
