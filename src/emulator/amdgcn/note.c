// The metadata of a code object: a MessagePack map in the note NT_AMDGPU_METADATA of the vendor AMDGPU (LLVM's AMDGPU usage
// guide, "Code Object V3 Metadata" and later; MessagePack specification).
#include "emulator/amdgcn/object.h"

#include <stdlib.h>

enum { NT_METADATA = 32, DEEPEST = 16 };

struct reader {
    const uint8_t *at, *end;
    bool broken;
};

enum item_kind { ITEM_NONE, ITEM_NUMBER, ITEM_TEXT, ITEM_LIST, ITEM_MAP };
struct item {
    enum item_kind kind;
    uint64_t number; // value, length of a text, count of a list or of a map's pairs
    const char *text;
};

static uint64_t big_endian(struct reader *r, unsigned bytes) {
    uint64_t value = 0;
    if ((size_t)(r->end - r->at) < bytes) {
        r->broken = true;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++) {
        value = value << 8 | *r->at++;
    }
    return value;
}

static struct item text_item(struct reader *r, uint64_t length) {
    struct item item = {ITEM_TEXT, length, (const char *)r->at};
    if (length > (uint64_t)(r->end - r->at)) {
        r->broken = true;
        return (struct item){0};
    }
    r->at += length;
    return item;
}

// A list or map is given as its count: its items follow.
static struct item next_item(struct reader *r) {
    unsigned tag = (unsigned)big_endian(r, 1);
    if (tag < 0x80) {
        return (struct item){ITEM_NUMBER, tag, NULL};
    }
    if (tag < 0x90) {
        return (struct item){ITEM_MAP, tag & 15, NULL};
    }
    if (tag < 0xa0) {
        return (struct item){ITEM_LIST, tag & 15, NULL};
    }
    if (tag < 0xc0) {
        return text_item(r, tag & 31);
    }
    switch (tag) {
    case 0xc0: // nothing
        return (struct item){ITEM_NUMBER, 0, NULL};
    case 0xc2:
    case 0xc3:
        return (struct item){ITEM_NUMBER, tag & 1, NULL};
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return (struct item){ITEM_NUMBER, big_endian(r, 1u << (tag - 0xcc)), NULL};
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return (struct item){ITEM_NUMBER, big_endian(r, 1u << (tag - 0xd0)), NULL};
    case 0xd9:
    case 0xda:
    case 0xdb:
        return text_item(r, big_endian(r, 1u << (tag - 0xd9)));
    case 0xdc:
    case 0xdd:
        return (struct item){ITEM_LIST, big_endian(r, 2u << (tag - 0xdc)), NULL};
    case 0xde:
    case 0xdf:
        return (struct item){ITEM_MAP, big_endian(r, 2u << (tag - 0xde)), NULL};
    default:
        if (tag >= 0xe0) {
            return (struct item){ITEM_NUMBER, (uint64_t)(int64_t)(int8_t)tag, NULL};
        }
        r->broken = true;
        return (struct item){0};
    }
}

static void skip(struct reader *r, unsigned depth) {
    struct item item = next_item(r);
    uint64_t count = item.kind == ITEM_LIST ? item.number : item.kind == ITEM_MAP ? 2 * item.number : 0;
    r->broken |= depth == DEEPEST;
    for (uint64_t i = 0; i < count && !r->broken; i++) {
        skip(r, depth + 1);
    }
}

static bool is(const struct item *item, const char *text) {
    return item->kind == ITEM_TEXT && item->number == strlen(text) && !memcmp(item->text, text, item->number);
}

// The value of a key in the map at the reader (a copy: its position does not change). False: there is none.
static bool find(struct reader r, const char *key, struct reader *value) {
    struct item map = next_item(&r);
    for (uint64_t i = 0; map.kind == ITEM_MAP && i < map.number && !r.broken; i++) {
        struct item name = next_item(&r);
        if (is(&name, key)) {
            *value = r;
            return true;
        }
        skip(&r, 0);
    }
    return false;
}

static uint32_t number_of(struct reader map, const char *key) {
    struct reader value;
    return find(map, key, &value) ? (uint32_t)next_item(&value).number : 0;
}

static const char *text_of(struct arena *arena, struct reader map, const char *key) {
    struct reader value;
    struct item item = {0};
    if (find(map, key, &value)) {
        item = next_item(&value);
    }
    return item.kind == ITEM_TEXT ? arena_strndup(arena, item.text, item.number) : "";
}

static enum argument_kind kind_named(const char *name) {
    static const struct {
        const char *name;
        enum argument_kind kind;
    } kinds[] = {
        {"by_value", ARGUMENT_VALUE},
        {"global_buffer", ARGUMENT_POINTER},
        {"hidden_block_count_x", ARGUMENT_BLOCK_COUNT_X},
        {"hidden_block_count_y", ARGUMENT_BLOCK_COUNT_Y},
        {"hidden_block_count_z", ARGUMENT_BLOCK_COUNT_Z},
        {"hidden_group_size_x", ARGUMENT_GROUP_SIZE_X},
        {"hidden_group_size_y", ARGUMENT_GROUP_SIZE_Y},
        {"hidden_group_size_z", ARGUMENT_GROUP_SIZE_Z},
        {"hidden_grid_dims", ARGUMENT_GRID_DIMENSIONS},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(name, kinds[i].name)) {
            return kinds[i].kind;
        }
    }
    return strncmp(name, "hidden_", 7) ? ARGUMENT_UNKNOWN : ARGUMENT_ZERO;
}

static bool read_arguments(struct arena *arena, struct reader map, struct object_kernel *kernel,
                           struct strbuf *error) {
    struct reader list;
    if (!find(map, ".args", &list)) {
        return true;
    }
    uint64_t count = next_item(&list).number;
    enum { MOST = sizeof kernel->arguments / sizeof *kernel->arguments };
    for (uint64_t i = 0; i < count && !list.broken; i++) {
        const char *kind = text_of(arena, list, ".value_kind");
        struct object_argument argument = {number_of(list, ".offset"), number_of(list, ".size"),
                                           kind_named(kind), text_of(arena, list, ".name")};
        if (argument.kind == ARGUMENT_UNKNOWN || kernel->argument_count == MOST || argument.size > 8 ||
            argument.offset + argument.size > kernel->argument_bytes) {
            strbuf_printf(error, "argument %llu of kernel '%s' is a %s of %u bytes, which cannot be given",
                          (unsigned long long)i, kernel->name, kind, argument.size);
            return false;
        }
        kernel->arguments[kernel->argument_count++] = argument;
        skip(&list, 0);
    }
    return true;
}

// The first metadata at or behind *at in the section of notes; *at is then behind it.
static bool next_metadata(const struct section *note, uint64_t *at, struct reader *metadata) {
    while (note->data && *at + 12 <= note->size) {
        uint32_t name, size, type;
        memcpy(&name, note->data + *at, 4);
        memcpy(&size, note->data + *at + 4, 4);
        memcpy(&type, note->data + *at + 8, 4);
        uint64_t start = *at + 12, body = start + ((uint64_t)name + 3) / 4 * 4;
        if (body + size > note->size) {
            return false;
        }
        *at = body + ((uint64_t)size + 3) / 4 * 4;
        if (type == NT_METADATA && name == 7 && !memcmp(note->data + start, "AMDGPU", 7)) {
            *metadata = (struct reader){note->data + body, note->data + body + size, false};
            return true;
        }
    }
    return false;
}

// "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-": the processor behind the last dash, without its features.
const char *note_chip(struct arena *arena, const struct code_object *object) {
    struct reader metadata;
    struct section note = object_section(object, ".note");
    uint64_t at = 0;
    const char *target =
        next_metadata(&note, &at, &metadata) ? text_of(arena, metadata, "amdhsa.target") : "";
    const char *chip = strstr(target, "--");
    return chip ? arena_strndup(arena, chip + 2, strcspn(chip + 2, ":")) : NULL;
}

// The map of kernel `index`. A file linked from several objects has the metadata of each. False: there are no more, or
// *error has a fault.
static bool find_kernel(const struct code_object *object, unsigned index, struct reader *map,
                        struct strbuf *error) {
    struct section note = object_section(object, ".note");
    struct reader metadata;
    uint64_t at = 0;
    bool any = false;
    while (next_metadata(&note, &at, &metadata)) {
        bool found = find(metadata, "amdhsa.kernels", map);
        uint64_t count = found ? next_item(map).number : 0;
        any |= found;
        for (uint64_t i = 0; i < count && !map->broken; i++, index--) {
            if (index == 0) {
                return true;
            }
            skip(map, 0);
        }
    }
    if (!any) {
        strbuf_add(error, "the code object has no metadata of its kernels");
    }
    return false;
}

static void describe(struct arena *arena, struct reader map, struct object_kernel *kernel) {
    memset(kernel, 0, sizeof *kernel);
    kernel->name = text_of(arena, map, ".name");
    kernel->symbol = text_of(arena, map, ".symbol");
    kernel->argument_bytes = number_of(map, ".kernarg_segment_size");
    kernel->threads = number_of(map, ".max_flat_workgroup_size");
    kernel->lanes = number_of(map, ".wavefront_size");
    kernel->vector_registers = number_of(map, ".vgpr_count");
    kernel->scalar_registers = number_of(map, ".sgpr_count");
    kernel->vector_spills = number_of(map, ".vgpr_spill_count");
    kernel->scalar_spills = number_of(map, ".sgpr_spill_count");
    kernel->shared_bytes = number_of(map, ".group_segment_fixed_size");
    kernel->scratch_bytes = number_of(map, ".private_segment_fixed_size");
}

bool note_kernel_about(struct arena *arena, const struct code_object *object, unsigned index,
                       struct object_kernel *kernel, struct strbuf *error) {
    struct reader map;
    if (!find_kernel(object, index, &map, error)) {
        return false;
    }
    describe(arena, map, kernel);
    return true;
}

bool note_kernel(struct arena *arena, const struct code_object *object, unsigned index,
                 struct object_kernel *kernel, struct strbuf *error) {
    struct reader map;
    if (!find_kernel(object, index, &map, error)) {
        return false;
    }
    describe(arena, map, kernel);
    return read_arguments(arena, map, kernel, error);
}
