// What the files of the evaluator share: scopes, call frames, and the walk over expressions and statements, which
// call each other in every direction. What builtins use of it is in call.h, what a module holds in module.h.
#ifndef TKC_FRONTEND_EVAL_WALK_H
#define TKC_FRONTEND_EVAL_WALK_H

#include "frontend/eval/call.h"
#include "frontend/eval/module.h"

// Whether a loop's body reads a name as it was before.
struct first_read {
    bool seen;
    struct first_read *outer; // of the loop around
};

struct binding {
    const char *name;
    struct value value;            // VALUE_HOST: the name is unusable here, for the reason given
    struct first_read *first_read; // null: it is set in the body, or there is none
};

struct scope {
    struct binding *items; // in order of first binding
    size_t count, capacity;
    struct scope *parent; // of the enclosing function; NULL at the outermost
    bool is_comprehension;
};

// What is left to run after the current statement list, innermost first. A return inside a run-time `if`
// needs it: the rest of the function moves into the branch that does not return.
struct continuation {
    const struct stmt_list *list; // NULL: the next iterations of an unrolled loop
    size_t next;
    const struct stmt *loop; // with its remaining values
    struct value_list values;
    struct continuation *outer;
};

struct call_frame {
    struct call_frame *caller;
    const struct function *function; // NULL: module level
    struct file_scope *file;
    struct scope *scope;
    struct location call_location; // in the caller
    MlirLocation call_site;        // null for the kernel itself
    struct continuation *rest;
    unsigned splits; // ifs around this point, calls included, that made a second copy of what follows them
    unsigned depth;
    unsigned regions;             // around the current statement, at whose end all paths meet: see FLOW_DONE
    unsigned static_loops;        // unrolled loops inside the innermost run-time loop
    const struct stmt *jump_loop; // the innermost run-time loop, if break, continue or return leave it
    struct value loop_value;      // what returns inside it return, as far as seen: for the type
    bool is_jit;                  // assignments turn numbers into tensors
    struct value returned;        // after FLOW_RETURN
    bool fell_off;                // …whose path came to the end of the function, with no value
    const struct stmt *skipped;   // the last return under a condition that is known here but not to Triton
};

// FLOW_DONE: all that was left of a region has been emitted on every path. A region is the body of a run-time loop, or
// a branch of a run-time `if` that no jump leaves.
enum flow { FLOW_NEXT, FLOW_RETURN, FLOW_BREAK, FLOW_CONTINUE, FLOW_DONE, FLOW_FAIL };

// ---- expression.c ----
struct emitter program_emitter(struct program *program);   // at module level, without IR
void emit_at(struct emitter *e, struct location location); // sets the builder's location
// Around what may contain itself. False after an error.
bool enter(struct emitter *e, unsigned levels, struct location location);
void leave(struct emitter *e, unsigned levels);
struct value eval(struct emitter *e, const struct expr *expr);
struct value eval_name(struct emitter *e, const char *name, struct location location);
// A condition: true or false when known at compile time; *run_time is the scalar i1 otherwise. False after an
// error.
bool eval_condition(struct emitter *e, struct value test, struct location location, bool *known, bool *truth,
                    MlirValue *run_time);

// ---- format.c ----
// Appends a number or string by a format specification. False when it is none of Python's, or not understood here.
bool format_value(struct strbuf *buf, struct value v, const char *text, size_t length);

// ---- subscript.c, call.c, string.c ----
struct value eval_subscript_of(struct emitter *e, struct value object, struct value index,
                               struct location location);
struct value eval_call(struct emitter *e, const struct expr *expr);
struct value eval_dropped_call(struct emitter *e, const struct expr *expr); // as a statement
struct value eval_fstring(struct emitter *e, const struct expr *expr);
// Whether str() of it is known: no kernel argument is in it, whose text here is C. False after an error.
bool has_text(struct emitter *e, struct value v, struct location location);
struct value eval_comprehension(struct emitter *e, const struct expr *expr);

// ---- scope.c ----
// In the arena: a lambda or a function that is made in a scope may outlive it.
struct scope *scope_inside(struct emitter *e, struct scope *parent); // NULL: none
struct binding *scope_find(struct scope *scope, const char *name);   // in this scope alone
void scope_set(struct emitter *e, struct scope *scope, const char *name, struct value value);
enum { NAMES_A_STEP = 32 }; // looked through in the time of a step
struct scope scope_copy(struct emitter *e, const struct scope *scope);
// Run-time values inside a value, in order; and the value again with others in their places.
size_t value_flatten(struct value v, MlirValue *out); // out NULL: only counts
struct value value_unflatten(struct emitter *e, struct value like, const MlirValue *values, size_t *used);
bool value_same_type(struct value a, struct value b); // shape, dtype and every constant part alike
// The names that statements may bind, in order of appearance. What expressions bind (:=) is not counted.
struct name_list {
    const char **items;
    size_t count, capacity;
};
void collect_assigned(struct emitter *e, const struct stmt_list *list, struct name_list *names);
bool contains_return(const struct stmt_list *list);
bool contains_jump(const struct stmt_list *body); // break or continue of this loop, or a return
void name_list_add(struct emitter *e, struct name_list *names, const char *name);

// ---- statement.c, branch.c, loop.c, function.c ----
bool annotation_is_constexpr(const struct expr *annotation);
enum flow run_list(struct emitter *e, const struct stmt_list *list, size_t from);
enum flow run_if(struct emitter *e, const struct stmt *stmt);
enum flow run_for(struct emitter *e, const struct stmt *stmt);
enum flow run_while(struct emitter *e, const struct stmt *stmt);
enum flow run_choice(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                     const struct stmt_list *orelse, MlirValue condition);
enum flow run_continuation(struct emitter *e, struct continuation *rest);
enum flow run_unrolled(struct emitter *e, const struct stmt *loop, struct value_list values);
bool assign_target(struct emitter *e, const struct expr *target, struct value value);
struct value eval_ternary_run_time(struct emitter *e, const struct expr *expr, MlirValue condition);
struct value call_function(struct emitter *e, struct function *function, const struct value *args,
                           size_t count, const char *const *names, const struct value *keywords,
                           size_t keyword_count, struct location location);
// Numbers become tensors, as in every assignment of a jit function.
struct value decay(struct emitter *e, struct value v, struct location location);
// The constructor of a named tuple; other classes are the host's.
struct value class_value(struct emitter *e, const struct class_def *class_, struct file_scope *file);
struct value function_value(struct emitter *e, const struct function_def *def, struct file_scope *file,
                            struct scope *captured);

// The defaults of parameters as they are here.
struct value *defaults_of(struct emitter *e, const struct parameter_list *params);

// Where only the host can tell a condition, and whoever asked takes the first choice then.
static inline bool is_undecided(const struct emitter *e, struct value test) {
    return e->first_choice && !e->ir && (test.kind == VALUE_ERROR || test.kind == VALUE_HOST);
}

// ---- match.c ----
enum flow run_match(struct emitter *e, const struct stmt *stmt); // on a constant

// ---- jump.c: leaving run-time loops ----
enum jump_name { JUMP_BROKEN, JUMP_RETURNED, JUMP_VALUE, JUMP_INDEX };
// What a loop carries beside the program's names.
const char *jump_name(struct emitter *e, enum jump_name what, const struct stmt *loop);
// One path through the body has come to an end: says in the carried names how. FLOW_NEXT, or FLOW_FAIL.
enum flow finish_path(struct emitter *e, enum flow flow);
enum flow run_rest_of_body(struct emitter *e, struct continuation *rest);
// What follows a branch that ended so: the rest of the function, or of the region around.
enum flow run_to_end(struct emitter *e, enum flow flow, struct continuation *rest);
// Whether what is chosen between may leave what is around it: the function, a loop or an iteration.
bool may_leave(const struct emitter *e, const struct stmt_list *body, const struct stmt_list *orelse);
// After a loop that may have returned: the function returns `value` where `flag` holds, else it goes on.
enum flow run_after_return(struct emitter *e, const struct stmt *stmt, MlirValue flag, struct value value);
struct value zero_like(struct emitter *e, struct value like);

// ---- lanes.c: inside tl.map_elementwise, with conditions that are tiles ----
static inline bool is_lanewise(const struct emitter *e, struct value test) {
    return e->lanewise && test.kind == VALUE_TENSOR && test.tensor.rank > 0;
}
// Conditions on the way to where the walk is, innermost first.
struct lanes {
    struct value condition;
    bool holds; // or its opposite does
    const struct lanes *outer;
};
// The elements of `condition` that all of those conditions lead to.
struct value lanes_among(struct emitter *e, struct value condition, struct location location);
// A choice of each element between values that names may have; an error where it has none.
struct value choose_lanewise(struct emitter *e, struct value condition, struct value a, struct value b,
                             struct location location);
// A number where something is one of each element: of all of them. Other values are left as they are.
struct value widen_lanewise(struct emitter *e, struct value v, struct value like, struct location location);
enum flow run_choice_lanewise(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                              const struct stmt_list *orelse, struct value condition);
enum flow run_after_return_lanewise(struct emitter *e, const struct stmt *stmt, struct value flag,
                                    struct value value);
struct value eval_ternary_lanewise(struct emitter *e, const struct expr *expr, struct value condition);

// ---- host.c: lists and dicts of host code change by binding their name again ----
// configs.append(x) and its like as a statement: true if this is one, with its outcome in *flow.
bool run_host_method(struct emitter *e, const struct expr *call, enum flow *flow);
enum flow run_host_statement(struct emitter *e, const struct stmt *stmt); // try and imports
bool assign_host_element(struct emitter *e, const struct expr *target, struct value value);
// Whether a list or dict of that name, if it is one, has no other. False after an error.
bool host_may_change(struct emitter *e, const struct expr *name, struct location location);

// ---- builtin_call.c ----
// The row of that name, or NULL: "tl.load", "tensor.sum", "python.len", "triton.cdiv".
const struct builtin *builtin_find(const struct program *program, const char *name);
struct value call_builtin(struct emitter *e, const struct builtin *builtin, const struct value *args,
                          size_t count, const char *const *names, const struct value *keywords,
                          size_t keyword_count, struct location location);

#endif
