// The identifiers that a launcher header defines at file scope, each against every other.
//
// A kernel k defines the functions k_launch, k_launch_grid, k_load, k_unload and k_grid, or with variants those of
// family_functions, and a macro k_NAME for every integer constant that all variants have. Parameters carry a suffix (names.c) and
// meet nothing. Functions that meet are an error, as one of two kernels could not be launched. A macro that meets anything, or
// might in a header that is included behind this one, is left out: the constant still stands in the comment and the JSON.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"

static const char *const functions[] = {"launch", "launch_grid", "load", "unload", "grid", "strerror", NULL};
static const char *const family_functions[] = {"launch",     "launch_variant", "load",     "unload",
                                               "pick",       "variant_name",   "VARIANTS", "tune",
                                               "save_tuned", "tune_report",    "strerror", NULL};
static const char *const triton_functions[] = {"%s",      "%s_default", "%s_get_num_algos",
                                               "load_%s", "unload_%s",  NULL};
static const char *const settings[] = {"NUM_WARPS", "NUM_STAGES"};

enum { FUNCTION_COUNT = 16, SETTING_COUNT = sizeof settings / sizeof settings[0] };

static const char *const taken[] = {
#define NAMES(words) words,
#include "artifact/taken_names.def"
#undef NAMES
};

enum rank { RANK_FUNCTION, RANK_SETTING, RANK_CONSTANT };

struct identifier {
    const char *name;
    enum rank rank;
    const struct header_family *family;
};

struct identifiers {
    struct identifier *items;
    size_t count;
};

static int by_name(const void *a, const void *b) {
    const struct identifier *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static void add(struct arena *arena, struct identifiers *all, const struct header_family *family,
                const char *name, enum rank rank) {
    all->items[all->count++] =
        (struct identifier){arena_printf(arena, "%s_%s", family->name, name), rank, family};
}

bool header_is_common(const struct header_family *family, const struct reflect_constant *constant) {
    bool common = true;
    for (size_t i = 0; i < family->count && common; i++) {
        const struct reflect_kernel *kernel = &family->kernels[i];
        common = false;
        for (size_t j = 0; j < kernel->constant_count && !common; j++) {
            common = strcmp(kernel->constants[j].name, constant->name) == 0 &&
                     strcmp(kernel->constants[j].value, constant->value) == 0;
        }
    }
    return common;
}

static struct identifiers collect(struct arena *arena, const struct header_family *families, size_t count,
                                  bool triton) {
    size_t room = 0;
    for (size_t i = 0; i < count; i++) {
        room += FUNCTION_COUNT + SETTING_COUNT + families[i].kernels->constant_count;
    }
    struct identifiers all = {ARENA_ARRAY(arena, struct identifier, room + 1), 0};
    for (size_t i = 0; i < count; i++) {
        const struct header_family *family = &families[i];
        const struct reflect_kernel *kernel = family->kernels;
        for (const char *const *name = family->count > 1 ? family_functions : functions; *name; name++) {
            add(arena, &all, family, *name, RANK_FUNCTION);
        }
        for (const char *const *name = triton_functions; triton && *name; name++) {
            const char *text = arena_printf(arena, *name, family->name);
            all.items[all.count++] = (struct identifier){text, RANK_FUNCTION, family};
        }
        for (size_t j = 0; j < SETTING_COUNT && family->count == 1; j++) {
            add(arena, &all, family, settings[j], RANK_SETTING);
        }
        for (size_t j = 0; j < kernel->constant_count; j++) {
            if (kernel->constants[j].is_integer && header_is_common(family, &kernel->constants[j])) {
                add(arena, &all, family, kernel->constants[j].name, RANK_CONSTANT);
            }
        }
    }
    qsort(all.items, all.count, sizeof *all.items, by_name);
    return all;
}

static bool begins_with_word(const char *name, const char *word) {
    size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && (name[length] == 0 || name[length] == '_');
}

// tkc_load is the launcher's own, atomic_load that of <stdatomic.h>.
static bool check_reserved(const struct header_family *kernel, struct diag *diag) {
    if (!begins_with_word(kernel->name, "tkc") && strcmp(kernel->name, "atomic") != 0) {
        return true;
    }
    diag_error(diag, (struct location){0},
               "the launcher of kernel \"%s\" would define %s_load, a name that is taken; rename the kernel, "
               "or compile with "
               "--no-header",
               kernel->name, kernel->name);
    return false;
}

// Whether `name` is among the words of a text.
static bool is_word_of(const char *text, const char *name, size_t length) {
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const char *name) {
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (is_word_of(taken[i], name, strlen(name))) {
            return true;
        }
    }
    return false;
}

// Drivers' names, and groups of macros that are not all in capitals.
static bool has_taken_prefix(const char *name) {
    static const char *const prefixes[] = {"CU", "cu", "cuda", "HIP", "hip", "PRI", "SCN", "M_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i]);
        bool lower = islower((unsigned char)prefixes[i][0]);
        if (strncmp(name, prefixes[i], length) == 0 && (!lower || isupper((unsigned char)name[length]))) {
            return true;
        }
    }
    return false;
}

// Macros are in capitals; _X and __x belong to compilers.
static bool looks_taken(const char *name) {
    bool reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
    return reserved || has_taken_prefix(name) ||
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(name);
}

// Whether one of the letters is of a kind; those beyond ASCII are of any.
static bool has_letter(const char *name, int is_of_kind(int)) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c >= 128 || is_of_kind(*c)) {
            return true;
        }
    }
    return false;
}

// A macro k_NAME changes every word that is spelled so, also parameters, members of structures and what is in a namespace, and
// nobody could list those of all headers. But in headers names in capitals are macros (INT64_C), and those that have a capital
// behind an underscore are hardly anything else: a small letter before it and a capital behind it make a name that is free, where
// size_t, grid_x and copy_n are not.
static bool is_free_macro(const struct identifier *macro) {
    const char *constant = macro->name + strlen(macro->family->name) + 1;
    return has_letter(macro->family->name, islower) && has_letter(constant, isupper) &&
           !artifact_may_be_c_name(macro->name) && !has_taken_prefix(macro->name) && !is_listed(macro->name);
}

// The library's functions of a width: sinf32, sinf64x.
static bool is_of_width(struct arena *arena, const char *name) {
    static const char *const widths[] = {"f32", "f32x", "f64", "f64x", "f128"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        size_t width = strlen(widths[i]);
        if (length > width && strcmp(name + length - width, widths[i]) == 0 &&
            is_listed(arena_strndup(arena, name, length - width))) {
            return true;
        }
    }
    return false;
}

// --triton-abi makes a function of the kernel's own name.
static bool check_own_name(struct arena *arena, const struct header_family *family, struct diag *diag) {
    const char *name = family->name;
    if (!is_listed(name) && !looks_taken(name) && !is_of_width(arena, name)) {
        return true;
    }
    diag_error(
        diag, (struct location){0},
        "--triton-abi would define a function \"%s\", a name that C, C++ or their headers may take; rename "
        "the kernel",
        name);
    return false;
}

bool header_name_macros(struct arena *arena, const struct header_family *families, size_t count, bool triton,
                        struct header_names *names, struct diag *diag) {
    struct identifiers all = collect(arena, families, count, triton);
    bool ok = true;
    *names = (struct header_names){ARENA_ARRAY(arena, const char *, all.count + 1), 0};
    for (size_t i = 0; i < count; i++) {
        ok &= check_reserved(&families[i], diag) && (!triton || check_own_name(arena, &families[i], diag));
    }
    for (size_t i = 0; i < all.count && ok; i++) {
        const struct identifier *one = &all.items[i];
        const struct identifier *before = i ? one - 1 : NULL, *after = i + 1 < all.count ? one + 1 : NULL;
        bool meets_before = before && strcmp(before->name, one->name) == 0;
        bool meets_after = after && strcmp(after->name, one->name) == 0;
        if (meets_before && one->rank == RANK_FUNCTION) {
            diag_error(diag, (struct location){0},
                       "the launchers of kernels \"%s\" and \"%s\" would both define %s; rename one, or "
                       "compile them apart "
                       "with --kernel",
                       before->family->name, one->family->name, one->name);
            ok = false;
        }
        bool alone = !meets_before && (!meets_after || one->rank != RANK_CONSTANT);
        if (one->rank != RANK_FUNCTION && alone && is_free_macro(one)) {
            names->macros[names->macro_count++] = one->name;
        }
    }
    return ok;
}

static int by_text(const void *key, const void *item) {
    return strcmp(key, *(const char *const *)item);
}

bool header_has_macro(const struct header_names *names, const char *name) {
    return bsearch(name, names->macros, names->macro_count, sizeof *names->macros, by_text) != NULL;
}
