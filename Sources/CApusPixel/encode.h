// SPDX-License-Identifier: MIT
// Kernels of the encoder, for samples of 16 bits that hold 8 or 10. Their bodies in encode_kernels.h are compiled for what every
// machine of an architecture has, and on x86-64 for AVX2 as well: `wide` says which is run there (`apus_has_wide`). Both give
// the same results, and so does the plain way (APUS_PORTABLE).
#pragma once

#include "pixel.h"

typedef int16_t apus_s16x4 __attribute__((ext_vector_type(4)));
typedef uint16_t apus_u16x8 __attribute__((ext_vector_type(8)));
typedef int16_t apus_s16x16 __attribute__((ext_vector_type(16)));
typedef uint16_t apus_u16x16 __attribute__((ext_vector_type(16)));
typedef int32_t apus_s32x8 __attribute__((ext_vector_type(8)));
typedef uint32_t apus_u32x8 __attribute__((ext_vector_type(8)));
typedef int16_t apus_s16x4_loose __attribute__((ext_vector_type(4), aligned(2), may_alias));
typedef int16_t apus_s16x8_loose __attribute__((ext_vector_type(8), aligned(2), may_alias));
typedef int16_t apus_s16x16_loose __attribute__((ext_vector_type(16), aligned(2), may_alias));

#define APUS_LOAD4(at) ((apus_s16x4)*(const apus_s16x4_loose *)(at))
#define APUS_LOAD8(at) ((apus_s16x8)*(const apus_s16x8_loose *)(at))
#define APUS_LOAD16(at) ((apus_s16x16)*(const apus_s16x16_loose *)(at))
#define APUS_STORE4(at, v) (*(apus_s16x4_loose *)(at) = (v))
#define APUS_STORE8(at, v) (*(apus_s16x8_loose *)(at) = (v))
#define APUS_STORE16(at, v) (*(apus_s16x16_loose *)(at) = (v))
#define APUS_LOW8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define APUS_HIGH8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
// Within halves of eight, as AVX2 has it.
#define APUS_LOW16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)
#define APUS_HIGH16(a, b) __builtin_shufflevector(a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31)
#define APUS_ABS16(a) __builtin_elementwise_abs(a)
#define APUS_MOST16(a, b) __builtin_elementwise_max(a, b)
#define APUS_HALF(a, half) __builtin_shufflevector(a, a, 8 * (half), 8 * (half) + 1, 8 * (half) + 2, 8 * (half) + 3, 8 * (half) + 4, 8 * (half) + 5, 8 * (half) + 6, 8 * (half) + 7)
#define APUS_HALF4(a, half) __builtin_shufflevector(a, a, 4 * (half), 4 * (half) + 1, 4 * (half) + 2, 4 * (half) + 3)
#define APUS_BOTH4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define APUS_BOTH8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

#define apus_first_half ((apus_s16x16){1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0})
#define apus_even ((apus_s16x16){1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0})
// Numbers of rows, from 1 on, where a vector holds four or two of them.
#define apus_rows4 ((apus_s16x16){1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4})
#define apus_rows8 ((apus_s16x16){1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5, 5, 5, 5, 5, 5})
#define apus_minus8 ((apus_s16x16){0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1})
#define apus_minus4 ((apus_s16x16){0, 0, 0, 0, -1, -1, -1, -1, 0, 0, 0, 0, -1, -1, -1, -1})
#define apus_minus2 ((apus_s16x16){0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1})
#define apus_lanes16 ((apus_s16x16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#define apus_bits ((apus_s16x16){1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768})
#define apus_sum8(v) ((v)[0] + (v)[1] + (v)[2] + (v)[3] + (v)[4] + (v)[5] + (v)[6] + (v)[7])

#if defined(__SSE2__) && !defined(APUS_PORTABLE)
#define APUS_MASK16(v) \
    (uint16_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)APUS_HALF(v, 0), (__m128i)APUS_HALF(v, 1)))
#else
APUS_INLINE uint16_t apus_mask_plain(const int16_t *v) {
    uint16_t mask = 0;
    for (int i = 0; i < 16; i++) mask |= (v[i] != 0) << i;
    return mask;
}
#define APUS_MASK16(v) ({ int16_t apus_lanes[16]; APUS_STORE16(apus_lanes, v); apus_mask_plain(apus_lanes); })
#endif

#define APUS_TARGET
#define APUS_NAME(name) name##_base
#define APUS_MADD16(a, b) APUS_BOTH4(apus_multiply_add(APUS_HALF(a, 0), APUS_HALF(b, 0)), apus_multiply_add(APUS_HALF(a, 1), APUS_HALF(b, 1)))
#define APUS_NARROW16(a, b) APUS_BOTH8(apus_narrow(APUS_HALF4(a, 0), APUS_HALF4(b, 0)), apus_narrow(APUS_HALF4(a, 1), APUS_HALF4(b, 1)))
#include "encode_kernels.h"
#undef APUS_TARGET
#undef APUS_NAME
#undef APUS_MADD16
#undef APUS_NARROW16

#if defined(__x86_64__) && defined(__SSE2__) && !defined(APUS_PORTABLE)
#include <cpuid.h>
#include <immintrin.h>

#define APUS_TARGET __attribute__((target("avx2")))
#define APUS_NAME(name) name##_avx2
#define APUS_MADD16(a, b) ((apus_s32x8)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#define APUS_NARROW16(a, b) ((apus_s16x16)_mm256_packs_epi32((__m256i)(a), (__m256i)(b)))
#include "encode_kernels.h"
#undef APUS_TARGET
#undef APUS_NAME
#undef APUS_MADD16
#undef APUS_NARROW16

/// Whether machine and system have what `wide` chooses: AVX2, or NEON.
static inline int apus_has_wide(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 27)) || !(c & (1u << 28))) return 0;
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 5)) != 0;
}
#define APUS_CHOICE(name, ...) return wide ? name##_avx2(__VA_ARGS__) : name##_base(__VA_ARGS__)
#else
static inline int apus_has_wide(void) {
#ifdef APUS_NEON
    return 1;
#else
    return 0;
#endif
}
#define APUS_CHOICE(name, ...) return (void)wide, name##_base(__VA_ARGS__)
#endif

static inline int apus_satd(int wide, const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    APUS_CHOICE(apus_satd, a, a_stride, b, b_stride, log2);
}
static inline int apus_satd_angle(int wide, const uint16_t *block, long stride, const uint16_t *reference, int angle, int log2) {
    APUS_CHOICE(apus_satd_angle, block, stride, reference, angle, log2);
}
static inline void apus_predict_angle(int wide, uint16_t *to, long stride, const uint16_t *reference, int angle, int log2) {
    APUS_CHOICE(apus_predict_angle, to, stride, reference, angle, log2);
}
static inline void apus_predict_planar(int wide, uint16_t *to, long stride, const uint16_t *left, const uint16_t *above, int log2) {
    APUS_CHOICE(apus_predict_planar, to, stride, left, above, log2);
}
static inline void apus_difference(int wide, int16_t *to, const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    APUS_CHOICE(apus_difference, to, a, a_stride, b, b_stride, log2);
}
static inline int apus_squares(int wide, const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    APUS_CHOICE(apus_squares, a, a_stride, b, b_stride, log2);
}
static inline void apus_reconstruct(int wide, uint16_t *to, long stride, const uint16_t *prediction, long p_stride, const int16_t *residual, int log2, int16_t most) {
    APUS_CHOICE(apus_reconstruct, to, stride, prediction, p_stride, residual, log2, most);
}
static inline void apus_transform(int wide, int16_t *to, const int16_t *from, const int16_t *factors, int log2, int bit_depth) {
    APUS_CHOICE(apus_transform, to, from, factors, log2, bit_depth);
}
static inline int apus_quantize(int wide, int16_t *levels, int16_t *rests, uint16_t *masks, uint16_t *signs, const int16_t *from, const uint16_t *groups, int count, int side, int scan, int scale, int shift, int least, int64_t *error) {
    APUS_CHOICE(apus_quantize, levels, rests, masks, signs, from, groups, count, side, scan, scale, shift, least, error);
}
static inline void apus_offset_sums(int wide, int32_t *sums, const uint16_t *source, long source_stride, const uint16_t *made, long stride, long distance, int width, int height) {
    APUS_CHOICE(apus_offset_sums, sums, source, source_stride, made, stride, distance, width, height);
}
APUS_INLINE uint32_t apus_odd(const int16_t *numbers) { return apus_odd_base(numbers); }
APUS_INLINE void apus_sign(int16_t *numbers, uint16_t signs) { apus_sign_base(numbers, signs); }
APUS_INLINE uint32_t apus_found(const int16_t *numbers) { return apus_found_base(numbers); }
