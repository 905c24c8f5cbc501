// The output does not depend on the locale of the program around the compiler: constants with a fraction,
// tables of numbers in a launcher, times in a file of choices.
#include "testing.h"

#include <locale.h>
#include <unistd.h>

#include "assembly_testing.h"

static const char text[] =
    "import triton\n"
    "import triton.language as tl\n"
    "@triton.autotune(configs=[triton.Config({'B': 64}), triton.Config({'B': 128})], key=['n'])\n"
    "@triton.jit\n"
    "def k(x: '*fp32:16', n: 'i32', B: tl.constexpr):\n"
    "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
    "    tl.store(x + i, tl.load(x + i, mask=i < n) * 1.5, mask=i < n)\n"
    "k.grid = lambda meta: (triton.cdiv(meta['n'], meta['B']),)\n";
static const char choices[] =
    "{\"tkc_tuned\": 1, \"choices\": [\n"
    "{\"kernel\": \"k\", \"device\": \"d\", \"key\": {\"n\": 1}, \"config\": \"B_64_warps_4_stages_3\", "
    "\"microseconds\": 1.25},\n"
    "{\"kernel\": \"k\", \"device\": \"d\", \"key\": {\"n\": 9}, \"config\": \"B_128_warps_4_stages_3\", "
    "\"microseconds\": 2.75}\n]}\n";

static struct tkc_result *compiled(const char *tuned) {
    static const char *const outputs[] = {"k.ptx"}, *chip = "sm_80";
    struct tkc_options options = assembly_options(text, &chip, 0);
    options.outputs = outputs;
    options.no_header = options.no_json = false;
    options.tuned = tuned;
    struct tkc_result *result = tkc_compile(&options);
    if (!result->ok) {
        fail_msg("%s", result->diagnostics[0].text);
    }
    return result;
}

static void test_comma(void **state) {
    char folder[] = "/tmp/tkc_locale_XXXXXX", path[64], command[160], number[16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tuned.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(choices, file);
    fclose(file);
    struct tkc_result *plain = compiled(path);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null", folder);
    setenv("LOCPATH", folder, 1);
    int made = system(command);
    const char *chosen = setlocale(LC_ALL, "de_DE.UTF-8");
    snprintf(number, sizeof number, "%.1f", 1.5);
    assert_int_equal(made, 0); // Debian's package locales has localedef's input
    assert_non_null(chosen);
    assert_string_equal(number, "1,5");
    struct tkc_result *other = compiled(path);
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(plain->artifact_count, other->artifact_count);
    for (size_t i = 0; i < plain->artifact_count; i++) {
        assert_int_equal(plain->artifacts[i].length, other->artifacts[i].length);
        assert_memory_equal(plain->artifacts[i].bytes, other->artifacts[i].bytes, plain->artifacts[i].length);
    }
    tkc_result_free(plain);
    tkc_result_free(other);
}

RUN(TEST(test_comma))
