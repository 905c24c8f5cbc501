// --triton-abi: the functions that users of triton.tools.compile and triton.tools.link call, over those of the launcher:
//
//   k(stream, arguments…, algo_id)    algorithm 0 to k_get_num_algos() - 1: the variants in the order of their configurations
//   k_default(stream, arguments…)     the one that k_launch picks; with Triton it is algorithm 0
//   load_k(), unload_k()              of all variants
//
// The kernel's own name becomes a function's, so it must be one that C and its headers leave free.
// Arguments are all that are not constant, in the source's order; a launch whose hints do not hold is an invalid value. Where
// Triton's code is for device 0 and ends the process on an error, this is for the current context, and errors are returned: by
// load_k and unload_k too, whose result its users ignore.
#include "artifact/header.h"

static void write_body(const struct writer *w, const struct vendor_text *text,
                       const struct header_family *family) {
    struct strbuf *out = w->out;
    const struct reflect_kernel *kernel = family->kernels;
    strbuf_printf(out, "static inline %s %s(%sstream", text->result, family->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_add(out, ", int algo_id) {\n");
    if (family->count > 1) {
        strbuf_printf(out, "    return %s_launch_variant(stream, algo_id < 0 ? %zuu : (unsigned)algo_id",
                      family->name, family->count);
    } else {
        strbuf_printf(out, "    if (algo_id != 0) {\n        return %s;\n    }\n    return %s_launch(stream",
                      text->invalid, family->name);
    }
    header_arguments(w, kernel);
    strbuf_add(out, ");\n}\n\n");
    strbuf_printf(out, "static inline %s %s_default(%sstream", text->result, family->name, text->stream);
    header_parameters(w, text, kernel);
    strbuf_printf(out, ") {\n    return %s_launch(stream", family->name);
    header_arguments(w, kernel);
    strbuf_add(out, ");\n}\n\n");
    strbuf_printf(out, "static inline int %s_get_num_algos(void) {\n    return %zu;\n}\n\n", family->name,
                  family->count);
    strbuf_printf(out,
                  "static inline %s load_%s(void) {\n    return %s_load();\n}\n\n"
                  "static inline %s unload_%s(void) {\n    return %s_unload();\n}\n\n",
                  text->result, family->name, family->name, text->result, family->name, family->name);
}

void header_triton(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family) {
    if (family->kernels->grid[0]) {
        strbuf_add(w->out, "// As triton.tools.compile and triton.tools.link name them.\n");
        write_body(w, text, family);
    } else {
        strbuf_printf(w->out, "// %s has no grid: it cannot be launched as Triton's tools do (--grid).\n",
                      family->name);
    }
}
