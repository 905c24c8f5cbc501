// tkc_compile: from options to artifacts, by way of a unit and its compiled targets (compile.c).
#include "tkc/tkc.h"

#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "passes/pass.h"
#include "codegen/llvmgen.h"

// A result under construction: its memory is the unit's arena, handed over at the end.
struct making {
    struct unit unit;
    struct tkc_result *result;
    size_t diagnostic_capacity;
    size_t artifact_capacity;
    struct output_plan plan;
    struct reflection reflection;
};

static void *grown(struct arena *arena, void *old, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return old;
    }
    *capacity = *capacity ? 2 * *capacity : 16;
    void *fresh = arena_alloc(arena, *capacity * size);
    if (count) {
        memcpy(fresh, old, count * size);
    }
    return fresh;
}

static void keep_diagnostic(void *user, enum diag_severity severity, const char *text) {
    struct making *m = user;
    static const enum tkc_severity severities[] = {
        [DIAG_NOTE] = TKC_NOTE, [DIAG_WARNING] = TKC_WARNING, [DIAG_ERROR] = TKC_ERROR};
    struct tkc_result *r = m->result;
    r->diagnostics = grown(m->unit.arena, r->diagnostics, r->diagnostic_count, &m->diagnostic_capacity,
                           sizeof *r->diagnostics);
    r->diagnostics[r->diagnostic_count++] =
        (struct tkc_diagnostic){severities[severity], arena_strdup(m->unit.arena, text)};
    if (m->unit.options && m->unit.options->report) {
        m->unit.options->report(m->unit.options->report_user, severities[severity], text);
    }
}

// Takes the buffer's bytes over into the result's memory.
static void add_artifact(struct making *m, enum tkc_kind kind, const struct target *target, const char *path,
                         struct strbuf *bytes) {
    struct tkc_result *r = m->result;
    r->artifacts =
        grown(m->unit.arena, r->artifacts, r->artifact_count, &m->artifact_capacity, sizeof *r->artifacts);
    char *copy = arena_alloc(m->unit.arena, bytes->length + 1);
    if (bytes->length) {
        memcpy(copy, bytes->data, bytes->length);
    }
    r->artifacts[r->artifact_count++] =
        (struct tkc_artifact){kind, target ? target->name : NULL, path, copy, bytes->length};
    strbuf_free(bytes);
}

// ---- code ----

static void print_tiles(struct compiled *c, struct strbuf *out) {
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    ir_print(c->ir, c->tiles, memory);
    fclose(memory);
    strbuf_add_bytes(out, text, length);
    free(text);
}

static bool make_code(struct making *m, struct compiled *c, enum tkc_kind kind, struct strbuf *out,
                      const char **tool) {
    struct strbuf object = {0};
    struct diag *diag = &m->unit.diag;
    bool ok = true;
    switch (kind) {
    case TKC_MLIR:
        print_tiles(c, out);
        break;
    case TKC_LLVM_IR: {
        char *text = LLVMPrintModuleToString(c->llvm);
        strbuf_add(out, text);
        LLVMDisposeMessage(text);
        break;
    }
    case TKC_PTX:
    case TKC_ASSEMBLY:
        ok = llvmgen_emit(c->llvm, c->target, LLVMGEN_ASSEMBLY, out, diag);
        break;
    case TKC_CUBIN:
        ok = llvmgen_emit(c->llvm, c->target, LLVMGEN_ASSEMBLY, &object, diag) &&
             cubin_assemble(m->unit.arena, object.data, object.length, c->target, m->unit.options->ptxas,
                            m->unit.options->debug != TKC_DEBUG_NONE, out, tool, diag);
        break;
    case TKC_HSACO:
        ok = llvmgen_emit(c->llvm, c->target, LLVMGEN_OBJECT, &object, diag) &&
             hsaco_link(m->unit.arena, object.data, object.length, m->unit.options->ld, out, tool, diag);
        break;
    default:
        bug("output kind %d is not code", (int)kind);
    }
    strbuf_free(&object);
    return ok && diag_checkpoint(diag);
}

// The image that the launcher embeds: the first of a target's outputs that a driver can load.
static bool is_image(enum tkc_kind kind) {
    return kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_HSACO;
}

static bool make_target(struct making *m, const struct target *target) {
    struct compiled compiled;
    bool ok = compile_for(&m->unit, target, &compiled);
    struct reflect_target *reflected = NULL;
    for (size_t k = 0; ok && compiled.entries && k < unit_kernel_count(&m->unit); k++) {
        m->reflection.kernels[k].entries[m->reflection.target_count] = compiled.entries[k];
    }
    for (size_t i = 0; ok && i < m->plan.output_count; i++) {
        const struct output *output = &m->plan.outputs[i];
        if (output->target != target) {
            continue;
        }
        struct strbuf bytes = {0};
        const char *tool = NULL;
        enum tkc_kind kind = compiled.stopped ? TKC_MLIR : output->kind;
        ok = make_code(m, &compiled, kind, &bytes, &tool);
        if (!ok) {
            strbuf_free(&bytes);
            break;
        }
        add_artifact(m, kind, target, output->path, &bytes);
        if (is_image(kind) && !reflected) {
            const struct tkc_artifact *made = &m->result->artifacts[m->result->artifact_count - 1];
            reflected = &m->reflection.targets[m->reflection.target_count++];
            *reflected = (struct reflect_target){target, kind, made->bytes, made->length, made->path, tool};
        }
    }
    compiled_free(&compiled);
    return ok;
}

// ---- what goes with the code ----

// Entry parameters and constants, as the launcher and the reflection show them.
static void reflect_kernel(struct making *m, const struct kernel_instance *kernel,
                           struct reflect_kernel *out) {
    struct arena *arena = m->unit.arena;
    *out = (struct reflect_kernel){.name = kernel->name,
                                   .function = kernel->function,
                                   .config = kernel->config,
                                   .grid = {kernel->grid[0], kernel->grid[1], kernel->grid[2]},
                                   .num_warps = (unsigned)kernel->num_warps,
                                   .num_stages = (unsigned)kernel->num_stages};
    out->params = ARENA_ARRAY(arena, struct reflect_param, kernel->param_count + 1);
    out->constants = ARENA_ARRAY(arena, struct reflect_constant, kernel->param_count + 1);
    out->entries = ARENA_ARRAY(arena, struct reflect_entry, m->plan.target_count + 1);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        if (param->is_constant) {
            struct strbuf text = {0};
            value_print(&text, param->value, true);
            out->constants[out->constant_count++] = (struct reflect_constant){
                param->name, arena_strdup(arena, strbuf_text(&text)), value_is_integral(param->value)};
            strbuf_free(&text);
        } else {
            bool pointer = dtype_is_pointer(param->dtype);
            struct dtype shown = pointer ? dtype_pointee(param->dtype) : param->dtype;
            out->params[out->param_count++] = (struct reflect_param){.name = param->name,
                                                                     .dtype = dtype_signature(arena, shown),
                                                                     .pointer = pointer,
                                                                     .divisible_by = param->divisible_by,
                                                                     .equals_one = param->equals_one};
        }
    }
}

static void reflect_kernels(struct making *m) {
    const struct frontend *frontend = m->unit.frontend;
    m->reflection.source = m->unit.source->path;
    m->reflection.kernel_count = frontend->kernel_count;
    m->reflection.kernels = ARENA_ARRAY(m->unit.arena, struct reflect_kernel, frontend->kernel_count + 1);
    m->reflection.targets = ARENA_ARRAY(m->unit.arena, struct reflect_target, m->plan.target_count + 1);
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        reflect_kernel(m, &frontend->kernels[i], &m->reflection.kernels[i]);
    }
}

static const char *stem_of(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_strndup(arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static bool make_companions(struct making *m) {
    struct strbuf text = {0};
    if (m->plan.header_path && m->reflection.target_count > 0) {
        if (!header_write(m->unit.arena, &m->reflection, stem_of(m->unit.arena, m->plan.header_path), &text,
                          &m->unit.diag)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, TKC_HEADER, NULL, m->plan.header_path, &text);
        text = (struct strbuf){0};
    }
    if (m->plan.json_path && m->reflection.target_count > 0) {
        reflection_write(&m->reflection, &text);
        add_artifact(m, TKC_JSON, NULL, m->plan.json_path, &text);
        text = (struct strbuf){0};
    }
    if (m->plan.depfile_path) {
        const char **products = ARENA_ARRAY(m->unit.arena, const char *, m->result->artifact_count + 1);
        for (size_t i = 0; i < m->result->artifact_count; i++) {
            products[i] = m->result->artifacts[i].path;
        }
        size_t source_count = 0;
        const char *const *sources = frontend_dependencies(m->unit.frontend, &source_count);
        if (!depfile_write(products, m->result->artifact_count, sources, source_count, &text,
                           &m->unit.diag)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, TKC_DEPFILE, NULL, m->plan.depfile_path, &text);
    }
    return diag_checkpoint(&m->unit.diag);
}

// Of the source before anything is read, and of its imports when all of them are known.
static bool check_outputs(struct making *m, const struct tkc_options *options) {
    size_t count = options->text ? 0 : 1;
    const char *const *sources = &options->input;
    if (m->unit.frontend) {
        sources = frontend_dependencies(m->unit.frontend, &count);
    }
    return outputs_check(&m->plan, sources, count, &m->unit.diag);
}

static bool make(struct making *m, const struct tkc_options *options) {
    if (!outputs_plan(m->unit.arena, options, &m->unit.diag, &m->plan) || !check_outputs(m, options) ||
        !unit_open(&m->unit, options, m->plan.target_count ? m->plan.targets[0] : NULL)) {
        return false;
    }
    if (!options->run_pass) {
        reflect_kernels(m);
    }
    for (size_t i = 0; i < m->plan.target_count; i++) {
        if (!make_target(m, m->plan.targets[i])) {
            return false;
        }
    }
    return check_outputs(m, options) && (options->run_pass || options->stop_after || make_companions(m));
}

struct tkc_result *tkc_compile(const struct tkc_options *options) {
    struct arena *arena = arena_create();
    struct making *m = ARENA_NEW(arena, struct making);
    m->unit.arena = arena;
    m->unit.options = options;
    m->result = ARENA_NEW(arena, struct tkc_result);
    m->unit.diag = (struct diag){.error_limit = 20, .sink = keep_diagnostic, .sink_user = m};
    m->result->ok = make(m, options) && diag_checkpoint(&m->unit.diag);
    m->result->clash = m->plan.clash;
    if (!m->result->ok) {
        m->result->artifact_count = 0;
    }
    m->result->memory = arena;
    return m->result;
}
