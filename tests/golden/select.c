// Selects lines of an IR dump by text: the printed form has one op a line, and a value is printed before it is used, so a name
// always means its latest definition.
#include "select.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena.h"

enum { NONE = -1, MAX_NESTING = 64, MAX_DEPTH = 5, SHORT_TEXT = 16 };

// In marked text each value is VALUE_MARK, the value's index and VALUE_END.
enum { VALUE_MARK = 1, VALUE_END = 2 };

struct value {
    const char *name;
    const char *op;   // without its dialect
    const char *text; // marked: operands and attributes, or the constant
    bool constant, shown;
    unsigned uses;
    int number; // among those of its kind; -1: not given yet
};

struct line {
    const char *text; // without its indent
    unsigned indent;
    char op[64];
    const char *marked; // from the op's name up to its types
    const char *types;
    int value;     // its result, or NONE
    int around;    // line that opens the surrounding region, or NONE
    int continues; // for a line with a leading brace: the op's first line, or NONE
    bool shown;
};

struct selection {
    struct arena *arena;
    struct line *lines;
    size_t line_count;
    struct value *values;
    size_t value_count;
    int shown_count;
    struct strbuf *out;
};

// ---- lines ----

// Skips "%5:2 = ", no part of the op's text.
static const char *behind_results(const char *text) {
    const char *equals = *text == '%' ? strstr(text, " = ") : NULL;
    return equals ? equals + 3 : text;
}

static void read_op(struct line *line) {
    const char *start = behind_results(line->text);
    start += *start == '"';
    snprintf(line->op, sizeof line->op, "%.*s", (int)strcspn(start, "\" ({"), start);
}

static bool matches(const char *op, const char *patterns) {
    bool found = false;
    while (*patterns) {
        bool without = *patterns == '-';
        patterns += without;
        size_t length = strcspn(patterns, " ");
        bool prefix = length && patterns[length - 1] == '*';
        if (length && !strncmp(op, patterns, length - prefix) && (prefix || !op[length])) {
            found = !without;
        }
        patterns += length + strspn(patterns + length, " ");
    }
    return found;
}

static void show(struct selection *s, int index) {
    for (; index != NONE && s->lines[index].indent && !s->lines[index].shown;
         index = s->lines[index].around) {
        s->lines[index].shown = true;
    }
}

static void read_lines(struct selection *s, const char *dump, const char *patterns) {
    int nest[MAX_NESTING], depth = 0;
    for (const char *c = dump; *c;) {
        size_t length = strcspn(c, "\n");
        struct line *line = &s->lines[s->line_count];
        int index = (int)s->line_count;
        *line = (struct line){
            .indent = (unsigned)strspn(c, " "), .value = NONE, .around = NONE, .continues = NONE};
        line->text = arena_strndup(s->arena, c + line->indent, length - line->indent);
        c += length + (c[length] == '\n');
        if (!*line->text) {
            continue;
        }
        s->line_count++;
        read_op(line);
        if (*line->text == '}' && depth) {
            line->continues = nest[--depth];
        }
        line->around = depth ? nest[depth - 1] : NONE;
        if (line->text[strlen(line->text) - 1] == '{' && depth < MAX_NESTING) {
            nest[depth++] = line->continues == NONE ? index : line->continues;
        }
        if (line->continues == NONE && *line->text != '^' && *line->text != '#' &&
            matches(line->op, patterns)) {
            show(s, index);
        }
    }
    for (size_t i = 0; i < s->line_count; i++) {
        struct line *line = &s->lines[i];
        int opener = line->continues != NONE ? line->continues : *line->text == '^' ? line->around : NONE;
        line->shown |= opener != NONE && s->lines[opener].shown;
    }
}

// ---- values ----

static size_t name_length(const char *name) {
    size_t length = 1;
    while (isalnum((unsigned char)name[length]) || name[length] == '_' ||
           (name[length] == '-' && name[length + 1] != '>')) {
        length++;
    }
    return length;
}

static int find_value(const struct selection *s, const char *name, size_t length) {
    for (size_t i = s->value_count; i-- > 0;) {
        if (strlen(s->values[i].name) == length && !strncmp(s->values[i].name, name, length)) {
            return (int)i;
        }
    }
    return -1;
}

// Copies `length` bytes with values marked, and counts a use of each.
static const char *mark_values(struct selection *s, const char *text, size_t length) {
    struct strbuf marked = {0};
    for (size_t i = 0; i < length;) {
        size_t name = text[i] == '%' ? name_length(text + i) : 0;
        int value = name ? find_value(s, text + i, name) : -1;
        if (value >= 0) {
            s->values[value].uses++;
            strbuf_printf(&marked, "%c%d%c", VALUE_MARK, value, VALUE_END);
            i += name;
        } else {
            strbuf_add_char(&marked, text[i++]);
        }
    }
    const char *copy = arena_strdup(s->arena, strbuf_text(&marked));
    strbuf_free(&marked);
    return copy;
}

// The start of " : TYPES", outside of all brackets and strings; the end of the text without one.
static const char *find_types(const char *text) {
    const char *found = NULL;
    int depth = 0;
    bool quoted = false;
    for (const char *c = text; *c; c++) {
        quoted ^= *c == '"';
        depth += !quoted && strchr("({[<", *c);
        depth -= !quoted && strchr(")}]>", *c) && !(*c == '>' && c > text && c[-1] == '-');
        if (!quoted && depth == 0 && !strncmp(c, " : ", 3)) {
            found = c;
        }
    }
    return found ? found : text + strlen(text);
}

// Marked operands and attributes: "(a, b) {c}" is "a, b, {c}", the bare form "slt, a, b" stays as it is.
static const char *expression_of(struct arena *arena, const struct line *line) {
    const char *text = strstr(line->marked, line->op) + strlen(line->op);
    text += *text == '"';
    size_t length = strlen(text);
    length -= length >= 3 && !strcmp(text + length - 3, " ({") ? 3 : 0;
    if (*text != '(') {
        return arena_strdup(arena, text + (*text == ' '));
    }
    size_t operands = strcspn(text, ")");
    bool attributes = length > operands + 2;
    return arena_printf(arena, "%.*s%s%.*s", (int)operands - 1, text + 1,
                        attributes && operands > 1 ? ", " : "", attributes ? (int)(length - operands - 2) : 0,
                        text + operands + (attributes ? 2 : 0));
}

static void define_value(struct selection *s, struct line *line) {
    const char *dot = strrchr(line->op, '.');
    struct value value = {.op = dot ? dot + 1 : line->op, .shown = line->shown, .number = -1};
    value.name = arena_strndup(s->arena, line->text, name_length(line->text));
    value.constant = !strcmp(line->op, "arith.constant");
    value.text = expression_of(s->arena, line);
    line->value = (int)s->value_count;
    s->values[s->value_count++] = value;
}

// Attributes of an op with regions stand behind the last of them.
static void add_attributes(struct selection *s, const struct line *line) {
    int value = line->continues == NONE ? NONE : s->lines[line->continues].value;
    const char *start = strstr(line->marked, "}) {");
    if (value != NONE && start) {
        s->values[value].text = arena_printf(s->arena, "%s, %s", s->values[value].text, start + 3);
    }
}

static void read_values(struct selection *s) {
    for (size_t i = 0; i < s->line_count; i++) {
        struct line *line = &s->lines[i];
        const char *op = behind_results(line->text);
        line->types = find_types(op);
        line->marked = mark_values(s, op, (size_t)(line->types - op));
        if (op != line->text) {
            define_value(s, line);
        }
        add_attributes(s, line);
    }
}

// ---- writing ----

static void write_marked(struct selection *s, const char *text);

static void name_value(struct selection *s, struct value *value) {
    int before = 0;
    for (size_t i = 0; i < s->value_count; i++) {
        before += !s->values[i].shown && s->values[i].number >= 0 && !strcmp(s->values[i].op, value->op);
    }
    value->number = before;
}

static void write_value(struct selection *s, int index) {
    const struct value *value = &s->values[index];
    if (value->shown) {
        strbuf_printf(s->out, "%%%d", value->number);
    } else if (value->constant) {
        strbuf_add(s->out, value->text);
    } else if (value->number >= 0) {
        strbuf_printf(s->out, "%s.%d", value->op, value->number);
    } else {
        strbuf_printf(s->out, "%s(", value->op);
        write_marked(s, value->text);
        strbuf_add(s->out, ")");
    }
}

static void write_marked(struct selection *s, const char *text) {
    while (*text) {
        if (*text == VALUE_MARK) {
            write_value(s, (int)strtol(text + 1, (char **)&text, 10));
            text++;
        } else {
            strbuf_add_char(s->out, *text++);
        }
    }
}

// Writes the operands of `text` on lines of their own if they have several uses and are not short, or are
// expressions of MAX_DEPTH levels. Returns the number of remaining levels.
static int write_lines_for(struct selection *s, const char *text, unsigned indent) {
    int deepest = 0;
    while ((text = strchr(text, VALUE_MARK))) {
        struct value *value = &s->values[strtol(text + 1, (char **)&text, 10)];
        if (value->shown || value->constant || value->number >= 0) {
            continue;
        }
        int depth = 1 + write_lines_for(s, value->text, indent);
        if ((value->uses > 1 && (depth > 1 || strlen(value->text) > SHORT_TEXT)) || depth >= MAX_DEPTH) {
            name_value(s, value);
            strbuf_printf(s->out, "%*s%s.%d = %s(", (int)indent, "", value->op, value->number, value->op);
            write_marked(s, value->text);
            strbuf_add(s->out, ")\n");
            depth = 0;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

// "(operand types) -> result types" without the operands', "() -> ()" without all.
static const char *result_types(const char *types) {
    const char *arrow = strncmp(types, " : (", 4) ? NULL : strstr(types, " -> ");
    return !arrow ? types : strcmp(arrow, " -> ()") ? arrow : "";
}

static void write_line(struct selection *s, const struct line *line) {
    unsigned indent = line->indent - 2; // the module's own line is left out
    write_lines_for(s, line->marked, indent);
    strbuf_printf(s->out, "%*s", (int)indent, "");
    if (line->value != NONE) {
        struct value *value = &s->values[line->value];
        const char *count = line->text + strlen(value->name);
        value->number = s->shown_count++;
        strbuf_printf(s->out, "%%%d%.*s", value->number, (int)(behind_results(line->text) - count), count);
    }
    write_marked(s, line->marked);
    strbuf_printf(s->out, "%s\n", result_types(line->types));
}

// The "#L0 = …" lines with names used in `text`.
static void write_layouts(const struct selection *s, const char *text, struct strbuf *out) {
    for (size_t i = 0; i < s->line_count && *s->lines[i].text == '#'; i++) {
        const char *line = s->lines[i].text;
        size_t length = strcspn(line, " ");
        for (const char *c = strchr(text, '#'); c; c = strchr(c + 1, '#')) {
            if (!strncmp(c, line, length) && !isdigit((unsigned char)c[length])) {
                strbuf_printf(out, "%s\n", line);
                break;
            }
        }
    }
}

void select_lines(const char *dump, const char *patterns, struct strbuf *out) {
    size_t count = 1;
    for (const char *c = dump; *c; c++) {
        count += *c == '\n';
    }
    struct arena *arena = arena_create();
    struct strbuf text = {0};
    struct selection s = {.arena = arena, .out = &text};
    s.lines = ARENA_ARRAY(arena, struct line, count);
    s.values = ARENA_ARRAY(arena, struct value, count);
    read_lines(&s, dump, patterns);
    read_values(&s);
    for (size_t i = 0; i < s.line_count; i++) {
        if (s.lines[i].shown) {
            write_line(&s, &s.lines[i]);
        }
    }
    write_layouts(&s, strbuf_text(&text), out);
    strbuf_add(out, strbuf_text(&text));
    strbuf_free(&text);
    arena_destroy(arena);
}
