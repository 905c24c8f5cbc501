// The launcher header: one self-contained C99/C++17 file per source.
//
// It has a fixed part (src/artifact/launcher/*.h, guarded so that several headers share it) and a generated
// one: the images, tables that say how each kernel is launched on each image, and three functions a kernel,
//
//   k_launch(stream, arguments…)             the grid is computed from the source's grid expression
//   k_launch_grid(stream, x, y, z, arguments…)
//   k_load(), k_unload()                     before a stream capture; when done with a context
//   k_strerror(result)
//
// Images and what is loaded at run time are weak hidden symbols named by a hash of the images, so that all
// users of one header in a program share them. With images of both vendors the includer chooses: HIP where
// __HIP_PLATFORM_AMD__ is defined, else CUDA; a launcher that opens its driver (tkc/tkc_driver.h) finds out when it runs.
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"
#include "artifact/launcher.h"
#include "support/escape.h"

static const char *word(enum wording wording, const char *name) {
    return header_vendor_word(wording, name, strlen(name));
}

static struct vendor_text vendor_text(enum wording wording) {
    static const char *const prefixes[] = {[IN_CUDA] = "cuda", [IN_HIP] = "hip", [IN_ANY] = "any"};
    return (struct vendor_text){.wording = wording,
                                .prefix = prefixes[wording],
                                .result = word(wording, "gpu_result"),
                                .success = word(wording, "GPU_SUCCESS"),
                                .invalid = word(wording, "GPU_INVALID_VALUE"),
                                .pointer = word(wording, "gpu_pointer"),
                                .stream = word(wording, "gpu_stream_before_a_name")};
}

void header_hash(uint64_t *hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint64_t sum = *hash; // not in memory, which `bytes` might be
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    }
    *hash = sum;
}

uint64_t header_hash_above(const struct writer *w) {
    header_hash(&w->above->hash, w->out->data + w->above->length, w->out->length - w->above->length);
    w->above->length = w->out->length;
    return w->above->hash;
}

static uint64_t hash_reflection(const struct reflection *reflection) {
    uint64_t hash = HEADER_HASH_START;
    for (size_t i = 0; i < reflection->target_count; i++) {
        const struct reflect_target *target = &reflection->targets[i];
        header_hash(&hash, target->target->name, strlen(target->target->name) + 1);
        header_hash(&hash, target->bytes, target->length);
    }
    return hash;
}

static const char *make_id(struct arena *arena, const struct reflection *reflection, const char *stem) {
    char *id = arena_printf(arena, "tkc_%s_%016llx", stem, (unsigned long long)hash_reflection(reflection));
    for (char *c = id; *c; c++) {
        if (!isalnum((unsigned char)*c)) {
            *c = '_';
        }
    }
    return id;
}

static bool has_vendor(const struct reflection *reflection, enum vendor vendor) {
    for (size_t i = 0; i < reflection->target_count; i++) {
        if (reflection->targets[i].target->vendor == vendor) {
            return true;
        }
    }
    return false;
}

static bool check_kernel(const struct reflect_kernel *kernel, struct diag *diag) {
    bool ok = true;
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        if (!param->pointer && !artifact_c_type(param->dtype)) {
            diag_error(diag, (struct location){0},
                       "the launcher of kernel \"%s\" cannot pass \"%s\", a scalar of type %s; pass a "
                       "pointer, or compile "
                       "with --no-header",
                       kernel->name, param->name, param->dtype);
            ok = false;
        }
    }
    return ok;
}

// ---- kernels

bool header_is_integer(const struct reflect_param *param) {
    return !param->pointer && (param->dtype[0] == 'i' || param->dtype[0] == 'u');
}

static void write_signature(const struct reflect_kernel *kernel, struct strbuf *out) {
    strbuf_printf(out, "// %s(", kernel->function);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_printf(out, "%s%s: %s%s", i ? ", " : "", param->name, param->pointer ? "*" : "", param->dtype);
        if (param->equals_one) {
            strbuf_add(out, ":1");
        } else if (param->divisible_by > 1) {
            strbuf_printf(out, ":%u", param->divisible_by);
        }
    }
    strbuf_add_char(out, ')');
    for (size_t i = 0; i < kernel->constant_count; i++) {
        strbuf_printf(out, "%s%s = ", i ? ", " : " with ", kernel->constants[i].name);
        escape_add_text(out, ESCAPE_COMMENT, kernel->constants[i].value);
    }
    strbuf_add_char(out, '\n');
}

// An integer in C; NULL: no type there holds it. Negative ones are put in parentheses by the caller.
static const char *c_value(struct arena *arena, const char *value) {
    if (strcmp(value, "True") == 0 || strcmp(value, "False") == 0) {
        return value[0] == 'T' ? "1" : "0";
    }
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (!errno) { // the least is no constant in C
        return number == INT64_MIN ? "-9223372036854775807 - 1" : value;
    }
    errno = 0;
    (void)strtoull(value, &end, 10);
    return errno || value[0] == '-' ? NULL : arena_printf(arena, "%su", value);
}

static void write_macro(const struct writer *w, const struct header_family *family, const char *name,
                        const char *value) {
    const char *macro = arena_printf(w->arena, "%s_%s", family->name, name);
    const char *here = c_value(w->arena, value);
    if (!here) {
        strbuf_printf(w->out, "// %s is %s, which no integer of C holds.\n", macro, value);
    } else if (header_has_macro(&w->names, macro)) {
        strbuf_printf(w->out, here[0] == '-' ? "#define %s (%s)\n" : "#define %s %s\n", macro, here);
    } else {
        strbuf_printf(w->out, "// %s is %s; a macro of that name might meet another name.\n", macro, value);
    }
}

static void write_macros(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    if (family->count == 1) {
        write_macro(w, family, "NUM_WARPS", arena_printf(w->arena, "%u", kernel->num_warps));
        write_macro(w, family, "NUM_STAGES", arena_printf(w->arena, "%u", kernel->num_stages));
    }
    for (size_t i = 0; i < kernel->constant_count; i++) {
        const struct reflect_constant *constant = &kernel->constants[i];
        bool setting = strcmp(constant->name, "NUM_WARPS") == 0 || strcmp(constant->name, "NUM_STAGES") == 0;
        if (constant->is_integer && !setting && header_is_common(family, constant)) {
            write_macro(w, family, constant->name, constant->value);
        }
    }
    strbuf_add_char(w->out, '\n');
}

static void write_grid_function(const struct writer *w, const struct reflect_kernel *kernel) {
    struct strbuf *out = w->out;
    strbuf_printf(out,
                  "// The launch grid for these arguments.\nstatic inline void %s_grid(int64_t tkc_grid[3]",
                  kernel->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            strbuf_printf(out, ", int64_t %s", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    strbuf_add(out, ") {\n");
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            strbuf_printf(out, "    (void)%s;\n", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        strbuf_printf(out, "    tkc_grid[%d] = %s;\n", axis, kernel->grid[axis] ? kernel->grid[axis] : "1");
    }
    strbuf_add(out, "}\n\n");
}

void header_parameters(const struct writer *w, const struct vendor_text *text,
                       const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_printf(w->out, ", %s %s", param->pointer ? text->pointer : artifact_c_type(param->dtype),
                      artifact_c_name(w->arena, param->name));
    }
}

void header_arguments(const struct writer *w, const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_printf(w->out, ", %s", artifact_c_name(w->arena, kernel->params[i].name));
    }
}

// Scalars whose C type is not the kernel's own are converted into a variable of its size: type, and the text
// around the name. NULL: passed as they are.
static const char *const *conversion(const struct reflect_param *param) {
    static const char *const half[] = {"uint16_t", "tkc_half_bits(", ")"};
    static const char *const bfloat[] = {"uint16_t", "tkc_bfloat_bits(", ")"};
    static const char *const boolean[] = {"uint8_t", "", " ? 1 : 0"};
    if (param->pointer) {
        return NULL;
    }
    if (strcmp(param->dtype, "fp16") == 0) {
        return half;
    }
    if (strcmp(param->dtype, "bf16") == 0) {
        return bfloat;
    }
    return strcmp(param->dtype, "i1") == 0 ? boolean : NULL;
}

// All arguments as integers, for the sizes and addresses of tensor maps.
void header_values(const struct writer *w, const struct reflect_kernel *kernel) {
    strbuf_add(w->out, kernel->param_count ? "    const int64_t tkc_values[] = {"
                                           : "    const int64_t *tkc_values = NULL;\n");
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        strbuf_add(w->out, i ? ", " : "");
        if (param->pointer || header_is_integer(param)) {
            strbuf_printf(w->out, "(int64_t)%s", artifact_c_name(w->arena, param->name));
        } else {
            strbuf_add(w->out, "0");
        }
    }
    strbuf_add(w->out, kernel->param_count ? "};\n" : "");
}

void header_conversions(const struct writer *w, const struct reflect_kernel *kernel, size_t hidden) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const char *const *convert = conversion(&kernel->params[i]);
        if (convert) {
            strbuf_printf(w->out, "    %s tkc_%zu = %s%s%s;\n", convert[0], i, convert[1],
                          artifact_c_name(w->arena, kernel->params[i].name), convert[2]);
        }
    }
    if (!kernel->param_count && !hidden) {
        strbuf_add(w->out, "    void **tkc_arguments = NULL;\n");
        return;
    }
    strbuf_printf(w->out, "    void *tkc_arguments[%zu] = {%s", kernel->param_count + hidden,
                  kernel->param_count ? "" : "NULL");
    for (size_t i = 0; i < kernel->param_count; i++) {
        strbuf_add(w->out, i ? ", &" : "&");
        if (conversion(&kernel->params[i])) {
            strbuf_printf(w->out, "tkc_%zu", i);
        } else {
            strbuf_add(w->out, artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    strbuf_add(w->out, "};\n");
}

void header_checks(const struct writer *w, const struct vendor_text *text,
                   const struct reflect_kernel *kernel) {
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        const char *name = artifact_c_name(w->arena, param->name);
        if (param->equals_one) {
            strbuf_printf(w->out, "    if (%s != 1) {\n", name);
        } else if (param->divisible_by > 1 && param->pointer) {
            bool is_address = text->wording != IN_HIP;
            strbuf_printf(w->out, "    if (%s%s %% %u != 0) {\n", is_address ? "" : "(uintptr_t)", name,
                          param->divisible_by);
        } else if (param->divisible_by > 1) {
            strbuf_printf(w->out, "    if (%s %% %u != 0) {\n", name, param->divisible_by);
        } else {
            continue;
        }
        strbuf_printf(w->out, "        return %s;\n    }\n", text->invalid);
    }
}

static void write_launch(const struct writer *w, const struct vendor_text *text,
                         const struct reflect_kernel *kernel) {
    struct strbuf *out = w->out;
    strbuf_printf(out, "static inline %s %s_launch(%sstream", text->result, kernel->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_printf(out, ") {\n    int64_t tkc_grid[3];\n    %s_grid(tkc_grid", kernel->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            bool may_exceed = strcmp(artifact_c_type(kernel->params[i].dtype), "uint64_t") == 0;
            strbuf_printf(out, may_exceed ? ", tkc_of_unsigned(%s)" : ", (int64_t)%s",
                          artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    strbuf_printf(out, ");\n    if (!tkc_grid_fits(tkc_grid)) {\n        return %s;\n    }\n", text->invalid);
    strbuf_printf(out,
                  "    return %s_launch_grid(stream, (unsigned)tkc_grid[0], (unsigned)tkc_grid[1], "
                  "(unsigned)tkc_grid[2]",
                  kernel->name);
    header_arguments(w, kernel);
    strbuf_add(out, ");\n}\n\n");
}

static void write_kernel(const struct writer *w, const struct vendor_text *text, size_t index) {
    const struct reflect_kernel *kernel = &w->reflection->kernels[index];
    struct strbuf *out = w->out;
    strbuf_printf(
        out, "static inline %s %s_launch_grid(%sstream, unsigned grid_x, unsigned grid_y, unsigned grid_z",
        text->result, kernel->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_add(out, ") {\n");
    header_conversions(w, kernel, header_hidden_count(w->reflection, kernel, text->wording));
    bool extras = header_has_extras(w->reflection, kernel, text->wording);
    if (extras) {
        header_values(w, kernel);
    }
    strbuf_printf(out, "    if (grid_x == 0 || grid_y == 0 || grid_z == 0) {\n        return %s;\n    }\n",
                  text->success);
    header_checks(w, text, kernel);
    if (extras) {
        strbuf_printf(out,
                      "    return tkc_%s_launch_hidden(&%s_program, &%s_source, %s_extras, %zu, stream, "
                      "grid_x, grid_y,\n"
                      "                                  grid_z, tkc_values, tkc_arguments, %zu);\n}\n\n",
                      text->prefix, w->id, w->id, w->id, index, kernel->param_count);
    } else {
        strbuf_printf(
            out,
            "    return tkc_%s_launch(&%s_program, &%s_source, %zu, stream, grid_x, grid_y, grid_z, "
            "tkc_arguments);\n"
            "}\n\n",
            text->prefix, w->id, w->id, index);
    }
    if (kernel->grid[0]) {
        write_launch(w, text, kernel);
    }
    strbuf_printf(out,
                  "static inline %s %s_load(void) {\n    struct tkc_%s_context *tkc_context;\n"
                  "    %s tkc_result = tkc_%s_load(&%s_program, &%s_source, %zu, &tkc_context);\n",
                  text->result, kernel->name, text->prefix, text->result, text->prefix, w->id, w->id, index);
    header_ready(w, text, extras, index, 1);
    strbuf_printf(
        out,
        "static inline %s %s_unload(void) {\n    return tkc_%s_unload(&%s_program, &%s_source, %zu);\n}\n\n",
        text->result, kernel->name, text->prefix, w->id, w->id, index);
}

// The end of a function that loads kernels.
void header_ready(const struct writer *w, const struct vendor_text *text, bool extras, size_t first,
                  size_t count) {
    if (extras) {
        strbuf_printf(
            w->out,
            "    return tkc_result == %s ? tkc_%s_ready(&%s_program, &%s_source, %s_extras, %zu, %zu) "
            ": tkc_result;\n}\n\n",
            text->success, text->prefix, w->id, w->id, w->id, first, count);
    } else {
        strbuf_add(w->out, "    return tkc_result;\n}\n\n");
    }
}

// ---- the file

static const struct launcher_part *fixed_part(const char *name) {
    for (const struct launcher_part *part = launcher_parts; part->name; part++) {
        if (strcmp(part->name, name) == 0) {
            return part;
        }
    }
    bug("no launcher part \"%s\"", name);
}

void header_fixed_part(const char *name, struct strbuf *out) {
    const struct launcher_part *part = fixed_part(name);
    strbuf_add_bytes(out, part->text, part->length);
    strbuf_add_char(out, '\n');
}

// One of the parts that are the same for all.
static void worded_part(const char *name, const struct vendor_text *text, struct strbuf *out) {
    const struct launcher_part *part = fixed_part(name);
    header_add_for_vendor(out, text, part->text, part->length);
    strbuf_add_char(out, '\n');
}

static bool has_variants(const struct writer *w) {
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].count > 1) {
            return true;
        }
    }
    return false;
}

// What is included, and the parts behind it.
static void write_parts(const struct writer *w, const struct vendor_text *text) {
    static const char *const included[] = {
        [IN_CUDA] = "#include <cuda.h>\n", [IN_HIP] = "#include <hip/hip_runtime_api.h>\n", [IN_ANY] = ""};
    struct strbuf parts = {0};
    header_fixed_part(text->prefix, &parts);
    worded_part("gpu", text, &parts);
    if (header_any_extras(w->reflection, text->wording)) {
        header_fixed_part("tensor", &parts);
        header_fixed_part("maps", &parts);
        worded_part("gpu_tensor", text, &parts);
    }
    if (has_variants(w)) {
        worded_part("gpu_variant", text, &parts);
    }
    strbuf_add(w->out, included[text->wording]);
    if (w->reflection->runtime == RUNTIME_CUDA_RUNTIME) {
        strbuf_add(w->out, "#include <cuda_runtime_api.h>\n");
        header_fixed_part("cuda_calls", w->out);
        header_add_by_table(w->out, parts.data, parts.length);
    } else {
        if (text->wording == IN_ANY) {
            header_fixed_part("tkc_driver", w->out);
        }
        strbuf_add_char(w->out, '\n');
        strbuf_add_bytes(w->out, parts.data, parts.length);
    }
    strbuf_free(&parts);
}

static void write_vendor(const struct writer *w, enum wording wording) {
    const struct vendor_text words = vendor_text(wording), *text = &words;
    write_parts(w, text);
    header_tables(w, text);
    for (size_t i = 0; i < w->family_count; i++) {
        const struct header_family *family = &w->families[i];
        strbuf_add_char(w->out, '\n');
        for (size_t k = 0; k < family->count; k++) {
            write_signature(&family->kernels[k], w->out);
            header_tensor_comment(w, &family->kernels[k], text->wording);
        }
        if (family->count > 1) {
            header_family(w, text, family);
        } else {
            write_kernel(w, text, family->first);
        }
        header_strerror(w, text, family);
        if (w->reflection->triton_abi) {
            header_triton(w, text, family);
        }
    }
}

static void write_about(const struct writer *w, bool cuda, bool hip) {
    const struct reflection *r = w->reflection;
    struct strbuf *out = w->out;
    const char *slash = strrchr(r->source, '/');
    strbuf_add(out, "// Launcher of the kernels in ");
    escape_add_text(out, ESCAPE_COMMENT, slash ? slash + 1 : r->source);
    strbuf_printf(out, ". Generated by tkc %s; C99 and C++17.\n//\n", tkc_version());
    bool dynamic = r->runtime == RUNTIME_DYNAMIC;
    const char *status = dynamic       ? "int"
                         : cuda && hip ? "CUresult or hipError_t"
                         : cuda        ? "CUresult"
                                       : "hipError_t";
    strbuf_printf(
        out,
        "//   %s k_launch(stream, arguments...)              grid computed from the source's expression\n"
        "//   %s k_launch_grid(stream, x, y, z, arguments...)\n"
        "//   %s k_load(), k_unload()                       before a stream capture; when done\n"
        "//   const char *k_strerror(result)                           what a result means; which images "
        "there are\n//\n",
        status, status, status);
    strbuf_add(
        out,
        "// The image is loaded when first needed, once per context. Results are the driver's own; "
        "broken promises\n"
        "// about arguments (divisibility, alignment, equal to one) are an invalid value; an empty "
        "grid is success.\n"
        "// All of it may be called from several threads, unload only when no launch is under way. A shared "
        "library\n"
        "// that holds this calls k_unload() before it is closed (dlclose), else its modules stay loaded.\n");
    if (header_any_extras(r, IN_ANY)) {
        strbuf_add(
            out, "//\n// Kernels with tensor maps, which stand above them, reach those tensors through TMA: "
                 "the address and every\n"
                 "// stride in bytes must be a multiple of 16, from 0 to below 2^40, a size at "
                 "most 2^31; else the\n"
                 "// arguments are an invalid value. A map is encoded once for the same arguments.\n");
    }
    if (dynamic) {
        strbuf_add(out, "// Needs nothing of a vendor but, when it runs, libcuda or libamdhip64, which it "
                        "opens. Types are those of "
                        "tkc_runtime.h\n// where that is dynamic, too: an address is a uint64_t, a stream a "
                        "void *, 0 is success.\n");
    } else if (cuda && hip) {
        strbuf_add(out,
                   "// Holds code for both vendors: HIP where __HIP_PLATFORM_AMD__ is defined, else CUDA.\n");
    }
}

static void write_opening(const struct writer *w, bool cuda, bool hip) {
    struct strbuf *out = w->out;
    if (hip && !cuda && w->reflection->runtime != RUNTIME_DYNAMIC) {
        strbuf_add(out, "#ifndef __HIP_PLATFORM_AMD__\n#define __HIP_PLATFORM_AMD__\n#endif\n");
    }
    strbuf_add(out, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
                    "#include <string.h>\n\n");
    header_fixed_part("common", out);
    header_fixed_part("grid", out);
    header_fixed_part("image", out);
    if (has_variants(w)) {
        header_fixed_part("variant", out);
        header_fixed_part("tune", out);
        header_fixed_part("choices", out);
    }
    strbuf_add(
        out,
        "#ifndef TKC_SHARED_SYMBOL\n"
        "#define TKC_SHARED_SYMBOL __attribute__((weak, visibility(\"hidden\"), aligned(16)))\n#endif\n\n");
    if (w->reflection->image_count && w->reflection->images->file) {
        strbuf_add(out, "// Before the names of image files: a folder, with its slash.\n"
                        "#ifndef TKC_IMAGES\n#define TKC_IMAGES \"\"\n#endif\n\n");
    }
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].count > 1) {
            header_family_grid(w, &w->families[i]);
        } else if (w->families[i].kernels->grid[0]) {
            write_grid_function(w, w->families[i].kernels);
        }
    }
}

// Kernels of one function that follow each other are variants of it.
struct header_family *header_families(struct arena *arena, const struct reflection *r, size_t *count) {
    struct header_family *families = ARENA_ARRAY(arena, struct header_family, r->kernel_count + 1);
    *count = 0;
    for (size_t i = 0; i < r->kernel_count; i++) {
        struct header_family *last = *count ? &families[*count - 1] : NULL;
        if (last && strcmp(last->kernels->function, r->kernels[i].function) == 0) {
            last->count++;
            last->name = last->kernels->function;
        } else {
            families[(*count)++] = (struct header_family){r->kernels[i].name, &r->kernels[i], i, 1};
        }
    }
    return families;
}

bool header_write(struct arena *arena, const struct reflection *reflection, const char *stem,
                  struct strbuf *out, struct diag *diag) {
    struct running_hash above = {HEADER_HASH_START, 0};
    struct writer w = {
        .arena = arena, .reflection = reflection, .above = &above, .id = make_id(arena, reflection, stem)};
    bool ok = true;
    w.families = header_families(arena, reflection, &w.family_count);
    for (size_t i = 0; i < w.family_count; i++) {
        ok &= check_kernel(w.families[i].kernels, diag) && header_check_family(&w.families[i], diag);
    }
    if (!ok ||
        !header_name_macros(arena, w.families, w.family_count, reflection->triton_abi, &w.names, diag)) {
        return false;
    }
    bool cuda = has_vendor(reflection, VENDOR_NVIDIA), hip = has_vendor(reflection, VENDOR_AMD);
    struct strbuf body = {0};
    w.out = &body;
    write_opening(&w, cuda, hip);
    if (reflection->runtime == RUNTIME_DYNAMIC) {
        write_vendor(&w, IN_ANY);
    } else if (cuda && hip) {
        strbuf_add(&body, "#ifdef __HIP_PLATFORM_AMD__\n");
        write_vendor(&w, IN_HIP);
        strbuf_add(&body, "#else\n");
        write_vendor(&w, IN_CUDA);
        strbuf_add(&body, "#endif\n");
    } else {
        write_vendor(&w, cuda ? IN_CUDA : IN_HIP);
    }
    // Behind all that is included here, which they could change.
    for (size_t i = 0; i < w.family_count; i++) {
        write_macros(&w, &w.families[i]);
    }
    // The guard stands for all that follows: headers that differ in a grid alone are two headers.
    uint64_t hash = header_hash_above(&w);
    w.out = out;
    write_about(&w, cuda, hip);
    const char *guard = arena_printf(arena, "%s_%016llx_H", w.id, (unsigned long long)hash);
    strbuf_printf(out, "#ifndef %s\n#define %s\n\n", guard, guard);
    header_fixed_part("warnings", out);
    strbuf_add_bytes(out, body.data, body.length);
    header_fixed_part("warnings_end", out);
    strbuf_add(out, "#endif\n");
    strbuf_free(&body);
    return true;
}
