// --chain: the launches of a chain, one after another, over the same arrays. Arguments have the names of the chain's
// parameters and temporaries. Temporaries are arrays that begin unwritten, so that the emulator reports what a kernel
// reads and no earlier one has written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/artifact.h"
#include "command/expression.h"
#include "driver/compile.h"
#include "emulate.h"
#include "settings.h"

// An argument missing from the command line: a temporary, or a number of the source.
static struct run_argument *add_argument(struct settings *settings, const char *name) {
    if (settings->argument_count == RUN_ARGUMENTS) {
        complain("the chain '%s' has more than %d arguments, temporaries and numbers",
                 settings->request.chain, RUN_ARGUMENTS);
        return NULL;
    }
    struct run_argument *argument = &settings->arguments[settings->argument_count++];
    *argument = (struct run_argument){.name = strdup(name)};
    return argument;
}

static bool integer_of(struct settings *settings, const struct kernel_chain *chain,
                       const struct chain_value *value, int64_t *out) {
    *out = 1;
    if (value->kind == CHAIN_NUMBER) {
        *out = (int64_t)value_integer(value->number);
        return true;
    }
    if (value->kind == CHAIN_PARAMETER) {
        const char *name = chain->params[value->index].name;
        const struct run_argument *given =
            argument_find(settings->arguments, settings->argument_count, name, strlen(name));
        *out = given ? given->integer : 0;
        return (given && given->is_integer) ||
               complain("argument '%s' of '%s' is missing: --arg %s=NUMBER", name, chain->name, name);
    }
    for (size_t i = 0; i < value->factor_count; i++) {
        int64_t factor;
        if (!integer_of(settings, chain, &value->factors[i], &factor)) {
            return false;
        }
        if (__builtin_mul_overflow(*out, factor, out)) {
            return complain("a product of sizes of '%s' exceeds 64 bits", chain->name);
        }
    }
    return true;
}

static bool add_temporary(struct settings *settings, const struct kernel_chain *chain, size_t index) {
    const struct chain_temporary *temporary = &chain->temporaries[index];
    struct arena *arena = arena_create();
    const char *type = dtype_signature(arena, temporary->element);
    const struct element_type *element = element_type_find(type, strlen(type));
    size_t sizes[RUN_DIMENSIONS];
    bool good = element && temporary->rank <= RUN_DIMENSIONS;
    if (!good) {
        complain("temporary '%s' of '%s' is an array of %s with %zu dimensions, which tkc-run cannot make",
                 temporary->name, chain->name, type, temporary->rank);
    }
    for (size_t i = 0; i < temporary->rank && good; i++) {
        int64_t size;
        good = integer_of(settings, chain, &temporary->sizes[i], &size);
        sizes[i] = size > 0 ? (size_t)size : 0;
    }
    struct run_argument *argument = good ? add_argument(settings, temporary->name) : NULL;
    if (argument) {
        argument->is_array = true;
        good = array_create(&argument->array, element, sizes, (unsigned)temporary->rank) ||
               complain("no memory for temporary '%s' of '%s'", temporary->name, chain->name);
        argument->array.empty = true;
    }
    arena_destroy(arena);
    return good && argument;
}

// ---- one launch

// The argument's name of a parameter. Products and numbers of the source become arguments of their own.
static const char *name_argument(struct settings *settings, const struct kernel_chain *chain,
                                 const struct kernel_program *program, unsigned index,
                                 const struct chain_value *value) {
    if (value->kind == CHAIN_PARAMETER) {
        return chain->params[value->index].name;
    }
    if (value->kind == CHAIN_TEMPORARY) {
        return chain->temporaries[value->index].name;
    }
    char *name = message("%s of %s, launch %zu", program->parameters[index].name, program->name,
                         settings->request.launch);
    struct run_argument *argument = add_argument(settings, name);
    free(name);
    if (!argument) {
        return NULL;
    }
    argument->is_integer = value->kind == CHAIN_PRODUCT || value_is_integral(value->number);
    if (argument->is_integer && !integer_of(settings, chain, value, &argument->integer)) {
        return NULL;
    }
    argument->number = argument->is_integer ? (double)argument->integer : value_number(value->number);
    return argument->name;
}

static bool bind_launch(struct settings *settings, struct kernel_program *program,
                        struct run_argument **bound) {
    const struct kernel_chain *chain = program->chain;
    const struct chain_launch *launch = &chain->launches[settings->request.launch];
    bool good = launch->argument_count == program->parameter_count;
    for (unsigned i = 0; i < program->parameter_count && good; i++) {
        struct kernel_parameter *parameter = &program->parameters[i];
        const char *name = name_argument(settings, chain, program, i, &launch->arguments[i]);
        parameter->in_grid = parameter->name;
        parameter->name = name ? name : parameter->name;
        good = name && bind_parameter(settings, program, i, bound);
    }
    for (unsigned i = 0; i < settings->argument_count; i++) {
        settings->arguments[i].late = false;
    }
    // Only code for dependent launches waits; all other is launched when the launch ahead has ended.
    for (unsigned i = 0; i < program->parameter_count && good && program->waits; i++) {
        bound[i]->late = program->parameters[i].late;
    }
    return good;
}

// ---- the chain

static bool is_parameter(const struct kernel_chain *chain, const char *name) {
    for (size_t i = 0; i < chain->param_count; i++) {
        if (strcmp(chain->params[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_arguments(const struct settings *settings, const struct kernel_chain *chain) {
    bool good = true;
    for (unsigned i = 0; i < settings->argument_count; i++) {
        if (!is_parameter(chain, settings->arguments[i].name)) {
            good = complain("'%s' has no argument '%s'", chain->name, settings->arguments[i].name);
        }
    }
    return good;
}

static bool begin_chain(struct settings *settings, const struct kernel_chain *chain) {
    bool good = check_arguments(settings, chain);
    for (size_t i = 0; i < chain->temporary_count && good; i++) {
        good = !chain->kept[i] || add_temporary(settings, chain, i);
    }
    return good;
}

void end_chain(struct settings *settings, unsigned argument_count) {
    while (settings->argument_count > argument_count) {
        argument_free(&settings->arguments[--settings->argument_count]);
    }
}

// *made: whether sizes choose the launch. An emulated chip has as many multiprocessors as its card, but for --multiprocessors.
static bool launch_is_made(struct settings *settings, const char *where, const struct kernel_chain *chain,
                           const struct chain_launch *launch, bool *made) {
    *made = true;
    if (!launch->when) {
        return true;
    }
    unsigned multiprocessors = settings->multiprocessors
                                   ? settings->multiprocessors
                                   : target_find(settings->request.target)->multiprocessors;
    if (place_is_device(where) && !device_multiprocessors(where, &multiprocessors)) {
        return false;
    }
    multiprocessors = multiprocessors ? multiprocessors : EMULATED_MULTIPROCESSORS;
    struct arena *arena = arena_create();
    const char **names = ARENA_ARRAY(arena, const char *, chain->param_count + 1);
    struct expression_name *values = ARENA_ARRAY(arena, struct expression_name, chain->param_count + 1);
    size_t count = 0;
    values[count++] = (struct expression_name){"tkc_multiprocessors", multiprocessors};
    for (size_t i = 0; i < chain->param_count; i++) {
        names[i] = chain->params[i].name;
        const struct run_argument *given =
            argument_find(settings->arguments, settings->argument_count, names[i], strlen(names[i]));
        if (given && given->is_integer) {
            values[count++] = (struct expression_name){names[i], given->integer};
        }
    }
    int64_t value;
    char wrong[EXPRESSION_WRONG];
    const char *rule = artifact_source_names(arena, launch->when, names, chain->param_count);
    bool good = expression_evaluate(rule, values, count, &value, wrong) ||
                complain("the rule of a launch of '%s': %s: %s", chain->name, rule, wrong);
    *made = good && (value == 1) != launch->otherwise;
    arena_destroy(arena);
    return good;
}

bool run_chain(struct settings *settings, const char *where) {
    size_t count = 1;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        struct kernel_program program;
        struct run_argument *bound[RUN_ARGUMENTS];
        settings->request.launch = i;
        good = program_load(&program, &settings->request);
        count = good ? program.chain->launch_count : 0;
        bool made = good;
        good = good && (i > 0 || begin_chain(settings, program.chain)) &&
               launch_is_made(settings, where, program.chain, &program.chain->launches[i], &made) &&
               (!made ||
                (bind_launch(settings, &program, bound) && run_program(settings, &program, where, bound)));
        settings->clash |= program.clash;
        program_free(&program);
    }
    return good;
}
