// Inline assembly. Not yet split by statement.
#include "emulator/call.h"
bool decode_assembly(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints) {
    (void)constraints;
    decode_refuse(decoder, call, "the emulator does not know the assembly `%s`", text);
    return false;
}
