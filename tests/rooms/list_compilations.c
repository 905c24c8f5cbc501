// Prints the compilations of the language tests: one line a kernel with a number of warps and of stages, as arguments of tkc in
// the shell's quotes. same_bytes.sh compiles this program with the tables of tests/lang.
//
//   'tests/lang/memory.tk' -n 'load_masked' -s '*fp32, *fp32, i32' -D 'BLOCK=64' -w 4 -ns 3
#include "lang.h"

#include <stdio.h>
#include <string.h>

static void print_quoted(const char *option, const char *text, size_t length) {
    printf("%s'", option);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') {
            fputs("'\\''", stdout);
        } else {
            putchar(text[i]);
        }
    }
    putchar('\'');
}

static void print_compilation(const struct lang_family *family, const struct lang_case *test, int warps,
                              int stages) {
    char source[512];
    snprintf(source, sizeof source, "tests/lang/%s.tk", family->name);
    const char *file = test->file ? test->file : source;
    print_quoted("", file, strlen(file));
    print_quoted(" -n ", test->kernel, strlen(test->kernel));
    if (test->signature) {
        print_quoted(" -s ", test->signature, strlen(test->signature));
    }
    for (const char *define = test->defines; define && *define;) {
        size_t length = strcspn(define, " ");
        print_quoted(" -D ", define, length);
        define += length + strspn(define + length, " ");
    }
    printf(" -w %d -ns %d\n", warps, stages);
}

// Base 36: g is 16.
static int digit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

int main(void) {
    for (unsigned f = 0; lang_families[f]; f++) {
        for (size_t i = 0; i < lang_families[f]->count; i++) {
            const struct lang_case *test = &lang_families[f]->cases[i];
            const char *warps = test->warps ? test->warps : "4", *stages = test->stages ? test->stages : "3";
            for (const char *w = warps; *w; w++) {
                for (const char *s = stages; *s; s++) {
                    if (test->every_pair || w == warps || s == stages) {
                        print_compilation(lang_families[f], test, digit(*w), digit(*s));
                    }
                }
            }
        }
    }
    return 0;
}
