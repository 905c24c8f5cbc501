// Recording of remarks.
//
// test: tests/cli/check_remarks.py
#include "passes/remark.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dialects/tk/tk.h"
#include "ir/build.h"
#include "passes/pass.h"

const char *remark_name(enum remark_kind kind) {
    static const char *const names[REMARK_COUNT] = {
#define REMARK(id, name, attribute, refused, doc) [REMARK_##id] = name,
#include "passes/remarks.def"
#undef REMARK
    };
    return names[kind];
}

const char *remark_refused(enum remark_kind kind) {
    static const char *const texts[REMARK_COUNT] = {
#define REMARK(id, name, attribute, refused, doc) [REMARK_##id] = refused,
#include "passes/remarks.def"
#undef REMARK
    };
    return texts[kind];
}

const char *remark_doc(enum remark_kind kind) {
    static const char *const texts[REMARK_COUNT] = {
#define REMARK(id, name, attribute, refused, doc) [REMARK_##id] = doc,
#include "passes/remarks.def"
#undef REMARK
    };
    return texts[kind];
}

static MlirOperation function_of(struct ir *ir, MlirOperation op) {
    while (op_kind(ir, op) != OP_FUNC) {
        op = mlirOperationGetParentOperation(op);
    }
    return op;
}

static const struct remark_kernel *kernel_of(const struct remarks *remarks, MlirOperation function) {
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    for (size_t i = 0; i < remarks->kernel_count; i++) {
        if (strlen(remarks->kernels[i].name) == name.length &&
            memcmp(remarks->kernels[i].name, name.data, name.length) == 0) {
            return &remarks->kernels[i];
        }
    }
    return NULL;
}

static bool same_place(struct location a, struct location b) {
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

static void record(struct pass_context *context, MlirOperation op, struct remark new) {
    struct remarks *r = context->remarks;
    MlirOperation function = function_of(context->ir, op);
    MlirStringRef kernel = op_string(function, ATTR_SYM_NAME);
    if (op_has(function, ATTR_FORM_OF)) { // the kernel's own form has said it
        return;
    }
    new.at = ir_user_location(context->ir, op);
    for (size_t i = 0; i < r->count; i++) {
        const struct remark *old = &r->list[i];
        if (old->kind == new.kind && same_place(old->at, new.at) && strcmp(old->fact, new.fact) == 0 &&
            strlen(old->kernel) == kernel.length &&memcmp(old->kernel, kernel.data, kernel.length) == 0) {
            return;
        }
    }
    new.kernel = arena_strndup(r->arena, kernel.data, kernel.length);
    r->list = arena_grown(r->arena, r->list, r->count, &r->capacity, sizeof *r->list);
    r->list[r->count++] = new;
}

void remark(struct pass_context *context, enum remark_kind kind, MlirOperation op, const char *format, ...) {
    char text[512];
    if (!context->remarks) {
        return;
    }
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    record(context, op, (struct remark){.kind = kind, .fact = arena_strdup(context->remarks->arena, text)});
}

void remark_add(struct pass_context *context, MlirOperation op, struct remark new) {
    struct remarks *r = context->remarks;
    if (!r) {
        return;
    }
    struct remark_hint *kept = ARENA_ARRAY(r->arena, struct remark_hint, new.hint_count + 1);
    for (size_t i = 0; i < new.hint_count; i++) {
        kept[i] = (struct remark_hint){arena_strdup(r->arena, new.hints[i].parameter),
                                       arena_strdup(r->arena, new.hints[i].unknown),
                                       arena_strdup(r->arena, new.hints[i].annotation)};
    }
    new.hints = kept;
    new.fact = arena_strdup(r->arena, new.fact);
    new.advice = new.advice ? arena_strdup(r->arena, new.advice) : NULL;
    record(context, op, new);
}

// "i32" of an integer's type, "*fp16" of a pointer's.
static const char *type_word(struct pass_context *context, MlirType type) {
    return arena_printf(context->arena, "i%u", type_bits(type));
}

struct remark_parameter remark_parameter(struct pass_context *context, MlirOperation function,
                                         unsigned argument) {
    const struct remark_kernel *kernel = kernel_of(context->remarks, function);
    if (kernel && argument < kernel->count) {
        return kernel->parameters[argument];
    }
    MlirType type = mlirValueGetType(mlirBlockGetArgument(op_body(function, 0), argument));
    return (struct remark_parameter){arena_printf(context->arena, "argument %u", argument),
                                     type_is_ptr(type) ? "T" : type_word(context, type), type_is_ptr(type)};
}

struct remark_hint remark_hint(struct pass_context *context, MlirOperation function, unsigned argument,
                               unsigned multiple) {
    struct remark_parameter p = remark_parameter(context, function, argument);
    struct arena *arena = context->arena;
    return (struct remark_hint){p.name,
                                multiple == 1 ? "is not known to be 1"
                                              : arena_printf(arena, "is not known to be a multiple of %u%s",
                                                             multiple, p.pointer ? " bytes" : ""),
                                arena_printf(arena, "%s%s:%u", p.pointer ? "*" : "", p.type, multiple)};
}

const char *remark_hints_text(struct arena *arena, const struct remark_hint *hints, size_t count) {
    struct strbuf text = {0};
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(&text, "%s`%s` %s",
                      i == 0          ? ": "
                      : i + 1 < count ? ", "
                                      : " and ",
                      hints[i].parameter, hints[i].unknown);
    }
    for (size_t i = 0; i < count; i++) {
        strbuf_printf(&text, "%s`%s: \"%s\"`", i ? ", " : "; annotate ", hints[i].parameter,
                      hints[i].annotation);
    }
    const char *kept = arena_strdup(arena, strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

const char *remark_text(struct arena *arena, const struct remark *remark) {
    return arena_printf(arena, "%s%s%s%s", remark->fact,
                        remark_hints_text(arena, remark->hints, remark->hint_count),
                        remark->advice ? "; " : "", remark->advice ? remark->advice : "");
}
