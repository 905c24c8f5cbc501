// Packs images for launcher headers (--compress-images) in LZ4's block format, which tkc_unpack of launcher/image.h reads.
//
// A block is a list of sequences: a token (count of literals, length of the match minus 4; 15 goes on in further bytes), the
// literals, and how many bytes back the match begins, in two bytes. The last sequence has literals alone: the last 5 bytes, and
// no match begins in the last 12. Matches are found by the hash of 4 bytes, the last place of each; PTX becomes a fifth.
#include <stdint.h>
#include <string.h>

#include "artifact/artifact.h"

enum { HASH_BITS = 14, LEAST = 4, FARTHEST = 65535, LAST_LITERALS = 5, LAST_MATCH = 12, LONG = 15 };

static uint32_t word_at(const unsigned char *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static void add_rest(struct strbuf *out, size_t count) {
    for (count -= LONG; count >= 255; count -= 255) {
        strbuf_add_char(out, (char)255);
    }
    strbuf_add_char(out, (char)count);
}

static void add_sequence(struct strbuf *out, const unsigned char *literals, size_t count, size_t match,
                         size_t back) {
    size_t length = match ? match - LEAST : 0;
    strbuf_add_char(out, (char)((count < LONG ? count : LONG) << 4 | (length < LONG ? length : LONG)));
    if (count >= LONG) {
        add_rest(out, count);
    }
    strbuf_add_bytes(out, literals, count);
    if (match) {
        strbuf_add_char(out, (char)(back & 255));
        strbuf_add_char(out, (char)(back >> 8));
        if (length >= LONG) {
            add_rest(out, length);
        }
    }
}

void pack_bytes(const void *bytes, size_t length, struct strbuf *out) {
    const unsigned char *from = bytes;
    uint32_t last[1 << HASH_BITS] = {0}; // places, from 1
    size_t begin = 0;
    for (size_t at = 0; at + LAST_MATCH < length;) {
        uint32_t hash = word_at(from + at) * 2654435761u >> (32 - HASH_BITS);
        size_t place = last[hash];
        last[hash] = (uint32_t)(at + 1);
        if (!place || at + 1 - place > FARTHEST || word_at(from + place - 1) != word_at(from + at)) {
            at++;
            continue;
        }
        size_t match = LEAST, back = at + 1 - place;
        while (at + match + LAST_LITERALS < length && from[at + match] == from[at + match - back]) {
            match++;
        }
        add_sequence(out, from + begin, at - begin, match, back);
        at += match;
        begin = at;
    }
    add_sequence(out, from + begin, length - begin, 0, 0);
}
