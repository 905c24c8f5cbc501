// Messages: a header "Content-Length: N", an empty line, N bytes of JSON.
#include "lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "support/escape.h"

enum { MESSAGE_BYTES_MAX = 256 << 20 };

// False at the end of the input, or if nothing comes at once and none is waited for.
static bool fill(struct server *server, bool wait) {
    char bytes[65536];
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    if (!wait && poll(&ready, 1, 0) <= 0) {
        return false;
    }
    ssize_t got;
    do {
        got = read(STDIN_FILENO, bytes, sizeof bytes);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        server->ended = true;
        return false;
    }
    if (server->taken) {
        server->input.length -= server->taken;
        memmove(server->input.data, server->input.data + server->taken, server->input.length + 1);
        server->taken = 0;
    }
    strbuf_add_bytes(&server->input, bytes, (size_t)got);
    return true;
}

// The length in a header, and the header's own size; false: the header is not whole.
static bool read_header(const struct server *server, size_t *header, size_t *length) {
    const char *start = strbuf_text(&server->input) + server->taken;
    const char *end = strstr(start, "\r\n\r\n");
    if (!end) {
        return false;
    }
    *header = (size_t)(end - start) + 4;
    *length = 0;
    for (const char *line = start; line < end; line = strstr(line, "\r\n") + 2) {
        if (strncasecmp(line, "content-length:", 15) == 0) {
            *length = strtoul(line + 15, NULL, 10);
        }
    }
    return true;
}

const char *transport_read(struct server *server, struct arena *arena, bool wait) {
    for (;;) {
        size_t header, length;
        if (read_header(server, &header, &length)) {
            if (length > MESSAGE_BYTES_MAX) {
                server->ended = true;
                return NULL;
            }
            if (server->input.length - server->taken >= header + length) {
                const char *text = arena_strndup(arena, server->input.data + server->taken + header, length);
                server->taken += header + length;
                return text;
            }
        }
        if (server->ended || !fill(server, wait)) {
            return NULL;
        }
    }
}

void transport_send(const struct strbuf *body) {
    printf("Content-Length: %zu\r\n\r\n", body->length);
    fwrite(strbuf_text(body), 1, body->length, stdout);
    fflush(stdout);
}

void json_add_text(struct strbuf *out, const char *text) {
    strbuf_add_char(out, '"');
    escape_add_text(out, ESCAPE_JSON, text);
    strbuf_add_char(out, '"');
}
