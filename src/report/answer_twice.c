// Bytes loaded a second time by a program, in another loop than the first: a block as large as the row saves them.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/answer.h"

// The other branch of the `if` that the answer is about one branch of, if it loads nothing twice; NULL: there is none.
static const struct report_branch *branch_without(const struct asking *a, const struct estimate *e) {
    size_t other = e->branch ? (size_t)(e->branch - a->kernel->branches) ^ 1 : 0;
    bool twice = !e->branch, works = false;
    for (size_t i = 0; i < a->kernel->term_count; i++) {
        const struct report_term *term = &a->kernel->terms[i];
        twice |= term->branch == other + 1 && term->again > 0;
        works |= term->branch == other + 1 && term->bytes > 0;
    }
    return works && !twice ? &a->kernel->branches[other] : NULL;
}

// The smallest variant without second loads in this launch, nor spills; NULL: none.
static const char *variant_without(const struct asking *a, struct estimate *of) {
    const char *least = NULL; // of the lanes, those outside the mask with them
    struct page_part other;
    for (size_t next = 0; a->low && page_next_variant(a->page, a->number, &next, &other);) {
        const struct resources *r = page_resources(&other, 0);
        struct estimate e = page_estimate(&other, 0);
        bool less = !least || e.simple + e.special < of->simple + of->special;
        if (e.again <= 0 && !(r && resources_spill(r)) && less) {
            least = answer_variant_name(&other, 0);
            *of = e;
        }
    }
    return least;
}

// The constant of the configurations that the branch compares a size with: "BLOCK"; NULL: not known.
static const char *block_of(const struct asking *a, const struct report_branch *branch) {
    const struct reflect_kernel *kernel = &a->page->report->kernels[a->page->part->first + a->number];
    for (size_t i = 0; branch->bound > 0 && i < kernel->constant_count; i++) {
        const struct reflect_constant *c = &kernel->constants[i];
        if (c->is_integer && strtoll(c->value, NULL, 10) == branch->bound) {
            return c->name;
        }
    }
    return NULL;
}

// Warps with 32 elements of a row in each thread.
static unsigned warps_for(const struct asking *a, int64_t elements) {
    enum { OF_A_THREAD = 32 };
    const struct target *target = a->page->part->target;
    unsigned warps = 1;
    while (2 * warps <= target_most_warps(target) && warps * target->warp_size * OF_A_THREAD < elements) {
        warps *= 2;
    }
    return warps;
}

// "BLOCK=16384, num_warps=16", or in words where the size is not known.
static const char *larger_block(const struct asking *a, const struct report_branch *branch) {
    const char *name = block_of(a, branch);
    return name && a->high ? arena_printf(a->arena, "%s=%" PRId64 ", num_warps=%u", name, a->high->size,
                                          warps_for(a, a->high->size))
           : name          ? arena_printf(a->arena, "%s as large as the rows", name)
                           : "a block as large as the rows";
}

// The other branch does its terms' work of a block for the whole row, as many times as blocks make up the row.
bool answer_work_read_once(const struct asking *a, double *arithmetic, double *accesses) {
    struct estimate e = page_estimate(a->page, a->number), variant;
    const struct report_branch *branch = branch_without(a, &e);
    if (variant_without(a, &variant)) {
        *arithmetic = variant.simple + variant.special;
        *accesses = variant.accesses;
        return true;
    }
    if (!branch || !block_of(a, branch) || !a->high) {
        return false;
    }
    double blocks = (double)a->high->size / (double)branch->bound;
    *arithmetic = *accesses = 0;
    for (size_t i = 0; i < a->kernel->term_count; i++) {
        const struct report_term *term = &a->kernel->terms[i];
        bool within = term->branch == (size_t)(branch - a->kernel->branches) + 1;
        double times = within ? blocks * (double)term->divisor : 0;
        if (within && term->parameter) {
            return false; // its loop has steps of its own
        }
        times = term->branch ? times : page_times(a->page->report->run, term);
        *arithmetic += times * (term->simple + term->special);
        *accesses += times * term->accesses * PEAKS_ACCESS;
    }
    return true;
}

const char *answer_read_once(const struct asking *a) {
    struct estimate e = page_estimate(a->page, a->number), unused;
    const struct report_branch *branch = branch_without(a, &e);
    const char *variant = variant_without(a, &unused);
    return variant ? arena_printf(
                         a->arena,
                         "time it against %s, which loads the rows once: the estimate of a launch counts "
                         "on caches for the second time",
                         variant)
           : branch
               ? arena_printf(a->arena,
                              "add a configuration with %s: a launch then takes the other branch of line %u, "
                              "which loads the rows once",
                              larger_block(a, branch), branch->line)
               : "load once: keep what the first loop loads, in a block as large as the rows";
}
