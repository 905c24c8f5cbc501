// Lines of inlined calls in PTX (PTX ISA, "Debugging Directives: .loc"):
//
//   .loc 1 5 16        →        .loc 1 10 9
//                               .loc 2 5 16, function_name $L__name_double, inlined_at 1 10 9
//                               …
//                               .section .debug_str { $L__name_double: .b8 100,111,…,0 }
//
// LLVM writes .loc without the calls. So an inlined place becomes a number before LLVM writes code (the line of a place in the
// kernel itself, beyond any real line), and the numbers become places again in the text. The place of a call stands before the
// first place in it, as ptxas wants.
#include "codegen/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "chip/asm.h"
#include "support/arena.h"
#include "support/map.h"

enum { FIRST_MARK = 0x40000000, NO_PLACE = -1 };

struct inlined_place {
    const char *file, *function;
    unsigned line, column;
    int caller; // its number; NO_PLACE: none
};

struct lines {
    struct arena *arena;
    struct inlined_place *places;
    int count, room;
};

// The numbers of a module's locations, by location: number + 1.
struct numbering {
    struct lines *lines; // grows; NULL: the numbers alone are wanted
    struct map numbers;
    int count;
};

// The name of a subprogram's scope: its third operand.
static const char *scope_name(struct arena *arena, LLVMMetadataRef scope, LLVMContextRef context) {
    LLVMValueRef node = LLVMMetadataAsValue(context, scope), operands[16];
    unsigned count = LLVMGetMDNodeNumOperands(node), length = 0;
    if (count < 3 || count > sizeof operands / sizeof *operands) {
        return "";
    }
    LLVMGetMDNodeOperands(node, operands);
    const char *name = operands[2] ? LLVMGetMDString(operands[2], &length) : NULL;
    return name ? arena_strndup(arena, name, length) : "";
}

static void add_place(struct lines *lines, LLVMMetadataRef location, int caller, LLVMContextRef context) {
    LLVMMetadataRef scope = LLVMDILocationGetScope(location), file = LLVMDIScopeGetFile(scope);
    unsigned length = 0;
    const char *path = file ? LLVMDIFileGetFilename(file, &length) : "";
    if (lines->count == lines->room) {
        struct inlined_place *before = lines->places;
        lines->room = lines->room ? 2 * lines->room : 64;
        lines->places = ARENA_ARRAY(lines->arena, struct inlined_place, (size_t)lines->room);
        if (lines->count) {
            memcpy(lines->places, before, (size_t)lines->count * sizeof *before);
        }
    }
    lines->places[lines->count++] = (struct inlined_place){
        arena_strndup(lines->arena, path, length), scope_name(lines->arena, scope, context),
        LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location), caller};
}

// The number of a location and, first, of the calls around it.
static int number_of(struct numbering *n, LLVMMetadataRef location, LLVMContextRef context) {
    uintptr_t known = (uintptr_t)map_get(&n->numbers, location);
    if (known) {
        return (int)known - 1;
    }
    LLVMMetadataRef call = LLVMDILocationGetInlinedAt(location);
    int caller = call ? number_of(n, call, context) : NO_PLACE;
    if (n->lines) {
        add_place(n->lines, location, caller, context);
    }
    n->count++;
    map_put(&n->numbers, location, (void *)(uintptr_t)n->count);
    return n->count - 1;
}

static void number_function(struct numbering *n, LLVMValueRef function, bool marks) {
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMMetadataRef whole = LLVMGetSubprogram(function);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef in = LLVMGetFirstInstruction(block); in; in = LLVMGetNextInstruction(in)) {
            LLVMMetadataRef location = LLVMInstructionGetDebugLoc(in);
            if (!location || !whole || !LLVMDILocationGetInlinedAt(location)) {
                continue;
            }
            unsigned number = (unsigned)number_of(n, location, context);
            if (marks) {
                LLVMInstructionSetDebugLoc(
                    in, LLVMDIBuilderCreateDebugLocation(context, FIRST_MARK + number, 0, whole, NULL));
            }
        }
    }
}

static void number_module(struct numbering *n, LLVMModuleRef module, bool marks) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        number_function(n, function, marks);
    }
    map_free(&n->numbers);
}

struct lines *lines_collect(LLVMModuleRef module) {
    if (!LLVMGetModuleFlag(module, LINES_FLAG, sizeof LINES_FLAG - 1)) {
        return NULL;
    }
    struct arena *arena = arena_create();
    struct lines *lines = ARENA_NEW(arena, struct lines);
    lines->arena = arena;
    struct numbering numbering = {.lines = lines};
    number_module(&numbering, module, false);
    if (!lines->count) {
        lines_free(lines);
        return NULL;
    }
    return lines;
}

void lines_mark(const struct lines *lines, LLVMModuleRef module) {
    struct numbering numbering = {0};
    if (lines) {
        number_module(&numbering, module, true);
    }
}

void lines_free(struct lines *lines) {
    if (lines) {
        arena_destroy(lines->arena);
    }
}

// ---- the text ----

struct writing {
    const struct lines *lines;
    struct strbuf *out;
    const char **files; // by number - 1: LLVM's, and further ones
    unsigned file_count, known_files;
    bool *said;  // by place: it is in the function at hand already
    bool *named; // by place: the first one of its function, in this module
};

static bool begins(const char *line, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - line) > length && memcmp(line, word, length) == 0;
}

static const char file_word[] = "\t.file\t", loc_word[] = "\t.loc\t";

// Reads a line `.file 1 "path"`.
static void take_file(struct writing *w, const char *line) {
    char *rest;
    unsigned number = (unsigned)strtoul(line + sizeof file_word - 1, &rest, 10);
    const char *path = strchr(rest, '"');
    if (path && number == w->known_files + 1) {
        path++;
        w->files[w->known_files++] = arena_strndup(w->lines->arena, path, strcspn(path, "\"\n"));
        w->file_count = w->known_files;
    }
}

static unsigned file_number(struct writing *w, const char *path) {
    for (unsigned i = 0; i < w->file_count; i++) {
        if (strcmp(w->files[i], path) == 0) {
            return i + 1;
        }
    }
    w->files[w->file_count] = path;
    return ++w->file_count;
}

// The label of a function's name, with codes for other characters than PTX's: equal names have equal labels in all modules.
static void add_label(struct strbuf *out, const char *name) {
    strbuf_add(out, "$L__name_");
    for (; *name; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '_';
        strbuf_printf(out, plain ? "%c" : "$%02x", (unsigned char)*name);
    }
}

static void write_place(struct writing *w, int number) {
    const struct inlined_place *place = &w->lines->places[number];
    if (place->caller != NO_PLACE && !w->said[place->caller]) {
        write_place(w, place->caller);
    }
    w->said[number] = true;
    strbuf_printf(w->out, "%s%u %u %u", loc_word, file_number(w, place->file), place->line, place->column);
    if (place->caller != NO_PLACE) {
        const struct inlined_place *call = &w->lines->places[place->caller];
        w->named[number] = true;
        strbuf_add(w->out, ", function_name ");
        add_label(w->out, place->function);
        strbuf_printf(w->out, ", inlined_at %u %u %u", file_number(w, call->file), call->line, call->column);
    }
    strbuf_add_char(w->out, '\n');
}

// A line `.loc 1 1073741829 0`: the number behind the file is a mark. False: it is none.
static bool write_marked(struct writing *w, const char *line) {
    char *rest;
    strtoul(line + sizeof loc_word - 1, &rest, 10);
    unsigned long mark = strtoul(rest, &rest, 10);
    if (mark < FIRST_MARK || mark >= FIRST_MARK + (unsigned long)w->lines->count) {
        return false;
    }
    write_place(w, (int)(mark - FIRST_MARK));
    return true;
}

static void write_names(struct writing *w) {
    strbuf_add(w->out, "\t.section\t.debug_str\n\t{\n");
    for (int i = 0; i < w->lines->count; i++) {
        bool first = w->named[i];
        for (int j = 0; j < i && first; j++) {
            first = !w->named[j] || strcmp(w->lines->places[j].function, w->lines->places[i].function) != 0;
        }
        if (!first) {
            continue;
        }
        add_label(w->out, w->lines->places[i].function);
        strbuf_add(w->out, ":\n.b8 ");
        for (const char *at = w->lines->places[i].function; *at; at++) {
            strbuf_printf(w->out, "%u,", (unsigned char)*at);
        }
        strbuf_add(w->out, "0\n");
    }
    strbuf_add(w->out, "\t}\n");
}

void lines_write(const struct lines *lines, const char *text, size_t length, struct strbuf *out) {
    struct arena *arena = lines->arena;
    const char *end = text + length;
    struct writing w = {.lines = lines, .out = out};
    w.files = ARENA_ARRAY(arena, const char *, length / sizeof file_word + (size_t)lines->count + 1);
    w.said = ARENA_ARRAY(arena, bool, (size_t)lines->count);
    w.named = ARENA_ARRAY(arena, bool, (size_t)lines->count);
    for (const char *line = text, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        if (begins(line, next, file_word)) {
            take_file(&w, line);
        }
    }
    for (const char *line = text, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        if (begins(line, next, ".visible .entry")) {
            memset(w.said, 0, (size_t)lines->count);
        }
        if (!begins(line, next, loc_word) || !write_marked(&w, line)) {
            strbuf_add_bytes(out, line, (size_t)(next - line));
        }
    }
    for (unsigned i = w.known_files; i < w.file_count; i++) {
        strbuf_printf(out, "%s%u \"%s\"\n", file_word, i + 1, w.files[i]);
    }
    write_names(&w);
}
