// NVIDIA: LLVM's back end, its passes, and PTX from its output.
#include "codegen/vendor.h"

#include <string.h>

#include <llvm-c/Target.h>

#include "chip/launch_bounds.h"

static void initialise(void) {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
}

// Full unrolling of short loops with a constant trip count: loads of several iterations are then in flight
// together. (AMD's loops are unrolled earlier, with their buffers known: passes/pipeline/unroll.c.) Dead code
// goes first: each access uses only one of a tile's addresses. The last passes leave no dead code (none of
// 692 recorded kernels changes with one more removal). Equal values are merged as in long functions: gvn
// takes five times as long as early-cse and found nothing more in any kernel of the examples and tests (on
// AMD it does, in attention).
static const char unrolling_passes[] =
    "function(mem2reg,adce,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm),early-cse<memssa>,loop-unroll<O3;no-runtime;no-peeling;no-upperbound>,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

// The highest level adds gvn, twice, to the one below. Behind our pipeline it only merges equal values
// computed in several exit blocks of loops. ptxas gains nothing by it, but attention is timed with it: the
// placement of exponentials by ptxas changes with any instruction (2 % of heads of 64).
static bool gains_by_highest_level(LLVMModuleRef module) {
    static const char *const exponentials[] = {"llvm.nvvm.ex2.approx.f", "llvm.nvvm.ex2.approx.ftz.f",
                                               "llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.ftz.f32"};
    bool any = false;
    for (size_t i = 0; i < sizeof exponentials / sizeof *exponentials; i++) {
        any |= LLVMGetNamedFunction(module, exponentials[i]) != NULL;
    }
    return any;
}

static unsigned threads(LLVMValueRef kernel) {
    return launch_bound(kernel, BOUND_THREADS);
}

static enum attempt_list attempts(LLVMModuleRef module) {
    (void)module;
    return ATTEMPTS_ONCE;
}

// A line with a call mark, "{ // callseq 3, 0" or "} // callseq 3". LLVM numbers calls through the life of
// the process; here they are numbered in each module. False for other lines.
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

// The PTX version for the chip: the target's own if LLVM does not know the chip, but at least 8.8 with accesses of 32
// bytes (ptxas); with debug information at least 7.5, because its sections contain differences of labels (PTX ISA, release
// notes of 7.5). NULL: LLVM's.
static const char *ptx_version(const struct target *target, const char *text) {
    static const char labels[] = "7.5", version[] = ".version ", chip[] = "\n.target ", wide[] = "8.8";
    if (target->ptx && strcmp(target->ptx, wide) < 0 && strstr(text, ".v8.b32 ")) {
        return wide;
    }
    const char *is = strstr(text, version), *of = strstr(text, chip);
    bool debug = of && strstr(of, ", debug") && strstr(of, ", debug") < strchr(of + 1, '\n');
    if (target->ptx || !debug || !is) {
        return target->ptx;
    }
    return strncmp(is + sizeof version - 1, labels, sizeof labels - 1) < 0 ? labels : NULL;
}

// LLVM's PTX, with calls counted from 0. Code for an older chip becomes code for `target` by its .version and
// .target lines.
static void add_code(const struct target *target, const char *text, size_t length, struct strbuf *out) {
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

const struct codegen_vendor codegen_nvptx = {.initialise = initialise,
                                             .unrolling_passes = unrolling_passes,
                                             .gains_by_highest_level = gains_by_highest_level,
                                             .probe_kind = LLVMGEN_ASSEMBLY,
                                             .attempts = attempts,
                                             .add_code = add_code,
                                             .writes_lines = true,
                                             .threads = threads};
