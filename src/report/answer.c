// One sentence on top: the bound of the kernel, and the one change to make first. From the facts at hand, the surest first:
//
//   1  values spill                                             the final code, or ptxas
//   2  narrow accesses in a loop for want of hints              remarks
//   3  products without matrix instructions                     tile IR
//   4  a loop of products with loads of its own step            tile IR, remarks
//   5  a run with fewer programs than multiprocessors           the grid of tkc-run
//   6  the resource with the longest time at its peak            the surveyed work, chip/peaks.def
//
// Of 6 the sentence says the open question: how many loads caches serve.
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "chip/registers.h"
#include "report/estimate.h"

struct answer {
    const char *what; // of the bound, in few words
    const char *bound, *change;
};

struct asking {
    const struct page_part *page;
    const struct report_kernel *kernel;
    size_t number;
    struct arena *arena;
};

static const char *variant_name(const struct page_part *page, size_t kernel) {
    const char *config = page_config(page, kernel);
    return *config ? config : page->part->code->kernels[kernel].name;
}

// ---- 2: narrow accesses ----

// The first remark of an access in a loop with missing hints; NULL: none.
static const struct remark *slow_access(const struct asking *a) {
    const struct remarks *remarks = a->page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->slow && r->hint_count && strcmp(r->kernel, a->kernel->name) == 0) {
            return r;
        }
    }
    return NULL;
}

// The hints of a remark that the advice names: of narrow accesses in loops, or of all narrow ones.
enum hints_of { HINTS_OF_LOOPS, HINTS_OF_ALL };
static size_t hints_asked(const struct asking *a, const struct remark *r, enum hints_of which) {
    bool asked = r->slow || (which == HINTS_OF_ALL && r->kind == REMARK_ACCESS);
    return asked && strcmp(r->kernel, a->kernel->name) == 0 ? r->hint_count : 0;
}

static bool is_named_before(const struct asking *a, size_t remark, size_t hint, enum hints_of which) {
    const struct remarks *remarks = a->page->part->remarks;
    const char *parameter = remarks->list[remark].hints[hint].parameter;
    for (size_t i = 0; i <= remark; i++) {
        const struct remark *r = &remarks->list[i];
        size_t count = i == remark ? hint : hints_asked(a, r, which);
        for (size_t h = 0; h < count; h++) {
            if (strcmp(r->hints[h].parameter, parameter) == 0) {
                return true;
            }
        }
    }
    return false;
}

// "annotate `K: "i32:16"`, `N: "i32:16"`".
static const char *annotations(const struct asking *a, enum hints_of which) {
    const struct remarks *remarks = a->page->part->remarks;
    struct strbuf text = {0};
    unsigned count = 0;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        for (size_t h = 0; h < hints_asked(a, r, which); h++) {
            if (!is_named_before(a, i, h, which)) {
                strbuf_printf(&text, "%s`%s: \"%s\"`", count++ ? ", " : "", r->hints[h].parameter,
                              r->hints[h].annotation);
            }
        }
    }
    const char *kept = arena_printf(a->arena, "annotate %s", strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

static bool narrow(const struct asking *a, struct answer *answer) {
    const struct remark *r = slow_access(a);
    if (r) {
        answer->what = "narrow accesses";
        answer->bound = arena_printf(a->arena, "memory instructions: at line %u %s", r->at.line, r->fact);
        answer->change =
            arena_printf(a->arena, "%s, if the caller can promise it", annotations(a, HINTS_OF_ALL));
    }
    return r;
}

// ---- 1: spills ----

// Another variant of the kernel, without spills; NULL: none.
static const char *variant_without_spills(const struct asking *a) {
    struct page_part other;
    for (size_t next = 0; page_next_variant(a->page, a->number, &next, &other);) {
        const struct resources *r = page_resources(&other, 0);
        if (*page_config(&other, 0) && r && r->from && !resources_spill(r)) {
            return page_config(&other, 0);
        }
    }
    return NULL;
}

// The line whose tiles of floats take the most registers; 0: none do.
static unsigned most_live(const struct report_kernel *kernel) {
    unsigned at = 0;
    for (unsigned line = 1; line <= kernel->line_count; line++) { // line 0: ops of no line
        at = kernel->live[line] > (at ? kernel->live[at] : 0) ? line : at;
    }
    return at;
}

// "; tiles of floats take 224 registers at line 16"; "" if none do.
static const char *fullest_line(const struct asking *a) {
    unsigned at = most_live(a->kernel);
    return at ? arena_printf(a->arena, "; tiles of floats take %u registers at line %u", a->kernel->live[at],
                             at)
              : "";
}

// "; most of it at line 13, with 30 stores and 41 loads"; "" where the machine code is not known.
static const char *spilling_line(const struct asking *a) {
    const struct line_mix *mixes = a->page->mixes;
    unsigned at = 0, most = 0;
    for (unsigned line = 1; mixes && line <= a->page->line_count; line++) {
        unsigned here = mixes[line].spilled + mixes[line].reloaded;
        at = here > most ? line : at;
        most = here > most ? here : most;
    }
    const struct report_part *part = a->page->part;
    bool unseen = part->target->vendor == VENDOR_NVIDIA && !part->code->texts[REPORT_SASS].name;
    return at       ? arena_printf(a->arena, "; most at line %u, with %u store%s and %u load%s", at,
                                   mixes[at].spilled, mixes[at].spilled == 1 ? "" : "s", mixes[at].reloaded,
                             mixes[at].reloaded == 1 ? "" : "s")
           : unseen ? "; at which lines is not shown: that takes nvdisasm, beside ptxas or on PATH"
                    : "";
}

// "; the sums of products alone need 512", or the line with the most of all tiles.
static const char *cause_of_spills(const struct asking *a) {
    const struct sums *sums = &a->kernel->sums;
    if (sums_fit(sums)) {
        return fullest_line(a);
    }
    const struct remarks *remarks = a->page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->kind == REMARK_MATRIX && r->refused && strcmp(r->kernel, a->kernel->name) == 0) {
            return arena_printf(
                a->arena,
                "; the sums of products alone need %u, which also keeps the dot at line %u from the "
                "chip's fast products, wgmma",
                sums->registers, r->at.line);
        }
    }
    return arena_printf(a->arena, "; the sums of products alone need %u", sums->registers);
}

// A change where neither another variant nor hints help. AMD: the compiler itself has tried more warps (driver/fit.c).
static const char *fewer_values(const struct asking *a) {
    enum { OTHERS = 24 }; // registers beside tiles
    const struct target *target = a->page->part->target;
    const struct resources *r = page_resources(a->page, a->number);
    unsigned at = most_live(a->kernel), tiles = at ? a->kernel->live[at] : 0, warps = a->kernel->warps;
    if (target->vendor == VENDOR_AMD) {
        return "halve a side of the tile (more warps do not help: tkc tries them itself where values spill)";
    }
    if (!sums_fit(&a->kernel->sums)) {
        return sums_advice(a->arena, &a->kernel->sums, target);
    }
    while (tiles + OTHERS > r->registers && 2 * warps <= target_most_warps(target)) {
        warps *= 2;
        if (tiles * a->kernel->warps / warps + OTHERS <= registers_share(target, warps, 1)) {
            return arena_printf(a->arena,
                                "give it num_warps=%u: tiles of floats then take %u registers of a thread",
                                warps, tiles * a->kernel->warps / warps);
        }
    }
    return tiles + OTHERS > r->registers
               ? "halve a side of the tile: no number of warps has registers for it"
               : "halve a side of the tile, or double num_warps, and look here again (tiles of floats would "
                 "fit; what else needs registers, tkc does not know)";
}

static bool spills(const struct asking *a, struct answer *answer) {
    const struct resources *r = page_resources(a->page, a->number);
    if (!r || !resources_spill(r) || resources_spill_little(r)) {
        return false;
    }
    struct strbuf text = {0};
    resources_add_spills(r, &text);
    answer->bound = arena_printf(
        a->arena,
        "registers: the values of a thread do not fit in %u registers, and spill to memory (%s%s%s)",
        r->registers, strbuf_text(&text), spilling_line(a), cause_of_spills(a));
    strbuf_free(&text);
    answer->what = "registers (spills)";
    const char *other = variant_without_spills(a);
    const struct remark *slow = slow_access(a);
    if (other) {
        answer->change = arena_printf(a->arena, "take the variant %s, which does not spill", other);
    } else if (slow && slow->lacks_copies && sums_fit(&a->kernel->sums)) {
        answer->change = arena_printf(
            a->arena,
            "%s, if the caller can promise it: tiles then go to shared memory without passing through "
            "registers (line %u: %s)",
            annotations(a, HINTS_OF_LOOPS), slow->at.line, slow->fact);
    } else {
        answer->change = fewer_values(a);
    }
    return true;
}

// Behind the bound of a kernel that spills a little.
static void add_little_spills(const struct asking *a, struct answer *answer) {
    const struct resources *r = page_resources(a->page, a->number);
    struct strbuf text = {0};
    if (r && resources_spill_little(r)) {
        resources_add_spills(r, &text);
        answer->bound = arena_printf(a->arena,
                                     "%s. A thread also spills a little (%s): too few values to "
                                     "matter",
                                     answer->bound, strbuf_text(&text));
    }
    strbuf_free(&text);
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

// What to do about a remark; NULL: it does not say.
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

// ---- 5 and 6: the run; the longest at peak ----

// The variant with the fewest bytes an operation, by its name; NULL: this one.
static const char *leanest(const struct asking *a, const struct estimate *own, struct estimate *best) {
    struct page_part other;
    const char *found = NULL;
    *best = *own;
    for (size_t next = 0; page_next_variant(a->page, a->number, &next, &other);) {
        struct estimate e = page_estimate(&other, 0);
        const struct resources *r = page_resources(&other, 0);
        if (e.intensity > 1.05 * best->intensity && !(r && resources_spill(r))) {
            *best = e;
            found = variant_name(&other, 0);
        }
    }
    return found;
}

// "; a launch takes it by itself for sizes of 2048 to 8192", of another variant.
static const char *by_itself(const struct asking *a, const char *other) {
    for (size_t i = 0; i < a->page->variant_count; i++) {
        const struct page_part *variant = &a->page->variants[i];
        if (strcmp(page_config(variant, 0), other) == 0 && strcmp(variant->sizes, "none") != 0) {
            return arena_printf(a->arena, "; a launch takes it by itself for sizes of %s", variant->sizes);
        }
    }
    return "";
}

// Percent of the loads to be served by caches, for memory to keep up with the rest.
static double to_be_served(const struct estimate *e) {
    return e->memory_time > e->longest_unit ? 100 * (1 - e->longest_unit / e->memory_time) : 0;
}

// The bytes of the narrowest access in what the estimate counts, and its line.
static unsigned narrowest(const struct asking *a, unsigned *line) {
    unsigned bytes = 16;
    for (size_t i = 0; i < a->kernel->access_count; i++) {
        const struct report_access *access = &a->kernel->accesses[i];
        if (access->bytes && access->bytes < bytes && page_counts(a->page, a->number, access)) {
            bytes = access->bytes;
            *line = access->line;
        }
    }
    return bytes;
}

// "a program does 2.67 operations for each byte"
static const char *intensity_text(const struct asking *a, double intensity) {
    enum { COPIES = 20 }; // bytes an operation, of kernels that copy
    return intensity * COPIES < 1
               ? "a program moves data and does hardly any arithmetic"
               : arena_printf(a->arena, "a program does %.3g operations for each byte", intensity);
}

static const char *memory_text(const struct asking *a, const struct estimate *e) {
    const char *does = intensity_text(a, e->intensity);
    return e->peaks ? arena_printf(
                          a->arena,
                          "memory bandwidth: %s, and %s can do %.3g operations in the time that memory takes "
                          "for one byte",
                          does, e->peaks->product, e->rate / e->peaks->memory)
                    : arena_printf(a->arena,
                                   "memory bandwidth, as on every chip: %s (tkc has no peak numbers for %s)",
                                   does, a->page->part->target->name);
}

// Narrow accesses: too few bytes are under way to fill the bandwidth, which is the bound once they are wide.
static void by_narrow(const struct asking *a, const struct estimate *e, unsigned line, unsigned bytes,
                      struct answer *answer) {
    const struct remark *access = page_remark(a->page, a->number, REMARK_ACCESS, line);
    const char *fact =
        access ? access->fact : arena_printf(a->arena, "a thread moves %u bytes at a time, not 16", bytes);
    answer->what = "narrow accesses";
    answer->bound =
        arena_printf(a->arena,
                     "narrow accesses: at line %u %s, too few at once to keep the memory busy. With "
                     "wide ones the bound is %s",
                     line, fact, memory_text(a, e));
    answer->change =
        access && access->hint_count
            ? arena_printf(a->arena, "%s, if the caller can promise it", annotations(a, HINTS_OF_ALL))
            : "let neighbouring threads access neighbouring elements, a multiple of 16 bytes from the start "
              "of a row";
}

static void by_memory(const struct asking *a, const struct estimate *e, struct answer *answer) {
    unsigned line = 0, bytes = narrowest(a, &line);
    answer->what = "memory bandwidth";
    if (e->programs > 0 && e->products_time > 0) {
        answer->bound = arena_printf(a->arena,
                                     "memory bandwidth, even if each byte of the arrays moves once: the "
                                     "kernel does %.3g operations for "
                                     "each, and %s can do %.3g in the time that memory takes for one",
                                     e->intensity * e->memory_time / e->once_time, e->peaks->product,
                                     e->rate / e->peaks->memory);
        answer->change = "move fewer bytes: narrower types for the largest array, or more work for each byte";
        return;
    }
    const struct remark *access = line ? page_remark(a->page, a->number, REMARK_ACCESS, line) : NULL;
    if ((access && access->hint_count) || bytes < 4) {
        by_narrow(a, e, line, bytes, answer);
        return;
    }
    answer->bound = memory_text(a, e);
    answer->change = "move fewer bytes: fuse the kernel before or behind it, or narrow the types; the "
                     "accesses are wide already";
}

// Percent of the loads that caches serve at best: programs that run at a time, one a multiprocessor, are a group of rows of tiles by as many
// columns, and DRAM sends each of their rows and columns once. 0: not known.
static double shared_by_group(const struct asking *a, const struct estimate *e) {
    const struct sums *tile = &a->kernel->sums;
    double programs = e->peaks->multiprocessors, rows = a->kernel->grouped;
    if (!rows || !tile->rows || programs < rows) {
        return 0;
    }
    double once = rows * tile->rows + ceil(programs / rows) * tile->columns;
    return 100 * (1 - once / (programs * (tile->rows + tile->columns)));
}

// ", if caches serve 78 % of the bytes that programs load, or more; if less, memory. …". Programs on other multiprocessors load the
// same operands; how many of the loads caches serve is open, and no data sheet has the rate of all chips' caches.
static const char *condition_of(const struct asking *a, const struct estimate *e) {
    double served = to_be_served(e), shared = shared_by_group(a, e);
    if (served <= 0) {
        return "";
    }
    const char *can =
        shared > 0
            ? arena_printf(a->arena,
                           ". They can serve %.0f %%: programs that run at the same time, in groups of "
                           "%u rows of tiles, load the same rows and columns",
                           shared, a->kernel->grouped)
            : ". How many they serve is not known here: measure the hit rate of the L2 cache";
    return arena_printf(
        a->arena,
        ", if caches serve %.0f %% of the bytes that programs load, or more; if less, memory%s. "
        "A program does %.3g operations for each byte; without caches it would have to do %.3g "
        "for the memory of %s not to be the bound",
        served, can, e->intensity, e->rate / e->peaks->memory, e->peaks->product);
}

// Registers of a block for tiles of floats: at the line with the most, or for the sums of products.
static unsigned tile_registers(const struct report_kernel *kernel, const struct target *target) {
    unsigned at = most_live(kernel), live = at ? kernel->live[at] : 0, sums = kernel->sums.registers;
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
            return variant_name(&other, 0);
        }
    }
    return NULL;
}

// Tiles twice as large, if a thread has registers for their floats with some number of warps; else why not. For a kernel of which no
// variant loads fewer bytes for each operation.
static const char *larger_tiles(const struct asking *a, const char *or_else) {
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

// Loads of operands: programs share rows and columns, so caches serve a part of them. MOSTLY: a part seldom reached.
enum { HALF = 50, MOSTLY = 90 };
static void by_operands(const struct asking *a, const struct estimate *e, struct answer *answer) {
    struct estimate best;
    const char *other = leanest(a, e, &best);
    answer->what = "loads of operands";
    answer->bound = arena_printf(
        a->arena,
        "loads of operands, unless caches serve %.0f %% of them: a program does %.3g operations for "
        "each byte that it loads, and DRAM of %s keeps up with %.3g or more",
        to_be_served(e), e->intensity, e->peaks->product, e->rate / e->peaks->memory);
    answer->change = other ? arena_printf(a->arena, "use larger tiles: %s does %.3g operations a byte%s",
                                          other, best.intensity, by_itself(a, other))
                           : larger_tiles(a, "order programs so that neighbours share rows");
}

// " (exponentials, divisions and roots, done at the same time, take 51 % of it)"
static const char *beside_products(const struct asking *a, const struct estimate *e) {
    bool special = e->special_time >= e->simple_time;
    double percent = 100 * (special ? e->special_time : e->simple_time) / e->products_time;
    return percent < HALF
               ? ""
               : arena_printf(a->arena, " (%s, done at the same time, %.0f %% of it)",
                              special ? "exponentials, divisions and roots" : "elementwise arithmetic",
                              percent);
}

// Leaves more of all that limits the blocks on a multiprocessor.
static const char *room_of(const struct occupancy *occupancy) {
    return occupancy->limits == 1U << OCCUPANCY_BY_SHARED  ? "smaller tiles or fewer stages"
           : occupancy->limits == 1U << OCCUPANCY_BY_WARPS ? "fewer warps"
                                                           : "smaller tiles";
}

static const char *limits_of(const struct asking *a, const struct occupancy *occupancy) {
    struct strbuf text = {0};
    occupancy_add_limits(occupancy, &text);
    const char *kept = arena_strdup(a->arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

// The advice where the matrix units are busy: types of half the width, if the chip multiplies them faster.
static const char *narrower_types(const struct asking *a, const struct estimate *e) {
    const char *type = a->kernel->multiplies;
    const char *narrower = strstr(type, "32")                       ? "fp16"
                           : strstr(type, "16") && e->peaks->f8 > 0 ? "fp8"
                                                                    : NULL;
    return narrower ? arena_printf(a->arena,
                                   "use narrower types (%s), or nothing: this is where a kernel of products "
                                   "should be",
                                   narrower)
                    : "nothing: this is where a kernel of products should be";
}

static void by_products(const struct asking *a, const struct estimate *e, struct answer *answer) {
    const struct resources *r = page_resources(a->page, a->number);
    struct estimate best;
    const char *other = to_be_served(e) > 0 ? leanest(a, e, &best) : NULL;
    answer->what = "matrix units";
    answer->bound = arena_printf(a->arena, "the matrix units%s%s", beside_products(a, e), condition_of(a, e));
    if (other) {
        answer->change =
            arena_printf(a->arena, "use larger tiles: with %s caches have to serve %.0f %% only%s", other,
                         to_be_served(&best), by_itself(a, other));
    } else if (r && r->from && !a->kernel->producer_warps && r->occupancy.blocks < 2) {
        answer->change = arena_printf(
            a->arena,
            "make room for a second block on a multiprocessor by %s (now one, limited by %s): one "
            "then multiplies while the other begins or ends",
            room_of(&r->occupancy), limits_of(a, &r->occupancy));
    } else if (to_be_served(e) > HALF) {
        answer->change = larger_tiles(a, narrower_types(a, e));
    } else {
        answer->change = narrower_types(a, e);
    }
}

static void by_elements(const struct asking *a, const struct estimate *e, bool special,
                        struct answer *answer) {
    const char *what = special ? "special units (exponentials, divisions, roots)" : "elementwise arithmetic";
    double time = special ? e->special_time : e->simple_time;
    const char *beside = e->products_time > 0
                             ? arena_printf(a->arena, ", which take %.0f %% of the time of the matrix units",
                                            100 * time / e->products_time)
                             : "";
    answer->what = special ? "special units" : "elementwise arithmetic";
    answer->bound = arena_printf(a->arena, "%s%s%s", what, beside, condition_of(a, e));
    answer->change =
        special ? "use fewer exponentials and divisions: exp2 with a folded factor, one reciprocal for a row"
                : "do less arithmetic: fold factors and conversions, or apply them to fewer elements";
}

static void by_peak(const struct asking *a, struct answer *answer) {
    enum { FEW = 4 }; // operations a byte, fewer than any chip does
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks && e.operations <= 0 && e.bytes > 0 && e.intensity < FEW) {
        by_memory(a, &e, answer);
        return;
    }
    if (!e.peaks || (e.operations > 0 && e.rate <= 0)) {
        const struct resources *r = page_resources(a->page, a->number);
        answer->what = "not known";
        answer->bound = arena_printf(a->arena,
                                     "nothing that the compiler sees (%sno hints missing in loops); tkc has "
                                     "no peak numbers for %s%s%s",
                                     r && r->from ? "no spills, " : "", a->page->part->target->name,
                                     e.peaks ? " with " : "", e.peaks ? a->kernel->multiplies : "");
        answer->change = e.bytes > 0
                             ? arena_printf(a->arena, "measure first: %s", intensity_text(a, e.intensity))
                             : "measure first";
        return;
    }
    double elements = e.simple_time > e.special_time ? e.simple_time : e.special_time;
    bool shares = e.products_time > 0; // programs share operands
    bool moves = e.once_time > elements && e.once_time > e.products_time;
    if (page_bound_by_shared(a->page, a->number, &e, &answer->bound, &answer->change)) {
        answer->what = "shared memory";
    } else if (moves) {
        by_memory(a, &e, answer);
    } else if (shares && to_be_served(&e) > MOSTLY) {
        by_operands(a, &e, answer);
    } else if (!shares && e.memory_time >= elements) {
        by_memory(a, &e, answer);
    } else if (e.products_time >= elements) {
        by_products(a, &e, answer);
    } else {
        by_elements(a, &e, e.special_time >= e.simple_time, answer);
    }
}

// A run with fewer programs than multiprocessors.
static bool few_programs(const struct asking *a, struct answer *answer) {
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks || e.programs <= 0 || e.programs >= e.peaks->multiprocessors) {
        return false;
    }
    answer->what = "too few programs";
    answer->bound =
        arena_printf(a->arena, "too few programs: %.0f in this run, and %s has %u multiprocessors",
                     e.programs, e.peaks->product, e.peaks->multiprocessors);
    answer->change = "use smaller tiles, or split the loop over programs and add up their results";
    return true;
}

// The answer is about one of two branches.
static void add_branch(const struct asking *a, struct answer *answer) {
    struct estimate e = page_estimate(a->page, a->number);
    int64_t holds;
    if (e.branch) {
        answer->bound =
            arena_printf(a->arena, "%s. This is %s, %s; the work of the other branch is in the table below",
                         answer->bound, e.branch->where,
                         page_decides(a->page->report->run, e.branch, &holds) ? "as in this run"
                                                                              : "the branch with more work");
    }
}

static struct answer answer_of(const struct page_part *page, size_t kernel) {
    struct asking a = {page, &page->part->code->kernels[kernel], kernel, page->arena};
    struct answer answer = {0};
    if (!spills(&a, &answer) && !narrow(&a, &answer) && !plain_products(&a, &answer) &&
        !waits_for_loads(&a, &answer) && !few_programs(&a, &answer)) {
        by_peak(&a, &answer);
        add_branch(&a, &answer);
    }
    add_little_spills(&a, &answer);
    return answer;
}

const char *page_bound(const struct page_part *page, size_t kernel) {
    return answer_of(page, kernel).what;
}

void page_add_answer(const struct page_part *page, size_t kernel, struct strbuf *out) {
    struct answer answer = answer_of(page, kernel);
    const struct reflect_kernel *reflected = &page->report->kernels[page->part->first + kernel];
    const char *config = page_config(page, kernel);
    html_add(out, "<p class=\"answer\"><span class=\"name\">%s%s%s%s%s</span> <span><b>Bound by:</b> ",
             *config ? reflected->function : page->part->code->kernels[kernel].name, *config ? ": " : "",
             config, page->sizes_taken ? ", which launches take for sizes of " : "",
             page->sizes_taken ? page->sizes : "");
    html_prose(out, answer.bound);
    strbuf_add(out, ".</span> <span><b>Change:</b> ");
    html_prose(out, answer.change);
    strbuf_add(out, ".</span></p>\n");
}
