// The LLVM back end: two targets, a short pass pipeline, emission.
//
// The pipeline is ours, not O3: tile code has no calls to inline and no loops to vectorise, so merging equal
// values, folding and hoisting is all that pays (8 ms where O3 took 22). No pass here may change a value: no
// fast-math flag is ever set.
#include "codegen/llvmgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/ahead.h"
#include "codegen/buffers.h"
#include "codegen/compares.h"
#include "codegen/join.h"
#include "codegen/machine.h"
#include "codegen/mfma.h"
#include "codegen/order.h"
#include "codegen/pressure.h"
#include "codegen/rare.h"
#include "codegen/remat.h"
#include "codegen/sink.h"
#include "codegen/slim.h"
#include "codegen/spills.h"
#include "codegen/wmma.h"
#include "codegen/zeros.h"

// Some of LLVM's work grows with the square of a function. What gvn and instcombine know of a value from the branches on it
// takes them a step for each pair of branches: 6,400 of one value are 40 million. Gvn and the vectoriser of loads and stores
// compare each access with many before it. Functions of those kinds do without; in the back end, the level below the
// highest does.
enum module_size { SIZE_USUAL, SIZE_LONG, SIZE_MANY_BLOCKS };

static enum module_size size_of(LLVMModuleRef module) {
    enum { LONG = 40000, MANY_BLOCKS = 2000 };
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) >= MANY_BLOCKS) {
            return SIZE_MANY_BLOCKS;
        }
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                count++;
            }
        }
    }
    return count >= LONG ? SIZE_LONG : SIZE_USUAL;
}

// Unrolling asks of each loop how often it runs, given what is known on the way to it: 800 loops in a row, all of one bound, took
// LLVM's scalar evolution 40 s, 100 a tenth of one. Nor has such code steps to spare for a few known ones.
static bool has_rows_of_loops(LLVMModuleRef module) {
    enum { BLOCKS = 300 }; // two a loop
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMCountBasicBlocks(f) >= BLOCKS) {
            return true;
        }
    }
    return false;
}

// On NVIDIA the highest level differs by gvn, twice, from the one below. All that it finds behind ours is that places which loops
// lead to share what they compute. That is worth nothing to ptxas, but attention is timed with it: where ptxas parts exponentials
// moves with any instruction (2 % of heads of 64).
static LLVMCodeGenOptLevel level_of(LLVMModuleRef module, const struct target *target,
                                    enum module_size size) {
    bool timed = target->vendor == VENDOR_AMD || LLVMGetNamedFunction(module, "llvm.nvvm.ex2.approx.ftz.f") ||
                 LLVMGetNamedFunction(module, "llvm.nvvm.ex2.approx.f");
    return size == SIZE_USUAL && timed ? LLVMCodeGenLevelAggressive : LLVMCodeGenLevelDefault;
}

static const char *const passes_by_size[] = {
    [SIZE_USUAL] = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                   "loop-mssa(licm),gvn,instcombine<no-verify-fixpoint>,simplifycfg,adce)",
    [SIZE_LONG] = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                  "loop-mssa(licm),early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)",
    [SIZE_MANY_BLOCKS] = "function(early-cse,instsimplify,simplifycfg,"
                         "loop-mssa(licm),instsimplify,simplifycfg,adce)",
};

// NVIDIA's loops of few and known steps go: loads of several steps are then under way together. AMD's are unrolled before, where it
// is known what they hold (passes/pipeline/unroll.c). Dead code goes first: of a tile of addresses one in each access is used. What the last
// passes leave has none (none of 692 recorded kernels differs with it taken out again). Equal values are merged as in long functions:
// gvn takes five times as long as early-cse, and found nothing more in any kernel of the examples and tests (on AMD it does, in
// attention).
static const char nvidia_passes[] =
    "function(adce,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm),early-cse<memssa>,loop-unroll<O3;no-runtime;no-peeling;no-upperbound>,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

void llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level) {
    if (level <= 0) {
        return;
    }
    rare_sink(module);
    rare_turns(module);
    enum module_size size = size_of(module);
    struct machine *machine = machine_take(target, level_of(module, target, size));
    if (target->vendor == VENDOR_NVIDIA && size == SIZE_USUAL && has_rows_of_loops(module)) {
        size = SIZE_LONG; // without unrolling
    }
    bool unrolls = target->vendor == VENDOR_NVIDIA && size == SIZE_USUAL;
    const char *passes = unrolls ? nvidia_passes : passes_by_size[size];
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(module, passes, machine->chip, options);
    LLVMDisposePassBuilderOptions(options);
    machine_give(machine);
    rematerialise(module, target);
    sink_shared_reads(module);
    order_long_runs(module, target);
    if (target->vendor == VENDOR_NVIDIA) {
        compares_by_distance(module);
        pressure_claim_registers(module, target);
    }
    if (error) {
        char *message = LLVMGetErrorMessage(error);
        bug("LLVM's pass pipeline: %s", message);
    }
}

// LLVM's errors, one a line. Without a handler LLVM would print them and end the process.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
    struct strbuf *fault = user;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) {
        return;
    }
    char *text = LLVMGetDiagInfoDescription(info);
    strbuf_printf(fault, "%s%.*s", fault->length ? "; " : "", (int)strcspn(text, "\n"), text);
    LLVMDisposeMessage(text);
}

// A line that marks a call, "{ // callseq 3, 0" or "} // callseq 3": LLVM counts them through the life of the process, here
// they are counted in each module. False for other lines.
static bool number_call(const char *line, size_t length, unsigned *calls, struct strbuf *out) {
    static const char mark[] = "// callseq ";
    size_t indent = strspn(line, "\t ");
    if (indent + 2 + sizeof mark > length || !strchr("{}", line[indent]) ||
        strncmp(line + indent + 2, mark, sizeof mark - 1) != 0) {
        return false;
    }
    size_t digits = indent + 2 + sizeof mark - 1, rest = digits + strspn(line + digits, "0123456789");
    strbuf_add_bytes(out, line, digits);
    strbuf_printf(out, "%u", line[indent] == '{' ? (*calls)++ : *calls - 1);
    strbuf_add_bytes(out, line + rest, length - rest);
    return true;
}

// The version of PTX for the chip: its own where LLVM does not know it, and no older one than debug information takes, whose
// sections have differences of labels (PTX ISA, release notes of 7.5). NULL: LLVM's.
static const char *ptx_version(const struct target *target, const char *text) {
    static const char labels[] = "7.5", version[] = ".version ", chip[] = "\n.target ";
    const char *is = strstr(text, version), *of = strstr(text, chip);
    bool debug = of && strstr(of, ", debug") && strstr(of, ", debug") < strchr(of + 1, '\n');
    if (target->ptx || !debug || !is) {
        return target->ptx;
    }
    return strncmp(is + sizeof version - 1, labels, sizeof labels - 1) < 0 ? labels : NULL;
}

// LLVM's PTX, with calls counted from 0. That of an older chip becomes that of `target`: only its .version and .target lines
// say otherwise.
static void add_ptx(const struct target *target, const char *text, size_t length, struct strbuf *out) {
    static const char version[] = ".version ", chip[] = ".target ";
    const char *end = text + length, *own = ptx_version(target, text);
    unsigned calls = 0;
    for (const char *line = text, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next + 1 : end;
        if (own && strncmp(line, version, sizeof version - 1) == 0) {
            strbuf_printf(out, "%s%s\n", version, own);
            continue;
        }
        if (number_call(line, (size_t)(next - line), &calls, out)) {
            continue;
        }
        if (target->ptx && strncmp(line, chip, sizeof chip - 1) == 0) {
            size_t old = strcspn(line + sizeof chip - 1, ",\n");
            strbuf_printf(out, "%s%s", chip, target->name);
            line += sizeof chip - 1 + old;
        }
        strbuf_add_bytes(out, line, (size_t)(next - line));
    }
}

// Machine sinking and the vectoriser are options of the whole process, off for modules that are not of usual size: such a
// module is emitted while no other one is.
static pthread_rwlock_t emission = PTHREAD_RWLOCK_INITIALIZER;

static void begin_emission(bool usual) {
    if (usual) {
        pthread_rwlock_rdlock(&emission);
        return;
    }
    pthread_rwlock_wrlock(&emission);
    LLVMParseCommandLineOptions(4,
                                (const char *[]){"tkc", "-disable-machine-sink=1",
                                                 "-disable-nvptx-load-store-vectorizer=1",
                                                 "-amdgpu-load-store-vectorizer=0"},
                                NULL);
}

static void end_emission(bool usual) {
    if (!usual) {
        LLVMParseCommandLineOptions(4,
                                    (const char *[]){"tkc", "-disable-machine-sink=0",
                                                     "-disable-nvptx-load-store-vectorizer=0",
                                                     "-amdgpu-load-store-vectorizer=1"},
                                    NULL);
    }
    pthread_rwlock_unlock(&emission);
}

// The back end looks at the users of a value in the order of its list: that of a copy. Emitted in place or as a copy, a module
// is to give the same code.
static void list_uses_as_in_a_copy(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                unsigned count = (unsigned)LLVMGetNumOperands(i);
                for (unsigned n = 0; n < count; n++) {
                    LLVMSetOperand(i, n, LLVMGetOperand(i, n)); // to the front of the list
                }
            }
        }
    }
}

// What is tried where registers allow it.
struct attempt {
    bool in_place;   // emission changes the module, which nobody needs any more
    bool mfma, near; // of mfma_prepare
    bool ahead;      // of ahead_keep
    bool addresses;  // of rematerialise_addresses
    bool in_order;   // of ahead_fence_products
};

// NULL where `fault` has something against it. Leaves out of the attempt what there is nothing of.
static LLVMMemoryBufferRef emit_copy(LLVMModuleRef module, const struct target *target,
                                     enum llvmgen_kind kind, struct attempt *attempt, struct strbuf *fault) {
    enum module_size size = size_of(module);
    struct machine *machine = machine_take(target, level_of(module, target, size));
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    LLVMModuleRef copy = attempt->in_place ? module : LLVMCloneModule(module);
    if (attempt->in_place) {
        list_uses_as_in_a_copy(module);
    }
    if (attempt->mfma) {
        mfma_prepare(copy, attempt->near);
    }
    if (attempt->addresses) {
        rematerialise_addresses(copy);
    }
    attempt->ahead = attempt->ahead && ahead_keep(copy);
    if (attempt->in_order) {
        ahead_fence_products(copy);
    }
    if (target->vendor == VENDOR_AMD) {
        buffers_count_on(copy);
        wmma_keep_in_place(copy);
        zeros_keep_signs(copy);
    } else {
        join_products(copy);
        slim_prepare(copy, target);
    }
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, fault);
    bool usual = size == SIZE_USUAL;
    begin_emission(usual);
    LLVMBool failed = LLVMTargetMachineEmitToMemoryBuffer(
        machine->chip, copy, kind == LLVMGEN_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, &message, &buffer);
    end_emission(usual);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    if (copy != module) {
        LLVMDisposeModule(copy);
    }
    machine_give(machine);
    if (failed) {
        strbuf_add(fault, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (fault->length) {
        LLVMDisposeMemoryBuffer(buffer);
        return NULL;
    }
    return buffer;
}

static unsigned spilled(LLVMMemoryBufferRef code, enum llvmgen_kind kind) {
    return spills_read(LLVMGetBufferStart(code), LLVMGetBufferSize(code), kind == LLVMGEN_OBJECT).spilled;
}

// The first attempt that spills nothing; where all do, the one that spills least. None removes very many.
static LLVMMemoryBufferRef emit_without_spills(LLVMModuleRef module, const struct target *target,
                                               enum llvmgen_kind kind, struct strbuf *fault) {
    static const struct attempt with_mfma[] = {{.mfma = true, .near = true, .ahead = true},
                                               {.mfma = true, .near = true},
                                               {.mfma = true, .ahead = true},
                                               {.mfma = true}};
    static const struct attempt without[] = {{.ahead = true},
                                             {.ahead = true, .addresses = true},
                                             {.ahead = false},
                                             {.addresses = true},
                                             {.ahead = true, .addresses = true, .in_order = true}};
    const struct attempt *attempts = mfma_used(module) ? with_mfma : without;
    unsigned attempt_count =
        mfma_used(module) ? sizeof with_mfma / sizeof *with_mfma : sizeof without / sizeof *without;
    enum { HOPELESS = 128 };
    bool ahead = true; // whether there are loads to keep ahead
    LLVMMemoryBufferRef best = NULL;
    unsigned least = UINT_MAX;
    for (unsigned i = 0; i < attempt_count && least > 0 && (i == 0 || least <= HOPELESS); i++) {
        struct attempt attempt = attempts[i];
        if ((!attempt.ahead && !ahead) || (attempt.addresses && !target_has_matrices(target))) {
            continue; // the same as one before, or minutes of LLVM's for nothing
        }
        LLVMMemoryBufferRef buffer = emit_copy(module, target, kind, &attempt, fault);
        if (!buffer) {
            break;
        }
        ahead = attempt.ahead || (ahead && !attempts[i].ahead);
        unsigned count = spilled(buffer, kind);
        if (count < least) {
            LLVMMemoryBufferRef worse = best;
            best = buffer;
            buffer = worse;
            least = count;
        }
        if (buffer) {
            LLVMDisposeMemoryBuffer(buffer);
        }
    }
    if (fault->length && best) {
        LLVMDisposeMemoryBuffer(best);
        best = NULL;
    }
    return best;
}

static void emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind, bool in_place,
                 struct strbuf *out, struct strbuf *fault) {
    if (kind == LLVMGEN_OBJECT && target->vendor == VENDOR_NVIDIA) {
        bug("NVPTX emits text only");
    }
    LLVMMemoryBufferRef buffer =
        target->vendor == VENDOR_AMD
            ? emit_without_spills(module, target, kind, fault)
            : emit_copy(module, target, kind, &(struct attempt){.in_place = in_place}, fault);
    if (!buffer) {
        return;
    }
    if (target->vendor == VENDOR_NVIDIA) {
        add_ptx(target, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), out);
    } else {
        strbuf_add_bytes(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    }
    LLVMDisposeMemoryBuffer(buffer);
}

void llvmgen_try(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                 struct strbuf *out, struct strbuf *fault) {
    emit(module, target, kind, false, out, fault);
}

static bool emit_or_report(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                           bool in_place, struct strbuf *out, struct diag *diag) {
    struct strbuf fault = {0};
    emit(module, target, kind, in_place, out, &fault);
    bool good = !fault.length;
    if (!good) {
        diag_error(diag, (struct location){0}, "code for %s: %s", target->name, strbuf_text(&fault));
    }
    strbuf_free(&fault);
    return good;
}

bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  struct strbuf *out, struct diag *diag) {
    return emit_or_report(module, target, kind, false, out, diag);
}

bool llvmgen_emit_last(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                       struct strbuf *out, struct diag *diag) {
    return emit_or_report(module, target, kind, true, out, diag);
}
