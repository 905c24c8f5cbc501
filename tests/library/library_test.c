// tkc_compile from eight threads at once: one source is wrong, one compilation is cancelled, one meets a fault of tkc (planted behind
// frontend_load, which the linker wraps), the others give what a thread alone gets. Nothing is left behind: address sanitizer counts.
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "frontend/frontend.h"
#include "tkc/tkc.h"

enum { THREADS = 8, ROUNDS = 2 };
enum role { RIGHT, WRONG, CANCELLED, FAULT, ROLES };

static const char head[] = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n";
static const char right[] =
    "def k(x: \"*fp32:16\"):\n    i = tl.arange(0, 128)\n    tl.store(x + i, tl.load(x + i) + 1)\n";
static const char wrong[] = "def k(x: \"*fp32:16\"):\n    tl.store(x, nothing)\n";

static int cancel; // the flag of the cancelled compilation

// ---- planted faults, chosen by the name of the input ----

struct frontend *__real_frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                                      const struct frontend_options *options);
struct frontend *__wrap_frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                                      const struct frontend_options *options);

struct frontend *__wrap_frontend_load(struct arena *arena, struct diag *diag, const struct source *source,
                                      const struct frontend_options *options) {
    if (strcmp(source->path, "bug.tk") == 0) {
        bug("planted");
    } else if (strcmp(source->path, "abort.tk") == 0) {
        abort();
    } else if (strcmp(source->path, "endless.tk") == 0) {
        for (;;) {
            pause();
        }
    } else if (strcmp(source->path, "cancel.tk") == 0) {
        __atomic_store_n((int *)diag->cancel, 1, __ATOMIC_RELAXED);
    }
    return __real_frontend_load(arena, diag, source, options);
}

// ---- one compilation ----

struct reports {
    unsigned count, errors;
    char last[4000];
};

static void report(void *user, const struct tkc_diagnostic *diagnostic) {
    struct reports *reports = user;
    reports->count++;
    reports->errors += diagnostic->severity == TKC_ERROR;
    snprintf(reports->last, sizeof reports->last, "%s", diagnostic->message);
}

static struct tkc_result *compile(const char *name, const char *body, bool isolate, struct reports *reports) {
    char text[1000];
    const char *outputs[] = {"k.ptx"};
    struct tkc_options options;
    snprintf(text, sizeof text, "%s%s", head, body);
    tkc_options_init(&options);
    options.input = name;
    options.text = text;
    options.outputs = outputs;
    options.output_count = 1;
    options.isolate = isolate;
    options.cancel = strcmp(name, "endless.tk") == 0 || strcmp(name, "cancel.tk") == 0 ? &cancel : NULL;
    options.report = report;
    options.report_user = reports;
    *reports = (struct reports){0};
    return tkc_compile(&options);
}

static bool same_artifacts(const struct tkc_result *a, const struct tkc_result *b) {
    bool same = a->artifact_count == b->artifact_count;
    for (size_t i = 0; i < a->artifact_count && same; i++) {
        same = a->artifacts[i].kind == b->artifacts[i].kind &&
               a->artifacts[i].length == b->artifacts[i].length &&
               strcmp(a->artifacts[i].path, b->artifacts[i].path) == 0 &&
               memcmp(a->artifacts[i].bytes, b->artifacts[i].bytes, a->artifacts[i].length) == 0;
    }
    return same;
}

// ---- eight threads ----

struct worker {
    enum role role;
    bool isolate;
    const struct tkc_result *alone;
    const char *fault; // NULL: all was as it should be
};

static const char *judge(const struct worker *worker, const struct tkc_result *result,
                         const struct reports *reports) {
    bool reported = reports->count == result->diagnostic_count;
    switch (worker->role) {
    case RIGHT:
        return result->ok && reported && same_artifacts(result, worker->alone)
                   ? NULL
                   : "a right source has another result";
    case WRONG:
        return !result->ok && reported && !result->fault && reports->errors == 1 &&
                       result->diagnostics[0].place.line == 7
                   ? NULL
                   : "a wrong source";
    case CANCELLED:
        return !result->ok && result->cancelled && reported && !result->artifact_count
                   ? NULL
                   : "a cancelled compilation";
    default:
        return !result->ok && result->fault && reported && strstr(reports->last, "planted") ? NULL
                                                                                            : "a fault";
    }
}

static void *work(void *user) {
    struct worker *worker = user;
    static const char *const names[] = {
        [RIGHT] = "k.tk", [WRONG] = "k.tk", [CANCELLED] = "endless.tk", [FAULT] = "bug.tk"};
    for (int i = 0; i < ROUNDS && !worker->fault; i++) {
        struct reports reports;
        struct tkc_result *result =
            compile(names[worker->role], worker->role == WRONG ? wrong : right, worker->isolate, &reports);
        worker->fault = judge(worker, result, &reports);
        tkc_result_free(result);
    }
    return NULL;
}

static unsigned open_files(void) {
    unsigned count = 0;
    for (int fd = 0; fd < 256; fd++) {
        count += fcntl(fd, F_GETFD) != -1;
    }
    return count;
}

static void test_eight_threads(void **state) {
    (void)state;
    struct reports reports;
    struct tkc_result *alone = compile("k.tk", right, false, &reports);
    assert_true(alone->ok);
    unsigned files = open_files();
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    cancel = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){
            .role = i < ROLES ? (enum role)i : RIGHT, .isolate = i < ROLES || i % 2 == 0, .alone = alone};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    usleep(300000);
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_null(workers[i].fault);
    }
    assert_int_equal(open_files(), files);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left
    tkc_result_free(alone);
}

// ---- the rest ----

static void test_faults_are_results(void **state) {
    (void)state;
    struct reports reports;
    struct tkc_result *result = compile("abort.tk", right, true, &reports);
    assert_true(result->fault && !result->ok && !result->artifact_count);
    assert_non_null(strstr(reports.last, "signal 6"));
    tkc_result_free(result);
    result = compile("bug.tk", right, true, &reports);
    assert_true(result->fault);
    assert_non_null(strstr(reports.last, "status 70"));
    assert_non_null(strstr(reports.last, "library_test.c"));
    tkc_result_free(result);
}

static void test_isolated_is_the_same(void **state) {
    (void)state;
    struct reports one, other;
    struct tkc_result *here = compile("k.tk", right, false, &one),
                      *there = compile("k.tk", right, true, &other);
    assert_true(here->ok && there->ok && same_artifacts(here, there));
    assert_int_equal(one.count, other.count);
    assert_int_equal(here->dependency_count, there->dependency_count);
    assert_string_equal(there->dependencies[0], "k.tk");
    tkc_result_free(here);
    tkc_result_free(there);
}

// Not isolated, a compilation ends behind the pass at hand.
static void test_cancel_here(void **state) {
    (void)state;
    struct reports reports;
    cancel = 0;
    struct tkc_result *result = compile("cancel.tk", right, false, &reports);
    assert_true(result->cancelled && !result->ok && !result->artifact_count);
    assert_string_equal(reports.last, "the compilation was cancelled");
    tkc_result_free(result);
}

static void compile_within(void *user, const struct tkc_diagnostic *diagnostic) {
    (void)diagnostic;
    struct reports *reports = user;
    struct reports inner;
    struct tkc_result *result = compile("k.tk", right, reports->count == 0, &inner);
    reports->errors += !result->ok;
    reports->count++;
    tkc_result_free(result);
}

// A report function may compile; an isolated compilation within one that is not is refused, and does not hang.
static void test_within_a_report(void **state) {
    (void)state;
    char text[1000];
    struct reports reports = {0};
    struct tkc_options options;
    snprintf(text, sizeof text, "%s%s    tl.store(x, nothing_either)\n", head, wrong);
    tkc_options_init(&options);
    options.input = "k.tk";
    options.text = text;
    options.report = compile_within;
    options.report_user = &reports;
    tkc_result_free(tkc_compile(&options));
    assert_int_equal(reports.count, 2);
    assert_int_equal(reports.errors, 1);
}

static void test_another_header(void **state) {
    (void)state;
    struct tkc_options options;
    tkc_options_init(&options);
    options.size -= 8;
    struct tkc_result *result = tkc_compile(&options);
    assert_true(!result->ok && result->usage);
    assert_non_null(strstr(result->diagnostics[0].message, "call tkc_options_init"));
    tkc_result_free(result);
    struct {
        struct tkc_options options;
        char more[16];
    } later;
    memset(&later, 1, sizeof later);
    tkc_options_default(&later.options, sizeof later);
    assert_int_equal(later.more[15], 0);
    assert_int_equal(later.options.opt_level, 3);
}

static void refused(struct tkc_options *options, const char *field) {
    struct tkc_result *result = tkc_compile(options);
    assert_true(!result->ok && result->usage && !result->fault);
    assert_non_null(strstr(result->diagnostics[0].message, field));
    tkc_result_free(result);
    tkc_options_init(options);
    options->input = "x.tk";
    options->text = "";
}

// Values that no command line lets through are no faults of tkc, in this process either.
static void test_values(void **state) {
    (void)state;
    const char *none[] = {NULL};
    struct tkc_options options;
    tkc_options_init(&options);
    refused(&options, "the field input ");
    options.outputs = none;
    options.output_count = 1;
    refused(&options, "the field outputs ");
    options.target_count = 1;
    refused(&options, "the field targets ");
    options.define_count = 1;
    refused(&options, "the field defines ");
    options.file_count = 1;
    refused(&options, "the field files ");
    options.kind = (enum tkc_kind)99;
    refused(&options, "the field kind of struct tkc_options is 99");
    options.debug = (enum tkc_debug)99;
    refused(&options, "the field debug ");
    options.opt_level = -1;
    refused(&options, "it is from 0 to 3");
    options.num_stages = -5;
    refused(&options, "the field num_stages ");
    options.config = -3;
    refused(&options, "the field config ");
    options.least_occupancy = -1;
    refused(&options, "the field least_occupancy ");
    options.least_occupancy = 101;
    refused(&options, "the field least_occupancy ");
    options.dump_after = "nope";
    refused(&options, "\"nope\", which is no pass or step");
    options.stop_after = "slim";
    refused(&options, "\"slim\", which is no pass");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_isolated_is_the_same),
        cmocka_unit_test(test_faults_are_results),
        cmocka_unit_test(test_eight_threads),
        cmocka_unit_test(test_cancel_here),
        cmocka_unit_test(test_within_a_report),
        cmocka_unit_test(test_another_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
