// The table of the launches' counters (lower_launch.c) under launches that overlap: the very assembly of asm.def runs here, an instruction of
// one block at a time and the next block drawn, for blocks of several launches whose numbers begin at the same places of the table. The emulator
// runs launches one by one, so it has no table.
//
// Each launch does each of its programs once; when all launches have ended the table is as it was. The model of memory is the
// simplest one, a single order of all accesses. Planted faults change the assembly, and each must be seen.
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/asm.h"

enum {
    PLACES = 1024,
    STREAMS = 6,   // a launch each at a time
    LAUNCHES = 18, // one stream has every sixth
    MOST_BLOCKS = 7,
    MOST_PROGRAMS = 24,
    NAMES = 16,
    WORD = 16,
    INSTRUCTIONS = 48,
    STEPS = 400000,
};
static const uint64_t TABLE = UINT64_C(0x7f0000000000);

// ---- a reader of the assembly ----

struct line {
    char label[WORD], predicate[WORD], opcode[48], operand[4][32];
    bool unless; // the predicate is negated
};

struct snippet {
    struct line lines[INSTRUCTIONS];
    unsigned count;
};

// Opcode, predicate and operands of one statement, which is changed.
static void read_statement(char *text, struct line *line) {
    if (*text == '@') {
        line->unless = text[1] == '!';
        text += 1 + line->unless;
        size_t length = strcspn(text, " ");
        snprintf(line->predicate, WORD, "%.*s", (int)length, text);
        text += length + 1;
    }
    size_t length = strcspn(text, " ");
    snprintf(line->opcode, sizeof line->opcode, "%.*s", (int)length, text);
    text += length;
    for (unsigned i = 0; i < 4 && *text; i++) {
        text += strspn(text, ", ");
        size_t end = strcspn(text, ",");
        snprintf(line->operand[i], sizeof line->operand[i], "%.*s", (int)end, text);
        text += end;
    }
}

// FROM, if any, becomes TO first.
static void read_snippet(enum asm_id id, const char *from, const char *to, struct snippet *snippet) {
    char text[2048];
    const char *whole = asm_table[id].text, *found = from ? strstr(whole, from) : NULL;
    if (found) {
        snprintf(text, sizeof text, "%.*s%s%s", (int)(found - whole), whole, to, found + strlen(from));
    } else {
        snprintf(text, sizeof text, "%s", whole);
    }
    memset(snippet, 0, sizeof *snippet);
    for (char *at = strtok(text, ";"); at; at = strtok(NULL, ";")) {
        struct line *line = &snippet->lines[snippet->count];
        at += strspn(at, "{ ");
        char *colon = strstr(at, ": ");
        if (colon) {
            snprintf(line->label, WORD, "%.*s", (int)(colon - at), at);
            at = colon + strspn(colon, ": ");
        }
        if (*at && *at != '.' && *at != '}') {
            read_statement(at, line);
        }
        assert_true(snippet->count + 1 < INSTRUCTIONS);
        snippet->count += *at && *at != '.';
    }
}

// ---- a block ----

struct block {
    struct launch *launch;
    enum { WAITS, LOOKS, JOINS, TAKES, LEAVES, ENDED } stage;
    bool first;            // of the block's programs
    uint32_t program, end; // of the programs taken last
    uint64_t word, counter;
    unsigned line; // of the stage's snippet
    struct {
        char name[WORD];
        uint64_t value;
    } registers[NAMES];
    unsigned count;
};

struct launch {
    uint64_t owner;
    uint32_t all, takers, block_count, ended;
    bool begun;
    struct block blocks[MOST_BLOCKS];
    unsigned done[MOST_PROGRAMS];
};

struct machine {
    uint64_t table[PLACES][2], random;
    struct snippet snippets[ENDED];
    struct launch launches[LAUNCHES];
    unsigned moved;    // blocks that found their counter beyond the launch's first place
    const char *wrong; // NULL: nothing yet
};

static uint64_t *register_of(struct block *block, const char *name) {
    size_t length = strcspn(name, " ]");
    for (unsigned i = 0; i < block->count; i++) {
        if (strlen(block->registers[i].name) == length && !strncmp(block->registers[i].name, name, length)) {
            return &block->registers[i].value;
        }
    }
    assert_true(block->count < NAMES);
    snprintf(block->registers[block->count].name, WORD, "%.*s", (int)length, name);
    block->registers[block->count].value = 0;
    return &block->registers[block->count++].value;
}

static uint64_t value_of(struct block *block, const char *text) {
    return *text >= '0' && *text <= '9' ? strtoull(text, NULL, 0) : *register_of(block, text);
}

// "[place]" or "[place + 8]"; NULL: outside the table.
static uint64_t *memory_of(struct machine *machine, struct block *block, const char *text) {
    static uint64_t nowhere;
    const char *plus = strchr(text, '+');
    uint64_t at = value_of(block, text + 1) - TABLE + (plus ? strtoull(plus + 1, NULL, 0) : 0);
    if (at >= sizeof machine->table || at % sizeof(uint64_t)) {
        machine->wrong = "an access outside the table";
        return &nowhere;
    }
    return &machine->table[0][0] + at / sizeof(uint64_t);
}

static unsigned line_of(const struct snippet *snippet, const char *label) {
    for (unsigned i = 0; i < snippet->count; i++) {
        if (!strcmp(snippet->lines[i].label, label)) {
            return i;
        }
    }
    fail_msg("no label %s", label);
    return 0;
}

static bool is(const struct line *line, const char *start, const char *end) {
    size_t length = strlen(line->opcode), tail = strlen(end);
    return !strncmp(line->opcode, start, strlen(start)) && length >= tail &&
           !strcmp(line->opcode + length - tail, end);
}

// Atomic accesses and stores. False: the line is none.
static bool run_access(struct machine *machine, struct block *block, const struct line *line) {
    const char(*o)[32] = line->operand;
    if (is(line, "atom.", "gpu.global.cas.b64")) {
        uint64_t *at = memory_of(machine, block, o[1]), old = *at;
        *at = old == value_of(block, o[2]) ? value_of(block, o[3]) : old;
        *register_of(block, o[0]) = old;
    } else if (is(line, "atom.", "gpu.global.add.u64")) {
        uint64_t *at = memory_of(machine, block, o[1]), old = *at;
        *at = old + value_of(block, o[2]);
        *register_of(block, o[0]) = old;
    } else if (is(line, "red.", "gpu.global.add.u64")) {
        *memory_of(machine, block, o[0]) += value_of(block, o[1]);
    } else if (is(line, "st.", "gpu.global.u64")) {
        *memory_of(machine, block, o[0]) = value_of(block, o[1]);
    } else {
        return false;
    }
    return true;
}

static void run_arithmetic(struct block *block, const struct line *line) {
    uint64_t a = value_of(block, line->operand[1]);
    uint64_t b = *line->operand[2] ? value_of(block, line->operand[2]) : 0;
    uint64_t *result = register_of(block, line->operand[0]);
    if (is(line, "mov.", "64")) {
        *result = a;
    } else if (is(line, "neg.", "s64")) {
        *result = 0 - a;
    } else if (is(line, "add.", "u64")) {
        *result = a + b;
    } else if (is(line, "sub.", "u64")) {
        *result = a - b;
    } else if (is(line, "and.", "b64")) {
        *result = a & b;
    } else if (is(line, "shl.", "b64")) {
        *result = a << b;
    } else if (is(line, "setp.eq.", "u64")) {
        *result = a == b;
    } else if (is(line, "shr.", "b64")) {
        *result = a >> b;
    } else if (is(line, "setp.ne.", "u64")) {
        *result = a != b;
    } else if (is(line, "setp.ge.", "u64")) {
        *result = a >= b;
    } else {
        fail_msg("the test does not know %s", line->opcode);
    }
}

// Runs the block's next line of the snippet. True: it was the last one.
static bool run_line(struct machine *machine, struct block *block, const struct snippet *snippet) {
    const struct line *line = &snippet->lines[block->line++];
    bool runs = !*line->predicate || (value_of(block, line->predicate) != 0) != line->unless;
    if (runs && !strcmp(line->opcode, "bra")) {
        block->line = line_of(snippet, line->operand[0]);
    } else if (runs && !strcmp(line->opcode, "trap")) {
        machine->wrong = "a block finds no place";
    } else if (runs && *line->opcode && !run_access(machine, block, line)) {
        run_arithmetic(block, line);
    }
    return block->line == snippet->count;
}

// Begins a snippet with these operands; its results are behind them, and 0.
static void begin(struct block *block, int stage, unsigned from, unsigned count, const uint64_t *operands) {
    block->stage = stage;
    block->line = block->count = 0;
    for (unsigned i = 0; i < count; i++) {
        char name[WORD];
        snprintf(name, WORD, "$%u", from + i);
        *register_of(block, name) = operands[i];
    }
}

static uint64_t draw(struct machine *machine, uint64_t below) {
    machine->random = machine->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (machine->random >> 33) % below;
}

static void begin_leaves(struct block *block) {
    const struct launch *launch = block->launch;
    begin(block, LEAVES, 0, 4, (uint64_t[]){TABLE, launch->owner, block->counter, launch->takers});
}

// What lower_launch.c and launch_counter.c do between the snippets: one to four programs are taken, and done one behind the other.
static void next_stage(struct machine *machine, struct block *block) {
    struct launch *launch = block->launch;
    uint64_t home = TABLE + launch->owner % PLACES * 16;
    uint64_t result = block->stage == WAITS ? 0 : *register_of(block, "$0");
    switch (block->stage) {
    case WAITS:
        for (uint32_t p = block->program; p < block->end && p < launch->all; p++) {
            launch->done[p]++;
        }
        if (block->end > launch->all) {
            begin_leaves(block);
            break;
        }
        begin(block, LOOKS, 1, 3, (uint64_t[]){home, launch->owner, block->first});
        break;
    case LOOKS:
        block->word = result;
        begin(block, JOINS, 1, 4, (uint64_t[]){TABLE, launch->owner, result, block->first});
        break;
    case JOINS:
        block->counter = block->first ? result : block->counter;
        block->first = false;
        machine->moved += block->counter != home;
        block->end = 1 + (uint32_t)draw(machine, 4);
        begin(block, TAKES, 1, 2, (uint64_t[]){block->counter, block->end});
        break;
    case TAKES:
        block->program = (uint32_t)result + launch->takers;
        block->end += block->program;
        block->stage = WAITS;
        if (block->program >= launch->all) {
            begin_leaves(block);
        }
        break;
    default:
        block->stage = ENDED;
        launch->ended++;
    }
}

// ---- runs ----

struct plant {
    enum asm_id id;
    const char *from, *to;
};

// The launches' numbers lead to the table's last places, so that searches go round.
static void prepare(struct machine *machine, const struct plant *plant, uint64_t seed) {
    static const enum asm_id ids[ENDED] = {[LOOKS] = ASM_LAUNCH_LOOK,
                                           [JOINS] = ASM_LAUNCH_JOIN,
                                           [TAKES] = ASM_LAUNCH_TAKE,
                                           [LEAVES] = ASM_LAUNCH_LEAVE};
    memset(machine, 0, sizeof *machine);
    machine->random = seed;
    for (int stage = LOOKS; stage < ENDED; stage++) {
        bool planted = plant && plant->id == ids[stage];
        read_snippet(ids[stage], planted ? plant->from : NULL, planted ? plant->to : NULL,
                     &machine->snippets[stage]);
    }
    for (unsigned i = 0; i < LAUNCHES; i++) {
        struct launch *launch = &machine->launches[i];
        uint32_t blocks = 1 + (uint32_t)draw(machine, MOST_BLOCKS);
        launch->owner = (uint64_t)(i + 1) * PLACES - 1 - draw(machine, 2);
        launch->all = 1 + (uint32_t)draw(machine, MOST_PROGRAMS);
        launch->takers = launch->block_count = blocks < launch->all ? blocks : launch->all;
        for (uint32_t b = 0; b < launch->block_count; b++) {
            launch->blocks[b] = (struct block){.launch = launch, .first = true, .program = b, .end = b + 1};
        }
    }
}

// The launch under way of a stream; NULL: all have ended.
static struct launch *launch_of(struct machine *machine, unsigned stream) {
    for (unsigned i = stream; i < LAUNCHES; i += STREAMS) {
        if (machine->launches[i].ended < machine->launches[i].block_count) {
            return &machine->launches[i];
        }
    }
    return NULL;
}

// A step of one block of one stream. False: nothing is left to do.
static bool step(struct machine *machine) {
    struct launch *launch = NULL;
    unsigned stream = (unsigned)draw(machine, STREAMS);
    for (unsigned i = 0; i < STREAMS && !launch; i++) {
        launch = launch_of(machine, (stream + i) % STREAMS);
    }
    if (!launch) {
        return false;
    }
    struct block *block = &launch->blocks[draw(machine, launch->block_count)];
    bool begins = block->stage == WAITS && draw(machine, 8) == 0; // a program takes its time
    bool runs = block->stage != WAITS && block->stage != ENDED;
    if (begins || (runs && run_line(machine, block, &machine->snippets[block->stage]))) {
        next_stage(machine, block);
    }
    return true;
}

static void judge(struct machine *machine) {
    for (unsigned i = 0; i < LAUNCHES; i++) {
        for (uint32_t p = 0; p < MOST_PROGRAMS; p++) {
            if (machine->launches[i].done[p] != (p < machine->launches[i].all)) {
                machine->wrong = "a program is not done once";
            }
        }
    }
    for (unsigned i = 0; i < PLACES; i++) {
        if (machine->table[i][0] || machine->table[i][1]) {
            machine->wrong = "a place is not given back";
        }
    }
}

// All launches. -> what was wrong, or NULL
static const char *run(struct machine *machine, const struct plant *plant, uint64_t seed) {
    prepare(machine, plant, seed);
    unsigned steps = 0;
    while (!machine->wrong && steps < STEPS && step(machine)) {
        steps++;
    }
    if (!machine->wrong && steps == STEPS) {
        machine->wrong = "the launches do not end";
    } else if (!machine->wrong) {
        judge(machine);
    }
    return machine->wrong;
}

static void test_overlapping(void **state) {
    (void)state;
    struct machine *machine = malloc(sizeof *machine);
    unsigned moved = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const char *wrong = run(machine, NULL, seed);
        moved += machine->moved;
        if (wrong) {
            fail_msg("seed %llu: %s", (unsigned long long)seed, wrong);
        }
    }
    assert_true(moved > 1000); // takes from a place that was not the launch's first
    free(machine);
}

static void test_faults(void **state) {
    (void)state;
    static const struct plant plants[] = {
        {ASM_LAUNCH_JOIN, "add.u64 more, word, 0x100000000000",
         "mov.u64 more, word"},                                           // passes are not counted
        {ASM_LAUNCH_JOIN, "@is bra next; bra look;", "bra next;"},        // nor those that collide
        {ASM_LAUNCH_JOIN, "setp.eq.u64 is, owner, $2; @is bra out;", ""}, // its own place is another's
        {ASM_LAUNCH_LEAVE, "st.relaxed.gpu.global.u64 [$2 + 8], 0;", ""},
        {ASM_LAUNCH_LEAVE, "red.relaxed.gpu.global.add.u64 [place], passed; add", "add"},
        {ASM_LAUNCH_LEAVE, "neg.s64 passed, $1;", "mov.u64 passed, 0;"},
        {ASM_LAUNCH_LEAVE, "setp.ne.u64 is, left, $3;", "setp.eq.u64 is, left, 0;"}, // not by the last block
        {ASM_LAUNCH_TAKE, "add.u64 $0, [$1 + 8], $2", "add.u64 $0, [$1 + 8], 1"},
    };
    struct machine *machine = malloc(sizeof *machine);
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        const char *wrong = NULL;
        assert_non_null(strstr(asm_table[plants[i].id].text, plants[i].from));
        for (uint64_t seed = 0; seed < 20 && !wrong; seed++) {
            wrong = run(machine, &plants[i], seed);
        }
        if (!wrong) {
            fail_msg("planted fault %zu is not seen", i);
        }
    }
    free(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_overlapping), cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
