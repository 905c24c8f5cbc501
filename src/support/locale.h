// Numbers are read and written in the C locale, whatever the locale of the program around the library.
#ifndef TKC_SUPPORT_LOCALE_H
#define TKC_SUPPORT_LOCALE_H

#include <locale.h>

// Sets this thread's locale to C. Returns the previous one.
locale_t locale_enter(void);
void locale_leave(locale_t before);

#endif
