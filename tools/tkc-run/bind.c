// Arguments to parameters, and the launch grid.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "artifact/launcher/grid.h"
#include "command/expression.h"
#include "settings.h"

struct run_argument *argument_find(struct run_argument *arguments, unsigned count, const char *name,
                                   size_t length) {
    for (unsigned i = 0; i < count; i++) {
        if (strlen(arguments[i].name) == length && !strncmp(arguments[i].name, name, length)) {
            return &arguments[i];
        }
    }
    return NULL;
}

static bool fits_signed(unsigned bits, const struct run_argument *argument) {
    int64_t value = argument->integer;
    return !argument->is_large && value >> (bits - 1) == (value < 0 ? -1 : 0);
}

static bool fits_unsigned(unsigned bits, const struct run_argument *argument) {
    int64_t value = argument->integer;
    return bits == 64 ? argument->is_large || value >= 0 : value >= 0 && value >> bits == 0;
}

static bool fits(const struct kernel_parameter *parameter, const struct run_argument *argument) {
    const struct element_type *type = parameter->dtype;
    switch (type->kind) {
    case ELEMENT_TYPE_BOOL:
        return argument->integer == 0 || argument->integer == 1;
    case ELEMENT_TYPE_SIGNED:
        return fits_signed(type->bits, argument) ||
               (parameter->signless && fits_unsigned(type->bits, argument));
    case ELEMENT_TYPE_UNSIGNED:
        return fits_unsigned(type->bits, argument);
    default:
        return true;
    }
}

// True if a part of another argument's array begins at a place allowed by its parameter's hint. Whole arrays are aligned enough.
static bool keeps_alignment(const struct kernel_program *program, const struct kernel_parameter *parameter,
                            const struct run_argument *argument) {
    size_t offset =
        argument->base ? (size_t)((char *)argument->array.data - (char *)argument->base->array.data) : 0;
    return parameter->divisible_by <= 1 || offset % parameter->divisible_by == 0 ||
           complain("argument '%s' of '%s' has to be a multiple of %u, as its hint or its use says, and it "
                    "begins %zu bytes "
                    "behind '%s'",
                    parameter->name, program->name, parameter->divisible_by, offset, argument->base->name);
}

// True if an argument keeps the hints of its parameter, as launchers require.
static bool keeps_hints(const struct kernel_program *program, const struct kernel_parameter *parameter,
                        const struct run_argument *argument) {
    if (parameter->pointer) {
        return keeps_alignment(program, parameter, argument);
    }
    if (!argument->is_integer) {
        return true;
    }
    if (parameter->equals_one && argument->integer != 1) {
        return complain("argument '%s' of '%s' has to be 1, as its hint or its use says, and %lld was given",
                        parameter->name, program->name, (long long)argument->integer);
    }
    if (parameter->divisible_by > 1 && argument->integer % (int64_t)parameter->divisible_by) {
        return complain("argument '%s' of '%s' has to be a multiple of %u, as its hint or its use says, and "
                        "%lld was given",
                        parameter->name, program->name, parameter->divisible_by,
                        (long long)argument->integer);
    }
    return true;
}

bool bind_parameter(struct settings *settings, const struct kernel_program *program, unsigned index,
                    struct run_argument **bound) {
    const struct kernel_parameter *parameter = &program->parameters[index];
    struct run_argument *argument = argument_find(settings->arguments, settings->argument_count,
                                                  parameter->name, strlen(parameter->name));
    if (!argument) {
        return complain("argument '%s' of '%s' is missing: --arg %s=%s", parameter->name, program->name,
                        parameter->name, parameter->pointer ? "rand(…):fp32" : "NUMBER");
    }
    if (argument->is_array != parameter->pointer) {
        return complain("argument '%s' of '%s' is %s", parameter->name, program->name,
                        parameter->pointer ? "an array, and a number was given"
                                           : "a number, and an array was given");
    }
    struct array *array = &argument->array;
    bool is_float = parameter->dtype && parameter->dtype->kind == ELEMENT_TYPE_FLOAT;
    if (parameter->pointer && array->dtype == &element_type_of_byte) {
        if (!is_float || parameter->dtype->bits != 8) {
            return complain(
                "argument '%s': %s says not which 8-bit floats it holds: %s=%s:fp8e4nv, for example",
                parameter->name, argument->file, parameter->name, argument->file);
        }
        array->dtype = parameter->dtype;
    }
    bool holds_addresses =
        !parameter->dtype || (parameter->dtype->kind != ELEMENT_TYPE_FLOAT && parameter->dtype->bits == 64);
    if (argument->addresses && !holds_addresses) {
        return complain("argument '%s' of '%s' points to %s, and addresses were given", parameter->name,
                        program->name, parameter->dtype->name);
    }
    if (parameter->pointer && parameter->dtype && parameter->dtype != argument->array.dtype &&
        !argument->addresses) {
        return complain("argument '%s' of '%s' points to %s, and an array of %s was given", parameter->name,
                        program->name, parameter->dtype->name, argument->array.dtype->name);
    }
    if (!parameter->pointer && parameter->dtype && parameter->dtype->kind != ELEMENT_TYPE_FLOAT &&
        !argument->is_integer) {
        return complain("argument '%s' of '%s' is %s, and %g was given", parameter->name, program->name,
                        parameter->dtype->name, argument->number);
    }
    if (!parameter->pointer && parameter->dtype && !fits(parameter, argument)) {
        return complain("argument '%s' of '%s' is %s, which has no %.17g", parameter->name, program->name,
                        parameter->dtype->name, argument->number);
    }
    if (!keeps_hints(program, parameter, argument)) {
        return false;
    }
    argument->used = true;
    if (argument->base) {
        argument->base->used = true;
    }
    bound[index] = argument;
    return true;
}

static size_t shared_bytes(const struct array *a, const struct array *b) {
    uintptr_t from = (uintptr_t)a->data, to = from + array_bytes(a), first = (uintptr_t)b->data,
              last = first + array_bytes(b);
    from = from > first ? from : first;
    to = to < last ? to : last;
    return from < to ? to - from : 0;
}

// True if the numbers are equal: the two arrays may be one.
static bool may_be_one(const struct reflect_apart *apart, struct run_argument *const *bound) {
    bool equal = apart->equal_count > 0;
    for (unsigned e = 0; e < apart->equal_count; e++) {
        equal = equal && bound[apart->equals[e][0]]->integer == bound[apart->equals[e][1]]->integer;
    }
    return equal;
}

bool check_apart(const struct settings *settings, const struct kernel_program *program,
                 struct run_argument *const *bound) {
    bool good = true;
    for (size_t i = 0; i < program->apart_count && !settings->overlap; i++) {
        const struct run_argument *loaded = bound[program->apart[i].loaded],
                                  *stored = bound[program->apart[i].stored];
        size_t bytes = shared_bytes(&loaded->array, &stored->array);
        if (bytes && !may_be_one(&program->apart[i], bound)) {
            good = complain(
                "arguments '%s' and '%s' of '%s' share %zu bytes, and the compiler assumed that they do not "
                "overlap: a loop loads through %s ahead of what its earlier steps store through %s. Where no "
                "step loads what an earlier one has stored, --overlap says so",
                loaded->name, stored->name, program->name, bytes, loaded->name, stored->name);
        }
    }
    return good;
}

bool bind_arguments(struct settings *settings, const struct kernel_program *program,
                    struct run_argument **bound) {
    bool good = true;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        good = bind_parameter(settings, program, i, bound) && good;
    }
    for (unsigned i = 0; i < settings->argument_count && good; i++) {
        if (settings->arguments[i].used) {
            continue;
        }
        bool constant = false;
        for (size_t j = 0; j < program->constant_count; j++) {
            constant = constant || !strcmp(program->constants[j].name, settings->arguments[i].name);
        }
        const struct run_argument *first =
            argument_find(settings->arguments, settings->argument_count, settings->arguments[i].name,
                          strlen(settings->arguments[i].name));
        if (first != &settings->arguments[i]) {
            good = complain("argument '%s' is given twice", first->name);
        } else if (!constant) {
            good = complain("'%s' has no argument '%s'", program->name, settings->arguments[i].name);
        }
    }
    return good;
}

bool bind_grid(const struct settings *settings, const struct kernel_program *program,
               struct run_argument *const *bound, unsigned *grid) {
    struct expression_name names[4 * RUN_ARGUMENTS];
    size_t count = 0;
    for (unsigned i = 0; i < program->parameter_count; i++) {
        if (program->parameters[i].in_grid && bound[i]->is_integer) {
            names[count++] = (struct expression_name){program->parameters[i].in_grid, bound[i]->integer};
        }
    }
    for (unsigned i = 0; i < settings->argument_count; i++) {
        if (settings->arguments[i].is_integer) {
            names[count++] = (struct expression_name){
                settings->arguments[i].name,
                settings->arguments[i].is_large ? TKC_NO_GRID : settings->arguments[i].integer};
        }
    }
    for (size_t i = 0; i < program->constant_count && count < 4 * RUN_ARGUMENTS; i++) {
        names[count++] = program->constants[i];
    }
    char *copy = settings->request.options.grid ? strdup(settings->request.options.grid) : NULL, *at = copy;
    if (!copy && !program->grid[0]) {
        return complain("'%s' has no launch grid: give --grid", program->name);
    }
    for (unsigned i = 0; i < 3; i++) {
        const char *text = copy ? at : program->grid[i];
        grid[i] = 1;
        unsigned depth = 0;
        for (; copy && at && *at && (*at != ',' || depth); at++) {
            depth += (*at == '(') - (*at == ')');
        }
        if (copy && at) {
            at = *at ? (*at = 0, at + 1) : NULL;
        }
        if (!text) {
            continue;
        }
        int64_t value;
        char wrong[EXPRESSION_WRONG];
        bool good = expression_evaluate(text, names, count, &value, wrong);
        if (!good || value < 0 || value > 0x7fffffff) {
            complain("launch grid: %s: %s", text, good ? "the number of programs is out of range" : wrong);
            free(copy);
            return false;
        }
        grid[i] = (unsigned)value;
    }
    if (at) {
        complain("launch grid: it has 1 to 3 sides, and \"%s\" stands behind the third", at);
    }
    free(copy);
    return !at;
}
