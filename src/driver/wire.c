// Results as bytes. Numbers are LEB128; a text is its length plus one, or 0 for NULL, and its bytes. Both ends are the same program, so there
// is no version; but files of the cache may be damaged, and reading checks every length.
#include "driver/library.h"

#include <string.h>

void wire_put_number(struct strbuf *out, uint64_t number) {
    while (number >= 128) {
        strbuf_add_char(out, (char)(number | 128));
        number >>= 7;
    }
    strbuf_add_char(out, (char)number);
}

void wire_put_bytes(struct strbuf *out, const void *bytes, size_t length) {
    wire_put_number(out, bytes ? length + 1 : 0);
    if (bytes) {
        strbuf_add_bytes(out, bytes, length);
    }
}

void wire_put_text(struct strbuf *out, const char *text) {
    wire_put_bytes(out, text, text ? strlen(text) : 0);
}

uint64_t wire_number(struct wire *wire) {
    uint64_t number = 0;
    for (unsigned shift = 0; !wire->failed; shift += 7) {
        if (wire->at == wire->length || shift > 63) {
            wire->failed = true;
            break;
        }
        uint8_t byte = wire->bytes[wire->at++];
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            return number;
        }
    }
    return 0;
}

const void *wire_bytes(struct wire *wire, size_t *length) {
    uint64_t size = wire_number(wire);
    *length = 0;
    if (!size || size - 1 > wire->length - wire->at) {
        wire->failed |= size != 0;
        return NULL;
    }
    char *copy = arena_alloc(wire->arena, size);
    memcpy(copy, wire->bytes + wire->at, size - 1);
    copy[size - 1] = 0;
    wire->at += size - 1;
    *length = size - 1;
    return copy;
}

const char *wire_text(struct wire *wire) {
    size_t length;
    return wire_bytes(wire, &length);
}

static void put_place(struct strbuf *out, const struct tkc_place *place) {
    wire_put_text(out, place->file);
    wire_put_number(out, place->line);
    wire_put_number(out, place->column);
    wire_put_number(out, place->end_column);
    wire_put_number(out, place->character);
    wire_put_number(out, place->end_character);
}

static struct tkc_place read_place(struct wire *wire) {
    struct tkc_place place = {.file = wire_text(wire)};
    place.line = (unsigned)wire_number(wire);
    place.column = (unsigned)wire_number(wire);
    place.end_column = (unsigned)wire_number(wire);
    place.character = (unsigned)wire_number(wire);
    place.end_character = (unsigned)wire_number(wire);
    return place;
}

void wire_put_diagnostic(struct strbuf *out, const struct tkc_diagnostic *diagnostic) {
    wire_put_number(out, diagnostic->severity);
    wire_put_text(out, diagnostic->text);
    wire_put_text(out, diagnostic->message);
    put_place(out, &diagnostic->place);
    wire_put_number(out, diagnostic->fix != NULL);
    if (diagnostic->fix) {
        put_place(out, &diagnostic->fix->place);
        wire_put_text(out, diagnostic->fix->text);
    }
}

struct tkc_diagnostic wire_diagnostic(struct wire *wire) {
    struct tkc_diagnostic read = {.severity = (enum tkc_severity)wire_number(wire)};
    read.text = wire_text(wire);
    read.message = wire_text(wire);
    read.place = read_place(wire);
    if (wire_number(wire)) {
        struct tkc_fix *fix = ARENA_NEW(wire->arena, struct tkc_fix);
        fix->place = read_place(wire);
        fix->text = wire_text(wire);
        read.fix = fix;
    }
    wire->failed |= !read.text || !read.message;
    return read;
}

static void put_texts(struct strbuf *out, const char *const *texts, size_t count) {
    wire_put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        wire_put_text(out, texts[i]);
    }
}

// A count of things of a byte at least.
static size_t read_count(struct wire *wire) {
    uint64_t count = wire_number(wire);
    wire->failed |= count > wire->length - wire->at;
    return wire->failed ? 0 : (size_t)count;
}

static const char *const *read_texts(struct wire *wire, size_t *count) {
    *count = read_count(wire);
    const char **texts = ARENA_ARRAY(wire->arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        texts[i] = wire_text(wire);
        wire->failed |= !texts[i];
    }
    return texts;
}

void wire_put_result(struct strbuf *out, const struct tkc_result *result) {
    wire_put_number(out, result->ok | result->clash << 1 | result->usage << 2 | result->cancelled << 3);
    wire_put_number(out, result->artifact_count);
    for (size_t i = 0; i < result->artifact_count; i++) {
        const struct tkc_artifact *artifact = &result->artifacts[i];
        wire_put_number(out, artifact->kind);
        wire_put_text(out, artifact->target);
        wire_put_text(out, artifact->path);
        wire_put_bytes(out, artifact->bytes, artifact->length);
    }
    put_texts(out, result->dependencies, result->dependency_count);
    put_texts(out, result->absent, result->absent_count);
}

bool wire_result(struct wire *wire, struct tkc_result *result) {
    uint64_t flags = wire_number(wire);
    result->ok = flags & 1;
    result->clash = flags & 2;
    result->usage = flags & 4;
    result->cancelled = flags & 8;
    result->artifact_count = read_count(wire);
    result->artifacts = ARENA_ARRAY(wire->arena, struct tkc_artifact, result->artifact_count + 1);
    for (size_t i = 0; i < result->artifact_count; i++) {
        struct tkc_artifact *artifact = &result->artifacts[i];
        artifact->kind = (enum tkc_kind)wire_number(wire);
        artifact->target = wire_text(wire);
        artifact->path = wire_text(wire);
        artifact->bytes = wire_bytes(wire, &artifact->length);
        wire->failed |= !artifact->path || !artifact->bytes;
    }
    result->dependencies = read_texts(wire, &result->dependency_count);
    result->absent = read_texts(wire, &result->absent_count);
    return !wire->failed;
}

struct tkc_result *wire_new_result(void) {
    struct arena *arena = arena_create();
    struct tkc_result *result = ARENA_NEW(arena, struct tkc_result);
    result->memory = arena;
    return result;
}

void wire_report(struct tkc_result *result, const struct tkc_options *options,
                 const struct tkc_diagnostic *diagnostic) {
    size_t capacity = result->diagnostic_count; // full, if it is 16, 32, …
    bool full = capacity < 16 ? capacity == 0 : (capacity & (capacity - 1)) == 0;
    if (full) {
        size_t room = capacity ? 2 * capacity : 16;
        struct tkc_diagnostic *grown = ARENA_ARRAY(result->memory, struct tkc_diagnostic, room);
        if (capacity) {
            memcpy(grown, result->diagnostics, capacity * sizeof *grown);
        }
        result->diagnostics = grown;
    }
    result->diagnostics[result->diagnostic_count++] = *diagnostic;
    if (options->report) {
        options->report(options->report_user, diagnostic);
    }
}
