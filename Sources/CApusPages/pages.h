// SPDX-License-Identifier: MIT
// Pages of code, given back to the system. In C because Swift's view of the C library leaves link.h's walk out.
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>

/// What `struct dl_phdr_info` begins with, which Swift's view of the C library leaves out.
struct apus_library {
    ElfW(Addr) address;
    const char *name;
    const ElfW(Phdr) *segments;
    ElfW(Half) segment_count;
};

typedef int apus_for_each_library(
    int (*)(const struct apus_library *, size_t, void *), void *);

/// Gives back the pages of one library that can be read from its file again, its code and constants: programs and
/// the dynamic linker touch many to begin with, and need few after.
static inline int apus_give_back(
    const struct apus_library *library, size_t size, void *unused) {
    (void)size, (void)unused;
    const unsigned long page = 4096;
    for (int index = 0; index < library->segment_count; index++) {
        const ElfW(Phdr) *segment = &library->segments[index];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        unsigned long start = library->address + segment->p_vaddr;
        unsigned long end = (start + segment->p_memsz) & ~(page - 1);
        start = (start + page - 1) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

static inline void apus_give_back_all(void) {
    void *program = dlopen(NULL, RTLD_NOW);
    apus_for_each_library *each =
        program ? (apus_for_each_library *)dlsym(program, "dl_iterate_phdr") : NULL;
    if (each) each(apus_give_back, NULL);
}
