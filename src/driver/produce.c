// Makes artifacts from options, through a unit and its compiled targets (compile.c).
#include "driver/library.h"

#include <stdlib.h>
#include <string.h>

#include "driver/fuse.h"
#include "driver/job.h"
#include "driver/page.h"
#include "driver/produce_check.h"
#include "driver/remarks.h"
#include "driver/resources.h"
#include "passes/pass.h"
#include "support/escape.h"
#include "support/file.h"
#include "support/locale.h"
#include "driver/tuned.h"

// A result under construction: its memory is the unit's arena, handed over at the end.
struct making {
    struct unit unit;
    struct tkc_result *result;
    size_t diagnostic_capacity;
    size_t artifact_capacity;
    struct output_plan plan;
    struct reflection reflection;
    enum launcher_runtime runtime;
    struct job *jobs;
    size_t job_count;
    struct remark_choice remarks;
    const char **slow; // kernels with a warning -Wslow
    size_t slow_count;
    const struct resources **resources; // --resource-usage, of all targets
    size_t resource_count;
    struct report_part *page_parts; // --report: of all targets
    size_t page_part_count;
};

// The number of the character at byte `column` of a line; both count from 1.
static unsigned character_at(const char *line, size_t length, unsigned column) {
    unsigned number = 1;
    for (size_t i = 0; i + 1 < column; number++) {
        unsigned code;
        size_t bytes = i < length ? escape_utf8(line + i, length - i, &code) : 1;
        i += bytes ? bytes : 1;
    }
    return number;
}

static struct tkc_place place_of(struct arena *arena, struct location at) {
    struct tkc_place place = {.line = at.line};
    place.file = at.source ? arena_strdup(arena, at.source->path) : NULL;
    if (!at.source || !at.line) {
        return place;
    }
    const char *line = "";
    size_t length = at.source->text ? source_line(at.source, at.line, &line) : 0;
    place.column = at.column ? at.column : 1;
    place.end_column = place.column + at.length;
    place.character = character_at(line, length, place.column);
    place.end_character = character_at(line, length, place.end_column);
    return place;
}

static const struct tkc_fix *fix_of(struct arena *arena, const struct diag_message *message) {
    if (!message->has_fix) {
        return NULL;
    }
    struct tkc_fix *fix = ARENA_NEW(arena, struct tkc_fix);
    *fix = (struct tkc_fix){place_of(arena, message->fix.at), arena_strdup(arena, message->fix.text)};
    return fix;
}

static void keep_diagnostic(void *user, const struct diag_message *message) {
    struct making *m = user;
    static const enum tkc_severity severities[] = {[DIAG_NOTE] = TKC_NOTE,
                                                   [DIAG_REMARK] = TKC_REMARK,
                                                   [DIAG_WARNING] = TKC_WARNING,
                                                   [DIAG_ERROR] = TKC_ERROR};
    struct tkc_result *r = m->result;
    struct arena *arena = m->unit.arena;
    r->diagnostics = arena_grown(arena, r->diagnostics, r->diagnostic_count, &m->diagnostic_capacity,
                                 sizeof *r->diagnostics);
    struct tkc_diagnostic *kept = &r->diagnostics[r->diagnostic_count++];
    *kept = (struct tkc_diagnostic){severities[message->severity],
                                    arena_strdup(arena, message->text),
                                    arena_strdup(arena, message->body),
                                    place_of(arena, message->at),
                                    fix_of(arena, message),
                                    message->name};
    if (m->unit.options && m->unit.options->report) {
        m->unit.options->report(m->unit.options->report_user, kept);
    }
}

// Copies the buffer's bytes into the result's memory, and frees the buffer.
static struct tkc_artifact keep_bytes(struct making *m, enum tkc_kind kind, const struct target *target,
                                      const char *path, struct strbuf *bytes) {
    char *copy = arena_alloc(m->unit.arena, bytes->length + 1);
    if (bytes->length) {
        memcpy(copy, bytes->data, bytes->length);
    }
    struct tkc_artifact kept = {kind, target ? target->name : NULL, path, copy, bytes->length};
    strbuf_free(bytes);
    return kept;
}

static void add_artifact(struct making *m, struct tkc_artifact artifact) {
    struct tkc_result *r = m->result;
    r->artifacts = arena_grown(m->unit.arena, r->artifacts, r->artifact_count, &m->artifact_capacity,
                               sizeof *r->artifacts);
    r->artifacts[r->artifact_count++] = artifact;
}

// ---- code ----

// A part of one target's work: a job for a group of kernels. Without variants all kernels are one group. With
// variants each variant of each kernel is a group: one too large for the chip can be left out.
struct part {
    struct job *job;
    size_t first, count; // of the kernels
};

static bool has_variants(const struct making *m) {
    const struct frontend *frontend = m->unit.frontend;
    for (size_t i = 1; frontend && i < frontend->kernel_count; i++) {
        if (frontend->kernels[i].callee->def == frontend->kernels[i - 1].callee->def) {
            return true;
        }
    }
    return false;
}

// Repeats the job's messages, except warnings, remarks and notes given by an earlier job in the same words.
static void replay(struct making *m, const struct job *job) {
    for (size_t i = 0; i < job->message_count; i++) {
        const struct diag_message *message = &job->messages[i];
        bool said = false;
        for (size_t j = 0; j < m->result->diagnostic_count && message->severity != DIAG_ERROR && !said; j++) {
            said = strcmp(m->result->diagnostics[j].text, message->text) == 0;
        }
        if (!said) {
            m->unit.diag.error_count += message->severity == DIAG_ERROR;
            keep_diagnostic(m, message);
        }
    }
}

// A variant that does not fit a chip, or only with spills, is a note, not an error, if another variant of its
// kernel fits.
static void leave_out(struct making *m, const struct part *part) {
    const struct job *job = part->job;
    const struct kernel_instance *kernel = job->only;
    const char *why = "its values do not fit in registers"; // -Wno-spills
    for (size_t i = job->message_count; i-- > 0;) {
        enum diag_severity severity = job->messages[i].severity;
        bool counts = severity == DIAG_ERROR || (severity == DIAG_WARNING && job->spills);
        why = counts ? job->messages[i].body : why;
    }
    const char *head = arena_printf(m->unit.arena, "%s on %s: ", kernel->name, job->target->name);
    why += strncmp(why, head, strlen(head)) == 0 ? strlen(head) : 0;
    why = arena_strndup(m->unit.arena, why, strcspn(why, "\n"));
    m->reflection.kernels[part->first].entries[m->reflection.target_count].left_out = why;
    diag_note(&m->unit.diag, (struct location){.source = m->unit.source},
              "%s: configuration %u (%s) is left out on %s: %s", kernel->function, kernel->config,
              kernel->config_text, job->target->name, why);
}

static bool fits_another(const struct making *m, const struct part *parts, size_t count, size_t index) {
    const struct kernel_instance *kernels = m->unit.frontend ? m->unit.frontend->kernels : NULL;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].job->ok && parts[index].job->only &&
            kernels[parts[i].first].callee->def == kernels[parts[index].first].callee->def) {
            return true;
        }
    }
    return false;
}

static bool spills_alone(const struct making *m, const struct part *parts, size_t count, size_t index) {
    const struct kernel_instance *kernels = m->unit.frontend ? m->unit.frontend->kernels : NULL;
    for (size_t i = 0; i < count && parts[index].job->only && parts[index].job->spills; i++) {
        if (parts[i].job->ok && !parts[i].job->spills &&
            kernels[parts[i].first].callee->def == kernels[parts[index].first].callee->def) {
            return true;
        }
    }
    return false;
}

static bool warned_slow(const struct making *m, const char *function) {
    for (size_t i = 0; i < m->slow_count; i++) {
        if (strcmp(m->slow[i], function) == 0) {
            return true;
        }
    }
    return false;
}

// Reports the remarks of a part: the chosen ones, and -Wslow once for each kernel of the source.
static void report_remarks(struct making *m, const struct part *part) {
    const struct kernel_instance *kernels = m->unit.frontend ? m->unit.frontend->kernels : NULL;
    if (!m->unit.options->remarks_joined) {
        remarks_print(&part->job->remarks, &m->remarks, part->job->target, &m->unit.diag);
    }
    for (size_t k = part->first; kernels && k < part->first + part->count; k++) {
        const char *function = kernels[k].function;
        if (!warned_slow(m, function) &&
            remarks_warn_slow(&part->job->remarks, m->unit.arena, kernels[k].name, function, &m->unit.diag)) {
            m->slow[m->slow_count++] = function;
        }
    }
}

static void report_joined(struct making *m, const struct part *parts, size_t count) {
    const struct remarks **all = ARENA_ARRAY(m->unit.arena, const struct remarks *, count + 1);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].job->ok) {
            all[made++] = &parts[i].job->remarks;
        }
    }
    remarks_print_joined(all, made, &m->unit, &m->remarks, parts->job->target, &m->unit.diag);
}

// Reports the messages of a target's jobs. False if a kernel has no code.
static bool check_parts(struct making *m, const struct part *parts, size_t count) {
    for (size_t i = 0; i < count; i++) {
        parts[i].job->ok = parts[i].job->ok && !spills_alone(m, parts, count, i);
        if (parts[i].job->ok || !fits_another(m, parts, count, i)) {
            replay(m, parts[i].job);
        } else {
            leave_out(m, &parts[i]);
        }
        if (parts[i].job->ok) {
            report_remarks(m, &parts[i]);
        }
        if (!diag_checkpoint(&m->unit.diag)) {
            return false;
        }
    }
    if (count && m->unit.options->remarks_joined) {
        report_joined(m, parts, count);
    }
    return true;
}

// Makes one output from the code of all parts.
static bool join(struct making *m, const struct part *parts, size_t count, size_t output,
                 const struct target *target, enum tkc_kind *kind, struct strbuf *out, const char **tool) {
    const struct tkc_options *options = m->unit.options;
    struct strbuf *codes = ARENA_ARRAY(m->unit.arena, struct strbuf, count + 1), text = {0};
    size_t made = 0;
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].job->ok) {
            codes[made++] = parts[i].job->codes[output].bytes; // borrowed
            *kind = parts[i].job->codes[output].kind;
        }
    }
    struct step_options steps = unit_steps(&m->unit);
    double start = steps_now();
    switch (*kind) {
    case TKC_HSACO:
        ok = hsaco_link(m->unit.arena, codes, made, options->ld, out, tool, &m->unit.diag);
        break;
    case TKC_CUBIN:
        ptx_join(codes, made, &text);
        ok = cubin_assemble(m->unit.arena, text.data, text.length, target, options, out, tool, &m->unit.diag);
        break;
    case TKC_PTX:
        ptx_join(codes, made, out);
        break;
    default:
        strbuf_add_bytes(out, codes[0].data, codes[0].length); // one part: no variants (wants_variants)
    }
    strbuf_free(&text);
    steps_print_time(&steps, start, "(linking, assembling)");
    return ok && diag_checkpoint(&m->unit.diag);
}

// True for kinds a driver can load. The launcher embeds the first such output of a target.
static bool is_image(enum tkc_kind kind) {
    return kind == TKC_PTX || kind == TKC_CUBIN || kind == TKC_HSACO;
}

// HIP may read the bytes of an image later than when they are loaded, so that they cannot be unpacked for the time of a load.
static void add_image(struct making *m, struct reflect_image image) {
    const struct reflect_target *target = &m->reflection.targets[image.target];
    if (m->unit.options->compress_images && !image.file && target->target->vendor == VENDOR_NVIDIA) {
        struct strbuf packed = {0};
        pack_bytes(image.bytes, image.length, &packed);
        image.unpacked = image.length;
        image.length = packed.length;
        image.bytes = arena_strndup(m->unit.arena, packed.data, packed.length);
        strbuf_free(&packed);
    }
    m->reflection.images[m->reflection.image_count++] = image;
}

// Adds the images for launchers. PTX of several parts becomes an image each, because the driver translates
// all of an image; otherwise one image, or its file name.
static void add_images(struct making *m, const struct part *parts, size_t count, size_t output,
                       const struct tkc_artifact *made) {
    size_t target = m->reflection.target_count - 1;
    bool external = m->unit.options->external_images, apart = made->kind == TKC_PTX && count > 1 && !external;
    for (size_t i = 0; i < count && apart; i++) {
        if (parts[i].job->ok) {
            const struct strbuf *bytes = &parts[i].job->codes[output].bytes;
            add_image(m, (struct reflect_image){target, parts[i].first, parts[i].count, bytes->data,
                                                bytes->length, NULL, 0});
        }
    }
    if (!apart) {
        add_image(m, (struct reflect_image){target, 0, m->reflection.kernel_count, made->bytes, made->length,
                                            external ? file_base_name(made->path) : NULL, 0});
    }
}

static void say_spills(struct making *m, const struct resources *r, bool copies_apart) {
    struct strbuf text = {0}, limits = {0};
    if (m->remarks.wanted[REMARK_SPILLS] && r->from) {
        resources_add_spills(r, &text);
        occupancy_add_limits(&r->occupancy, &limits);
        diag_remark(&m->unit.diag, remark_name(REMARK_SPILLS), r->location,
                    "%s on %s: %s%s: %u registers of a thread, an occupancy of %.0f %%%s, limited by %s",
                    r->kernel, r->target->name, resources_spill(r) ? "values spill, " : "nothing spills",
                    resources_spill(r) ? strbuf_text(&text) : "", r->registers,
                    occupancy_percent(&r->occupancy),
                    copies_apart ? " (enough: warps of their own copy ahead)" : "", strbuf_text(&limits));
    }
    strbuf_free(&text);
    strbuf_free(&limits);
}

// The code of all parts as text: one module of PTX.
static void join_listings(struct making *m, const struct part *parts, size_t count, struct strbuf *out) {
    struct strbuf *codes = ARENA_ARRAY(m->unit.arena, struct strbuf, count + 1);
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].job->ok) {
            codes[made++] = *job_listing(parts[i].job); // borrowed
        }
    }
    ptx_join(codes, made, out);
}

// Gathers the figures of a target's kernels and of their second forms, judges them, and keeps them for the table and the reflection; `number`:
// of the target there. False if ptxas failed.
static bool account(struct making *m, const struct target *target, const struct part *parts, size_t count,
                    size_t number) {
    struct arena *arena = m->unit.arena;
    size_t kernels = unit_kernel_count(&m->unit), made = 0;
    struct resources *all = ARENA_ARRAY(arena, struct resources, kernels + 1);
    struct resources **list = ARENA_ARRAY(arena, struct resources *, 2 * kernels + 1);
    const struct reflect_entry **of = ARENA_ARRAY(arena, const struct reflect_entry *, 2 * kernels + 1);
    for (size_t i = 0; i < count; i++) {
        const struct job *job = parts[i].job;
        if (!job->ok || job->stopped) {
            continue;
        }
        resources_of_job(job, arena, m->unit.frontend->kernels + parts[i].first, parts[i].count,
                         all + parts[i].first);
        page_add(m->page_parts, &m->page_part_count, job, parts[i].first, all);
        for (size_t k = parts[i].first; k < parts[i].first + parts[i].count; k++) {
            struct reflect_entry *entry = &m->reflection.kernels[k].entries[number];
            of[made] = entry;
            list[made++] = &all[k];
            entry->resources = m->unit.options->resource_usage ? &all[k] : NULL;
            if (entry->paired) {
                of[made] = &entry->paired->entry;
                list[made] = ARENA_NEW(arena, struct resources);
                *list[made++] = resources_of_form(job, &m->unit.frontend->kernels[k], entry->paired);
            }
        }
    }
    struct strbuf ptx = {0};
    bool ok = true;
    if (made && target->vendor == VENDOR_NVIDIA) {
        join_listings(m, parts, count, &ptx);
        ok = resources_ask_ptxas(arena, m->unit.options, &ptx, list, made, &m->unit.diag);
    }
    strbuf_free(&ptx);
    if (ok && made && !list[0]->from && m->unit.options->resource_usage) {
        diag_note(
            &m->unit.diag, (struct location){0},
            "without ptxas of the CUDA toolkit registers, spills, stack and occupancy are not known: put "
            "it on PATH, or give --ptxas PATH");
    }
    for (size_t i = 0; i < made && ok; i++) {
        resources_settle(list[i], of[i]->dealing.persistent);
        resources_judge(list[i], m->unit.options, &m->unit.diag);
        say_spills(m, list[i], of[i]->producer_warps > 0);
        if (m->unit.options->resource_usage) {
            m->resources[m->resource_count++] = list[i];
        }
    }
    return ok;
}

// --resource-usage: the table of all kernels.
static void print_resources(const struct making *m) {
    FILE *out = m->unit.options->dump ? m->unit.options->dump : stderr;
    struct strbuf text = {0};
    if (m->resource_count) {
        resources_table(m->resources, m->resource_count, &text);
        fputs(strbuf_text(&text), out);
    }
    strbuf_free(&text);
}

static bool make_target(struct making *m, const struct target *target, const struct part *parts,
                        size_t count) {
    size_t number = m->reflection.target_count;
    bool has_stack = false;
    if (!check_parts(m, parts, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; parts[i].job->ok && parts[i].job->entries && k < parts[i].count; k++) {
            struct reflect_kernel *kernel = &m->reflection.kernels[parts[i].first + k];
            kernel->entries[m->reflection.target_count] = parts[i].job->entries[k];
            reflect_imply(kernel->params, &parts[i].job->entries[k]);
        }
    }
    bool reflected = false;
    for (size_t i = 0, output = 0; i < m->plan.output_count; i++) {
        struct strbuf bytes = {0};
        const char *tool = NULL;
        enum tkc_kind kind = m->plan.outputs[i].kind;
        if (m->plan.outputs[i].target != target) {
            continue;
        }
        if (!join(m, parts, count, output, target, &kind, &bytes, &tool)) {
            strbuf_free(&bytes);
            return false;
        }
        struct tkc_artifact kept = keep_bytes(m, kind, target, m->plan.outputs[i].path, &bytes),
                            *made = &kept;
        has_stack |= kind == TKC_CUBIN && cubin_has_stack(made->bytes, made->length);
        if (!m->plan.outputs[i].inner) {
            add_artifact(m, kept);
        }
        if (is_image(kind) && !reflected) {
            m->reflection.targets[m->reflection.target_count++] =
                (struct reflect_target){target, kind, made->bytes, made->length, made->path, tool};
            add_images(m, parts, count, output, made);
            reflected = true;
        }
        output++;
    }
    return !(resources_wanted(m->unit.options) || has_stack) || account(m, target, parts, count, number);
}

// The kinds of a target's outputs.
static size_t kinds_of(const struct making *m, const struct target *target, enum tkc_kind *kinds) {
    size_t count = 0;
    for (size_t i = 0; i < m->plan.output_count; i++) {
        if (m->plan.outputs[i].target == target) {
            kinds[count++] = m->plan.outputs[i].kind;
        }
    }
    return count;
}

static bool make_targets(struct making *m) {
    struct arena *arena = m->unit.arena;
    bool apart = has_variants(m);
    size_t kernels = unit_kernel_count(&m->unit), groups = apart ? kernels : 1;
    size_t count = groups * m->plan.target_count;
    m->jobs = ARENA_ARRAY(arena, struct job, count + 1);
    struct part *parts = ARENA_ARRAY(arena, struct part, count + 1);
    for (size_t t = 0; t < m->plan.target_count; t++) {
        enum tkc_kind *kinds = ARENA_ARRAY(arena, enum tkc_kind, m->plan.output_count);
        size_t kind_count = kinds_of(m, m->plan.targets[t], kinds);
        for (size_t g = 0; g < groups; g++) {
            struct job *job = &m->jobs[m->job_count];
            *job = (struct job){.target = m->plan.targets[t],
                                .only = apart ? &m->unit.frontend->kernels[g] : NULL,
                                .kinds = kinds,
                                .kind_count = kind_count};
            parts[m->job_count++] = (struct part){job, apart ? g : 0, apart ? 1 : kernels};
        }
    }
    m->reflection.images = ARENA_ARRAY(arena, struct reflect_image, count + 1);
    m->slow = ARENA_ARRAY(arena, const char *, kernels + 1);
    m->page_parts = ARENA_ARRAY(arena, struct report_part, count + 1);
    m->resources = ARENA_ARRAY(arena, const struct resources *, 2 * kernels * m->plan.target_count + 1);
    jobs_run(&m->unit, m->plan.target_count ? m->plan.targets[0] : NULL, m->jobs, m->job_count);
    for (size_t i = 0; i < m->job_count; i++) {
        if (m->jobs[i].exhausted) {
            replay(m, &m->jobs[i]);
            return false;
        }
    }
    for (size_t t = 0; t < m->plan.target_count; t++) {
        if (!make_target(m, m->plan.targets[t], parts + t * groups, groups)) {
            return false;
        }
    }
    print_resources(m);
    return diag_checkpoint(&m->unit.diag);
}

static void add_path(const char **paths, size_t *count, const char *path) {
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(paths[i], path) == 0) {
            return;
        }
    }
    paths[(*count)++] = path;
}

static const char **all_absent(struct making *m, size_t *count) {
    size_t room = 1;
    for (size_t i = 0; i < m->job_count; i++) {
        room += m->jobs[i].absent_count;
    }
    const char **paths = ARENA_ARRAY(m->unit.arena, const char *, room);
    *count = 0;
    for (size_t i = 0; i < m->job_count; i++) {
        for (size_t j = 0; j < m->jobs[i].absent_count; j++) {
            add_path(paths, count, m->jobs[i].absent[j]);
        }
    }
    return paths;
}

// All files read by the jobs, the source first; then the file of tuned choices.
static const char **all_dependencies(struct making *m, size_t *count) {
    size_t room = 2;
    for (size_t i = 0; i < m->job_count; i++) {
        room += m->jobs[i].dependency_count;
    }
    const char **paths = ARENA_ARRAY(m->unit.arena, const char *, room);
    *count = 0;
    for (size_t i = 0; i < m->job_count; i++) {
        for (size_t j = 0; j < m->jobs[i].dependency_count; j++) {
            add_path(paths, count, m->jobs[i].dependencies[j]);
        }
    }
    if (m->unit.options->tuned) {
        paths[(*count)++] = m->unit.options->tuned;
    }
    return paths;
}

// ---- outputs beside the code ----

static void reflect_kernels(struct making *m) {
    const struct frontend *frontend = m->unit.frontend;
    m->reflection.source = m->unit.source->path;
    m->reflection.triton_abi = m->unit.options->triton_abi;
    m->reflection.runtime = m->runtime;
    m->reflection.kernel_count = frontend->kernel_count;
    m->reflection.kernels = ARENA_ARRAY(m->unit.arena, struct reflect_kernel, frontend->kernel_count + 1);
    m->reflection.targets = ARENA_ARRAY(m->unit.arena, struct reflect_target, m->plan.target_count + 1);
    for (size_t i = 0; i < frontend->kernel_count; i++) {
        m->reflection.kernels[i] =
            reflect_instance(m->unit.arena, &frontend->kernels[i], m->plan.target_count);
    }
}

static const char *stem_of(struct arena *arena, const char *path) {
    size_t length;
    const char *name = file_stem(path, &length);
    return arena_strndup(arena, name, length);
}

static bool make_companions(struct making *m) {
    struct strbuf text = {0};
    if (m->plan.header_path && m->reflection.target_count > 0) {
        if (!header_write(m->unit.arena, &m->reflection, stem_of(m->unit.arena, m->plan.header_path), &text,
                          &m->unit.diag)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, keep_bytes(m, TKC_HEADER, NULL, m->plan.header_path, &text));
    }
    if (m->plan.json_path && m->reflection.target_count > 0) {
        reflection_write(&m->reflection, &text);
        add_artifact(m, keep_bytes(m, TKC_JSON, NULL, m->plan.json_path, &text));
    }
    if (m->plan.torch_path && m->reflection.target_count > 0) {
        if (!torch_write(m->unit.arena, &m->reflection, stem_of(m->unit.arena, m->plan.torch_path), &text,
                         &m->unit.diag)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, keep_bytes(m, TKC_TORCH, NULL, m->plan.torch_path, &text));
    }
    if (m->plan.page_path && m->page_part_count) {
        if (!page_write(&m->unit, &m->reflection, m->page_parts, m->page_part_count, &text)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, keep_bytes(m, TKC_REPORT, NULL, m->plan.page_path, &text));
    }
    if (m->plan.depfile_path) {
        const char **products = ARENA_ARRAY(m->unit.arena, const char *, m->result->artifact_count + 1);
        const char *named = m->unit.options->depfile_target;
        size_t product_count = named ? 1 : m->result->artifact_count;
        for (size_t i = 0; i < product_count; i++) {
            products[i] = named ? named : m->result->artifacts[i].path;
        }
        size_t source_count = 0;
        const char *const *sources = all_dependencies(m, &source_count);
        if (!depfile_write(products, product_count, sources, source_count, &text, &m->unit.diag)) {
            strbuf_free(&text);
            return false;
        }
        add_artifact(m, keep_bytes(m, TKC_DEPFILE, NULL, m->plan.depfile_path, &text));
    }
    return diag_checkpoint(&m->unit.diag);
}

// Compares the outputs with the source, before anything is read, or with all imports, once they are known.
static bool check_outputs(struct making *m, const struct tkc_options *options) {
    size_t count = options->text ? 0 : 1;
    const char *const *sources = &options->input;
    if (m->unit.frontend) {
        sources = all_dependencies(m, &count);
    }
    return outputs_check(&m->plan, sources, count, &m->unit.diag);
}

// True if all configurations are compiled: a launcher can choose among them, and no option selects one.
static bool wants_variants(const struct making *m, const struct tkc_options *options) {
    bool images = m->plan.output_count > 0, dictated = options->define_count || options->num_warps ||
                                                       options->num_stages || options->num_ctas ||
                                                       options->max_registers || options->out_name;
    for (size_t i = 0; i < m->plan.output_count; i++) {
        const struct output *output = &m->plan.outputs[i];
        images = images && is_image(output->kind) && (output->inner || strcmp(output->path, "-") != 0);
    }
    bool whole = images && !options->stop_after && !options->run_pass && options->debug != TKC_DEBUG_FULL;
    return whole &&
           (options->config == TKC_CONFIG_ALL ||
            (options->config == TKC_CONFIG_AUTO && (m->plan.header_path || m->plan.torch_path) && !dictated));
}

// Reads the choices of -W and --remarks.
static bool choose_messages(struct making *m, const struct tkc_options *options) {
    for (size_t i = 0; i < options->warning_count; i++) {
        if (!warnings_choose(&m->unit.diag.warnings, options->warnings[i])) {
            diag_error(&m->unit.diag, (struct location){0}, "-W%s: %s", options->warnings[i],
                       tkc_warning_fault(options->warnings[i]));
            return false;
        }
    }
    return remarks_choose(&m->remarks, options->remarks, &m->unit.diag);
}

static bool make(struct making *m, const struct tkc_options *options) {
    if (!choose_messages(m, options) || !outputs_plan(m->unit.arena, options, &m->unit.diag, &m->plan) ||
        !check_outputs(m, options)) {
        diag_usage(&m->unit.diag);
        return false;
    }
    m->unit.every_config = wants_variants(m, options);
    m->unit.entry_name = options->out_name;
    if (!check_options(options, &m->plan, m->unit.every_config, &m->unit.diag, &m->runtime)) {
        diag_usage(&m->unit.diag);
        return false;
    }
    struct tuned tuned;
    if (options->tuned && !tuned_read(m->unit.arena, &m->unit.diag, options->tuned, &tuned)) {
        return false;
    }
    if (options->tuned) {
        m->unit.named = tuned_configurations(&tuned, m->unit.arena, &m->unit.named_count);
    }
    struct step_options steps = unit_steps(&m->unit);
    double start = steps_now();
    if (!unit_open(&m->unit, options, m->plan.target_count ? m->plan.targets[0] : NULL)) {
        return false;
    }
    steps_print_time(&steps, start, "(source: parsing and choice of kernels)");
    if (options->tuned) {
        tuned_filter(&tuned, m->unit.arena, &m->unit.diag, m->unit.frontend);
    }
    if (!options->run_pass && !options->no_fuse) {
        chains_fuse(&m->unit, m->plan.targets, m->plan.target_count, NULL, m->remarks.wanted[REMARK_CHAIN],
                    options->reassociate, options->fuse_operands);
        frontend_order(m->unit.frontend);
    }
    if (!options->run_pass) {
        reflect_kernels(m);
    }
    if (!options->run_pass) {
        reflect_chains(m->unit.arena, m->unit.frontend, &m->reflection);
    }
    if (options->tuned) {
        tuned_reflect(&tuned, m->unit.arena, &m->unit.diag, m->unit.frontend, &m->reflection);
    }
    return make_targets(m) && check_outputs(m, options) &&
           (options->run_pass || options->stop_after || make_companions(m));
}

// The paths outlive the jobs.
static void keep_paths(struct making *m) {
    struct tkc_result *r = m->result;
    const char **read = all_dependencies(m, &r->dependency_count), **absent = all_absent(m, &r->absent_count);
    for (size_t i = 0; i < r->dependency_count; i++) {
        read[i] = arena_strdup(m->unit.arena, read[i]);
    }
    for (size_t i = 0; i < r->absent_count; i++) {
        absent[i] = arena_strdup(m->unit.arena, absent[i]);
    }
    r->dependencies = read;
    r->absent = absent;
}

struct tkc_result *produce(const struct tkc_options *options) {
    locale_t locale = locale_enter();
    struct arena *arena = arena_create();
    struct making *m = ARENA_NEW(arena, struct making);
    m->unit.arena = arena;
    m->unit.options = options;
    m->result = ARENA_NEW(arena, struct tkc_result);
    double start = steps_now();
    m->unit.diag = (struct diag){.commands = !options->verbose ? NULL
                                             : options->dump   ? options->dump
                                                               : stderr,
                                 .error_limit = 20,
                                 .receiver = keep_diagnostic,
                                 .sink_user = m,
                                 .cancel = options->cancel};
    m->result->ok = make(m, options) && diag_checkpoint(&m->unit.diag);
    m->result->clash = m->plan.clash;
    m->result->usage = !m->result->ok && (m->plan.clash || m->unit.diag.wrong_usage);
    m->result->cancelled = !m->result->ok && diag_cancelled(&m->unit.diag);
    if (m->result->cancelled) {
        diag_error(&m->unit.diag, (struct location){.source = m->unit.source},
                   "the compilation was cancelled");
    }
    keep_paths(m);
    for (size_t i = 0; i < m->job_count; i++) {
        job_free(&m->jobs[i]);
    }
    if (!m->result->ok) {
        m->result->artifact_count = 0;
    }
    struct step_options steps = unit_steps(&m->unit);
    steps_print_time(&steps, start, "(the whole compilation)");
    m->result->memory = arena;
    locale_leave(locale);
    return m->result;
}
