// Candidates: the configurations of the source, and others near them. A power of two as constant in
// all of them ranges from half of the least to twice the largest, warps likewise, and stages from one less to
// one more. Candidates come in order of their steps from the nearest configuration of the source; the last
// ones are left out.
#include <pthread.h>

#include "tune.h"

enum { CONSTANTS = 16, VALUES = 16, SUMS_OF_THREAD = 512 };

struct axis {
    const char *name;
    long long values[VALUES];
    unsigned count;
};

struct space {
    struct axis axes[CONSTANTS + 2]; // constants, warps, stages
    unsigned constants;
};

static struct tkc_result *compile(const struct settings *settings, const char *chip,
                                  const char *const *kernels, int config, const struct candidate *candidate) {
    struct tkc_options options = settings->options;
    const char *outputs[] = {strncmp(chip, "gfx", 3) == 0                ? "tune.hsaco"
                             : settings->jit || config == TKC_CONFIG_ALL ? "tune.ptx"
                                                                         : "tune.cubin"};
    struct tkc_define defines[CONSTANTS + 1];
    options.outputs = outputs;
    options.output_count = 1;
    options.targets = &chip;
    options.target_count = 1;
    options.kernels = kernels;
    options.kernel_count = kernels ? 1 : 0;
    options.config = config;
    options.no_header = config != TKC_CONFIG_ALL;
    if (candidate && candidate->listed < 0) {
        for (options.define_count = 0; candidate->names[options.define_count]; options.define_count++) {
            defines[options.define_count] = (struct tkc_define){candidate->names[options.define_count],
                                                                candidate->values[options.define_count]};
        }
        options.defines = defines;
        options.num_warps = candidate->warps;
        options.num_stages = candidate->stages;
    }
    options.jobs = config == TKC_CONFIG_ALL ? settings->options.jobs : 1;
    return tkc_compile(&options);
}

static const struct tkc_artifact *artifact(const struct tkc_result *result, bool json) {
    for (size_t i = 0; result->ok && i < result->artifact_count; i++) {
        enum tkc_kind kind = result->artifacts[i].kind;
        if (json ? kind == TKC_JSON : kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_HSACO) {
            return &result->artifacts[i];
        }
    }
    return NULL;
}

static const struct json *description(struct arena *arena, const struct tkc_result *result) {
    const struct tkc_artifact *json = artifact(result, true);
    const char *why;
    size_t at;
    return json ? json_member(json_parse(arena, arena_strndup(arena, json->bytes, json->length), &why, &at),
                              "kernels")
                : NULL;
}

// Reads the constants in the name of a configuration, in its order. Returns the rest of the name.
static const char *constants_of(struct arena *arena, const char *config, const struct json *constants,
                                struct candidate *candidate) {
    unsigned count = 0;
    candidate->names = ARENA_ARRAY(arena, const char *, CONSTANTS + 1);
    candidate->values = ARENA_ARRAY(arena, const char *, CONSTANTS + 1);
    for (bool more = true; more && count < CONSTANTS;) {
        more = false;
        for (size_t i = 0; i < constants->count && !more; i++) {
            const char *prefix = arena_printf(arena, "%s_%s_", constants->names[i], constants->items[i].text);
            if (strncmp(config, prefix, strlen(prefix)) == 0) {
                candidate->names[count] = constants->names[i];
                candidate->values[count++] = constants->items[i].text;
                config += strlen(prefix);
                more = true;
            }
        }
    }
    candidate->names[count] = candidate->values[count] = NULL;
    return config;
}

static bool known_config(const struct candidate *candidates, size_t count, int config) {
    for (size_t i = 0; i < count; i++) {
        if (candidates[i].listed == config) {
            return true;
        }
    }
    return false;
}

// The kernel given by --kernel, or the only one with configurations. NULL after a message.
static const char *choose_kernel(const struct settings *settings, const struct json *kernels) {
    const char *chosen = NULL;
    if (settings->options.kernel_count) {
        return settings->options.kernels[0];
    }
    for (size_t i = 0; i < kernels->count; i++) {
        const char *function = json_text(&kernels->items[i], "function");
        if (chosen && strcmp(chosen, function) != 0) {
            complain("%s has several kernels: --kernel says which one to tune, as %s",
                     settings->options.input, chosen);
            return NULL;
        }
        chosen = function;
    }
    return chosen;
}

static bool read_listed(struct arena *arena, const struct settings *settings, const struct json *kernels,
                        struct kernel *kernel, struct candidate *listed, size_t *count) {
    const char *chosen = choose_kernel(settings, kernels);
    *count = 0;
    for (size_t i = 0; chosen && i < kernels->count; i++) {
        const struct json *described = &kernels->items[i];
        const char *name = json_text(described, "name"), *function = json_text(described, "function");
        struct candidate candidate = {0};
        long long config = 0, warps = 0, stages = 0;
        if (strcmp(function, chosen) != 0) {
            continue;
        }
        if (!kernel->name && !kernel_read(arena, described, kernel)) {
            return false;
        }
        json_integer(json_member(described, "config"), &config);
        json_integer(json_member(described, "num_warps"), &warps);
        json_integer(json_member(described, "num_stages"), &stages);
        if (strcmp(name, function) == 0 || known_config(listed, *count, (int)config)) {
            continue; // a kernel with one configuration, or another level of hints
        }
        name += strlen(function) + 1;
        candidate.listed = (int)config;
        candidate.warps = (int)warps;
        candidate.stages = (int)stages;
        const char *rest = constants_of(arena, name, json_member(described, "constants"), &candidate);
        const char *last = arena_printf(arena, "warps_%d_stages_%d", candidate.warps, candidate.stages);
        candidate.config = arena_strndup(arena, name, (size_t)(rest - name) + strlen(last));
        listed[(*count)++] = candidate;
    }
    if (chosen && !*count) {
        return complain("%s: %s has no configurations: tkc-tune chooses among those of @triton.autotune, two "
                        "or more, and others "
                        "like them; the source has to give a grid",
                        settings->options.input, chosen);
    }
    return chosen != NULL;
}

// ---- the generator ----

static bool power_of_two(long long value) {
    return value > 0 && (value & (value - 1)) == 0;
}

static void add_value(struct axis *axis, long long value) {
    for (unsigned i = 0; i < axis->count; i++) {
        if (axis->values[i] == value) {
            return;
        }
    }
    if (axis->count < VALUES) {
        axis->values[axis->count++] = value;
    }
}

static void widen(struct axis *axis, long long least, long long most) {
    long long low = axis->values[0], high = low;
    bool all = true;
    for (unsigned i = 0; i < axis->count; i++) {
        all = all && power_of_two(axis->values[i]);
        low = axis->values[i] < low ? axis->values[i] : low;
        high = axis->values[i] > high ? axis->values[i] : high;
    }
    for (long long value = low / 2; all && value <= 2 * high; value *= 2) {
        if (value >= least && value <= most) {
            add_value(axis, value);
        }
    }
}

static void make_space(const struct candidate *listed, size_t count, struct space *space) {
    *space = (struct space){0};
    while (listed[0].names[space->constants]) {
        space->axes[space->constants].name = listed[0].names[space->constants];
        space->constants++;
    }
    for (size_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < space->constants && listed[i].values[c]; c++) {
            add_value(&space->axes[c], strtoll(listed[i].values[c], NULL, 10));
        }
        add_value(&space->axes[space->constants], listed[i].warps);
        add_value(&space->axes[space->constants + 1], listed[i].stages);
    }
    for (unsigned c = 0; c < space->constants; c++) {
        bool integers = true;
        for (size_t i = 0; i < count; i++) {
            integers = integers && listed[i].values[c] &&
                       strspn(listed[i].values[c], "0123456789") == strlen(listed[i].values[c]);
        }
        if (integers) {
            widen(&space->axes[c], 1, 1 << 16);
        }
    }
    widen(&space->axes[space->constants], 1, 16);
    struct axis *stages = &space->axes[space->constants + 1];
    for (unsigned i = 0, listed_stages = stages->count; i < listed_stages; i++) {
        add_value(stages, stages->values[i] > 1 ? stages->values[i] - 1 : 1);
        add_value(stages, stages->values[i] + 1);
    }
}

static unsigned steps_between(long long a, long long b, bool powers) {
    int64_t apart = powers ? tkc_log2((uint64_t)a) - tkc_log2((uint64_t)b) : (a - b) * 65536;
    return (unsigned)((apart < 0 ? -apart : apart) / 65536);
}

static unsigned distance(const struct space *space, const long long *values, const struct candidate *listed,
                         size_t count) {
    unsigned nearest = 1000;
    for (size_t i = 0; i < count; i++) {
        unsigned here = steps_between(values[space->constants], listed[i].warps, true) +
                        steps_between(values[space->constants + 1], listed[i].stages, false);
        for (unsigned c = 0; c < space->constants; c++) {
            here += steps_between(values[c], strtoll(listed[i].values[c], NULL, 10), true);
        }
        nearest = here < nearest ? here : nearest;
    }
    return nearest;
}

// True if a tile of the two largest constants leaves each thread at most SUMS_OF_THREAD accumulators.
static bool sums_fit(const struct space *space, const long long *values) {
    long long first = 1, second = 1;
    for (unsigned c = 0; c < space->constants; c++) {
        if (values[c] > first) {
            second = first;
            first = values[c];
        } else if (values[c] > second) {
            second = values[c];
        }
    }
    return first <= (1 << 20) && first * second / (32 * values[space->constants]) <= SUMS_OF_THREAD;
}

static int nearer(const void *left, const void *right) {
    const struct candidate *a = left, *b = right;
    return a->distance != b->distance ? (a->distance > b->distance) - (a->distance < b->distance)
                                      : strcmp(a->config, b->config);
}

static void add_candidate(struct arena *arena, const struct space *space, const long long *values,
                          unsigned steps, struct candidate *made) {
    struct strbuf name = {0};
    *made = (struct candidate){.listed = -1, .distance = steps};
    made->names = ARENA_ARRAY(arena, const char *, space->constants + 1);
    made->values = ARENA_ARRAY(arena, const char *, space->constants + 1);
    for (unsigned c = 0; c < space->constants; c++) {
        made->names[c] = space->axes[c].name;
        made->values[c] = arena_printf(arena, "%lld", values[c]);
        strbuf_printf(&name, "%s_%lld_", space->axes[c].name, values[c]);
    }
    made->names[space->constants] = made->values[space->constants] = NULL;
    made->warps = (int)values[space->constants];
    made->stages = (int)values[space->constants + 1];
    strbuf_printf(&name, "warps_%d_stages_%d", made->warps, made->stages);
    made->config = arena_strdup(arena, strbuf_text(&name));
    strbuf_free(&name);
}

// All points of the space within some steps of the source's, by distance.
static struct candidate *generate(struct arena *arena, const struct space *space,
                                  const struct candidate *listed, size_t listed_count, size_t *count) {
    unsigned axes = space->constants + 2, at[CONSTANTS + 2] = {0};
    size_t room = 256;
    struct candidate *made = malloc(room * sizeof *made);
    *count = 0;
    for (bool more = true; made && more;) {
        long long values[CONSTANTS + 2];
        for (unsigned i = 0; i < axes; i++) {
            values[i] = space->axes[i].values[at[i]];
        }
        unsigned steps = distance(space, values, listed, listed_count);
        if (steps > 0 && steps <= 4 && sums_fit(space, values)) {
            if (*count == room) {
                made = realloc(made, (room *= 2) * sizeof *made);
            }
            if (made) {
                add_candidate(arena, space, values, steps, &made[(*count)++]);
            }
        }
        more = false;
        for (unsigned i = 0; i < axes && !more; i++) {
            more = ++at[i] < space->axes[i].count;
            at[i] = more ? at[i] : 0;
        }
    }
    if (!made) {
        fprintf(stderr, "tkc-tune: error: no memory\n");
        exit(1);
    }
    qsort(made, *count, sizeof *made, nearer);
    return made;
}

bool candidates_assembler(const struct settings *settings) {
    const char *target = settings->target, *output = "tune.cubin";
    struct tkc_options options = settings->options;
    options.input = "probe.tk";
    options.text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef probe(x: \"*i8\"):\n   "
                   " tl.store(x, 0)\n";
    options.outputs = &output;
    options.output_count = 1;
    options.targets = &target;
    options.target_count = 1;
    options.kernel_count = 0;
    options.no_header = options.no_json = true;
    struct tkc_result *result = tkc_compile(&options);
    bool ok = result->ok;
    tkc_result_free(result);
    return ok;
}

bool candidates_find(struct arena *arena, const struct settings *settings, struct kernel *kernel,
                     struct candidate **candidates, size_t *count) {
    struct tkc_result *result =
        compile(settings, settings->target, settings->options.kernels, TKC_CONFIG_ALL, NULL);
    const struct json *kernels = description(arena, result);
    size_t listed_count = 0, made_count = 0;
    struct space space;
    for (size_t i = 0; !kernels && i < result->diagnostic_count; i++) {
        fputs(result->diagnostics[i].text, stderr);
    }
    bool ok = kernels != NULL;
    struct candidate *listed = ARENA_ARRAY(arena, struct candidate, ok ? kernels->count + 1 : 1),
                     *made = NULL;
    ok = ok && read_listed(arena, settings, kernels, kernel, listed, &listed_count);
    tkc_result_free(result);
    if (!ok) {
        return false;
    }
    if (!settings->listed_only) {
        make_space(listed, listed_count, &space);
        made = generate(arena, &space, listed, listed_count, &made_count);
    }
    size_t room = settings->limit > listed_count ? settings->limit - listed_count : 0;
    made_count = made_count < room ? made_count : room;
    *candidates = ARENA_ARRAY(arena, struct candidate, listed_count + made_count + 1);
    memcpy(*candidates, listed, listed_count * sizeof *listed);
    if (made_count) {
        memcpy(*candidates + listed_count, made, made_count * sizeof *made);
    }
    *count = listed_count + made_count;
    free(made);
    return true;
}

// ---- compiling, in threads ----

struct work {
    const struct settings *settings;
    const struct kernel *kernel;
    struct candidate *candidates;
    size_t count, next, done;
    struct arena *arena;
    pthread_mutex_t lock;
};

static void keep(struct work *work, struct candidate *candidate, const struct tkc_result *result) {
    const struct tkc_artifact *image = artifact(result, false);
    const struct json *kernels = description(work->arena, result);
    candidate->why = "it could not be compiled";
    for (size_t i = 0; !image && i < result->diagnostic_count; i++) {
        if (result->diagnostics[i].severity == TKC_ERROR) {
            const char *text = result->diagnostics[i].text;
            candidate->why = arena_strndup(work->arena, text, strcspn(text, "\n"));
            break;
        }
    }
    for (size_t i = 0; image && kernels && i < kernels->count; i++) {
        if (candidate_read(work->arena, work->kernel, &kernels->items[i], candidate)) {
            candidate->image = malloc(image->length + 1);
            candidate->image_length = image->length;
            if (candidate->image) {
                memcpy(candidate->image, image->bytes, image->length);
                candidate->image[image->length] = 0;
            }
            break;
        }
    }
}

static void *compile_some(void *user) {
    struct work *work = user;
    for (;;) {
        pthread_mutex_lock(&work->lock);
        size_t index = work->next++;
        pthread_mutex_unlock(&work->lock);
        if (index >= work->count) {
            return NULL;
        }
        struct candidate *candidate = &work->candidates[index];
        struct tkc_result *result = compile(work->settings, work->settings->target, &work->kernel->name,
                                            candidate->listed >= 0 ? candidate->listed : 0, candidate);
        pthread_mutex_lock(&work->lock);
        keep(work, candidate, result);
        work->done++;
        if (!work->settings->quiet) {
            fprintf(stderr, "\rcompiling %zu of %zu", work->done, work->count);
        }
        pthread_mutex_unlock(&work->lock);
        tkc_result_free(result);
    }
}

void candidates_compile(struct arena *arena, const struct settings *settings, const struct kernel *kernel,
                        struct candidate *candidates, size_t count) {
    struct work work = {.settings = settings,
                        .kernel = kernel,
                        .candidates = candidates,
                        .count = count,
                        .arena = arena,
                        .lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t threads[256];
    unsigned jobs = settings->options.jobs ? settings->options.jobs : 4, started = 0;
    while (started < jobs && started < 256 &&
           pthread_create(&threads[started], NULL, compile_some, &work) == 0) {
        started++;
    }
    if (!started) {
        compile_some(&work);
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    if (!settings->quiet) {
        fputc('\n', stderr);
    }
}
