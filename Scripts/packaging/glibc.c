// SPDX-License-Identifier: MIT
// The two functions of newer C libraries that the runtimes of Swift and C++ refer to. They are linked into packages that run with
// glibc 2.34, and are hidden, so that nothing outside calls them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdint.h>

#define HIDDEN __attribute__((visibility("hidden")))

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

// Since glibc 2.35 in a version that does not set errno.
HIDDEN float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * x + (double)y * y);
}
