// Arrays of a chain that must not overlap, and the check behind a macro.
//
//   #ifdef TKC_CHECK_APART
//       const uintptr_t tkc_arrays[2] = {(uintptr_t)x_, (uintptr_t)y_};
//       const int64_t tkc_sizes[2] = {tkc_mul(…), tkc_mul(…)};
//       const char *const tkc_rules[2] = {"x of layer overlaps another array", "y of layer overlaps another array"};
//       int tkc_broken = tkc_chain_overlap(tkc_arrays, tkc_sizes, "01", 2);         y is written
//       if (tkc_broken >= 0) {
//           tkc_break_rule("norm", tkc_rules[tkc_broken], 0, 2);
//           return CUDA_ERROR_INVALID_VALUE;
//       }
//   #endif
//
// Steps of a chain become one kernel, and run beside each other, because an array has one name (src/decisions/47-chains.md). Two arrays that are
// only read may share elements. The workspace has none in common with any array.
#include <string.h>

#include "artifact/header.h"

// A size or a stride, of an array that the chain describes.
static const char *extent_text(const struct writer *w, const struct reflect_chain *chain,
                               const struct reflect_extent *extent) {
    for (size_t i = 0; i < chain->param_count && extent->parameter; i++) {
        if (strcmp(chain->params[i].name, extent->parameter) == 0) {
            const char *name = artifact_c_name(w->arena, extent->parameter);
            return header_may_exceed(&chain->params[i]) ? arena_printf(w->arena, "tkc_of_unsigned(%s)", name)
                                                        : name;
        }
    }
    return arena_printf(w->arena, "%lld", (long long)extent->number);
}

// The product of the sizes from dimension `first` on.
static const char *elements_text(const struct writer *w, const struct reflect_chain *chain,
                                 const struct reflect_tensor *tensor, size_t first) {
    const char *text = "1";
    for (size_t i = first; i < tensor->rank; i++) {
        const char *size = extent_text(w, chain, &tensor->sizes[i]);
        text = i == first ? size : arena_printf(w->arena, "tkc_mul(%s, %s)", text, size);
    }
    return text;
}

// The bytes from an array's address to the end of its last element; of one without sizes its first element's.
static const char *bytes_text(const struct writer *w, const struct reflect_chain *chain,
                              const struct reflect_param *param) {
    const struct reflect_tensor *tensor = param->tensor;
    unsigned element = header_element_bytes(param->dtype);
    if (!tensor) {
        return arena_printf(w->arena, "%u", element);
    }
    const char *span = "1";
    for (size_t i = 0; i < tensor->rank; i++) {
        const struct reflect_extent *stride = &tensor->strides[i];
        const char *step = stride->parameter || stride->is_number ? extent_text(w, chain, stride)
                                                                  : elements_text(w, chain, tensor, i + 1);
        span = arena_printf(w->arena, "tkc_add(%s, tkc_mul(tkc_sub(%s, 1), %s))", span,
                            extent_text(w, chain, &tensor->sizes[i]), step);
    }
    return arena_printf(w->arena, "tkc_mul(tkc_mul(%u, tkc_min(%s, 1)), %s)", element,
                        elements_text(w, chain, tensor, 0), span);
}

// What the check has of each array.
struct columns {
    const char *addresses, *sizes, *rules, *written;
    size_t count;
};

static void add_array(const struct writer *w, struct columns *c, const char *address, const char *bytes,
                      bool is_written, const char *name) {
    const char *comma = c->count++ ? ", " : "";
    c->addresses = arena_printf(w->arena, "%s%s(uintptr_t)%s", c->addresses, comma, address);
    c->sizes = arena_printf(w->arena, "%s%s%s", c->sizes, comma, bytes);
    c->rules = arena_printf(w->arena, "%s%s\"%s overlaps another array\"", c->rules, comma, name);
    c->written = arena_printf(w->arena, "%s%d", c->written, is_written);
}

void header_chain_apart_checks(const struct writer *w, const struct vendor_text *text,
                               const struct reflect_chain *chain, const char *kernel) {
    struct columns c = {"", "", "", "", 0};
    for (size_t i = 0; i < chain->param_count; i++) {
        const struct reflect_param *param = &chain->params[i];
        if (param->pointer) {
            add_array(w, &c, artifact_c_name(w->arena, param->name), bytes_text(w, chain, param),
                      param->tensor && param->tensor->role != REFLECT_GIVEN,
                      arena_printf(w->arena, "%s of %s", param->name, chain->name));
        }
    }
    if (chain->temporary_count) {
        add_array(w, &c, "workspace", "tkc_bytes", true,
                  arena_printf(w->arena, "the workspace of %s", chain->name));
    }
    strbuf_add(w->out, "#ifdef TKC_CHECK_APART\n");
    header_add(w, "    const uintptr_t tkc_arrays[%zu] = {%s};\n", c.count, c.addresses);
    header_add(w, "    const int64_t tkc_sizes[%zu] = {%s};\n", c.count, c.sizes);
    header_add(w, "    const char *const tkc_rules[%zu] = {%s};\n", c.count, c.rules);
    strbuf_printf(w->out,
                  "    int tkc_broken = tkc_chain_overlap(tkc_arrays, tkc_sizes, \"%s\", %zu);\n"
                  "    if (tkc_broken >= 0) {\n        tkc_break_rule(\"%s\", tkc_rules[tkc_broken], 0, 2);\n"
                  "        return %s;\n    }\n#endif\n",
                  c.written, c.count, kernel, text->invalid);
}
