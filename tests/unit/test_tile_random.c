// Random kernels, run by a small interpreter of tile IR: the facts about their accesses must match the
// accesses.
//
// Every load and store explained by tile_access_of is compared, element by element, with its box. Loads with
// wrapped rows found dead run again with zeros in those rows, and the kernel must store the same. Numbers are
// small, so nothing wraps; arguments are not negative, except one used only as an offset.
#include "tile_interpreter.h"

enum { PROGRAMS = 6, KERNELS = 500, RUNS = 12, MAX_ACCESSES = 8 };

// ---- kernels ----

struct writer {
    uint64_t random;
    struct strbuf text;
    bool in_loop;
    bool wraps;              // rows wrap around and are masked at the store, or nearly so
    const char *part, *move; // rows of the load are moved within pieces of so many; or null
};

static unsigned pick(struct writer *w, unsigned below) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % below;
}

#define CHOICE(w, ...) choice(w, (const char *const[]){__VA_ARGS__, NULL})
static const char *choice(struct writer *w, const char *const *of) {
    unsigned count = 0;
    while (of[count]) {
        count++;
    }
    return of[pick(w, count)];
}

// Common forms are likely, so that near misses are near.
static const char *scalar(struct writer *w) {
    if (w->in_loop && pick(w, 3) == 0) {
        return CHOICE(w, "k", "k * 4", "k * 8", "(k + 1) * 4", "carried");
    }
    if (pick(w, 2)) {
        return "pid * 4";
    }
    return CHOICE(w, "0", "pid * 4", "pid * 4", "pid * 8", "pid", "tl.program_id(1) * 4", "pid * M",
                  "pid // 2 * 4", "pid % 3 * 4", "tl.minimum(pid * 4, M)", "tl.maximum(o, 0)", "2", "o",
                  "pid * 4 - 4", "pid * 4 + o", "N // 2", "pid * (N // 2)", "(2 - pid) * 4",
                  "tl.where(pid > 1, o, 4)", "pid.to(tl.int64) * 4");
}

static const char *size(struct writer *w) {
    if (pick(w, 3)) {
        return "M";
    }
    return CHOICE(w, "M", "M", "M", "N", "N", "2 * M", "N // 2", "M // 2 * N", "5", "M - 1", "M + 1", "M * N",
                  "M - pid * 4", "o", "pid * 4");
}

// An index along rows or columns, under the name given.
static void write_index(struct writer *w, const char *indent, const char *name, const char *range) {
    const char *first = scalar(w);
    unsigned form = pick(w, 10);
    if (w->wraps) {
        form = *name == 'r' ? 0 : 9;
    }
    if (w->part && *name == 'r') {
        strbuf_printf(&w->text, "%sr0 = %s + %s\n%sr = r0 + %s\n", indent, first, range, indent,
                      pick(w, 8) ? w->move : "o");
        return;
    }
    strbuf_printf(&w->text, "%s%s0 = %s + %s\n%s%s = %s0", indent, name, first, range, indent, name, name);
    if (form == 0) {
        strbuf_printf(&w->text, " %% %s\n", w->wraps ? "M" : size(w));
    } else if (form == 1) {
        strbuf_printf(&w->text, "\n%s%s = tl.minimum(%s, M - 1)\n", indent, name, name);
    } else if (form == 2) {
        strbuf_printf(&w->text, "\n%s%s = tl.where(%s < M, %s, 0)\n", indent, name, name, name);
    } else {
        strbuf_add(&w->text, form == 3 ? ".to(tl.int64)\n" : "\n");
    }
}

static void write_condition(struct writer *w, const char *row, const char *column) {
    const char *index = pick(w, 2) ? row : column;
    const char *plain = pick(w, 8) ? index : CHOICE(w, "i", "j");
    bool is_row = plain == row || *plain == 'i';
    const char *expand = is_row ? "[:, None]" : "[None, :]";
    switch (pick(w, 16)) {
    case 0:
        strbuf_printf(&w->text, "(%s%s >= %s)", plain, expand, CHOICE(w, "0", "0", "0", "1", "o"));
        break;
    case 1:
        strbuf_printf(&w->text, "(%s < %s)", scalar(w), size(w));
        break;
    case 2:
        strbuf_printf(&w->text, "(%s%s <= %s)", plain, expand, size(w));
        break;
    case 3:
        strbuf_printf(&w->text, "(%s%s < %s - %s)", is_row ? "i" : "j", expand, size(w), scalar(w));
        break;
    case 4:
        strbuf_printf(&w->text, "(%s > %s%s)", size(w), plain, expand);
        break;
    case 6: // a length that the host does not know
        strbuf_printf(&w->text, "(%s%s < %s)", plain, expand,
                      CHOICE(w, "pid * 3 + 1", "M - pid", "M * N * s", "pid"));
        break;
    case 5: { // an index that wraps, though not as the row may
        const char *counted = *row != 'r' ? plain : is_row ? "r0" : "c0", *limit = CHOICE(w, "M", "N");
        strbuf_printf(&w->text, "(tl.where(%s < %s, %s, %s)%s %s)", counted, limit, counted,
                      CHOICE(w, "99", "0", "-1"), expand, pick(w, 2) ? ">= 0" : CHOICE(w, "< M", "< N"));
        break;
    }
    default:
        strbuf_printf(&w->text, "(%s%s < %s)", plain, expand, size(w));
    }
}

static void write_shifted(struct writer *w) {
    strbuf_printf(&w->text, "(r0 %% %s + %s < %s)[:, None] & ", w->part, w->move, pick(w, 8) ? w->part : "M");
    if (pick(w, 8)) {
        strbuf_printf(&w->text, "(r0 %% %s + %s >= 0)[:, None] & ", pick(w, 8) ? w->part : "M",
                      pick(w, 8) ? w->move : "0");
    }
}

static void write_mask(struct writer *w, const char *row, const char *column) {
    unsigned count = 1 + pick(w, 3) / 2;
    if (w->part && *row == 'r') {
        write_shifted(w);
        strbuf_printf(&w->text, "(c[None, :] < %s)", size(w));
        return;
    }
    for (unsigned n = 0; n < count; n++) {
        strbuf_add(&w->text, n ? " & " : "");
        write_condition(w, row, column);
    }
}

static void write_pointer(struct writer *w, const char *base, const char *row, const char *column) {
    strbuf_printf(&w->text, "%s + %s[:, None] * %s + %s[None, :]", base, row,
                  CHOICE(w, "s", "s", "s", "s", "s", "16", "M", "2 * s", "s * N", "M * N", "(M // 2 * s)",
                         "(N // 3 * 4)"),
                  column);
    if (pick(w, 3) == 0) {
        strbuf_printf(&w->text, " + %s * %s", scalar(w),
                      CHOICE(w, "s", "b", "b", "64", "M * s", "1", "(s * N)", "b * M", "(M // 2 * s)"));
    }
    for (unsigned n = pick(w, 6) / 4; n > 0; n--) {
        strbuf_printf(&w->text, " %s",
                      CHOICE(w, "+ o", "- o", "+ o * s", "- 4", "- s", "+ 3 * M * N", "- 8 * b",
                             "+ o * M * s", "+ b", "+ M // 3 * s", "- o // 2"));
    }
}

static void write_data(struct writer *w, const char *indent) {
    for (unsigned n = pick(w, 4) / 2; n > 0; n--) {
        strbuf_printf(&w->text, "%st = %s\n", indent,
                      CHOICE(w, "t + 1", "t * t", "t - tl.sum(t, axis=1)[:, None]", "tl.where(t > 3, t, pid)",
                             "t + tl.max(t, axis=1)[:, None]", "t + tl.max(t, axis=0)[None, :]",
                             "tl.cumsum(t, axis=1)", "tl.cumsum(t, axis=0, reverse=True)",
                             "tl.trans(tl.trans(t) + 1)", "tl.where(r[:, None] < M, t, 5)", "tl.load(y + t)",
                             "u - t", "tl.trans(t.reshape(8, 4))"));
    }
}

// One access of x and one of y, perhaps in a loop with x's tile of pointers as a carried value.
static void write_kernel(struct writer *w) {
    strbuf_clear(&w->text);
    w->in_loop = false;
    w->wraps = pick(w, 3) == 0;
    w->part = w->wraps || pick(w, 4) ? NULL : CHOICE(w, "M", "M", "8", "4", "N", "2 * M");
    w->move = CHOICE(w, "0", "1", "2", "-2", "o", "pid", "(pid - 3)");
    strbuf_add(
        &w->text,
        HEAD "def kernel(x: '*i32:16', y: '*i32:16', M: 'i32', N: 'i32', s: 'i32:4', b: 'i32:4', o: 'i32'):\n"
             "    i = tl.arange(0, 4)\n    j = tl.arange(0, 8)\n    pid = tl.program_id(0)\n"
             "    t = tl.zeros([4, 8], tl.int32)\n    u = t + 1\n    carried = 0\n");
    bool loop = pick(w, 2), carries = loop && pick(w, 2);
    if (carries) {
        write_index(w, "    ", "r", "i");
        write_index(w, "    ", "c", "j");
        strbuf_add(&w->text, "    p = ");
        write_pointer(w, "x", "r", "c");
        strbuf_add(&w->text, "\n");
    }
    if (loop) {
        strbuf_printf(&w->text, "    for k in range(%s, %s, %s):\n", CHOICE(w, "0", "0", "pid", "2"),
                      CHOICE(w, "3", "N", "N"), CHOICE(w, "1", "1", "2", "4", "tl.num_programs(0)"));
        w->in_loop = true;
    }
    const char *indent = loop ? "        " : "    ";
    if (!carries) {
        write_index(w, indent, "r", "i");
        write_index(w, indent, "c", "j");
        strbuf_printf(&w->text, "%sp = ", indent);
        write_pointer(w, "x", "r", "c");
        strbuf_add(&w->text, "\n");
    }
    strbuf_printf(&w->text, "%st = tl.load(p", indent);
    if (!w->wraps && (w->part || pick(w, 4))) {
        strbuf_add(&w->text, ", mask=");
        write_mask(w, "r", "c");
        strbuf_add(&w->text, pick(w, 8) ? CHOICE(w, "", ", other=0") : ", other=1");
    }
    strbuf_add(&w->text, ")\n");
    write_data(w, indent);
    if (loop) {
        strbuf_add(&w->text, "        u += t\n        carried += 4\n");
        if (carries) {
            strbuf_printf(&w->text, "        p += %s\n",
                          CHOICE(w, "8", "4 * s", "8 * b", "s", "k", "-8", "i[:, None] * s"));
        }
    }
    w->in_loop = loop && pick(w, 2);
    const char *end = w->in_loop ? indent : "    ";
    if ((loop && !carries && !w->in_loop) || pick(w, w->wraps ? 8 : 2) == 0) {
        strbuf_printf(&w->text, "%sf = %s + i\n", end, scalar(w));
    } else {
        strbuf_printf(&w->text, "%sf = r0\n", end);
    }
    strbuf_printf(&w->text, "%sg = %s + j\n%stl.store(", end, scalar(w), end);
    write_pointer(w, "y", pick(w, 2) ? "f" : "i", "g");
    strbuf_printf(&w->text, ", %s, mask=%s", pick(w, 2) ? "t" : "u", w->wraps ? "(f[:, None] < M) & " : "");
    write_mask(w, "f", "g");
    strbuf_add(&w->text, ")\n");
}

// ---- facts against accesses ----

struct said {
    MlirOperation op;
    struct tile_access access;
    bool dead; // its wrapped rows
};

static struct {
    struct said said[MAX_ACCESSES];
    int count;
    const char *text;
    unsigned boxes, others, bounded, wrapped, dead, guarded, tested, moved, products, cut, quotients, runs,
        long_runs,
        compared; // how often what was met
} state;

static const struct said *said_of(MlirOperation op) {
    for (int i = 0; i < state.count; i++) {
        if (mlirOperationEqual(state.said[i].op, op)) {
            return &state.said[i];
        }
    }
    return NULL;
}

// What a dimension's index is: of one that is cut, and of one that has its place, by how many elements are left.
static int64_t first_of(struct interpreter *in, const struct tile_access *access, unsigned n,
                        const int64_t *index) {
    const struct tile_dim *dim = &access->dim[n], *cut = dim->cut ? dim : NULL;
    cut = dim->cut_by >= 0 ? &access->dim[dim->cut_by] : cut;
    int64_t first = index_value(in, &dim->first), left = cut ? index_value(in, &cut->first) : 0;
    left = left < 0 ? 0 : cut && left > cut->extent ? cut->extent : left;
    int64_t at = dim->cut ? dim->extent - left : first + left;
    if (dim->run > 0 || dim->run_of >= 0) { // of the run with the element
        const struct tile_dim *rows = dim->run > 0 ? dim : &access->dim[dim->run_of];
        int64_t begin = index[rows->tile_dimension] / rows->run * rows->run,
                row = index_value(in, &rows->counted) + begin, period = index_value(in, &rows->period);
        at += dim->run > 0 ? row % period - begin : row - row % period;
    }
    return dim->part == TILE_LOW    ? at & ((1 << TILE_LOW_BITS) - 1)
           : dim->part == TILE_HIGH ? at >> TILE_LOW_BITS
                                    : at;
}

// Compares every element of an access with the box.
static void compare(struct interpreter *in, MlirOperation op) {
    const struct said *said = said_of(op);
    if (!said || in->trapped) {
        return;
    }
    intptr_t mask = op_kind(in->tiles->bench->ir, op) == OP_LOAD ? 1 : 2;
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
    int64_t index[LAYOUT_MAX_RANK] = {0};
    for (int64_t e = 0; e < type_elements(type); e++) {
        bool inside = true;
        int64_t address = cells_of(in, said->access.base)[0];
        for (int i = 0; i < said->access.offset_count; i++) {
            address += size_value(in, said->access.offsets[i]);
        }
        unflatten(type, e, index);
        for (unsigned n = 0; n < said->access.rank; n++) {
            const struct tile_dim *dim = &said->access.dim[n];
            int64_t at = first_of(in, &said->access, n, index) +
                         (dim->tile_dimension < 0 ? 0 : index[dim->tile_dimension]);
            state.cut += dim->cut;
            inside &= at >= 0 && !(dim->bounded && at >= size_value(in, dim->bound));
            address += at * size_value(in, dim->stride);
        }
        for (int g = 0; g < said->access.guard_count; g++) {
            inside &= cells_of(in, said->access.guards[g])[0] != 0;
        }
        if (wraps_around(in, &said->access, index)) {
            continue;
        }
        bool accessed = mlirOperationGetNumOperands(op) <= mask || operand_cells(in, op, mask)[e];
        if (inside != accessed || (inside && address != operand_cells(in, op, 0)[e])) {
            fail_msg("element %d: box %s %lld, access %s %lld, in\n%s", (int)e, inside ? "at" : "without",
                     (long long)address, accessed ? "at" : "without", (long long)operand_cells(in, op, 0)[e],
                     state.text);
        }
        state.compared++;
    }
}

static void ignore(struct interpreter *in, MlirOperation op) {
    (void)in;
    (void)op;
}

static void note(struct tile_bench *tiles, MlirOperation op) {
    struct said *said = &state.said[state.count];
    *said = (struct said){.op = op};
    if (!tile_access_of(&tiles->affines, op, &said->access) &&
        !tile_access_in_runs(&tiles->affines, op, &said->access)) {
        state.others++;
        return;
    }
    assert_true(++state.count < MAX_ACCESSES);
    state.boxes++;
    state.guarded += said->access.guard_count > 0;
    state.moved += said->access.offset_count > 0;
    said->dead = op_kind(tiles->bench->ir, op) == OP_LOAD;
    bool wraps = false;
    for (unsigned n = 0; n < said->access.rank; n++) {
        const struct tile_dim *dim = &said->access.dim[n];
        state.bounded += dim->bounded && !dim->wrapped;
        state.tested += dim->tests_first;
        state.runs += dim->run > 0;
        state.long_runs += dim->run > 1;
        state.products += dim->stride.parameters[1] >= 0;
        state.quotients += dim->stride.over > 1 || (dim->bounded && dim->bound.over > 1);
        wraps |= dim->wrapped;
        said->dead &= !dim->wrapped || rows_beyond_are_dead(&tiles->affines, op, dim);
    }
    said->dead &= wraps;
    state.wrapped += wraps;
    state.dead += said->dead;
}

// The kernel again, with zeros in the dead rows of one load.
static void expect_same_stores(struct interpreter *in, const struct said *said) {
    static struct interpreter without;
    without = *in;
    without.arena = arena_create();
    without.cells = without.iterations = (struct map){0};
    without.access = ignore;
    without.zeroed = said->op;
    without.zeroed_access = &said->access;
    interpret(&without);
    if (without.stored_count != in->stored_count ||
        memcmp(without.stored, in->stored, sizeof *in->stored * (size_t)in->stored_count) != 0) {
        fail_msg("rows were not dead in\n%s", state.text);
    }
    map_free(&without.cells);
    map_free(&without.iterations);
    arena_destroy(without.arena);
}

static void run_kernel(struct writer *w) {
    static struct interpreter in;
    struct tile_bench tiles = tiles_open(NULL, state.text, "kernel", "cleanup", NULL);
    size_t count;
    MlirOperation *ops = bench_ops(tiles.bench, &count);
    state.count = 0;
    for (size_t i = 0; i < count; i++) {
        enum op_kind kind = op_kind(tiles.bench->ir, ops[i]);
        if (kind == OP_LOAD || kind == OP_STORE) {
            note(&tiles, ops[i]);
        }
    }
    for (int run = 0; run < RUNS && state.count > 0; run++) {
        int64_t arguments[] = {0,
                               0,
                               1 + pick(w, 14),
                               1 + pick(w, 14),
                               4 * (2 + pick(w, 6)),
                               4 * pick(w, 6),
                               (int64_t)pick(w, 12) - 6};
        in = (struct interpreter){.tiles = &tiles,
                                  .arena = arena_create(),
                                  .programs = PROGRAMS,
                                  .program = {pick(w, PROGRAMS), pick(w, PROGRAMS), 0},
                                  .arguments = arguments,
                                  .access = compare};
        interpret(&in);
        for (int i = 0; i < state.count && !in.trapped; i++) {
            if (state.said[i].dead) {
                expect_same_stores(&in, &state.said[i]);
            }
        }
        map_free(&in.cells);
        map_free(&in.iterations);
        arena_destroy(in.arena);
    }
    tiles_close(&tiles);
}

static void test_random_kernels(void **unused) {
    (void)unused;
    struct writer w = {.random = 1};
    for (int i = 0; i < KERNELS; i++) {
        write_kernel(&w);
        state.text = strbuf_text(&w.text);
        run_kernel(&w);
    }
    strbuf_free(&w.text);
    print_message(
        "%u boxes (%u bounds, %u tests, %u guarded, %u wrapped, %u dead, %u moved, %u strides of two "
        "arguments, %u cut, %u quotients, %u in runs, %u of them longer than a row) and %u other accesses\n",
        state.boxes, state.bounded, state.tested, state.guarded, state.wrapped, state.dead, state.moved,
        state.products, state.cut, state.quotients, state.runs, state.long_runs, state.others);
    assert_true(state.boxes > KERNELS / 4 && state.bounded > KERNELS / 8 && state.wrapped > KERNELS / 50 &&
                state.dead > KERNELS / 100 && state.tested > KERNELS / 100 && state.guarded > KERNELS / 100 &&
                state.moved > KERNELS / 50 && state.products > KERNELS / 50 && state.cut > 0 &&
                state.quotients > KERNELS / 50 && state.runs > KERNELS / 50 && state.long_runs > 0);
}

RUN(TEST(test_random_kernels))
