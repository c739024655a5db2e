// SPDX-License-Identifier: MIT
// Levels of a baseline JPEG as bits, the same for every machine that transforms blocks by vectors.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Both give 32 for 0.
#ifdef __x86_64__
#include <immintrin.h>
#define WIDE __attribute__((target("avx2,bmi,bmi2,lzcnt")))
#define LEADING_ZEROS(number) (int)_lzcnt_u32(number)
#else
#include <arm_acle.h>
#define WIDE
#define LEADING_ZEROS(number) (int)__clz(number)
#endif
#define INLINE static inline __attribute__((always_inline)) WIDE

// Bits and how many they are: the count in the lowest five.
typedef uint32_t code;

typedef struct {
  // For each size of a difference of DC.
  code dc[12];
  // For each symbol of AC.
  code symbols[256];
  // For each run of zeros and the level after it, which is taken for unsigned.
  code levels[16][256];
} coder;

// Two blocks, quantized.
typedef struct {
  // In zigzag order; the first of each are 0.
  _Alignas(32) int8_t levels[2][64];
  // In rows, those of both blocks side by side; only if one is large.
  _Alignas(32) int16_t rows[8][16];
  uint64_t places[2];
  int dc[2];
  // Bits of the blocks whose levels do not fit into bytes.
  int large;
} pair;

static const uint8_t zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

typedef struct {
  uint64_t bits;
  int count;
  uint8_t *bytes;
} writer;

INLINE void put(writer *writer, code code) {
  int length = code & 31;
  writer->bits = writer->bits << length | code >> 5;
  writer->count += length;
  // Without a branch, which could not be predicted.
  uint64_t word = __builtin_bswap64(writer->bits << (64 - writer->count));
  memcpy(writer->bytes, &word, 8);
  writer->bytes += writer->count >> 3;
  writer->count &= 7;
}

INLINE code sized(code symbol, int level, int size) {
  uint32_t bits = (uint32_t)(level + (level >> 31)) & ((1u << size) - 1);
  return ((symbol >> 5) << size | bits) << 5 | ((symbol & 31) + (code)size);
}

INLINE int size_of(int level) { return 32 - LEADING_ZEROS((uint32_t)abs(level)); }

INLINE void put_dc(writer *writer, const coder *coder, int difference) {
  int size = size_of(difference);
  put(writer, sized(coder->dc[size], difference, size));
}

// The levels of a block, all of which fit into bytes. `places` has a bit for each that is not 0.
INLINE void put_levels(writer *writer, const coder *coder, const int8_t *levels, uint64_t places) {
  int last = 0;
  while (places) {
    int place = __builtin_ctzll(places), run = place - last - 1;
    last = place;
    places &= places - 1;
    while (__builtin_expect(run > 15, 0)) {
      put(writer, coder->symbols[0xF0]);
      run -= 16;
    }
    put(writer, coder->levels[run][(uint8_t)levels[place]]);
  }
  if (last < 63) put(writer, coder->symbols[0]);
}

// The same for any levels, in rows; false if one is larger than JPEG allows.
WIDE static bool put_large(writer *writer, const coder *coder, const int16_t *levels, int stride) {
  int run = 0;
  for (int place = 1; place < 64; place++) {
    int level = levels[(zigzag[place] >> 3) * stride + (zigzag[place] & 7)];
    if (!level) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) put(writer, coder->symbols[0xF0]);
    int size = size_of(level);
    if (size > 10) return false;
    put(writer, sized(coder->symbols[run << 4 | size], level, size));
    run = 0;
  }
  if (run) put(writer, coder->symbols[0]);
  return true;
}
