// SPDX-License-Identifier: MIT
// The few operations on eight samples at a time that Swift's vectors lack: multiply and add of pairs, narrowing with
// saturation, transposition. On x86-64 by SSE2, which every such machine has, on ARM by NEON, elsewhere plainly, and
// everywhere with APUS_PORTABLE defined, so that the plain way can be tested (`swift test -Xcc -DAPUS_PORTABLE`).
#pragma once

#include <stdint.h>
#include <string.h>

typedef int16_t apus_s16x8 __attribute__((ext_vector_type(8)));
typedef int32_t apus_s32x4 __attribute__((ext_vector_type(4)));
typedef uint16_t apus_u16x8 __attribute__((ext_vector_type(8)));

#define APUS_INLINE static inline __attribute__((always_inline))
// Not every pass of Swift's compiler unrolls loops of this kind, and vectors would go through memory.
#define APUS_UNROLL _Pragma("clang loop unroll(full)")

/// The same number, of which the compiler knows nothing any more. Two numbers that are loaded and then chosen from stay
/// two loads that begin early, instead of one that waits for the choice.
APUS_INLINE uint64_t apus_opaque(uint64_t number) {
    __asm__("" : "+r"(number));
    return number;
}

typedef uint8_t apus_u8x8 __attribute__((ext_vector_type(8)));

/// Eight samples of 8 bits. Swift's own conversions are calls here and there, before which all vectors leave their
/// registers.
APUS_INLINE apus_u16x8 apus_load_8(const void *from) {
    apus_u8x8 samples;
    memcpy(&samples, from, sizeof samples);
    return __builtin_convertvector(samples, apus_u16x8);
}
/// The low bits of eight samples.
APUS_INLINE void apus_store_8(void *to, apus_u16x8 samples) {
    apus_u8x8 low = __builtin_convertvector(samples, apus_u8x8);
    memcpy(to, &low, sizeof low);
}

/// All ones where a is the greater number, and 0 elsewhere.
APUS_INLINE apus_s16x8 apus_greater(apus_s16x8 a, apus_s16x8 b) { return a > b; }
APUS_INLINE apus_s16x8 apus_equal(apus_s16x8 a, apus_s16x8 b) { return a == b; }
APUS_INLINE apus_s16x8 apus_least(apus_s16x8 a, apus_s16x8 b) { return __builtin_elementwise_min(a, b); }
APUS_INLINE apus_s16x8 apus_most(apus_s16x8 a, apus_s16x8 b) { return __builtin_elementwise_max(a, b); }

#if defined(__SSE2__) && !defined(APUS_PORTABLE)
#include <emmintrin.h>

/// Products of corresponding numbers, those of each pair added.
APUS_INLINE apus_s32x4 apus_multiply_add(apus_s16x8 a, apus_s16x8 b) {
    return (apus_s32x4)_mm_madd_epi16((__m128i)a, (__m128i)b);
}

/// The numbers of both, clipped to 16 bits.
APUS_INLINE apus_s16x8 apus_narrow(apus_s32x4 a, apus_s32x4 b) {
    return (apus_s16x8)_mm_packs_epi32((__m128i)a, (__m128i)b);
}

/// Adds eight numbers to eight samples of 8 bits, clipped.
APUS_INLINE void apus_add_8(uint8_t *samples, const int16_t *numbers) {
    __m128i zero = _mm_setzero_si128();
    __m128i wide = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)samples), zero);
    wide = _mm_adds_epi16(wide, _mm_loadu_si128((const __m128i *)numbers));
    _mm_storel_epi64((__m128i *)samples, _mm_packus_epi16(wide, wide));
}

/// The same for four samples.
APUS_INLINE void apus_add_8x4(uint8_t *samples, const int16_t *numbers) {
    int32_t four;
    memcpy(&four, samples, 4);
    __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), _mm_setzero_si128());
    wide = _mm_adds_epi16(wide, _mm_loadl_epi64((const __m128i *)numbers));
    four = _mm_cvtsi128_si32(_mm_packus_epi16(wide, wide));
    memcpy(samples, &four, 4);
}

APUS_INLINE __m128i apus_sum_16(__m128i samples, __m128i numbers, int16_t most) {
    __m128i sum = _mm_adds_epi16(samples, numbers);
    return _mm_max_epi16(_mm_min_epi16(sum, _mm_set1_epi16(most)), _mm_setzero_si128());
}

/// Adds eight numbers to eight samples of up to 15 bits, clipped to 0 to `most`.
APUS_INLINE void apus_add_16(uint16_t *samples, const int16_t *numbers, int16_t most) {
    __m128i *to = (__m128i *)samples;
    _mm_storeu_si128(to, apus_sum_16(_mm_loadu_si128(to), _mm_loadu_si128((const __m128i *)numbers), most));
}

/// The same for four samples.
APUS_INLINE void apus_add_16x4(uint16_t *samples, const int16_t *numbers, int16_t most) {
    __m128i *to = (__m128i *)samples;
    _mm_storel_epi64(to, apus_sum_16(_mm_loadl_epi64(to), _mm_loadl_epi64((const __m128i *)numbers), most));
}

/// Eight rows of eight samples of 8 bits become columns. Strides in bytes.
APUS_INLINE void apus_transpose_8(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
#define ROW(i) _mm_loadl_epi64((const __m128i *)(from + (i) * from_stride))
    __m128i a = _mm_unpacklo_epi8(ROW(0), ROW(1)), b = _mm_unpacklo_epi8(ROW(2), ROW(3));
    __m128i c = _mm_unpacklo_epi8(ROW(4), ROW(5)), d = _mm_unpacklo_epi8(ROW(6), ROW(7));
#undef ROW
    __m128i e = _mm_unpacklo_epi16(a, b), f = _mm_unpackhi_epi16(a, b);
    __m128i g = _mm_unpacklo_epi16(c, d), h = _mm_unpackhi_epi16(c, d);
    __m128i pairs[4] = {_mm_unpacklo_epi32(e, g), _mm_unpackhi_epi32(e, g),
                        _mm_unpacklo_epi32(f, h), _mm_unpackhi_epi32(f, h)};
    for (int i = 0; i < 4; i++) {
        _mm_storel_epi64((__m128i *)(to + 2 * i * to_stride), pairs[i]);
        _mm_storel_epi64((__m128i *)(to + (2 * i + 1) * to_stride), _mm_srli_si128(pairs[i], 8));
    }
}

/// Eight rows of eight numbers become columns. Strides in numbers.
APUS_INLINE void apus_transpose_16(uint16_t *to, long to_stride, const uint16_t *from, long from_stride) {
    __m128i row[8], pair[8], four[8];
    for (int i = 0; i < 8; i++) row[i] = _mm_loadu_si128((const __m128i *)(from + i * from_stride));
    for (int i = 0; i < 4; i++) {
        pair[2 * i] = _mm_unpacklo_epi16(row[2 * i], row[2 * i + 1]);
        pair[2 * i + 1] = _mm_unpackhi_epi16(row[2 * i], row[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++) {
        four[4 * i] = _mm_unpacklo_epi32(pair[4 * i], pair[4 * i + 2]);
        four[4 * i + 1] = _mm_unpackhi_epi32(pair[4 * i], pair[4 * i + 2]);
        four[4 * i + 2] = _mm_unpacklo_epi32(pair[4 * i + 1], pair[4 * i + 3]);
        four[4 * i + 3] = _mm_unpackhi_epi32(pair[4 * i + 1], pair[4 * i + 3]);
    }
    for (int i = 0; i < 4; i++) {
        _mm_storeu_si128((__m128i *)(to + 2 * i * to_stride), _mm_unpacklo_epi64(four[i], four[i + 4]));
        _mm_storeu_si128((__m128i *)(to + (2 * i + 1) * to_stride), _mm_unpackhi_epi64(four[i], four[i + 4]));
    }
}

#elif defined(__ARM_NEON) && defined(__aarch64__) && !defined(APUS_PORTABLE)
#define APUS_NEON
#include "pixel_neon.h"

#else

APUS_INLINE apus_s32x4 apus_multiply_add(apus_s16x8 a, apus_s16x8 b) {
    apus_s32x4 sums;
    for (int i = 0; i < 4; i++) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
}

APUS_INLINE int16_t apus_clip_16(int32_t n) { return n < -32768 ? -32768 : n > 32767 ? 32767 : n; }

APUS_INLINE apus_s16x8 apus_narrow(apus_s32x4 a, apus_s32x4 b) {
    apus_s16x8 result;
    for (int i = 0; i < 4; i++) {
        result[i] = apus_clip_16(a[i]);
        result[i + 4] = apus_clip_16(b[i]);
    }
    return result;
}

APUS_INLINE void apus_add_8(uint8_t *samples, const int16_t *numbers) {
    for (int i = 0; i < 8; i++) {
        int sum = samples[i] + numbers[i];
        samples[i] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
    }
}

APUS_INLINE void apus_transpose_8(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) to[x * to_stride + y] = from[y * from_stride + x];
}

APUS_INLINE void apus_add_8x4(uint8_t *samples, const int16_t *numbers) {
    for (int i = 0; i < 4; i++) {
        int sum = samples[i] + numbers[i];
        samples[i] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
    }
}

APUS_INLINE void apus_add_16x4(uint16_t *samples, const int16_t *numbers, int16_t most) {
    for (int i = 0; i < 4; i++) {
        int sum = samples[i] + numbers[i];
        samples[i] = sum < 0 ? 0 : sum > most ? most : sum;
    }
}

APUS_INLINE void apus_add_16(uint16_t *samples, const int16_t *numbers, int16_t most) {
    apus_add_16x4(samples, numbers, most);
    apus_add_16x4(samples + 4, numbers + 4, most);
}

APUS_INLINE void apus_transpose_16(uint16_t *to, long to_stride, const uint16_t *from, long from_stride) {
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) to[x * to_stride + y] = from[y * from_stride + x];
}

#endif

// Edges of chroma: the same on every machine, by what is above.

/// How far the samples beside an edge move towards each other: ITU-T H.265, 8.7.2.5.8.
APUS_INLINE apus_s16x8 apus_chroma_step(apus_s16x8 p1, apus_s16x8 p0, apus_s16x8 q0, apus_s16x8 q1, apus_s16x8 tc) {
    return apus_most(-tc, apus_least(tc, ((q0 - p0) * 4 + p1 - q1 + 4) >> 3));
}

APUS_INLINE apus_s16x8 apus_clip_8(apus_s16x8 numbers) {
    return apus_most((apus_s16x8)(int16_t)0, apus_least((apus_s16x8)(int16_t)255, numbers));
}

typedef uint32_t apus_u32x2 __attribute__((ext_vector_type(2)));

/// Four samples of each of two planes.
APUS_INLINE apus_s16x8 apus_load_4(const uint8_t *first, const uint8_t *second) {
    apus_u32x2 both;
    uint32_t four;
    memcpy(&four, first, 4);
    both[0] = four;
    memcpy(&four, second, 4);
    both[1] = four;
    return __builtin_convertvector((apus_u8x8)both, apus_s16x8);
}

APUS_INLINE void apus_store_4(uint8_t *first, uint8_t *second, apus_s16x8 numbers) {
    apus_u32x2 both = (apus_u32x2)__builtin_convertvector((apus_u16x8)numbers, apus_u8x8);
    uint32_t four = both[0];
    memcpy(first, &four, 4);
    four = both[1];
    memcpy(second, &four, 4);
}

/// Filters four columns of both planes across a horizontal edge, after which `cb` and `cr` point to the first samples. The
/// sides that `before` and `behind` hold zeros for stay as they are, and all others hold -1.
APUS_INLINE void apus_chroma_along_8(uint8_t *cb, uint8_t *cr, long stride, apus_s16x8 tc, int16_t before, int16_t behind) {
    apus_s16x8 p0 = apus_load_4(cb - stride, cr - stride), q0 = apus_load_4(cb, cr);
    apus_s16x8 step = apus_chroma_step(apus_load_4(cb - 2 * stride, cr - 2 * stride), p0, q0,
                                       apus_load_4(cb + stride, cr + stride), tc);
    apus_store_4(cb - stride, cr - stride, apus_clip_8(p0 + (step & before)));
    apus_store_4(cb, cr, apus_clip_8(q0 - (step & behind)));
}

/// The same for four rows and a vertical edge.
APUS_INLINE void apus_chroma_across_8(uint8_t *cb, uint8_t *cr, long stride, apus_s16x8 tc, int16_t before, int16_t behind) {
    int32_t rows[8];
    for (int i = 0; i < 4; i++) {
        memcpy(rows + i, cb + i * stride - 2, 4);
        memcpy(rows + i + 4, cr + i * stride - 2, 4);
    }
    apus_s32x4 first = {rows[0], rows[1], rows[2], rows[3]}, second = {rows[4], rows[5], rows[6], rows[7]};
    apus_s16x8 p1 = apus_narrow(first & 255, second & 255);
    apus_s16x8 p0 = apus_narrow(first >> 8 & 255, second >> 8 & 255);
    apus_s16x8 q0 = apus_narrow(first >> 16 & 255, second >> 16 & 255);
    apus_s16x8 q1 = apus_narrow(first >> 24 & 255, second >> 24 & 255);
    apus_s16x8 step = apus_chroma_step(p1, p0, q0, q1, tc);
    apus_s16x8 both = apus_clip_8(p0 + (step & before)) | apus_clip_8(q0 - (step & behind)) << 8;
    for (int i = 0; i < 4; i++) {
        int16_t pair = both[i], other = both[i + 4];
        memcpy(cb + i * stride - 1, &pair, 2);
        memcpy(cr + i * stride - 1, &other, 2);
    }
}
