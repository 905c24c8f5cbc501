// Reports: the fault, its place in the kernel's source, the thread, and the argument and index. The same
// fault at the same instruction is one report with a count.
#include "emulator/report/report.h"

#include <llvm-c/DebugInfo.h>
#include <stdarg.h>
#include <stdlib.h>

#include "support/memory.h"

enum whose { KERNEL, COMPILER };

static const struct {
    const char *kind;
    enum whose whose;
} faults[] = {
#define FAULT(name, kind, whose) {kind, whose},
#include "emulator/report/faults.def"
#undef FAULT
};

struct report_entry {
    enum fault fault;
    const struct instr *in, *other;
    uint64_t program; // the lowest program with this fault
    char *text;
    char *file;
    unsigned line, column;
    uint64_t count;
};

// Instructions of one place in the source count as one: a tile operation becomes many.
static bool same_place(const struct instr *a, const struct instr *b) {
    if (a == b || !a || !b) {
        return a == b;
    }
    struct source_line first, second;
    LLVMMetadataRef location = a->value && b->value ? LLVMInstructionGetDebugLoc(a->value) : NULL;
    if (a->value && b->value) {
        return location && location == LLVMInstructionGetDebugLoc(b->value);
    }
    return report_line(a, &first) && report_line(b, &second) && first.file == second.file &&
           first.line == second.line && first.column == second.column;
}

static struct report_entry *find_entry(struct run *run, const struct instr *in, enum fault fault,
                                       const struct instr *other) {
    for (unsigned i = 0; i < run->report_count; i++) {
        struct report_entry *entry = &run->reports[i];
        if (entry->fault == fault && same_place(entry->in, in) && same_place(entry->other, other)) {
            return entry;
        }
    }
    return NULL;
}

static struct report_entry *new_entry(struct run *run, const struct instr *in, enum fault fault,
                                      const struct instr *other) {
    run->reports = memory_grown(run->reports, run->report_count, &run->report_capacity, sizeof *run->reports);
    struct report_entry *entry = &run->reports[run->report_count++];
    *entry = (struct report_entry){.fault = fault, .in = in, .other = other, .count = 1};
    struct source_line line;
    if (report_line(in, &line)) {
        entry->file = strndup(line.file ? line.file : "", (size_t)line.length);
        entry->line = line.line;
        entry->column = line.column;
    } else {
        entry->file = strdup("");
    }
    return entry;
}

// A block of a persistent kernel is at no one program: it may do several at once.
static void report_block_text(struct strbuf *out, const struct warp *warp) {
    const struct block *block = warp->block;
    const struct emulator_launch *launch = block->run->launch;
    const uint32_t program[3] = {block->program[0] + warp->rank, block->program[1], block->program[2]};
    if (block->took) {
        strbuf_printf(out, "block (%u, %u, %u), which has taken other blocks' places", program[0], program[1],
                      program[2]);
    } else if (launch->persistent) {
        strbuf_printf(out, "block %u of %u, which share the programs", program[0], launch->grid[0]);
    } else {
        strbuf_printf(out, "program (%u, %u, %u)", program[0], program[1], program[2]);
    }
    if (block->run->ranks > 1) {
        strbuf_printf(out, " of rank %u", (unsigned)(block->number % block->run->ranks));
    }
}

static char *report_text(struct warp *warp, const struct instr *in, unsigned lane, enum fault fault,
                         const struct instr *other, const char *other_label, const char *format,
                         va_list args) {
    char text[512];
    struct strbuf out = {0};
    vsnprintf(text, sizeof text, format, args);
    report_place_text(&out, in);
    strbuf_printf(&out, ": error: %s\n", text);
    report_calls_text(&out, in);
    strbuf_add(&out, "  in ");
    report_block_text(&out, warp);
    strbuf_printf(&out, ", thread %u (warp %u, lane %u)\n", own_index(warp) * warp->lanes + lane,
                  own_index(warp), lane);
    if (other) {
        strbuf_add(&out, "  ");
        report_place_text(&out, other);
        strbuf_printf(&out, ": the other thread %s it here\n", other_label);
    }
    if (faults[fault].whose == COMPILER) {
        strbuf_add(&out, "  this is a fault of the compiler, not of the kernel\n");
    }
    return out.data;
}

// Programs run in no fixed order on the host's threads: of equal reports the lowest program's is kept.
void report_at(struct warp *warp, const struct instr *in, unsigned lane, enum fault fault,
               const struct instr *other, const char *other_label, const char *format, ...) {
    struct run *run = warp->run;
    uint64_t program = warp->block->number * run->cluster + warp->rank;
    in = &warp->kernel->code[in->index]; // the original, not a temporary copy
    pthread_mutex_lock(&run->lock);
    struct report_entry *entry = find_entry(run, in, fault, other);
    bool fresh = entry == NULL;
    if (fresh) {
        entry = new_entry(run, in, fault, other);
    } else {
        entry->count++;
    }
    if (fresh || program < entry->program) {
        va_list args;
        va_start(args, format);
        free(entry->text);
        entry->text = report_text(warp, in, lane, fault, other, other_label, format, args);
        entry->program = program;
        va_end(args);
    }
    unsigned limit = run->emulator->options.report_limit ? run->emulator->options.report_limit : 20;
    if (fresh && run->report_count >= limit) {
        atomic_store(&run->reports_full, true);
    }
    pthread_mutex_unlock(&run->lock);
    atomic_fetch_add(&run->error_count, 1);
}

bool collective_check(struct warp *warp, const struct instr *in, lane_mask wanted) {
    lane_mask missing = wanted & ~warp->mask;
    if (!missing) {
        return true;
    }
    unsigned lane = (unsigned)__builtin_ctzll(missing);
    bool ended = !(warp->live >> lane & 1);
    report_at(warp, in, warp->mask ? (unsigned)__builtin_ctzll(warp->mask) : lane, FAULT_DIVERGENCE, NULL,
              NULL, "%d of the warp's %d lanes are missing at an operation of the whole warp: lane %u %s",
              __builtin_popcountll(missing), __builtin_popcountll(wanted), lane,
              ended ? "has returned" : "took another branch");
    return false;
}

static int compare_entries(const void *left, const void *right) {
    const struct report_entry *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (order) {
        return order;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    if (a->column != b->column) {
        return a->column < b->column ? -1 : 1;
    }
    if (a->fault != b->fault) {
        return a->fault < b->fault ? -1 : 1;
    }
    return a->in < b->in ? -1 : a->in > b->in;
}

void report_finish(struct run *run, struct emulator_result *result) {
    if (run->report_count) {
        qsort(run->reports, run->report_count, sizeof *run->reports, compare_entries);
    }
    result->reports = calloc(run->report_count + 1, sizeof *result->reports);
    result->report_count = run->report_count;
    for (unsigned i = 0; i < run->report_count; i++) {
        struct report_entry *entry = &run->reports[i];
        struct strbuf text = {entry->text, strlen(entry->text), strlen(entry->text) + 1};
        if (entry->count > 1) {
            strbuf_printf(&text, "  (%llu times at this place)\n", (unsigned long long)entry->count);
        }
        result->reports[i] = (struct emulator_report){.kind = faults[entry->fault].kind,
                                                      .of_compiler = faults[entry->fault].whose == COMPILER,
                                                      .text = text.data,
                                                      .file = entry->file,
                                                      .line = entry->line,
                                                      .column = entry->column,
                                                      .count = entry->count};
    }
    free(run->reports);
    run->reports = NULL;
}

void report_warps(struct block *block) {
    struct run *run = block->run;
    pthread_mutex_lock(&run->lock);
    struct strbuf out = {run->places, run->places ? strlen(run->places) : 0,
                         run->places ? strlen(run->places) + 1 : 0};
    report_block_text(&out, &block->warps[0]);
    strbuf_add(&out, ":\n");
    for (unsigned i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        strbuf_printf(&out, "  warp %u ", i);
        if (warp->state == WARP_DONE) {
            strbuf_add(&out, "has ended\n");
            continue;
        }
        // A waiting warp has stepped past its barrier already.
        const struct instr *in =
            &warp->kernel->code[warp->pc - (warp->state == WARP_BARRIER && warp->pc > 0)];
        strbuf_add(&out, warp->state == WARP_BARRIER   ? "waits at the barrier in "
                         : warp->state == WARP_POLLING ? "waits in "
                                                       : "is at ");
        report_place_text(&out, in);
        if (warp->state == WARP_POLLING) {
            warp->wait->describe(warp, &out);
        }
        if (warp->mask != warp->full) {
            strbuf_printf(&out, " with %d of %d lanes", __builtin_popcountll(warp->mask),
                          __builtin_popcountll(warp->full));
        }
        strbuf_add_char(&out, '\n');
    }
    run->places = out.data;
    pthread_mutex_unlock(&run->lock);
}
