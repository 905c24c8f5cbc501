// Messages and facts of the compiler. A child compiles the text up to the last pass over tile IR, with every message but those of
// registers, then up to the pass `layouts` for the types and layouts of expressions, and writes both into a pipe.
#include "lsp/lsp.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dialects/tk/layout.h"
#include "dialects/tk/tk.h"
#include "driver/compile.h"
#include "driver/library.h"
#include "support/file.h"
#include "support/memory.h"

enum { SECONDS_MAX = 20 };

// ---- the child ----

static void put_message(void *user, const struct tkc_diagnostic *diagnostic) {
    wire_put_number(user, 'm');
    wire_put_diagnostic(user, diagnostic);
}

static void add_print(MlirStringRef text, void *user) {
    strbuf_add_bytes(user, text.data, text.length);
}

// An element's type in the language's words: fp16, *fp32, i32.
static void add_scalar(struct strbuf *out, MlirType type) {
    struct strbuf text = {0};
    mlirTypePrint(type, add_print, &text);
    const char *name = strbuf_text(&text);
    if (strncmp(name, "!tk.ptr<", 8) == 0) {
        strbuf_add_char(out, '*');
        name += 8;
    }
    const char *digits = name[0] == 'f' && strchr("136", name[1]) && name[1] ? name + 1 : NULL;
    size_t length = strcspn(name, ">");
    strbuf_add(out, digits ? "fp" : "");
    strbuf_add_bytes(out, digits ? digits : name, length - (digits ? 1 : 0));
    strbuf_free(&text);
}

static void add_type(struct strbuf *out, MlirType type) {
    add_scalar(out, type_element(type));
    for (int i = 0; i < type_rank(type); i++) {
        strbuf_printf(out, "%s%lld", i ? ", " : "[", (long long)type_extent(type, i));
    }
    strbuf_add(out, type_rank(type) ? "]" : "");
}

static void add_layout(struct strbuf *out, const struct layout *layout) {
    strbuf_printf(out, "%u elements of a thread, %u lanes, %u warps\n", 1u << layout->bits[LAYOUT_REGISTER],
                  1u << layout->bits[LAYOUT_LANE], 1u << layout->bits[LAYOUT_WARP]);
    layout_print(out, layout);
}

static void put_fact(struct strbuf *out, struct unit *unit, struct ir *ir, MlirOperation op) {
    struct location at = ir_user_location(ir, op);
    if (at.source != unit->source || !at.line || mlirOperationGetNumResults(op) != 1) {
        return;
    }
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    const struct layout *layout = type_is_tensor(type) ? type_layout(ir, type) : NULL;
    struct strbuf type_text = {0}, layout_text = {0};
    add_type(&type_text, type);
    if (layout) {
        add_layout(&layout_text, layout);
    }
    wire_put_number(out, 'f');
    wire_put_number(out, at.line);
    wire_put_number(out, at.column);
    wire_put_text(out, strbuf_text(&type_text));
    wire_put_text(out, layout ? strbuf_text(&layout_text) : NULL);
    strbuf_free(&type_text);
    strbuf_free(&layout_text);
}

static void put_facts(struct strbuf *out, struct unit *unit, struct ir *ir, MlirOperation op) {
    put_fact(out, unit, ir, op);
    for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
         region = mlirRegionGetNextInOperation(region)) {
        for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
             block = mlirBlockGetNextInRegion(block)) {
            for (MlirOperation one = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(one);
                 one = mlirOperationGetNextInBlock(one)) {
                put_facts(out, unit, ir, one);
            }
        }
    }
}

static void drop_message(void *user, enum diag_severity severity, const char *text) {
    (void)user, (void)severity, (void)text;
}

static void find_facts(struct strbuf *out, const struct tkc_options *given) {
    // Tiles as the source has them.
    static const char *const reshapes[] = {"packed_rows"};
    struct tkc_options options = *given;
    options.stop_after = "layouts";
    options.without = reshapes;
    options.without_count = sizeof reshapes / sizeof *reshapes;
    const struct target *target = target_find(options.target_count ? options.targets[0] : "sm_80");
    struct unit unit = {.arena = arena_create(), .diag = {.sink = drop_message}};
    struct compiled compiled = {0};
    if (target && unit_open(&unit, &options, target) && unit_kernel_count(&unit)) {
        struct fit *fits = ARENA_ARRAY(unit.arena, struct fit, unit_kernel_count(&unit));
        for (size_t i = 0; i < unit_kernel_count(&unit); i++) {
            fits[i].warps = 1;
        }
        if (compile_fitted(&unit, target, fits, &compiled)) {
            put_facts(out, &unit, compiled.ir, mlirModuleGetOperation(compiled.tiles));
        }
    }
}

static _Noreturn void run_child(struct server *server, struct document *document, int to) {
    static const char *const outputs[] = {"-"};
    struct tkc_options options = server->options;
    struct strbuf out = {0};
    struct tkc_file *files = calloc(server->document_count + 1, sizeof *files);
    for (size_t i = 0; files && i < server->document_count; i++) {
        if (&server->documents[i] != document) {
            files[options.file_count++] =
                (struct tkc_file){server->documents[i].path, server->documents[i].text};
        }
    }
    options.files = files;
    options.input = document->path;
    options.text = document->text;
    options.outputs = outputs;
    options.output_count = 1;
    options.kind = TKC_MLIR;
    options.no_header = options.no_json = true;
    options.stop_after = "check_barriers";
    options.report = put_message;
    options.report_user = &out;
    bool good = tkc_compile(&options)->ok;
    // The messages first: the search for facts may crash or run out of time.
    good = file_write_all(to, out.data, out.length) && good;
    strbuf_clear(&out);
    if (good) {
        options.report = NULL;
        find_facts(&out, &options);
        file_write_all(to, out.data, out.length);
    }
    _exit(0);
}

// ---- the server ----

static void read_message(struct wire *wire, struct analysis *analysis) {
    analysis->messages = arena_grown(analysis->arena, analysis->messages, analysis->message_count,
                                     &analysis->message_capacity, sizeof *analysis->messages);
    size_t index = analysis->message_count;
    struct message *message = &analysis->messages[index];
    struct tkc_diagnostic read = wire_diagnostic(wire);
    *message = (struct message){.severity = read.severity,
                                .text = read.message,
                                .place = read.place,
                                .fix = read.fix,
                                .parent = index};
    if (message->severity == TKC_NOTE && message->place.line && index) {
        message->parent = analysis->messages[index - 1].parent;
    }
    analysis->message_count += !wire->failed;
}

static void read_fact(struct wire *wire, struct analysis *analysis) {
    analysis->facts = arena_grown(analysis->arena, analysis->facts, analysis->fact_count,
                                  &analysis->fact_capacity, sizeof *analysis->facts);
    struct fact *fact = &analysis->facts[analysis->fact_count];
    fact->line = (unsigned)wire_number(wire);
    fact->column = (unsigned)wire_number(wire);
    fact->type = wire_text(wire);
    fact->layout = wire_text(wire);
    analysis->fact_count += !wire->failed && fact->type;
}

static void decode(const struct strbuf *bytes, struct analysis *analysis) {
    struct wire wire = {
        .bytes = (const uint8_t *)strbuf_text(bytes), .length = bytes->length, .arena = analysis->arena};
    while (!wire.failed && wire.at < wire.length) {
        if (wire_number(&wire) == 'm') {
            read_message(&wire, analysis);
        } else {
            read_fact(&wire, analysis);
        }
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void add_fault(struct analysis *analysis, const char *path, const char *text) {
    analysis->messages = arena_grown(analysis->arena, analysis->messages, analysis->message_count,
                                     &analysis->message_capacity, sizeof *analysis->messages);
    analysis->messages[analysis->message_count] = (struct message){
        .severity = TKC_WARNING, .text = text, .place = {.file = path}, .parent = analysis->message_count};
    analysis->message_count++;
}

static bool has_errors(const struct analysis *analysis) {
    for (size_t i = 0; i < analysis->message_count; i++) {
        if (analysis->messages[i].severity == TKC_ERROR) {
            return true;
        }
    }
    return false;
}

// Facts stay if an erroneous text gives none: lines move little while one types.
static void replace(struct analysis *old, struct analysis *fresh) {
    if (has_errors(fresh) && !fresh->fact_count && old->fact_count) {
        fresh->facts = ARENA_ARRAY(fresh->arena, struct fact, old->fact_count);
        fresh->fact_count = old->fact_count;
        for (size_t i = 0; i < old->fact_count; i++) {
            fresh->facts[i] = old->facts[i];
            fresh->facts[i].type = arena_strdup(fresh->arena, old->facts[i].type);
            fresh->facts[i].layout =
                old->facts[i].layout ? arena_strdup(fresh->arena, old->facts[i].layout) : NULL;
        }
    }
    analysis_free(old);
    *old = *fresh;
}

static bool has_kernel(const struct symbols *symbols) {
    for (size_t i = 0; i < symbols->count; i++) {
        if (symbols->bindings[i].function && symbols_is_kernel(symbols->bindings[i].function)) {
            return true;
        }
    }
    return !symbols->module; // who knows
}

static bool lacks_type(const struct symbols *symbols, const struct tkc_place *place) {
    for (size_t i = 0; i < symbols->count; i++) {
        const struct binding *binding = &symbols->bindings[i];
        if (binding->parameter && binding->at.line == place->line && binding->at.column == place->column) {
            return !binding->parameter->annotation;
        }
    }
    return false;
}

// An editor opens files that are not for tkc alone. That functions without types are no kernels is a fact there, no error; in a file of
// host code it is not worth a word.
static void soften(struct analysis *analysis, const struct document *document) {
    struct symbols symbols;
    size_t kept = 0;
    symbols_read(analysis->arena, document->path, document->text, &symbols);
    bool is_host = !has_kernel(&symbols);
    for (size_t i = 0; i < analysis->message_count; i++) {
        struct message *message = &analysis->messages[i];
        bool here = message->place.file && strcmp(message->place.file, document->path) == 0;
        if (is_host && !message->place.line) {
            continue;
        }
        if (here && message->severity == TKC_ERROR && lacks_type(&symbols, &message->place)) {
            message->severity = TKC_REMARK;
        }
        message->parent = message->parent == i ? kept : message->parent - (i - kept);
        analysis->messages[kept++] = *message;
    }
    analysis->message_count = kept;
}

void analysis_start(struct server *server, struct document *document) {
    int ends[2];
    document->changed = false;
    fflush(stdout);
    if (pipe(ends)) {
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        dup2(STDERR_FILENO, STDOUT_FILENO); // the protocol's output is not the compiler's
        run_child(server, document, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return;
    }
    server->running = (struct running){child, ends[0], strdup(document->uri), {0}, now() + SECONDS_MAX};
    if (!server->running.uri) {
        out_of_memory(strlen(document->uri));
    }
}

bool analysis_is_of(const struct server *server, const char *uri) {
    return server->running.child && strcmp(server->running.uri, uri) == 0;
}

// Waits for the child's end, and kills it first unless its answer is whole. Returns its status.
static int reap(struct server *server, bool whole) {
    int status = 0;
    if (!whole) {
        kill(server->running.child, SIGKILL);
    }
    close(server->running.from);
    waitpid(server->running.child, &status, 0);
    server->running.child = 0;
    return status;
}

static void forget(struct server *server) {
    free(server->running.uri);
    strbuf_free(&server->running.bytes);
    server->running = (struct running){0};
}

static bool finish(struct server *server, struct document *document, bool whole) {
    struct analysis fresh = {.arena = arena_create()};
    int status = reap(server, whole);
    decode(&server->running.bytes, &fresh);
    forget(server);
    if (!whole) {
        add_fault(&fresh, document->path, "the analysis took longer than 20 s and was stopped");
    } else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        add_fault(&fresh, document->path,
                  "a fault of tkc, not of this source, ended its analysis; please report it with this file");
    }
    replace(&document->analysis, &fresh);
    soften(&document->analysis, document);
    return true;
}

bool analysis_wait(struct server *server, struct document *document, bool input) {
    struct running *running = &server->running;
    struct pollfd ready[] = {{.fd = running->from, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    char part[65536];
    double left = running->end - now();
    if (left <= 0) {
        return finish(server, document, false);
    }
    if (poll(ready, input ? 2 : 1, (int)(left * 1000) + 1) <= 0 || !ready[0].revents) {
        return false;
    }
    ssize_t got = read(running->from, part, sizeof part);
    if (got <= 0) {
        return finish(server, document, true);
    }
    strbuf_add_bytes(&running->bytes, part, (size_t)got);
    return false;
}

void analysis_stop(struct server *server) {
    if (server->running.child) {
        reap(server, false);
        forget(server);
    }
}

void analysis_free(struct analysis *analysis) {
    arena_destroy(analysis->arena);
    *analysis = (struct analysis){0};
}

const struct fact *analysis_fact(const struct analysis *analysis, struct location at, bool first) {
    const struct fact *found = NULL;
    for (size_t i = 0; i < analysis->fact_count && !(found && first); i++) {
        const struct fact *fact = &analysis->facts[i];
        if (fact->line == at.line && fact->column == at.column) {
            found = fact;
        }
    }
    return found;
}
