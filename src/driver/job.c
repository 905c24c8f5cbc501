// Compilation jobs, and the threads to run them in order.
#include "driver/job.h"

#include "driver/fuse.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver/page.h"
#include "driver/remarks.h"
#include "driver/resources.h"
#include "codegen/llvmgen.h"
#include "codegen/spills.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "passes/facts/sums.h"
#include "support/locale.h"

enum {
    THREADS_MAX = 256,
    STACK_BYTES = 64 << 20
}; // for recursive evaluation, and LLVM's walks over a thousand loops

// ---- one job ----

static void print_tiles(struct compiled *c, struct strbuf *out) {
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    ir_print(c->ir, c->tiles, memory);
    fclose(memory);
    strbuf_add_bytes(out, text, length);
    free(text);
}

// Warns about each kernel with spills. True if there are any.
static bool warn_of_spills(const struct compiled *c, const struct job_code *code, struct diag *diag) {
    const struct strbuf *bytes = &code->bytes;
    bool any = false;
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t kernel = 0; !mlirOperationIsNull(function); kernel++) {
        struct spills spills = spills_of_kernel(bytes->data, bytes->length, code->kind == TKC_HSACO, kernel);
        any |= spills.spilled > 0;
        if (spills.spilled) {
            MlirStringRef name = op_string(function, ATTR_SYM_NAME);
            diag_warning(diag, WARNING_SPILLS, ir_user_location(c->ir, function),
                         "%.*s on %s: its values do not fit in the %u registers of a thread: %u of them are "
                         "kept in %u B "
                         "of scratch memory; use more warps, smaller tiles or fewer stages",
                         (int)name.length, name.data, c->target->name, spills.registers, spills.spilled,
                         spills.bytes);
        }
        function = mlirOperationGetNextInBlock(function);
    }
    return any;
}

// LLVM's form for an output.
static enum llvmgen_kind code_kind(enum tkc_kind kind) {
    return kind == TKC_HSACO ? LLVMGEN_OBJECT : LLVMGEN_ASSEMBLY;
}

// `last`: no later output is made from the module.
static bool make_code(struct job *job, const struct unit *unit, struct compiled *c, struct job_code *code,
                      bool last, struct diag *diag) {
    enum llvmgen_kind kind = code_kind(code->kind);
    struct step_options steps = unit_steps(unit);
    bool ok = true;
    switch (code->kind) {
    case TKC_MLIR:
        print_tiles(c, &code->bytes);
        break;
    case TKC_LLVM_IR: {
        char *text = LLVMPrintModuleToString(c->llvm);
        strbuf_add(&code->bytes, text);
        LLVMDisposeMessage(text);
        break;
    }
    case TKC_PTX:
    case TKC_ASSEMBLY:
    case TKC_CUBIN:
    case TKC_HSACO:
        if (c->object.length && c->object_kind == kind) {
            code->bytes = c->object;
            c->object = (struct strbuf){0};
        } else {
            ok = (last ? llvmgen_emit_last : llvmgen_emit)(c->llvm, c->target, kind, &steps, &code->bytes,
                                                           diag);
        }
        break;
    default:
        bug("output kind %d is not code", (int)code->kind);
    }
    if (ok && c->target->vendor == VENDOR_AMD && (code->kind == TKC_HSACO || code->kind == TKC_ASSEMBLY)) {
        job->spills |= warn_of_spills(c, code, diag);
    }
    return ok && diag_checkpoint(diag);
}

// Makes the code as text for figures, unless an output is text.
static bool make_listing(struct job *job, const struct unit *unit, struct compiled *c, struct diag *diag) {
    bool is_output = false;
    for (size_t i = 0; i < job->kind_count; i++) {
        is_output |= job->kinds[i] == TKC_PTX || job->kinds[i] == TKC_CUBIN || job->kinds[i] == TKC_ASSEMBLY;
    }
    struct step_options quiet = {.without = unit_steps(unit).without};
    return is_output || c->stopped || !resources_wanted(unit->options) ||
           llvmgen_emit(c->llvm, c->target, LLVMGEN_ASSEMBLY, &quiet, &job->listing, diag);
}

// Adds the entry's name to the names of its globals, such as texts to print, so that modules can be joined.
static void qualify_globals(struct compiled *c, const char *entry) {
    for (LLVMValueRef one = LLVMGetFirstGlobal(c->llvm); one; one = LLVMGetNextGlobal(one)) {
        size_t length;
        const char *name = LLVMGetValueName2(one, &length);
        if (LLVMGetInitializer(one)) {
            struct strbuf qualified = {0};
            strbuf_printf(&qualified, "%.*s_of_%s", (int)length, name, entry);
            LLVMSetValueName2(one, strbuf_text(&qualified), qualified.length);
            strbuf_free(&qualified);
            strbuf_free(&c->object); // made with the old names
        }
    }
}

static const char **keep_paths(struct arena *arena, const char *const *paths, size_t count) {
    const char **kept = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        kept[i] = arena_strdup(arena, paths[i]);
    }
    return kept;
}

static void keep_dependencies(struct job *job, struct unit *unit) {
    if (unit->frontend) {
        const char *const *paths = frontend_dependencies(unit->frontend, &job->dependency_count);
        job->dependencies = keep_paths(job->arena, paths, job->dependency_count);
        paths = frontend_absent(unit->frontend, &job->absent_count);
        job->absent = keep_paths(job->arena, paths, job->absent_count);
    }
}

static void compile(struct job *job, struct unit *unit) {
    struct compiled compiled;
    job->codes = ARENA_ARRAY(job->arena, struct job_code, job->kind_count + 1);
    unit->wants_assembly = job->kind_count == 1 && job->kinds[0] == TKC_ASSEMBLY;
    job->ok = compile_for(unit, job->target, &compiled);
    job->entries = compiled.entries;
    if (job->ok && !compiled.stopped && job->target->vendor == VENDOR_NVIDIA) {
        job->spills = sums_warn(compiled.ir, unit->arena, job->target, compiled.tiles, &unit->diag);
    }
    if (job->ok && job->only && !compiled.stopped) {
        qualify_globals(&compiled, job->only->name);
    }
    job->ok = job->ok && make_listing(job, unit, &compiled, &unit->diag);
    if (job->ok && unit->options->page && !compiled.stopped) {
        job->page = page_gather(unit, &compiled, job->arena);
    }
    job->stopped = compiled.stopped;
    for (size_t i = 0; i < job->kind_count && job->ok; i++) {
        job->codes[i] = (struct job_code){.kind = !compiled.stopped ? job->kinds[i]
                                                  : compiled.llvm   ? TKC_LLVM_IR
                                                                    : TKC_MLIR};
        job->ok = make_code(job, unit, &compiled, &job->codes[i], i + 1 == job->kind_count, &unit->diag);
    }
    job->remarks = compiled.remarks;
    compiled.remarks = (struct remarks){0};
    compiled_free(&compiled);
    keep_dependencies(job, unit);
}

static void keep_message(void *user, const struct diag_message *message) {
    struct job *job = user;
    job->messages = arena_grown(job->arena, job->messages, job->message_count, &job->message_capacity,
                                sizeof *job->messages);
    struct diag_message *kept = &job->messages[job->message_count++];
    *kept = *message;
    kept->text = arena_strdup(job->arena, message->text);
    kept->body = arena_strdup(job->arena, message->body);
    kept->fix.text = message->has_fix ? arena_strdup(job->arena, message->fix.text) : NULL;
}

// The functions of a merged kernel's chain.
static const char *const *chain_functions(struct arena *arena, const struct frontend *frontend,
                                          const struct kernel_merge *merge, size_t *count) {
    for (size_t i = 0; i < frontend->chain_count; i++) {
        const struct kernel_chain *chain = &frontend->chains[i];
        if (strcmp(chain->name, merge->chain) == 0) {
            const char **functions = ARENA_ARRAY(arena, const char *, chain->step_count + 1);
            for (*count = 0; *count < chain->step_count; (*count)++) {
                functions[*count] = chain->steps[*count].function;
            }
            return functions;
        }
    }
    bug("no chain %s", merge->chain);
}

// Opens the source again, for one variant or with the same options, and compiles it.
static void compile_apart(struct job *job, const struct unit *given, const struct target *first,
                          unsigned split) {
    struct tkc_options options = *given->options;
    struct unit unit = {.arena = job->arena,
                        .source = given->source,
                        .parsed = given->frontend ? frontend_parsed(given->frontend) : NULL,
                        .named = given->named,
                        .named_count = given->named_count,
                        .diag = {.error_limit = given->diag.error_limit,
                                 .cancel = given->diag.cancel,
                                 .warnings = given->diag.warnings,
                                 .commands = given->diag.commands,
                                 .receiver = keep_message,
                                 .sink_user = job}};
    if (job->only) {
        options.kernels = &job->only->function;
        options.kernel_count = 1;
        options.config = job->only->config_count ? (int)job->only->config : TKC_CONFIG_AUTO;
        unit.entry_name = job->only->name;
        unit.level = job->only->hints;
    }
    const struct kernel_merge *merge = job->only ? job->only->merge : NULL;
    if (merge) { // a kernel of no function: the chain and its kernels are read again
        options.kernels = chain_functions(job->arena, given->frontend, merge, &options.kernel_count);
        unit.entry_name = NULL;
    }
    unit.diag.budget.split = split;
    if (unit_open(&unit, &options, first)) {
        if (merge) {
            chain_fuse_again(&unit, merge);
        } else if (!job->only && given->frontend && !options.run_pass && !options.no_fuse) {
            chains_fuse_as(&unit, given->frontend);
        }
        for (size_t i = 0; job->only && i < unit.frontend->kernel_count; i++) {
            unit.frontend->kernels[i].order = job->only->order;
        }
        compile(job, &unit);
    }
    job->exhausted = unit.diag.budget.exceeded && budget_is_shared(unit.diag.budget.first);
}

void job_free(struct job *job) {
    for (size_t i = 0; i < job->kind_count && job->codes; i++) {
        strbuf_free(&job->codes[i].bytes);
    }
    remarks_close(&job->remarks);
    strbuf_free(&job->listing);
    arena_destroy(job->arena);
    *job = (struct job){0};
}

// ---- threads ----

struct queue {
    const struct unit *unit;
    const struct target *first;
    struct job *jobs;
    const size_t *order; // job indices in the order of work
    size_t count, next;
    size_t exhausted; // the first exhausted job; `count`: none
};

// With more jobs, each gets only a part of the compile-time budget.
enum { JOBS_WHOLE = 25 };

static void *take_jobs(void *user) {
    locale_t locale = locale_enter();
    struct queue *queue = user;
    size_t place;
    while ((place = __atomic_fetch_add(&queue->next, 1, __ATOMIC_RELAXED)) < queue->count) {
        size_t index = queue->order[place], least = __atomic_load_n(&queue->exhausted, __ATOMIC_RELAXED);
        if (index > least) {
            continue;
        }
        compile_apart(&queue->jobs[index], queue->unit, queue->first,
                      (unsigned)((queue->count - 1) / JOBS_WHOLE + 1));
        while (queue->jobs[index].exhausted && index < least &&
               !__atomic_compare_exchange_n(&queue->exhausted, &least, index, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED)) {
        }
    }
    locale_leave(locale);
    return NULL;
}

// A relative estimate of a job's time: large tiles and few warps mean much code for a thread, and for AMD
// LLVM also allocates registers.
static double expected_work(const struct job *job) {
    const struct kernel_instance *kernel = job->only;
    double work = job->target->vendor == VENDOR_AMD ? 4 : 1;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        if (param->is_constant && param->value.kind == VALUE_INT && param->value.integer > 1) {
            work *= (double)param->value.integer;
        }
    }
    return work / kernel->num_warps;
}

// Orders the jobs by falling work, so that the threads end together. Equal jobs keep their order; so do all
// of them on a single thread. Job 0 stays first: if it exceeds the budget, most jobs do, and the jobs behind
// an exhausted one are left out.
static const size_t *longest_first(struct arena *arena, const struct job *jobs, size_t count, bool alone) {
    size_t *order = ARENA_ARRAY(arena, size_t, count);
    double *work = ARENA_ARRAY(arena, double, count);
    for (size_t i = 0; i < count; i++) {
        work[i] = jobs[i].only && !alone ? expected_work(&jobs[i]) : 0;
        size_t at = i;
        for (; at > 1 && work[order[at - 1]] < work[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    return order;
}

// One thread for --dump-after and --time-passes: they print during the work, in order.
static size_t thread_count(const struct tkc_options *options, size_t jobs) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = options->jobs ? options->jobs : processors > 0 ? (size_t)processors : 1;
    wanted = options->dump_after || options->time_passes ? 1 : wanted;
    wanted = wanted < jobs ? wanted : jobs;
    return wanted < THREADS_MAX ? wanted : THREADS_MAX;
}

// Gives the main thread the stack of the others. Linux reads the limit at each growth of the stack.
static void allow_stack(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_BYTES) {
        limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
        setrlimit(RLIMIT_STACK, &limit);
    }
}

void jobs_run(struct unit *unit, const struct target *first, struct job *jobs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        jobs[i].arena = arena_create();
    }
    if (count == 1 && !jobs->only) {
        allow_stack();
        compile(jobs, unit);
        return;
    }
    pthread_t threads[THREADS_MAX];
    pthread_attr_t attributes;
    size_t wanted = thread_count(unit->options, count), started = 0;
    struct queue queue = {unit,  first, jobs, longest_first(unit->arena, jobs, count, wanted == 1),
                          count, 0,     count};
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (started < wanted && pthread_create(&threads[started], &attributes, take_jobs, &queue) == 0) {
        started++;
    }
    pthread_attr_destroy(&attributes);
    if (!started) { // no thread to be had
        take_jobs(&queue);
    }
    for (size_t i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
}
