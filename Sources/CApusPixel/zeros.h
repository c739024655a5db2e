// SPDX-License-Identifier: MIT
// Memory for planes: zeros, of which pages that nothing touches take no memory.
#pragma once

#include <stdint.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
/// What large pages of this system hold, or a multiple of it.
#define APUS_LARGE_PAGE (2ul << 20)

// As Linux has them on these machines: headers of the C library are not needed for this room.
void *mmap(void *, unsigned long, int, int, int, long);
int munmap(void *, unsigned long);
int madvise(void *, unsigned long, int);
enum { APUS_READ_WRITE = 1 | 2, APUS_PRIVATE_ANONYMOUS = 2 | 0x20, APUS_HUGE_PAGES = 14 };
#endif

/// Zeros. Without memory this ends the process, as Swift does.
///
/// On Linux many of them lie in large pages, if the system allows it: it takes a sixth of the time to make those, and to
/// give them back. An eighth of the last one may be more than was asked for; a smaller rest is in small pages.
__attribute__((returns_nonnull)) static inline void *apus_zeros(unsigned long bytes) {
#ifdef APUS_LARGE_PAGE
    const unsigned long large = APUS_LARGE_PAGE;
    if (bytes >= large - large / 8 && bytes < ~0ul - 2 * large) {
        unsigned long whole = (bytes + large - 1) & ~(large - 1);
        char *mapping = (char *)mmap(0, whole + large, APUS_READ_WRITE, APUS_PRIVATE_ANONYMOUS, -1, 0);
        if (mapping == (char *)-1l) __builtin_trap();
        // What lies before the first large page and after the last is given back, so that place and length are enough to
        // free it.
        unsigned long before = -(uintptr_t)mapping & (large - 1);
        if (before) munmap(mapping, before);
        munmap(mapping + before + whole, large - before);
        madvise(mapping + before, (bytes + large / 8) & ~(large - 1), APUS_HUGE_PAGES);
        return mapping + before;
    }
#endif
    void *zeros = __builtin_calloc(bytes, 1);
    if (!zeros) __builtin_trap();
    return zeros;
}

/// - Parameter bytes: how many were asked for.
static inline void apus_free_zeros(void *zeros, unsigned long bytes) {
#ifdef APUS_LARGE_PAGE
    const unsigned long large = APUS_LARGE_PAGE;
    if (bytes >= large - large / 8 && bytes < ~0ul - 2 * large) {
        munmap(zeros, (bytes + large - 1) & ~(large - 1));
        return;
    }
#endif
    __builtin_free(zeros);
}
