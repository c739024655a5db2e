// SPDX-License-Identifier: MIT
// What every compiler of C needs, whether or not there is a C library.
#pragma once

#include <stddef.h>

void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
