// Drawings: well-formed, complete, with all bank conflicts marked, and no others.
#include "layout_testing.h"

#include <stdlib.h>

#include "text_testing.h"

// Tags are balanced and nested, attributes quoted.
static void assert_well_formed(const char *text) {
    const char *stack[16];
    unsigned depth = 0;
    for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at + 1, '<')) {
        const char *close = strchr(at, '>');
        assert_non_null(close);
        unsigned quotes = 0;
        for (const char *c = at; c < close; c++) {
            quotes += *c == '"';
        }
        assert_int_equal(quotes % 2, 0);
        if (at[1] == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strncmp(stack[depth], at + 2, (size_t)(close - at - 2)), 0);
        } else if (close[-1] != '/') {
            assert_true(depth < 16);
            stack[depth++] = at + 1;
        }
    }
    assert_int_equal(depth, 0);
}

static void distribution_names_every_element(void **state) {
    int64_t shape[] = {8, 16};
    struct layout layout =
        layout_blocked(2, shape, (unsigned[]){1, 2}, (unsigned[]){4, 8}, (unsigned[]){2, 1}, NULL);
    struct strbuf out = {0};
    layout_svg_distribution(&out, &layout);
    const char *text = strbuf_text(&out);
    assert_well_formed(text);
    assert_int_equal(occurrences(text, "<title>"), 8 * 16);
    assert_int_equal(occurrences(text, "block 0 warp 1 lane 31 register 1"), 1);
    assert_int_equal(occurrences(text, "copies"), 0);
    strbuf_free(&out);
    int64_t large[] = {2, 2, 512}, one[] = {1};
    layout = layout_fit(&(struct layout){.rank = 3}, large, NULL);
    layout_push(&layout, LAYOUT_LANE, 0);
    layout_svg_distribution(&out, &layout);
    assert_well_formed(strbuf_text(&out));
    assert_int_equal(occurrences(strbuf_text(&out), "<title>"), 4 * 128);
    assert_int_equal(occurrences(strbuf_text(&out), "the first 4 x 128 of 4 x 512"), 1);
    assert_int_equal(occurrences(strbuf_text(&out), "has 2 copies"), 1);
    strbuf_free(&out);
    layout = layout_empty(1, one);
    layout_svg_distribution(&out, &layout);
    assert_int_equal(occurrences(strbuf_text(&out), "<title>"), 1);
    strbuf_free(&out);
}

static void banks_mark_conflicts(void **state) {
    struct layout_banks nvidia = layout_banks_nvidia();
    int64_t shape[] = {32, 32};
    struct layout plain = layout_row_major_shared(2, shape),
                  swizzled = layout_swizzled(2, shape, NULL, 1, 1, 32);
    struct layout down = layout_empty(2, shape);
    for (unsigned i = 0; i < 5; i++) {
        layout_push(&down, LAYOUT_REGISTER, 1u << i);
        layout_push(&down, LAYOUT_LANE, 32u << i);
    }
    struct strbuf out = {0};
    layout_svg_banks(&out, &plain, &down, 4, 1, &nvidia);
    assert_well_formed(strbuf_text(&out));
    assert_int_equal(occurrences(strbuf_text(&out), "<title>"), 32 * 32);
    assert_int_equal(occurrences(strbuf_text(&out), "class=\"conflict\""), 32);
    strbuf_clear(&out);
    layout_svg_banks(&out, &swizzled, &down, 4, 1, &nvidia);
    assert_int_equal(occurrences(strbuf_text(&out), "class=\"conflict\""), 0);
    assert_int_equal(occurrences(strbuf_text(&out), "class=\"touched\""), 32);
    assert_int_equal(occurrences(strbuf_text(&out), " 0 wavefronts beyond"), 1);
    strbuf_clear(&out);
    layout_svg_banks(&out, &swizzled, NULL, 4, 1, &nvidia);
    assert_int_equal(occurrences(strbuf_text(&out), "class=\"touched\""), 0);
    strbuf_free(&out);
}

RUN(TEST(distribution_names_every_element), TEST(banks_mark_conflicts))
