// Parts of a side, added by the readers of every kind of file, and the fault at a reading's end.
#include <stdarg.h>
#include <stdio.h>

#include "diff.h"

bool load_fault(struct loader *loader, const char *path, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    strbuf_clear(&loader->error);
    strbuf_printf(&loader->error, "%s: %s", path, text);
    return false;
}

void load_property(struct loader *loader, struct properties *properties, const char *name,
                   const char *value) {
    properties->items = arena_grown(loader->arena, properties->items, properties->count,
                                    &properties->capacity, sizeof *properties->items);
    properties->items[properties->count++] =
        (struct property){arena_strdup(loader->arena, name), arena_strdup(loader->arena, value)};
}

struct file *load_file(struct loader *loader, const char *path, const char *what) {
    struct side *side = loader->side;
    side->files =
        arena_grown(loader->arena, side->files, side->file_count, &side->file_capacity, sizeof *side->files);
    struct file *file = side->files[side->file_count++] = ARENA_NEW(loader->arena, struct file);
    file->path = arena_strdup(loader->arena, path);
    load_property(loader, &file->properties, "kind", what);
    return file;
}

struct kernel *load_kernel(struct loader *loader, struct file *file, const char *name, const char *target) {
    file->kernels = arena_grown(loader->arena, file->kernels, file->kernel_count, &file->kernel_capacity,
                                sizeof *file->kernels);
    struct kernel *kernel = file->kernels[file->kernel_count++] = ARENA_NEW(loader->arena, struct kernel);
    kernel->name = arena_strdup(loader->arena, name);
    kernel->target = arena_strdup(loader->arena, target);
    kernel->names = &loader->names;
    for (unsigned i = 0; i < METRIC_COUNT; i++) {
        kernel->metrics[i] = UNKNOWN;
    }
    return kernel;
}
