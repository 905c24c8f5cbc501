// Other variants of the source as advice: which loads fewer bytes for each operation, whether launches take it, and how to force it.
#include <string.h>

#include "report/answer.h"

const char *answer_variant_name(const struct page_part *page, size_t kernel) {
    const char *config = page_config(page, kernel);
    return *config ? config : page->part->code->kernels[kernel].name;
}

static const struct page_part *as_variant(const struct page_part *page) {
    return page->variants ? &page->variants[page_variant_number(page)] : NULL;
}

static unsigned sizes_taken(const struct page_part *page) {
    const struct page_part *variant = as_variant(page);
    return variant ? variant->sizes_taken : 0;
}

bool answer_leanest(const struct asking *a, const struct estimate *own, struct page_part *found,
                    struct estimate *best) {
    const double ALIKE = 1.05;
    struct page_part other;
    bool any = false;
    *best = *own;
    for (size_t next = 0; page_next_variant(a->page, a->number, &next, &other);) {
        struct estimate e = page_estimate(&other, 0);
        const struct resources *r = page_resources(&other, 0);
        bool leaner = e.intensity > ALIKE * own->intensity && e.intensity > ALIKE * best->intensity;
        bool alike = any && ALIKE * e.intensity > best->intensity && sizes_taken(&other) > sizes_taken(found);
        if ((leaner || alike) && !(r && resources_spill(r) && !resources_spill_little(r))) {
            *best = e;
            *found = other;
            any = true;
        }
    }
    return any;
}

// "`--config 1` compiles it alone, and `matmul_launch_variant(stream, 1, …)` launches it"
static const char *forced(const struct asking *a, const struct page_part *other) {
    const struct reflect_kernel *all = a->page->report->kernels;
    size_t number = other->part->first, first = number;
    while (first > 0 && strcmp(all[first - 1].function, all[number].function) == 0) {
        first--;
    }
    return arena_printf(
        a->arena, "`--config %u` compiles it alone, and `%s_launch_variant(stream, %zu, …)` launches it",
        all[number].config, all[number].function, number - first);
}

const char *answer_use_of(const struct asking *a, const struct page_part *other) {
    const struct page_part *variant = as_variant(other);
    const char *name = answer_variant_name(other, 0);
    if (!a->low && variant && variant->sizes_taken) {
        return arena_printf(
            a->arena,
            "%s, which a launch takes by itself for sizes of %s (for others see the answers on top)", name,
            variant->sizes);
    }
    return arena_printf(a->arena, "%s, which a launch does not take by itself%s: %s", name,
                        a->low ? " at these sizes" : "", forced(a, other));
}

// ---- larger tiles ----

// Registers of a block for tiles of floats: at the line with the most, or for the sums of products.
static unsigned tile_registers(const struct report_kernel *kernel, const struct target *target) {
    unsigned at = answer_most_live(kernel), live = at ? kernel->live[at] : 0, sums = kernel->sums.registers;
    return (live > sums ? live : sums) * kernel->warps * target->warp_size;
}

// Another variant with larger tiles, without spills; NULL: none.
static const char *variant_with_larger_tiles(const struct asking *a) {
    const struct target *target = a->page->part->target;
    unsigned own = tile_registers(a->kernel, target);
    struct page_part other;
    for (size_t next = 0; page_next_variant(a->page, a->number, &next, &other);) {
        const struct resources *r = page_resources(&other, 0);
        if (tile_registers(&other.part->code->kernels[0], target) > own && !(r && resources_spill(r))) {
            return answer_variant_name(&other, 0);
        }
    }
    return NULL;
}

const char *answer_larger_tiles(const struct asking *a, const char *or_else) {
    const char *variant = variant_with_larger_tiles(a);
    if (variant) {
        return arena_printf(a->arena,
                            "%s; no variant of this file loads clearly fewer bytes for each operation, "
                            "not even %s with its larger tiles",
                            or_else, variant);
    }
    const struct target *target = a->page->part->target;
    unsigned warps = sums_warps(2 * tile_registers(a->kernel, target), a->kernel->warps, target);
    if (!warps) {
        return arena_printf(
            a->arena,
            "%s; tiles of twice the size would not fit in the registers of a thread, whatever num_warps is",
            or_else);
    }
    return arena_printf(
        a->arena, "use tiles twice as large%s, which load fewer bytes for each operation, or %s",
        warps > a->kernel->warps ? arena_printf(a->arena, " with num_warps=%u", warps) : "", or_else);
}

// ---- time ----

bool answer_fastest(const struct asking *a, struct page_part *found, struct page_times *best) {
    struct page_part other;
    bool any = false;
    for (size_t next = 0; a->high && page_next_variant(a->page, a->number, &next, &other);) {
        const struct resources *r = page_resources(&other, 0);
        struct page_times t;
        const struct page_part *sized = answer_page_at(&other, a->high);
        bool spills = r && resources_spill(r) && !resources_spill_little(r);
        if (!spills && page_launch_times(sized, 0, &t) && (!any || t.whole < best->whole)) {
            *best = t;
            *found = other;
            any = true;
        }
    }
    return any;
}

const char *answer_other_variants(const struct asking *a) {
    const double CLEARLY = 0.9; // of the count's error
    struct page_part other;
    struct page_times own, best;
    if (!page_launch_times(a->page, a->number, &own) || !answer_fastest(a, &other, &best)) {
        return "";
    }
    return best.whole < CLEARLY * own.whole
               ? arena_printf(a->arena, "time it against %s, for which this count gives some %s (%s)",
                              answer_variant_name(&other, 0), answer_time(a, best.whole),
                              answer_use_of(a, &other))
               : arena_printf(
                     a->arena,
                     "no other variant of this file is faster by more than the error of the count (the best "
                     "of them, %s, takes some %s)",
                     answer_variant_name(&other, 0), answer_time(a, best.whole));
}
