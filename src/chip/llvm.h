// The LLVM that tkc is built with: 22 in releases, 19 where a build asks for it (-DTKC_LLVM=19).
//
// Both versions have the same C API as far as tkc calls it. They differ in names of intrinsics and attributes; each place that
// has to know asks here, with an ordinary `if`, so that every build compiles both ways.
#ifndef TKC_CHIP_LLVM_H
#define TKC_CHIP_LLVM_H

#include <llvm/Config/llvm-config.h>

#define LLVM_AT_LEAST(major) (LLVM_VERSION_MAJOR >= (major))
// LLVM 22 holds two 16-bit values in the halves of one register on gfx11 (v_mov_b16_e32 v1.l, v2.h). These features keep a
// register for each, as LLVM 19 has them: code and the emulator's disassembly alike.
#if LLVM_AT_LEAST(22)
#define AMD_WHOLE_REGISTERS "-real-true16"
#else
#define AMD_WHOLE_REGISTERS ""
#endif

#define LLVM_TEXT_OF_(x) #x
#define LLVM_TEXT_OF(x) LLVM_TEXT_OF_(x)
#define LLVM_MAJOR_TEXT LLVM_TEXT_OF(LLVM_VERSION_MAJOR) // "22"

#endif
