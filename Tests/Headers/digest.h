// SPDX-License-Identifier: MIT
// Numbers that are the same on every machine, and digests of what is made of them.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t state, digest;

static uint32_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static void begin(uint64_t seed) {
    state = seed;
    digest = 14695981039346656037u;
}

static void add(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) digest = (digest ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
}

static void end(const char *name) { printf("%s %016llx\n", name, (unsigned long long)digest); }
