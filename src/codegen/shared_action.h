// What an instruction of a kernel's LLVM module does to shared memory and to the order of accesses.
#ifndef TKC_CODEGEN_SHARED_ACTION_H
#define TKC_CODEGEN_SHARED_ACTION_H

#include <stdbool.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum touch { TOUCH_NONE, TOUCH_READ, TOUCH_WRITE, TOUCH_ATOMIC, TOUCH_COPY };

// What an instruction does.
struct shared_action {
    enum touch effect;
    LLVMValueRef address, predicate; // predicate NULL: every thread that comes here
    unsigned bytes;
    bool meets, releases, acquires, commits, waits;
    unsigned groups;     // that may stay under way, of a wait
    const char *unknown; // not modelled
};

// `one_warp`: the block has no more, so that what its warps do alone they all do.
struct shared_action shared_action_of(LLVMValueRef instruction, LLVMTargetDataRef layout, bool one_warp);

#endif
