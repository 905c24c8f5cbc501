// Debug locations: the op's position in the kernel's source, with the calls it was inlined through as
// inlinedAt. With locations requested, every instruction has one, and the compile unit's emission kind alone
// decides what is printed. Without, only the user's assembly has one, for messages: LLVM's time grows with
// their number.
#include "lower/lower_internal.h"

#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "support/map.h"

struct debug_entry {
    struct debug_entry *next;
    const void *key; // a source
    LLVMMetadataRef node;
};

struct lowering_debug {
    LLVMDIBuilderRef builder;
    enum debug_info asked;
    LLVMDWARFEmissionKind kind;
    LLVMMetadataRef unit, subprogram, type;
    const struct source *kernel_source;
    struct debug_entry *files, *inlined;
    struct map places; // place of ir_place → its node, of the kernel at hand
};

static LLVMMetadataRef find(const struct debug_entry *list, const void *key) {
    for (; list; list = list->next) {
        if (list->key == key) {
            return list->node;
        }
    }
    return NULL;
}

static LLVMMetadataRef remember(struct lowering *l, struct debug_entry **list, const void *key,
                                LLVMMetadataRef node) {
    struct debug_entry *entry = ARENA_NEW(l->arena, struct debug_entry);
    *entry = (struct debug_entry){*list, key, node};
    *list = entry;
    return node;
}

const char *lower_file_name(struct lowering *l, const struct source *source) {
    const char *path = source ? source->path : "kernel";
    return source && l->options->file_name ? l->options->file_name(l->options->file_names, l->arena, source)
                                           : path;
}

static LLVMMetadataRef file_of(struct lowering *l, const struct source *source) {
    struct lowering_debug *debug = l->debug;
    LLVMMetadataRef known = find(debug->files, source);
    if (known) {
        return known;
    }
    const char *path = lower_file_name(l, source);
    return remember(l, &debug->files, source,
                    LLVMDIBuilderCreateFile(debug->builder, path, strlen(path), "", 0));
}

void lower_debug_begin(struct lowering *l, enum debug_info kind) {
    const LLVMDWARFEmissionKind kinds[] = {[DEBUG_NONE] = LLVMDWARFEmissionNone,
                                           [DEBUG_PLACES] = LLVMDWARFEmissionNone,
                                           [DEBUG_LINES] = lower_vendor(l)->lines,
                                           [DEBUG_FULL] = LLVMDWARFEmissionFull};
    l->debug = ARENA_NEW(l->arena, struct lowering_debug);
    l->debug->builder = LLVMCreateDIBuilder(l->module);
    l->debug->asked = kind;
    l->debug->kind = kinds[kind];
    LLVMAddModuleFlag(l->module, LLVMModuleFlagBehaviorWarning, "Debug Info Version", 18,
                      LLVMValueAsMetadata(lower_i32(l, LLVMDebugMetadataVersion())));
    if (kind == DEBUG_LINES && lower_vendor(l)->marks_lines) {
        LLVMAddModuleFlag(l->module, LLVMModuleFlagBehaviorWarning, LINES_FLAG, sizeof LINES_FLAG - 1,
                          LLVMValueAsMetadata(lower_i32(l, 1)));
    }
}

static LLVMMetadataRef make_subprogram(struct lowering *l, const char *name, LLVMMetadataRef file,
                                       unsigned line) {
    struct lowering_debug *debug = l->debug;
    return LLVMDIBuilderCreateFunction(debug->builder, file, name, strlen(name), "", 0, file, line,
                                       debug->type, 0, 1, line, LLVMDIFlagZero, 1);
}

void lower_debug_kernel(struct lowering *l, const char *name) {
    struct lowering_debug *debug = l->debug;
    struct location at = ir_op_location(l->ir, l->kernel);
    LLVMMetadataRef file = file_of(l, at.source);
    if (!debug->unit) {
        debug->unit = LLVMDIBuilderCreateCompileUnit(debug->builder, LLVMDWARFSourceLanguageC, file, "tkc", 3,
                                                     1, "", 0, 0, "", 0, debug->kind, 0, 0, 0, "", 0, "", 0);
        debug->type = LLVMDIBuilderCreateSubroutineType(debug->builder, file, NULL, 0, LLVMDIFlagZero);
    }
    debug->kernel_source = at.source;
    debug->subprogram = make_subprogram(l, name, file, at.line);
    map_clear(&debug->places);
    LLVMSetSubprogram(l->function, debug->subprogram);
    if (debug->asked == DEBUG_NONE) {
        return;
    }
    LLVMMetadataRef start = LLVMDIBuilderCreateDebugLocation(l->context, at.line, 0, debug->subprogram, NULL);
    LLVMSetCurrentDebugLocation2(l->entry, start);
    LLVMSetCurrentDebugLocation2(l->b, start);
}

// The subprogram of an inlined function: the key is its name, one a function in the syntax tree.
static LLVMMetadataRef inlined_scope(struct lowering *l, const struct ir_place *place) {
    const struct source *source = place->position.source;
    const void *key = place->function ? (const void *)place->function : (const void *)source;
    LLVMMetadataRef known = find(l->debug->inlined, key);
    return known ? known
                 : remember(l, &l->debug->inlined, key,
                            make_subprogram(l, place->function ? place->function : "inlined",
                                            file_of(l, source),
                                            place->function_line ? place->function_line : 1));
}

static LLVMMetadataRef place_node(struct lowering *l, const struct ir_place *place) {
    struct lowering_debug *debug = l->debug;
    LLVMMetadataRef node = map_get(&debug->places, place);
    if (node) {
        return node;
    }
    LLVMMetadataRef caller = place->caller ? place_node(l, place->caller) : NULL;
    LLVMMetadataRef scope = caller || place->position.source != debug->kernel_source ? inlined_scope(l, place)
                                                                                     : debug->subprogram;
    if (!caller && scope != debug->subprogram) {
        caller = LLVMDIBuilderCreateDebugLocation(l->context, 0, 0, debug->subprogram, NULL);
    }
    node = LLVMDIBuilderCreateDebugLocation(l->context, place->position.line, place->position.column, scope,
                                            caller);
    map_put(&debug->places, place, node);
    return node;
}

// The innermost place within one source, as a place of the kernel itself. NULL: none is known.
static LLVMMetadataRef place_within(struct lowering *l, const struct ir_place *place,
                                    const struct source *source) {
    while (place && place->position.source != source) {
        place = place->caller;
    }
    return place ? LLVMDIBuilderCreateDebugLocation(l->context, place->position.line, place->position.column,
                                                    l->debug->subprogram, NULL)
                 : NULL;
}

void lower_debug_location(struct lowering *l, MlirOperation op) {
    if (l->debug->asked == DEBUG_NONE && op_kind(l->ir, op) != OP_INLINE_ASM) {
        LLVMSetCurrentDebugLocation2(l->b, NULL);
        return;
    }
    const struct ir_place *place = ir_place(l->ir, mlirOperationGetLocation(op));
    const struct source *only = l->options->lines_of;
    LLVMMetadataRef node = only ? place_within(l, place, only) : place ? place_node(l, place) : NULL;
    LLVMSetCurrentDebugLocation2(
        l->b, node ? node : LLVMDIBuilderCreateDebugLocation(l->context, 0, 0, l->debug->subprogram, NULL));
}

void lower_debug_finish(struct lowering *l) {
    LLVMDIBuilderFinalize(l->debug->builder);
    LLVMDisposeDIBuilder(l->debug->builder);
    map_free(&l->debug->places);
}
