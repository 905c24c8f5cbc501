// Kernels that TorchInductor wrote carry in a decorator what a launcher tells others by flags:
//
//   @triton_heuristics.reduction(
//       size_hints={'x': 1024, 'r0_': 64},
//       reduction_hint=ReductionHint.INNER,
//       triton_meta={'signature': {'in_ptr0': '*fp32', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'constants': {},
//                    'configs': [{(0,): [['tt.divisibility', 16]]}], …},
//       inductor_meta={'grid_type': 'Grid1D', …})
//
// Types, constants and alignment are read from triton_meta in all the forms that they have had. Block sizes, of which
// Inductor tries several on the machine, are chosen by the size hints as it would choose its first; -D, -w and -s count
// before them. Only the parts needed are evaluated: others speak of the machine.
#include <string.h>

#include "frontend/kernel.h"

enum { MAX_BLOCK = 1024, MAX_REDUCTION_BLOCK = 2048, MAX_PERSISTENT_ELEMENTS = 4096 };

struct inductor {
    const struct expr *call; // NULL: no such kernel
    enum known_type heuristic;
};

static bool is_heuristic(enum known_type type) {
    return type >= TYPE_INDUCTOR_POINTWISE && type <= TYPE_INDUCTOR_FIXED_CONFIG;
}

static struct inductor find(struct emitter *e, const struct kernel_instance *kernel) {
    const struct expr_list *decorators = &kernel->callee->def->decorators;
    for (size_t i = 0; i < decorators->count; i++) {
        const struct expr *call = decorators->items[i];
        if (call->kind != EXPR_CALL) {
            continue;
        }
        e->quiet++;
        struct value v = eval(e, call->call.function);
        e->quiet--;
        if (v.kind == VALUE_TYPE && is_heuristic(v.type)) {
            return (struct inductor){call, v.type};
        }
    }
    return (struct inductor){NULL, TYPE_INT};
}

// ---- reading ----

static const struct expr *keyword(const struct expr *call, const char *name) {
    for (size_t i = 0; call && call->kind == EXPR_CALL && i < call->call.keyword_count; i++) {
        if (call->call.keywords[i].name && strcmp(call->call.keywords[i].name, name) == 0) {
            return call->call.keywords[i].value;
        }
    }
    return NULL;
}

// An entry of a dict as it is written.
static const struct expr *entry(const struct expr *dict, const char *key) {
    for (size_t i = 0; dict && dict->kind == EXPR_DICT && i < dict->dict.count; i++) {
        const struct expr *name = dict->dict.items[i].key;
        if (name && name->kind == EXPR_STRING && strcmp(name->string.bytes, key) == 0) {
            return dict->dict.items[i].value;
        }
    }
    return NULL;
}

static struct value quietly(struct emitter *e, const struct expr *expr) {
    e->quiet++;
    struct value v = expr ? eval(e, expr) : value_none();
    e->quiet--;
    return v;
}

// The parameter that a key means: its name, its number, or a tuple of either.
static struct kernel_param *parameter(struct kernel_instance *kernel, struct value key) {
    if (value_is_sequence(key) && key.list.count == 1) {
        key = key.list.items[0];
    }
    if (value_is_integral(key)) {
        wide_int i = value_integer(key);
        return i >= 0 && i < (wide_int)kernel->param_count ? &kernel->params[i] : NULL;
    }
    for (size_t i = 0; i < kernel->param_count && key.kind == VALUE_STRING; i++) {
        if (strcmp(kernel->params[i].name, key.string.bytes) == 0) {
            return &kernel->params[i];
        }
    }
    return NULL;
}

static void promise(struct kernel_instance *kernel, struct value keys) {
    for (size_t i = 0; value_is_sequence(keys) && i < keys.list.count; i++) {
        struct kernel_param *param = parameter(kernel, keys.list.items[i]);
        if (param && !param->is_constant && !dtype_is_float(param->dtype)) {
            param->divisible_by = 16;
        }
    }
}

// What is divisible by 16: {(0,): [['tt.divisibility', 16]]}, AttrsDescriptor(divisible_by_16=(0, 1)) or
// AttrsDescriptor.from_dict({'arg_properties': {'tt.divisibility': (0, 1)}}).
static void read_alignment(struct emitter *e, struct kernel_instance *kernel, const struct expr *configs) {
    bool is_list = configs && (configs->kind == EXPR_LIST || configs->kind == EXPR_TUPLE);
    const struct expr *config = is_list && configs->elements.count ? configs->elements.items[0] : NULL;
    if (!config) {
        return;
    }
    if (config->kind == EXPR_CALL) {
        const struct expr *argument = config->call.args.count ? config->call.args.items[0] : NULL;
        promise(kernel, quietly(e, keyword(config, "divisible_by_16")));
        promise(kernel, quietly(e, entry(entry(argument, "arg_properties"), "tt.divisibility")));
        return;
    }
    struct value table = quietly(e, config);
    for (size_t i = 0; table.kind == VALUE_DICT && i + 1 < table.list.count; i += 2) {
        struct value facts = table.list.items[i + 1], key = table.list.items[i];
        struct value first =
            value_is_sequence(facts) && facts.list.count ? facts.list.items[0] : value_none();
        if (value_is_sequence(first) && first.list.count == 2 &&
            value_equal(first.list.items[0], value_string(e->arena, "tt.divisibility"))) {
            promise(kernel, value_tuple(e->arena, &key, 1));
        }
    }
}

static bool read_types(struct emitter *e, struct kernel_instance *kernel, const struct expr *meta,
                       bool *has_type) {
    const struct expr *source = entry(meta, "signature");
    struct value signature = quietly(e, source);
    if (!source || (signature.kind != VALUE_DICT && !value_is_sequence(signature))) {
        return true; // then flags say
    }
    bool is_dict = signature.kind == VALUE_DICT;
    for (size_t i = 0; i < signature.list.count; i += is_dict ? 2 : 1) {
        struct kernel_param *param =
            is_dict ? parameter(kernel, signature.list.items[i]) : parameter(kernel, value_int((wide_int)i));
        struct value type = signature.list.items[i + is_dict];
        if (!param || type.kind != VALUE_STRING || strcmp(type.string.bytes, "constexpr") == 0) {
            continue;
        }
        if (!kernel_parse_type(e, type.string.bytes, param)) {
            emit_error(e, source->location, "'%s' of parameter %s is not a type", type.string.bytes,
                       param->name);
            return false;
        }
        has_type[param - kernel->params] = true;
    }
    return true;
}

bool inductor_signature(struct emitter *e, struct kernel_instance *kernel, bool *has_type) {
    const struct expr *meta = keyword(find(e, kernel).call, "triton_meta");
    if (!read_types(e, kernel, meta, has_type)) {
        return false;
    }
    struct value constants = quietly(e, entry(meta, "constants"));
    for (size_t i = 0; constants.kind == VALUE_DICT && i + 1 < constants.list.count; i += 2) {
        struct kernel_param *param = parameter(kernel, constants.list.items[i]);
        if (param) {
            param->is_constant = true;
            param->value = constants.list.items[i + 1];
        }
    }
    read_alignment(e, kernel, entry(meta, "configs"));
    return true;
}

// ---- block sizes ----

struct sizes {
    int64_t x, y, z, r; // of the whole problem, as far as hints say
    const char *hint;   // "INNER", "OUTER", "OUTER_TINY", "DEFAULT"
};

static int64_t hint_of(struct emitter *e, struct value hints, const char *name, size_t from_the_end) {
    const struct value *found = NULL;
    if (hints.kind == VALUE_DICT) {
        found = value_dict_get(hints, value_string(e->arena, name));
    } else if (value_is_sequence(hints) && hints.list.count > from_the_end) {
        found = &hints.list.items[hints.list.count - 1 - from_the_end];
    }
    int64_t size = found && value_is_integral(*found) ? (int64_t)value_integer(*found) : 1, power = 1;
    while (power < size && power < 1 << 30) {
        power *= 2;
    }
    return power;
}

// Lists say z, y, x, and r last; dicts say which is which, and r may have two parts.
static struct sizes read_sizes(struct emitter *e, struct inductor inductor, bool reduces) {
    struct value hints = quietly(e, keyword(inductor.call, "size_hints"));
    const struct expr *hint = keyword(inductor.call, "reduction_hint");
    struct sizes sizes = {.x = hint_of(e, hints, "x", reduces),
                          .y = hint_of(e, hints, "y", 1 + reduces),
                          .z = hint_of(e, hints, "z", 2 + reduces),
                          .r = 1,
                          .hint = hint && hint->kind == EXPR_ATTRIBUTE ? hint->attribute.name : "DEFAULT"};
    if (reduces) {
        bool parts = hints.kind == VALUE_DICT && !value_dict_get(hints, value_string(e->arena, "r"));
        sizes.r = hint_of(e, hints, parts ? "r0_" : "r", 0);
    }
    return sizes;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// The most rows of a persistent reduction that Inductor would try.
static int64_t persistent_rows(const struct sizes *sizes) {
    static const int64_t rows[] = {128, 32, 8};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && strcmp(sizes->hint, "INNER") != 0; i++) {
        if (rows[i] <= sizes->x && rows[i] * sizes->r <= MAX_PERSISTENT_ELEMENTS) {
            return rows[i];
        }
    }
    return 1;
}

struct blocks {
    int64_t x, y, z, r;
};

static struct blocks choose(struct inductor inductor, const struct sizes *sizes, int dimensions) {
    if (inductor.heuristic == TYPE_INDUCTOR_PERSISTENT_REDUCTION) {
        return (struct blocks){persistent_rows(sizes), 1, 1, sizes->r};
    }
    if (inductor.heuristic != TYPE_INDUCTOR_POINTWISE) {
        bool outer = strncmp(sizes->hint, "OUTER", 5) == 0;
        return (struct blocks){outer ? smaller(sizes->x, 64) : 1, 1, 1,
                               smaller(sizes->r, outer ? 8 : MAX_REDUCTION_BLOCK)};
    }
    int64_t spread = sizes->x / 128;
    int64_t line = spread < 256 ? 256 : smaller(spread, MAX_BLOCK);
    return dimensions == 1 ? (struct blocks){smaller(sizes->x, line), 1, 1, 1}
           : dimensions == 2
               ? (struct blocks){smaller(sizes->x, 32), smaller(sizes->y, 32), 1, 1}
               : (struct blocks){smaller(sizes->x, 16), smaller(sizes->y, 8), smaller(sizes->z, 8), 1};
}

static int choose_warps(const struct blocks *blocks, bool reduces) {
    int64_t warps = blocks->x * blocks->y * blocks->z * blocks->r / (reduces ? 128 : 256), power = 1;
    int64_t most = reduces ? 16 : 8, least = reduces ? 2 : 1;
    while (2 * power <= smaller(warps, most)) {
        power *= 2;
    }
    return (int)(power < least ? least : power);
}

// Templates, and kernels of many small tensors, say their warps and stages themselves.
static void read_launch(struct emitter *e, struct kernel_instance *kernel, const struct expr *call) {
    struct value warps = quietly(e, keyword(call, "num_warps")),
                 stages = quietly(e, keyword(call, "num_stages"));
    if (value_is_integral(warps)) {
        kernel->num_warps = (int)value_integer(warps);
    }
    if (value_is_integral(stages)) {
        kernel->num_stages = (int)value_integer(stages);
    }
}

void inductor_blocks(struct emitter *e, struct kernel_instance *kernel, bool *settled) {
    static const char *const names[] = {"XBLOCK", "YBLOCK", "ZBLOCK", "RBLOCK", "R0_BLOCK", "R1_BLOCK"};
    struct inductor inductor = find(e, kernel);
    if (!inductor.call || !keyword(inductor.call, "size_hints")) {
        read_launch(e, kernel, inductor.call);
        return;
    }
    bool reduces = inductor.heuristic != TYPE_INDUCTOR_POINTWISE;
    struct sizes sizes = read_sizes(e, inductor, reduces);
    int dimensions = 1;
    for (size_t i = 0; i < kernel->param_count; i++) {
        bool y = strcmp(kernel->params[i].name, "YBLOCK") == 0,
             z = strcmp(kernel->params[i].name, "ZBLOCK") == 0;
        dimensions = z ? 3 : y && dimensions < 2 ? 2 : dimensions;
    }
    struct blocks blocks = choose(inductor, &sizes, dimensions);
    int64_t values[] = {blocks.x, blocks.y, blocks.z, blocks.r, blocks.r, 1};
    for (size_t i = 0; i < kernel->param_count; i++) {
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            struct kernel_param *param = &kernel->params[i];
            if (strcmp(param->name, names[j]) == 0 && param->is_constant && !settled[i] &&
                param->value.kind == VALUE_ERROR) {
                param->value = value_int(values[j]);
                settled[i] = true;
            }
        }
    }
    kernel->num_warps = choose_warps(&blocks, reduces);
    kernel->num_stages = 1;
}

// ---- the grid ----

enum { MAX_GRID_Y = 65535 };

static bool is_known(struct emitter *e, struct value meta, const char *name) {
    const struct value *found = value_dict_get(meta, value_string(e->arena, name));
    return found && found->kind != VALUE_HOST;
}

// The blocks along a dimension; NULL: there is no such dimension. Without a block size every element has a block.
static const char *side(struct emitter *e, struct value meta, const char *prefix, const char *block) {
    if (!is_known(e, meta, arena_printf(e->arena, "%snumel", prefix))) {
        return NULL;
    }
    return is_known(e, meta, block) ? arena_printf(e->arena, "cdiv(%snumel, %s)", prefix, block)
                                    : arena_printf(e->arena, "%snumel", prefix);
}

// Many kernels, the blocks of each behind those of the one before: the sum of theirs. NULL where a size is not known.
static const char *sum_of_parts(struct emitter *e, struct value meta, const struct expr *combo) {
    const struct expr *block = entry(entry(combo, "default_config"), "XBLOCK");
    struct value count = quietly(e, entry(combo, "num_kernels")), size = quietly(e, block);
    const char *text = "0";
    for (wide_int i = 0; value_is_integral(count) && i < value_integer(count); i++) {
        struct value numel = quietly(e, entry(combo, arena_printf(e->arena, "xnumel_%d", (int)i))),
                     flat = quietly(e, entry(combo, arena_printf(e->arena, "no_x_dim_%d", (int)i)));
        bool named = is_known(e, meta, "XBLOCK"), whole = value_is_integral(flat) && value_integer(flat);
        if (!value_is_integral(numel) || (!whole && !named && !value_is_integral(size))) {
            return NULL;
        }
        const char *step = whole   ? "1"
                           : named ? "XBLOCK"
                                   : arena_printf(e->arena, "%d", (int)value_integer(size));
        text = arena_printf(e->arena, "%s + cdiv(%lld, %s)", text, (long long)value_integer(numel), step);
    }
    return value_is_integral(count) && value_integer(count) > 0 ? text : NULL;
}

// As --grid would say it; NULL: not known.
const char *inductor_grid(struct emitter *e, const struct kernel_instance *kernel, struct value meta) {
    struct inductor inductor = find(e, kernel);
    const struct expr *facts = keyword(inductor.call, "inductor_meta");
    struct value type = quietly(e, entry(facts, "grid_type"));
    const char *name = type.kind == VALUE_STRING ? type.string.bytes : "Grid";
    if (!inductor.call) {
        return NULL;
    }
    if (strcmp(name, "SequentialComboKernelGrid") == 0) {
        return sum_of_parts(e, meta, entry(facts, "combo_grid_meta"));
    }
    const char *x = side(e, meta, "x", "XBLOCK"), *y = side(e, meta, "y", "YBLOCK"),
               *z = side(e, meta, "z", "ZBLOCK"), *r = side(e, meta, "r0_", "R0_BLOCK");
    if (strcmp(name, "SplitScanGrid") == 0 && x && r) {
        return arena_printf(e->arena, "%s, xnumel", r);
    }
    if (strcmp(name, "Grid2DWithYZOverflow") == 0 && x && y) {
        const char *rest = arena_printf(e->arena, "cdiv(%s, %d)", y, MAX_GRID_Y);
        return arena_printf(e->arena, "%s, cdiv(%s, %s), %s", x, y, rest, rest);
    }
    bool plain = strcmp(name, "Grid") == 0 || (strncmp(name, "Grid", 4) == 0 && strlen(name) == 6);
    bool known = inductor.heuristic == TYPE_INDUCTOR_POINTWISE ||
                 inductor.heuristic == TYPE_INDUCTOR_REDUCTION ||
                 inductor.heuristic == TYPE_INDUCTOR_PERSISTENT_REDUCTION;
    return !plain || !known || !x ? NULL
           : !y                   ? x
                                  : arena_printf(e->arena, z ? "%s, %s, %s" : "%s, %s", x, y, z);
}
