// The LLVM back end: optimisation and emission. Both walk the steps of codegen.def; emission makes attempts, by the
// rows of the same table, until one spills nothing.
#include "codegen/llvmgen.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/TargetMachine.h>

#include "chip/llvm.h"
#include "codegen/lines.h"
#include "codegen/llvm_passes.h"
#include "codegen/machine.h"
#include "codegen/mfma.h"
#include "codegen/park.h"
#include "codegen/pressure.h"
#include "codegen/spills.h"

static const struct step_options *or_none(const struct step_options *options) {
    static const struct step_options none;
    return options ? options : &none;
}

LLVMModuleRef llvmgen_read(LLVMContextRef context, const char *text, const char *path, struct diag *diag) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), path);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(context, buffer, &module, &message)) {
        diag_error(diag, (struct location){0}, "%s: not LLVM's IR: %s", path, message);
        module = NULL;
    }
    LLVMDisposeMessage(message);
    return module;
}

void llvmgen_optimise(LLVMModuleRef module, const struct target *target, int level,
                      const struct step_options *options) {
    if (level > 0) {
        steps_run(module, target, PHASE_OPTIMISE, 0, or_none(options));
    }
}

// Collects LLVM's errors, one a line. Without a handler LLVM would print them and end the process.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *user) {
    struct strbuf *fault = user;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) {
        return;
    }
    char *text = LLVMGetDiagInfoDescription(info);
    strbuf_printf(fault, "%s%.*s", fault->length ? "; " : "", (int)strcspn(text, "\n"), text);
    LLVMDisposeMessage(text);
}

// Options of the back end for modules of unusual size, and for modules with crowded blocks. They are the whole process's: such a
// module is emitted alone.
//
// dag-maps-huge-region: the scheduler compares each access of a block to memory with as many others as this says, three times a module.
//
// regalloc-eviction-max-interference-cutoff: at 1, no value that has a register loses it to another, and what finds none is split or
// spilled. Evictions of a long module that spills take most of its time: 24 s of 25 for 7,000 instructions with 416 values at once.
//
// amdgpu-disable-unclustered-high-rp-reschedule: the scheduler orders a pressed block once more for latency, all masks of a run of
// conversions ahead of their selects, and keeps that if its estimate says that no more registers spill. Of the sparse attention of sglang
// with MFMA (7,900 instructions, 500 values at once) that left 372 masks without registers, and the allocation took 3.7 s, not 1.3 s.
enum unusual { UNUSUAL_SIZE = 1, UNUSUAL_CROWD = 2, UNUSUAL_PRESSURE = 4, UNUSUAL_SUMS = 8 };
static const struct back_end_option {
    enum unusual of;
    const char *on, *off;
} back_end_options[] = {
    {UNUSUAL_SIZE, "-disable-machine-sink=1", "-disable-machine-sink=0"},
    {UNUSUAL_SIZE, "-disable-nvptx-load-store-vectorizer=1", "-disable-nvptx-load-store-vectorizer=0"},
    {UNUSUAL_SIZE, "-amdgpu-load-store-vectorizer=0", "-amdgpu-load-store-vectorizer=1"},
    {UNUSUAL_SIZE, "-grow-region-complexity-budget=100", "-grow-region-complexity-budget=10000"},
    {UNUSUAL_CROWD, "-dag-maps-huge-region=64", "-dag-maps-huge-region=1000"},
    {UNUSUAL_PRESSURE, "-regalloc-eviction-max-interference-cutoff=1",
     "-regalloc-eviction-max-interference-cutoff=10"},
#if LLVM_AT_LEAST(22)
    {UNUSUAL_SUMS, "-amdgpu-disable-unclustered-high-rp-reschedule=1",
     "-amdgpu-disable-unclustered-high-rp-reschedule=0"},
#endif
};
static pthread_rwlock_t emission = PTHREAD_RWLOCK_INITIALIZER;

static void give_options(unsigned unusual, bool on) {
    enum { COUNT = sizeof back_end_options / sizeof *back_end_options };
    const char *given[1 + COUNT] = {"tkc"};
    int count = 1;
    for (unsigned i = 0; i < COUNT; i++) {
        if (back_end_options[i].of & unusual) {
            given[count++] = on ? back_end_options[i].on : back_end_options[i].off;
        }
    }
    LLVMParseCommandLineOptions(count, given, NULL);
}

static void begin_emission(unsigned unusual) {
    if (!unusual) {
        pthread_rwlock_rdlock(&emission);
        return;
    }
    pthread_rwlock_wrlock(&emission);
    give_options(unusual, true);
}

static void end_emission(unsigned unusual) {
    if (unusual) {
        give_options(unusual, false);
    }
    pthread_rwlock_unlock(&emission);
}

// The back end visits the users of a value in the order of its use list. Puts the lists into the order a
// clone would have, so that a module emitted in place and its clone give the same code.
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

// One emission of a module.
struct emission {
    LLVMModuleRef module;
    const struct target *target;
    enum llvmgen_kind kind;
    bool in_place; // emission may change the module: nobody needs it any more, no other attempt either
    bool quick;    // one attempt, without evictions
    const struct step_options *options;
    struct strbuf *fault;
    struct lines *lines; // of inlined calls, for PTX; NULL: none
};

// LLVM's code for a module; LLVM may change the module. NULL after an error, with the text in `fault`.
static LLVMMemoryBufferRef make_code(const struct emission *e, LLVMModuleRef module, struct machine *machine,
                                     unsigned unusual) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    double start = steps_now();
    LLVMContextSetDiagnosticHandler(context, on_diagnostic, e->fault);
    begin_emission(unusual);
    LLVMBool failed = LLVMTargetMachineEmitToMemoryBuffer(
        machine->chip, module, e->kind == LLVMGEN_OBJECT ? LLVMObjectFile : LLVMAssemblyFile, &message,
        &buffer);
    end_emission(unusual);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    steps_print_time(e->options, start, "(LLVM's back end)");
    if (failed) {
        strbuf_add(e->fault, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (e->fault->length) {
        LLVMDisposeMemoryBuffer(buffer);
        return NULL;
    }
    return buffer;
}

// The largest number of values live at once in a function of the module.
static unsigned pressure_of_module(LLVMModuleRef module) {
    unsigned most = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        unsigned pressure = LLVMIsDeclaration(f) ? 0 : pressure_of(f, false);
        most = pressure > most ? pressure : most;
    }
    return most;
}

// A module for AMD that is long and has many values at once, or on a chip without matrix instructions twice as many as a thread has
// registers. Evictions gain no registers there, and take up to 7 s for 3,400 instructions. But sums of MFMA find no registers without
// evictions; a longer such module, whose sums have the far half, is scheduled in another way (shorter ones get 1 % more instructions, or
// less, by chips). With WMMA evictions save some spills of shorter modules.
static unsigned unusual_pressure(LLVMModuleRef module, const struct target *target) {
    enum { LONG = 6000, LONG_WITH_SUMS = 7500, PRESSED = 384, SHORT = 1000, TWICE = 512 };
    unsigned length = codegen_vendor(target)->allocates_registers ? module_instructions(module) : 0;
    bool plain = !target_has_matrices(target);
    if (length < (plain ? SHORT : LONG)) {
        return 0;
    }
    unsigned pressure = pressure_of_module(module);
    bool pressed = (length >= LONG && pressure > PRESSED) || (plain && pressure > TWICE);
    if (mfma_used(module)) {
        return pressed && length >= LONG_WITH_SUMS && mfma_has_far(module) ? UNUSUAL_SUMS : 0;
    }
    return pressed ? UNUSUAL_PRESSURE : 0;
}

static unsigned unusual_of(const struct emission *e, enum module_size size) {
    unsigned unusual = size != SIZE_USUAL ? UNUSUAL_SIZE : unusual_pressure(e->module, e->target);
    unusual |= e->quick ? UNUSUAL_PRESSURE : 0;
    return unusual | (module_is_crowded(e->module) ? UNUSUAL_CROWD : 0);
}

// The code of the module, or of a copy of it, with these TRIED steps.
static LLVMMemoryBufferRef emit_one(const struct emission *e, step_set tried, step_set *idle,
                                    unsigned unusual, bool in_place) {
    enum module_size size = module_size(e->module);
    struct machine *machine = machine_take(e->target, module_level(e->module, e->target, size));
    LLVMModuleRef copy = in_place ? e->module : LLVMCloneModule(e->module);
    if (in_place) {
        list_uses_as_in_a_copy(copy);
    }
    lines_mark(e->lines, copy);
    *idle = steps_run(copy, e->target, PHASE_EMIT, tried, e->options);
    LLVMMemoryBufferRef buffer = make_code(e, copy, machine, unusual);
    if (copy != e->module) {
        LLVMDisposeModule(copy);
    }
    machine_give(machine);
    return buffer;
}

// The module's code with these TRIED steps. `*idle` receives the steps without anything to do. Without evictions LLVM may find no
// registers at all: then once more, with them.
static LLVMMemoryBufferRef attempt(const struct emission *e, step_set tried, step_set *idle) {
    unsigned unusual = unusual_of(e, module_size(e->module)), pressed = unusual & UNUSUAL_PRESSURE;
    LLVMMemoryBufferRef buffer = emit_one(e, tried, idle, unusual, e->in_place && !pressed);
    if (pressed && e->fault->length && !e->quick) {
        if (buffer) {
            LLVMDisposeMemoryBuffer(buffer);
        }
        strbuf_clear(e->fault);
        buffer = emit_one(e, tried, idle, unusual & ~pressed, e->in_place);
    }
    return buffer;
}

// ---- attempts ----

static const struct attempt {
    enum attempt_list list;
    step_set tried;
    bool trial; // ahead of the attempts, and not one of them
} attempts[] = {
#define STEP(id, ...)
#define S(id) STEP_BIT(id)
#define NONE 0
#define ATTEMPT(list, steps) {ATTEMPTS_##list, steps, false},
#define TRIAL(list, steps) {ATTEMPTS_##list, steps, true},
#include "codegen/codegen.def"
#undef TRIAL
#undef ATTEMPT
#undef NONE
#undef S
#undef STEP
};
enum { ATTEMPT_COUNT = sizeof attempts / sizeof *attempts };

// The attempts of the module's list, or its trials, whose steps all exist for its chip. -> their number
static unsigned attempts_of(const struct emission *e, bool trials, struct attempt list[ATTEMPT_COUNT]) {
    enum attempt_list wanted = codegen_vendor(e->target)->attempts(e->module);
    unsigned count = 0;
    for (unsigned i = 0; i < ATTEMPT_COUNT; i++) {
        bool possible = attempts[i].list == wanted && attempts[i].trial == trials;
        for (int id = 0; id < STEP_COUNT && possible; id++) {
            possible = !(attempts[i].tried >> id & 1) || step_table[id].is_for(e->target);
        }
        if (possible) {
            list[count++] = attempts[i];
        }
    }
    return count;
}

static bool was_made(const step_set *made, unsigned count, step_set tried) {
    for (unsigned i = 0; i < count; i++) {
        if (made[i] == tried) {
            return true;
        }
    }
    return false;
}

static unsigned spilled(const struct emission *e, LLVMMemoryBufferRef code) {
    bool object = e->kind == LLVMGEN_OBJECT;
    return spills_read(LLVMGetBufferStart(code), LLVMGetBufferSize(code), object).spilled;
}

// The attempts allowed by the module's size: each takes LLVM's back end 0.1 to 0.2 ms an instruction where values spill.
static unsigned attempts_allowed(LLVMModuleRef module) {
    enum { INSTRUCTIONS = 32000 };
    unsigned size = module_instructions(module), count = size ? INSTRUCTIONS / size : ATTEMPT_COUNT;
    return count ? count : 1;
}

// The registers of a thread whose fragments may be parked, of the function with the most of them.
static unsigned most_parked(LLVMModuleRef module) {
    unsigned most = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        unsigned parked = park_registers(f);
        most = parked > most ? parked : most;
    }
    return most;
}

// True if an attempt is worth its time after others, of which the best spilled LEAST values. Above HOPELESS spills none is but the first
// that has the far half of the registers for sums (mfma.c) after one that had not, for a module that is scheduled for them: among 2,432
// pairs of a kernel and a chip none of the others came from above 23 spills to none. Three came from 114, 107 and 68 to 20, 99 and 46.
// With the far half, sglang's sparse attention came from 159 to none; shorter kernels get more warps instead (fit.c).
// What parked fragments take is known; the rest has come from 2,240 spills to none.
static bool is_promising(const struct emission *e, step_set tried, unsigned least, unsigned made_count) {
    enum { HOPELESS = 32 };
    if (tried & STEP_BIT(PARK)) {
        unsigned parked = most_parked(e->module);
        return parked > 0 && parked < least;
    }
    bool far = !(tried & STEP_BIT(NEAR_SUMS)) && unusual_of(e, module_size(e->module)) & UNUSUAL_SUMS;
    return made_count == 0 || least <= HOPELESS || (far && made_count == 1);
}

struct made {
    LLVMMemoryBufferRef code; // NULL: none
    step_set tried, idle;     // idle: those of all steps that had nothing to do
    unsigned spilled;
};

// True if an attempt makes what a trial with idle steps made.
static bool is_repeated(const struct attempt *list, unsigned count, const struct made *made) {
    for (unsigned i = 0; i < count; i++) {
        if ((list[i].tried & ~made->idle) == (made->tried & ~made->idle)) {
            return true;
        }
    }
    return false;
}

// The first trial without spills, or one that an attempt of the list would repeat; no code: neither, or a long module gets one attempt alone.
static struct made emit_trial(const struct emission *e, const struct attempt *attempts,
                              unsigned attempt_count) {
    struct attempt list[ATTEMPT_COUNT];
    unsigned count = attempts_of(e, true, list);
    for (unsigned i = 0; i < count && attempts_allowed(e->module) > 1; i++) {
        struct made made = {.tried = list[i].tried};
        if (list[i].tried & e->options->without) {
            continue;
        }
        made.code = attempt(e, list[i].tried, &made.idle);
        made.spilled = made.code ? spilled(e, made.code) : 0;
        if (!made.code || made.spilled == 0 ||
            (!e->fault->length && is_repeated(attempts, attempt_count, &made))) {
            return made;
        }
        LLVMDisposeMemoryBuffer(made.code);
    }
    return (struct made){0};
}

// The first attempt without spills, or else the one with the fewest. `first` was made before.
static LLVMMemoryBufferRef emit_without_spills(const struct emission *e, const struct attempt *list,
                                               unsigned count, const struct made *first) {
    step_set made[ATTEMPT_COUNT + 1], idle = first->idle & first->tried, found_idle;
    LLVMMemoryBufferRef best = first->code;
    unsigned least = best ? first->spilled : UINT_MAX, made_count = 0, allowed = attempts_allowed(e->module);
    if (best) {
        made[made_count++] = first->tried & ~idle;
    }
    for (unsigned i = 0; i < count && least > 0 && made_count < allowed; i++) {
        step_set tried = list[i].tried & ~(idle | e->options->without);
        if (was_made(made, made_count, tried) || !is_promising(e, tried, least, made_count)) {
            continue;
        }
        LLVMMemoryBufferRef buffer = attempt(e, tried, &found_idle);
        if (!buffer) {
            break;
        }
        idle |= found_idle & tried;
        made[made_count++] = tried & ~idle;
        unsigned values = spilled(e, buffer);
        if (values < least) {
            LLVMMemoryBufferRef worse = best;
            best = buffer;
            buffer = worse;
            least = values;
        }
        if (buffer) {
            LLVMDisposeMemoryBuffer(buffer);
        }
    }
    if (e->fault->length && best) {
        LLVMDisposeMemoryBuffer(best);
        best = NULL;
    }
    return best;
}

static void emit(struct emission *e, struct strbuf *out) {
    const struct codegen_vendor *vendor = codegen_vendor(e->target);
    if (e->kind == LLVMGEN_OBJECT && !vendor->makes_objects) {
        bug("LLVM makes no objects for %s", e->target->name);
    }
    struct attempt list[ATTEMPT_COUNT];
    step_set idle;
    unsigned possible = attempts_of(e, false, list), count = e->quick ? 1 : possible;
    e->in_place &= count == 1;
    e->lines = vendor->writes_lines ? lines_collect(e->module) : NULL;
    struct made trial = e->quick ? (struct made){0} : emit_trial(e, list, count > 1 ? count : 0);
    LLVMMemoryBufferRef buffer = trial.code;
    if ((!buffer || trial.spilled > 0) && !e->fault->length) {
        buffer = count == 1 ? attempt(e, list[0].tried & ~e->options->without, &idle)
                            : emit_without_spills(e, list, count, &trial);
    }
    if (buffer) {
        struct strbuf code = {0};
        vendor->add_code(e->target, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer),
                         e->lines ? &code : out);
        if (e->lines) {
            lines_write(e->lines, strbuf_text(&code), code.length, out);
        }
        strbuf_free(&code);
        LLVMDisposeMemoryBuffer(buffer);
    }
    lines_free(e->lines);
}

void llvmgen_try(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                 const struct step_options *options, struct strbuf *out, struct strbuf *fault) {
    struct emission e = {module, target, kind, false, false, or_none(options), fault, NULL};
    emit(&e, out);
}

void llvmgen_try_quickly(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                         const struct step_options *options, struct strbuf *out, struct strbuf *fault) {
    struct emission e = {module, target, kind, false, true, or_none(options), fault, NULL};
    emit(&e, out);
}

static bool emit_or_report(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                           bool in_place, const struct step_options *options, struct strbuf *out,
                           struct diag *diag) {
    struct strbuf fault = {0};
    struct emission e = {module, target, kind, in_place, false, or_none(options), &fault, NULL};
    emit(&e, out);
    bool good = !fault.length;
    if (!good) {
        diag_error(diag, (struct location){0}, "code for %s: %s", target->name, strbuf_text(&fault));
    }
    strbuf_free(&fault);
    return good;
}

bool llvmgen_emit(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                  const struct step_options *options, struct strbuf *out, struct diag *diag) {
    return emit_or_report(module, target, kind, false, options, out, diag);
}

bool llvmgen_emit_last(LLVMModuleRef module, const struct target *target, enum llvmgen_kind kind,
                       const struct step_options *options, struct strbuf *out, struct diag *diag) {
    return emit_or_report(module, target, kind, true, options, out, diag);
}
