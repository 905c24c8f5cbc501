// Proves order among the accesses of a kernel's threads to shared memory, from the LLVM module alone.
//
// The proof knows nothing of tile IR. An access to shared memory is a set of bytes for each thread, from its
// address evaluated for all threads of a block (thread_values.c). A path through the basic blocks carries the
// accesses a later access must be ordered after:
//
//   NVIDIA   a barrier of the block orders all accesses before it. cp.async writes until its thread waits for its
//            group, and is ordered by a barrier after that wait.
//   AMD      s_barrier orders the accesses published by a release fence before it, once an acquire fence follows
//            (LLVM, "Memory Model gfx6 … gfx12"). Copies to LDS past the registers write until their wave waits for their number.
//
// Two accesses of different threads to a common byte, one of them a write and not both atomic, must be
// ordered on every path. Threads of one warp count as different: nothing makes them run in step but a meeting of the warp's lanes
// (NVIDIA: bar.warp.sync; AMD: wave.barrier behind a fence, of any scope), which orders the accesses of one warp among each other. Phis number
// the slots of buffers and are followed by value, so a path is a basic block and the values of its phis. A
// branch on the thread index alone selects the threads that access; all other branches go both ways.
//
// Not modelled: mbarriers, tensor copies and barriers of part of a block. Kernels with them get no verdict.
#include "codegen/check_shared.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "codegen/shared_action.h"
#include "codegen/thread_values.h"
#include "codegen/vendor.h"

enum {
    MAX_NUMBERS = 16, // of a phi, before it counts as unknown
    MAX_PATHS = 64,   // by block
    MAX_GROUPS = 64,
    MANY = 0xffff,         // threads at one byte
    SHARED_MOST = 1 << 20, // bytes: more than any chip has
};

// An access, on all paths with the same values of its phis.
struct thread_access {
    LLVMValueRef instruction;
    enum touch effect;
    const struct phi_number *path; // values of the phis it depends on; the rest unknown
    uint32_t begin, end;
    bool anywhere;              // its address is not known
    struct thread_range *at;    // bytes of each thread; low > high: none
    uint16_t *owners;           // of each byte from begin: 0, thread + 1, or MANY
    uint16_t *warps;            // the same of warps
    struct thread_access *next; // of the same instruction
    uint32_t index;
};

// The state of an access on its way to being ordered.
enum progress { UNDER_WAY, FRESH, RELEASED, MET };
// The same among the lanes of its warp.
enum in_warp { WARP_FRESH, WARP_FENCED, WARP_MET };
// The pairs of threads that an access has to be ordered for.
enum among { AMONG_THREADS, AMONG_WARPS, AMONG_ALL };

struct pending {
    uint32_t access;
    uint16_t groups; // closed since, while under way
    uint8_t progress, in_warp;
};

struct path {
    struct phi_number *numbers;
    struct pending *pending;
    size_t count, capacity;
    bool new;
};

struct block {
    LLVMBasicBlockRef block;
    uint8_t *threads; // the threads in the block
    uint64_t live;    // followed phis used from here on
    struct path *paths[MAX_PATHS];
    size_t path_count;
};

struct check {
    struct arena *arena;
    struct thread_evaluator evaluator;
    const char *kernel;
    bool waves_release; // codegen_vendor
    struct block *blocks;
    size_t block_count;
    struct map block_index; // block → its number + 1
    struct thread_access **accesses;
    size_t access_count, access_capacity;
    struct map access_of; // instruction → its latest access
    struct map compared;  // pair of accesses → whether they touch, plus 1
    uint32_t seen[MAX_FOLLOWED][MAX_NUMBERS];
    unsigned seen_count[MAX_FOLLOWED];
    bool unknown_phi[MAX_FOLLOWED];
    bool again; // a phi turned out to have too many numbers
    struct strbuf *fault;
    enum shared_order order;
};

// ---- accesses ----

static uint64_t dependence(struct check *c, const struct shared_action *action) {
    return thread_values_depend(&c->evaluator, action->address) |
           (action->predicate ? thread_values_depend(&c->evaluator, action->predicate) : 0);
}

static bool numbers_equal(const struct phi_number *a, const struct phi_number *b, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (a[i].known != b[i].known || (a[i].known && a[i].number != b[i].number)) {
            return false;
        }
    }
    return true;
}

static struct phi_number *restricted(struct check *c, const struct phi_number *numbers, uint64_t mask) {
    struct phi_number *kept = ARENA_ARRAY(c->arena, struct phi_number, MAX_FOLLOWED);
    for (unsigned i = 0; i < c->evaluator.phi_count; i++) {
        kept[i] = mask >> i & 1 ? numbers[i] : (struct phi_number){0};
    }
    return kept;
}

// Evaluates the bytes touched by each thread of the block.
static void evaluate_access(struct check *c, struct thread_access *access, const struct shared_action *action,
                            const struct block *block) {
    unsigned threads = c->evaluator.threads;
    thread_values_set_path(&c->evaluator, access->path);
    const struct thread_values *address = thread_values_of(&c->evaluator, action->address), *predicate = NULL;
    if (action->predicate) {
        predicate = thread_values_of(&c->evaluator, action->predicate);
    }
    access->at = ARENA_ARRAY(c->arena, struct thread_range, threads);
    access->begin = SHARED_MOST;
    for (unsigned t = 0; t < threads; t++) {
        struct thread_range at = thread_value(address, t);
        uint32_t further = action->lane_by_lane ? t % c->evaluator.warp_size * action->bytes : 0;
        at.low += further;
        at.high = at.high < SHARED_MOST ? at.high + further : at.high;
        uint32_t end = at.high < SHARED_MOST ? at.high + action->bytes : SHARED_MOST;
        bool touches = block->threads[t] && (!predicate || thread_value(predicate, t).high);
        access->at[t] =
            touches ? (struct thread_range){at.low, end - 1, end - 1} : (struct thread_range){1, 0, 0};
        access->anywhere |= touches && at.high >= SHARED_MOST;
        if (touches) {
            access->begin = at.low < access->begin ? at.low : access->begin;
            access->end = end > access->end ? end : access->end;
        }
    }
}

static uint32_t access_at(struct check *c, LLVMValueRef instruction, const struct shared_action *action,
                          const struct block *block, const struct phi_number *numbers) {
    struct phi_number *own = restricted(c, numbers, dependence(c, action));
    struct thread_access *latest = map_get(&c->access_of, instruction);
    for (struct thread_access *known = latest; known; known = known->next) {
        if (numbers_equal(known->path, own, c->evaluator.phi_count)) {
            return known->index;
        }
    }
    c->accesses =
        arena_grown(c->arena, c->accesses, c->access_count, &c->access_capacity, sizeof *c->accesses);
    struct thread_access *made = ARENA_NEW(c->arena, struct thread_access);
    *made = (struct thread_access){.instruction = instruction,
                                   .effect = action->effect,
                                   .path = own,
                                   .next = latest,
                                   .index = (uint32_t)c->access_count};
    evaluate_access(c, made, action, block);
    map_put(&c->access_of, instruction, made);
    c->accesses[c->access_count++] = made;
    return made->index;
}

static void own(uint16_t *owner, unsigned number) {
    *owner = *owner == 0 || *owner == number + 1 ? (uint16_t)(number + 1) : MANY;
}

static void find_owners(struct check *c, struct thread_access *access) {
    access->owners = ARENA_ARRAY(c->arena, uint16_t, access->end - access->begin);
    access->warps = ARENA_ARRAY(c->arena, uint16_t, access->end - access->begin);
    for (unsigned t = 0; t < c->evaluator.threads; t++) {
        for (uint64_t byte = access->at[t].low; byte <= access->at[t].high && byte < access->end; byte++) {
            own(&access->owners[byte - access->begin], t);
            own(&access->warps[byte - access->begin], t / c->evaluator.warp_size);
        }
    }
}

// True if different threads, or threads of different warps, or any threads touch a common byte.
static bool share_byte(struct check *c, struct thread_access *a, struct thread_access *b, enum among among) {
    uint32_t begin = a->begin > b->begin ? a->begin : b->begin, end = a->end < b->end ? a->end : b->end;
    if (begin >= end || a->anywhere || b->anywhere) {
        return begin < end;
    }
    if (!a->owners) {
        find_owners(c, a);
    }
    if (!b->owners) {
        find_owners(c, b);
    }
    const uint16_t *of_a = among == AMONG_WARPS ? a->warps : a->owners,
                   *of_b = among == AMONG_WARPS ? b->warps : b->owners;
    for (uint32_t byte = begin; byte < end; byte++) {
        uint16_t x = of_a[byte - a->begin], y = of_b[byte - b->begin];
        if (x && y && (among == AMONG_ALL || x != y || x == MANY)) {
            return true;
        }
    }
    return false;
}

static bool conflict(struct check *c, uint32_t earlier, uint32_t later, enum among among) {
    struct thread_access *a = c->accesses[earlier], *b = c->accesses[later];
    bool reads = a->effect == TOUCH_READ && b->effect == TOUCH_READ;
    bool atomics = a->effect == TOUCH_ATOMIC && b->effect == TOUCH_ATOMIC;
    if (reads || atomics || a->begin >= b->end || b->begin >= a->end) {
        return false;
    }
    const void *key = (const void *)(((uintptr_t)earlier << 32 | (uintptr_t)later << 2 | among) + 1);
    uintptr_t known = (uintptr_t)map_get(&c->compared, key);
    if (!known) {
        known = share_byte(c, a, b, among) ? 2 : 1;
        map_put(&c->compared, key, (void *)known);
    }
    return known == 2;
}

// ---- paths ----

static const char *effect_name(const struct thread_access *access) {
    static const char *const names[] = {"", "read", "write", "atomic", "asynchronous copy"};
    return names[access->effect];
}

static void tell(struct check *c, uint32_t earlier, uint32_t later, bool under_way) {
    const struct thread_access *a = c->accesses[earlier], *b = c->accesses[later];
    if (c->order == SHARED_NOT_ORDERED) {
        return;
    }
    strbuf_clear(c->fault);
    strbuf_printf(
        c->fault,
        "%s: the %s of shared memory in line %u (bytes %u to %u) is not ordered after the %s in line %u "
        "(bytes %u to %u)%s",
        c->kernel, effect_name(b), LLVMGetDebugLocLine(b->instruction), b->begin, b->end, effect_name(a),
        LLVMGetDebugLocLine(a->instruction), a->begin, a->end, under_way ? ", which may be under way" : "");
    c->order = SHARED_NOT_ORDERED;
}

static bool add_pending(struct check *c, struct path *path, struct pending pending) {
    for (size_t i = 0; i < path->count; i++) {
        const struct pending *known = &path->pending[i];
        if (known->access == pending.access && known->groups == pending.groups &&
            known->progress == pending.progress && known->in_warp == pending.in_warp) {
            return false;
        }
    }
    path->pending = arena_grown(c->arena, path->pending, path->count, &path->capacity, sizeof pending);
    path->pending[path->count++] = pending;
    return true;
}

static void drop(struct path *path, enum progress progress) {
    size_t kept = 0;
    for (size_t i = 0; i < path->count; i++) {
        if (path->pending[i].progress != progress) {
            path->pending[kept++] = path->pending[i];
        }
    }
    path->count = kept;
}

static void advance(struct path *path, enum progress from, enum progress to) {
    for (size_t i = 0; i < path->count; i++) {
        if (path->pending[i].progress == from) {
            path->pending[i].progress = (uint8_t)to;
        }
    }
}

static void commit_or_wait(struct path *path, const struct shared_action *action) {
    for (size_t i = 0; i < path->count; i++) {
        struct pending *pending = &path->pending[i];
        bool under_way = pending->progress == UNDER_WAY;
        if (under_way && action->commits && pending->groups < MAX_GROUPS) {
            pending->groups++;
        } else if (under_way && action->waits && pending->groups > action->groups) {
            *pending = (struct pending){pending->access, 0, FRESH, WARP_FRESH};
        }
    }
}

static void meet(struct check *c, struct path *path, const struct block *block) {
    for (unsigned t = 0; t < c->evaluator.threads; t++) {
        if (!block->threads[t] && c->order == SHARED_ORDERED) {
            strbuf_printf(c->fault, "%s: thread %u does not come to a barrier", c->kernel, t);
            c->order = SHARED_NOT_ORDERED;
        }
    }
    if (c->waves_release) {
        advance(path, RELEASED, MET);
    } else {
        drop(path, FRESH);
    }
}

static void advance_in_warp(struct path *path, enum in_warp from, enum in_warp to) {
    for (size_t i = 0; i < path->count; i++) {
        struct pending *pending = &path->pending[i];
        if (pending->progress != UNDER_WAY && pending->in_warp == from) {
            pending->in_warp = (uint8_t)to;
        }
    }
}

// True if all lanes of each warp come to the block, or none.
static bool has_whole_warps(const struct check *c, const struct block *block) {
    bool whole = true;
    for (unsigned t = 0; t < c->evaluator.threads; t++) {
        whole &= block->threads[t] == block->threads[t - t % c->evaluator.warp_size];
    }
    return whole;
}

static void order_in_warp(struct check *c, struct path *path, const struct block *block,
                          const struct shared_action *action) {
    if (action->fences_warp) {
        advance_in_warp(path, WARP_FRESH, WARP_FENCED);
    }
    if (action->meets_in_warp && has_whole_warps(c, block)) {
        advance_in_warp(path, WARP_FENCED, WARP_MET);
    }
}

static void act(struct check *c, struct path *path, const struct block *block, LLVMValueRef instruction,
                const struct shared_action *action) {
    if (action->commits || action->waits) {
        commit_or_wait(path, action);
    }
    if (c->waves_release && action->releases) {
        advance(path, FRESH, RELEASED);
    }
    if (c->waves_release && action->acquires) {
        drop(path, MET);
    }
    if (action->meets) {
        meet(c, path, block);
    }
    order_in_warp(c, path, block, action);
    if (!action->effect) {
        return;
    }
    uint32_t access = access_at(c, instruction, action, block, path->numbers);
    for (size_t i = 0; i < path->count; i++) {
        bool under_way = path->pending[i].progress == UNDER_WAY, met = path->pending[i].in_warp == WARP_MET;
        enum among among = under_way ? AMONG_ALL : met ? AMONG_WARPS : AMONG_THREADS;
        if (conflict(c, path->pending[i].access, access, among)) {
            tell(c, path->pending[i].access, access, under_way);
        }
    }
    bool copies = action->effect == TOUCH_COPY;
    add_pending(c, path,
                (struct pending){access, copies && action->commits, copies ? UNDER_WAY : FRESH, WARP_FRESH});
}

static struct path *copy_path(struct check *c, const struct path *path) {
    struct path *copy = ARENA_NEW(c->arena, struct path);
    copy->numbers = restricted(c, path->numbers, UINT64_MAX);
    copy->capacity = path->count + 32;
    copy->pending = ARENA_ARRAY(c->arena, struct pending, copy->capacity);
    if (path->count) {
        memcpy(copy->pending, path->pending, path->count * sizeof *copy->pending);
    }
    copy->count = path->count;
    return copy;
}

static struct block *block_of(struct check *c, LLVMBasicBlockRef block) {
    return &c->blocks[(uintptr_t)map_get(&c->block_index, block) - 1];
}

// The value of a phi entered from the end of a path. After too many different values it counts as unknown for
// good.
static struct phi_number entered(struct check *c, unsigned phi, LLVMValueRef incoming) {
    const struct thread_values *values = thread_values_of(&c->evaluator, incoming);
    struct thread_range range = values->at[0];
    if (c->unknown_phi[phi] || !values->uniform || range.low != range.high) {
        return (struct phi_number){0};
    }
    for (unsigned i = 0; i < c->seen_count[phi]; i++) {
        if (c->seen[phi][i] == range.low) {
            return (struct phi_number){true, range.low};
        }
    }
    if (c->seen_count[phi] == MAX_NUMBERS) {
        c->unknown_phi[phi] = c->again = true;
        return (struct phi_number){0};
    }
    c->seen[phi][c->seen_count[phi]++] = range.low;
    return (struct phi_number){true, range.low};
}

// Code no thread reaches; LLVM may leave some.
static bool is_dead(const struct check *c, const struct block *block) {
    return !memchr(block->threads, 1, c->evaluator.threads);
}

static void go_to(struct check *c, const struct path *path, LLVMBasicBlockRef from, struct block *to) {
    struct path next = *path;
    if (is_dead(c, to)) {
        return;
    }
    next.numbers = restricted(c, path->numbers, UINT64_MAX);
    thread_values_set_path(&c->evaluator, path->numbers);
    for (LLVMValueRef i = LLVMGetFirstInstruction(to->block); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        for (unsigned phi = 0; phi < c->evaluator.phi_count; phi++) {
            for (unsigned n = 0; c->evaluator.phis[phi] == i && n < LLVMCountIncoming(i); n++) {
                if (LLVMGetIncomingBlock(i, n) == from) {
                    next.numbers[phi] = entered(c, phi, LLVMGetIncomingValue(i, n));
                }
            }
        }
    }
    next.numbers = restricted(c, next.numbers, to->path_count < MAX_PATHS - 1 ? to->live : 0);
    for (size_t i = 0; i < to->path_count; i++) {
        if (numbers_equal(to->paths[i]->numbers, next.numbers, c->evaluator.phi_count)) {
            for (size_t p = 0; p < next.count; p++) {
                to->paths[i]->new |= add_pending(c, to->paths[i], next.pending[p]);
            }
            return;
        }
    }
    to->paths[to->path_count] = copy_path(c, &next);
    to->paths[to->path_count++]->new = true;
}

static void follow(struct check *c, struct block *block, const struct path *start) {
    struct path *path = copy_path(c, start);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block->block); i; i = LLVMGetNextInstruction(i)) {
        struct shared_action action =
            shared_action_of(i, c->evaluator.layout, c->evaluator.threads <= c->evaluator.warp_size);
        if (action.unknown) {
            strbuf_clear(c->fault);
            strbuf_printf(c->fault, "%s: %s", c->kernel, action.unknown);
            c->order = SHARED_NOT_KNOWN;
            return;
        }
        act(c, path, block, i, &action);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        go_to(c, path, block->block, block_of(c, LLVMGetSuccessor(end, s)));
    }
}

static void follow_all(struct check *c) {
    struct path start = {.numbers = ARENA_ARRAY(c->arena, struct phi_number, MAX_FOLLOWED)};
    for (size_t i = 0; i < c->block_count; i++) {
        c->blocks[i].path_count = 0;
    }
    c->blocks[0].paths[c->blocks[0].path_count++] = copy_path(c, &start);
    c->blocks[0].paths[0]->new = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t b = 0; b < c->block_count; b++) {
            struct block *block = &c->blocks[b];
            for (size_t p = 0; p < block->path_count; p++) {
                if (block->paths[p]->new) {
                    block->paths[p]->new = false;
                    more = true;
                    follow(c, block, block->paths[p]);
                }
                if (c->order != SHARED_ORDERED || c->again) {
                    return;
                }
            }
        }
    }
}

// ---- facts about blocks and phis ----

// Finds the threads of each block: a branch on the thread index alone lets only some pass.
static void find_threads(struct check *c) {
    unsigned threads = c->evaluator.threads;
    struct phi_number none[MAX_FOLLOWED] = {{0}};
    thread_values_set_path(&c->evaluator, none);
    memset(c->blocks[0].threads, 1, threads);
    for (bool more = true; more;) {
        more = false;
        for (size_t b = 0; b < c->block_count; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[b].block);
            const struct thread_values *condition = NULL;
            if (LLVMGetInstructionOpcode(end) == LLVMBr && LLVMIsConditional(end)) {
                condition = thread_values_of(&c->evaluator, LLVMGetCondition(end));
            }
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
                uint8_t *into = block_of(c, LLVMGetSuccessor(end, s))->threads;
                for (unsigned t = 0; t < threads; t++) {
                    struct thread_range taken =
                        condition ? thread_value(condition, t) : (struct thread_range){0, 1, 1};
                    bool passes = c->blocks[b].threads[t] && (s == 0 ? taken.high : !taken.low);
                    more |= passes && !into[t];
                    into[t] |= passes;
                }
            }
        }
    }
}

// Finds the followed phis still live at each block.
static void find_live(struct check *c) {
    for (bool more = true; more;) {
        more = false;
        for (size_t b = c->block_count; b-- > 0;) {
            struct block *block = &c->blocks[b];
            LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);
            uint64_t live = block->live;
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
                struct block *next = block_of(c, LLVMGetSuccessor(end, s));
                uint64_t made = 0;
                for (unsigned phi = 0; phi < c->evaluator.phi_count; phi++) {
                    LLVMValueRef value = c->evaluator.phis[phi];
                    if (LLVMGetInstructionParent(value) != next->block) {
                        continue;
                    }
                    made |= (uint64_t)1 << phi;
                    for (unsigned n = 0; n < LLVMCountIncoming(value); n++) {
                        if (LLVMGetIncomingBlock(value, n) == block->block) {
                            live |= thread_values_depend(&c->evaluator, LLVMGetIncomingValue(value, n));
                        }
                    }
                }
                live |= next->live & ~made;
            }
            more |= live != block->live;
            block->live = live;
        }
    }
}

static void find_blocks(struct check *c, LLVMValueRef function) {
    c->block_count = LLVMCountBasicBlocks(function);
    c->blocks = ARENA_ARRAY(c->arena, struct block, c->block_count);
    size_t b = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        c->blocks[b].block = block;
        c->blocks[b].threads = ARENA_ARRAY(c->arena, uint8_t, c->evaluator.threads);
        map_put(&c->block_index, block, (void *)(uintptr_t)++b);
    }
}

// Follows the phis behind addresses, and notes their uses. False: too many.
static bool find_phis(struct check *c) {
    for (size_t b = 0; b < c->block_count; b++) {
        LLVMBasicBlockRef block = c->blocks[b].block;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            struct shared_action action =
                shared_action_of(i, c->evaluator.layout, c->evaluator.threads <= c->evaluator.warp_size);
            if (action.effect &&
                (!thread_values_follow(&c->evaluator, action.address) ||
                 (action.predicate && !thread_values_follow(&c->evaluator, action.predicate)))) {
                return false;
            }
        }
    }
    for (size_t b = 0; b < c->block_count; b++) {
        LLVMBasicBlockRef block = c->blocks[b].block;
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            struct shared_action action =
                shared_action_of(i, c->evaluator.layout, c->evaluator.threads <= c->evaluator.warp_size);
            c->blocks[b].live |= action.effect ? dependence(c, &action) : 0;
        }
    }
    return true;
}

static enum shared_order check_kernel(LLVMModuleRef module, LLVMValueRef function,
                                      const struct target *target, struct strbuf *fault) {
    size_t length;
    struct arena *arena = arena_create();
    struct check *c = ARENA_NEW(arena, struct check);
    *c = (struct check){.arena = arena,
                        .kernel = LLVMGetValueName2(function, &length),
                        .waves_release = codegen_vendor(target)->waves_release,
                        .fault = fault,
                        .evaluator = {.arena = arena, .warp_size = target->warp_size}};
    c->evaluator.threads = codegen_vendor(target)->threads(function);
    c->evaluator.layout = LLVMCreateTargetData(LLVMGetDataLayoutStr(module));
    find_blocks(c, function);
    if (c->evaluator.threads == 0 || !find_phis(c)) {
        strbuf_printf(fault, "%s: no number of threads, or too many phis", c->kernel);
        c->order = SHARED_NOT_KNOWN;
    } else {
        find_live(c);
        find_threads(c);
        do {
            c->again = false;
            follow_all(c);
        } while (c->again && c->order == SHARED_ORDERED);
    }
    enum shared_order order = c->order;
    LLVMDisposeTargetData(c->evaluator.layout);
    thread_values_free(&c->evaluator);
    map_free(&c->block_index);
    map_free(&c->access_of);
    map_free(&c->compared);
    arena_destroy(arena);
    return order;
}

enum shared_order check_shared(LLVMModuleRef module, const struct target *target, struct strbuf *fault) {
    enum shared_order order = SHARED_ORDERED;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function && order != SHARED_NOT_ORDERED;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function)) {
            enum shared_order own = check_kernel(module, function, target, fault);
            order = own == SHARED_ORDERED ? order : own;
        }
    }
    return order;
}
