// The messages of a compilation as JSON of our own and as SARIF (OASIS, "Static Analysis Results Interchange Format
// Version 2.1.0"). In both a note belongs to the error or warning before it.
#include "diagnostics.h"

#include <string.h>

#include "support/escape.h"
#include "support/file.h"

static const char *const severity_names[] = {
    [TKC_NOTE] = "note", [TKC_WARNING] = "warning", [TKC_ERROR] = "error", [TKC_REMARK] = "note"};

static bool ends_in(const char *path, const char *suffix) {
    size_t length = strlen(path), size = strlen(suffix);
    return length > size && strcmp(path + length - size, suffix) == 0;
}

bool diagnostics_choose(const struct command_line *line, enum diagnostics_format *format) {
    const char *name = line->diagnostics_format, *file = line->diagnostics_file;
    *format = DIAGNOSTICS_TEXT;
    if (name) {
        *format = !strcmp(name, "json")    ? DIAGNOSTICS_JSON
                  : !strcmp(name, "sarif") ? DIAGNOSTICS_SARIF
                                           : DIAGNOSTICS_TEXT;
    } else if (file) {
        *format = ends_in(file, ".sarif")  ? DIAGNOSTICS_SARIF
                  : ends_in(file, ".json") ? DIAGNOSTICS_JSON
                                           : DIAGNOSTICS_TEXT;
        return *format != DIAGNOSTICS_TEXT;
    }
    return true;
}

static void add_string(struct strbuf *out, const char *text) {
    strbuf_add_char(out, '"');
    escape_add_text(out, ESCAPE_JSON, text);
    strbuf_add_char(out, '"');
}

// The notes of a message: those with a line, up to the next message.
static size_t notes_behind(const struct tkc_result *result, size_t index) {
    size_t count = 0;
    const struct tkc_diagnostic *next = &result->diagnostics[index + 1];
    if (result->diagnostics[index].severity == TKC_NOTE) {
        return 0;
    }
    while (index + 1 + count < result->diagnostic_count && next[count].severity == TKC_NOTE &&
           next[count].place.line) {
        count++;
    }
    return count;
}

// ---- JSON ----

static void add_place(struct strbuf *out, const struct tkc_place *place) {
    if (!place->file) {
        strbuf_add(out, "null");
        return;
    }
    strbuf_add(out, "{\"file\": ");
    add_string(out, place->file);
    if (place->line) {
        strbuf_printf(
            out,
            ", \"line\": %u, \"column\": %u, \"end_column\": %u, \"character\": %u, \"end_character\": %u",
            place->line, place->column, place->end_column, place->character, place->end_character);
    }
    strbuf_add(out, "}");
}

static void add_message(struct strbuf *out, const struct tkc_diagnostic *diagnostic) {
    strbuf_printf(out, "{\"severity\": \"%s\", \"message\": ", severity_names[diagnostic->severity]);
    add_string(out, diagnostic->message);
    strbuf_add(out, ", \"name\": ");
    if (diagnostic->name) {
        add_string(out, diagnostic->name);
    } else {
        strbuf_add(out, "null");
    }
    strbuf_add(out, ", \"place\": ");
    add_place(out, &diagnostic->place);
    strbuf_add(out, ", \"fix\": ");
    if (diagnostic->fix) {
        strbuf_add(out, "{\"place\": ");
        add_place(out, &diagnostic->fix->place);
        strbuf_add(out, ", \"text\": ");
        add_string(out, diagnostic->fix->text);
        strbuf_add(out, "}");
    } else {
        strbuf_add(out, "null");
    }
}

static void write_json(const struct tkc_result *result, struct strbuf *out) {
    strbuf_printf(out, "{\n  \"tkc\": \"%s\",\n  \"ok\": %s,\n  \"diagnostics\": [", tkc_version(),
                  result->ok ? "true" : "false");
    for (size_t i = 0; i < result->diagnostic_count;) {
        size_t notes = notes_behind(result, i);
        strbuf_add(out, i ? ",\n    " : "\n    ");
        add_message(out, &result->diagnostics[i++]);
        strbuf_add(out, ", \"notes\": [");
        for (size_t n = 0; n < notes; n++) {
            strbuf_add(out, n ? ",\n      " : "\n      ");
            add_message(out, &result->diagnostics[i++]);
            strbuf_add(out, "}");
        }
        strbuf_add(out, "]}");
    }
    strbuf_add(out, result->diagnostic_count ? "\n  ]\n}\n" : "]\n}\n");
}

// ---- SARIF ----

// A path as a URI reference (RFC 3986): other bytes than those of a path are %XX.
static void add_uri(struct strbuf *out, const char *path) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    strbuf_add(out, *path == '/' ? "\"file://" : "\"");
    for (; *path; path++) {
        strbuf_printf(out, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    }
    strbuf_add(out, "\"");
}

static void add_region(struct strbuf *out, const struct tkc_place *place) {
    strbuf_printf(out, "{\"startLine\": %u, \"startColumn\": %u, \"endColumn\": %u}", place->line,
                  place->character, place->end_character);
}

static void add_location(struct strbuf *out, const struct tkc_place *place) {
    strbuf_add(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    add_uri(out, place->file);
    strbuf_add(out, "}");
    if (place->line) {
        strbuf_add(out, ", \"region\": ");
        add_region(out, place);
    }
    strbuf_add(out, "}");
}

static void add_text(struct strbuf *out, const char *text) {
    strbuf_add(out, "\"message\": {\"text\": ");
    add_string(out, text);
    strbuf_add(out, "}");
}

static void add_fix(struct strbuf *out, const struct tkc_fix *fix) {
    strbuf_add(out, ",\n         \"fixes\": [{\"artifactChanges\": [{\"artifactLocation\": {\"uri\": ");
    add_uri(out, fix->place.file);
    strbuf_add(out, "}, \"replacements\": [{\"deletedRegion\": ");
    add_region(out, &fix->place);
    strbuf_add(out, ", \"insertedContent\": {\"text\": ");
    add_string(out, fix->text);
    strbuf_add(out, "}}]}]}]");
}

static void add_related(struct strbuf *out, const struct tkc_diagnostic *notes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, i ? ",\n            {" : ",\n         \"relatedLocations\": [\n            {");
        add_location(out, &notes[i].place);
        strbuf_add(out, ", ");
        add_text(out, notes[i].message);
        strbuf_add(out, "}");
    }
    strbuf_add(out, count ? "]" : "");
}

// "warning/slow", "remark/access", or the severity alone. A warning turned into an error by -Werror is the same rule.
static void add_rule(struct strbuf *out, const struct tkc_diagnostic *diagnostic) {
    if (diagnostic->name) {
        strbuf_printf(out, "%s/%s", diagnostic->severity == TKC_REMARK ? "remark" : "warning",
                      diagnostic->name);
    } else {
        strbuf_add(out, severity_names[diagnostic->severity]);
    }
}

static void add_rules(struct strbuf *out) {
    const char *name, *description;
    strbuf_add(out, "[{\"id\": \"error\"}, {\"id\": \"warning\"}, {\"id\": \"note\"}");
    for (int remarks = 0; remarks < 2; remarks++) {
        for (size_t i = 0; (remarks ? tkc_remark_at : tkc_warning_at)(i, &name, &description); i++) {
            strbuf_printf(out, ",\n        {\"id\": \"%s/%s\", \"shortDescription\": {\"text\": ",
                          remarks ? "remark" : "warning", name);
            add_string(out, description);
            strbuf_add(out, "}}");
        }
    }
    strbuf_add_char(out, ']');
}

static void add_result(struct strbuf *out, const struct tkc_diagnostic *diagnostic, size_t notes) {
    strbuf_add(out, "        {\"ruleId\": \"");
    add_rule(out, diagnostic);
    strbuf_printf(out, "\", \"level\": \"%s\", ", severity_names[diagnostic->severity]);
    add_text(out, diagnostic->message);
    if (diagnostic->place.file) {
        strbuf_add(out, ",\n         \"locations\": [{");
        add_location(out, &diagnostic->place);
        strbuf_add(out, "}]");
    }
    add_related(out, diagnostic + 1, notes);
    if (diagnostic->fix) {
        add_fix(out, diagnostic->fix);
    }
    strbuf_add(out, "}");
}

static void write_sarif(const struct tkc_result *result, struct strbuf *out) {
    strbuf_printf(
        out,
        "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
        "  \"runs\": [\n    {\n      \"tool\": {\"driver\": {\"name\": \"tkc\", \"version\": \"%s\", "
        "\"rules\": ",
        tkc_version());
    add_rules(out);
    strbuf_printf(out,
                  "}},\n      \"invocations\": [{\"executionSuccessful\": %s}],\n"
                  "      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [",
                  result->ok ? "true" : "false");
    for (size_t i = 0; i < result->diagnostic_count;) {
        size_t notes = notes_behind(result, i);
        strbuf_add(out, i ? ",\n" : "\n");
        add_result(out, &result->diagnostics[i], notes);
        i += 1 + notes;
    }
    strbuf_add(out, "]\n    }\n  ]\n}\n");
}

void diagnostics_write(enum diagnostics_format format, const struct tkc_result *result, struct strbuf *out) {
    if (format == DIAGNOSTICS_JSON) {
        write_json(result, out);
    } else if (format == DIAGNOSTICS_SARIF) {
        write_sarif(result, out);
    } else {
        for (size_t i = 0; i < result->diagnostic_count; i++) {
            strbuf_add(out, result->diagnostics[i].text);
        }
    }
}
