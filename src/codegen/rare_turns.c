// Interleaves the code around a chain of unlikely branches: each element's code stands next to its own
// branch.
//
// lower_rarely.c tests a few elements at a time, in a chain of branches. Lowering has written the code before
// the branches for all elements ahead of the first branch, and the code behind them after the last, so that
// all values are live at once:
//
//   a0 = f(x0); a1 = f(x1)                                a0 = f(x0)
//   br rare(x0) → …; y0 = phi                             br rare(x0) → …; y0 = phi
//   br rare(x1) → …; y1 = phi                     →       z0 = g(y0); a1 = f(x1)
//   z0 = g(y0); z1 = g(y1)                                br rare(x1) → …; y1 = phi
//                                                         z1 = g(y1)
//
// The joints of a chain are the blocks between its branches: every path goes through all of them, in order.
// An instruction in the last joint moves up to the first joint behind a branch at which all its operands are
// available; then an instruction in the first joint moves down to the joint of its first use, unless it is
// the last joint. Only instructions without effects move; memory accesses stay in place.
//
// Requires: rare_sink. Test: tests/unit/test_rare.c
#include "codegen/rare.h"

#include <stdint.h>
#include <stdlib.h>

#include "support/map.h"

enum { MOST_JOINTS = 512, MOST_INSIDE = 256, MOST_LOOKED_AT = 256 };

struct chain {
    LLVMBasicBlockRef joints[MOST_JOINTS];
    unsigned count;
    // block of the chain → its place + 1: the place of the joint, or of the joint before it
    struct map place_of;
    struct map own;             // instruction moved up → its place + 1
    LLVMValueRef *moved_before; // by joint: the instruction its moved ones go before
    LLVMBuilderRef builder;
};

static LLVMBasicBlockRef joint_behind(LLVMBasicBlockRef block, unsigned weights) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool asks =
        end && LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetMetadata(end, weights) != NULL;
    return asks ? LLVMGetSuccessor(end, 1) : NULL;
}

// True if all predecessors of the block are the joint `from` or lie behind it.
static bool entered_from(const struct chain *chain, LLVMBasicBlockRef block, unsigned from) {
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsATerminatorInst(user) &&
            (uintptr_t)map_get(&chain->place_of, LLVMGetInstructionParent(user)) != from + 1) {
            return false;
        }
    }
    return true;
}

// Adds the joint behind the last one, with the blocks between them. False if these lead anywhere else.
static bool add_joint(struct chain *chain, unsigned weights) {
    unsigned last = chain->count - 1, count = 0;
    LLVMBasicBlockRef from = chain->joints[last], to = joint_behind(from, weights), inside[MOST_INSIDE];
    if (!to || chain->count == MOST_JOINTS || map_has(&chain->place_of, to)) {
        return false;
    }
    inside[count++] = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(from), 0);
    for (unsigned i = 0; i < count; i++) {
        if (inside[i] == to || map_has(&chain->place_of, inside[i])) {
            return false;
        }
        map_put(&chain->place_of, inside[i], (void *)(uintptr_t)(last + 1));
        LLVMValueRef end = LLVMGetBasicBlockTerminator(inside[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, s);
            bool known = next == to;
            for (unsigned n = 0; n < count && !known; n++) {
                known = inside[n] == next;
            }
            if (!known && count == MOST_INSIDE) {
                return false;
            }
            if (!known) {
                inside[count++] = next;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        if (!entered_from(chain, inside[i], last)) {
            return false;
        }
    }
    if (!entered_from(chain, to, last)) {
        return false;
    }
    chain->joints[chain->count++] = to;
    map_put(&chain->place_of, to, (void *)(uintptr_t)chain->count);
    return true;
}

static void insert_before(struct chain *chain, LLVMValueRef instruction, LLVMValueRef before) {
    LLVMInstructionRemoveFromParent(instruction);
    LLVMPositionBuilderBefore(chain->builder, before);
    LLVMInsertIntoBuilder(chain->builder, instruction);
}

static LLVMValueRef behind_phis(LLVMBasicBlockRef block) {
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(first)) {
        first = LLVMGetNextInstruction(first);
    }
    return first;
}

// ---- up ----

// The first joint at whose start the operand is available; the last joint's place if there is no earlier one,
// or after more than `*looks` visited instructions.
static unsigned place_up(const struct chain *chain, LLVMValueRef operand, unsigned *looks) {
    unsigned last = chain->count - 1;
    if (!LLVMIsAInstruction(operand)) {
        return 0;
    }
    unsigned own = (unsigned)(uintptr_t)map_get(&chain->own, operand);
    if (own) {
        return own - 1;
    }
    LLVMBasicBlockRef block = LLVMGetInstructionParent(operand);
    unsigned place = (unsigned)(uintptr_t)map_get(&chain->place_of, block);
    if (block != chain->joints[last]) { // a joint's phis: at its start; else behind its branch
        return place == 0 ? 0 : LLVMIsAPHINode(operand) || place == 1 ? place - 1 : place;
    }
    if (*looks == 0 || !rare_moves(operand)) {
        return last;
    }
    --*looks;
    unsigned most = 0;
    for (int i = 0; i < LLVMGetNumOperands(operand) && most < last; i++) {
        unsigned at = place_up(chain, LLVMGetOperand(operand, (unsigned)i), looks);
        most = at > most ? at : most;
    }
    return most;
}

static void move_up(struct chain *chain, LLVMValueRef instruction, unsigned place) {
    if (map_has(&chain->own, instruction) ||
        LLVMGetInstructionParent(instruction) != chain->joints[chain->count - 1]) {
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMIsAInstruction(operand)) {
            move_up(chain, operand, place);
        }
    }
    insert_before(chain, instruction, chain->moved_before[place]);
    map_put(&chain->own, instruction, (void *)(uintptr_t)(place + 1));
}

static void move_all_up(struct chain *chain) {
    unsigned last = chain->count - 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(chain->joints[last]), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        unsigned looks = MOST_LOOKED_AT, place = rare_moves(i) ? place_up(chain, i, &looks) : last;
        if (place > 0 && place < last) {
            move_up(chain, i, place);
        }
    }
}

// ---- down ----

// The first place with a use of the value; the last one's if the uses are outside the chain.
static unsigned place_down(const struct chain *chain, LLVMValueRef value) {
    unsigned first = chain->count - 1;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(user); i++) {
            if (LLVMGetOperand(user, i) == value) {
                unsigned place =
                    (unsigned)(uintptr_t)map_get(&chain->place_of, rare_place_of_operand(user, i));
                first = place && place - 1 < first ? place - 1 : first;
            }
        }
    }
    return first;
}

static void move_all_down(struct chain *chain) {
    for (LLVMValueRef i = LLVMGetLastInstruction(chain->joints[0]), before; i; i = before) {
        before = LLVMGetPreviousInstruction(i);
        unsigned place = rare_moves(i) ? place_down(chain, i) : 0;
        if (place > 0 && place < chain->count - 1) {
            insert_before(chain, i, behind_phis(chain->joints[place]));
        }
    }
}

static void give_turns(struct chain *chain) {
    LLVMValueRef before[MOST_JOINTS];
    for (unsigned i = 0; i < chain->count; i++) {
        before[i] = behind_phis(chain->joints[i]);
    }
    chain->moved_before = before;
    move_all_up(chain);
    move_all_down(chain);
}

void rare_turns(LLVMModuleRef module) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned weights = LLVMGetMDKindIDInContext(context, "prof", 4);
    struct chain chain = {.builder = LLVMCreateBuilderInContext(context)};
    struct map done = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            if (map_has(&done, b) || !joint_behind(b, weights)) {
                continue;
            }
            map_clear(&chain.place_of);
            map_clear(&chain.own);
            chain.joints[0] = b;
            chain.count = 1;
            map_put(&chain.place_of, b, (void *)(uintptr_t)1);
            while (add_joint(&chain, weights)) {
                map_put(&done, chain.joints[chain.count - 1], chain.joints[chain.count - 1]);
            }
            if (chain.count > 2) {
                give_turns(&chain);
            }
        }
    }
    LLVMDisposeBuilder(chain.builder);
    map_free(&chain.place_of);
    map_free(&chain.own);
    map_free(&done);
}
