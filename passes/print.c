// IR as text. Each layout attribute is printed once, as an alias `#L0 = {…}` ahead of the module. MLIR's own
// parser reads aliases, so a dump is valid input for --run-pass.
#include "passes/pass.h"

#include <string.h>

#include "ir/build.h"

static void append_text(MlirStringRef text, void *buffer) {
    strbuf_add_bytes(buffer, text.data, text.length);
}

// The length of the layout attribute at the start of `text`, or 0 if there is none.
static size_t layout_length(const char *text) {
    static const enum attribute_name first[] = {ATTR_LANE, ATTR_SHARED};
    for (size_t i = 0; *text == '{' && i < sizeof first / sizeof *first; i++) {
        const char *name = attribute_text(first[i]);
        size_t length = strlen(name);
        if (strncmp(text + 1, name, length) == 0 && strncmp(text + 1 + length, " = array<", 9) == 0) {
            return (size_t)(strchr(text, '}') - text) + 1;
        }
    }
    return 0;
}

void ir_print(struct ir *ir, MlirModule module, FILE *out) {
    struct strbuf text = {0}, body = {0}, aliases = {0};
    const char *seen[256];
    size_t lengths[256], count = 0;
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    mlirOpPrintingFlagsAssumeVerified(flags);
    mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, append_text, &text);
    mlirOpPrintingFlagsDestroy(flags);
    (void)ir;
    for (const char *p = strbuf_text(&text); *p;) {
        size_t length = layout_length(p);
        if (length == 0) {
            strbuf_add_char(&body, *p++);
            continue;
        }
        size_t alias = 0;
        while (alias < count && (lengths[alias] != length || memcmp(seen[alias], p, length) != 0)) {
            alias++;
        }
        if (alias == count && count < sizeof seen / sizeof *seen) {
            seen[count] = p;
            lengths[count++] = length;
            strbuf_printf(&aliases, "#L%zu = %.*s\n", alias, (int)length, p);
        }
        if (alias < count) {
            strbuf_printf(&body, "#L%zu", alias);
        } else {
            strbuf_add_bytes(&body, p, length);
        }
        p += length;
    }
    fputs(strbuf_text(&aliases), out);
    fputs(strbuf_text(&body), out);
    fputc('\n', out);
    strbuf_free(&text);
    strbuf_free(&body);
    strbuf_free(&aliases);
}

MlirModule ir_parse(struct ir *ir, const char *text, const char *path) {
    MlirModule module = mlirModuleCreateParse(ir->context, mlirStringRefCreateFromCString(text));
    if (mlirModuleIsNull(module) && ir->diag->error_count == 0) {
        struct source *source = source_from_text(ir->arena, path, text);
        diag_error(ir->diag, (struct location){.source = source}, "this is not IR that tkc can read");
    }
    return module;
}
