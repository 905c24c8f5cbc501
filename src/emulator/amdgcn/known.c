// Instructions that this process has decoded, by chip and encoding. Disassembly and binding of one take 8 us, many times its execution;
// the kernels of a test, and a code object with one changed instruction, share most of theirs.
//
// An instruction of another place differs from a known one in its address, source line and index alone, but for bind_flow's: their jumps
// and addresses depend on where they stand, so they are decoded each time.
#include "emulator/amdgcn/amdgcn.h"

enum { HEADS = 1 << 13, MOST_KNOWN = 1 << 15, SHORT = 4, LONG = 8 }; // SHORT, LONG: bytes that are hashed

struct known {
    struct known *next;
    char chip[sizeof((struct emulator *)0)->chip];
    const uint8_t *bytes;
    unsigned size;
    struct instr in;
    struct gcn gcn;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct known *heads[HEADS];
static struct arena *arena;
static unsigned count;

void known_begin(void) {
    pthread_mutex_lock(&turn);
    if (!arena) {
        arena = arena_create();
    }
}

void known_end(void) {
    pthread_mutex_unlock(&turn);
}

struct arena *known_arena(struct arena *otherwise) {
    return count < MOST_KNOWN ? arena : otherwise;
}

static struct known **head_of(const uint8_t *bytes, unsigned hashed) {
    uint64_t key = 0;
    memcpy(&key, bytes, hashed);
    return &heads[key * 0x9e3779b97f4a7c15u >> 51];
}

// Encodings are prefix codes: no instruction's bytes begin with another one's.
static const struct known *find(const char *chip, const uint8_t *bytes, uint64_t left, unsigned hashed) {
    const struct known *known = left < hashed ? NULL : *head_of(bytes, hashed);
    while (known && (known->size > left || (known->size > SHORT) != (hashed > SHORT) ||
                     memcmp(known->bytes, bytes, known->size) || strcmp(known->chip, chip))) {
        known = known->next;
    }
    return known;
}

bool known_find(const char *chip, const uint8_t *bytes, uint64_t left, struct instr *in, struct gcn *gcn,
                unsigned *size) {
    const struct known *known = find(chip, bytes, left, SHORT);
    known = known ? known : find(chip, bytes, left, LONG);
    if (known) {
        *in = known->in;
        *gcn = known->gcn;
        *size = known->size;
    }
    return known;
}

void known_add(const char *chip, const uint8_t *bytes, unsigned size, const struct instr *in,
               const struct gcn *gcn) {
    if (count == MOST_KNOWN) {
        return;
    }
    struct known *known = ARENA_NEW(arena, struct known),
                 **head = head_of(bytes, size > SHORT ? LONG : SHORT);
    *known = (struct known){.next = *head, .size = size, .in = *in, .gcn = *gcn};
    strcpy(known->chip, chip);
    uint8_t *copy = arena_alloc(arena, size);
    memcpy(copy, bytes, size);
    known->bytes = copy;
    known->gcn.place.text = arena_strdup(arena, gcn->place.text);
    *head = known;
    count++;
}
