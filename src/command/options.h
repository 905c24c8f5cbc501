// Command lines as data. A tool's options are rows of one table, read by parsing and by --help. A row stores
// into a field of the tool's settings; the field's type selects the form:
//
//   bool                        --quiet; with an argument of two words, the first of which is true, --fp-contract=on|off
//   const char *                --grid TEXT
//   int, unsigned, size_t …     --num-warps N, within a range
//   double                      --rtol X
//   const char *const *         --output FILE, any number of times; struct tkc_define *: NAME=VALUE likewise
//
// The rows are in a .def file, included in an array, with SETTINGS as the type of the settings:
//
//   #define SETTINGS struct command_line
//   static const struct option rows[] = {
//   #include "options.def"
//   };
//
// An argument named "[=TEXT]" may be left out, and then is "": --remarks, --remarks=TEXT.
//
// Long options take --name=VALUE or --name VALUE; short ones -x VALUE or -xVALUE. "--" ends the options.
#ifndef TKC_COMMAND_OPTIONS_H
#define TKC_COMMAND_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tkc/tkc.h"

enum option_kind {
    OPTION_GROUP,    // a heading of --help
    OPTION_OPERAND,  // not an option: an argument without a dash, a const char *; several rows fill in order
    OPTION_OPERANDS, // any number of them, a list
    OPTION_CALL,     // `take` does everything
    OPTION_SET,      // stores `low` into an enum
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_INT,
    OPTION_UNSIGNED,
    OPTION_SIZE, // 64 bits, unsigned
    OPTION_REAL,
    OPTION_LIST,
    OPTION_COMMAS, // a list with values separated by commas
    OPTION_DEFINES,
};

struct option_use;

// False after option_error.
typedef bool option_take(const struct option_use *use);

struct option {
    enum option_kind kind;
    const char *long_name, *short_name; // either may be NULL; a short name may have several letters
    const char *argument;               // its name in --help; NULL: takes none
    const char *help;                   // of a group: its title; of the operand: its name ("source file")
    size_t field, count;                // offsets in the settings; `count` of a list
    long long low, high;                // of a number
    option_take *take;                  // may be NULL; checks the value before it is stored
};

struct option_table {
    const char *tool;
    const char *summary; // a line without a full stop, for the manual page
    const char *about;   // --help: the text above the options, and below
    const char *notes;   // may be NULL
    const struct option *rows;
    size_t row_count;
};

// One option of a command line.
struct option_use {
    const struct option_table *table;
    const struct option *row;
    const char *name; // as typed by the user: "--grid"
    const char *value;
    void *settings;
    FILE *errors;
};

// False after wrong usage, printed to `errors`. Strings are borrowed from argv; lists belong to the table
// until options_free.
bool options_parse(const struct option_table *table, void *settings, int argc, char *const *argv,
                   FILE *errors);
void options_free(const struct option_table *table, void *settings);
void options_help(const struct option_table *table, FILE *out);

// ---- page.c: rows of general.def; each prints to standard output and ends the process with status 0, or 1 if it cannot write ----

option_take option_print_man, option_print_completion;

// Reports wrong usage: "tkc: MESSAGE (tkc --help lists the options)". Returns false.
bool option_error(const struct option_use *use, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool options_error(const struct option_table *table, FILE *errors, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- rows ----

#define OPTION_FIELD(f) (((SETTINGS *)0)->f)
// A field of any other type does not compile.
#define OPTION_KIND(f)                                                                                       \
    _Generic(OPTION_FIELD(f),                                                                                \
        bool: OPTION_FLAG,                                                                                   \
        const char *: OPTION_TEXT,                                                                           \
        int: OPTION_INT,                                                                                     \
        unsigned: OPTION_UNSIGNED,                                                                           \
        unsigned long: OPTION_SIZE,                                                                          \
        double: OPTION_REAL,                                                                                 \
        const char *const *: OPTION_LIST,                                                                    \
        const struct tkc_define *: OPTION_DEFINES)
#define OPTION_COUNT_AT(f) (offsetof(SETTINGS, f) + 0 * sizeof(char[_Generic(OPTION_FIELD(f), size_t : 1)]))

#define GROUP(title) {.kind = OPTION_GROUP, .help = title},
#define OPERAND(f, what) {.kind = OPTION_OPERAND, .help = what, .field = offsetof(SETTINGS, f)},
#define OPERANDS(f, n, what)                                                                                 \
    {.kind = OPTION_OPERANDS, .help = what, .field = offsetof(SETTINGS, f), .count = OPTION_COUNT_AT(n)},
#define OPTION(f, long_name, short_name, argument, help)                                                     \
    {OPTION_KIND(f), long_name, short_name, argument, help, offsetof(SETTINGS, f), 0, 0, INT64_MAX, NULL},
#define NUMBER(f, low, high, long_name, short_name, argument, help)                                          \
    {OPTION_KIND(f), long_name, short_name, argument, help, offsetof(SETTINGS, f), 0, low, high, NULL},
#define CHECKED(f, check, long_name, short_name, argument, help)                                             \
    {OPTION_KIND(f), long_name, short_name, argument, help, offsetof(SETTINGS, f), 0, 0, INT64_MAX, check},
#define LIST(f, n, long_name, short_name, argument, help)                                                    \
    {OPTION_KIND(f),        long_name,          short_name, argument,  help,                                 \
     offsetof(SETTINGS, f), OPTION_COUNT_AT(n), 0,          INT64_MAX, NULL},
#define CHECKED_LIST(f, n, check, long_name, short_name, argument, help)                                     \
    {OPTION_KIND(f),        long_name,          short_name, argument,  help,                                 \
     offsetof(SETTINGS, f), OPTION_COUNT_AT(n), 0,          INT64_MAX, check},
#define COMMAS(f, n, long_name, short_name, argument, help)                                                  \
    {OPTION_COMMAS,         long_name,          short_name, argument,  help,                                 \
     offsetof(SETTINGS, f), OPTION_COUNT_AT(n), 0,          INT64_MAX, NULL},
#define SET(f, value, long_name, short_name, help)                                                           \
    {OPTION_SET, long_name, short_name, NULL, help, offsetof(SETTINGS, f), 0, value, value, NULL},
#define CALL(function, long_name, short_name, argument, help)                                                \
    {OPTION_CALL, long_name, short_name, argument, help, 0, 0, 0, 0, function},

#endif
