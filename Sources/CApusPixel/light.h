// SPDX-License-Identifier: MIT
// Kernels of light in floating point, by AVX2 or NEON where a machine has it: `wide` says that (`apus_has_wide`). Each works
// on as many numbers of a row, from the first on, as go by eight, and returns how many; Swift does the rest in the same
// steps, so that every machine gives the same bits.
#pragma once

#include "encode.h"

#if defined(__x86_64__) && defined(__SSE2__) && !defined(APUS_PORTABLE)
#define APUS_WIDE static inline __attribute__((target("avx2")))

/// A value of a table and its growth, for two places in the halves of a number.
#define APUS_PAIR(numbers)                                                                         \
    _mm_loadh_pi(_mm_castpd_ps(_mm_load_sd((const double *)(table + 2 * (uint32_t)(numbers)))), \
                 (const __m64 *)(table + 2 * ((uint64_t)(numbers) >> 32)))

APUS_WIDE long apus_look_up_avx2(float *row, long count, const float *table, float steps) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1), half = _mm256_set1_ps(0.5f);
    const __m256 offset = _mm256_set1_ps(8388608), scale = _mm256_set1_ps(steps);
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 low = _mm256_max_ps(_mm256_loadu_ps(row + x), zero);
        __m256 place = _mm256_mul_ps(_mm256_min_ps(low, one), scale);
        __m256 whole = _mm256_add_ps(_mm256_max_ps(_mm256_sub_ps(place, half), zero), offset);
        __m256 part = _mm256_sub_ps(place, _mm256_sub_ps(whole, offset));
        __m256i numbers = _mm256_and_si256(_mm256_castps_si256(whole), _mm256_set1_epi32(0x7fffff));
        __m128i first = _mm256_castsi256_si128(numbers), second = _mm256_extracti128_si256(numbers, 1);
        long long a = _mm_cvtsi128_si64(first), b = _mm_extract_epi64(first, 1);
        long long c = _mm_cvtsi128_si64(second), d = _mm_extract_epi64(second, 1);
        __m256 left = _mm256_insertf128_ps(_mm256_castps128_ps256(APUS_PAIR(a)), APUS_PAIR(c), 1);
        __m256 right = _mm256_insertf128_ps(_mm256_castps128_ps256(APUS_PAIR(b)), APUS_PAIR(d), 1);
        __m256 start = _mm256_shuffle_ps(left, right, 0x88), growth = _mm256_shuffle_ps(left, right, 0xdd);
        _mm256_storeu_ps(row + x, _mm256_add_ps(start, _mm256_mul_ps(part, growth)));
    }
    return x;
}
#undef APUS_PAIR

APUS_WIDE long apus_turn_light_avx2(float *red, float *green, float *blue, long count, const float *matrix,
                                    const float *weights) {
    const __m256 zero = _mm256_setzero_ps(), one = _mm256_set1_ps(1), least = _mm256_set1_ps(1e-9f);
    __m256 m[3][3], w[3];
    for (int i = 0; i < 3; i++) {
        w[i] = _mm256_set1_ps(weights[i]);
        for (int j = 0; j < 3; j++) m[i][j] = _mm256_set1_ps(matrix[4 * i + j]);
    }
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 r0 = _mm256_loadu_ps(red + x), g0 = _mm256_loadu_ps(green + x), b0 = _mm256_loadu_ps(blue + x);
#define APUS_SUM(f, a, b, c) \
    _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(f[0], a), _mm256_mul_ps(f[1], b)), _mm256_mul_ps(f[2], c))
        __m256 r = APUS_SUM(m[0], r0, g0, b0), g = APUS_SUM(m[1], r0, g0, b0), b = APUS_SUM(m[2], r0, g0, b0);
        __m256 luminance = APUS_SUM(w, r, g, b);
#undef APUS_SUM
        __m256 low = _mm256_min_ps(_mm256_min_ps(r, g), b), high = _mm256_max_ps(_mm256_max_ps(r, g), b);
        __m256 below = _mm256_div_ps(_mm256_max_ps(luminance, zero),
                                     _mm256_max_ps(_mm256_sub_ps(luminance, low), least));
        __m256 above = _mm256_div_ps(_mm256_max_ps(_mm256_sub_ps(one, luminance), zero),
                                     _mm256_max_ps(_mm256_sub_ps(high, luminance), least));
        below = _mm256_blendv_ps(one, below, _mm256_cmp_ps(low, zero, _CMP_LT_OQ));
        above = _mm256_blendv_ps(one, above, _mm256_cmp_ps(high, one, _CMP_GT_OQ));
        __m256 part = _mm256_min_ps(below, above);
        _mm256_storeu_ps(red + x, _mm256_add_ps(luminance, _mm256_mul_ps(part, _mm256_sub_ps(r, luminance))));
        _mm256_storeu_ps(green + x, _mm256_add_ps(luminance, _mm256_mul_ps(part, _mm256_sub_ps(g, luminance))));
        _mm256_storeu_ps(blue + x, _mm256_add_ps(luminance, _mm256_mul_ps(part, _mm256_sub_ps(b, luminance))));
    }
    return x;
}

APUS_WIDE long apus_count_light_avx2(const float *row, long count, uint32_t *counts) {
    const __m256 half = _mm256_set1_ps(0.5f);
    const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3);
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 place = _mm256_loadu_ps(row + x);
        __m256i below = _mm256_cvttps_epi32(place);
        __m256 isAbove = _mm256_cmp_ps(_mm256_sub_ps(place, _mm256_cvtepi32_ps(below)), half, _CMP_NLT_UQ);
        __m256i nearest = _mm256_sub_epi32(below, _mm256_castps_si256(isAbove));
        __m256i numbers = _mm256_add_epi32(_mm256_slli_epi32(nearest, 2), lanes);
        __m128i first = _mm256_castsi256_si128(numbers), second = _mm256_extracti128_si256(numbers, 1);
        uint64_t pairs[4] = {(uint64_t)_mm_cvtsi128_si64(first), (uint64_t)_mm_extract_epi64(first, 1),
                             (uint64_t)_mm_cvtsi128_si64(second), (uint64_t)_mm_extract_epi64(second, 1)};
        for (int i = 0; i < 4; i++) {
            counts[(uint32_t)pairs[i]]++;
            counts[pairs[i] >> 32]++;
        }
    }
    return x;
}

APUS_WIDE long apus_fourth_root_avx2(float *row, long count, float scale) {
    const __m256 zero = _mm256_setzero_ps(), factor = _mm256_set1_ps(scale);
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        __m256 scaled = _mm256_mul_ps(_mm256_max_ps(_mm256_loadu_ps(row + x), zero), factor);
        _mm256_storeu_ps(row + x, _mm256_sqrt_ps(_mm256_sqrt_ps(scaled)));
    }
    return x;
}

#undef APUS_WIDE
#define APUS_SOME(name, ...) return wide ? name##_avx2(__VA_ARGS__) : 0
#elif defined(APUS_NEON)
#include "light_neon.h"
#define APUS_SOME(name, ...) return wide ? name##_neon(__VA_ARGS__) : 0
#else
#define APUS_SOME(name, ...) return (void)wide, 0
#endif

/// Replaces numbers by what a table has for them: pairs of a value and its growth over a step, of which there are `steps`
/// between 0 and 1 and one more.
static inline long apus_look_up(int wide, float *row, long count, const float *table, float steps) {
    APUS_SOME(apus_look_up, row, count, table, steps);
}

/// Turns linear light by the three rows of a matrix, each of four numbers, and moves what then lies outside 0 to 1 towards
/// its luminance, which is a sum by weights.
static inline long apus_turn_light(int wide, float *red, float *green, float *blue, long count, const float *matrix,
                                   const float *weights) {
    APUS_SOME(apus_turn_light, red, green, blue, count, matrix, weights);
}

/// Counts numbers, rounded to the nearest. There are four counts for each, used in turn: neighbours are often equal, and
/// would wait for each other.
static inline long apus_count_light(int wide, const float *row, long count, uint32_t *counts) {
    APUS_SOME(apus_count_light, row, count, counts);
}

/// Replaces numbers by the fourth roots of their multiples; those below 0 are taken for 0.
static inline long apus_fourth_root(int wide, float *row, long count, float scale) {
    APUS_SOME(apus_fourth_root, row, count, scale);
}

#undef APUS_SOME
