// Results of evaluation: one tagged union for compile-time values (Python objects) and run-time ones
// (tensors, by their MlirValue). Compile-time values are constexpr by nature; tensors never are. Values are
// passed by value; the memory they point to is in the compilation's arena and immutable (lists included:
// kernels cannot mutate them).
#ifndef TKC_FRONTEND_VALUE_VALUE_H
#define TKC_FRONTEND_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mlir-c/IR.h>

#include "dialects/tk/words.h"
#include "frontend/syntax/ast.h"
#include "frontend/value/dtype.h"
#include "support/strbuf.h"

enum { TILE_MAX_RANK = 10, TILE_MAX_ELEMENTS = 1 << 20 }; // as LAYOUT_MAX_RANK; Triton's limit

__extension__ typedef __int128 wide_int; // Python integers as far as kernels need them

struct value;

// Types of other rooms, opaque here: function values and rows of builtins refer to them.
struct emitter;
struct file_scope; // one source file's names
struct scope;      // the names of one function call

enum known_type {
#define KNOWN_TYPE(id, name) TYPE_##id,
#include "frontend/value/types.def"
#undef KNOWN_TYPE
    KNOWN_TYPE_COUNT
};

// Classes of objects made by constructors of Triton and of host libraries.
enum object_class {
    CLASS_CONFIG,
    CLASS_PROPAGATE_NAN,
    CLASS_GPU_TARGET,
    CLASS_DEVICE,
    CLASS_MODULE_SPEC,
    CLASS_MODULE_LOADER,
    CLASS_FINFO,
    CLASS_IINFO,
    CLASS_CONSTEXPR_TYPE, // x.type of a constant x; its field is x
    CLASS_NAMED_TUPLE,    // a class of the program, with its own name
    CLASS_AGGREGATE,      // under @triton.aggregate
};

enum value_kind {
    VALUE_ERROR, // an error was reported; later uses stay silent. Zeroed memory is this.
    VALUE_NONE,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_FLOAT,
    VALUE_STRING,
    VALUE_TUPLE,
    VALUE_LIST,
    VALUE_DICT,
    VALUE_SLICE,
    VALUE_ELLIPSIS,
    VALUE_DTYPE,     // tl.float16, tl.pointer_type(tl.float16)
    VALUE_TILE_TYPE, // x.type of a tensor with a shape
    VALUE_FUNCTION,  // a Python function or lambda, jit or plain
    VALUE_BUILTIN,   // a row of the table of builtins
    VALUE_METHOD,    // builtin or function bound to an object
    VALUE_MODULE,    // tl, triton, libdevice, math … (by dotted name) or a source file
    VALUE_RANGE,     // range(), tl.range(), tl.static_range()
    VALUE_OBJECT,    // an instance of a known host class (triton.Config, a namedtuple): class name and fields
    VALUE_TYPE,      // a Python type used as a value: int, float, tl.tensor, tl.constexpr, …
    VALUE_HOST,      // a host value unknown to this compiler; an error when used
    VALUE_TENSOR,    // run time; a scalar has rank 0
    VALUE_BLOCK_PTR, // tl.make_block_ptr
    VALUE_DESCRIPTOR, // tl.make_tensor_descriptor
    VALUE_SYMBOL,     // grid expressions only: a C expression over the kernel's parameters
};

// Shared growth buffer of lists: a list may append in place if no other list has taken the space behind it.
struct value_room {
    size_t taken, capacity;
};

struct value_list {
    struct value *items;
    size_t count;
    size_t weight : 63;      // elements at all depths, shared ones counted each time
    size_t is_set : 1;       // a set: stored as a tuple, iterable, without an order
    struct value_room *room; // NULL: no room to grow
};

// A class under @triton.aggregate. Its fields are those of its bases and its own.
struct aggregate {
    const struct class_def *def;
    struct file_scope *file;
    const struct aggregate **bases;
    size_t base_count;
    struct parameter_list fields;
    struct value *defaults; // of the fields; VALUE_ERROR: none, or unknown
};

struct function {
    const char *name;
    const struct function_def *def; // NULL: a lambda or a constructor
    const struct expr *lambda;
    struct location location;
    struct file_scope *file;
    struct scope *captured;       // NULL at module level
    const struct value *defaults; // of its parameters, VALUE_ERROR: unknown; NULL at module level
    // The fields of a named tuple or an aggregate, for its constructor; NULL: a function.
    const struct parameter_list *fields;
    const struct aggregate *aggregate; // of a constructor; NULL: of a named tuple
    bool is_jit;                       // under @triton.jit (plain functions are evaluated the same way)
    bool is_wrapped;                   // by triton.constexpr_function(f): a kernel may call it
};

typedef struct value builtin_handler(struct emitter *e, struct value *args, struct location location);

// A row of the table of builtins.
struct builtin {
    const char *name; // "tl.load", "tensor.sum", "python.len"
    builtin_handler *handler;
    const char *signature; // "pointer, mask=None, *rest"
    bool is_compile_time;  // needs no IR: a grid or a module-level constant may use it
    bool must_use;         // pure: dropping its result is a mistake
};

struct tensor {
    MlirValue value;
    struct dtype dtype; // of an element; signedness is known here only
    int rank;
    const int64_t *shape;
};

// Block pointers and tensor descriptors: aggregates of run-time scalars, known to the front end alone.
struct block_ptr {
    // base (scalar pointer), then `rank` shapes, strides (i64 tensors), offsets (i32 tensors)
    struct value *parts;
    int rank;
    int64_t block[TILE_MAX_RANK];
    int order[TILE_MAX_RANK];
    enum padding_option padding; // descriptors
    bool by_host;                // a descriptor that is a parameter: nothing is known of its extents
    bool of_booleans;            // its elements are i1, which the base shows as bytes
};

struct range_value {
    struct value *start, *stop, *step; // ints or scalar integer tensors
    bool is_static;                    // tl.static_range: always unrolled
    bool has_stages;                   // tl.range(num_stages=…)
    int num_stages;
};

struct value {
    enum value_kind kind;
    union {
        bool boolean;
        wide_int integer;
        double number;
        struct {
            const char *bytes; // NUL-terminated
            size_t length;
        } string;
        struct value_list list;    // TUPLE, LIST; DICT: key, value, key, value, …
        struct value *slice;       // lower, upper, step; VALUE_NONE if absent
        struct dtype dtype;        // DTYPE
        struct tensor tensor;      // TENSOR; TILE_TYPE uses all but `value`
        struct function *function; // FUNCTION
        const struct builtin *builtin;
        struct {
            struct value *self;
            struct value *function; // BUILTIN (self becomes its first argument) or FUNCTION
        } method;
        struct {
            // "tl", "triton", "libdevice", "math", …: builtins are looked up as NAME.attribute
            const char *name;
            struct file_scope *file; // a source or library file; may go with a name
        } module;
        struct range_value *range;
        struct {
            enum object_class class;
            bool is_open;                      // an aggregate in its constructor: fields may be set
            const char *name;                  // of a named tuple's or an aggregate's class; else NULL
            const struct aggregate *aggregate; // NULL: no aggregate
            struct value_list fields;          // name (string), value, …
        } object;
        enum known_type type;        // TYPE
        const char *host;            // HOST: a description, for the error
        struct block_ptr *block_ptr; // BLOCK_PTR, DESCRIPTOR
        const char *symbol;          // SYMBOL: C text, parenthesised if necessary
    };
};

// ---- making ----
struct value value_error(void);
struct value value_none(void);
struct value value_bool(bool b);
struct value value_int(wide_int i);
struct value value_float(double d);
struct value value_string(struct arena *arena, const char *text);
struct value value_string_n(struct arena *arena, const char *bytes, size_t length);
struct value value_tuple(struct arena *arena, const struct value *items, size_t count); // copies
struct value value_list_of(struct arena *arena, const struct value *items, size_t count);
struct value value_dtype(struct dtype type);
struct value value_function(struct function *function);
struct value value_builtin(const struct builtin *builtin);
struct value value_method(struct arena *arena, struct value self, struct value function);
struct value value_module(const char *name, struct file_scope *file);
struct value value_type(enum known_type type);
const char *known_type_text(enum known_type type);
bool known_type_find(const char *name, enum known_type *type); // false if no type has the name
struct value value_host(const char *what);
struct value value_symbol(const char *text);
// The type of a constant. For a sequence: the tuple of its elements' types, like x.type.
struct value value_constexpr_type(struct arena *arena, struct value constant);
struct value value_object(struct arena *arena, enum object_class class, const struct value *fields,
                          size_t count);
struct value value_named_tuple(struct arena *arena, const char *name, const struct value *fields,
                               size_t count);

// ---- asking ----
static inline bool value_failed(struct value v) {
    return v.kind == VALUE_ERROR;
}
static inline bool value_is_none(struct value v) {
    return v.kind == VALUE_NONE;
}
static inline bool value_is_tensor(struct value v) {
    return v.kind == VALUE_TENSOR;
}
bool value_is_sequence(struct value v); // tuple or list; a set too, iterated as a tuple
bool value_is_set(struct value v);
bool value_is_number(struct value v);             // bool, int or float
bool value_is_integral(struct value v);           // bool or int
bool value_is_constant(struct value v);           // holds no tensor at any depth
size_t value_weight(struct value v);              // of a list or the like; 1 of others
bool value_is_callable(struct value v);           // function, builtin, method, dtype, type
wide_int value_integer(struct value v);           // of a bool or int
double value_number(struct value v);              // of a bool, int or float
int value_order(struct value a, struct value b);  // of numbers: -1, 0 or 1; 2 if one is a NaN
bool value_equal(struct value a, struct value b); // Python's ==, both constant
// As value_equal, for values with kernel arguments in them: an argument may equal any number.
enum equality { DIFFERENT, KNOWN_AT_LAUNCH, EQUAL };
enum equality value_equality(struct value a, struct value b);
enum equality value_set_within(struct value a, struct value b); // EQUAL: a is a subset of b
bool value_identical(struct value a, struct value b);           // Python's `is`, or the same MlirValues
// Python's truth value of a constant; false with *ok = false when it has none (tensors).
bool value_truth(struct value v, bool *ok);
bool value_same_class(struct value a, struct value b); // of objects
// The elements of a tuple, list, dict or object (with keys and names); empty for other values.
struct value_list value_parts(struct value v);
struct value value_with_parts(struct value like, struct value_list parts);
const struct value *value_field(struct value object, const char *name);  // of VALUE_OBJECT; NULL
const struct value *value_dict_get(struct value dict, struct value key); // NULL if absent

// ---- describing ----
// The kind as Python or Triton names it: "int", "tuple", "tensor<64xfp16>", "module 'tl'".
const char *value_type_name(struct arena *arena, struct value v);
// Prints a constant like Python's str() or repr(), or for use outside the language (reflection, names of
// configurations): as repr(), with dtypes as in signatures ("i32"). Tensors print their type.
enum value_words { WORDS_STR, WORDS_REPR, WORDS_SIGNATURE };
void value_print(struct strbuf *buf, struct value v, enum value_words words);
const char *value_text(struct arena *arena, struct value v); // as str()
void wide_int_print(struct strbuf *buf, wide_int i);

// ---- extents (--pad-shapes) ----
int64_t padded_extent(int64_t extent); // the next power of two, or the extent itself
bool is_padded(struct value v);        // a tile with another extent than its padded one

#endif
