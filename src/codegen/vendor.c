// The vendor structure of a chip.
#include "codegen/vendor.h"

const struct codegen_vendor *codegen_vendor(const struct target *target) {
    static const struct codegen_vendor *const vendors[] = {
        [VENDOR_NVIDIA] = &codegen_nvptx, [VENDOR_AMD] = &codegen_amdgpu};
    return vendors[target->vendor];
}
