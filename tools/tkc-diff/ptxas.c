// Figures known to ptxas alone, from the output of `ptxas -v` for each kernel:
//
//   ptxas info    : Compiling entry function 'softmax' for 'sm_80'
//   ptxas info    : Function properties for softmax
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 63 registers, used 1 barriers, 32 bytes smem, 400 bytes cmem[0]
#include <stdlib.h>
#include <string.h>

#include "artifact/tool.h"
#include "diff.h"

static struct kernel *kernel_named(const struct file *file, const char *name, size_t length) {
    for (size_t i = 0; i < file->kernel_count; i++) {
        if (strlen(file->kernels[i]->name) == length && !memcmp(file->kernels[i]->name, name, length)) {
            return file->kernels[i];
        }
    }
    return NULL;
}

// The number before a text in a line; false: the line does not have it.
static bool number_before(const char *line, const char *text, long long *number) {
    const char *at = strstr(line, text);
    if (!at) {
        return false;
    }
    const char *start = at;
    while (start > line && start[-1] >= '0' && start[-1] <= '9') {
        start--;
    }
    *number = strtoll(start, NULL, 10);
    return start < at;
}

static void take_line(const struct file *file, struct kernel **kernel, const char *line) {
    static const char start[] = "Function properties for ", quoted[] = "entry function '";
    const char *at = strstr(line, start), *name = strstr(line, quoted);
    long long number;
    if (at) {
        *kernel = kernel_named(file, at + sizeof start - 1, strlen(at + sizeof start - 1));
    } else if (name) {
        name += sizeof quoted - 1;
        *kernel = kernel_named(file, name, strcspn(name, "'"));
    }
    if (!*kernel) {
        return;
    }
    if (number_before(line, " bytes stack frame", &number)) {
        (*kernel)->metrics[METRIC_STACK] = number;
    }
    if (number_before(line, " bytes spill stores", &number)) {
        (*kernel)->metrics[METRIC_SPILLS] = number;
    }
    if (number_before(line, " registers", &number)) {
        (*kernel)->metrics[METRIC_REGISTERS] = number;
        (*kernel)->metrics[METRIC_OCCUPANCY] = metrics_occupancy((*kernel)->target, (*kernel)->metrics);
    }
}

bool ptxas_measure(struct loader *loader, struct file *file, const char *target, const char *text,
                   size_t length) {
    struct diag diag = {0};
    struct tool_work work;
    struct strbuf printed = {0};
    if (!tool_begin(&work, loader->arena, &diag)) {
        return load_fault(loader, file->path, "there is no folder for ptxas to work in");
    }
    const char *argv[] = {loader->ptxas,
                          "-v",
                          arena_printf(loader->arena, "--gpu-name=%s", target),
                          tool_path(&work, "kernel.ptx"),
                          "-o",
                          tool_path(&work, "kernel.cubin"),
                          NULL};
    bool good = tool_put(&work, "kernel.ptx", text, length) && tool_run(argv, &printed, &diag);
    tool_end(&work, good);
    struct kernel *kernel = NULL;
    char *save = NULL;
    for (char *line = good ? strtok_r(printed.data, "\n", &save) : NULL; line;
         line = strtok_r(NULL, "\n", &save)) {
        take_line(file, &kernel, line);
    }
    strbuf_free(&printed);
    return good || load_fault(loader, file->path, "%s does not assemble it", loader->ptxas);
}
