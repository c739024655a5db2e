// SPDX-License-Identifier: MIT
// What the runtimes of Swift and C++ take from newer C libraries. It is linked into packages that run with glibc 2.34, and is hidden, so
// that nothing outside calls it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

// The version that all functions have which are as old as the architecture.
#ifdef __x86_64__
#define FIRST "GLIBC_2.2.5"
#else
#define FIRST "GLIBC_2.17"
#endif

typedef struct {
    uintptr_t address;
    struct dl_find_object *found;
} Search;

// Fills in the result and returns 1 if the address is in this object; otherwise returns 0 to go on with the next.
static int find_in(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    Search *search = data;
    uintptr_t frames = 0, start = 0, end = 0;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        uintptr_t address = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_GNU_EH_FRAME) frames = address;
        if (segment->p_type == PT_LOAD && search->address - address < segment->p_memsz)
            start = address, end = address + segment->p_memsz;
    }
    if (end == start) return 0;
    search->found->dlfo_map_start = (void *)start;
    search->found->dlfo_map_end = (void *)end;
    search->found->dlfo_eh_frame = (void *)frames;
    return 1;
}

// Since glibc 2.35. The unwinder of GCC asks for the table of the object that an address is in.
HIDDEN int _dl_find_object(void *address, struct dl_find_object *found) {
    *found = (struct dl_find_object){0};
    Search search = {(uintptr_t)address, found};
    return dl_iterate_phdr(find_in, &search) && found->dlfo_eh_frame ? 0 : -1;
}

// Since glibc 2.35 and 2.38 in versions that do not set errno.
#define OLDER(type, name) \
    type older_##name(type, type); \
    __asm__(".symver older_" #name ", " #name "@" FIRST); \
    HIDDEN type name(type x, type y) { return older_##name(x, y); }
OLDER(float, hypotf)
OLDER(double, fmod)
OLDER(float, fmodf)

// Since glibc 2.38 with the binary numbers of C23.
#define OLDER_NUMBER(type, name) \
    type older_##name(const char *, char **, int) __asm__(#name); \
    HIDDEN type __isoc23_##name(const char *text, char **end, int base) { return older_##name(text, end, base); }
OLDER_NUMBER(long, strtol)
OLDER_NUMBER(long long, strtoll)
OLDER_NUMBER(unsigned long, strtoul)
OLDER_NUMBER(unsigned long long, strtoull)

int older_vsscanf(const char *, const char *, va_list) __asm__("__isoc99_vsscanf");
HIDDEN int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = older_vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}

// Since glibc 2.38.
HIDDEN size_t strlcpy(char *target, const char *source, size_t size) {
    size_t length = 0;
    for (; source[length]; length++)
        if (length + 1 < size) target[length] = source[length];
    if (size) target[length < size ? length : size - 1] = 0;
    return length;
}

HIDDEN size_t strlcat(char *target, const char *source, size_t size) {
    size_t start = 0;
    while (start < size && target[start]) start++;
    return start + strlcpy(target + start, source, size - start);
}
