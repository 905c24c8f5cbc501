// LLVM's disassembly of one instruction, taken apart: `v_add_f32_e64 v0, |v1|, -s2 clamp mul:2` is a name, operands between
// commas and modifiers between spaces.
#include "emulator/amdgcn/amdgcn.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

// Removes the encoding from the name; operands and modifiers hold its meaning.
static void strip_encoding(struct gcn_text *text) {
    static const char *const endings[] = {"_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"};
    size_t length = strlen(text->name);
    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length <= ending || strcmp(text->name + length - ending, endings[i]) != 0) {
            continue;
        }
        text->name[length - ending] = 0;
        text->dpp = strstr(endings[i], "dpp");
        text->sdwa = strstr(endings[i], "sdwa");
        return;
    }
}

static const char *skip_spaces(const char *at) {
    return at + strspn(at, " \t");
}

// The end of a piece: one of `ends` outside of brackets and bars.
static size_t piece_length(const char *at, const char *ends) {
    size_t i = 0;
    int depth = 0;
    for (; at[i]; i++) {
        depth += at[i] == '[' || at[i] == '(';
        depth -= at[i] == ']' || at[i] == ')';
        if (depth == 0 && strchr(ends, at[i])) {
            break;
        }
    }
    return i;
}

void text_split(const char *line, struct gcn_text *text) {
    memset(text, 0, sizeof *text);
    line = skip_spaces(line);
    size_t length = strcspn(line, " \t\n");
    snprintf(text->name, sizeof text->name, "%.*s", (int)length, line);
    strip_encoding(text);
    line = skip_spaces(line + length);
    for (bool more = *line != 0; more && text->operand_count < GCN_OPERANDS;) {
        length = piece_length(line, ", \t\n");
        snprintf(text->operands[text->operand_count++], sizeof *text->operands, "%.*s", (int)length, line);
        line = skip_spaces(line + length);
        more = *line == ',';
        line = skip_spaces(line + more);
    }
    size_t used = 0;
    while (*line && *line != '\n') {
        length = piece_length(line, " \t\n");
        int put = snprintf(text->modifiers + used, sizeof text->modifiers - used, "%.*s ", (int)length, line);
        used += put > 0 && used + (size_t)put < sizeof text->modifiers ? (size_t)put : 0;
        line = skip_spaces(line + length);
    }
}

static const char *find_modifier(const struct gcn_text *text, const char *name, char end) {
    size_t length = strlen(name);
    for (const char *at = text->modifiers; *at; at += strcspn(at, " ") + 1) {
        if (!strncmp(at, name, length) && at[length] == end) {
            return at + length + 1;
        }
    }
    return NULL;
}

bool text_flag(const struct gcn_text *text, const char *name) {
    return find_modifier(text, name, ' ') != NULL;
}

bool text_value(const struct gcn_text *text, const char *name, int64_t *value) {
    const char *at = find_modifier(text, name, ':');
    if (at) {
        *value = strtoll(at, NULL, 0);
    }
    return at != NULL;
}

const char *text_word(const struct gcn_text *text, const char *name) {
    const char *at = find_modifier(text, name, ':');
    return at ? at : "";
}

unsigned text_bits(const struct gcn_text *text, const char *name, unsigned none) {
    const char *at = find_modifier(text, name, ':');
    if (!at || *at != '[') {
        return none;
    }
    unsigned bits = 0;
    for (unsigned i = 0; *at && *at != ']'; at++) {
        if (*at == '0' || *at == '1') {
            bits |= (unsigned)(*at - '0') << i++;
        }
    }
    return bits;
}

// ---- operands ----

static const struct {
    const char *name;
    uint16_t reg;
    uint8_t count;
} named[] = {
    {"vcc", SCALAR_VCC, 2},   {"vcc_lo", SCALAR_VCC, 1},   {"vcc_hi", SCALAR_VCC + 1, 1},
    {"exec", SCALAR_EXEC, 2}, {"exec_lo", SCALAR_EXEC, 1}, {"exec_hi", SCALAR_EXEC + 1, 1},
    {"m0", SCALAR_M0, 1},     {"null", SCALAR_NULL, 1},
};

// "v5", "a[0:3]", "s[4:5]", "ttmp9"
static bool read_register(const char *at, size_t length, struct gcn_operand *operand) {
    char text[64];
    unsigned first, last;
    int used = 0;
    snprintf(text, sizeof text, "%.*s", (int)length, at);
    for (unsigned i = 0; i < sizeof named / sizeof *named; i++) {
        if (strcmp(text, named[i].name) != 0) {
            continue;
        }
        operand->kind = OPERAND_SCALAR;
        operand->reg = named[i].reg;
        operand->count = named[i].count;
        return true;
    }
    if (!strcmp(text, "scc") || !strcmp(text, "src_scc")) {
        operand->kind = OPERAND_SCC;
        return true;
    }
    size_t prefix = strspn(text, "vastmp");
    if (sscanf(text + prefix, "[%u:%u]%n", &first, &last, &used) != 2) {
        if (sscanf(text + prefix, "%u%n", &first, &used) != 1) {
            return false;
        }
        last = first;
    }
    if (prefix == 0 || text[prefix + (size_t)used] || last < first || last - first >= 32) {
        return false;
    }
    bool vector = prefix == 1 && (text[0] == 'v' || text[0] == 'a');
    unsigned base = vector ? (text[0] == 'a' ? ROW_AGPR : 0) : prefix == 4 ? SCALAR_TTMP : 0;
    unsigned end = vector ? base + 256 : prefix == 4 ? SCALAR_M0 : SCALAR_VCC;
    if (base + last >= end || (!vector && prefix == 1 && text[0] != 's')) {
        return false;
    }
    operand->kind = vector ? OPERAND_VECTOR : OPERAND_SCALAR;
    operand->reg = (uint16_t)(base + first);
    operand->count = (uint8_t)(last - first + 1);
    return true;
}

// "0x1c", "-1.5", or LLVM 22's forms for a literal with a shorter encoding, and for one of 64 bits: "lit(0x1c)", "lit64(0x1c)".
static bool read_number(const char *at, size_t length, struct gcn_operand *operand) {
    static const char *const forms[] = {"lit(", "lit64("};
    char text[64], *end;
    bool whole = false;
    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        size_t start = strlen(forms[i]);
        if (length > start + 1 && strncmp(at, forms[i], start) == 0 && at[length - 1] == ')') {
            at += start;
            length -= start + 1;
            whole = i > 0;
        }
    }
    snprintf(text, sizeof text, "%.*s", (int)length, at);
    bool is_hex = strstr(text, "0x");
    operand->is_float = !is_hex && strchr(text, '.');
    if (operand->is_float) {
        operand->number = strtod(text, &end);
    } else {
        operand->integer = text[0] == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
    }
    operand->is_upper = is_hex && !whole && (uint64_t)operand->integer <= UINT32_MAX;
    operand->kind = OPERAND_NUMBER;
    return end != text && *end == 0;
}

bool text_operand(const char *text, struct gcn_operand *operand) {
    size_t length = strlen(text);
    *operand = (struct gcn_operand){0};
    if (!strcmp(text, "off")) {
        return true;
    }
    if (read_number(text, length, operand)) {
        return true;
    }
    if (*text == '-') {
        operand->negate = true;
        text++;
        length--;
    }
    static const struct {
        const char *before;
        char after;
    } wraps[] = {{"|", '|'}, {"sext(", ')'}, {"neg(", ')'}, {"abs(", ')'}};
    for (unsigned i = 0; i < sizeof wraps / sizeof *wraps; i++) {
        size_t before = strlen(wraps[i].before);
        if (length <= before + 1 || strncmp(text, wraps[i].before, before) != 0 ||
            text[length - 1] != wraps[i].after) {
            continue;
        }
        operand->absolute |= i == 0 || i == 3;
        operand->sign_extend |= i == 1;
        operand->negate |= i == 2;
        text += before;
        length -= before + 1;
    }
    bool negate = operand->negate, absolute = operand->absolute, sign_extend = operand->sign_extend;
    bool good = read_register(text, length, operand) || read_number(text, length, operand);
    operand->negate = negate;
    operand->absolute = absolute;
    operand->sign_extend = sign_extend;
    return good;
}
