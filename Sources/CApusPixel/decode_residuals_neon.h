// SPDX-License-Identifier: MIT
// Inverse transforms, and what they leave added to predictions, by NEON, included by decode.h alone.
#pragma once

/// Adds the products of two numbers and two factors to four sums, or begins the sums with them.
APUS_WIDE_PART int32x4_t apus_products(int32x4_t sums, int16x4_t a, int16_t factor, int16x4_t b, int16_t other,
                                       int is_first) {
    sums = is_first ? vmull_n_s16(a, factor) : vmlal_n_s16(sums, a, factor);
    return vmlal_n_s16(sums, b, other);
}

/// Adds what four rows of coefficients contribute to the even and odd sums of four rows of the result, for four columns or,
/// with two halves, for eight.
APUS_WIDE_PART void apus_add_columns(int32x4_t *even, int32x4_t *odd, const int16_t *from, long side, const int16_t *factors,
                                     int halves, int is_first) {
    const int16x8_t evens = vld1q_s16(factors), odds = vld1q_s16(factors + 32);
    APUS_UNROLL for (int half = 0; half < halves; half++) {
        int16x4_t rows[4];
        APUS_UNROLL for (int row = 0; row < 4; row++) rows[row] = vld1_s16(from + row * side + 4 * half);
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            int32x4_t *sums = even + 4 * half + i, *others = odd + 4 * half + i;
            *sums = apus_products(*sums, rows[0], evens[2 * i], rows[2], evens[2 * i + 1], is_first);
            *others = apus_products(*others, rows[1], odds[2 * i], rows[3], odds[2 * i + 1], is_first);
        }
    }
}

/// The first pass of the inverse transform for four or eight columns of coefficients, of which `groups` of four rows may
/// hold anything but zeros.
APUS_WIDE_PART void apus_inverse_columns(int16_t *to, const int16_t *from, const int16_t *pairs, long side, int groups,
                                         int halves) {
    int16_t *first = to, *last = to + (side - 1) * side;
    for (long row = 0; row < side / 2; row += 4) {
        int32x4_t even[8], odd[8];
        const int16_t *factors = pairs + 2 * row, *rows = from;
        apus_add_columns(even, odd, rows, side, factors, halves, 1);
        for (int group = 1; group < groups; group++) {
            rows += 4 * side;
            factors += 64;
            apus_add_columns(even, odd, rows, side, factors, halves, 0);
        }
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            APUS_UNROLL for (int half = 0; half < halves; half++) {
                int32x4_t a = even[4 * half + i], b = odd[4 * half + i];
                vst1_s16(first + 4 * half, vqrshrn_n_s32(vaddq_s32(a, b), 7));
                vst1_s16(last + 4 * half, vqrshrn_n_s32(vsubq_s32(a, b), 7));
            }
            first += side;
            last -= side;
        }
    }
}

/// Adds what four numbers of each of four rows contribute to the even and odd sums of four or eight columns of the result.
APUS_WIDE_PART void apus_add_rows(int32x4_t *even, int32x4_t *odd, const int16_t *from, long side, const int16_t *factors,
                                  int halves, int is_first) {
    int16x4x2_t evens[2], odds[2];
    APUS_UNROLL for (int half = 0; half < halves; half++) {
        evens[half] = vld2_s16(factors + 8 * half);
        odds[half] = vld2_s16(factors + 32 + 8 * half);
    }
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        const int16x4_t four = vld1_s16(from + i * side);
        APUS_UNROLL for (int half = 0; half < halves; half++) {
            int32x4_t *sums = even + 4 * half + i, *others = odd + 4 * half + i;
            *sums = apus_products(*sums, evens[half].val[0], four[0], evens[half].val[1], four[2], is_first);
            *others = apus_products(*others, odds[half].val[0], four[1], odds[half].val[1], four[3], is_first);
        }
    }
}

/// Sums that are rounded, shifted and clipped to 16 bits: by 12 bits in one step.
APUS_WIDE_PART int16x4_t apus_shifted(int32x4_t sums, int shift) {
    return shift == 12 ? vqrshrn_n_s32(sums, 12) : vqmovn_s32(vrshlq_s32(sums, vdupq_n_s32(-shift)));
}

/// The second pass, four rows at a time, of which the first `groups` of four numbers may hold anything but zeros.
APUS_WIDE_PART void apus_inverse_rows(int16_t *to, const int16_t *from, const int16_t *pairs, long side, int shift,
                                      int groups, int halves) {
    for (long row = 0; row < side; row += 4) {
        for (long column = 0; column < side / 2; column += 4 * halves) {
            int32x4_t even[8], odd[8];
            const int16_t *factors = pairs + 2 * column, *numbers = from;
            apus_add_rows(even, odd, numbers, side, factors, halves, 1);
            for (int group = 1; group < groups; group++) {
                numbers += 4;
                factors += 64;
                apus_add_rows(even, odd, numbers, side, factors, halves, 0);
            }
            int16_t *left = to + column, *right = to + side - 4 - column;
            APUS_UNROLL for (int i = 0; i < 4; i++) {
                APUS_UNROLL for (int half = 0; half < halves; half++) {
                    int32x4_t a = even[4 * half + i], b = odd[4 * half + i];
                    vst1_s16(left + 4 * half, apus_shifted(vaddq_s32(a, b), shift));
                    vst1_s16(right - 4 * half, vrev64_s16(apus_shifted(vsubq_s32(a, b), shift)));
                }
                left += side;
                right += side;
            }
        }
        from += 4 * side;
        to += 4 * side;
    }
}

APUS_WIDE int apus_inverse_neon(int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int columns, int rows,
                                int shift) {
    const long side = 1l << log2;
    int16_t between[1024];
    long column = 0;
    for (; column + 8 <= columns; column += 8)
        apus_inverse_columns(between + column, from + column, pairs, side, rows / 4, 2);
    if (column < columns) apus_inverse_columns(between + column, from + column, pairs, side, rows / 4, 1);
    const int groups = columns / 4;
    // By 12 bits for samples of 8 bits, which most pictures have.
    if (log2 == 3 && shift == 12) apus_inverse_rows(to, between, pairs, 8, 12, groups, 1);
    else if (log2 == 3) apus_inverse_rows(to, between, pairs, 8, shift, groups, 1);
    else if (shift == 12) apus_inverse_rows(to, between, pairs, side, 12, groups, 2);
    else apus_inverse_rows(to, between, pairs, side, shift, groups, 2);
    return 1;
}

APUS_WIDE int apus_inverse_small_neon(int16_t *to, const int16_t *from, const int16_t *matrix, int shift) {
    int16x4_t rows[4], between[4];
    const int16x8_t firsts = vld1q_s16(matrix), lasts = vld1q_s16(matrix + 8);
    const int16x4x2_t upper = vld2_s16(matrix), lower = vld2_s16(matrix + 8);
    APUS_UNROLL for (int i = 0; i < 4; i++) rows[i] = vld1_s16(from + 4 * i);
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        int32x4_t sums = apus_products(vdupq_n_s32(0), rows[0], firsts[2 * i], rows[1], firsts[2 * i + 1], 1);
        sums = apus_products(sums, rows[2], lasts[2 * i], rows[3], lasts[2 * i + 1], 0);
        between[i] = vqrshrn_n_s32(sums, 7);
    }
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        int32x4_t sums = apus_products(vdupq_n_s32(0), upper.val[0], between[i][0], upper.val[1], between[i][1], 1);
        sums = apus_products(sums, lower.val[0], between[i][2], lower.val[1], between[i][3], 0);
        vst1_s16(to + 4 * i, vqmovn_s32(vrshlq_s32(sums, vdupq_n_s32(-shift))));
    }
    return 1;
}

// Differences

/// Sixteen samples of 8 bits and as many differences, added and clipped.
APUS_WIDE_PART uint8x16_t apus_sums(uint8x16_t samples, const int16_t *numbers) {
    return vcombine_u8(apus_sum_8(vget_low_u8(samples), vld1q_s16(numbers)),
                       apus_sum_8(vget_high_u8(samples), vld1q_s16(numbers + 8)));
}

APUS_WIDE_PART void apus_add_side(uint8_t *to, long stride, const int16_t *numbers, int side) {
    for (int row = 0; row < side; row++) {
        if (side == 4) apus_add_8x4(to, numbers);
        if (side == 8) apus_add_8(to, numbers);
        APUS_UNROLL for (int column = 0; column < side / 16 * 16; column += 16)
            vst1q_u8(to + column, apus_sums(vld1q_u8(to + column), numbers + column));
        to += stride;
        numbers += side;
    }
}

APUS_WIDE int apus_add_block_8_neon(uint8_t *to, long stride, const int16_t *numbers, int log2) {
    if (log2 == 2) apus_add_side(to, stride, numbers, 4);
    else if (log2 == 3) apus_add_side(to, stride, numbers, 8);
    else if (log2 == 4) apus_add_side(to, stride, numbers, 16);
    else apus_add_side(to, stride, numbers, 32);
    return 1;
}

/// Adds one number to all samples and subtracts another one.
APUS_WIDE_PART void apus_move_side(uint8_t *to, long stride, uint8x16_t more, uint8x16_t less, int side) {
    for (int row = 0; row < side; row++) {
        if (side < 16) {
            uint64_t samples = 0;
            memcpy(&samples, to, side);
            uint8x8_t moved = vqsub_u8(vqadd_u8(vcreate_u8(samples), vget_low_u8(more)), vget_low_u8(less));
            samples = vget_lane_u64(vreinterpret_u64_u8(moved), 0);
            memcpy(to, &samples, side);
        }
        APUS_UNROLL for (int column = 0; column < side / 16 * 16; column += 16)
            vst1q_u8(to + column, vqsubq_u8(vqaddq_u8(vld1q_u8(to + column), more), less));
        to += stride;
    }
}

APUS_WIDE int apus_add_flat_8_neon(uint8_t *to, long stride, int number, int log2) {
    // One of the two is zero.
    const uint8x16_t more = vdupq_n_u8(number < 0 ? 0 : number > 255 ? 255 : number);
    const uint8x16_t less = vdupq_n_u8(number > 0 ? 0 : number < -255 ? 255 : -number);
    if (log2 == 2) apus_move_side(to, stride, more, less, 4);
    else if (log2 == 3) apus_move_side(to, stride, more, less, 8);
    else if (log2 == 4) apus_move_side(to, stride, more, less, 16);
    else apus_move_side(to, stride, more, less, 32);
    return 1;
}
