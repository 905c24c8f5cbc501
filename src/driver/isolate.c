// A compilation in a child process, so that a fault of tkc or LLVM is no fault of the caller.
//
// Why a child and no guard: LLVM's faults are aborts, wild accesses and endless memory. A handler that jumps out of them leaves locks
// held and memory lost, and the next compilation would meet them. The child is made by fork without exec, because a library has no
// program to run. What a fork copies in a process with threads is sound where no lock of LLVM is held at that moment: compilations in
// this process take `shared` for their time, the fork takes it alone; locks of the C library are its own care.
//
//   child                                                             caller's thread
//   a thread with a stack of 64 MiB runs produce()
//   'd' diagnostic, 't' text for options->dump   ── frames ──▶        report, dump
//   'r' result                                                        the result; else the child's end says why
//
// Standard error of the child goes to a file in memory: the caller gets it as the fault's message.
#define _GNU_SOURCE
#include "driver/library.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/diag.h"
#include "support/file.h"

enum { POLL_MS = 20, STACK_BYTES = 64 << 20, SAID_BYTES = 2000 };

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static _Thread_local unsigned shared_depth; // a report function may compile, too

void isolate_begin_shared(void) {
    if (shared_depth++ == 0) {
        pthread_rwlock_rdlock(&shared);
    }
}

void isolate_end_shared(void) {
    if (--shared_depth == 0) {
        pthread_rwlock_unlock(&shared);
    }
}

// ---- the child ----

struct child {
    const struct tkc_options *options;
    int to;
    pthread_mutex_t writing; // frames come from several threads
};

static void send_bytes(struct child *child, const void *bytes, size_t length) {
    if (!file_write_all(child->to, bytes, length)) { // the caller is gone
        _exit(EXIT_INTERNAL);
    }
}

// A frame: its kind, eight bytes of length, the bytes.
static void send_frame(struct child *child, char kind, const void *bytes, size_t length) {
    uint64_t size = length;
    pthread_mutex_lock(&child->writing);
    send_bytes(child, &kind, 1);
    send_bytes(child, &size, sizeof size);
    send_bytes(child, bytes, length);
    pthread_mutex_unlock(&child->writing);
}

static void send_diagnostic(void *user, const struct tkc_diagnostic *diagnostic) {
    struct strbuf bytes = {0};
    wire_put_diagnostic(&bytes, diagnostic);
    send_frame(user, 'd', bytes.data, bytes.length);
    strbuf_free(&bytes);
}

static ssize_t send_dump(void *user, const char *text, size_t length) {
    send_frame(user, 't', text, length);
    return (ssize_t)length;
}

static void *compile(void *user) {
    struct child *child = user;
    struct tkc_options options = *child->options;
    options.report = send_diagnostic;
    options.report_user = child;
    options.cancel = NULL; // the caller ends this process
    options.dump = fopencookie(child, "w", (cookie_io_functions_t){.write = send_dump});
    struct tkc_result *result = produce(&options);
    if (options.dump) {
        fflush(options.dump);
    }
    struct strbuf bytes = {0};
    wire_put_result(&bytes, result);
    send_frame(child, 'r', bytes.data, bytes.length);
    return NULL;
}

static _Noreturn void run_child(const struct tkc_options *options, int to, int said, pid_t parent) {
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE, SIGABRT,
                                  SIGPIPE, SIGTERM, SIGINT, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        signal(signals[i], signals[i] == SIGXFSZ ? SIG_IGN : SIG_DFL); // no handler of the caller's runs here
    }
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_INTERNAL);
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO); // the caller's text in buffers stays the caller's
    dup2(said >= 0 ? said : nothing, STDERR_FILENO);
    struct child child = {.options = options, .to = to, .writing = PTHREAD_MUTEX_INITIALIZER};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, compile, &child) == 0) {
        pthread_join(thread, NULL);
    } else {
        compile(&child);
    }
    _exit(0);
}

// ---- the caller ----

struct caller {
    const struct tkc_options *options;
    struct tkc_result *result;
    struct strbuf bytes; // received, from the first incomplete frame
    bool done;           // the result is there
};

static void take_frame(struct caller *caller, char kind, const char *bytes, size_t length) {
    struct wire wire = {.bytes = (const uint8_t *)bytes, .length = length, .arena = caller->result->memory};
    if (kind == 'd') {
        struct tkc_diagnostic diagnostic = wire_diagnostic(&wire);
        if (!wire.failed) {
            wire_report(caller->result, caller->options, &diagnostic);
        }
    } else if (kind == 't') {
        fwrite(bytes, 1, length, caller->options->dump ? caller->options->dump : stderr);
    } else {
        caller->done = wire_result(&wire, caller->result);
    }
}

static void take_frames(struct caller *caller) {
    size_t at = 0;
    while (caller->bytes.length - at >= 9) {
        uint64_t length;
        memcpy(&length, caller->bytes.data + at + 1, sizeof length);
        if (caller->bytes.length - at - 9 < length) {
            break;
        }
        take_frame(caller, caller->bytes.data[at], caller->bytes.data + at + 9, (size_t)length);
        at += 9 + (size_t)length;
    }
    if (at) {
        memmove(caller->bytes.data, caller->bytes.data + at, caller->bytes.length - at);
        caller->bytes.length -= at;
    }
}

// False once nothing more can come.
static bool receive(struct caller *caller, int from) {
    char bytes[65536];
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got > 0) {
        strbuf_add_bytes(&caller->bytes, bytes, (size_t)got);
        take_frames(caller);
    }
    return got > 0 || (got < 0 && errno == EINTR);
}

static bool is_cancelled(const struct tkc_options *options) {
    return options->cancel && __atomic_load_n(options->cancel, __ATOMIC_RELAXED) != 0;
}

// Reads until the result is there or the child is gone: its end of the pipe may live on in a later child of another thread. Returns the
// child's status; -1: unknown, because someone else has waited for it.
static int follow(struct caller *caller, pid_t child, int from) {
    int status = 0;
    bool ended = false, more = true;
    while (!caller->done && more) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        int count = poll(&ready, 1, ended ? 0 : POLL_MS);
        if (count > 0) {
            more = receive(caller, from);
        } else if (ended) {
            break;
        } else {
            pid_t got = waitpid(child, &status, WNOHANG);
            ended = got == child || (got < 0 && errno == ECHILD);
            status = got < 0 ? -1 : status;
        }
        if (is_cancelled(caller->options)) {
            kill(child, SIGKILL);
            caller->result->cancelled = true;
            break;
        }
    }
    while (!ended) {
        pid_t got = waitpid(child, &status, 0);
        ended = got == child || (got < 0 && errno != EINTR);
        status = got < 0 ? -1 : status;
    }
    return status;
}

static void add_error(struct caller *caller, const char *message) {
    struct arena *arena = caller->result->memory;
    wire_report(caller->result, caller->options,
                &(struct tkc_diagnostic){.severity = TKC_ERROR,
                                         .text = arena_printf(arena, "tkc: error: %s\n", message),
                                         .message = message});
}

// The last lines of the child's standard error.
static char *read_said(struct arena *arena, int said) {
    char *text = arena_alloc(arena, SAID_BYTES + 1);
    off_t length = said >= 0 ? lseek(said, 0, SEEK_END) : 0;
    off_t from = length > SAID_BYTES ? length - SAID_BYTES : 0;
    ssize_t got = said >= 0 ? pread(said, text, SAID_BYTES, from) : 0;
    got = got > 0 ? got : 0;
    while (got && text[got - 1] == '\n') {
        got--;
    }
    text[got] = 0;
    return text;
}

static void say_fault(struct caller *caller, int status, int said) {
    struct arena *arena = caller->result->memory;
    const char *text = read_said(arena, said);
    const char *end = status == -1          ? arena_printf(arena, "it ended")
                      : WIFSIGNALED(status) ? arena_printf(arena, "signal %d (%s)", WTERMSIG(status),
                                                           strsignal(WTERMSIG(status)))
                                            : arena_printf(arena, "status %d", WEXITSTATUS(status));
    caller->result->fault = true;
    add_error(caller, arena_printf(arena, "a fault of tkc, not of the source, ended the compilation: %s%s%s",
                                   end, *text ? ": " : "", text));
}

static void settle(struct caller *caller, int status, int said) {
    struct tkc_result *result = caller->result;
    if (result->cancelled) {
        add_error(caller, "the compilation was cancelled");
    } else if (!caller->done) {
        say_fault(caller, status, said);
    }
    if (result->cancelled || result->fault) {
        result->ok = false;
        result->artifact_count = 0;
    }
}

// Wakes nobody else, and lets no signal handler of the caller's run in the child before it has reset them.
static pid_t fork_quietly(const struct tkc_options *options, int ends[2], int said) {
    sigset_t all, before;
    pid_t parent = getpid();
    sigfillset(&all);
    pthread_rwlock_wrlock(&shared);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        pthread_rwlock_unlock(&shared);
        run_child(options, ends[1], said, parent);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_rwlock_unlock(&shared);
    return child;
}

struct tkc_result *isolate(const struct tkc_options *options) {
    struct caller caller = {.options = options, .result = wire_new_result()};
    int ends[2] = {-1, -1}, said = memfd_create("tkc", MFD_CLOEXEC);
    bool within = shared_depth > 0; // a report function of a compilation in this process
    pid_t child = within || pipe2(ends, O_CLOEXEC) ? -1 : fork_quietly(options, ends, said);
    if (child < 0) {
        add_error(&caller, within
                               ? "an isolated compilation cannot begin within one that is not"
                               : arena_printf(caller.result->memory,
                                              "no process for an isolated compilation: %s", strerror(errno)));
    } else {
        close(ends[1]);
        settle(&caller, follow(&caller, child, ends[0]), said);
        ends[1] = -1;
    }
    for (int i = 0; i < 2; i++) {
        if (ends[i] >= 0) {
            close(ends[i]);
        }
    }
    if (said >= 0) {
        close(said);
    }
    strbuf_free(&caller.bytes);
    return caller.result;
}
