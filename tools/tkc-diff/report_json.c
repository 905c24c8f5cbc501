// The report as JSON; README.md has its members.
#include "diff.h"
#include "support/escape.h"

static void add_string(struct strbuf *out, const char *text) {
    if (!text) {
        strbuf_add(out, "null");
        return;
    }
    strbuf_add_char(out, '"');
    escape_add_text(out, ESCAPE_JSON, text);
    strbuf_add_char(out, '"');
}

static void add_number(struct strbuf *out, long long number) {
    if (number == UNKNOWN) {
        strbuf_add(out, "null");
    } else {
        strbuf_printf(out, "%lld", number);
    }
}

static void add_changes(struct strbuf *out, const char *member, const struct changes *changes) {
    strbuf_printf(out, "\"%s\": [", member);
    for (size_t i = 0; i < changes->count; i++) {
        strbuf_add(out, i ? ", {\"name\": " : "{\"name\": ");
        add_string(out, changes->items[i].name);
        strbuf_add(out, ", \"before\": ");
        add_string(out, changes->items[i].before);
        strbuf_add(out, ", \"after\": ");
        add_string(out, changes->items[i].after);
        strbuf_add(out, "}");
    }
    strbuf_add(out, "]");
}

static void add_metrics(struct strbuf *out, const struct kernel_pair *pair) {
    strbuf_add(out, "\"metrics\": {");
    for (unsigned m = 0; m < METRIC_COUNT; m++) {
        strbuf_printf(out, "%s\"%s\": {\"before\": ", m ? ", " : "", metric_table[m].name);
        add_number(out, pair->before ? pair->before->metrics[m] : UNKNOWN);
        strbuf_add(out, ", \"after\": ");
        add_number(out, pair->after ? pair->after->metrics[m] : UNKNOWN);
        strbuf_add(out, "}");
    }
    strbuf_add(out, "}");
}

static void add_code(struct strbuf *out, const struct kernel_pair *pair) {
    bool decoded = pair->before && pair->after && pair->code_known && pair->after->count;
    strbuf_add(out, "\"code\": ");
    if (!decoded) {
        strbuf_add(out, "null");
        return;
    }
    strbuf_printf(out, "{\"added\": %zu, \"removed\": %zu, \"constants\": %zu, \"moved\": ", pair->added,
                  pair->removed, pair->constants);
    add_number(out, pair->too_different ? UNKNOWN : (long long)pair->moved);
    strbuf_printf(out, ", \"operands\": %zu, \"kinds\": [", pair->rewired);
    for (size_t i = 0; i < pair->kind_count; i++) {
        const struct kind_count *row = &pair->kinds[i];
        strbuf_add(out, i ? ", {\"kind\": " : "{\"kind\": ");
        add_string(out, instruction_kind_names[row->kind]);
        strbuf_printf(out, ", \"width\": %u, \"before\": %zu, \"after\": %zu}", row->width, row->before,
                      row->after);
    }
    strbuf_add(out, "], ");
    add_changes(out, "examples", &pair->examples);
    strbuf_add(out, "}");
}

static void add_kernel(struct strbuf *out, const struct kernel_pair *pair) {
    strbuf_add(out, "        {\"name\": ");
    add_string(out, pair_kernel(pair)->name);
    strbuf_add(out, ", \"old_name\": ");
    add_string(out, pair->before ? pair->before->name : NULL);
    strbuf_add(out, ", \"target\": ");
    add_string(out, pair_kernel(pair)->target);
    strbuf_printf(out, ", \"verdict\": \"%s\",\n         ", verdict_names[pair->verdict]);
    add_metrics(out, pair);
    strbuf_add(out, ",\n         ");
    add_code(out, pair);
    strbuf_add(out, ",\n         ");
    add_changes(out, "changes", &pair->changes);
    strbuf_add(out, "}");
}

static void add_file(struct strbuf *out, const struct file_pair *file) {
    strbuf_add(out, "    {\"path\": ");
    add_string(out, file_pair_path(file));
    strbuf_printf(out, ", \"verdict\": \"%s\",\n     ",
                  !file->before             ? "appeared"
                  : !file->after            ? "went"
                  : file_pair_differs(file) ? "changed"
                                            : "same");
    add_changes(out, "changes", &file->changes);
    strbuf_add(out, ",\n     \"kernels\": [");
    for (size_t i = 0; i < file->kernel_count; i++) {
        strbuf_add(out, i ? ",\n" : "\n");
        add_kernel(out, &file->kernels[i]);
    }
    strbuf_add(out, "]}");
}

static void add_excess(struct strbuf *out, const struct excess *excess) {
    strbuf_add(out, "    {\"path\": ");
    add_string(out, file_pair_path(excess->file));
    strbuf_add(out, ", \"kernel\": ");
    add_string(out, pair_kernel(excess->kernel)->name);
    strbuf_printf(out,
                  ", \"metric\": \"%s\", \"before\": %lld, \"after\": %lld, \"allowed\": ", excess->metric,
                  excess->before, excess->after);
    add_string(out, excess->allowed);
    strbuf_add(out, "}");
}

void report_json(const struct comparison *comparison, struct strbuf *out) {
    strbuf_printf(out, "{\n  \"verdict\": \"%s\",\n  \"files\": [", comparison_verdict(comparison));
    for (size_t i = 0; i < comparison->file_count; i++) {
        strbuf_add(out, i ? ",\n" : "\n");
        add_file(out, &comparison->files[i]);
    }
    strbuf_add(out, "],\n  \"worse\": [");
    for (size_t i = 0; i < comparison->excess_count; i++) {
        strbuf_add(out, i ? ",\n" : "\n");
        add_excess(out, &comparison->excesses[i]);
    }
    strbuf_add(out, "]\n}\n");
}
