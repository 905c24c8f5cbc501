// How often the programs of a run do a term of the work, on their mean: steps of a loop that ends where each program computes it, elements
// inside a mask. The term's text is computed for every program of a small grid, else for SAMPLES of them, evenly apart along each
// axis that the text names: exact to a step for the bounds of causal loops, which grow evenly from program to program.
//
// test: tests/cli/check_report.py
#include <math.h>
#include <string.h>

#include "artifact/artifact.h"
#include "command/expression.h"
#include "report/estimate.h"

enum { NAMES = 64, SAMPLES = 64, AXES = 3 };

const char *const page_id_names[AXES] = {"tkc_id_0", "tkc_id_1", "tkc_id_2"};

struct sampling {
    const char *text;
    struct expression_name names[NAMES + AXES];
    size_t count;         // of names, without the ids
    unsigned sides[AXES]; // of the grid, 1 along axes that the text does not name
    unsigned most;        // samples along an axis
    double sum, largest, taken;
};

static bool prepare(struct sampling *s, const struct report_run *run, const char *text) {
    unsigned named = 0;
    *s = (struct sampling){.text = text, .count = run->value_count};
    for (size_t i = 0; i < run->value_count && i < NAMES; i++) {
        s->names[i] = (struct expression_name){run->values[i].name, run->values[i].value};
    }
    for (unsigned axis = 0; axis < AXES && run->value_count <= NAMES; axis++) {
        bool names = strstr(text, page_id_names[axis]);
        s->sides[axis] = names ? run->grid[axis] : 1;
        named += names;
        s->names[run->value_count + axis] = (struct expression_name){page_id_names[axis], 0};
    }
    s->most = named < 2 ? SAMPLES : named == 2 ? 8 : 4;
    return run->value_count <= NAMES;
}

// Adds the values of the samples along the axes from `axis` on. False: the text has no value.
static bool add_samples(struct sampling *s, unsigned axis) {
    char wrong[EXPRESSION_WRONG];
    int64_t value;
    if (axis == AXES) {
        bool known = expression_evaluate(s->text, s->names, s->count + AXES, &value, wrong);
        s->sum += known ? (double)value : 0;
        s->largest = known && (double)value > s->largest ? (double)value : s->largest;
        s->taken++;
        return known;
    }
    unsigned side = s->sides[axis], samples = side < s->most ? side : s->most;
    bool known = side > 0;
    for (unsigned i = 0; i < samples && known; i++) {
        s->names[s->count + axis].value = tkc_sample(i, samples, side);
        known = add_samples(s, axis + 1);
    }
    return known;
}

// The value of an argument of the run; -1: it has none.
static double value_of(const struct report_run *run, const char *name) {
    for (size_t i = 0; i < run->value_count; i++) {
        if (strcmp(run->values[i].name, name) == 0) {
            return (double)run->values[i].value;
        }
    }
    return -1;
}

double page_times(const struct report_run *run, const struct report_term *term) {
    struct sampling s;
    if (term->steps && prepare(&s, run, term->steps) && add_samples(&s, 0)) {
        return s.sum / s.taken / term->per;
    }
    double value = term->parameter ? value_of(run, term->parameter) : -1;
    return value >= 0 ? ceil(value / (double)term->divisor) : term->parameter ? 1 : (double)term->divisor;
}

double page_unevenness(const struct report_run *run, const struct report_kernel *kernel) {
    struct sampling s;
    double most = 1;
    for (size_t i = 0; i < kernel->term_count; i++) {
        const struct report_term *term = &kernel->terms[i];
        bool uneven = term->steps && term->parameter && term->per == 1 && prepare(&s, run, term->steps) &&
                      add_samples(&s, 0) && s.sum > 0;
        most = uneven ? fmax(most, s.largest * s.taken / s.sum) : most;
    }
    return most;
}
