// Hints to widen the accesses of a kernel, from its remarks.
#include <string.h>

#include "report/answer.h"

const struct remark *answer_slow_access(const struct asking *a) {
    const struct remarks *remarks = a->page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        if (r->slow && r->hint_count && strcmp(r->kernel, a->kernel->name) == 0) {
            return r;
        }
    }
    return NULL;
}

static size_t hints_asked(const struct asking *a, const struct remark *r, enum hints_of which) {
    bool asked = r->slow || (which == HINTS_OF_ALL && r->kind == REMARK_ACCESS);
    return asked && strcmp(r->kernel, a->kernel->name) == 0 ? r->hint_count : 0;
}

static bool is_named_before(const struct asking *a, size_t remark, size_t hint, enum hints_of which) {
    const struct remarks *remarks = a->page->part->remarks;
    const char *parameter = remarks->list[remark].hints[hint].parameter;
    for (size_t i = 0; i <= remark; i++) {
        const struct remark *r = &remarks->list[i];
        size_t count = i == remark ? hint : hints_asked(a, r, which);
        for (size_t h = 0; h < count; h++) {
            if (strcmp(r->hints[h].parameter, parameter) == 0) {
                return true;
            }
        }
    }
    return false;
}

const char *answer_annotations(const struct asking *a, enum hints_of which) {
    const struct remarks *remarks = a->page->part->remarks;
    struct strbuf text = {0};
    unsigned count = 0;
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = &remarks->list[i];
        for (size_t h = 0; h < hints_asked(a, r, which); h++) {
            if (!is_named_before(a, i, h, which)) {
                strbuf_printf(&text, "%s`%s: \"%s\"`", count++ ? ", " : "", r->hints[h].parameter,
                              r->hints[h].annotation);
            }
        }
    }
    const char *kept = arena_printf(a->arena, "annotate %s", strbuf_text(&text));
    strbuf_free(&text);
    return kept;
}

const char *answer_hinted_lines(const struct asking *a, enum hints_of which) {
    const struct remarks *remarks = a->page->part->remarks;
    const char *text = "";
    unsigned last = 0;
    for (size_t i = 0; i < remarks->count; i++) {
        unsigned line = remarks->list[i].at.line;
        if (hints_asked(a, &remarks->list[i], which) && line != last) {
            text = arena_printf(a->arena, *text ? "%s, %u" : "%sline %u", text, line);
            last = line;
        }
    }
    return strchr(text, ',') ? arena_printf(a->arena, "lines %s", text + strlen("line ")) : text;
}

bool answer_lacks_hints(const struct asking *a) {
    const struct remarks *remarks = a->page->part->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        if (hints_asked(a, &remarks->list[i], HINTS_OF_ALL)) {
            return true;
        }
    }
    return false;
}
