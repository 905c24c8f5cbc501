// A program in C with tkc as a library: compiles a text, with an import in memory, and writes its PTX to standard output.
#include <stdio.h>
#include <string.h>

#include <tkc/tkc.h>

static const char helper[] = "import triton\n\n\n@triton.jit\ndef twice(x):\n    return x + x\n";
static const char kernel[] =
    "import triton\nimport triton.language as tl\nfrom helper import twice\n\n\n@triton.jit\n"
    "def k(x: \"*fp32:16\"):\n    i = tl.arange(0, 128)\n    tl.store(x + i, twice(tl.load(x + i)))\n";

static void report(void *user, const struct tkc_diagnostic *diagnostic) {
    (void)user;
    fputs(diagnostic->text, stderr);
}

int main(void) {
    struct tkc_file files[] = {{"helper.tk", helper}};
    const char *outputs[] = {"k.ptx"};
    struct tkc_options options;
    tkc_options_init(&options);
    options.input = "k.tk";
    options.text = kernel;
    options.files = files;
    options.file_count = 1;
    options.outputs = outputs;
    options.output_count = 1;
    options.isolate = true;
    options.report = report;
    struct tkc_result *result = tkc_compile(&options);
    int status = !result->ok;
    for (size_t i = 0; i < result->artifact_count; i++) {
        if (result->artifacts[i].kind == TKC_PTX) {
            fwrite(result->artifacts[i].bytes, 1, result->artifacts[i].length, stdout);
        }
    }
    tkc_result_free(result);
    return status;
}
