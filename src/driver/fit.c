// Compiles a kernel again with more warps if its values do not fit in the registers of a thread.
//
// A program of 8 warps that accumulates a tile of 256 × 256 holds 256 elements in each thread of 32 lanes:
// all of its registers. The number of warps changes a kernel's speed, never its results. So num_warps is a
// request, and the compiler raises it for a kernel with spills: the search takes the first of 2, 4, … times
// as many warps without spills. If all spill, it takes the number with the fewest spilled values in all warps
// together. A kernel that reads its number of warps keeps the requested one.
//
// Only for AMD: spills are counted in the final code (codegen/spills.c). On NVIDIA ptxas allocates registers,
// and tkc does not see its spills.
//
// test: tests/unit/test_spills.c
#include "driver/compile.h"

#include <limits.h>
#include <string.h>

#include "chip/registers.h"
#include "codegen/llvm_passes.h"
#include "codegen/llvmgen.h"
#include "codegen/park.h"
#include "codegen/pressure.h"
#include "codegen/spills.h"
#include "dialects/tk/tk.h"
#include "ir/build.h"

// The state of the search for one kernel.
struct search {
    struct fit best;
    uint64_t least;  // spilled values times warps, of `best`
    unsigned before; // spilled values of a thread in the previous fit
    bool done;
};

// Code made during the search, keyed by its fits: the search often comes back to the first.
struct made {
    struct made *next;
    struct fit *fits;
    struct strbuf object;
    enum llvmgen_kind kind;
};

static void ignore(void *user, const struct diag_message *message) {
    (void)user, (void)message;
}

// Compiles without diagnostics, dumps and times.
static bool compile_quietly(struct unit *unit, const struct target *target, const struct fit *fits,
                            struct compiled *c) {
    const struct tkc_options *given = unit->options;
    struct tkc_options options = *given;
    struct diag diag = unit->diag;
    options.dump_after = options.stop_after = NULL;
    options.time_passes = false;
    unit->options = &options;
    unit->diag.receiver = ignore;
    bool good = compile_fitted(unit, target, fits, c);
    unit->diag = diag;
    unit->options = given;
    return good;
}

// A value of so many registers of a thread might spill. Other kernels are not searched.
enum { MANY_REGISTERS = 32 };

// True if a value of the function takes so many registers of a thread.
static bool has_large_value(struct ir *ir, MlirOperation function, const struct target *target,
                            struct arena *arena, unsigned registers) {
    size_t count;
    int64_t threads = op_int(function, ATTR_NUM_WARPS) * (int64_t)target->warp_size;
    MlirOperation *ops = ops_collect(ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        for (intptr_t r = 0; r < mlirOperationGetNumResults(ops[i]); r++) {
            MlirType type = mlirValueGetType(mlirOperationGetResult(ops[i], r));
            if (type_is_tensor(type) && !type_is_shared(ir, type) &&
                type_elements(type) * type_bits(type_element(type)) >= registers * 32 * threads) {
                return true;
            }
        }
    }
    return false;
}

// The largest number of values at once in the code of a kernel.
static unsigned pressure_in_code(struct compiled *c, struct arena *arena, MlirOperation function) {
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    LLVMValueRef code = LLVMGetNamedFunction(c->llvm, arena_strndup(arena, name.data, name.length));
    return code ? pressure_of(code, false) : 0;
}

// The same without fragments that may wait in scratch memory (park.c).
static unsigned pressure_without_parked(struct compiled *c, struct arena *arena, MlirOperation function) {
    MlirStringRef name = op_string(function, ATTR_SYM_NAME);
    LLVMValueRef code = LLVMGetNamedFunction(c->llvm, arena_strndup(arena, name.data, name.length));
    unsigned pressure = pressure_in_code(c, arena, function), parked = code ? park_registers(code) : 0;
    return pressure > parked ? pressure - parked : 0;
}

// True if a kernel of small values alone has more of them at once than a thread has registers: long pointwise arithmetic whose loads all
// come first. LLVM's scheduler may mend it; if not, its allocation takes seconds (5 s for 1,840 instructions with 518 values) and spills.
// Values of one register would not get smaller with more warps.
static bool is_crowded(struct compiled *c, struct arena *arena, MlirOperation function) {
    return has_large_value(c->ir, function, c->target, arena, 2) &&
           !has_large_value(c->ir, function, c->target, arena, MANY_REGISTERS) &&
           pressure_in_code(c, arena, function) > c->target->registers_per_thread;
}

static bool any_large_value(struct ir *ir, MlirModule tiles, const struct target *target, struct arena *arena,
                            unsigned registers) {
    bool any = false;
    MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(tiles));
    for (; !mlirOperationIsNull(op) && !any; op = mlirOperationGetNextInBlock(op)) {
        any = op_kind(ir, op) == OP_FUNC && has_large_value(ir, op, target, arena, registers);
    }
    return any;
}

static bool may_spill(struct compiled *c, struct arena *arena, MlirOperation function) {
    return has_large_value(c->ir, function, c->target, arena, MANY_REGISTERS) ||
           is_crowded(c, arena, function);
}

static bool any_may_spill(struct compiled *c, struct arena *arena) {
    bool any = false;
    MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (; !mlirOperationIsNull(op) && !any; op = mlirOperationGetNextInBlock(op)) {
        any = op_kind(c->ir, op) == OP_FUNC && may_spill(c, arena, op);
    }
    return any;
}

// True if a loop carries more than the registers of a thread hold: some then spill in any case. Counting the
// spills in code would take 40 s for 1,024 accumulators of a thread. Pointers do not count: an access of 16 bytes
// needs one, and a scalar with offsets none that is carried.
static bool is_overfull(struct compiled *c, struct arena *arena, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, arena, function, &count);
    int64_t threads = op_int(function, ATTR_NUM_WARPS) * (int64_t)c->target->warp_size;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(c->ir, ops[i]);
        int64_t bits = 0; // of all threads, at least
        for (intptr_t r = 0; (kind == OP_FOR || kind == OP_WHILE) && r < mlirOperationGetNumResults(ops[i]);
             r++) {
            MlirType type = mlirValueGetType(mlirOperationGetResult(ops[i], r));
            bool data =
                type_is_tensor(type) && !type_is_shared(c->ir, type) && !type_is_ptr(type_element(type));
            bits += data ? type_elements(type) * type_bits(type_element(type)) : 0;
        }
        if (bits > 32 * threads * c->target->registers_per_thread) {
            return true;
        }
    }
    return false;
}

// True if sums of matrix instructions are among the module's values.
static bool has_products(const struct compiled *c) {
    for (LLVMValueRef f = LLVMGetFirstFunction(c->llvm); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (!strncmp(LLVMGetValueName2(f, &length), "llvm.amdgcn.mfma", 16)) {
            return true;
        }
    }
    return false;
}

// True if a thread has as many registers with twice as many warps.
static bool keeps_registers(const struct compiled *c, MlirOperation function) {
    unsigned warps = (unsigned)op_int(function, ATTR_NUM_WARPS);
    return registers_share(c->target, 2 * warps, 1) == registers_share(c->target, warps, 1);
}

// True if the code of a kernel has so many values live at once that it spills hundreds, or spills and is so long that allocating its
// registers takes more than about a second: counting the spills would be in vain, or too slow.
// From 2.5 times a thread's registers on every module of the language tests spills more than a hundred values; a reduction of aiter's with
// 2.48 times took eight seconds to be counted.
// With twice as many values as registers half the work is slow (three products of 64 × 256 on one warp of gfx942, whose sums are all live at once, took
// twelve seconds to be counted), and more warps spill less in any case if they keep a thread's registers.
// LLVM orders sums of matrix instructions (CDNA) better than they stand: twice as many of them. Fragments that may be parked (RDNA) do not
// count: the rest may fit.
static bool is_hopeless(struct compiled *c, struct arena *arena, MlirOperation function) {
    enum { QUARTERS = 9, REACHED = 256, SLOW = 1 << 23 }; // registers for arithmetic; the others are for sums
    unsigned factor = has_products(c) ? 2 : 1, pressure = pressure_without_parked(c, arena, function);
    uint64_t work = (uint64_t)pressure * module_instructions(c->llvm);
    bool many = pressure > 2 * REACHED * factor && keeps_registers(c, function);
    bool slow = (pressure > REACHED * factor && work > SLOW) || (many && work > SLOW / 2);
    return slow || 4 * pressure > QUARTERS * REACHED * factor;
}

// Makes the code for counting spills, in `c`. False if LLVM reports a fault; the final emission repeats it as
// an error.
static bool make_object(const struct unit *unit, struct compiled *c) {
    struct strbuf fault = {0};
    if (c->object.length) {
        return true;
    }
    c->object_kind = unit->wants_assembly ? LLVMGEN_ASSEMBLY : LLVMGEN_OBJECT;
    struct step_options quiet = {.without = unit_steps(unit).without};
    llvmgen_try(c->llvm, c->target, c->object_kind, &quiet, &c->object, &fault);
    bool good = !fault.length;
    strbuf_free(&fault);
    return good;
}

static bool can_widen(struct compiled *c, struct arena *arena, MlirOperation function) {
    size_t count;
    MlirOperation *ops = ops_collect(c->ir, arena, function, &count);
    for (size_t i = 0; i < count; i++) {
        if (op_names_block(c->ir, ops[i])) {
            return false;
        }
    }
    int64_t warps = op_int(function, ATTR_NUM_WARPS);
    // Merged steps of a chain have their own kernels' warps (fit_changed), or their sums would round otherwise.
    return !op_has(function, ATTR_FIXED_WARPS) && !op_has(function, ATTR_CHAIN) &&
           2 * warps * c->target->warp_size <= TARGET_BLOCK_THREADS;
}

// Reads the spills of a kernel's code. Sets the fit to try next, or the best one if the search is done.
static void advance(struct search *search, struct fit *fit, struct compiled *c, struct arena *arena,
                    MlirOperation function, size_t kernel) {
    bool object = c->object_kind == LLVMGEN_OBJECT;
    unsigned spilled = spills_of_kernel(c->object.data, c->object.length, object, kernel).spilled;
    uint64_t cost = (uint64_t)spilled * fit->warps;
    if (cost < search->least) {
        search->least = cost;
        search->best = *fit;
    }
    search->done = spilled == 0 || spilled >= search->before || !can_widen(c, arena, function);
    search->before = spilled;
    if (search->done) {
        *fit = search->best;
        return;
    }
    fit->warps *= 2;
}

// Returns the number of unfinished searches.
static size_t advance_all(const struct unit *unit, struct search *searches, struct fit *fits,
                          struct compiled *c) {
    bool good = make_object(unit, c);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    size_t searched = 0;
    for (size_t i = 0; i < unit_kernel_count(unit); i++, function = mlirOperationGetNextInBlock(function)) {
        if (good && !searches[i].done) {
            advance(&searches[i], &fits[i], c, unit->arena, function, i);
        }
        searched += good && !searches[i].done;
    }
    return searched;
}

// True if the kernel of a number spills in code made quickly.
static bool spills_quickly(const struct unit *unit, struct compiled *c, size_t kernel) {
    struct strbuf code = {0}, fault = {0};
    struct step_options quiet = {.without = unit_steps(unit).without};
    llvmgen_try_quickly(c->llvm, c->target, LLVMGEN_OBJECT, &quiet, &code, &fault);
    bool spills = fault.length || spills_of_kernel(code.data, code.length, true, kernel).spilled;
    strbuf_free(&code);
    strbuf_free(&fault);
    return spills;
}

// Doubles the warps of kernels with certain spills, without final code. False if there are none.
static bool widen_overfull(const struct unit *unit, const struct search *searches, struct fit *fits,
                           struct compiled *c) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    struct arena *arena = unit->arena;
    bool any = false;
    for (size_t i = 0; i < unit_kernel_count(unit); i++, function = mlirOperationGetNextInBlock(function)) {
        if (!searches[i].done && can_widen(c, arena, function) &&
            (is_overfull(c, arena, function) || is_hopeless(c, arena, function) ||
             (is_crowded(c, arena, function) && spills_quickly(unit, c, i)))) {
            fits[i].warps *= 2;
            any = true;
        }
    }
    return any;
}

// Stores the code of `c`, compiled with `fits`, in the list.
static void keep_object(struct made **all, struct arena *arena, const struct fit *fits, size_t count,
                        struct compiled *c) {
    struct made *made = ARENA_NEW(arena, struct made);
    *made = (struct made){*all, ARENA_ARRAY(arena, struct fit, count + 1), c->object, c->object_kind};
    memcpy(made->fits, fits, count * sizeof *fits);
    c->object = (struct strbuf){0};
    *all = made;
}

// Moves earlier code for these fits into `c`, if the list has it.
static void recall_object(struct made *all, const struct fit *fits, size_t count, struct compiled *c) {
    for (struct made *made = all; made; made = made->next) {
        if (made->object.length && !c->object.length && memcmp(made->fits, fits, count * sizeof *fits) == 0) {
            c->object = made->object;
            c->object_kind = made->kind;
            made->object = (struct strbuf){0};
        }
    }
}

static void free_objects(struct made *all) {
    for (struct made *made = all; made; made = made->next) {
        strbuf_free(&made->object);
    }
}

// Not on chips without matrix instructions: dots of multiply-adds are long code, and LLVM's register allocation takes
// seconds over some with spills. There only kernels that spill in any case get more warps.
static bool counts_spills(const struct target *target) {
    return target_has_matrices(target);
}

// Searches the best fits, from those of `c` on. True if `c` is compiled with the final fits.
static bool find_fits(struct unit *unit, const struct target *target, struct fit *fits, struct compiled *c,
                      struct made **all) {
    size_t count = unit_kernel_count(unit), searched = count;
    struct search *searches = ARENA_ARRAY(unit->arena, struct search, count + 1);
    struct fit *made = ARENA_ARRAY(unit->arena, struct fit, count + 1);
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(c->tiles));
    for (size_t i = 0; i < count; i++, function = mlirOperationGetNextInBlock(function)) {
        bool may = may_spill(c, unit->arena, function);
        searches[i] = (struct search){.best = fits[i], .least = UINT64_MAX, .before = UINT_MAX, .done = !may};
    }
    while (searched) {
        memcpy(made, fits, count * sizeof *fits);
        if (!widen_overfull(unit, searches, fits, c)) {
            searched = counts_spills(target) ? advance_all(unit, searches, fits, c) : 0;
        }
        if (memcmp(made, fits, count * sizeof *fits) == 0) {
            return true;
        }
        keep_object(all, unit->arena, made, count, c);
        compiled_free(c);
        if (!compile_quietly(unit, target, fits, c)) {
            for (size_t i = 0; i < count; i++) {
                fits[i] = searches[i].best;
            }
            return false;
        }
        recall_object(*all, fits, count, c);
    }
    return true;
}

static struct fit *fits_as_asked(struct unit *unit) {
    size_t count = unit_kernel_count(unit);
    struct fit *fits = ARENA_ARRAY(unit->arena, struct fit, count + 1);
    for (size_t i = 0; i < count; i++) {
        fits[i] = (struct fit){.warps = 1};
    }
    return fits;
}

static bool is_searched(const struct unit *unit, const struct target *target) {
    const struct tkc_options *options = unit->options;
    return target->vendor == VENDOR_AMD && unit_kernel_count(unit) && options->opt_level > 0 &&
           !options->run_pass;
}

bool compile_as_asked(struct unit *unit, const struct target *target, struct compiled *c) {
    return compile_fitted(unit, target, fits_as_asked(unit), c);
}

bool compile_fitting(struct unit *unit, const struct target *target, struct compiled *c) {
    struct fit *fits = fits_as_asked(unit);
    if (!is_searched(unit, target) || !any_may_spill(c, unit->arena)) {
        return true;
    }
    struct made *all = NULL;
    bool good = find_fits(unit, target, fits, c, &all);
    if (!good) {
        compiled_free(c);
        good = compile_fitted(unit, target, fits, c);
        recall_object(all, fits, unit_kernel_count(unit), c);
    }
    free_objects(all);
    return good;
}

// The search without code for the caller. *fits: the outcome.
static void search_quietly(struct unit *unit, const struct target *target, struct fit *fits,
                           struct compiled *c) {
    struct made *all = NULL;
    if (compile_quietly(unit, target, fits, c) && any_may_spill(c, unit->arena)) {
        find_fits(unit, target, fits, c, &all);
    }
    free_objects(all);
    compiled_free(c);
}

bool fit_may_change(const struct unit *unit, const struct target *target, struct ir *ir, MlirModule tiles) {
    return is_searched(unit, target) && any_large_value(ir, tiles, target, unit->arena, MANY_REGISTERS / 2);
}

size_t fit_changed(struct unit *unit, const struct target *target) {
    size_t count = unit_kernel_count(unit), kernel = 0;
    struct fit *fits = fits_as_asked(unit);
    struct compiled c = {0};
    search_quietly(unit, target, fits, &c);
    while (kernel < count && fits[kernel].warps == 1) {
        kernel++;
    }
    return kernel;
}

bool compile_for(struct unit *unit, const struct target *target, struct compiled *c) {
    const struct tkc_options *options = unit->options;
    bool watched = options->dump_after || options->stop_after || options->time_passes;
    if (!watched || !is_searched(unit, target)) {
        return compile_as_asked(unit, target, c) && compile_fitting(unit, target, c);
    }
    struct fit *fits = fits_as_asked(unit);
    struct step_options steps = unit_steps(unit);
    double start = steps_now();
    search_quietly(unit, target, fits, c);
    steps_print_time(&steps, start, "(search for warps, by compilations of their own)");
    return compile_fitted(unit, target, fits, c);
}
