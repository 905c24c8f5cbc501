// Manual pages (roff, man(7)) and completions of shells, from a tool's option table. Both go to standard output and end the process,
// as --help does: they are made when tkc is built, and anew by users whose shell looks elsewhere.
//
// A row's argument is the kind of its values' completions:
//
//   "auto|always|never"     these words
//   "FILE", "NAME=FILE"     paths; "FOLDER" and "DIR": folders
//   "CHIP,...", "PASS", …   the names that tkc lists, see `listed`
//   others                  nothing
#include "command/options.h"

#include <stdlib.h>
#include <string.h>

#include "support/strbuf.h"

enum value_form { VALUE_NONE, VALUE_FREE, VALUE_WORDS, VALUE_PATH, VALUE_FOLDER, VALUE_LISTED };

// Names listed by tkc, by the argument's first letters.
static const struct listed {
    const char *argument, *option;
} listed[] = {
    {"CHIP", "--print-targets"},
    {"PASS", "--print-passes"},
    {"WARNING", "--print-warnings"},
};

struct value {
    enum value_form form;
    const char *option; // of VALUE_LISTED
    struct strbuf words;
    bool commas, optional;
};

static const struct listed *listed_by(const char *argument) {
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        if (strncmp(argument, listed[i].argument, strlen(listed[i].argument)) == 0) {
            return &listed[i];
        }
    }
    return NULL;
}

static struct value value_of(const struct option *row) {
    struct value value = {.form = VALUE_NONE};
    const char *argument = row->argument;
    if (!argument) {
        return value;
    }
    value.optional = argument[0] == '[';
    value.commas = row->kind == OPTION_COMMAS;
    const struct listed *names = listed_by(argument);
    const char *bar = strchr(argument, '|');
    if (bar) {
        strbuf_add(&value.words, names ? bar + 1 : argument);
        for (char *at = value.words.data; (at = strchr(at, '|'));) {
            *at = ' ';
        }
    }
    value.option = names ? names->option : NULL;
    value.form = names                                                     ? VALUE_LISTED
                 : bar                                                     ? VALUE_WORDS
                 : strstr(argument, "FILE") || !strcmp(argument, "PATH")   ? VALUE_PATH
                 : !strcmp(argument, "FOLDER") || !strcmp(argument, "DIR") ? VALUE_FOLDER
                                                                           : VALUE_FREE;
    return value;
}

static bool is_option(const struct option *row) {
    return row->kind != OPTION_GROUP && row->kind != OPTION_OPERAND && row->kind != OPTION_OPERANDS;
}

// ---- manual page ----

// Text for roff: no character of it is a request or an escape.
static void roff_text(FILE *out, const char *text, size_t length) {
    bool starts = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (starts && (c == '.' || c == '\'')) {
            fputs("\\&", out);
        }
        starts = c == '\n';
        switch (c) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        default:
            putc(c, out);
        }
    }
}

static void roff_option(FILE *out, const struct option *row) {
    if (row->kind == OPTION_GROUP) {
        fputs(".SS ", out);
        roff_text(out, row->help, strlen(row->help));
        putc('\n', out);
        return;
    }
    fputs(".TP\n", out);
    if (row->short_name) {
        fprintf(out, "\\fB\\-%s\\fR%s", row->short_name, row->long_name ? ", " : "");
    }
    if (row->long_name) {
        fputs("\\fB\\-\\-", out);
        roff_text(out, row->long_name, strlen(row->long_name));
        fputs("\\fR", out);
    }
    if (row->argument) {
        fputs(row->argument[0] == '[' ? "" : row->long_name ? "=" : " ", out);
        fputs("\\fI", out);
        roff_text(out, row->argument, strlen(row->argument));
        fputs("\\fR", out);
    }
    putc('\n', out);
    roff_text(out, row->help, strlen(row->help));
    putc('\n', out);
}

// The text of --help: usage lines, an empty line, a paragraph, and a line from "Exit status: " on.
static void roff_about(FILE *out, const char *about) {
    const char *rest = strstr(about, "\n\n");
    size_t usage = rest ? (size_t)(rest - about) : strlen(about);
    const char *start = strncmp(about, "usage: ", 7) == 0 ? about + 7 : about;
    fputs(".SH SYNOPSIS\n.nf\n", out);
    while (start < about + usage) {
        start += strspn(start, " ");
        size_t length = strcspn(start, "\n");
        roff_text(out, start, length);
        putc('\n', out);
        start += length + 1;
    }
    fputs(".fi\n.SH DESCRIPTION\n", out);
    start = rest ? rest + 2 : "";
    const char *status = strstr(start, "Exit status: ");
    roff_text(out, start, status ? (size_t)(status - start) : strlen(start));
    if (status) {
        status += strlen("Exit status: ");
        fputs(".SH EXIT STATUS\n", out);
        roff_text(out, status, strlen(status));
    }
}

static void man_print(const struct option_table *table, FILE *out) {
    static const char *const tools[] = {"tkc", "tkc-diff", "tkc-run", "tkc-tune"};
    fprintf(out, ".TH %s 1 \"\" \"tkc %s\" \"User Commands\"\n.SH NAME\n", table->tool, tkc_version());
    roff_text(out, table->tool, strlen(table->tool));
    fputs(" \\- ", out);
    roff_text(out, table->summary, strlen(table->summary));
    putc('\n', out);
    roff_about(out, table->about);
    fputs(".SH OPTIONS\n", out);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (is_option(row) || row->kind == OPTION_GROUP) {
            roff_option(out, row);
        }
    }
    if (table->notes) {
        fputs(".SH NOTES\n.nf\n", out);
        roff_text(out, table->notes, strlen(table->notes));
        fputs(".fi\n", out);
    }
    fputs(".SH SEE ALSO\n", out);
    const char *between = "";
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (strcmp(tools[i], table->tool) != 0) {
            fprintf(out, "%s.BR ", between);
            roff_text(out, tools[i], strlen(tools[i]));
            fputs(" (1)", out);
            between = ",\n";
        }
    }
    putc('\n', out);
}

// ---- bash ----

// A shell function's name: tkc_run for tkc-run.
static void print_identifier(FILE *out, const char *tool) {
    for (; *tool; tool++) {
        putc(*tool == '-' ? '_' : *tool, out);
    }
}

static void bash_value(FILE *out, const struct value *value) {
    switch (value->form) {
    case VALUE_NONE:
    case VALUE_FREE:
        fputs("return", out);
        break;
    case VALUE_PATH:
        fputs("COMPREPLY=($(compgen -f -- \"$word\")); return", out);
        break;
    case VALUE_FOLDER:
        fputs("COMPREPLY=($(compgen -d -- \"$word\")); return", out);
        break;
    case VALUE_WORDS:
        fprintf(out, "COMPREPLY=($(compgen -W '%s' -- \"$word\")); return", strbuf_text(&value->words));
        break;
    case VALUE_LISTED:
        if (value->commas) {
            fputs("[[ $word == *,* ]] && list=${word%,*},; ", out);
        }
        fprintf(out,
                "COMPREPLY=($(compgen -P \"$list\" -W \"$(tkc %s 2>/dev/null | cut -d' ' -f1) %s\" -- "
                "\"${word##*,}\")); return",
                value->option, strbuf_text(&value->words));
        break;
    }
}

static void bash_case(FILE *out, const struct option *row, const struct value *value) {
    fputs("    ", out);
    if (row->short_name) {
        fprintf(out, "-%s%s", row->short_name, row->long_name ? "|" : "");
    }
    if (row->long_name) {
        fprintf(out, "--%s", row->long_name);
    }
    fputs(") ", out);
    bash_value(out, value);
    fputs(" ;;\n", out);
}

// Bash splits --color=always at the equals sign.
static void bash_print(const struct option_table *table, FILE *out) {
    fprintf(out, "# Completion of %s for bash; made by %s --print-completion=bash.\n_", table->tool,
            table->tool);
    print_identifier(out, table->tool);
    fputs("() {\n    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} list=''\n"
          "    if [[ $word == = ]]; then word=; "
          "elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "    case $before in\n",
          out);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        struct value value = value_of(row);
        if (is_option(row) && value.form != VALUE_NONE && !value.optional) {
            bash_case(out, row, &value);
        }
        strbuf_free(&value.words);
    }
    fputs("    esac\n    if [[ $word == -* ]]; then\n        COMPREPLY=($(compgen -W '", out);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (is_option(row) && row->long_name) {
            fprintf(out, "--%s ", row->long_name);
        }
        if (is_option(row) && row->short_name) {
            fprintf(out, "-%s ", row->short_name);
        }
    }
    fputs("' -- \"$word\"))\n    else\n        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
          "complete -o filenames -F _",
          out);
    print_identifier(out, table->tool);
    fprintf(out, " %s\n", table->tool);
}

// ---- zsh ----

// Within single quotes and brackets.
static void zsh_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", out);
        } else {
            fprintf(out, strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
        }
    }
}

static void zsh_value(FILE *out, const struct option *row, const struct value *value) {
    if (value->form == VALUE_NONE) {
        return;
    }
    fputs(value->optional ? "::" : ":", out);
    zsh_text(out, row->argument);
    putc(':', out);
    switch (value->form) {
    case VALUE_PATH:
        fputs("_files", out);
        break;
    case VALUE_FOLDER:
        fputs("_files -/", out);
        break;
    case VALUE_WORDS:
        fprintf(out, "(%s)", strbuf_text(&value->words));
        break;
    case VALUE_LISTED:
        fprintf(out, "{%scompadd - $(tkc %s 2>/dev/null | cut -d\" \" -f1) %s}",
                value->commas ? "_sequence " : "", value->option, strbuf_text(&value->words));
        break;
    default:
        putc(' ', out);
    }
}

static void zsh_name(FILE *out, const struct option *row, const struct value *value, bool is_long) {
    const char *follows = value->form == VALUE_NONE ? "" : value->optional ? "=-" : is_long ? "=" : "+";
    fprintf(out, "    '*%s%s%s[", is_long ? "--" : "-", is_long ? row->long_name : row->short_name, follows);
    zsh_text(out, row->help);
    putc(']', out);
    zsh_value(out, row, value);
    fputs("' \\\n", out);
}

static void zsh_print(const struct option_table *table, FILE *out) {
    fprintf(out, "#compdef %s\n# Made by %s --print-completion=zsh.\n_arguments \\\n", table->tool,
            table->tool);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        struct value value = value_of(row);
        if (is_option(row) && row->long_name) {
            zsh_name(out, row, &value, true);
        }
        if (is_option(row) && row->short_name) {
            zsh_name(out, row, &value, false);
        }
        strbuf_free(&value.words);
    }
    fputs("    '*:file:_files'\n", out);
}

// ---- fish ----

static void fish_text(FILE *out, const char *text) {
    putc('\'', out);
    for (; *text; text++) {
        fprintf(out, strchr("'\\", *text) ? "\\%c" : "%c", *text);
    }
    putc('\'', out);
}

static void fish_value(FILE *out, const struct value *value) {
    static const char *const flags[] = {[VALUE_FREE] = " -x",
                                        [VALUE_WORDS] = " -x",
                                        [VALUE_LISTED] = " -x",
                                        [VALUE_PATH] = " -r -F",
                                        [VALUE_FOLDER] = " -x -a '(__fish_complete_directories)'"};
    fputs(value->form == VALUE_NONE || value->optional ? "" : flags[value->form], out);
    if (value->form == VALUE_WORDS) {
        fprintf(out, " -a '%s'", strbuf_text(&value->words));
    } else if (value->form == VALUE_LISTED) {
        fprintf(out, " -a '(tkc %s 2>/dev/null | string split -f1 \" \") %s'", value->option,
                strbuf_text(&value->words));
    }
}

static void fish_print(const struct option_table *table, FILE *out) {
    fprintf(out, "# Completion of %s for fish; made by %s --print-completion=fish.\n", table->tool,
            table->tool);
    for (const struct option *row = table->rows; row < table->rows + table->row_count; row++) {
        if (!is_option(row)) {
            continue;
        }
        struct value value = value_of(row);
        fprintf(out, "complete -c %s", table->tool);
        if (row->short_name) {
            fprintf(out, " -%c %s", row->short_name[1] ? 'o' : 's', row->short_name);
        }
        if (row->long_name) {
            fprintf(out, " -l %s", row->long_name);
        }
        fish_value(out, &value);
        fputs(" -d ", out);
        fish_text(out, row->help);
        putc('\n', out);
        strbuf_free(&value.words);
    }
}

// ---- the two options ----

static _Noreturn void end(FILE *out) {
    exit(fflush(out) != 0 || ferror(out));
}

bool option_print_man(const struct option_use *use) {
    man_print(use->table, stdout);
    end(stdout);
}

bool option_print_completion(const struct option_use *use) {
    static const struct {
        const char *shell;
        void (*print)(const struct option_table *table, FILE *out);
    } shells[] = {{"bash", bash_print}, {"zsh", zsh_print}, {"fish", fish_print}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(use->value, shells[i].shell) == 0) {
            shells[i].print(use->table, stdout);
            end(stdout);
        }
    }
    return option_error(use, "%s knows %s, not \"%s\"", use->name, use->row->argument, use->value);
}
