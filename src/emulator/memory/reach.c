// Control flow between two instructions of a kernel: from one, does a path lead to the other?
#include "emulator/memory/global.h"

#include <stdlib.h>

#include "support/map.h"

// The same in machine code, instruction by instruction.
static bool code_leads_to(const struct kernel *kernel, uint32_t from, uint32_t to) {
    uint32_t *stack = malloc(sizeof *stack * (2 * (size_t)kernel->code_count + 2)), depth = 0;
    bool *seen = calloc(kernel->code_count, sizeof *seen);
    stack[depth++] = from;
    while (depth && !seen[to]) {
        uint32_t at = stack[--depth];
        const struct place_in_code *place = kernel->code[at].place;
        uint32_t next[2] = {place->goes_on ? at + 1 : JUMP_NONE, place->jump};
        for (unsigned i = 0; i < 2; i++) {
            if (next[i] >= kernel->code_count || seen[next[i]]) {
                continue;
            }
            seen[next[i]] = true;
            stack[depth++] = next[i];
        }
    }
    bool found = seen[to];
    free(seen);
    free(stack);
    return found;
}

bool leads_to(const struct kernel *kernel, const struct instr *from, const struct instr *to) {
    if (kernel->machine) {
        return code_leads_to(kernel, from->index, to->index);
    }
    LLVMBasicBlockRef start = LLVMGetInstructionParent(from->value),
                      end = LLVMGetInstructionParent(to->value);
    if (start == end && from->index < to->index) {
        return true;
    }
    LLVMBasicBlockRef *stack = malloc(sizeof(LLVMBasicBlockRef) * (kernel->block_count + 1));
    struct map seen = {0};
    uint32_t depth = 0;
    bool found = false;
    stack[depth++] = start;
    while (depth && !found) {
        LLVMValueRef terminator = LLVMGetBasicBlockTerminator(stack[--depth]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(terminator, i);
            found |= next == end;
            if (map_has(&seen, next)) {
                continue;
            }
            map_put(&seen, next, next);
            stack[depth++] = next;
        }
    }
    map_free(&seen);
    free(stack);
    return found;
}
