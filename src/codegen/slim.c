// Rewrites code before emission that NVPTX's instruction selection handles slowly or badly.
//
// Structures. An assembly text with 64 results returns them as one structure. If the structure goes through a
// phi, or an element is extracted in another block, LLVM 19 copies all 64 registers for each extracted
// element: 4,096 copies for one warpgroup product. This step extracts each element right behind the text, and
// makes phis of elements.
//
//   %p = phi {…} [%s, %a], [%t, %b]    →    %p0 = phi float [%s0, %a], [%t0, %b]
//   %e = extractvalue %p, 0                 and the same for each used element
//
// Pairs. Two halves rounded from f32 and packed into one word are five instructions, and each such word costs
// a walk over the whole function in NVPTXProxyRegErasure. The chip has one instruction for it, and ptxas
// finds it anyway; in functions with warpgroup products ptxas makes the same code of both forms, elsewhere
// another order. The rewrite is late because it hides values from the folding of LLVM's passes.
//
//   bitcast (insertelement (insertelement poison, fptrunc %a, 0), fptrunc %b, 1)    →    asm cvt.rn.f16x2.f32(%b, %a)
//
// If the halves come through phis, like zeros from the path around a loop, the word goes through a phi
// instead, in all functions: ptxas keeps phis of halves, and makes a tenth more code of a product of tiles.
//
// Conditions. Instruction selection turns a select on two conditions into two selects, and ptxas keeps both:
// one more instruction for each score on attention's diagonal. Only in loops of functions with warpgroup
// products, for the same reason. Outside of loops ptxas computes a tile's conditions while it waits for the
// product, and moves those beyond its seven predicates to registers and back.
//
//   select (and i1 %p, %q), %a, %b    →    select asm and.pred(%p, %q), %a, %b
//
// Bits. A mask followed by set bits is one instruction if one of the two constants is in a register. ptxas keeps
// two instructions and no register; a product with unpacked weights has 32 such pairs an iteration. In loops of
// functions with warpgroup products.
//
//   or (and i32 %x, C), D    →    asm lop3.b32(%x, C, D)
//
// test: tests/unit/test_slim.c
#include "codegen/slim.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "chip/asm.h"
#include "support/arena.h"
#include "support/map.h"

enum { LARGE = 16 }; // results of a product of warpgroups

struct slim {
    LLVMBuilderRef builder;
    struct arena *arena;
    bool large;       // the function at hand has structures of a product of warpgroups
    bool converts;    // the chip converts two at once
    struct map parts; // structure → array of its elements; NULL: not extracted yet
};

struct found { // instructions, the last first
    struct found *next;
    LLVMValueRef instruction;
};

// ---- structures ----

static bool takes_element(LLVMValueRef user) {
    return LLVMIsAExtractValueInst(user) && LLVMGetNumIndices(user) == 1;
}

static LLVMValueRef *parts_of(struct slim *s, LLVMValueRef structure) {
    LLVMValueRef *parts = map_get(&s->parts, structure);
    if (!parts) {
        parts = ARENA_ARRAY(s->arena, LLVMValueRef, LLVMCountStructElementTypes(LLVMTypeOf(structure)));
        map_put(&s->parts, structure, parts);
    }
    return parts;
}

static LLVMValueRef element_of(struct slim *s, LLVMValueRef structure, unsigned index) {
    if (LLVMIsConstant(structure)) {
        return LLVMGetAggregateElement(structure, index);
    }
    LLVMValueRef *part = &parts_of(s, structure)[index];
    if (*part) {
        return *part;
    }
    if (!LLVMIsAPHINode(structure)) {
        LLVMPositionBuilderBefore(s->builder, LLVMGetNextInstruction(structure));
        return *part = LLVMBuildExtractValue(s->builder, structure, index, "");
    }
    LLVMPositionBuilderBefore(s->builder, structure);
    *part = LLVMBuildPhi(s->builder, LLVMStructGetTypeAtIndex(LLVMTypeOf(structure), index), "");
    for (unsigned i = 0; i < LLVMCountIncoming(structure); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(structure, i);
        LLVMValueRef value = element_of(s, LLVMGetIncomingValue(structure, i), index);
        LLVMAddIncoming(*part, &value, &from, 1);
    }
    return *part;
}

// True if some element is extracted in another block than the structure's, or through a phi.
static bool is_passed_on(LLVMValueRef structure) {
    for (LLVMUseRef use = LLVMGetFirstUse(structure); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(structure) || LLVMIsAPHINode(user) ||
            LLVMGetInstructionParent(user) != LLVMGetInstructionParent(structure)) {
            return true;
        }
    }
    return false;
}

static void take_apart(struct slim *s, LLVMValueRef structure) {
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(structure); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMValueRef part = takes_element(user) ? element_of(s, structure, *LLVMGetIndices(user)) : user;
        if (part != user) {
            LLVMReplaceAllUsesWith(user, part);
            LLVMInstructionEraseFromParent(user);
        }
    }
}

// The instructions returning structures. Also NULL if a structure goes through a phi to a user that extracts
// no element.
static struct found *find_structures(struct slim *s, LLVMValueRef function) {
    struct found *found = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMStructTypeKind) {
                continue;
            }
            for (LLVMUseRef use = LLVMGetFirstUse(i); use && LLVMIsAPHINode(i); use = LLVMGetNextUse(use)) {
                if (!takes_element(LLVMGetUser(use)) && !LLVMIsAPHINode(LLVMGetUser(use))) {
                    return NULL;
                }
            }
            s->large |= LLVMCountStructElementTypes(LLVMTypeOf(i)) >= LARGE;
            struct found *one = ARENA_NEW(s->arena, struct found);
            *one = (struct found){found, i};
            found = one;
        }
    }
    return found;
}

static void split_structures(struct slim *s, LLVMValueRef function) {
    struct found *all = find_structures(s, function);
    for (const struct found *one = all; one; one = one->next) {
        if (is_passed_on(one->instruction)) {
            take_apart(s, one->instruction);
        }
    }
    for (const struct found *one = all; one; one = one->next) {
        if (LLVMIsAPHINode(one->instruction)) { // only other such phis use it
            LLVMReplaceAllUsesWith(one->instruction, LLVMGetPoison(LLVMTypeOf(one->instruction)));
            LLVMInstructionEraseFromParent(one->instruction);
        }
    }
}

// ---- pairs ----

static bool has_one_use(LLVMValueRef value) {
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

static LLVMValueRef snippet(LLVMBuilderRef builder, enum asm_id id, LLVMTypeRef result,
                            LLVMValueRef *operands, unsigned count) {
    enum { MOST = 3 };
    const struct asm_row *row = &asm_table[id];
    LLVMTypeRef types[MOST];
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(operands[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, row->text, strlen(row->text), row->constraints,
                                             strlen(row->constraints), 0, 0, LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(builder, type, assembly, operands, count, "");
}

// The element of the vector `insert` at `index`, if it has no other use.
static LLVMValueRef half_at(LLVMValueRef insert, unsigned index) {
    if (!LLVMIsAInsertElementInst(insert) || !has_one_use(insert)) {
        return NULL;
    }
    LLVMValueRef value = LLVMGetOperand(insert, 1), at = LLVMGetOperand(insert, 2);
    bool fits = LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) == index && has_one_use(value);
    return fits ? value : NULL;
}

// From f32, for one user.
static bool is_rounding(LLVMValueRef value) {
    return LLVMIsAFPTruncInst(value) && has_one_use(value) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(value, 0))) == LLVMFloatTypeKind;
}

// Builds the word with two roundings at the builder's position, and erases them.
static LLVMValueRef round_pair(LLVMBuilderRef builder, LLVMTypeRef word, LLVMValueRef low,
                               LLVMValueRef high) {
    bool half = LLVMGetTypeKind(LLVMTypeOf(low)) == LLVMHalfTypeKind;
    LLVMValueRef operands[] = {LLVMGetOperand(high, 0), LLVMGetOperand(low, 0)}, dead[] = {low, high};
    LLVMValueRef pair = snippet(builder, half ? ASM_CVT_F16X2_F32 : ASM_CVT_BF16X2_F32, word, operands, 2);
    LLVMInstructionSetDebugLoc(pair, LLVMInstructionGetDebugLoc(low));
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        LLVMReplaceAllUsesWith(dead[i], LLVMGetPoison(LLVMTypeOf(dead[i])));
        LLVMInstructionEraseFromParent(dead[i]);
    }
    return pair;
}

static bool is_zero(LLVMValueRef value) {
    return LLVMIsConstant(value) && LLVMIsNull(value);
}

// True if two phis get two zeros or two roundings from each block.
static bool go_together(LLVMValueRef low, LLVMValueRef high) {
    for (unsigned i = 0; i < LLVMCountIncoming(low); i++) {
        LLVMValueRef a = LLVMGetIncomingValue(low, i), b = LLVMGetIncomingValue(high, i);
        bool rounded =
            is_rounding(a) && is_rounding(b) && LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b);
        if (LLVMGetIncomingBlock(low, i) != LLVMGetIncomingBlock(high, i) ||
            !(rounded || (is_zero(a) && is_zero(b)))) {
            return false;
        }
    }
    return true;
}

// Builds the phi of words for two such phis, and erases them.
static LLVMValueRef phi_of_pairs(LLVMBuilderRef builder, LLVMTypeRef word, LLVMValueRef low,
                                 LLVMValueRef high) {
    LLVMPositionBuilderBefore(builder, low);
    LLVMValueRef phi = LLVMBuildPhi(builder, word, ""), dead[] = {low, high};
    for (unsigned i = 0; i < LLVMCountIncoming(low); i++) {
        LLVMValueRef a = LLVMGetIncomingValue(low, i), pair = LLVMConstNull(word);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(low, i);
        if (!is_zero(a)) {
            LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(a)));
            pair = round_pair(builder, word, a, LLVMGetIncomingValue(high, i));
        }
        LLVMAddIncoming(phi, &pair, &from, 1);
    }
    for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
        LLVMReplaceAllUsesWith(dead[i], LLVMGetPoison(LLVMTypeOf(dead[i])));
        LLVMInstructionEraseFromParent(dead[i]);
    }
    return phi;
}

// Fuses a pair of roundings, if `large`, or of phis of them. The rounding stands at the word and no earlier:
// ptxas then keeps its order of instructions.
static void fuse_pair(LLVMBuilderRef builder, LLVMValueRef word, bool large) {
    LLVMValueRef second = LLVMGetOperand(word, 0), high = half_at(second, 1);
    LLVMValueRef first = high ? LLVMGetOperand(second, 0) : NULL, low = first ? half_at(first, 0) : NULL;
    if (!low || LLVMGetVectorSize(LLVMTypeOf(second)) != 2 ||
        LLVMGetTypeKind(LLVMTypeOf(word)) != LLVMIntegerTypeKind) {
        return;
    }
    LLVMBasicBlockRef block = LLVMGetInstructionParent(word);
    LLVMTypeRef type = LLVMTypeOf(word);
    LLVMValueRef pair = NULL;
    if (large && is_rounding(low) && is_rounding(high) && LLVMGetInstructionParent(low) == block &&
        LLVMGetInstructionParent(high) == block) {
        LLVMPositionBuilderBefore(builder, word);
        pair = round_pair(builder, type, low, high);
    } else if (LLVMIsAPHINode(low) && LLVMIsAPHINode(high) &&
               LLVMGetInstructionParent(low) == LLVMGetInstructionParent(high) && go_together(low, high)) {
        pair = phi_of_pairs(builder, type, low, high);
    }
    if (pair) {
        LLVMReplaceAllUsesWith(word, pair);
        LLVMValueRef dead[] = {word, second, first};
        for (size_t i = 0; i < sizeof dead / sizeof *dead; i++) {
            LLVMInstructionEraseFromParent(dead[i]);
        }
    }
}

// ---- conditions ----

// Fuses the two conditions of a select, if they have no other reader.
static void fuse_conditions(LLVMBuilderRef builder, LLVMValueRef select) {
    LLVMValueRef both = LLVMGetOperand(select, 0);
    if (!LLVMIsAInstruction(both) || LLVMGetInstructionOpcode(both) != LLVMAnd || !has_one_use(both) ||
        LLVMGetTypeKind(LLVMTypeOf(both)) != LLVMIntegerTypeKind) {
        return;
    }
    LLVMValueRef conditions[] = {LLVMGetOperand(both, 0), LLVMGetOperand(both, 1)};
    LLVMPositionBuilderBefore(builder, both);
    LLVMReplaceAllUsesWith(both, snippet(builder, ASM_AND_PRED, LLVMTypeOf(both), conditions, 2));
    LLVMInstructionEraseFromParent(both);
}

// ---- bits ----

// A constant as a number of 32 bits: of a word, or of a pair of halves; false if it is neither.
static bool word_of(LLVMValueRef constant, uint64_t *word) {
    if (LLVMIsAConstantInt(constant)) {
        *word = LLVMConstIntGetZExtValue(constant);
        return LLVMGetIntTypeWidth(LLVMTypeOf(constant)) == 32;
    }
    LLVMTypeRef type = LLVMTypeOf(constant);
    bool pair = LLVMIsConstant(constant) && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
                LLVMGetVectorSize(type) == 2 &&
                LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 16;
    *word = 0;
    for (unsigned i = 0; pair && i < 2; i++) {
        LLVMValueRef half = LLVMGetAggregateElement(constant, i);
        pair = half && LLVMIsAConstantInt(half);
        *word |= pair ? LLVMConstIntGetZExtValue(half) << 16 * i : 0;
    }
    return pair;
}

static void fuse_bits(LLVMBuilderRef builder, LLVMValueRef set) {
    uint64_t ones, kept;
    LLVMValueRef mask = LLVMGetOperand(set, 0);
    mask = LLVMIsABitCastInst(mask) && has_one_use(mask) ? LLVMGetOperand(mask, 0) : mask;
    if (!word_of(LLVMGetOperand(set, 1), &ones) || !LLVMIsAInstruction(mask) ||
        LLVMGetInstructionOpcode(mask) != LLVMAnd || !has_one_use(mask) ||
        !LLVMIsAConstantInt(LLVMGetOperand(mask, 1)) || !word_of(LLVMGetOperand(mask, 1), &kept)) {
        return;
    }
    LLVMTypeRef i32 = LLVMTypeOf(mask);
    LLVMValueRef operands[] = {LLVMGetOperand(mask, 0), LLVMConstInt(i32, kept, 0),
                               LLVMConstInt(i32, ones, 0)};
    LLVMPositionBuilderBefore(builder, set);
    LLVMValueRef word = snippet(builder, ASM_AND_OR, i32, operands, 3);
    LLVMReplaceAllUsesWith(set, LLVMBuildBitCast(builder, word, LLVMTypeOf(set), ""));
    LLVMValueRef between = LLVMGetOperand(set, 0);
    LLVMInstructionEraseFromParent(set);
    if (between != mask) {
        LLVMInstructionEraseFromParent(between);
    }
    LLVMInstructionEraseFromParent(mask);
}

// Pairs, and conditions and bits of a loop.
static void fuse(const struct slim *s, LLVMBasicBlockRef block, bool in_loop) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        while (next && LLVMIsAFPTruncInst(next)) { // erased with a word of the step before
            next = LLVMGetNextInstruction(next);
        }
        if (s->converts && LLVMIsABitCastInst(i)) {
            fuse_pair(s->builder, i, s->large);
        } else if (s->large && in_loop && LLVMIsASelectInst(i)) {
            fuse_conditions(s->builder, i);
        } else if (s->large && in_loop && LLVMGetInstructionOpcode(i) == LLVMOr) {
            fuse_bits(s->builder, i);
        }
    }
}

// A loop is a run of blocks from the target of a backward branch to the branch: lowering lays blocks out in program order.
static void fuse_function(struct slim *s, LLVMValueRef function) {
    unsigned count = LLVMCountBasicBlocks(function), at = 0;
    LLVMBasicBlockRef *blocks = ARENA_ARRAY(s->arena, LLVMBasicBlockRef, count + 1);
    unsigned *end = ARENA_ARRAY(s->arena, unsigned, count + 1); // behind the last branch back to a block
    struct map places = {0};
    LLVMGetBasicBlocks(function, blocks);
    for (unsigned i = 0; i < count; i++) {
        map_put(&places, blocks[i], &end[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(blocks[i]);
        for (unsigned n = 0; n < LLVMGetNumSuccessors(last); n++) {
            unsigned *head = map_get(&places, LLVMGetSuccessor(last, n));
            *head = head <= &end[i] ? i + 1 : *head;
        }
    }
    map_free(&places);
    for (unsigned i = 0; i < count; i++) {
        at = end[i] > at ? end[i] : at;
        fuse(s, blocks[i], i < at);
    }
}

void slim_prepare(LLVMModuleRef module, const struct target *target) {
    struct slim s = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                     .arena = arena_create(),
                     .converts = target_has(target, FEATURE(BF16))};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        s.large = false;
        split_structures(&s, f);
        fuse_function(&s, f);
    }
    map_free(&s.parts);
    arena_destroy(s.arena);
    LLVMDisposeBuilder(s.builder);
}
