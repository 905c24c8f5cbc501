// Visibility among programs. A release publishes its warp's knowledge at the variable it writes; a warp that
// reads the variable hears of it, and an acquire takes it in. Knowledge is stored as links to publications,
// and searched only when a program reads another program's store, a rare event.
//
// NVIDIA: a release is cumulative over everything observed, through barriers too (PTX ISA, "Memory
// Consistency Model: Causality order"). AMD: a release waits only for the stores of its own wave (vmcnt and
// vscnt count those; LLVM's AMDGPU usage guide, "Memory Model gfx90a", "gfx942", "gfx10-gfx11", "gfx12"). It
// covers other waves' stores after these waves' own waits, passed on by fences and a barrier. A release fence
// of block scope does not wait: the block's waves share the first cache (on gfx10 and later in compute-unit
// mode).
//
// Fences of block scope publish nothing at variables: barriers order a block's warps (order.c).
#include "emulator/memory/global.h"

#include <stdlib.h>

#include "support/diag.h"
#include "support/memory.h"

// The stores covered by one release.
struct publication {
    uint64_t program, sequence;
    const struct instr *in;
    struct known *foreign;      // its warp's knowledge of other programs
    lane_mask lanes;            // the releasing lanes; for other lanes: up to lane_clock
    uint32_t lane_clock, visit; // the last fence between them
    uint16_t warp;
    bool within;       // other programs do not see it
    bool far;          // programs of other ranks may see it
    uint32_t clocks[]; // seen, then done, of each warp of the program
};

struct link {
    struct publication *what;
    struct link *before; // of the same variable
    struct variable *variable;
    uint32_t number, visit;
    bool far; // published by an access of the system's scope
};

// A set of links: this one or another set, and the rest.
struct known {
    struct link *link;
    struct known *other, *rest;
    uint32_t length, visit;
};

struct variable {
    uint64_t address;
    struct link *last;
};

enum { SHORT = 64 }; // longer lists are joined as they are

// ---- sets ----

static struct known *push(struct global_order *order, struct link *link, struct known *other,
                          struct known *rest) {
    struct known *known = ARENA_NEW(order->arena, struct known);
    *known = (struct known){link, other, rest, rest ? rest->length + 1 : 1, 0};
    return known;
}

static struct known *without(struct global_order *order, struct known *known,
                             const struct variable *variable) {
    if (!known || !known->link) {
        return known;
    }
    if (known->link->variable == variable) {
        return known->rest;
    }
    struct known *rest = without(order, known->rest, variable);
    return rest == known->rest ? known : push(order, known->link, NULL, rest);
}

// A variable's later links lead to its earlier ones: one of each is enough.
static struct known *add(struct global_order *order, struct known *known, struct link *link) {
    if (known && known->length > SHORT) {
        return known->link == link ? known : push(order, link, NULL, known);
    }
    for (struct known *k = known; k; k = k->rest) {
        if (k->link && k->link->variable == link->variable && k->link->number >= link->number) {
            return known;
        }
    }
    return push(order, link, NULL, without(order, known, link->variable));
}

static struct known *join_known(struct global_order *order, struct known *a, struct known *b) {
    if (a == b || !b) {
        return a;
    }
    if (!a) {
        return b;
    }
    if (a->length > SHORT || b->length > SHORT) {
        return push(order, NULL, b, a);
    }
    for (; b && b != a; b = b->rest) {
        a = b->link ? add(order, a, b->link) : push(order, NULL, b->other, a);
    }
    return a;
}

void join_clocks(uint32_t *into, const uint32_t *from, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        into[i] = into[i] > from[i] ? into[i] : from[i];
    }
}

void view_join(struct run *run, struct view *into, const struct view *from) {
    join_clocks(into->seen, from->seen, run->clocks);
    join_clocks(into->done, from->done, run->warps);
    join_clocks(into->proxy, from->proxy, run->warps);
    join_clocks(into->read, from->read, run->warps);
    join_clocks(into->tensor, from->tensor, run->clocks);
    if (into->foreign == from->foreign || !from->foreign) {
        return;
    }
    pthread_mutex_lock(&run->order->lock);
    into->foreign = join_known(run->order, into->foreign, from->foreign);
    pthread_mutex_unlock(&run->order->lock);
}

// ---- releases ----

void warp_fence(struct warp *warp) {
    warp->touched = 0;
    warp->lane_clock = ++warp->view.seen[warp->index];
    warp->tmem_met = warp->view.tensor[warp->index];
}

// The wave's stores so far have reached the memory read by other programs.
void publish_complete(struct warp *warp) {
    warp_fence(warp);
    warp->view.done[warp->index] = warp->view.seen[warp->index];
}

// The warp's publication now; NULL if it would be empty.
static struct publication *publication_now(struct warp *warp, const struct instr *in, enum scope scope) {
    struct run *run = warp->run;
    if (run->emulator->amd && scope >= SCOPE_DEVICE &&
        !run->kernel->machine) { // machine code waits for itself
        publish_complete(warp);
    }
    if (!run->order || (!warp->block->stored && !warp->view.foreign)) {
        return NULL;
    }
    pthread_mutex_lock(&run->order->lock);
    size_t size = sizeof(uint32_t) * run->warps;
    warp->view.seen[warp->index]++; // later stores are not covered
    struct publication *what = arena_alloc(run->order->arena, sizeof *what + 2 * size);
    what->program = warp->block->number;
    what->sequence = ++run->order->sequence;
    what->in = &warp->kernel->code[in->index];
    what->foreign = warp->view.foreign;
    what->lanes = warp->mask;
    what->lane_clock = warp->lane_clock;
    what->warp = warp->index;
    what->within = scope < SCOPE_DEVICE;
    what->far = scope == SCOPE_SYSTEM;
    memcpy(what->clocks, warp->view.seen, size);
    memcpy(what->clocks + run->warps, warp->view.done, size);
    pthread_mutex_unlock(&run->order->lock);
    return what;
}

void publish_fence(struct warp *warp, const struct instr *in, enum scope scope) {
    struct publication *what = publication_now(warp, in, scope);
    warp->ready = what ? what : warp->ready;
}

static bool acquires(const struct instr *in) {
    return in->ordering == LLVMAtomicOrderingAcquire || in->ordering >= LLVMAtomicOrderingAcquireRelease;
}

static bool releases(const struct instr *in) {
    return in->ordering >= LLVMAtomicOrderingRelease;
}

void publish_begin(struct warp *warp, const struct instr *in) {
    warp->publishing =
        releases(in) && in->scope != SCOPE_WARP ? publication_now(warp, in, (enum scope)in->scope) : NULL;
    warp->heard_before = warp->heard;
    warp->far = in->scope == SCOPE_SYSTEM;
    warp->watches =
        in->ordering != LLVMAtomicOrderingNotAtomic ? &warp->kernel->code[in->index] : warp->watches;
    if (acquires(in)) {
        warp->heard = NULL;
    }
}

void publish_as_release(struct warp *warp, const struct instr *in) {
    warp->publishing = publication_now(warp, in, SCOPE_DEVICE);
}

static struct variable *variable_at(struct global_order *order, uint64_t address, bool make) {
    if (order->variable_count * 2 >= order->variable_capacity && make) {
        struct variable **old = order->variables;
        size_t capacity = order->variable_capacity;
        order->variable_capacity = capacity ? capacity * 2 : 256;
        order->variables = calloc(order->variable_capacity, sizeof *order->variables);
        order->variable_count = 0;
        for (size_t i = 0; i < capacity; i++) {
            if (!old[i]) {
                continue;
            }
            size_t slot = old[i]->address * 0x9e3779b97f4a7c15u >> 20 & (order->variable_capacity - 1);
            while (order->variables[slot]) {
                slot = (slot + 1) & (order->variable_capacity - 1);
            }
            order->variables[slot] = old[i];
            order->variable_count++;
        }
        free(old);
    }
    if (!order->variable_capacity) {
        return NULL;
    }
    size_t slot = address * 0x9e3779b97f4a7c15u >> 20 & (order->variable_capacity - 1);
    while (order->variables[slot] && order->variables[slot]->address != address) {
        slot = (slot + 1) & (order->variable_capacity - 1);
    }
    if (!order->variables[slot] && make) {
        order->variables[slot] = ARENA_NEW(order->arena, struct variable);
        order->variables[slot]->address = address;
        order->variable_count++;
    }
    return order->variables[slot];
}

static void link_at(struct global_order *order, uint64_t address, struct publication *what, bool far) {
    if (!what) {
        return;
    }
    struct variable *variable = variable_at(order, address, true);
    if (variable->last && variable->last->what == what) {
        return;
    }
    if (order->link_count == LINK_LIMIT) {
        atomic_store(&order->off, true);
        return;
    }
    struct link *link = ARENA_NEW(order->arena, struct link);
    *link = (struct link){what, variable->last, variable, ++order->link_count, 0, far};
    variable->last = link;
}

// True if the link was published by a program of another rank.
static bool is_foreign(const struct warp *warp, const struct link *link) {
    unsigned ranks = warp->run->ranks;
    return link->what->program % ranks != warp->block->number % ranks;
}

// A read that finds nothing new since this warp's last one is in vain.
static void count_reads(struct warp *warp, bool writes) {
    struct run *run = warp->run;
    bool changed = writes || warp->changes != run->changes;
    run->changes += writes;
    warp->changes = run->changes;
    warp->vain = changed ? 0 : warp->vain + 1;
}

void publish_lane(struct warp *warp, uint64_t address, bool reads, bool writes) {
    struct global_order *order = warp->run->order;
    struct variable *variable = reads ? variable_at(order, address, false) : NULL;
    if (warp->run->ranks > 1) {
        count_reads(warp, writes);
    }
    if (variable && variable->last &&
        (!is_foreign(warp, variable->last) ||
         (warp->far && variable->last->far && variable->last->what->far))) {
        warp->heard = add(order, warp->heard, variable->last);
    }
    if (!writes) {
        return;
    }
    link_at(order, address, warp->ready, warp->far);
    link_at(order, address, warp->publishing, warp->far);
}

// ---- launches ----

// A variable for each launch on each rank, beyond all addresses.
static uint64_t launch_address(const struct run *run, uint64_t program, unsigned before) {
    uint64_t launch = program / run->ranks / run->grid_size;
    return ~((launch - before) << 8 | program % run->ranks);
}

void publish_program(struct warp *warp) {
    struct run *run = warp->run;
    struct publication *what =
        publication_now(warp, &warp->kernel->code[warp->pc ? warp->pc - 1 : 0], SCOPE_SYSTEM);
    if (what) {
        pthread_mutex_lock(&run->order->lock);
        link_at(run->order, launch_address(run, warp->block->number, 0), what, true);
        pthread_mutex_unlock(&run->order->lock);
    }
}

void publish_start(struct warp *warp) {
    struct run *run = warp->run;
    if (run->launches == 1 || !run->order || warp->block->number / run->ranks < run->grid_size) {
        return;
    }
    pthread_mutex_lock(&run->order->lock);
    struct variable *variable = variable_at(run->order, launch_address(run, warp->block->number, 1), false);
    if (variable && variable->last) {
        warp->view.foreign = warp->by_copies = push(run->order, variable->last, NULL, NULL);
    }
    pthread_mutex_unlock(&run->order->lock);
}

// ---- acquires ----

// A release by a warp of the same program orders that warp's earlier accesses before this warp's next ones.
static void take_in_block(struct warp *warp, struct link *link) {
    for (unsigned i = 0; link && i < SHORT; i++, link = link->before) {
        const struct publication *what = link->what;
        unsigned warps = warp->run->warps;
        if (what->program != warp->block->number || what->warp == warp->index) {
            continue;
        }
        join_clocks(warp->view.seen, what->clocks, warps);
        join_clocks(warp->view.done, what->clocks + warps, warps);
        return;
    }
}

// What was heard of programs of the same rank: fences of the device's scope order no more than that.
static struct known *of_own_rank(struct warp *warp, struct known *heard) {
    struct known *own = NULL;
    if (warp->run->ranks == 1) {
        return heard;
    }
    for (; heard; heard = heard->rest) {
        bool keeps = !heard->link || !is_foreign(warp, heard->link);
        own = keeps ? push(warp->run->order, heard->link, heard->other, own) : own;
    }
    return own;
}

static void take_in(struct warp *warp, struct known *heard, enum scope scope) {
    struct run *run = warp->run;
    if (!heard) {
        return;
    }
    for (struct known *known = heard; known; known = known->rest) {
        if (known->link) {
            take_in_block(warp, known->link);
        }
    }
    if (scope < SCOPE_DEVICE) {
        return;
    }
    pthread_mutex_lock(&run->order->lock);
    heard = scope == SCOPE_SYSTEM ? heard : of_own_rank(warp, heard);
    warp->view.foreign = join_known(run->order, warp->view.foreign, heard);
    pthread_mutex_unlock(&run->order->lock);
}

void publish_end(struct warp *warp, const struct instr *in) {
    warp->publishing = NULL;
    if (!acquires(in) || in->scope == SCOPE_WARP) {
        return;
    }
    take_in(warp, warp->heard, (enum scope)in->scope);
    warp->heard = warp->heard_before;
}

void publish_take(struct warp *warp, enum scope scope) {
    take_in(warp, warp->heard, scope);
}

// ---- the search ----

static bool covers(const struct run *run, const struct publication *what, const struct store_record *record,
                   unsigned lane) {
    const uint32_t *seen = what->clocks, *done = what->clocks + run->warps;
    if (seen[record->warp] <= record->clock) {
        return false;
    }
    if (run->emulator->amd) {
        return done[record->warp] > record->clock;
    }
    return record->warp != what->warp || what->lanes >> lane & 1 || what->lane_clock > record->clock;
}

static void later(struct global_order *order, size_t *depth, struct known *known) {
    if (!known || known->visit == order->stamp) {
        return;
    }
    order->stack = memory_grown(order->stack, *depth, &order->stack_capacity, sizeof *order->stack);
    order->stack[(*depth)++] = known;
}

// The store stands before the release in the program: it was executed before, or leads to it and not back.
static bool stands_before(const struct kernel *kernel, const struct store_record *record,
                          const struct instr *in, const struct publication *what) {
    return what->sequence > record->sequence ||
           (leads_to(kernel, in, what->in) && !leads_to(kernel, what->in, in));
}

bool publish_covers(struct warp *warp, const struct store_record *record, unsigned lane,
                    const struct instr *in, bool *released) {
    struct global_order *order = warp->run->order;
    size_t depth = 0;
    bool found = false;
    pthread_mutex_lock(&order->lock);
    uint32_t stamp = ++order->stamp;
    later(order, &depth, warp->view.foreign);
    while (depth && !found) {
        struct known *known = order->stack[--depth];
        for (; known && known->visit != stamp && !found; known = known->rest) {
            known->visit = stamp;
            later(order, &depth, known->other);
            for (struct link *link = known->link; link && link->visit != stamp && !found;
                 link = link->before) {
                struct publication *what = link->what;
                link->visit = stamp;
                if (what->within || what->visit == stamp) {
                    continue;
                }
                what->visit = stamp;
                later(order, &depth, what->foreign);
                if (what->program != record->program) {
                    continue;
                }
                found = covers(warp->run, what, record, lane);
                *released |= !found && stands_before(warp->kernel, record, in, what);
            }
        }
    }
    pthread_mutex_unlock(&order->lock);
    return found;
}
