// tkc-diff: distances, and registers with the same values, place by place.
#include "testing.h"
#include "tools/tkc-diff/diff.h"

// ---- distance ----

static size_t distance(const char *before, const char *after) {
    uint32_t old[64], new[64];
    for (size_t i = 0; before[i]; i++) {
        old[i] = (uint32_t)before[i];
    }
    for (size_t i = 0; after[i]; i++) {
        new[i] = (uint32_t)after[i];
    }
    return edit_distance(old, strlen(before), new, strlen(after));
}

static void distances(void **state) {
    assert_int_equal(distance("", ""), 0);
    assert_int_equal(distance("abc", "abc"), 0);
    assert_int_equal(distance("abc", ""), 3);
    assert_int_equal(distance("", "ab"), 2);
    assert_int_equal(distance("abcabba", "cbabac"), 5); // the example of Myers' paper
    assert_int_equal(distance("abcdef", "defabc"), 6);
    assert_int_equal(distance("xaxbxc", "axbxcx"), 2);
}

// ---- wiring: "w1r2r3" writes register 1 and reads 2 and 3; "j4" jumps to instruction 4, "b4" may go there, "e" ends ----

enum { MOST = 16, REGISTERS = 32 };

struct program {
    struct kernel kernel;
    struct instruction code[MOST];
    struct operand operands[MOST][MOST];
};

static struct kernel *program(struct program *p, bool physical, const char *const *lines) {
    memset(p, 0, sizeof *p);
    p->kernel.code = p->code;
    p->kernel.physical = physical;
    p->kernel.register_count = REGISTERS;
    for (; *lines; lines++) {
        struct instruction *instruction = &p->code[p->kernel.count];
        *instruction = (struct instruction){.target = -1, .operands = p->operands[p->kernel.count++]};
        for (const char *c = *lines; *c; c++) {
            char *end = (char *)c;
            uint32_t number = *c == 'e' ? 0 : (uint32_t)strtoul(c + 1, &end, 10);
            if (*c == 'w' || *c == 'r') {
                instruction->operands[instruction->operand_count++] =
                    (struct operand){number, 1, *c == 'w' ? ROLE_WRITTEN : ROLE_READ};
            } else {
                instruction->kind = INSTRUCTION_BRANCH;
                instruction->ends = *c != 'b';
                instruction->target = *c == 'e' ? -1 : (int32_t)number;
            }
            c = end > c ? end - 1 : c;
        }
    }
    return &p->kernel;
}

static size_t differences(bool physical, const char *const *old, const char *const *new) {
    static struct program before, after;
    return wiring_differences(program(&before, physical, old), program(&after, physical, new));
}
#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void renamed_registers(void **state) {
    for (unsigned physical = 0; physical < 2; physical++) {
        assert_int_equal(differences(physical, LINES("w1", "w2", "w3r1r2"), LINES("w7", "w4", "w1r7r4")), 0);
        assert_int_equal(differences(physical, LINES("w1", "w2", "w3r1r2"), LINES("w7", "w4", "w1r4r7")), 1);
        assert_int_equal(differences(physical, LINES("w1", "w2", "r1"), LINES("w1", "w1", "r1")), 1);
    }
    // An argument is in the same register.
    assert_int_equal(differences(true, LINES("w1r2"), LINES("w1r3")), 1);
}

// A physical register has many values in turn, in other registers on the other side.
static void values_in_turn(void **state) {
    assert_int_equal(differences(true, LINES("w1", "r1", "w1", "r1"), LINES("w1", "r1", "w2", "r2")), 0);
    assert_int_equal(differences(false, LINES("w1", "r1", "w1", "r1"), LINES("w1", "r1", "w2", "r2")), 2);
    assert_int_equal(differences(true, LINES("w1", "w1", "r1"), LINES("w1", "w2", "r1")), 1);
}

static void values_over_blocks(void **state) {
    // Both sides of a branch write the value: in one register, or on one side in another.
    assert_int_equal(
        differences(true, LINES("b3", "w1", "j4", "w1", "r1"), LINES("b3", "w2", "j4", "w2", "r2")), 0);
    assert_int_equal(
        differences(true, LINES("b3", "w1", "j4", "w1", "r1"), LINES("b3", "w2", "j4", "w3", "r2")), 1);
    // A loop with another value carried round.
    assert_int_equal(
        differences(true, LINES("w1", "r1", "w1", "b1", "e"), LINES("w5", "r5", "w5", "b1", "e")), 0);
    assert_int_equal(
        differences(true, LINES("w1", "r1", "w1", "b1", "e"), LINES("w5", "r5", "w6", "b1", "e")), 1);
    // Nothing comes past a jump.
    assert_int_equal(differences(true, LINES("w1", "j3", "w1", "r1"), LINES("w4", "j3", "w9", "r4")), 0);
}

// ---- names ----

static void numbers_of_names(void **state) {
    struct arena *arena = arena_create();
    struct names names = {0};
    char text[16];
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            int length = snprintf(text, sizeof text, "name %u", i);
            assert_int_equal(names_number(&names, arena, text, (size_t)length), i);
        }
    }
    names_free(&names);
    arena_destroy(arena);
}

RUN(TEST(distances), TEST(renamed_registers), TEST(values_in_turn), TEST(values_over_blocks),
    TEST(numbers_of_names))
