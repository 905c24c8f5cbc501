// Warpgroup products, wgmma.mma_async (PTX ISA 8.4, section 9.7.15). Four warps issue one together; here each
// warp has its own 16 rows of it. A product runs asynchronously, so its issue only checks. Its shared
// operands and registers of A are read when the first of the four warps waits for its group, and a warp's
// registers receive the result at that warp's own wait: as late as the rules allow. An earlier read of the
// result or write to an operand gives wrong numbers, and a report.
//
// In a thread, with g = lane / 4 and t = lane % 4, word i of the result is row g + 8 (i / 2 mod 2), column
// 8 (i / 4) + 2 t + i mod 2, of halves element i, two a word; word j of A, of e elements, is row g + 8 (j mod 2), columns from 4e (j / 2) + e t.
// Products are exact, summed in double, and added to the accumulator in one rounding.
#include "emulator/nvidia/wgmma.h"

#include <stdlib.h>

#include "emulator/execute/execute.h"
#include "emulator/memory/memory.h"
#include "emulator/number/number.h"
#include "emulator/nvidia/nvidia.h"
#include "emulator/report/report.h"
#include "support/memory.h"

enum { NO_RESULT = 0xff }; // fills registers a product has yet to write

static uint32_t slot_of(const struct warp *warp, uint32_t reg) {
    return warp->kernel->slots[reg / SLOT_UNIT]; // plus 1; 0: none
}

static uint32_t word_bytes(const struct warp *warp) {
    return 4u * warp->lanes;
}

// ---- issue ----

// All lanes of four warps of an aligned group take part.
static bool is_together(struct warp *warp, const struct instr *in) {
    if (collective_check(warp, in, warp->full) && warp->full == mask_of(32)) {
        if (warp->index / WARPGROUP * WARPGROUP + (unsigned)WARPGROUP <= warp->block->warp_count) {
            return true;
        }
        report_at(warp, in, 0, FAULT_WARPGROUP, NULL, NULL,
                  "warp %u multiplies with its warpgroup, which has only %u of 4 warps", warp->index,
                  warp->block->warp_count % WARPGROUP);
    }
    warp->state = WARP_FAULT;
    return false;
}

static bool uniform_word(struct warp *warp, const struct instr *in, unsigned index, uint64_t *bits) {
    const uint64_t *values = operand(warp, in, index);
    *bits = values[0];
    for (unsigned lane = 1; lane < warp->lanes; lane++) {
        if (values[lane] == *bits) {
            continue;
        }
        report_at(warp, in, lane, FAULT_DESCRIPTOR, NULL, NULL,
                  "lanes 0 and %u give different matrix descriptors, 0x%016llx and 0x%016llx", lane,
                  (unsigned long long)*bits, (unsigned long long)values[lane]);
        return false;
    }
    return true;
}

// The accumulate predicate of an instruction: do not accumulate if the operand is 0.
static bool take_predicate(struct warp *warp, struct product *product, const struct wgmma_form *form) {
    const uint32_t *words = form->asks ? operand(warp, product->in, form->first_b + 1u) : NULL;
    for (unsigned lane = 1; lane < warp->lanes && words; lane++) {
        if (!words[lane] != !words[0]) {
            report_at(warp, product->in, lane, FAULT_WARPGROUP, NULL, NULL,
                      "lanes 0 and %u do not agree whether the product is added to its accumulator", lane);
            return false;
        }
    }
    product->fresh = words && !words[0];
    return true;
}

// The warps of a group must issue the same products in the same order; the first warp sets it.
static bool same_as_others(struct warp *warp, const struct product *product) {
    struct warpgroup *group = &warp->block->warpgroups[warp->index / WARPGROUP];
    if (group->count == 0) {
        group->first = product->number;
    }
    uint32_t at = product->number - group->first;
    struct issue issue = {product->in, product->a, product->b, product->fresh};
    if (at == group->count) {
        group->issues = memory_grown(group->issues, group->count, &group->capacity, sizeof *group->issues);
        group->issues[group->count++] = issue;
    } else if (group->issues[at].in != issue.in || group->issues[at].a != issue.a ||
               group->issues[at].b != issue.b || group->issues[at].fresh != issue.fresh) {
        report_at(warp, product->in, 0, FAULT_WARPGROUP, group->issues[at].in, "multiplies",
                  "the warps of a warpgroup issue different products: number %u of warp %u", product->number,
                  warp->index);
        return false;
    }
    // Removes entries issued by every warp.
    const struct warp *warps = &warp->block->warps[warp->index / WARPGROUP * WARPGROUP];
    uint32_t all = product->number;
    for (unsigned i = 0; i < WARPGROUP; i++) {
        if (&warps[i] != warp) {
            all = warps[i].issued < all ? warps[i].issued : all;
        }
    }
    if (all + 1 == group->first + group->count) {
        group->count = 0;
    }
    return true;
}

// Registers written by another instruction must have passed a wgmma.fence.
static bool check_fence(struct warp *warp, const struct instr *in, uint32_t slot, const char *what) {
    if (warp->flights[slot].touched < warp->fenced) {
        return true;
    }
    report_at(warp, in, 0, FAULT_PRODUCT, NULL, NULL,
              "%s was written after the last wgmma.fence; fence registers before they are multiplied", what);
    return false;
}

static bool check_first_fence(struct warp *warp, const struct instr *in) {
    if (warp->fenced) {
        return true;
    }
    report_at(warp, in, 0, FAULT_PRODUCT, NULL, NULL, "multiplies with no wgmma.fence before");
    return false;
}

static struct product *find_product(const struct warp *warp, uint32_t number) {
    for (unsigned i = 0; i < warp->product_count; i++) {
        if (warp->products[i].number == number) {
            return &warp->products[i];
        }
    }
    return NULL;
}

// True if accumulator word `index` continues word `index` of a product of the same shape.
static bool continues(struct warp *warp, const struct product *product, uint32_t number, uint32_t element,
                      unsigned index) {
    const struct wgmma_form *form = product->in->extra;
    const struct product *before = find_product(warp, number);
    const struct wgmma_form *other = before->in->extra;
    if (other->words == form->words && other->result == form->result && element == index &&
        (index == 0 || product->previous == number)) {
        return true;
    }
    report_at(warp, product->in, 0, FAULT_PRODUCT, before->in, "multiplies",
              "adds to word %u of an accumulator that is under way in another shape or place; "
              "wgmma.wait_group must cover it first",
              index);
    return false;
}

// Sets the accumulator: the result of a product in flight, or the registers' values.
static bool take_accumulator(struct warp *warp, struct product *product, const struct wgmma_form *form) {
    const struct instr *in = product->in;
    if (product->fresh) {
        memset(product->values, 0, (size_t)form->words * word_bytes(warp));
    }
    for (unsigned i = 0; i < form->words && form->accumulate && !product->fresh; i++) {
        uint32_t slot = slot_of(warp, in->operands[i].reg);
        memcpy(product->values + (size_t)i * warp->lanes, operand(warp, in, i), word_bytes(warp));
        if (!slot) { // a constant
            continue;
        }
        const struct flight *flight = &warp->flights[slot - 1];
        bool under_way = flight->product > warp->landed;
        if (under_way ? !continues(warp, product, flight->product, flight->element, i)
                      : !check_fence(warp, in, slot - 1, "an accumulator")) {
            return false;
        }
        if (i == 0 && under_way) {
            product->previous = flight->product;
        }
    }
    const struct product *before = find_product(warp, product->previous);
    if (before && before->done) {
        memcpy(product->values, before->values, (size_t)form->words * word_bytes(warp));
    }
    return true;
}

static bool check_a(struct warp *warp, const struct product *product, const struct wgmma_form *form) {
    for (unsigned i = form->first_a; i < form->first_b && form->a_in_registers; i++) {
        uint32_t slot = slot_of(warp, product->in->operands[i].reg);
        if (!slot) {
            continue;
        }
        struct flight *flight = &warp->flights[slot - 1];
        if (flight->product > warp->landed && !flight_check_read(warp, product->in, slot - 1)) {
            return false;
        }
        if (!check_fence(warp, product->in, slot - 1, "a register of A")) {
            return false;
        }
        flight->reader = product->number;
    }
    return true;
}

static bool hold_operands(struct warp *warp, const struct product *product, const struct wgmma_form *form) {
    struct shared_operand operand;
    for (int is_b = form->a_in_registers; is_b < 2; is_b++) {
        if (!product_operand(warp, product, is_b, &operand)) {
            return false;
        }
        for (unsigned i = 0; i < operand.chunk_count && warp->block->shadow; i++) {
            shadow_hold(warp, product->in, LANE_ALL, operand.chunks[i]);
        }
    }
    return true;
}

static struct product *new_product(struct warp *warp, const struct instr *in) {
    if (warp->product_count == warp->product_capacity) {
        unsigned capacity = warp->product_capacity * 2 + 8;
        warp->products = realloc(warp->products, sizeof *warp->products * capacity);
        memset(warp->products + warp->product_capacity, 0,
               sizeof *warp->products * (capacity - warp->product_capacity));
        warp->product_capacity = capacity;
    }
    struct product *product = &warp->products[warp->product_count++];
    uint32_t *values = product->values;
    if (!values) {
        values = malloc((size_t)OPERAND_ROWS / 2 * MAX_LANES * sizeof *values);
    }
    *product =
        (struct product){.number = ++warp->issued, .group = warp->product_groups, .in = in, .values = values};
    return product;
}

void exec_wgmma(struct warp *warp, const struct instr *in, void *dst) {
    const struct wgmma_form *form = in->extra;
    if (!is_together(warp, in)) {
        return;
    }
    struct product *product = new_product(warp, in);
    product->reads = form->load_count ? warp->read_count : 0;
    if (!(form->a_in_registers || uniform_word(warp, in, form->first_a, &product->a)) ||
        !uniform_word(warp, in, form->first_b, &product->b) || !take_predicate(warp, product, form) ||
        !same_as_others(warp, product) || !check_first_fence(warp, in) ||
        !take_accumulator(warp, product, form) || !check_a(warp, product, form) ||
        !hold_operands(warp, product, form)) {
        warp->state = WARP_FAULT;
        return;
    }
    memset(dst, NO_RESULT, (size_t)form->words * word_bytes(warp));
    for (unsigned i = 0; i < form->words; i++) {
        warp->flights[slot_of(warp, in->dst + i * word_bytes(warp)) - 1] =
            (struct flight){.product = product->number, .element = i};
    }
    warp->statistics.matrix_operations += 2u * WARP_ROWS * form->columns * form->depth;
}

// ---- landing ----

static unsigned agent_of(const struct warp *warp) {
    return AGENT_PRODUCTS + warp->index / WARPGROUP;
}

static void a_numbers(const struct warp *warp, const struct product *product, const struct wgmma_form *form,
                      double *numbers) {
    unsigned bits = matrix_bits(form->a), elements = 32 / bits;
    for (unsigned j = 0; j + form->first_a < form->first_b; j++) {
        const uint32_t *words = operand(warp, product->in, form->first_a + j);
        for (unsigned lane = 0; lane < 32; lane++) {
            unsigned row = lane / 4 + 8 * (j % 2), k = 4 * elements * (j / 2) + elements * (lane % 4);
            for (unsigned i = 0; i < elements; i++) {
                numbers[(k + i) * WARP_ROWS + row] =
                    matrix_number(form->a, words[lane] >> i * bits & (~0u >> (32 - bits)));
            }
        }
    }
}

static void release_operands(struct warp *warp, const struct product *product,
                             const struct wgmma_form *form) {
    struct shared_operand operand;
    for (int is_b = form->a_in_registers; is_b < 2 && warp->block->shadow; is_b++) {
        product_operand(warp, product, is_b, &operand);
        for (unsigned i = 0; i < operand.chunk_count; i++) {
            shadow_release(warp, product->in, agent_of(warp), product->number, 0, operand.chunks[i]);
        }
    }
}

static void add_to_half(const struct wgmma_form *form, uint32_t *word, unsigned shift, double sum) {
    uint16_t before = (uint16_t)(*word >> shift);
    uint16_t half = half_from_float(float_to_odd(sum + (form->accumulate ? half_to_float(before) : 0)));
    *word = (*word & ~(0xffffu << shift)) | (uint32_t)half << shift;
}

static void add_to(const struct wgmma_form *form, uint32_t *word, double sum) {
    if (form->result == MATRIX_S32) {
        *word = (uint32_t)(uint64_t)(int64_t)(sum + (form->accumulate ? (int32_t)*word : 0));
    } else {
        *word = float_bits((float)(sum + (form->accumulate ? float_from_bits(*word) : 0)));
    }
}

static void multiply(struct warp *warp, struct product *product, const struct wgmma_form *form,
                     const double *b) {
    double a[WARP_ROWS * MOST_DEPTH], sum[OPERAND_ROWS];
    struct shared_operand operand;
    if (form->a_in_registers) {
        a_numbers(warp, product, form, a);
    } else if (product_operand(warp, product, false, &operand)) {
        operand_numbers(warp, &operand, form->a, a);
    }
    unsigned columns = form->columns;
    for (unsigned row = 0; row < WARP_ROWS; row++) {
        memset(sum, 0, sizeof *sum * columns);
        for (unsigned k = 0; k < form->depth; k++) {
            double factor = a[k * WARP_ROWS + row];
            const double *line = b + (size_t)k * columns;
            for (unsigned column = 0; column < columns; column++) {
                sum[column] += factor * line[column];
            }
        }
        for (unsigned column = 0; column < columns; column++) {
            unsigned element = column / 8 * 4 + row / 8 * 2 + column % 2;
            bool halves = form->result == MATRIX_F16;
            uint32_t *words = product->values + (size_t)(halves ? element / 2 : element) * warp->lanes;
            uint32_t *word = words + row % 8 * 4 + column % 8 / 2;
            if (halves) {
                add_to_half(form, word, 16 * (column % 2), sum[column]);
            } else {
                add_to(form, word, sum[column]);
            }
        }
    }
}

// Computes this warp's part of a product; its accumulator is complete. `b` is the same for the whole
// warpgroup.
static void complete(struct warp *warp, struct product *product, const double *b) {
    const struct wgmma_form *form = product->in->extra;
    multiply(warp, product, form, b);
    release_operands(warp, product, form);
    for (unsigned i = 0; i < warp->product_count; i++) {
        if (warp->products[i].previous == product->number) {
            memcpy(warp->products[i].values, product->values, (size_t)form->words * word_bytes(warp));
        }
    }
    product->done = true;
}

// The warpgroup's parts of one of this warp's products; those before it are complete.
static void complete_all(struct warp *warp, const struct product *product) {
    static _Thread_local double b[OPERAND_ROWS * MOST_DEPTH];
    const struct wgmma_form *form = product->in->extra;
    struct warp *warps = &warp->block->warps[warp->index / WARPGROUP * WARPGROUP];
    struct shared_operand operand;
    if (product->done) {
        return;
    }
    if (product_operand(warp, product, true, &operand)) {
        operand_numbers(warp, &operand, form->b, b);
    }
    for (unsigned i = 0; i < WARPGROUP; i++) {
        complete(&warps[i], find_product(&warps[i], product->number), b);
    }
}

// Writes the result to every register waiting for it.
static void deliver(struct warp *warp, const struct product *product) {
    const struct kernel *kernel = warp->kernel;
    for (uint32_t slot = 0; slot < kernel->slot_count; slot++) {
        if (warp->flights[slot].product == product->number) {
            memcpy(warp->registers + kernel->slot_registers[slot],
                   product->values + (size_t)warp->flights[slot].element * warp->lanes, word_bytes(warp));
        }
    }
}

// Takes the first products off the list; their memory is used again.
static void remove_first(struct warp *warp, unsigned count) {
    for (unsigned i = 0; i + count < warp->product_count; i++) {
        struct product landed = warp->products[i];
        warp->products[i] = warp->products[i + count];
        warp->products[i + count] = landed;
    }
    warp->product_count -= count;
}

// All products up to `number` land: the whole warpgroup's parts are computed, this warp's are delivered.
static void land(struct warp *warp, uint32_t number) {
    unsigned landed = 0;
    while (landed < warp->product_count && warp->products[landed].number <= number) {
        complete_all(warp, &warp->products[landed]);
        const struct product *product = &warp->products[landed++];
        deliver(warp, product);
        const struct wgmma_form *form = product->in->extra;
        if (product->reads && reads_close(warp, form->loads, form->load_count, product->reads)) {
            order_reads_over(warp);
        }
    }
    remove_first(warp, landed);
    warp->landed = number;
    if (warp->view.seen[agent_of(warp)] <= number) {
        warp->view.seen[agent_of(warp)] = number + 1;
    }
}

// ---- order ----

// Operands become the results, through a fence or a wait. Products in flight stay in flight.
static void pass_through(struct warp *warp, const struct instr *in, void *dst) {
    for (unsigned i = 0; i < in->operand_count; i++) {
        uint32_t to = slot_of(warp, in->dst + i * word_bytes(warp));
        uint32_t from = slot_of(warp, in->operands[i].reg);
        memcpy((uint8_t *)dst + (size_t)i * word_bytes(warp), operand(warp, in, i), word_bytes(warp));
        if (from) {
            flight_copy(warp, to - 1, from - 1);
        } else {
            warp->flights[to - 1] = (struct flight){0};
        }
    }
}

void exec_wgmma_fence(struct warp *warp, const struct instr *in, void *dst) {
    if (!is_together(warp, in)) {
        return;
    }
    warp->fenced = ++warp->moment;
    pass_through(warp, in, dst);
}

void exec_wgmma_commit(struct warp *warp, const struct instr *in, void *dst) {
    (void)dst;
    if (is_together(warp, in)) {
        warp->product_groups++;
    }
}

// The last product covered by a wait for all but `pending` groups; 0: none.
static uint32_t last_covered(const struct warp *warp, int64_t pending) {
    uint32_t last = 0;
    for (unsigned i = 0; i < warp->product_count; i++) {
        if ((int64_t)warp->product_groups - warp->products[i].group > pending) {
            last = warp->products[i].number;
        }
    }
    return last;
}

// A product is the whole warpgroup's: it is complete when all four warps have issued it.
static const struct warp *warp_behind(const struct warp *warp, uint32_t number) {
    const struct warp *warps = &warp->block->warps[warp->index / WARPGROUP * WARPGROUP];
    for (unsigned i = 0; i < WARPGROUP; i++) {
        if (warps[i].issued < number) {
            return &warps[i];
        }
    }
    return NULL;
}

static bool all_have_issued(const struct warp *warp) {
    return !warp_behind(warp, warp->awaited);
}

static void describe_issue(const struct warp *warp, struct strbuf *out) {
    const struct warp *behind = warp_behind(warp, warp->awaited);
    strbuf_printf(out, " for product %u of its warpgroup, of which warp %u has issued %u", warp->awaited,
                  behind ? behind->index : warp->index, behind ? behind->issued : warp->issued);
}

uint32_t *flight_begin(struct warp *warp, const struct instr *in, void *dst, unsigned words) {
    struct product *product = new_product(warp, in);
    product->done = true;
    memset(dst, NO_RESULT, (size_t)words * word_bytes(warp));
    for (unsigned i = 0; i < words; i++) {
        warp->flights[slot_of(warp, in->dst + i * word_bytes(warp)) - 1] =
            (struct flight){.product = product->number, .element = i};
    }
    return product->values;
}

void flight_end_all(struct warp *warp) {
    land(warp, warp->issued);
}

void flight_pass_through(struct warp *warp, const struct instr *in, void *dst) {
    pass_through(warp, in, dst);
}

// Waits until at most `immediate` groups are under way; operands pass through.
void exec_wgmma_wait(struct warp *warp, const struct instr *in, void *dst) {
    static const struct wait issues = {all_have_issued, describe_issue};
    if (!is_together(warp, in)) {
        return;
    }
    warp->awaited = last_covered(warp, in->immediate);
    if (!all_have_issued(warp)) {
        warp_poll(warp, &issues);
        return;
    }
    if (warp->awaited) {
        land(warp, warp->awaited);
    }
    pass_through(warp, in, dst);
}
