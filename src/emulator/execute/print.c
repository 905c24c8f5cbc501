// vprintf, the print function of CUDA kernels (CUDA C++ Programming Guide, "Formatted Output"): a format and
// a frame of arguments, each aligned to its size. Prints a line for every active lane.
#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/report/report.h"

enum { FORMAT_LIMIT = 4096 };

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

static void add_value(struct strbuf *out, const char *specifier, char conversion, bool wide, uint64_t bits) {
    double number;
    switch (conversion) {
    case 'd':
    case 'i':
        if (wide) {
            strbuf_printf(out, "%lld", (long long)bits);
        } else {
            strbuf_printf(out, "%d", (int)(uint32_t)bits);
        }
        return;
    case 'u':
        strbuf_printf(out, "%llu", (unsigned long long)bits);
        return;
    case 'x':
        strbuf_printf(out,
                      strstr(specifier, "016")  ? "%016llx"
                      : strstr(specifier, "08") ? "%08llx"
                                                : "%llx",
                      (unsigned long long)bits);
        return;
    case 'f':
    case 'g':
    case 'e':
        memcpy(&number, &bits, sizeof number);
        strbuf_printf(out, conversion == 'f' ? "%f" : conversion == 'g' ? "%g" : "%e", number);
        return;
    default:
        strbuf_add(out, specifier);
    }
}

static bool format_line(struct warp *warp, const struct instr *in, unsigned lane, const char *format,
                        uint64_t frame, struct strbuf *out) {
    for (const char *at = format; *at;) {
        if (*at != '%' || at[1] == '%') {
            at += *at == '%';
            strbuf_add_char(out, *at++);
            continue;
        }
        size_t length = 1 + strspn(at + 1, "0123456789.-+ #l");
        char specifier[32] = {0};
        if (!at[length] || length + 2 > sizeof specifier) {
            return false;
        }
        memcpy(specifier, at, length + 1);
        bool real = strchr("feg", at[length]) != NULL, wide = real || strstr(specifier, "ll");
        unsigned size = wide ? 8 : 4;
        uint64_t bits = 0;
        frame = (frame + size - 1) / size * size;
        if (!memory_read(warp, in, lane, frame, SPACE_GENERIC, size, size, &bits)) {
            return false;
        }
        frame += size;
        add_value(out, specifier, at[length], wide, bits);
        at += length + 1;
    }
    return true;
}

void exec_print(struct warp *warp, const struct instr *in, void *dst) {
    const uint64_t *format = operand(warp, in, 0), *frame = operand(warp, in, 1);
    FILE *file = warp->run->emulator->options.printed ? warp->run->emulator->options.printed : stdout;
    FOR_LANES(lane, warp->mask) {
        char text[FORMAT_LIMIT];
        struct strbuf line = {0};
        if (read_format(warp, in, lane, format[lane], text) &&
            format_line(warp, in, lane, text, frame[lane], &line)) {
            pthread_mutex_lock(&warp->run->lock);
            fputs(strbuf_text(&line), file);
            pthread_mutex_unlock(&warp->run->lock);
        }
        strbuf_free(&line);
        ((uint32_t *)dst)[lane] = 0;
    }
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
    report_at(warp, in, lane, FAULT_ASSERTION, NULL, NULL, "assertion failed: %.300s", text);
    warp->state = WARP_FAULT;
}
