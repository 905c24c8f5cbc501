// A kernel through the compiler: a source file, or tile IR text (.mlir) through the passes and the lowering.
#include "program_compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/compile.h"
#include "driver/fuse.h"
#include "driver/page.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "plot.h"
#include "support/file.h"
#include "codegen/llvmgen.h"
#include "lower/lower.h"

// Must outlive the module.
struct compilation {
    struct tkc_options options;
    struct unit unit;
    struct compiled compiled;
};

static bool fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool fail(const char *format, ...) {
    va_list args;
    fprintf(stderr, "tkc-run: error: ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    return false;
}

static bool draw_plots(struct compilation *c, const struct program_request *request) {
    bool good = true;
    for (size_t i = 0; i < request->plot_count && good; i++) {
        good = plot_write(c->compiled.ir, c->unit.arena, c->compiled.tiles, c->compiled.target,
                          request->plots[i]);
    }
    return good;
}

static void read_attributes(struct compilation *c, struct kernel_program *program) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->compiled.tiles));
    struct reflect_entry entry =
        reflect_function(c->compiled.ir, c->unit.arena, function, c->compiled.target);
    program->shared_bytes = entry.shared_bytes;
    program->threads = entry.threads;
    program->hidden = entry.hidden;
    program->hidden_count = entry.hidden_count;
    program->dealing = entry.dealing;
    program->waits = entry.waits;
    struct reflect_param *params =
        ARENA_ARRAY(c->unit.arena, struct reflect_param, program->parameter_count + 1);
    for (unsigned i = 0; i < program->parameter_count; i++) {
        struct kernel_parameter *parameter = &program->parameters[i];
        params[i] = (struct reflect_param){.divisible_by = parameter->divisible_by,
                                           .equals_one = parameter->equals_one};
    }
    reflect_imply(params, &entry);
    for (unsigned i = 0; i < program->parameter_count; i++) {
        program->parameters[i].divisible_by = params[i].divisible_by;
        program->parameters[i].equals_one = params[i].equals_one;
    }
    program->apart = entry.apart;
    program->apart_count = entry.apart_count;
}

// ---- tile IR ----

static bool compile_tiles(struct compilation *c, struct kernel_program *program,
                          const struct program_request *request, const struct target *target) {
    size_t length;
    char *text = file_read(request->options.input, &length);
    bool stopped = false;
    if (!text) {
        return fail("cannot read %s: %s", request->options.input, file_read_error());
    }
    c->compiled = (struct compiled){.target = target, .ir = ir_create(&c->unit.diag)};
    c->compiled.tiles = ir_parse(c->compiled.ir, text, request->options.input);
    free(text);
    if (mlirModuleIsNull(c->compiled.tiles)) {
        return false;
    }
    struct pass_context passes = {
        .ir = c->compiled.ir, .target = target, .arena = c->unit.arena, .diag = &c->unit.diag};
    if (!passes_run(&passes, c->compiled.tiles, &(struct pass_options){.out = stderr}, &stopped) ||
        !draw_plots(c, request)) {
        return false;
    }
    read_attributes(c, program);
    c->compiled.llvm_context = LLVMContextCreate();
    c->compiled.llvm =
        lower_module(c->compiled.ir, c->compiled.tiles, target, c->compiled.llvm_context,
                     &(struct lower_options){.debug = DEBUG_LINES, .emulated = !request->want_image});
    if (c->compiled.llvm) {
        llvmgen_optimise(c->compiled.llvm, target, 2, NULL);
    }
    return c->compiled.llvm != NULL;
}

// ---- source ----

static bool choose_kernel(const struct frontend *frontend, const char *path, size_t *index) {
    *index = 0;
    if (frontend->kernel_count == 1) {
        return true;
    }
    if (frontend->kernel_count == 0) {
        return fail("%s has no kernel", path);
    }
    struct strbuf names = {0};
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        strbuf_printf(&names, "%s%s", i ? ", " : "", frontend->kernels[i].name);
    }
    fail("%s has %zu kernels; choose one with -n: %s", path, frontend->kernel_count, strbuf_text(&names));
    strbuf_free(&names);
    return false;
}

static bool describe_kernel(struct compilation *c, const struct kernel_instance *kernel,
                            struct kernel_program *program) {
    struct arena *arena = c->unit.arena;
    program->name = strdup(kernel->name);
    program->constants = calloc(kernel->param_count + 1, sizeof *program->constants);
    const char **names = ARENA_ARRAY(arena, const char *, kernel->param_count + 1);
    for (size_t i = 0; i < kernel->param_count; i++) {
        names[i] = kernel->params[i].name;
    }
    for (unsigned i = 0; i < 3; i++) {
        program->grid[i] =
            kernel->grid[i]
                ? strdup(artifact_source_names(arena, kernel->grid[i], names, kernel->param_count))
                : NULL;
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct kernel_param *param = &kernel->params[i];
        if (param->is_constant) {
            if (value_is_integral(param->value)) {
                program->constants[program->constant_count++] = (struct expression_name){
                    param->name, param->value.kind == VALUE_BOOL ? (int64_t)param->value.boolean
                                                                 : (int64_t)param->value.integer};
            }
            continue;
        }
        if (program->parameter_count == RUN_ARGUMENTS) {
            return fail("kernel '%s' has more than %d arguments", kernel->name, RUN_ARGUMENTS);
        }
        bool pointer = dtype_is_pointer(param->dtype);
        const char *name = dtype_signature(arena, pointer ? dtype_pointee(param->dtype) : param->dtype);
        const struct element_type *dtype = element_type_find(name, strlen(name));
        if (!dtype && !(pointer && dtype_is_pointer(dtype_pointee(param->dtype)))) {
            return fail("argument '%s' of '%s' has the element type %s, which tkc-run cannot make",
                        param->name, kernel->name, name);
        }
        program->parameters[program->parameter_count++] =
            (struct kernel_parameter){.name = param->name,
                                      .dtype = dtype,
                                      .pointer = pointer,
                                      .divisible_by = param->divisible_by,
                                      .equals_one = param->equals_one};
        if (kernel->order) {
            program->parameters[program->parameter_count - 1].late =
                kernel->order->late[program->parameter_count - 1];
        }
    }
    return true;
}

// The second form of the only kernel.
static void read_form(struct compilation *c, struct kernel_program *program) {
    struct arena *arena = c->unit.arena;
    const char **names = ARENA_ARRAY(arena, const char *, program->parameter_count + 1);
    for (unsigned i = 0; i < program->parameter_count; i++) {
        names[i] = program->parameters[i].name;
    }
    program->paired = c->compiled.entries[0].paired;
    program->paired_steps = program->paired ? artifact_source_names(arena, program->paired->steps, names,
                                                                    program->parameter_count)
                                            : NULL;
}

// Checks the outputs against the source's imports. They are known once its kernels are compiled, and no file
// is written before.
static bool check_imports(struct compilation *c, struct kernel_program *program,
                          const struct program_request *request) {
    size_t source_count, count = request->file_count;
    const char *const *sources = frontend_dependencies(c->unit.frontend, &source_count);
    struct file_use *files = ARENA_ARRAY(c->unit.arena, struct file_use, count + source_count + 1);
    if (count) {
        memcpy(files, request->files, count * sizeof *files);
    }
    for (size_t i = 1; i < source_count; i++) { // the first is the kernel file
        files[count++] = (struct file_use){"import", sources[i], false};
    }
    program->clash = files_clash(files, count);
    return !program->clash;
}

// Takes the kernel of one launch of a chain, and only this.
static bool choose_launch(struct compilation *c, struct kernel_program *program,
                          const struct program_request *request, const struct target *target, size_t *index) {
    struct frontend *frontend = c->unit.frontend;
    for (size_t i = 0; i < frontend->chain_count; i++) {
        if (strcmp(frontend->chains[i].name, request->chain) == 0) {
            program->chain = &frontend->chains[i];
        }
    }
    if (!program->chain) {
        return fail("%s has no chain %s of its chosen kernels", request->options.input, request->chain);
    }
    if (!request->options.no_fuse) {
        chains_fuse(&c->unit, &target, 1, request->chain, false, request->options.reassociate,
                    request->options.fuse_operands);
        frontend_order(frontend);
    }
    *index = 0;
    frontend_keep(frontend, program->chain->launches[request->launch].function);
    return true;
}

static bool compile_source(struct compilation *c, struct kernel_program *program,
                           const struct program_request *request, const struct target *target) {
    size_t index;
    c->options = request->options;
    c->options.grid = NULL; // bind_grid evaluates it: it may name arguments too
    return unit_open(&c->unit, &c->options, target) &&
           (request->chain ? choose_launch(c, program, request, target, &index)
                           : choose_kernel(c->unit.frontend, request->options.input, &index)) &&
           describe_kernel(c, &c->unit.frontend->kernels[index], program) &&
           compile_for(&c->unit, target, &c->compiled) && check_imports(c, program, request) &&
           draw_plots(c, request) && (read_attributes(c, program), read_form(c, program), true);
}

bool program_compile(struct kernel_program *program, const struct program_request *request) {
    struct compilation *c = calloc(1, sizeof *c);
    const struct target *target = target_find(request->target);
    size_t length = strlen(request->options.input);
    bool tiles = length > 5 && !strcmp(request->options.input + length - 5, ".mlir");
    program->unit = c;
    c->unit.arena = arena_create();
    c->unit.diag.budget.factor = request->options.budget;
    c->unit.emulated = !request->want_image;
    c->unit.shows = request->shows;
    bool good =
        tiles ? compile_tiles(c, program, request, target) : compile_source(c, program, request, target);
    // The program owns the module from here on.
    program->context = c->compiled.llvm_context;
    program->module = c->compiled.llvm;
    c->compiled.llvm_context = NULL;
    c->compiled.llvm = NULL;
    return good && (!tiles || program_describe(program, request));
}

bool program_page(const struct kernel_program *program, const struct report_run *run) {
    struct compilation *c = program->unit;
    if (!c || !c->unit.frontend) {
        return fail("--report is about a source, .tk or .py");
    }
    struct strbuf text = {0};
    const char *path = c->options.page;
    bool good = page_of_run(&c->unit, &c->compiled, run, &text);
    if (good && !file_write_atomic(path, text.data, text.length)) {
        good = fail("cannot write %s: %s", path, strerror(errno));
    }
    strbuf_free(&text);
    return good;
}

void program_compile_free(struct kernel_program *program) {
    struct compilation *c = program->unit;
    if (!c) {
        return;
    }
    compiled_free(&c->compiled);
    arena_destroy(c->unit.arena);
    free(c);
}
