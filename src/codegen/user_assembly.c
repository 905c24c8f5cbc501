// The program's own assembly, tried before code is made of the kernel.
//
// LLVM reports faulty inline assembly late and without its place. Constraints that do not fit the operands
// end in an instruction selection failure. Text the assembler cannot read ends in a message without a line,
// or, for textual output, in no message at all. So each piece is first compiled alone, in a module written
// out and read back, because only LLVM's reader checks the constraints. LLVM's message is reported at the
// piece's line in the source. An unknown use of `$` would end the process, so check_dollars looks at those
// first.
// test: tests/unit/keywords.def, tests/lang/atomic.tk
#include "codegen/llvmgen.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>

#include "chip/asm.h"
#include "support/map.h"
#include "support/memory.h"

static bool is_user_assembly(LLVMValueRef instruction) {
    return LLVMGetInstructionOpcode(instruction) == LLVMCall &&
           LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) &&
           LLVMGetCallSiteStringAttribute(instruction, LLVMAttributeFunctionIndex, ASM_OF_PROGRAM,
                                          sizeof ASM_OF_PROGRAM - 1);
}

// The text of a module with a kernel of this call alone.
static char *probe_text(LLVMValueRef call, const struct target *target) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMValueRef piece = LLVMGetCalledValue(call);
    LLVMTypeRef type = LLVMGetInlineAsmFunctionType(piece), parameters[256];
    size_t length, constraints_length;
    const char *assembly = LLVMGetInlineAsmAsmString(piece, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(piece, &constraints_length);
    piece = LLVMGetInlineAsm(type, assembly, length, constraints, constraints_length, 1, 0,
                             LLVMGetInlineAsmDialect(piece), 0); // kept although its results are unused
    unsigned count = LLVMCountParamTypes(type);
    if (count > sizeof parameters / sizeof *parameters) {
        bug("inline assembly with %u operands", count);
    }
    LLVMGetParamTypes(type, parameters);
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("probe", context);
    LLVMSetTarget(module, target->triple);
    LLVMSetDataLayout(module, target->data_layout);
    LLVMTypeRef made = LLVMFunctionType(LLVMVoidTypeInContext(context), parameters, count, 0);
    LLVMValueRef function = LLVMAddFunction(module, "probe", made), arguments[256];
    LLVMSetFunctionCallConv(function, codegen_vendor(target)->probe_convention);
    LLVMGetParams(function, arguments);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
    LLVMBuildCall2(builder, type, piece, arguments, count, "");
    LLVMBuildRetVoid(builder);
    char *text = LLVMPrintModuleToString(module);
    LLVMDisposeBuilder(builder);
    LLVMDisposeModule(module);
    return text;
}

// Compiles the call alone; LLVM's complaint goes to `fault`, empty on success.
static void try_call(LLVMValueRef call, const struct target *target, struct strbuf *fault) {
    char *text = probe_text(call, target), *message = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "probe");
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        strbuf_add(fault, "its constraints do not fit its operands and results");
        LLVMDisposeMessage(message);
    } else {
        struct strbuf code = {0};
        llvmgen_try(module, target, codegen_vendor(target)->probe_kind, NULL, &code, fault);
        strbuf_free(&code);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    LLVMDisposeMessage(text);
}

// The number of results and operands, named `$0` and on. Groups are between commas; "~{memory}" is a clobber.
static unsigned long count_operands(const char *constraints) {
    unsigned long count = 0;
    for (const char *at = constraints; *at; at += strcspn(at, ","), at += *at == ',') {
        count += *at != '~';
    }
    return count;
}

// Checks the "1" of `$1`, `${1}` or `${1:modifier}`, within a longer text.
static bool check_number(const char *digits, unsigned long operands, struct strbuf *fault) {
    int length = (int)strspn(digits, "0123456789");
    if (length == 0) {
        strbuf_add(fault, "a $ stands before an operand's number, which is missing; $$ is a dollar sign");
        return false;
    }
    if (length > 9 || strtoul(digits, NULL, 10) >= operands) {
        strbuf_printf(fault, "$%.*s names no operand: its constraints list %lu, results first, from $0 on",
                      length, digits, operands);
        return false;
    }
    return true;
}

// "${…}", from the brace on.
static bool check_braces(const char *at, unsigned long operands, struct strbuf *fault) {
    static const char *const special[] = {"uid}", "comment}", "private}"};
    if (!strchr(at, '}')) {
        strbuf_add(fault, "${ is not closed");
        return false;
    }
    if (at[1] == ':') {
        for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
            if (!strncmp(at + 2, special[i], strlen(special[i]))) {
                return true;
            }
        }
        strbuf_printf(fault, "$%.*s is neither ${:uid} nor ${:comment} nor ${:private}",
                      (int)strcspn(at, "}") + 1, at);
        return false;
    }
    if (!check_number(at + 1, operands, fault)) {
        return false;
    }
    const char *end = at + 1 + strspn(at + 1, "0123456789");
    if (*end == '}' || (*end == ':' && end[1] != '}' && end[2] == '}')) {
        return true;
    }
    strbuf_printf(fault, "$%.*s is neither ${N} nor ${N:c} with a modifier of one letter",
                  (int)strcspn(at, "}") + 1, at);
    return false;
}

// Checks that each `$` begins a form known to LLVM: `$$`, `$N`, `${…}`, or `$(…$|…$)` (LLVM takes the first
// alternative).
static bool check_dollars(const char *text, unsigned long operands, struct strbuf *fault) {
    bool inside = false;
    for (const char *at = strchr(text, '$'); at; at = strchr(at, '$')) {
        char next = at[1];
        if (next == '(' && inside) {
            strbuf_add(fault, "$( stands inside of $( $)");
            return false;
        }
        inside = next == '(' || (inside && next != ')');
        bool good =
            next == '$' || next == '(' || next == '|' || next == ')' ||
            (next == '{' ? check_braces(at + 1, operands, fault) : check_number(at + 1, operands, fault));
        if (!good) {
            return false;
        }
        at += 2;
    }
    return true;
}

static bool check_text(LLVMValueRef call, struct strbuf *fault) {
    LLVMValueRef piece = LLVMGetCalledValue(call);
    size_t length, constraints_length;
    const char *text = LLVMGetInlineAsmAsmString(piece, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(piece, &constraints_length);
    char *copy = strndup(text, length), *listed = strndup(constraints, constraints_length);
    if (!copy || !listed) {
        out_of_memory(length);
    }
    bool good = check_dollars(copy, count_operands(listed), fault);
    free(copy);
    free(listed);
    return good;
}

static void check_call(LLVMValueRef call, const struct target *target, const struct source *source,
                       struct diag *diag) {
    struct strbuf fault = {0};
    if (check_text(call, &fault)) {
        try_call(call, target, &fault);
    }
    if (fault.length) {
        unsigned length;
        const char *file = LLVMGetDebugLocFilename(call, &length);
        struct source other = {.path = file};
        bool same = source && file && strcmp(file, source->path) == 0;
        struct location at = {same   ? source
                              : file ? &other
                                     : NULL,
                              LLVMGetDebugLocLine(call), LLVMGetDebugLocColumn(call), 1};
        diag_error(diag, at, "inline assembly that %s cannot run: %s", target->name, strbuf_text(&fault));
    }
    strbuf_free(&fault);
}

bool llvmgen_check_assembly(LLVMModuleRef module, const struct target *target, const struct source *source,
                            struct diag *diag) {
    struct map tried = {0}; // a tile has one call for every few elements
    unsigned before = diag->error_count;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                if (is_user_assembly(i) && !map_has(&tried, LLVMGetCalledValue(i))) {
                    map_put(&tried, LLVMGetCalledValue(i), i);
                    check_call(i, target, source, diag);
                }
            }
        }
    }
    map_free(&tried);
    return diag->error_count == before;
}
