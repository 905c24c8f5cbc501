// Source files and modules: what a name means at module level. Nothing at module level runs until a kernel
// reaches its name; then only the statement that binds the name is evaluated.
#ifndef TKC_FRONTEND_EVAL_MODULE_H
#define TKC_FRONTEND_EVAL_MODULE_H

#include "frontend/semantics/emit.h"

// Whether a place is reached, as far as the conditions around it tell, in the order in which they are tried.
enum site_standing {
    SITE_REACHED,
    SITE_OPEN_BODY, // under a condition that only the host can decide
    SITE_OPEN_ELSE,
    SITE_FALLBACK, // in an except clause
    SITE_EXCLUDED,
};

// The test of an `if` at module level.
struct module_test {
    const struct expr *expr;
    size_t before;             // the sites of the file ahead of it
    bool is_known, is_decided; // whether it was asked for already, and could be told
    bool truth, is_busy;
};

// In the body of an `if` (`holds`) or in its else branch, and where that `if` stands itself.
struct module_condition {
    struct module_test *test;
    bool holds;
    const struct module_condition *outer; // NULL: none
};

// One place at module level that may bind or change a name.
struct binding_site {
    const char *name;
    const struct stmt *stmt;
    const struct expr *target;                // assignments: the target that holds the name
    const struct import_alias *import;        // imports
    const struct module_condition *condition; // NULL: none
    bool runs;                                // the statement is run to see what it makes of the name
    bool is_fallback;                         // in an except clause of a try
    bool in_try;                              // in the body of a try: if it fails, the except clause counts
    bool is_busy;                             // being evaluated: a reference to itself means an earlier site
    bool is_warned;                           // that the host may take it, where another one is taken here
    bool has_standing, is_known;              // whether what follows is known already
    enum site_standing standing;
    struct binding_site *earlier; // with a name of the same hash
    struct value value;
};

// A list or dict that a function of the file changes where it is given one.
struct changed_parameter {
    const char *function;
    size_t place;
};

struct file_scope {
    struct program *program;
    const struct source *source;
    const struct module *ast;
    const char *library; // name of the embedded library file; NULL: the user's
    struct binding_site *sites;
    size_t site_count;
    struct binding_site **by_name;     // the last site of each hash
    size_t hashes;                     // a power of two
    struct changed_parameter *changed; // by function and place
    size_t changed_count;
    const struct binding_site *until; // look-ups see what is ahead of it; NULL: all, the file has run
};

struct program {
    struct arena *arena;
    struct diag *diag;
    const struct builtin *builtins; // the table, ended by a row without a name
    struct file_scope **files;      // loaded so far; the first is the main one
    size_t file_count, file_capacity;
};

struct program *program_create(struct arena *arena, struct diag *diag, const struct builtin *builtins);
// Parses and indexes. NULL after an error.
struct file_scope *program_add_source(struct program *program, const struct source *source,
                                      const char *library);
// The same of what is parsed already.
struct file_scope *program_add_module(struct program *program, const struct module *ast, const char *library);
struct file_scope *program_library(struct program *program, const char *name); // NULL: no such library file

// The last site that binds the name, and the one before another; NULL: none.
struct binding_site *file_site(const struct file_scope *file, const char *name);
struct binding_site *file_site_before(const struct file_scope *file, const struct binding_site *site);
// From now on look-ups see what the file has ahead of a function of its own, as its decorators and defaults do (NULL: all).
// Gives what they saw before, for file_stand_back.
const struct binding_site *file_stand_at(struct file_scope *file, const struct function_def *def);
void file_stand_back(struct file_scope *file, const struct binding_site *before);
// All sites are to be evaluated again: they may depend on the target.
void program_forget(struct program *program);

// What `name` is at module level; false when nothing binds it. *out may be VALUE_ERROR.
bool file_lookup(struct emitter *e, struct file_scope *file, const char *name, struct value *out);
// Whether what binds that name in the file is a constexpr (X = tl.constexpr(…), an expression of such, an import of
// one): the only numbers and strings of a module that a jit function may use.
bool file_name_is_constexpr(struct emitter *e, struct file_scope *file, const char *name);
// The function of that name of a library file; false when there is none.
bool library_function(struct emitter *e, const char *file, const char *name, struct value *out);

// An attribute of a module value ("tl", "triton", a source file …).
struct value module_attribute(struct emitter *e, struct value module, const char *name,
                              struct location location);
// The module that `import a.b.c` or `from a.b import` names: known ones, source files beside `from`, else a
// host value.
struct value module_import(struct emitter *e, struct file_scope *from, const char *dotted, unsigned level);

// Whether one decorator is that type ("triton.must_use_result"), with or without arguments.
bool decorators_have(struct emitter *e, struct file_scope *file, const struct function_def *def,
                     enum known_type type);
bool decorators_have_jit(struct emitter *e, struct file_scope *file, const struct function_def *def);

#endif
