// Numbers are read and written as C does it, whatever locale the program around the library has chosen.
#ifndef TKC_SUPPORT_LOCALE_H
#define TKC_SUPPORT_LOCALE_H

#include <locale.h>

// This thread's locale becomes that of C. Returns what it was.
locale_t locale_enter(void);
void locale_leave(locale_t before);

#endif
