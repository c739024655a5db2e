// SPDX-License-Identifier: MIT
// Memory for planes: zeros, of which pages that nothing touches take no memory.
#pragma once

#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
/// What large pages of this system hold, or a multiple of it.
#define APUS_LARGE_PAGE (2ul << 20)
#endif

/// Zeros. Without memory this ends the process, as Swift does.
///
/// On Linux many of them lie in large pages, if the system allows it: it takes a sixth of the time to make those, and to
/// give them back. An eighth of the last one may be more than was asked for; a smaller rest is in small pages.
__attribute__((returns_nonnull)) static inline void *apus_zeros(unsigned long bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const unsigned long large = APUS_LARGE_PAGE;
    if (bytes >= large - large / 8 && bytes < ~0ul - 2 * large) {
        unsigned long whole = (bytes + large - 1) & ~(large - 1);
        char *mapping = (char *)mmap(0, whole + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping == (char *)MAP_FAILED) __builtin_trap();
        // What lies before the first large page and after the last is given back, so that place and length are enough to
        // free it.
        unsigned long before = -(uintptr_t)mapping & (large - 1);
        if (before) munmap(mapping, before);
        munmap(mapping + before + whole, large - before);
        madvise(mapping + before, (bytes + large / 8) & ~(large - 1), MADV_HUGEPAGE);
        return mapping + before;
    }
#endif
    void *zeros = __builtin_calloc(bytes, 1);
    if (!zeros) __builtin_trap();
    return zeros;
}

/// - Parameter bytes: how many were asked for.
static inline void apus_free_zeros(void *zeros, unsigned long bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const unsigned long large = APUS_LARGE_PAGE;
    if (bytes >= large - large / 8 && bytes < ~0ul - 2 * large) {
        munmap(zeros, (bytes + large - 1) & ~(large - 1));
        return;
    }
#endif
    __builtin_free(zeros);
}
