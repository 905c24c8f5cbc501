// The LLVM of this build: 22 in releases, 19 with -DTKC_LLVM=19.
//
// tkc uses only the common C API of both versions. They differ in names of intrinsics and attributes; code
// for one version is behind an ordinary `if` on LLVM_AT_LEAST, so every build compiles both ways.
#ifndef TKC_CHIP_LLVM_H
#define TKC_CHIP_LLVM_H

#include <llvm/Config/llvm-config.h>

#define LLVM_AT_LEAST(major) (LLVM_VERSION_MAJOR >= (major))
// On gfx11 LLVM 22 holds two 16-bit values in the halves of one register (v_mov_b16_e32 v1.l, v2.h). These
// features keep a register for each, as in LLVM 19, for code generation and the emulator's disassembly.
#if LLVM_AT_LEAST(22)
#define AMD_WHOLE_REGISTERS "-real-true16"
#else
#define AMD_WHOLE_REGISTERS ""
#endif

#define LLVM_TEXT_OF_(x) #x
#define LLVM_TEXT_OF(x) LLVM_TEXT_OF_(x)
#define LLVM_MAJOR_TEXT LLVM_TEXT_OF(LLVM_VERSION_MAJOR) // "22"

#endif
