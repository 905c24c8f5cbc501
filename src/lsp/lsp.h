// A language server (Language Server Protocol 3.17) over standard input and output: tkc lsp.
//
//   transport.c   messages: headers and JSON, in and out
//   document.c    open files, and positions in them
//   analysis.c    messages and facts of the compiler, from a child process
//   symbols.c     names of a file and their bindings, from the syntax tree
//   known.c       names without a binding in a file: builtins and the library, with their documentation
//   answers.c     hover, definition, completion, symbols, tokens, fixes
//   server.c      the loop
//
// The server itself never enters LLVM. Each analysis is a child made by fork, so that a fault of tkc costs one answer. An analysis begins
// when no message waits. Messages are answered while it runs; a message that changes the analysed text ends it.
#ifndef TKC_LSP_LSP_H
#define TKC_LSP_LSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/lexer.h"
#include "support/arena.h"
#include "support/json.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

// The type and layout of the value of an expression, by the place of its first byte.
struct fact {
    unsigned line, column;
    const char *type, *layout; // "fp32[64, 128]"; layout NULL: a scalar
};

struct message {
    enum tkc_severity severity;
    const char *text;
    struct tkc_place place;
    const struct tkc_fix *fix; // NULL: none
    size_t parent;             // of a note: the explained message; else its own index
};

struct analysis {
    struct arena *arena;
    struct message *messages;
    size_t message_count, message_capacity;
    struct fact *facts;
    size_t fact_count, fact_capacity;
};

struct document {
    char *uri, *path, *text;
    bool changed;             // since the last analysis
    struct analysis analysis; // the facts of the last one without errors
    char *parsed_text;        // the last text with a whole tree
};

// The one analysis under way.
struct running {
    pid_t child; // 0: none
    int from;    // the end of a pipe
    char *uri;
    struct strbuf bytes; // read from it
    double end;          // when its time is over
};

struct server {
    struct tkc_options options; // of every analysis
    struct document *documents;
    size_t document_count, document_capacity;
    bool utf8; // columns count bytes, else UTF-16 units
    bool initialised, shut;
    struct strbuf input; // read, not yet taken
    size_t taken;
    bool ended; // there is no more input
    struct running running;
};

// ---- transport.c ----

// The text of the next message, in the arena; NULL: none is left. With `wait` false NULL also means that none is waiting.
const char *transport_read(struct server *server, struct arena *arena, bool wait);
// Sends a JSON text.
void transport_send(const struct strbuf *body);
void json_add_text(struct strbuf *out, const char *text); // in quotes

// ---- document.c ----

struct document *document_find(struct server *server, const char *uri);
struct document *document_of_path(struct server *server, const char *path);
void document_open(struct server *server, const char *uri, const char *text);
void document_close(struct server *server, const char *uri);
void document_free(struct document *document);
char *path_of_uri(const char *uri); // malloc'ed; not a file: the URI itself
void uri_add(struct strbuf *out, const char *path);
// The offset of a position of the protocol, and the other way round as {"line": …, "character": …} from tkc's line and byte column.
size_t offset_of_position(const struct server *server, const char *text, unsigned line, unsigned character);
void position_add(const struct server *server, struct strbuf *out, const char *text, unsigned line,
                  unsigned column);
void range_add(const struct server *server, struct strbuf *out, const char *text, unsigned line,
               unsigned column, unsigned end_line, unsigned end_column);
// The protocol's characters in so many bytes of a line.
unsigned characters_in(const struct server *server, const char *text, size_t length);

// ---- analysis.c ----

// Begins an analysis; none may be under way.
void analysis_start(struct server *server, struct document *document);
// True if an analysis of this document is under way.
bool analysis_is_of(const struct server *server, const char *uri);
// Waits for the analysis under way, of this document, and with `input` also for messages. True: it ended, and the document has what it found.
bool analysis_wait(struct server *server, struct document *document, bool input);
// Ends the analysis under way, if any; its result is lost.
void analysis_stop(struct server *server);
void analysis_free(struct analysis *analysis);
// The fact of an expression; NULL: none. IR knows the start of an expression, not its end, and ops stand in the order of evaluation: the
// last op of a start has the value of the longest expression there, the `first` one that of the shortest.
const struct fact *analysis_fact(const struct analysis *analysis, struct location at, bool first);

// ---- symbols.c ----

enum binding_kind { BINDING_VARIABLE, BINDING_PARAMETER, BINDING_FUNCTION, BINDING_CLASS, BINDING_IMPORT };

struct binding {
    enum binding_kind kind;
    const char *name;
    struct location at;
    size_t scope;                      // index into symbols.scopes
    const struct expr *value;          // of a variable bound by an assignment of one name; else NULL
    const struct parameter *parameter; // of a parameter
    const struct function_def *function;
    const char *module, *member; // of an import: "triton.language" and NULL, or "lib.helper" and "twice"
    unsigned level;              // leading dots of an import
};

// Scope 0 is the module; others are functions.
struct scope {
    const struct function_def *function;
    size_t parent;
    unsigned first_line, last_line;
};

struct symbols {
    struct arena *arena;
    const struct source *source;
    const struct module *module; // NULL: the text's structure is lost
    struct binding *bindings;
    size_t count, capacity;
    const struct binding **sorted; // by scope, name and line
    struct scope *scopes;
    size_t scope_count, scope_capacity;
    const struct expr **expressions; // calls and attributes, for hovers
    size_t expression_count, expression_capacity;
    struct token_list tokens;
};

void symbols_read(struct arena *arena, const char *path, const char *text, struct symbols *symbols);
size_t symbols_scope(const struct symbols *symbols, unsigned line); // the innermost
// The binding of a name as seen from a line; NULL: none.
const struct binding *symbols_find(const struct symbols *symbols, const char *name, unsigned line);
bool symbols_is_kernel(const struct function_def *function);
void signature_add(struct strbuf *out, const struct source *source, const struct function_def *function);
// True if a longer expression starts at this one's start: the call in `f(x) + y`.
bool symbols_is_inner(const struct symbols *symbols, const struct expr *expr);
// The token at an offset, a name; and the dotted name up to it ("tl.load"), in the arena. NULL: no name there.
const struct token *symbols_token(const struct symbols *symbols, size_t offset);
const char *symbols_dotted(const struct symbols *symbols, const struct token *token);

// ---- known.c ----

struct known {
    const char *name, *signature, *doc; // doc NULL: a function of the library
};

// The full name of a dotted name of a source: "tl.load" for `language.load` behind `from triton import language`. NULL: no builtin's.
const char *known_name(const struct symbols *symbols, const char *dotted, unsigned line);
bool known_find(struct arena *arena, const char *name, struct known *known);
// All with this beginning of their name, to a receiver.
void known_each(struct arena *arena, const char *prefix, void (*take)(void *user, const struct known *known),
                void *user);
// The file of an import, as tkc looks for it; NULL: none.
const char *import_path(struct arena *arena, const struct server *server, const char *from,
                        const char *module, unsigned level);

// ---- answers.c: each adds the value of "result" ----

typedef void answer(struct server *server, struct document *document, const struct json *params,
                    struct arena *arena, struct strbuf *out);
answer answer_hover, answer_definition, answer_completion, answer_symbols, answer_tokens, answer_actions;
extern const char answer_token_types[]; // of the legend, as JSON
void publish_diagnostics(struct server *server, const struct document *document);

// ---- server.c ----

// Serves until the client says exit or goes. Options are borrowed: targets, import folders, warnings, defines … of every analysis.
// Returns the exit status: 0 behind a shutdown, else 1.
int lsp_serve(const struct tkc_options *options);

#endif
