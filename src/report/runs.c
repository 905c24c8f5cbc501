// A run of the kernel, on top of the page: where it ran, with which numbers, and its work over the time it took.
#include "report/estimate.h"

static void add_values(const struct report_run *run, struct strbuf *out) {
    for (size_t i = 0; i < run->value_count; i++) {
        html_add(out, "%s%s=%lld", i ? ", " : " with ", run->values[i].name, (long long)run->values[i].value);
    }
}

static void add_time(const struct estimate *e, const struct report_run *run, double operations,
                     struct strbuf *out) {
    html_add(out, " It took %.4g µs: %.3g T operations and %.4g GB of the arrays a second",
             run->seconds * 1e6, operations / run->seconds / 1e12, run->array_bytes / run->seconds / 1e9);
    if (e->peaks) {
        double peak = e->rate;
        html_add(out, ", %.0f %% and %.0f %% of the peak of %s",
                 100 * operations / run->seconds / (peak > 0 ? peak : 1),
                 100 * run->array_bytes / run->seconds / e->peaks->memory, e->peaks->product);
    }
    strbuf_add(out, ".");
}

void page_add_run(const struct page_part *page, struct strbuf *out) {
    const struct report_run *run = page->report->run;
    if (!run) {
        return;
    }
    struct estimate e = page_estimate(page, 0);
    double operations = (e.operations + e.simple + e.special) * e.programs;
    html_add(out, "<p class=\"run\">Run on %s", run->where);
    add_values(run, out);
    strbuf_add(out, ": ");
    html_number(out, (unsigned long long)e.programs);
    html_add(out, " program%s, ", e.programs == 1 ? "" : "s");
    html_number(out, (unsigned long long)operations);
    strbuf_add(out, " operations");
    if (run->array_bytes > 0) {
        strbuf_add(out, ", ");
        html_number(out, (unsigned long long)run->array_bytes);
        html_add(out, " bytes of arrays (%.3g operations for each, if each moves once; programs ask for ",
                 operations / run->array_bytes);
        html_number(out, (unsigned long long)(e.bytes * e.programs));
        strbuf_add(out, " bytes)");
    }
    strbuf_add(out, ".");
    if (run->seconds > 0) {
        add_time(&e, run, operations, out);
    }
    strbuf_add(out, "</p>\n");
}
