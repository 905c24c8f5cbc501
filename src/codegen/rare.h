// What hardly ever runs stays out of the way (rare.c).
#ifndef TKC_CODEGEN_RARE_H
#define TKC_CODEGEN_RARE_H

#include <stdbool.h>

#include <llvm-c/Core.h>

// Moves what only one unlikely side of a branch uses to that side. Before LLVM's passes.
void rare_sink(LLVMModuleRef module);

// rare_turns.c: what stands before and behind a chain of such branches goes between them. Behind rare_sink.
void rare_turns(LLVMModuleRef module);

// rare.c, for both.
bool rare_moves(LLVMValueRef instruction); // without effects, and without regard to which lanes are with it
LLVMBasicBlockRef rare_place_of_operand(LLVMValueRef user,
                                        unsigned operand); // for a phi the block it comes from

#endif
