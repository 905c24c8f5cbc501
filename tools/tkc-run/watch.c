// --watch LINE:NAME[=FILE.npy]: the tile NAME behind a line, of each program and each run of the line. Warps run at different
// paces: a warp's n-th part belongs to the n-th tile.
#include "watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "support/memory.h"

enum { WARPS = 64 };

// "[FILE:]LINE:NAME[=FILE.npy]".
static bool parse_one(const char *text, struct show_request *request) {
    size_t length = strcspn(text, "=");
    char *copy = strndup(text, length), *name = strrchr(copy, ':');
    char *line = NULL, *end;
    bool good = name != NULL;
    if (good) {
        *name++ = 0;
        line = strrchr(copy, ':');
        request->file = line ? copy : NULL;
        line = line ? (*line = 0, line + 1) : copy;
        request->line = (unsigned)strtoul(line, &end, 10);
        request->name = name;
        good = *line >= '0' && *line <= '9' && !*end && *name && request->line;
    }
    if (!good) {
        free(copy);
        return complain("--watch wants LINE:NAME[=FILE.npy], not \"%s\"", text);
    }
    return true; // the request keeps the copy
}

bool watch_parse(struct watching *watching, const char *const *texts, size_t count) {
    watching->requests = calloc(count + 1, sizeof *watching->requests);
    watching->texts = texts;
    watching->count = count;
    for (size_t i = 0; i < count; i++) {
        if (!parse_one(texts[i], &watching->requests[i])) {
            return false;
        }
    }
    watching->shows.requests = watching->requests;
    watching->shows.request_count = count;
    return true;
}

bool watch_check(const struct watching *watching, const char *path) {
    bool good = true;
    for (size_t i = 0; i < watching->count; i++) {
        const struct show_request *request = &watching->requests[i];
        const char *file = request->file ? request->file : path;
        if (!request->reached) {
            good = complain("--watch %s: no statement of the kernel begins on line %u of %s",
                            watching->texts[i], request->line, file);
        } else if (!request->found) {
            good = complain("--watch %s: behind line %u of %s there is no number and no tile %s",
                            watching->texts[i], request->line, file, request->name);
        }
    }
    return good;
}

void watch_begin(struct watching *watching, uint64_t programs) {
    watching->program_count = programs;
    watching->captured = calloc(programs * watching->count + 1, sizeof *watching->captured);
    watching->programs = calloc(programs + 1, sizeof *watching->programs);
    if (!watching->captured || !watching->programs) {
        out_of_memory(programs * watching->count * sizeof *watching->captured);
    }
}

size_t watch_elements(const struct shown *shown) {
    size_t count = 1;
    for (unsigned i = 0; i < shown->rank; i++) {
        count *= shown->shape[i];
    }
    return count;
}

// The warp's present tile.
static struct capture *capture_at(struct capture_list *list, const struct shown *shown, unsigned index) {
    if (index >= list->count) { // the next one: a warp shows its tiles in order
        list->items = memory_grown(list->items, list->count, &list->room, sizeof *list->items);
        list->items[list->count++] = (struct capture){shown, calloc(watch_elements(shown), sizeof(uint64_t))};
    }
    return &list->items[index];
}

void watch_show(void *user, const struct emulator_shown *event) {
    struct watching *watching = user;
    const struct shown *shown = &watching->shows.items[event->id];
    if (shown->request < 0 || event->program_number >= watching->program_count || event->warp >= WARPS) {
        return;
    }
    struct capture_list *list =
        &watching->captured[event->program_number * watching->count + (size_t)shown->request];
    memcpy(watching->programs[event->program_number], event->program, sizeof *watching->programs);
    list->begun = list->begun ? list->begun : calloc(WARPS, sizeof *list->begun);
    if (event->kind == EMULATOR_WATCH_BEGINS) {
        capture_at(list, shown, list->begun[event->warp]++);
    } else if (event->kind == EMULATOR_WATCHED && list->begun[event->warp]) {
        struct capture *capture = capture_at(list, shown, list->begun[event->warp] - 1);
        if (event->element < watch_elements(capture->shown)) {
            capture->bits[event->element] = event->bits;
        }
    }
}

// ---- shown tiles ----

static const struct element_type *type_of(const struct shown *shown) {
    struct arena *arena = arena_create();
    const char *name = dtype_is_pointer(shown->dtype) ? "u64" : dtype_signature(arena, shown->dtype);
    const struct element_type *type = element_type_find(name, strlen(name));
    arena_destroy(arena);
    return type;
}

static void store(struct array *array, size_t index, uint64_t bits) {
    unsigned bytes = array->dtype->bits < 8 ? 1 : array->dtype->bits / 8;
    memcpy((char *)array->data + index * bytes, &bits, bytes);
}

struct array watch_array(const struct capture *capture, const size_t *outer, unsigned outer_rank) {
    size_t dimensions[RUN_DIMENSIONS];
    unsigned rank = 0;
    struct array array = {0};
    const struct element_type *type = type_of(capture->shown);
    for (unsigned i = 0; i < outer_rank; i++) {
        dimensions[rank++] = outer[i];
    }
    for (unsigned i = 0; i < capture->shown->rank && rank < RUN_DIMENSIONS; i++) {
        dimensions[rank++] = capture->shown->shape[i];
    }
    if (type && !array_create(&array, type, dimensions, rank)) {
        array.data = NULL;
    }
    for (size_t i = 0; array.data && outer_rank == 0 && i < array.count; i++) {
        store(&array, i, capture->bits[i]);
    }
    return array;
}

void watch_print(FILE *out, const char *label, const struct array *array) {
    enum { PRINTED = 64 };
    struct strbuf text = {0};
    strbuf_printf(&text, "%s: %s", label, array->dtype->name);
    for (unsigned i = 0; i < array->rank; i++) {
        strbuf_printf(&text, "%s%zu%s", i ? "," : "[", array->dimensions[i], i + 1 == array->rank ? "]" : "");
    }
    for (size_t i = 0; i < array->count && i < PRINTED; i++) {
        strbuf_add_char(&text, ' ');
        array_print(&text, array, i);
    }
    fprintf(out, "%s%s\n", strbuf_text(&text), array->count > PRINTED ? " …" : "");
    strbuf_free(&text);
}

static void print_all(const struct watching *watching, size_t request) {
    const struct show_request *asked = &watching->requests[request];
    for (size_t i = 0; i < watching->shows.count; i++) {
        const struct shown *shown = &watching->shows.items[i];
        if (shown->request == (int)request && shown->constant) {
            printf("%u: %s: %s, a constant\n", asked->line, asked->name, shown->constant);
        }
    }
    for (uint64_t p = 0; p < watching->program_count; p++) {
        const struct capture_list *list = &watching->captured[p * watching->count + request];
        for (unsigned i = 0; i < list->count; i++) {
            struct array array = watch_array(&list->items[i], NULL, 0);
            char label[256];
            snprintf(label, sizeof label, "%u: %s of program (%u, %u, %u), time %u", asked->line, asked->name,
                     watching->programs[p][0], watching->programs[p][1], watching->programs[p][2], i + 1);
            if (array.data) {
                watch_print(stdout, label, &array);
            }
            array_free(&array);
        }
    }
}

// An array of all programs and times: [programs, times, …], without dimensions of one.
static bool save(const struct watching *watching, size_t request, const char *path) {
    const struct capture_list *lists = watching->captured;
    const struct capture_list *first = &lists[request];
    size_t outer[2] = {watching->program_count, first->count};
    for (uint64_t p = 0; p < watching->program_count; p++) {
        const struct capture_list *list = &lists[p * watching->count + request];
        for (unsigned i = 0; i < list->count; i++) {
            const struct shown *a = list->items[i].shown, *b = first->items ? first->items->shown : NULL;
            if (!b || a->rank != b->rank || memcmp(a->shape, b->shape, sizeof a->shape) != 0) {
                return complain("--watch %s: its tiles have different shapes", watching->texts[request]);
            }
        }
        if (list->count != first->count) {
            return complain(
                "--watch %s: program 0 is there %u times and program %llu %u times: no one array holds that",
                watching->texts[request], first->count, (unsigned long long)p, list->count);
        }
    }
    if (!first->count) {
        return complain("--watch %s: no program gets there", watching->texts[request]);
    }
    unsigned from = outer[0] == 1 ? 1 : 0, rank = 0;
    size_t used[2];
    for (unsigned i = from; i < 2; i++) {
        if (outer[i] != 1) {
            used[rank++] = outer[i];
        }
    }
    struct array array = watch_array(first->items, used, rank);
    size_t tile = watch_elements(first->items->shown);
    for (uint64_t p = 0; array.data && p < watching->program_count; p++) {
        const struct capture_list *list = &lists[p * watching->count + request];
        for (size_t i = 0; i < list->count * tile; i++) {
            store(&array, p * first->count * tile + i, list->items[i / tile].bits[i % tile]);
        }
    }
    char *error =
        array.data ? npy_write(path, &array) : message("--watch %s: too large", watching->texts[request]);
    if (error) {
        complain("%s", error);
    }
    bool good = !error;
    free(error);
    array_free(&array);
    return good;
}

bool watch_finish(struct watching *watching) {
    bool good = true;
    for (size_t i = 0; i < watching->count; i++) {
        const char *equals = strchr(watching->texts[i], '=');
        if (equals) {
            good = save(watching, i, equals + 1) && good;
        } else {
            print_all(watching, i);
        }
    }
    for (size_t i = 0; i < watching->program_count * watching->count; i++) {
        for (unsigned j = 0; j < watching->captured[i].count; j++) {
            free(watching->captured[i].items[j].bits);
        }
        free(watching->captured[i].items);
        free(watching->captured[i].begun);
    }
    free(watching->captured);
    free(watching->programs);
    watching->captured = NULL;
    watching->programs = NULL;
    return good;
}

void watch_free(struct watching *watching) {
    for (size_t i = 0; i < watching->count && watching->requests; i++) {
        const struct show_request *request = &watching->requests[i];
        const char *copy = request->file; // its name lies in the same copy
        free((void *)(uintptr_t)copy);
    }
    free(watching->requests);
}
