// The file of shapes: [{"M": 512, "N": 512}, ...], or {"arguments": {"stride_x": "N", "x": "M * stride_x"}, "shapes": [...]}.
//
// An integer argument's value is the shape's own, else an expression over the others in "arguments", else a
// stride dense by NAME.tensors, else 1 if its hint is 1. An array's size is an expression, or follows
// from its shape and strides.
#include <errno.h>

#include "command/expression.h"
#include "support/file.h"
#include "tune.h"

struct reading {
    struct arena *arena;
    const char *path;
    const struct kernel *kernel;
    const struct json *arguments;
    size_t number; // of the shape
    struct shape *shape;
    bool known[TUNE_PARAMETERS];
    char wrong[EXPRESSION_WRONG]; // with the last expression
};

// Evaluates a number, or a text over the known arguments. False if it cannot yet be evaluated.
static bool evaluate(struct reading *r, const struct json *said, int64_t *value, const char **wrong) {
    struct expression_name names[TUNE_PARAMETERS];
    size_t count = 0;
    long long number;
    *wrong = NULL;
    if (json_integer(said, &number)) {
        *value = number;
        return true;
    }
    for (size_t i = 0; i < r->kernel->parameter_count; i++) {
        if (r->known[i]) {
            names[count++] = (struct expression_name){r->kernel->parameters[i].name, r->shape->numbers[i]};
        }
    }
    if (!said || said->kind != JSON_STRING) {
        *wrong = "no integer and no expression";
    } else if (!expression_evaluate(said->text, names, count, value, r->wrong)) {
        *wrong = r->wrong;
    }
    return !*wrong;
}

static bool set_number(struct reading *r, int parameter, int64_t value) {
    if (parameter < 0 || r->known[parameter] || r->kernel->parameters[parameter].pointer) {
        return false;
    }
    r->shape->numbers[parameter] = value;
    r->shape->reals[parameter] = (double)value;
    r->known[parameter] = true;
    return true;
}

// Sets the strides still unknown to dense ones, from the last dimension on. True if it set any.
static bool set_dense_strides(struct reading *r, const struct parameter *array) {
    int64_t dense = 1;
    bool some = false;
    const char *wrong;
    for (size_t i = array->shape ? array->shape->count : 0; i-- > 0;) {
        int64_t size, stride = dense;
        if (!evaluate(r, &array->shape->items[i], &size, &wrong)) {
            return some;
        }
        const struct json *said =
            array->strides && i < array->strides->count ? &array->strides->items[i] : NULL;
        if (said && said->kind == JSON_STRING) {
            int parameter = kernel_parameter(r->kernel, said->text);
            some |= set_number(r, parameter, dense);
            stride = parameter >= 0 ? r->shape->numbers[parameter] : dense;
        } else if (said) {
            (void)evaluate(r, said, &stride, &wrong);
        }
        dense = tkc_mul(stride, size);
    }
    return some;
}

static bool read_given(struct reading *r, const struct json *given) {
    for (size_t i = 0; i < given->count; i++) {
        int parameter = kernel_parameter(r->kernel, given->names[i]);
        if (parameter < 0 || r->kernel->parameters[parameter].pointer) {
            return complain("%s: shape %zu: %s has no parameter \"%s\" that is a number", r->path, r->number,
                            r->kernel->name, given->names[i]);
        }
        if (given->items[i].kind != JSON_NUMBER) {
            return complain("%s: shape %zu: %s is no number", r->path, r->number, given->names[i]);
        }
        long long whole = 0;
        if (!json_integer(&given->items[i], &whole) && !type_is_real(r->kernel->parameters[parameter].type)) {
            return complain("%s: shape %zu: %s is an integer, not %s", r->path, r->number, given->names[i],
                            given->items[i].text);
        }
        if (!set_number(r, parameter, whole)) {
            return complain("%s: shape %zu says %s twice", r->path, r->number, given->names[i]);
        }
        r->shape->reals[parameter] = given->items[i].number;
    }
    return true;
}

static bool read_numbers(struct reading *r) {
    const char *wrong;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; r->arguments && i < r->arguments->count; i++) {
            int64_t value;
            int parameter = kernel_parameter(r->kernel, r->arguments->names[i]);
            if (parameter >= 0 && !r->known[parameter] &&
                evaluate(r, &r->arguments->items[i], &value, &wrong)) {
                more |= set_number(r, parameter, value);
            }
        }
        for (unsigned i = 0; i < r->kernel->parameter_count && !more; i++) {
            more = set_dense_strides(r, &r->kernel->parameters[i]);
        }
    }
    for (unsigned i = 0; i < r->kernel->parameter_count; i++) {
        const struct parameter *parameter = &r->kernel->parameters[i];
        if (parameter->is_one) {
            set_number(r, (int)i, 1);
        }
        if (!parameter->pointer && !r->known[i]) {
            return complain("%s: shape %zu does not say %s, nor does \"arguments\"", r->path, r->number,
                            parameter->name);
        }
        if (!parameter->pointer && !type_holds(parameter->type, r->shape->numbers[i])) {
            return complain("%s: shape %zu: %s is %lld, which %s does not hold", r->path, r->number,
                            parameter->name, (long long)r->shape->numbers[i], parameter->type);
        }
    }
    return true;
}

static bool read_array(struct reading *r, unsigned index) {
    const struct parameter *array = &r->kernel->parameters[index];
    const struct json *said = json_member(r->arguments, array->name);
    const char *wrong = "there is neither \"arguments\" nor NAME.tensors for it";
    int64_t elements = 1, size, stride, dense = 1;
    if (said && evaluate(r, said, &elements, &wrong)) {
        wrong = NULL;
    } else if (!said && array->shape) {
        wrong = NULL;
        for (size_t i = array->shape->count; i-- > 0 && !wrong;) {
            stride = dense;
            evaluate(r, &array->shape->items[i], &size, &wrong);
            if (!wrong && array->strides && i < array->strides->count &&
                array->strides->items[i].kind != JSON_NULL) {
                evaluate(r, &array->strides->items[i], &stride, &wrong);
            }
            dense = tkc_mul(stride, size);
            elements =
                size > 0 ? tkc_add(elements, tkc_mul(size - 1, stride < 0 ? -stride : stride)) : elements;
        }
    }
    if (!wrong && (elements < 0 || elements > INT64_C(1) << 40)) {
        wrong = "it has more elements than any device";
    }
    r->shape->elements[index] = wrong ? 0 : (size_t)elements;
    return !wrong ||
           complain("%s: shape %zu: the elements of %s: %s", r->path, r->number, array->name, wrong);
}

static bool read_shape(struct reading *r, const struct json *given) {
    memset(r->known, 0, sizeof r->known);
    if (given->kind != JSON_OBJECT) {
        return complain("%s: shape %zu is no object", r->path, r->number);
    }
    if (!read_given(r, given) || !read_numbers(r)) {
        return false;
    }
    for (unsigned i = 0; i < r->kernel->parameter_count; i++) {
        if (r->kernel->parameters[i].pointer && !read_array(r, i)) {
            return false;
        }
    }
    return true;
}

static bool check_arguments(const struct reading *r) {
    if (r->arguments && r->arguments->kind != JSON_OBJECT) {
        return complain("%s: \"arguments\" is no object", r->path);
    }
    for (size_t i = 0; r->arguments && i < r->arguments->count; i++) {
        if (kernel_parameter(r->kernel, r->arguments->names[i]) < 0) {
            return complain("%s: \"arguments\": %s has no parameter \"%s\"", r->path, r->kernel->name,
                            r->arguments->names[i]);
        }
    }
    return true;
}

bool shapes_read(struct arena *arena, const char *path, const struct kernel *kernel, struct shape **shapes,
                 size_t *count) {
    size_t length, at;
    const char *why;
    char *text = file_read_bounded(path, 4 << 20, &length);
    if (!text) {
        return complain("cannot read %s: %s", path, file_read_error());
    }
    const struct json *root = json_parse(arena, text, &why, &at);
    free(text);
    if (!root) {
        return complain("%s is no JSON: %s was expected at byte %zu", path, why, at);
    }
    const struct json *list = root->kind == JSON_ARRAY ? root : json_member(root, "shapes");
    struct reading r = {
        .arena = arena, .path = path, .kernel = kernel, .arguments = json_member(root, "arguments")};
    if (!list || list->kind != JSON_ARRAY || !list->count) {
        return complain("%s has no shapes: an array of objects is missing, or \"shapes\" that is one", path);
    }
    if (!check_arguments(&r)) {
        return false;
    }
    *shapes = ARENA_ARRAY(arena, struct shape, list->count);
    *count = list->count;
    for (r.number = 0; r.number < list->count; r.number++) {
        r.shape = &(*shapes)[r.number];
        memset(r.shape, 0, sizeof *r.shape);
        if (!read_shape(&r, &list->items[r.number])) {
            return false;
        }
    }
    return true;
}

void shape_print(const struct kernel *kernel, const struct shape *shape, struct strbuf *out) {
    for (unsigned i = 0; i < kernel->key_count; i++) {
        strbuf_printf(out, "%s%s=%lld", i ? " " : "", kernel->keys[i],
                      (long long)shape->numbers[kernel->key_parameters[i]]);
    }
}
