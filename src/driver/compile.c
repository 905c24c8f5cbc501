// The compiler as a list of phases. Each ends in a checkpoint: the next one starts only without errors.
#include "driver/compile.h"

#include <errno.h>
#include <string.h>

#include "ir/build.h"
#include "passes/pass.h"
#include "support/file.h"
#include "codegen/check_shared.h"
#include "codegen/llvmgen.h"
#include "lower/lower.h"
#include "driver/forms.h"
#include "driver/remarks.h"
#include "driver/traffic.h"
#include "driver/work.h"
#include "report/sharing.h"

// Notes the compiled configuration of each kernel with several.

// Whoever has several configurations and gets one of them without having chosen is told which one this is.
static void name_configurations(struct unit *unit) {
    const char *given = unit->options->out_name;
    bool chosen = unit->options->config >= 0 && !unit->options->verbose;
    for (size_t i = 0; i < unit->frontend->kernel_count && (given || !unit->entry_name); i++) {
        const struct kernel_instance *kernel = &unit->frontend->kernels[i];
        if (!chosen && kernel->config_count > 1 &&
            strcmp(kernel->name, given ? given : kernel->function) == 0) {
            diag_note(&unit->diag, (struct location){.source = unit->source},
                      "%s: configuration %u of %u is compiled (%s); %s", kernel->name, kernel->config,
                      kernel->config_count, kernel->config_text,
                      unit->every_config ? "all are where the kernel's grid is known, for a launcher to "
                                           "choose among: give it by -g"
                                         : "--config picks another, --all-configs compiles all");
        }
        if (kernel->level_count > 1 && strcmp(kernel->name, kernel->function) == 0) {
            diag_note(&unit->diag, (struct location){.source = unit->source},
                      "%s: the first of its %u sets of hints is compiled; other arguments are invalid values",
                      kernel->name, kernel->level_count);
        }
    }
}

bool unit_open(struct unit *unit, const struct tkc_options *options, const struct target *target) {
    const char *why = NULL;
    unit->options = options;
    unit->diag.budget.factor = options->budget;
    if (!unit->source) {
        unit->source = options->text ? source_from_text(unit->arena, options->input, options->text)
                                     : source_read(unit->arena, options->input, &why);
    }
    if (!unit->source) {
        diag_error(&unit->diag, (struct location){0}, "cannot read %s: %s", options->input,
                   why ? why : strerror(ENOENT));
        return false;
    }
    if (options->run_pass) { // the input is IR text
        return true;
    }

    // Parse, evaluate the module level, choose kernels and their constants. Afterwards every instance has its
    // parameters' types, its constants, its grid and its number of warps.
    struct frontend_options asked = {.kernels = options->kernels,
                                     .kernel_count = options->kernel_count,
                                     .folders = options->import_folders,
                                     .folder_count = options->import_folder_count,
                                     .files = options->files,
                                     .file_count = options->file_count,
                                     .signature = options->signature,
                                     .grid = options->grid,
                                     .language = options->language,
                                     .target = target,
                                     .num_warps = options->num_warps,
                                     .num_stages = options->num_stages,
                                     .num_ctas = options->num_ctas,
                                     .max_registers = options->max_registers,
                                     .defines = options->defines,
                                     .define_count = options->define_count,
                                     .config = options->config,
                                     .every_config = unit->every_config,
                                     .level = unit->level,
                                     .specialisations = options->specialisations,
                                     .specialisation_count = options->specialisation_count,
                                     .named = unit->named,
                                     .named_count = unit->named_count,
                                     .entry_name = unit->entry_name,
                                     .parsed = unit->parsed,
                                     .asserts = options->debug_asserts,
                                     .pads = options->pad_shapes,
                                     .keeps_subnormals = options->keep_subnormals,
                                     .shows = unit->shows,
                                     .c_name = artifact_c_name};
    unit->frontend = frontend_load(unit->arena, &unit->diag, unit->source, &asked);
    if (!unit->frontend || !diag_checkpoint(&unit->diag)) {
        return false;
    }
    if (!unit->parsed) { // else the first to open the source has told it
        name_configurations(unit);
    }
    return true;
}

// ---- one source on one target ----

static bool read_ir(struct unit *unit, struct compiled *c) {
    c->tiles = ir_parse(c->ir, unit->source->text, unit->source->path);
    return !mlirModuleIsNull(c->tiles);
}

struct step_options unit_steps(const struct unit *unit) {
    const struct tkc_options *options = unit->options;
    struct step_options steps = {.dump_after = options->dump_after,
                                 .time = options->time_passes,
                                 .out = options->dump ? options->dump : stderr};
    for (size_t i = 0; i < options->without_count; i++) {
        int id = step_find(options->without[i]);
        steps.without |= id >= 0 ? (step_set)1 << id : 0;
    }
    return steps;
}

static bool emit_tiles(struct unit *unit, struct compiled *c) {
    struct step_options steps = unit_steps(unit);
    double start = steps_now();
    c->tiles = frontend_emit(unit->frontend, c->ir, c->target);
    steps_print_time(&steps, start, "(tile IR)");
    return !mlirModuleIsNull(c->tiles) && diag_checkpoint(&unit->diag);
}

// Multiplies each kernel's warps by its fit (fit.c).
static void apply_fits(struct unit *unit, struct compiled *c, const struct fit *fits) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < unit_kernel_count(unit); i++) {
        int64_t warps = op_int(function, ATTR_NUM_WARPS) * fits[i].warps;
        op_set_int(c->ir, function, ATTR_NUM_WARPS, (int32_t)warps);
        function = mlirOperationGetNextInBlock(function);
    }
}

struct pass_set unit_passes_left_out(const struct unit *unit) {
    const struct tkc_options *options = unit->options;
    struct pass_set without = {{false}};
    for (size_t i = 0; i < options->without_count; i++) {
        int id = pass_find(options->without[i]);
        if (id >= 0) {
            without.has[id] = true;
        }
    }
    return without;
}

static bool wants_remarks(const struct unit *unit) {
    return unit->options->remarks || unit->options->page || !(unit->diag.warnings.off & 1u << WARNING_SLOW);
}

void unit_pass_context(struct unit *unit, struct ir *ir, const struct target *target,
                       struct pass_context *context) {
    const struct tkc_options *options = unit->options;
    *context = (struct pass_context){
        .ir = ir,
        .target = target,
        .arena = unit->arena,
        .diag = &unit->diag,
        .group_size = options->no_grouped_pid ? 1 : options->group_size,
        // ptxas ignores setmaxnreg in PTX made for debugging
        .tensor_maps = !options->no_tensor_maps && options->debug != TKC_DEBUG_FULL,
        .fp_contract = options->fp_contract && (options->run_pass || frontend_contracts(unit->frontend))};
}

static bool run_passes(struct unit *unit, struct compiled *c) {
    const struct tkc_options *options = unit->options;
    struct pass_context context;
    unit_pass_context(unit, c->ir, c->target, &context);
    context.remarks = wants_remarks(unit) ? &c->remarks : NULL;
    FILE *out = options->dump ? options->dump : stderr;
    if (options->run_pass) {
        c->stopped = true;
        return pass_run_one(&context, c->tiles, options->run_pass);
    }
    struct pass_options how = {.dump_after = options->dump_after,
                               .stop_after = options->stop_after,
                               .without = unit_passes_left_out(unit),
                               .time_passes = options->time_passes,
                               .out = out};
    return passes_run(&context, c->tiles, &how, &c->stopped);
}

static bool multiplies(struct ir *ir, struct arena *arena, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_traits(op_kind(ir, ops[i])) & MULTIPLIES) {
            return true;
        }
    }
    return false;
}

// Remarks on the warps and stages of each kernel, also if others were asked for.
static void say_configurations(struct unit *unit, struct compiled *c, const struct fit *fits) {
    struct pass_context context = {.ir = c->ir, .arena = unit->arena, .remarks = &c->remarks};
    const struct target *whole = target_whole(c->target);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < unit_kernel_count(unit); i++, function = mlirOperationGetNextInBlock(function)) {
        int warps = (int)(op_int(function, ATTR_NUM_WARPS) * op_int(function, ATTR_SLICES)),
            stages = (int)op_int(function, ATTR_NUM_STAGES);
        int producers = (int)op_int(function, ATTR_PRODUCER_WARPS);
        if (fits[i].warps > 1) {
            remark(&context, REMARK_CONFIGURATION, function,
                   "%d warps instead of the %d that were asked for, with which more values would spill; %d "
                   "stages",
                   warps, unit->frontend->kernels[i].num_warps, stages);
        } else if (producers) {
            int blocks = (int)op_int(function, ATTR_PERSISTENT);
            bool takes = op_has(function, ATTR_TAKES_BLOCKS), one = op_has(function, ATTR_ONE_PROGRAM);
            bool lacks = whole && (whole->has & FEATURES_SHARED_PRODUCTS);
            remark(&context, REMARK_CONFIGURATION, function,
                   "%d warps and %d extra that only copy%s, %d stages; %s%d block%s a multiprocessor, "
                   "each doing one program%s%s%s%s%s",
                   warps, producers, op_has(function, ATTR_GATHERS) ? "" : " (by one thread of them)", stages,
                   one ? "" : "persistent: ", blocks, blocks == 1 ? "" : "s", one ? "" : " after another",
                   takes                                    ? ", of blocks that have not begun"
                   : op_has(function, ATTR_COUNTS_PROGRAMS) ? ", by a counter"
                                                            : "",
                   lacks ? "; for the chip's own matrix instructions compile for " : "",
                   lacks ? whole->name : "", lacks ? " instead" : "");
        } else {
            bool lacks = whole && multiplies(c->ir, unit->arena, function);
            remark(&context, REMARK_CONFIGURATION, function, "%d warps, %d stages%s%s%s", warps, stages,
                   lacks ? "; for the chip's own matrix instructions and tensor copies compile for " : "",
                   lacks ? whole->name : "", lacks ? " instead" : "");
        }
    }
}

// Reads each kernel's properties for the launcher from the attributes left by the passes on its function.
// The work of kernel `number`, emitted as `function`.
static struct work_survey survey(struct unit *unit, struct compiled *c, size_t number,
                                 MlirOperation function) {
    struct reflect_kernel all = reflect_instance(unit->arena, &unit->frontend->kernels[number], 0);
    const char **names = ARENA_ARRAY(unit->arena, const char *, all.param_count + 1);
    for (size_t i = 0; i < all.param_count; i++) {
        names[i] = artifact_c_name(unit->arena, all.params[i].name);
    }
    return work_survey(c->ir, unit->arena, function, names, all.param_count);
}

// The loop with all products of a program, before passes change it.
static struct reflect_loop loop_of(const struct work_survey *work) {
    struct reflect_loop loop = {0};
    size_t loops = 0;
    for (size_t i = 0; i < work->count; i++) {
        const struct work_part *part = &work->parts[i];
        if (part->products > 0) {
            bool known = part->parameter >= 0 && !part->branch && !part->steps; // others are guesses
            loop = (struct reflect_loop){part->parameter, known ? part->divisor : 0, part->products};
            loops++;
        }
    }
    return loops == 1 ? loop : (struct reflect_loop){0};
}

static void find_loops(struct unit *unit, struct compiled *c) {
    c->loops = ARENA_ARRAY(unit->arena, struct reflect_loop, unit_kernel_count(unit) + 1);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < unit_kernel_count(unit) && !mlirOperationIsNull(function); i++) {
        if (op_has(function, ATTR_WAITS)) {
            struct work_survey work = survey(unit, c, i, function);
            c->loops[i] = loop_of(&work);
        }
        function = mlirOperationGetNextInBlock(function);
    }
}

static void reflect_entries(struct unit *unit, struct compiled *c) {
    c->entries = ARENA_ARRAY(unit->arena, struct reflect_entry, unit_kernel_count(unit) + 1);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < unit_kernel_count(unit) && !mlirOperationIsNull(function); i++) {
        c->entries[i] = reflect_function(c->ir, unit->arena, function, c->target);
        if (c->loops && c->entries[i].waits) {
            c->entries[i].loop = c->loops[i];
        }
        function = mlirOperationGetNextInBlock(function);
    }
}

static bool is_checked(const struct unit *unit) {
    return CHECK_EVERY_STEP || unit->options->check_shared;
}

// Proves the order of shared memory accesses after lowering and LLVM; a pass has proved the tile IR. Always
// done in builds with assertions.
static void check_order(struct unit *unit, struct compiled *c) {
    struct strbuf fault = {0};
    if (is_checked(unit) && check_shared(c->llvm, c->target, &fault) == SHARED_NOT_ORDERED) {
        bug("%s on %s", strbuf_text(&fault), c->target->name);
    }
    strbuf_free(&fault);
}

static bool begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

// An absolute path as seen from the folder of another one: "../common/helper.py".
static const char *relative_path(struct arena *arena, const char *path, const char *from) {
    size_t shared = 0, up = 0;
    for (size_t i = 0; path[i] && path[i] == from[i]; i++) {
        shared = path[i] == '/' ? i + 1 : shared;
    }
    for (const char *at = from + shared; (at = strchr(at, '/')); at++) {
        up++;
    }
    struct strbuf out = {0};
    for (size_t i = 0; i < up; i++) {
        strbuf_add(&out, "../");
    }
    strbuf_add(&out, path + shared);
    const char *whole = arena_strdup(arena, strbuf_text(&out));
    strbuf_free(&out);
    return whole;
}

// A source's name in code: no place of this machine, unless --file-prefix-map says so. The last map that fits counts.
static const char *name_in_code(const void *file_names, struct arena *arena, const struct source *source) {
    const struct unit *unit = file_names;
    const char *path = source->path, *library = "<library>/", *equals;
    if (source->is_library) {
        return arena_printf(arena, "tkc-library/%s",
                            begins_with(path, library) ? path + strlen(library) : path);
    }
    for (size_t i = unit->options->prefix_map_count; i-- > 0;) {
        const char *map = unit->options->prefix_maps[i];
        equals = strchr(map, '=');
        if (equals && strncmp(path, map, (size_t)(equals - map)) == 0) {
            return arena_printf(arena, "%s%s", equals + 1, path + (equals - map));
        }
    }
    return *path == '/' && *unit->source->path == '/' ? relative_path(arena, path, unit->source->path) : path;
}

// Parameters get the source's names: LLVM puts them into AMD's metadata.
static void name_parameters(struct unit *unit, struct compiled *c) {
    for (size_t i = 0; i < unit_kernel_count(unit); i++) {
        const struct kernel_instance *kernel = &unit->frontend->kernels[i];
        LLVMValueRef function = LLVMGetNamedFunction(c->llvm, kernel->name);
        unsigned next = 0;
        for (size_t p = 0; function && p < kernel->param_count; p++) {
            const char *name = kernel->params[p].name;
            if (!kernel->params[p].is_constant && next < LLVMCountParams(function)) {
                LLVMSetValueName2(LLVMGetParam(function, next++), name, strlen(name));
            }
        }
    }
}

LLVMModuleRef compile_lines(struct unit *unit, struct compiled *c, LLVMContextRef context) {
    struct lower_options how = {
        .debug = DEBUG_LINES, .file_name = name_in_code, .file_names = unit, .lines_of = unit->source};
    struct step_options quiet = {.without = unit_steps(unit).without};
    LLVMModuleRef module = lower_module(c->ir, c->tiles, c->target, context, &how);
    if (module) {
        llvmgen_optimise(module, c->target, unit->options->opt_level, &quiet);
    }
    return module;
}

static bool lower(struct unit *unit, struct compiled *c) {
    static const enum debug_info debug[] = {
        [TKC_DEBUG_NONE] = DEBUG_NONE, [TKC_DEBUG_LINES] = DEBUG_LINES, [TKC_DEBUG_FULL] = DEBUG_FULL};
    enum debug_info places = debug[unit->options->debug];
    if (places == DEBUG_NONE && is_checked(unit)) { // the check's faults name lines
        places = DEBUG_PLACES;
    }
    struct step_options steps = unit_steps(unit);
    double start = steps_now();
    c->llvm_context = LLVMContextCreate();
    struct lower_options how = {.debug = places,
                                .emulated = unit->emulated,
                                .file_name = unit->emulated ? NULL : name_in_code,
                                .file_names = unit};
    c->llvm = lower_module(c->ir, c->tiles, c->target, c->llvm_context, &how);
    steps_print_time(&steps, start, "(lowering)");
    if (c->llvm) {
        name_parameters(unit, c);
    }
    if (!c->llvm || !diag_checkpoint(&unit->diag) ||
        !llvmgen_check_assembly(c->llvm, c->target, unit->source, &unit->diag)) {
        return false;
    }
    llvmgen_optimise(c->llvm, c->target, unit->options->opt_level, &steps);
    check_order(unit, c);
    return true;
}

// --run-pass of a step: the input is LLVM IR.
static bool run_step(struct unit *unit, struct compiled *c) {
    const char *name = unit->options->run_pass;
    c->stopped = true;
    c->llvm_context = LLVMContextCreate();
    c->llvm = llvmgen_read(c->llvm_context, unit->source->text, unit->source->path, &unit->diag);
    if (c->llvm && !step_run_one(c->llvm, c->target, name)) {
        diag_error(&unit->diag, (struct location){0}, "%s has no step %s; --print-passes says whose it is",
                   c->target->name, name);
        return false;
    }
    return c->llvm;
}

// The work of each kernel, for the page.
static void survey_all(struct unit *unit, struct compiled *c) {
    c->surveys = ARENA_ARRAY(unit->arena, struct work_survey, unit_kernel_count(unit) + 1);
    c->sharings = ARENA_ARRAY(unit->arena, struct sharing, unit_kernel_count(unit) + 1);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < unit_kernel_count(unit) && !mlirOperationIsNull(function); i++) {
        c->surveys[i] = survey(unit, c, i, function);
        c->sharings[i] = sharing_survey(c->ir, function);
        function = mlirOperationGetNextInBlock(function);
    }
}

bool compile_fitted(struct unit *unit, const struct target *target, const struct fit *fits,
                    struct compiled *c) {
    *c = (struct compiled){.target = target, .ir = ir_create(&unit->diag)};
    tk_register_ops(c->ir);
    remarks_open(&c->remarks, unit);
    if (unit->options->run_pass && step_find(unit->options->run_pass) >= 0) {
        return run_step(unit, c);
    }

    // Tile IR: typed, constants folded, calls inlined; every op has a source location; no tensor has a
    // layout.
    if (!(unit->options->run_pass ? read_ir(unit, c) : emit_tiles(unit, c)) ||
        !tk_verify(c->ir, c->tiles, &unit->diag)) {
        return false;
    }
    apply_fits(unit, c, fits);

    // The work of the kernel's programs, to compare variants.
    struct work_survey work = {0};
    if (unit->frontend && unit_kernel_count(unit)) {
        work = survey(unit, c, 0, mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles)));
    }
    if (unit->frontend && unit->options->page) {
        survey_all(unit, c);
    }
    if (unit->frontend) {
        find_loops(unit, c);
    }

    const char *const *steps = forms_steps(unit, c);

    // Passes: every tensor has a layout, shared memory has offsets and barriers.
    if (!run_passes(unit, c)) {
        return false;
    }
    if (c->stopped) {
        return true;
    }
    reflect_entries(unit, c);
    forms_read(unit, c, steps);
    say_configurations(unit, c, fits);
    if (work.count) {
        MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
        traffic_add(&work, c->ir, unit->arena, c->target, function, TRAFFIC_PEELED_TWICE);
        c->entries[0].work = work_weighed(&work, c->ir, unit->arena, c->target, function);
    }

    // The per-thread program. Nothing after it may change a value.
    return lower(unit, c);
}

void compiled_free(struct compiled *c) {
    strbuf_free(&c->object);
    remarks_close(&c->remarks);
    if (c->llvm) {
        LLVMDisposeModule(c->llvm);
    }
    if (c->llvm_context) {
        LLVMContextDispose(c->llvm_context);
    }
    if (!mlirModuleIsNull(c->tiles)) {
        mlirModuleDestroy(c->tiles);
    }
    if (c->ir) {
        ir_destroy(c->ir);
    }
    *c = (struct compiled){0};
}
