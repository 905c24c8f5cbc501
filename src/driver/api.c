// The small functions of tkc.h; tkc_compile itself is in compile.c.
#include <stdlib.h>

#include <llvm/Config/llvm-config.h>

#include "support/arena.h"
#include "chip/target.h"
#include "tkc/tkc.h"

void tkc_options_init(struct tkc_options *options) {
    *options = (struct tkc_options){.config = TKC_CONFIG_AUTO, .fp_contract = true, .opt_level = 3};
}

void tkc_result_free(struct tkc_result *result) {
    if (result) {
        arena_destroy(result->memory);
    }
}

const char *tkc_version(void) {
    return TKC_VERSION;
}

const char *tkc_llvm_version(void) {
    return LLVM_VERSION_STRING;
}

bool tkc_target_at(size_t index, const char **name, const char **description) {
    if (index >= target_count) {
        return false;
    }
    *name = target_table[index].name;
    *description = target_table[index].vendor == VENDOR_NVIDIA ? "NVIDIA, warps of 32" : "AMD, waves of 64";
    if (target_table[index].vendor == VENDOR_AMD && target_table[index].warp_size == 32) {
        *description = "AMD, waves of 32";
    }
    return true;
}

bool tkc_pass_at(size_t index, const char **name, const char **description) {
    static const struct {
        const char *name;
        const char *doc;
    } passes[] = {
#define PASS(id, name, doc) {#name, doc},
#include "passes/passes.def"
#undef PASS
    };
    if (index >= sizeof passes / sizeof passes[0]) {
        return false;
    }
    *name = passes[index].name;
    *description = passes[index].doc;
    return true;
}
