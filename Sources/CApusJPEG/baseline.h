// SPDX-License-Identifier: MIT
#pragma once

#include "codec.h"

// Entropy-coded data of a baseline JPEG, the same bytes as libjpeg-turbo's in less time, on x86-64 with AVX2 and
// on ARM with NEON. Blocks are transformed by vectors, two at once with AVX2, and a level takes one table lookup.

typedef struct apus_jpeg_baseline apus_jpeg_baseline;

// Returns NULL where the machine or the form of the JPEG is not supported, or there is no memory. The settings must be
// complete and the tables must be libjpeg's own.
apus_jpeg_baseline *apus_jpeg_baseline_new(const struct jpeg_compress_struct *);
void apus_jpeg_baseline_free(apus_jpeg_baseline *);

// The most bytes that a row of MCUs or the end of an interval takes.
size_t apus_jpeg_baseline_most(const apus_jpeg_baseline *);

void apus_jpeg_baseline_begin(apus_jpeg_baseline *);
// Writes a row of MCUs and returns the end of it, NULL if a level is larger than JPEG allows. `heights` has the rows of
// blocks that each component has in it.
uint8_t *apus_jpeg_baseline_row(apus_jpeg_baseline *, const apus_jpeg_rows *, const int *heights, uint8_t *bytes);
// Writes the bits that are left.
uint8_t *apus_jpeg_baseline_end(apus_jpeg_baseline *, uint8_t *bytes);
