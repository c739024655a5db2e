// SPDX-License-Identifier: MIT
// Kernels of colours by NEON: the operations of those by AVX2 in the same order. Intrinsics are not contracted to fused
// operations.
#pragma once

/// Sixteen pixels; `colours` are eight numbers of each channel and one more on either side.
APUS_INLINE void apus_pixels_16_neon(uint8_t *to, const uint8_t *luma, const float *colours, long spacing,
                                     const float *factors, const float *parts, const float *offsets) {
    const uint8x16_t samples = vld1q_u8(luma);
    const uint16x8_t low = vmovl_u8(vget_low_u8(samples)), high = vmovl_high_u8(samples);
    const float32x4_t first[4] = {vcvtq_f32_u32(vmovl_u16(vget_low_u16(low))), vcvtq_f32_u32(vmovl_high_u16(low)),
                                  vcvtq_f32_u32(vmovl_u16(vget_low_u16(high))), vcvtq_f32_u32(vmovl_high_u16(high))};
    uint8x16x3_t pixels;
    APUS_UNROLL for (int channel = 0; channel < 3; channel++) {
        uint16x8_t halves[2];
        APUS_UNROLL for (int half = 0; half < 2; half++) {
            const float *row = colours + channel * spacing + 4 * half;
            float32x4_t own = vld1q_f32(row);
            float32x4_t left = vaddq_f32(own, vmulq_n_f32(vsubq_f32(vld1q_f32(row - 1), own), parts[0]));
            float32x4_t right = vaddq_f32(own, vmulq_n_f32(vsubq_f32(vld1q_f32(row + 1), own), parts[1]));
            float32x4_t added[2] = {vzip1q_f32(left, right), vzip2q_f32(left, right)};
            uint32x4_t whole[2];
            APUS_UNROLL for (int i = 0; i < 2; i++) {
                float32x4_t sum = vaddq_f32(vmulq_n_f32(first[2 * half + i], factors[4 * channel]), added[i]);
                // Saturates, as do the narrower numbers.
                whole[i] = vcvtnq_u32_f32(vaddq_f32(sum, vld1q_f32(offsets + 8 * half + 4 * i)));
            }
            halves[half] = vqmovn_high_u32(vqmovn_u32(whole[0]), whole[1]);
        }
        pixels.val[channel] = vqmovn_high_u16(vqmovn_u16(halves[0]), halves[1]);
    }
    vst3q_u8(to, pixels);
}

static inline int apus_pixels_neon(uint8_t *to, const uint8_t *luma, long count, float *colours, long spacing,
                                   const float *factors, const float *parts, const float *offsets) {
    for (int channel = 0; channel < 3; channel++) {
        float *row = colours + channel * spacing;
        row[-1] = row[0];
        row[(count + 1) / 2] = row[(count - 1) / 2];
    }
    long x = 0;
    for (; x + 16 <= count; x += 16)
        apus_pixels_16_neon(to + 3 * x, luma + x, colours + x / 2, spacing, factors, parts, offsets);
    if (x < count) {
        uint8_t last[48], samples[16] = {0};
        memcpy(samples, luma + x, count - x);
        apus_pixels_16_neon(last, samples, colours + x / 2, spacing, factors, parts, offsets);
        memcpy(to + 3 * x, last, 3 * (count - x));
    }
    return 1;
}
