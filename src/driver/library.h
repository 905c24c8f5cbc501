// tkc_compile, and around a compilation: a process of its own, and a cache.
#ifndef TKC_DRIVER_LIBRARY_H
#define TKC_DRIVER_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "support/arena.h"
#include "support/strbuf.h"
#include "tkc/tkc.h"

// ---- produce.c ----

// The compilation itself, in this process.
struct tkc_result *produce(const struct tkc_options *options);

// ---- check_values.c ----

// The message about a field with an illegal value, such as an input of NULL; NULL: there is none.
const char *check_values(struct arena *arena, const struct tkc_options *options);

// ---- isolate.c ----

// The compilation in a child process.
struct tkc_result *isolate(const struct tkc_options *options);
// Around a compilation in this process: the child of another must not inherit a lock held by such a compilation.
void isolate_begin_shared(void);
void isolate_end_shared(void);

// ---- cache.c ----

struct cache {
    const struct tkc_options *options;
    struct arena *arena;
    // The path of the list of files read for a result for these options.
    const char *manifest;
    uint8_t key[32]; // of the options and the source
    struct timespec opened;
};

// False, with the cache left unused, for options without results to keep: they print, read standard input, or ask the machine.
bool cache_open(struct cache *cache, const struct tkc_options *options);
struct tkc_result *cache_find(const struct cache *cache); // NULL: not there
void cache_keep(const struct cache *cache, const struct tkc_result *result);
void cache_close(struct cache *cache);

// ---- wire.c: results as bytes, for the pipe of a child and the files of the cache ----

// Bytes being read. `failed` is set at their end or by a wrong length, and stays set; values are then 0 and NULL.
struct wire {
    const uint8_t *bytes;
    size_t length, at;
    struct arena *arena; // of the values read
    bool failed;
};

void wire_put_number(struct strbuf *out, uint64_t number);
void wire_put_bytes(struct strbuf *out, const void *bytes, size_t length); // NULL is kept
void wire_put_text(struct strbuf *out, const char *text);
uint64_t wire_number(struct wire *wire);
const void *wire_bytes(struct wire *wire, size_t *length); // with a NUL behind
const char *wire_text(struct wire *wire);

void wire_put_diagnostic(struct strbuf *out, const struct tkc_diagnostic *diagnostic);
struct tkc_diagnostic wire_diagnostic(struct wire *wire);
// All of a result but its diagnostics.
void wire_put_result(struct strbuf *out, const struct tkc_result *result);
bool wire_result(struct wire *wire, struct tkc_result *result);

// A result under construction from bytes.
struct tkc_result *wire_new_result(void);
// Adds a diagnostic, and reports it.
void wire_report(struct tkc_result *result, const struct tkc_options *options,
                 const struct tkc_diagnostic *diagnostic);

#endif
