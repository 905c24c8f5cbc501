// NVIDIA: addresses of a thread's elements become one address and constants, also where LLVM does not see the permission.
//
//   p + sext(row * 32000 + tid), p + sext(row * 32000 + (tid | 1024)), …      →      q = p + sext(row * 32000 + tid), q + 1024, …
//   p + sext(tid | row << 9), p + sext(tid | (row | 2) << 9), …               →      q = p + sext(tid | row << 9), q + 1024, …
//
// Offsets of 32 bits are extended to 64, and LLVM takes no constant out of a possibly wrapping sum, nor from below a shift. So each element of
// a row had an address of its own: 64 registers for 32 elements; and ptxas computed those of later rows, and loaded them, behind the
// exchanges of the first. A sum whose parts have no bit in common does not wrap. Of other sums the access's mask tells, `row < 1024` in the
// first example: with a true mask the sum is far from 2^31, and with a false one nothing is accessed, at any address.
//
// Requires: nothing. Test: tests/golden/codegen/offsets
#include "codegen/offsets.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

enum { MOST_TERMS = 4, MOST_CONDITIONS = 8, MOST_DEPTH = 8, REACH = 128 };

struct term {
    LLVMValueRef value;
    unsigned shift;
};

// Terms and a constant.
struct offset {
    struct term terms[MOST_TERMS];
    unsigned count;
    int64_t constant;
    bool carries; // parts may have bits in common; then none is negative, nor does their sum wrap
    bool hidden;  // part of the constant is below a shift
};

struct element {
    LLVMValueRef address; // a GEP with one index
    struct offset offset;
    bool done;
};

// Comparisons, all of them true.
struct conditions {
    LLVMValueRef compares[MOST_CONDITIONS];
    unsigned count;
};

// ---- bounds ----

static void add_conditions(struct conditions *all, LLVMValueRef mask, int depth) {
    if (!LLVMIsAInstruction(mask) || depth > MOST_DEPTH) {
        return;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(mask);
    if (opcode == LLVMAnd) {
        add_conditions(all, LLVMGetOperand(mask, 0), depth + 1);
        add_conditions(all, LLVMGetOperand(mask, 1), depth + 1);
    } else if (opcode == LLVMICmp && all->count < MOST_CONDITIONS) {
        all->compares[all->count++] = mask;
    }
}

static bool is_number(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 32;
}

// The greatest value if the comparison holds. -1: it says nothing.
static int64_t most_if(LLVMValueRef compare, LLVMValueRef value, bool positive) {
    LLVMValueRef limit = LLVMGetOperand(compare, 1);
    if (LLVMGetOperand(compare, 0) != value || !is_number(limit) || LLVMConstIntGetSExtValue(limit) < 0) {
        return -1;
    }
    switch (LLVMGetICmpPredicate(compare)) {
    case LLVMIntULT:
        return LLVMConstIntGetSExtValue(limit) - 1;
    case LLVMIntULE:
    case LLVMIntEQ:
        return LLVMConstIntGetSExtValue(limit);
    case LLVMIntSLT:
        return positive ? LLVMConstIntGetSExtValue(limit) - 1 : -1;
    case LLVMIntSLE:
        return positive ? LLVMConstIntGetSExtValue(limit) : -1;
    default:
        return -1;
    }
}

static int64_t most_of_call(LLVMValueRef call) {
    static const struct {
        const char *prefix;
        int64_t most;
    } registers[] = {{"llvm.nvvm.read.ptx.sreg.tid.", 1023},
                     {"llvm.nvvm.read.ptx.sreg.ctaid.x", INT32_MAX - 1},
                     {"llvm.nvvm.read.ptx.sreg.ctaid.", 65534}};
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        if (strncmp(name, registers[i].prefix, strlen(registers[i].prefix)) == 0) {
            return registers[i].most;
        }
    }
    return -1;
}

static int64_t most_of(const struct conditions *all, LLVMValueRef value, int depth);

// By the value's instruction. The operands' own bounds keep products in 64 bits.
static int64_t most_computed(const struct conditions *all, LLVMValueRef value, int depth) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMCall) {
        return most_of_call(value);
    }
    if (depth > MOST_DEPTH || LLVMGetNumOperands(value) < 1 ||
        LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) != LLVMIntegerTypeKind) {
        return -1;
    }
    int64_t a = most_of(all, LLVMGetOperand(value, 0), depth + 1);
    if (opcode == LLVMZExt) {
        return a;
    }
    LLVMValueRef right = LLVMGetNumOperands(value) == 2 ? LLVMGetOperand(value, 1) : NULL;
    int64_t b = right ? most_of(all, right, depth + 1) : -1;
    switch (opcode) {
    case LLVMAnd:
        return a < 0 ? b : b < 0 || a < b ? a : b;
    case LLVMAdd:
    case LLVMOr:
        return a < 0 || b < 0 ? -1 : a + b;
    case LLVMMul:
        return a < 0 || b < 0 ? -1 : a * b;
    case LLVMShl:
        return a < 0 || !is_number(right) || b < 0 || b > 31 ? -1 : a << b;
    case LLVMLShr:
        return !is_number(right) || b < 1 || b > 31 ? -1 : (a < 0 ? (int64_t)UINT32_MAX : a) >> b;
    default:
        return -1;
    }
}

// The greatest value of an integer of at most 32 bits, neither negative nor wrapped; -1: not known.
static int64_t most_of(const struct conditions *all, LLVMValueRef value, int depth) {
    if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 32) {
        return -1;
    }
    if (LLVMIsAConstantInt(value)) {
        return LLVMConstIntGetSExtValue(value) < 0 ? -1 : LLVMConstIntGetSExtValue(value);
    }
    int64_t most = LLVMIsAInstruction(value) ? most_computed(all, value, depth) : -1;
    most = most > INT32_MAX ? -1 : most;
    bool positive = most >= 0;
    for (unsigned i = 0; i < all->count; i++) {
        int64_t other = most_if(all->compares[i], value, positive);
        most = other >= 0 && (most < 0 || other < most) ? other : most;
    }
    return most;
}

// ---- accesses ----

// The mask of an access through the address: the predicate of an assembly of one instruction. NULL: there is none.
static LLVMValueRef mask_of(LLVMValueRef user) {
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (!callee || !LLVMIsAInlineAsm(callee)) {
        return NULL;
    }
    size_t length = 0;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length), *end = memchr(text, ';', length);
    if (length < 3 || text[0] != '@' || text[1] != '$' || end != text + length - 1) {
        return NULL;
    }
    LLVMTypeRef type = LLVMTypeOf(user);
    unsigned results = LLVMGetTypeKind(type) == LLVMVoidTypeKind     ? 0
                       : LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                                     : 1;
    unsigned long place = strtoul(text + 2, NULL, 10);
    return place >= results && place - results < LLVMGetNumArgOperands(user)
               ? LLVMGetOperand(user, (unsigned)place - results)
               : NULL;
}

// True if the offset is a number of 31 bits wherever something is accessed.
static bool stays_small(const struct element *element) {
    for (LLVMUseRef use = LLVMGetFirstUse(element->address); use; use = LLVMGetNextUse(use)) {
        struct conditions all = {0};
        LLVMValueRef mask = mask_of(LLVMGetUser(use));
        if (mask) {
            add_conditions(&all, mask, 0);
        }
        int64_t sum = element->offset.constant;
        for (unsigned i = 0; i < element->offset.count; i++) {
            int64_t most = most_of(&all, element->offset.terms[i].value, 0);
            sum = most < 0 ? INT64_MAX / 2 : sum + most;
        }
        if (sum > INT32_MAX) {
            return false;
        }
    }
    return true;
}

// ---- addresses ----

static bool add_term(struct offset *offset, LLVMValueRef value, unsigned shift) {
    if (offset->count == MOST_TERMS) {
        return false;
    }
    offset->terms[offset->count++] = (struct term){value, shift};
    return true;
}

static bool is_disjoint(LLVMValueRef value) {
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMOr && LLVMGetIsDisjoint(value);
}

// Parts without common bits, also below shifts.
static bool take_bits(LLVMValueRef value, unsigned shift, int depth, struct offset *offset) {
    if (LLVMIsAConstantInt(value)) {
        int64_t constant = LLVMConstIntGetSExtValue(value);
        offset->hidden |= shift > 0 && constant != 0;
        offset->constant += constant << shift;
        return constant >= 0 && offset->constant <= INT32_MAX;
    }
    bool inner = LLVMIsAInstruction(value) && depth < MOST_DEPTH;
    if (inner && is_disjoint(value)) {
        return take_bits(LLVMGetOperand(value, 0), shift, depth + 1, offset) &&
               take_bits(LLVMGetOperand(value, 1), shift, depth + 1, offset);
    }
    LLVMValueRef by = inner && LLVMGetInstructionOpcode(value) == LLVMShl ? LLVMGetOperand(value, 1) : NULL;
    if (by && LLVMIsAConstantInt(by) && shift + LLVMConstIntGetZExtValue(by) < 31) {
        return take_bits(LLVMGetOperand(value, 0), shift + (unsigned)LLVMConstIntGetZExtValue(by), depth + 1,
                         offset);
    }
    return add_term(offset, value, shift);
}

static bool take_sum(LLVMValueRef value, int depth, struct offset *offset) {
    if (LLVMIsAConstantInt(value)) {
        offset->constant += LLVMConstIntGetSExtValue(value);
        return LLVMConstIntGetSExtValue(value) >= 0;
    }
    bool inner = LLVMIsAInstruction(value) && depth < MOST_DEPTH;
    if (inner && (LLVMGetInstructionOpcode(value) == LLVMAdd || is_disjoint(value))) {
        offset->carries |= !is_disjoint(value) && !LLVMGetNSW(value);
        return take_sum(LLVMGetOperand(value, 0), depth + 1, offset) &&
               take_sum(LLVMGetOperand(value, 1), depth + 1, offset);
    }
    return add_term(offset, value, 0);
}

// Constants below shifts first: LLVM finds those of other sums without common bits by itself. False if there is no such form.
static bool read_offset(LLVMValueRef sum, struct element *element) {
    struct offset bits = {0}, *offset = &element->offset;
    bool whole = take_bits(sum, 0, 0, &bits);
    if (!(whole && bits.hidden) && take_sum(sum, 0, offset) && offset->carries && stays_small(element)) {
        return true;
    }
    *offset = bits;
    return whole;
}

static bool read_element(LLVMValueRef address, struct element *element) {
    *element = (struct element){.address = address};
    if (LLVMGetInstructionOpcode(address) != LLVMGetElementPtr || LLVMGetNumOperands(address) != 2) {
        return false;
    }
    LLVMValueRef index = LLVMGetOperand(address, 1);
    LLVMOpcode opcode = LLVMIsAInstruction(index) ? LLVMGetInstructionOpcode(index) : LLVMRet;
    LLVMValueRef sum = opcode == LLVMSExt || opcode == LLVMZExt ? LLVMGetOperand(index, 0) : NULL;
    return sum && LLVMTypeOf(sum) == LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(sum))) &&
           read_offset(sum, element);
}

static unsigned times(const struct offset *offset, struct term term) {
    unsigned count = 0;
    for (unsigned i = 0; i < offset->count; i++) {
        count += offset->terms[i].value == term.value && offset->terms[i].shift == term.shift;
    }
    return count;
}

// True if b's address is a's plus a constant of zero or more.
static bool follows(const struct element *a, const struct element *b) {
    bool same = a->offset.count == b->offset.count && a->offset.carries == b->offset.carries &&
                a->offset.constant <= b->offset.constant &&
                (a->offset.carries || a->offset.hidden || b->offset.hidden) &&
                LLVMGetOperand(a->address, 0) == LLVMGetOperand(b->address, 0) &&
                LLVMGetInstructionOpcode(LLVMGetOperand(a->address, 1)) ==
                    LLVMGetInstructionOpcode(LLVMGetOperand(b->address, 1)) &&
                LLVMGetGEPSourceElementType(a->address) == LLVMGetGEPSourceElementType(b->address);
    for (unsigned i = 0; i < a->offset.count && same; i++) {
        same = times(&a->offset, a->offset.terms[i]) == times(&b->offset, a->offset.terms[i]);
    }
    return same;
}

// Removes an address without users, and the operands used by it alone, one operand of each sum alone: the rest is dead code for LLVM.
static void remove_unused(LLVMValueRef value) {
    while (LLVMIsAInstruction(value) && !LLVMGetFirstUse(value)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        bool sums = opcode == LLVMAdd || opcode == LLVMOr || opcode == LLVMGetElementPtr;
        if (!sums && opcode != LLVMSExt && opcode != LLVMZExt) {
            return;
        }
        LLVMValueRef next = LLVMGetOperand(value, sums ? 1 : 0);
        next = LLVMIsAInstruction(next) || opcode == LLVMGetElementPtr ? next : LLVMGetOperand(value, 0);
        LLVMInstructionEraseFromParent(value);
        value = next;
    }
}

static void compute_from(LLVMBuilderRef builder, const struct element *first, struct element *element) {
    LLVMTypeRef stepped = LLVMGetGEPSourceElementType(element->address);
    int64_t apart = element->offset.constant - first->offset.constant;
    LLVMValueRef index =
        LLVMConstInt(LLVMTypeOf(LLVMGetOperand(element->address, 1)), (unsigned long long)apart, false);
    LLVMPositionBuilderBefore(builder, element->address);
    LLVMValueRef moved = LLVMBuildGEP2(builder, stepped, first->address, &index, 1, "");
    LLVMReplaceAllUsesWith(element->address, moved);
    element->done = true;
}

static void of_block(LLVMBuilderRef builder, LLVMBasicBlockRef block, struct element *elements) {
    size_t count = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        count += read_element(i, &elements[count]);
    }
    for (size_t first = 0; first < count; first++) {
        for (size_t i = first + 1; i < count && i < first + REACH && !elements[first].done; i++) {
            if (!elements[i].done && follows(&elements[first], &elements[i])) {
                compute_from(builder, &elements[first], &elements[i]);
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (elements[i].done) {
            remove_unused(elements[i].address);
        }
    }
}

void offsets_leave_sums(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            size_t count = 1;
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                count += LLVMGetInstructionOpcode(i) == LLVMGetElementPtr;
            }
            struct element *elements = memory_zeroed(count, sizeof *elements);
            of_block(builder, b, elements);
            free(elements);
        }
    }
    LLVMDisposeBuilder(builder);
}
