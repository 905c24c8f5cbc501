// The whole compiler as one list of phases.
#include <errno.h>
#include <string.h>

#include "artifact/artifact.h"
#include "support/source.h"

struct collected {
    const struct tkc_options *options;
    struct arena *arena;
    struct tkc_result *result;
    size_t capacity;
};

static void collect(void *user, enum diag_severity severity, const char *text) {
    struct collected *collected = user;
    struct tkc_result *result = collected->result;
    if (result->diagnostic_count == collected->capacity) {
        collected->capacity = collected->capacity ? collected->capacity * 2 : 16;
        struct tkc_diagnostic *grown =
            ARENA_ARRAY(collected->arena, struct tkc_diagnostic, collected->capacity);
        if (result->diagnostic_count) {
            memcpy(grown, result->diagnostics, result->diagnostic_count * sizeof *grown);
        }
        result->diagnostics = grown;
    }
    enum tkc_severity public_severity = (enum tkc_severity)severity;
    result->diagnostics[result->diagnostic_count++] =
        (struct tkc_diagnostic){public_severity, arena_strdup(collected->arena, text)};
    if (collected->options->report) {
        collected->options->report(collected->options->report_user, public_severity, text);
    }
}

static bool compile(struct arena *arena, const struct tkc_options *options, struct diag *diag) {
    // Every output, its kind and its target are known and fit together.
    struct output_plan plan;
    if (!outputs_plan(arena, options, diag, &plan)) {
        return false;
    }
    // The source is in memory.
    struct source *source = options->text ? source_from_text(arena, options->input, options->text)
                                          : source_read(arena, options->input);
    if (!source) {
        diag_error(diag, (struct location){0}, "cannot read %s: %s", options->input, strerror(errno));
        return false;
    }
    diag_error(diag, (struct location){.source = source}, "this build has no kernel front end");
    return false;
}

struct tkc_result *tkc_compile(const struct tkc_options *options) {
    struct arena *arena = arena_create();
    struct tkc_result *result = ARENA_NEW(arena, struct tkc_result);
    result->memory = arena;
    struct collected collected = {options, arena, result, 0};
    struct diag diag = {.error_limit = 20, .sink = collect, .sink_user = &collected};
    result->ok = compile(arena, options, &diag);
    return result;
}
