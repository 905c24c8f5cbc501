// The importable modules: triton and triton.language under all their names, math, and source files near the
// importing one.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "frontend/eval/walk.h"
#include "frontend/semantics/language.h"
#include "frontend/library/library.h"
#include "tkc/tkc.h"

// Python's dotted module names, and the prefix of their rows in builtins.def.
static const struct {
    const char *dotted, *name;
} known_modules[] = {
    {"triton", "triton"},
    {"tk", "triton"},
    {"triton.language", "tl"},
    {"tk.language", "tl"},
    {"triton.language.core", "tl"},
    {"triton.language.standard", "tl"},
    {"triton.language.semantic", "tl"},
    {"triton.language.random", "tl"},
    {"triton.language.math", "tl.math"},
    {"triton.language.libdevice", "libdevice"},
    {"triton.language.target_info", "tl.target_info"},
    {"triton.language.extra", "tl.extra"},
    {"triton.language.extra.libdevice", "libdevice"},
    {"triton.language.extra.cuda", "tl.extra.cuda"},
    {"triton.language.extra.cuda.libdevice", "libdevice"},
    {"triton.language.extra.hip", "tl.extra.hip"},
    {"triton.language.extra.hip.libdevice", "libdevice"},
    {"triton.runtime", "triton"},
    {"triton.runtime.jit", "triton"},
    {"triton.runtime.autotuner", "triton"},
    {"math", "math"},
    {"os", "os"},
    {"typing", "typing"},
    {"itertools", "itertools"},
    {"collections", "collections"},
    {"functools", "functools"},
    {"importlib", "importlib"},
    {"importlib.util", "importlib.util"},
    {"packaging", "packaging"},
    {"packaging.version", "packaging.version"},
    {"triton.runtime.driver", "triton.driver"},
    {"triton.backends.compiler", "triton"},
    {"torch", "torch"},
    {"torch.cuda", "torch.cuda"},
    {"torch.version", "torch.version"},
    {"torch._inductor", "torch._inductor"},
    {"torch._inductor.runtime", "torch._inductor"},
    {"torch._inductor.runtime.triton_helpers", "inductor"},
    {"torch._inductor.triton_helpers", "inductor"},
    {"torch._inductor.runtime.triton_heuristics", "inductor"},
    {"torch._inductor.triton_heuristics", "inductor"},
    {"torch._inductor.triton_ops.autotune", "inductor"},
};

const char *module_known_name(const char *dotted) {
    for (size_t i = 0; i < sizeof known_modules / sizeof *known_modules; i++) {
        if (strcmp(known_modules[i].dotted, dotted) == 0) {
            return known_modules[i].name;
        }
    }
    return NULL;
}

// Modules with some known names; their other names are host values.
static const char *const partly_known[] = {"triton",
                                           "triton.driver",
                                           "triton.driver.active",
                                           "os",
                                           "typing",
                                           "itertools",
                                           "functools",
                                           "importlib",
                                           "importlib.util",
                                           "packaging",
                                           "packaging.version",
                                           "torch",
                                           "torch.cuda",
                                           "torch.version",
                                           "torch._inductor",
                                           "collections"};

// Submodules as attributes.
static const struct {
    const char *module, *attribute, *name;
} submodules[] = {
    {"triton", "language", "tl"},
    {"triton", "runtime", "triton"},
    {"triton", "driver", "triton.driver"},
    {"triton.driver", "active", "triton.driver.active"},
    {"importlib", "util", "importlib.util"},
    {"packaging", "version", "packaging.version"},
    {"torch", "cuda", "torch.cuda"},
    {"torch", "version", "torch.version"},
    {"torch", "_inductor", "torch._inductor"},
    {"torch._inductor", "runtime", "torch._inductor"},
    {"torch._inductor", "triton_helpers", "inductor"},
    {"torch._inductor", "triton_heuristics", "inductor"},
    {"inductor", "libdevice", "libdevice"},
    {"inductor", "math", "tl.math"},
    {"tl", "math", "tl.math"},
    {"tl", "core", "tl"},
    {"tl", "standard", "tl"},
    {"tl", "random", "tl"},
    {"tl", "semantic", "tl"},
    {"tl", "libdevice", "libdevice"},
    {"tl", "target_info", "tl.target_info"},
    {"tl", "extra", "tl.extra"},
    {"tl.extra", "cuda", "tl.extra.cuda"},
    {"tl.extra", "hip", "tl.extra.hip"},
    {"tl.extra", "libdevice", "libdevice"},
    {"tl.extra.cuda", "libdevice", "libdevice"},
    {"tl.extra.hip", "libdevice", "libdevice"},
};

// torch's dtype names different from tl's.
static const struct {
    const char *name;
    struct dtype dtype;
} torch_dtypes[] = {
    {"bool", DTYPE_OF(INT1)},
    {"half", DTYPE_OF(FLOAT16)},
    {"float", DTYPE_OF(FLOAT32)},
    {"double", DTYPE_OF(FLOAT64)},
    {"short", DTYPE_OF(INT16)},
    {"int", DTYPE_OF(INT32)},
    {"long", DTYPE_OF(INT64)},
    {"float8_e5m2", DTYPE_OF(FLOAT8E5)},
    {"float8_e4m3fn", DTYPE_OF(FLOAT8E4NV)},
    {"float8_e5m2fnuz", DTYPE_OF(FLOAT8E5B16)},
    {"float8_e4m3fnuz", DTYPE_OF(FLOAT8E4B8)},
};

static const struct {
    const char *name;
    double value;
} math_constants[] = {
    {"pi", 3.14159265358979323846},
    {"e", 2.71828182845904523536},
    {"tau", 6.28318530717958647692},
    {"inf", INFINITY},
    {"nan", NAN},
};

// The library files searched for a module's functions, in order.
static const struct {
    const char *module;
    const char *files[9];
} libraries[] = {
    {"tl", {"standard", LIBRARY_MATH_FILES, "random", NULL}},
    {"tl.math", {LIBRARY_MATH_FILES, "standard", "libdevice", NULL}},
    {"libdevice", {"libdevice", LIBRARY_MATH_FILES, "rounding", "special", "bessel", NULL}},
    {"tl.extra.cuda", {"cuda", "libdevice", NULL}},
    {"inductor", {"inductor", NULL}},
};

static bool library_attribute(struct emitter *e, const char *module, const char *name, struct value *out) {
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (strcmp(libraries[i].module, module) != 0) {
            continue;
        }
        for (size_t j = 0; libraries[i].files[j]; j++) {
            if (library_function(e, libraries[i].files[j], name, out)) {
                return true;
            }
        }
    }
    return false;
}

static bool row_attribute(struct emitter *e, const char *module, const char *name, struct value *out) {
    char row[96];
    snprintf(row, sizeof row, "%s.%s", module, name);
    const struct builtin *builtin = builtin_find(e->program, row);
    if (builtin) {
        *out = value_builtin(builtin);
    }
    return builtin != NULL;
}

static bool type_attribute(struct emitter *e, const char *module, const char *name, struct value *out) {
    char full[96];
    struct dtype dtype;
    enum known_type type;
    snprintf(full, sizeof full, "%s.%s", module, name);
    if (known_type_find(full, &type)) {
        *out = value_type(type);
        return true;
    }
    for (size_t i = 0; i < sizeof torch_dtypes / sizeof *torch_dtypes && strcmp(module, "torch") == 0; i++) {
        if (strcmp(torch_dtypes[i].name, name) == 0) {
            *out = value_dtype(torch_dtypes[i].dtype);
            return true;
        }
    }
    if (strcmp(module, "tl") != 0 && strcmp(module, "torch") != 0) {
        return false;
    }
    if (dtype_parse(name, &dtype) && strcmp(dtype_table[dtype.scalar].name, name) == 0) {
        *out = value_dtype(dtype);
        return true;
    }
    if (strcmp(module, "tl") != 0) {
        return false;
    }
    if (strcmp(name, "void") == 0) {
        *out = value_dtype(DTYPE_OF(VOID));
        return true;
    }
    if (strcmp(name, "PropagateNan") == 0) {
        struct value fields[] = {value_string(e->arena, "NONE"), value_int(0), value_string(e->arena, "ALL"),
                                 value_int(0xffff)};
        *out = value_object(e->arena, CLASS_PROPAGATE_NAN, fields, 4);
        return true;
    }
    size_t length = strlen(name);
    if (name[0] == 'p' && length > 3 && strcmp(name + length - 2, "_t") == 0 && // tl.pi32_t: an old spelling
        dtype_parse(arena_strndup(e->arena, name + 1, length - 3), &dtype)) {
        *out = value_dtype(dtype_pointer_to(dtype));
        return true;
    }
    return false;
}

// Host facts that follow from the target or from this compiler.
static bool fact_attribute(struct emitter *e, const char *module, const char *name, struct value *out) {
    bool hip = e->target && e->target->vendor == VENDOR_AMD;
    if (strcmp(module, "os") == 0 && strcmp(name, "environ") == 0) { // empty: output never depends on it
        *out = value_list_of(e->arena, NULL, 0);
        out->kind = VALUE_DICT;
        return true;
    }
    if (strcmp(module, "typing") == 0 && strcmp(name, "TYPE_CHECKING") == 0) {
        *out = value_bool(false);
        return true;
    }
    if (strcmp(module, "triton") == 0 && strcmp(name, "__version__") == 0) { // the language version
        *out = value_string(e->arena, arena_printf(e->arena, "3.%u.0", e->language));
        return true;
    }
    if (strcmp(module, "torch.version") == 0 && (strcmp(name, "hip") == 0 || strcmp(name, "cuda") == 0)) {
        bool is_hip = strcmp(name, "hip") == 0;
        *out = is_hip != hip ? value_none() : value_string(e->arena, hip ? "6.4" : "12.8");
        return true;
    }
    return false;
}

static bool known_attribute(struct emitter *e, const char *module, const char *name, struct value *out) {
    for (size_t i = 0; i < sizeof submodules / sizeof *submodules; i++) {
        if (strcmp(submodules[i].module, module) == 0 && strcmp(submodules[i].attribute, name) == 0) {
            *out = value_module(submodules[i].name, NULL);
            return true;
        }
    }
    if (strcmp(module, "math") == 0) {
        for (size_t i = 0; i < sizeof math_constants / sizeof *math_constants; i++) {
            if (strcmp(math_constants[i].name, name) == 0) {
                *out = value_float(math_constants[i].value);
                return true;
            }
        }
    }
    if (fact_attribute(e, module, name, out)) {
        return true;
    }
    if (row_attribute(e, module, name, out) || type_attribute(e, module, name, out)) {
        return true;
    }
    // tl.math.X and libdevice.X fall back to tl.X.
    bool also_tl = strcmp(module, "tl.math") == 0 || strcmp(module, "libdevice") == 0;
    if (strcmp(module, "libdevice") != 0 && also_tl && row_attribute(e, "tl", name, out)) {
        return true;
    }
    if (library_attribute(e, module, name, out)) {
        return true;
    }
    return also_tl && row_attribute(e, "tl", name, out);
}

// ---- source files ----

static struct file_scope *load_from_memory(struct program *program, const char *path) {
    for (size_t i = 0; i < program->file_count; i++) {
        if (!program->files[i]->library && strcmp(program->files[i]->source->path, path) == 0) {
            return program->files[i];
        }
    }
    for (size_t i = 0; i < program->memory_file_count; i++) {
        if (strcmp(program->memory_files[i].path, path) == 0) {
            struct source *source = source_from_text(program->arena, path, program->memory_files[i].text);
            return program_add_source(program, source, NULL);
        }
    }
    return NULL;
}

static void note_absent(struct program *program, const char *path) {
    for (size_t i = 0; i < program->absent_count; i++) {
        if (strcmp(program->absent[i], path) == 0) {
            return;
        }
    }
    program->absent = arena_grown(program->arena, program->absent, program->absent_count,
                                  &program->absent_capacity, sizeof *program->absent);
    program->absent[program->absent_count++] = arena_strdup(program->arena, path);
}

// Loads a source file once. NULL if it does not exist or, after an error, cannot be read. Files are compared
// by identity, not path: a package that imports itself by its full name reaches its files by ever longer
// paths.
static struct file_scope *load(struct emitter *e, const char *path) {
    const char *why;
    struct program *program = e->program;
    struct source_identity identity;
    struct file_scope *known = program->memory_file_count ? load_from_memory(program, path) : NULL;
    if (known) {
        return known;
    }
    bool there = source_identify(path, &identity);
    for (size_t i = 0; there && i < program->file_count; i++) {
        if (!program->files[i]->library &&
            source_identity_equal(program->files[i]->source->identity, identity)) {
            return program->files[i];
        }
    }
    struct source *source = source_read(program->arena, path, &why);
    if (!source && why) {
        diag_error(e->diag, (struct location){0}, "cannot read the import %s: %s", path, why);
    }
    if (!source && !why) {
        note_absent(program, path);
    }
    return source ? program_add_source(program, source, NULL) : NULL;
}

// folder/a/b.tk, .py or folder/a/b/__init__.py.
static struct file_scope *load_dotted(struct emitter *e, const char *folder, const char *dotted) {
    static const char *const endings[] = {".tk", ".py", "/__init__.py"};
    char *path = arena_printf(e->arena, "%s%s", folder, dotted);
    for (char *c = path + strlen(folder); *c; c++) {
        *c = *c == '.' ? '/' : *c;
    }
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct file_scope *file = load(e, arena_printf(e->arena, "%s%s", path, endings[i]));
        if (file) {
            return file;
        }
    }
    return NULL;
}

// The folder of a path, with its slash; "" for the current one.
static const char *folder_of(struct emitter *e, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? arena_strndup(e->arena, path, (size_t)(slash - path) + 1) : "";
}

// A file or subpackage of a package: `from package import file` if package/__init__.py does not bind the
// name.
static struct file_scope *package_member(struct emitter *e, struct file_scope *package, const char *name) {
    static const char suffix[] = "__init__.py";
    const char *path = package->source->path;
    size_t length = strlen(path);
    bool is_package = length >= sizeof suffix - 1 && strcmp(path + length - (sizeof suffix - 1), suffix) == 0;
    return is_package ? load_dotted(e, folder_of(e, path), name) : NULL;
}

struct value module_attribute(struct emitter *e, struct value module, const char *name,
                              struct location location) {
    struct value out;
    if (module.kind == VALUE_HOST) {
        return value_host(arena_printf(e->arena, "%s of %s", name, module.host));
    }
    if (module.module.file) {
        if (file_lookup(e, module.module.file, name, &out)) {
            return out;
        }
        struct file_scope *inside = package_member(e, module.module.file, name);
        return inside ? value_module(NULL, inside)
                      : emit_error(e, location, "%s has no %s", module.module.file->source->path, name);
    }
    if (module.module.name[0] == '/') { // a namespace package: a folder of source files
        return module_import(e, e->frame->file, arena_printf(e->arena, "%s/%s", module.module.name, name), 0);
    }
    if (known_attribute(e, module.module.name, name, &out)) {
        const char *full = arena_printf(e->arena, "%s.%s", module.module.name, name);
        return language_takes_name(e, full, location) ? out : value_error();
    }
    for (size_t i = 0; i < sizeof partly_known / sizeof *partly_known; i++) {
        if (strcmp(module.module.name, partly_known[i]) == 0) {
            return value_host(arena_printf(e->arena, "%s.%s", module.module.name, name));
        }
    }
    const char *write = suggest_synonym(module.module.name, name);
    if (write && !write[strcspn(write, " .(")]) {
        emit_offer(e, location, write);
        return emit_error(e, location, "%s has no %s; write %s.%s", module.module.name, name,
                          module.module.name, write);
    }
    if (write) {
        return emit_error(e, location, "%s has no %s; write %s", module.module.name, name,
                          suggest_filled(e, write, location));
    }
    struct nearest nearest = {.text = name};
    if (!e->quiet) {
        suggest_module(e, module.module.name, &nearest);
    }
    return emit_unknown(e, location, &nearest, "%s has no %s that this compiler knows", module.module.name,
                        name);
}

struct value module_import(struct emitter *e, struct file_scope *from, const char *dotted, unsigned level) {
    if (level == 0) {
        for (size_t i = 0; i < sizeof known_modules / sizeof *known_modules; i++) {
            if (strcmp(known_modules[i].dotted, dotted) == 0) {
                return value_module(known_modules[i].name, NULL);
            }
        }
    }
    bool is_triton = strncmp(dotted, "triton.", 7) == 0;
    if (!from->library && !is_triton && *dotted) {
        const char *folder = folder_of(e, from->source->path);
        for (unsigned up = 1; up < level; up++) {
            folder = arena_printf(e->arena, "%s../", folder);
        }
        struct file_scope *file = load_dotted(e, folder, dotted);
        // An absolute import of a package names the file from a folder above.
        for (int up = 0; !file && level == 0 && up < 10; up++) {
            folder = arena_printf(e->arena, "%s../", folder);
            file = load_dotted(e, folder, dotted);
        }
        for (size_t i = 0; !file && level == 0 && i < e->program->folder_count; i++) {
            file = load_dotted(e, arena_printf(e->arena, "%s/", e->program->folders[i]), dotted);
        }
        if (file) {
            return value_module(NULL, file);
        }
    }
    if (level > 0 && !*dotted && !from->library) { // from . import x: x may be a file
        const char *folder = folder_of(e, from->source->path);
        struct file_scope *package = load(e, arena_printf(e->arena, "%s__init__.py", folder));
        return package ? value_module(NULL, package) : value_host("a package without __init__.py");
    }
    if (level > 0 && !from->library) {
        return value_host(
            arena_printf(e->arena, "the file %s, which is not there (.tk, .py or /__init__.py),", dotted));
    }
    static const char *const libraries[] = {"numpy", "torch", "jax", "scipy", "cupy", "pandas", NULL};
    for (size_t i = 0; libraries[i]; i++) {
        size_t length = strlen(libraries[i]);
        if (strncmp(dotted, libraries[i], length) == 0 && (!dotted[length] || dotted[length] == '.')) {
            return value_host(arena_printf(e->arena, "the Python module %s", dotted));
        }
    }
    return value_host(arena_printf(
        e->arena, "the Python module %s (no %s.tk or .py is here, in a folder above or in one of -I)", dotted,
        dotted));
}
