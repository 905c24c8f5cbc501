// Remarks from the passes to the programmer.
//
// test: tests/cli/check_remarks.py
#include "driver/remarks.h"

#include <regex.h>
#include <string.h>

// ---- the names of parameters ----

// Arguments of a function are its parameters without the constants, in order.
static struct remark_kernel names_of(struct arena *arena, const struct kernel_instance *kernel) {
    struct reflect_kernel all = reflect_instance(arena, kernel, 0);
    struct remark_parameter *parameters = ARENA_ARRAY(arena, struct remark_parameter, all.param_count + 1);
    for (size_t i = 0; i < all.param_count; i++) {
        parameters[i] =
            (struct remark_parameter){all.params[i].name, all.params[i].dtype, all.params[i].pointer};
    }
    return (struct remark_kernel){kernel->name, parameters, all.param_count};
}

void remarks_open(struct remarks *remarks, const struct unit *unit) {
    struct arena *arena = arena_create();
    size_t count = unit_kernel_count(unit);
    struct remark_kernel *kernels = ARENA_ARRAY(arena, struct remark_kernel, count + 1);
    for (size_t i = 0; i < count; i++) {
        kernels[i] = names_of(arena, &unit->frontend->kernels[i]);
    }
    *remarks = (struct remarks){.arena = arena,
                                .kernels = kernels,
                                .kernel_count = count,
                                .slow_only = !unit->options->remarks && !unit->options->page};
}

void remarks_close(struct remarks *remarks) {
    arena_destroy(remarks->arena);
    *remarks = (struct remarks){0};
}

// ---- printing ----

bool remarks_choose(struct remark_choice *choice, const char *expression, struct diag *diag) {
    regex_t regex;
    *choice = (struct remark_choice){0};
    if (!expression) {
        return true;
    }
    if (regcomp(&regex, expression, REG_EXTENDED | REG_NOSUB) != 0) {
        diag_error(diag, (struct location){0}, "--remarks: \"%s\" is no regular expression", expression);
        return false;
    }
    for (int kind = 0; kind < REMARK_COUNT; kind++) {
        choice->wanted[kind] = regexec(&regex, remark_name((enum remark_kind)kind), 0, NULL, 0) == 0;
    }
    regfree(&regex);
    return true;
}

static bool is_before(const struct remark *a, const struct remark *b) {
    return a->at.line != b->at.line ? a->at.line < b->at.line : a->at.column < b->at.column;
}

// The remarks in the order of the source; at one place they stay in the order of the passes.
static const struct remark **in_order(const struct remarks *remarks) {
    const struct remark **sorted = ARENA_ARRAY(remarks->arena, const struct remark *, remarks->count + 1);
    for (size_t i = 0; i < remarks->count; i++) {
        size_t at = i;
        for (; at > 0 && is_before(&remarks->list[i], sorted[at - 1]); at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = &remarks->list[i];
    }
    return sorted;
}

void remarks_print(const struct remarks *remarks, const struct remark_choice *choice,
                   const struct target *target, struct diag *diag) {
    const struct remark **sorted = in_order(remarks);
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = sorted[i];
        if (choice->wanted[r->kind]) {
            diag_remark(diag, remark_name(r->kind), r->at, "%s on %s: %s", r->kernel, target->name,
                        remark_text(remarks->arena, r));
        }
    }
}

// ---- of all variants ----

struct said {
    const struct remark *remark;
    const struct kernel_instance *kernel; // NULL: none of the unit's
    const char *text;
    bool done;
};

// The same remark on two configurations of one kernel.
static bool joins(const struct said *a, const struct said *b) {
    const struct kernel_instance *one = a->kernel, *other = b->kernel;
    return one && other && !b->done && one->config_count && !one->level && !other->level &&
           strcmp(one->function, other->function) == 0 && a->remark->kind == b->remark->kind &&
           a->remark->at.source == b->remark->at.source && a->remark->at.line == b->remark->at.line &&
           a->remark->at.column == b->remark->at.column && strcmp(a->text, b->text) == 0;
}

// "configurations 0 to 3, 5 of matmul", of the remarks like the one at `first`; these are done.
static const char *configurations(struct arena *arena, struct said *all, size_t count, size_t first) {
    struct strbuf text = {0};
    unsigned begin = all[first].kernel->config, end = begin, several = 0;
    for (size_t i = first + 1; i <= count; i++) {
        bool more = i < count && joins(&all[first], &all[i]);
        unsigned config = more ? all[i].kernel->config : 0;
        if (more) {
            all[i].done = true;
            several++;
        }
        if ((more && config > end + 1) || i == count) {
            const char *form = end == begin ? "%s%u" : end == begin + 1 ? "%s%u, %u" : "%s%u to %u";
            strbuf_printf(&text, form, text.length ? ", " : "", begin, end);
            begin = config;
        }
        end = more ? config : end;
    }
    const char *kept = several ? arena_printf(arena, "configurations %s of %s", strbuf_text(&text),
                                              all[first].kernel->function)
                               : all[first].remark->kernel;
    strbuf_free(&text);
    return kept;
}

void remarks_print_joined(const struct remarks *const *all, size_t count, const struct unit *unit,
                          const struct remark_choice *choice, const struct target *target,
                          struct diag *diag) {
    size_t most = 0, said_count = 0;
    for (size_t i = 0; i < count; i++) {
        most += all[i]->count;
    }
    struct said *said = ARENA_ARRAY(unit->arena, struct said, most + 1);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < all[i]->count; j++) {
            const struct remark *r = &all[i]->list[j];
            size_t at = choice->wanted[r->kind] ? said_count++ : 0;
            if (!choice->wanted[r->kind]) {
                continue;
            }
            for (; at > 0 && is_before(r, said[at - 1].remark); at--) {
                said[at] = said[at - 1];
            }
            said[at] =
                (struct said){r, unit->frontend ? frontend_kernel_named(unit->frontend, r->kernel) : NULL,
                              remark_text(unit->arena, r), false};
        }
    }
    for (size_t i = 0; i < said_count; i++) {
        if (!said[i].done) {
            const char *who =
                said[i].kernel ? configurations(unit->arena, said, said_count, i) : said[i].remark->kernel;
            diag_remark(diag, remark_name(said[i].remark->kind), said[i].remark->at, "%s on %s: %s", who,
                        target->name, said[i].text);
        }
    }
}

// ---- -Wslow ----

static void add_hints(struct remark_hint *all, size_t *count, const struct remark *r) {
    for (size_t i = 0; i < r->hint_count; i++) {
        bool known = false;
        for (size_t j = 0; j < *count && !known; j++) {
            known = strcmp(all[j].parameter, r->hints[i].parameter) == 0;
        }
        if (!known) {
            all[(*count)++] = r->hints[i];
        }
    }
}

bool remarks_warn_slow(const struct remarks *remarks, struct arena *arena, const char *entry,
                       const char *function, struct diag *diag) {
    const struct remark **sorted = in_order(remarks), *first = NULL;
    size_t most = 0, count = 0;
    for (size_t i = 0; i < remarks->count; i++) {
        most += sorted[i]->hint_count;
    }
    struct remark_hint *all = ARENA_ARRAY(arena, struct remark_hint, most + 1);
    for (size_t i = 0; i < remarks->count; i++) {
        const struct remark *r = sorted[i];
        if (r->slow && r->hint_count && strcmp(r->kernel, entry) == 0) {
            first = first ? first : r;
            add_hints(all, &count, r);
        }
    }
    if (!first) {
        return false;
    }
    diag_warning(diag, WARNING_SLOW, first->at, "%s: %s%s", function, first->fact,
                 remark_hints_text(arena, all, count));
    return true;
}
