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

// True if steps of the last kernel, merged in turn, are done on the tile of an earlier one.
static bool has_steps_behind(const struct kernel_merge *merge) {
    bool any = false;
    for (size_t s = 0; s < merge->count; s++) {
        any |= merge->steps[s].retiled;
    }
    return any;
}

// The number of targets on which steps behind the last kernel's products are computed beside the next tile's products.
static size_t targets_beside(const struct fusing *f) {
    size_t count = 0;
    for (size_t i = 0; i < f->target_count; i++) {
        count += steps_are_beside(f->unit, f->targets[i], last_kernel(f));
    }
    return count;
}

// The number of steps that become one kernel with the product at this step, which is one of them. *beside: on so many targets some of them are
// computed beside the next tile's products.
static size_t products_alone(const struct fusing *f, size_t first, size_t *beside) {
    size_t count = longest_group_of(f, first, f->chain->step_count - first, MERGE_IN_TURN);
    *beside = 0;
    if (count > 1) {
        *beside = has_steps_behind(last_kernel(f)->merge) ? targets_beside(f) : 0;
        frontend_unmerge(f->unit->frontend);
    }
    return count;
}

// Why the steps behind the last kernel's product are better off without the factors of rows; NULL: they are not. `alone` and `beside`: products_alone.
static const char *why_not_factored(const struct fusing *f, size_t count, size_t alone, size_t beside) {
    if (count < alone) {
        return "the product is one kernel with more of the steps behind it than it is with the factors of "
               "rows";
    }
    return beside > 0 && targets_beside(f) < beside
               ? "the steps behind the product are done on its tile, beside the next one's products, which "
                 "factors of rows would prevent"
               : NULL;
}

// Merges a step that scales rows and the product that reads them, whose loop makes the sums over rows.
static size_t longest_factored(const struct fusing *f, size_t first) {
    size_t all = f->chain->step_count, beside;
    const char **before = ARENA_ARRAY(f->unit->arena, const char *, all + 1);
    memcpy(before, f->why, (all + 1) * sizeof *before);
    size_t alone = products_alone(f, first + 1, &beside);
    memcpy(f->why, before, (all + 1) * sizeof *before);
    size_t count = longest_group_of(f, first, all - first, MERGE_FACTORED);
    const char *why = count > 1 ? why_not_factored(f, count - 1, alone, beside) : NULL;
    if (why) {
        frontend_unmerge(f->unit->frontend);
        f->why[first + 1] = why;
        return 1;
    }
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
        *known = (struct longest){longest_group_of(f, first, most, MERGE_IN_TURN), MERGE_IN_TURN};
        bool ahead = known->count == 1 && first + 1 < f->chain->step_count &&
                     frontend_hands_on(f->unit->frontend, f->chain, first, first + 1);
        if (ahead) {
            *known = (struct longest){longest_on_operand(f, first), MERGE_OPERAND};
        }
        if (ahead && known->count == 1 && f->reassociate) {
            *known = (struct longest){longest_factored(f, first), MERGE_FACTORED};
        }
    }
    return known->count;
}

// The first step that a launch does: the factors of a scaled row come from the launch ahead.
static size_t first_done(const struct chain_launch *launch) {
    return launch->first_step + (launch->kind == MERGE_SCALED);
}

// True if a step of one launch writes an array for a step of the next launch.
static bool launches_hand_on(const struct fusing *f, const struct chain_launch *from,
                             const struct chain_launch *to) {
    bool hand = false;
    for (size_t a = first_done(from); a < from->first_step + from->step_count; a++) {
        for (size_t b = first_done(to); b < to->first_step + to->step_count; b++) {
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
           : merge->kind == MERGE_FACTORS  ? ", which writes the factors of rows in place of the rows"
           : merge->kind == MERGE_SCALED
               ? ", with the factors of rows, from the kernel ahead, behind the product"
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
                        kind == MERGE_OPERAND ? "they stay apart" : "the product reads scaled rows");
}

static void say_kernel(const struct fusing *f, const struct chain_launch *launch) {
    const char *steps = "";
    for (size_t s = launch->first_step; s < launch->first_step + launch->step_count; s++) {
        steps =
            arena_printf(f->unit->arena, "%s%s%s", steps, *steps ? ", " : "", f->chain->steps[s].function);
    }
    for (size_t i = 0; i < f->unit->frontend->kernel_count; i++) {
        const struct kernel_instance *kernel = &f->unit->frontend->kernels[i];
        if (kernel->merge && strcmp(kernel->function, launch->function) == 0) {
            diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), f->chain->location, "%s: %s %s, %s%s%s%s",
                        f->chain->name, steps, launch->step_count > 1 ? "are one kernel" : "is a kernel",
                        kernel->name, how_text(kernel->merge), registers_text(f, kernel->merge),
                        kernel->merge->kind == MERGE_IN_TURN ? ""
                                                             : rule_text(f, launch, kernel->merge->kind));
        }
    }
}

static void say_groups(const struct fusing *f) {
    const struct kernel_chain *chain = f->chain;
    const struct chain_launch *before = NULL;
    for (size_t l = 0; l < chain->launch_count; l++) {
        const struct chain_launch *launch = &chain->launches[l];
        if (launch->otherwise) {
            continue;
        }
        say_kernel(f, launch);
        size_t first = first_done(launch);
        if (before) {
            diag_remark(&f->unit->diag, remark_name(REMARK_CHAIN), chain->location,
                        "%s: a launch ends between %s and %s%s: %s", chain->name,
                        chain->steps[first - 1].function, chain->steps[first].function,
                        launches_hand_on(f, before, launch) ? ", and what they hand on goes through memory"
                                                            : "",
                        f->why[first]);
        }
        before = launch;
    }
}

static void add_group(struct fusing *f, size_t first, size_t count, enum merge_kind kind, const char *when,
                      bool otherwise) {
    f->groups[f->group_count++] = (struct chain_launch){
        .first_step = first, .step_count = count, .kind = kind, .when = when, .otherwise = otherwise};
}

// The launches of steps where the rule for a form does not hold: the step ahead of the product, alone or with those before it, and the rest.
static void add_apart(struct fusing *f, size_t first, size_t ahead, size_t end, const char *when) {
    add_group(f, first, ahead, MERGE_IN_TURN, when, true);
    for (size_t s = first + ahead, own; s < end; s += own) {
        own = longest_group_of(f, s, end - s, MERGE_IN_TURN);
        add_group(f, s, own, MERGE_IN_TURN, when, true);
    }
}

// Merges steps that have been merged before.
static void join_again(const struct fusing *f, size_t first, size_t count) {
    const char *why;
    if (count > 1 && !merge_fits(f, first, count, MERGE_IN_TURN, &why)) {
        bug("fuse: steps of %s merged once and not again: %s", f->chain->name, why);
    }
}

// Merges the last of some steps, which scales rows, with the product behind it, and lets all of them write the factors of rows for that product.
// Returns the step behind the product's kernel; 0: there are no such kernels, and nothing is merged. *rule: by which sizes choose them; NULL: always.
// The reason stands at the product.
static size_t merge_scaled(const struct fusing *f, size_t first, size_t count, const char **rule) {
    struct frontend *frontend = f->unit->frontend;
    size_t last = first + count - 1, all = f->chain->step_count;
    size_t beside, alone = products_alone(f, last + 1, &beside);
    size_t behind = longest_group_of(f, last, all - last, MERGE_SCALED);
    if (behind == 1) {
        return 0;
    }
    const char *why = why_not_factored(f, behind - 1, alone, beside);
    if (why) {
        f->why[last + 1] = why;
        frontend_unmerge(frontend);
        return 0;
    }
    struct merge_loop loop = last_kernel(f)->merge->loop;
    loop.tile =
        beside > 0 || loop.worth == 0 ? loop.tile : 0; // `worth`, of columns' factors, has the tile's share
    loop.launch = beside > 0 ? loop.tile : 0;          // the last tile's steps are beside no products
    frontend_merge_loop(frontend, loop);
    bool asks = loop.worth > 0 || beside > 0;
    *rule = asks || loop.tile > 0 ? frontend_merge_rule(frontend, f->chain, last_kernel(f)) : NULL;
    if (asks && !*rule) {
        f->why[last + 1] =
            "sizes decide if the product multiplies its operand by the columns' factors, and the number of "
            "steps of its loop is not known";
    }
    if ((asks && !*rule) || !merge_fits(f, first, count, MERGE_FACTORS, &f->why[last + 1])) {
        frontend_unmerge(frontend);
        return 0;
    }
    return last + behind;
}

// The launches of steps, merged in turn if there are several, with the last one's factors of rows behind the product that follows. Returns the step
// behind all; 0: there are none, nothing is added, and the steps are merged as before.
static size_t add_scaled(struct fusing *f, size_t first, size_t count) {
    size_t last = first + count - 1, all = f->chain->step_count;
    if (last + 1 == all || !frontend_hands_on(f->unit->frontend, f->chain, last, last + 1) ||
        (count > 1 && hands_in_registers(f))) {
        return 0;
    }
    if (count > 1) {
        frontend_unmerge(f->unit->frontend);
    }
    const char **before = ARENA_ARRAY(f->unit->arena, const char *, all + 1), *rule;
    memcpy(before, f->why, (all + 1) * sizeof *before);
    size_t behind = merge_scaled(f, first, count, &rule);
    const char *why = f->why[last + 1];
    memcpy(f->why, before, (all + 1) * sizeof *before);
    if (!behind) {
        join_again(f, first, count);
        f->why[last + 1] =
            count > 1 ? why
                      : f->why[last +
                               1]; // of one step, the loop of the product has been refused for another reason
        return 0;
    }
    add_group(f, first, count, MERGE_FACTORS, rule, false);
    add_group(f, last, behind - last, MERGE_SCALED, rule, false);
    f->why[last + 1] = "the factors of rows are sums over whole rows, which the product's programs share";
    if (rule) {
        join_again(f, first, count);
        add_apart(f, first, count, behind, rule);
    }
    return behind;
}

// The launches of the last kernel, a product with the sums over rows in its loop, where sizes choose between it and scaled rows. The tile's factors
// take time where steps behind the product are done beside the next tile's products. Returns false if sizes do not choose, and nothing is added.
static bool add_factored(struct fusing *f, size_t first, size_t count) {
    struct merge_loop loop = last_kernel(f)->merge->loop;
    loop.tile = count > 2 && targets_beside(f) > 0 ? loop.tile : 0;
    frontend_merge_loop(f->unit->frontend, loop);
    const char *rule = frontend_merge_rule(f->unit->frontend, f->chain, last_kernel(f));
    if (rule) {
        add_group(f, first, count, MERGE_FACTORED, rule, false);
        add_apart(f, first, 1, first + count, rule);
    }
    return rule;
}

static void fuse_chain(struct fusing *f) {
    struct kernel_chain *chain = f->chain;
    f->why = ARENA_ARRAY(f->unit->arena, const char *, chain->step_count + 1);
    f->longest = ARENA_ARRAY(f->unit->arena, struct longest, chain->step_count + 1);
    f->groups = ARENA_ARRAY(f->unit->arena, struct chain_launch, 2 * chain->step_count + 1);
    for (size_t s = 0; s < chain->step_count;) {
        size_t steps = longest_group(f, s);
        enum merge_kind kind = f->longest[s].kind;
        size_t behind = f->reassociate && (steps == 1 || kind == MERGE_IN_TURN) ? add_scaled(f, s, steps) : 0;
        if (behind) {
            s = behind;
            continue;
        }
        if (steps > 1 && kind == MERGE_FACTORED && add_factored(f, s, steps)) {
            s += steps;
            continue;
        }
        const char *rule = steps > 1 ? rule_of_last(f) : NULL;
        kind = steps > 1 ? kind : MERGE_BESIDE;
        steps = steps > 1 ? steps : widest_group(f, s);
        add_group(f, s, steps, kind, rule, false);
        if (rule) {
            add_apart(f, s, 1, s + steps, rule);
        }
        s += steps;
    }
    frontend_group(f->unit->frontend, chain, f->groups, f->group_count);
    if (f->remarks) {
        say_groups(f);
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
