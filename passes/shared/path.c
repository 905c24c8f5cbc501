// The memory model of check_barriers, one path at a time: the accesses not yet ordered by a barrier, the
// copies and dots in flight, and the contents of each slot. A path drops an access once it has landed and all
// threads have met after it. Every new access is checked against the remaining ones.
#include "passes/shared/path.h"

#include <string.h>

#include "chip/scratch.h"
#include "ir/build.h"
#include "passes/shared/shared_ranges.h"

enum { MAX_GROUPS = 64 }; // distinct groups of copies

// ---- paths ----

static bool same_access(const struct access *a, const struct access *b) {
    return a->begin == b->begin && a->end == b->end && a->effect == b->effect &&
           a->under_way == b->under_way && a->groups == b->groups && a->dot == b->dot &&
           a->in_warp == b->in_warp && a->met == b->met && (!a->in_warp || mlirOperationEqual(a->op, b->op));
}

static bool add_access(struct check *c, struct path *path, struct access access) {
    for (size_t i = 0; i < path->count; i++) {
        if (same_access(&path->accesses[i], &access)) {
            return false;
        }
    }
    path->accesses = arena_grown(c->arena, path->accesses, path->count, &path->capacity, sizeof access);
    path->accesses[path->count++] = access;
    return true;
}

struct path path_copy(struct check *c, const struct path *path) {
    struct path copy = {.spoilers = ARENA_ARRAY(c->arena, MlirOperation, c->place_count + 1),
                        .numbers = ARENA_ARRAY(c->arena, struct number, c->numbers.count + 1)};
    memcpy(copy.spoilers, path->spoilers, c->place_count * sizeof *copy.spoilers);
    memcpy(copy.numbers, path->numbers, c->numbers.count * sizeof *copy.numbers);
    for (size_t i = 0; i < path->count; i++) {
        add_access(c, &copy, path->accesses[i]);
    }
    return copy;
}

// True if `into` has changed.
static bool join(struct check *c, struct path *into, const struct path *from) {
    bool more = false;
    for (size_t i = 0; i < from->count; i++) {
        more |= add_access(c, into, from->accesses[i]);
    }
    for (size_t i = 0; i < c->place_count; i++) {
        if (mlirOperationIsNull(into->spoilers[i]) && !mlirOperationIsNull(from->spoilers[i])) {
            into->spoilers[i] = from->spoilers[i];
            more = true;
        }
    }
    return more;
}

static bool numbered_alike(struct check *c, const struct path *a, const struct path *b) {
    for (size_t i = 0; i < c->numbers.count; i++) {
        if (a->numbers[i].known != b->numbers[i].known || a->numbers[i].value != b->numbers[i].value) {
            return false;
        }
    }
    return true;
}

size_t paths_add(struct check *c, struct paths *paths, const struct path *path, bool *more) {
    for (size_t i = 0; i < paths->count; i++) {
        if (numbered_alike(c, &paths->at[i], path)) {
            *more = join(c, &paths->at[i], path);
            return i;
        }
    }
    paths->at = arena_grown(c->arena, paths->at, paths->count, &paths->capacity, sizeof *paths->at);
    *more = true;
    paths->at[paths->count] = path_copy(c, path);
    return paths->count++;
}

// ---- the memory model ----

static const char *effect_text(const struct access *access) {
    return access->effect == EFFECT_READ ? "read" : access->effect == EFFECT_WRITE ? "write" : "copy";
}

void path_fault(struct check *c, MlirOperation op, const char *text, MlirOperation other) {
    if (map_has(&c->told, op.ptr)) {
        return;
    }
    map_put(&c->told, op.ptr, op.ptr);
    diag_error(c->context->diag, ir_op_location(c->ir, op), "shared memory of %.*s: %s: %s",
               (int)c->name.length, c->name.data, op_table[op_kind(c->ir, op)].name, text);
    diag_note(c->context->diag, ir_op_location(c->ir, other), "%s is here",
              op_table[op_kind(c->ir, other)].name);
}

// True if each warp has the same bytes in both, and its lanes have met in between.
static bool ordered_in_warp(const struct access *earlier, const struct access *access) {
    return earlier->in_warp && access->in_warp && earlier->met &&
           scratch_same_in_warp(earlier->op, access->op);
}

static void touch(struct check *c, struct path *path, struct access access) {
    for (size_t i = 0; i < path->count; i++) {
        const struct access *other = &path->accesses[i];
        bool overlap = access.begin < other->end && other->begin < access.end;
        bool writes = access.effect != EFFECT_READ || other->effect != EFFECT_READ;
        if (overlap && writes && !ordered_in_warp(other, &access)) {
            char text[160];
            snprintf(text, sizeof text, "the %s of bytes %u to %u is not ordered after an earlier %s%s",
                     effect_text(&access), access.begin > other->begin ? access.begin : other->begin,
                     access.end < other->end ? access.end : other->end, effect_text(other),
                     other->under_way ? " that may still be under way" : "");
            path_fault(c, access.op, text, other->op);
        }
    }
    add_access(c, path, access);
}

void path_meet(struct path *path) {
    size_t kept = 0;
    for (size_t i = 0; i < path->count; i++) {
        if (path->accesses[i].under_way) {
            path->accesses[kept++] = path->accesses[i];
        }
    }
    path->count = kept;
}

void path_meet_in_warp(struct path *path) {
    for (size_t i = 0; i < path->count; i++) {
        path->accesses[i].met |= path->accesses[i].in_warp;
    }
}

void path_close_group(struct path *path, bool dots) {
    for (size_t i = 0; i < path->count; i++) {
        struct access *access = &path->accesses[i];
        access->groups += access->under_way && access->dot == dots && access->groups < MAX_GROUPS;
    }
}

void path_wait(struct path *path, int64_t groups, bool dots) {
    for (size_t i = 0; i < path->count; i++) {
        struct access *access = &path->accesses[i];
        if (access->under_way && access->dot == dots && access->groups > groups) {
            access->under_way = false;
            access->groups = 0;
        }
    }
}

void path_wait_for_all(struct path *path, int64_t dots) {
    size_t kept = 0;
    for (size_t i = 0; i < path->count; i++) {
        const struct access *access = &path->accesses[i];
        if (!access->under_way || !access->dot || access->groups <= dots) {
            path->accesses[kept++] = *access;
        }
    }
    path->count = kept;
}

// ---- contents of slots ----

// The slots named by an op: one, or all slots of the buffer if the number is unknown.
struct slots {
    size_t first, count; // places
    unsigned begin, end; // bytes
};

static struct slots find_slots(struct check *c, const struct path *path, MlirOperation op, intptr_t operand) {
    MlirValue handle = mlirOperationGetOperand(op, operand), index = shared_slot(c->ir, handle);
    MlirOperation buffer = shared_buffer(c->ir, handle);
    size_t first = mlirOperationIsNull(buffer) ? 0 : (size_t)(uintptr_t)map_get(&c->first_place, buffer.ptr);
    if (!first) {
        bug("a shared-memory handle without a buffer");
    }
    struct slots slots = {.first = first - 1, .count = (size_t)op_int(buffer, ATTR_STAGES)};
    struct number number = {.known = true};
    if (!mlirValueIsNull(index)) {
        number = slot_number(&c->numbers, path->numbers, index);
    }
    if (number.known && (number.value < 0 || (size_t)number.value >= slots.count)) {
        path_fault(c, op, "the buffer has no slot of that number", buffer);
    } else if (number.known) {
        slots.first += (size_t)number.value;
        slots.count = 1;
    }
    slots.begin = c->places[slots.first].begin;
    slots.end = c->places[slots.first + slots.count - 1].end;
    return slots;
}

// The access overwrites other slots in its bytes (for scratch: all slots there).
static void spoil(struct check *c, struct path *path, const struct access *by, const struct slots *own) {
    for (size_t i = 0; i < c->place_count; i++) {
        const struct byte_range *place = &c->places[i];
        if (own && i >= own->first && i < own->first + own->count) {
            path->spoilers[i] = (MlirOperation){NULL};
        } else if (place->begin < by->end && by->begin < place->end) {
            path->spoilers[i] = by->op;
        }
    }
}

void path_touch_slot(struct check *c, struct path *path, MlirOperation op, intptr_t operand,
                     enum effect effect) {
    struct slots slots = find_slots(c, path, op, operand);
    bool dot = op_kind(c->ir, op) == OP_WARPGROUP_DOT || op_kind(c->ir, op) == OP_TENSOR_DOT;
    struct access access = {.begin = slots.begin,
                            .end = slots.end,
                            .effect = effect,
                            .under_way = dot || effect == EFFECT_COPY,
                            .groups = dot,
                            .dot = dot,
                            .op = op};
    if (access.end > c->shared_bytes) {
        path_fault(c, op, "the buffer ends beyond what the kernel asks for", op);
    }
    touch(c, path, access);
    MlirOperation spoiler = path->spoilers[slots.first];
    if (effect != EFFECT_READ) {
        spoil(c, path, &access, &slots);
    } else if (slots.count == 1 && !mlirOperationIsNull(spoiler)) {
        bool fresh = op_kind(c->ir, spoiler) == OP_SMEM_ALLOC;
        path_fault(c, op, fresh ? "nothing was stored to the slot" : "the slot was overwritten", spoiler);
    }
}

// Ops with scratch write it, meet (all, or the lanes of each warp), and read it; a histogram clears, meets, counts, meets, reads.
void path_touch_scratch(struct check *c, struct path *path, MlirOperation op) {
    struct access access = {.begin = (unsigned)op_int(op, ATTR_SCRATCH), .effect = EFFECT_WRITE, .op = op};
    access.end = access.begin + scratch_bytes(c->ir, c->context->target, c->num_warps, op);
    if (access.end > access.begin && (!op_has(op, ATTR_SCRATCH) || access.end > c->shared_bytes)) {
        path_fault(c, op, "no scratch, or beyond what the kernel asks for", op);
    }
    if (access.end > access.begin) {
        access.in_warp = scratch_meets_in_warp(c->ir, c->context->target, op);
        touch(c, path, access);
        spoil(c, path, &access, NULL);
        if (access.in_warp) {
            path_meet_in_warp(path);
        } else {
            path_meet(path);
        }
        access.effect = EFFECT_READ;
        touch(c, path, access);
    }
}

void path_make_buffer(struct check *c, struct path *path, MlirOperation alloc) {
    size_t first = (size_t)(uintptr_t)map_get(&c->first_place, alloc.ptr) - 1;
    for (int64_t i = 0; i < op_int(alloc, ATTR_STAGES); i++) {
        path->spoilers[first + (size_t)i] = alloc;
    }
}
