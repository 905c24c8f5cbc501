// Between the files of the evaluator: scopes, call frames, and the mutually recursive walk over expressions
// and statements. call.h has the part for builtins, module.h the module level.
#ifndef TKC_FRONTEND_EVAL_WALK_H
#define TKC_FRONTEND_EVAL_WALK_H

#include "frontend/eval/call.h"
#include "frontend/eval/module.h"

// Records a read of a name's value from before the loop in a loop's body.
struct first_read {
    bool seen;
    struct first_read *outer; // of the enclosing loop
};

// `x: tl.constexpr` without a value; or, is_over, the assignment of its value.
struct announced {
    const char *name;
    bool is_over;
    const struct announced *earlier;
};

struct binding {
    const char *name;
    struct value value;            // VALUE_HOST: the name is unusable here, for the reason given
    struct first_read *first_read; // NULL: the body has set the name, or no loop surrounds it
};

struct scope {
    struct binding *items; // in order of first binding
    size_t count, capacity;
    const struct announced *announced; // names annotated as constants ahead of their values, the last first
    struct scope *parent;              // of the enclosing function; NULL at the outermost
    bool is_comprehension;
};

// The rest of the code after the current statement list, innermost first. A return inside a run-time `if`
// moves it into the branch without a return.
struct continuation {
    const struct stmt_list *list; // NULL: the next iterations of an unrolled loop
    size_t next;
    const struct stmt *loop; // an unrolled loop, and the values of its remaining iterations
    struct value_list values;
    struct continuation *outer;
};

struct call_frame {
    struct call_frame *caller;
    unsigned language;               // the caller's, while this frame is the innermost
    bool in_library;                 // also the caller's
    const struct function *function; // NULL: module level
    struct file_scope *file;
    struct scope *scope;
    struct location call_location; // in the caller
    MlirLocation call_site;        // null for the kernel itself
    struct continuation *rest;
    unsigned splits; // enclosing ifs with a second copy of the rest, calls included
    unsigned depth;
    unsigned regions;             // enclosing regions with all paths meeting at the end: see FLOW_DONE
    unsigned static_loops;        // unrolled loops inside the innermost run-time loop
    const struct stmt *jump_loop; // the innermost run-time loop, if break, continue or return leave it
    struct value loop_value;      // a returned value inside jump_loop, for its type
    bool is_jit;                  // assignments turn numbers into tensors
    struct value returned;        // after FLOW_RETURN
    struct location returned_at;  // of the last return statement
    bool fell_off;                // the function ended without a return
    const struct stmt *skipped;   // the last return under a condition constant here but not in Triton
    bool promotes;                // such a condition chose among returns: their constants become tensors
};

// FLOW_DONE: the rest of a region has been emitted on every path. A region is the body of a run-time loop, or
// a branch of a run-time `if` without jumps out of it.
enum flow { FLOW_NEXT, FLOW_RETURN, FLOW_BREAK, FLOW_CONTINUE, FLOW_DONE, FLOW_FAIL };

// ---- expression.c ----
struct emitter program_emitter(struct program *program);   // at module level, without IR
void emit_at(struct emitter *e, struct location location); // sets the builder's location
// Makes the frame, whose caller is the innermost, the innermost; and the caller again. The code of a file is of the
// file's version of the language, and the library's of its caller's.
void enter_frame(struct emitter *e, struct call_frame *frame);
void leave_frame(struct emitter *e);
// Enters or leaves `levels` of recursion; called around nesting evaluation. False after an error.
bool enter(struct emitter *e, unsigned levels, struct location location);
void leave(struct emitter *e, unsigned levels);
struct value eval(struct emitter *e, const struct expr *expr);
struct value eval_name(struct emitter *e, const char *name, struct location location);
// A condition: true or false when known at compile time; *run_time is the scalar i1 otherwise. False after an
// error.
bool eval_condition(struct emitter *e, struct value test, struct location location, bool *known, bool *truth,
                    MlirValue *run_time);

// ---- format.c ----
// Appends a number or string by a format specification. False if the specification is invalid or not
// supported.
bool format_value(struct strbuf *buf, struct value v, const char *text, size_t length);

// ---- subscript.c, call.c, string.c ----
struct value eval_subscript_of(struct emitter *e, struct value object, struct value index,
                               struct location location);
struct value eval_call(struct emitter *e, const struct expr *expr);
struct value eval_dropped_call(struct emitter *e, const struct expr *expr); // as a statement
struct value eval_fstring(struct emitter *e, const struct expr *expr);
// True if the text of str(v) is known at compile time: v contains no symbolic kernel argument. False after an
// error.
bool has_text(struct emitter *e, struct value v, struct location location);
struct value eval_comprehension(struct emitter *e, const struct expr *expr);

// ---- scope.c ----
// In the arena: a lambda or function captures the scope and may outlive it.
struct scope *scope_inside(struct emitter *e, struct scope *parent); // NULL: none
struct binding *scope_find(struct scope *scope, const char *name);   // in this scope alone
void scope_set(struct emitter *e, struct scope *scope, const char *name, struct value value);
enum { NAMES_A_STEP = 32 }; // names searched per evaluation step
struct scope scope_copy(struct emitter *e, const struct scope *scope);
// The run-time values inside a value, in order; and a copy of the value with other ones in their places.
size_t value_flatten(struct value v, MlirValue *out); // out NULL: only counts
struct value value_unflatten(struct emitter *e, struct value like, const MlirValue *values, size_t *used);
bool value_same_type(struct value a, struct value b); // shape, dtype and every constant part alike
// The names bound by statements, in order of appearance, without those bound by expressions (:=).
struct name_list {
    const char **items;
    size_t count, capacity;
};
void collect_assigned(struct emitter *e, const struct stmt_list *list, struct name_list *names);
// The last assignment to a name, and the last one above a line; target NULL: no statement assigns it (an expression does).
struct assignment {
    const struct expr *target, *value; // value NULL: there are several targets, or an operator is at work
};
bool same_extents(struct value x, struct value y); // of tensors
struct assignment last_assignment(const struct stmt_list *list, const char *name);
struct assignment last_assignment_before(const struct stmt_list *list, const char *name, uint32_t line);
bool contains_return(const struct stmt_list *list);
bool contains_jump(const struct stmt_list *body); // break or continue of this loop, or a return
void name_list_add(struct emitter *e, struct name_list *names, const char *name);

// ---- statement.c, branch.c, loop.c, function.c ----
bool annotation_is_constexpr(const struct expr *annotation);
// The text of Annotated[type, "text"], the type to type checkers; any other annotation itself. NULL stays NULL.
const struct expr *annotation_text(const struct expr *annotation);
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
// Turns numbers into tensors, as every assignment of a jit function does.
struct value decay(struct emitter *e, struct value v, struct location location);
// As decay, for an assignment to the target: constants stay constants for names announced as such.
struct value decay_for(struct emitter *e, const struct expr *target, struct value v,
                       struct location location);
struct value decay_for_name(struct emitter *e, const char *name, struct value v, struct location location);
// As call_function, without the constructors of aggregates. `self`: receives the first parameter's value at the end;
// NULL: not asked for.
struct value call_function_keeping(struct emitter *e, struct function *function, const struct value *args,
                                   size_t count, const char *const *names, const struct value *keywords,
                                   size_t keyword_count, struct value *self, struct location location);
// The constructor of a named tuple or an aggregate; any other class is a host value.
struct value class_value(struct emitter *e, const struct class_def *class_, struct file_scope *file);
struct value function_value(struct emitter *e, const struct function_def *def, struct file_scope *file,
                            struct scope *captured);

// Evaluates the default values of parameters in the current scope.
struct value *defaults_of(struct emitter *e, const struct parameter_list *params);

// True if only the host knows the condition and the caller has asked for the first choice in this case.
static inline bool is_undecided(const struct emitter *e, struct value test) {
    return e->first_choice && !e->ir && (test.kind == VALUE_ERROR || test.kind == VALUE_HOST);
}

// ---- aggregate.c ----
// The constructor of a class under @triton.aggregate; VALUE_NONE if it is not one.
struct value aggregate_class(struct emitter *e, const struct class_def *class_, struct file_scope *file);
struct value construct_aggregate(struct emitter *e, struct function *class_, const struct value *args,
                                 size_t count, const char *const *names, const struct value *keywords,
                                 size_t keyword_count, struct location location);
// An object with a scope's names as fields.
struct value aggregate_from_fields(struct emitter *e, const struct function *class_, struct scope *scope,
                                   struct location location);
// A method of an aggregate, bound to the object. False for other values, and if there is none.
bool aggregate_method(struct emitter *e, struct value object, const char *name, struct value *out);
// A function of the class itself, bound to no object. False if there is none.
bool aggregate_function(struct emitter *e, const struct aggregate *aggregate, const char *name,
                        struct value *out);
bool assign_field(struct emitter *e, const struct expr *target,
                  struct value value); // of `self` in a constructor
// Operators: the methods of aggregates, else those of constants and tensors.
struct value eval_binary_of(struct emitter *e, enum binary_op op, struct value a, struct value b,
                            struct location location);
struct value eval_compare_of(struct emitter *e, enum compare_op op, struct value a, struct value b,
                             struct location location);
struct value eval_unary_of(struct emitter *e, enum unary_op op, struct value a, struct location location);

// ---- match.c ----
enum flow run_match(struct emitter *e, const struct stmt *stmt); // on a constant

// ---- jump.c: leaving run-time loops ----
enum jump_name { JUMP_BROKEN, JUMP_RETURNED, JUMP_VALUE, JUMP_INDEX };
// Names the hidden carried values of a loop; no program can spell them.
const char *jump_name(struct emitter *e, enum jump_name what, const struct stmt *loop);
// Ends one path through the body: records in the carried flags how. FLOW_NEXT or FLOW_FAIL.
enum flow finish_path(struct emitter *e, enum flow flow);
enum flow run_rest_of_body(struct emitter *e, struct continuation *rest);
// Runs the code after a branch with the end `flow`: the rest of the function, or of the enclosing region.
enum flow run_to_end(struct emitter *e, enum flow flow, struct continuation *rest);
// True if one of the branches may leave the enclosing function, loop or iteration.
bool may_leave(const struct emitter *e, const struct stmt_list *body, const struct stmt_list *orelse);
// After a loop with a possible return: the function returns `value` if `flag` holds, else it goes on.
enum flow run_after_return(struct emitter *e, const struct stmt *stmt, MlirValue flag, struct value value);
struct value zero_like(struct emitter *e, struct value like);

// ---- show.c: for e->shows ----
// Ahead of a statement of a list; `first`: the first to run.
void show_before(struct emitter *e, const struct stmt_list *list, size_t index, bool first);
void show_behind(struct emitter *e, const struct stmt *stmt);

// ---- lanes.c: inside tl.map_elementwise, with a tile as condition ----
static inline bool is_lanewise(const struct emitter *e, struct value test) {
    return e->lanewise && test.kind == VALUE_TENSOR && test.tensor.rank > 0;
}
// The enclosing conditions of the current statement, innermost first.
struct lanes {
    struct value condition;
    bool holds; // in the body of the `if`; false: in its else branch
    const struct lanes *outer;
};
// `condition`, restricted to the elements of all enclosing conditions.
struct value lanes_among(struct emitter *e, struct value condition, struct location location);
// Selects between two values of a name, per element. An error if the values have no such choice.
struct value choose_lanewise(struct emitter *e, struct value condition, struct value a, struct value b,
                             struct location location);
// Broadcasts a scalar to the shape of `like` if `like` is one value per element. Other values stay as they are.
struct value widen_lanewise(struct emitter *e, struct value v, struct value like, struct location location);
enum flow run_choice_lanewise(struct emitter *e, const struct stmt *stmt, const struct stmt_list *body,
                              const struct stmt_list *orelse, struct value condition);
enum flow run_after_return_lanewise(struct emitter *e, const struct stmt *stmt, struct value flag,
                                    struct value value);
struct value eval_ternary_lanewise(struct emitter *e, const struct expr *expr, struct value condition);

// ---- suggest.c: offers names of similar spelling (support/nearest.h) ----
void suggest_rows(const struct emitter *e, const char *prefix, struct nearest *nearest); // "tl": of tl.load
void suggest_list(const char *const *names, struct nearest *nearest);                    // ended by NULL
void suggest_library(const struct emitter *e, struct nearest *nearest);
void suggest_names(const struct emitter *e, struct nearest *nearest); // in an expression's sight
void suggest_module(const struct emitter *e, const char *module, struct nearest *nearest);
void suggest_attributes(const struct emitter *e, struct value object, struct nearest *nearest);
// The spelling in tl of another library's name (synonyms.def: "tl", "tensor" or "keyword" or "import"); NULL: nothing is known.
const char *suggest_synonym(const char *where, const char *name);
// The synonym with the argument of the call in place of its x; the function's name is at the place.
const char *suggest_filled(const struct emitter *e, const char *write, struct location name);

// ---- host.c: lists and dicts of host code; a change binds their name to a new value ----
// Runs a statement such as configs.append(x): true if it is one, with its outcome in *flow.
bool run_host_method(struct emitter *e, const struct expr *call, enum flow *flow);
enum flow run_host_statement(struct emitter *e, const struct stmt *stmt); // try and imports
bool assign_host_element(struct emitter *e, const struct expr *target, struct value value);
// True unless the name is a list or dict shared with another name. False after an error.
bool host_may_change(struct emitter *e, const struct expr *name, struct location location);

// ---- builtin_call.c ----
// The row of a builtin by its name, or NULL: "tl.load", "tensor.sum", "python.len", "triton.cdiv".
const struct builtin *builtin_find(const struct program *program, const char *name);
struct value call_builtin(struct emitter *e, const struct builtin *builtin, const struct value *args,
                          size_t count, const char *const *names, const struct value *keywords,
                          size_t keyword_count, struct location location);

#endif
