// The names of a launcher header at file scope, checked against each other.
//
//   functions   rows of header_functions.def. Two of one name are an error: one of two kernels could not be launched.
//   macros      k_NAME for every integer constant common to all variants of k. A macro is left out if its
//               name is another name of the header, or could be a name in a header included later by the
//               user. The constant is still in the header's comment and in the JSON.
//   parameters  end in an underscore (names.c), as no other name does.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"

static const char *const settings[] = {"NUM_WARPS", "NUM_STAGES"};

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

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
        room += HEADER_FUNCTIONS + 1 + SETTING_COUNT + families[i].kernels->constant_count;
    }
    struct identifiers all = {ARENA_ARRAY(arena, struct identifier, room + 1), 0};
    for (size_t i = 0; i < count; i++) {
        const struct header_family *family = &families[i];
        const struct reflect_kernel *kernel = family->kernels;
        for (int id = 0; id < HEADER_FUNCTIONS; id++) {
            if (header_may_have_function(family, triton, (enum header_function)id)) {
                const char *name = header_function_name(arena, family, (enum header_function)id);
                all.items[all.count++] = (struct identifier){name, RANK_FUNCTION, family};
            }
        }
        if (family->count > 1) {
            add(arena, &all, family, "VARIANTS", RANK_FUNCTION);
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

// Taken names: tkc_load is a function of the launcher, atomic_load one of <stdatomic.h>.
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

// True if `name` is one of the words in a text.
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

// Prefixes of names in driver headers, and of macros with small letters.
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

// True for names of the kinds used by C, C++ and their headers: all capitals, or reserved for compilers (_X,
// __x).
static bool looks_taken(const char *name) {
    bool reserved = name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
    return reserved || has_taken_prefix(name) ||
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(name);
}

// True if a letter of the name is of a kind. Letters beyond ASCII are of every kind.
static bool has_letter(const char *name, int is_of_kind(int)) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c >= 128 || is_of_kind(*c)) {
            return true;
        }
    }
    return false;
}

// True if a macro k_NAME is safe. It replaces every word of its spelling, parameters, members and names in
// namespaces included, and the names in all headers cannot be listed. But a small letter in the kernel's part
// and a capital in the constant's part make a spelling rare in headers: unlike INT64_C, size_t, grid_x or
// copy_n.
static bool is_free_macro(const struct identifier *macro) {
    const char *constant = macro->name + strlen(macro->family->name) + 1;
    return has_letter(macro->family->name, islower) && has_letter(constant, isupper) &&
           !artifact_may_be_c_name(macro->name) && !has_taken_prefix(macro->name) && !is_listed(macro->name);
}

// C23's functions for a width: sinf32, sinf64x.
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

// --triton-abi defines a function with the kernel's own name.
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
