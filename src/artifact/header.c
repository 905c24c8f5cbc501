// The launcher header: one self-contained file of C99 and C++17 for each source. Its sections, in a reader's
// order:
//
//   contract      use and results (header_about.c), parameters, grid, constants, images (header_contract.c)
//   prototypes    the user's functions (header_functions.def)
//   definitions   of these functions (header_kernel.c, header_variants.c, header_triton.c, header_errors.c,
//                 header_chains.c)
//   runtime       the fixed part, launcher/*.h; guards let several headers share it (header_runtime.c)
//   images        and tables of the launch of each kernel on each image (header_tables.c, header_variant_tables.c)
//   macros        k_NAME for constants, at the end because a macro could change the text below it (header_macros.c)
//
// Images, and the record of loaded modules, are weak hidden symbols named by a hash of the images. So all
// files of a program with the same header share them.
//
// With images of both vendors the header has definitions, runtime and images twice: HIP's if
// __HIP_PLATFORM_AMD__ is defined, else CUDA's. Prototypes are there once, in types common to both. A
// launcher with a driver opened at run time (tkc/tkc_driver.h) has each section once.
#include <ctype.h>
#include <string.h>

#include "artifact/header.h"

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

static uint64_t hash_reflection(const struct reflection *reflection) {
    uint64_t hash = HEADER_HASH_START;
    for (size_t i = 0; i < reflection->target_count; i++) {
        const struct reflect_target *target = &reflection->targets[i];
        header_hash(&hash, target->target->name, strlen(target->target->name) + 1);
        header_hash(&hash, target->bytes, target->length);
    }
    return hash;
}

const char *header_id(struct arena *arena, const struct reflection *reflection, const char *stem) {
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

static struct header_vendors vendors_of(const struct reflection *reflection) {
    struct header_vendors vendors = {.count = 0};
    if (reflection->runtime == RUNTIME_DYNAMIC) {
        vendors.wordings[vendors.count++] = IN_ANY;
        return vendors;
    }
    if (has_vendor(reflection, VENDOR_AMD)) {
        vendors.wordings[vendors.count++] = IN_HIP;
    }
    if (has_vendor(reflection, VENDOR_NVIDIA)) {
        vendors.wordings[vendors.count++] = IN_CUDA;
    }
    return vendors;
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

// ---- sections

typedef void section(const struct writer *, const struct vendor_text *);

// Writes a section for each vendor; two are under #if and #else.
static void write_for_vendors(const struct writer *w, const struct header_vendors *vendors, section write) {
    for (size_t i = 0; i < vendors->count; i++) {
        struct vendor_text text = vendor_text(vendors->wordings[i]);
        if (vendors->count > 1) {
            strbuf_add(w->out, i ? "#else\n" : "#ifdef __HIP_PLATFORM_AMD__\n");
        }
        write(w, &text);
    }
    strbuf_add(w->out, vendors->count > 1 ? "#endif\n" : "");
}

static void write_includes(const struct writer *w, const struct vendor_text *text) {
    static const char *const included[] = {
        [IN_CUDA] = "#include <cuda.h>\n", [IN_HIP] = "#include <hip/hip_runtime_api.h>\n", [IN_ANY] = ""};
    strbuf_add(w->out, included[text->wording]);
    if (w->reflection->runtime == RUNTIME_CUDA_RUNTIME) {
        strbuf_add(w->out, "#include <cuda_runtime_api.h>\n");
    }
}

// The types of prototypes for both vendors.
static const struct vendor_text of_both = {
    .result = "tkc_gpu_result", .pointer = "tkc_gpu_pointer", .stream = "tkc_gpu_stream "};

static void write_types(const struct writer *w, const struct vendor_text *text) {
    write_includes(w, text);
    strbuf_printf(w->out,
                  "#ifndef TKC_GPU_TYPES\n#define TKC_GPU_TYPES\n"
                  "typedef %s %s; typedef %s%.*s; typedef %s %s;\n#endif\n",
                  text->result, of_both.result, text->stream, (int)strlen(of_both.stream) - 1, of_both.stream,
                  text->pointer, of_both.pointer);
}

static void write_kernels(const struct writer *w, const struct header_vendors *vendors) {
    struct vendor_text text = vendors->count > 1 ? of_both : vendor_text(vendors->wordings[0]);
    write_for_vendors(w, vendors, vendors->count > 1 ? write_types : write_includes);
    for (size_t i = 0; i < w->family_count; i++) {
        strbuf_add_char(w->out, '\n');
        header_describe(w, &w->families[i]);
        strbuf_add_char(w->out, '\n');
        header_prototypes(w, &text, &w->families[i]);
        if (w->families[i].count > 1) {
            strbuf_add_char(w->out, '\n');
            header_variant_list(w, &w->families[i]);
        }
    }
    for (size_t i = 0; i < w->reflection->chain_count; i++) {
        strbuf_add_char(w->out, '\n');
        header_chain_prototypes(w, &text, &w->reflection->chains[i]);
    }
}

// Declares the objects at the end of the file used in definitions.
static void declare_objects(const struct writer *w, const struct vendor_text *text) {
    strbuf_printf(w->out,
                  "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
                  "TKC_SHARED_SYMBOL extern struct tkc_%s_program %s_program;\n"
                  "#ifdef __cplusplus\n}\n#endif\n"
                  "static inline const struct tkc_source *%s_source(void);\n",
                  text->prefix, w->id, w->id);
    if (header_any_extras(w->reflection, text->wording)) {
        strbuf_printf(w->out, "static inline const struct tkc_extra *%s_extras(void);\n", w->id);
    }
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].count > 1) {
            strbuf_printf(w->out, "static inline const struct tkc_family *%s_%s_family(void);\n", w->id,
                          w->families[i].name);
        }
    }
    strbuf_add_char(w->out, '\n');
}

static void write_definitions(const struct writer *w, const struct vendor_text *text) {
    struct strbuf definitions = {0};
    struct writer inner = *w;
    inner.out = &definitions;
    for (size_t i = 0; i < w->family_count; i++) {
        const struct header_family *family = &w->families[i];
        if (family->count > 1) {
            header_variants(&inner, text, family);
        } else {
            header_kernel(&inner, text, family);
        }
        header_strerror(&inner, text, family);
        if (w->reflection->triton_abi) {
            header_triton(&inner, text, family);
        }
    }
    for (size_t i = 0; i < w->reflection->chain_count; i++) {
        header_chain(&inner, text, &w->reflection->chains[i]);
    }
    strbuf_add(
        w->out,
        "// ---- Definitions. They call tkc's own functions, and read the tables, below. Their words: "
        "source, the images and\n// kernels of this file; family, a kernel with its variants; level, a "
        "set of hints (rules from annotations in the kernel\n// file), with variants of its own; extras, "
        "parameters that a launch adds.\n");
    header_declare(w, text, strbuf_text(&definitions));
    declare_objects(w, text);
    strbuf_add_bytes(w->out, definitions.data, definitions.length);
    strbuf_free(&definitions);
}

static void write_images(const struct writer *w, const struct vendor_text *text) {
    header_vendor_runtime(w, text);
    header_tables(w, text);
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].count > 1) {
            header_variant_tables(w, &w->families[i]);
        }
    }
}

static void write_opening(const struct writer *w) {
    if (w->reflection->runtime != RUNTIME_DYNAMIC && !has_vendor(w->reflection, VENDOR_NVIDIA)) {
        strbuf_add(w->out, "#ifndef __HIP_PLATFORM_AMD__\n"
                           "#ifdef __clang__ // the name belongs to compilers; hipcc defines it so, too\n"
                           "#pragma clang diagnostic push\n"
                           "#pragma clang diagnostic ignored \"-Wreserved-macro-identifier\"\n"
                           "#endif\n#define __HIP_PLATFORM_AMD__\n"
                           "#ifdef __clang__\n#pragma clang diagnostic pop\n#endif\n#endif\n");
    }
    strbuf_add(w->out, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n");
}

static void write_settings(const struct writer *w) {
    strbuf_add_char(w->out, '\n');
    header_fixed_part("warnings", w->out);
    strbuf_add(
        w->out,
        "#include <stdlib.h>\n#include <string.h>\n\n"
        "#ifndef TKC_SHARED_SYMBOL\n"
        "#define TKC_SHARED_SYMBOL __attribute__((weak, visibility(\"hidden\"), aligned(16)))\n#endif\n\n");
    if (w->reflection->image_count && w->reflection->images->file) {
        strbuf_add(w->out, "// Before the names of image files: a folder, with its slash.\n"
                           "#ifndef TKC_IMAGES\n#define TKC_IMAGES \"\"\n#endif\n\n");
    }
}

static void write_body(const struct writer *w, const struct header_vendors *vendors) {
    write_opening(w);
    write_kernels(w, vendors);
    write_settings(w);
    write_for_vendors(w, vendors, write_definitions);
    strbuf_add(w->out, "// ---- The runtime: the same text in all launchers of this version.\n");
    header_common_runtime(w);
    write_for_vendors(w, vendors, write_images);
    for (size_t i = 0; i < w->family_count; i++) {
        header_macros(w, &w->families[i]);
    }
}

// Consecutive kernels of one function are its variants.
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
        .arena = arena, .reflection = reflection, .above = &above, .id = header_id(arena, reflection, stem)};
    struct header_vendors vendors = vendors_of(reflection);
    bool ok = true;
    w.families = header_families(arena, reflection, &w.family_count);
    for (size_t i = 0; i < w.family_count; i++) {
        ok &= check_kernel(w.families[i].kernels, diag) && header_check_family(&w.families[i], diag);
    }
    for (size_t i = 0; i < reflection->chain_count; i++) {
        ok &= header_check_chain(&w, &reflection->chains[i], diag);
    }
    if (!ok ||
        !header_name_macros(arena, w.families, w.family_count, reflection->triton_abi, &w.names, diag)) {
        return false;
    }
    struct strbuf body = {0};
    w.out = &body;
    write_body(&w, &vendors);
    // The include guard is a hash of the whole body: headers that differ only in a grid are two headers.
    uint64_t hash = header_hash_above(&w);
    w.out = out;
    header_about(&w, &vendors);
    const char *guard = arena_printf(arena, "%s_%016llx_H", w.id, (unsigned long long)hash);
    strbuf_printf(out, "#ifndef %s\n#define %s\n", guard, guard);
    strbuf_add_bytes(out, body.data, body.length);
    header_fixed_part("warnings_end", out);
    strbuf_add(out, "#endif\n");
    strbuf_free(&body);
    return true;
}
