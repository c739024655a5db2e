// SPDX-License-Identifier: MIT
// Blocks of a baseline JPEG by NEON: transformed and quantized one after the other, to the same levels as by AVX2.
#pragma once

#include "bits.h"

#include <arm_neon.h>

// Divides coefficients, rounding to the nearest: a correction is added, the high half of a product is taken and
// shifted. Shifts are negative, because they go to the right.
typedef struct {
  uint16x8_t correction[8], reciprocal[8];
  int16x8_t shift[8];
} quantizer;

// Those of two blocks.
typedef struct {
  quantizer of[2];
} quantizers;

// `first` and `second` have corrections, reciprocals and scales, which are powers of two that products are multiplied by
// before their high halves are taken.
static void set_quantizers(quantizers *pair, uint16_t first[3][64], uint16_t second[3][64]) {
  for (int i = 0; i < 2; i++) {
    uint16_t(*values)[64] = i ? second : first;
    int16_t shifts[64];
    for (int place = 0; place < 64; place++) shifts[place] = (int16_t)(__builtin_ctz(values[2][place]) - 16);
    for (int row = 0; row < 8; row++) {
      pair->of[i].correction[row] = vld1q_u16(values[0] + 8 * row);
      pair->of[i].reciprocal[row] = vld1q_u16(values[1] + 8 * row);
      pair->of[i].shift[row] = vld1q_s16(shifts + 8 * row);
    }
  }
}

// Copies bytes, and a zero after each that looks like the beginning of a marker.
INLINE uint8_t *stuff(const uint8_t *from, const uint8_t *end, uint8_t *to) {
  while (from < end) {
    uint8x16_t bytes = vld1q_u8(from);
    // Four bits for each byte.
    uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(vceqq_u8(bytes, vdupq_n_u8(0xFF))), 4);
    uint64_t marks = vget_lane_u64(vreinterpret_u64_u8(halves), 0);
    vst1q_u8(to, bytes);
    size_t left = (size_t)(end - from), count = marks ? (size_t)__builtin_ctzll(marks) / 4 + 1 : 16;
    if (count > left) return to + left;
    from += count;
    to += count;
    if (marks) *to++ = 0;
  }
  return to;
}

// Transform

#define WORDS(v) vreinterpretq_s32_s16(v)
#define PAIRS(v) vreinterpretq_s64_s32(v)

INLINE void transpose(int16x8_t v[8]) {
  int32x4_t a[8], b[8];
  for (int i = 0; i < 4; i++) {
    a[2 * i] = WORDS(vtrn1q_s16(v[2 * i], v[2 * i + 1]));
    a[2 * i + 1] = WORDS(vtrn2q_s16(v[2 * i], v[2 * i + 1]));
  }
  for (int i = 0; i < 8; i += 4) {
    for (int odd = 0; odd < 2; odd++) {
      b[i + odd] = vtrn1q_s32(a[i + odd], a[i + odd + 2]);
      b[i + odd + 2] = vtrn2q_s32(a[i + odd], a[i + odd + 2]);
    }
  }
  for (int i = 0; i < 4; i++) {
    v[i] = vreinterpretq_s16_s64(vtrn1q_s64(PAIRS(b[i]), PAIRS(b[i + 4])));
    v[i + 4] = vreinterpretq_s16_s64(vtrn2q_s64(PAIRS(b[i]), PAIRS(b[i + 4])));
  }
}

#undef WORDS
#undef PAIRS

// Sums of products, as two vectors of four.
typedef struct {
  int32x4_t low, high;
} sums;

// Adds the products of `a` and a factor, given by its place.
#define ADD(to, a, factors, at)                                       \
  (sums) {                                                            \
    vmlal_laneq_s16((to).low, vget_low_s16(a), factors, at),          \
    vmlal_high_laneq_s16((to).high, a, factors, at)                   \
  }
#define MULTIPLY(a, factors, at) \
  (sums) { vmull_laneq_s16(vget_low_s16(a), factors, at), vmull_high_laneq_s16(a, factors, at) }

INLINE int16x8_t rounded(sums from, const bool is_second) {
  return is_second ? vrshrn_high_n_s32(vrshrn_n_s32(from.low, 15), from.high, 15)
                   : vrshrn_high_n_s32(vrshrn_n_s32(from.low, 11), from.high, 11);
}

static const int16_t even_factors[8] = {4433 + 6270, 4433, 4433 - 15137, 9633 - 16069, 9633, 9633 - 3196};
static const int16_t odd_factors[8] = {2446 - 7373, -7373, 12299 - 7373, 16819 - 20995, -20995, 25172 - 20995};

// One direction of jfdctint.c, whose constants have 13 fractional bits and whose first pass leaves two.
INLINE void transform(int16x8_t v[8], const bool is_second) {
  const int16x8_t even = vld1q_s16(even_factors), odd = vld1q_s16(odd_factors);
  int16x8_t s07 = vaddq_s16(v[0], v[7]), d07 = vsubq_s16(v[0], v[7]);
  int16x8_t s16 = vaddq_s16(v[1], v[6]), d16 = vsubq_s16(v[1], v[6]);
  int16x8_t s25 = vaddq_s16(v[2], v[5]), d25 = vsubq_s16(v[2], v[5]);
  int16x8_t s34 = vaddq_s16(v[3], v[4]), d34 = vsubq_s16(v[3], v[4]);
  int16x8_t t10 = vaddq_s16(s07, s34), t13 = vsubq_s16(s07, s34);
  int16x8_t t11 = vaddq_s16(s16, s25), t12 = vsubq_s16(s16, s25);
  int16x8_t sum = vaddq_s16(t10, t11), difference = vsubq_s16(t10, t11);
  v[0] = is_second ? vrshrq_n_s16(sum, 2) : vshlq_n_s16(sum, 2);
  v[4] = is_second ? vrshrq_n_s16(difference, 2) : vshlq_n_s16(difference, 2);
  v[2] = rounded(ADD(MULTIPLY(t13, even, 0), t12, even, 1), is_second);
  v[6] = rounded(ADD(MULTIPLY(t13, even, 1), t12, even, 2), is_second);

  // d34, d25, d16 and d07 are tmp4 to tmp7 there.
  int16x8_t z3 = vaddq_s16(d34, d16), z4 = vaddq_s16(d25, d07);
  sums third = ADD(MULTIPLY(z3, even, 3), z4, even, 4), fourth = ADD(MULTIPLY(z3, even, 4), z4, even, 5);
  v[7] = rounded(ADD(ADD(third, d34, odd, 0), d07, odd, 1), is_second);
  v[1] = rounded(ADD(ADD(fourth, d34, odd, 1), d07, odd, 2), is_second);
  v[5] = rounded(ADD(ADD(fourth, d25, odd, 3), d16, odd, 4), is_second);
  v[3] = rounded(ADD(ADD(third, d25, odd, 4), d16, odd, 5), is_second);
}

#undef ADD
#undef MULTIPLY

// Blocks

INLINE int16x8_t divided(int16x8_t coefficients, const quantizer *quantizer, int row) {
  uint16x8_t magnitude = vaddq_u16(vreinterpretq_u16_s16(vabsq_s16(coefficients)), quantizer->correction[row]);
  uint16x8_t factor = quantizer->reciprocal[row];
  uint32x4_t low = vmull_u16(vget_low_u16(magnitude), vget_low_u16(factor)), high = vmull_high_u16(magnitude, factor);
  // High halves of the products.
  magnitude = vuzp2q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
  int16x8_t quotient = vreinterpretq_s16_u16(vshlq_u16(magnitude, quantizer->shift[row]));
  int16x8_t sign = vshrq_n_s16(coefficients, 15);
  return vsubq_s16(veorq_s16(quotient, sign), sign);
}

// A bit for each of 64 levels that is not 0.
INLINE uint64_t places_of(uint8x16_t levels[4]) {
  const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
  for (int part = 0; part < 4; part++) levels[part] = vandq_u8(vtstq_u8(levels[part], levels[part]), bits);
  uint8x16_t sums = vpaddq_u8(vpaddq_u8(levels[0], levels[1]), vpaddq_u8(levels[2], levels[3]));
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

INLINE void quantize_block(const JSAMPROW *rows, size_t at, const quantizer *quantizer, pair *result, int i) {
  int16x8_t v[8];
  for (int row = 0; row < 8; row++)
    v[row] = vreinterpretq_s16_u16(vsubl_u8(vld1_u8(rows[row] + at), vdup_n_u8(128)));
  transpose(v);
  transform(v, false);
  transpose(v);
  transform(v, true);
  for (int row = 0; row < 8; row++) v[row] = divided(v[row], quantizer, row);
  result->dc[i] = vgetq_lane_s16(v[0], 0);
  int8x16_t narrow[4], most;
  for (int part = 0; part < 4; part++)
    narrow[part] = vqmovn_high_s16(vqmovn_s16(v[2 * part]), v[2 * part + 1]);
  // DC is coded apart, and does not count as a level.
  narrow[0] = vsetq_lane_s8(0, narrow[0], 0);
  most = vmaxq_s8(vmaxq_s8(vqabsq_s8(narrow[0]), vqabsq_s8(narrow[1])),
                  vmaxq_s8(vqabsq_s8(narrow[2]), vqabsq_s8(narrow[3])));
  if (__builtin_expect(vmaxvq_s8(most) == 127, 0)) {
    result->large |= 1 << i;
    for (int row = 0; row < 8; row++) vst1q_s16(result->rows[row] + 8 * i, v[row]);
  }
  uint8x16x4_t table;
  uint8x16_t levels[4];
  for (int part = 0; part < 4; part++) table.val[part] = vreinterpretq_u8_s8(narrow[part]);
  for (int part = 0; part < 4; part++) {
    levels[part] = vqtbl4q_u8(table, vld1q_u8(zigzag + 16 * part));
    vst1q_u8((uint8_t *)result->levels[i] + 16 * part, levels[part]);
  }
  result->places[i] = places_of(levels);
}

// The second block is left out if there is only one.
INLINE void quantize(const JSAMPROW *first, size_t first_at, const JSAMPROW *second, size_t second_at, int count,
                     const quantizers *quantizers, pair *result) {
  result->large = 0;
  quantize_block(first, first_at, &quantizers->of[0], result, 0);
  if (count > 1) quantize_block(second, second_at, &quantizers->of[1], result, 1);
}
