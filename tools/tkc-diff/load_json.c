// tkc's reflection (src/artifact/reflection.c): a kernel for each entry, and all members by their path as properties. What
// names the compiler, the format or the size of an image is no difference.
#include <string.h>

#include "diff.h"
#include "support/json.h"

static bool is_left_out(const char *name) {
    static const char *const names[] = {"format", "tkc", "commit", "llvm", "tool", "bytes", NULL};
    for (const char *const *left = names; *left; left++) {
        if (!strcmp(name, *left)) {
            return true;
        }
    }
    return false;
}

static const char *scalar_text(const struct json *value) {
    switch (value->kind) {
    case JSON_BOOL:
        return value->truth ? "true" : "false";
    case JSON_NUMBER:
    case JSON_STRING:
        return value->text;
    default:
        return "none";
    }
}

// The name of an element: its member `name`, else its index.
static const char *element_name(struct arena *arena, const struct json *list, size_t index) {
    const char *name = json_text(&list->items[index], "name");
    return name ? name : arena_printf(arena, "%zu", index);
}

static void flatten(struct loader *loader, struct properties *out, const char *path,
                    const struct json *value) {
    struct arena *arena = loader->arena;
    bool object = value->kind == JSON_OBJECT;
    if (!object && value->kind != JSON_ARRAY) {
        load_property(loader, out, path, scalar_text(value));
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        const char *name = object ? value->names[i] : element_name(arena, value, i);
        if (!object || !is_left_out(name)) {
            flatten(loader, out, *path ? arena_printf(arena, "%s.%s", path, name) : name, &value->items[i]);
        }
    }
}

// The figures among an entry's members; the others are properties.
static void add_entry(struct loader *loader, struct kernel *kernel, const struct json *entry) {
    for (size_t i = 0; i < entry->count; i++) {
        const struct json *value = &entry->items[i];
        bool taken = false;
        for (unsigned m = 0; m < METRIC_COUNT; m++) {
            long long number;
            if (*metric_table[m].json && !strcmp(entry->names[i], metric_table[m].json) &&
                json_integer(value, &number)) {
                kernel->metrics[m] = number;
                taken = true;
            }
        }
        if (!taken && !is_left_out(entry->names[i])) {
            flatten(loader, &kernel->properties, entry->names[i], value);
        }
    }
}

static void add_kernel(struct loader *loader, struct file *file, const struct json *json) {
    const char *name = json_text(json, "name");
    const struct json *entries = json_member(json, "entries");
    for (size_t e = 0; name && entries && entries->kind == JSON_ARRAY && e < entries->count; e++) {
        const char *target = json_text(&entries->items[e], "target");
        if (entries->items[e].kind != JSON_OBJECT) {
            continue;
        }
        struct kernel *kernel = load_kernel(loader, file, name, target ? target : "");
        for (size_t i = 0; i < json->count; i++) {
            if (strcmp(json->names[i], "name") != 0 && strcmp(json->names[i], "entries") != 0) {
                flatten(loader, &kernel->properties, json->names[i], &json->items[i]);
            }
        }
        add_entry(loader, kernel, &entries->items[e]);
    }
}

bool load_json(struct loader *loader, const char *path, const char *text) {
    const char *why;
    size_t at;
    const struct json *json = json_parse(loader->arena, text, &why, &at);
    if (!json) {
        unsigned line = 1;
        for (size_t i = 0; i < at; i++) {
            line += text[i] == '\n';
        }
        return load_fault(loader, path, "line %u: %s is expected: is the file whole?", line, why);
    }
    const struct json *kernels = json_member(json, "kernels");
    if (!json_text(json, "tkc") || !kernels || kernels->kind != JSON_ARRAY) {
        return load_fault(
            loader, path,
            "the JSON is not a description of kernels by tkc: it has no \"tkc\" or no \"kernels\"");
    }
    struct file *file = load_file(loader, path, "description");
    for (size_t i = 0; i < json->count; i++) {
        if (strcmp(json->names[i], "kernels") != 0 && !is_left_out(json->names[i])) {
            flatten(loader, &file->properties, json->names[i], &json->items[i]);
        }
    }
    for (size_t i = 0; i < kernels->count; i++) {
        add_kernel(loader, file, &kernels->items[i]);
    }
    return true;
}
