// Images and tables, the end of a launcher header: each image's bytes, the chips it runs on, and for each kernel on each target the block
// size, the shared memory and the hidden parameters. Definitions above them reach them through id_source() and id_extras().
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"

// The characters written as themselves in a string literal. A table, because images are long and one thread
// writes the header.
static const bool is_plain[256] = {
    [' '] = true, ['!'] = true, ['#' ... '>'] = true, ['@' ... '['] = true, [']' ... '~'] = true};

// Adds a byte to a string literal (compilers read one ten times faster than a list of numbers). An octal escape always has three digits,
// so the next character cannot extend it. A question mark is escaped because two of them begin a trigraph.
static void add_byte(struct strbuf *out, unsigned char byte) {
    if (byte >= 0x20 && byte < 0x7f) {
        if (!is_plain[byte]) {
            strbuf_add_char(out, '\\');
        }
        strbuf_add_char(out, (char)byte);
        return;
    }
    char octal[4] = {'\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
                     (char)('0' + (byte & 7))};
    strbuf_add_bytes(out,
                     byte == '\n'   ? "\\n"
                     : byte == '\t' ? "\\t"
                                    : octal,
                     byte == '\n' || byte == '\t' ? 2 : 4);
}

// The array ends in a NUL, because the driver reads PTX as a C string.
static void write_image(const struct writer *w, const struct reflect_image *image, size_t index) {
    enum { LINE = 110 };
    const unsigned char *bytes = image->bytes;
    const struct reflect_target *target = &w->reflection->targets[image->target];
    struct strbuf *out = w->out;
    strbuf_printf(out, "// %s, %s", target->target->name, outputs_kind_name(target->kind));
    if (image->kernel_count < w->reflection->kernel_count) {
        strbuf_printf(out, ": %s", w->reflection->kernels[image->first_kernel].name);
    }
    strbuf_add_char(out, '\n');
    strbuf_printf(out, "TKC_SHARED_SYMBOL extern const unsigned char %s_image_%zu[%zu];\n", w->id, index,
                  image->length + 1);
    strbuf_printf(out, "const unsigned char %s_image_%zu[%zu] =\n    \"", w->id, index, image->length + 1);
    size_t start = out->length;
    for (size_t i = 0; i < image->length;) {
        if (out->length - start >= LINE || (i && bytes[i - 1] == '\n')) {
            strbuf_add(out, "\"\n    \"");
            start = out->length;
        }
        size_t room = LINE - (out->length - start), plain = i,
               end = image->length - i < room ? image->length : i + room;
        while (plain < end && is_plain[bytes[plain]]) {
            plain++;
        }
        if (plain > i) {
            strbuf_add_bytes(out, bytes + i, plain - i);
            i = plain;
        } else {
            add_byte(out, bytes[i++]);
        }
    }
    strbuf_add(out, "\";\n");
}

bool header_covers(enum wording wording, const struct target *target) {
    return wording == IN_ANY || (wording == IN_CUDA) == (target->vendor == VENDOR_NVIDIA);
}

// The index of a target among the targets with images in a launcher in these words.
static unsigned index_among(const struct reflection *r, enum wording wording, size_t target) {
    unsigned index = 0;
    for (size_t i = 0; i < target; i++) {
        index += header_covers(wording, r->targets[i].target);
    }
    return index;
}

static void write_image_row(const struct writer *w, const struct reflect_image *image, size_t index,
                            unsigned target_index) {
    const struct reflect_target *target = &w->reflection->targets[image->target];
    const char *name = target->target->name;
    if (image->file) {
        strbuf_add(w->out, "    {NULL, TKC_IMAGES \"");
        escape_add_text(w->out, ESCAPE_STRING, image->file);
        strbuf_add(w->out, "\", ");
    } else {
        strbuf_printf(w->out, "    {%s_image_%zu, NULL, ", w->id, index);
    }
    if (target->target->vendor == VENDOR_NVIDIA) {
        strbuf_printf(w->out, "NULL, NULL, %uu, %d, %d", target->target->compute_capability,
                      target_reach(target->target), target->kind == TKC_CUBIN);
    } else {
        const char *family = target_family(target->target);
        strbuf_printf(w->out, "\"%s\", ", name);
        strbuf_printf(w->out, family ? "\"%s\"" : "NULL", family);
        strbuf_add(w->out, ", 0u, 0, 0");
    }
    strbuf_printf(w->out, ", %uu, %zuu, %zuu, %zuu, %zuu},\n", target_index, image->first_kernel,
                  image->kernel_count, image->unpacked ? image->length : 0, image->unpacked);
}

// ---- hidden parameters

bool header_has_extras(const struct reflection *reflection, const struct reflect_kernel *kernel,
                       enum wording wording) {
    for (size_t i = 0; i < reflection->target_count; i++) {
        const struct reflect_entry *entry = &kernel->entries[i];
        if (header_covers(wording, reflection->targets[i].target) &&
            (entry->hidden_count || entry->dealing.persistent)) {
            return true;
        }
    }
    return false;
}

bool header_any_extras(const struct reflection *reflection, enum wording wording) {
    for (size_t k = 0; k < reflection->kernel_count; k++) {
        if (header_has_extras(reflection, &reflection->kernels[k], wording)) {
            return true;
        }
    }
    return false;
}

size_t header_hidden_count(const struct reflection *reflection, const struct reflect_kernel *kernel,
                           enum wording wording) {
    size_t most = 0;
    for (size_t i = 0; i < reflection->target_count; i++) {
        const struct reflect_form *paired = kernel->entries[i].paired;
        size_t count = kernel->entries[i].hidden_count, second = paired ? paired->entry.hidden_count : 0;
        count = second > count ? second : count;
        if (header_covers(wording, reflection->targets[i].target) && count > most) {
            most = count;
        }
    }
    return most;
}

static void write_terms(struct strbuf *out, const struct tkc_term *terms, unsigned count) {
    strbuf_add(out, "{");
    for (unsigned i = 0; i < count; i++) {
        strbuf_printf(out, "%s{INT64_C(%lld), INT64_C(%lld), %d, %d, INT64_C(%lld)}", i ? ", " : "",
                      (long long)terms[i].plus, (long long)terms[i].factor, terms[i].parameter, terms[i].by,
                      (long long)terms[i].over);
    }
    strbuf_add(out, "}");
}

static void write_hidden(struct strbuf *out, enum wording wording, const struct tkc_hidden *hidden) {
    const struct tkc_tensor_map *map = &hidden->map;
    if (hidden->kind != TKC_HIDDEN_TENSOR_MAP) {
        strbuf_printf(out, "    {TKC_HIDDEN_GRID_%c, TKC_NO_TENSOR_MAP},\n",
                      'X' + hidden->kind - TKC_HIDDEN_GRID_X);
        return;
    }
    strbuf_printf(out, "    {TKC_HIDDEN_TENSOR_MAP,\n     {%uu, ", map->pointer);
    if (wording == IN_CUDA) {
        strbuf_printf(out, "CU_TENSOR_MAP_DATA_TYPE_%s, ", tensor_type_of(map)->cuda);
    } else {
        strbuf_printf(out, "%d, ", tensor_type_of(map)->value);
    }
    strbuf_printf(out, "%uu, %uu, ", map->element_bytes, map->rank);
    write_terms(out, map->sizes, TKC_TENSOR_RANK);
    strbuf_add(out, ", ");
    write_terms(out, map->strides, TKC_TENSOR_RANK - 1);
    for (unsigned i = 0; i < TKC_TENSOR_RANK; i++) {
        strbuf_printf(out, "%s%uu", i ? ", " : ", {", (unsigned)map->box[i]);
    }
    strbuf_printf(out, "}, %uu, %uu, %uu, ", map->swizzle, map->is_written, map->offset_count);
    write_terms(out, map->offsets, TKC_TENSOR_OFFSETS);
    strbuf_add(out, "}},\n");
}

// The array NAME of an entry's hidden parameters.
static void write_hidden_array(const struct writer *w, enum wording wording, const char *kernel,
                               const char *target, const struct reflect_entry *entry, const char *name) {
    strbuf_printf(w->out,
                  "// %s on %s: constant, factor and parameters (-1: none) of sizes, strides and offsets\n"
                  "static const struct tkc_hidden %s[] = {\n",
                  kernel, target, name);
    for (size_t h = 0; h < entry->hidden_count; h++) {
        write_hidden(w->out, wording, &entry->hidden[h]);
    }
    strbuf_add(w->out, "};\n");
}

static bool has_forms(const struct reflection *r, enum wording wording) {
    for (size_t i = 0; i < r->target_count; i++) {
        for (size_t k = 0; k < r->kernel_count && header_covers(wording, r->targets[i].target); k++) {
            if (r->kernels[k].entries[i].paired) {
                return true;
            }
        }
    }
    return false;
}

// The members of a tkc_entry.
static const char *entry_members(struct arena *arena, const struct reflect_entry *entry) {
    return arena_printf(arena, "%uu, %uu, %uu, %uu, %uu, %uu", entry->threads, entry->shared_bytes,
                        entry->dynamic_shared_bytes, entry->dealing.persistent, entry->dealing.cluster,
                        entry->dealing.fills);
}

// The function NAME_steps of a second form.
static void write_form_steps(const struct writer *w, const struct reflect_kernel *kernel, const char *steps,
                             const char *name) {
    strbuf_printf(w->out,
                  "static inline int64_t %s_steps(const int64_t *tkc_values, const int64_t tkc_id[3]) {\n",
                  name);
    header_declare_parameters(w, kernel);
    for (int axis = 0; axis < 3; axis++) {
        strbuf_printf(w->out, "    const int64_t tkc_id_%d = tkc_id[%d];\n    (void)tkc_id_%d;\n", axis, axis,
                      axis);
    }
    header_add(w, "    return %s;\n}\n", steps);
}

// The second forms of kernels, in the order of the entries.
static void write_forms(const struct writer *w, const struct vendor_text *text) {
    const struct reflection *r = w->reflection;
    struct strbuf rows = {0};
    for (size_t i = 0; i < r->target_count; i++) {
        for (size_t k = 0; k < r->kernel_count && header_covers(text->wording, r->targets[i].target); k++) {
            const struct reflect_form *form = r->kernels[k].entries[i].paired;
            if (form) {
                const char *name = arena_printf(w->arena, "%s_paired_%zu_%zu", w->id, i, k);
                write_hidden_array(w, text->wording, form->name, r->targets[i].target->name, &form->entry,
                                   name);
                write_form_steps(w, &r->kernels[k], form->steps, name);
                strbuf_printf(&rows, "    {\"%s\", {%s}, %s,\n     %zuu, %uu, %uu, %uu, %s_steps},\n",
                              form->name, entry_members(w->arena, &form->entry), name,
                              form->entry.hidden_count, form->together, form->programs, form->least_steps,
                              name);
            } else {
                strbuf_add(&rows, "    {NULL, {0u, 0u, 0u, 0u, 0u, 0u}, NULL, 0u, 0u, 0u, 0u, NULL},\n");
            }
        }
    }
    strbuf_printf(
        w->out,
        "// Second forms: entry, the same numbers, hidden parameters; programs of a tile; the programs a "
        "multiprocessor and the\n// steps of a program from which launches may take it.\n"
        "static const struct tkc_form %s_forms[] = {\n%s};\n",
        w->id, strbuf_text(&rows));
    strbuf_free(&rows);
}

// The hidden parameters of each kernel on each target, in the order of the entries.
static void write_extras(const struct writer *w, const struct vendor_text *text) {
    const struct reflection *r = w->reflection;
    struct strbuf rows = {0};
    for (size_t i = 0; i < r->target_count; i++) {
        for (size_t k = 0; k < r->kernel_count && header_covers(text->wording, r->targets[i].target); k++) {
            const struct reflect_entry *entry = &r->kernels[k].entries[i];
            if (entry->hidden_count) {
                const char *name = arena_printf(w->arena, "%s_hidden_%zu_%zu", w->id, i, k);
                write_hidden_array(w, text->wording, r->kernels[k].name, r->targets[i].target->name, entry,
                                   name);
                strbuf_printf(&rows, "    {%s, %zuu, %d, %lld, %.0f},\n", name, entry->hidden_count,
                              entry->loop.parameter, (long long)entry->loop.divisor, entry->loop.products);
            } else {
                strbuf_add(&rows, "    {NULL, 0u, 0, 0, 0},\n");
            }
        }
    }
    strbuf_printf(w->out,
                  "static const struct tkc_extra %s_extra_rows[] = {\n%s};\n"
                  "static inline const struct tkc_extra *%s_extras(void) {\n    return %s_extra_rows;\n}\n",
                  w->id, strbuf_text(&rows), w->id, w->id);
    strbuf_free(&rows);
}

void header_ready(const struct writer *w, const struct vendor_text *text, bool extras,
                  const struct header_family *family) {
    if (extras) {
        strbuf_printf(
            w->out,
            "    return tkc_result == %s ? tkc_%s_ready(&%s_program, %s_source(), %s_extras(), %zu, "
            "%zu)\n                                     : tkc_result;\n}\n\n",
            text->success, text->prefix, w->id, w->id, w->id, family->first, family->count);
    } else {
        strbuf_add(w->out, "    return tkc_result;\n}\n\n");
    }
}

// ---- all tables

void header_tables(const struct writer *w, const struct vendor_text *text) {
    const struct reflection *r = w->reflection;
    struct strbuf *out = w->out;
    size_t images = 0;
    strbuf_add(out, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    strbuf_add(out, "#ifdef __GNUC__\n#pragma GCC diagnostic push\n"
                    "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n");
    for (size_t i = 0; i < r->image_count; i++) {
        if (header_covers(text->wording, r->targets[r->images[i].target].target) && !r->images[i].file) {
            write_image(w, &r->images[i], i);
        }
    }
    strbuf_add(out, "#ifdef __GNUC__\n#pragma GCC diagnostic pop\n#endif\n");
    strbuf_printf(out, "struct tkc_%s_program %s_program = {0, 0};\n", text->prefix, w->id);
    strbuf_add(out, "#ifdef __cplusplus\n}\n#endif\n\n");

    strbuf_printf(out, "static const struct tkc_image %s_images[] = {\n", w->id);
    for (size_t i = 0; i < r->image_count; i++) {
        size_t target = r->images[i].target;
        if (header_covers(text->wording, r->targets[target].target)) {
            write_image_row(w, &r->images[i], i, index_among(r, text->wording, target));
            images++;
        }
    }
    strbuf_printf(out, "};\nstatic const char *const %s_kernels[] = {\n", w->id);
    for (size_t k = 0; k < r->kernel_count; k++) {
        strbuf_printf(out, "    \"%s\",\n", r->kernels[k].name);
    }
    strbuf_printf(out,
                  "};\n// Threads a block, bytes of shared memory, bytes of it that are dynamic, blocks a "
                  "multiprocessor "
                  "of a persistent\n// kernel (0: not persistent), blocks of a cluster (0: each by itself),\n"
                  "// 1 if a persistent kernel's blocks are no fewer for few programs.\n"
                  "static const struct tkc_entry %s_entries[] = {\n",
                  w->id);
    for (size_t i = 0; i < r->target_count; i++) {
        for (size_t k = 0; k < r->kernel_count && header_covers(text->wording, r->targets[i].target); k++) {
            const struct reflect_entry *entry = &r->kernels[k].entries[i];
            strbuf_printf(out, "    {%s}, // %s on %s\n", entry_members(w->arena, entry), r->kernels[k].name,
                          r->targets[i].target->name);
        }
    }
    strbuf_add(out, "};\n");
    bool forms = has_forms(r, text->wording);
    if (forms) {
        write_forms(w, text);
    }
    strbuf_printf(out,
                  "static const struct tkc_source %s_tables = {%s_images, %zuu, %s_kernels, %zuu,\n"
                  "    %s_entries, %s};\n"
                  "static inline const struct tkc_source *%s_source(void) {\n    return &%s_tables;\n}\n",
                  w->id, w->id, images, w->id, r->kernel_count, w->id,
                  forms ? arena_printf(w->arena, "%s_forms", w->id) : "NULL", w->id, w->id);
    if (header_any_extras(r, text->wording)) {
        write_extras(w, text);
    }
}
