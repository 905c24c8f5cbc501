// A cache of results in a folder, by content.
//
// Two files a result. The imports of a source are known only after a compilation, so the first file lists them:
//
//   HASH.tkc-m   of the options and the source's text: the files read, and the paths of imports looked for in vain
//   HASH.tkc-r   of that hash and the contents of these files: messages and artifacts
//
// A file at a path of the second kind makes the list worthless. Of the programs run (LLD, ptxas) and of tkc itself
// the key has the names of their content: GNU build ids or, without one, path, size and time. Both files begin with a hash of
// their own bytes, and are renamed into place: readers see all of a file or none. A file gone in the meantime is a miss.
// Results with errors are not kept.
//
// Room: whoever keeps a result adds up the files and removes those unused for longest; a hit makes its files new.
#define _GNU_SOURCE
#include "driver/library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support/file.h"
#include "support/memory.h"
#include "support/sha256.h"
#include "chip/llvm.h"

static const char suffix_manifest[] = ".tkc-m", suffix_result[] = ".tkc-r";
enum { PATH_BYTES = 4096 };

// ---- the key ----

static void add_number(struct sha256 *hash, uint64_t number) {
    sha256_add(hash, &number, sizeof number);
}

static void add_bytes(struct sha256 *hash, const void *bytes, size_t length) {
    add_number(hash, length);
    sha256_add(hash, bytes, length);
}

static void add_text(struct sha256 *hash, const char *text) {
    add_number(hash, text != NULL);
    add_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

static void add_texts(struct sha256 *hash, const char *const *texts, size_t count) {
    add_number(hash, count);
    for (size_t i = 0; i < count; i++) {
        add_text(hash, texts[i]);
    }
}

static void add_stat(struct sha256 *hash, const char *path) {
    struct stat info;
    add_text(hash, path);
    if (stat(path, &info) == 0) {
        add_number(hash, (uint64_t)info.st_size);
        add_number(hash, (uint64_t)info.st_mtim.tv_sec);
        add_number(hash, (uint64_t)info.st_mtim.tv_nsec);
    }
}

// The note of a loaded object with its build id; false without one.
static bool add_build_id(struct sha256 *hash, const struct dl_phdr_info *object) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        const char *at = (const char *)(object->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;
        while (part->p_type == PT_NOTE && at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const char *name = at + sizeof *note, *content = name + (note->n_namesz + 3) / 4 * 4;
            if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
                add_bytes(hash, content, note->n_descsz);
                return true;
            }
            at = content + (note->n_descsz + 3) / 4 * 4;
        }
    }
    return false;
}

static bool holds(const struct dl_phdr_info *object, uintptr_t address) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - (object->dlpi_addr + part->p_vaddr) < part->p_memsz) {
            return true;
        }
    }
    return false;
}

// Of the objects in this process: tkc, LLVM, MLIR, and the libraries for constants.
static int add_object(struct dl_phdr_info *object, size_t size, void *user) {
    (void)size;
    static const char *const names[] = {"libLLVM",   "libMLIR", "libm.so", "libm-",
                                        "libstdc++", "libc.so", "libc-"};
    bool counts = holds(object, (uintptr_t)add_object);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        counts |= strstr(object->dlpi_name, names[i]) != NULL;
    }
    if (counts && !add_build_id(user, object)) {
        add_stat(user, *object->dlpi_name ? object->dlpi_name : "/proc/self/exe");
    }
    return 0;
}

// A program by name: every candidate of PATH, since the choice among them is made later.
static void add_program(struct sha256 *hash, const char *name) {
    if (strchr(name, '/')) {
        add_stat(hash, name);
        return;
    }
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : ""; *at;) {
        size_t length = strcspn(at, ":");
        char path[PATH_BYTES];
        struct stat info;
        if (snprintf(path, sizeof path, "%.*s/%s", (int)length, at, name) < PATH_BYTES &&
            stat(path, &info) == 0) {
            add_stat(hash, path);
            return;
        }
        at += length + (at[length] == ':');
    }
}

static void add_programs(struct sha256 *hash, const struct tkc_options *o) {
    static const char *const names[] = {"ld.lld-" LLVM_MAJOR_TEXT,
                                        "/usr/lib/llvm-" LLVM_MAJOR_TEXT "/bin/ld.lld",
                                        "ld.lld",
                                        "ld.lld-22",
                                        "ld.lld-19",
                                        "ptxas",
                                        "/usr/local/cuda/bin/ptxas",
                                        "nvdisasm"};
    const char *home = getenv("CUDA_HOME");
    char path[PATH_BYTES];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        add_program(hash, names[i]);
    }
    add_program(hash, o->ld ? o->ld : "");
    add_program(hash, o->ptxas ? o->ptxas : "");
    snprintf(path, sizeof path, "%s/bin/ptxas", home ? home : "");
    add_stat(hash, path);
}

// Every option with an effect on a result. The others: size, jobs, dump, report, report_user, isolate, cancel, cache_folder,
// cache_bytes; rooms.options compares the lists with tkc.h.
static void add_options(struct sha256 *hash, const struct tkc_options *o) {
    add_text(hash, o->input);
    add_text(hash, o->text);
    add_texts(hash, o->outputs, o->output_count);
    add_text(hash, o->out_path);
    add_number(hash, o->kind);
    add_texts(hash, o->targets, o->target_count);
    add_text(hash, o->runtime);
    add_number(hash,
               (uint64_t)(o->no_header | o->triton_abi << 1 | o->external_images << 2 | o->no_json << 3 |
                          o->depfile << 4 | o->no_grouped_pid << 5 | o->no_tensor_maps << 6 |
                          o->fp_contract << 7 | o->resource_usage << 8 | o->fail_on_spill << 9 |
                          o->check_shared << 10 | o->debug_asserts << 11 | o->verbose << 12 |
                          o->no_fuse << 13 | o->pad_shapes << 14 | o->compress_images << 15 |
                          o->keep_subnormals << 16 | o->reassociate << 17 | o->fuse_operands << 18));
    add_text(hash, o->depfile_path);
    add_text(hash, o->page);
    add_text(hash, o->depfile_target);
    add_texts(hash, o->import_folders, o->import_folder_count);
    add_texts(hash, o->prefix_maps, o->prefix_map_count);
    add_number(hash, o->file_count);
    for (size_t i = 0; i < o->file_count; i++) {
        add_text(hash, o->files[i].path);
        add_text(hash, o->files[i].text);
    }
    add_texts(hash, o->kernels, o->kernel_count);
    add_text(hash, o->out_name);
    add_text(hash, o->signature);
    add_text(hash, o->grid);
    add_text(hash, o->language);
    const int numbers[] = {o->num_warps,  o->num_stages,         o->num_ctas,   o->max_registers,
                           o->config,     (int)o->budget,        o->group_size, o->opt_level,
                           (int)o->debug, (int)o->most_registers};
    add_bytes(hash, numbers, sizeof numbers);
    add_number(hash, o->define_count);
    for (size_t i = 0; i < o->define_count; i++) {
        add_text(hash, o->defines[i].name);
        add_text(hash, o->defines[i].value);
    }
    add_texts(hash, o->specialisations, o->specialisation_count);
    add_text(hash, o->tuned);
    add_texts(hash, o->ptxas_options, o->ptxas_option_count);
    add_text(hash, o->remarks);
    add_number(hash, o->remarks_joined);
    add_texts(hash, o->warnings, o->warning_count);
    add_number(hash, o->most_shared);
    add_bytes(hash, &o->least_occupancy, sizeof o->least_occupancy);
    add_text(hash, o->stop_after);
    add_text(hash, o->run_pass);
    add_texts(hash, o->without, o->without_count);
}

static bool is_open(const struct tkc_options *o) {
    for (size_t i = 0; i < o->target_count; i++) {
        if (strcmp(o->targets[i], "native") == 0) {
            return true;
        }
    }
    return o->dump_after || o->time_passes || o->resource_usage || (!o->text && strcmp(o->input, "-") == 0);
}

// ---- files ----

static const char *path_of(const struct cache *cache, const uint8_t key[SHA256_BYTES], const char *suffix) {
    char name[2 * SHA256_BYTES + 1];
    for (int i = 0; i < SHA256_BYTES; i++) {
        sprintf(name + 2 * i, "%02x", key[i]);
    }
    return arena_printf(cache->arena, "%s/%s%s", cache->options->cache_folder, name, suffix);
}

static void hash_bytes(const void *bytes, size_t length, uint8_t digest[SHA256_BYTES]) {
    struct sha256 hash;
    sha256_begin(&hash);
    sha256_add(&hash, bytes, length);
    sha256_end(&hash, digest);
}

static bool keep_file(const char *path, const struct strbuf *content) {
    struct strbuf whole = {0};
    uint8_t digest[SHA256_BYTES];
    hash_bytes(content->data, content->length, digest);
    strbuf_add_bytes(&whole, digest, sizeof digest);
    strbuf_add_bytes(&whole, content->data, content->length);
    bool good = file_write_atomic(path, whole.data, whole.length);
    strbuf_free(&whole);
    return good;
}

// The bytes of a file of the cache, to be freed by free(); NULL if there is none or it is damaged. A hit is a use.
static char *find_file(const char *path, struct arena *arena, struct wire *wire) {
    size_t length;
    char *bytes = file_read(path, &length);
    uint8_t digest[SHA256_BYTES];
    if (!bytes || length < SHA256_BYTES) {
        free(bytes);
        return NULL;
    }
    hash_bytes(bytes + SHA256_BYTES, length - SHA256_BYTES, digest);
    if (memcmp(bytes, digest, SHA256_BYTES) != 0) {
        free(bytes);
        return NULL;
    }
    utimensat(AT_FDCWD, path, NULL, 0);
    *wire = (struct wire){
        .bytes = (uint8_t *)bytes + SHA256_BYTES, .length = length - SHA256_BYTES, .arena = arena};
    return bytes;
}

static bool is_in_memory(const struct tkc_options *options, const char *path) {
    bool found = options->text && strcmp(options->input, path) == 0;
    for (size_t i = 0; i < options->file_count && !found; i++) {
        found = strcmp(options->files[i].path, path) == 0;
    }
    return found;
}

// Adds a file's present content; false if it cannot be read.
static bool add_content(struct sha256 *hash, const struct tkc_options *options, const char *path) {
    size_t length;
    add_text(hash, path);
    if (is_in_memory(options, path)) { // its text is in the key
        return true;
    }
    char *text = file_read(path, &length);
    if (text) {
        add_bytes(hash, text, length);
    }
    free(text);
    return text;
}

// The key of a result: false if a file is gone or an absent one is there.
static bool result_key(const struct cache *cache, const char *const *read, size_t read_count,
                       const char *const *absent, size_t absent_count, uint8_t key[SHA256_BYTES]) {
    struct sha256 hash;
    bool good = true;
    sha256_begin(&hash);
    sha256_add(&hash, cache->key, sizeof cache->key);
    for (size_t i = 0; i < read_count && good; i++) {
        good = add_content(&hash, cache->options, read[i]);
    }
    for (size_t i = 0; i < absent_count && good; i++) {
        good = access(absent[i], F_OK) != 0;
    }
    sha256_end(&hash, key);
    return good;
}

// ---- opening, finding ----

bool cache_open(struct cache *cache, const struct tkc_options *options) {
    *cache = (struct cache){.options = options};
    if (!options->cache_folder || !options->input || is_open(options)) {
        return false;
    }
    cache->arena = arena_create();
    clock_gettime(CLOCK_REALTIME, &cache->opened);
    char folder[PATH_BYTES];
    struct sha256 hash;
    sha256_begin(&hash);
    add_text(&hash, "tkc cache 1");
    dl_iterate_phdr(add_object, &hash);
    add_options(&hash, options);
    add_programs(&hash, options);
    if (options->debug != TKC_DEBUG_NONE && getcwd(folder, sizeof folder)) {
        add_text(&hash, folder);
    }
    bool good = add_content(&hash, options, options->input);
    if (options->tuned) {
        good = add_content(&hash, options, options->tuned) && good;
    }
    sha256_end(&hash, cache->key);
    cache->manifest = path_of(cache, cache->key, suffix_manifest);
    return good;
}

void cache_close(struct cache *cache) {
    arena_destroy(cache->arena);
}

static const char *const *read_paths(struct wire *wire, size_t *count) {
    *count = (size_t)wire_number(wire);
    if (*count > wire->length - wire->at) {
        wire->failed = true;
        *count = 0;
    }
    const char **paths = ARENA_ARRAY(wire->arena, const char *, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        paths[i] = wire_text(wire);
        wire->failed |= !paths[i];
    }
    return paths;
}

// The path of the result for the files as they are now; NULL: not known.
static const char *find_result(const struct cache *cache) {
    struct wire wire;
    uint8_t key[SHA256_BYTES];
    char *bytes = find_file(cache->manifest, cache->arena, &wire);
    if (!bytes) {
        return NULL;
    }
    size_t read_count, absent_count;
    const char *const *read = read_paths(&wire, &read_count), *const *absent =
                                                                  read_paths(&wire, &absent_count);
    free(bytes);
    bool good = !wire.failed && result_key(cache, read, read_count, absent, absent_count, key);
    return good ? path_of(cache, key, suffix_result) : NULL;
}

struct tkc_result *cache_find(const struct cache *cache) {
    struct wire wire;
    const char *path = find_result(cache);
    struct tkc_result *result = wire_new_result();
    char *bytes = path ? find_file(path, result->memory, &wire) : NULL;
    if (!bytes || !wire_result(&wire, result)) {
        free(bytes);
        tkc_result_free(result);
        return NULL;
    }
    size_t count = (size_t)wire_number(&wire);
    for (size_t i = 0; i < count && !wire.failed; i++) {
        struct tkc_diagnostic diagnostic = wire_diagnostic(&wire);
        if (!wire.failed) {
            wire_report(result, cache->options, &diagnostic);
        }
    }
    free(bytes);
    result->cached = true;
    return result;
}

// ---- keeping ----

struct entry {
    const char *path;
    struct timespec used;
    size_t bytes;
};

static bool is_ours(const char *name) {
    return strstr(name, suffix_manifest) || strstr(name, suffix_result); // with the suffix of temporary names
}

static int oldest_first(const void *a, const void *b) {
    const struct timespec *x = &((const struct entry *)a)->used, *y = &((const struct entry *)b)->used;
    return x->tv_sec != y->tv_sec ? (x->tv_sec < y->tv_sec ? -1 : 1)
                                  : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static size_t list_entries(const struct cache *cache, struct entry **entries, size_t *bytes) {
    DIR *folder = opendir(cache->options->cache_folder);
    size_t count = 0, capacity = 0;
    *entries = NULL;
    *bytes = 0;
    for (struct dirent *one; folder && (one = readdir(folder));) {
        struct stat info;
        if (!is_ours(one->d_name) || fstatat(dirfd(folder), one->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(info.st_mode)) {
            continue;
        }
        *entries = memory_grown(*entries, count, &capacity, sizeof **entries);
        (*entries)[count++] =
            (struct entry){arena_printf(cache->arena, "%s/%s", cache->options->cache_folder, one->d_name),
                           info.st_mtim, (size_t)info.st_size};
        *bytes += (size_t)info.st_size;
    }
    if (folder) {
        closedir(folder);
    }
    return count;
}

// Down to four fifths of the bound: not every new result sends one away.
static void make_room(const struct cache *cache) {
    size_t limit = cache->options->cache_bytes ? cache->options->cache_bytes : (size_t)1 << 30, bytes;
    struct entry *entries;
    size_t count = list_entries(cache, &entries, &bytes);
    if (bytes > limit) {
        qsort(entries, count, sizeof *entries, oldest_first);
        for (size_t i = 0; i < count && bytes > limit / 5 * 4; i++) {
            unlink(entries[i].path);
            bytes -= entries[i].bytes;
        }
    }
    free(entries);
}

// A file changed during the compilation may differ from the file read.
static bool is_settled(const struct cache *cache, const struct tkc_result *result) {
    for (size_t i = 0; i < result->dependency_count; i++) {
        struct stat info;
        if (is_in_memory(cache->options, result->dependencies[i])) {
            continue;
        }
        if (stat(result->dependencies[i], &info) || info.st_ctim.tv_sec > cache->opened.tv_sec ||
            (info.st_ctim.tv_sec == cache->opened.tv_sec && info.st_ctim.tv_nsec >= cache->opened.tv_nsec)) {
            return false;
        }
    }
    return true;
}

static void make_folder(const char *path) {
    char part[PATH_BYTES];
    for (const char *slash = path; slash;) {
        slash = strchr(slash + 1, '/');
        if (snprintf(part, sizeof part, "%.*s", (int)(slash ? slash - path : (ptrdiff_t)strlen(path)), path) <
            PATH_BYTES) {
            mkdir(part, 0777);
        }
    }
}

static void put_paths(struct strbuf *out, const char *const *paths, size_t count) {
    wire_put_number(out, count);
    for (size_t i = 0; i < count; i++) {
        wire_put_text(out, paths[i]);
    }
}

static bool keep(const struct cache *cache, const struct tkc_result *result,
                 const uint8_t key[SHA256_BYTES]) {
    struct strbuf manifest = {0}, content = {0};
    put_paths(&manifest, result->dependencies, result->dependency_count);
    put_paths(&manifest, result->absent, result->absent_count);
    wire_put_result(&content, result);
    wire_put_number(&content, result->diagnostic_count);
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        wire_put_diagnostic(&content, &result->diagnostics[i]);
    }
    make_folder(cache->options->cache_folder);
    bool good =
        keep_file(path_of(cache, key, suffix_result), &content) && keep_file(cache->manifest, &manifest);
    strbuf_free(&manifest);
    strbuf_free(&content);
    return good;
}

void cache_keep(const struct cache *cache, const struct tkc_result *result) {
    uint8_t key[SHA256_BYTES];
    if (!result->ok || !is_settled(cache, result) ||
        !result_key(cache, result->dependencies, result->dependency_count, result->absent,
                    result->absent_count, key)) {
        return;
    }
    if (keep(cache, result, key)) {
        make_room(cache);
    } else if (cache->options->report) {
        const char *text = arena_printf(cache->arena, "the result is not kept in the cache %s: %s",
                                        cache->options->cache_folder, strerror(errno));
        cache->options->report(
            cache->options->report_user,
            &(struct tkc_diagnostic){.severity = TKC_WARNING,
                                     .text = arena_printf(cache->arena, "tkc: warning: %s\n", text),
                                     .message = text});
    }
}
