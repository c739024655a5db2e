// SPDX-License-Identifier: MIT
// Blocks of a baseline JPEG by AVX2: transformed and quantized two at a time.
#pragma once

#include "bits.h"

// What divides the coefficients of two blocks, rounding to the nearest: a correction is added, the high halves of products
// are taken.
typedef struct {
  __m256i correction[8], reciprocal[8], scale[8];
} quantizers;

WIDE static void set_quantizers(quantizers *pair, uint16_t first[3][64], uint16_t second[3][64]) {
  __m256i *targets[3] = {pair->correction, pair->reciprocal, pair->scale};
  for (int kind = 0; kind < 3; kind++)
    for (int row = 0; row < 8; row++)
      targets[kind][row] = _mm256_set_m128i(_mm_loadu_si128((const __m128i *)(second[kind] + 8 * row)),
                                            _mm_loadu_si128((const __m128i *)(first[kind] + 8 * row)));
}

// Copies bytes, and a zero after each that looks like the beginning of a marker.
INLINE uint8_t *stuff(const uint8_t *from, const uint8_t *end, uint8_t *to) {
  while (from < end) {
    __m256i bytes = _mm256_loadu_si256((const __m256i *)from);
    uint32_t marks = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(-1)));
    _mm256_storeu_si256((__m256i *)to, bytes);
    size_t left = (size_t)(end - from), count = marks ? _tzcnt_u32(marks) + 1 : 32;
    if (count > left) return to + left;
    from += count;
    to += count;
    if (marks) *to++ = 0;
  }
  return to;
}

// Transform

INLINE void transpose(__m256i v[8]) {
  __m256i a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = _mm256_unpacklo_epi16(v[2 * i], v[2 * i + 1]);
    a[2 * i + 1] = _mm256_unpackhi_epi16(v[2 * i], v[2 * i + 1]);
  }
  for (int i = 0; i < 2; i++) {
    b[4 * i] = _mm256_unpacklo_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 1] = _mm256_unpackhi_epi32(a[4 * i], a[4 * i + 2]);
    b[4 * i + 2] = _mm256_unpacklo_epi32(a[4 * i + 1], a[4 * i + 3]);
    b[4 * i + 3] = _mm256_unpackhi_epi32(a[4 * i + 1], a[4 * i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[2 * i] = _mm256_unpacklo_epi64(b[i], b[i + 4]);
    v[2 * i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 4]);
  }
}

#define FACTORS(a, b) _mm256_set1_epi32((int)((uint32_t)(uint16_t)(int16_t)(b) << 16 | (uint16_t)(int16_t)(a)))

// One direction of jfdctint.c, whose constants have 13 fractional bits and whose first pass leaves two.
INLINE void transform(__m256i v[8], const bool is_second) {
  __m256i s07 = _mm256_add_epi16(v[0], v[7]), d07 = _mm256_sub_epi16(v[0], v[7]);
  __m256i s16 = _mm256_add_epi16(v[1], v[6]), d16 = _mm256_sub_epi16(v[1], v[6]);
  __m256i s25 = _mm256_add_epi16(v[2], v[5]), d25 = _mm256_sub_epi16(v[2], v[5]);
  __m256i s34 = _mm256_add_epi16(v[3], v[4]), d34 = _mm256_sub_epi16(v[3], v[4]);
  __m256i t10 = _mm256_add_epi16(s07, s34), t13 = _mm256_sub_epi16(s07, s34);
  __m256i t11 = _mm256_add_epi16(s16, s25), t12 = _mm256_sub_epi16(s16, s25);
  __m256i sum = _mm256_add_epi16(t10, t11), difference = _mm256_sub_epi16(t10, t11);
  if (is_second) {
    v[0] = _mm256_srai_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(2)), 2);
    v[4] = _mm256_srai_epi16(_mm256_add_epi16(difference, _mm256_set1_epi16(2)), 2);
  } else {
    v[0] = _mm256_slli_epi16(sum, 2);
    v[4] = _mm256_slli_epi16(difference, 2);
  }
  const int shift = is_second ? 15 : 11;
  __m256i rounding = _mm256_set1_epi32(1 << (shift - 1));
#define ROUNDED(low, high)                                                        \
  _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(low, rounding), shift), \
                     _mm256_srai_epi32(_mm256_add_epi32(high, rounding), shift))
  __m256i low = _mm256_unpacklo_epi16(t13, t12), high = _mm256_unpackhi_epi16(t13, t12);
  __m256i factors = FACTORS(4433 + 6270, 4433);
  v[2] = ROUNDED(_mm256_madd_epi16(low, factors), _mm256_madd_epi16(high, factors));
  factors = FACTORS(4433, 4433 - 15137);
  v[6] = ROUNDED(_mm256_madd_epi16(low, factors), _mm256_madd_epi16(high, factors));

  // d34, d25, d16 and d07 are tmp4 to tmp7 there.
  __m256i z3 = _mm256_add_epi16(d34, d16), z4 = _mm256_add_epi16(d25, d07);
  low = _mm256_unpacklo_epi16(z3, z4), high = _mm256_unpackhi_epi16(z3, z4);
  factors = FACTORS(9633 - 16069, 9633);
  __m256i z3low = _mm256_madd_epi16(low, factors), z3high = _mm256_madd_epi16(high, factors);
  factors = FACTORS(9633, 9633 - 3196);
  __m256i z4low = _mm256_madd_epi16(low, factors), z4high = _mm256_madd_epi16(high, factors);
#define ODD(a, b, factors, z)                                                \
  ROUNDED(_mm256_add_epi32(_mm256_madd_epi16(a##low_##b, factors), z##low), \
          _mm256_add_epi32(_mm256_madd_epi16(a##high_##b, factors), z##high))
  __m256i olow_47 = _mm256_unpacklo_epi16(d34, d07), ohigh_47 = _mm256_unpackhi_epi16(d34, d07);
  __m256i olow_56 = _mm256_unpacklo_epi16(d25, d16), ohigh_56 = _mm256_unpackhi_epi16(d25, d16);
  v[7] = ODD(o, 47, FACTORS(2446 - 7373, -7373), z3);
  v[1] = ODD(o, 47, FACTORS(-7373, 12299 - 7373), z4);
  v[5] = ODD(o, 56, FACTORS(16819 - 20995, -20995), z4);
  v[3] = ODD(o, 56, FACTORS(-20995, 25172 - 20995), z3);
#undef ODD
#undef ROUNDED
}

// Blocks

#define NONE 0x80
#define AT(wanted, at) ((at) / 16 == (wanted) ? (at) % 16 : NONE)
#define PICK(w, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                     \
  _mm256_broadcastsi128_si256(_mm_setr_epi8(                                                                        \
      (char)AT(w, a), (char)AT(w, b), (char)AT(w, c), (char)AT(w, d), (char)AT(w, e), (char)AT(w, f),               \
      (char)AT(w, g), (char)AT(w, h), (char)AT(w, i), (char)AT(w, j), (char)AT(w, k), (char)AT(w, l),               \
      (char)AT(w, m), (char)AT(w, n), (char)AT(w, o), (char)AT(w, p)))
#define ZIGZAG0(w) PICK(w, 0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5)
#define ZIGZAG1(w) PICK(w, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28)
#define ZIGZAG2(w) PICK(w, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51)
#define ZIGZAG3(w) PICK(w, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63)

// Always two: a single block is its own partner, which costs nothing.
INLINE void quantize(const JSAMPROW *first, size_t first_at, const JSAMPROW *second, size_t second_at, int count,
                     const quantizers *quantizers, pair *result) {
  (void)count;
  __m256i v[8];
  for (int row = 0; row < 8; row++) {
    __m128i samples = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(first[row] + first_at)),
                                         _mm_loadl_epi64((const __m128i *)(second[row] + second_at)));
    v[row] = _mm256_sub_epi16(_mm256_cvtepu8_epi16(samples), _mm256_set1_epi16(128));
  }
  transpose(v);
  transform(v, false);
  transpose(v);
  transform(v, true);
  for (int row = 0; row < 8; row++) {
    __m256i magnitude = _mm256_add_epi16(_mm256_abs_epi16(v[row]), quantizers->correction[row]);
    magnitude = _mm256_mulhi_epu16(magnitude, quantizers->reciprocal[row]);
    magnitude = _mm256_mulhi_epu16(magnitude, quantizers->scale[row]);
    v[row] = _mm256_sign_epi16(magnitude, v[row]);
  }
  result->dc[0] = (int16_t)_mm256_extract_epi16(v[0], 0);
  result->dc[1] = (int16_t)_mm256_extract_epi16(v[0], 8);
  // DC is coded apart, and does not count as a level.
  __m256i without = _mm256_set_epi64x(-1, ~(int64_t)0xFF, -1, ~(int64_t)0xFF);
  __m256i a = _mm256_and_si256(_mm256_packs_epi16(v[0], v[1]), without), b = _mm256_packs_epi16(v[2], v[3]);
  __m256i c = _mm256_packs_epi16(v[4], v[5]), d = _mm256_packs_epi16(v[6], v[7]);
  __m256i most = _mm256_max_epi8(_mm256_max_epi8(a, b), _mm256_max_epi8(c, d));
  __m256i least = _mm256_min_epi8(_mm256_min_epi8(a, b), _mm256_min_epi8(c, d));
  __m256i large = _mm256_or_si256(_mm256_cmpeq_epi8(most, _mm256_set1_epi8(127)),
                                  _mm256_cmpeq_epi8(least, _mm256_set1_epi8(-128)));
  uint32_t lanes = (uint32_t)_mm256_movemask_epi8(large);
  result->large = (lanes & 0xFFFF ? 1 : 0) | (lanes >> 16 ? 2 : 0);
  if (__builtin_expect(result->large, 0))
    for (int row = 0; row < 8; row++) _mm256_store_si256((__m256i *)result->rows[row], v[row]);

  __m256i levels[4];
  levels[0] = _mm256_or_si256(
      _mm256_or_si256(_mm256_shuffle_epi8(a, ZIGZAG0(0)), _mm256_shuffle_epi8(b, ZIGZAG0(1))),
      _mm256_shuffle_epi8(c, ZIGZAG0(2)));
  levels[1] = _mm256_or_si256(
      _mm256_or_si256(_mm256_shuffle_epi8(a, ZIGZAG1(0)), _mm256_shuffle_epi8(b, ZIGZAG1(1))),
      _mm256_or_si256(_mm256_shuffle_epi8(c, ZIGZAG1(2)), _mm256_shuffle_epi8(d, ZIGZAG1(3))));
  levels[2] = _mm256_or_si256(
      _mm256_or_si256(_mm256_shuffle_epi8(a, ZIGZAG2(0)), _mm256_shuffle_epi8(b, ZIGZAG2(1))),
      _mm256_or_si256(_mm256_shuffle_epi8(c, ZIGZAG2(2)), _mm256_shuffle_epi8(d, ZIGZAG2(3))));
  levels[3] = _mm256_or_si256(
      _mm256_or_si256(_mm256_shuffle_epi8(b, ZIGZAG3(1)), _mm256_shuffle_epi8(c, ZIGZAG3(2))),
      _mm256_shuffle_epi8(d, ZIGZAG3(3)));
  uint64_t zeros[2] = {0, 0};
  for (int part = 0; part < 4; part++) {
    _mm_store_si128((__m128i *)(result->levels[0] + 16 * part), _mm256_castsi256_si128(levels[part]));
    _mm_store_si128((__m128i *)(result->levels[1] + 16 * part), _mm256_extracti128_si256(levels[part], 1));
    uint32_t mask = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(levels[part], _mm256_setzero_si256()));
    zeros[0] |= (uint64_t)(mask & 0xFFFF) << (16 * part);
    zeros[1] |= (uint64_t)(mask >> 16) << (16 * part);
  }
  result->places[0] = ~zeros[0];
  result->places[1] = ~zeros[1];
}
