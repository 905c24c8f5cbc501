// The variant that a launch takes before any tuning: the cost rule of launchers (artifact/launcher/variant.h), for sizes from LEAST_SIZE
// to MOST_SIZE, on the product that the page's figures are of. All sizes of the key are equal there; a size that the grid has
// beside them is OTHER_PROGRAMS programs, or a part of these.
//
// test: tests/cli/check_report.py
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/launcher/grid.h"
#include "chip/peaks.h"
#include "command/expression.h"
#include "report/estimate.h"
#include "report/page.h"

enum {
    LEAST_SIZE = 128,
    MOST_SIZE = 16384, // powers of two
    OTHER_PROGRAMS = 4096,
    PARAMETERS = 64,
    LAUNCHES = 8,
    VARIANTS = 64
};

struct picking {
    const struct reflect_kernel *kernels[VARIANTS]; // of the variants
    struct tkc_variant variants[VARIANTS];
    const struct kernel_work *works[VARIANTS];
    struct tkc_fit fits[VARIANTS];
    struct expression_name names[PARAMETERS + 3]; // of the parameters, as grids spell them, and of the ids
    int64_t values[PARAMETERS];
    size_t value_count;
    unsigned count;
    struct tkc_chip chip;
};

static _Thread_local struct picking *picking; // a family's functions have no argument for it

// Computes an expression of the variant's parameters. False: it has no result.
static bool evaluate(unsigned variant, const char *text, const int64_t *values, int64_t *result) {
    const struct reflect_kernel *kernel = picking->kernels[variant];
    char wrong[EXPRESSION_WRONG];
    for (size_t i = 0; i < kernel->param_count; i++) {
        picking->names[i].value = values[i];
    }
    return expression_evaluate(text, picking->names, kernel->param_count, result, wrong);
}

static int grid_at(unsigned variant, const int64_t *values, int64_t grid[3]) {
    const struct reflect_kernel *kernel = picking->kernels[variant];
    for (int i = 0; i < 3; i++) {
        grid[i] = 1;
        if (kernel->grid[i] && !evaluate(variant, kernel->grid[i], values, &grid[i])) {
            return 0;
        }
    }
    return tkc_grid_fits(grid);
}

static int when_at(unsigned variant, unsigned term, const int64_t *values) {
    const char *text = picking->works[variant]->when[term];
    int64_t holds;
    return !text || !evaluate(variant, text, values, &holds) || holds;
}

static int64_t steps_at(unsigned variant, unsigned term, const int64_t *values, const int64_t id[3]) {
    const char *text = picking->works[variant]->steps[term];
    const size_t count = picking->kernels[variant]->param_count;
    char wrong[EXPRESSION_WRONG];
    int64_t steps;
    for (size_t i = 0; i < count; i++) {
        picking->names[i].value = values[i];
    }
    for (int axis = 0; axis < 3; axis++) {
        picking->names[count + axis] = (struct expression_name){page_id_names[axis], id[axis]};
    }
    return text && expression_evaluate(text, picking->names, count + 3, &steps, wrong) ? steps : -1;
}

// A size of the grid outside of the key.
static bool is_other_size(const struct reflect_kernel *kernel, size_t parameter, const char *name) {
    const struct reflect_param *p = &kernel->params[parameter];
    return !p->pointer && !reflect_is_key(p) && artifact_grid_uses(kernel, name);
}

static int64_t share_of(int64_t programs, unsigned sizes) {
    int64_t side = 1, product;
    do {
        side *= 2;
        product = 1;
        for (unsigned i = 0; i < sizes; i++) {
            product *= side;
        }
    } while (product < programs);
    return side;
}

// Sets all values for one size of the key.
static void set_values(struct picking *p, int64_t size) {
    const struct reflect_kernel *kernel = p->kernels[0];
    unsigned others = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        others += is_other_size(kernel, i, p->names[i].name);
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        bool other = is_other_size(kernel, i, p->names[i].name);
        p->values[i] = kernel->params[i].equals_one ? 1 : other ? share_of(OTHER_PROGRAMS, others) : size;
    }
}

// False if a launch makes no such choice, or the page cannot follow it.
static bool prepare(struct picking *p, struct arena *arena, const struct page_part *pages, size_t count) {
    const struct peaks *peaks = peaks_of(pages->part->target);
    const struct reflect_kernel *first = &pages->report->kernels[pages->part->first];
    bool has_key = false, can = peaks && count <= VARIANTS && first->param_count <= PARAMETERS &&
                                first->entries && first->grid[0];
    p->value_count = first->param_count;
    for (size_t i = 0; can && i < first->param_count; i++) {
        has_key |= reflect_is_key(&first->params[i]);
        p->names[i].name = artifact_c_name(arena, first->params[i].name);
    }
    for (size_t i = 0; can && has_key && i < count; i++) {
        const struct reflect_kernel *kernel = &pages[i].report->kernels[pages[i].part->first];
        const struct reflect_entry *entry = &kernel->entries[page_target_number(pages)];
        can = pages[i].part->code->kernel_count == 1 && kernel->level == first->level;
        p->kernels[i] = kernel;
        p->variants[i] = (struct tkc_variant){.work_count = entry->work.count, .sums = entry->work.sums};
        p->works[i] = &entry->work;
        memcpy(p->variants[i].work, entry->work.terms, sizeof entry->work.terms);
        p->fits[i] = (struct tkc_fit){1, entry->threads, entry->shared_bytes, entry->dealing.persistent,
                                      entry->dealing.cluster};
    }
    p->count = (unsigned)count;
    p->chip = (struct tkc_chip){.multiprocessors = peaks ? peaks->multiprocessors : 0,
                                .shared = pages->part->target->shared_per_sm,
                                .threads = pages->part->target->threads_per_sm};
    return can && has_key;
}

static const struct report_value *values_of(const struct picking *p, struct arena *arena) {
    struct report_value *values = ARENA_ARRAY(arena, struct report_value, p->value_count + 1);
    for (size_t i = 0; i < p->value_count; i++) {
        values[i] = (struct report_value){p->kernels[0]->params[i].name, p->values[i]};
    }
    return values;
}

static unsigned element_bytes(const char *dtype) {
    unsigned bits = (unsigned)strtoul(dtype + strcspn(dtype, "0123456789"), NULL, 10);
    return bits > 8 ? bits / 8 : 1;
}

static double extent_of(const struct picking *p, const struct reflect_extent *extent) {
    for (size_t i = 0; extent->parameter && i < p->value_count; i++) {
        if (strcmp(p->kernels[0]->params[i].name, extent->parameter) == 0) {
            return (double)p->values[i];
        }
    }
    return (double)extent->number;
}

// Bytes of all arrays; 0: the source does not say all sizes.
static double array_bytes(const struct picking *p) {
    double all = 0;
    for (size_t i = 0; i < p->value_count; i++) {
        const struct reflect_param *param = &p->kernels[0]->params[i];
        double bytes = param->pointer ? element_bytes(param->dtype) : 0;
        if (param->pointer && !param->tensor) {
            return 0;
        }
        for (size_t d = 0; param->pointer && d < param->tensor->rank; d++) {
            bytes *= extent_of(p, &param->tensor->sizes[d]);
        }
        all += bytes;
    }
    return all;
}

static struct page_launch launch_of(struct picking *p, struct arena *arena, int64_t size) {
    const struct tkc_family family = {
        .variants = p->variants, .count = p->count, .grid = grid_at, .when = when_at, .steps = steps_at};
    set_values(p, size);
    picking = p;
    struct page_launch launch = {.size = size,
                                 .variant = tkc_cheapest(&family, p->fits, &p->chip, p->values),
                                 .grids = arena_alloc(arena, p->count * sizeof *launch.grids),
                                 .values = values_of(p, arena),
                                 .value_count = p->value_count,
                                 .array_bytes = array_bytes(p)};
    for (unsigned i = 0; i < p->count; i++) {
        int64_t grid[3];
        bool exists = grid_at(i, p->values, grid);
        for (int axis = 0; axis < 3; axis++) {
            launch.grids[i][axis] = exists ? (unsigned)grid[axis] : 0;
        }
    }
    return launch;
}

// "512 to 2048, 8192": the sizes with this pick.
static const char *sizes_text(struct arena *arena, const struct page_launch *launches, size_t count,
                              unsigned variant) {
    const char *text = NULL;
    for (size_t i = 0, next; i < count; i = next + 1) {
        for (next = i; next < count && launches[next].variant == variant; next++) {
        }
        if (next > i) {
            const char *run = page_size_range(arena, &launches[i], &launches[next - 1]);
            text = text ? arena_printf(arena, "%s, %s", text, run) : run;
        }
    }
    return text ? text : "none";
}

const char *page_size_range(struct arena *arena, const struct page_launch *low,
                            const struct page_launch *high) {
    return low == high ? arena_printf(arena, "%lld", (long long)low->size)
                       : arena_printf(arena, "%lld to %lld", (long long)low->size, (long long)high->size);
}

void page_find_picks(struct page_part *pages, size_t count) {
    struct picking *p = ARENA_NEW(pages->arena, struct picking);
    if (!prepare(p, pages->arena, pages, count)) {
        return;
    }
    struct page_launch *launches = ARENA_ARRAY(pages->arena, struct page_launch, LAUNCHES);
    size_t sizes = 0;
    for (int64_t size = LEAST_SIZE; size <= MOST_SIZE; size *= 2) {
        launches[sizes++] = launch_of(p, pages->arena, size);
    }
    for (size_t i = 0; i < count; i++) {
        pages[i].sizes = count > 1 ? sizes_text(pages->arena, launches, sizes, (unsigned)i) : NULL;
        for (size_t j = 0; j < sizes; j++) {
            pages[i].sizes_taken += launches[j].variant == i;
        }
        pages[i].variants = pages;
        pages[i].variant_count = count;
        pages[i].launches = launches;
        pages[i].launch_count = sizes;
    }
}

const char *page_key_text(const struct page_part *page) {
    const struct reflect_kernel *kernel = &page->report->kernels[page->part->first];
    const char *text = NULL;
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (reflect_is_key(&kernel->params[i])) {
            const char *name = kernel->params[i].name;
            text = text ? arena_printf(page->arena, "%s = %s", text, name) : name;
        }
    }
    return text;
}

// ", with batch = 64, heads = 64": the sizes of the grid outside of the key.
static void add_others(const struct page_part *pages, struct strbuf *out) {
    const struct reflect_kernel *kernel = &pages->report->kernels[pages->part->first];
    const char *before = ", with ";
    unsigned others = 0;
    for (size_t i = 0; i < kernel->param_count; i++) {
        others += is_other_size(kernel, i, artifact_c_name(pages->arena, kernel->params[i].name));
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (is_other_size(kernel, i, artifact_c_name(pages->arena, kernel->params[i].name))) {
            html_add(out, "%s%s = %lld", before, kernel->params[i].name,
                     (long long)share_of(OTHER_PROGRAMS, others));
            before = ", ";
        }
    }
}

void page_add_picks_note(const struct page_part *pages, struct strbuf *out) {
    const char *function = pages->report->kernels[pages->part->first].function;
    strbuf_add(out, "<p class=\"quiet\">");
    html_add(out, "What bounds a launch, and the change to make first, for %s from %d to %d",
             page_key_text(pages), LEAST_SIZE, MOST_SIZE);
    add_others(pages, out);
    if (pages->variant_count > 1) {
        html_add(
            out,
            ". A launch (%s_launch, in the C header that tkc writes) runs the one of the %zu variants that "
            "was "
            "fastest when %s_tune timed them all for sizes like these; where nothing was timed, as here, the "
            "one with the least time by a simpler count than this page's",
            function, pages->variant_count, function);
    }
    strbuf_add(out, ":</p>\n");
}
