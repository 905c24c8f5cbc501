// The files read and written by a run: an output must be neither an input nor another output.
#include "settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

bool files_clash(const struct file_use *files, size_t count) {
    const struct file_use *written, *other;
    if (!file_clash(files, count, &written, &other)) {
        return false;
    }
    complain("the %s \"%s\" would overwrite the %s \"%s\"; give it another name", written->what,
             written->path, other->what, other->path);
    return true;
}

// NAME=FILE
static const char *file_of(const char *text) {
    const char *equals = strchr(text, '=');
    return equals ? equals + 1 : NULL;
}

void settings_list_files(struct settings *settings) {
    struct program_request *request = &settings->request;
    size_t most = 2 + settings->argument_count + settings->expected_count + settings->output_count +
                  request->plot_count + settings->watch_count;
    struct file_use *files = calloc(most, sizeof *files);
    if (!files) {
        out_of_memory(most * sizeof *files);
    }
    size_t count = 0;
    files[count++] = (struct file_use){"kernel file", request->options.input, false};
    for (unsigned i = 0; i < settings->argument_count; i++) {
        files[count++] = (struct file_use){"argument", settings->arguments[i].file, false};
    }
    for (unsigned i = 0; i < settings->expected_count; i++) {
        files[count++] = (struct file_use){"expected array", settings->expected[i].file, false};
    }
    for (size_t i = 0; i < settings->output_count; i++) {
        files[count++] = (struct file_use){"array saved by --out", file_of(settings->outputs[i]), true};
    }
    for (size_t i = 0; i < request->plot_count; i++) {
        files[count++] = (struct file_use){"drawing", file_of(request->plots[i]), true};
    }
    files[count++] = (struct file_use){"report", request->options.page, true};
    for (size_t i = 0; i < settings->watch_count; i++) {
        if (file_of(settings->watches[i])) {
            files[count++] = (struct file_use){"watched array", file_of(settings->watches[i]), true};
        }
    }
    request->files = settings->files = files;
    request->file_count = count;
}
