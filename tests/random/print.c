// Random kernels in the Triton language.
#include "kernel.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/strbuf.h"

struct printer {
    const struct kernel *k;
    struct strbuf out;
    int indent;
};

static const char head[] = "import triton\n"
                           "import triton.language as tl\n"
                           "\n\n"
                           "@triton.jit\ndef add_up(a, b):\n    return a + b\n"
                           "\n\n"
                           "@triton.jit\ndef keep_larger(a, b):\n    return tl.where(a > b, a, b)\n"
                           "\n\n"
                           "@triton.jit\ndef first_best(a, i, b, j):\n"
                           "    keep = (a > b) | ((a == b) & (i < j))\n"
                           "    return tl.where(keep, a, b), tl.where(keep, i, j)\n"
                           "\n\n"
                           "@triton.jit\ndef recur(a, x, b, y):\n    return a * b, x * b + y\n"
                           "\n\n"
                           "@triton.jit\ndef last_of(a, b):\n    return tl.where(b % 3 == 0, a, b)\n"
                           "\n\n"
                           "@triton.jit\ndef spread(a, axis: tl.constexpr):\n"
                           "    picked = tl.reduce(a, axis, last_of, keep_dims=True) + a * 0\n"
                           "    return tl.max(picked, axis=axis) - tl.min(picked, axis=axis)\n"
                           "\n\n";

static void line(struct printer *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(struct printer *p, const char *format, ...) {
    for (int i = 0; i < p->indent; i++) {
        strbuf_add(&p->out, "    ");
    }
    va_list args;
    va_start(args, format);
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    strbuf_add(&p->out, text);
    strbuf_add_char(&p->out, '\n');
}

static const char *shape_text(const struct shape *shape, char text[64]) {
    int at = snprintf(text, 64, "[");
    for (int d = 0; d < shape->rank; d++) {
        at += snprintf(text + at, 64 - (size_t)at, "%s%d", d ? ", " : "", shape->extent[d]);
    }
    snprintf(text + at, 64 - (size_t)at, "]");
    return text;
}

// The places of a tile's elements in row-major order.
static const char *places(const struct shape *shape, char text[256]) {
    static const char *const subscripts[4][3] = {{""},
                                                 {"", "", ""},
                                                 {"[:, None]", "[None, :]", ""},
                                                 {"[:, None, None]", "[None, :, None]", "[None, None, :]"}};
    int at = snprintf(text, 256, "%s", shape->rank ? "" : "0"), pitch = (int)shape_elements(shape);
    for (int d = 0; d < shape->rank; d++) {
        pitch /= shape->extent[d];
        at += snprintf(text + at, 256 - (size_t)at, "%stl.arange(0, %d)%s", d ? " + " : "", shape->extent[d],
                       subscripts[shape->rank][d]);
        if (pitch != 1) {
            at += snprintf(text + at, 256 - (size_t)at, " * %d", pitch);
        }
    }
    return text;
}

static void print_binary(struct printer *p, const struct statement *s) {
    static const char *const operators[] = {"+", "-", "*", "&", "|", "^"}, *const functions[] = {"add", "sub",
                                                                                                 "mul"};
    int r = s->results[0], a = s->operands[0], b = s->operands[1];
    if (p->k->respelled && s->op <= MUL) {
        line(p, "v%d = tl.%s(v%d, v%d)", r, functions[s->op], a, b);
    } else if (s->op < MIN) {
        line(p, "v%d = v%d %s v%d", r, a, operators[s->op], b);
    } else if (s->op <= MAX) {
        line(p, "v%d = tl.%s(v%d, v%d)%s", r, s->op == MIN ? "minimum" : "maximum", a, b,
             p->k->values[r].element == BF16 ? ".to(tl.bfloat16)" : ""); // they return f32 for bf16
    } else if (p->k->values[b].low > 0) {
        line(p, "v%d = v%d %s v%d", r, a, s->op == DIV ? "//" : "%", b);
    } else if (s->flag) {
        line(p, "v%d = tl.where(v%d == 0, v%d, v%d %s v%d)", r, b, a, a, s->op == DIV ? "//" : "%", b);
    } else {
        line(p, "v%d = v%d %s tl.where(v%d == 0, 1, v%d)", r, a, s->op == DIV ? "//" : "%", b, b);
    }
}

static void print_reduce(struct printer *p, const struct statement *s) {
    static const char *const names[] = {"sum", "max", "min", "xor_sum", "argmax", "argmin"};
    int r = s->results[0], a = s->operands[0];
    if (s->op <= WHERE_SMALLEST && p->k->respelled) {
        line(p, "v%d = v%d.%s(%d)", r, a, names[s->op], s->axis);
    } else if (s->op <= WHERE_SMALLEST) {
        line(p, "v%d = tl.%s(v%d, axis=%d)", r, names[s->op], a, s->axis);
    } else if (s->op == FIRST_BEST) {
        const struct shape *shape = &p->k->values[a].shape;
        char text[64];
        static const char *const subscripts[4][3] = {
            {""},
            {""},
            {"[:, None]", "[None, :]"},
            {"[:, None, None]", "[None, :, None]", "[None, None, :]"}};
        line(p, "v%d, v%d = tl.reduce((v%d, tl.broadcast_to(tl.arange(0, %d)%s, %s)), %d, first_best)", r,
             s->results[1], a, shape->extent[s->axis], subscripts[shape->rank][s->axis],
             shape_text(shape, text), s->axis);
    } else {
        line(p, "v%d = tl.reduce(v%d, %d, %s)", r, a, s->axis, s->op == ADD_UP ? "add_up" : "keep_larger");
    }
}

static void print_scan(struct printer *p, const struct statement *s) {
    const char *reverse = s->flag ? ", reverse=True" : "";
    int r = s->results[0], a = s->operands[0];
    if (s->op == SCAN_SUM && p->k->respelled) {
        line(p, "v%d = tl.associative_scan(v%d, %d, add_up%s)", r, a, s->axis, reverse);
    } else if (s->op == SCAN_SUM) {
        line(p, "v%d = tl.cumsum(v%d, axis=%d%s)", r, a, s->axis, reverse);
    } else if (s->op == SCAN_KEEP_LARGER) {
        line(p, "v%d = tl.associative_scan(v%d, %d, keep_larger%s)", r, a, s->axis, reverse);
    } else {
        line(p, "u%d, v%d = tl.associative_scan((v%d, v%d), %d, recur%s)", r, r, a, s->operands[1], s->axis,
             reverse);
    }
}

static void print_dot(struct printer *p, const struct statement *s) {
    bool whole = !element_is_real(p->k->values[s->operands[0]].element);
    int r = s->results[0], a = s->operands[0], b = s->operands[1];
    const char *type = whole ? ", out_dtype=tl.int32" : "";
    if (s->operand_count > 2 && p->k->respelled) {
        line(p, "v%d = v%d", r, s->operands[2]);
        line(p, "v%d += tl.dot(v%d, v%d%s)", r, a, b, type);
    } else if (s->operand_count > 2) {
        line(p, "v%d = tl.dot(v%d, v%d, v%d%s)", r, a, b, s->operands[2], type);
    } else {
        line(p, "v%d = tl.dot(v%d, v%d%s)", r, a, b, type);
    }
}

static void print_block(struct printer *p, const struct block *block);

static void begin(struct printer *p, const struct statement *s) {
    for (int i = 0; i < s->carry_count; i++) {
        line(p, "v%d = c%d", s->carries[i].inside, s->carries[i].after);
    }
}

static void end(struct printer *p, const struct statement *s, bool other) {
    for (int i = 0; i < s->carry_count; i++) {
        line(p, "c%d = v%d", s->carries[i].after, other ? s->carries[i].other_end : s->carries[i].end);
    }
}

static void print_body(struct printer *p, const struct statement *s, bool other) {
    p->indent++;
    begin(p, s);
    print_block(p, other ? &s->other : &s->body);
    end(p, s, other);
    if (!s->carry_count) {
        line(p, "pass");
    }
    p->indent--;
}

static void print_compound(struct printer *p, const struct statement *s) {
    for (int i = 0; i < s->carry_count; i++) {
        line(p, "c%d = v%d", s->carries[i].after, s->carries[i].before);
    }
    if (s->kind == FOR && s->flag) {
        line(p, "for v%d in range(%" PRId64 " + (v%d - 1) * %d, %" PRId64 ", -%d):", s->results[0], s->number,
             s->operands[0], s->axis, s->number - 1, s->axis);
    } else if (s->kind == FOR) {
        line(p, "for v%d in %srange(%" PRId64 ", %" PRId64 " + (v%d - 1) * %d + 1, %d):", s->results[0],
             p->k->respelled ? "tl." : "", s->number, s->number, s->operands[0], s->axis, s->axis);
    } else if (s->kind == IF) {
        line(p, "if v%d:", s->operands[0]);
    } else if (!p->k->values[s->carries[0].before].shape.rank) {
        line(p, "while c%d > 0:", s->carries[0].after);
    } else if (s->op) {
        line(p, "while tl.max(c%d, axis=0) > 0:", s->carries[0].after);
    } else {
        line(p, "while tl.sum((c%d > 0).to(tl.int32), axis=0) > 0:", s->carries[0].after);
    }
    print_body(p, s, false);
    if (s->kind == IF) {
        line(p, "else:");
        print_body(p, s, true);
    }
    for (int i = 0; i < s->carry_count; i++) {
        line(p, "v%d = c%d", s->carries[i].after, s->carries[i].after);
    }
}

static void print_memory(struct printer *p, const struct statement *s) {
    char at[256];
    int a = s->operands[0];
    const struct shape *shape = &p->k->values[a].shape;
    int size = (int)shape_elements(shape);
    char read[16];
    if (s->kind == LOAD && s->number >= INPUTS) {
        snprintf(read, sizeof read, "out%d", (int)s->number - INPUTS);
    } else if (s->kind == LOAD) {
        snprintf(read, sizeof read, "%s", input_names[s->number]);
    }
    if (s->kind == LOAD && s->operand_count > 1) {
        line(p, "v%d = tl.load(%s + v%d, mask=v%d, other=%d)", s->results[0], read, a, s->operands[1],
             s->axis);
    } else if (s->kind == LOAD) {
        line(p, "v%d = tl.load(%s + v%d)", s->results[0], read, a);
    } else if (s->kind == STORE && s->operand_count > 1) {
        line(p, "tl.store(out%" PRId64 " + tl.program_id(0) * %d + (%s), v%d, mask=v%d)", s->number, size,
             places(shape, at), a, s->operands[1]);
    } else if (s->kind == STORE) {
        line(p, "tl.store(out%" PRId64 " + tl.program_id(0) * %d + (%s), v%d)", s->number, size,
             places(shape, at), a);
    } else if (s->kind == PUT) {
        line(p, "tl.store(out%" PRId64 " + v%d, v%d, mask=v%d)", s->number, a, s->operands[1],
             s->operands[2]);
    } else if (s->kind == ATOMIC) {
        line(p, "tl.atomic_add(slots + v%d, v%d)", s->operands[1], a);
    } else if (s->kind == RELEASE) {
        line(p, "tl.store(parts + tl.program_id(0) * %d + tl.arange(0, %d), v%d)", size, size, a);
        line(p, "tl.debug_barrier()");
        line(p, "if tl.atomic_add(arrived, 1) == tl.num_programs(0) - 1:");
        line(p, "    total = tl.zeros([%d], tl.int32)", size);
        line(p, "    for program in range(tl.num_programs(0)):");
        line(p, "        total += tl.load(parts + program * %d + tl.arange(0, %d))", size, size);
        line(p, "    tl.store(totals + tl.arange(0, %d), total)", size);
    } else {
        line(p, "while tl.atomic_add(turn, 0) != tl.program_id(0):");
        line(p, "    pass");
        line(p, "tl.debug_barrier()");
        line(p, "link = tl.load(chain + tl.arange(0, %d), volatile=True)", size);
        line(p, "tl.store(chain + tl.arange(0, %d), link * 3 + v%d)", size, a);
        line(p, "tl.debug_barrier()");
        line(p, "tl.atomic_xchg(turn, tl.program_id(0) + 1)");
    }
}

static void print_statement(struct printer *p, const struct statement *s) {
    static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const expansions[3][3] = {
        {"[None, :]", "[:, None]", ""}, {"[None, :, :]", "[:, None, :]", "[:, :, None]"}, {"", "", ""}};
    const struct value *v = s->result_count ? &p->k->values[s->results[0]] : NULL;
    int r = s->result_count ? s->results[0] : -1, a = s->operands[0], b = s->operands[1];
    char text[64];
    switch (s->kind) {
    case CONSTANT:
        line(p,
             v->element == I1 ? "v%d = tl.full(%s, %" PRId64 ", tl.int32) != 0"
                              : "v%d = tl.full(%s, %" PRId64 ", tl.%s)",
             r, shape_text(&v->shape, text), s->number, element_name(v->element));
        break;
    case RANGE:
        line(p, "v%d = tl.arange(%" PRId64 ", %" PRId64 ")", r, s->number, s->number + v->shape.extent[0]);
        break;
    case PROGRAM:
        line(p, "v%d = tl.program_id(%" PRId64 ")", r, s->number);
        break;
    case PROGRAMS:
        line(p, "v%d = tl.num_programs(%" PRId64 ")", r, s->number);
        break;
    case COUNT:
        line(p, "v%d = n%" PRId64, r, s->number);
        break;
    case SIZE:
        line(p, "v%d = s%" PRId64, r, s->number);
        break;
    case BINARY:
        print_binary(p, s);
        break;
    case UNARY:
        line(p,
             s->op == ABS      ? "v%d = tl.abs(v%d)"
             : s->op == EXP2   ? "v%d = tl.exp2(v%d)"
             : s->op == NEGATE ? "v%d = -v%d"
                               : "v%d = ~v%d",
             r, a);
        break;
    case COMPARE:
        line(p, "v%d = v%d %s v%d", r, a, compares[s->op], b);
        break;
    case SHIFT:
        line(p, "v%d = v%d %s %" PRId64, r, a, s->op ? ">>" : "<<", s->number);
        break;
    case SELECT:
        line(p, "v%d = tl.where(v%d, v%d, v%d)", r, a, b, s->operands[2]);
        break;
    case CAST:
        line(p, p->k->respelled ? "v%d = tl.cast(v%d, tl.%s)" : "v%d = v%d.to(tl.%s)", r, a,
             element_name(v->element));
        break;
    case EXPAND:
        if (v->shape.rank == 1) {
            line(p, "v%d = tl.broadcast_to(v%d, [1])", r, a);
        } else {
            line(p, "v%d = v%d%s", r, a, expansions[v->shape.rank - 2][s->axis]);
        }
        break;
    case BROADCAST:
        line(p, p->k->respelled ? "v%d = v%d.broadcast_to(%s)" : "v%d = tl.broadcast_to(v%d, %s)", r, a,
             shape_text(&v->shape, text));
        break;
    case RESHAPE: // Triton does not reshape scalars
        line(p, p->k->values[a].shape.rank ? "v%d = tl.reshape(v%d, %s)" : "v%d = tl.broadcast_to(v%d, %s)",
             r, a, shape_text(&v->shape, text));
        break;
    case PERMUTE: {
        struct shape order = {v->shape.rank, {s->order[0], s->order[1], s->order[2]}};
        line(p, p->k->respelled ? "v%d = v%d.permute(%s)" : "v%d = tl.permute(v%d, %s)", r, a,
             shape_text(&order, text));
        break;
    }
    case JOIN:
        line(p, "v%d = tl.join(v%d, v%d)", r, a, b);
        break;
    case SPLIT:
        line(p, "v%d, v%d = tl.split(v%d)", r, s->results[1], a);
        break;
    case FLIP:
        line(p, "v%d = tl.flip(v%d, %d)", r, a, s->axis);
        break;
    case SORT:
        line(p, "v%d = tl.sort(v%d)", r, a);
        break;
    case GATHER:
        line(p, p->k->respelled ? "v%d = v%d.gather(v%d, %d)" : "v%d = tl.gather(v%d, v%d, %d)", r, a, b,
             s->axis);
        break;
    case HISTOGRAM:
        line(p, "v%d = tl.histogram(v%d, %d)", r, a, v->shape.extent[0]);
        break;
    case REDUCE:
        print_reduce(p, s);
        break;
    case SCAN:
        print_scan(p, s);
        break;
    case SPREAD:
        line(p, "v%d = spread(v%d, %d)", r, a, p->k->values[a].shape.rank - 1);
        break;
    case DOT:
        print_dot(p, s);
        break;
    case LOAD:
    case STORE:
    case PUT:
    case ATOMIC:
    case RELEASE:
    case POLL:
        print_memory(p, s);
        break;
    case FOR:
    case WHILE:
    case IF:
        print_compound(p, s);
        break;
    }
}

static void print_block(struct printer *p, const struct block *block) {
    for (int i = 0; i < block->count; i++) {
        print_statement(p, &block->items[i]);
    }
}

char *kernel_text(const struct kernel *k) {
    static const char *const types[] = {"i8", "i16", "i32", "i64", "fp16", "fp32"};
    static const char *const output_types[] = {"i8",  "i8",  "i16", "i32",  "i64",  "u8",
                                               "u16", "u32", "u64", "fp16", "bf16", "fp32"};
    struct printer p = {.k = k};
    strbuf_add(&p.out, head);
    strbuf_add(&p.out, "@triton.jit\ndef kernel(");
    for (int i = 0; i < INPUTS; i++) {
        strbuf_printf(&p.out, "%s: \"*%s%s\", ", input_names[i], types[i], k->hints >> i & 1 ? ":16" : "");
    }
    strbuf_add(&p.out, "\n           ");
    for (int i = 0; i < k->output_count; i++) {
        strbuf_printf(&p.out, "out%d: \"*%s%s\", ", i, output_types[k->outputs[i]],
                      k->hints >> 6 & 1 ? ":16" : "");
    }
    strbuf_add(&p.out, k->slots ? "slots: \"*i32\", " : "");
    strbuf_add(&p.out, k->release ? "parts: \"*i32\", arrived: \"*i32\", totals: \"*i32\", " : "");
    strbuf_add(&p.out, k->poll ? "turn: \"*i32\", chain: \"*i32\", " : "");
    strbuf_add(&p.out, "\n           n0: \"i32\", n1: \"i32\", n2: \"i32\"");
    for (int i = 0; i < k->size_count; i++) {
        strbuf_printf(&p.out, ", s%d: \"i32%s\"", i, k->hints >> 7 & 1 && k->sizes[i] % 16 == 0 ? ":16" : "");
    }
    strbuf_add(&p.out, "):\n");
    p.indent = 1;
    print_block(&p, &k->body);
    line(&p, "pass");
    char *text = strdup(strbuf_text(&p.out));
    strbuf_free(&p.out);
    return text;
}
