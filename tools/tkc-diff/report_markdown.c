// The report as a comment on a pull request: the verdict, a table of the different kernels, and all else
// changed in each, folded.
#include <string.h>

#include "diff.h"

static const enum metric columns[] = {METRIC_INSTRUCTIONS, METRIC_REGISTERS, METRIC_SPILLS, METRIC_SHARED,
                                      METRIC_OCCUPANCY};

// Names and values come from files: no table, link, markup or mention in them.
static void add_plain(struct strbuf *out, const char *text) {
    strbuf_add(out, "`");
    for (; *text; text++) {
        strbuf_add(out, *text == '|' ? "\\|" : "");
        if (*text != '|') {
            strbuf_add_char(out, *text == '`' || *text == '\n' ? '\'' : *text);
        }
    }
    strbuf_add(out, "`");
}

static void add_cell(struct strbuf *out, const struct kernel_pair *pair, enum metric metric) {
    long long before = pair->before ? pair->before->metrics[metric] : UNKNOWN,
              after = pair->after ? pair->after->metrics[metric] : UNKNOWN;
    strbuf_add(out, " ");
    if (before == UNKNOWN && after == UNKNOWN) {
        strbuf_add(out, "–");
    } else if (before == after) {
        strbuf_printf(out, "%lld", after);
    } else if (before == UNKNOWN || after == UNKNOWN) {
        strbuf_printf(out, "%lld", before == UNKNOWN ? after : before);
    } else {
        lines_number(out, before, after);
    }
    strbuf_add(out, " |");
}

static void add_row(struct strbuf *out, const struct file_pair *file, const struct kernel_pair *pair) {
    strbuf_add(out, "| ");
    add_plain(out, file_pair_path(file));
    strbuf_add(out, " ");
    if (pair->verdict == VERDICT_RENAMED) {
        add_plain(out, pair->before->name);
        strbuf_add(out, " → ");
    }
    add_plain(out, pair_kernel(pair)->name);
    strbuf_printf(out, " | %s |", verdict_names[pair->verdict]);
    for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++) {
        add_cell(out, pair, columns[i]);
    }
    strbuf_add_char(out, '\n');
}

static bool is_listed(const struct kernel_pair *pair) {
    return pair->verdict != VERDICT_SAME;
}

static void add_table(struct strbuf *out, const struct comparison *comparison) {
    bool any = false;
    for (size_t i = 0; i < comparison->file_count; i++) {
        for (size_t k = 0; k < comparison->files[i].kernel_count; k++) {
            const struct kernel_pair *pair = &comparison->files[i].kernels[k];
            if (is_listed(pair) && !any) {
                strbuf_add(out, "\n| kernel | verdict |");
                for (unsigned c = 0; c < sizeof columns / sizeof *columns; c++) {
                    strbuf_printf(out, " %s |", metric_table[columns[c]].name);
                }
                strbuf_add(out, "\n|---|---|---|---|---|---|---|\n");
                any = true;
            }
            if (is_listed(pair)) {
                add_row(out, &comparison->files[i], pair);
            }
        }
    }
}

static void add_changes(struct strbuf *out, const struct changes *changes) {
    struct strbuf line = {0};
    for (size_t i = 0; i < changes->count; i++) {
        strbuf_clear(&line);
        lines_change(&line, &changes->items[i]);
        strbuf_add(out, "- ");
        add_plain(out, strbuf_text(&line));
        strbuf_add_char(out, '\n');
    }
    strbuf_free(&line);
}

static void add_details_of(struct strbuf *out, const struct file_pair *file, const struct kernel_pair *pair) {
    if (!pair->before || !pair->after || !is_listed(pair)) {
        return;
    }
    strbuf_add(out, "\n");
    add_plain(out, file_pair_path(file));
    strbuf_add(out, " ");
    add_plain(out, pair->after->name);
    strbuf_add(out, ":\n\n");
    if (pair->after->count || pair->after->machine) {
        strbuf_add(out, "- code: ");
        lines_code(out, pair);
        strbuf_add_char(out, '\n');
    }
    for (size_t i = 0; i < pair->kind_count; i++) {
        if (pair->kinds[i].before != pair->kinds[i].after) {
            strbuf_add(out, "- ");
            lines_kind(out, &pair->kinds[i]);
            strbuf_add(out, ": ");
            lines_number(out, (long long)pair->kinds[i].before, (long long)pair->kinds[i].after);
            strbuf_add_char(out, '\n');
        }
    }
    add_changes(out, &pair->examples);
    add_changes(out, &pair->changes);
}

static void add_details(struct strbuf *out, const struct comparison *comparison) {
    struct strbuf details = {0};
    for (size_t i = 0; i < comparison->file_count; i++) {
        const struct file_pair *file = &comparison->files[i];
        if (!file->before || !file->after || file->changes.count) {
            strbuf_add(&details, "\n");
            add_plain(&details, file_pair_path(file));
            strbuf_add(&details, !file->after ? " went\n" : !file->before ? " appeared\n" : ":\n\n");
            add_changes(&details, &file->changes);
        }
        for (size_t k = 0; k < file->kernel_count; k++) {
            add_details_of(&details, file, &file->kernels[k]);
        }
    }
    if (details.length) {
        strbuf_printf(out, "\n<details><summary>Details</summary>\n%s\n</details>\n", strbuf_text(&details));
    }
    strbuf_free(&details);
}

void report_markdown(const struct comparison *comparison, struct strbuf *out) {
    strbuf_printf(out, "**Kernels: %s.** ", comparison_verdict(comparison));
    lines_totals(out, comparison);
    strbuf_add(out, ".\n");
    for (size_t i = 0; i < comparison->excess_count; i++) {
        struct strbuf line = {0};
        lines_excess(&line, &comparison->excesses[i]);
        strbuf_add(out, i ? "- worse than allowed: " : "\n- worse than allowed: ");
        add_plain(out, strbuf_text(&line));
        strbuf_add_char(out, '\n');
        strbuf_free(&line);
    }
    add_table(out, comparison);
    add_details(out, comparison);
}
