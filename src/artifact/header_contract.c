// The contract of a kernel in a launcher header: its parameters, grid, constants and images, in a comment directly above its prototypes.
// A C programmer needs no other document to call the functions.
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

// ---- parameters

// "fp16[M_, K_], neighbours [stride_am_, 1] elements apart". Without NAME.tensors in the source: "array of fp16".
static void add_array(const struct writer *w, struct strbuf *out, const struct reflect_param *param) {
    static const char *const roles[] = {
        [REFLECT_GIVEN] = "read", [REFLECT_MADE] = "written", [REFLECT_CHANGED] = "read and written"};
    const struct reflect_tensor *tensor = param->tensor;
    if (!tensor) {
        strbuf_printf(out, "array of %s", param->dtype);
        return;
    }
    bool dense = true;
    strbuf_printf(out, "%s[", param->dtype);
    for (int strides = 0; strides < 2; strides++) {
        const struct reflect_extent *extents = strides ? tensor->strides : tensor->sizes;
        for (size_t i = 0; i < tensor->rank; i++) {
            dense &= !tensor->strides[i].parameter && !tensor->strides[i].is_number;
            strbuf_add(out, i ? ", " : "");
            if (extents[i].parameter) {
                strbuf_add(out, artifact_c_name(w->arena, extents[i].parameter));
            } else if (extents[i].is_number) {
                strbuf_printf(out, "%lld", (long long)extents[i].number);
            } else {
                strbuf_add(out, i + 1 == tensor->rank ? "1" : "dense");
            }
        }
        strbuf_add_char(out, ']');
        if (dense) {
            break;
        }
        strbuf_add(out, strides ? " elements apart" : ", neighbours [");
    }
    strbuf_printf(out, ", %s", roles[tensor->role]);
}

// A parameter's type, and the conditions on its argument. Hints are left out if there are several sets of
// them.
static const char *describe(const struct writer *w, const struct reflect_param *param, bool hints) {
    struct strbuf text = {0};
    if (param->pointer) {
        add_array(w, &text, param);
    } else {
        bool rounded = strcmp(param->dtype, "fp16") == 0 || strcmp(param->dtype, "bf16") == 0;
        strbuf_printf(&text, rounded ? "%s, rounded to %s" : "%s", artifact_c_type(param->dtype),
                      param->dtype);
    }
    if (hints && param->equals_one) {
        strbuf_add(&text, ", always 1");
    } else if (hints && param->divisible_by > 1) {
        strbuf_printf(&text, param->pointer ? "; address a multiple of %u bytes" : ", a multiple of %u",
                      param->divisible_by);
    }
    const char *size = header_size_name(w, param);
    if (size) {
        strbuf_printf(&text, "; tuning %s its first %s bytes before each run",
                      param->restore_value ? "restores" : "clears", size);
    }
    const char *result = arena_strdup(w->arena, strbuf_text(&text));
    strbuf_free(&text);
    return result;
}

// A line for all parameters of the same description.
void header_describe_parameters(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    bool hints = header_level_count(family) == 1;
    const char **texts = ARENA_ARRAY(w->arena, const char *, kernel->param_count + 1);
    for (size_t i = 0; i < kernel->param_count; i++) {
        texts[i] = describe(w, &kernel->params[i], hints);
    }
    for (size_t i = 0; i < kernel->param_count; i++) {
        struct strbuf line = {0};
        if (!texts[i]) {
            continue;
        }
        strbuf_printf(&line, "//   %s", artifact_c_name(w->arena, kernel->params[i].name));
        for (size_t j = i + 1; j < kernel->param_count; j++) {
            if (texts[j] && strcmp(texts[i], texts[j]) == 0) {
                strbuf_printf(&line, ", %s", artifact_c_name(w->arena, kernel->params[j].name));
                texts[j] = NULL;
            }
        }
        strbuf_printf(&line, ": %s\n", texts[i]);
        header_wrap(w->out, strbuf_text(&line), "//       ");
        strbuf_free(&line);
    }
}

// "M_ % 16 == 0, stride_ == 1": a set of hints.
static void add_hints(const struct writer *w, struct strbuf *out, const struct reflect_kernel *kernel) {
    const char *join = "";
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        const char *name = artifact_c_name(w->arena, param->name);
        if (param->equals_one) {
            strbuf_printf(out, "%s%s == 1", join, name);
        } else if (param->divisible_by > 1) {
            strbuf_printf(out, "%s%s %% %u == 0", join, name, param->divisible_by);
        } else {
            continue;
        }
        join = ", ";
    }
    strbuf_add(out, *join ? "" : "nothing");
}

static void write_sets(const struct writer *w, const struct header_family *family) {
    if (header_level_count(family) == 1) {
        return;
    }
    strbuf_add(w->out,
               "// Sets of rules (the source's hints); a launch takes the first that its arguments keep:\n");
    for (size_t i = 0; i < family->count; i++) {
        const struct reflect_kernel *kernel = &family->kernels[i];
        if (i && kernel->level == kernel[-1].level) {
            continue;
        }
        struct strbuf line = {0};
        strbuf_printf(&line, "//   %u: ", kernel->level);
        add_hints(w, &line, kernel);
        strbuf_add_char(&line, '\n');
        header_wrap(w->out, strbuf_text(&line), "//      ");
        strbuf_free(&line);
    }
}

// ---- grid, constants, images

// "ceil(M_ / 64), N_": the sides of the grid, without trailing ones.
static void add_grid(const struct writer *w, struct strbuf *out, const struct reflect_kernel *kernel) {
    int sides = 3;
    while (sides > 1 && (!kernel->grid[sides - 1] || strcmp(kernel->grid[sides - 1], "1") == 0)) {
        sides--;
    }
    for (int axis = 0; axis < sides; axis++) {
        strbuf_printf(out, "%s%s", axis ? ", " : "",
                      kernel->grid[axis] ? artifact_shown_expression(w->arena, kernel->grid[axis]) : "1");
    }
}

// "128 threads", or a number for each target if they differ: "128 threads (sm_80), 384 (sm_90a persistent)".
// The blocks of a persistent kernel share the grid's programs: a launch starts as many as the device holds at
// once.
static void add_threads(const struct writer *w, struct strbuf *out, const struct reflect_kernel *kernel) {
    const struct reflection *r = w->reflection;
    unsigned first = 0;
    bool differ = false;
    for (size_t i = 0; i < r->target_count; i++) {
        unsigned threads = kernel->entries[i].threads; // 0: the kernel is left out on this target
        differ |= (first && threads && threads != first) || kernel->entries[i].dealing.persistent;
        first = first ? first : threads;
    }
    if (!first || !differ) {
        strbuf_add(out, first ? arena_printf(w->arena, "%u threads", first) : "on none of these chips");
        return;
    }
    const char *unit = " threads";
    for (size_t i = 0; i < r->target_count; i++) {
        if (kernel->entries[i].threads) {
            strbuf_printf(out, "%s%u%s (%s%s)", *unit ? "" : ", ", kernel->entries[i].threads, unit,
                          r->targets[i].target->name,
                          kernel->entries[i].dealing.persistent ? " persistent" : "");
            unit = "";
        }
    }
}

// Writes the constants with a macro, or those without.
static void write_constants(const struct writer *w, const struct header_family *family, bool macros) {
    size_t count;
    const struct header_constant *constants = header_constants(w, family, &count);
    struct strbuf line = {0};
    for (size_t i = 0; i < count; i++) {
        if (constants[i].is_macro == macros) {
            strbuf_add(&line, line.length ? ", " : macros ? "// Constants, as macros: " : "// Constants: ");
            strbuf_printf(&line, "%s = ", macros ? constants[i].macro : constants[i].name);
            escape_add_text(&line, ESCAPE_COMMENT, constants[i].value);
        }
    }
    strbuf_add(&line, line.length ? "\n" : "");
    header_wrap(w->out, strbuf_text(&line), "//   ");
    strbuf_free(&line);
}

// "; cards of sm_80: A100, A30; of sm_90a: H100, H200, GH200".
static void add_cards(const struct writer *w, struct strbuf *out) {
    const char *first = "cards ";
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const char *chip = w->reflection->targets[i].target->name, *name, *of, *before = "; ";
        for (size_t p = 0; target_product_at(p, &name, &of); p++) {
            if (strcmp(of, chip) == 0) {
                strbuf_printf(out, *before == ';' ? "%s%sof %s: " : "%s", before, first, chip);
                first = "";
                for (const char *at = name; *at; at++) {
                    strbuf_add_char(out, (char)toupper((unsigned char)*at));
                }
                before = ", ";
            }
        }
    }
}

static void write_images(const struct writer *w, const struct header_family *family) {
    struct strbuf line = {0};
    struct writer inner = *w;
    bool in_files = w->reflection->image_count && w->reflection->images->file;
    inner.out = &line;
    strbuf_add(&line, in_files ? "// Images, in files behind the macro "
                                 "TKC_IMAGES (a folder and its slash): "
                               : "// Images: ");
    header_list_images(&inner, IN_ANY, family);
    add_cards(w, &line);
    strbuf_add_char(&line, '\n');
    header_wrap(w->out, strbuf_text(&line), "//   ");
    strbuf_free(&line);
}

static bool is_persistent(const struct writer *w, const struct header_family *family) {
    for (size_t i = 0; i < family->count; i++) {
        for (size_t t = 0; t < w->reflection->target_count; t++) {
            if (family->kernels[i].entries[t].dealing.persistent) {
                return true;
            }
        }
    }
    return false;
}

static bool has_producers(const struct writer *w, const struct header_family *family) {
    for (size_t i = 0; i < family->count * w->reflection->target_count; i++) {
        size_t target = i % w->reflection->target_count;
        if (family->kernels[i / w->reflection->target_count].entries[target].producer_warps) {
            return true;
        }
    }
    return false;
}

// The threads of a warp: "32", "64", or "32 or 64" if the targets differ.
static const char *warp_sizes(const struct writer *w) {
    bool has[2] = {false};
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        has[w->reflection->targets[i].target->warp_size == 64] = true;
    }
    return has[0] && has[1] ? "32 or 64" : has[1] ? "64" : "32";
}

// Explains the words of grids, constants and variants.
static void write_words(const struct writer *w, const struct header_family *family) {
    strbuf_printf(
        w->out,
        "// Warps: groups of %s threads%s. Stages: steps of a loop whose tiles (parts of arrays) are in fast "
        "memory at a time.\n%s",
        warp_sizes(w), has_producers(w, family) ? ", besides extra ones that only copy" : "",
        is_persistent(w, family)
            ? "// Persistent: a launch has as many blocks as the chip holds; each runs several programs.\n"
            : "");
}

// The second form of the kernel, or of the first variant that has one, on a target.
static const struct reflect_form *form_on(const struct header_family *family, size_t target) {
    size_t i = 0;
    while (i < family->count && !family->kernels[i].entries[target].paired) {
        i++;
    }
    return i < family->count ? family->kernels[i].entries[target].paired : NULL;
}

static void write_forms(const struct writer *w, const struct header_family *family) {
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        const struct reflect_form *form = form_on(family, i);
        struct strbuf line = {0};
        if (form) {
            strbuf_printf(
                &line,
                "// A launch on %s of %u programs a multiprocessor or more, of %u steps or more each, "
                "takes a second form of the kernel%s, of blocks of %u threads and with the same "
                "bits, if these go up in whole rounds.\n",
                w->reflection->targets[i].target->name, form->programs, form->least_steps,
                family->count > 1 ? ", of variants that have one" : "", form->entry.threads);
            header_wrap(w->out, strbuf_text(&line), "//   ");
        }
        strbuf_free(&line);
    }
}

static void write_grid(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf line = {0};
    strbuf_add(w->out, "// A program is the kernel's run on one block of threads.\n");
    strbuf_add(&line, "// Grid of programs: ");
    if (kernel->grid[0]) {
        add_grid(w, &line, kernel);
    } else {
        strbuf_add(&line, "not in the source (tkc --grid)");
    }
    strbuf_add(&line, "; blocks of ");
    add_threads(w, &line, kernel);
    strbuf_add_char(&line, '\n');
    header_wrap(w->out, strbuf_text(&line), "//   ");
    strbuf_free(&line);
    write_forms(w, family);
    write_words(w, family);
}

// The rule by which a launch picks a variant.
static void write_picking(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf keys = {0};
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (reflect_is_key(&kernel->params[i])) {
            strbuf_printf(&keys, keys.length ? ", %s" : "%s",
                          artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    const char *of = keys.length ? " for " : "";
    strbuf_printf(w->out,
                  "// %zu variants: the kernel with other constants and numbers of threads (list below). "
                  "%s_launch takes the one that\n"
                  "//   %s_tune measured as fastest on this device%s%s, or near it; else the one with the "
                  "least estimated time (tkc_cost, far below).\n",
                  family->count, family->name, family->name, of, strbuf_text(&keys));
    strbuf_free(&keys);
}

void header_variant_list(const struct writer *w, const struct header_family *family) {
    strbuf_printf(w->out,
                  "// The variants of %s: name (the source's constants, warps, stages), grid of programs "
                  "(runs of the kernel, each by one block of "
                  "threads), threads of a block.\n",
                  family->name);
    write_words(w, family);
    for (size_t i = 0; i < family->count; i++) {
        struct strbuf line = {0};
        strbuf_printf(&line, "//   %zu  %s: ", i, header_variant_name(family, i));
        add_grid(w, &line, &family->kernels[i]);
        strbuf_add(&line, "; ");
        add_threads(w, &line, &family->kernels[i]);
        strbuf_add_char(&line, '\n');
        header_wrap(w->out, strbuf_text(&line), "//      ");
        strbuf_free(&line);
    }
}

// ---- tensor maps

// The arguments bound by rules of TMA on one target, each once: "a_, b_".
struct bound {
    struct strbuf addresses, strides, sizes;
};

static void add_once(struct strbuf *list, const char *text) {
    struct strbuf inside = {0}, word = {0};
    strbuf_printf(&inside, ", %s,", strbuf_text(list));
    strbuf_printf(&word, ", %s,", text);
    if (!strstr(strbuf_text(&inside), strbuf_text(&word))) {
        strbuf_printf(list, list->length ? ", %s" : "%s", text);
    }
    strbuf_free(&inside);
    strbuf_free(&word);
}

// "2 * stride_am_", "stride_am_", "2 * rows_ * columns_ + 4" or "2 * (heads_ / 4) * columns_".
static const char *term_text(const struct writer *w, const struct reflect_kernel *kernel,
                             const struct tkc_term *term, unsigned times) {
    long long factor = (long long)term->factor * times, plus = (long long)term->plus * times;
    const char *text = arena_printf(w->arena, "%lld", factor);
    if (term->parameter >= 0) {
        const char *name = artifact_c_name(w->arena, kernel->params[term->parameter].name);
        name = term->over > 1 ? arena_printf(w->arena, "(%s / %lld)", name, (long long)term->over) : name;
        text = factor == 1 ? name : arena_printf(w->arena, "%s * %s", text, name);
    }
    if (term->by >= 0) {
        text =
            arena_printf(w->arena, "%s * %s", text, artifact_c_name(w->arena, kernel->params[term->by].name));
    }
    return plus == 0
               ? text
               : arena_printf(w->arena, "%s %c %lld", text, plus < 0 ? '-' : '+', plus < 0 ? -plus : plus);
}

// Adds a term. A term without a parameter is constant and known to keep the rule.
static void add_term(const struct writer *w, struct strbuf *list, const struct reflect_kernel *kernel,
                     const struct tkc_term *term, unsigned times) {
    if (term->parameter >= 0) {
        add_once(list, term_text(w, kernel, term, times));
    }
}

// True if a size can exceed the limit of a map: any but a parameter, or less, of a signed type of at most 32
// bits.
static bool may_be_too_large(const struct reflect_kernel *kernel, const struct tkc_term *size) {
    return size->parameter >= 0 && (size->factor > size->over || size->plus > 0 || size->by >= 0 ||
                                    strstr(kernel->params[size->parameter].dtype, "64") ||
                                    strcmp(kernel->params[size->parameter].dtype, "u32") == 0);
}

static void add_map(const struct writer *w, struct bound *bound, const struct reflect_kernel *kernel,
                    const struct tkc_tensor_map *map) {
    const char *address = artifact_c_name(w->arena, kernel->params[map->pointer].name);
    for (unsigned i = 0; i < map->offset_count; i++) {
        const char *offset = term_text(w, kernel, &map->offsets[i], map->element_bytes);
        address = *offset == '-' ? arena_printf(w->arena, "%s - %s", address, offset + 1)
                                 : arena_printf(w->arena, "%s + %s", address, offset);
    }
    add_once(&bound->addresses, address);
    for (unsigned i = map->rank; i-- > 0;) {
        if (may_be_too_large(kernel, &map->sizes[i])) {
            add_term(w, &bound->sizes, kernel, &map->sizes[i], 1);
        }
    }
    for (unsigned i = map->rank - 1; i-- > 0;) {
        add_term(w, &bound->strides, kernel, &map->strides[i], map->element_bytes);
    }
}

// The rules for tensors with a map in some variant on this target (tkc_tensor_fill).
static void write_maps_on(const struct writer *w, const struct header_family *family, size_t target) {
    struct bound bound = {0};
    struct strbuf line = {0};
    for (size_t k = 0; k < family->count; k++) {
        const struct reflect_entry *entry = &family->kernels[k].entries[target];
        for (size_t h = 0; h < entry->hidden_count; h++) {
            if (entry->hidden[h].kind == TKC_HIDDEN_TENSOR_MAP) {
                add_map(w, &bound, &family->kernels[k], &entry->hidden[h].map);
            }
        }
    }
    if (bound.addresses.length) {
        strbuf_printf(&line,
                      "// On %s TMA, the chip's copy unit, copies arrays. Multiples of 16: the addresses %s",
                      w->reflection->targets[target].target->name, strbuf_text(&bound.addresses));
        if (bound.strides.length) {
            strbuf_printf(&line, ", the byte strides %s; a byte stride is from 0 to below 2^40",
                          strbuf_text(&bound.strides));
        }
        if (bound.sizes.length) {
            strbuf_printf(&line, "; at most 2^31: %s", strbuf_text(&bound.sizes));
        }
        strbuf_add_char(&line, '\n');
        header_wrap(w->out, strbuf_text(&line), "//   ");
    }
    strbuf_free(&line);
    strbuf_free(&bound.addresses);
    strbuf_free(&bound.strides);
    strbuf_free(&bound.sizes);
}

// ---- one kernel

// The source's own words, in lines of at most WIDTH.
static void write_doc(const struct writer *w, const char *doc) {
    enum { WIDTH = 116, MOST = 400 };
    struct strbuf text = {0};
    escape_add_text(&text, ESCAPE_COMMENT, doc);
    const char *at = strbuf_text(&text);
    size_t column = 0, all = 0;
    for (strbuf_add(w->out, "//  "); *at && all < MOST; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (column && column + word > WIDTH) {
            strbuf_add(w->out, "\n//  ");
            column = 0;
        }
        strbuf_add_char(w->out, ' ');
        strbuf_add_bytes(w->out, at, word);
        column += word + 1;
        all += word + 1;
        at += word;
    }
    strbuf_add(w->out, *at ? " …\n" : "\n");
    strbuf_free(&text);
}

void header_describe(const struct writer *w, const struct header_family *family) {
    strbuf_printf(w->out, "// ---- %s%s\n", family->name,
                  family->kernels->param_count ? ". Parameters: the source's names with a _ behind, so that "
                                                 "no macro hits them. Arrays: addresses of memory on the GPU."
                                               : "");
    if (family->kernels->doc) {
        write_doc(w, family->kernels->doc);
    }
    header_describe_parameters(w, family);
    write_sets(w, family);
    header_apart(w, family);
    for (size_t i = 0; i < w->reflection->target_count; i++) {
        write_maps_on(w, family, i);
    }
    if (family->count > 1) {
        write_picking(w, family);
    } else {
        write_grid(w, family);
    }
    write_constants(w, family, true);
    write_constants(w, family, false);
    write_images(w, family);
}
