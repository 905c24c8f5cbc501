// Values of options refused by every command line: a program sets fields of struct tkc_options as it likes.
#include <string.h>

#include "driver/library.h"
#include "passes/pass.h"

struct range {
    const char *field;
    long long value, least, most;
};

static const char *check_ranges(struct arena *arena, const struct tkc_options *o) {
    const struct range ranges[] = {
        {"kind", o->kind, TKC_KIND_DEFAULT, TKC_TORCH},   {"debug", o->debug, TKC_DEBUG_NONE, TKC_DEBUG_FULL},
        {"config", o->config, TKC_CONFIG_ALL, INT32_MAX}, {"opt_level", o->opt_level, 0, 3},
        {"num_stages", o->num_stages, 0, INT32_MAX},      {"group_size", o->group_size, 0, UINT16_MAX}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range *r = &ranges[i];
        if (r->value < r->least || r->value > r->most) {
            return arena_printf(arena, "the field %s of struct tkc_options is %lld; it is from %lld to %lld",
                                r->field, r->value, r->least, r->most);
        }
    }
    return o->least_occupancy >= 0 && o->least_occupancy <= 100
               ? NULL
               : arena_printf(arena,
                              "the field least_occupancy of struct tkc_options is %g, which is no percentage",
                              o->least_occupancy);
}

struct texts {
    const char *field;
    const char *const *texts;
    size_t count;
};

static const char *check_texts(struct arena *arena, const struct tkc_options *o) {
    const struct texts all[] = {{"input", &o->input, 1},
                                {"outputs", o->outputs, o->output_count},
                                {"targets", o->targets, o->target_count},
                                {"import_folders", o->import_folders, o->import_folder_count},
                                {"kernels", o->kernels, o->kernel_count},
                                {"specialisations", o->specialisations, o->specialisation_count},
                                {"prefix_maps", o->prefix_maps, o->prefix_map_count},
                                {"ptxas_options", o->ptxas_options, o->ptxas_option_count},
                                {"warnings", o->warnings, o->warning_count},
                                {"without", o->without, o->without_count}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (size_t j = 0; j < all[i].count; j++) {
            if (!all[i].texts || !all[i].texts[j]) {
                return arena_printf(arena,
                                    "the field %s of struct tkc_options has a NULL where a text belongs",
                                    all[i].field);
            }
        }
    }
    for (size_t i = 0; i < o->define_count; i++) {
        if (!o->defines || !o->defines[i].name || !o->defines[i].value) {
            return "the field defines of struct tkc_options has a NULL where a text belongs";
        }
    }
    for (size_t i = 0; i < o->file_count; i++) {
        if (!o->files || !o->files[i].path || !o->files[i].text) {
            return "the field files of struct tkc_options has a NULL where a text belongs";
        }
    }
    return NULL;
}

static const char *check_pass(struct arena *arena, const char *field, const char *name, bool of_tiles) {
    bool known = !name || pass_find(name) >= 0 || (!of_tiles && tkc_is_step(name));
    return known ? NULL
                 : arena_printf(arena, "the field %s of struct tkc_options is \"%s\", which is no pass%s",
                                field, name, of_tiles ? "" : " or step");
}

const char *check_values(struct arena *arena, const struct tkc_options *o) {
    bool all = o->dump_after && strcmp(o->dump_after, "all") == 0;
    const char *const faults[] = {check_texts(arena, o), check_ranges(arena, o),
                                  check_pass(arena, "dump_after", all ? NULL : o->dump_after, false),
                                  check_pass(arena, "stop_after", o->stop_after, true),
                                  check_pass(arena, "run_pass", o->run_pass, false)};
    const char *fault = NULL;
    for (size_t i = sizeof faults / sizeof *faults; i-- > 0;) {
        fault = faults[i] ? faults[i] : fault;
    }
    return fault;
}
