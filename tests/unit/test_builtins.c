// The table of builtins and the embedded library: names are unique and found, library files parse without a
// fault and define no function twice.
#include "testing.h"
#include "frontend/builtin/table.h"
#include "frontend/eval/walk.h"
#include "frontend/library/library.h"
#include "frontend/syntax/parser.h"

static const char *const names[] = {
#define BUILTIN(name, handler, signature, doc) name,
#define COMPILE_TIME BUILTIN
#define MUST_USE BUILTIN
#include "frontend/builtin/builtins.def"
#include "frontend/builtin/builtins_python.def"
#undef MUST_USE
#undef COMPILE_TIME
#undef BUILTIN
};

static void each_name_is_found_once(void **state) {
    struct program program = {.builtins = builtin_table};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct builtin *row = builtin_find(&program, names[i]);
        assert_non_null(row);
        assert_string_equal(row->name, names[i]);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(names[i], names[j]) == 0) {
                fail_msg("%s has two rows", names[i]);
            }
        }
    }
    assert_null(builtin_find(&program, "tl.no_such_function"));
}

static void check_file(struct arena *arena, const struct library_file *file) {
    struct diag diag = {0};
    struct source *source = source_from_text(arena, file->name, file->text);
    const struct module *module = parse_module(arena, &diag, source);
    assert_non_null(module);
    assert_true(diag_checkpoint(&diag));
    for (size_t i = 0; i < module->body.count; i++) {
        const struct stmt *stmt = module->body.items[i];
        assert_int_not_equal(stmt->kind, STMT_UNPARSED);
        if (stmt->kind != STMT_FUNCTION) {
            continue;
        }
        if (stmt->function->fault) {
            fail_msg("%s.tk: %s: %s", file->name, stmt->function->name, stmt->function->fault->message);
        }
        for (size_t j = 0; j < i; j++) {
            const struct stmt *other = module->body.items[j];
            if (other->kind == STMT_FUNCTION && strcmp(other->function->name, stmt->function->name) == 0) {
                fail_msg("%s.tk defines %s twice", file->name, stmt->function->name);
            }
        }
    }
}

static void library_files_parse(void **state) {
    struct arena *arena = arena_create();
    size_t count = 0;
    for (const struct library_file *file = library_files; file->name; file++, count++) {
        check_file(arena, file);
    }
    assert_true(count >= 6);
    assert_non_null(library_find("exponential"));
    arena_destroy(arena);
}

RUN(TEST(each_name_is_found_once), TEST(library_files_parse))
