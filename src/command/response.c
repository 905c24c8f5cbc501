// Response files: an argument @FILE stands for the arguments in it, between blanks; quotes and backslashes as in a shell.
// A response file may name others.
#include "command/response.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/file.h"
#include "support/memory.h"

enum { DEEPEST = 10 };

static void add(struct response *response, const char *text, size_t length) {
    response->argv =
        memory_grown(response->argv, (size_t)response->argc, &response->capacity, sizeof *response->argv);
    char *copy = strndup(text, length);
    if (!copy) {
        out_of_memory(length);
    }
    response->argv[response->argc++] = copy;
}

// The argument at *at, without its quotes, into `word`. False: there is none.
static bool take_word(const char **at, struct strbuf *word) {
    char quote = 0;
    strbuf_clear(word);
    *at += strspn(*at, " \t\r\n\f\v");
    if (!**at) {
        return false;
    }
    for (; **at && (quote || !isspace((unsigned char)**at)); ++*at) {
        char c = **at;
        if (c == quote) {
            quote = 0;
        } else if (!quote && (c == '"' || c == '\'')) {
            quote = c;
        } else {
            bool escapes = c == '\\' && quote != '\'' && (*at)[1];
            *at += escapes;
            strbuf_add_char(word, **at);
        }
    }
    return true;
}

static bool expand(struct response *response, const char *argument, const char *tool, FILE *errors,
                   unsigned depth) {
    if (*argument != '@' || !argument[1]) {
        add(response, argument, strlen(argument));
        return true;
    }
    size_t length;
    char *text = depth < DEEPEST ? file_read(argument + 1, &length) : NULL;
    if (!text) {
        fprintf(errors, "%s: %s: %s (%s --help lists the options)\n", tool, argument,
                depth < DEEPEST ? file_read_error() : "response files name each other without an end", tool);
        return false;
    }
    struct strbuf word = {0};
    bool good = true;
    for (const char *at = text; good && take_word(&at, &word);) {
        good = expand(response, strbuf_text(&word), tool, errors, depth + 1);
    }
    strbuf_free(&word);
    free(text);
    return good;
}

bool response_expand(struct response *response, const char *tool, int argc, char *const *argv, FILE *errors) {
    *response = (struct response){0};
    bool good = true;
    if (argc) {
        add(response, argv[0], strlen(argv[0]));
    }
    for (int i = 1; i < argc && good; i++) {
        good = expand(response, argv[i], tool, errors, 0);
    }
    return good;
}

void response_free(struct response *response) {
    for (int i = 0; i < response->argc; i++) {
        free(response->argv[i]);
    }
    free(response->argv);
    *response = (struct response){0};
}
