// The launches of growing size as a table: the variant, the bound, and the time of each resource, alone at its peak, with its part of the whole.
//
// test: tests/cli/check_report.py
#include "report/answer.h"
#include "report/page.h"
#include "report/times.h"

static struct page_times times_of(const struct page_part *first, size_t launch) {
    struct page_times t;
    page_launch_times(
        answer_page_at(&first->variants[first->launches[launch].variant], &first->launches[launch]), 0, &t);
    return t;
}

// The resources with a hundredth of any launch.
static bool is_shown(const struct page_part *first, unsigned unit) {
    bool any = false;
    for (size_t i = 0; i < first->launch_count; i++) {
        struct page_times t = times_of(first, i);
        any |= t.seconds[unit] > t.whole / 100;
    }
    return any;
}

static void add_cell(const struct page_times *t, unsigned unit, const char *name, struct strbuf *out) {
    bool bounds = page_longest_units(t) >> unit & 1;
    html_add(out, "<td data-head=\"%s\">", name);
    strbuf_add(out, bounds ? "<b>" : "");
    html_time(out, t->seconds[unit]);
    strbuf_add(out, bounds ? "</b>" : "");
    html_add(out, " <span class=\"quiet\">%.0f %%</span></td>", 100 * t->seconds[unit] / t->whole);
}

// The bytes in the L2 cache's column.
static const char *cache_note(const struct page_part *first) {
    const struct peaks *peaks = peaks_of(first->part->target);
    return peaks && peaks->l2 > 0
               ? arena_printf(first->arena,
                              "L2 cache: all bytes that programs load and store, at %.0f bytes a clock for "
                              "each multiprocessor, the most that an H200's handed out in products. Bytes "
                              "that come from memory keep it busy longer, while memory sends them.",
                              peaks->l2)
               : "Times of the L2 cache are not counted.";
}

static void add_head(const struct page_part *first, const bool *shown, struct strbuf *out) {
    html_add(out,
             "<div class=\"wide\" role=\"region\" aria-label=\"launches\" tabindex=\"0\"><table "
             "class=\"resources\">\n<caption>Estimated times: nothing was measured here. Launch: all of it; "
             "changed: with the "
             "change below, if that has an estimate. Then each unit's time as if it ran alone, at its peak; "
             "bold: the longest, "
             "the bound, and those that take 85 %% of it or more. Units run beside each other, so their "
             "parts of the launch add up to more than 100 "
             "%%: a launch is counted "
             "as its start and end and the root of the sum of the squares of the others (special operations "
             "of kernels without "
             "products are some of the instructions of threads). This rule was fitted to 24 launches of "
             "softmax, products and "
             "attention on an H200, which took 0.87 to 1.31 times what it gives with that card's bandwidth "
             "of memory; in long "
             "products the chip lowered its clock. %s</caption>\n"
             "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">variant</th><th "
             "scope=\"col\">programs</th><th scope=\"col\">launch</th><th scope=\"col\">changed</th>",
             cache_note(first), page_key_text(first));
    for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
        if (shown[unit]) {
            html_add(out, "<th scope=\"col\">%s</th>", page_unit_name(first, 0, (enum page_unit)unit));
        }
    }
    strbuf_add(out, "</tr></thead>\n<tbody>\n");
}

void page_add_launches(const struct page_part *first, const double *after, struct strbuf *out) {
    bool shown[PAGE_UNITS];
    for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
        shown[unit] = is_shown(first, unit);
    }
    add_head(first, shown, out);
    for (size_t i = 0; i < first->launch_count; i++) {
        const struct page_launch *launch = &first->launches[i];
        const struct page_part *page = &first->variants[launch->variant];
        struct page_times t = times_of(first, i);
        html_add(out,
                 "<tr><th scope=\"row\">%s</th><td class=\"text\" data-head=\"variant\"><a "
                 "href=\"#p%zu\">%s</a></td><td data-head=\"programs\">",
                 page_size_range(first->arena, launch, launch), page->number, answer_variant_name(page, 0));
        html_number(out, (unsigned long long)page_programs(page, launch));
        strbuf_add(out, "</td><td data-head=\"launch\">");
        html_time(out, t.whole);
        strbuf_add(out, "</td><td data-head=\"changed\">");
        if (after[i] > 0) {
            html_time(out, after[i]);
        }
        strbuf_add(out, "</td>");
        for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
            if (shown[unit]) {
                add_cell(&t, unit, page_unit_name(first, 0, (enum page_unit)unit), out);
            }
        }
        strbuf_add(out, "</tr>\n");
    }
    strbuf_add(out, "</tbody></table></div>\n");
}
