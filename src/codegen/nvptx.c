// NVIDIA: LLVM's back end, its passes, and the PTX that becomes of its text.
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

// Loops of few and known steps go: loads of several steps are then under way together. AMD's are unrolled before, where it
// is known what they hold (passes/pipeline/unroll.c). Dead code goes first: of a tile of addresses one in each access is used. What the last
// passes leave has none (none of 692 recorded kernels differs with it taken out again). Equal values are merged as in long functions:
// gvn takes five times as long as early-cse, and found nothing more in any kernel of the examples and tests (on AMD it does, in
// attention).
static const char unrolling_passes[] =
    "function(adce,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
    "loop-mssa(licm),early-cse<memssa>,loop-unroll<O3;no-runtime;no-peeling;no-upperbound>,"
    "instcombine<no-verify-fixpoint>,simplifycfg)";

// The highest level differs by gvn, twice, from the one below. All that it finds behind ours is that places which loops
// lead to share what they compute. That is worth nothing to ptxas, but attention is timed with it: where ptxas parts exponentials
// moves with any instruction (2 % of heads of 64).
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
                                             .threads = threads};
