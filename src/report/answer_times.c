// The figures of an answer: the time of its bound in a launch, those of the other resources, and what a change can gain.
#include "report/times.h"

#include <math.h>

#include "report/answer.h"

// "12 µs", "0.45 µs"
const char *answer_time(const struct asking *a, double seconds) {
    struct strbuf text = {0};
    html_time(&text, seconds);
    const char *kept = arena_strdup(a->arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

static double percent_at(const struct asking *a, const struct page_launch *launch, enum page_unit unit) {
    struct page_times t;
    bool known = launch && page_launch_times(answer_page_at(a->page, launch), a->number, &t);
    return known ? 100 * t.seconds[unit] / t.whole : 0;
}

unsigned answer_equals(const struct asking *a, enum page_unit unit) {
    struct page_times t;
    bool known = unit < PAGE_UNITS && page_launch_times(a->page, a->number, &t);
    return known ? page_longest_units(&t) & ~(1U << unit) : 0;
}

// "; about as long: L2 cache (2.41 µs), matrix units (2.24 µs)"
static const char *equal_times(const struct asking *a, const struct page_times *t, unsigned units) {
    const char *text = "";
    for (unsigned unit = 0; unit < PAGE_UNITS; unit++) {
        if (units >> unit & 1) {
            text = arena_printf(a->arena, "%s%s %s (%s)", text, *text ? "," : "; about as long:",
                                page_unit_name(a->page, a->number, (enum page_unit)unit),
                                answer_time(a, t->seconds[unit]));
        }
    }
    return text;
}

const char *answer_share(const struct asking *a, enum page_unit unit) {
    struct page_times t;
    if (unit >= PAGE_UNITS || !page_launch_times(a->page, a->number, &t)) {
        return "";
    }
    double percent = 100 * t.seconds[unit] / t.whole, low = percent_at(a, a->low, unit);
    const char *range = a->low == a->high ? "" : arena_printf(a->arena, "%.0f to ", fmin(low, percent));
    return arena_printf(a->arena, ", %s of some %s %s (%s%.0f %%)%s", answer_time(a, t.seconds[unit]),
                        answer_time(a, t.whole), answer_size(a), range, fmax(low, percent),
                        equal_times(a, &t, answer_equals(a, unit)));
}

// The times of the units before `end`, but for the time of `unit` and short ones.
static const char *times_of_others(const struct asking *a, enum page_unit unit, unsigned end) {
    enum { FEW = 20 }; // a part of the bound too small for a word
    const char *text = "";
    struct page_times t;
    for (unsigned i = 0; page_launch_times(a->page, a->number, &t) && i < end; i++) {
        if (i != unit && t.seconds[i] > t.seconds[unit] / FEW) {
            text = arena_printf(a->arena, "%s%s%s %s", text, *text ? ", " : "",
                                page_unit_name(a->page, a->number, (enum page_unit)i),
                                answer_time(a, t.seconds[i]));
        }
    }
    return text;
}

const char *answer_others(const struct asking *a, enum page_unit unit) {
    return times_of_others(a, unit, PAGE_UNITS);
}

const char *answer_beside(const struct asking *a, enum page_unit unit) {
    return times_of_others(a, unit, UNIT_START);
}

void answer_narrowed_times(const struct asking *a, struct page_times *t) {
    static const enum page_unit halved[] = {UNIT_MEMORY, UNIT_CACHE, UNIT_PRODUCTS, UNIT_SHARED};
    if (!page_launch_times(a->page, a->number, t)) {
        return;
    }
    for (size_t i = 0; i < sizeof halved / sizeof *halved; i++) {
        t->seconds[halved[i]] /= 2;
    }
    for (unsigned unit = 0; unit < UNIT_START; unit++) {
        t->longest = t->seconds[unit] > t->seconds[t->longest] ? unit : t->longest;
    }
    t->whole = PAGE_START + page_together(t->seconds);
}

double answer_narrowed(const struct asking *a) {
    struct page_times t;
    answer_narrowed_times(a, &t);
    return t.whole;
}
