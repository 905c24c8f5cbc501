// Definitions of the functions of a kernel without variants. Kernels with variants: header_variants.c.
#include "artifact/header.h"

static void write_grid(const struct writer *w, const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    header_begin(w, NULL, family, HEADER_GRID);
    for (size_t i = 0; i < kernel->param_count; i++) {
        if (header_is_integer(&kernel->params[i])) {
            strbuf_printf(w->out, "    (void)%s;\n", artifact_c_name(w->arena, kernel->params[i].name));
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        strbuf_printf(w->out, "    tkc_grid[%d] = %s;\n", axis,
                      kernel->grid[axis] ? kernel->grid[axis] : "1");
    }
    strbuf_add(w->out, "}\n\n");
}

static void write_launch_grid(const struct writer *w, const struct vendor_text *text,
                              const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    bool extras = header_has_extras(w->reflection, kernel, text->wording);
    header_begin(w, text, family, HEADER_LAUNCH_GRID);
    header_conversions(w, kernel, header_hidden_count(w->reflection, kernel, text->wording));
    if (extras) {
        header_values(w, kernel);
    }
    strbuf_printf(w->out, "    if (grid_x == 0 || grid_y == 0 || grid_z == 0) {\n        return %s;\n    }\n",
                  text->success);
    header_checks(w, text, family);
    header_apart_checks(w, text, family);
    if (extras) {
        header_add(w,
                   "    return tkc_%s_launch_hidden(&%s_program, %s_source(), %s_extras(), %zu, stream, "
                   "grid_x, grid_y, grid_z, tkc_values, tkc_arguments, %zu);\n}\n\n",
                   text->prefix, w->id, w->id, w->id, family->first, kernel->param_count);
    } else {
        header_add(w,
                   "    return tkc_%s_launch(&%s_program, %s_source(), %zu, stream, grid_x, grid_y, "
                   "grid_z, tkc_arguments);\n}\n\n",
                   text->prefix, w->id, w->id, family->first);
    }
}

static void write_launch(const struct writer *w, const struct vendor_text *text,
                         const struct header_family *family) {
    const struct reflect_kernel *kernel = family->kernels;
    struct strbuf call = {0};
    header_begin(w, text, family, HEADER_LAUNCH);
    strbuf_printf(&call, "    %s_grid(tkc_grid", family->name);
    for (size_t i = 0; i < kernel->param_count; i++) {
        const struct reflect_param *param = &kernel->params[i];
        if (header_is_integer(param)) {
            strbuf_printf(&call, header_may_exceed(param) ? ", tkc_of_unsigned(%s)" : ", (int64_t)%s",
                          artifact_c_name(w->arena, param->name));
        }
    }
    strbuf_add(&call, ");\n");
    strbuf_add(w->out, "    int64_t tkc_grid[3];\n");
    header_wrap(w->out, strbuf_text(&call), "        ");
    strbuf_printf(w->out, "    if (!tkc_grid_fits(tkc_grid)) {\n        %s;\n        return %s;\n    }\n",
                  header_broken_grid(w, family), text->invalid);
    strbuf_free(&call);
    header_call(w, kernel,
                arena_printf(w->arena,
                             "    return %s_launch_grid(stream, (unsigned)tkc_grid[0], "
                             "(unsigned)tkc_grid[1], (unsigned)tkc_grid[2]",
                             family->name));
    strbuf_add(w->out, "}\n\n");
}

void header_kernel(const struct writer *w, const struct vendor_text *text,
                   const struct header_family *family) {
    if (family->kernels->grid[0]) {
        write_grid(w, family);
        write_launch(w, text, family);
    }
    write_launch_grid(w, text, family);
    header_begin(w, text, family, HEADER_LOAD);
    header_add(w,
               "    struct tkc_%s_context *tkc_context;\n"
               "    %s tkc_result = tkc_%s_load(&%s_program, %s_source(), %zu, &tkc_context);\n",
               text->prefix, text->result, text->prefix, w->id, w->id, family->first);
    header_ready(w, text, header_has_extras(w->reflection, family->kernels, text->wording), family);
    header_begin(w, text, family, HEADER_UNLOAD);
    header_add(w, "    return tkc_%s_unload(&%s_program, %s_source(), %zu);\n}\n\n", text->prefix, w->id,
               w->id, family->first);
}
