// Integer expressions: launch grids as JSON has them, and what a file of shapes says of arguments.
#include <ctype.h>

#include "tune.h"

struct reader {
    const char *at;
    const struct names *names;
    const char *wrong; // the first thing
    int depth;
};

static int64_t sum(struct reader *r);

static void skip(struct reader *r) {
    while (isspace((unsigned char)*r->at)) {
        r->at++;
    }
}

static bool take(struct reader *r, const char *token) {
    skip(r);
    if (strncmp(r->at, token, strlen(token)) != 0) {
        return false;
    }
    r->at += strlen(token);
    return true;
}

static int64_t fault(struct reader *r, const char *what) {
    r->wrong = r->wrong ? r->wrong : what;
    return 0;
}

static const struct {
    const char *name;
    int64_t (*one)(int64_t);
    int64_t (*two)(int64_t, int64_t);
    int64_t (*three)(int64_t, int64_t, int64_t);
} functions[] = {
#define GRID_FUNCTION_1(name) {#name, tkc_##name, NULL, NULL},
#define GRID_FUNCTION_2(name) {#name, NULL, tkc_##name, NULL},
#define GRID_FUNCTION_3(name) {#name, NULL, NULL, tkc_##name},
#include "artifact/launcher/grid_functions.def"
#undef GRID_FUNCTION_1
#undef GRID_FUNCTION_2
#undef GRID_FUNCTION_3
};

static int64_t call(struct reader *r, const char *name, size_t length) {
    int64_t values[3] = {0};
    unsigned count = 0;
    do {
        if (count == 3) {
            return fault(r, "a function of more than three arguments");
        }
        values[count++] = sum(r);
    } while (take(r, ","));
    if (!take(r, ")")) {
        return fault(r, "a parenthesis that is not closed");
    }
    if (length > 4 && strncmp(name, "tkc_", 4) == 0) {
        name += 4;
        length -= 4;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        unsigned takes = functions[i].one ? 1 : functions[i].two ? 2 : 3;
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0 &&
            takes == count) {
            return functions[i].one   ? functions[i].one(values[0])
                   : functions[i].two ? functions[i].two(values[0], values[1])
                                      : functions[i].three(values[0], values[1], values[2]);
        }
    }
    return fault(r, "a function that launch grids do not have, or not of so many arguments");
}

static int64_t value_of_name(struct reader *r, const char *name, size_t length) {
    int64_t value;
    const char *known;
    for (size_t i = 0; (known = r->names->name(r->names->user, i, &value)); i++) {
        if (strlen(known) == length && memcmp(known, name, length) == 0) {
            return value;
        }
    }
    return fault(r, "a name that is no integer argument, or not known yet");
}

static int64_t primary(struct reader *r) {
    skip(r);
    const char *start = r->at;
    int64_t value;
    if (++r->depth > 200) {
        return fault(r, "too many parentheses");
    }
    if (take(r, "(")) {
        value = sum(r);
        if (!take(r, ")")) {
            fault(r, "a parenthesis that is not closed");
        }
    } else if (take(r, "-")) {
        value = tkc_neg(primary(r));
    } else if (isdigit((unsigned char)*start)) {
        char *end;
        value = strtoll(start, &end, 10);
        r->at = end;
    } else if (isalpha((unsigned char)*start) || *start == '_') {
        while (isalnum((unsigned char)*r->at) || *r->at == '_') {
            r->at++;
        }
        size_t length = (size_t)(r->at - start);
        value = take(r, "(") ? call(r, start, length) : value_of_name(r, start, length);
    } else {
        value = fault(r, "something that is neither a number, a name nor a parenthesis");
    }
    r->depth--;
    return value;
}

static int64_t product(struct reader *r) {
    int64_t value = primary(r);
    while (!r->wrong) {
        if (take(r, "*")) {
            value = tkc_mul(value, primary(r));
        } else if (take(r, "//") || take(r, "/")) {
            value = tkc_floordiv(value, primary(r));
        } else if (take(r, "%")) {
            value = tkc_mod(value, primary(r));
        } else {
            break;
        }
    }
    return value;
}

static int64_t sum(struct reader *r) {
    int64_t value = product(r);
    while (!r->wrong) {
        if (take(r, "+")) {
            value = tkc_add(value, product(r));
        } else if (take(r, "-")) {
            value = tkc_sub(value, product(r));
        } else {
            break;
        }
    }
    return value;
}

const char *expression_evaluate(const char *text, const struct names *names, int64_t *value) {
    struct reader r = {.at = text, .names = names};
    *value = sum(&r);
    skip(&r);
    if (!r.wrong && *r.at) {
        r.wrong = "something behind its end";
    }
    return r.wrong ? r.wrong : *value == TKC_NO_GRID ? "no result in 64 bits" : NULL;
}
