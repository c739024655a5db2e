// SPDX-License-Identifier: MIT
// Operations on eight samples by NEON, included by pixel.h alone, which describes them.
#pragma once

#include <arm_neon.h>

APUS_INLINE apus_s32x4 apus_multiply_add(apus_s16x8 a, apus_s16x8 b) {
    int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)a), vget_low_s16((int16x8_t)b));
    int32x4_t high = vmull_s16(vget_high_s16((int16x8_t)a), vget_high_s16((int16x8_t)b));
    return (apus_s32x4)vpaddq_s32(low, high);
}

APUS_INLINE apus_s16x8 apus_narrow(apus_s32x4 a, apus_s32x4 b) {
    return (apus_s16x8)vcombine_s16(vqmovn_s32((int32x4_t)a), vqmovn_s32((int32x4_t)b));
}

/// Eight samples of 8 bits and as many numbers, added and clipped.
APUS_INLINE uint8x8_t apus_sum_8(uint8x8_t samples, int16x8_t numbers) {
    return vqmovun_s16(vqaddq_s16(vreinterpretq_s16_u16(vmovl_u8(samples)), numbers));
}

APUS_INLINE void apus_add_8(uint8_t *samples, const int16_t *numbers) {
    vst1_u8(samples, apus_sum_8(vld1_u8(samples), vld1q_s16(numbers)));
}

APUS_INLINE void apus_add_8x4(uint8_t *samples, const int16_t *numbers) {
    uint32_t four;
    memcpy(&four, samples, 4);
    int16x4_t last = vld1_s16(numbers);
    four = vget_lane_u32(vreinterpret_u32_u8(apus_sum_8(vcreate_u8(four), vcombine_s16(last, last))), 0);
    memcpy(samples, &four, 4);
}

APUS_INLINE void apus_add_16(uint16_t *samples, const int16_t *numbers, int16_t most) {
    int16x8_t sum = vqaddq_s16(vreinterpretq_s16_u16(vld1q_u16(samples)), vld1q_s16(numbers));
    sum = vmaxq_s16(vminq_s16(sum, vdupq_n_s16(most)), vdupq_n_s16(0));
    vst1q_u16(samples, vreinterpretq_u16_s16(sum));
}

APUS_INLINE void apus_add_16x4(uint16_t *samples, const int16_t *numbers, int16_t most) {
    int16x4_t sum = vqadd_s16(vreinterpret_s16_u16(vld1_u16(samples)), vld1_s16(numbers));
    sum = vmax_s16(vmin_s16(sum, vdup_n_s16(most)), vdup_n_s16(0));
    vst1_u16(samples, vreinterpret_u16_s16(sum));
}

/// Interleaves the first half of the samples in `count` vectors with the second half. A square of 8 × 8 is transposed by
/// three such steps, one of 16 × 16 by four.
APUS_INLINE void apus_interleave_8(uint8x16_t *v, int count) {
    uint8x16_t old[16];
    APUS_UNROLL for (int i = 0; i < count; i++) old[i] = v[i];
    APUS_UNROLL for (int i = 0; i < count / 2; i++) {
        v[2 * i] = vzip1q_u8(old[i], old[i + count / 2]);
        v[2 * i + 1] = vzip2q_u8(old[i], old[i + count / 2]);
    }
}

/// Eight rows of eight samples of 8 bits, of which each vector holds two, become columns.
APUS_INLINE void apus_turn_8(uint8x16_t v[4]) {
    APUS_UNROLL for (int step = 0; step < 3; step++) apus_interleave_8(v, 4);
}

APUS_INLINE void apus_load_rows_8(uint8x16_t v[4], const uint8_t *from, long stride) {
    APUS_UNROLL for (int i = 0; i < 4; i++)
        v[i] = vcombine_u8(vld1_u8(from + 2 * i * stride), vld1_u8(from + (2 * i + 1) * stride));
}

APUS_INLINE void apus_store_rows_8(uint8_t *to, long stride, const uint8x16_t v[4]) {
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        vst1_u8(to + 2 * i * stride, vget_low_u8(v[i]));
        vst1_u8(to + (2 * i + 1) * stride, vget_high_u8(v[i]));
    }
}

APUS_INLINE void apus_transpose_8(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
    uint8x16_t v[4];
    apus_load_rows_8(v, from, from_stride);
    apus_turn_8(v);
    apus_store_rows_8(to, to_stride, v);
}

APUS_INLINE void apus_transpose_16(uint16_t *to, long to_stride, const uint16_t *from, long from_stride) {
    uint16x8_t v[8], old[8];
    APUS_UNROLL for (int i = 0; i < 8; i++) v[i] = vld1q_u16(from + i * from_stride);
    APUS_UNROLL for (int step = 0; step < 3; step++) {
        APUS_UNROLL for (int i = 0; i < 8; i++) old[i] = v[i];
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            v[2 * i] = vzip1q_u16(old[i], old[i + 4]);
            v[2 * i + 1] = vzip2q_u16(old[i], old[i + 4]);
        }
    }
    APUS_UNROLL for (int i = 0; i < 8; i++) vst1q_u16(to + i * to_stride, v[i]);
}
