// The fixed runtime of a launcher header: the files of launcher/, in a vendor's words.
//
// The definitions of a kernel's functions precede the runtime, because a reader wants them first. So the
// runtime functions they call need declarations. header_declare finds the calls and copies the heads of the
// called functions from the runtime's own text: no list of prototypes to maintain.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "artifact/header.h"
#include "artifact/launcher.h"

static const struct launcher_part *fixed_part(const char *name) {
    for (const struct launcher_part *part = launcher_parts; part->name; part++) {
        if (strcmp(part->name, name) == 0) {
            return part;
        }
    }
    bug("no launcher part \"%s\"", name);
}

void header_fixed_part(const char *name, struct strbuf *out) {
    const struct launcher_part *part = fixed_part(name);
    strbuf_add_bytes(out, part->text, part->length);
    strbuf_add_char(out, '\n');
}

static void worded_part(const char *name, const struct vendor_text *text, struct strbuf *out) {
    const struct launcher_part *part = fixed_part(name);
    header_add_for_vendor(out, text, part->text, part->length);
    strbuf_add_char(out, '\n');
}

bool header_has_variants(const struct writer *w) {
    for (size_t i = 0; i < w->family_count; i++) {
        if (w->families[i].count > 1) {
            return true;
        }
    }
    return false;
}

void header_common_runtime(const struct writer *w) {
    header_fixed_part("common", w->out);
    header_fixed_part("grid", w->out);
    header_fixed_part("image", w->out);
    if (w->reflection->chain_count) {
        header_fixed_part("chain", w->out);
    }
    if (header_has_variants(w)) {
        header_fixed_part("variant", w->out);
        header_fixed_part("tune", w->out);
        header_fixed_part("choices", w->out);
    }
}

// The runtime in a vendor's words, without the additions of RUNTIME_CUDA_RUNTIME and RUNTIME_DYNAMIC.
static void add_worded_runtime(const struct writer *w, const struct vendor_text *text, struct strbuf *out) {
    header_fixed_part(text->prefix, out);
    worded_part("gpu", text, out);
    if (header_any_extras(w->reflection, text->wording)) {
        header_fixed_part("tensor", out);
        header_fixed_part("maps", out);
        worded_part("gpu_tensor", text, out);
    }
    if (header_has_variants(w)) {
        worded_part("gpu_variant", text, out);
    }
}

void header_vendor_runtime(const struct writer *w, const struct vendor_text *text) {
    struct strbuf runtime = {0};
    add_worded_runtime(w, text, &runtime);
    if (w->reflection->runtime == RUNTIME_CUDA_RUNTIME) {
        header_fixed_part("cuda_calls", w->out);
        header_add_by_table(w->out, runtime.data, runtime.length);
    } else {
        if (text->wording == IN_ANY) {
            header_fixed_part("tkc_driver", w->out);
        }
        strbuf_add_bytes(w->out, runtime.data, runtime.length);
    }
    strbuf_free(&runtime);
}

// ---- declarations

// The head of a function of the runtime: "static inline int tkc_both(int64_t a, int64_t b)".
struct runtime_head {
    const char *text;
    size_t length;
    const char *name;
    size_t name_length;
    bool is_used;
};

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') {
        length++;
    }
    return length;
}

static int by_name(const void *a, const void *b) {
    const struct runtime_head *x = a, *y = b;
    size_t length = x->name_length < y->name_length ? x->name_length : y->name_length;
    int order = memcmp(x->name, y->name, length);
    return order ? order : (x->name_length > y->name_length) - (x->name_length < y->name_length);
}

static const char head_start[] = "\nstatic inline ", head_end[] = ") {\n";

// All heads in a text of the runtime, sorted by name.
static struct runtime_head *find_heads(struct arena *arena, const char *runtime, size_t *count) {
    size_t room = 0;
    for (const char *at = runtime; (at = strstr(at, head_start)); at++) {
        room++;
    }
    struct runtime_head *heads = ARENA_ARRAY(arena, struct runtime_head, room + 1);
    *count = 0;
    for (const char *at = runtime; (at = strstr(at, head_start)); at++) {
        const char *end = strstr(at, head_end), *open = strchr(at, '('), *name = open;
        if (!end || !open || open > end) {
            bug("launcher: a function whose head does not end in \") {\"");
        }
        while (isalnum((unsigned char)name[-1]) || name[-1] == '_') {
            name--;
        }
        heads[(*count)++] =
            (struct runtime_head){at + 1, (size_t)(end - at), name, (size_t)(open - name), false};
    }
    qsort(heads, *count, sizeof *heads, by_name);
    return heads;
}

static void mark_used(struct runtime_head *heads, size_t count, const char *definitions) {
    for (const char *at = definitions; *at;) {
        size_t length = word_length(at);
        struct runtime_head key = {.name = at, .name_length = length};
        struct runtime_head *head =
            length && at[length] == '(' ? bsearch(&key, heads, count, sizeof *heads, by_name) : NULL;
        if (head) {
            head->is_used = true;
        }
        at += length ? length : 1;
    }
}

// Declares each struct named in a text. First named in a parameter list, a struct would be a different type.
static void declare_structs(struct strbuf *out, const char *text) {
    static const char start[] = "struct ";
    struct strbuf declared = {0};
    for (const char *at = text; (at = strstr(at, start)); at++) {
        struct strbuf line = {0};
        size_t length = word_length(at + sizeof start - 1);
        strbuf_printf(&line, "%.*s;\n", (int)(sizeof start - 1 + length), at);
        if (!strstr(strbuf_text(&declared), strbuf_text(&line))) {
            strbuf_add(&declared, strbuf_text(&line));
        }
        strbuf_free(&line);
    }
    strbuf_add(out, strbuf_text(&declared));
    strbuf_free(&declared);
}

void header_declare(const struct writer *w, const struct vendor_text *text, const char *definitions) {
    struct strbuf runtime = {0}, used = {0};
    struct writer inner = *w;
    inner.out = &runtime;
    header_common_runtime(&inner);
    add_worded_runtime(w, text, &runtime);
    size_t count;
    struct runtime_head *heads = find_heads(w->arena, strbuf_text(&runtime), &count);
    mark_used(heads, count, definitions);
    for (size_t i = 0; i < count; i++) {
        if (heads[i].is_used) {
            strbuf_printf(&used, "%.*s;\n", (int)heads[i].length, heads[i].text);
        }
    }
    declare_structs(w->out, strbuf_text(&used));
    strbuf_add(w->out, strbuf_text(&used));
    strbuf_free(&runtime);
    strbuf_free(&used);
}
