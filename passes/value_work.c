#include "passes/value_work.h"

#include <string.h>

bool value_work_see(struct value_work *work, const void *pointer) {
    if (map_has(&work->seen, pointer)) {
        return false;
    }
    map_put(&work->seen, pointer, (void *)pointer);
    return true;
}

void value_work_add(struct value_work *work, MlirValue value) {
    if (!value_work_see(work, value.ptr)) {
        return;
    }
    if (work->count == work->capacity) {
        size_t capacity = work->capacity ? 2 * work->capacity : 64;
        MlirValue *grown = ARENA_ARRAY(work->arena, MlirValue, capacity);
        if (work->count) {
            memcpy(grown, work->list, work->count * sizeof *grown);
        }
        work->list = grown;
        work->capacity = capacity;
    }
    work->list[work->count++] = value;
}

MlirValue value_work_take(struct value_work *work) {
    return work->count ? work->list[--work->count] : (MlirValue){NULL};
}

void value_work_free(struct value_work *work) {
    map_free(&work->seen);
}
