// The document: a section a target with its answers and the table of its variants, then a part for each compiled variant.
//
// Everything of need to a reader is text and tables, without JavaScript; the script only links lines and chooses columns.
// A page beyond REPORT_BYTES_MAX leaves passages out, those of later variants first (enum passage_rank).
//
// test: tests/cli/check_report.py, tests/unit/test_report.c
#include "report/page.h"
#include "report/answer.h"

#include <string.h>

#include "chip/peaks.h"
#include "support/file.h"
#include "tkc/tkc.h"

static const struct page_file *page_file(const char *name) {
    const struct page_file *file = page_files;
    while (file->name && strcmp(file->name, name) != 0) {
        file++;
    }
    return file;
}

static unsigned lines_of(const struct source *source) {
    unsigned lines = 0;
    for (const char *at = source->text; *at; lines++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return lines;
}

// ---- instructions by line ----

struct counting {
    struct page_part *page;
    const struct report_text *code;
    const char *at; // lines are counted up to here
    size_t line;    // of the code
};

static void count(void *user, const char *mnemonic, struct instruction_facts facts) {
    struct counting *c = user;
    for (; c->at < mnemonic; c->at++) {
        c->line += *c->at == '\n';
    }
    unsigned line = c->line < c->code->count ? c->code->lines[c->line] : 0;
    struct line_mix *mix = &c->page->mixes[line <= c->page->line_count ? line : 0];
    unsigned width = facts.width < LISTING_WIDEST ? facts.width : LISTING_WIDEST;
    mix->all++;
    mix->kinds[facts.kind]++;
    mix->loads[width] += facts.kind == INSTRUCTION_GLOBAL_LOAD;
    mix->stores[width] += facts.kind == INSTRUCTION_GLOBAL_STORE;
    c->page->all++;
    if (line && mix->all > c->page->most) {
        c->page->most = mix->all;
    }
}

static struct page_part part_of(struct arena *arena, const struct report *report, size_t number) {
    struct page_part page = {.arena = arena,
                             .report = report,
                             .part = &report->parts[number],
                             .number = number,
                             .line_count = lines_of(report->source)};
    page.pictured = ARENA_ARRAY(arena, bool, PAGE_LAYOUTS);
    page.mixes = ARENA_ARRAY(arena, struct line_mix, page.line_count + 2);
    const struct report_code *code = page.part->code;
    const struct report_text *text = &code->texts[REPORT_CODE];
    for (size_t k = 0; k < code->kernel_count; k++) {
        struct counting counting = {.page = &page, .code = text, .at = text->text};
        listing_walk(text->text, text->length, page.part->target->vendor, code->kernels[k].name, count,
                     &counting);
    }
    page_count_spills(&page);
    return page;
}

// ---- the document ----

static void add_head(const struct report *report, struct strbuf *out) {
    const char *name = file_base_name(report->source->path);
    html_add(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s - tkc report</title>\n<style>\n",
             name);
    strbuf_add(out, page_file("style")->text);
    html_add(out,
             "</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n"
             "<p class=\"by\">compiled by tkc %s with LLVM %s</p>\n</header>\n<main>\n",
             name, tkc_version(), tkc_llvm_version());
}

// Words for a reader new to GPUs or to tkc.
static const struct {
    const char *word, *meaning;
} words[] = {
    {"program",
     "one instance of the kernel; a launch has a grid of them, and each makes a tile of the result. \"4,096 "
     "programs\" beside a variant are all of a launch: the chip runs some hundreds at once, and the next as "
     "these end"},
    {"tile",
     "an array of fixed shape that a program works on; its layout says which thread holds which element"},
    {"configuration, variant", "one of the source's triton.Config: sizes of tiles, warps, stages; a variant "
                               "is a kernel compiled with one"},
    {"sizes",
     "an answer for sizes is for launches in which all arguments of `key=` of `triton.autotune` are equal: "
     "128, "
     "256, 512 and so on up to 16384. Look up a size between two of them at the nearer one. Further sizes "
     "of the grid, such as a batch or the number of rows, are set so that they multiply to 4,096 (the line "
     "above "
     "the answers says them), enough to fill the chip; with few programs (a small batch) a launch may be too "
     "small for it"},
    {"launch, header, tuned",
     "a launch runs the kernel once, on a grid of programs. The C header that tkc writes beside the code "
     "(`k.h` for "
     "a kernel k) has the function for it, `k_launch`, which chooses a variant; `k_tune` times all variants "
     "on the "
     "arguments at hand, and later launches of such sizes take the fastest: they are tuned then"},
    {"block, warp, lane",
     "a block is the threads that run a program, or several programs at once where their rows are short; "
     "those of a warp, its 32 or 64 lanes, step together"},
    {"barrier, branch, stack", "a barrier is where the threads of a block wait for one another, a branch a "
                               "jump in the code; a thread's stack is memory, which spilled values take"},
    {"multiprocessor",
     "a part of the chip that runs blocks, NVIDIA's SM or AMD's compute unit; occupancy is "
     "the share of its room "
     "for warps that is taken: some work while others wait. A kernel with warps that only copy needs one "
     "block a multiprocessor, because copies run ahead there: 12 to 19 % are enough for it"},
    {"registers",
     "the memory of a thread; values beyond its limit spill to slow memory. Live are those of the machine "
     "code that are still to be read, so never more than the limit. What tiles of floats take at a line is "
     "their size: the registers that the tiles live there would need without spills (two elements of 16 bits "
     "share one). Where some warps only copy, each of their threads gives up most of its registers after the "
     "launch, and the threads that compute take them (the instruction setmaxnreg): of 168 at launch they "
     "then "
     "have up to 240"},
    {"shared memory",
     "fast memory of a block, for data of all its threads; its slots hold the data of several iterations, so "
     "that copies run ahead of their use"},
    {"stage, step",
     "a step is one iteration of the source's loop; a loop of n stages is pipelined: it copies for "
     "the step n - 1 further on while it computes, or, where an extra warp only copies, for as many steps "
     "ahead as there are slots"},
    {"pass, copies of a loop", "a pass is once through a loop's code, of an unrolled loop several steps; the "
                               "code has a loop several times "
                               "where the compiler split or inlined it"},
    {"warpgroup, wgmma, tcgen05",
     "four warps of a Hopper chip that multiply together, and their instruction; mma is that of one warp, "
     "tcgen05 that of Blackwell chips, whose results lie in tensor memory"},
    {"cp.async, asynchronous copy",
     "an instruction that copies from global to shared memory without passing through registers; a thread "
     "goes on meanwhile"},
    {"persistent",
     "of a launch: as many blocks as fit on the chip at once, each of which takes one program after another"},
    {"ptxas, nvdisasm", "NVIDIA's assembler, which turns PTX into machine code (SASS) and gives out "
                        "registers, and the tool that prints it"},
    {"error of the count",
     "times on this page are counted, not measured. Two variants whose times differ by less than a tenth are "
     "taken as equally fast"},
    {"sums", "of products: the accumulators of `tl.dot`, in registers of threads, or in tensor memory (of "
             "Blackwell chips)"},
    {"elementwise", "arithmetic of ordinary units, element by element"},
    {"instructions of threads, idle lanes",
     "what warps execute themselves: arithmetic, loads, stores, and addresses for them. A mask lets some "
     "elements of a tile "
     "through; the lanes of the others are idle, but take part in the instructions"},
    {"L2 cache", "the cache that all multiprocessors share: all that programs load and store passes through "
                 "it, what comes "
                 "from memory, too"},
    {"start and end", "of a launch: the kernel starts, its first loads arrive, its last stores go out"},
    {"split K",
     "several programs do a part of the steps of one tile's loop each, and their sums are added up"},
    {"fp8, fp16", "numbers of 8 and 16 bits"},
    {"mean program", "where loops of programs differ in length: the mean of their steps"},
    {"scratch, banks",
     "scratch is shared memory of one operation: of a change of layout (convert layout), a sum over threads. "
     "Shared memory has 32 banks; threads of a warp that want different words of one bank wait for each "
     "other"},
    {"tensor map, TMA",
     "a description of an array that the launcher makes, and the unit of NVIDIA's chips that copies "
     "whole tiles by it, with one thread's instruction"},
    {"specialised",
     "of a loop: some warps only copy, the others only compute; they wait for each other's signals"},
    {"exchange, fence", "lanes of a warp exchange values without memory; a fence orders accesses to memory"},
    {"special units", "parts of a multiprocessor for exponentials, roots, logarithms and reciprocals"},
    {"matrix units, peak, operation",
     "the matrix units are the parts of a multiprocessor that multiply tiles (tensor cores). A peak is the "
     "rate of a "
     "unit that never waits, by the vendor's data sheet. A multiply-add counts as two operations"},
    {"roofline",
     "the speed that the peaks allow: that of memory where a kernel does little with each byte, that of its "
     "units where it does much"},
    {"CUDA graph, HIP graph",
     "launches that are recorded once and then started together, with less work for each"},
    {"hint", "`n: \"i32:16\"` in a kernel's parameters says that n is a multiple of 16, `\"*fp16:16\"` "
             "that an array begins at "
             "one, in bytes: accesses become wide. The launcher checks it"},
    {"bound",
     "the resource that takes the longest time by itself. Others run beside it and hinder it, but making one "
     "of them "
     "faster gains less. "
     "Programs "
     "load the same rows and columns, and caches serve a part of that: where this part decides between loads "
     "and the units that compute, the answer says how much of it there has to be, and how much there can be"},
    {"tile IR, LLVM, PTX, SASS, GCN",
     "the kernel's forms on its way from the source to the chip, in this order"},
};

static void add_word(const char *word, const char *meaning, struct strbuf *out) {
    html_add(out, "<div><dt>%s</dt><dd>", word);
    html_prose(out, meaning);
    strbuf_add(out, "</dd></div>\n");
}

static bool has_remark(const struct report *report, size_t shown, enum remark_kind kind) {
    for (size_t i = 0; i < shown; i++) {
        const struct remarks *remarks = report->parts[i].remarks;
        for (size_t j = 0; j < remarks->count; j++) {
            if (remarks->list[j].kind == kind) {
                return true;
            }
        }
    }
    return false;
}

// The words above, and the names of the remarks on the page.
static void add_words(const struct report *report, size_t shown, struct strbuf *out) {
    strbuf_add(out, "<details class=\"words\">\n<summary>Words of this page</summary>\n<dl>\n");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_word(words[i].word, words[i].meaning, out);
    }
    strbuf_add(out,
               "</dl>\n<p>In frames, in front of a remark in the source table: the kind of the remark, which "
               "<code>--remarks=KIND</code> prints, too.</p>\n<dl>\n");
    for (int kind = 0; kind < REMARK_COUNT; kind++) {
        if (has_remark(report, shown, (enum remark_kind)kind)) {
            add_word(remark_name((enum remark_kind)kind), remark_doc((enum remark_kind)kind), out);
        }
    }
    strbuf_add(out, "</dl>\n</details>\n");
}

// The page's configuration, if it is one of several.
static void add_configurations(const struct report *report, size_t shown, struct strbuf *out) {
    const struct reflect_kernel *first = &report->kernels[report->parts[0].first];
    unsigned variants = 0;
    for (size_t i = 0; i < shown && report->parts[i].target == report->parts[0].target; i++) {
        variants += strcmp(report->kernels[report->parts[i].first].function, first->function) == 0;
    }
    if (variants == 1 && first->config_count > 1) {
        html_add(out, "<p class=\"quiet\">The page shows configuration %u of %s, which has 0 to %u; %s</p>\n",
                 first->config, first->function, first->config_count - 1,
                 report->run ? "--config=I takes another." : "without --config it has all, side by side.");
    }
}

// Links to the targets, if there are several.
static void add_targets(const struct report *report, size_t shown, struct strbuf *out) {
    if (!shown || report->parts[0].target == report->parts[shown - 1].target) {
        return;
    }
    strbuf_add(out, "<nav aria-label=\"targets\">");
    for (size_t i = 0; i < shown; i++) {
        if (i == 0 || report->parts[i].target != report->parts[i - 1].target) {
            html_add(out, "<a href=\"#%s\">%s</a> ", report->parts[i].target->name,
                     report->parts[i].target->name);
        }
    }
    strbuf_add(out, "</nav>\n");
}

static void add_summary(const struct page_part *page, struct strbuf *out) {
    const struct report_code *code = page->part->code;
    const struct resources *r = page_resources(page, 0);
    bool several = code->kernel_count > 1;
    strbuf_add(out, "<summary><h3>");
    for (size_t k = 0; k < code->kernel_count; k++) {
        const char *config = page_config(page, k);
        html_add(out, "%s%s", k ? ", " : "", *config && !several ? config : code->kernels[k].name);
    }
    strbuf_add(out, "</h3>");
    if (!several && r && r->from) {
        html_add(out, " <span class=\"quiet\">%u registers", r->registers);
        if (code->kernels[0].copying && code->kernels[0].computing != r->registers) {
            html_add(out,
                     " at launch, then %u for warps that compute and %u for those that copy (setmaxnreg)",
                     code->kernels[0].computing, code->kernels[0].copying);
        }
        html_add(out, ", occupancy %.0f %%</span>", occupancy_percent(&r->occupancy));
    }
    strbuf_add(out, "</summary>\n");
}

// ---- passages ----

// Passages of a page, by importance: a page without room for all drops the last ones first.
enum passage_rank {
    KEEP_ALWAYS,       // answers, figures
    KEEP_FIRST_SOURCE, // of the first variant on a target
    KEEP_FIRST_CODE,   // code and pictures of the page's first variant
    KEEP_TAKEN_SOURCE, // of variants taken by launches
    KEEP_TAKEN_CODE,
    KEEP_VARIANTS, // against each other
    KEEP_SOURCE,
    KEEP_TARGET_CODE, // of the first variant on a target
    KEEP_CODE,
    KEEP_RANKS
};
struct passage {
    struct strbuf text;
    enum passage_rank rank;
    bool kept;
    const char *instead;           // if it is not kept
    const struct page_part *links; // of a source table: to layouts among the pictures, the passage behind it
};
struct document {
    struct arena *arena;
    struct passage *passages;
    size_t count, capacity;
};

// A new passage, at the end of the document.
static struct passage *add_passage(struct document *d, enum passage_rank rank, const char *instead) {
    d->passages = arena_grown(d->arena, d->passages, d->count, &d->capacity, sizeof *d->passages);
    d->passages[d->count] = (struct passage){.rank = rank, .kept = rank == KEEP_ALWAYS, .instead = instead};
    return &d->passages[d->count++];
}

static void choose_passages(struct document *d) {
    size_t bytes = 0;
    for (size_t i = 0; i < d->count; i++) {
        bytes += d->passages[i].kept ? d->passages[i].text.length : strlen(d->passages[i].instead);
    }
    for (int rank = KEEP_ALWAYS + 1; rank < KEEP_RANKS; rank++) {
        for (size_t i = 0; i < d->count; i++) {
            struct passage *passage = &d->passages[i];
            if ((int)passage->rank == rank && bytes + passage->text.length <= REPORT_BYTES_MAX) {
                passage->kept = true;
                bytes += passage->text.length;
            }
        }
    }
}

static void write_passages(struct document *d, struct strbuf *out) {
    for (size_t i = 0; i < d->count; i++) {
        struct passage *passage = &d->passages[i];
        if (!passage->kept) {
            strbuf_add(out, passage->instead);
        } else if (passage->links && !d->passages[i + 1].kept) {
            memset(passage->links->pictured, 0, PAGE_LAYOUTS * sizeof *passage->links->pictured);
            page_add_source(passage->links, out);
        } else {
            strbuf_add_bytes(out, strbuf_text(&passage->text), passage->text.length);
        }
        strbuf_free(&passage->text);
    }
}

// ---- parts and targets ----

// The part in its largest launch; the part itself if none does.
static const struct page_part *in_launch(const struct page_part *page) {
    for (size_t i = page->sizes_taken ? page->launch_count : 0; i-- > 0;) {
        if (page->launches[i].variant == page_variant_number(page)) {
            return answer_page_at(page, &page->launches[i]);
        }
    }
    return page;
}

// Pictures and code of a part.
static void add_extras(const struct page_part *page, struct strbuf *out) {
    page_add_panes(page, out);
    page_add_loops(page, out);
    page_add_memory(page, out);
    page_add_roofline(in_launch(page), out);
    page_add_layouts(page, out);
}

static const char *function_of(const struct page_part *page) {
    return page->report->kernels[page->part->first].function;
}

static const char *left_out(struct arena *arena, const char *what, const char *options) {
    return arena_printf(arena,
                        "<p class=\"quiet\">%s left out to keep the page small; give %s to see it.</p>\n",
                        what, options);
}

static const char one_variant[] = "--config, -D or -n for one variant, or one --target";

static bool is_first_target(const struct page_part *page) {
    return page_target_number(page) == 0;
}

// The answers of the variant stand on top.
static void add_place_of_answer(const struct page_part *page, struct strbuf *out) {
    if (page->sizes) {
        html_add(
            out,
            "<p class=\"quiet\">Launches take it for sizes of %s: the answers on top are about it.</p>\n",
            page->sizes);
    }
}

// `leads`: it is the first part on its target to read.
static void add_part(struct document *d, const struct page_part *page, bool leads, bool has_answer) {
    struct strbuf *head = &add_passage(d, KEEP_ALWAYS, NULL)->text, extras = {0};
    html_add(head, "<details class=\"part\" id=\"p%zu\" data-start=\"%u\"%s>\n", page->number,
             page->part->code->kernels[0].line, leads ? " open" : "");
    add_summary(page, head);
    for (size_t k = 0; k < page->part->code->kernel_count && !has_answer; k++) {
        page_add_answer(page, k, head);
    }
    if (has_answer) {
        add_place_of_answer(page, head);
    }
    add_extras(page, &extras); // notes the layouts with pictures
    bool taken = page->sizes_taken > 0;
    struct passage *source = add_passage(d,
                                         leads   ? KEEP_FIRST_SOURCE
                                         : taken ? KEEP_TAKEN_SOURCE
                                                 : KEEP_SOURCE,
                                         left_out(d->arena, "The table of source lines is", one_variant));
    source->links = page;
    page_add_source(page, &source->text);
    add_passage(d,
                leads && is_first_target(page) ? KEEP_FIRST_CODE
                : taken                        ? KEEP_TAKEN_CODE
                : leads                        ? KEEP_TARGET_CODE
                                               : KEEP_CODE,
                left_out(d->arena, "Code and pictures are", one_variant))
        ->text = extras;
    strbuf_add(&add_passage(d, KEEP_ALWAYS, NULL)->text, "</details>\n");
}

// The first variant of a function; they are neighbours.
static bool is_first(const struct page_part *pages, size_t number) {
    return number == 0 || strcmp(function_of(&pages[number]), function_of(&pages[number - 1])) != 0;
}

static bool has_answer_on_top(const struct page_part *pages, size_t at) {
    const struct page_part *page = &pages[at];
    return page->launch_count ? page->sizes_taken > 0 : is_first(pages, at);
}

// The part to read first: the variant, of the first function, taken by launches for the most sizes.
static size_t leading_part(const struct page_part *pages) {
    size_t most = 0;
    for (size_t i = 0; i < pages->variant_count; i++) {
        most = pages[i].sizes_taken > pages[most].sizes_taken ? i : most;
    }
    return most;
}

static void add_comparisons(struct document *d, const struct page_part *pages, size_t count) {
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !is_first(pages, next); next++) {
        }
        struct strbuf text = {0};
        page_add_comparison(&pages[i], next - i, &text);
        if (text.length) {
            add_passage(d, KEEP_VARIANTS, left_out(d->arena, "The comparison of variants is", "one --target"))
                ->text = text;
        }
    }
}

// The parts that launches take, or the others behind them: those of which the answers on top say nothing.
static void add_parts(struct document *d, const struct page_part *pages, size_t count, bool taken) {
    bool headed = false;
    for (size_t i = 0; i < count; i++) {
        if ((!pages[i].sizes || pages[i].sizes_taken > 0) != taken) {
            continue;
        }
        if (!taken && !headed) {
            strbuf_add(&add_passage(d, KEEP_ALWAYS, NULL)->text,
                       "<p class=\"quiet\">Variants that a launch takes by itself for none of the sizes "
                       "above:</p>\n");
            headed = true;
        }
        add_part(d, &pages[i], i == leading_part(pages), has_answer_on_top(pages, i));
    }
}

static void add_target(struct document *d, struct page_part *pages, size_t count) {
    struct strbuf *head = &add_passage(d, KEEP_ALWAYS, NULL)->text;
    const struct target *target = pages->part->target;
    const struct peaks *peaks = peaks_of(target);
    html_add(head, "<section class=\"target\" id=\"%s\">\n<h2>%s", target->name, target->name);
    if (peaks) {
        html_add(head, " <span class=\"quiet\">%s, with the figures of %s</span>",
                 target->vendor == VENDOR_NVIDIA ? "NVIDIA" : "AMD", peaks->product);
    }
    strbuf_add(head, "</h2>\n");
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !is_first(pages, next); next++) {
        }
        page_find_picks(&pages[i], next - i);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_first(pages, i)) {
            page_add_answers(&pages[i], head);
        }
    }
    page_add_cards_note(target, head);
    page_add_run(pages, head);
    page_add_resources(pages, count, head);
    add_parts(d, pages, count, true);
    add_parts(d, pages, count, false);
    add_comparisons(d, pages, count);
    strbuf_add(&add_passage(d, KEEP_ALWAYS, NULL)->text, "</section>\n");
}

// The parts with room for their answers and figures; the first one in any case.
static size_t parts_shown(const struct report *report) {
    size_t parts = 0, kernels = 0;
    while (parts < report->part_count &&
           (!parts || kernels + report->parts[parts].code->kernel_count <= REPORT_KERNELS_MAX)) {
        kernels += report->parts[parts++].code->kernel_count;
    }
    return parts;
}

void report_write(struct arena *arena, const struct report *report, struct strbuf *out) {
    struct document d = {.arena = arena};
    size_t shown = parts_shown(report);
    struct page_part *pages = ARENA_ARRAY(arena, struct page_part, shown + 1);
    struct strbuf *head = &add_passage(&d, KEEP_ALWAYS, NULL)->text;
    add_head(report, head);
    add_words(report, shown, head);
    add_targets(report, shown, head);
    if (shown) {
        add_configurations(report, shown, head);
    }
    for (size_t i = 0; i < shown; i++) {
        pages[i] = part_of(arena, report, i);
    }
    for (size_t i = 0, next = 0; i < shown; i = next) {
        while (next < shown && report->parts[next].target == report->parts[i].target) {
            next++;
        }
        add_target(&d, &pages[i], next - i);
    }
    struct strbuf *end = &add_passage(&d, KEEP_ALWAYS, NULL)->text;
    if (shown < report->part_count) {
        html_add(end, "<p>%zu more variants are left out of this page, which has room for %d.</p>\n",
                 report->part_count - shown, REPORT_KERNELS_MAX);
    }
    strbuf_add(end, "</main>\n<script>\n");
    strbuf_add(end, page_file("script")->text);
    strbuf_add(end, "</script>\n</body>\n</html>\n");
    choose_passages(&d);
    write_passages(&d, out);
}
