// The first lines of a launcher header, for the whole file: kernels, use, results. header_contract.c writes
// those of one kernel.
#include <string.h>

#include "artifact/header.h"
#include "support/escape.h"
#include "support/file.h"

static bool serves(const struct header_vendors *vendors, enum wording wording) {
    for (size_t i = 0; i < vendors->count; i++) {
        if (vendors->wordings[i] == wording) {
            return true;
        }
    }
    return false;
}

// A word of vendor_words.def in each vendor's spelling: "CUDA_SUCCESS or hipSuccess".
static const char *in_all_words(struct arena *arena, const struct header_vendors *vendors, const char *word) {
    const char *all = NULL;
    for (size_t i = 0; i < vendors->count; i++) {
        const char *one = header_vendor_word(vendors->wordings[i], word, strlen(word));
        all = all ? arena_printf(arena, "%s or %s", one, all) : one;
    }
    return all;
}

static void write_results(const struct writer *w, const struct header_vendors *vendors) {
    static const struct {
        const char *word, *meaning;
    } results[] = {
        {"GPU_SUCCESS",
         "the launch is queued; or the grid (how often the kernel runs) is empty: nothing to do"},
        {"GPU_INVALID_VALUE", "an argument breaks a rule below (a multiple of 16, always 1); or the grid is "
                              "negative or too large"},
        {"GPU_NO_IMAGE", "no image below (compiled code for a chip) fits the device (the GPU)"},
        {"GPU_OUT_OF_MEMORY", "no memory, on the host (the CPU's) or on the device"},
    };
    enum { COUNT = sizeof results / sizeof *results };
    int widest = 0;
    for (size_t i = 0; i < COUNT; i++) {
        int width = (int)strlen(in_all_words(w->arena, vendors, results[i].word));
        widest = width > widest ? width : widest;
    }
    for (size_t i = 0; i < COUNT; i++) {
        const char *code = in_all_words(w->arena, vendors, results[i].word);
        strbuf_printf(w->out, "//   %-*s  %s\n", widest, code, results[i].meaning);
    }
    if (w->reflection->runtime == RUNTIME_DYNAMIC) {
        strbuf_printf(w->out, "//   %-*s  no driver or no device was found; the driver is too old\n", widest,
                      "100; 303");
    } else if (w->reflection->runtime == RUNTIME_CUDA_RUNTIME) {
        strbuf_printf(w->out, "//   %-*s\n//   %-*s  CUDA's driver was not found or is too old\n", widest,
                      "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED", widest, "");
    }
}

// Instructions for the use of the file. `call`: the function to call first.
static void write_use(const struct writer *w, const struct header_vendors *vendors, const char *call) {
    struct strbuf *out = w->out;
    if (serves(vendors, IN_ANY)) {
        strbuf_printf(out,
                      "// Use: include this file, make a device current, call %s; link with -ldl. It opens "
                      "the driver, libcuda or\n// libamdhip64, when it runs, and needs no header of theirs: "
                      "a stream (a queue of work for the GPU) is a void *, an\n// address a uint64_t.\n",
                      call);
        return;
    }
    if (w->reflection->runtime == RUNTIME_CUDA_RUNTIME) {
        strbuf_printf(out,
                      "// Use: include this file, call %s with a stream (a queue of work for the GPU); link "
                      "with -lcudart. A thread\n// without a context (the state for one GPU) uses "
                      "the primary one of its device.\n",
                      call);
        return;
    }
    if (serves(vendors, IN_CUDA)) {
        strbuf_printf(
            out,
            "// Use on NVIDIA: include this file, make a context (the state for one GPU) current "
            "(cuCtxSetCurrent), call %s\n// with a stream (a queue of work for the GPU); link with -lcuda, "
            "CUDA's driver.\n",
            call);
    }
    if (serves(vendors, IN_HIP) && serves(vendors, IN_CUDA)) {
        strbuf_add(out, "// Use on AMD: the same with __HIP_PLATFORM_AMD__ defined, hipSetDevice in place "
                        "of the context, and -lamdhip64.\n");
    } else if (serves(vendors, IN_HIP)) {
        strbuf_printf(out,
                      "// Use on AMD: include this file, choose a device (hipSetDevice), call %s\n// with a "
                      "stream (a queue of work for the GPU); link with -lamdhip64.\n",
                      call);
    }
}

// With several kernels: their names and parameters.
static void write_index(const struct writer *w) {
    strbuf_add(w->out, "//\n// Kernels (each called k in the rules below):\n");
    for (size_t i = 0; i < w->family_count; i++) {
        const struct header_family *family = &w->families[i];
        struct strbuf line = {0};
        strbuf_printf(&line, "//   %s(", family->name);
        for (size_t p = 0; p < family->kernels->param_count; p++) {
            strbuf_printf(&line, "%s%s", p ? ", " : "",
                          artifact_c_name(w->arena, family->kernels->params[p].name));
        }
        strbuf_add(&line, ")\n");
        header_wrap(w->out, strbuf_text(&line), "//       ");
        strbuf_free(&line);
    }
}

// A call as a user's program has it, with the parameters' names for its own variables.
static void write_example(const struct writer *w, const struct header_vendors *vendors) {
    const struct header_family *family = w->families;
    bool grid = family->kernels->grid[0] != NULL;
    struct strbuf line = {0};
    strbuf_printf(&line, "// For example: %s result = %s_%s(stream",
                  vendors->count > 1 ? "tkc_gpu_result" : in_all_words(w->arena, vendors, "gpu_result"),
                  family->name, grid ? "launch" : "launch_grid");
    strbuf_add(&line, grid ? "" : ", grid_x, grid_y, grid_z");
    for (size_t i = 0; i < family->kernels->param_count; i++) {
        strbuf_printf(&line, ", %s", artifact_c_name(w->arena, family->kernels->params[i].name));
    }
    strbuf_add(&line, ");\n");
    header_wrap(w->out, strbuf_text(&line), "//       ");
    strbuf_free(&line);
}

void header_about(const struct writer *w, const struct header_vendors *vendors) {
    const struct reflection *r = w->reflection;
    struct strbuf *out = w->out;
    bool one = w->family_count == 1;
    const char *name = one ? w->families->name : "k";
    const char *launch = one && !w->families->kernels->grid[0] ? "launch_grid" : "launch";
    strbuf_printf(out, one ? "// Launcher of the kernel %s in " : "// Launcher of the kernels in ", name);
    escape_add_text(out, ESCAPE_COMMENT, file_base_name(r->source));
    strbuf_printf(out, ". Generated by tkc %s; C99, C11 and C++17.\n", tkc_version());
    if (!one) {
        write_index(w);
    }
    strbuf_add(out, "//\n");
    write_use(w, vendors, arena_printf(w->arena, "%s_%s", name, launch));
    strbuf_printf(
        out,
        "// The first launch %s loads the code. Any thread may call any function; unload only while "
        "no launch is under way.\n",
        serves(vendors, IN_CUDA) ? "in a context" : "on a device");
    write_example(w, vendors);
    strbuf_printf(out, "//\n// Results (%s_strerror says them in words; all others are those of %s):\n", name,
                  in_all_words(w->arena, vendors, "GPU_INTERFACE"));
    write_results(w, vendors);
}
