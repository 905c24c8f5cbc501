// Parser: values of literals, locations of nodes, recovery from errors, limits. The shape of the tree for
// every form of the language is in tests/golden/ast.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "frontend/syntax/ast_dump.h"
#include "frontend/syntax/parser.h"
#include "support/arena.h"
#include "support/diag.h"

struct fixture {
    struct arena *arena;
    struct diag diag;
    struct strbuf messages;
};

static void collect(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

static int setup(void **state) {
    static struct fixture fixture;
    fixture = (struct fixture){.arena = arena_create()};
    fixture.diag = (struct diag){.sink = collect, .sink_user = &fixture.messages};
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    struct fixture *fixture = *state;
    arena_destroy(fixture->arena);
    strbuf_free(&fixture->messages);
    return 0;
}

static struct module *parse(struct fixture *fixture, const char *text) {
    strbuf_clear(&fixture->messages);
    return parse_module(fixture->arena, &fixture->diag, source_from_text(fixture->arena, "test.tk", text));
}

// The value of a file with a single expression.
static const struct expr *parse_one(struct fixture *fixture, const char *text) {
    const struct module *module = parse(fixture, text);
    assert_non_null(module);
    assert_int_equal(module->body.count, 1);
    assert_int_equal(module->body.items[0]->kind, STMT_EXPR);
    return module->body.items[0]->expr;
}

static void integers(void **state) {
    static const struct {
        const char *text;
        uint64_t high, low;
        bool overflow;
    } cases[] = {
        {"0", 0, 0, false},
        {"1_000_000", 0, 1000000, false},
        {"0xFFFF_FFFF_FFFF_FFFF", 0, UINT64_MAX, false},
        {"18446744073709551616", 1, 0, false},
        {"0o777", 0, 511, false},
        {"0B1010", 0, 10, false},
        {"0xe", 0, 14, false},
        {"340282366920938463463374607431768211455", UINT64_MAX, UINT64_MAX, false},
        {"340282366920938463463374607431768211456", 0, 0, true},
        {"99999999999999999999999999999999999999999999999", 0, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expr *expr = parse_one(*state, cases[i].text);
        assert_int_equal(expr->kind, EXPR_INT);
        assert_string_equal(expr->integer.text, cases[i].text);
        assert_int_equal(expr->integer.overflow, cases[i].overflow);
        if (cases[i].overflow) {
            continue;
        }
        assert_int_equal((uint64_t)(expr->integer.value >> 64), cases[i].high);
        assert_int_equal((uint64_t)expr->integer.value, cases[i].low);
    }
}

static void floats(void **state) {
    static const struct {
        const char *text;
        double value;
        enum expr_kind kind;
    } cases[] = {{"1.5", 1.5, EXPR_FLOAT},       {"1e-3", 1e-3, EXPR_FLOAT}, {".5", .5, EXPR_FLOAT},
                 {"1_0.2_5", 10.25, EXPR_FLOAT}, {"2j", 2, EXPR_IMAGINARY},  {"09.", 9, EXPR_FLOAT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expr *expr = parse_one(*state, cases[i].text);
        assert_int_equal(expr->kind, cases[i].kind);
        assert_true(expr->number.value == cases[i].value);
        assert_string_equal(expr->number.text, cases[i].text);
    }
}

static void strings(void **state) {
    static const struct {
        const char *text;
        const char *bytes;
        size_t length;
        bool is_bytes;
    } cases[] = {
        {"'plain'", "plain", 5, false},
        {"'a' \"b\" r'\\n'", "ab\\n", 4, false},
        {"'\\n\\t\\\\\\'\\x41\\101\\0z'", "\n\t\\'AA\0z", 8, false},
        {"'\\u00e9\\U0001F600'", "\xc3\xa9\xf0\x9f\x98\x80", 6, false},
        {"b'\\xff\\u0041'", "\xff\\u0041", 7, true},
        {"'\\xff'", "\xc3\xbf", 2, false},
        {"'\\q'", "\\q", 2, false},
        {"'a\\\nb'", "ab", 2, false},
        {"'''a\r\nb'''", "a\nb", 3, false},
        {"''", "", 0, false},
        {"''''''", "", 0, false},
        {"'\\777'", "\xc7\xbf", 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct expr *expr = parse_one(*state, cases[i].text);
        assert_int_equal(expr->kind, EXPR_STRING);
        assert_int_equal(expr->string.length, cases[i].length);
        assert_memory_equal(expr->string.bytes, cases[i].bytes, cases[i].length + 1);
        assert_int_equal(expr->string.is_bytes, cases[i].is_bytes);
    }
}

static void check_span(const struct expr *expr, unsigned line, unsigned column, unsigned length) {
    if (expr->location.line != line || expr->location.column != column || expr->location.length != length) {
        fail_msg("found %u:%u+%u, expected %u:%u+%u", expr->location.line, expr->location.column,
                 expr->location.length, line, column, length);
    }
}

static void locations(void **state) {
    const struct expr *sum = parse_one(*state, "\\\n a.bc[ 1 ] + (f(x, k = 2) * 3)\n");
    check_span(sum, 2, 2, 29);
    check_span(sum->binary.left, 2, 2, 9);
    check_span(sum->binary.left->subscript.object, 2, 2, 4);
    assert_int_equal(sum->binary.left->subscript.object->attribute.name_location.column, 4);
    check_span(sum->binary.left->subscript.index, 2, 8, 1);
    const struct expr *product = sum->binary.right;
    assert_true(product->parenthesized);
    check_span(product, 2, 15, 15);
    check_span(product->binary.left, 2, 15, 11);
    assert_int_equal(product->binary.left->call.keywords[0].location.column, 20);
    check_span(product->binary.left->call.keywords[0].value, 2, 24, 1);
    // A node of several lines is underlined to the end of its first.
    const struct expr *call = parse_one(*state, "f(a,\n  b)\n");
    check_span(call, 1, 1, 4);
    check_span(call->call.args.items[1], 2, 3, 1);
    check_span(parse_one(*state, "'''a\nb''' + c"), 1, 1, 4);
}

static void names_are_shared(void **state) {
    const struct expr *sum = parse_one(*state, "name.name + name");
    assert_ptr_equal(sum->binary.left->attribute.name, sum->binary.right->name.id);
}

// The first syntax_fault of a file, in full.
static const char *fault_of(struct fixture *fixture, const char *text) {
    const struct module *module = parse(fixture, text);
    assert_non_null(module);
    assert_int_equal(fixture->diag.error_count, 0);
    for (size_t i = 0; i < module->body.count; i++) {
        const struct stmt *stmt = module->body.items[i];
        const struct syntax_fault *fault = stmt->kind == STMT_UNPARSED   ? stmt->unparsed.fault
                                           : stmt->kind == STMT_FUNCTION ? stmt->function->fault
                                                                         : NULL;
        if (fault) {
            return arena_printf(fixture->arena, "%u:%u+%u %s", fault->location.line, fault->location.column,
                                fault->location.length, fault->message);
        }
    }
    return "none";
}

static void faults(void **state) {
    static const char *const cases[][2] = {
        {"a b\n", "1:3+1 expected the end of the line, found 'b'"},
        {"a = 1 +\n", "1:8+0 expected an expression, found the end of the line"},
        {"f(a=1, b)\n", "1:8+1 positional argument after a keyword argument"},
        {"f() = 1\n", "1:1+3 cannot assign to this expression"},
        {"a + b += 1\n",
         "1:1+5 an augmented assignment needs a name, an attribute or a subscript on its left"},
        {"def f(a=1, b): pass\n", "1:12+1 parameter 'b' without a default after one with a default"},
        {"def f(a, a): pass\n", "1:10+1 parameter 'a' is named twice"},
        {"def f(*, **k): pass\n", "1:7+1 named parameters must follow a lone '*'"},
        {"if a:\nb\n", "2:1+1 expected an indented block: indent what belongs to the line above"},
        {"a\n  b\n", "2:3+0 unexpected indent: begin where the line above begins"},
        {"x = a if b\n", "1:11+0 expected 'else' of a conditional expression, found the end of the line"},
        {"@d\nx = 1\n", "2:1+1 expected a function or class after a decorator, found 'x'"},
        {"try:\n  a\nb\n", "3:1+1 expected 'except' or 'finally' after the block of 'try', found 'b'"},
        {"'a' b'b'\n", "1:1+8 bytes and text literals cannot be joined"},
        {"'\\xg'\n", "1:1+5 escape \\x needs 2 hexadecimal digits"},
        {"x = 1a\n", "1:5+2 invalid number"},
        {"x = 'abc\n", "1:5+4 string is not closed before the end of the line"},
        {"f'{a!x}'\n", "1:6+1 expected 'r', 's' or 'a' after '!' in an f-string, found 'x'"},
        {"f'{}'\n", "1:4+1 expected an expression, found '}'"},
        {"def f():\n  x = = 1\n  y\nz\n", "2:7+1 expected an expression, found '='"},
        {"def f():\n    x = 1\n      y = 2\n    z\n",
         "3:7+0 unexpected indent: begin where the line above begins"},
        {"def f():\nx\n", "2:1+1 expected an indented block: indent what belongs to the line above"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(fault_of(*state, cases[i][0]), cases[i][1]);
    }
}

static void recovery_is_local(void **state) {
    const struct module *module = parse(*state, "@d\ndef f(a b):\n  a\n  if b:\n    c\n"
                                                "def g():\n  def h():\n    a b\n  return h\n"
                                                "class C:\n  x = = 1\n  def m(self):\n    $\n  y = 2\n"
                                                "if a:\n  b c\nelif d:\n  e\nelse:\n  f\n"
                                                "last = 1\n");
    assert_non_null(module);
    assert_int_equal(module->fault_count, 5);
    assert_int_equal(module->body.count, 5);
    assert_int_equal(module->body.items[0]->kind, STMT_UNPARSED);
    assert_string_equal(module->body.items[0]->unparsed.name, "f");
    const struct function_def *g = module->body.items[1]->function;
    assert_null(g->fault);
    assert_non_null(g->body.items[0]->function->fault);
    assert_int_equal(g->body.count, 2);
    const struct class_def *class_ = module->body.items[2]->class_;
    assert_int_equal(class_->body.count, 3);
    assert_int_equal(class_->body.items[0]->kind, STMT_UNPARSED);
    assert_non_null(class_->body.items[1]->function->fault);
    assert_int_equal(module->body.items[3]->kind, STMT_UNPARSED);
    assert_int_equal(module->body.items[4]->kind, STMT_ASSIGN);
}

// `count` copies of `unit`, between `before` and `after`.
static const char *repeated(struct fixture *fixture, const char *before, const char *unit, size_t count,
                            const char *after) {
    struct strbuf buf = {0};
    strbuf_add(&buf, before);
    for (size_t i = 0; i < count; i++) {
        strbuf_add(&buf, unit);
    }
    strbuf_add(&buf, after);
    char *text = arena_strdup(fixture->arena, strbuf_text(&buf));
    strbuf_free(&buf);
    return text;
}

static void depth_is_limited(void **state) {
    struct fixture *fixture = *state;
    const char *const too_deep = "expression is nested more than 200 levels deep";
    const char *const too_high = "expression is more than 2000 operators deep; split it";
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "", "- ", 100000, "a\n")), too_deep));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "", "not ", 100000, "a\n")), too_deep));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "", "a ** ", 100000, "a\n")), too_deep));
    assert_non_null(
        strstr(fault_of(fixture, repeated(fixture, "", "a if b else ", 100000, "a\n")), too_deep));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "", "lambda: ", 100000, "a\n")), too_deep));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "", "a + ", 100000, "a\n")), too_high));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "a", ".b", 100000, "\n")), too_high));
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "a", "()", 100000, "\n")), too_high));
    assert_string_equal(
        fault_of(fixture, repeated(fixture, "", "(", 190, repeated(fixture, "a", ")", 190, "\n"))), "none");
    assert_string_equal(fault_of(fixture, repeated(fixture, "a", " and a", 100000, "\n")), "none");
    assert_string_equal(fault_of(fixture, repeated(fixture, "[", "a, ", 100000, "]\n")), "none");
    assert_string_equal(fault_of(fixture, repeated(fixture, "if a: b\n", "elif c: d\n", 900, "")), "none");
    assert_non_null(strstr(fault_of(fixture, repeated(fixture, "if a: b\n", "elif c: d\n", 100000, "")),
                           "more than 1000 elif branches"));
}

static void lost_structure_is_an_error(void **state) {
    struct fixture *fixture = *state;
    assert_null(parse(fixture, "def f():\n  g(\nx = 1\n"));
    assert_int_equal(fixture->diag.error_count, 1);
    assert_non_null(strstr(strbuf_text(&fixture->messages), "test.tk:2:4: error: '(' is never closed"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(integers),          TEST(floats),           TEST(strings),
        TEST(locations),         TEST(names_are_shared), TEST(faults),
        TEST(recovery_is_local), TEST(depth_is_limited), TEST(lost_structure_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
