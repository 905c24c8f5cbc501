// Source files and modules: the values of names at module level. No module-level code runs until a kernel
// refers to a name; then only the statement that binds it is evaluated.
#ifndef TKC_FRONTEND_EVAL_MODULE_H
#define TKC_FRONTEND_EVAL_MODULE_H

#include "frontend/semantics/emit.h"

// Reachability of a site, by the conditions around it; look-ups try the sites in this order.
enum site_standing {
    SITE_REACHED,
    SITE_OPEN_BODY, // the condition is known only to the host
    SITE_OPEN_ELSE,
    SITE_FALLBACK, // in an except clause
    SITE_EXCLUDED,
};

// The test of an `if` at module level.
struct module_test {
    const struct expr *expr;
    size_t before;             // number of the file's sites before it
    bool is_known, is_decided; // evaluated yet; with a known result
    bool truth, is_busy;
};

// Position of a site relative to an `if`: in its body (`holds`) or its else branch; `outer` is the `if`
// around it.
struct module_condition {
    struct module_test *test;
    bool holds;
    const struct module_condition *outer; // NULL: none
};

// A binding site: one statement at module level that may bind or change a name.
struct binding_site {
    const char *name;
    const struct stmt *stmt;
    const struct expr *target;                // assignments: the target with the name
    const struct import_alias *import;        // imports
    const struct module_condition *condition; // NULL: none
    bool runs;                                // run the statement to get the name's new value
    bool is_fallback;                         // in an except clause of a try
    bool in_try;                              // in the body of a try: if it fails, the except clause counts
    bool is_busy;                             // being evaluated: a reference to itself means an earlier site
    bool is_warned;                           // reported: the host may take this site instead
    bool has_standing, is_known;              // `standing` is valid; `value` is valid
    enum site_standing standing;
    struct binding_site *earlier; // previous site with a name of the same hash
    struct value value;
};

// A parameter of one of the file's functions: the function changes the list or dict passed in it.
struct changed_parameter {
    const char *function;
    size_t place;
};

struct file_scope {
    struct program *program;
    const struct source *source;
    const struct module *ast;
    unsigned language;   // version of its code (semantics/language.h); of the library no version
    const char *library; // name of the embedded library file; NULL: the user's file
    struct binding_site *sites;
    size_t site_count;
    struct binding_site **by_name;     // the last site of each hash
    size_t hashes;                     // a power of two
    struct changed_parameter *changed; // sorted by function and place
    size_t changed_count;
    const struct binding_site *until; // look-ups see the sites before it; NULL: all
};

struct program {
    struct arena *arena;
    struct diag *diag;
    unsigned language;              // of files that do not say theirs
    const struct builtin *builtins; // the table, ended by a row without a name
    const char *const *folders;     // of imports, from the user
    size_t folder_count;
    const struct tkc_file *memory_files; // imports in memory
    size_t memory_file_count;
    const char **absent; // paths of imports without a file
    size_t absent_count, absent_capacity;
    struct file_scope **files; // loaded so far; the first is the main one
    size_t file_count, file_capacity;
};

// The prefix of builtins' names for a module of Python: "tl" for "triton.language"; NULL: the module is not known.
const char *module_known_name(const char *dotted);

struct program *program_create(struct arena *arena, struct diag *diag, const struct builtin *builtins);
// Parses and indexes a source. NULL after an error.
struct file_scope *program_add_source(struct program *program, const struct source *source,
                                      const char *library);
// Indexes a parsed module.
struct file_scope *program_add_module(struct program *program, const struct module *ast, const char *library);
struct file_scope *program_library(struct program *program, const char *name); // NULL: no such library file

// The last site of a name, and the one before a given site. NULL: none.
struct binding_site *file_site(const struct file_scope *file, const char *name);
struct binding_site *file_site_before(const struct file_scope *file, const struct binding_site *site);
// From now on look-ups see only the sites before the function's definition, as its decorators and defaults do
// (NULL: all sites). Returns the previous position, for file_stand_back.
const struct binding_site *file_stand_at(struct file_scope *file, const struct function_def *def);
void file_stand_back(struct file_scope *file, const struct binding_site *before);
// Marks all sites for evaluation again: their values may depend on the target.
void program_forget(struct program *program);

// The value of a name at module level; false if nothing binds it. *out may be VALUE_ERROR.
bool file_lookup(struct emitter *e, struct file_scope *file, const char *name, struct value *out);
// True if the file binds the name to a constexpr (X = tl.constexpr(…), an expression of constexprs, or an
// import of one): the only numbers and strings of a module that a jit function may use.
bool file_name_is_constexpr(struct emitter *e, struct file_scope *file, const char *name);
// A function of a library file by its name; false if there is none.
bool library_function(struct emitter *e, const char *file, const char *name, struct value *out);

// An attribute of a module value ("tl", "triton", a source file …).
struct value module_attribute(struct emitter *e, struct value module, const char *name,
                              struct location location);
// The module named by `import a.b.c` or `from a.b import`: a known module or a source file near `from`; a
// host value otherwise.
struct value module_import(struct emitter *e, struct file_scope *from, const char *dotted, unsigned level);

// True if one of the decorators is the type ("triton.must_use_result"), with or without arguments.
bool decorators_have(struct emitter *e, struct file_scope *file, const struct function_def *def,
                     enum known_type type);
bool decorators_have_jit(struct emitter *e, struct file_scope *file, const struct function_def *def);

#endif
