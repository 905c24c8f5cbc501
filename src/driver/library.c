// tkc_compile: a result of the cache, of a child process, or of this one.
#include "driver/library.h"

#include "support/locale.h"

static struct tkc_result *refuse(struct tkc_result *result, const struct tkc_options *options,
                                 const char *message) {
    struct tkc_diagnostic error = {.severity = TKC_ERROR,
                                   .text = arena_printf(result->memory, "tkc: error: %s\n", message),
                                   .message = message};
    wire_report(result, options, &error);
    result->usage = true;
    return result;
}

// The error of a program with another tkc.h than the library's.
static struct tkc_result *refuse_size(const struct tkc_options *options) {
    struct tkc_result *result = wire_new_result();
    const char *message = arena_printf(
        result->memory,
        "struct tkc_options has %zu bytes, not the %zu of tkc %s: call tkc_options_init, and compile "
        "the program with this library's tkc.h",
        options->size, sizeof *options, tkc_version());
    return refuse(result, &(struct tkc_options){0}, message);
}

// NULL: all values of the fields are legal.
static struct tkc_result *refuse_values(const struct tkc_options *options) {
    struct tkc_result *result = wire_new_result();
    const char *message = check_values(result->memory, options);
    if (message) {
        return refuse(result, options, message);
    }
    tkc_result_free(result);
    return NULL;
}

static struct tkc_result *compile(const struct tkc_options *options) {
    if (options->isolate) {
        return isolate(options);
    }
    isolate_begin_shared();
    struct tkc_result *result = produce(options);
    isolate_end_shared();
    return result;
}

struct tkc_result *tkc_compile(const struct tkc_options *options) {
    if (options->size != sizeof *options) {
        return refuse_size(options);
    }
    struct tkc_result *refused = refuse_values(options);
    if (refused) {
        return refused;
    }
    struct cache cache;
    locale_t locale = locale_enter();
    bool cached = cache_open(&cache, options);
    struct tkc_result *result = cached ? cache_find(&cache) : NULL;
    if (!result) {
        result = compile(options);
        if (cached) {
            cache_keep(&cache, result);
        }
    }
    cache_close(&cache);
    locale_leave(locale);
    return result;
}
