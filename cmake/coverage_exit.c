// Programs that end by _exit or _Exit, as children of tests do, leave their counts of lines (gcov): linked with --wrap.
void __gcov_dump(void);

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__exit(int status) {
    __gcov_dump();
    __real__exit(status);
}

_Noreturn void __real__Exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap__Exit(int status) {
    __gcov_dump();
    __real__Exit(status);
}
