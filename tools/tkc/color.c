// Colours of messages, by terminals' escape sequences (ECMA-48, SGR).
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diagnostics.h"

#define RESET "\033[0m"
#define BOLD "\033[1m"

bool color_is_on(const char *when) {
    const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR");
    if (when && strcmp(when, "auto") != 0) {
        return strcmp(when, "always") == 0;
    }
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && (!none || !*none);
}

// The header line in bold with its severity coloured, the source line plain, the caret line green.
void color_print(const struct tkc_diagnostic *diagnostic, struct strbuf *out) {
    static const struct {
        const char *name, *color;
    } severities[] = {[TKC_NOTE] = {"note: ", "\033[1;36m"},
                      [TKC_REMARK] = {"remark: ", "\033[1;34m"},
                      [TKC_WARNING] = {"warning: ", "\033[1;35m"},
                      [TKC_ERROR] = {"error: ", "\033[1;31m"}};
    const char *text = diagnostic->text, *name = severities[diagnostic->severity].name;
    const char *word = strstr(text, name), *caret = strrchr(text, '\n');
    const char *head = strstr(text, diagnostic->message);
    head = head ? head + strlen(diagnostic->message) : text + strlen(text);
    if (!word || word >= head) {
        strbuf_add(out, text);
        return;
    }
    strbuf_add(out, BOLD);
    strbuf_add_bytes(out, text, (size_t)(word - text));
    strbuf_add(out, severities[diagnostic->severity].color);
    strbuf_add(out, name);
    strbuf_add(out, RESET BOLD);
    word += strlen(name);
    strbuf_add_bytes(out, word, (size_t)(head - word));
    strbuf_add(out, RESET);
    for (caret = caret > head ? caret - 1 : head; caret > head && *caret != '\n';) {
        caret--;
    }
    strbuf_add_bytes(out, head, (size_t)(caret - head));
    if (diagnostic->place.line && caret > head) {
        strbuf_printf(out, "\n\033[32m%.*s" RESET "\n", (int)strcspn(caret + 1, "\n"), caret + 1);
    } else {
        strbuf_add(out, caret);
    }
}
