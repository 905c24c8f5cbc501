// Parts of lines shared by text and Markdown.
#include "diff.h"

#include <string.h>

void lines_signed(struct strbuf *out, long long difference) {
    strbuf_printf(out, "%+lld", difference);
}

void lines_number(struct strbuf *out, long long before, long long after) {
    if (before == UNKNOWN || after == UNKNOWN) {
        strbuf_add(out, before == after ? "?" : "");
        strbuf_printf(out, before == UNKNOWN ? "? → " : "%lld → ", before);
        strbuf_printf(out, after == UNKNOWN ? "?" : "%lld", after);
        return;
    }
    strbuf_printf(out, "%lld → %lld", before, after);
    if (before != after) {
        strbuf_add(out, " (");
        lines_signed(out, after - before);
        strbuf_add_char(out, ')');
    }
}

void lines_kind(struct strbuf *out, const struct kind_count *row) {
    strbuf_add(out, instruction_kind_names[row->kind]);
    if (row->width) {
        strbuf_printf(out, ", %u B", row->width);
    }
}

static void add_part(struct strbuf *out, size_t *parts, size_t count, const char *what) {
    if (count) {
        strbuf_printf(out, "%s%zu %s", (*parts)++ ? ", " : "", count, what);
    }
}

void lines_code(struct strbuf *out, const struct kernel_pair *pair) {
    size_t parts = 0;
    if (pair->before->set != pair->after->set) {
        strbuf_add(out, "another instruction set");
        return;
    }
    if (pair->before->machine || pair->after->machine) {
        strbuf_add(out,
                   pair->code_known ? "the same bytes" : "other bytes (nvdisasm decodes them: --nvdisasm)");
        return;
    }
    add_part(out, &parts, pair->added, "added");
    add_part(out, &parts, pair->removed, "removed");
    add_part(out, &parts, pair->constants, "with another constant");
    add_part(out, &parts, pair->moved, "moved");
    add_part(out, &parts, pair->rewired, "with another operand");
    if (pair->too_different) {
        strbuf_printf(out, "%stoo much to tell moved code", parts++ ? ", " : "");
    }
    strbuf_add(out, parts ? "" : "the same");
}

// Long values are data; their length says enough.
static void add_value(struct strbuf *out, const char *value) {
    enum { LONGEST = 80 };
    if (!value) {
        strbuf_add(out, "none");
    } else if (strlen(value) > LONGEST || strchr(value, '\n')) {
        strbuf_printf(out, "(%zu characters)", strlen(value));
    } else {
        strbuf_add(out, *value ? value : "there");
    }
}

void lines_change(struct strbuf *out, const struct change *change) {
    bool is_line = (!change->before && !*change->after) || (!change->after && !*change->before);
    if (is_line) {
        strbuf_printf(out, "%c %s", change->before ? '-' : '+', change->name);
        return;
    }
    strbuf_printf(out, "%s: ", change->name);
    add_value(out, change->before);
    strbuf_add(out, " → ");
    add_value(out, change->after);
}

void lines_totals(struct strbuf *out, const struct comparison *comparison) {
    size_t counts[VERDICT_COUNT], total = 0, parts = 0;
    comparison_count(comparison, counts);
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        total += counts[i];
    }
    strbuf_printf(out, "%zu kernel%s: ", total, total == 1 ? "" : "s");
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        add_part(out, &parts, counts[i], verdict_names[i]);
    }
    if (!parts) {
        strbuf_add(out, "nothing to compare");
    }
}

void lines_excess(struct strbuf *out, const struct excess *excess) {
    strbuf_printf(out, "%s: %s: ", file_pair_path(excess->file), pair_kernel(excess->kernel)->name);
    if (excess->kernel->verdict == VERDICT_WENT) {
        strbuf_printf(out, "the kernel went, and %s may go", excess->allowed);
        return;
    }
    strbuf_printf(out, "%s ", excess->metric);
    lines_number(out, excess->before, excess->after);
    strbuf_printf(out, ", allowed is %s", excess->allowed);
}
