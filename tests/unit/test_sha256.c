// SHA-256 against the examples of FIPS 180-4 (NIST's "abc", two blocks, a million bytes), whole and in parts.
#include "testing.h"
#include "support/sha256.h"

static void check(const char *text, size_t times, size_t part, const char *expected) {
    struct sha256 hash;
    uint8_t digest[SHA256_BYTES];
    char got[2 * SHA256_BYTES + 1];
    size_t length = strlen(text);
    sha256_begin(&hash);
    for (size_t i = 0; i < times; i++) {
        for (size_t at = 0; at < length; at += part) {
            sha256_add(&hash, text + at, part < length - at ? part : length - at);
        }
    }
    sha256_end(&hash, digest);
    for (int i = 0; i < SHA256_BYTES; i++) {
        sprintf(got + 2 * i, "%02x", digest[i]);
    }
    assert_string_equal(got, expected);
}

static void test_examples(void **state) {
    check("", 1, 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 1, 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    for (size_t part = 1; part <= 57; part += 8) {
        check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1, part,
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
    check("aaaaaaaaaa", 100000, 7, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

RUN(TEST(test_examples))
