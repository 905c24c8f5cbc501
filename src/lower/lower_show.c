// Output of a kernel to its programmer: device_print, device_assert, and in the emulator watched tiles and steps.
//
// On NVIDIA lines go through CUDA's vprintf, and assertions through its __assertfail (CUDA C++ Programming Guide, "Formatted Output" and
// "Assertion"), in the format of Triton. In the emulator of any chip these are calls of functions that it alone knows:
//
//   tkc_print(format, value…)              a line (AMD)
//   tkc_assert(format, value…)             the message of a failed assertion
//   tkc_watch(watch, begins, element, bits)  an element of a watched tile; each op begins with a call without one
//   tkc_step(watch)
#include <stdio.h>
#include <string.h>

#include "support/strbuf.h"
#include "lower/lower_internal.h"

enum { SHOWN_VALUES = 24 };

// A line to print: its format and the values for it, as C's varargs pass them.
struct line {
    struct strbuf format;
    LLVMValueRef values[SHOWN_VALUES]; // i32, i64, double or a pointer
    unsigned count;
};

static void add_value(struct line *line, const char *specifier, LLVMValueRef value) {
    strbuf_add(&line->format, specifier);
    line->values[line->count++] = value;
}

// Text with printf's own characters escaped.
static void add_text(struct line *line, MlirStringRef text) {
    for (size_t i = 0; i < text.length; i++) {
        strbuf_add(&line->format, text.data[i] == '%' ? "%%" : (char[]){text.data[i], 0});
    }
}

// An element, by Triton's specifiers. Floats of 8 bits are printed as floats; Triton prints their codes.
static void add_element(struct lowering *l, struct line *line, LLVMValueRef value, MlirType element, bool hex,
                        bool is_signed, bool short_floats) {
    if (mlirTypeIsAFloat(element)) {
        value = lower_float_to_float(l, value, element, mlirF64TypeGet(l->ir->context), false);
        add_value(line, hex ? "%a" : short_floats ? "%g" : "%f", value);
        return;
    }
    if (type_is_ptr(element)) {
        add_value(line, "%p", lower_to_bits(l, value));
        return;
    }
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
    bool wide = bits > 32;
    char specifier[24];
    snprintf(specifier, sizeof specifier, "0x%%0%u%sx", bits / 4, wide ? "ll" : "");
    value = LLVMBuildIntCast2(l->b, value, wide ? l->i64 : l->i32, is_signed && bits > 1, "");
    add_value(line,
              hex    ? specifier
              : wide ? (is_signed ? "%lli" : "%llu")
                     : (is_signed ? "%i" : "%u"),
              value);
}

// The decimal digits of a number below the extent.
static unsigned digits(int64_t extent) {
    unsigned count = 0;
    for (int64_t power = 1; power < extent; power *= 10) {
        count++;
    }
    return count;
}

// The coordinates of register r's element: "3, 17", in fields as wide as the extents if `wide`.
static void add_coordinates(struct lowering *l, struct line *line, const struct layout *layout, uint32_t r,
                            bool wide) {
    uint32_t span;
    LLVMValueRef base = lower_layout_base(l, layout, 1, &span);
    LLVMValueRef flat = lower_xor_constant(l, base, span, layout_column(layout, LAYOUT_REGISTER, r));
    for (unsigned dim = 0; dim < layout->rank; dim++) {
        LLVMValueRef at = LLVMBuildLShr(l->b, flat, lower_i32(l, layout_dim_shift(layout, dim)), "");
        char specifier[24];
        uint32_t last = (uint32_t)layout_extent(layout, dim) - 1;
        if (wide) {
            snprintf(specifier, sizeof specifier, "%s%%%uu", dim ? ", " : "", digits((int64_t)last + 1));
        } else {
            snprintf(specifier, sizeof specifier, "%s%%u", dim ? ", " : "");
        }
        add_value(line, specifier, LLVMBuildAnd(l->b, at, lower_i32(l, last), ""));
    }
}

// ---- calls ----

static LLVMValueRef constant_text(struct lowering *l, const char *text) {
    LLVMValueRef data = LLVMConstStringInContext2(l->context, text, strlen(text), 0);
    for (LLVMValueRef known = LLVMGetFirstGlobal(l->module); known; known = LLVMGetNextGlobal(known)) {
        if (LLVMGetInitializer(known) == data) {
            return known;
        }
    }
    LLVMValueRef global = LLVMAddGlobal(l->module, LLVMTypeOf(data), "tkc_text");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static LLVMValueRef declared(struct lowering *l, const char *name, LLVMTypeRef type) {
    LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
    return function ? function : LLVMAddFunction(l->module, name, type);
}

static void call_vprintf(struct lowering *l, struct line *line) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(l->context, 0), members[SHOWN_VALUES];
    for (unsigned i = 0; i < line->count; i++) {
        members[i] = LLVMTypeOf(line->values[i]);
    }
    LLVMTypeRef frame_type = LLVMStructTypeInContext(l->context, members, line->count, 0);
    LLVMValueRef frame = LLVMBuildAlloca(l->entry, frame_type, "");
    for (unsigned i = 0; i < line->count; i++) {
        LLVMBuildStore(l->b, line->values[i], LLVMBuildStructGEP2(l->b, frame_type, frame, i, ""));
    }
    LLVMTypeRef type = LLVMFunctionType(l->i32, (LLVMTypeRef[]){generic, generic}, 2, 0);
    LLVMValueRef arguments[] = {constant_text(l, strbuf_text(&line->format)), frame};
    LLVMBuildCall2(l->b, type, declared(l, "vprintf", type), arguments, 2, "");
}

// A function of the emulator: it takes its values as they are.
static void call_emulator(struct lowering *l, const char *name, struct line *line) {
    LLVMValueRef values[SHOWN_VALUES + 1] = {constant_text(l, strbuf_text(&line->format))};
    memcpy(values + 1, line->values, line->count * sizeof *values);
    LLVMTypeRef first = LLVMTypeOf(values[0]);
    LLVMTypeRef type = LLVMFunctionType(l->void_type, &first, 1, 1);
    LLVMBuildCall2(l->b, type, declared(l, name, type), values, line->count + 1, "");
}

// ---- device_print ----

static void begin_line(struct lowering *l, struct line *line) {
    static const char *const pieces[] = {"pid (%u", ", %u", ", %u)"};
    for (unsigned axis = 0; axis < 3; axis++) {
        add_value(line, pieces[axis], lower_vendor(l)->program_id(l, axis));
    }
}

static void end_line(struct lowering *l, struct line *line) {
    strbuf_add_char(&line->format, '\n');
    if (lower_vendor(l)->prints) {
        call_vprintf(l, line);
    } else {
        call_emulator(l, "tkc_print", line);
    }
    strbuf_free(&line->format);
}

static void print_register(struct lowering *l, MlirOperation op, intptr_t operand, uint32_t r) {
    MlirValue value = mlirOperationGetOperand(op, operand);
    const struct layout *layout = lower_layout(l, value);
    const int32_t *signs;
    bool is_signed = op_i32_array(op, ATTR_SIGNED, &signs, l->arena) <= operand || signs[operand];
    struct line line = {0};
    begin_line(l, &line);
    strbuf_add(&line.format, " idx (");
    if (layout) {
        add_coordinates(l, &line, layout, r, true);
    }
    strbuf_add_char(&line.format, ')');
    add_text(&line, op_string(op, ATTR_PREFIX));
    if (mlirOperationGetNumOperands(op) > 1) {
        strbuf_printf(&line.format, "(operand %d) ", (int)operand);
    }
    add_element(l, &line, lower_values(l, value)->at[r], lower_element(value), op_has(op, ATTR_HEX),
                is_signed, false);
    end_line(l, &line);
}

// A line without values, once a program.
static void print_text(struct lowering *l, MlirOperation op) {
    struct lower_if branch = lower_if_begin(l, lower_owner(l, NULL));
    struct line line = {0};
    begin_line(l, &line);
    add_text(&line, op_string(op, ATTR_PREFIX));
    end_line(l, &line);
    lower_if_end(l, &branch);
}

// Calls `show` for each element, in its owner's thread.
static void for_elements(struct lowering *l, MlirOperation op, intptr_t operand,
                         void (*show)(struct lowering *l, MlirOperation op, intptr_t operand, uint32_t r)) {
    MlirValue value = mlirOperationGetOperand(op, operand);
    const struct layout *layout = lower_layout(l, value);
    uint32_t free = lower_free_registers(layout);
    LLVMValueRef owner = lower_owner(l, layout);
    struct lower_if branch = {0};
    if (owner) {
        branch = lower_if_begin(l, owner);
    }
    for (uint32_t r = 0; r < lower_values(l, value)->count; r++) {
        if (!(r & free)) {
            show(l, op, operand, r);
        }
    }
    if (owner) {
        lower_if_end(l, &branch);
    }
}

void lower_print(struct lowering *l, MlirOperation op) {
    if (!lower_vendor(l)->prints && !l->options->emulated) {
        lower_error(l,
                    "tl.device_print needs a print function, which %s has not: run the kernel in the "
                    "emulator (tkc-run --on %s), or store "
                    "the values to memory",
                    l->target->name, l->target->name);
        return;
    }
    intptr_t count = mlirOperationGetNumOperands(op);
    for (intptr_t i = 0; i < count; i++) {
        for_elements(l, op, i, print_register);
    }
    if (count == 0) {
        print_text(l, op);
    }
}

// ---- device_assert ----

// The compared values in their places in {shown}: "5 < 3 is false, at element (2)".
static void add_compared(struct lowering *l, struct line *line, MlirOperation op, uint32_t r) {
    MlirStringRef shown = op_string(op, ATTR_SHOWN);
    const int32_t *signs;
    intptr_t sign_count = op_i32_array(op, ATTR_SIGNED, &signs, l->arena), next = 0;
    strbuf_add(&line->format, shown.length && line->format.length ? ": " : "");
    for (size_t i = 0; i < shown.length; i++) {
        if (shown.data[i] != '{' || next == assert_value_count(op)) {
            strbuf_add_char(&line->format, shown.data[i]);
            continue;
        }
        MlirValue value = assert_value(op, next);
        add_element(l, line, lower_values(l, value)->at[r], lower_element(value), false,
                    next >= sign_count || signs[next], true);
        next++;
        i++; // the closing brace
    }
    strbuf_add(&line->format, shown.length ? " is false" : "");
}

static void tell_element(struct lowering *l, MlirOperation op, uint32_t r) {
    const struct layout *layout = lower_layout(l, assert_condition(op));
    struct line line = {0};
    struct lower_if branch =
        lower_if_begin(l, LLVMBuildNot(l->b, lower_values(l, assert_condition(op))->at[r], ""));
    add_text(&line, op_string(op, ATTR_MESSAGE));
    add_compared(l, &line, op, r);
    if (layout) {
        strbuf_add(&line.format, ", at element (");
        add_coordinates(l, &line, layout, r, false);
        strbuf_add_char(&line.format, ')');
    }
    call_emulator(l, "tkc_assert", &line);
    strbuf_free(&line.format);
    lower_if_end(l, &branch);
}

// __assertfail(message, file, line, function, bytes of a character).
static void call_assertfail(struct lowering *l, MlirOperation op) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l->context, 0);
    LLVMTypeRef type =
        LLVMFunctionType(l->void_type, (LLVMTypeRef[]){pointer, pointer, l->i32, pointer, l->i64}, 5, 0);
    MlirStringRef message = op_string(op, ATTR_MESSAGE);
    struct location at = ir_op_location(l->ir, op);
    size_t length;
    LLVMValueRef arguments[] = {
        constant_text(l, arena_strndup(l->arena, message.data, message.length)),
        constant_text(l, lower_file_name(l, at.source)),
        lower_i32(l, at.line),
        constant_text(l, LLVMGetValueName2(l->function, &length)),
        LLVMConstInt(l->i64, 1, 0),
    };
    LLVMBuildCall2(l->b, type, declared(l, "__assertfail", type), arguments, 5, "");
}

void lower_assert(struct lowering *l, MlirOperation op) {
    struct values *condition = lower_values(l, assert_condition(op));
    LLVMValueRef all = NULL;
    for (unsigned r = 0; r < condition->count; r++) {
        all = lower_and(l, all, condition->at[r]);
    }
    struct lower_if branch = lower_if_begin(l, LLVMBuildNot(l->b, all, ""));
    uint32_t free = lower_free_registers(lower_layout(l, assert_condition(op)));
    for (uint32_t r = 0; l->options->emulated && r < condition->count; r++) {
        if (!(r & free)) {
            tell_element(l, op, r);
        }
    }
    if (!l->options->emulated && lower_vendor(l)->prints) {
        call_assertfail(l, op);
    } else if (!l->options->emulated) {
        lower_intrinsic(l, "llvm.trap", NULL, 0, NULL, 0);
    }
    lower_if_end(l, &branch);
}

// ---- watched tiles and steps ----

static void call_watch(struct lowering *l, MlirOperation op, LLVMValueRef begins, LLVMValueRef element,
                       LLVMValueRef bits) {
    LLVMTypeRef type = LLVMFunctionType(l->void_type, (LLVMTypeRef[]){l->i32, l->i32, l->i32, l->i64}, 4, 0);
    LLVMValueRef arguments[] = {lower_i32(l, (uint32_t)op_int(op, ATTR_WATCH)), begins, element, bits};
    LLVMBuildCall2(l->b, type, declared(l, "tkc_watch", type), arguments, 4, "");
}

static void watch_register(struct lowering *l, MlirOperation op, intptr_t operand, uint32_t r) {
    MlirValue value = mlirOperationGetOperand(op, operand);
    const struct layout *layout = lower_layout(l, value);
    LLVMValueRef element = lower_i32(l, 0), bits = lower_to_bits(l, lower_values(l, value)->at[r]);
    if (layout) {
        uint32_t span;
        LLVMValueRef base = lower_layout_base(l, layout, 1, &span);
        element = lower_xor_constant(l, base, span, layout_column(layout, LAYOUT_REGISTER, r));
    }
    call_watch(l, op, lower_i32(l, 0), element, LLVMBuildZExtOrBitCast(l->b, bits, l->i64, ""));
}

void lower_watch(struct lowering *l, MlirOperation op) {
    if (!l->options->emulated) {
        lower_error(l, "tiles are watched in the emulator alone");
        return;
    }
    call_watch(l, op, lower_i32(l, 1), lower_i32(l, 0), LLVMConstInt(l->i64, 0, 0));
    for_elements(l, op, 0, watch_register);
}

void lower_step(struct lowering *l, MlirOperation op) {
    if (!l->options->emulated) {
        lower_error(l, "steps are taken in the emulator alone");
        return;
    }
    LLVMTypeRef type = LLVMFunctionType(l->void_type, &l->i32, 1, 0);
    LLVMValueRef step = lower_i32(l, (uint32_t)op_int(op, ATTR_WATCH));
    struct lower_if branch = lower_if_begin(l, lower_owner(l, NULL));
    LLVMBuildCall2(l->b, type, declared(l, "tkc_step", type), &step, 1, "");
    lower_if_end(l, &branch);
}
