// SPDX-License-Identifier: MIT
// Memory for planes: zeros, of which pages that nothing touches take no memory.
#pragma once

#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/// Zeros. Without memory this ends the process, as Swift does.
///
/// On Linux many of them lie in large pages as far as they fill them, if the system allows it: it takes a sixth of the
/// time to make those, and to give them back. No more memory is taken than without them.
__attribute__((returns_nonnull)) static inline void *apus_zeros(unsigned long bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const unsigned long large = 2ul << 20;
    if (bytes >= large && bytes < ~0ul - 2 * large) {
        unsigned long whole = (bytes + large - 1) & ~(large - 1);
        char *mapping = (char *)mmap(0, whole + large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping == (char *)MAP_FAILED) __builtin_trap();
        // What lies before the first large page and after the last is given back, so that pointer and length are enough
        // to free it.
        unsigned long before = -(uintptr_t)mapping & (large - 1);
        if (before) munmap(mapping, before);
        munmap(mapping + before + whole, large - before);
        madvise(mapping + before, bytes & ~(large - 1), MADV_HUGEPAGE);
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
    const unsigned long large = 2ul << 20;
    if (bytes >= large) {
        munmap(zeros, (bytes + large - 1) & ~(large - 1));
        return;
    }
#endif
    __builtin_free(zeros);
}
