// Instructions that this process has decoded, by chip and encoding. Disassembly and binding of one take 8 us, many times its execution;
// the kernels of a test, and a code object with one changed instruction, share most of theirs.
//
// An instruction of another place differs from a decoded one in its address, source line and index alone, but for bind_flow's: their jumps
// and addresses depend on where they stand, so they are decoded each time.
#include "emulator/amdgcn/amdgcn.h"

enum { HEADS = 1 << 13, MOST_DECODED = 1 << 15, SHORT = 4, LONG = 8 }; // SHORT, LONG: bytes that are hashed

struct decoded {
    struct decoded *next;
    char chip[sizeof((struct emulator *)0)->chip];
    const uint8_t *bytes;
    unsigned size;
    struct instr in;
    struct gcn gcn;
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static struct decoded *heads[HEADS];
static struct arena *arena;
static unsigned count;

void decoded_begin(void) {
    pthread_mutex_lock(&turn);
    if (!arena) {
        arena = arena_create();
    }
}

void decoded_end(void) {
    pthread_mutex_unlock(&turn);
}

struct arena *decoded_arena(struct arena *otherwise) {
    return count < MOST_DECODED ? arena : otherwise;
}

static struct decoded **head_of(const uint8_t *bytes, unsigned hashed) {
    uint64_t key = 0;
    memcpy(&key, bytes, hashed);
    return &heads[key * 0x9e3779b97f4a7c15u >> 51];
}

// Encodings are prefix codes: no instruction's bytes begin with another one's.
static const struct decoded *find(const char *chip, const uint8_t *bytes, uint64_t left, unsigned hashed) {
    const struct decoded *decoded = left < hashed ? NULL : *head_of(bytes, hashed);
    while (decoded && (decoded->size > left || (decoded->size > SHORT) != (hashed > SHORT) ||
                       memcmp(decoded->bytes, bytes, decoded->size) || strcmp(decoded->chip, chip))) {
        decoded = decoded->next;
    }
    return decoded;
}

bool decoded_find(const char *chip, const uint8_t *bytes, uint64_t left, struct instr *in, struct gcn *gcn,
                  unsigned *size) {
    const struct decoded *decoded = find(chip, bytes, left, SHORT);
    decoded = decoded ? decoded : find(chip, bytes, left, LONG);
    if (decoded) {
        *in = decoded->in;
        *gcn = decoded->gcn;
        *size = decoded->size;
    }
    return decoded;
}

void decoded_add(const char *chip, const uint8_t *bytes, unsigned size, const struct instr *in,
                 const struct gcn *gcn) {
    if (count == MOST_DECODED) {
        return;
    }
    struct decoded *decoded = ARENA_NEW(arena, struct decoded),
                   **head = head_of(bytes, size > SHORT ? LONG : SHORT);
    *decoded = (struct decoded){.next = *head, .size = size, .in = *in, .gcn = *gcn};
    strcpy(decoded->chip, chip);
    uint8_t *copy = arena_alloc(arena, size);
    memcpy(copy, bytes, size);
    decoded->bytes = copy;
    decoded->gcn.place.text = arena_strdup(arena, gcn->place.text);
    *head = decoded;
    count++;
}
