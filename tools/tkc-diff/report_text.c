// The report for a terminal: a paragraph a different kernel, and the sum.
#include "diff.h"

static void add_metrics(struct strbuf *out, const struct kernel_pair *pair) {
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        if (pair->before->metrics[m] != pair->after->metrics[m]) {
            strbuf_printf(out, "    %s ", metric_table[m].name);
            lines_number(out, pair->before->metrics[m], pair->after->metrics[m]);
            strbuf_add_char(out, '\n');
        }
    }
}

static void add_kinds(struct strbuf *out, const struct kernel_pair *pair) {
    for (size_t i = 0; i < pair->kind_count; i++) {
        const struct kind_count *row = &pair->kinds[i];
        if (row->before != row->after) {
            strbuf_add(out, "        ");
            lines_kind(out, row);
            strbuf_add(out, " ");
            lines_number(out, (long long)row->before, (long long)row->after);
            strbuf_add_char(out, '\n');
        }
    }
}

static void add_changes(struct strbuf *out, const struct changes *changes) {
    for (size_t i = 0; i < changes->count; i++) {
        strbuf_add(out, "    ");
        lines_change(out, &changes->items[i]);
        strbuf_add_char(out, '\n');
    }
}

static void add_kernel(struct strbuf *out, const struct file_pair *file, const struct kernel_pair *pair) {
    const struct kernel *kernel = pair_kernel(pair);
    strbuf_printf(out, "%s: ", file_pair_path(file));
    if (pair->verdict == VERDICT_RENAMED) {
        strbuf_printf(out, "%s → ", pair->before->name);
    }
    strbuf_printf(out, "%s: %s: %s\n", kernel->name, verdict_names[pair->verdict],
                  verdict_meanings[pair->verdict]);
    if (!pair->before || !pair->after || pair->verdict == VERDICT_SAME) {
        return;
    }
    if (kernel->count || kernel->machine) {
        strbuf_add(out, "    code: ");
        lines_code(out, pair);
        strbuf_add_char(out, '\n');
        add_kinds(out, pair);
        add_changes(out, &pair->examples);
    }
    add_metrics(out, pair);
    add_changes(out, &pair->changes);
}

static void add_file(struct strbuf *out, const struct file_pair *file, bool all) {
    if (!file->before || !file->after) {
        strbuf_printf(out, "%s: %s\n", file_pair_path(file),
                      file->before ? "the file went" : "the file appeared");
    } else if (file->changes.count) {
        strbuf_printf(out, "%s:\n", file_pair_path(file));
        add_changes(out, &file->changes);
    }
    for (size_t i = 0; i < file->kernel_count; i++) {
        if (all || file->kernels[i].verdict != VERDICT_SAME) {
            add_kernel(out, file, &file->kernels[i]);
        }
    }
}

void report_text(const struct comparison *comparison, bool all, struct strbuf *out) {
    for (size_t i = 0; i < comparison->file_count; i++) {
        add_file(out, &comparison->files[i], all);
    }
    lines_totals(out, comparison);
    strbuf_add_char(out, '\n');
    size_t foreign = comparison->before->foreign_count + comparison->after->foreign_count;
    if (foreign) {
        strbuf_printf(out, "%zu .json and .h files that tkc did not write are left out\n", foreign);
    }
    for (size_t i = 0; i < comparison->excess_count; i++) {
        strbuf_add(out, "worse than allowed: ");
        lines_excess(out, &comparison->excesses[i]);
        strbuf_add_char(out, '\n');
    }
}
