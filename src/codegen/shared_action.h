// The effect of an LLVM instruction on shared memory and on the order of accesses.
#ifndef TKC_CODEGEN_SHARED_ACTION_H
#define TKC_CODEGEN_SHARED_ACTION_H

#include <stdbool.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum touch { TOUCH_NONE, TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC, TOUCH_COPY };

// The effect of one instruction.
struct shared_action {
    enum touch effect;
    LLVMValueRef address, predicate; // predicate NULL: every thread there
    unsigned bytes;
    // `address` is the wave's, and each lane has the bytes behind those of the lane before.
    bool lane_by_lane;
    bool meets, releases, acquires, commits, waits;
    bool fences_warp, meets_in_warp; // of the lanes of a warp
    unsigned groups;                 // of a wait: groups still in flight behind it
    const char *unknown;             // not modelled
};

// `one_warp`: the block has one warp, so operations of a warp count as operations of the block.
struct shared_action shared_action_of(LLVMValueRef instruction, LLVMTargetDataRef layout, bool one_warp);

#endif
