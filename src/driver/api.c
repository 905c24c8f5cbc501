// The small functions of tkc.h; tkc_compile itself is in compile.c.
#include <stdlib.h>
#include <string.h>

#include <llvm/Config/llvm-config.h>

#include "support/arena.h"
#include "support/warnings.h"
#include "chip/target.h"
#include "tkc/tkc.h"

void tkc_options_default(struct tkc_options *options, size_t size) {
    const struct tkc_options fresh = {
        .size = size, .config = TKC_CONFIG_AUTO, .fp_contract = true, .opt_level = 3};
    memset(options, 0, size);
    memcpy(options, &fresh, size < sizeof fresh ? size : sizeof fresh);
}

void tkc_result_free(struct tkc_result *result) {
    if (result) {
        arena_destroy(result->memory);
    }
}

const char *tkc_version(void) {
    return TKC_VERSION;
}

const char *tkc_commit(void) {
    return TKC_COMMIT;
}

const char *tkc_llvm_version(void) {
    return LLVM_VERSION_STRING;
}

bool tkc_target_at(size_t index, const char **name, const char **description) {
    if (index >= target_count) {
        return false;
    }
    static const char *const descriptions[][2] = {
        {"NVIDIA, warps of 32", "NVIDIA, warps of 32, never run on such a card"},
        {"AMD, waves of 32", "AMD, waves of 32, never run on such a card"},
        {"AMD, waves of 64", "AMD, waves of 64, never run on such a card"},
        {"NVIDIA, warps of 32, not all that the chip has: add an a to the name",
         "NVIDIA, warps of 32, not all that the chip has: add an a to the name; "
         "never run on such a card"},
    };
    const struct target *target = &target_table[index];
    unsigned row = target_whole(target) ? 3 : target->vendor == VENDOR_NVIDIA ? 0 : target->warp_size / 32;
    *name = target->name;
    *description = descriptions[row][!target->has_run];
    return true;
}

bool tkc_product_at(size_t index, const char **name, const char **target) {
    return target_product_at(index, name, target);
}

bool tkc_group_at(size_t index, const char **name, const char **targets) {
    return target_group_at(index, name, targets);
}

// The rows of both pipelines, for --print-passes.
static const struct row {
    const char *name;
    const char *doc;
    bool needed, is_step;
} rows[] = {
#define IS_NEEDED true
#define IS_OPTIONAL false
#define IS_TRIED false
#define NOTE_NEEDED " (needed)"
#define NOTE_OPTIONAL ""
#define NOTE_TRIED " (tried against spills)"
#define OF_NVIDIA "NVIDIA: "
#define OF_AMD "AMD: "
#define OF_BOTH ""
#define PASS(id, name, use, doc) {#name, doc NOTE_##use, IS_##use, false},
#include "passes/passes.def"
#undef PASS
#define STEP(id, name, vendor, phase, use, condition, run, doc)                                              \
    {#name, OF_##vendor doc NOTE_##use, IS_##use, true},
#define ATTEMPT(list, steps)
#define TRIAL(list, steps)
#include "codegen/codegen.def"
#undef TRIAL
#undef ATTEMPT
#undef STEP
#undef OF_BOTH
#undef OF_AMD
#undef OF_NVIDIA
#undef NOTE_TRIED
#undef NOTE_OPTIONAL
#undef NOTE_NEEDED
#undef IS_TRIED
#undef IS_OPTIONAL
#undef IS_NEEDED
};

bool tkc_pass_at(size_t index, const char **name, const char **description) {
    if (index >= sizeof rows / sizeof rows[0]) {
        return false;
    }
    *name = rows[index].name;
    *description = rows[index].doc;
    return true;
}

bool tkc_remark_at(size_t index, const char **name, const char **description) {
    static const struct {
        const char *name, *doc;
    } kinds[] = {
#define REMARK(id, name, attribute, refused, doc) {name, doc},
#include "passes/remarks.def"
#undef REMARK
    };
    if (index >= sizeof kinds / sizeof kinds[0]) {
        return false;
    }
    *name = kinds[index].name;
    *description = kinds[index].doc;
    return true;
}

bool tkc_warning_at(size_t index, const char **name, const char **description) {
    if (index >= WARNING_COUNT) {
        return false;
    }
    *name = warning_table[index].name;
    *description = warning_table[index].doc;
    return true;
}

const char *tkc_warning_fault(const char *choice) {
    struct warnings warnings = {0};
    return warnings_choose(&warnings, choice) ? NULL
                                              : "there is no such warning; --print-warnings lists them";
}

static const struct row *row_of(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *tkc_without_fault(const char *name) {
    const struct row *row = row_of(name);
    return !row          ? "there is no pass or step of this name; --print-passes lists them"
           : row->needed ? "kernels are wrong or cannot be compiled without it"
                         : NULL;
}

bool tkc_is_step(const char *name) {
    const struct row *row = row_of(name);
    return row && row->is_step;
}
