// Running external tools with posix_spawn. One pipe takes standard output and error, so messages keep their
// order.
#include "artifact/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/file.h"

extern char **environ;

bool tool_begin(struct tool_work *work, struct arena *arena, struct diag *diag) {
    const char *base = getenv("TMPDIR");
    char *folder = arena_printf(arena, "%s/tkc.XXXXXX", base && *base ? base : "/tmp");
    *work = (struct tool_work){.arena = arena, .diag = diag, .folder = folder};
    interrupt_hold(&work->hold);
    if (!mkdtemp(folder)) {
        diag_error(diag, (struct location){0}, "cannot make a temporary folder %s: %s", folder,
                   strerror(errno));
        interrupt_release(&work->hold);
        return false;
    }
    return true;
}

const char *tool_path(const struct tool_work *work, const char *name) {
    return arena_printf(work->arena, "%s/%s", work->folder, name);
}

bool tool_put(const struct tool_work *work, const char *name, const void *bytes, size_t length) {
    const char *path = tool_path(work, name);
    if (file_write_atomic(path, bytes, length)) {
        return true;
    }
    diag_error(work->diag, (struct location){0}, "cannot write %s: %s", path, strerror(errno));
    return false;
}

bool tool_get(const struct tool_work *work, const char *tool, const char *name, struct strbuf *out) {
    const char *path = tool_path(work, name);
    size_t size;
    char *bytes = file_read(path, &size);
    if (!bytes) {
        diag_error(work->diag, (struct location){0}, "%s wrote no %s: %s", tool, path, strerror(errno));
        return false;
    }
    strbuf_add_bytes(out, bytes, size);
    free(bytes);
    return true;
}

static void remove_folder(const struct tool_work *work) {
    DIR *dir = opendir(work->folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            unlink(tool_path(work, entry->d_name));
        }
    }
    if (dir) {
        closedir(dir);
    }
    rmdir(work->folder);
}

void tool_end(struct tool_work *work, bool ok) {
    if (ok || interrupt_waiting()) {
        remove_folder(work);
    } else {
        rmdir(work->folder); // where nothing could be written there is nothing to look at
    }
    interrupt_release(&work->hold);
}

static int spawn(const char *const *argv, int pipe_out, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_out, 1);
    posix_spawn_file_actions_adddup2(&actions, pipe_out, 2);
    posix_spawnattr_t attributes;
    sigset_t mask;
    posix_spawnattr_init(&attributes);
    interrupt_mask_outside(&mask);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Reads the tool's messages up to the end of the pipe. If this process is to end, the tool is ended, too.
static void drain(int fd, pid_t pid, struct strbuf *out) {
    enum { LOOK_MS = 50 };
    char chunk[4096];
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    while (!interrupt_waiting()) {
        if (poll(&ready, 1, LOOK_MS) <= 0) {
            continue;
        }
        ssize_t count = read(fd, chunk, sizeof chunk);
        if (count > 0) {
            strbuf_add_bytes(out, chunk, (size_t)count);
        } else if (count == 0 || errno != EINTR) {
            return;
        }
    }
    kill(pid, SIGTERM);
}

// Adds the command, quoted for a shell.
static void add_command(struct strbuf *out, const char *const *argv) {
    for (size_t i = 0; argv[i]; i++) {
        strbuf_add(out, i ? " " : "");
        if (argv[i][0] && !argv[i][strcspn(argv[i], " \t\n\"'\\$`*?;&|<>()[]{}!#~")]) {
            strbuf_add(out, argv[i]);
            continue;
        }
        strbuf_add_char(out, '\'');
        for (const char *c = argv[i]; *c; c++) {
            if (*c == '\'') {
                strbuf_add(out, "'\\''");
            } else {
                strbuf_add_char(out, *c);
            }
        }
        strbuf_add_char(out, '\'');
    }
}

static void report(struct diag *diag, const char *const *argv, int status, const struct strbuf *messages) {
    struct strbuf text = {0};
    if (WIFSIGNALED(status)) {
        strbuf_printf(&text, "%s was ended by signal %d", argv[0], WTERMSIG(status));
    } else {
        strbuf_printf(&text, "%s failed with status %d", argv[0], WEXITSTATUS(status));
    }
    if (messages->length) {
        strbuf_printf(&text, "; it says:\n%s", strbuf_text(messages));
    }
    while (text.length && text.data[text.length - 1] == '\n') {
        text.data[--text.length] = 0;
    }
    strbuf_add(&text, "\nto repeat it: ");
    add_command(&text, argv);
    diag_error(diag, (struct location){0}, "%s", strbuf_text(&text));
    strbuf_free(&text);
}

static void say_command(FILE *out, const char *const *argv) {
    struct strbuf text = {0};
    add_command(&text, argv);
    fprintf(out, "runs %s\n", strbuf_text(&text));
    strbuf_free(&text);
}

bool tool_run(const char *const *argv, struct strbuf *output, struct diag *diag) {
    int ends[2];
    if (diag && diag->commands) {
        say_command(diag->commands, argv);
    }
    if (pipe(ends) != 0) {
        bug("pipe: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid;
    int error = spawn(argv, ends[1], &pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        if (diag) {
            diag_error(diag, (struct location){0}, "cannot run %s: %s", argv[0], strerror(error));
        }
        return false;
    }
    struct strbuf messages = {0};
    drain(ends[0], pid, &messages);
    close(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok && diag && !interrupt_waiting()) {
        report(diag, argv, status, &messages);
    }
    if (output) {
        strbuf_add(output, strbuf_text(&messages));
    }
    strbuf_free(&messages);
    return ok;
}
