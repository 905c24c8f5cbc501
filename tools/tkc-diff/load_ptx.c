// PTX as text (PTX ISA, "Syntax"): directives of the module, and the statements of its functions. Comments, line tables,
// debug sections and names of labels and registers are dropped; a register keeps its type.
#define _GNU_SOURCE // memmem
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "support/memory.h"

enum { SCOPES = 64 };
enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_MARK };

struct token {
    enum token_kind kind;
    const char *text;
    size_t length;
};

// `.reg .b32 %r<57>` declares a row of registers, `.reg .pred done` one.
struct declared {
    const char *name; // without the number
    size_t length;
    const char *type;
    bool row;
    uint32_t first, count;
};

struct label {
    const char *name;
    size_t length;
    int32_t at; // of the definition: the next instruction; of a use: the branch
};

struct labels {
    struct label *items;
    size_t count, capacity;
};

struct variable {
    const char *name;
    size_t length;
    long long bytes; // UNKNOWN: the launch says it
    bool used;
};

struct reader {
    struct loader *loader;
    const char *path, *start, *at, *end;
    struct token token;
    struct file *file;
    const char *target;
    struct variable *shared; // of the module
    size_t shared_count, shared_capacity;
    // Of the function at hand.
    struct kernel *kernel;
    struct code code;
    struct declared *declared;
    size_t declared_count, declared_capacity;
    uint32_t register_count;
    size_t outer[SCOPES]; // declared_count at the begin of each open block
    int depth;            // of blocks; 0: behind the body
    struct labels labels, uses;
};

// ---- tokens ----

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

static void skip_blank(struct reader *r) {
    while (r->at < r->end) {
        if (isspace((unsigned char)*r->at)) {
            r->at++;
        } else if (r->end - r->at >= 2 && !memcmp(r->at, "//", 2)) {
            const char *line = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = line ? line : r->end;
        } else if (r->end - r->at >= 2 && !memcmp(r->at, "/*", 2)) {
            const char *close = memmem(r->at + 2, (size_t)(r->end - r->at - 2), "*/", 2);
            r->at = close ? close + 2 : r->end;
        } else {
            return;
        }
    }
}

static const char *end_of_word(const struct reader *r, const char *at) {
    while (at < r->end && (is_word(*at) || (r->end - at > 2 && at[0] == ':' && at[1] == ':'))) {
        at += *at == ':' ? 2 : 1;
    }
    return at;
}

static void next(struct reader *r) {
    skip_blank(r);
    const char *start = r->at;
    enum token_kind kind = TOKEN_MARK;
    if (start == r->end) {
        kind = TOKEN_END;
    } else if (isdigit((unsigned char)*start)) {
        kind = TOKEN_NUMBER;
        r->at = end_of_word(r, start);
    } else if (is_word(*start)) {
        kind = TOKEN_WORD;
        r->at = end_of_word(r, start);
    } else if (*start == '"') {
        const char *close = memchr(start + 1, '"', (size_t)(r->end - start - 1));
        kind = TOKEN_STRING;
        r->at = close ? close + 1 : r->end;
    } else {
        r->at++;
    }
    r->token = (struct token){kind, start, (size_t)(r->at - start)};
}

static bool is(const struct reader *r, const char *text) {
    return r->token.length == strlen(text) && !memcmp(r->token.text, text, r->token.length);
}

static bool begins_with(const struct reader *r, const char *text) {
    return r->token.length >= strlen(text) && !memcmp(r->token.text, text, strlen(text));
}

static char *token_copy(const struct reader *r) {
    return arena_strndup(r->loader->arena, r->token.text, r->token.length);
}

static bool fault(struct reader *r, const char *wanted) {
    unsigned line = 1;
    for (const char *c = r->start; c < r->token.text; c++) {
        line += *c == '\n';
    }
    if (r->token.kind == TOKEN_END) {
        return load_fault(r->loader, r->path,
                          "the PTX ends at line %u, where %s is expected: is the file whole?", line, wanted);
    }
    return load_fault(r->loader, r->path, "line %u: \"%.*s\" is no PTX here; %s is expected", line,
                      (int)(r->token.length > 40 ? 40 : r->token.length), r->token.text, wanted);
}

// The rest of a line, from the token on; the token behind it is the next.
static const char *take_line(struct reader *r) {
    const char *start = r->at;
    const char *end = memchr(start, '\n', (size_t)(r->end - start));
    end = end ? end : r->end;
    r->at = end;
    const char *comment = memmem(start, (size_t)(end - start), "//", 2);
    end = comment ? comment : end;
    while (start < end && isspace((unsigned char)*start)) {
        start++;
    }
    while (end > start && isspace((unsigned char)end[-1])) {
        end--;
    }
    next(r);
    return arena_strndup(r->loader->arena, start, (size_t)(end - start));
}

// Tokens up to `end`, joined by single spaces; `end` is left.
static bool take_until(struct reader *r, const char *ends, struct strbuf *out) {
    for (int depth = 0; r->token.kind != TOKEN_END; next(r)) {
        char c = r->token.kind == TOKEN_MARK ? *r->token.text : 0;
        if (depth == 0 && c && strchr(ends, c)) {
            return true;
        }
        depth += c == '{' || c == '(' || c == '[';
        depth -= c == '}' || c == ')' || c == ']';
        strbuf_add(out, out->length ? " " : "");
        strbuf_add_bytes(out, r->token.text, r->token.length);
    }
    return fault(r, "the end of a declaration");
}

static bool skip_braces(struct reader *r) {
    struct strbuf unused = {0};
    while (r->token.kind != TOKEN_END && !is(r, "{")) {
        next(r);
    }
    next(r);
    bool good = take_until(r, "}", &unused);
    next(r);
    strbuf_free(&unused);
    return good;
}

// ---- registers ----

static void declare(struct reader *r, const char *type, const char *name, size_t length, bool row,
                    uint32_t count) {
    r->declared = arena_grown(r->loader->arena, r->declared, r->declared_count, &r->declared_capacity,
                              sizeof *r->declared);
    r->declared[r->declared_count++] = (struct declared){name, length, type, row, r->register_count, count};
    r->register_count += count;
}

// `.reg .b32 %r<57>, x;` behind the directive.
static bool take_registers(struct reader *r) {
    enum { MOST = 1 << 22 };
    const char *type = token_copy(r) + 1;
    next(r);
    if (is(r, ".v2") || is(r, ".v4")) {
        return fault(r, "a register's name");
    }
    while (r->token.kind == TOKEN_WORD) {
        struct token name = r->token;
        unsigned long count = 0;
        next(r);
        if (is(r, "<")) {
            next(r);
            count = strtoul(r->token.text, NULL, 10);
            next(r);
            next(r);
        }
        if (count > MOST || r->register_count > MOST) {
            return fault(r, "a smaller number of registers");
        }
        declare(r, type, name.text, name.length, count != 0, count ? (uint32_t)count : 1);
        if (is(r, ",")) {
            next(r);
        }
    }
    return is(r, ";") || fault(r, "a register's name or a semicolon");
}

// The latest declaration counts: blocks of inline assembly declare names of their own.
static const struct declared *find_register(const struct reader *r, uint32_t *number) {
    const struct token *token = &r->token;
    size_t stem = token->length;
    while (stem > 0 && isdigit((unsigned char)token->text[stem - 1])) {
        stem--;
    }
    for (size_t i = r->declared_count; i-- > 0;) {
        const struct declared *d = &r->declared[i];
        size_t length = d->row ? stem : token->length;
        if (d->length != length || memcmp(d->name, token->text, length) != 0) {
            continue;
        }
        unsigned long index = d->row ? strtoul(token->text + stem, NULL, 10) : 0;
        if (index < d->count && (!d->row || stem < token->length)) {
            *number = d->first + (uint32_t)index;
            return d;
        }
    }
    return NULL;
}

// ---- statements ----

static void add_label(struct reader *r, struct labels *labels, struct token token, int32_t at) {
    labels->items =
        arena_grown(r->loader->arena, labels->items, labels->count, &labels->capacity, sizeof *labels->items);
    labels->items[labels->count++] = (struct label){token.text, token.length, at};
}

// Names of the function's own things do not depend on its name or number.
static void add_name(struct reader *r) {
    const char *text = r->token.text;
    size_t length = r->token.length, name = strlen(r->kernel->name);
    if (length > name + 7 && !memcmp(text, r->kernel->name, name) && !memcmp(text + name, "_param_", 7)) {
        code_text(&r->code, text + name + 1, length - name - 1);
        return;
    }
    for (size_t i = 0; i < r->shared_count; i++) {
        struct variable *variable = &r->shared[i];
        variable->used |= variable->length == length && !memcmp(variable->name, text, length);
    }
    static const char depot[] = "__local_depot";
    bool is_depot = length > sizeof depot && !memcmp(text, depot, sizeof depot - 1);
    code_text(&r->code, text, is_depot ? sizeof depot - 1 : length);
}

static void add_operand(struct reader *r, bool is_branch) {
    uint32_t number;
    const struct declared *declared = r->token.kind == TOKEN_WORD ? find_register(r, &number) : NULL;
    if (declared) {
        code_register(&r->code, declared->type, number, 1);
    } else if (r->token.kind == TOKEN_NUMBER) {
        code_number(&r->code, r->token.text, r->token.length);
    } else if (r->token.kind == TOKEN_WORD && (is_branch || begins_with(r, "$L"))) {
        add_label(r, &r->uses, r->token, (int32_t)r->kernel->count);
        code_text(&r->code, "label", 5);
    } else if (r->token.kind == TOKEN_WORD) {
        add_name(r);
    } else {
        code_text(&r->code, r->token.text, r->token.length);
    }
}

static bool take_instruction(struct reader *r) {
    bool negated = false, predicated = is(r, "@");
    struct token guard = {0};
    if (predicated) {
        next(r);
        negated = is(r, "!");
        if (negated) {
            next(r);
        }
        guard = r->token;
        next(r);
    }
    if (r->token.kind != TOKEN_WORD) {
        return fault(r, "an instruction");
    }
    bool is_branch = begins_with(r, "bra") || begins_with(r, "brx") || is(r, ".branchtargets");
    code_begin(&r->code, r->token.text, r->token.length);
    next(r);
    if (predicated) {
        struct token here = r->token;
        uint32_t number;
        r->token = guard;
        const struct declared *declared = find_register(r, &number);
        if (!declared) {
            return fault(r, "a predicate's register");
        }
        r->token = here;
        code_predicate(&r->code, negated, declared->type, number);
    }
    for (; !is(r, ";"); next(r)) {
        if (r->token.kind == TOKEN_END) {
            return fault(r, "the end of an instruction");
        }
        add_operand(r, is_branch);
    }
    code_end(&r->code, -1);
    next(r);
    return true;
}

// ".align 16 .b8 name[64]": the bytes of a variable; UNKNOWN for name[].
static long long variable_bytes(const char *text, const char **name, size_t *length) {
    static const char sizes[] = ".b8.u8.s8.b16.u16.s16.f16.b32.u32.s32.f32.b64.u64.s64.f64";
    long long bytes = 1;
    *name = text;
    *length = 0;
    for (const char *at = text; *at;) {
        size_t word = strcspn(at, " ");
        if (*at == '.' && word >= 3 && word <= 4 && isdigit((unsigned char)at[2]) &&
            memmem(sizes, sizeof sizes, at, word)) {
            bytes = strtol(at + 2, NULL, 10) / 8;
        } else if (*at == '[') {
            const char *number = at + word + (at[word] == ' ');
            return *number == ']' ? UNKNOWN : bytes * strtoll(number, NULL, 10);
        } else if (*at != '.' && !isdigit((unsigned char)*at)) {
            *name = at;
            *length = word;
        }
        at += word + (at[word] == ' ');
    }
    return bytes;
}

static void add_bytes(struct kernel *kernel, enum metric metric, long long bytes) {
    long long *sum = &kernel->metrics[metric];
    *sum = bytes == UNKNOWN || *sum == UNKNOWN ? UNKNOWN : *sum + bytes;
}

// A declaration inside of a function, from its directive on.
static bool take_declaration(struct reader *r) {
    bool shared = is(r, ".shared"), local = is(r, ".local");
    struct strbuf text = {0};
    next(r);
    bool good = take_until(r, ";", &text);
    if (good && (shared || local)) {
        const char *name;
        size_t length;
        add_bytes(r->kernel, shared ? METRIC_SHARED : METRIC_STACK,
                  variable_bytes(strbuf_text(&text), &name, &length));
    }
    strbuf_free(&text);
    next(r);
    return good;
}

// A register of an inner block is gone behind it.
static bool take_brace(struct reader *r) {
    if (is(r, "}")) {
        r->declared_count = r->outer[--r->depth];
    } else if (r->depth == SCOPES) {
        return fault(r, "a block that is less deep");
    } else {
        r->outer[r->depth++] = r->declared_count;
    }
    next(r);
    return true;
}

static bool take_statement(struct reader *r) {
    static const char *const declarations[] = {".shared", ".local",         ".param", ".const",
                                               ".global", ".callprototype", NULL};
    if (is(r, "{") || is(r, "}")) {
        return take_brace(r);
    }
    if (is(r, ".loc") || is(r, ".file")) {
        take_line(r);
        return true;
    }
    if (is(r, ".reg")) {
        next(r);
        bool good = take_registers(r);
        next(r);
        return good;
    }
    for (const char *const *name = declarations; *name; name++) {
        if (is(r, *name)) {
            return take_declaration(r);
        }
    }
    if (r->token.kind == TOKEN_WORD) {
        struct reader ahead = *r;
        next(&ahead);
        if (is(&ahead, ":")) {
            add_label(r, &r->labels, r->token, (int32_t)r->kernel->count);
            r->at = ahead.at;
            next(r);
            return true;
        }
    }
    return take_instruction(r);
}

// Blocks of inline assembly may use one name for a label several times: the nearest one is meant.
static void resolve_labels(struct reader *r) {
    for (size_t i = 0; i < r->uses.count; i++) {
        const struct label *use = &r->uses.items[i];
        int32_t best = -1;
        for (size_t j = 0; j < r->labels.count; j++) {
            const struct label *label = &r->labels.items[j];
            if (label->length == use->length && !memcmp(label->name, use->name, use->length) &&
                (best < 0 || abs(label->at - use->at) < abs(best - use->at))) {
                best = label->at;
            }
        }
        r->kernel->code[use->at].target = best;
    }
}

// ---- functions ----

static void add_property(struct reader *r, const char *name, const char *value) {
    load_property(r->loader, &r->kernel->properties, name, value);
}

// "( .param .u64 .ptr .global .align 16 NAME_param_0 , … )": without the names.
static bool take_parameters(struct reader *r) {
    next(r);
    for (unsigned i = 0; !is(r, ")"); i++) {
        struct strbuf text = {0};
        bool good = take_until(r, ",)", &text);
        if (text.length) {
            char *name = strrchr(text.data, ' ');
            char *array = strstr(text.data, " [");
            if (array) {
                *array = 0;
                name = strrchr(text.data, ' ');
                *array = ' ';
            }
            if (name) {
                memmove(name, array ? array : "", strlen(array ? array : "") + 1);
            }
            add_property(r, arena_printf(r->loader->arena, "parameter %u", i), text.data);
        }
        strbuf_free(&text);
        if (!good) {
            return false;
        }
        if (is(r, ",")) {
            next(r);
        }
    }
    next(r);
    return true;
}

// ".reqntid 256, 1, 1 .maxnreg 128" up to the body.
static void take_directives(struct reader *r) {
    while (r->token.kind == TOKEN_WORD && *r->token.text == '.') {
        const char *name = token_copy(r);
        struct strbuf value = {0};
        long long product = 1;
        next(r);
        while (r->token.kind == TOKEN_NUMBER || is(r, ",")) {
            product *= is(r, ",") ? 1 : strtoll(r->token.text, NULL, 10) % 65536;
            strbuf_add_bytes(&value, r->token.text, r->token.length);
            next(r);
        }
        if (!strcmp(name, ".reqntid") || !strcmp(name, ".maxntid")) {
            r->kernel->metrics[METRIC_THREADS] = product;
        } else {
            add_property(r, name, strbuf_text(&value));
        }
        strbuf_free(&value);
    }
}

static void begin_function(struct reader *r, const char *name) {
    r->kernel = load_kernel(r->loader, r->file, name, r->target);
    r->kernel->metrics[METRIC_STACK] = 0;
    r->kernel->metrics[METRIC_SHARED] = 0;
    r->code.kernel = r->kernel;
    r->declared_count = r->register_count = 0;
    r->labels.count = r->uses.count = 0;
    r->depth = 0;
    for (size_t i = 0; i < r->shared_count; i++) {
        r->shared[i].used = false;
    }
}

static void end_function(struct reader *r) {
    resolve_labels(r);
    for (size_t i = 0; i < r->shared_count; i++) {
        if (r->shared[i].used) {
            add_bytes(r->kernel, METRIC_SHARED, r->shared[i].bytes);
        }
    }
    r->kernel->metrics[METRIC_INSTRUCTIONS] = (long long)r->kernel->count;
    r->kernel->register_count = r->register_count;
}

// Behind .entry or .func.
static bool take_function(struct reader *r) {
    struct strbuf results = {0};
    if (is(r, "(")) {
        next(r);
        if (!take_until(r, ")", &results)) {
            return false;
        }
        next(r);
    }
    strbuf_free(&results);
    if (r->token.kind != TOKEN_WORD) {
        return fault(r, "a function's name");
    }
    const char *name = token_copy(r);
    struct file *file = r->file;
    size_t kernels = file->kernel_count;
    next(r);
    begin_function(r, name);
    if (is(r, "(") && !take_parameters(r)) {
        return false;
    }
    take_directives(r);
    if (is(r, ";")) { // a declaration
        file->kernel_count = kernels;
        next(r);
        return true;
    }
    if (!is(r, "{")) {
        return fault(r, "a function's body");
    }
    for (take_brace(r); r->depth > 0;) {
        if (r->token.kind == TOKEN_END) {
            return fault(r, arena_printf(r->loader->arena, "the end of %s", name));
        }
        if (!take_statement(r)) {
            return false;
        }
    }
    end_function(r);
    return true;
}

// ---- the module ----

// A variable with its initial value is a property of the module; shared memory is a figure of its functions.
static bool take_variable(struct reader *r) {
    struct strbuf text = {0};
    bool shared = is(r, ".shared");
    next(r);
    bool good = take_until(r, ";", &text);
    const char *name;
    size_t length;
    long long bytes = variable_bytes(strbuf_text(&text), &name, &length);
    if (good && shared) {
        r->shared =
            arena_grown(r->loader->arena, r->shared, r->shared_count, &r->shared_capacity, sizeof *r->shared);
        r->shared[r->shared_count++] =
            (struct variable){arena_strndup(r->loader->arena, name, length), length, bytes, false};
    } else if (good) {
        load_property(r->loader, &r->file->properties,
                      arena_printf(r->loader->arena, "data %.*s", (int)length, name),
                      arena_strdup(r->loader->arena, strbuf_text(&text)));
    }
    strbuf_free(&text);
    next(r);
    return good;
}

static bool take_target(struct reader *r) {
    const char *line = take_line(r);
    r->target = arena_strndup(r->loader->arena, line, strcspn(line, ", \t"));
    load_property(r->loader, &r->file->properties, "target", r->target);
    return true;
}

static bool take_directive(struct reader *r) {
    if (is(r, ".version") || is(r, ".address_size")) {
        bool version = is(r, ".version");
        load_property(r->loader, &r->file->properties, version ? "PTX version" : "address size",
                      take_line(r));
        return true;
    }
    if (is(r, ".target")) {
        return take_target(r);
    }
    if (is(r, ".file") || is(r, ".loc") || is(r, "@")) {
        take_line(r);
        return true;
    }
    if (is(r, ".section")) {
        return skip_braces(r);
    }
    if (is(r, ".visible") || is(r, ".extern") || is(r, ".weak") || is(r, ".common") || is(r, ";")) {
        next(r);
        return true;
    }
    if (is(r, ".entry") || is(r, ".func")) {
        next(r);
        return take_function(r);
    }
    if (is(r, ".global") || is(r, ".const") || is(r, ".shared") || is(r, ".pragma") || is(r, ".alias")) {
        return take_variable(r);
    }
    return fault(r, "a directive such as .entry");
}

bool load_ptx(struct loader *loader, const char *path, const char *text, size_t length) {
    struct reader *r = ARENA_NEW(loader->arena, struct reader);
    *r = (struct reader){.loader = loader,
                         .path = path,
                         .start = text,
                         .at = text,
                         .end = text + length,
                         .file = load_file(loader, path, "PTX"),
                         .target = "",
                         .code = {.loader = loader, .set = SET_PTX}};
    bool good = true;
    next(r);
    if (!is(r, ".version")) {
        good = fault(r, ".version");
    }
    while (good && r->token.kind != TOKEN_END) {
        good = take_directive(r);
    }
    if (good && !*r->target) {
        good = fault(r, ".target");
    }
    strbuf_free(&r->code.shape);
    strbuf_free(&r->code.form);
    return good && (!loader->ptxas || ptxas_measure(loader, r->file, r->target, text, length));
}
