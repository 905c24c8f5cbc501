// Output of kernels: CUDA's vprintf and __assertfail (CUDA C++ Programming Guide, "Formatted Output" and "Assertion"), and the
// emulator's own functions (src/lower/lower_show.c). A line for every active lane.
#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

enum { FORMAT_LIMIT = 4096 };

// The source of a lane's values: vprintf's frame of arguments, each aligned to its size, or the call's own operands.
struct values {
    struct warp *warp;
    const struct instr *in;
    unsigned lane;
    bool framed;
    uint64_t frame;
    unsigned next; // operand
};

static bool next_value(struct values *values, bool wide, uint64_t *bits) {
    unsigned size = wide ? 8 : 4;
    *bits = 0;
    if (values->framed) {
        uint64_t at = (values->frame + size - 1) / size * size;
        values->frame = at + size;
        return memory_read(values->warp, values->in, values->lane, at, SPACE_GENERIC, size, size, bits);
    }
    if (values->next >= values->in->operand_count || values->in->operands[values->next].shape.bytes != size) {
        return false;
    }
    const uint8_t *lanes = operand(values->warp, values->in, values->next++);
    memcpy(bits, lanes + (size_t)values->lane * size, size);
    return true;
}

static bool read_format(struct warp *warp, const struct instr *in, unsigned lane, uint64_t address,
                        char *format) {
    for (unsigned i = 0; i < FORMAT_LIMIT; i++) {
        if (!memory_read(warp, in, lane, address + i, SPACE_GENERIC, 1, 1, format + i)) {
            return false;
        }
        if (!format[i]) {
            return true;
        }
    }
    return false;
}

struct specifier {
    bool zeros; // in place of spaces before the number
    int width;
    bool wide; // ll
    char conversion;
};

// "%08llx". The length of its text; 0: none that device code has.
static size_t read_specifier(const char *text, struct specifier *out) {
    const char *at = text + 1;
    out->zeros = *at == '0';
    for (out->width = 0; *at >= '0' && *at <= '9' && out->width < 1000; at++) {
        out->width = out->width * 10 + *at - '0';
    }
    size_t longs = strspn(at, "l");
    out->conversion = at[longs];
    out->wide = longs == 2 || strchr("aefgp", out->conversion);
    return out->conversion && strchr("diuxaefgp", out->conversion) ? (size_t)(at + longs + 1 - text) : 0;
}

static void add_value(struct strbuf *out, const struct specifier *how, uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    switch (how->conversion) {
    case 'd':
    case 'i':
        strbuf_printf(out, how->zeros ? "%0*lld" : "%*lld", how->width,
                      how->wide ? (long long)bits : (long long)(int32_t)(uint32_t)bits);
        return;
    case 'u':
        strbuf_printf(out, how->zeros ? "%0*llu" : "%*llu", how->width, (unsigned long long)bits);
        return;
    case 'x':
        strbuf_printf(out, how->zeros ? "%0*llx" : "%*llx", how->width, (unsigned long long)bits);
        return;
    case 'p':
        strbuf_printf(out, "0x%llx", (unsigned long long)bits);
        return;
    case 'a':
        strbuf_printf(out, "%*a", how->width, number);
        return;
    case 'e':
        strbuf_printf(out, "%*e", how->width, number);
        return;
    case 'g':
        strbuf_printf(out, "%*g", how->width, number);
        return;
    default:
        strbuf_printf(out, "%*f", how->width, number);
    }
}

static bool format_line(struct values *values, const char *format, struct strbuf *out) {
    for (const char *at = format; *at;) {
        if (*at != '%' || at[1] == '%') {
            at += *at == '%';
            strbuf_add_char(out, *at++);
            continue;
        }
        struct specifier how;
        size_t length = read_specifier(at, &how);
        uint64_t bits;
        if (!length || !next_value(values, how.wide, &bits)) {
            return false;
        }
        add_value(out, &how, bits);
        at += length;
    }
    return true;
}

static void print_line(struct warp *warp, const struct strbuf *line) {
    FILE *file = warp->run->emulator->options.printed ? warp->run->emulator->options.printed : stdout;
    pthread_mutex_lock(&warp->run->lock);
    fputs(strbuf_text(line), file);
    pthread_mutex_unlock(&warp->run->lock);
}

void exec_print(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *format = operand(warp, in, 0), *frame = operand(warp, in, 1);
    FOR_LANES(lane, warp->mask) {
        char text[FORMAT_LIMIT];
        struct strbuf line = {0};
        struct values values = {.warp = warp, .in = in, .lane = lane, .framed = true, .frame = frame[lane]};
        if (read_format(warp, in, lane, format[lane], text) && format_line(&values, text, &line)) {
            print_line(warp, &line);
        }
        strbuf_free(&line);
        ((uint32_t *)dst)[lane] = 0;
    }
}

// tkc_print(format, value…). The format is a constant: the instruction's extra.
void exec_print_values(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    FOR_LANES(lane, warp->mask) {
        struct strbuf line = {0};
        struct values values = {.warp = warp, .in = in, .lane = lane, .next = 1};
        if (format_line(&values, in->extra, &line)) {
            print_line(warp, &line);
        }
        strbuf_free(&line);
    }
}

static void fail_assertion(struct warp *warp, const struct instr *in, unsigned lane, const char *text) {
    report_at(warp, in, lane, FAULT_ASSERTION, NULL, NULL, "assertion failed%s%.300s", *text ? ": " : "",
              text);
    warp->state = WARP_FAULT;
}

// __assertfail(message, file, line, function, size of char): CUDA's assert.
void exec_assert_fail(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *message = operand(warp, in, 0);
    unsigned lane = (unsigned)__builtin_ctzll(warp->mask);
    char text[FORMAT_LIMIT] = "";
    (void)dst;
    if (!read_format(warp, in, lane, message[lane], text)) {
        text[0] = 0;
    }
    fail_assertion(warp, in, lane, text);
}

// tkc_assert(format, value…).
void exec_assert_values(struct warp *warp, const struct instr *in, void *dst) {
    unsigned lane = (unsigned)__builtin_ctzll(warp->mask);
    struct values values = {.warp = warp, .in = in, .lane = lane, .next = 1};
    struct strbuf line = {0};
    (void)dst;
    fail_assertion(warp, in, lane, format_line(&values, in->extra, &line) ? strbuf_text(&line) : "");
    strbuf_free(&line);
}

// ---- watched tiles and steps ----

static void show(struct warp *warp, struct emulator_shown shown) {
    const struct emulator_options *options = &warp->run->emulator->options;
    memcpy(shown.program, warp->block->program, sizeof shown.program);
    shown.program[0] += warp->rank;
    shown.program_number = warp->block->number * warp->run->cluster + warp->rank;
    shown.warp = own_index(warp);
    if (options->show) {
        pthread_mutex_lock(&warp->run->lock);
        options->show(options->show_user, &shown);
        pthread_mutex_unlock(&warp->run->lock);
    }
}

// tkc_watch(watch, begins, element, bits).
void exec_watch(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *watch = operand(warp, in, 0), *begins = operand(warp, in, 1),
                   *element = operand(warp, in, 2);
    const uint64_t *bits = operand(warp, in, 3);
    (void)dst;
    FOR_LANES(lane, warp->mask) {
        show(warp, (struct emulator_shown){.kind = begins[lane] ? EMULATOR_WATCH_BEGINS : EMULATOR_WATCHED,
                                           .id = watch[lane],
                                           .element = element[lane],
                                           .bits = bits[lane]});
        if (begins[lane]) { // once for the warp
            return;
        }
    }
}

// tkc_step(step), by one thread of the block.
void exec_step(struct warp *warp, const struct instr *in, void *dst) {
    const uint32_t *step = operand(warp, in, 0);
    (void)dst;
    show(warp, (struct emulator_shown){.kind = EMULATOR_STEP, .id = step[__builtin_ctzll(warp->mask)]});
}
