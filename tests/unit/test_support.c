// arena, strbuf, source, diag, file, map.
#include <errno.h>
#include "testing.h"
#include <sys/stat.h>
#include <unistd.h>

#include "support/arena.h"
#include "support/diag.h"
#include "support/file.h"
#include "support/map.h"

static void arena_gives_zeroed_aligned_memory(void **state) {
    struct arena *arena = arena_create();
    for (size_t size = 0; size < 300000; size = size * 3 + 1) {
        unsigned char *bytes = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)bytes % 16, 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(bytes[i], 0);
        }
        memset(bytes, 0xff, size);
    }
    assert_string_equal(arena_printf(arena, "%d-%s", 42, "x"), "42-x");
    assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
    arena_destroy(arena);
}

static void arena_reset_gives_memory_back(void **state) {
    struct arena *arena = arena_create();
    struct arena_mark empty = arena_mark(arena);
    char *kept = arena_strdup(arena, "kept");
    struct arena_mark mark = arena_mark(arena);
    void *first = arena_alloc(arena, 100);
    arena_alloc(arena, 1 << 20);
    arena_reset(arena, mark);
    char *again = arena_alloc(arena, 100);
    assert_ptr_equal(first, again);
    assert_int_equal(again[0], 0);
    assert_string_equal(kept, "kept");
    arena_reset(arena, empty);
    arena_alloc(arena, 10);
    arena_destroy(arena);
    arena_destroy(NULL);
}

static void strbuf_grows(void **state) {
    struct strbuf buf = {0};
    assert_string_equal(strbuf_text(&buf), "");
    for (int i = 0; i < 1000; i++) {
        strbuf_printf(&buf, "%d,", i);
    }
    assert_int_equal(buf.length, strlen(strbuf_text(&buf)));
    strbuf_clear(&buf);
    strbuf_add(&buf, "ab");
    strbuf_add_char(&buf, 'c');
    strbuf_add_bytes(&buf, "\0d", 2);
    assert_int_equal(buf.length, 5);
    assert_memory_equal(buf.data, "abc\0d", 6);
    strbuf_free(&buf);
}

static void source_lines(void **state) {
    struct arena *arena = arena_create();
    struct source *source = source_from_text(arena, "a.tk", "one\r\n\nthree");
    const char *start;
    assert_int_equal(source_line(source, 1, &start), 3);
    assert_memory_equal(start, "one", 3);
    assert_int_equal(source_line(source, 2, &start), 0);
    assert_int_equal(source_line(source, 3, &start), 5);
    assert_int_equal(source_line(source, 9, &start), 0);
    const char *why = "";
    assert_null(source_read(arena, "/nonexistent/file.tk", &why));
    assert_null(why);
    assert_null(source_read(arena, "/dev/zero", &why));
    assert_non_null(strstr(why, "a device or a pipe"));
    arena_destroy(arena);
}

static void keep_text(void *user, enum diag_severity severity, const char *text) {
    (void)severity;
    strbuf_add(user, text);
}

static void diag_renders_caret(void **state) {
    struct arena *arena = arena_create();
    struct source *source = source_from_text(arena, "k.tk", "import x\n\tif ä == wrong:\n");
    struct strbuf out = {0};
    struct diag diag = {.sink = keep_text, .sink_user = &out, .error_limit = 2};
    assert_true(diag_checkpoint(&diag));
    diag_error(&diag, (struct location){source, 2, 11, 5}, "name \"%s\" is not defined", "wrong");
    assert_string_equal(strbuf_text(&out), "k.tk:2:11: error: name \"wrong\" is not defined\n"
                                           "    \tif ä == wrong:\n"
                                           "    \t        ^~~~~\n");
    assert_false(diag_checkpoint(&diag));
    strbuf_clear(&out);
    diag_warning(&diag, WARNING_SLOW, (struct location){.source = source}, "odd");
    diag_note(&diag, (struct location){0}, "plain");
    assert_string_equal(strbuf_text(&out), "k.tk: warning: odd [-Wslow]\ntkc: note: plain\n");
    strbuf_clear(&out);
    diag_error(&diag, (struct location){0}, "two");
    diag_error(&diag, (struct location){0}, "three");
    diag_note(&diag, (struct location){0}, "about three");
    assert_string_equal(strbuf_text(&out), "tkc: error: two\n");
    assert_int_equal(diag.error_count, 3);
    assert_int_equal(diag.warning_count, 1);
    strbuf_free(&out);
    arena_destroy(arena);
}

static void file_write_keeps_old_or_none(void **state) {
    char folder[] = "test_support.XXXXXX";
    assert_non_null(mkdtemp(folder));
    char path[64], link_path[64], missing[64], pipe_path[64];
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    snprintf(path, sizeof path, "%s/out", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    snprintf(missing, sizeof missing, "%s/no/out", folder);
    assert_true(file_write_atomic(path, "first", 5));
    assert_int_equal(symlink("out", link_path), 0);
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(file_write_atomic(link_path, "second", 6));
    size_t length;
    char *text = file_read(path, &length);
    assert_int_equal(length, 6);
    assert_string_equal(text, "second");
    free(text);
    struct stat info;
    assert_int_equal(lstat(link_path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_false(file_write_atomic(missing, "x", 1));
    assert_true(file_write_atomic("/dev/null", "x", 1));
    assert_int_equal(stat("/dev/null", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
    assert_null(file_read(missing, &length));
    assert_null(file_read("/dev/zero", &length));
    assert_string_equal(file_read_error(), "it is a device or a pipe");
    assert_null(file_read(folder, &length));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    assert_null(file_read(pipe_path, &length)); // and nobody writes to it
    assert_int_equal(errno, ESPIPE);
    unlink(pipe_path);
    assert_null(file_read_bounded(path, 5, &length));
    assert_int_equal(errno, EFBIG);
    unlink(link_path);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // nothing left behind
}

static bool leads_to_one(const char *a, const char *b) {
    struct file_place x, y;
    assert_true(file_place_find(a, &x) && file_place_find(b, &y));
    bool same = file_place_same(&x, &y);
    file_place_free(&x);
    file_place_free(&y);
    return same;
}

static void places_are_told_by_identity(void **state) {
    char folder[] = "test_support.XXXXXX", top[4096];
    assert_non_null(getcwd(top, sizeof top));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("sub", 0777), 0);
    assert_true(file_write_atomic("here", "x", 1));
    assert_int_equal(symlink("here", "link"), 0);
    assert_int_equal(symlink("../new", "sub/dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_true(leads_to_one("here", "./sub/../here"));
    assert_true(leads_to_one("here", "link"));
    assert_true(leads_to_one("new", "sub/dangling"));
    assert_false(leads_to_one("here", "new"));
    assert_false(leads_to_one("new", "sub/new"));
    assert_false(leads_to_one("/dev/null", "/dev/null"));
    struct file_place place;
    assert_false(file_place_find("no/new", &place));
    assert_int_equal(errno, ENOENT);
    assert_false(file_place_find("sub", &place));
    assert_int_equal(errno, EISDIR);
    assert_false(file_place_find("loop", &place));
    assert_false(file_place_find("new/", &place));
    assert_false(file_place_find("", &place));
    assert_true(file_write_atomic("sub/dangling", "y", 1)); // a dangling link is followed like a live one
    assert_int_equal(access("new", F_OK), 0);
    unlink("here");
    unlink("link");
    unlink("loop");
    unlink("new");
    unlink("sub/dangling");
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir(top), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void batches_come_whole_or_not(void **state) {
    char folder[] = "test_support.XXXXXX", top[4096], longest[256];
    const char *failed = NULL;
    size_t length;
    assert_non_null(getcwd(top, sizeof top));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("sub", 0777), 0);
    memset(longest, 'n', 255);
    longest[255] = 0;
    assert_true(file_write_atomic("a", "old", 3));
    struct file_batch batch = {0};
    assert_true(file_batch_add(&batch, longest, "long", 4));
    assert_false(file_batch_add(&batch, "sub", "x", 1));
    assert_false(file_batch_add(&batch, "no/x", "x", 1));
    file_batch_discard(&batch);
    assert_int_equal(access(longest, F_OK), -1);
    // The second becomes a folder after it was added.
    assert_true(file_batch_add(&batch, "a", "new", 3));
    assert_true(file_batch_add(&batch, "b", "new", 3));
    assert_true(file_batch_add(&batch, "gone/c", "new", 3) == false);
    assert_int_equal(mkdir("gone", 0777), 0);
    assert_true(file_batch_add(&batch, "gone/c", "new", 3));
    assert_int_equal(rmdir("gone"), 0);
    assert_false(file_batch_commit(&batch, &failed));
    assert_string_equal(failed, "gone/c");
    assert_int_equal(access("b", F_OK), -1);
    // A device fails before anything is renamed.
    assert_true(file_batch_add(&batch, "a", "new", 3));
    assert_true(file_batch_add(&batch, "/dev/full", "x", 1));
    assert_false(file_batch_commit(&batch, &failed));
    assert_int_equal(errno, ENOSPC);
    assert_string_equal(failed, "/dev/full");
    char *text = file_read("a", &length);
    assert_string_equal(text, "old");
    free(text);
    assert_true(file_batch_add(&batch, "a", "new", 3));
    assert_true(file_batch_add(&batch, longest, "long", 4));
    assert_true(file_batch_commit(&batch, &failed));
    text = file_read("a", &length);
    assert_string_equal(text, "new");
    free(text);
    assert_int_equal(unlink(longest), 0);
    unlink("a");
    assert_int_equal(rmdir("sub"), 0);
    assert_int_equal(chdir(top), 0);
    assert_int_equal(rmdir(folder), 0); // nothing left behind
}

static void map_holds_many(void **state) {
    static int things[5000];
    struct map map = {0};
    assert_null(map_get(&map, &things[0]));
    for (int i = 0; i < 5000; i += 2) {
        map_put(&map, &things[i], &things[i + 1]);
    }
    map_put(&map, &things[0], NULL);
    assert_int_equal(map.count, 2500);
    assert_true(map_has(&map, &things[0]));
    assert_null(map_get(&map, &things[0]));
    for (int i = 2; i < 5000; i += 2) {
        assert_ptr_equal(map_get(&map, &things[i]), &things[i + 1]);
        assert_false(map_has(&map, &things[i + 1]));
    }
    map_clear(&map);
    assert_false(map_has(&map, &things[2]));
    map_free(&map);
}

RUN(TEST(arena_gives_zeroed_aligned_memory), TEST(arena_reset_gives_memory_back), TEST(strbuf_grows),
    TEST(source_lines), TEST(diag_renders_caret), TEST(file_write_keeps_old_or_none),
    TEST(places_are_told_by_identity), TEST(batches_come_whole_or_not), TEST(map_holds_many))
