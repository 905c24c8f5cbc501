// The trace of one thread: each instruction with its result.
#include "emulator/report/report.h"

#include "emulator/number/number.h"

static void print_value(struct strbuf *out, const struct instr *in, const uint8_t *element) {
    uint64_t bits = 0;
    memcpy(&bits, element, in->bytes < 8 ? in->bytes : 8);
    switch (in->element) {
    case ELEMENT_HALF:
        strbuf_printf(out, "%g", (double)half_to_float((uint16_t)bits));
        return;
    case ELEMENT_BFLOAT:
        strbuf_printf(out, "%g", (double)bfloat_to_float((uint16_t)bits));
        return;
    case ELEMENT_FLOAT:
        strbuf_printf(out, "%.9g", (double)float_from_bits((uint32_t)bits));
        return;
    case ELEMENT_DOUBLE:
        strbuf_printf(out, "%.17g", double_from_bits(bits));
        return;
    case ELEMENT_POINTER:
        strbuf_printf(out, "0x%llx", (unsigned long long)bits);
        return;
    default:
        strbuf_printf(out, "%lld",
                      in->bits >= 64  ? (long long)bits
                      : in->bits == 1 ? (long long)bits
                                      : (long long)((int64_t)(bits << (64 - in->bits)) >> (64 - in->bits)));
    }
}

void report_trace(struct warp *warp, const struct instr *in) {
    const struct emulator_options *options = &warp->run->emulator->options;
    unsigned lane = options->trace_thread % warp->lanes;
    pthread_mutex_lock(&warp->run->lock);
    struct strbuf line = {0};
    report_place_text(&line, in);
    if (in->value) {
        char *text = LLVMPrintValueToString(in->value);
        char *cut = strstr(text, ", !dbg");
        if (cut) {
            *cut = 0;
        }
        strbuf_printf(&line, ": %s", text + strspn(text, " "));
        LLVMDisposeMessage(text);
    }
    if (in->total) {
        strbuf_add(&line, "  =>");
        for (unsigned component = 0; component < in->components; component++) {
            strbuf_add_char(&line, ' ');
            print_value(&line, in,
                        warp->registers + in->dst + ((size_t)component * warp->lanes + lane) * in->bytes);
        }
    }
    fprintf(options->trace, "%s\n", strbuf_text(&line));
    strbuf_free(&line);
    pthread_mutex_unlock(&warp->run->lock);
}
