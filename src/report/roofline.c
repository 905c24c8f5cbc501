// A roofline (Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", 2009): operations a byte to the right,
// operations a second upwards, both logarithmic. The point of a kernel stands on the roof: tkc knows its work, not its time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/answer.h"
#include "report/svg.h"

enum { WIDTH = 380, HEIGHT = 220, LEFT = 62, TOP = 16, X_DECADES = 5, Y_DECADES = 4 };

struct axes {
    double x0, y0; // log10 at the origin
};

static double x_of(const struct axes *a, double intensity) {
    double at = (log10(intensity) - a->x0) / X_DECADES;
    return LEFT + WIDTH * (at < 0 ? 0 : at > 1 ? 1 : at);
}

static double y_of(const struct axes *a, double rate) {
    double at = (log10(rate) - a->y0) / Y_DECADES;
    return TOP + HEIGHT * (1 - (at < 0 ? 0 : at > 1 ? 1 : at));
}

static void add_axes(const struct axes *a, struct strbuf *out) {
    char text[32];
    for (int d = 0; d <= X_DECADES; d++) {
        double value = pow(10, a->x0 + d), x = x_of(a, value);
        snprintf(text, sizeof text, "%g", value);
        svg_line(out, x, TOP + HEIGHT, x, TOP + HEIGHT + 4);
        svg_centred(out, x, TOP + HEIGHT + 16, "faint small", text);
    }
    for (int d = 0; d <= Y_DECADES; d++) {
        double value = pow(10, a->y0 + d), y = y_of(a, value);
        snprintf(text, sizeof text, "%g T/s", value / 1e12);
        svg_line(out, LEFT - 4, y, LEFT, y);
        svg_text(out, 2, y + 4, "faint small", text);
    }
    svg_line(out, LEFT, TOP, LEFT, TOP + HEIGHT);
    svg_line(out, LEFT, TOP + HEIGHT, LEFT + WIDTH, TOP + HEIGHT);
    svg_text(out, LEFT + WIDTH - 150, TOP + HEIGHT + 30, "faint small", "operations for each byte");
}

static void add_roof(const struct axes *a, const struct peaks *peaks, double rate, const char *name,
                     struct strbuf *out) {
    double ridge = rate / peaks->memory;
    double least = pow(10, a->x0), bottom = pow(10, a->y0);
    double start = least * peaks->memory < bottom ? bottom / peaks->memory : least;
    svg_line(out, x_of(a, start), y_of(a, start * peaks->memory), x_of(a, ridge), y_of(a, rate));
    svg_line(out, x_of(a, ridge), y_of(a, rate), LEFT + WIDTH, y_of(a, rate));
    svg_text(out, LEFT + WIDTH - (strlen(name) > 20 ? 136 : 96), y_of(a, rate) - 4, "small", name);
}

static double on_roof(const struct estimate *e, double roof) {
    double rate = e->intensity * e->peaks->memory;
    return rate < roof ? rate : roof;
}

// The points of all variants on this target; `number`'s is the large one.
static void add_points(const struct page_part *page, size_t kernel, const struct axes *a, double roof,
                       struct strbuf *out) {
    struct page_part other;
    for (size_t next = 0; page_next_variant(page, kernel, &next, &other);) {
        struct estimate e = page_estimate(&other, 0);
        html_add(out, "<circle cx=\"%.4g\" cy=\"%.4g\" r=\"2.5\" class=\"w1\"/>\n", x_of(a, e.intensity),
                 y_of(a, on_roof(&e, roof)));
    }
    struct estimate own = page_estimate(page, kernel);
    html_add(out, "<circle cx=\"%.4g\" cy=\"%.4g\" r=\"5\" class=\"point\"/>\n", x_of(a, own.intensity),
             y_of(a, on_roof(&own, roof)));
}

// The point of a measured run: at the operations for each byte of its arrays, if each moves once.
static void add_measured(const struct page_part *page, const struct estimate *e, const struct axes *a,
                         struct strbuf *out) {
    const struct report_run *run = page->report->run;
    if (run && run->seconds > 0 && run->array_bytes > 0) {
        double operations = (e->operations + e->simple + e->special) * e->programs;
        html_add(out, "<circle cx=\"%.4g\" cy=\"%.4g\" r=\"5\" class=\"compute\"/>\n",
                 x_of(a, operations / run->array_bytes), y_of(a, operations / run->seconds));
    }
}

static void add_picture(const struct page_part *page, size_t kernel, const struct estimate *e,
                        struct strbuf *out) {
    double roof = e->rate > 0 ? e->rate : e->peaks->f32 / 2;
    struct axes a = {.x0 = -2, .y0 = floor(log10(roof)) - Y_DECADES + 1};
    const char *multiplies = page->part->code->kernels[kernel].multiplies;
    bool ordinary = multiplies && roof > 1.2 * e->peaks->f32;
    svg_open(out, LEFT + WIDTH + 20, TOP + HEIGHT + 36, "roofline");
    add_axes(&a, out);
    if (multiplies) {
        add_roof(&a, e->peaks, roof, arena_printf(page->arena, "products of %s", multiplies), out);
    }
    if (ordinary) {
        add_roof(&a, e->peaks, e->peaks->f32, "f32", out);
    }
    if (!multiplies) {
        add_roof(&a, e->peaks, roof, "f32 without multiply-adds", out);
    }
    add_points(page, kernel, &a, roof, out);
    add_measured(page, e, &a, out);
    svg_close(out);
}

static void add_term(const struct report_kernel *kernel, const struct report_term *term, struct strbuf *out) {
    const struct report_branch *branch = term->branch ? &kernel->branches[term->branch - 1] : NULL;
    if (term->parameter) {
        html_add(out, "<tr><td>%s / %.0f steps", term->parameter, (double)term->divisor);
    } else {
        html_add(out, term->divisor == 1 ? "<tr><td>once a program" : "<tr><td>%.0f times",
                 (double)term->divisor);
    }
    html_add(out, "%s%s</td>", branch ? ", " : "", branch ? branch->where : "");
    const double figures[] = {2 * term->products, term->simple, term->special, term->bytes};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        strbuf_add(out, "<td>");
        html_number(out, (unsigned long long)figures[i]);
        strbuf_add(out, "</td>");
    }
    strbuf_add(out, "</tr>\n");
}

// The first term of the same part of the program; others count elements inside masks.
static size_t first_alike(const struct report_kernel *kernel, size_t number) {
    const struct report_term *term = &kernel->terms[number];
    for (size_t i = 0; i < number; i++) {
        const struct report_term *other = &kernel->terms[i];
        bool named = other->parameter && term->parameter;
        bool same =
            named ? strcmp(other->parameter, term->parameter) == 0 : other->parameter == term->parameter;
        if (same && other->divisor == term->divisor && other->branch == term->branch) {
            return i;
        }
    }
    return number;
}

static struct report_term sum_alike(const struct report_kernel *kernel, size_t number) {
    struct report_term sum = kernel->terms[number];
    for (size_t i = number + 1; i < kernel->term_count; i++) {
        if (first_alike(kernel, i) == number) {
            sum.products += kernel->terms[i].products;
            sum.simple += kernel->terms[i].simple;
            sum.special += kernel->terms[i].special;
            sum.bytes += kernel->terms[i].bytes;
        }
    }
    return sum;
}

static void add_work(const struct report_kernel *kernel, struct strbuf *out) {
    strbuf_add(out, "<div class=\"wide\" role=\"region\" aria-label=\"work\" "
                    "tabindex=\"0\"><table><caption>The work of one program, as the source says "
                    "it</caption><thead><tr><th "
                    "scope=\"col\">part</th>"
                    "<th scope=\"col\">operations of products</th><th scope=\"col\">elementwise</th><th "
                    "scope=\"col\">special</th>"
                    "<th scope=\"col\">bytes</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < kernel->term_count; i++) {
        if (first_alike(kernel, i) == i) {
            struct report_term sum = sum_alike(kernel, i);
            add_term(kernel, &sum, out);
        }
    }
    strbuf_add(out, "</tbody></table></div>\n");
}

// " at n_cols = 8192": of a launch; "" without one.
static const char *size_of(const struct page_part *page) {
    const struct report_run *run = page->report->run;
    for (size_t i = 0; run && i < page->launch_count; i++) {
        if (page->launches[i].values == run->values) {
            return arena_printf(page->arena, " at %s = %lld", page_key_text(page),
                                (long long)page->launches[i].size);
        }
    }
    return "";
}

static bool page_spills(const struct page_part *page, size_t kernel) {
    const struct resources *r = page_resources(page, kernel);
    return r && resources_spill(r) && !resources_spill_little(r);
}

static void add_times(const struct page_part *page, size_t kernel, const struct estimate *e,
                      struct strbuf *out) {
    const struct {
        const char *what;
        double time;
    } rows[] = {
        {"products", e->products_time},
        {e->products_time > 0 ? "elementwise arithmetic" : "instructions: arithmetic, loads and stores",
         e->simple_time},
        {"special units", e->special_time},
        {"shared memory and its barriers", e->shared_time},
        {"L2 cache, a multiprocessor's share of it", e->cache_time},
        {"memory, if caches serve what they can", e->once_time},
        {"loads and stores, if no cache serves a byte", e->memory_time}};
    double most = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        most = rows[i].time > most ? rows[i].time : most;
    }
    html_add(
        out,
        "<table class=\"times\"><caption>How long each unit needs for %s on one multiprocessor%s, if nothing "
        "else ran%s%s%s%s%s</caption><tbody>\n",
        e->programs > 0 || !e->steps ? "a program" : "a step of its loop", size_of(page),
        e->branch ? ", " : "", e->branch ? e->branch->where : "",
        e->special_time > 0 ? ". Counted in the source: the code may do less" : "",
        e->products_time > 0 ? "; caches shorten loads and stores by the part that they serve" : "",
        page_spills(page, kernel) ? ". Loads and stores of threads in machine code, spilled values among "
                                    "them, are in the answer on top"
                                  : "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows && most > 0; i++) {
        if (rows[i].time > 0) {
            html_add(out, "<tr><th scope=\"row\">%s</th><td><b class=\"bar\" style=\"--share:%.0f%%\">",
                     rows[i].what, 100 * rows[i].time / most);
            html_time(out, rows[i].time);
            strbuf_add(out, "</b></td></tr>\n");
        }
    }
    strbuf_add(out, "</tbody></table>\n");
}

static bool page_has_variants(const struct page_part *page, size_t kernel) {
    struct page_part other;
    size_t next = 0;
    return page_next_variant(page, kernel, &next, &other);
}

static const char *meaning_of_points(const struct page_part *page, size_t kernel) {
    if (page->report->run && page->report->run->seconds > 0) {
        return "The green point is the run: its time, and its operations for each byte of the arrays, if "
               "each "
               "moves once.";
    }
    return arena_printf(
        page->arena,
        "Nothing was measured: points stand on the roof, at the operations for each byte that programs ask "
        "for. Caches that serve some of these bytes, as the answers count, move them to the right%s.",
        page_spills(page, kernel) ? "; spills, which are not counted, move this one down" : "");
}

void page_add_roofline(const struct page_part *page, struct strbuf *out) {
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        const struct report_kernel *kernel = &page->part->code->kernels[k];
        struct estimate e = page_estimate(page, k);
        if (!kernel->term_count) {
            continue;
        }
        page_add_heading(page, k, "Roofline", out);
        if (e.peaks && e.intensity > 0) {
            strbuf_add(out, "<div class=\"pair\"><figure class=\"roofline\">\n");
            add_picture(page, k, &e, out);
            html_add(out,
                     "<figcaption>%s (%s). T/s: 10<sup>12</sup> operations a second. The large point is this "
                     "kernel, whose programs do %.3g operations for each byte that they load and store%s. %s"
                     "</figcaption>\n</figure>\n<div>\n",
                     e.peaks->product, e.peaks->source, e.intensity,
                     page_has_variants(page, k) ? "; the small ones are other configurations" : "",
                     meaning_of_points(page, k));
            add_times(page, k, &e, out);
            add_work(kernel, out);
            strbuf_add(out, "</div></div>\n");
        } else {
            html_add(out, "<p>%s %s.</p>\n",
                     e.peaks ? "The kernel moves no tile of global memory; there is no point for it on"
                             : "tkc has no peak numbers for",
                     page->part->target->name);
            add_work(kernel, out);
        }
    }
}
