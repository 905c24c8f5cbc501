// Open files, and positions in them. The protocol counts lines from 0 and, unless the client takes bytes, characters in UTF-16 units;
// tkc counts lines and bytes from 1.
#include "lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/escape.h"
#include "support/memory.h"

// ---- the files ----

struct document *document_find(struct server *server, const char *uri) {
    for (size_t i = 0; uri && i < server->document_count; i++) {
        if (strcmp(server->documents[i].uri, uri) == 0) {
            return &server->documents[i];
        }
    }
    return NULL;
}

struct document *document_of_path(struct server *server, const char *path) {
    for (size_t i = 0; i < server->document_count; i++) {
        if (strcmp(server->documents[i].path, path) == 0) {
            return &server->documents[i];
        }
    }
    return NULL;
}

static char *copy_text(const char *text) {
    char *copy = strdup(text);
    if (!copy) {
        out_of_memory(strlen(text));
    }
    return copy;
}

void document_open(struct server *server, const char *uri, const char *text) {
    struct document *document = document_find(server, uri);
    if (!document) {
        server->documents = memory_grown(server->documents, server->document_count,
                                         &server->document_capacity, sizeof *server->documents);
        document = &server->documents[server->document_count++];
        *document = (struct document){.uri = copy_text(uri), .path = path_of_uri(uri)};
    }
    free(document->text);
    document->text = copy_text(text);
    document->changed = true;
}

void document_free(struct document *document) {
    free(document->uri);
    free(document->path);
    free(document->text);
    free(document->parsed_text);
    analysis_free(&document->analysis);
}

void document_close(struct server *server, const char *uri) {
    struct document *document = document_find(server, uri);
    if (document) {
        document_free(document);
        *document = server->documents[--server->document_count];
    }
}

static int hex(char c) {
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

char *path_of_uri(const char *uri) {
    static const char scheme[] = "file://";
    char *path = copy_text(strncmp(uri, scheme, sizeof scheme - 1) == 0 ? uri + sizeof scheme - 1 : uri),
         *to = path;
    for (const char *at = path; *at; at++) {
        if (*at == '%' && hex(at[1]) >= 0 && hex(at[2]) >= 0) {
            *to++ = (char)(16 * hex(at[1]) + hex(at[2]));
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
    return path;
}

void uri_add(struct strbuf *out, const char *path) {
    strbuf_add(out, "file://");
    for (; *path; path++) {
        if (isalnum((unsigned char)*path) || strchr("/-._~", *path)) {
            strbuf_add_char(out, *path);
        } else {
            strbuf_printf(out, "%%%02X", (unsigned char)*path);
        }
    }
}

// ---- positions ----

// The start of a line, counted from 0; the end of the text if there are fewer.
static const char *line_start(const char *text, unsigned line) {
    while (line--) {
        const char *newline = strchr(text, '\n');
        if (!newline) {
            return text + strlen(text);
        }
        text = newline + 1;
    }
    return text;
}

// Units of the protocol in a character of so many bytes.
static unsigned units_of(const struct server *server, unsigned code, size_t bytes) {
    return server->utf8 ? (unsigned)bytes : code > 0xffff ? 2 : 1;
}

size_t offset_of_position(const struct server *server, const char *text, unsigned line, unsigned character) {
    const char *start = line_start(text, line), *at = start;
    size_t length = strcspn(start, "\n");
    while (character && at < start + length) {
        unsigned code = 0;
        size_t bytes = escape_utf8(at, length - (size_t)(at - start), &code);
        bytes = bytes ? bytes : 1;
        unsigned units = units_of(server, code, bytes);
        character = character > units ? character - units : 0;
        at += bytes;
    }
    return (size_t)(at - text);
}

unsigned characters_in(const struct server *server, const char *text, size_t length) {
    unsigned units = 0;
    for (size_t at = 0; at < length;) {
        unsigned code = 0;
        size_t bytes = escape_utf8(text + at, length - at, &code);
        bytes = bytes ? bytes : 1;
        units += units_of(server, code, bytes);
        at += bytes;
    }
    return units;
}

static unsigned character_of(const struct server *server, const char *text, unsigned line, unsigned column) {
    const char *start = line_start(text, line ? line - 1 : 0);
    size_t length = strcspn(start, "\n"), end = column ? column - 1 : 0;
    return characters_in(server, start, end < length ? end : length);
}

void position_add(const struct server *server, struct strbuf *out, const char *text, unsigned line,
                  unsigned column) {
    strbuf_printf(out, "{\"line\":%u,\"character\":%u}", line ? line - 1 : 0,
                  character_of(server, text, line, column));
}

void range_add(const struct server *server, struct strbuf *out, const char *text, unsigned line,
               unsigned column, unsigned end_line, unsigned end_column) {
    strbuf_add(out, "{\"start\":");
    position_add(server, out, text, line, column);
    strbuf_add(out, ",\"end\":");
    position_add(server, out, text, end_line, end_column);
    strbuf_add_char(out, '}');
}
