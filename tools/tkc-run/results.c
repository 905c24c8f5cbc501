// Comparison, printing and saving of the arrays after a run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

static void print_array(const char *name, const struct array *array) {
    printf("%s: %s[", name, array->dtype->name);
    for (unsigned i = 0; i < array->rank; i++) {
        printf("%s%zu", i ? "," : "", array->dimensions[i]);
    }
    struct strbuf text = {0};
    for (size_t i = 0; i < array->count && i < 64; i++) {
        strbuf_add(&text, " ");
        array_print(&text, array, i);
    }
    printf("]%s%s\n", strbuf_text(&text), array->count > 64 ? " …" : "");
    strbuf_free(&text);
}

bool results_check(struct settings *settings, uint8_t *const *written) {
    bool good = true;
    for (unsigned i = 0; i < settings->expected_count; i++) {
        struct run_argument *want = &settings->expected[i];
        struct run_argument *got =
            argument_find(settings->arguments, settings->argument_count, want->name, strlen(want->name));
        if (!got || !got->is_array || !want->is_array) {
            good = complain("--expect %s: there is no such array argument", want->name);
            continue;
        }
        if (want->array.dtype == &element_type_of_byte) {
            if (got->array.dtype->kind != ELEMENT_TYPE_FLOAT || got->array.dtype->bits != 8) {
                good = complain(
                    "--expect %s: %s says not which 8-bit floats it holds: %s=%s:fp8e4nv, for example",
                    want->name, want->file, want->name, want->file);
                continue;
            }
            want->array.dtype = got->array.dtype;
        }
        struct strbuf text = {0};
        bool same = compare_arrays(want->name, &got->array, &want->array, written[got - settings->arguments],
                                   &settings->tolerance, &text);
        if (!same || !settings->quiet) {
            fputs(strbuf_text(&text), same ? stdout : stderr);
        }
        good = good && same;
        strbuf_free(&text);
    }
    for (size_t i = 0; i < settings->print_count; i++) {
        struct run_argument *argument = argument_find(settings->arguments, settings->argument_count,
                                                      settings->prints[i], strlen(settings->prints[i]));
        if (argument && argument->is_array) {
            print_array(argument->name, &argument->array);
        } else {
            good = complain("--print %s: there is no such array argument", settings->prints[i]);
        }
    }
    for (size_t i = 0; i < settings->output_count; i++) {
        const char *equals = strchr(settings->outputs[i], '=');
        struct run_argument *argument =
            equals ? argument_find(settings->arguments, settings->argument_count, settings->outputs[i],
                                   (size_t)(equals - settings->outputs[i]))
                   : NULL;
        char *error = NULL;
        if (!argument || !argument->is_array) {
            good = complain("--out %s: expected ARRAY=FILE.npy", settings->outputs[i]);
        } else if ((error = npy_write(equals + 1, &argument->array))) {
            good = complain("%s", error);
        }
        free(error);
    }
    return good;
}
