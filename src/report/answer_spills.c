// Kernels with spills: their lines, their cause, and a change against them.
#include "report/answer.h"

#include <math.h>
#include <string.h>

#include "chip/registers.h"

// Another variant of the kernel without spills and with hardly more bytes loaded for each operation; NULL: none.
static const char *variant_without_spills(const struct asking *a) {
    const double HARDLY = 0.9;
    double own = page_estimate(a->page, a->number).intensity;
    struct page_part other;
    for (size_t next = 0; page_next_variant(a->page, a->number, &next, &other);) {
        const struct resources *r = page_resources(&other, 0);
        if (*page_config(&other, 0) && r && r->from && !resources_spill(r) &&
            page_estimate(&other, 0).intensity >= HARDLY * own) {
            return page_config(&other, 0);
        }
    }
    return NULL;
}

unsigned answer_most_live(const struct report_kernel *kernel) {
    unsigned at = 0;
    for (unsigned line = 1; line <= kernel->line_count; line++) { // line 0: ops of no line
        at = kernel->live[line] > (at ? kernel->live[at] : 0) ? line : at;
    }
    return at;
}

// "; tiles of floats take 224 registers at line 16"; "" if none do.
static const char *fullest_line(const struct asking *a) {
    unsigned at = answer_most_live(a->kernel);
    return at ? arena_printf(a->arena, "; tiles of floats take %u registers at line %u", a->kernel->live[at],
                             at)
              : "";
}

// "; most at line 13, with 36 B stored, 20 B loaded"; "" if the machine code is not known.
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
    if (!at) {
        return unseen ? "; at which lines is not shown: that takes nvdisasm, beside ptxas or on PATH" : "";
    }
    struct strbuf text = {0};
    page_add_spilled(a->page, &mixes[at], &text);
    const char *kept = arena_printf(a->arena, "; most at line %u, with %s", at, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

// "; the sums of products alone need 512", or the line with the most of all tiles.
static const char *cause_of_spills(const struct asking *a) {
    const struct sums *sums = &a->kernel->sums;
    if (sums_fit(sums)) {
        return fullest_line(a);
    }
    const struct remark *dot = answer_slow_dot(a);
    return dot ? arena_printf(
                     a->arena,
                     "; the sums of products alone need %u, which also keeps the dot at line %u from the "
                     "chip's fast products, wgmma",
                     sums->registers, dot->at.line)
               : arena_printf(a->arena, "; the sums of products alone need %u", sums->registers);
}

// A change if neither another variant nor hints help. AMD: the compiler itself has tried more warps (driver/fit.c).
static const char *fewer_values(const struct asking *a) {
    enum { OTHERS = 24 }; // registers beside tiles
    const struct target *target = a->page->part->target;
    const struct resources *r = page_resources(a->page, a->number);
    unsigned at = answer_most_live(a->kernel), tiles = at ? a->kernel->live[at] : 0, warps = a->kernel->warps;
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

// ---- the time of spills ----

// Seconds of a multiprocessor for a pass of a block through the main loop of the machine code: of loads and stores by threads, the part of
// spilled values, of all instructions, and of the step's products.
struct pass_times {
    double moved, spilled, issued, products;
    unsigned bytes; // spilled, of a thread
};

static bool pass_times(const struct asking *a, struct pass_times *t) {
    enum { SCHEDULERS = 4 }; // of a multiprocessor; each starts an instruction of a warp a clock
    struct page_machine_loop loop;
    struct estimate e = page_estimate(a->page, a->number);
    if (!e.peaks || !page_machine_loop(a->page, a->number, &loop) || !loop.spilled) {
        return false;
    }
    double warps = a->kernel->warps, threads = warps * a->page->part->target->warp_size;
    *t = (struct pass_times){.moved = loop.moved * threads / PEAKS_SHARED / e.peaks->clock,
                             .spilled = loop.spilled * threads / PEAKS_SHARED / e.peaks->clock,
                             .issued = loop.instructions * warps / SCHEDULERS / e.peaks->clock,
                             .products = e.steps ? e.products_time : 0,
                             .bytes = loop.spilled};
    return true;
}

static double busy_time(const struct pass_times *t) {
    return fmax(fmax(t->moved, t->issued), t->products);
}

static const char *pass_text(const struct asking *a, const struct pass_times *t) {
    enum { LEAST_WAIT = 3, MOST_WAIT = 4 }; // times as long as busy
    const char *products =
        t->products > 0 ? arena_printf(a->arena, "products %s, ", answer_time(a, t->products)) : "";
    unsigned blocks = page_resources(a->page, a->number)->occupancy.blocks;
    return arena_printf(a->arena,
                        ". In machine code a pass through the main loop keeps a multiprocessor busy for %s: "
                        "loads and stores of "
                        "threads take %s, of which spilled values, %u bytes of a thread (others move before "
                        "and behind the loop), take %s (%.0f %%); "
                        "%sall instructions %s. The wait "
                        "for what is loaded comes on top, and is most of the time: with %u block%s of %u "
                        "warps at a time little else "
                        "runs meanwhile (on an H200 "
                        "passes of two such kernels took 3 and 4 times the busy time; here %s to %s for a "
                        "pass%s)",
                        answer_time(a, busy_time(t)), answer_time(a, t->moved), t->bytes,
                        answer_time(a, t->spilled), 100 * t->spilled / t->moved, products,
                        answer_time(a, t->issued), blocks, blocks == 1 ? "" : "s", a->kernel->warps,
                        answer_time(a, LEAST_WAIT * blocks * busy_time(t)),
                        answer_time(a, MOST_WAIT * blocks * busy_time(t)),
                        blocks == 1 ? "" : arena_printf(a->arena, " of the %u blocks together", blocks));
}

// Busy seconds of a pass after the change: `direct`, no tile passes through the registers of threads any more.
static double time_left(const struct asking *a, const struct pass_times *t, bool direct) {
    double shared = page_estimate(a->page, a->number).shared_time;
    return direct && t->products > 0 ? fmax(t->products, shared) : fmax(t->moved - t->spilled, t->products);
}

static const char *gain_text(const struct asking *a, const struct pass_times *t, bool direct) {
    double busy = busy_time(t), left = time_left(a, t, direct);
    const char *ahead =
        direct
            ? "loads then run ahead of the step that needs them, so that little of the wait is left (on an "
              "H200 the passes of one such kernel then took 1.1 times their busy time)"
            : "loads then run ahead of the step that needs them";
    return left < busy
               ? arena_printf(a->arena, ". A pass is then busy for %s instead of %s (%.0f %%), and %s",
                              answer_time(a, left), answer_time(a, busy), 100 * left / busy, ahead)
               : arena_printf(a->arena, ". Its %s", ahead);
}

// The tiles left in registers once loads no longer pass through them.
static const char *without_tiles(const struct asking *a) {
    const struct sums *sums = &a->kernel->sums;
    return arena_printf(
        a->arena,
        ", and the spills should go away with the tiles' values: of the %u registers of a thread the "
        "sums of products take %u",
        page_resources(a->page, a->number)->registers, sums->registers);
}

bool answer_spills(const struct asking *a, struct answer *answer) {
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
    struct pass_times times;
    bool timed = pass_times(a, &times), direct = false;
    const char *more_warps = NULL;
    answer->bound =
        timed ? arena_printf(a->arena, "%s%s", answer->bound, pass_text(a, &times)) : answer->bound;
    bool narrow = timed && 2 * times.spilled < times.moved && answer_slow_access(a);
    answer->what = narrow ? "narrow accesses and spills" : "registers (spills)";
    if (narrow) {
        answer->bound = arena_printf(a->arena,
                                     "narrow accesses and spills and most of all the wait for both: at "
                                     "line %u %s; and %s",
                                     answer_slow_access(a)->at.line, answer_slow_access(a)->fact,
                                     strstr(answer->bound, "the values"));
    }
    const char *other = variant_without_spills(a);
    const struct remark *slow = answer_slow_access(a);
    if (other) {
        answer->change = arena_printf(a->arena, "take the variant %s, which does not spill", other);
    } else if (slow && slow->lacks_copies && sums_fit(&a->kernel->sums)) {
        answer->change = arena_printf(
            a->arena,
            "%s (all of them: the accesses at %s need them), if that holds in every call: tiles then go to "
            "shared memory without passing through registers (line %u: %s)%s",
            answer_annotations(a, HINTS_OF_LOOPS), answer_hinted_lines(a, HINTS_OF_LOOPS), slow->at.line,
            slow->fact, without_tiles(a));
        direct = true;
        more_warps = fewer_values(a);
    } else {
        answer->change = fewer_values(a);
        if (sums_fit(&a->kernel->sums)) { // the factors of wgmma take no registers
            answer_add_slow_dot(a, answer);
        }
    }
    if (timed) {
        struct estimate e = page_estimate(a->page, a->number);
        answer->change = arena_printf(a->arena, "%s%s", answer->change, gain_text(a, &times, direct));
        if (e.steps) {
            answer->bound =
                arena_printf(a->arena, "%s%s", answer->bound,
                             answer_spill_condition(a, &e, busy_time(&times), time_left(a, &times, direct)));
        }
    }
    if (more_warps) {
        answer->change = arena_printf(a->arena, "%s. If it does not hold, %s", answer->change, more_warps);
    }
    return true;
}

void answer_add_little_spills(const struct asking *a, struct answer *answer) {
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
