// The loop: a message at a time; analyses when none waits.
#include "lsp/lsp.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { METHOD_NOT_FOUND = -32601, INVALID_REQUEST = -32600, NOT_INITIALISED = -32002, PARSE_ERROR = -32700 };

// ---- replies ----

static void add_id(struct strbuf *out, const struct json *id) {
    strbuf_add(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (id && id->kind == JSON_NUMBER) {
        strbuf_add(out, id->text);
    } else if (id && id->kind == JSON_STRING) {
        json_add_text(out, id->text);
    } else {
        strbuf_add(out, "null");
    }
}

static void reply(const struct json *id, const struct strbuf *result) {
    struct strbuf out = {0};
    add_id(&out, id);
    strbuf_add(&out, ",\"result\":");
    strbuf_add_bytes(&out, strbuf_text(result), result->length);
    strbuf_add_char(&out, '}');
    transport_send(&out);
    strbuf_free(&out);
}

static void refuse(const struct json *id, int code, const char *text) {
    struct strbuf out = {0};
    add_id(&out, id);
    strbuf_printf(&out, ",\"error\":{\"code\":%d,\"message\":", code);
    json_add_text(&out, text);
    strbuf_add(&out, "}}");
    transport_send(&out);
    strbuf_free(&out);
}

// ---- the life of a server ----

static void initialise(struct server *server, const struct json *params, struct strbuf *out) {
    const struct json *encodings =
        json_member(json_member(json_member(params, "capabilities"), "general"), "positionEncodings");
    for (size_t i = 0; encodings && encodings->kind == JSON_ARRAY && i < encodings->count; i++) {
        server->utf8 |=
            encodings->items[i].kind == JSON_STRING && strcmp(encodings->items[i].text, "utf-8") == 0;
    }
    server->initialised = true;
    strbuf_printf(
        out,
        "{\"capabilities\":{\"positionEncoding\":\"%s\",\"textDocumentSync\":{\"openClose\":true,\"change\":"
        "1,\"save\":true},"
        "\"hoverProvider\":true,\"definitionProvider\":true,\"documentSymbolProvider\":true,"
        "\"completionProvider\":{\"triggerCharacters\":[\".\"]},\"codeActionProvider\":{\"codeActionKinds\":["
        "\"quickfix\"]},"
        "\"semanticTokensProvider\":{\"legend\":{\"tokenTypes\":%s,\"tokenModifiers\":[]},\"full\":true}},"
        "\"serverInfo\":{\"name\":\"tkc\",\"version\":\"%s\"}}",
        server->utf8 ? "utf-8" : "utf-16", answer_token_types, tkc_version());
}

// Ends the analysis under way; its text is analysed again.
static void stop(struct server *server) {
    if (server->running.child) {
        document_find(server, server->running.uri)->changed = true;
        analysis_stop(server);
    }
}

// A file, perhaps an import of others, changed: all are analysed again.
static void change_all(struct server *server) {
    stop(server);
    for (size_t i = 0; i < server->document_count; i++) {
        server->documents[i].changed = true;
    }
}

static void keep_parsed(struct server *server, const char *uri) {
    struct document *document = document_find(server, uri);
    struct arena *arena = arena_create();
    struct symbols symbols;
    symbols_read(arena, document->path, document->text, &symbols);
    if (symbols.module && !symbols.module->fault_count) {
        free(document->parsed_text);
        document->parsed_text = strdup(document->text);
    }
    arena_destroy(arena);
}

// True if it was a notification about a file.
static bool take_text(struct server *server, const char *method, const struct json *params) {
    const struct json *file = json_member(params, "textDocument");
    const char *uri = json_text(file, "uri"), *text = json_text(file, "text");
    const struct json *changes = json_member(params, "contentChanges");
    if (strcmp(method, "textDocument/didChange") == 0 && changes && changes->kind == JSON_ARRAY &&
        changes->count) {
        text = json_text(&changes->items[changes->count - 1], "text");
    } else if (strcmp(method, "textDocument/didClose") == 0 && uri) {
        struct strbuf none = {0};
        strbuf_add(&none, "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/"
                          "publishDiagnostics\",\"params\":{\"diagnostics\":[],\"uri\":");
        json_add_text(&none, uri);
        strbuf_add(&none, "}}");
        transport_send(&none);
        strbuf_free(&none);
        if (analysis_is_of(server, uri)) {
            stop(server);
        }
        document_close(server, uri);
        return true;
    } else if (strcmp(method, "textDocument/didSave") == 0) {
        change_all(server);
        return true;
    } else if (strcmp(method, "textDocument/didOpen") != 0) {
        return false;
    }
    if (uri && text) {
        if (analysis_is_of(server, uri)) {
            stop(server);
        }
        document_open(server, uri, text);
        keep_parsed(server, uri);
    }
    return true;
}

static const struct {
    const char *method;
    answer *answer;
} answers[] = {
    {"textDocument/hover", answer_hover},
    {"textDocument/definition", answer_definition},
    {"textDocument/completion", answer_completion},
    {"textDocument/documentSymbol", answer_symbols},
    {"textDocument/semanticTokens/full", answer_tokens},
    {"textDocument/codeAction", answer_actions},
};

// Waits as analysis_wait does, and publishes the diagnostics if the analysis has ended.
static void await(struct server *server, bool input) {
    struct document *document = document_find(server, server->running.uri);
    if (analysis_wait(server, document, input)) {
        publish_diagnostics(server, document);
    }
}

// Analyses the document to the end, so that its facts are those of the text as it is.
static void analyse(struct server *server, struct document *document) {
    if (!analysis_is_of(server, document->uri)) {
        stop(server);
        analysis_start(server, document);
    }
    while (server->running.child) {
        await(server, false);
    }
}

static bool take_question(struct server *server, const char *method, const struct json *message,
                          struct arena *arena) {
    const struct json *params = json_member(message, "params");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        if (strcmp(method, answers[i].method) == 0) {
            struct document *document =
                document_find(server, json_text(json_member(params, "textDocument"), "uri"));
            struct strbuf out = {0};
            if (document && (document->changed || analysis_is_of(server, document->uri)) &&
                (answers[i].answer == answer_hover || answers[i].answer == answer_actions)) {
                analyse(server, document); // these two tell facts of the text as it is
            }
            if (document) {
                answers[i].answer(server, document, params, arena, &out);
            } else {
                strbuf_add(&out, "null");
            }
            reply(json_member(message, "id"), &out);
            strbuf_free(&out);
            return true;
        }
    }
    return false;
}

static void take_request(struct server *server, const char *method, const struct json *message,
                         struct arena *arena) {
    const struct json *id = json_member(message, "id");
    struct strbuf out = {0};
    if (strcmp(method, "initialize") == 0) {
        initialise(server, json_member(message, "params"), &out);
        reply(id, &out);
    } else if (!server->initialised) {
        refuse(id, NOT_INITIALISED, "initialize comes first");
    } else if (strcmp(method, "shutdown") == 0) {
        server->shut = true;
        strbuf_add(&out, "null");
        reply(id, &out);
    } else if (server->shut) {
        refuse(id, INVALID_REQUEST, "the server is shut down");
    } else if (!take_question(server, method, message, arena)) {
        refuse(id, METHOD_NOT_FOUND, "tkc does not know this method");
    }
    strbuf_free(&out);
}

static void take(struct server *server, const char *text, struct arena *arena) {
    const char *why;
    size_t at;
    const struct json *message = json_parse(arena, text, &why, &at);
    const char *method = json_text(message, "method");
    if (!message) {
        refuse(NULL, PARSE_ERROR, "the message is no JSON");
    } else if (!method) {
        return; // a reply to a question, and the server asks none
    } else if (strcmp(method, "exit") == 0) {
        server->ended = true;
    } else if (json_member(message, "id")) {
        take_request(server, method, message, arena);
    } else if (server->initialised) {
        take_text(server, method, json_member(message, "params"));
    }
}

static struct document *next_changed(struct server *server) {
    for (size_t i = 0; i < server->document_count; i++) {
        if (server->documents[i].changed) {
            return &server->documents[i];
        }
    }
    return NULL;
}

int lsp_serve(const struct tkc_options *options) {
    struct server server = {.options = *options};
    signal(SIGPIPE, SIG_IGN);
    while (!server.ended) {
        struct arena *arena = arena_create();
        struct document *changed = next_changed(&server);
        const char *text = transport_read(&server, arena, !changed && !server.running.child);
        if (text) {
            take(&server, text, arena);
        } else if (server.running.child && !server.ended) {
            await(&server, true);
        } else if (changed && !server.ended) {
            analysis_start(&server, changed);
        }
        arena_destroy(arena);
    }
    analysis_stop(&server);
    for (size_t i = 0; i < server.document_count; i++) {
        document_free(&server.documents[i]);
    }
    free(server.documents);
    strbuf_free(&server.input);
    return server.shut ? 0 : 1;
}
