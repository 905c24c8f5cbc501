// Launch bounds as attributes (LLVM 22) and as metadata (LLVM 19); see launch_bounds.h.
//
//     define ptx_kernel void @k(…) "nvvm.reqntid"="128,1,1" "nvvm.minctasm"="1"                   LLVM 22
//
//     !nvvm.annotations = !{!0, !1, …}                                                            LLVM 19
//     !0 = !{ptr @k, !"kernel", i32 1}
//     !1 = !{ptr @k, !"reqntidx", i32 128}
//
// test: tests/unit/test_launch_bounds.c
#include "chip/launch_bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/llvm.h"
#include "support/memory.h"

static const char annotations[] = "nvvm.annotations";
static const struct {
    const char *attribute, *key;
} names[] = {
    [BOUND_THREADS] = {"nvvm.reqntid", "reqntidx"},
    [BOUND_BLOCKS] = {"nvvm.minctasm", "minctasm"},
    [BOUND_REGISTERS] = {"nvvm.maxnreg", "maxnreg"},
    [BOUND_CLUSTER] = {"nvvm.cluster_dim", "cluster_dim_x"},
};

// ---- attributes ----

static LLVMContextRef context_of(LLVMValueRef function) {
    return LLVMGetModuleContext(LLVMGetGlobalParent(function));
}

static void add_attribute(LLVMValueRef function, LLVMAttributeIndex at, const char *name, const char *value) {
    LLVMAddAttributeAtIndex(function, at,
                            LLVMCreateStringAttribute(context_of(function), name, (unsigned)strlen(name),
                                                      value, (unsigned)strlen(value)));
}

static unsigned read_attribute(LLVMValueRef function, const char *name) {
    LLVMAttributeRef attribute =
        LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
    unsigned length = 0;
    const char *text = attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
    char number[16];
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    return (unsigned)strtoul(number, NULL, 10);
}

// ---- metadata ----

static LLVMMetadataRef number(LLVMContextRef context, unsigned value) {
    return LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), value, 0));
}

static void annotate(LLVMValueRef function, const char *key, LLVMMetadataRef value) {
    LLVMContextRef context = context_of(function);
    LLVMMetadataRef entry[] = {LLVMValueAsMetadata(function),
                               LLVMMDStringInContext2(context, key, strlen(key)), value};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, entry, 3);
    LLVMAddNamedMetadataOperand(LLVMGetGlobalParent(function), annotations,
                                LLVMMetadataAsValue(context, node));
}

// The value after `key` in one row, !{function, key, value, key, value, …}.
static unsigned read_row(LLVMValueRef row, LLVMValueRef function, const char *key) {
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(row), value = 0;
    LLVMValueRef *fields = memory_zeroed(count + 1, sizeof *fields);
    LLVMGetMDNodeOperands(row, fields);
    for (unsigned i = 1; i + 1 < count && fields[0] == function; i += 2) {
        unsigned length = 0;
        const char *name =
            fields[i] && LLVMIsAMDString(fields[i]) ? LLVMGetMDString(fields[i], &length) : NULL;
        if (name && length == strlen(key) && memcmp(key, name, length) == 0) {
            value = (unsigned)LLVMConstIntGetZExtValue(fields[i + 1]);
        }
    }
    free(fields);
    return value;
}

static unsigned read_annotation(LLVMValueRef function, const char *key) {
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    unsigned count = LLVMGetNamedMetadataNumOperands(module, annotations), value = 0;
    LLVMValueRef *rows = memory_zeroed(count + 1, sizeof *rows);
    LLVMGetNamedMetadataOperands(module, annotations, rows);
    for (unsigned i = 0; i < count; i++) {
        unsigned found = read_row(rows[i], function, key);
        value = found ? found : value;
    }
    free(rows);
    return value;
}

// ---- both ----

void launch_bound_set(LLVMValueRef function, enum launch_bound bound, unsigned value) {
    LLVMContextRef context = context_of(function);
    if (LLVM_AT_LEAST(22)) {
        char text[32];
        snprintf(text, sizeof text, bound == BOUND_THREADS || bound == BOUND_CLUSTER ? "%u,1,1" : "%u",
                 value);
        add_attribute(function, LLVMAttributeFunctionIndex, names[bound].attribute, text);
        return;
    }
    annotate(function, names[bound].key, number(context, value));
    if (bound == BOUND_THREADS) {
        annotate(function, "reqntidy", number(context, 1));
        annotate(function, "reqntidz", number(context, 1));
    }
    if (bound == BOUND_CLUSTER) {
        annotate(function, "cluster_dim_y", number(context, 1));
        annotate(function, "cluster_dim_z", number(context, 1));
    }
}

unsigned launch_bound(LLVMValueRef function, enum launch_bound bound) {
    unsigned value = read_attribute(function, names[bound].attribute);
    return value ? value : read_annotation(function, names[bound].key);
}

void launch_bound_mark_kernel(LLVMValueRef function) {
    if (!LLVM_AT_LEAST(22)) {
        annotate(function, "kernel", number(context_of(function), 1));
    }
}

void launch_bound_keep_parameters(LLVMValueRef function, const unsigned *parameters, unsigned count) {
    LLVMContextRef context = context_of(function);
    LLVMMetadataRef *numbers = memory_zeroed(count + 1, sizeof *numbers);
    for (unsigned i = 0; i < count; i++) {
        if (LLVM_AT_LEAST(22)) {
            add_attribute(function, parameters[i] + 1, "nvvm.grid_constant", "");
        }
        numbers[i] = number(context, parameters[i] + 1);
    }
    if (!LLVM_AT_LEAST(22)) {
        annotate(function, "grid_constant", LLVMMDNodeInContext2(context, numbers, count));
    }
    free(numbers);
}

static const char scans_runs[] = "tkc.scans_runs";

void launch_scans_runs_set(LLVMValueRef function) {
    add_attribute(function, LLVMAttributeFunctionIndex, scans_runs, "1");
}

bool launch_scans_runs(LLVMValueRef function) {
    return read_attribute(function, scans_runs) != 0;
}

static const char unpacks_tiles[] = "tkc.unpacks_tiles";

void launch_unpacks_tiles_set(LLVMValueRef function) {
    add_attribute(function, LLVMAttributeFunctionIndex, unpacks_tiles, "1");
}

bool launch_unpacks_tiles(LLVMValueRef function) {
    return read_attribute(function, unpacks_tiles) != 0;
}
