// Names without a binding in a file: the rows of builtins.def with their documentation, and the functions of the library in the
// kernel language. Also the file of an import.
#include "lsp/lsp.h"

#include <string.h>
#include <unistd.h>

#include "frontend/eval/module.h"
#include "frontend/library/library.h"

static const struct known rows[] = {
#define BUILTIN(name, handler, signature, doc) {name, signature, doc},
#define MUST_USE BUILTIN
#define COMPILE_TIME BUILTIN
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef COMPILE_TIME
#undef MUST_USE
#undef BUILTIN
};

// ---- the library: "def name(parameters):" at the start of a line ----

// The parameters of a function of a text, from behind the bracket, and their length; NULL: no such function.
static const char *find_def(const char *text, const char *name, size_t *length) {
    size_t size = strlen(name);
    for (const char *at = text; (at = strstr(at, "def ")); at += 4) {
        if ((at == text || at[-1] == '\n') && strncmp(at + 4, name, size) == 0 && at[4 + size] == '(') {
            const char *from = at + 5 + size;
            *length = strcspn(from, "\n");
            while (*length && from[*length] != ')') {
                --*length;
            }
            return from;
        }
    }
    return NULL;
}

// Files by prefix, as names without a row are looked up.
static const struct {
    const char *prefix, *files[8];
} shelves[] = {
    {"tl.", {"standard", LIBRARY_MATH_FILES, "random"}},
    {"tl.math.", {LIBRARY_MATH_FILES}},
    {"libdevice.", {"libdevice", LIBRARY_MATH_FILES}},
};

static bool find_in_library(struct arena *arena, const char *name, struct known *known) {
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) {
        size_t prefix = strlen(shelves[i].prefix);
        for (size_t j = 0; strncmp(name, shelves[i].prefix, prefix) == 0 && j < 8 && shelves[i].files[j];
             j++) {
            const struct library_file *file = library_find(shelves[i].files[j]);
            size_t length;
            const char *signature =
                file && !strchr(name + prefix, '.') ? find_def(file->text, name + prefix, &length) : NULL;
            if (signature) {
                *known = (struct known){name, arena_strndup(arena, signature, length), NULL};
                return true;
            }
        }
    }
    return false;
}

// ---- names ----

static bool has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool known_find(struct arena *arena, const char *name, struct known *known) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *known = rows[i];
            return true;
        }
    }
    if (find_in_library(arena, name, known)) {
        return true;
    }
    // tl.math.X and libdevice.X fall back to tl.X, methods of tensors to functions.
    static const char *const fallen[] = {"tl.math.", "tensor."};
    for (size_t i = 0; i < sizeof fallen / sizeof *fallen; i++) {
        if (has_prefix(name, fallen[i])) {
            return known_find(arena, arena_printf(arena, "tl.%s", name + strlen(fallen[i])), known);
        }
    }
    return false;
}

void known_each(struct arena *arena, const char *prefix, void (*take)(void *user, const struct known *known),
                void *user) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *rest = has_prefix(rows[i].name, prefix) ? rows[i].name + strlen(prefix) : NULL;
        if (rest && *rest != '_' && !strchr(rest, '.')) {
            take(user, &rows[i]);
        }
    }
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++) {
        for (size_t j = 0; strcmp(prefix, shelves[i].prefix) == 0 && j < 8 && shelves[i].files[j]; j++) {
            const struct library_file *file = library_find(shelves[i].files[j]);
            for (const char *at = file ? file->text : NULL; at && (at = strstr(at, "\ndef ")); at += 5) {
                const char *name = arena_printf(arena, "%s%.*s", prefix, (int)strcspn(at + 5, "("), at + 5);
                struct known known;
                if (at[5] != '_' && find_in_library(arena, name, &known)) {
                    take(user, &known);
                }
            }
        }
    }
}

// A dotted Python name by the longest known module: "triton.language.load" is "tl.load".
static const char *known_dotted(struct arena *arena, const char *dotted) {
    for (const char *end = dotted + strlen(dotted); end > dotted;) {
        const char *module = module_known_name(arena_strndup(arena, dotted, (size_t)(end - dotted)));
        if (module) {
            return arena_printf(arena, "%s%s", module, end);
        }
        do {
            end--;
        } while (end > dotted && *end != '.');
    }
    return NULL;
}

const char *known_name(const struct symbols *symbols, const char *dotted, unsigned line) {
    size_t first = strcspn(dotted, ".");
    const char *head = arena_strndup(symbols->arena, dotted, first), *rest = dotted + first;
    const struct binding *binding = symbols_find(symbols, head, line);
    if (!binding) {
        bool is_method = *dotted == '?';
        return is_method ? arena_printf(symbols->arena, "tensor%s", rest)
               : *rest   ? NULL
                         : arena_printf(symbols->arena, "python.%s", dotted);
    }
    if (binding->kind != BINDING_IMPORT) {
        return *rest ? arena_printf(symbols->arena, "tensor%s", strrchr(rest, '.')) : NULL;
    }
    if (binding->level) {
        return NULL;
    }
    return known_dotted(symbols->arena,
                        arena_printf(symbols->arena, "%s%s%s%s", binding->module, binding->member ? "." : "",
                                     binding->member ? binding->member : "", rest));
}

// ---- imports ----

static const char *find_file(struct arena *arena, const char *folder, const char *dotted) {
    static const char *const endings[] = {".tk", ".py", "/__init__.py"};
    char *path = arena_printf(arena, "%s/%s", folder, dotted);
    for (char *c = path + strlen(folder); *c; c++) {
        *c = *c == '.' ? '/' : *c;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *whole = arena_printf(arena, "%s%s", path, endings[i]);
        if (access(whole, R_OK) == 0) {
            return whole;
        }
    }
    return NULL;
}

// The source's folder and those above it, then the folders of -I; with dots only the folder named by them.
const char *import_path(struct arena *arena, const struct server *server, const char *from,
                        const char *module, unsigned level) {
    char *folder = arena_strdup(arena, from);
    const char *found = NULL;
    for (char *slash; !found && (slash = strrchr(folder, '/')); *slash = 0) {
        char *end = slash;
        *end = 0;
        if (level > 1) {
            level--;
            continue;
        }
        found = find_file(arena, folder, module ? module : "__init__");
        if (level) {
            return found;
        }
        slash = end;
    }
    for (size_t i = 0; !found && i < server->options.import_folder_count; i++) {
        found = find_file(arena, server->options.import_folders[i], module);
    }
    return found;
}
