// One sentence on top: the bound of the kernel, and the one change to make first. From the facts at hand, the surest first:
//
//   1  values spill                                             the final code, or ptxas
//   2  narrow accesses in a loop for want of hints              remarks
//   3  products without matrix instructions                     tile IR
//   4  a loop of products with loads of its own step            tile IR, remarks
//   5  a launch with too little work for the chip               the grid, of tkc-run or of the sizes that launches take the variant for
//   6  the resource with the longest time at its peak           the surveyed work, chip/peaks.def
//
// Of 6 the sentence says how many loads caches have to serve, and how many they can. Of variants each launch has an answer; neighbouring sizes
// with the same one share it.
#include "report/answer.h"

#include <math.h>
#include <string.h>

// ---- 2: narrow accesses ----

static bool narrow(const struct asking *a, struct answer *answer) {
    const struct remark *r = answer_slow_access(a);
    if (r) {
        answer->what = "narrow accesses";
        answer->bound = arena_printf(a->arena, "memory instructions: at line %u %s", r->at.line, r->fact);
        answer->change =
            arena_printf(a->arena, "%s, if that holds in every call", answer_annotations(a, HINTS_OF_ALL));
    }
    return r;
}

// ---- 3 and 4: products ----

static const struct report_loop *loop_doing(const struct asking *a, enum report_doing doing) {
    for (size_t i = 0; i < a->kernel->loop_count; i++) {
        for (size_t j = 0; j < a->kernel->loops[i].count; j++) {
            if (a->kernel->loops[i].actions[j].doing == doing) {
                return &a->kernel->loops[i];
            }
        }
    }
    return NULL;
}

static bool does(const struct report_loop *loop, enum report_doing doing) {
    for (size_t j = 0; j < loop->count; j++) {
        if (loop->actions[j].doing == doing) {
            return true;
        }
    }
    return false;
}

// The remark's advice; NULL: it has none.
static const char *advice_of(const struct asking *a, const struct remark *remark) {
    const char *text = remark ? remark->advice : NULL;
    for (size_t i = 0; remark && i < remark->hint_count; i++) {
        text = arena_printf(a->arena, "%s%s`%s: \"%s\"`", i ? text : "", i ? ", " : "annotate ",
                            remark->hints[i].parameter, remark->hints[i].annotation);
    }
    return text;
}

static bool plain_products(const struct asking *a, struct answer *answer) {
    const struct report_loop *loop = loop_doing(a, DOING_PRODUCT);
    if (!loop) {
        return false;
    }
    unsigned line = loop->line;
    answer->what = "arithmetic (no matrix instructions)";
    for (size_t i = 0; i < loop->count; i++) {
        line = loop->actions[i].doing == DOING_PRODUCT ? loop->actions[i].line : line;
    }
    answer->bound =
        arena_printf(a->arena, "arithmetic: the dot at line %u runs without matrix instructions", line);
    const char *advice = advice_of(a, page_remark(a->page, a->number, REMARK_MULTIPLY_ADDS, line));
    answer->change = advice ? advice : "use types and a tile that the chip has a matrix instruction for";
    return true;
}

static bool waits_for_loads(const struct asking *a, struct answer *answer) {
    const struct report_loop *loop = loop_doing(a, DOING_MATRIX);
    const struct remark *why = loop ? page_remark(a->page, a->number, REMARK_PIPELINE, loop->line) : NULL;
    const char *advice = advice_of(a, why); // without one nothing is to be gained
    if (!advice || !why->refused || !does(loop, DOING_LOAD)) {
        return false;
    }
    answer->what = "latency of loads";
    answer->bound = arena_printf(
        a->arena, "latency: each step of the loop at line %u waits for its loads: %s", loop->line, why->fact);
    answer->change = advice;
    return true;
}
// ---- all ----

// The answer is about one of two branches.
static void add_branch(const struct asking *a, struct answer *answer) {
    struct estimate e = page_estimate(a->page, a->number);
    int64_t holds;
    answer->branch = e.branch;
    if (e.branch) {
        const char *why = !page_decides(a->page->report->run, e.branch, &holds) ? "the branch with more work"
                          : a->low                                              ? "which these sizes take"
                                                                                : "which this run took";
        answer->bound = arena_printf(a->arena,
                                     "%s. This is about the branch %s, %s; the other one is in the table of "
                                     "work of its variant, below",
                                     answer->bound, e.branch->where, why);
    }
}

static struct answer answer_to(const struct asking *a) {
    struct answer answer = {.unit = PAGE_UNITS};
    if (!answer_spills(a, &answer) && !narrow(a, &answer) && !plain_products(a, &answer) &&
        !waits_for_loads(a, &answer) && !answer_small_launch(a, &answer)) {
        answer_by_peak(a, &answer);
        answer_add_single_round(a, &answer);
        add_branch(a, &answer);
    }
    answer_add_little_spills(a, &answer);
    answer.share = answer_share(a, answer.unit);
    answer.equals = answer_equals(a, answer.unit);
    return answer;
}

static struct answer answer_of(const struct page_part *page, size_t kernel) {
    struct asking a = {page, &page->part->code->kernels[kernel], kernel, page->arena, NULL, NULL};
    return answer_to(&a);
}

// ---- launches of some sizes ----

// Of the variant for launches from `low` to `high`.
static struct answer answer_at(const struct page_part *first, const struct page_launch *low,
                               const struct page_launch *high) {
    const struct page_part *page = &first->variants[low->variant];
    struct asking a = {answer_page_at(page, high), &page->part->code->kernels[0], 0, page->arena, low, high};
    return answer_to(&a);
}

// Behind a figure with a unit: "2.56 µs", "12 %"; others, such as sizes of tiles, are what a text says.
static const char *behind_figure(const char *at) {
    static const char *const units[] = {" ns", " µs", " ms", " s", " %"};
    const char *end = at + strspn(at, "0123456789.");
    for (size_t i = 0; end > at && i < sizeof units / sizeof *units; i++) {
        if (strncmp(end, units[i], strlen(units[i])) == 0) {
            return end + strlen(units[i]);
        }
    }
    return at;
}

// True if the texts say the same but for their figures.
static bool says_alike(const char *a, const char *b) {
    while (*a || *b) {
        const char *next_a = behind_figure(a), *next_b = behind_figure(b);
        if ((next_a > a) != (next_b > b) || (next_a == a && *a != *b)) {
            return false;
        }
        a = next_a > a ? next_a : a + 1;
        b = next_b > b ? next_b : b + 1;
    }
    return true;
}

// The last of the launches from number `at` on with one variant and one answer.
static size_t last_alike(const struct page_part *page, size_t at) {
    const struct page_launch *launches = page->launches;
    struct answer first = answer_at(page, &launches[at], &launches[at]);
    size_t last = at;
    while (last + 1 < page->launch_count && launches[last + 1].variant == launches[at].variant) {
        struct answer next = answer_at(page, &launches[last + 1], &launches[last + 1]);
        if (strcmp(next.what, first.what) != 0 || !says_alike(next.change, first.change) ||
            next.branch != first.branch || next.equals != first.equals) {
            break;
        }
        last++;
    }
    return last;
}

static void add_bound(const char *what, const char **all, struct arena *arena) {
    if (!*all || !strstr(*all, what)) {
        *all = *all ? arena_printf(arena, "%s; %s", *all, what) : what;
    }
}

const char *page_bound(const struct page_part *page, size_t kernel) {
    const char *all = NULL;
    for (size_t i = 0; page->sizes_taken && i < page->launch_count; i++) {
        if (page->launches[i].variant == page_variant_number(page)) {
            add_bound(answer_at(page, &page->launches[i], &page->launches[i]).what, &all, page->arena);
        }
    }
    return all ? all : answer_of(page, kernel).what;
}

// `name`: the answer's subject; `more`: about it.
static void add_box(const struct answer *answer, const char *name, const char *more, struct strbuf *out) {
    size_t words = strcspn(answer->bound, ":.,("); // "memory bandwidth"
    words -= words && answer->bound[words - 1] == ' ';
    html_add(out, "<p class=\"answer\"><span class=\"name\"><b>%s</b>%s</span> <span><b>Bound by: ", name,
             more);
    html_text(out, answer->bound, words);
    html_add(out, answer->equals ? "%s</b>" : "</b>%s", answer->share);
    html_prose(out, answer->bound + words);
    strbuf_add(out, ".</span> <span><b>Change:</b> ");
    html_prose(out, answer->change);
    strbuf_add(out, ".</span></p>\n");
}

void page_add_answer(const struct page_part *page, size_t kernel, struct strbuf *out) {
    struct answer answer = answer_of(page, kernel);
    const struct reflect_kernel *reflected = &page->report->kernels[page->part->first + kernel];
    const char *config = page_config(page, kernel);
    bool untaken = page->sizes && !page->sizes_taken;
    const char *more =
        arena_printf(page->arena, "%s%s%s", *config ? ": " : "", config,
                     untaken ? ", which a launch takes by itself for none of the sizes above" : "");
    add_box(&answer, *config ? reflected->function : page->part->code->kernels[kernel].name, more, out);
}

// "2,048": of a launch.
static void add_programs(const struct page_part *page, const struct page_launch *low,
                         const struct page_launch *high, struct strbuf *out) {
    double least = page_programs(page, low), most = page_programs(page, high);
    html_number(out, (unsigned long long)least);
    if (most != least) {
        strbuf_add(out, " to ");
        html_number(out, (unsigned long long)most);
    }
    strbuf_add(out, most == 1 ? " program" : " programs");
}

static void add_launches(const struct page_part *first, size_t from, size_t last, struct strbuf *out) {
    const struct page_launch *low = &first->launches[from], *high = &first->launches[last];
    const struct page_part *page = &first->variants[low->variant];
    struct answer answer = answer_at(first, low, high);
    struct strbuf more = {0};
    const char *name =
        arena_printf(page->arena, "%s, %s = %s", page->report->kernels[page->part->first].function,
                     page_key_text(page), page_size_range(page->arena, low, high));
    strbuf_printf(&more, ": a launch runs %s, ", answer_variant_name(page, 0));
    add_programs(page, low, high, &more);
    add_box(&answer, name, strbuf_text(&more), out);
    strbuf_free(&more);
}

static void add_table(const struct page_part *first, struct strbuf *out) {
    double *after = ARENA_ARRAY(first->arena, double, first->launch_count + 1);
    for (size_t i = 0; i < first->launch_count; i++) {
        after[i] = answer_at(first, &first->launches[i], &first->launches[i]).after;
    }
    page_add_launches(first, after, out);
}

void page_add_answers(const struct page_part *first, struct strbuf *out) {
    page_add_answer_notes(first, out);
    for (size_t k = 0; !first->launch_count && k < first->part->code->kernel_count; k++) {
        page_add_answer(first, k, out);
    }
    if (first->launch_count) {
        page_add_picks_note(first, out);
        add_table(first, out);
    }
    for (size_t i = 0, last; i < first->launch_count; i = last + 1) {
        last = last_alike(first, i);
        add_launches(first, i, last, out);
    }
}
