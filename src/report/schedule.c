// The loops: the work of a step and its warps, and for a loop with copies its slots over time:
//
//   slot 0   copy 0 | 0 | copy 3 …     a slot is filled while the slots before it are used, and free again after its own step
//   slot 1     copy 1 | 1 | …
#include "report/page.h"

#include <stdio.h>

#include "report/svg.h"

static const char *doing_name(enum report_doing doing) {
    static const char *const names[] = {
#define DOING(id, name) [DOING_##id] = name,
#include "report/doings.def"
#undef DOING
    };
    return names[doing];
}

static void add_warps(const struct report_kernel *kernel, enum report_role role, struct strbuf *out) {
    if (role == ROLE_COMPUTES) {
        html_add(out, kernel->warps > 1 ? "warps 0 to %u" : "warp %u", kernel->warps - 1);
    } else if (role == ROLE_MULTIPLIES) {
        html_add(out, "a thread of warp %u", kernel->warps + 1);
    } else if (kernel->producer_warps > 1 && kernel->gathers) {
        html_add(out, "warps %u to %u", kernel->warps, kernel->warps + kernel->producer_warps - 1);
    } else {
        html_add(out, kernel->gathers ? "warp %u" : "a thread of warp %u", kernel->warps);
    }
}

static void add_actions(const struct report_kernel *kernel, const struct report_loop *loop,
                        struct strbuf *out) {
    strbuf_add(
        out,
        "<table class=\"small\"><thead><tr><th scope=\"col\">line</th><th scope=\"col\">in one pass</th><th "
        "scope=\"col\">times</th>"
        "<th scope=\"col\">by</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < loop->count; i++) {
        const struct report_action *action = &loop->actions[i];
        html_add(out, "<tr data-l=\"%u\"><td>%u</td><td>%s</td><td>%u</td><td>", action->line, action->line,
                 doing_name(action->doing), action->count);
        add_warps(kernel, action->role, out);
        strbuf_add(out, "</td></tr>\n");
    }
    strbuf_add(out, "</tbody></table>\n");
}

static void add_slots(const struct report_loop *loop, struct strbuf *out) {
    enum { STEPS = 5, HEIGHT = 18, LEFT = 52, WIDTH = 640 };
    unsigned slots = loop->slots, columns = slots - 1 + STEPS;
    double step = (double)WIDTH / columns;
    char text[32];
    strbuf_add(out, "<div class=\"wide\" role=\"region\" aria-label=\"slots\" tabindex=\"0\">");
    svg_open(out, LEFT + WIDTH + 4, slots * HEIGHT + 22, "slots over time");
    for (unsigned slot = 0; slot < slots; slot++) {
        snprintf(text, sizeof text, "slot %u", slot);
        svg_text(out, 2, slot * HEIGHT + 13, "faint", text);
        for (unsigned i = slot; i < columns; i += slots) { // an iteration: used in column i + slots - 1
            double used = LEFT + (i + slots - 1) * step, from = LEFT + i * step;
            double until = used > LEFT + WIDTH ? LEFT + WIDTH : used;
            svg_rect(out, from, slot * HEIGHT + 2, until - from, HEIGHT - 4, "edge copy");
            snprintf(text, sizeof text, step < 44 && slots < 3 ? "%u" : "copy %u", i);
            svg_text(out, from + 4, slot * HEIGHT + 13, "small", text);
            if (i < STEPS) {
                svg_rect(out, used, slot * HEIGHT + 2, step, HEIGHT - 4, "edge compute");
                snprintf(text, sizeof text, "%u", i);
                svg_centred(out, used + step / 2, slot * HEIGHT + 13, "small", text);
            }
        }
    }
    svg_text(out, LEFT, slots * HEIGHT + 16, "faint", "before the loop");
    svg_text(out, LEFT + (slots - 1) * step, slots * HEIGHT + 16, "faint", "steps of the loop");
    svg_close(out);
    strbuf_add(out, "</div>\n");
}

static void add_loop(const struct page_part *page, size_t number, const struct report_loop *loop,
                     struct strbuf *out) {
    const struct report_kernel *kernel = &page->part->code->kernels[number];
    const struct remark *why = page_remark(page, number, REMARK_PIPELINE, loop->line);
    if (loop->over_programs) {
        strbuf_add(out, "<h5>Over the programs of a block</h5>\n");
    } else {
        html_add(out, "<h5>Loop at line %u", loop->line);
        if (loop->copies > 1) {
            html_add(out, ", copy %u of %u in the code", loop->copy, loop->copies);
        }
        if (loop->called) {
            html_add(out, ", called at line %u", loop->called);
        }
        strbuf_add(out, "</h5>\n");
    }
    strbuf_add(out, "<div class=\"loop\">\n");
    if (loop->slots > 1) {
        strbuf_add(out, "<figure>\n");
        add_slots(loop, out);
        html_add(out,
                 "<figcaption>%u slots of shared memory. Blue: the copy of an iteration is under way or has "
                 "come; green: the iteration uses it. "
                 "%s</figcaption>\n</figure>\n",
                 loop->slots,
                 loop->has_producer ? "Warps of their own fill the slots as they come free, so copies do not "
                                      "wait for the steps' order."
                                    : "All warps copy and use.");
    } else if (loop->pipeline) {
        html_add(out, "<p class=\"quiet\">Pipelined: %s.</p>\n", loop->pipeline);
    } else if (why && why->refused && !loop->over_programs) {
        strbuf_add(out, "<p class=\"quiet\">");
        html_prose(out, remark_text(page->arena, why));
        strbuf_add(out, "</p>\n");
    }
    strbuf_add(out, "<div>\n");
    add_actions(kernel, loop, out);
    strbuf_add(out, "</div></div>\n");
}

static void add_warp_counts(const struct report_kernel *kernel, struct strbuf *out) {
    html_add(out, "<p class=\"quiet\">%u warps%s", kernel->warps,
             kernel->producer_warps ? " that compute" : "");
    if (kernel->copying) {
        html_add(out, " with %u registers a thread (%u stay with the others: setmaxnreg)", kernel->computing,
                 kernel->copying);
    }
    if (kernel->producer_warps) {
        html_add(out, ", and %u more%s %s%s", kernel->producer_warps, kernel->gathers ? "" : ",",
                 kernel->gathers          ? "that copy"
                 : kernel->has_multiplier ? "one thread of which copies and another one starts the products"
                                          : "one thread of which copies",
                 !kernel->persistent   ? ""
                 : kernel->one_program ? "; a block runs one program"
                                       : "; blocks stay and take one program after another");
    }
    strbuf_add(out,
               ". A pass is once through a loop's code; of an unrolled loop it does several steps.</p>\n");
}

void page_add_loops(const struct page_part *page, struct strbuf *out) {
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        const struct report_kernel *kernel = &page->part->code->kernels[k];
        if (kernel->loop_count) {
            page_add_heading(page, k, "Loops", out);
            add_warp_counts(kernel, out);
        }
        for (size_t i = 0; i < kernel->loop_count; i++) {
            add_loop(page, k, &kernel->loops[i], out);
        }
    }
}
