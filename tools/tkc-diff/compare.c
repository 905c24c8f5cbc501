// Pairs the files and kernels of two sides and compares each pair. Of two files by themselves, whatever their names, each
// is the other's; files of folders go by their path, kernels by name and chip. A kernel that went and one that
// appeared with equal code are one that was renamed.
#include <string.h>

#include "diff.h"

const char *const verdict_names[] = {
#define VERDICT(id, name, meaning) name,
#include "verdicts.def"
#undef VERDICT
};
const char *const verdict_meanings[] = {
#define VERDICT(id, name, meaning) meaning,
#include "verdicts.def"
#undef VERDICT
};
const struct metric_row metric_table[] = {
#define METRIC(id, name, json, direction) {name, json, direction},
#include "metrics.def"
#undef METRIC
};

// ---- properties ----

static const struct property *find_property(const struct properties *properties, const char *name) {
    for (size_t i = 0; i < properties->count; i++) {
        if (!strcmp(properties->items[i].name, name)) {
            return &properties->items[i];
        }
    }
    return NULL;
}

static void compare_properties(struct arena *arena, const struct properties *before,
                               const struct properties *after, struct changes *changes) {
    for (size_t i = 0; i < before->count; i++) {
        const struct property *old = &before->items[i], *new = find_property(after, old->name);
        if (!new || strcmp(old->value, new->value) != 0) {
            change_add(arena, changes, old->name, old->value, new ? new->value : NULL);
        }
    }
    for (size_t i = 0; i < after->count; i++) {
        if (!find_property(before, after->items[i].name)) {
            change_add(arena, changes, after->items[i].name, NULL, after->items[i].value);
        }
    }
}

// ---- kernels ----

const struct kernel *pair_kernel(const struct kernel_pair *pair) {
    return pair->after ? pair->after : pair->before;
}

bool metric_known(const struct kernel_pair *pair, enum metric metric) {
    return pair->before && pair->after && pair->before->metrics[metric] != UNKNOWN &&
           pair->after->metrics[metric] != UNKNOWN;
}

static bool metrics_differ(const struct kernel_pair *pair) {
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        if (pair->before->metrics[i] != pair->after->metrics[i]) {
            return true;
        }
    }
    return false;
}

static bool has_other_instructions(const struct kernel_pair *pair) {
    return !pair->code_known || pair->removed || pair->added || pair->constants || pair->too_different ||
           pair->rewired;
}

static void compare_kernels(struct arena *arena, struct kernel_pair *pair) {
    compare_code(arena, pair->before, pair->after, pair);
    compare_properties(arena, &pair->before->properties, &pair->after->properties, &pair->changes);
    pair->verdict = has_other_instructions(pair) || pair->changes.count ? VERDICT_CHANGED
                    : pair->moved                                       ? VERDICT_MOVED
                    : metrics_differ(pair)                              ? VERDICT_CHANGED
                                                                        : VERDICT_SAME;
}

static void add_pair(struct arena *arena, struct file_pair *file, const struct kernel *before,
                     const struct kernel *after) {
    file->kernels =
        arena_grown(arena, file->kernels, file->kernel_count, &file->kernel_capacity, sizeof *file->kernels);
    struct kernel_pair *pair = &file->kernels[file->kernel_count++];
    *pair = (struct kernel_pair){
        .before = before, .after = after, .verdict = before ? VERDICT_WENT : VERDICT_APPEARED};
    if (before && after) {
        compare_kernels(arena, pair);
    }
}

// The chip counts where the other side has the name for several.
static const struct kernel *find_kernel(const struct file *file, const struct kernel *like) {
    const struct kernel *only = NULL;
    size_t count = 0;
    for (size_t i = 0; file && i < file->kernel_count; i++) {
        const struct kernel *kernel = file->kernels[i];
        if (strcmp(kernel->name, like->name) != 0) {
            continue;
        }
        if (!strcmp(kernel->target, like->target)) {
            return kernel;
        }
        only = kernel;
        count++;
    }
    return count == 1 ? only : NULL;
}

static bool is_renamed(struct arena *arena, const struct kernel *before, const struct kernel *after) {
    struct kernel_pair pair = {.before = before, .after = after};
    if (before->count != after->count || (!before->count && !before->machine)) {
        return false;
    }
    compare_kernels(arena, &pair);
    return pair.verdict == VERDICT_SAME;
}

static void join_renamed(struct arena *arena, struct file_pair *file) {
    for (size_t i = 0; i < file->kernel_count; i++) {
        for (size_t j = 0; j < file->kernel_count && file->kernels[i].verdict == VERDICT_WENT; j++) {
            struct kernel_pair *went = &file->kernels[i], *appeared = &file->kernels[j];
            if (appeared->verdict != VERDICT_APPEARED || !is_renamed(arena, went->before, appeared->after)) {
                continue;
            }
            went->after = appeared->after;
            compare_kernels(arena, went);
            went->verdict = VERDICT_RENAMED;
            memmove(appeared, appeared + 1, (file->kernel_count - j - 1) * sizeof *appeared);
            file->kernel_count--;
        }
    }
}

// ---- files ----

const char *file_pair_path(const struct file_pair *pair) {
    return pair->after ? pair->after->path : pair->before->path;
}

bool file_pair_differs(const struct file_pair *pair) {
    bool differs = pair->changes.count || !pair->before || !pair->after;
    for (size_t i = 0; i < pair->kernel_count; i++) {
        differs |= pair->kernels[i].verdict != VERDICT_SAME;
    }
    return differs;
}

static bool is_paired(const struct file_pair *pair, const struct kernel *after) {
    for (size_t i = 0; i < pair->kernel_count; i++) {
        if (pair->kernels[i].after == after) {
            return true;
        }
    }
    return false;
}

static void compare_files(struct arena *arena, const struct file *before, const struct file *after,
                          struct comparison *comparison) {
    comparison->files = arena_grown(arena, comparison->files, comparison->file_count,
                                    &comparison->file_capacity, sizeof *comparison->files);
    struct file_pair *pair = &comparison->files[comparison->file_count++];
    *pair = (struct file_pair){.before = before, .after = after};
    if (before && after) {
        compare_properties(arena, &before->properties, &after->properties, &pair->changes);
    }
    for (size_t i = 0; before && i < before->kernel_count; i++) {
        add_pair(arena, pair, before->kernels[i], after ? find_kernel(after, before->kernels[i]) : NULL);
    }
    for (size_t i = 0; after && i < after->kernel_count; i++) {
        if (!is_paired(pair, after->kernels[i])) {
            add_pair(arena, pair, NULL, after->kernels[i]);
        }
    }
    join_renamed(arena, pair);
}

// Of a file by itself nothing; of an image in its header the image's name.
static const char *key_of(const struct side *side, const struct file *file) {
    return side->is_folder ? file->path : file->path + strlen(side->path);
}

static const struct file *find_file(const struct side *side, const char *key) {
    for (size_t i = 0; i < side->file_count; i++) {
        if (!strcmp(key_of(side, side->files[i]), key)) {
            return side->files[i];
        }
    }
    return NULL;
}

void compare_sides(struct arena *arena, const struct side *before, const struct side *after,
                   struct comparison *comparison) {
    *comparison = (struct comparison){.before = before, .after = after};
    for (size_t i = 0; i < before->file_count; i++) {
        compare_files(arena, before->files[i], find_file(after, key_of(before, before->files[i])),
                      comparison);
    }
    for (size_t i = 0; i < after->file_count; i++) {
        if (!find_file(before, key_of(after, after->files[i]))) {
            compare_files(arena, NULL, after->files[i], comparison);
        }
    }
}

bool comparison_is_same(const struct comparison *comparison) {
    for (size_t i = 0; i < comparison->file_count; i++) {
        if (file_pair_differs(&comparison->files[i])) {
            return false;
        }
    }
    return true;
}

void comparison_count(const struct comparison *comparison, size_t counts[VERDICT_COUNT]) {
    memset(counts, 0, VERDICT_COUNT * sizeof *counts);
    for (size_t i = 0; i < comparison->file_count; i++) {
        for (size_t k = 0; k < comparison->files[i].kernel_count; k++) {
            counts[comparison->files[i].kernels[k].verdict]++;
        }
    }
}

const char *comparison_verdict(const struct comparison *comparison) {
    return comparison->excess_count ? "worse" : comparison_is_same(comparison) ? "same" : "different";
}
