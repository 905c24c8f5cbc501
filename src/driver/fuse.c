// Fuses steps of a chain into one kernel: as many as possible from the first on, then from the next on.
//
// The front end merges steps by the chain's declaration (frontend/chain_merge.c). The bodies are tried on each
// target (fuse_trial.c).
#include "driver/fuse.h"

#include <string.h>

#include "driver/fuse_trial.h"

struct fusing {
    struct unit *unit;
    const struct target *const *targets;
    size_t target_count;
    bool remarks, reassociate, operands;
    struct kernel_chain *chain;
    const char **why; // of each step: it does not join the one before
    struct longest {
        size_t count; // 0: not known yet
        enum merge_kind kind;
        bool leaves_last;        // or one step less, by a rule: the product behind takes in the last one
    } * longest;                 // group from each step on
    struct chain_launch *groups; // the launches to be
    size_t group_count;
};

// Merges steps, and leaves the kernel in the front end if they fit.
static bool merge_fits(const struct fusing *f, size_t first, size_t count, enum merge_kind kind,
                       const char **why) {
    struct frontend *frontend = f->unit->frontend;
    const struct kernel_instance *merged = frontend_merge(frontend, f->chain, first, count, kind, why);
    if (!merged) {
        return false;
    }
    struct kernel_instance kernel = *merged;
    frontend->kernel_count--; // without the merged one
    bool fits = !frontend_kernel_named(frontend, kernel.name);
    frontend->kernel_count++;
    *why = fits ? *why : "a kernel of the source has the name of the merged one";
    for (size_t i = 0; i < f->target_count && fits; i++) {
        fits = bodies_fit(f->unit, f->targets[i], &kernel, why);
    }
    if (!fits) {
        frontend_unmerge(frontend);
    }
    return fits;
}

// Of `most` steps from `first` on, as many as become one kernel, merged.
static size_t longest_group_of(const struct fusing *f, size_t first, size_t most, enum merge_kind kind) {
    size_t count = most;
    for (; count > 1; count--) {
        const char *why;
        if (merge_fits(f, first, count, kind, &why)) {
            break;
        }
        f->why[first + count - 1] = why;
    }
    return count;
}

static const struct kernel_instance *last_kernel(const struct fusing *f) {
    return &f->unit->frontend->kernels[f->unit->frontend->kernel_count - 1];
}

// The rule by which sizes choose the last kernel; NULL: there is none, or the user has chosen.
static const char *rule_of_last(const struct fusing *f) {
    const struct kernel_instance *kernel = last_kernel(f);
    return kernel->merge->kind == MERGE_OPERAND && !f->operands
               ? frontend_merge_rule(f->unit->frontend, f->chain, kernel)
               : NULL;
}

// Why the launcher may not choose between the last kernel, of `count` steps, and the steps apart; NULL: it may. A last kernel is left.
static const char *why_no_choice(const struct fusing *f, size_t first, size_t count) {
    if (!rule_of_last(f)) {
        return "sizes decide if the product does the step ahead on its operand, and the number of steps of "
               "its loop is not "
               "known: --fuse-operands does not ask";
    }
    const char *why;
    frontend_unmerge(f->unit->frontend);
    size_t behind = longest_group_of(f, first + 1, f->chain->step_count - first - 1, MERGE_IN_TURN);
    if (behind > 1) {
        frontend_unmerge(f->unit->frontend);
    }
    if (!merge_fits(f, first, count, MERGE_OPERAND, &why)) {
        bug("fuse: steps of %s merged once and not again: %s", f->chain->name, why);
    }
    return behind < count
               ? NULL
               : "the product is one kernel with more of the steps behind it than it is with the step ahead: "
                 "--fuse-operands does not compare";
}

// Merges an elementwise step and the product that reads its array, if sizes may choose between that and the steps apart, or nobody asks.
static size_t longest_on_operand(const struct fusing *f, size_t first) {
    size_t all = f->chain->step_count;
    const char **before = ARENA_ARRAY(f->unit->arena, const char *, all + 1);
    memcpy(before, f->why, (all + 1) * sizeof *before);
    size_t count = longest_group_of(f, first, all - first, MERGE_OPERAND);
    const char *why = count > 1 && !f->operands ? why_no_choice(f, first, count) : NULL;
    if (why) {
        frontend_unmerge(f->unit->frontend);
        count = 1;
    }
    if (count == 1 && !f->operands) { // nobody asked: the reasons are those against one kernel in turn
        memcpy(f->why, before, (all + 1) * sizeof *before);
    }
    f->why[first + 1] = why ? why : f->why[first + 1];
    return count;
}

static bool is_in_registers(const struct kernel_merge *merge, const struct kernel_chain *chain,
                            const struct chain_value *value) {
    bool found = false;
    for (size_t i = 0; i < merge->dropped_count && value->kind == CHAIN_TEMPORARY; i++) {
        found |= strcmp(merge->dropped[i].name, chain->temporaries[value->index].name) == 0;
    }
    return found;
}

// True if the last kernel, of steps done one after another, keeps what its last step reads in registers alone.
static bool hands_in_registers(const struct fusing *f) {
    const struct kernel_merge *merge = last_kernel(f)->merge;
    const struct chain_step *step = &f->chain->steps[merge->first + merge->count - 1];
    bool any = false;
    for (size_t i = 0; i < step->argument_count; i++) {
        any |= is_in_registers(merge, f->chain, &step->arguments[i]);
    }
    return any;
}

static size_t longest_group(const struct fusing *f, size_t first);

// True if the last step of a merged group, which stays, scales rows for the product behind, and may become one kernel with that one instead: all
// others have stored what it reads, and the scaled rows would be neither written nor read.
static bool may_leave_last(const struct fusing *f, size_t first, size_t count) {
    size_t last = first + count - 1;
    if (count == 1 || last + 1 == f->chain->step_count || hands_in_registers(f) ||
        !frontend_hands_on(f->unit->frontend, f->chain, last, last + 1)) {
        return false;
    }
    const char *why;
    frontend_unmerge(f->unit->frontend);
    bool may = longest_group(f, last) > 1;
    if (may) {
        frontend_unmerge(f->unit->frontend);
    }
    may = may && f->longest[last].kind == MERGE_FACTORED;
    if (may && count > 2) {
        may = merge_fits(f, first, count - 1, MERGE_IN_TURN, &why);
        if (may) {
            frontend_unmerge(f->unit->frontend);
        }
    }
    if (!merge_fits(f, first, count, MERGE_IN_TURN, &why)) {
        bug("fuse: steps of %s merged once and not again: %s", f->chain->name, why);
    }
    return may;
}

// The number of steps, from `first` on, of the longest group for one kernel, merged. Where no bit may change a step that scales rows ahead of a
// product stays apart. A group found before is merged again, without the trials of longer ones.
static size_t longest_group(const struct fusing *f, size_t first) {
    struct longest *known = &f->longest[first];
    if (known->count > 1) {
        const char *why;
        if (!merge_fits(f, first, known->count, known->kind, &why)) {
            bug("fuse: steps of %s merged once and not again: %s", f->chain->name, why);
        }
    } else if (known->count == 0) {
        size_t most = f->chain->step_count - first;
        *known = (struct longest){longest_group_of(f, first, most, MERGE_IN_TURN), MERGE_IN_TURN, false};
        if (known->count > 1) {
            known->leaves_last = f->reassociate && may_leave_last(f, first, known->count);
            return known->count;
        }
        bool ahead = known->count == 1 && first + 1 < f->chain->step_count &&
                     frontend_hands_on(f->unit->frontend, f->chain, first, first + 1);
        if (ahead) {
            *known = (struct longest){longest_on_operand(f, first), MERGE_OPERAND, false};
        }
        if (ahead && known->count == 1 && f->reassociate) {
            *known =
                (struct longest){longest_group_of(f, first, most, MERGE_FACTORED), MERGE_FACTORED, false};
        }
    }
    return known->count;
}

// True if a step of one launch writes an array for a step of the next launch. first[g]: the first step of launch g.
static bool launches_hand_on(const struct fusing *f, const size_t *first, size_t to) {
    bool hand = false;
    for (size_t a = first[to - 1]; a < first[to]; a++) {
        for (size_t b = first[to]; b < first[to + 1]; b++) {
            hand |= frontend_hands_on(f->unit->frontend, f->chain, a, b);
        }
    }
    return hand;
}

// True if steps may run side by side as far as the chain tells.
static bool may_be_beside(const struct fusing *f, size_t first, size_t count) {
    const char *why;
    bool may = frontend_merge(f->unit->frontend, f->chain, first, count, MERGE_BESIDE, &why);
    if (may) {
        frontend_unmerge(f->unit->frontend);
    } else if (!frontend_hands_on(f->unit->frontend, f->chain, first + count - 2, first + count - 1)) {
        f->why[first + count - 1] =
            why; // for steps with values to hand on, the reason against one after another says more
    }
    return may;
}

// True if steps from `first` on become one kernel and are done there one after another.
static bool begins_group(const struct fusing *f, size_t first) {
    bool begins = longest_group(f, first) > 1;
    if (begins) {
        frontend_unmerge(f->unit->frontend);
    }
    return begins;
}

// The number of steps, from `first` on, for one launch side by side: none of them begins a group by itself. Bodies are compiled for all
// steps and, after a failure, for half as many.
static size_t widest_group(const struct fusing *f, size_t first) {
    size_t count = 1;
    while (first + count < f->chain->step_count && may_be_beside(f, first, count + 1) &&
           !begins_group(f, first + count)) {
        count++;
    }
    for (const char *why; count > 1; count /= 2) {
        if (merge_fits(f, first, count, MERGE_BESIDE, &why)) {
            break;
        }
        f->why[first + count / 2] = why;
    }
    return count;
}

// ---- remarks

static const char *registers_text(const struct fusing *f, const struct kernel_merge *merge) {
    const char *text = "";
    for (size_t i = 0; i < merge->dropped_count; i++) {
        text = arena_printf(f->unit->arena, "%s%s%s", text,
                            *text ? ", " : "; in registers: ", merge->dropped[i].name);
    }
    return text;
}

static const char *how_text(const struct kernel_merge *merge) {
    return merge->kind == MERGE_BESIDE     ? ", side by side"
           : merge->kind == MERGE_FACTORED ? ", with the factor of a row behind the product"
           : merge->kind == MERGE_OPERAND  ? ", with the first step on the product's operand"
                                           : "";
}

static const char *rule_text(const struct fusing *f, const struct chain_launch *launch,
                             enum merge_kind kind) {
    struct arena *arena = f->unit->arena;
    const char **names = ARENA_ARRAY(arena, const char *, f->chain->param_count + 1);
    for (size_t i = 0; i < f->chain->param_count; i++) {
        names[i] = f->chain->params[i].name;
    }
    if (!launch->when) {
        return "";
    }
    const char *rule = artifact_source_names(arena, launch->when, names, f->chain->param_count);
    return arena_printf(arena, "; launched if %s, else %s", artifact_shown_expression(arena, rule),
                        kind == MERGE_OPERAND ? "they stay apart"
                                              : "the first of them joins the steps ahead");
}

// first[g]: the first step of group g.
static void say_groups(const struct fusing *f, const size_t *first, size_t count) {
    const struct kernel_chain *chain = f->chain;
    for (size_t g = 0; g < count; g++) {
        const struct chain_launch *launch = chain->launches;
        for (; launch->first_step != first[g] || launch->otherwise;) {
            launch++;
        }
        const char *steps = "";
        for (size_t s = first[g]; s < first[g + 1]; s++) {
            steps =
                arena_printf(f->unit->arena, "%s%s%s", steps, *steps ? ", " : "", chain->steps[s].function);
        }
        for (size_t i = 0; i < f->unit->frontend->kernel_count; i++) {
            const struct kernel_instance *kernel = &f->unit->frontend->kernels[i];
            if (kernel->merge && strcmp(kernel->function, launch->function) == 0) {
                diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), chain->location,
                            "%s: %s are one kernel, %s%s%s%s", chain->name, steps, kernel->name,
                            how_text(kernel->merge), registers_text(f, kernel->merge),
                            kernel->merge->kind == MERGE_IN_TURN ? ""
                                                                 : rule_text(f, launch, kernel->merge->kind));
            }
        }
        if (g > 0) {
            diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), chain->location,
                        "%s: a launch ends between %s and %s%s: %s", chain->name,
                        chain->steps[first[g] - 1].function, chain->steps[first[g]].function,
                        launches_hand_on(f, first, g) ? ", and what they hand on goes through memory" : "",
                        f->why[first[g]]);
        }
    }
}

static void add_group(struct fusing *f, size_t first, size_t count, const char *when, bool otherwise) {
    f->groups[f->group_count++] =
        (struct chain_launch){.first_step = first, .step_count = count, .when = when, .otherwise = otherwise};
}

// The launches of the same steps where the rule does not hold: the step ahead of the product, and the rest.
static void add_apart(struct fusing *f, size_t first, size_t count, const char *when) {
    add_group(f, first, 1, when, true);
    for (size_t s = first + 1, end = first + count, own; s < end; s += own) {
        own = longest_group_of(f, s, end - s, MERGE_IN_TURN);
        add_group(f, s, own, when, true);
    }
}

// Merges steps that have been merged before.
static void join_again(const struct fusing *f, size_t first, size_t count) {
    const char *why;
    if (count > 1 && !merge_fits(f, first, count, MERGE_IN_TURN, &why)) {
        bug("fuse: steps of %s merged once and not again: %s", f->chain->name, why);
    }
}

// The launches of a merged group that may leave its last step to the product behind: by a rule. Adds that step to first[], and returns the step
// behind all; 0: there is no rule, and nothing is added.
static size_t add_either(struct fusing *f, size_t start, size_t steps, size_t *first, size_t *count) {
    struct frontend *frontend = f->unit->frontend;
    size_t last = start + steps - 1;
    frontend_unmerge(frontend);
    size_t behind = last + longest_group(f, last);
    const char *rule = frontend_merge_rule(frontend, f->chain, last_kernel(f));
    if (!rule) {
        frontend_unmerge(frontend);
        join_again(f, start, steps);
        return 0;
    }
    join_again(f, start, steps - 1);
    add_group(f, start, steps - 1, rule, false);
    add_group(f, last, behind - last, rule, false);
    first[(*count)++] = last;
    f->why[last] = "the product behind takes it in, and reads what has memory anyway";
    join_again(f, start, steps);
    add_group(f, start, steps, rule, true);
    for (size_t s = last + 1, own; s < behind; s += own) {
        own = longest_group_of(f, s, behind - s, MERGE_IN_TURN);
        add_group(f, s, own, rule, true);
    }
    return behind;
}

static void fuse_chain(struct fusing *f) {
    struct kernel_chain *chain = f->chain;
    size_t *first = ARENA_ARRAY(f->unit->arena, size_t, chain->step_count + 2), count = 0;
    f->why = ARENA_ARRAY(f->unit->arena, const char *, chain->step_count + 1);
    f->longest = ARENA_ARRAY(f->unit->arena, struct longest, chain->step_count + 1);
    f->groups = ARENA_ARRAY(f->unit->arena, struct chain_launch, 2 * chain->step_count + 1);
    for (size_t s = 0; s < chain->step_count;) {
        first[count++] = s;
        size_t steps = longest_group(f, s);
        size_t behind = f->longest[s].leaves_last ? add_either(f, s, steps, first, &count) : 0;
        if (behind) {
            s = first[count] = behind;
            continue;
        }
        const char *rule = steps > 1 ? rule_of_last(f) : NULL;
        steps = steps > 1 ? steps : widest_group(f, s);
        add_group(f, s, steps, rule, false);
        if (rule) {
            add_apart(f, s, steps, rule);
        }
        s += steps;
        first[count] = s;
    }
    frontend_group(f->unit->frontend, chain, f->groups, f->group_count);
    if (f->remarks) {
        say_groups(f, first, count);
    }
}

void chains_fuse(struct unit *unit, const struct target *const *targets, size_t target_count,
                 const char *only, bool remarks, bool reassociate, bool operands) {
    for (size_t i = 0; i < unit->frontend->chain_count; i++) {
        if (only && strcmp(unit->frontend->chains[i].name, only) != 0) {
            continue;
        }
        struct fusing f = {.unit = unit,
                           .targets = targets,
                           .target_count = target_count,
                           .remarks = remarks,
                           .reassociate = reassociate,
                           .operands = operands,
                           .chain = &unit->frontend->chains[i]};
        fuse_chain(&f);
    }
}

// Makes a merged kernel again, in a unit with the same source opened.
static const struct kernel_instance *merge_again(struct unit *unit, const struct kernel_chain *chain,
                                                 const struct kernel_merge *merge) {
    const char *why;
    const struct kernel_instance *kernel =
        frontend_merge(unit->frontend, chain, merge->first, merge->count, merge->kind, &why);
    if (!kernel) {
        bug("fuse: steps of %s merged once and not again: %s", merge->chain, why);
    }
    frontend_pack_rows(unit->frontend, merge->pack_rows);
    return kernel;
}

static const struct kernel_merge *merge_of(const struct frontend *frontend, const char *function) {
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        if (frontend->kernels[i].merge && strcmp(frontend->kernels[i].function, function) == 0) {
            return frontend->kernels[i].merge;
        }
    }
    return NULL;
}

void chains_fuse_as(struct unit *unit, const struct frontend *given) {
    for (size_t i = 0; i < given->chain_count; i++) {
        const struct kernel_chain *as = &given->chains[i];
        struct kernel_chain *chain = &unit->frontend->chains[i];
        for (size_t g = 0; g < as->launch_count; g++) {
            const struct kernel_merge *merge = merge_of(given, as->launches[g].function);
            if (merge) {
                merge_again(unit, chain, merge);
            }
        }
        frontend_group(unit->frontend, chain, as->launches, as->launch_count);
    }
    frontend_order(unit->frontend);
}

void chain_fuse_again(struct unit *unit, const struct kernel_merge *merge) {
    for (size_t i = 0; i < unit->frontend->chain_count; i++) {
        if (strcmp(unit->frontend->chains[i].name, merge->chain) == 0) {
            const struct kernel_instance *kernel = merge_again(unit, &unit->frontend->chains[i], merge);
            frontend_keep(unit->frontend, kernel->function);
            return;
        }
    }
    bug("fuse: no chain %s", merge->chain);
}
