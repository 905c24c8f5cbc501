// --step: one program, statement by statement, on a plain line interface. All warps of the program stop at a statement: its line is
// shown, with the changed values, and a command is read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "watch.h"

enum step_mode { STEP_INTO, STEP_OVER, STEP_OUT, STEP_RUN };

// The last value of a name.
struct known_value {
    struct capture capture;
    bool changed; // since the last stop
};

struct stepping {
    struct watching *watching;
    uint32_t program[3];
    volatile int *stop;
    enum step_mode mode;
    unsigned depth; // of the last stop
    unsigned breaks[64], break_count;
    struct known_value *values;
    unsigned value_count;
    size_t value_room;
    char last[256]; // command; an empty one repeats it
};

struct stepping *step_begin(struct watching *watching, const uint32_t program[3], volatile int *stop) {
    struct stepping *stepping = calloc(1, sizeof *stepping);
    *stepping = (struct stepping){.watching = watching, .stop = stop, .mode = STEP_INTO, .last = "s"};
    memcpy(stepping->program, program, sizeof stepping->program);
    return stepping;
}

void step_free(struct stepping *stepping) {
    for (unsigned i = 0; stepping && i < stepping->value_count; i++) {
        free(stepping->values[i].capture.bits);
    }
    if (stepping) {
        free(stepping->values);
    }
    free(stepping);
}

// ---- values ----

static struct known_value *value_of(struct stepping *stepping, const char *function, const char *name) {
    for (unsigned i = stepping->value_count; i-- > 0;) {
        const struct shown *shown = stepping->values[i].capture.shown;
        if (strcmp(shown->name, name) == 0 && (!function || strcmp(shown->function, function) == 0)) {
            return &stepping->values[i];
        }
    }
    return NULL;
}

// An element of a value. A list's first values are shown again: a value has changed if its bits have.
static void take_element(struct stepping *stepping, const struct shown *shown, uint32_t element,
                         uint64_t bits) {
    struct known_value *value = value_of(stepping, shown->function, shown->name);
    if (!value) {
        stepping->values = memory_grown(stepping->values, stepping->value_count, &stepping->value_room,
                                        sizeof *stepping->values);
        value = &stepping->values[stepping->value_count++];
        *value = (struct known_value){0};
    }
    if (value->capture.shown != shown) {
        bool same = value->capture.shown && watch_elements(value->capture.shown) == watch_elements(shown);
        if (!same) {
            free(value->capture.bits);
            value->capture.bits = calloc(watch_elements(shown), sizeof(uint64_t));
            value->changed = true;
        }
        value->capture.shown = shown;
    }
    if (element < watch_elements(shown) && value->capture.bits[element] != bits) {
        value->capture.bits[element] = bits;
        value->changed = true;
    }
}

static void print_value(const struct known_value *value, const char *indent) {
    struct array array = watch_array(&value->capture, NULL, 0);
    char label[160];
    snprintf(label, sizeof label, "%s%s", indent, value->capture.shown->name);
    if (array.data) {
        watch_print(stdout, label, &array);
    }
    array_free(&array);
}

static void print_changes(struct stepping *stepping) {
    for (unsigned i = 0; i < stepping->value_count; i++) {
        if (stepping->values[i].changed) {
            print_value(&stepping->values[i], "    ");
            stepping->values[i].changed = false;
        }
    }
}

static void print_named(struct stepping *stepping, const struct shown *step, const char *name) {
    const struct known_value *here = value_of(stepping, step->function, name);
    const struct known_value *value = here ? here : value_of(stepping, NULL, name);
    const struct shows *shows = &stepping->watching->shows;
    for (size_t i = shows->count; !value && i-- > 0;) {
        if (shows->items[i].constant && strcmp(shows->items[i].name, name) == 0) {
            printf("%s: %s, a constant\n", name, shows->items[i].constant);
            return;
        }
    }
    if (value) {
        print_value(value, "");
    } else {
        printf("no value of %s has been set yet\n", name);
    }
}

// ---- commands ----

static void print_line(const struct shown *step) {
    const char *line = step->at.source->text;
    for (unsigned i = 1; i < step->at.line && *line; i++) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    printf("%s:%u: %.*s\n", step->at.source->path, step->at.line, (int)strcspn(line, "\n"), line);
}

static const char help[] =
    "s  step to the next statement        n  the same, over calls      o  out of this function\n"
    "c  go on to a break or the end       b LINE  break there          p NAME  print a value\n"
    "v  print all values                  q  quit                      an empty line repeats the last "
    "command\n";

// Performs a command. True if the program goes on.
static bool perform(struct stepping *stepping, const struct shown *step, const char *command) {
    const char *rest = command + 1 + strspn(command + 1, " \t");
    switch (*command) {
    case 's':
        stepping->mode = STEP_INTO;
        return true;
    case 'n':
        stepping->mode = STEP_OVER;
        return true;
    case 'o':
        stepping->mode = STEP_OUT;
        return true;
    case 'c':
        stepping->mode = STEP_RUN;
        return true;
    case 'q':
        stepping->mode = STEP_RUN;
        stepping->break_count = 0;
        *stepping->stop = 1;
        return true;
    case 'b':
        if (stepping->break_count < sizeof stepping->breaks / sizeof *stepping->breaks && atoi(rest) > 0) {
            stepping->breaks[stepping->break_count++] = (unsigned)atoi(rest);
            return false;
        }
        break;
    case 'p':
        print_named(stepping, step, rest);
        return false;
    case 'v':
        for (unsigned i = 0; i < stepping->value_count; i++) {
            print_value(&stepping->values[i], "");
        }
        return false;
    case 'l':
        print_line(step);
        return false;
    default:
        break;
    }
    fputs(help, stdout);
    return false;
}

static bool is_break(const struct stepping *stepping, const struct shown *step) {
    for (unsigned i = 0; i < stepping->break_count; i++) {
        if (stepping->breaks[i] == step->at.line && step->at.source == stepping->watching->shows.source) {
            return true;
        }
    }
    return false;
}

static bool stops_here(const struct stepping *stepping, const struct shown *step) {
    switch (stepping->mode) {
    case STEP_INTO:
        return true;
    case STEP_OVER:
        return step->depth <= stepping->depth || is_break(stepping, step);
    case STEP_OUT:
        return step->depth < stepping->depth || is_break(stepping, step);
    default:
        return is_break(stepping, step);
    }
}

static void stop_at(struct stepping *stepping, const struct shown *step) {
    char line[256];
    print_changes(stepping);
    print_line(step);
    stepping->depth = step->depth;
    do {
        fputs("> ", stdout);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) { // the end of the input: the program runs to its end
            stepping->mode = STEP_RUN;
            fputc('\n', stdout);
            return;
        }
        line[strcspn(line, "\n")] = 0;
        if (*line && strchr("snoc", *line)) {
            snprintf(stepping->last, sizeof stepping->last, "%s", line);
        }
    } while (!perform(stepping, step, *line ? line : stepping->last));
}

static void take_event(struct stepping *stepping, const struct emulator_shown *event) {
    const struct shown *shown = &stepping->watching->shows.items[event->id];
    if (memcmp(event->program, stepping->program, sizeof stepping->program) != 0 ||
        (!shown->is_step && shown->request >= 0)) {
        return;
    }
    if (event->kind == EMULATOR_WATCHED) {
        take_element(stepping, shown, event->element, event->bits);
    } else if (event->kind == EMULATOR_STEP && stops_here(stepping, shown)) {
        stop_at(stepping, shown);
    }
}

void step_show(void *user, const struct emulator_shown *event) {
    struct watching *watching = user;
    take_event(watching->stepping, event);
    watch_show(watching, event);
}
