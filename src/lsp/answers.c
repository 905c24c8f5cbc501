// Answers about a position of a file.
#include "lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"

// A position in a request: the file's names, and the token there.
struct spot {
    struct symbols symbols;
    size_t offset;
    unsigned line; // from 1
    const struct token *token;
    const char *dotted; // "tl.load"; NULL without a token
};

static unsigned number_of(const struct json *object, const char *name) {
    long long value = 0;
    return json_integer(json_member(object, name), &value) && value >= 0 ? (unsigned)value : 0;
}

static void find_spot(struct server *server, struct document *document, const struct json *params,
                      struct arena *arena, struct spot *spot) {
    const struct json *position = json_member(params, "position");
    unsigned line = number_of(position, "line");
    *spot = (struct spot){
        .offset = offset_of_position(server, document->text, line, number_of(position, "character")),
        .line = line + 1};
    symbols_read(arena, document->path, document->text, &spot->symbols);
    spot->token = symbols_token(&spot->symbols, spot->offset);
    spot->dotted = spot->token ? symbols_dotted(&spot->symbols, spot->token) : NULL;
}

// A file's names: as the client has it open, or from disk. False: it cannot be read.
static bool read_file(struct server *server, struct arena *arena, const char *path, struct symbols *symbols) {
    const struct document *open = document_of_path(server, path);
    size_t length;
    char *text = open ? NULL : file_read_bounded(path, SOURCE_BYTES_MAX, &length);
    if (open || text) {
        symbols_read(arena, path, open ? open->text : text, symbols);
    }
    free(text);
    return open || text;
}

// The binding of a spot's name, through imports of files; `symbols` are those of its file. NULL: none.
static const struct binding *find_origin(struct server *server, struct arena *arena, const struct spot *spot,
                                         struct symbols *symbols) {
    *symbols = spot->symbols;
    size_t first = strcspn(spot->dotted, ".");
    const char *rest = spot->dotted[first] ? spot->dotted + first + 1 : NULL;
    const struct binding *binding =
        symbols_find(symbols, arena_strndup(arena, spot->dotted, first), spot->line);
    if (rest && binding && binding->kind != BINDING_IMPORT) {
        return NULL; // an attribute of a value
    }
    for (int hops = 0; binding && binding->kind == BINDING_IMPORT && hops < 16; hops++) {
        const char *member = binding->member ? binding->member : rest;
        const char *path = import_path(arena, server, symbols->source->path, binding->module, binding->level);
        if (!path && binding->member) { // from package import file
            const char *inside = binding->module
                                     ? arena_printf(arena, "%s.%s", binding->module, binding->member)
                                     : binding->member;
            path = import_path(arena, server, symbols->source->path, inside, binding->level);
            member = rest;
        }
        if (!path || !read_file(server, arena, path, symbols)) {
            return NULL;
        }
        if (!member) {
            struct binding *file = ARENA_NEW(arena, struct binding); // the file itself
            *file = (struct binding){.kind = BINDING_IMPORT,
                                     .at = {.source = symbols->source, .line = 1, .column = 1}};
            return file;
        }
        binding = symbols_find(symbols, member, 0);
    }
    return binding;
}

// ---- hover ----

static void add_fact(struct strbuf *text, const struct fact *fact) {
    strbuf_printf(text, "```\n%s\n```\n", fact->type);
    if (fact->layout) {
        strbuf_printf(text, "layout: %s\n\n", fact->layout);
    }
}

// The comment lines right above a function.
static void add_comment(struct strbuf *text, const struct source *source,
                        const struct function_def *function) {
    unsigned line = function->name_location.line, first;
    for (size_t i = 0; i < function->decorators.count; i++) {
        unsigned at = function->decorators.items[i]->location.line;
        line = at < line ? at : line;
    }
    const char *start;
    for (first = line; first > 1 && source_line(source, first - 1, &start) && *start == '#'; first--) {
    }
    for (; first < line; first++) {
        size_t length = source_line(source, first, &start), skip = strspn(start, "# ");
        strbuf_add_bytes(text, start + (skip < length ? skip : length), skip < length ? length - skip : 0);
        strbuf_add_char(text, '\n');
    }
}

static void hover_function(struct strbuf *text, const struct symbols *symbols,
                           const struct function_def *function) {
    strbuf_add(text, "```python\n");
    signature_add(text, symbols->source, function);
    strbuf_add(text, "\n```\n");
    add_comment(text, symbols->source, function);
}

static void hover_parameter(struct strbuf *text, const struct symbols *symbols,
                            const struct binding *binding) {
    const struct expr *annotation = binding->parameter->annotation;
    const char *line;
    strbuf_printf(text, "parameter `%s`", binding->name);
    if (annotation &&
        source_line(symbols->source, annotation->location.line, &line) >= annotation->location.column) {
        strbuf_printf(text, ": `%.*s`", (int)annotation->location.length,
                      line + annotation->location.column - 1);
    }
    strbuf_add_char(text, '\n');
}

// The innermost call with the token at the end of its function's name.
static const struct expr *call_at(const struct spot *spot) {
    for (size_t i = spot->symbols.expression_count; i-- > 0;) {
        const struct expr *call = spot->symbols.expressions[i];
        if (call->kind != EXPR_CALL) {
            continue;
        }
        const struct expr *function = call->call.function;
        struct location at =
            function->kind == EXPR_ATTRIBUTE ? function->attribute.name_location : function->location;
        if (at.line == spot->token->line && at.column == spot->token->column) {
            return call;
        }
    }
    return NULL;
}

static void hover_text(struct server *server, struct document *document, struct arena *arena,
                       const struct spot *spot, struct strbuf *text) {
    struct symbols symbols;
    struct known known;
    const struct expr *call = call_at(spot);
    const struct fact *fact =
        call ? analysis_fact(&document->analysis, call->location, symbols_is_inner(&spot->symbols, call))
             : NULL;
    const struct binding *origin = find_origin(server, arena, spot, &symbols);
    const char *name = origin ? NULL : known_name(&spot->symbols, spot->dotted, spot->line);
    if (origin && origin->kind == BINDING_FUNCTION) {
        hover_function(text, &symbols, origin->function);
    } else if (origin && origin->kind == BINDING_PARAMETER) {
        hover_parameter(text, &symbols, origin);
    } else if (origin && origin->kind == BINDING_VARIABLE && origin->value) {
        fact = analysis_fact(&document->analysis, origin->value->location, false);
    } else if (name && known_find(arena, name, &known)) {
        strbuf_printf(text, "```python\n%s(%s)\n```\n%s\n\n", known.name, known.signature,
                      known.doc ? known.doc : "of tkc's library, in the kernel language");
    }
    if (fact) {
        add_fact(text, fact);
    }
}

void answer_hover(struct server *server, struct document *document, const struct json *params,
                  struct arena *arena, struct strbuf *out) {
    struct spot spot;
    struct strbuf text = {0};
    find_spot(server, document, params, arena, &spot);
    if (spot.token) {
        hover_text(server, document, arena, &spot, &text);
    }
    if (text.length) {
        strbuf_add(out, "{\"contents\":{\"kind\":\"markdown\",\"value\":");
        json_add_text(out, strbuf_text(&text));
        strbuf_add(out, "},\"range\":");
        range_add(server, out, document->text, spot.token->line, spot.token->column, spot.token->line,
                  spot.token->column + spot.token->length);
        strbuf_add_char(out, '}');
    } else {
        strbuf_add(out, "null");
    }
    strbuf_free(&text);
}

// ---- definition ----

void answer_definition(struct server *server, struct document *document, const struct json *params,
                       struct arena *arena, struct strbuf *out) {
    struct spot spot;
    struct symbols symbols;
    find_spot(server, document, params, arena, &spot);
    const struct binding *origin = spot.token ? find_origin(server, arena, &spot, &symbols) : NULL;
    if (!origin) {
        strbuf_add(out, "null");
        return;
    }
    struct strbuf uri = {0};
    const struct document *open = document_of_path(server, symbols.source->path);
    uri_add(&uri, symbols.source->path);
    strbuf_add(out, "{\"uri\":");
    json_add_text(out, open ? open->uri : strbuf_text(&uri));
    strbuf_add(out, ",\"range\":");
    size_t length = origin->name ? strlen(origin->name) : 0;
    range_add(server, out, symbols.source->text, origin->at.line, origin->at.column, origin->at.line,
              origin->at.column + (unsigned)length);
    strbuf_add_char(out, '}');
    strbuf_free(&uri);
}

// ---- completion ----

struct items {
    struct strbuf *out;
    struct strbuf seen; // "\nname\n…"
    const char *typed;
};

enum {
    ITEM_METHOD = 2,
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_MODULE = 9,
    ITEM_KEYWORD = 14
};

static void add_item(struct items *items, const char *name, int kind, const char *detail, const char *doc) {
    struct strbuf line = {0};
    strbuf_printf(&line, "\n%s\n", name);
    bool wanted = strncmp(name, items->typed, strlen(items->typed)) == 0 &&
                  !strstr(strbuf_text(&items->seen), strbuf_text(&line));
    if (wanted) {
        strbuf_add(items->out, items->seen.length ? "," : "");
        strbuf_add(&items->seen, strbuf_text(&line));
        strbuf_add(items->out, "{\"label\":");
        json_add_text(items->out, name);
        strbuf_printf(items->out, ",\"kind\":%d", kind);
        if (detail) {
            strbuf_add(items->out, ",\"detail\":");
            json_add_text(items->out, detail);
        }
        if (doc) {
            strbuf_add(items->out, ",\"documentation\":");
            json_add_text(items->out, doc);
        }
        strbuf_add_char(items->out, '}');
    }
    strbuf_free(&line);
}

static void take_known(void *user, const struct known *known) {
    struct items *items = user;
    struct strbuf detail = {0};
    strbuf_printf(&detail, "%s(%s)", known->name, known->signature);
    const char *dot = strrchr(known->name, '.');
    add_item(items, dot ? dot + 1 : known->name,
             strncmp(known->name, "tensor.", 7) ? ITEM_FUNCTION : ITEM_METHOD, strbuf_text(&detail),
             known->doc);
    strbuf_free(&detail);
}

static void add_visible(struct items *items, const struct symbols *symbols, unsigned line) {
    static const int kinds[] = {[BINDING_VARIABLE] = ITEM_VARIABLE,
                                [BINDING_PARAMETER] = ITEM_VARIABLE,
                                [BINDING_FUNCTION] = ITEM_FUNCTION,
                                [BINDING_CLASS] = ITEM_CLASS,
                                [BINDING_IMPORT] = ITEM_MODULE};
    for (size_t scope = symbols_scope(symbols, line);; scope = symbols->scopes[scope].parent) {
        for (size_t i = 0; i < symbols->count; i++) {
            if (symbols->bindings[i].scope == scope) {
                add_item(items, symbols->bindings[i].name, kinds[symbols->bindings[i].kind], NULL, NULL);
            }
        }
        if (!scope) {
            return;
        }
    }
}

static void add_keywords(struct items *items) {
    static const char *const words[] = {
#define KEYWORD(id, text) text,
#include "frontend/syntax/tokens.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        add_item(items, words[i], ITEM_KEYWORD, NULL, NULL);
    }
}

// The names behind "head.": of a module, of a file, or of a value.
static void add_members(struct items *items, struct server *server, struct arena *arena,
                        const struct symbols *symbols, const char *head, unsigned line) {
    const char *name = known_name(symbols, arena_printf(arena, "%s.x", head), line);
    struct spot spot = {.symbols = *symbols, .line = line, .dotted = head};
    struct symbols origin;
    if (name) {
        known_each(arena, arena_strndup(arena, name, strlen(name) - 1), take_known, items);
        if (strncmp(name, "tensor.", 7) == 0) {
            known_each(arena, "tl.", take_known, items);
        }
    } else if (find_origin(server, arena, &spot, &origin)) {
        for (size_t i = 0; i < origin.count; i++) {
            if (origin.bindings[i].scope == 0 && origin.bindings[i].kind != BINDING_IMPORT) {
                add_item(items, origin.bindings[i].name, ITEM_FUNCTION, NULL, NULL);
            }
        }
    }
}

void answer_completion(struct server *server, struct document *document, const struct json *params,
                       struct arena *arena, struct strbuf *out) {
    struct spot spot;
    find_spot(server, document, params, arena, &spot);
    const char *end = document->text + spot.offset, *start = end;
    while (start > document->text &&
           (isalnum((unsigned char)start[-1]) || start[-1] == '_' || start[-1] == '.')) {
        start--;
    }
    const char *chain = arena_strndup(arena, start, (size_t)(end - start)), *dot = strrchr(chain, '.');
    struct symbols whole = spot.symbols; // while one types, of the last complete text
    if (document->parsed_text && (!whole.module || whole.module->fault_count)) {
        symbols_read(arena, document->path, document->parsed_text, &whole);
    }
    struct items items = {.out = out, .typed = dot ? dot + 1 : chain};
    strbuf_add(out, "{\"isIncomplete\":false,\"items\":[");
    if (dot) {
        const char *head = dot == chain ? "?" : arena_strndup(arena, chain, (size_t)(dot - chain)); // f(x).
        add_members(&items, server, arena, &whole, head, spot.line);
    } else {
        add_visible(&items, &whole, spot.line);
        known_each(arena, "python.", take_known, &items);
        add_keywords(&items);
    }
    strbuf_add(out, "]}");
    strbuf_free(&items.seen);
}

// ---- symbols ----

// A name bound again is one symbol.
static bool is_bound_before(const struct symbols *symbols, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (symbols->bindings[i].scope == 0 &&
            strcmp(symbols->bindings[i].name, symbols->bindings[index].name) == 0) {
            return true;
        }
    }
    return false;
}

void answer_symbols(struct server *server, struct document *document, const struct json *params,
                    struct arena *arena, struct strbuf *out) {
    enum { SYMBOL_CLASS = 5, SYMBOL_FUNCTION = 12, SYMBOL_VARIABLE = 13 };
    struct symbols symbols;
    (void)params;
    symbols_read(arena, document->path, document->text, &symbols);
    strbuf_add_char(out, '[');
    bool any = false;
    for (size_t i = 0; i < symbols.count; i++) {
        const struct binding *binding = &symbols.bindings[i];
        if (binding->scope || binding->kind == BINDING_IMPORT || is_bound_before(&symbols, i)) {
            continue;
        }
        unsigned last = binding->at.line;
        for (size_t j = 1; j < symbols.scope_count; j++) {
            last = binding->function && symbols.scopes[j].function == binding->function
                       ? symbols.scopes[j].last_line
                       : last;
        }
        strbuf_add(out, any ? ",{\"name\":" : "{\"name\":");
        any = true;
        json_add_text(out, binding->name);
        strbuf_printf(out, ",\"kind\":%d",
                      binding->kind == BINDING_FUNCTION ? SYMBOL_FUNCTION
                      : binding->kind == BINDING_CLASS  ? SYMBOL_CLASS
                                                        : SYMBOL_VARIABLE);
        if (binding->function) {
            strbuf_printf(out, ",\"detail\":\"%s\"",
                          symbols_is_kernel(binding->function) ? "@triton.jit" : "host");
        }
        strbuf_add(out, ",\"range\":");
        range_add(server, out, document->text, binding->at.line, 1, last, 10000);
        strbuf_add(out, ",\"selectionRange\":");
        range_add(server, out, document->text, binding->at.line, binding->at.column, binding->at.line,
                  binding->at.column + (unsigned)strlen(binding->name));
        strbuf_add_char(out, '}');
    }
    strbuf_add_char(out, ']');
}

// ---- semantic tokens ----

const char answer_token_types[] = "[\"keyword\",\"string\",\"number\",\"operator\",\"namespace\","
                                  "\"function\",\"class\",\"parameter\",\"variable\","
                                  "\"method\",\"decorator\"]";
enum token_type {
    TYPE_KEYWORD,
    TYPE_STRING,
    TYPE_NUMBER,
    TYPE_OPERATOR,
    TYPE_NAMESPACE,
    TYPE_FUNCTION,
    TYPE_CLASS,
    TYPE_PARAMETER,
    TYPE_VARIABLE,
    TYPE_METHOD,
    TYPE_DECORATOR,
    TYPE_NONE
};

static enum token_type type_of_name(const struct symbols *symbols, const struct token *token) {
    static const enum token_type types[] = {[BINDING_VARIABLE] = TYPE_VARIABLE,
                                            [BINDING_PARAMETER] = TYPE_PARAMETER,
                                            [BINDING_FUNCTION] = TYPE_FUNCTION,
                                            [BINDING_CLASS] = TYPE_CLASS,
                                            [BINDING_IMPORT] = TYPE_NAMESPACE};
    const struct token *first = symbols->tokens.items;
    if (token > first && token[-1].kind == TOK_DOT) {
        return token[1].kind == TOK_LPAREN                      ? TYPE_METHOD
               : token >= first + 3 && token[-3].kind == TOK_AT ? TYPE_DECORATOR
                                                                : TYPE_VARIABLE;
    }
    const char *name = arena_strndup(symbols->arena, symbols->source->text + token->offset, token->length);
    const struct binding *binding = symbols_find(symbols, name, token->line);
    if (!binding) {
        return token[1].kind == TOK_LPAREN ? TYPE_FUNCTION : TYPE_VARIABLE;
    }
    return binding->kind == BINDING_IMPORT && binding->member && token[1].kind == TOK_LPAREN
               ? TYPE_FUNCTION
               : types[binding->kind];
}

static enum token_type type_of_token(const struct symbols *symbols, const struct token *token) {
    switch (token->kind) {
    case TOK_NAME:
        return type_of_name(symbols, token);
    case TOK_NUMBER:
        return TYPE_NUMBER;
    case TOK_STRING:
    case TOK_FSTRING_START:
    case TOK_FSTRING_MIDDLE:
    case TOK_FSTRING_END:
        return TYPE_STRING;
#define KEYWORD(id, text) case TOK_##id:
#include "frontend/syntax/tokens.def"
        return TYPE_KEYWORD;
    case TOK_PLUS ... TOK_GREATER:
        return TYPE_OPERATOR;
    default:
        return TYPE_NONE;
    }
}

void answer_tokens(struct server *server, struct document *document, const struct json *params,
                   struct arena *arena, struct strbuf *out) {
    struct symbols symbols;
    unsigned line = 0;
    size_t before = 0; // the offset of the token ahead, or of the line
    bool any = false;
    (void)params;
    symbols_read(arena, document->path, document->text, &symbols);
    strbuf_add(out, "{\"data\":[");
    for (size_t i = 0; i + 1 < symbols.tokens.count; i++) {
        const struct token *token = &symbols.tokens.items[i];
        enum token_type type = type_of_token(&symbols, token);
        if (type == TYPE_NONE || !token->length ||
            memchr(document->text + token->offset, '\n', token->length)) {
            continue; // the protocol has no tokens over several lines
        }
        bool same = token->line - 1 == line;
        before = same ? before : token->offset - (token->column - 1);
        unsigned distance = characters_in(server, document->text + before, token->offset - before);
        unsigned length = characters_in(server, document->text + token->offset, token->length);
        strbuf_printf(out, "%s%u,%u,%u,%d,0", any ? "," : "", token->line - 1 - line, distance, length,
                      (int)type);
        any = true;
        line = token->line - 1;
        before = token->offset;
    }
    strbuf_add(out, "]}");
}

// ---- messages and fixes ----

static void add_message_range(struct server *server, struct strbuf *out, const char *text,
                              const struct tkc_place *place) {
    unsigned column = place->column ? place->column : 1;
    unsigned end = place->end_column > column ? place->end_column : column + 1;
    range_add(server, out, text, place->line ? place->line : 1, column, place->line ? place->line : 1, end);
}

static void add_related(struct server *server, struct strbuf *out, const struct document *document,
                        size_t index) {
    const struct analysis *analysis = &document->analysis;
    bool any = false;
    for (size_t i = index + 1; i < analysis->message_count && analysis->messages[i].parent == index; i++) {
        const struct message *note = &analysis->messages[i];
        struct strbuf uri = {0};
        uri_add(&uri, note->place.file);
        strbuf_add(out,
                   any ? ",{\"location\":{\"uri\":" : ",\"relatedInformation\":[{\"location\":{\"uri\":");
        any = true;
        json_add_text(out, strbuf_text(&uri));
        strbuf_add(out, ",\"range\":");
        const struct document *other = document_of_path(server, note->place.file);
        add_message_range(server, out, other ? other->text : "", &note->place);
        strbuf_add(out, "},\"message\":");
        json_add_text(out, note->text);
        strbuf_add_char(out, '}');
        strbuf_free(&uri);
    }
    strbuf_add(out, any ? "]" : "");
}

static void add_diagnostic(struct server *server, struct strbuf *out, const struct document *document,
                           size_t index) {
    static const int severities[] = {[TKC_NOTE] = 3, [TKC_WARNING] = 2, [TKC_ERROR] = 1, [TKC_REMARK] = 3};
    const struct message *message = &document->analysis.messages[index];
    bool here = message->place.file && strcmp(message->place.file, document->path) == 0;
    strbuf_add(out, "{\"range\":");
    add_message_range(server, out, document->text, here ? &message->place : &(struct tkc_place){0});
    strbuf_printf(out, ",\"severity\":%d,\"source\":\"tkc\",\"message\":", severities[message->severity]);
    struct strbuf text = {0};
    if (!here && message->place.file && message->place.line) { // in an import
        strbuf_printf(&text, "%s:%u:%u: ", message->place.file, message->place.line, message->place.column);
    }
    strbuf_add(&text, message->text);
    json_add_text(out, strbuf_text(&text));
    strbuf_free(&text);
    add_related(server, out, document, index);
    strbuf_add_char(out, '}');
}

// A note without a line, such as the name of the compiled configuration, is no message for an editor.
static bool is_shown(const struct analysis *analysis, size_t index) {
    const struct message *message = &analysis->messages[index];
    return message->parent == index && (message->severity != TKC_NOTE || message->place.line);
}

void publish_diagnostics(struct server *server, const struct document *document) {
    struct strbuf out = {0};
    bool any = false;
    strbuf_add(&out,
               "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":");
    json_add_text(&out, document->uri);
    strbuf_add(&out, ",\"diagnostics\":[");
    for (size_t i = 0; i < document->analysis.message_count; i++) {
        if (is_shown(&document->analysis, i)) {
            strbuf_add(&out, any ? "," : "");
            any = true;
            add_diagnostic(server, &out, document, i);
        }
    }
    strbuf_add(&out, "]}}");
    transport_send(&out);
    strbuf_free(&out);
}

static void add_edit(struct server *server, struct strbuf *out, const struct document *document,
                     size_t index) {
    const struct message *message = &document->analysis.messages[index];
    const struct tkc_fix *fix = message->fix;
    struct strbuf title = {0};
    const char *line = document->text + offset_of_position(server, document->text, fix->place.line - 1, 0);
    unsigned length = fix->place.end_column - fix->place.column;
    if (length) {
        strbuf_printf(&title, "replace \"%.*s\" by \"%s\"", (int)length, line + fix->place.column - 1,
                      fix->text);
    } else {
        strbuf_printf(&title, "insert \"%s\"", fix->text);
    }
    strbuf_add(out, "{\"title\":");
    json_add_text(out, strbuf_text(&title));
    strbuf_add(out, ",\"kind\":\"quickfix\",\"isPreferred\":true,\"diagnostics\":[");
    add_diagnostic(server, out, document, index);
    strbuf_add(out, "],\"edit\":{\"changes\":{");
    json_add_text(out, document->uri);
    strbuf_add(out, ":[{\"range\":");
    range_add(server, out, document->text, fix->place.line, fix->place.column, fix->place.line,
              fix->place.end_column);
    strbuf_add(out, ",\"newText\":");
    json_add_text(out, fix->text);
    strbuf_add(out, "}]}}}");
    strbuf_free(&title);
}

// The fixes of messages on the lines of the range.
void answer_actions(struct server *server, struct document *document, const struct json *params,
                    struct arena *arena, struct strbuf *out) {
    const struct json *range = json_member(params, "range");
    unsigned first = number_of(json_member(range, "start"), "line") + 1,
             last = number_of(json_member(range, "end"), "line") + 1;
    bool any = false;
    (void)arena;
    strbuf_add_char(out, '[');
    for (size_t i = 0; i < document->analysis.message_count; i++) {
        const struct message *message = &document->analysis.messages[i];
        if (message->fix && message->fix->place.file &&
            strcmp(message->fix->place.file, document->path) == 0 && message->place.line >= first &&
            message->place.line <= last) {
            strbuf_add(out, any ? "," : "");
            any = true;
            add_edit(server, out, document, i);
        }
    }
    strbuf_add_char(out, ']');
}
