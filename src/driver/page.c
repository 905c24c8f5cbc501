// Facts for the page of --report. The module is lowered once more, with the lines of the source, and nothing else made of it
// changes.
//
// test: tests/cli/check_report.py
#include "driver/page.h"

#include <string.h>

#include "dialects/tk/tk.h"
#include "driver/resources.h"
#include "driver/traffic.h"
#include "driver/work.h"

static const char *parameter_name(struct arena *arena, const struct reflect_kernel *all, int parameter) {
    bool named = parameter >= 0 && (size_t)parameter < all->param_count;
    return named ? arena_strdup(arena, all->params[parameter].name) : NULL;
}

// An expression with the source's names of parameters.
static const char *source_text(struct arena *arena, const struct reflect_kernel *all, const char *text) {
    const char **names = ARENA_ARRAY(arena, const char *, all->param_count + 1);
    for (size_t i = 0; i < all->param_count; i++) {
        names[i] = all->params[i].name;
    }
    return artifact_source_names(arena, text, names, all->param_count);
}

// A branch in words; `number` from 0.
static struct report_branch branch_of(struct arena *arena, const struct work_branch *branch, size_t number,
                                      const struct reflect_kernel *all, unsigned line) {
    static const char *const comparisons[] = {
        [INT_EQ] = "==",  [INT_NE] = "!=", [INT_SLT] = "<",  [INT_SLE] = "<=", [INT_SGT] = ">",
        [INT_SGE] = ">=", [INT_ULT] = "<", [INT_ULE] = "<=", [INT_UGT] = ">",  [INT_UGE] = ">="};
    struct report_branch made = {.line = line, .within = branch->within, .less = branch->less};
    made.when = branch->when ? source_text(arena, all, branch->when) : NULL;
    const char *parameter = parameter_name(arena, all, branch->parameter);
    made.bound = parameter ? branch->bound : 0;
    made.where = parameter ? arena_printf(arena, "where %s %s %lld (line %u)", parameter,
                                          comparisons[branch->predicate], (long long)branch->bound, line)
                           : arena_printf(arena, "where the condition of line %u %s", line,
                                          number % 2 ? "does not hold" : "holds");
    return made;
}

static void add_branches(struct report_kernel *kernel, const struct work_survey *survey,
                         const struct reflect_kernel *all, struct compiled *c, const struct source *source,
                         struct arena *arena) {
    struct report_branch *branches = ARENA_ARRAY(arena, struct report_branch, survey->branch_count + 1);
    for (size_t i = 0; i < survey->branch_count; i++) {
        unsigned line = report_line_of(c->ir, survey->branches[i].at, source);
        branches[i] = branch_of(arena, &survey->branches[i], i, all, line);
    }
    kernel->branches = branches;
    kernel->branch_count = survey->branch_count;
}

// "k and v"
static const char *looped_names(struct arena *arena, const struct work_survey *survey,
                                const struct reflect_kernel *all) {
    const char *text = NULL;
    for (size_t i = 0; i < survey->looped_count; i++) {
        const char *name = parameter_name(arena, all, (int)survey->looped[i]);
        const char *between = i + 1 == survey->looped_count ? " and " : ", ";
        text = text ? arena_printf(arena, "%s%s%s", text, between, name) : name;
    }
    return text;
}

// The surveyed work of a kernel, by the names of its parameters.
static void add_work(struct report_kernel *kernel, const struct work_survey *survey,
                     const struct reflect_kernel *all, struct compiled *c, const struct source *source,
                     struct arena *arena) {
    struct report_term *terms = ARENA_ARRAY(arena, struct report_term, survey->count + 1);
    for (size_t i = 0; i < survey->count; i++) {
        const struct work_part *part = &survey->parts[i];
        terms[i] = (struct report_term){
            .parameter = parameter_name(arena, all, part->parameter),
            .divisor = part->divisor,
            .branch = part->branch,
            .products = part->products,
            .bytes = part->bytes,
            .again = part->again,
            .special = part->special - part->quotients,
            .simple = part->simple + part->quotients,
            .shared = part->shared,
            .exchanged = part->exchanged,
            .barriers = part->barriers,
            .accesses = part->accesses,
            .steps = part->steps ? source_text(arena, all, part->steps) : NULL,
            .per = part->per,
            .exchange_line =
                part->largest_exchange > 0 ? report_line_of(c->ir, part->exchange_at, source) : 0};
    }
    kernel->terms = terms;
    kernel->term_count = survey->count;
    kernel->looped = looped_names(arena, survey, all);
}

static struct report_code *gather(struct unit *unit, struct compiled *c, struct arena *arena,
                                  struct strbuf *code) {
    struct step_options quiet = {.without = unit_steps(unit).without};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = compile_lines(unit, c, context);
    struct report_code *gathered = NULL;
    if (module) {
        char *text = LLVMPrintModuleToString(module);
        if (llvmgen_emit_last(module, c->target, LLVMGEN_ASSEMBLY, &quiet, code, &unit->diag)) {
            gathered = report_gather(arena, c->ir, c->tiles, c->target, unit->source, text, code);
        }
        LLVMDisposeMessage(text);
        LLVMDisposeModule(module);
    }
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; gathered && i < gathered->kernel_count && i < unit_kernel_count(unit); i++) {
        traffic_add(&c->surveys[i], c->ir, arena, c->target, function, TRAFFIC_PEELED_ONCE);
        function = mlirOperationGetNextInBlock(function);
        struct reflect_kernel all = reflect_instance(arena, &unit->frontend->kernels[i], 0);
        add_work(&gathered->kernels[i], &c->surveys[i], &all, c, unit->source, arena);
        memcpy(gathered->kernels[i].loaded, c->sharings[i].bytes, sizeof c->sharings[i].bytes);
        gathered->kernels[i].varying =
            c->sharings[i].varies ? report_line_of(c->ir, c->sharings[i].varying, unit->source) : 0;
        add_branches(&gathered->kernels[i], &c->surveys[i], &all, c, unit->source, arena);
    }
    LLVMContextDispose(context);
    return gathered;
}

struct report_code *page_gather(struct unit *unit, struct compiled *c, struct arena *arena) {
    struct strbuf code = {0};
    struct report_code *gathered = gather(unit, c, arena, &code);
    strbuf_free(&code);
    return gathered;
}

void page_add(struct report_part *parts, size_t *count, const struct job *job, size_t first,
              const struct resources *resources) {
    if (job->page) {
        parts[(*count)++] = (struct report_part){job->target, job->page, &job->remarks, first, resources};
    }
}

// Adds the machine code of a part, if its tools are there.
static bool add_sass(struct unit *unit, const struct target *target, struct report_code *code) {
    struct strbuf lines = {0}, lives = {0};
    unsigned errors = unit->diag.error_count;
    if (code->ptx && sass_listing(unit->arena, code->ptx, code->ptx_length, target, unit->options, &lines,
                                  &lives, &unit->diag)) {
        report_sass(unit->arena, code, strbuf_text(&lines), strbuf_text(&lives));
    }
    strbuf_free(&lines);
    strbuf_free(&lives);
    return unit->diag.error_count == errors;
}

bool page_write(struct unit *unit, const struct reflection *reflection, const struct report_part *parts,
                size_t count, struct strbuf *out) {
    for (size_t i = 0; i < count; i++) {
        if (!add_sass(unit, parts[i].target, parts[i].code)) {
            return false;
        }
    }
    struct report report = {.source = unit->source,
                            .kernels = reflection->kernels,
                            .kernel_count = reflection->kernel_count,
                            .parts = parts,
                            .part_count = count};
    report_write(unit->arena, &report, out);
    return true;
}

// The figures of kernels compiled without a job: of their code as text.
static bool figures(struct unit *unit, struct compiled *c, struct strbuf *code, struct resources *all) {
    size_t count = unit_kernel_count(unit);
    struct job job = {.target = c->target, .entries = c->entries, .listing = *code};
    struct resources **list = ARENA_ARRAY(unit->arena, struct resources *, count + 1);
    resources_of_job(&job, unit->arena, unit->frontend->kernels, count, all);
    for (size_t i = 0; i < count; i++) {
        list[i] = &all[i];
    }
    bool good = c->target->vendor != VENDOR_NVIDIA || !count ||
                resources_ask_ptxas(unit->arena, unit->options, code, list, count, &unit->diag);
    for (size_t i = 0; i < count && good; i++) {
        resources_settle(&all[i], c->entries[i].dealing.persistent);
    }
    return good;
}

bool page_of_run(struct unit *unit, struct compiled *c, const struct report_run *run, struct strbuf *out) {
    size_t count = unit_kernel_count(unit);
    struct strbuf code = {0};
    struct resources *all = ARENA_ARRAY(unit->arena, struct resources, count + 1);
    struct reflect_kernel *kernels = ARENA_ARRAY(unit->arena, struct reflect_kernel, count + 1);
    struct report_code *gathered = gather(unit, c, unit->arena, &code);
    bool good = gathered && figures(unit, c, &code, all) && add_sass(unit, c->target, gathered);
    for (size_t i = 0; i < count; i++) {
        kernels[i] = reflect_instance(unit->arena, &unit->frontend->kernels[i], 0);
    }
    if (good) {
        struct report_part part = {c->target, gathered, &c->remarks, 0, all};
        struct report report = {unit->source, run, kernels, count, &part, 1};
        report_write(unit->arena, &report, out);
    }
    strbuf_free(&code);
    return good;
}
