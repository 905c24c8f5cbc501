// The tables of a page: each kernel's share of the chip, and each line of the source with its instructions and decisions.
#include <string.h>

#include "report/page.h"
#include "support/file.h"

// ---- resources ----

// The columns of a table of figures: the first ones, and each one with a row that is not 0.
static bool *columns_of(const struct page_part *pages, size_t count) {
    bool *shown = ARENA_ARRAY(pages->arena, bool, resources_columns());
    for (size_t c = 1; c < resources_columns(); c++) {
        shown[c] = strcmp(resources_head(c), "spills") == 0;
        for (size_t i = 0; i < count && !shown[c] && strcmp(resources_head(c), "chip") != 0; i++) {
            for (size_t k = 0; k < pages[i].part->code->kernel_count && page_resources(&pages[i], k); k++) {
                struct strbuf cell = {0};
                resources_cell(c, page_resources(&pages[i], k), &cell);
                shown[c] |= strcmp(strbuf_text(&cell), "0") != 0;
                strbuf_free(&cell);
            }
        }
    }
    return shown;
}

static void add_resource_head(const struct page_part *pages, const bool *shown, struct strbuf *out) {
    strbuf_add(out,
               "<table class=\"resources\">\n<caption>What each kernel takes of the chip. Registers are of a "
               "thread, at launch. Spills: bytes stored + loaded by a thread (AMD: values). Shared memory: "
               "fixed + asked "
               "for by the launch. Instructions, and the columns behind, are counted in the code, once "
               "however often they run; 16x8: 8 of them, of 16 bytes a thread. Matrix: products; "
               "copies: asynchronous ones, of loads and of TMA's stores; shared: accesses of shared memory. "
               "Behind the occupancy stands what limits it. ?: not known without ptxas.");
    strbuf_add(out,
               pages->sizes ? " Taken for: the sizes for which a launch takes the variant, as above." : "");
    html_add(out, "</caption>\n<thead><tr><th scope=\"col\">kernel</th><th scope=\"col\">bound by</th>");
    strbuf_add(out, pages->sizes ? "<th scope=\"col\">taken for</th>" : "");
    for (size_t c = 1; c < resources_columns(); c++) {
        if (shown[c]) {
            html_add(out, "<th scope=\"col\">%s</th>", resources_head(c));
        }
    }
    strbuf_add(out, "</tr></thead>\n<tbody>\n");
}

static void add_resource_row(const struct page_part *page, size_t kernel, const bool *shown,
                             struct strbuf *out) {
    const struct resources *r = page_resources(page, kernel);
    const char *config = page_config(page, kernel), *name = page->part->code->kernels[kernel].name;
    html_add(out, "<tr><th scope=\"row\"><a href=\"#p%zu\">%s</a></th>", page->number,
             *config ? config : name);
    html_add(out, "<td class=\"text\" data-head=\"bound by\">%s</td>", page_bound(page, kernel));
    if (page->sizes) {
        html_add(out, "<td class=\"text\" data-head=\"taken for\">%s</td>", page->sizes);
    }
    for (size_t c = 1; c < resources_columns(); c++) {
        if (shown[c]) {
            struct strbuf cell = {0};
            resources_cell(c, r, &cell);
            html_add(out, "<td%s data-head=\"%s\">%s</td>",
                     strchr(strbuf_text(&cell), '(') ? " class=text" : "", resources_head(c),
                     strbuf_text(&cell));
            strbuf_free(&cell);
        }
    }
    strbuf_add(out, "</tr>\n");
}

// The variants left out by launches: too large for the chip, or with spills, if others have none.
static void add_left_out(const struct page_part *pages, struct strbuf *out) {
    const struct report *report = pages->report;
    const char *before = "<p class=\"quiet\">Left out on this chip: ";
    for (size_t i = 0; i < report->kernel_count; i++) {
        const struct reflect_kernel *kernel = &report->kernels[i];
        if (kernel->entries && !kernel->entries[page_target_number(pages)].threads) {
            strbuf_add(out, before);
            const char *why = kernel->entries[page_target_number(pages)].left_out;
            html_add(out, "%s%s%s", *kernel->config_text ? kernel->config_text : kernel->name,
                     why ? ", because " : "", why ? why : "");
            before = "; ";
        }
    }
    strbuf_add(out, before[0] == ';' ? ".</p>\n" : "");
}

void page_add_resources(const struct page_part *pages, size_t count, struct strbuf *out) {
    const bool *shown = columns_of(pages, count);
    strbuf_add(out, "<div class=\"wide\" role=\"region\" aria-label=\"figures\" tabindex=\"0\">");
    add_resource_head(pages, shown, out);
    for (size_t i = 0; i < 2 * count; i++) { // variants taken by launches first
        const struct page_part *page = &pages[i % count];
        bool taken = !page->sizes || page->sizes_taken > 0;
        for (size_t k = 0;
             taken == (i < count) && k < page->part->code->kernel_count && page_resources(page, k); k++) {
            add_resource_row(page, k, shown, out);
        }
    }
    strbuf_add(out, "</tbody>\n</table></div>\n");
    add_left_out(pages, out);
}

// ---- instructions of a line ----

// Kinds with a name here; all others are counted together.
static bool is_named(enum instruction_kind kind) {
    switch (kind) {
    case INSTRUCTION_PARAMETER:
    case INSTRUCTION_INTEGER:
    case INSTRUCTION_MOVE:
    case INSTRUCTION_COMPARE:
    case INSTRUCTION_BRANCH:
    case INSTRUCTION_LEAVE:
    case INSTRUCTION_OTHER:
        return false;
    default:
        return true;
    }
}

// " of 16 B": the widths of accesses to global memory.
static void add_widths(const unsigned counts[LISTING_WIDEST + 1], struct strbuf *out) {
    const char *before = " of ";
    for (int bytes = LISTING_WIDEST; bytes > 0; bytes--) {
        if (counts[bytes]) {
            html_add(out, "%s%d", before, bytes);
            before = " and ";
        }
    }
    strbuf_add(out, before[1] == 'a' ? " B" : "");
}

// Names with an s in the singular, too.
static const char *const single_names[INSTRUCTION_KINDS] = {
    [INSTRUCTION_WAIT] = "fence or wait", [INSTRUCTION_SPECIAL] = "division, root or exponential"};

// "1 barrier", "2 barriers", "1 asynchronous copy", "1 exchange between lanes".
static void add_counted(unsigned count, enum instruction_kind kind, struct strbuf *out) {
    const char *name = count == 1 && single_names[kind] ? single_names[kind] : instruction_kind_names[kind];
    const char *end = strpbrk(name, "(,"), *between = strstr(name, " between");
    end = end && end > name && end[-1] == ' ' ? end - 1 : end;
    const char *rest = between ? between : end ? end : name + strlen(name);
    size_t length = (size_t)(rest - name);
    bool single = count == 1 && rest[-1] == 's' && name != single_names[kind];
    bool copies = single && length > 3 && memcmp(rest - 3, "ies", 3) == 0;
    strbuf_printf(out, "%u %.*s%s%s", count,
                  (int)(length - (copies   ? 3
                                  : single ? 1
                                           : 0)),
                  name, copies ? "y" : "", rest);
}

void page_add_mix(const struct line_mix *mix, struct strbuf *out) {
    unsigned others = 0;
    const char *before = "";
    for (int kind = 0; kind < INSTRUCTION_KINDS; kind++) {
        if (mix->kinds[kind] && !is_named((enum instruction_kind)kind)) {
            others += mix->kinds[kind];
        } else if (mix->kinds[kind]) {
            strbuf_add(out, before);
            add_counted(mix->kinds[kind], (enum instruction_kind)kind, out);
            before = ", ";
        }
        if (kind == INSTRUCTION_GLOBAL_LOAD) {
            add_widths(mix->loads, out);
        } else if (kind == INSTRUCTION_GLOBAL_STORE) {
            add_widths(mix->stores, out);
        }
    }
    if (others) {
        html_add(out, "%s%u for addresses, counters, moves", before, others);
    }
}

static void add_instructions(const struct page_part *page, unsigned line, struct strbuf *out) {
    const struct line_mix *mix = &page->mixes[line];
    strbuf_add(out, "<td class=\"mix\">");
    if (mix->all) {
        html_add(out, "<b class=\"bar\" style=\"--share:%u%%\">%u</b> ",
                 100 * mix->all / (page->most ? page->most : 1), mix->all);
        page_add_mix(mix, out);
    }
    strbuf_add(out, "</td>");
}

// ---- decisions of a line ----

static void add_remarks(const struct page_part *page, unsigned line, struct strbuf *out) {
    const struct remarks *remarks = page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->at.source == page->report->source && r->at.line == line) {
            html_add(out, "<li class=\"%s\"><em>%s</em> ",
                     r->slow && r->hint_count ? "remark slow" : "remark", remark_name(r->kind));
            html_prose(out, remark_text(page->arena, r));
            strbuf_add(out, "</li>");
        }
    }
}

static void add_accesses(const struct report_kernel *kernel, unsigned line, struct strbuf *out) {
    for (size_t i = 0; i < kernel->access_count; i++) {
        const struct report_access *access = &kernel->accesses[i];
        if (access->line == line && access->bytes) {
            html_add(out, "<li>%s: %u %s wide</li>", access->what, access->bytes,
                     access->bytes == 1 ? "byte" : "bytes");
        } else if (access->line == line) {
            html_add(out, "<li>%s</li>", access->what);
        }
    }
}

// The place of a line in the software pipeline: of its copies in the rewritten loop, the one furthest ahead.
static void add_stages(const struct report_kernel *kernel, unsigned line, struct strbuf *out) {
    const struct report_loop *most = NULL;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct report_loop *loop = &kernel->loops[i];
        for (size_t j = 0; j < loop->count; j++) {
            const struct report_action *action = &loop->actions[j];
            bool copies = action->line == line && action->doing == DOING_COPY && loop->slots > 1;
            most = copies && (!most || loop->slots > most->slots) ? loop : most;
        }
    }
    if (most) {
        html_add(out,
                 most->has_producer ? "<li>up to %u iterations ahead, by an extra warp that only copies</li>"
                                    : "<li>%u iterations ahead</li>",
                 most->has_producer ? most->slots : most->slots - 1);
    }
}

static void add_layouts(const struct page_part *page, const struct report_kernel *kernel, unsigned line,
                        struct strbuf *out) {
    bool any = false;
    for (size_t i = 0; i < kernel->tile_count; i++) {
        const struct report_tile *tile = &kernel->tiles[i];
        if (tile->line == line && tile->number < PAGE_LAYOUTS && page->pictured[tile->number]) {
            strbuf_add(out, any ? " " : "<li>layouts ");
            html_add(out, "<a href=\"#p%zuL%u\">#L%u</a>", page->number, tile->number, tile->number);
            any = true;
        }
    }
    strbuf_add(out, any ? "</li>" : "");
}

// Registers of a thread at the line: all live ones, and the share of tiles of floats.
static void add_registers(const struct report_kernel *kernel, unsigned line, struct strbuf *out) {
    enum { LEAST = 8 }; // fewer are not worth a word
    unsigned all = kernel->registers ? kernel->registers[line] : 0, tiles = kernel->live[line];
    if (all >= LEAST) {
        html_add(out, "<li>%u registers live</li>", all);
    }
    if (tiles >= LEAST) {
        html_add(out, "<li>tiles of floats take %u registers of a thread</li>", tiles);
    }
}

// The spills of a kernel at the line.
static void add_spills(const struct page_part *page, unsigned line, struct strbuf *out) {
    const struct line_mix *mix = &page->mixes[line];
    for (size_t k = 0; k < page->part->code->kernel_count && mix->spilled + mix->reloaded; k++) {
        const struct resources *r = page_resources(page, k);
        if (r && resources_spill(r)) {
            strbuf_add(out, "<li class=\"remark slow\">spills: ");
            page_add_spilled(page, mix, out);
            strbuf_add(out, "</li>");
            return;
        }
    }
}

static void add_decisions(const struct page_part *page, unsigned line, struct strbuf *out) {
    struct strbuf items = {0};
    add_spills(page, line, &items);
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        const struct report_kernel *kernel = &page->part->code->kernels[k];
        if (line <= kernel->line_count && page->mixes[line].all) {
            add_registers(kernel, line, &items);
        }
        add_accesses(kernel, line, &items);
        add_stages(kernel, line, &items);
        add_layouts(page, kernel, line, &items);
    }
    add_remarks(page, line, &items);
    strbuf_add(out, "<td class=\"why\">");
    if (items.length) {
        strbuf_add(out, "<ul>");
        strbuf_add_bytes(out, items.data, items.length);
        strbuf_add(out, "</ul>");
    }
    strbuf_add(out, "</td>");
    strbuf_free(&items);
}

static void add_source_line(const struct page_part *page, unsigned line, struct strbuf *out) {
    const char *text;
    size_t length = source_line(page->report->source, line, &text);
    html_add(out, "<tr data-l=\"%u\"><td class=\"number\">%u</td><td class=\"code\"><code>", line, line);
    html_text(out, text, length);
    strbuf_add(out, "</code></td>");
    add_instructions(page, line, out);
    add_decisions(page, line, out);
    strbuf_add(out, "</tr>\n");
}

// A row for instructions without a line, added by the compiler. With it the rows' instructions and spills add up to the kernel's.
static void add_no_line(const struct page_part *page, struct strbuf *out) {
    struct strbuf spills = {0};
    if (!page->mixes[0].all && !page->mixes[0].spilled && !page->mixes[0].reloaded) {
        return;
    }
    strbuf_add(out, "<tr><td class=\"number\">none</td><td class=\"code\">no line: what the compiler adds "
                    "around the code, and functions of other files</td>");
    add_instructions(page, 0, out);
    strbuf_add(out, "<td class=\"why\">");
    add_spills(page, 0, &spills);
    if (spills.length) {
        html_add(out, "<ul>");
        strbuf_add_bytes(out, spills.data, spills.length);
        strbuf_add(out, "</ul>");
    }
    strbuf_add(out, "</td></tr>\n");
    strbuf_free(&spills);
}

static void open_source(struct strbuf *out) {
    strbuf_add(out,
               "<table class=\"source\">\n<thead><tr><th scope=\"col\">line</th><th scope=\"col\">source</th>"
               "<th scope=\"col\">instructions</th><th scope=\"col\">decisions</th></tr></thead>\n<tbody>\n");
}

static bool is_blank(const struct source *source, unsigned line) {
    const char *text;
    size_t length = source_line(source, line, &text);
    return strspn(text, " \t") >= length;
}

// The lines above the first paragraph with code, if they are many.
static unsigned silent_lines(const struct page_part *page) {
    enum { MANY = 8 };
    unsigned line = 1;
    while (line <= page->line_count && !page->mixes[line].all) {
        line++;
    }
    for (size_t k = 0; k < page->part->code->kernel_count; k++) {
        unsigned at = page->part->code->kernels[k].line;
        line = at && at < line ? at : line;
    }
    while (line > 1 && !is_blank(page->report->source, line - 1)) {
        line--;
    }
    return line > MANY && line <= page->line_count ? line - 1 : 0;
}

void page_add_source(const struct page_part *page, struct strbuf *out) {
    unsigned silent = silent_lines(page);
    html_add(out,
             "<h4>Source</h4>\n<p class=\"quiet\">%s: each line with its instructions in the %s, and what "
             "the compiler decided.</p>\n",
             file_base_name(page->report->source->path), page->part->code->texts[REPORT_CODE].name);
    if (silent) {
        html_add(out, "<details><summary class=\"quiet\">lines 1 to %u have no code</summary>\n", silent);
        open_source(out);
    }
    for (unsigned line = 1; line <= page->line_count; line++) {
        if (line == silent + 1) {
            strbuf_add(out, silent ? "</tbody>\n</table>\n</details>\n" : "");
            open_source(out);
        }
        add_source_line(page, line, out);
    }
    add_no_line(page, out);
    strbuf_add(out, "</tbody>\n</table>\n");
}
