// One input of a fuzzer: any bytes are accepted or refused; nothing may crash, leak or report an internal
// error. The functions have libFuzzer's name for them, so each program is either its harness (TKC_FUZZ) or
// replays kept inputs (replay.c).
#ifndef TKC_TESTS_FUZZ_INPUT_H
#define TKC_TESTS_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#endif
