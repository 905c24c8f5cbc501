// Inline assembly. A snippet is one instruction, perhaps under a predicate: `@$2 ld.global.cg.b32 $0, [$1];`.
// Its opcode is split at the dots and each part must be known; an unknown part is refused by name. $n is
// operand n of the call in the order of the constraints. An input with a digit as constraint gives that
// output's value if the instruction does not write it. Opcodes: PTX ISA, chapter "Instruction Set".
#include "emulator/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/nvidia/assembly.h"
#include "emulator/nvidia/nvidia.h"

enum { PARTS = 16 };

struct reader {
    struct decoder *decoder;
    LLVMValueRef call;
    struct operand operands[ASSEMBLY_ARGUMENTS]; // $0 …
    unsigned count;
    char *parts[PARTS]; // of the opcode
    unsigned part_count;
    struct assembly *statement;
    const char *unknown; // an instruction without a model; NULL: something else is not understood
};

static bool has_part(const struct reader *reader, const char *name) {
    for (unsigned i = 0; i < reader->part_count; i++) {
        if (!strcmp(reader->parts[i], name)) {
            return true;
        }
    }
    return false;
}

static const char *last_part(const struct reader *reader) {
    return reader->parts[reader->part_count - 1];
}

static unsigned vector_of(const struct reader *reader) {
    return has_part(reader, "v2") ? 2 : has_part(reader, "v4") ? 4 : has_part(reader, "v8") ? 8 : 1;
}

// Output registers first, then inputs, in the order of the constraints. Clobbers take no operand.
static bool read_constraints(struct reader *reader, const char *constraints) {
    struct assembly *statement = reader->statement;
    struct decoder *decoder = reader->decoder;
    LLVMTypeRef type = LLVMTypeOf(reader->call);
    bool structure = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint32_t reg = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : decode_result(decoder, reader->call);
    unsigned argument = 0;
    for (const char *at = constraints; *at;) {
        size_t length = strcspn(at, ",");
        if (reader->count == ASSEMBLY_ARGUMENTS) {
            return false;
        }
        struct operand *operand = &reader->operands[reader->count];
        if (*at == '=') {
            if (statement->output_count == ASSEMBLY_OUTPUTS) {
                return false;
            }
            LLVMTypeRef part = structure ? LLVMStructGetTypeAtIndex(type, statement->output_count) : type;
            *operand = (struct operand){.reg = reg, .shape = decode_shape(decoder, part)};
            reg += decode_size(decoder, part);
            statement->outputs[statement->output_count++] = *operand;
            reader->count++;
        } else if (*at != '~') {
            *operand = decode_operand(decoder, LLVMGetOperand(reader->call, argument++));
            if (*at >= '0' && *at <= '9') {
                unsigned output = (unsigned)strtoul(at, NULL, 10);
                if (output >= statement->output_count) {
                    return false;
                }
                statement->has_tied[output] = true;
                statement->tied[output] = *operand;
            }
            reader->count++;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

static bool read_reference(struct reader *reader, char **at, struct operand *operand) {
    if (**at != '$') {
        return false;
    }
    unsigned long number = strtoul(*at + 1, at, 10);
    if (number >= reader->count) {
        return false;
    }
    *operand = reader->operands[number];
    return true;
}

static bool read_argument(struct reader *reader, char **at) {
    struct assembly *statement = reader->statement;
    if (statement->count == ASSEMBLY_ARGUMENTS) {
        return false;
    }
    struct assembly_argument *argument = &statement->arguments[statement->count++];
    if (**at == '$') {
        if (!read_reference(reader, at, &argument->operand)) {
            return false;
        }
        *at += strspn(*at, " ");
        if (**at == '+') {
            argument->number = strtol(*at + 1, at, 0);
        }
        return true;
    }
    char *end;
    argument->literal = true;
    argument->number = strtol(*at, &end, 0);
    argument->operand = (struct operand){.is_constant = true, .constant = (uint64_t)argument->number};
    bool read = end != *at;
    *at = end;
    return read;
}

// `$0, [$1 + 4], {$2, $3}, 16`: brackets around addresses are dropped, braces make groups.
static bool read_arguments(struct reader *reader, char *at) {
    struct assembly *statement = reader->statement;
    for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
        if (statement->group_count == ASSEMBLY_GROUPS) {
            return false;
        }
        unsigned before = statement->count;
        char close = *at == '{' ? '}' : *at == '[' ? ']' : 0;
        at += close != 0;
        do {
            at += strspn(at, ", ");
            if (!read_argument(reader, &at)) {
                return false;
            }
            at += strspn(at, " ");
        } while (close && *at == ',');
        if (close && *at++ != close) {
            return false;
        }
        statement->groups[statement->group_count++] = statement->count - before;
        at += strspn(at, " ");
        if (*at && *at++ != ',') {
            return false;
        }
    }
    return true;
}

// ---- the opcodes ----

// "b32", "u64", "s8", "f16", "f16x2", "bf16": bits and kind of an element.
static bool read_type(const char *name, struct shape *shape, bool *is_signed) {
    *shape = (struct shape){.kind = ELEMENT_INT, .components = 1};
    *is_signed = name[0] == 's';
    bool brain = !strncmp(name, "bf", 2);
    if (!strchr("busf", name[0])) {
        return false;
    }
    char *end;
    unsigned long bits = strtoul(name + (brain ? 2 : 1), &end, 10);
    if (!strcmp(end, "x2")) {
        shape->components = 2;
    } else if (*end) {
        return false;
    }
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
        return false;
    }
    shape->bits = (uint8_t)bits;
    shape->bytes = (uint8_t)(bits / 8);
    if (brain) {
        shape->kind = ELEMENT_BFLOAT;
    } else if (name[0] == 'f') {
        shape->kind = bits == 16 ? ELEMENT_HALF : bits == 32 ? ELEMENT_FLOAT : ELEMENT_DOUBLE;
    }
    return true;
}

static bool known_parts(const struct reader *reader, const char *const *allowed, unsigned first) {
    for (unsigned i = first; i < reader->part_count; i++) {
        unsigned j = 0;
        while (allowed[j] && strcmp(allowed[j], reader->parts[i])) {
            j++;
        }
        if (!allowed[j]) {
            return false;
        }
    }
    return true;
}

static bool read_space(struct reader *reader) {
    struct assembly *statement = reader->statement;
    statement->space = has_part(reader, "global")   ? SPACE_GLOBAL
                       : has_part(reader, "shared") ? SPACE_SHARED
                                                    : SPACE_GENERIC;
    return true;
}

// The ordering and the scope named in the opcode; `other` if it names none.
static void read_order(struct reader *reader, LLVMAtomicOrdering other) {
    struct assembly *statement = reader->statement;
    bool relaxed = has_part(reader, "relaxed") || has_part(reader, "volatile") || has_part(reader, "cv");
    statement->ordering = has_part(reader, "acquire")   ? LLVMAtomicOrderingAcquire
                          : has_part(reader, "release") ? LLVMAtomicOrderingRelease
                          : has_part(reader, "acq_rel") ? LLVMAtomicOrderingAcquireRelease
                          : relaxed                     ? LLVMAtomicOrderingMonotonic
                                                        : other;
    bool whole = has_part(reader, "sys") || has_part(reader, "volatile");
    statement->scope = has_part(reader, "cta") ? SCOPE_BLOCK : whole ? SCOPE_SYSTEM : SCOPE_DEVICE;
}

static enum instr_kind memory_kind(const struct assembly *statement, bool write) {
    if (statement->space == SPACE_SHARED) {
        return write ? KIND_SHARED_STORE : KIND_SHARED_LOAD;
    }
    return write ? KIND_GLOBAL_STORE : KIND_GLOBAL_LOAD;
}

static bool read_memory(struct reader *reader, bool write) {
    static const char *const allowed[] = {"global",
                                          "shared",
                                          "ca",
                                          "cg",
                                          "cs",
                                          "cv",
                                          "wb",
                                          "wt",
                                          "v2",
                                          "v4",
                                          "v8",
                                          "L1::evict_first",
                                          "L1::evict_last",
                                          "L2::evict_first",
                                          "L2::evict_last",
                                          "L1::no_allocate",
                                          "L2::128B",
                                          "volatile",
                                          "relaxed",
                                          "gpu",
                                          "cta",
                                          "sys",
                                          "acquire",
                                          "release",
                                          "weak",
                                          "L1::evict_normal",
                                          "L2::cache_hint",
                                          NULL};
    struct assembly *statement = reader->statement;
    const char *type = last_part(reader);
    if (!read_type(type, &statement->shape, &statement->is_signed)) {
        return false;
    }
    reader->part_count--;
    if (!known_parts(reader, allowed, 1)) {
        return false;
    }
    reader->part_count++;
    statement->bits = statement->shape.bits * statement->shape.components;
    statement->vector = vector_of(reader);
    statement->run = write ? assembly_store : assembly_load;
    return read_space(reader) &&
           statement->count == statement->vector + 1 + has_part(reader, "L2::cache_hint");
}

static bool read_atomic(struct reader *reader) {
    static const char *const allowed[] = {"global",  "shared", "relaxed", "acquire", "release",
                                          "acq_rel", "gpu",    "cta",     "sys",     "noftz",
                                          "v2",      "v4",     "v8",      NULL};
    static const struct {
        const char *name;
        unsigned operation, float_operation, unsigned_operation;
    } names[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd, LLVMAtomicRMWBinOpAdd},
        {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpFMin, LLVMAtomicRMWBinOpUMin},
        {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpFMax, LLVMAtomicRMWBinOpUMax},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd},
        {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor},
        {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg},
        {"cas", ATOMIC_CAS, ATOMIC_CAS, ATOMIC_CAS},
        {"inc", ATOMIC_INC_WRAP, ATOMIC_INC_WRAP, ATOMIC_INC_WRAP},
        {"dec", ATOMIC_DEC_WRAP, ATOMIC_DEC_WRAP, ATOMIC_DEC_WRAP},
    };
    struct assembly *statement = reader->statement;
    if (!read_type(last_part(reader), &statement->shape, &statement->is_signed)) {
        return false;
    }
    reader->part_count--;
    bool found = false;
    for (unsigned i = 1; i < reader->part_count && !found; i++) {
        for (unsigned j = 0; j < sizeof names / sizeof *names; j++) {
            if (strcmp(reader->parts[i], names[j].name)) {
                continue;
            }
            statement->operation = statement->shape.kind != ELEMENT_INT ? names[j].float_operation
                                   : statement->is_signed               ? names[j].operation
                                                                        : names[j].unsigned_operation;
            reader->parts[i] = "global"; // read
            found = true;
            break;
        }
    }
    bool shared = has_part(reader, "shared");
    if (!found || !known_parts(reader, allowed, 1)) {
        return false;
    }
    statement->space = shared ? SPACE_SHARED : SPACE_GLOBAL;
    statement->run = assembly_atomic;
    statement->vector = vector_of(reader);
    bool returns = !strcmp(reader->parts[0], "atom");
    return statement->count == (returns ? statement->vector : 0u) + 1u + statement->vector +
                                   (statement->operation == ATOMIC_CAS ? 1u : 0u);
}

static bool read_async(struct reader *reader, enum instr_kind *kind) {
    struct assembly *statement = reader->statement;
    *kind = KIND_ASYNC;
    if (has_part(reader, "commit_group")) {
        statement->run = assembly_commit;
        return reader->part_count == 3 && statement->count == 0;
    }
    if (has_part(reader, "wait_group") || has_part(reader, "wait_all")) {
        statement->run = assembly_wait;
        statement->immediate = -1;
        if (has_part(reader, "wait_all")) {
            return statement->count == 0;
        }
        if (statement->count != 1) {
            return false;
        }
        statement->immediate = statement->arguments[0].literal
                                   ? statement->arguments[0].number
                                   : (int64_t)statement->arguments[0].operand.constant;
        return true;
    }
    static const char *const allowed[] = {"async",  "ca",       "cg",          "shared",
                                          "global", "L2::128B", "shared::cta", NULL};
    statement->run = assembly_copy;
    return known_parts(reader, allowed, 1) && statement->count >= 3 && statement->arguments[2].literal;
}

static bool read_math(struct reader *reader) {
    static const struct {
        const char *name;
        enum math_function function;
    } names[] = {{"ex2", MATH_EXP2},   {"lg2", MATH_LOG2},       {"sin", MATH_SIN},
                 {"cos", MATH_COS},    {"tanh", MATH_TANH},      {"rsqrt", MATH_RSQRT},
                 {"sqrt", MATH_SQRT},  {"rcp", MATH_RECIPROCAL}, {"abs", MATH_ABS},
                 {"div", MATH_DIVIDE}, {"add", MATH_ADD},        {"mul", MATH_MULTIPLY},
                 {"min", MATH_MIN},    {"max", MATH_MAX},        {"copysign", MATH_COPYSIGN}};
    static const char *const allowed[] = {"approx", "full", "rn", "ftz", "NaN", NULL};
    struct assembly *statement = reader->statement;
    bool is_signed;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(reader->parts[0], names[i].name)) {
            continue;
        }
        if (!read_type(last_part(reader), &statement->shape, &is_signed) ||
            statement->shape.kind == ELEMENT_INT) {
            return false;
        }
        reader->part_count--;
        statement->operation = names[i].function;
        if (has_part(reader, "NaN")) {
            statement->operation += MATH_MIN_NAN - MATH_MIN;
        }
        if (has_part(reader, "ftz")) {
            statement->operation |= MATH_FLUSH;
        }
        if (names[i].function == MATH_COPYSIGN && statement->count == 3) { // the sign comes first
            struct assembly_argument sign = statement->arguments[1];
            statement->arguments[1] = statement->arguments[2];
            statement->arguments[2] = sign;
        }
        bool binary = names[i].function >= MATH_MIN;
        statement->run = binary ? assembly_binary : assembly_unary;
        return known_parts(reader, allowed, 1) && statement->count == (binary ? 3u : 2u);
    }
    return false;
}

// Of each half of 64 bits.
static bool read_pair(struct reader *reader) {
    static const struct {
        const char *name;
        enum pair_operation operation;
        unsigned count; // of operands, the result among them
    } names[] = {{"add", PAIR_ADD, 3}, {"sub", PAIR_SUB, 3}, {"mul", PAIR_MULTIPLY, 3}, {"fma", PAIR_FMA, 4}};
    struct assembly *statement = reader->statement;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strcmp(reader->parts[0], names[i].name)) {
            statement->operation = names[i].operation;
            statement->run = assembly_pair;
            return reader->part_count == 3 && statement->count == names[i].count;
        }
    }
    return false;
}

static bool read_convert(struct reader *reader) {
    static const char *const allowed[] = {"rn", "rz", "rna", "satfinite", NULL};
    static const char *const types[] = {"f32",    "f16",    "bf16",   "tf32", "f16x2",
                                        "bf16x2", "e4m3x2", "e5m2x2", "f64",  NULL};
    struct assembly *statement = reader->statement;
    if (reader->part_count < 3) {
        return false;
    }
    statement->from = last_part(reader);
    statement->to = reader->parts[reader->part_count - 2];
    statement->saturate = has_part(reader, "satfinite");
    statement->toward_zero = has_part(reader, "rz");
    statement->to_even = has_part(reader, "rn");
    unsigned found = 0;
    for (unsigned i = 0; types[i]; i++) {
        found += !strcmp(types[i], statement->from) + !strcmp(types[i], statement->to);
    }
    reader->part_count -= 2;
    statement->run = assembly_convert;
    return found == 2 && known_parts(reader, allowed, 1);
}

static bool read_mma(struct reader *reader) {
    struct assembly *statement = reader->statement;
    struct strbuf name = {0};
    enum {
        PLAIN_GROUPS = 4,
        SCALED_GROUPS = 8,
        SCALED_ARGUMENTS = 20
    }; // d, a, b, c; scales of a, {byte, thread}, of b, …
    bool scaled = has_part(reader, "block_scale");
    if (!has_part(reader, "sync") || !has_part(reader, "aligned") ||
        statement->group_count != (scaled ? SCALED_GROUPS : PLAIN_GROUPS) ||
        (scaled && statement->count != SCALED_ARGUMENTS)) {
        return false;
    }
    for (unsigned i = 3; i < reader->part_count; i++) {
        strbuf_printf(&name, "%s%s", i > 3 ? "." : "", reader->parts[i]);
    }
    statement->extra = mma_parse(reader->decoder->emulator->arena, strbuf_text(&name));
    strbuf_free(&name);
    statement->run = assembly_mma;
    return statement->extra != NULL;
}

static bool read_matrix_move(struct reader *reader, bool store) {
    struct assembly *statement = reader->statement;
    if (!has_part(reader, "sync") || !has_part(reader, "aligned") || !has_part(reader, "m8n8") ||
        !has_part(reader, "b16")) {
        return false;
    }
    statement->immediate = has_part(reader, "x4") ? 4 : has_part(reader, "x2") ? 2 : 1;
    if (statement->count != statement->immediate + 1) {
        return false;
    }
    statement->immediate |= has_part(reader, "trans") ? 16 : 0;
    statement->run = store ? assembly_stmatrix : assembly_ldmatrix;
    return true;
}

static bool read_opcode(struct reader *reader, enum instr_kind *kind) {
    struct assembly *statement = reader->statement;
    const char *name = reader->parts[0];
    *kind = KIND_MATH;
    if (!strcmp(name, "ld") || !strcmp(name, "st")) {
        read_order(reader, LLVMAtomicOrderingNotAtomic);
        bool read = read_memory(reader, name[0] == 's');
        *kind = memory_kind(statement, name[0] == 's');
        return read;
    }
    if (!strcmp(name, "atom") || !strcmp(name, "red")) {
        *kind = KIND_ATOMIC;
        read_order(reader, LLVMAtomicOrderingMonotonic);
        return read_atomic(reader);
    }
    // Bulk copies and fences of proxies and mbarriers are whole rows (hopper.c), or unknown.
    if (has_part(reader, "bulk") || has_part(reader, "proxy") || has_part(reader, "mbarrier_init")) {
        return false;
    }
    if (!strcmp(name, "cp") && has_part(reader, "async")) {
        return read_async(reader, kind);
    }
    if (!strcmp(name, "cvt")) {
        *kind = KIND_CONVERT;
        return read_convert(reader);
    }
    if (!strcmp(name, "mov")) {
        statement->run = assembly_move;
        return has_part(reader, "b32") && reader->part_count == 2 && statement->count == 2;
    }
    if (!strcmp(name, "and")) {
        statement->run = assembly_and;
        return has_part(reader, "pred") && reader->part_count == 2 && statement->count == 3;
    }
    if (!strcmp(name, "mma")) {
        *kind = KIND_MATRIX;
        return read_mma(reader);
    }
    if (!strcmp(name, "ldmatrix") || !strcmp(name, "stmatrix")) {
        *kind = name[0] == 's' ? KIND_SHARED_STORE : KIND_SHARED_LOAD;
        return read_matrix_move(reader, name[0] == 's');
    }
    if (!strcmp(name, "fence") || !strcmp(name, "membar")) {
        *kind = KIND_BARRIER;
        statement->run = assembly_fence;
        read_order(reader, LLVMAtomicOrderingSequentiallyConsistent);
        return statement->count == 0;
    }
    if (!strcmp(name, "bar") || !strcmp(name, "barrier")) {
        *kind = KIND_BARRIER;
        statement->run = has_part(reader, "warp") ? assembly_warp_sync : assembly_barrier;
        statement->immediate = has_part(reader, "arrive");
        return has_part(reader, "sync") || has_part(reader, "arrive");
    }
    if (!strcmp(name, "createpolicy")) {
        statement->run = assembly_policy;
        return statement->count == 1;
    }
    if (!strcmp(name, "fma") && !strcmp(last_part(reader), "f32") && has_part(reader, "rn")) {
        statement->run = assembly_fma;
        statement->saturate = has_part(reader, "sat");
        return statement->count == 4;
    }
    if (!strcmp(last_part(reader), "f32x2") && has_part(reader, "rn")) {
        return read_pair(reader);
    }
    if (!strcmp(name, "lop3") && !strcmp(last_part(reader), "b32")) {
        statement->run = assembly_lop3;
        return statement->count == 5 && statement->arguments[4].literal;
    }
    if (!strcmp(name, "v_xor_b32")) {
        statement->run = assembly_xor;
        return statement->count == 3;
    }
    // AMD: waiting for this wave's LDS accesses orders them; waiting for its stores makes them seen.
    if (!strncmp(name, "s_waitcnt lgkmcnt(0)", 20)) {
        *kind = KIND_BARRIER;
        statement->run = assembly_warp_fence;
        return true;
    }
    if (!strncmp(name, "s_waitcnt vmcnt(0)", 18) || !strncmp(name, "s_waitcnt_vscnt null, 0x0", 25) ||
        !strncmp(name, "s_wait_storecnt 0x0", 19)) {
        *kind = KIND_BARRIER;
        statement->run = assembly_wait_stores;
        return true;
    }
    return read_math(reader);
}

static void split_opcode(struct reader *reader, char *opcode) {
    for (char *part = opcode; part && reader->part_count < PARTS;) {
        char *dot = strchr(part, '.');
        if (dot) {
            *dot = 0;
        }
        reader->parts[reader->part_count++] = part;
        part = dot ? dot + 1 : NULL;
    }
}

static bool read_statement(struct reader *reader, char *text, enum instr_kind *kind) {
    struct assembly *statement = reader->statement;
    char *end = text + strlen(text);
    while (end > text && strchr(" ;\n\t", end[-1])) {
        *--end = 0;
    }
    text += strspn(text, " \t\n");
    if (strchr(text, ';') || !*text) {
        return false;
    }
    if (*text == '@') {
        statement->has_predicate = true;
        statement->negated = text[1] == '!';
        text += 1 + statement->negated;
        if (!read_reference(reader, &text, &statement->predicate)) {
            return false;
        }
        text += strspn(text, " ");
    }
    if (!strncmp(text, "s_wait", 6)) {
        reader->parts[reader->part_count++] = text;
        return read_opcode(reader, kind);
    }
    size_t length = strcspn(text, " ");
    char *rest = text + length;
    if (*rest) {
        *rest++ = 0;
    }
    reader->unknown = arena_strdup(reader->decoder->emulator->arena, text);
    split_opcode(reader, text);
    return read_arguments(reader, rest) && read_opcode(reader, kind);
}

// What the program's author may do: the emulator runs LLVM's IR, and of assembly what tkc itself writes.
static void refuse(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints,
                   const char *unknown) {
    bool several = strchr(text, ';') && strchr(text, ';')[1 + strspn(strchr(text, ';') + 1, " \t\n;")];
    const char *why = several   ? "it has several instructions"
                      : unknown ? arena_printf(decoder->emulator->arena, "it has no model of %s", unknown)
                                : "its operands are not understood";
    decode_refuse(decoder, call, "the emulator does not run the inline assembly `%s` (%s): %s. %s", text,
                  constraints, why,
                  decoder->emulator->amd
                      ? "--level machine runs the machine code made of it, --on hip the kernel on a device"
                      : "--on cuda runs the kernel on a device");
}

void decode_assembly(struct decoder *decoder, LLVMValueRef call, const char *text, const char *constraints) {
    struct reader reader = {
        .decoder = decoder, .call = call, .statement = ARENA_NEW(decoder->emulator->arena, struct assembly)};
    enum instr_kind kind = KIND_MOVE;
    bool empty = !text[strspn(text, " \t\n;")];
    if (empty && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) {
        return;
    }
    if (decode_wgmma(decoder, call, text) || decode_hopper(decoder, call, text) ||
        decode_tcgen05(decoder, call, text, constraints)) {
        return;
    }
    reader.statement->run = assembly_nothing; // each output gets its tied input
    if (!read_constraints(&reader, constraints) ||
        (!empty && !read_statement(&reader, arena_strdup(decoder->emulator->arena, text), &kind))) {
        refuse(decoder, call, text, constraints, reader.unknown);
        return;
    }
    struct instr *in = decode_call(decoder, call, exec_assembly, kind, false);
    in->extra = reader.statement;
    in->ordering = (uint8_t)reader.statement->ordering;
    in->scope = (uint8_t)reader.statement->scope;
}
