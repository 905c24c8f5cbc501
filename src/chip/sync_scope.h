// The synchronisation scope of an atomic instruction or a fence of LLVM.
#ifndef TKC_CHIP_SYNC_SCOPE_H
#define TKC_CHIP_SYNC_SCOPE_H

#include <llvm-c/Types.h>

enum { SYNC_SCOPE_NAME = 32 }; // bytes, with the terminating 0

// The scope's name as LLVM's assembly language spells it, such as "workgroup" or "block"; "" for the whole system.
void sync_scope_name(LLVMValueRef instruction, char name[SYNC_SCOPE_NAME]);

#endif
