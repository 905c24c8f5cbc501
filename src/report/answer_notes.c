// What stands above the answers: how the kernel was compiled, how its steps were counted, and of which card the figures are.
//
// test: tests/cli/check_report.py
#include <ctype.h>
#include <string.h>

#include "chip/peaks.h"
#include "report/page.h"

// Whether a name of the table is the card of the figures: "h100" of "H100 SXM".
static bool is_card(const char *name, const char *card) {
    while (*name && *card) {
        if (*card == ' ') {
            card++;
        } else if (tolower((unsigned char)*name++) != tolower((unsigned char)*card++)) {
            return false;
        }
    }
    return !*name;
}

void page_add_cards_note(const struct target *target, struct strbuf *out) {
    const struct peaks *peaks = peaks_of(target);
    const char *name, *chip, *before = "";
    struct strbuf others = {0};
    for (size_t i = 0; peaks && target_product_at(i, &name, &chip); i++) {
        if (strcmp(chip, target->name) == 0 && !is_card(name, peaks->product)) {
            strbuf_printf(&others, "%s%s", before, name);
            before = ", ";
        }
    }
    if (*before) {
        html_add(
            out,
            "<p class=\"quiet\">For other cards with this chip (%s) the page has the figures of %s, too: "
            "%.0f GB/s of memory, %u multiprocessors. Where a card's memory is faster, memory stops being "
            "the bound at fewer operations for each byte, by the same factor.</p>\n",
            strbuf_text(&others), peaks->product, peaks->memory / 1e9, peaks->multiprocessors);
    }
    strbuf_free(&others);
}

// "Compiled with HEAD_DIM=128, CAUSAL=True.": the constants named by no configuration.
static void add_constants(const struct reflect_kernel *kernel, struct strbuf *out) {
    const char *before = "Compiled with ";
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *c = &kernel->constants[i];
        size_t length = strlen(c->name);
        const char *named = kernel->config_text;
        while (named && *named && !(strncmp(named, c->name, length) == 0 && named[length] == '=')) {
            named += strcspn(named, " ");
            named += strspn(named, " ");
        }
        if (!named || !*named) {
            html_add(out, "%s%s=%s", before, c->name, c->value);
            before = ", ";
        }
    }
    strbuf_add(out, *before == ',' ? ". " : "");
}

// The term of a loop with an argument as its number of steps; NULL: there is none.
static const struct report_term *counted(const struct report_kernel *kernel) {
    for (size_t i = 0; i < kernel->term_count; i++) {
        if (kernel->terms[i].parameter) {
            return &kernel->terms[i];
        }
    }
    return NULL;
}

static void add_counting(const struct report_kernel *kernel, struct strbuf *out) {
    const struct report_term *term = counted(kernel);
    if (kernel->varying && term) {
        html_add(out,
                 term->steps
                     ? "The loop at line %u ends where each program computes it; the answers for sizes "
                       "count the steps of the mean program. "
                     : "The loop at line %u ends where each program computes it; the answers count its "
                       "steps up to %s, the most that a program does. ",
                 kernel->varying, term->parameter);
    }
}

// Sizes tell answers apart, but the source does not say which arguments are sizes.
static void add_sizes(const struct page_part *first, const struct reflect_kernel *kernel,
                      struct strbuf *out) {
    const struct report_term *term = counted(&first->part->code->kernels[0]);
    bool has_key = false;
    for (size_t i = 0; i < kernel->param_count; i++) {
        has_key |= reflect_is_key(&kernel->params[i]);
    }
    if (!has_key && !first->report->run && peaks_of(first->part->target) && term) {
        html_add(out,
                 "The answer is for sizes large enough to fill the chip. To have one for each size, list "
                 "the sizes, such as \"%s\", in key=[...] of @triton.autotune (above @triton.jit; "
                 "configs=[triton.Config({})] is "
                 "enough)%s. ",
                 term->parameter, kernel->grid[0] ? "" : ", and give the grid");
    }
}

void page_add_answer_notes(const struct page_part *first, struct strbuf *out) {
    const struct reflect_kernel *kernel = &first->report->kernels[first->part->first];
    struct strbuf text = {0};
    if (first->part->code->kernel_count == 1) {
        add_constants(kernel, &text);
        add_counting(&first->part->code->kernels[0], &text);
        add_sizes(first, kernel, &text);
    }
    if (text.length) {
        strbuf_printf(out, "<p class=\"quiet\">%s</p>\n", strbuf_text(&text));
    }
    strbuf_free(&text);
}
