// --triton-abi: the functions of triton.tools.compile and triton.tools.link, on top of the launcher's own.
//
//   k(stream, arguments…, algo_id)    launches variant algo_id, 0 to k_get_num_algos() - 1, in the order of the configurations
//   k_default(stream, arguments…)     launches k_launch's choice; Triton's launches algorithm 0
//   load_k(), unload_k()              of all variants
//
// The arguments are the source's parameters without the constants, in the source's order.
//
//                          Triton's functions         these functions
//   device                 device 0                   the current context's
//   an error               ends the process           is returned, by load_k and unload_k too
//
// The kernel's own name becomes a function's name, so C and its headers must leave it free (header_names.c).
#include "artifact/header.h"

void header_triton(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family) {
    const char *name = family->name;
    if (!family->kernels->grid[0]) {
        return;
    }
    header_begin(w, text, family, HEADER_TRITON_LAUNCH);
    if (family->count > 1) {
        header_call(
            w, family->kernels,
            arena_printf(w->arena,
                         "    return %s_launch_variant(stream, algo_id < 0 ? %zuu : (unsigned)algo_id", name,
                         family->count));
    } else {
        strbuf_printf(w->out, "    if (algo_id != 0) {\n        return %s;\n    }\n", text->invalid);
        header_call(w, family->kernels, arena_printf(w->arena, "    return %s_launch(stream", name));
    }
    strbuf_add(w->out, "}\n\n");
    header_begin(w, text, family, HEADER_TRITON_DEFAULT);
    header_call(w, family->kernels, arena_printf(w->arena, "    return %s_launch(stream", name));
    strbuf_add(w->out, "}\n\n");
    header_begin(w, text, family, HEADER_TRITON_COUNT);
    strbuf_printf(w->out, "    return %zu;\n}\n\n", family->count);
    header_begin(w, text, family, HEADER_TRITON_LOAD);
    strbuf_printf(w->out, "    return %s_load();\n}\n\n", name);
    header_begin(w, text, family, HEADER_TRITON_UNLOAD);
    strbuf_printf(w->out, "    return %s_unload();\n}\n\n", name);
}
