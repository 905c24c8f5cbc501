// command/options, with a table of every kind of row, and support/nearest.
#include "testing.h"
#include "command/options.h"
#include "support/nearest.h"

enum mode { MODE_NONE, MODE_SHOW };

struct settings {
    const char *input, *word, *even;
    bool quiet, contract;
    int level;
    unsigned workers;
    size_t bytes;
    double tolerance, share;
    const char *const *outputs, *const *targets;
    size_t output_count, target_count;
    const struct tkc_define *defines;
    size_t define_count;
    enum mode mode;
    int calls;
};

static bool check_even(const struct option_use *use) {
    return strlen(use->value) % 2 == 0 ||
           option_error(use, "%s wants an even word, not \"%s\"", use->name, use->value);
}

static bool count_call(const struct option_use *use) {
    ((struct settings *)use->settings)->calls += atoi(use->value);
    return true;
}

#define SETTINGS struct settings
static const struct option rows[] = {
    OPERAND(input, "source file") GROUP("Everything") OPTION(word, "word", "o", "WORD", "a text")
        CHECKED(even, check_even, "even", NULL, "WORD", "a text that is looked at") OPTION(
            quiet, "quiet", "q", NULL, "a flag") OPTION(contract, "contract", NULL, "on|off", "a switch")
            NUMBER(level, -2, 3, "level", "l", "N", "a number")
                OPTION(workers, "workers", "j", "N", "a number without a sign")
                    OPTION(bytes, "bytes", NULL, "N", "a large number")
                        OPTION(tolerance, "tolerance", NULL, "X", "a real number")
                            NUMBER(share, 0, 100, "share", NULL, "X", "a real number within bounds")
                                LIST(outputs, output_count, "output", "out", "FILE", "a list") COMMAS(
                                    targets, target_count, "target", NULL, "CHIP,...", "a list with commas")
                                    LIST(defines, define_count, "define", "D", "NAME=VALUE", "definitions")
                                        SET(mode, MODE_SHOW, "show-everything-there-is-to-show", NULL,
                                            "a name too long for its column")
                                            CALL(count_call, NULL, "MF", "N", "a function")};

static const struct option_table table = {.tool = "tool",
                                          .about = "usage: tool\n",
                                          .notes = "The end.\n",
                                          .rows = rows,
                                          .row_count = sizeof rows / sizeof rows[0]};

static char messages[4096];

// Parses the arguments, up to NULL; the messages go to `messages`.
static bool parse(struct settings *settings, ...) {
    char *argv[32] = {"tool"};
    int argc = 1;
    va_list args;
    va_start(args, settings);
    while ((argv[argc] = va_arg(args, char *))) {
        argc++;
    }
    va_end(args);
    *settings = (struct settings){0};
    memset(messages, 0, sizeof messages);
    FILE *errors = fmemopen(messages, sizeof messages, "w");
    bool good = options_parse(&table, settings, argc, argv, errors);
    fclose(errors);
    assert_true(good == (messages[0] == 0));
    return good;
}

static void fields_take_their_values(void **state) {
    struct settings s;
    assert_true(parse(&s, "--word=-x", "-o", "-x", "--even", "four", "-q", "k.tk", "--contract=on", "-l-2",
                      "-j", "8", "--bytes", "8589934592", "--tolerance=1e-3", "--share=99.5",
                      "--show-everything-there-is-to-show", "-MF", "3", "-MF", "4", NULL));
    assert_string_equal(s.input, "k.tk");
    assert_string_equal(s.word, "-x");
    assert_string_equal(s.even, "four");
    assert_true(s.quiet && s.contract);
    assert_int_equal(s.level, -2);
    assert_int_equal(s.workers, 8);
    assert_int_equal(s.bytes, INT64_C(8589934592));
    assert_true(s.tolerance == 1e-3 && s.share == 99.5);
    assert_int_equal(s.mode, MODE_SHOW);
    assert_int_equal(s.calls, 7);
    options_free(&table, &s);
    assert_true(parse(&s, "--contract", "off", "--", "-q", NULL));
    assert_false(s.contract || s.quiet);
    assert_string_equal(s.input, "-q");
    assert_true(parse(&s, "--word=", NULL));
    assert_string_equal(s.word, "");
    assert_true(parse(&s, "-", NULL));
    assert_string_equal(s.input, "-");
}

static void lists_keep_order(void **state) {
    struct settings s;
    assert_true(parse(&s, "-out", "a", "-ob", "--output=c", "--target", "x,yy", "--target=z", "-DA=1", "-D",
                      "B==", NULL));
    assert_int_equal(s.output_count, 2);
    assert_string_equal(s.outputs[0], "a");
    assert_string_equal(s.outputs[1], "c");
    assert_string_equal(s.word, "b");
    assert_int_equal(s.target_count, 3);
    assert_string_equal(s.targets[1], "yy");
    assert_string_equal(s.targets[2], "z");
    assert_int_equal(s.define_count, 2);
    assert_string_equal(s.defines[0].name, "A");
    assert_string_equal(s.defines[0].value, "1");
    assert_string_equal(s.defines[1].name, "B");
    assert_string_equal(s.defines[1].value, "=");
    options_free(&table, &s);
    assert_int_equal(s.define_count + s.target_count + s.output_count, 0);
    assert_null(s.outputs);
}

// As other compilers have it: a long name behind one dash is no short name with a value.
static void long_names_behind_one_dash(void **state) {
    struct settings s;
    assert_true(parse(&s, "-level", "2", NULL));
    assert_int_equal(s.level, 2);
    assert_true(parse(&s, "-level=3", NULL, NULL));
    assert_int_equal(s.level, 3);
    assert_true(parse(&s, "-outx", NULL, NULL));
    assert_string_equal(s.word, "utx");
}

static void wrong_usage_is_told(void **state) {
    static const struct {
        const char *first, *second, *message;
    } cases[] = {
        {"--levle", NULL, "unknown option \"--levle\"; did you mean --level?"},
        {"--work", NULL, "unknown option \"--work\"; did you mean --word?"},
        {"--toler=3", NULL, "unknown option \"--toler=3\"; did you mean --tolerance?"},
        {"-targets", "x", "unknown option \"-targets\"; did you mean --target?"},
        {"--frobnicate", NULL, "unknown option \"--frobnicate\" ("},
        {"-z", NULL, "unknown option \"-z\" ("},
        {"-qx", NULL, "unknown option \"-qx\""},
        {"--word", NULL, "--word wants WORD"},
        {"--quiet=1", NULL, "--quiet takes no value"},
        {"--even", "odd", "--even wants an even word, not \"odd\""},
        {"--contract", "yes", "--contract wants on or off, not \"yes\""},
        {"-l", "4", "--level wants a number from -2 to 3, not \"4\""},
        {"-l", "", "--level wants a number from -2 to 3, not \"\""},
        {"-j", "-1", "--workers wants a number of at least 0, not \"-1\""},
        {"-j", "2x", "--workers wants a number of at least 0, not \"2x\""},
        {"-j", "4294967296", "--workers wants a number from 0 to 4294967295, not \"4294967296\""},
        {"--bytes", "99999999999999999999", "--bytes wants a number from 0 to 9223372036854775807"},
        {"--tolerance", "nan", "--tolerance wants a number of at least 0, not \"nan\""},
        {"--share", "100.5", "--share wants a number from 0 to 100, not \"100.5\""},
        {"--share", "inf", "--share wants a number from 0 to 100, not \"inf\""},
        {"--share", "nan", "--share wants a number from 0 to 100, not \"nan\""},
        {"--target", "a,,b", "--target wants names separated by commas, not \"a,,b\""},
        {"-oa", "-ob", "--word is given twice: \"a\" and \"b\""},
        {"-DA=1", "-DA=2", "--define A is given twice: \"1\" and \"2\""},
        {"-D", "A=", "--define wants NAME=VALUE, not \"A=\""},
        {"", NULL, "the name of the source file is empty"},
        {"-D", "=1", "--define wants NAME=VALUE, not \"=1\""},
        {"a.tk", "b.tk", "one source file at a time: \"a.tk\" and \"b.tk\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct settings s;
        assert_false(parse(&s, cases[i].first, cases[i].second, NULL));
        assert_memory_equal(messages, "tool: ", 6);
        if (!strstr(messages, cases[i].message)) {
            fail_msg("no \"%s\" in: %s", cases[i].message, messages);
        }
        assert_non_null(strstr(messages, "(tool --help lists the options)\n"));
        options_free(&table, &s);
    }
}

static void help_shows_every_row(void **state) {
    memset(messages, 0, sizeof messages);
    FILE *out = fmemopen(messages, sizeof messages, "w");
    options_help(&table, out);
    fclose(out);
    assert_memory_equal(messages, "usage: tool\n\nEverything:\n  -o, --word=WORD             a text\n", 59);
    assert_non_null(strstr(messages, "      --even=WORD             a text that is looked at\n"));
    assert_non_null(strstr(messages, "  -MF N                       a function\n"));
    assert_non_null(strstr(messages, "      --show-everything-there-is-to-show\n"
                                     "                              a name too long for its column\n"));
    assert_null(strstr(messages, "source file"));
    assert_non_null(strstr(messages, "\n\nThe end.\n"));
}

static const char *nearest_of(const char *text, const char *const *names) {
    struct nearest nearest = {.text = text};
    for (size_t i = 0; names[i]; i++) {
        nearest_offer(&nearest, names[i]);
    }
    return nearest.name;
}

static void nearest_finds_slips(void **state) {
    static const char *const names[] = {"BLOCK", "BLOCK_M", "n", "stages", "num_warps", NULL};
    assert_string_equal(nearest_of("BLOK", names), "BLOCK");
    assert_string_equal(nearest_of("BLCOK", names), "BLOCK");
    assert_string_equal(nearest_of("block_m", names), "BLOCK_M");
    assert_string_equal(nearest_of("BLOCKM", names), "BLOCK");
    assert_string_equal(nearest_of("BLOCK_N", names), "BLOCK_M");
    assert_string_equal(nearest_of("num", names), "num_warps");
    assert_string_equal(nearest_of("stage", names), "stages");
    assert_null(nearest_of("x", names));
    assert_null(nearest_of("warp_number", names));
    assert_null(nearest_of("", names));
    char longest[200];
    memset(longest, 'B', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_null(nearest_of(longest, names));
}

RUN(TEST(fields_take_their_values), TEST(lists_keep_order), TEST(long_names_behind_one_dash),
    TEST(wrong_usage_is_told), TEST(help_shows_every_row), TEST(nearest_finds_slips))
