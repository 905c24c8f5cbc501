// --stats: the emulator's counters, as text and as JSON.
#include "run.h"

#include "chip/target.h"

static double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 100;
}

// Blocks on a multiprocessor by threads and shared memory alone; registers are known only after instruction
// selection.
static unsigned blocks_fitting(const struct target *target, unsigned threads, size_t shared_bytes,
                               const char **limit) {
    unsigned by_threads = threads ? target->threads_per_sm / threads : 0;
    size_t by_shared = shared_bytes ? target->shared_per_sm / shared_bytes : 32;
    *limit = by_shared < by_threads ? "shared memory" : "threads";
    unsigned blocks = by_shared < by_threads ? (unsigned)by_shared : by_threads;
    return blocks < 32 ? blocks : 32;
}

void statistics_text(const struct emulator_statistics *s, const char *chip, unsigned threads,
                     size_t shared_bytes, struct strbuf *out) {
    strbuf_printf(out, "instructions: %llu of warps, %llu of threads\n",
                  (unsigned long long)s->warp_instructions, (unsigned long long)s->lane_instructions);
    for (unsigned i = 0; i < 24 && emulator_kind_names[i]; i++) {
        if (s->by_kind[i]) {
            strbuf_printf(out, "  %-20s %12llu  %5.1f %%\n", emulator_kind_names[i],
                          (unsigned long long)s->by_kind[i],
                          percent((double)s->by_kind[i], (double)s->warp_instructions));
        }
    }
    strbuf_printf(
        out,
        "global memory: %llu B read, %llu B written; %llu requests touch %llu sectors of 32 B, %.1f %% of "
        "whose bytes are used\n",
        (unsigned long long)s->global_load_bytes, (unsigned long long)s->global_store_bytes,
        (unsigned long long)s->global_requests, (unsigned long long)s->global_sectors,
        percent((double)s->global_useful_bytes, 32.0 * (double)s->global_sectors));
    strbuf_printf(
        out,
        "shared memory: %llu B read, %llu B written; %llu requests take %llu passes, %llu without bank "
        "conflicts\n",
        (unsigned long long)s->shared_load_bytes, (unsigned long long)s->shared_store_bytes,
        (unsigned long long)s->shared_requests, (unsigned long long)s->shared_wavefronts,
        (unsigned long long)s->shared_ideal_wavefronts);
    strbuf_printf(out, "matrix units: %llu operations; branches: %llu, %llu divergent; barriers: %llu\n",
                  (unsigned long long)s->matrix_operations, (unsigned long long)s->branches,
                  (unsigned long long)s->divergent_branches, (unsigned long long)s->barriers);
    const struct target *target = target_find(chip);
    const char *limit;
    if (!target || !threads) {
        return;
    }
    unsigned blocks = blocks_fitting(target, threads, shared_bytes, &limit);
    strbuf_printf(
        out,
        "occupancy: at most %u blocks of %u threads and %zu B on a multiprocessor (%.0f %% of its threads; "
        "limited by %s; registers not counted)\n",
        blocks, threads, shared_bytes, percent((double)blocks * threads, target->threads_per_sm), limit);
}

void statistics_json(const struct emulator_statistics *s, const char *chip, unsigned threads,
                     size_t shared_bytes, struct strbuf *out) {
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"warp_instructions", s->warp_instructions},
        {"thread_instructions", s->lane_instructions},
        {"global_load_bytes", s->global_load_bytes},
        {"global_store_bytes", s->global_store_bytes},
        {"global_requests", s->global_requests},
        {"global_sectors", s->global_sectors},
        {"global_useful_bytes", s->global_useful_bytes},
        {"shared_load_bytes", s->shared_load_bytes},
        {"shared_store_bytes", s->shared_store_bytes},
        {"shared_requests", s->shared_requests},
        {"shared_wavefronts", s->shared_wavefronts},
        {"shared_ideal_wavefronts", s->shared_ideal_wavefronts},
        {"matrix_operations", s->matrix_operations},
        {"matrix_flushes", s->matrix_flushes},
        {"branches", s->branches},
        {"divergent_branches", s->divergent_branches},
        {"barriers", s->barriers},
        {"threads", threads},
        {"shared_bytes", shared_bytes},
    };
    strbuf_printf(out, "{\n  \"chip\": \"%s\",\n", chip);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        strbuf_printf(out, "  \"%s\": %llu,\n", rows[i].name, (unsigned long long)rows[i].value);
    }
    const struct target *target = target_find(chip);
    const char *limit;
    if (target && threads) {
        strbuf_printf(out, "  \"blocks_per_multiprocessor\": %u,\n",
                      blocks_fitting(target, threads, shared_bytes, &limit));
    }
    strbuf_add(out, "  \"warp_instructions_by_kind\": {");
    bool first = true;
    for (unsigned i = 0; i < 24 && emulator_kind_names[i]; i++) {
        strbuf_printf(out, "%s\n    \"%s\": %llu", first ? "" : ",", emulator_kind_names[i],
                      (unsigned long long)s->by_kind[i]);
        first = false;
    }
    strbuf_add(out, "\n  }\n}\n");
}
