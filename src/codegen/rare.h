// Moves rarely executed code out of the likely path (rare.c).
#ifndef TKC_CODEGEN_RARE_H
#define TKC_CODEGEN_RARE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// Moves values used on only one unlikely side of a branch to that side. Run it before LLVM's passes.
void rare_sink(LLVMModuleRef module);

// rare_turns.c: moves the code before and behind a chain of unlikely branches in between them. Run it behind
// rare_sink.
void rare_turns(LLVMModuleRef module);

// rare.c, for both.
bool rare_moves(LLVMValueRef instruction); // no effects, and independent of the active lanes
LLVMBasicBlockRef rare_place_of_operand(LLVMValueRef user,
                                        unsigned operand); // for a phi, the incoming block

#endif
