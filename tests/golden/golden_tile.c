// golden_tile FILE.tk [FILE.expect]: compiles a kernel file to tile IR and compares the IR with the
// expectation, or for a file with errors, the diagnostics. UPDATE=1 rewrites the expectation. Without an
// expectation the result is printed, and the IR is verified. The first lines of the file may give options: "#
// --signature …", "# --kernel …", "# --grid …", "# -D NAME=VALUE", and "# show: PATTERN…" names the ops to
// compare (golden.h).
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialects/tk/tk.h"
#include "frontend/frontend.h"

enum { MAX_OPTIONS = 16 };

struct options {
    struct frontend_options frontend;
    const char *kernels[MAX_OPTIONS];
    struct tkc_define defines[MAX_OPTIONS];
};

static void print(MlirStringRef text, void *user) {
    strbuf_add_bytes(user, text.data, text.length);
}

static void read_option(struct arena *arena, struct options *options, const char *line, size_t length) {
    char *text = arena_strndup(arena, line, length);
    char *value = strchr(text, ' ');
    if (!value) {
        return;
    }
    *value++ = 0;
    struct frontend_options *o = &options->frontend;
    if (strcmp(text, "--signature") == 0) {
        o->signature = value;
    } else if (strcmp(text, "--grid") == 0) {
        o->grid = value;
    } else if (strcmp(text, "--config") == 0) {
        o->config = atoi(value);
    } else if (strcmp(text, "--kernel") == 0 && o->kernel_count < MAX_OPTIONS) {
        options->kernels[o->kernel_count++] = value;
    } else if (strcmp(text, "-D") == 0 && strchr(value, '=') && o->define_count < MAX_OPTIONS) {
        char *equals = strchr(value, '=');
        *equals = 0;
        options->defines[o->define_count++] = (struct tkc_define){value, equals + 1};
    }
}

static void read_options(struct arena *arena, const struct source *source, struct options *options) {
    options->frontend.kernels = options->kernels;
    options->frontend.defines = options->defines;
    for (const char *line = source->text; line[0] == '#';
         line += strcspn(line, "\n"), line += *line == '\n') {
        const char *text = line + 1 + strspn(line + 1, " ");
        if (*text == '-') {
            read_option(arena, options, text, strcspn(text, "\n"));
        }
    }
}

static void print_kernels(const struct frontend *frontend, struct strbuf *found) {
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        const struct kernel_instance *kernel = &frontend->kernels[i];
        strbuf_printf(found, "// %s: num_warps %d, num_stages %d", kernel->name, kernel->num_warps,
                      kernel->num_stages);
        for (int axis = 0; axis < 3 && kernel->grid[axis]; axis++) {
            strbuf_printf(found, "%s%s", axis ? "; " : ", grid ", kernel->grid[axis]);
        }
        strbuf_add(found, "\n");
    }
}

// The text to compare: IR or diagnostics. *ok: the file compiled.
static void run(struct arena *arena, const struct source *source, struct strbuf *found, bool *ok) {
    struct strbuf messages = {0};
    struct diag diag = {.sink = golden_collect, .sink_user = &messages};
    struct options options = {0};
    read_options(arena, source, &options);
    struct frontend *frontend = frontend_load(arena, &diag, source, &options.frontend);
    struct ir *ir = ir_create(&diag);
    MlirModule module = {NULL};
    if (frontend) {
        print_kernels(frontend, found);
        module = frontend_emit(frontend, ir, target_find("sm_90a"));
    }
    *ok = module.ptr && tk_verify(ir, module, &diag) && mlirOperationVerify(mlirModuleGetOperation(module)) &&
          diag.error_count == 0;
    if (!*ok) {
        strbuf_clear(found);
    }
    strbuf_add(found, strbuf_text(&messages));
    if (module.ptr) {
        if (*ok) {
            struct strbuf dump = {0};
            mlirOperationPrint(mlirModuleGetOperation(module), print, &dump);
            golden_select(source->text, "#", strbuf_text(&dump), found);
            strbuf_free(&dump);
        }
        mlirModuleDestroy(module);
    }
    strbuf_free(&messages);
    ir_destroy(ir);
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fputs("usage: golden_tile FILE.tk [FILE.expect]\n", stderr);
        return EXIT_USAGE;
    }
    struct arena *arena = arena_create();
    struct source *source = source_read(arena, argv[1], &(const char *){0});
    if (!source) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    if (argc == 3) {
        source->path = golden_name(argv[1]);
    }
    struct strbuf found = {0};
    bool ok;
    run(arena, source, &found, &ok);
    int status = ok ? EXIT_SUCCESS : EXIT_FAILURE;
    if (argc == 2) {
        puts(strbuf_text(&found));
    } else {
        status = golden_compare(argv[2], &found);
    }
    strbuf_free(&found);
    arena_destroy(arena);
    return status;
}
