// The nearest known name to one that is unknown: of the program, of a module, of a value. Only for errors.
#include <ctype.h>
#include <string.h>

#include "frontend/eval/walk.h"

static bool is_private(const char *name) {
    return *name == '_';
}

void suggest_rows(const struct emitter *e, const char *prefix, struct nearest *nearest) {
    size_t length = strlen(prefix);
    for (const struct builtin *row = e->program->builtins; row->name; row++) {
        const char *name = row->name + length + 1;
        bool inside = strncmp(row->name, prefix, length) == 0 && row->name[length] == '.';
        if (inside && !strchr(name, '.') && !is_private(name)) {
            nearest_offer(nearest, name);
        }
    }
}

void suggest_list(const char *const *names, struct nearest *nearest) {
    for (; *names; names++) {
        nearest_offer(nearest, *names);
    }
}

static void offer_file(const struct file_scope *file, struct nearest *nearest) {
    for (size_t i = 0; i < file->site_count; i++) {
        if (!is_private(file->sites[i].name)) {
            nearest_offer(nearest, file->sites[i].name);
        }
    }
}

// The library's files are loaded when a name is looked up in them.
void suggest_library(const struct emitter *e, struct nearest *nearest) {
    for (size_t i = 0; i < e->program->file_count; i++) {
        if (e->program->files[i]->library) {
            offer_file(e->program->files[i], nearest);
        }
    }
}

void suggest_names(const struct emitter *e, struct nearest *nearest) {
    for (const struct scope *scope = e->frame->scope; scope; scope = scope->parent) {
        for (size_t i = 0; i < scope->count; i++) {
            nearest_offer(nearest, scope->items[i].name);
        }
    }
    offer_file(e->frame->file, nearest);
    suggest_rows(e, "python", nearest);
}

void suggest_module(const struct emitter *e, const char *module, struct nearest *nearest) {
    suggest_rows(e, module, nearest);
    if (strcmp(module, "tl") == 0) {
        suggest_library(e, nearest);
        for (unsigned i = 0; i < SCALAR_COUNT; i++) {
            nearest_offer(nearest, dtype_table[i].name);
        }
    }
}

void suggest_attributes(const struct emitter *e, struct value object, struct nearest *nearest) {
    static const char *const of_tensors[] = {"dtype", "shape", "type", "numel", "T", NULL};
    static const char *const of_types[] = {"scalar", "primitive_bitwidth", "itemsize",
                                           "name",   "element_ty",         NULL};
    static const char *const of_blocks[] = {"dtype", "block_shape", "shape", "strides",
                                            "type",  "block_type",  NULL};
    switch (object.kind) {
    case VALUE_TENSOR:
        suggest_list(of_tensors, nearest);
        suggest_rows(e, "tensor", nearest);
        suggest_rows(e, "tl", nearest);
        suggest_library(e, nearest);
        break;
    case VALUE_DTYPE:
    case VALUE_TILE_TYPE:
        suggest_list(of_types, nearest);
        suggest_rows(e, "dtype", nearest);
        break;
    case VALUE_BLOCK_PTR:
    case VALUE_DESCRIPTOR:
        suggest_list(of_blocks, nearest);
        suggest_rows(e, "descriptor", nearest);
        break;
    case VALUE_STRING:
        suggest_rows(e, "str", nearest);
        break;
    case VALUE_DICT:
        suggest_rows(e, "dict", nearest);
        break;
    default:
        break;
    }
}

const char *suggest_synonym(const char *where, const char *name) {
    static const struct {
        const char *where, *name, *write;
    } synonyms[] = {
#define SYNONYM(where, name, write) {where, name, write},
#include "frontend/eval/synonyms.def"
#undef SYNONYM
    };
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        if (strcmp(synonyms[i].where, where) == 0 && strcmp(synonyms[i].name, name) == 0) {
            return synonyms[i].write;
        }
    }
    return NULL;
}

const char *suggest_scalar(const struct emitter *e, bool is_pointer, const char *otherwise) {
    const struct parameter_list *params =
        e->frame && e->frame->function && e->frame->function->def ? &e->frame->function->def->params : NULL;
    const char *found = NULL;
    for (size_t i = 0; params && i < params->count; i++) {
        const struct binding *binding = scope_find(e->frame->scope, params->items[i].name);
        bool scalar = binding && binding->value.kind == VALUE_TENSOR && binding->value.tensor.rank == 0;
        struct dtype type = scalar ? binding->value.tensor.dtype : (struct dtype){0};
        if (!scalar || !(is_pointer ? dtype_is_pointer(type) : dtype_is_integer(type))) {
            continue;
        }
        if (found) {
            return otherwise; // one of several is a guess
        }
        found = params->items[i].name;
    }
    return found ? found : otherwise;
}

// The arguments of the call whose function's name is at the place; NULL: they are not on its line.
static const char *arguments_behind(const struct emitter *e, struct location name) {
    const char *line;
    if (!name.source || !name.line || !name.column) {
        return NULL;
    }
    size_t length = source_line(name.source, name.line, &line), start = name.column - 1 + name.length, end;
    int depth = 1;
    if (start >= length || line[start] != '(') {
        return NULL;
    }
    for (end = start + 1; end < length && depth; end++) {
        depth += strchr("([{", line[end]) ? 1 : strchr(")]}", line[end]) ? -1 : 0;
    }
    return depth ? NULL : arena_strndup(e->arena, line + start + 1, end - start - 2);
}

const char *suggest_filled(const struct emitter *e, const char *write, struct location name) {
    const char *argument = arguments_behind(e, name), *filled = "";
    bool whole = argument && *argument && strlen(argument) < 40 && !strpbrk(argument, ",=\"'#");
    bool simple = whole && !strpbrk(argument, "+-*/%&|^<>~ ");
    for (const char *c = write; *c; c++) {
        bool alone = *c == 'x' && (c == write || !(isalnum((unsigned char)c[-1]) || strchr("._", c[-1]))) &&
                     !isalnum((unsigned char)c[1]) && c[1] != '_';
        bool bare = simple || !whole || (c > write && c[-1] == '(' && c[1] && strchr(",)", c[1]));
        const char *text = whole ? argument : "…";
        filled = !alone ? arena_printf(e->arena, "%s%c", filled, *c)
                 : bare ? arena_printf(e->arena, "%s%s", filled, text)
                        : arena_printf(e->arena, "%s(%s)", filled, text);
    }
    return filled;
}
