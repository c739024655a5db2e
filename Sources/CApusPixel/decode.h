// SPDX-License-Identifier: MIT
// Kernels of the decoder by AVX2 or NEON where a machine has it: `wide` says that (`apus_has_wide`). Each returns whether it
// did the work; where it did not, Swift does it in vectors of 16 bytes, with the same results.
#pragma once

#include "encode.h"

#if defined(__x86_64__) && defined(__SSE2__) && !defined(APUS_PORTABLE)
#define APUS_WIDE static inline __attribute__((target("avx2")))
#define APUS_WIDE_PART static inline __attribute__((always_inline, target("avx2")))

#define APUS_ROW(at) _mm_loadu_si128((const __m128i *)(at))

#include "decode_residuals.h"
#include "decode_prediction.h"
#include "decode_edges.h"

#define APUS_NAME(name) name##_avx2
#elif defined(APUS_NEON)
#define APUS_WIDE static inline
#define APUS_WIDE_PART APUS_INLINE

#include "decode_residuals_neon.h"
#include "decode_prediction_neon.h"
#include "decode_edges_neon.h"

#define APUS_NAME(name) name##_neon
#endif

#ifdef APUS_WIDE
#define APUS_DONE(name, ...) return wide ? APUS_NAME(name)(__VA_ARGS__) : 0
#else
#define APUS_DONE(name, ...) return (void)wide, 0
#endif

/// The inverse transform of 8 × 8 to 32 × 32 coefficients, of which only so many columns and rows, multiples of four,
/// may hold anything but zeros.
static inline int apus_inverse(int wide, int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int columns,
                               int rows, int shift) {
    APUS_DONE(apus_inverse, to, from, pairs, log2, columns, rows, shift);
}

/// That of 4 × 4: `matrix` holds rows 0 and 1 in pairs, one for each column, then rows 2 and 3.
static inline int apus_inverse_small(int wide, int16_t *to, const int16_t *from, const int16_t *matrix, int shift) {
    APUS_DONE(apus_inverse_small, to, from, matrix, shift);
}

/// Adds differences to samples of 8 bits, clipped.
static inline int apus_add_block_8(int wide, uint8_t *to, long stride, const int16_t *numbers, int log2) {
    APUS_DONE(apus_add_block_8, to, stride, numbers, log2);
}

/// Adds the same difference to all of them.
static inline int apus_add_flat_8(int wide, uint8_t *to, long stride, int number, int log2) {
    APUS_DONE(apus_add_flat_8, to, stride, number, log2);
}

/// Predicts 8 × 8 to 32 × 32 samples of 8 bits row by row along a reference, which begins with the corner.
static inline int apus_angle_8(int wide, uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    APUS_DONE(apus_angle_8, to, stride, reference, angle, log2);
}

/// The same column by column.
static inline int apus_turned_angle_8(int wide, uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    APUS_DONE(apus_turned_angle_8, to, stride, reference, angle, log2);
}

/// Predicts them by two planes: ITU-T H.265, 8.4.4.2.4.
static inline int apus_planar_8(int wide, uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    APUS_DONE(apus_planar_8, to, stride, left, above, log2);
}

/// Filters sixteen lines of luma across an edge, after which `start` is the first sample: ITU-T H.265, 8.7.2.5. `limits`
/// holds for eight lines each β, tC, and -1 or 0 for each side that may change or stays as it is. β of 0 leaves all as it
/// is.
static inline int apus_luma_along_8(int wide, uint8_t *start, long stride, apus_s16x8 limits) {
    APUS_DONE(apus_luma_along_8, start, stride, limits);
}

/// The same for a vertical edge.
static inline int apus_luma_across_8(int wide, uint8_t *start, long stride, apus_s16x8 limits) {
    APUS_DONE(apus_luma_across_8, start, stride, limits);
}

/// Adds to samples of 8 bits what their neighbours call for, `distance` away on either side: ITU-T H.265, 8.7.3, with
/// offsets of 8 bits at most in the order of `edgeIdx` from -2 to 2, without the one in the middle. Returns how many were
/// done, from the first on.
static inline long apus_offset_edges_8(int wide, uint8_t *to, const uint8_t *from, long count, long distance,
                                       apus_s16x4 offsets) {
    APUS_DONE(apus_offset_edges_8, to, from, count, distance, offsets);
}

/// Sixteen rows of sixteen samples of 8 bits become columns. Strides in bytes.
static inline void apus_transpose_16x16(int wide, uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
#ifdef APUS_WIDE
    if (wide) {
        APUS_NAME(apus_transpose_16x16)(to, to_stride, from, from_stride);
        return;
    }
#endif
    for (int row = 0; row < 16; row += 8)
        for (int column = 0; column < 16; column += 8)
            apus_transpose_8(to + row * to_stride + column, to_stride, from + column * from_stride + row, from_stride);
}

#undef APUS_WIDE
#undef APUS_WIDE_PART
#undef APUS_ROW
#undef APUS_NAME
#undef APUS_DONE
