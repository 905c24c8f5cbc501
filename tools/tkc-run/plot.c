// --plot: drawings of layouts and of shared memory. WHAT=FILE.svg with WHAT
//   L3      the layout with the name #L3 in the IR dump: the warp, lane and register of each element of a
//           tile, or the bank of each element of a shared tile, with the conflicts of the first access
//           to it
//   shared  every piece of shared memory, bytes downwards, the kernel's life from left to right
#include "plot.h"

#include <errno.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialects/tk/layout.h"
#include "ir/build.h"
#include "passes/pass.h"
#include "passes/shared/shared_ranges.h"
#include "support/file.h"

struct walk {
    struct ir *ir;
    struct arena *arena;
    MlirOperation *ops;
    size_t count;
    const struct target *target;
};

static void append(MlirStringRef text, void *buffer) {
    strbuf_add_bytes(buffer, text.data, text.length);
}

// Copies the text after `#NAME = ` in the dump; false without this alias.
static bool alias_text(struct walk *walk, MlirModule module, const char *name, struct strbuf *out) {
    char *dump = NULL, head[64];
    size_t length;
    FILE *stream = open_memstream(&dump, &length);
    ir_print(walk->ir, module, stream);
    fclose(stream);
    snprintf(head, sizeof head, "#%s = ", name);
    const char *at = strncmp(dump, head, strlen(head)) ? NULL : dump;
    if (!at) {
        snprintf(head, sizeof head, "\n#%s = ", name);
        at = strstr(dump, head);
    }
    if (at) {
        at += strlen(head);
        strbuf_add_bytes(out, at, strcspn(at, "\n"));
    }
    free(dump);
    return at != NULL;
}

static bool has_encoding(MlirType type, const char *text) {
    if (!mlirTypeIsARankedTensor(type)) {
        return false;
    }
    MlirAttribute encoding = mlirRankedTensorTypeGetEncoding(type);
    if (mlirAttributeIsNull(encoding)) {
        return false;
    }
    struct strbuf printed = {0};
    mlirAttributePrint(encoding, append, &printed);
    bool same = !strcmp(strbuf_text(&printed), text);
    strbuf_free(&printed);
    return same;
}

static bool find_type(const struct walk *walk, const char *text, MlirType *type) {
    for (size_t i = 0; i < walk->count; i++) {
        for (intptr_t j = 0; j < mlirOperationGetNumResults(walk->ops[i]); j++) {
            *type = mlirValueGetType(mlirOperationGetResult(walk->ops[i], j));
            if (has_encoding(*type, text)) {
                return true;
            }
        }
    }
    return false;
}

// The distributed layout of the first access to a shared tile of this type; NULL without an access from
// registers.
static const struct layout *first_access(const struct walk *walk, MlirType shared) {
    for (size_t i = 0; i < walk->count; i++) {
        enum op_kind kind = op_kind(walk->ir, walk->ops[i]);
        if (kind != OP_SMEM_LOAD && kind != OP_SMEM_STORE) {
            continue;
        }
        if (!mlirTypeEqual(mlirValueGetType(slot_user_slot(walk->ops[i])), shared)) {
            continue;
        }
        MlirValue tile =
            kind == OP_SMEM_LOAD ? mlirOperationGetResult(walk->ops[i], 0) : smem_store_tile(walk->ops[i]);
        return type_layout(walk->ir, mlirValueGetType(tile));
    }
    return NULL;
}

static bool plot_layout(struct walk *walk, MlirModule module, const char *name, struct strbuf *out) {
    struct strbuf text = {0};
    MlirType type;
    bool found = alias_text(walk, module, name, &text) && find_type(walk, strbuf_text(&text), &type);
    strbuf_free(&text);
    if (!found) {
        fprintf(stderr,
                "tkc-run: error: --plot %s: the IR after the last pass has no layout #%s (tkc "
                "--dump-after=all shows "
                "them)\n",
                name, name);
        return false;
    }
    const struct layout *layout = type_layout(walk->ir, type);
    if (!type_is_shared(walk->ir, type)) {
        layout_svg_distribution(out, layout);
        return true;
    }
    unsigned bytes = (type_bits(type_element(type)) + 7) / 8;
    struct layout_banks banks = walk->target->vendor == VENDOR_NVIDIA
                                    ? layout_banks_nvidia()
                                    : layout_banks_amd(walk->target->warp_size);
    const struct layout *access = first_access(walk, type);
    unsigned vector = 1;
    if (access) { // the widest access of at most 16 bytes
        struct layout map = layout_offset_map(layout, access);
        uint8_t bits[64];
        vector = 1u << layout_offset_vector_bits(&map, (unsigned)__builtin_ctz(16 / bytes), bits);
    }
    layout_svg_banks(out, layout, access, bytes, vector, &banks);
    return true;
}

// ---- shared memory over the kernel's life ----

static bool plot_shared(struct walk *walk, MlirModule module, struct strbuf *out) {
    enum { WIDTH = 900, HEIGHT = 500, LEFT = 70, TOP = 40 };
    size_t count;
    MlirOperation kernel = mlirBlockGetFirstOperation(mlirModuleGetBody(module)); // the module's only one
    struct pass_context context = {.ir = walk->ir, .arena = walk->arena, .target = walk->target};
    struct shared_piece **pieces = shared_pieces(&context, kernel, &count);
    unsigned total = (unsigned)op_int(kernel, ATTR_SHARED_BYTES);
    total = total ? total : 1;
    strbuf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n"
        "<style>text{font-family:monospace;font-size:11px}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
        "<text x=\"8\" y=\"20\">shared memory: %u B of %u B, %zu pieces; time runs to the right</text>\n",
        LEFT + WIDTH + 20, TOP + HEIGHT + 20, LEFT + WIDTH + 20, TOP + HEIGHT + 20, total,
        walk->target->shared_limit, count);
    for (size_t i = 0; i < count; i++) {
        const struct shared_piece *piece = pieces[i];
        bool is_buffer = op_kind(walk->ir, piece->op) == OP_SMEM_ALLOC;
        unsigned line = ir_op_location(walk->ir, piece->op).line;
        size_t x = LEFT + piece->first * WIDTH / walk->count;
        size_t width = (piece->last - piece->first + 1) * WIDTH / walk->count + 3;
        unsigned y = TOP + (unsigned)((uint64_t)piece->offset * HEIGHT / total);
        unsigned height = (unsigned)((uint64_t)piece->bytes * HEIGHT / total) + 1;
        strbuf_printf(out,
                      "<rect x=\"%zu\" y=\"%u\" width=\"%zu\" height=\"%u\" fill=\"%s\" stroke=\"#444\">"
                      "<title>%s, line %u: bytes %u to %u</title></rect>\n"
                      "<text x=\"%zu\" y=\"%u\">line %u</text>\n<text x=\"4\" y=\"%u\">%u</text>\n",
                      x, y, width, height, is_buffer ? "#9fc5e8" : "#f9cb9c",
                      is_buffer ? "buffer" : "scratch or barriers", line, piece->offset,
                      piece->offset + piece->bytes, x + 4, y + 14, line, y + 11, piece->offset);
    }
    strbuf_add(out, "</svg>\n");
    return true;
}

bool plot_write(struct ir *ir, struct arena *arena, MlirModule module, const struct target *target,
                const char *what) {
    const char *equals = strchr(what, '=');
    if (!equals || !equals[1]) {
        fprintf(stderr, "tkc-run: error: --plot %s: expected L<number>=FILE.svg or shared=FILE.svg\n", what);
        return false;
    }
    struct walk walk = {.ir = ir, .arena = arena, .target = target};
    walk.ops = ops_collect(ir, arena, mlirModuleGetOperation(module), &walk.count);
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)(equals - what), what + (what[0] == '#'));
    name[strcspn(name, "=")] = 0;
    struct strbuf out = {0};
    bool good =
        !strcmp(name, "shared") ? plot_shared(&walk, module, &out) : plot_layout(&walk, module, name, &out);
    if (good && !file_write_atomic(equals + 1, out.data, out.length)) {
        fprintf(stderr, "tkc-run: error: cannot write %s: %s\n", equals + 1, strerror(errno));
        good = false;
    }
    strbuf_free(&out);
    return good;
}
