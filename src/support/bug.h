// The end of a process whose own code is wrong; no file of this folder stands below.
#ifndef TKC_SUPPORT_BUG_H
#define TKC_SUPPORT_BUG_H

enum { EXIT_INTERNAL = 70 };

// An internal error: prints "tkc: internal error: FILE:LINE: message" and exits 70.
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
