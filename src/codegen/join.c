// A warpgroup product is four inline assembly calls: a fence, the instructions, the commit, and a wait for
// its registers. Each but the commit has all accumulators as operands and results, up to 128 of either, and
// operands and results dominate the back end's time for a kernel. This step joins adjacent pieces into one
// call, with the operands of the instructions, just before emission: the emulator and the proofs of order
// read the separate pieces.
//
//   %f = asm "wgmma.fence…"(%a…)                      %p = asm "wgmma.fence…
//   %p = asm "wgmma.mma_async…"(%f0…, %d…)      →              wgmma.mma_async…
//   asm "wgmma.commit_group…"                                  wgmma.commit_group…
//   %w = asm "wgmma.wait_group… 1"(%p0…)                       wgmma.wait_group… 1"(%a…, %d…)
//
// The fence moves behind the descriptors computed after it for the product alone. Nothing else moves: a fence
// stays separate if a call or an access stands between it and the product, and so does a wait if anything but
// the commit stands there.
//
// test: tests/unit/test_join.c
#include "codegen/join.h"

#include <string.h>

#include "chip/asm.h"
#include "chip/wgmma.h"
#include "support/strbuf.h"

// The text of an inline assembly call; NULL for other instructions.
static const char *text_of(LLVMValueRef instruction, size_t *length) {
    if (!instruction || !LLVMIsACallInst(instruction)) {
        return NULL;
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    return LLVMIsAInlineAsm(callee) ? LLVMGetInlineAsmAsmString(callee, length) : NULL;
}

static bool is_product(LLVMValueRef instruction) {
    size_t length;
    const char *text = text_of(instruction, &length);
    return text && wgmma_is_product(text, length);
}

static bool is_commit(LLVMValueRef instruction) {
    size_t length;
    const char *text = text_of(instruction, &length), *commit = asm_table[ASM_WGMMA_COMMIT].text;
    return text && length == strlen(commit) && memcmp(text, commit, length) == 0;
}

// True for a fence or a wait; `pending` tells them apart (wgmma.h).
static bool is_order(LLVMValueRef instruction, int *pending) {
    size_t length;
    const char *text = text_of(instruction, &length);
    return text && wgmma_order_parse(text, length, pending);
}

// True for instructions a fence may pass: no calls, no accesses.
static bool computes(LLVMValueRef instruction) {
    return !LLVMIsACallInst(instruction) && !LLVMIsALoadInst(instruction) && !LLVMIsAStoreInst(instruction) &&
           !LLVMIsAAtomicRMWInst(instruction) && !LLVMIsAAtomicCmpXchgInst(instruction) &&
           !LLVMIsAFenceInst(instruction) && !LLVMIsAPHINode(instruction);
}

static bool passes_structure(LLVMValueRef order) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(order));
    return kind == LLVMStructTypeKind || kind == LLVMVoidTypeKind;
}

// True if `value` extracts an element of `structure`.
static bool is_element(LLVMValueRef value, LLVMValueRef structure) {
    return LLVMIsAExtractValueInst(value) && LLVMGetOperand(value, 0) == structure;
}

// ---- the fence ----

// The fence ahead of a product, if the product is the only user of its registers. NULL: none.
static LLVMValueRef fence_of(LLVMValueRef product) {
    LLVMValueRef at = LLVMGetPreviousInstruction(product);
    int pending = 0;
    while (at && computes(at)) {
        at = LLVMGetPreviousInstruction(at);
    }
    if (!is_order(at, &pending) || pending >= 0 || !passes_structure(at)) {
        return NULL;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef element = LLVMGetUser(use);
        for (LLVMUseRef of = LLVMGetFirstUse(element); of; of = LLVMGetNextUse(of)) {
            if (LLVMGetUser(of) != product || !LLVMIsAExtractValueInst(element)) {
                return NULL;
            }
        }
    }
    return at;
}

// Replaces the elements of `structure` by the operands of the call defining it, and erases both.
static void pass_by(LLVMValueRef structure) {
    for (LLVMUseRef use; (use = LLVMGetFirstUse(structure));) {
        LLVMValueRef element = LLVMGetUser(use);
        LLVMReplaceAllUsesWith(element, LLVMGetOperand(structure, *LLVMGetIndices(element)));
        LLVMInstructionEraseFromParent(element);
    }
    LLVMInstructionEraseFromParent(structure);
}

// ---- commit and wait ----

static LLVMValueRef behind_elements(LLVMValueRef instruction, LLVMValueRef product) {
    LLVMValueRef next = LLVMGetNextInstruction(instruction);
    while (next && is_element(next, product)) {
        next = LLVMGetNextInstruction(next);
    }
    return next;
}

// The wait next to the commit, if its operands are the product's registers and it is their only user. NULL:
// none.
static LLVMValueRef wait_of(LLVMValueRef product, LLVMValueRef commit) {
    LLVMValueRef wait = behind_elements(commit, product);
    int pending = -1;
    if (!is_order(wait, &pending) || pending < 0 || !passes_structure(wait)) {
        return NULL;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(wait); i++) {
        LLVMValueRef element = LLVMGetOperand(wait, i);
        LLVMUseRef use = LLVMGetFirstUse(element);
        if (!is_element(element, product) || LLVMGetNextUse(use)) {
            return NULL;
        }
    }
    for (LLVMUseRef use = LLVMGetFirstUse(wait); use; use = LLVMGetNextUse(use)) {
        if (!LLVMIsAExtractValueInst(LLVMGetUser(use))) {
            return NULL;
        }
    }
    return wait;
}

// ---- one piece ----

static void add_text(struct strbuf *out, LLVMValueRef piece) {
    size_t length;
    const char *text = text_of(piece, &length);
    if (out->length) {
        strbuf_add(out, "\n\t");
    }
    strbuf_add_bytes(out, text, length);
}

// Gives the product another text; its operands keep their numbers.
static void say(LLVMValueRef product, const struct strbuf *text) {
    LLVMValueRef old = LLVMGetCalledValue(product);
    size_t length;
    const char *constraints = LLVMGetInlineAsmConstraintString(old, &length);
    LLVMValueRef all = LLVMGetInlineAsm(LLVMGetInlineAsmFunctionType(old), strbuf_text(text), text->length,
                                        constraints, length, 1, 0, LLVMInlineAsmDialectATT, 0);
    LLVMSetOperand(product, (unsigned)LLVMGetNumOperands(product) - 1, all);
}

static void join(LLVMValueRef product) {
    LLVMValueRef fence = fence_of(product), commit = behind_elements(product, product);
    commit = is_commit(commit) ? commit : NULL;
    LLVMValueRef wait = commit ? wait_of(product, commit) : NULL, pieces[] = {fence, product, commit, wait};
    struct strbuf text = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (pieces[i]) {
            add_text(&text, pieces[i]);
        }
    }
    say(product, &text);
    strbuf_free(&text);
    if (fence) {
        pass_by(fence);
    }
    if (commit) {
        LLVMInstructionEraseFromParent(commit);
    }
    if (wait) {
        pass_by(wait);
    }
}

void join_products(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_product(i)) {
                    join(i);
                }
            }
        }
    }
}
