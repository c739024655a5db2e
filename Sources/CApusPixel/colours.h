// SPDX-License-Identifier: MIT
// Kernels that make red, green and blue of 8 bits, by AVX2 or NEON where a machine has it: `wide` says that
// (`apus_has_wide`). Swift does the same in the same steps where there is none, so that every machine gives the same bits.
#pragma once

#include "encode.h"

#if defined(__x86_64__) && defined(__SSE2__) && !defined(APUS_PORTABLE)
#define APUS_WIDE static inline __attribute__((target("avx2")))

APUS_WIDE long apus_add_colours_avx2(float *to, const uint8_t *second, const uint8_t *third, long count, const float *factors) {
    const __m256 b = _mm256_set1_ps(factors[1]), c = _mm256_set1_ps(factors[2]), d = _mm256_set1_ps(factors[3]);
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 cb = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(second + x))));
        __m256 cr = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(third + x))));
        _mm256_storeu_ps(to + x, _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(b, cb), _mm256_mul_ps(c, cr)), d));
    }
    return x;
}

APUS_WIDE long apus_move_avx2(float *to, const float *row, const float *other, long count, float part) {
    const __m256 parts = _mm256_set1_ps(part);
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 own = _mm256_loadu_ps(row + x);
        __m256 way = _mm256_sub_ps(_mm256_loadu_ps(other + x), own);
        _mm256_storeu_ps(to + x, _mm256_add_ps(own, _mm256_mul_ps(parts, way)));
    }
    return x;
}

/// Sixteen pixels; `colours` are eight numbers of each channel and one more on either side. 64 bytes are written, of which the
/// first 48 count.
APUS_WIDE void apus_pixels_16_avx2(uint8_t *to, const uint8_t *luma, const float *colours, long spacing, const float *factors,
                                   const float *parts, const float *offsets) {
    const __m256 before = _mm256_set1_ps(parts[0]), after = _mm256_set1_ps(parts[1]);
    const __m256 zero = _mm256_setzero_ps(), top = _mm256_set1_ps(255);
    const __m256 offset[2] = {_mm256_loadu_ps(offsets), _mm256_loadu_ps(offsets + 8)};
    __m128i samples = _mm_loadu_si128((const __m128i *)luma);
    __m256 first[2] = {_mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(samples)),
                       _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_srli_si128(samples, 8)))};
    __m256i pixels[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int channel = 0; channel < 3; channel++) {
        const float *row = colours + channel * spacing;
        const __m256 factor = _mm256_set1_ps(factors[4 * channel]);
        __m256 own = _mm256_loadu_ps(row);
        __m256 left = _mm256_add_ps(own, _mm256_mul_ps(before, _mm256_sub_ps(_mm256_loadu_ps(row - 1), own)));
        __m256 right = _mm256_add_ps(own, _mm256_mul_ps(after, _mm256_sub_ps(_mm256_loadu_ps(row + 1), own)));
        __m256 low = _mm256_unpacklo_ps(left, right), high = _mm256_unpackhi_ps(left, right);
        __m256 added[2] = {_mm256_permute2f128_ps(low, high, 0x20), _mm256_permute2f128_ps(low, high, 0x31)};
        for (int half = 0; half < 2; half++) {
            __m256 sum = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(factor, first[half]), added[half]), offset[half]);
            __m256i whole = _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(sum, zero), top));
            pixels[half] = _mm256_or_si256(pixels[half], _mm256_slli_epi32(whole, 8 * channel));
        }
    }
    const __m256i order = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
                                           0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    for (int half = 0; half < 2; half++) {
        __m256i packed = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(pixels[half], order), together);
        _mm256_storeu_si256((__m256i *)(to + 24 * half), packed);
    }
}

APUS_WIDE int apus_pixels_avx2(uint8_t *to, const uint8_t *luma, long count, float *colours, long spacing, const float *factors,
                               const float *parts, const float *offsets) {
    for (int channel = 0; channel < 3; channel++) {
        float *row = colours + channel * spacing;
        row[-1] = row[0];
        row[(count + 1) / 2] = row[(count - 1) / 2];
    }
    long x = 0;
    for (; x + 19 <= count; x += 16)
        apus_pixels_16_avx2(to + 3 * x, luma + x, colours + x / 2, spacing, factors, parts, offsets);
    for (; x < count; x += 16) {
        uint8_t last[64], samples[16] = {0};
        long rest = count - x < 16 ? count - x : 16;
        memcpy(samples, luma + x, rest);
        apus_pixels_16_avx2(last, samples, colours + x / 2, spacing, factors, parts, offsets);
        memcpy(to + 3 * x, last, 3 * rest);
    }
    return 1;
}

#undef APUS_WIDE
#define APUS_SOME(name, ...) return wide ? name##_avx2(__VA_ARGS__) : 0
#define APUS_AVX2(name, ...) APUS_SOME(name, __VA_ARGS__)
#elif defined(APUS_NEON)
#include "colours_neon.h"
#define APUS_SOME(name, ...) return wide ? name##_neon(__VA_ARGS__) : 0
// Simple loops, which compilers vectorize for NEON without help.
#define APUS_AVX2(name, ...) return (void)wide, 0
#else
#define APUS_SOME(name, ...) return (void)wide, 0
#define APUS_AVX2(name, ...) return (void)wide, 0
#endif

/// What two colour samples add to a channel, by the last three of four factors, for as many samples as go by eight. Returns how
/// many these are.
static inline long apus_add_colours(int wide, float *to, const uint8_t *second, const uint8_t *third, long count,
                                    const float *factors) {
    APUS_AVX2(apus_add_colours, to, second, third, count, factors);
}

/// Numbers moved towards those of another row by a part of the way, as many as go by eight. Returns how many these are.
static inline long apus_move(int wide, float *to, const float *row, const float *other, long count, float part) {
    APUS_AVX2(apus_move, to, row, other, count, part);
}

/// Makes a row of pixels of three samples each, or returns 0. To each channel add luma by the first of its four factors, and
/// what `colours` have for it: one number for two pixels, which is moved by `parts` towards the number before it for the first
/// one and towards the number after it for the second. These rows lie `spacing` numbers apart; what lies before and after them
/// is written, and up to eight numbers after that are read. `offsets` are 16 numbers that are added before rounding.
static inline int apus_pixels(int wide, uint8_t *to, const uint8_t *luma, long count, float *colours, long spacing,
                              const float *factors, const float *parts, const float *offsets) {
    APUS_SOME(apus_pixels, to, luma, count, colours, spacing, factors, parts, offsets);
}

#undef APUS_SOME
#undef APUS_AVX2
