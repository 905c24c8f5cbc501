// Facts for the page of --report. The module is lowered once more, with the lines of the source, and nothing else made of it
// changes.
//
// test: tests/cli/check_report.py
#include "driver/page.h"

#include "driver/work.h"

// The surveyed work of a kernel, by the names of its parameters.
static void add_work(struct report_kernel *kernel, const struct work_survey *survey,
                     const struct kernel_instance *instance, struct arena *arena) {
    struct reflect_kernel all = reflect_instance(arena, instance, 0);
    struct report_term *terms = ARENA_ARRAY(arena, struct report_term, survey->work.count + 1);
    for (unsigned i = 0; i < survey->work.count; i++) {
        const struct tkc_work *work = &survey->work.terms[i];
        bool named = work->parameter >= 0 && (size_t)work->parameter < all.param_count;
        terms[i] = (struct report_term){
            .parameter = named ? arena_strdup(arena, all.params[work->parameter].name) : NULL,
            .divisor = work->divisor,
            .products = work->products,
            .bytes = work->bytes,
            .special = survey->special[i],
            .simple = survey->simple[i]};
    }
    kernel->terms = terms;
    kernel->term_count = survey->work.count;
}

struct report_code *page_gather(struct unit *unit, struct compiled *c, struct arena *arena) {
    struct step_options quiet = {.without = unit_steps(unit).without};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = compile_lines(unit, c, context);
    struct report_code *gathered = NULL;
    struct strbuf code = {0};
    if (module) {
        char *text = LLVMPrintModuleToString(module);
        if (llvmgen_emit_last(module, c->target, LLVMGEN_ASSEMBLY, &quiet, &code, &unit->diag)) {
            gathered = report_gather(arena, c->ir, c->tiles, c->target, unit->source, text, &code);
        }
        LLVMDisposeMessage(text);
        LLVMDisposeModule(module);
    }
    for (size_t i = 0; gathered && i < gathered->kernel_count && i < unit_kernel_count(unit); i++) {
        add_work(&gathered->kernels[i], &c->surveys[i], &unit->frontend->kernels[i], arena);
    }
    strbuf_free(&code);
    LLVMContextDispose(context);
    return gathered;
}

void page_add(struct report_part *parts, size_t *count, const struct job *job, size_t first,
              const struct resources *resources) {
    if (job->page) {
        parts[(*count)++] = (struct report_part){job->target, job->page, &job->remarks, first, resources};
    }
}

void page_write(const struct unit *unit, const struct reflection *reflection, const struct report_part *parts,
                size_t count, struct strbuf *out) {
    struct report report = {.source = unit->source,
                            .kernels = reflection->kernels,
                            .kernel_count = reflection->kernel_count,
                            .parts = parts,
                            .part_count = count};
    report_write(unit->arena, &report, out);
}
