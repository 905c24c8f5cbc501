// Computes cheap values again after a loop instead of keeping them in registers throughout it.
//
// A kernel that stores a tile of the same shape as one it loaded at the start shares the offsets of both:
// LLVM computes each of them once, before the main loop, and they take registers needed by the accumulators.
//
// Before: %o = f(thread); loop { … }; store %o        After: loop { … }; %o = f(thread); store %o
//
// A loop is a run of blocks from the target of a backward branch to the branch: lowering lays blocks out in
// program order. A value counts as cheap if it follows by integer arithmetic, comparisons and address
// computations from arguments, constants, special registers or values the loop keeps anyway. It is computed
// again, once a block, before its first user there. Values used in the loop itself stay as they are. Runs
// last: value numbering would undo it.
//
// On RDNA offsets from values in vector registers are computed again in the loop's own blocks, too, if the function multiplies matrices
// or has many values.
//
// test: tests/unit/test_remat.c
#include "codegen/remat.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/pressure.h"
#include "codegen/vendor.h"
#include "codegen/wmma.h"
#include "support/map.h"
#include "support/memory.h"
#include "chip/asm.h"

enum { MAX_DEPTH = 24 };

// A cheap value with uses beyond its own block.
struct crossing {
    LLVMValueRef value;
    unsigned defined, last; // blocks
};

struct remat {
    LLVMBuilderRef builder;
    LLVMBasicBlockRef *blocks;
    unsigned block_count;
    struct map block_index; // block → its number + 1
    bool hides_copies;      // instruction selection would merge them with the value
    bool addresses;         // in_loop: also offsets from a constant address
    struct crossing *crossings;
    unsigned crossing_count;
    size_t crossing_capacity;
    unsigned header, latch; // the loop at hand
    struct map used;        // value → used in that loop (1) or not (2), once known
    struct map copies;      // value → its copy in the block at hand
};

static unsigned index_of(const struct remat *r, LLVMBasicBlockRef block) {
    return (unsigned)(uintptr_t)map_get(&r->block_index, block) - 1;
}

static bool is_special_register(LLVMValueRef call) {
    static const char *const prefixes[] = {"llvm.nvvm.read.ptx.sreg.tid", "llvm.nvvm.read.ptx.sreg.ctaid",
                                           "llvm.amdgcn.workitem.id", "llvm.amdgcn.workgroup.id"};
    size_t length = 0;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_cheap(LLVMValueRef value) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMGetElementPtr:
        return true;
    case LLVMCall:
        return is_special_register(value);
    default:
        return false;
    }
}

// The minimum or maximum of two integers.
static bool is_extreme(LLVMValueRef value) {
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return !strncmp(name, "llvm.smin.", 10) || !strncmp(name, "llvm.smax.", 10);
}

// Divisions (some 30 instructions each on AMD) and the ops their operands are made of.
static bool is_division(LLVMValueRef value) {
    if (is_extreme(value)) {
        return true;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    return opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem ||
           opcode == LLVMSelect;
}

static bool find_use_in_loop(const struct remat *r, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        unsigned at = index_of(r, LLVMGetInstructionParent(LLVMGetUser(use)));
        if (at >= r->header && at <= r->latch) {
            return true;
        }
    }
    return false;
}

// Copies replace only uses behind the loop, so a known answer stays valid.
static bool used_in_loop(struct remat *r, LLVMValueRef value) {
    uintptr_t known = (uintptr_t)map_get(&r->used, value);
    if (!known) {
        known = find_use_in_loop(r, value) ? 1 : 2;
        map_put(&r->used, value, (void *)known);
    }
    return known == 1;
}

// True if the value is live through the loop only for uses behind it.
static bool lives_through(struct remat *r, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && index_of(r, LLVMGetInstructionParent(value)) < r->header &&
           LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind &&
           (is_cheap(value) || (r->addresses && is_division(value))) && !used_in_loop(r, value);
}

static LLVMValueRef build_snippet(struct remat *r, enum asm_id id, LLVMValueRef *operands, unsigned count) {
    LLVMTypeRef of = LLVMTypeOf(operands[0]), types[] = {of, of};
    LLVMTypeRef type = LLVMFunctionType(of, types, count, 0);
    char constraints[64];
    const char *text = asm_table[id].text;
    asm_constraints(id, constraints, sizeof constraints);
    LLVMValueRef snippet = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0,
                                            LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(r->builder, type, snippet, operands, count, "");
}

// On AMD the back end's common subexpression elimination would merge the copy with the value again; so there
// the copy starts from an opaque value.
static LLVMValueRef opaque(struct remat *r, LLVMValueRef value) {
    return build_snippet(r, ASM_AMD_OPAQUE, &value, 1);
}

static bool is_i32(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32;
}

static bool is_call_of(LLVMValueRef value, const char *prefix) {
    size_t length = 0;
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return !strncmp(name, prefix, strlen(prefix));
}

// In a scalar register, or computed of such values: an opaque copy would put it into a vector of equal numbers, and a loop that it bounds
// would end lane by lane.
static bool is_scalar(LLVMValueRef value, int depth) {
    enum { DEEPEST = 8 };
    if (!LLVMIsAInstruction(value)) {
        return true; // constants, and arguments of the kernel
    }
    if (is_call_of(value, "llvm.amdgcn.readfirstlane") || is_call_of(value, "llvm.amdgcn.workgroup.id")) {
        return true;
    }
    bool scalar = depth < DEEPEST && LLVMGetInstructionOpcode(value) != LLVMCall && is_cheap(value);
    for (int i = 0; scalar && i < LLVMGetNumOperands(value); i++) {
        scalar = is_scalar(LLVMGetOperand(value, (unsigned)i), depth + 1);
    }
    return scalar;
}

// The leaf of a copy: a value in a register throughout the loop.
static LLVMValueRef copy_leaf(struct remat *r, LLVMValueRef value, LLVMValueRef user) {
    if (!r->hides_copies || !LLVMIsAInstruction(value) || !is_i32(value) || is_scalar(value, 0)) {
        return value;
    }
    LLVMPositionBuilderBefore(r->builder, user);
    LLVMValueRef copy = opaque(r, value);
    map_put(&r->copies, value, copy);
    return copy;
}

static LLVMValueRef copy_before(struct remat *r, LLVMValueRef value, LLVMValueRef user, int depth) {
    LLVMValueRef known = map_get(&r->copies, value);
    if (known) {
        return known;
    }
    bool is_call =
        LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMCall && !is_extreme(value);
    if (depth > MAX_DEPTH || !lives_through(r, value) || (r->hides_copies && is_call)) {
        return copy_leaf(r, value, user);
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int i = 0; !is_call && i < LLVMGetNumOperands(value); i++) {
        LLVMSetOperand(copy, (unsigned)i,
                       copy_before(r, LLVMGetOperand(value, (unsigned)i), user, depth + 1));
    }
    LLVMPositionBuilderBefore(r->builder, user);
    LLVMInsertIntoBuilder(r->builder, copy);
    map_put(&r->copies, value, copy);
    return copy;
}

// ---- loops with candidates ----

static void add_crossing(struct remat *r, struct crossing crossing) {
    r->crossings = memory_grown(r->crossings, r->crossing_count, &r->crossing_capacity, sizeof *r->crossings);
    r->crossings[r->crossing_count++] = crossing;
}

static void find_crossings(struct remat *r) {
    r->crossing_count = 0;
    for (unsigned i = 0; i < r->block_count; i++) {
        for (LLVMValueRef value = LLVMGetFirstInstruction(r->blocks[i]); value;
             value = LLVMGetNextInstruction(value)) {
            struct crossing crossing = {value, i, i};
            bool again = is_cheap(value) || (r->addresses && is_division(value));
            for (LLVMUseRef use = again ? LLVMGetFirstUse(value) : NULL; use; use = LLVMGetNextUse(use)) {
                unsigned at = index_of(r, LLVMGetInstructionParent(LLVMGetUser(use)));
                crossing.last = at > crossing.last ? at : crossing.last;
            }
            if (crossing.last > i) {
                add_crossing(r, crossing);
            }
        }
    }
}

static bool any_lives_through(struct remat *r) {
    for (unsigned i = 0; i < r->crossing_count && r->crossings[i].defined < r->header; i++) {
        if (r->crossings[i].last > r->latch && lives_through(r, r->crossings[i].value)) {
            return true;
        }
    }
    return false;
}

// ---- copying ----

// True if anything was copied.
static bool after_block(struct remat *r, LLVMBasicBlockRef block) {
    bool any = false;
    r->copies = (struct map){0};
    for (LLVMValueRef user = LLVMGetFirstInstruction(block); user; user = LLVMGetNextInstruction(user)) {
        if (LLVMGetInstructionOpcode(user) == LLVMPHI) {
            continue;
        }
        for (int i = 0; i < LLVMGetNumOperands(user); i++) {
            LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
            if (LLVMIsAInstruction(operand) && lives_through(r, operand)) {
                LLVMSetOperand(user, (unsigned)i, copy_before(r, operand, user, 0));
                any = true;
            }
        }
    }
    map_free(&r->copies);
    return any;
}

static void after_loop(struct remat *r) {
    bool any = false;
    if (!any_lives_through(r)) {
        return;
    }
    for (unsigned i = r->latch + 1; i < r->block_count; i++) {
        any |= after_block(r, r->blocks[i]);
    }
    if (any) {
        find_crossings(r);
    }
}

// One operation on an invariant and a constant: the swizzled and stepped variants of an address.
static bool is_offset(LLVMValueRef value) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMXor:
    case LLVMOr:
    case LLVMAdd:
        return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
    case LLVMGetElementPtr:
        return LLVMGetNumOperands(value) == 2 && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    default:
        return false;
    }
}

// A constant address plus such an offset.
static bool is_address(LLVMValueRef value) {
    return LLVMGetInstructionOpcode(value) == LLVMGetElementPtr && LLVMGetNumOperands(value) == 2 &&
           LLVMIsConstant(LLVMGetOperand(value, 0)) && LLVMIsAInstruction(LLVMGetOperand(value, 1)) &&
           is_offset(LLVMGetOperand(value, 1));
}

static bool is_made_again(const struct remat *r, LLVMValueRef value) {
    return LLVMIsAInstruction(value) && index_of(r, LLVMGetInstructionParent(value)) < r->header &&
           (is_offset(value) || (r->addresses && is_address(value)));
}

// Computed from a value in a register throughout the loop.
static bool is_swizzle(const struct remat *r, LLVMValueRef value) {
    return r->addresses && LLVMGetInstructionOpcode(value) == LLVMXor && is_offset(value) && is_i32(value) &&
           !is_made_again(r, LLVMGetOperand(value, 0));
}

static LLVMValueRef copy_offset(struct remat *r, LLVMValueRef value, LLVMValueRef user) {
    LLVMValueRef known = map_get(&r->copies, value);
    if (known) {
        return known;
    }
    if (!is_made_again(r, value)) {
        return copy_leaf(r, value, user);
    }
    if (is_swizzle(r, value)) {
        LLVMPositionBuilderBefore(r->builder, user);
        LLVMValueRef operands[] = {LLVMGetOperand(value, 0), LLVMGetOperand(value, 1)};
        LLVMValueRef made = build_snippet(r, ASM_AMD_XOR, operands, 2);
        map_put(&r->copies, value, made);
        return made;
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    unsigned base = is_offset(value) ? 0 : 1;
    LLVMSetOperand(copy, base, copy_offset(r, LLVMGetOperand(value, base), user));
    LLVMPositionBuilderBefore(r->builder, user);
    LLVMInsertIntoBuilder(r->builder, copy);
    map_put(&r->copies, value, copy);
    return copy;
}

static void in_loop(struct remat *r, LLVMBasicBlockRef block) {
    r->copies = (struct map){0};
    for (LLVMValueRef user = LLVMGetFirstInstruction(block); user; user = LLVMGetNextInstruction(user)) {
        for (int i = 0; LLVMGetInstructionOpcode(user) != LLVMPHI && i < LLVMGetNumOperands(user); i++) {
            LLVMValueRef operand = LLVMGetOperand(user, (unsigned)i);
            if (is_made_again(r, operand)) {
                LLVMSetOperand(user, (unsigned)i, copy_offset(r, operand, user));
            }
        }
    }
    map_free(&r->copies);
}

static void erase_unused(LLVMBasicBlockRef block) {
    for (LLVMValueRef i = LLVMGetLastInstruction(block), previous; i; i = previous) {
        previous = LLVMGetPreviousInstruction(i);
        if (!LLVMGetFirstUse(i) && is_cheap(i)) {
            LLVMInstructionEraseFromParent(i);
        }
    }
}

// The header of the loop with this latch; block_count: the block is no latch.
static unsigned header_of(const struct remat *r, unsigned latch) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(r->blocks[latch]);
    unsigned header = r->block_count;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        unsigned target = index_of(r, LLVMGetSuccessor(branch, i));
        header = target <= latch && target < header ? target : header;
    }
    return header;
}

// The values to compute again: those used only behind a loop, and address offsets within the loop.
struct again {
    bool behind, offsets, addresses;
};

// True if offsets that loops keep may be too many: beside products, or many other values.
static bool needs_registers(LLVMValueRef function) {
    enum { MANY = 128 };
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_wmma(i)) {
                return true;
            }
        }
    }
    return pressure_of(function, false) > MANY;
}

static void in_function(LLVMBuilderRef builder, LLVMValueRef function, bool hides_copies,
                        struct again again) {
    struct remat r = {.builder = builder,
                      .hides_copies = hides_copies,
                      .addresses = again.addresses,
                      .block_count = LLVMCountBasicBlocks(function)};
    r.blocks = calloc(r.block_count + 1, sizeof *r.blocks);
    if (!r.blocks) {
        out_of_memory((r.block_count + 1) * sizeof *r.blocks);
    }
    LLVMGetBasicBlocks(function, r.blocks);
    for (unsigned i = 0; i < r.block_count; i++) {
        map_put(&r.block_index, r.blocks[i], (void *)(uintptr_t)(i + 1));
    }
    find_crossings(&r);
    bool offsets = again.offsets && (again.addresses || needs_registers(function));
    for (r.latch = 0; r.latch < r.block_count; r.latch++) {
        r.header = header_of(&r, r.latch);
        if (r.header == r.block_count) {
            continue;
        }
        if (again.behind) {
            after_loop(&r);
            map_free(&r.used);
        }
        for (unsigned i = r.header; offsets && i <= r.latch; i++) {
            in_loop(&r, r.blocks[i]);
        }
    }
    for (unsigned i = r.block_count; i-- > 0;) {
        erase_unused(r.blocks[i]);
    }
    free(r.blocks);
    free(r.crossings);
    map_free(&r.block_index);
}

static void in_module(LLVMModuleRef module, bool hides_copies, struct again again) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function) > 1) {
            in_function(builder, function, hides_copies, again);
        }
    }
    LLVMDisposeBuilder(builder);
}

void rematerialise(LLVMModuleRef module, const struct target *target) {
    bool merges = codegen_vendor(target)->merges_copies;
    in_module(module, merges, (struct again){.behind = true, .offsets = merges && target->warp_size == 32});
}

void rematerialise_addresses(LLVMModuleRef module) {
    in_module(module, true, (struct again){.behind = true, .offsets = true, .addresses = true});
}
