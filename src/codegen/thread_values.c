// The 32-bit integers and shared addresses of a kernel, for every thread of a block at once: exact if they
// are computed from the thread's index, constants and followed phis; a range if a mask bounds an unknown
// value; otherwise every value.
#include "codegen/thread_values.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#define EVERYTHING ((struct thread_range){0, UINT32_MAX, UINT32_MAX})

static bool is_exact(struct thread_range r) {
    return r.low == r.high;
}

static struct thread_range exactly(uint32_t number) {
    return (struct thread_range){number, number, number};
}

// The smallest 2^n - 1 not below `number`.
static uint32_t bits_up_to(uint32_t number) {
    return number ? UINT32_MAX >> __builtin_clz(number) : 0;
}

static struct thread_range between(uint32_t low, uint32_t high) {
    return (struct thread_range){low, high, low == high ? low : bits_up_to(high)};
}

// The range, limited to numbers with no other bits than these.
static struct thread_range of_bits(struct thread_range range, uint32_t ones) {
    range.ones &= ones;
    range.high = range.high < range.ones ? range.high : range.ones;
    return is_exact(range) ? exactly(range.low) : range;
}

static unsigned width_of(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 32;
}

static uint32_t mask_of(unsigned width) {
    return width >= 32 ? UINT32_MAX : (1u << width) - 1;
}

// ---- arithmetic on ranges ----

static struct thread_range add(struct thread_range a, struct thread_range b) {
    uint64_t low = (uint64_t)a.low + b.low, high = (uint64_t)a.high + b.high;
    struct thread_range sum = between((uint32_t)low, (uint32_t)high);
    return low >> 32 != high >> 32 ? EVERYTHING : a.ones & b.ones ? sum : of_bits(sum, a.ones | b.ones);
}

static struct thread_range subtract(struct thread_range a, struct thread_range b) {
    if (is_exact(a) && is_exact(b)) {
        return exactly(a.low - b.low);
    }
    return a.low >= b.high ? between(a.low - b.high, a.high - b.low) : EVERYTHING;
}

static struct thread_range multiply(struct thread_range a, struct thread_range b) {
    if (is_exact(a) && is_exact(b)) {
        return exactly(a.low * b.low);
    }
    uint64_t high = (uint64_t)a.high * b.high;
    if (high >> 32) {
        return EVERYTHING;
    }
    struct thread_range product = between(a.low * b.low, (uint32_t)high), factor = is_exact(a) ? a : b;
    if (is_exact(factor) && factor.low && !(factor.low & (factor.low - 1))) {
        return of_bits(product, (is_exact(a) ? b : a).ones * factor.low);
    }
    return a.high <= 1 ? of_bits(product, b.ones) : b.high <= 1 ? of_bits(product, a.ones) : product;
}

// A mask of the bits with possible differences between numbers of the ranges; all bits above are the same as in the lowest
// number.
static uint32_t open_bits(struct thread_range a, struct thread_range b) {
    return bits_up_to((a.low ^ a.high) | (b.low ^ b.high));
}

static struct thread_range both_bits(struct thread_range a, struct thread_range b) {
    if (is_exact(a) && is_exact(b)) {
        return exactly(a.low & b.low);
    }
    if ((is_exact(b) && b.low == bits_up_to(b.low) && a.high <= b.low)) {
        return a;
    }
    uint32_t open = open_bits(a, b), low = a.low & b.low & ~open, high = a.high < b.high ? a.high : b.high;
    return of_bits(between(low, high < (low | open) ? high : low | open), a.ones & b.ones);
}

static struct thread_range either_bit(struct thread_range a, struct thread_range b, bool exclusive) {
    if (is_exact(a) && is_exact(b)) {
        return exactly(exclusive ? a.low ^ b.low : a.low | b.low);
    }
    if (!(a.ones & b.ones)) {
        return add(a, b);
    }
    uint32_t open = open_bits(a, b), low = (exclusive ? a.low ^ b.low : a.low | b.low) & ~open;
    return of_bits(between(low, low | open), a.ones | b.ones);
}

// A number of `width` bits may be negative.
static bool has_sign(struct thread_range a, unsigned width) {
    return a.high > mask_of(width) >> 1;
}

static struct thread_range shifted(LLVMOpcode opcode, struct thread_range a, struct thread_range b,
                                   unsigned width) {
    if (!is_exact(b) || b.low >= 32) {
        return EVERYTHING;
    }
    if (opcode == LLVMShl) {
        // If bits are shifted out, the result may be anything, except for the zeros shifted in.
        bool drops = !is_exact(a) && (uint64_t)a.high << b.low > mask_of(width);
        return drops ? between(0, mask_of(width) & UINT32_MAX << b.low) : multiply(a, exactly(1u << b.low));
    }
    bool negative = opcode == LLVMAShr && has_sign(a, width);
    return negative ? EVERYTHING : of_bits(between(a.low >> b.low, a.high >> b.low), a.ones >> b.low);
}

static struct thread_range divided(LLVMOpcode opcode, struct thread_range a, struct thread_range b,
                                   unsigned width) {
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    if (!is_exact(b) || b.low == 0 || (is_signed && (has_sign(a, width) || has_sign(b, width)))) {
        return EVERYTHING;
    }
    if (opcode == LLVMUDiv || opcode == LLVMSDiv) {
        return between(a.low / b.low, a.high / b.low);
    }
    return is_exact(a) ? exactly(a.low % b.low) : a.high < b.low ? a : between(0, b.low - 1);
}

static struct thread_range binary(LLVMOpcode opcode, struct thread_range a, struct thread_range b,
                                  unsigned width) {
    switch (opcode) {
    case LLVMAdd:
        return add(a, b);
    case LLVMSub:
        return subtract(a, b);
    case LLVMMul:
        return multiply(a, b);
    case LLVMAnd:
        return both_bits(a, b);
    case LLVMOr:
    case LLVMXor:
        return either_bit(a, b, opcode == LLVMXor);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return shifted(opcode, a, b, width);
    default:
        return divided(opcode, a, b, width);
    }
}

// The result of a comparison: 1, 0, or both.
static struct thread_range compared(LLVMIntPredicate predicate, struct thread_range a, struct thread_range b,
                                    unsigned width) {
    static const struct thread_range unknown = {0, 1, 1};
    if (width > 32) { // ranges are of 32 bits
        return unknown;
    }
    uint32_t sign = 1u << (width - 1);
    if (predicate >= LLVMIntSGT) { // as unsigned numbers, the sign turned round
        bool same_side = (a.low & sign) == (a.high & sign) && (b.low & sign) == (b.high & sign);
        if (!same_side) {
            return unknown;
        }
        a = between(a.low ^ sign, a.high ^ sign);
        b = between(b.low ^ sign, b.high ^ sign);
    }
    bool below = a.high<b.low, above = a.low> b.high, equal = is_exact(a) && is_exact(b) && a.low == b.low;
    bool not_above = a.high <= b.low, not_below = a.low >= b.high;
    switch (predicate) {
    case LLVMIntEQ:
        return equal ? exactly(1) : below || above ? exactly(0) : unknown;
    case LLVMIntNE:
        return equal ? exactly(0) : below || above ? exactly(1) : unknown;
    case LLVMIntULT:
    case LLVMIntSLT:
        return below ? exactly(1) : not_below ? exactly(0) : unknown;
    case LLVMIntULE:
    case LLVMIntSLE:
        return not_above ? exactly(1) : above ? exactly(0) : unknown;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return above ? exactly(1) : not_above ? exactly(0) : unknown;
    default:
        return not_below ? exactly(1) : below ? exactly(0) : unknown;
    }
}

static struct thread_range resized(LLVMOpcode opcode, struct thread_range a, unsigned from, unsigned to) {
    if (opcode == LLVMTrunc) {
        return is_exact(a)             ? exactly(a.low & mask_of(to))
               : a.high <= mask_of(to) ? a
                                       : between(0, mask_of(to));
    }
    if (opcode == LLVMSExt && a.high >> (from - 1)) {
        return is_exact(a) ? exactly((a.low | ~mask_of(from)) & mask_of(to)) : between(0, mask_of(to));
    }
    return a;
}

static struct thread_range joined(struct thread_range a, struct thread_range b) {
    return of_bits(between(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high),
                   a.ones | b.ones);
}

// ---- values ----

static struct thread_values *make(struct thread_evaluator *e, bool uniform) {
    struct thread_values *made = ARENA_NEW(e->arena, struct thread_values);
    made->uniform = uniform;
    made->at = ARENA_ARRAY(e->arena, struct thread_range, uniform ? 1 : e->threads);
    return made;
}

static struct thread_values *same_for_all(struct thread_evaluator *e, struct thread_range range) {
    struct thread_values *made = make(e, true);
    made->at[0] = range;
    return made;
}

static struct thread_values *thread_index(struct thread_evaluator *e) {
    struct thread_values *made = make(e, false);
    for (unsigned t = 0; t < e->threads; t++) {
        made->at[t] = exactly(t);
    }
    return made;
}

static struct thread_values *operation(struct thread_evaluator *e, LLVMValueRef value, LLVMOpcode opcode) {
    unsigned count = (unsigned)LLVMGetNumOperands(value), width = width_of(LLVMGetOperand(value, 0));
    const struct thread_values *x[3] = {0};
    bool uniform = true,
         no_common_bits = opcode == LLVMOr && LLVMIsAInstruction(value) && LLVMGetIsDisjoint(value);
    for (unsigned i = 0; i < count && i < 3; i++) {
        x[i] = thread_values_of(e, LLVMGetOperand(value, i));
        uniform &= x[i]->uniform;
    }
    struct thread_values *made = make(e, uniform);
    for (unsigned t = 0; t < (uniform ? 1 : e->threads); t++) {
        struct thread_range a = thread_value(x[0], t), b = count > 1 ? thread_value(x[1], t) : a;
        switch (opcode) {
        case LLVMICmp:
            made->at[t] = compared(LLVMGetICmpPredicate(value), a, b, width);
            break;
        case LLVMSelect: {
            struct thread_range otherwise = thread_value(x[2], t);
            made->at[t] = !is_exact(a) ? joined(b, otherwise) : a.low ? b : otherwise;
            break;
        }
        case LLVMTrunc:
        case LLVMZExt:
        case LLVMSExt:
            made->at[t] = resized(opcode, a, width, width_of(value));
            break;
        case LLVMFreeze:
        case LLVMBitCast:
        case LLVMPtrToInt:
        case LLVMIntToPtr:
            made->at[t] = a;
            break;
        default:
            opcode = no_common_bits ? LLVMAdd : opcode;
            made->at[t] = resized(LLVMTrunc, binary(opcode, a, b, width), 32, width);
            break;
        }
    }
    return made;
}

// base + Σ index · size of the type it steps over.
static struct thread_values *element_pointer(struct thread_evaluator *e, LLVMValueRef value) {
    LLVMTypeRef stepped = LLVMGetGEPSourceElementType(value);
    const struct thread_values *sum = thread_values_of(e, LLVMGetOperand(value, 0));
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (i > 1) {
            if (LLVMGetTypeKind(stepped) != LLVMArrayTypeKind) {
                return same_for_all(e, EVERYTHING);
            }
            stepped = LLVMGetElementType(stepped);
        }
        const struct thread_values *index = thread_values_of(e, LLVMGetOperand(value, i));
        struct thread_range size = exactly((uint32_t)LLVMABISizeOfType(e->layout, stepped));
        struct thread_values *next = make(e, sum->uniform && index->uniform);
        for (unsigned t = 0; t < (next->uniform ? 1 : e->threads); t++) {
            next->at[t] = add(thread_value(sum, t), multiply(thread_value(index, t), size));
        }
        sum = next;
    }
    return (struct thread_values *)sum;
}

static bool is_called(LLVMValueRef call, const char *prefix) {
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

// Assembly without text hides a value from LLVM: it is its operand.
static bool is_opaque(LLVMValueRef call) {
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAInlineAsm(callee) && LLVMGetNumArgOperands(call) == 1 &&
           LLVMGetInlineAsmAsmString(callee, &length)[0] == '\0';
}

// ---- intrinsics in place of shifts, masks and comparisons ----

enum { MAX_ARGUMENTS = 3 };

static uint32_t reversed(uint32_t number, unsigned width, unsigned unit) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < width; bit++) {
        unsigned place = (width / unit - 1 - bit / unit) * unit + bit % unit;
        result |= (number >> bit & 1) << place;
    }
    return result;
}

static uint32_t funnel(const uint32_t x[MAX_ARGUMENTS], unsigned width, bool left) {
    unsigned by = x[2] % width;
    uint64_t both = (uint64_t)x[0] << width | x[1];
    return (uint32_t)(left ? both >> (width - by) : both >> by);
}

static int64_t with_sign(uint32_t number, unsigned width) {
    return (int64_t)((uint64_t)number << (64 - width)) >> (64 - width);
}

// False: no function known here.
static bool evaluate(LLVMValueRef function, const uint32_t x[MAX_ARGUMENTS], unsigned width,
                     uint32_t *result) {
    if (is_called(function, "llvm.bitreverse.")) {
        *result = reversed(x[0], width, 1);
    } else if (is_called(function, "llvm.bswap.")) {
        *result = reversed(x[0], width, 8);
    } else if (is_called(function, "llvm.fshl.") || is_called(function, "llvm.fshr.")) {
        *result = funnel(x, width, is_called(function, "llvm.fshl."));
    } else if (is_called(function, "llvm.umin.") || is_called(function, "llvm.umax.")) {
        *result = (x[0] < x[1]) == is_called(function, "llvm.umin.") ? x[0] : x[1];
    } else if (is_called(function, "llvm.smin.") || is_called(function, "llvm.smax.")) {
        bool less = with_sign(x[0], width) < with_sign(x[1], width);
        *result = less == is_called(function, "llvm.smin.") ? x[0] : x[1];
    } else {
        return false;
    }
    *result &= mask_of(width);
    return true;
}

// Evaluates the intrinsic if all its arguments are exact; NULL: no known intrinsic.
static struct thread_values *function_of_numbers(struct thread_evaluator *e, LLVMValueRef value) {
    static const uint32_t zeros[MAX_ARGUMENTS];
    const struct thread_values *x[MAX_ARGUMENTS] = {0};
    unsigned count = LLVMGetNumArgOperands(value), width = width_of(value);
    uint32_t result;
    if (count == 0 || count > MAX_ARGUMENTS || !evaluate(value, zeros, width, &result)) {
        return NULL;
    }
    bool uniform = true;
    for (unsigned i = 0; i < count; i++) {
        x[i] = thread_values_of(e, LLVMGetArgOperand(value, i));
        uniform &= x[i]->uniform;
    }
    struct thread_values *made = make(e, uniform);
    for (unsigned t = 0; t < (uniform ? 1 : e->threads); t++) {
        uint32_t numbers[MAX_ARGUMENTS] = {0};
        bool exact = true;
        for (unsigned i = 0; i < count; i++) {
            struct thread_range range = thread_value(x[i], t);
            numbers[i] = range.low;
            exact &= is_exact(range);
        }
        evaluate(value, numbers, width, &result);
        made->at[t] = exact ? exactly(result) : between(0, mask_of(width));
    }
    return made;
}

static struct thread_values *call(struct thread_evaluator *e, LLVMValueRef value) {
    if (is_opaque(value)) {
        return (struct thread_values *)thread_values_of(e, LLVMGetArgOperand(value, 0));
    }
    if (is_called(value, "llvm.nvvm.read.ptx.sreg.tid.x") || is_called(value, "llvm.amdgcn.workitem.id.x")) {
        return thread_index(e);
    }
    if (is_called(value, "llvm.amdgcn.readfirstlane")) {
        const struct thread_values *x = thread_values_of(e, LLVMGetOperand(value, 0));
        struct thread_values *made = make(e, x->uniform);
        for (unsigned t = 0; t < (made->uniform ? 1 : e->threads); t++) {
            made->at[t] = thread_value(x, t / e->warp_size * e->warp_size);
        }
        return made;
    }
    struct thread_values *made = function_of_numbers(e, value);
    return made ? made : same_for_all(e, between(0, mask_of(width_of(value))));
}

// Bounds of the value for all paths.
static const struct thread_values *on_any_path(struct thread_evaluator *e, LLVMValueRef value) {
    bool before = e->any_path;
    e->any_path = true;
    const struct thread_values *bounds = thread_values_of(e, value);
    e->any_path = before;
    return bounds;
}

// The value on all paths: exact if it depends on none.
static const struct thread_values *of_all_paths(struct thread_evaluator *e, LLVMValueRef value) {
    return thread_values_depend(e, value) ? on_any_path(e, value) : thread_values_of(e, value);
}

// The only block with a branch to this one; NULL: there are several, or none.
static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block) {
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    return use && !LLVMGetNextUse(use) ? LLVMGetInstructionParent(LLVMGetUser(use)) : NULL;
}

// Notes the threads that do not come to `to` by way of `from`: a branch at the end of `from`, or of a block that all come through before,
// keeps them out.
static void note_absent(struct thread_evaluator *e, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                        bool *absent) {
    enum { BRANCHES = 8 };
    for (unsigned i = 0; i < BRANCHES && from; i++, to = from, from = only_predecessor(from)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        if (LLVMGetInstructionOpcode(end) != LLVMBr || !LLVMIsConditional(end) ||
            LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1)) {
            continue;
        }
        const struct thread_values *condition = of_all_paths(e, LLVMGetCondition(end));
        bool side = LLVMGetSuccessor(end, 0) == to;
        for (unsigned t = 0; t < e->threads; t++) {
            struct thread_range taken = thread_value(condition, t);
            absent[t] |= is_exact(taken) && (taken.low != 0) != side;
        }
    }
}

static bool all_exact(struct thread_evaluator *e, const struct thread_values *values) {
    bool exact = true;
    for (unsigned t = 0; t < (values->uniform ? 1 : e->threads) && exact; t++) {
        exact = is_exact(thread_value(values, t));
    }
    return exact;
}

// LLVM puts a number for a value behind a branch on their equality:
//
//     %c = phi [ %a, %entry ], [ 0, %then ]       `then` is for threads with %a = 0
//
// Of exact numbers a thread has those of the blocks behind it.
static struct thread_values *by_threads(struct thread_evaluator *e, LLVMValueRef phi) {
    struct thread_values *made = make(e, false);
    bool *known = ARENA_ARRAY(e->arena, bool, e->threads);
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        bool *absent = ARENA_ARRAY(e->arena, bool, e->threads);
        const struct thread_values *x = of_all_paths(e, LLVMGetIncomingValue(phi, n));
        note_absent(e, LLVMGetIncomingBlock(phi, n), LLVMGetInstructionParent(phi), absent);
        for (unsigned t = 0; t < e->threads; t++) {
            if (!absent[t]) {
                made->at[t] = known[t] ? joined(made->at[t], thread_value(x, t)) : thread_value(x, t);
                known[t] = true;
            }
        }
    }
    return made;
}

// The phi's value on the path, or the union of its incoming values. An incoming value was computed when the
// phi was entered: if it depends on a followed phi, perhaps with another value by now, it counts with its
// bounds on all paths. A value from the phi itself, around a loop, may be anything.
static struct thread_values *phi(struct thread_evaluator *e, LLVMValueRef value) {
    struct thread_values *anything = same_for_all(e, between(0, mask_of(width_of(value))));
    for (unsigned i = 0; i < e->phi_count; i++) {
        if (e->phis[i] == value && e->path[i].known && !e->any_path) {
            return same_for_all(e, exactly(e->path[i].number));
        }
    }
    bool depends = thread_values_depend(e, value) != 0;
    if (!depends || e->any_path) {
        map_put(depends ? &e->on_any : &e->fixed, value, anything);
    }
    struct thread_values *made = NULL;
    bool exact = true;
    for (unsigned n = 0; n < LLVMCountIncoming(value); n++) {
        const struct thread_values *x = of_all_paths(e, LLVMGetIncomingValue(value, n));
        struct thread_values *next = make(e, x->uniform && (!made || made->uniform));
        for (unsigned t = 0; t < (next->uniform ? 1 : e->threads); t++) {
            next->at[t] = made ? joined(thread_value(made, t), thread_value(x, t)) : thread_value(x, t);
        }
        exact &= all_exact(e, x);
        made = next;
    }
    return exact && !all_exact(e, made) ? by_threads(e, value) : made;
}

static struct thread_values *instruction(struct thread_evaluator *e, LLVMValueRef value, LLVMOpcode opcode) {
    switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFreeze:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return operation(e, value, opcode);
    case LLVMGetElementPtr:
        return element_pointer(e, value);
    case LLVMCall:
        return call(e, value);
    case LLVMPHI:
        return phi(e, value);
    default:
        return same_for_all(e, between(0, mask_of(width_of(value))));
    }
}

static bool has_number(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 32) ||
           (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 3);
}

static LLVMOpcode opcode_of(LLVMValueRef value) {
    return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
           : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                        : 0;
}

const struct thread_values *thread_values_of(struct thread_evaluator *e, LLVMValueRef value) {
    struct map *known = !thread_values_depend(e, value) ? &e->fixed : e->any_path ? &e->on_any : &e->on_path;
    struct thread_values *found = map_get(known, value);
    if (found) {
        return found;
    }
    LLVMOpcode opcode = opcode_of(value);
    if (!has_number(value)) {
        found = same_for_all(e, EVERYTHING);
    } else if (LLVMIsAConstantInt(value)) {
        found =
            same_for_all(e, exactly((uint32_t)LLVMConstIntGetZExtValue(value) & mask_of(width_of(value))));
    } else if (LLVMIsAGlobalVariable(value)) {
        found = same_for_all(e, exactly(0));
    } else if (opcode) {
        found = instruction(e, value, opcode);
    } else {
        found = same_for_all(e, between(0, mask_of(width_of(value))));
    }
    map_put(known, value, found);
    return found;
}

// ---- followed phis ----

uint64_t thread_values_depend(struct thread_evaluator *e, LLVMValueRef value) {
    uintptr_t known = (uintptr_t)map_get(&e->depends, value);
    if (known) {
        return known - 1;
    }
    uint64_t mask = 0;
    if (LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMPHI) {
        for (unsigned i = 0; i < e->phi_count; i++) {
            mask |= e->phis[i] == value ? (uint64_t)1 << i : 0;
        }
    } else if (LLVMIsAInstruction(value) && has_number(value) &&
               LLVMGetInstructionOpcode(value) != LLVMLoad) {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            LLVMValueRef operand = LLVMGetOperand(value, i);
            mask |= LLVMIsAInstruction(operand) ? thread_values_depend(e, operand) : 0;
        }
    }
    map_put(&e->depends, value, (void *)(uintptr_t)(mask + 1));
    return mask;
}

static bool follow(struct thread_evaluator *e, struct map *seen, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || !has_number(value) || map_has(seen, value)) {
        return true;
    }
    map_put(seen, value, value);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMLoad || (opcode == LLVMCall && !is_opaque(value))) {
        return true;
    }
    if (opcode == LLVMPHI) {
        if (e->phi_count == MAX_FOLLOWED) {
            return false;
        }
        e->phis[e->phi_count++] = value;
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
            if (!follow(e, seen, LLVMGetIncomingValue(value, i))) {
                return false;
            }
        }
        return true;
    }
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        if (!follow(e, seen, LLVMGetOperand(value, i))) {
            return false;
        }
    }
    return true;
}

bool thread_values_follow(struct thread_evaluator *e, LLVMValueRef value) {
    struct map seen = {0};
    for (unsigned i = 0; i < e->phi_count; i++) {
        map_put(&seen, e->phis[i], e->phis[i]);
    }
    bool all = follow(e, &seen, value);
    map_free(&seen);
    return all;
}

void thread_values_set_path(struct thread_evaluator *e, const struct phi_number *path) {
    e->path = path;
    map_clear(&e->on_path);
}

void thread_values_free(struct thread_evaluator *e) {
    map_free(&e->depends);
    map_free(&e->fixed);
    map_free(&e->on_path);
    map_free(&e->on_any);
}
