// Budgets of --allow: how much worse each kernel may become. A lost kernel is worse unless `gone` allows it.
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "support/nearest.h"

static const char *row_name(unsigned row) {
    return row == ALLOW_GONE ? "gone" : metric_table[row].name;
}

static const char *unknown_metric(struct arena *arena, const char *name) {
    struct strbuf text = {0};
    struct nearest nearest = {.text = name};
    for (unsigned row = 0; row < ALLOW_COUNT; row++) {
        nearest_offer(&nearest, row_name(row));
    }
    strbuf_printf(&text, "there is no \"%s\" to allow", name);
    if (nearest.name) {
        strbuf_printf(&text, "; did you mean %s?", nearest.name);
    } else {
        strbuf_add(&text, "; there are");
        for (unsigned row = 0; row < ALLOW_COUNT; row++) {
            strbuf_printf(&text, "%s %s", row ? "," : "", row_name(row));
        }
    }
    const char *copy = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return copy;
}

// The sign of a limit, which may be left out: the direction in which the metric gets worse.
static char sign_of(unsigned row) {
    return row != ALLOW_GONE && metric_table[row].direction == LESS_IS_WORSE ? '-' : '+';
}

// "+2", "2", and but for `gone` "5%".
static bool parse_limit(const char *text, unsigned row, struct allowance *allowance) {
    enum { MOST = 1000000000 }; // more than any metric; times a metric within 64 bits
    const char *digits = text + (*text == sign_of(row)), *end = digits + strspn(digits, "0123456789");
    long long limit = strtoll(digits, NULL, 10);
    allowance->limit = limit < MOST ? limit : MOST;
    allowance->percent = *end == '%' && row != ALLOW_GONE;
    return end != digits && !end[allowance->percent];
}

static const char *wrong_limit(struct arena *arena, unsigned row) {
    const char *name = row_name(row);
    return row == ALLOW_GONE
               ? arena_printf(arena, "%s wants a number of kernels: %s=2", name, name)
               : arena_printf(arena,
                              "%s wants a number or a percentage by which it gets worse: %s=%c2 or %s=5%%",
                              name, name, sign_of(row), name);
}

const char *allow_parse(struct arena *arena, struct budget_set *set, const char *item) {
    const char *equals = strchr(item, '=');
    const char *name = arena_strndup(arena, item, equals ? (size_t)(equals - item) : strlen(item));
    unsigned row = 0;
    while (row < ALLOW_COUNT && strcmp(row_name(row), name) != 0) {
        row++;
    }
    if (row == ALLOW_COUNT) {
        return unknown_metric(arena, name);
    }
    struct allowance *allowance = &set->rows[row];
    if (allowance->given) {
        return arena_printf(arena, "%s is there twice", name);
    }
    allowance->given = set->given = true;
    allowance->text = equals ? equals + 1 : "";
    return equals && parse_limit(allowance->text, row, allowance) ? NULL : wrong_limit(arena, row);
}

static void add_excess(struct arena *arena, struct comparison *comparison, const struct file_pair *file,
                       const struct kernel_pair *kernel, unsigned row, const char *allowed) {
    comparison->excesses = arena_grown(arena, comparison->excesses, comparison->excess_count,
                                       &comparison->excess_capacity, sizeof *comparison->excesses);
    bool gone = row == ALLOW_GONE;
    comparison->excesses[comparison->excess_count++] =
        (struct excess){file,
                        kernel,
                        row_name(row),
                        allowed,
                        gone ? 1 : kernel->before->metrics[row],
                        gone ? 0 : kernel->after->metrics[row]};
}

static bool is_beyond(const struct allowance *allowance, unsigned row, const struct kernel_pair *pair) {
    long long before = pair->before->metrics[row], after = pair->after->metrics[row];
    long long worse = metric_table[row].direction == LESS_IS_WORSE ? before - after : after - before;
    if (metric_table[row].direction == NEITHER_IS_WORSE) {
        worse = llabs(worse);
    }
    return allowance->percent ? worse * 100 > allowance->limit * before : worse > allowance->limit;
}

// A file may lack a metric for all kernels (a header has no figures); one side alone may not.
static bool check_pair(struct arena *arena, const struct budget_set *set, struct comparison *comparison,
                       const struct file_pair *file, const struct kernel_pair *pair, bool *known,
                       struct strbuf *error) {
    for (unsigned row = 0; row < METRIC_COUNT; row++) {
        const struct allowance *allowance = &set->rows[row];
        if (!allowance->given) {
            continue;
        }
        if (metric_known(pair, (enum metric)row)) {
            known[row] = true;
            if (is_beyond(allowance, row, pair)) {
                add_excess(arena, comparison, file, pair, row, allowance->text);
            }
        } else if (pair->before->metrics[row] != pair->after->metrics[row]) {
            strbuf_printf(
                error, "%s: %s of %s are known on one side only, so --allow %s=%s cannot be checked",
                file_pair_path(file), row_name(row), pair->after->name, row_name(row), allowance->text);
            return false;
        }
    }
    return true;
}

static bool check_known(const struct budget_set *set, const bool *known, struct strbuf *error) {
    for (unsigned row = 0; row < METRIC_COUNT; row++) {
        if (set->rows[row].given && !known[row]) {
            strbuf_printf(
                error,
                "--allow %s=%s cannot be checked: the files do not say %s of any kernel; .hsaco and .cubin "
                "do, and .ptx with --ptxas PATH",
                row_name(row), set->rows[row].text, row_name(row));
            return false;
        }
    }
    return true;
}

bool allow_check(struct arena *arena, const struct budget_set *set, struct comparison *comparison,
                 struct strbuf *error) {
    bool known[METRIC_COUNT] = {false};
    size_t gone = 0, paired = 0;
    comparison->has_budget = set->given;
    for (size_t f = 0; set->given && f < comparison->file_count; f++) {
        const struct file_pair *file = &comparison->files[f];
        for (size_t k = 0; k < file->kernel_count; k++) {
            const struct kernel_pair *pair = &file->kernels[k];
            bool went = pair->verdict == VERDICT_WENT, both = pair->before && pair->after;
            gone += went;
            paired += both;
            if (went && (long long)gone > set->rows[ALLOW_GONE].limit) {
                const struct allowance *allowance = &set->rows[ALLOW_GONE];
                add_excess(arena, comparison, file, pair, ALLOW_GONE,
                           allowance->given ? allowance->text : "0");
            }
            if (both && !check_pair(arena, set, comparison, file, pair, known, error)) {
                return false;
            }
        }
    }
    return !paired || check_known(set, known, error);
}
