// printf into HTML: one conversion at a time, for each text to be escaped.
//
// test: tests/unit/test_html.c
#include "report/html.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/diag.h"
#include "support/escape.h"

void html_text(struct strbuf *out, const char *text, size_t length) {
    escape_add(out, ESCAPE_HTML, text, length);
}

// Writes one conversion, "%.1f" or "%zu", with its argument.
static void add_conversion(struct strbuf *out, const char *spec, size_t length, va_list *arguments) {
    char format[16];
    snprintf(format, sizeof format, "%.*s", (int)length, spec);
    switch (spec[length - 1]) {
    case 's': {
        const char *text = va_arg(*arguments, const char *);
        html_text(out, text, strlen(text));
        break;
    }
    case 'c':
    case 'd':
        if (memchr(spec, 'l', length)) {
            strbuf_printf(out, format, va_arg(*arguments, long long));
        } else {
            strbuf_printf(out, format, va_arg(*arguments, int));
        }
        break;
    case 'u':
        if (memchr(spec, 'z', length)) {
            strbuf_printf(out, format, va_arg(*arguments, size_t));
        } else {
            strbuf_printf(out, format, va_arg(*arguments, unsigned));
        }
        break;
    case '%':
        strbuf_add_char(out, '%');
        break;
    case 'f':
    case 'g':
        strbuf_printf(out, format, va_arg(*arguments, double));
        break;
    default:
        bug("html_add has no conversion \"%s\"", format);
    }
}

void html_add(struct strbuf *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    while (*format) {
        size_t plain = strcspn(format, "%");
        strbuf_add_bytes(out, format, plain);
        format += plain;
        if (*format) {
            size_t length = 1 + strspn(format + 1, "0123456789.zl-") + 1;
            add_conversion(out, format, length, &arguments);
            format += length;
        }
    }
    va_end(arguments);
}

void html_prose(struct strbuf *out, const char *text) {
    for (;;) {
        size_t plain = strcspn(text, "`"), code = text[plain] ? strcspn(text + plain + 1, "`") : 0;
        if (!text[plain] || !text[plain + 1 + code]) {
            html_text(out, text, strlen(text));
            return;
        }
        html_text(out, text, plain);
        strbuf_add(out, "<code>");
        html_text(out, text + plain + 1, code);
        strbuf_add(out, "</code>");
        text += plain + code + 2;
    }
}

void html_number(struct strbuf *out, unsigned long long number) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", number);
    for (int i = 0; i < count; i++) {
        strbuf_printf(out, "%s%c", i && (count - i) % 3 == 0 ? "," : "", digits[i]);
    }
}

void html_time(struct strbuf *out, double seconds) {
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    double time = 1e9 * seconds;
    unsigned unit = 0;
    for (; time >= 999.5 && unit < 3; unit++) {
        time /= 1000;
    }
    strbuf_printf(out, "%.3g %s", time, units[unit]);
}
