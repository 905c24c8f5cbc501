// The files of a command line: each output, for each target it can hold.
//
//   -o k.ptx                                 k.ptx (default target), k.h, k.json
//   -o k.ptx --target sm_80,sm_90a           k.sm_80.ptx, k.sm_90a.ptx, k.h, k.json
//   -o k.torch.c --target sm_80,sm_90a       k.torch.c, operators of PyTorch, with the PTX of both
//   -o k.ptx -o k.hsaco --target sm_80,gfx942   each target goes to the outputs able to hold its code
#include <string.h>

#include "artifact/artifact.h"
#include "support/file.h"
#include "support/nearest.h"

static const char *const kind_names[] = {
    [TKC_PTX] = "ptx",    [TKC_CUBIN] = "cubin",   [TKC_HSACO] = "hsaco", [TKC_ASSEMBLY] = "s",
    [TKC_LLVM_IR] = "ll", [TKC_MLIR] = "mlir",     [TKC_HEADER] = "h",    [TKC_JSON] = "json",
    [TKC_DEPFILE] = "d",  [TKC_TORCH] = "torch.c", [TKC_REPORT] = "html",
};

enum { FIRST_CODE_KIND = TKC_PTX, LAST_CODE_KIND = TKC_MLIR };

const char *outputs_kind_name(enum tkc_kind kind) {
    return kind_names[kind];
}

struct planner {
    struct arena *arena;
    const struct tkc_options *options;
    struct diag *diag;
    struct output_plan *plan;
    const struct target **named; // --target, resolved
    bool *used;                  // per named target: does an output hold it?
    size_t named_count;
};

static bool is_nvidia_only(enum tkc_kind kind) {
    return kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_TORCH;
}

static bool holds(enum tkc_kind kind, const struct target *target) {
    if (kind == TKC_HSACO) {
        return target->vendor == VENDOR_AMD;
    }
    return !is_nvidia_only(kind) || target->vendor == VENDOR_NVIDIA;
}

// The length of a path without the suffix of its last component; all of it if there is none.
static size_t stem_length(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - path) : strlen(path);
}

static const char *with_suffix(struct arena *arena, const char *path, const char *suffix) {
    return arena_printf(arena, "%.*s.%s", (int)stem_length(path), path, suffix);
}

static bool all_amd(const struct planner *planner) {
    for (size_t i = 0; i < planner->named_count; i++) {
        if (planner->named[i]->vendor != VENDOR_AMD) {
            return false;
        }
    }
    return planner->named_count > 0;
}

static enum tkc_kind kind_of(const struct planner *planner, const char *path) {
    if (planner->options->kind != TKC_KIND_DEFAULT) {
        return planner->options->kind;
    }
    if (strcmp(path, "-") == 0) {
        return all_amd(planner) ? TKC_ASSEMBLY : TKC_PTX;
    }
    const char *suffix = path + stem_length(path);
    if (strcmp(suffix, ".c") == 0) {
        return TKC_TORCH;
    }
    for (int kind = FIRST_CODE_KIND; kind <= LAST_CODE_KIND; kind++) {
        if (*suffix && strcmp(suffix + 1, kind_names[kind]) == 0) {
            return (enum tkc_kind)kind;
        }
    }
    if (strcmp(suffix, ".h") == 0 || strcmp(suffix, ".json") == 0) {
        diag_error(planner->diag, (struct location){0},
                   "output \"%s\" is written beside the code's; --emit=%s writes it alone", path,
                   suffix[1] == 'h' ? "header" : "json");
        return TKC_KIND_DEFAULT;
    }
    diag_error(planner->diag, (struct location){0},
               "the suffix of output \"%s\" names no kind of output; use .ptx, .cubin, .hsaco, .s, .ll, "
               ".mlir or .c (operators of PyTorch), or --emit",
               path);
    return TKC_KIND_DEFAULT;
}

// Triton's names of targets: "cuda:90:32", "hip:gfx942:64". Triton compiles the first for sm_90a, so that
// chip is tried first.
static const struct target *find_triton(struct planner *planner, const char *name) {
    static const struct {
        const char *start;
        const char *forms[2]; // the first known one is used
    } backends[] = {{"cuda:", {"sm_%.*sa", "sm_%.*s"}}, {"hip:", {"%.*s", "%.*s"}}};
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        size_t start = strlen(backends[i].start);
        const char *arch = name + start, *width = strchr(arch < name + strlen(name) ? arch : name, ':');
        const struct target *target = NULL;
        if (strncmp(name, backends[i].start, start) != 0 || !width) {
            continue;
        }
        for (size_t form = 0; form < 2 && !target; form++) {
            target =
                target_find(arena_printf(planner->arena, backends[i].forms[form], (int)(width - arch), arch));
        }
        bool same = target && strcmp(width + 1, arena_printf(planner->arena, "%u", target->warp_size)) == 0;
        return same ? target : NULL;
    }
    return NULL;
}

static void name_target(struct planner *planner, const char *name) {
    const struct target *target = strcmp(name, "native") == 0 ? target_native()
                                  : strchr(name, ':')         ? find_triton(planner, name)
                                                              : target_named(name);
    if (!target && strcmp(name, "native") == 0) {
        diag_error(
            planner->diag, (struct location){0},
            "target native: no supported GPU was found on this machine; name a chip (--print-targets)");
        return;
    }
    const char *withheld = target ? NULL : target_withheld(name);
    if (withheld) {
        diag_error(
            planner->diag, (struct location){0},
            "target %s is not offered by this build of tkc, which has LLVM %s: %s; use a build with LLVM 22",
            name, tkc_llvm_version(), withheld);
        return;
    }
    if (!target) {
        struct nearest nearest = {.text = name};
        for (size_t i = 0; i < target_count; i++) {
            nearest_offer(&nearest, target_table[i].name);
        }
        const char *other, *chip;
        for (size_t i = 0; target_product_at(i, &other, &chip); i++) {
            nearest_offer(&nearest, other);
        }
        for (size_t i = 0; target_group_at(i, &other, &chip); i++) {
            nearest_offer(&nearest, other);
        }
        diag_error(planner->diag, (struct location){0},
                   "unknown target \"%s\"%s%s%s (--print-targets lists the chips)", name,
                   nearest.name ? "; did you mean " : "", nearest.name ? nearest.name : "",
                   nearest.name ? "?" : "");
        return;
    }
    for (size_t i = 0; i < planner->named_count; i++) {
        if (planner->named[i] == target) {
            return;
        }
    }
    planner->named[planner->named_count++] = target;
}

// A name of --target: a chip, a product, or a group of chips.
static void name_targets(struct planner *planner, const char *name) {
    const char *chips = target_group(name);
    if (!chips) {
        name_target(planner, name);
    }
    for (size_t length; chips && *chips; chips += length + strspn(chips + length, " ")) {
        length = strcspn(chips, " ");
        name_target(planner, arena_printf(planner->arena, "%.*s", (int)length, chips));
    }
}

static void add_target(struct output_plan *plan, const struct target *target) {
    for (size_t i = 0; i < plan->target_count; i++) {
        if (plan->targets[i] == target) {
            return;
        }
    }
    plan->targets[plan->target_count++] = target;
}

static void add_output(struct planner *planner, enum tkc_kind kind, const struct target *target,
                       const char *path) {
    struct output_plan *plan = planner->plan;
    for (size_t i = 0; i < plan->output_count; i++) {
        const struct output *other = &plan->outputs[i];
        if (!other->inner && strcmp(other->path, path) == 0 && strcmp(path, "-") != 0) {
            diag_error(planner->diag, (struct location){0}, "output \"%s\" is named twice", path);
            plan->clash = true;
            return;
        }
    }
    plan->outputs[plan->output_count++] = (struct output){kind, target, path, false};
    add_target(plan, target);
}

// An extension holds PTX for all named chips of NVIDIA.
static void plan_torch(struct planner *planner, const char *path) {
    struct output_plan *plan = planner->plan;
    if (plan->torch_path || planner->options->stop_after || planner->options->run_pass) {
        diag_error(planner->diag, (struct location){0},
                   plan->torch_path ? "output \"%s\" is a second extension; one holds all kernels"
                                    : "output \"%s\" is an extension, which --stop-after and --run-pass do "
                                      "not make",
                   path);
        return;
    }
    plan->torch_path = path;
    const struct target *fallback = target_find("sm_80"), *const *targets = &fallback;
    size_t count = 1, held = 0;
    if (planner->named_count) {
        targets = planner->named;
        count = planner->named_count;
    }
    for (size_t i = 0; i < count; i++) {
        if (holds(TKC_TORCH, targets[i])) {
            plan->outputs[plan->output_count++] =
                (struct output){TKC_PTX, targets[i], with_suffix(planner->arena, path, "ptx"), true};
            add_target(plan, targets[i]);
            held++;
        }
    }
    if (!held && planner->options->output_count > 1) {
        diag_error(planner->diag, (struct location){0},
                   "output \"%s\" is an extension, which holds code for NVIDIA's chips; name one by --target",
                   path);
    }
}

static void plan_output(struct planner *planner, const char *path) {
    enum tkc_kind kind = kind_of(planner, path);
    if (kind == TKC_KIND_DEFAULT) {
        return;
    }
    size_t fitting = 0;
    for (size_t i = 0; i < planner->named_count; i++) {
        if (holds(kind, planner->named[i])) {
            planner->used[i] = true;
            fitting++;
        }
    }
    if (kind == TKC_TORCH) {
        plan_torch(planner, path);
        return;
    }
    if (!fitting) {
        if (planner->options->target_count && planner->named_count) {
            bool one_output = planner->options->output_count <= 1;
            if (one_output) {
                return; // check_all_used reports it
            }
        }
        add_output(planner, kind, target_find(kind == TKC_HSACO ? "gfx942" : "sm_80"), path);
        return;
    }
    if (fitting > 1 && strcmp(path, "-") == 0) {
        diag_error(planner->diag, (struct location){0},
                   "standard output takes one target, %zu are named; give -o a file name", fitting);
        return;
    }
    for (size_t i = 0; i < planner->named_count; i++) {
        const struct target *target = planner->named[i];
        if (!holds(kind, target)) {
            continue;
        }
        const char *suffix = path + stem_length(path);
        add_output(planner, kind, target,
                   fitting == 1 ? path
                                : arena_printf(planner->arena, "%.*s.%s%s", (int)stem_length(path), path,
                                               target->name, suffix));
    }
}

static void check_all_used(struct planner *planner) {
    for (size_t i = 0; i < planner->named_count; i++) {
        if (!planner->used[i]) {
            bool nvidia = planner->named[i]->vendor == VENDOR_NVIDIA;
            diag_error(planner->diag, (struct location){0},
                       "no output holds code for target %s; add -o with a name ending in %s",
                       planner->named[i]->name, nvidia ? ".ptx or .cubin" : ".hsaco");
        }
    }
}

// Flags for ptxas reach a .cubin alone: a driver assembles .ptx.
static void check_ptxas_options(struct planner *planner) {
    bool assembled = planner->options->ptxas_option_count == 0;
    for (size_t i = 0; i < planner->plan->output_count; i++) {
        assembled |= planner->plan->outputs[i].kind == TKC_CUBIN;
    }
    if (!assembled) {
        diag_error(planner->diag, (struct location){0},
                   "--ptxas-options: ptxas makes none of the outputs; add -o with a name ending in .cubin "
                   "(the driver "
                   "assembles .ptx, without flags)");
    }
}

static bool is_image(enum tkc_kind kind) {
    return kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_HSACO;
}

// Header, reflection and depfile are named after the first output other than standard output. A header needs
// an image to launch.
static void plan_companions(struct planner *planner, const char *const *paths, size_t count) {
    const struct tkc_options *options = planner->options;
    struct output_plan *plan = planner->plan;
    const char *first = NULL;
    for (size_t i = 0; i < count && !first; i++) {
        first = strcmp(paths[i], "-") == 0 ? NULL : paths[i];
    }
    bool image = false, outer = false;
    for (size_t i = 0; i < plan->output_count; i++) {
        const struct output *output = &plan->outputs[i];
        outer |= !output->inner;
        image |= is_image(output->kind) && !output->inner && strcmp(output->path, "-") != 0;
    }
    bool partial = options->stop_after || options->run_pass;
    if (first && image && !options->no_header && !partial) {
        plan->header_path = with_suffix(planner->arena, first, "h");
    }
    if (first && outer && !options->no_json && !partial) {
        plan->json_path = with_suffix(planner->arena, first, "json");
    }
    if (options->page && partial) {
        diag_error(planner->diag, (struct location){0}, "--report is about whole compilations; leave out %s",
                   options->stop_after ? "--stop-after" : "--run-pass");
    }
    plan->page_path = options->page;
    if (options->depfile_path) {
        plan->depfile_path = options->depfile_path;
    } else if (options->depfile && first) {
        plan->depfile_path = with_suffix(planner->arena, first, "d");
    } else if (options->depfile) {
        diag_error(planner->diag, (struct location){0}, "-MD with standard output needs -MF FILE");
    }
}

// The output without -o: --out-path, or the source's name in the current folder; for standard input standard
// output.
static const char *default_output(const struct planner *planner) {
    const struct tkc_options *options = planner->options;
    if (!options->out_path &&
        (options->stop_after || options->run_pass || strcmp(options->input, "-") == 0)) {
        return "-";
    }
    const char *path = options->out_path ? options->out_path : file_base_name(options->input);
    enum tkc_kind kind = options->kind;
    if (kind == TKC_KIND_DEFAULT) {
        kind = all_amd(planner) ? TKC_HSACO : TKC_PTX;
    }
    return with_suffix(planner->arena, path, kind_names[kind]);
}

bool outputs_plan(struct arena *arena, const struct tkc_options *options, struct diag *diag,
                  struct output_plan *plan) {
    *plan = (struct output_plan){0};
    size_t targets = target_count + 2; // each once
    size_t outputs = options->output_count + 1;
    struct planner planner = {.arena = arena, .options = options, .diag = diag, .plan = plan};
    planner.named = ARENA_ARRAY(arena, const struct target *, targets);
    planner.used = ARENA_ARRAY(arena, bool, targets);
    plan->outputs = ARENA_ARRAY(arena, struct output, targets * outputs);
    plan->targets = ARENA_ARRAY(arena, const struct target *, targets *outputs);
    for (size_t i = 0; i < options->target_count; i++) {
        name_targets(&planner, options->targets[i]);
    }
    if (!diag_checkpoint(diag)) {
        return false;
    }
    if (options->out_path && options->output_count) {
        diag_error(diag, (struct location){0}, "--out-path stands in the place of -o; give one of the two");
        return false;
    }
    const char *fallback = NULL;
    const char *const *paths = options->outputs;
    size_t count = options->output_count;
    if (!count) {
        fallback = default_output(&planner);
        paths = &fallback;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        plan_output(&planner, paths[i]);
    }
    if (diag_checkpoint(diag)) {
        check_all_used(&planner);
        check_ptxas_options(&planner);
    }
    if (diag_checkpoint(diag)) {
        plan_companions(&planner, paths, count);
    }
    return diag_checkpoint(diag);
}

// ---- outputs that overwrite a file ----

bool outputs_check(struct output_plan *plan, const char *const *sources, size_t source_count,
                   struct diag *diag) {
    struct arena *arena = arena_create();
    struct file_use *uses = ARENA_ARRAY(arena, struct file_use, plan->output_count + source_count + 5);
    const struct file_use *written, *other;
    size_t count = 0;
    for (size_t i = 0; i < plan->output_count; i++) {
        if (!plan->outputs[i].inner) {
            uses[count++] = (struct file_use){"output", plan->outputs[i].path, true};
        }
    }
    uses[count++] = (struct file_use){"extension", plan->torch_path, true};
    uses[count++] = (struct file_use){"launcher header", plan->header_path, true};
    uses[count++] = (struct file_use){"reflection", plan->json_path, true};
    uses[count++] = (struct file_use){"depfile", plan->depfile_path, true};
    uses[count++] = (struct file_use){"report", plan->page_path, true};
    for (size_t i = 0; i < source_count; i++) {
        uses[count++] = (struct file_use){"source", sources[i], false};
    }
    bool clash = file_clash(uses, count, &written, &other);
    if (clash) {
        diag_error(diag, (struct location){0},
                   "the %s \"%s\" would overwrite the %s \"%s\"; give it another name, or leave it out (-o, "
                   "-MF, --no-header, --no-json)",
                   written->what, written->path, other->what, other->path);
    }
    plan->clash |= clash;
    arena_destroy(arena);
    return !clash;
}
