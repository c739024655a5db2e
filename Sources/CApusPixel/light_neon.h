// SPDX-License-Identifier: MIT
// Kernels of light by NEON: the operations of those by AVX2 in the same order, on four numbers at a time. FMAXNM and FMINNM
// give the number where the other operand is NaN. Intrinsics are not contracted to fused operations.
#pragma once

APUS_INLINE float32x4_t apus_looked_up_neon(float32x4_t row, const float *table, float steps) {
    const float32x4_t zero = vdupq_n_f32(0), offset = vdupq_n_f32(8388608);
    float32x4_t place = vmulq_n_f32(vminnmq_f32(vmaxnmq_f32(row, zero), vdupq_n_f32(1)), steps);
    float32x4_t whole = vaddq_f32(vmaxnmq_f32(vsubq_f32(place, vdupq_n_f32(0.5f)), zero), offset);
    float32x4_t part = vsubq_f32(place, vsubq_f32(whole, offset));
    uint32x4_t numbers = vandq_u32(vreinterpretq_u32_f32(whole), vdupq_n_u32(0x7fffff));
    uint64_t a = vgetq_lane_u64(vreinterpretq_u64_u32(numbers), 0), b = vgetq_lane_u64(vreinterpretq_u64_u32(numbers), 1);
    float32x4_t left = vcombine_f32(vld1_f32(table + 2 * (uint64_t)(uint32_t)a), vld1_f32(table + 2 * (a >> 32)));
    float32x4_t right = vcombine_f32(vld1_f32(table + 2 * (uint64_t)(uint32_t)b), vld1_f32(table + 2 * (b >> 32)));
    float32x4_t start = vuzp1q_f32(left, right), growth = vuzp2q_f32(left, right);
    return vaddq_f32(start, vmulq_f32(part, growth));
}

static inline long apus_look_up_neon(float *row, long count, const float *table, float steps) {
    long x = 0;
    for (; x + 8 <= count; x += 8) {
        float32x4_t first = vld1q_f32(row + x), second = vld1q_f32(row + x + 4);
        vst1q_f32(row + x, apus_looked_up_neon(first, table, steps));
        vst1q_f32(row + x + 4, apus_looked_up_neon(second, table, steps));
    }
    return x;
}

APUS_INLINE float32x4_t apus_weighted_neon(float32x4_t a, float32x4_t b, float32x4_t c, const float *factors) {
    float32x4_t sum = vaddq_f32(vmulq_n_f32(a, factors[0]), vmulq_n_f32(b, factors[1]));
    return vaddq_f32(sum, vmulq_n_f32(c, factors[2]));
}

static inline long apus_turn_light_neon(float *red, float *green, float *blue, long count, const float *matrix,
                                        const float *weights) {
    const float32x4_t zero = vdupq_n_f32(0), one = vdupq_n_f32(1), least = vdupq_n_f32(1e-9f);
    // Copies, which writing to the rows cannot change.
    float m[12], w[3];
    memcpy(m, matrix, sizeof m);
    memcpy(w, weights, sizeof w);
    const long whole = count & ~7l;
    for (long x = 0; x < whole; x += 4) {
        float32x4_t r0 = vld1q_f32(red + x), g0 = vld1q_f32(green + x), b0 = vld1q_f32(blue + x);
        float32x4_t r = apus_weighted_neon(r0, g0, b0, m), g = apus_weighted_neon(r0, g0, b0, m + 4);
        float32x4_t b = apus_weighted_neon(r0, g0, b0, m + 8), luminance = apus_weighted_neon(r, g, b, w);
        float32x4_t low = vminnmq_f32(vminnmq_f32(r, g), b), high = vmaxnmq_f32(vmaxnmq_f32(r, g), b);
        float32x4_t below = vdivq_f32(vmaxnmq_f32(luminance, zero), vmaxnmq_f32(vsubq_f32(luminance, low), least));
        float32x4_t above = vdivq_f32(vmaxnmq_f32(vsubq_f32(one, luminance), zero),
                                      vmaxnmq_f32(vsubq_f32(high, luminance), least));
        below = vbslq_f32(vcltzq_f32(low), below, one);
        above = vbslq_f32(vcgtq_f32(high, one), above, one);
        float32x4_t part = vminnmq_f32(below, above);
        vst1q_f32(red + x, vaddq_f32(luminance, vmulq_f32(part, vsubq_f32(r, luminance))));
        vst1q_f32(green + x, vaddq_f32(luminance, vmulq_f32(part, vsubq_f32(g, luminance))));
        vst1q_f32(blue + x, vaddq_f32(luminance, vmulq_f32(part, vsubq_f32(b, luminance))));
    }
    return whole;
}

static inline long apus_count_light_neon(const float *row, long count, uint32_t *counts) {
    static const int32_t lanes[4] = {0, 1, 2, 3};
    const long whole = count & ~7l;
    for (long x = 0; x < whole; x += 4) {
        float32x4_t place = vld1q_f32(row + x);
        int32x4_t below = vcvtq_s32_f32(place);
        uint32x4_t is_above = vcgeq_f32(vsubq_f32(place, vcvtq_f32_s32(below)), vdupq_n_f32(0.5f));
        int32x4_t nearest = vsubq_s32(below, vreinterpretq_s32_u32(is_above));
        uint64x2_t numbers = vreinterpretq_u64_s32(vaddq_s32(vshlq_n_s32(nearest, 2), vld1q_s32(lanes)));
        uint64_t a = vgetq_lane_u64(numbers, 0), b = vgetq_lane_u64(numbers, 1);
        counts[(uint32_t)a]++;
        counts[a >> 32]++;
        counts[(uint32_t)b]++;
        counts[b >> 32]++;
    }
    return whole;
}

static inline long apus_fourth_root_neon(float *row, long count, float scale) {
    const long whole = count & ~7l;
    for (long x = 0; x < whole; x += 4) {
        float32x4_t scaled = vmulq_n_f32(vmaxnmq_f32(vld1q_f32(row + x), vdupq_n_f32(0)), scale);
        vst1q_f32(row + x, vsqrtq_f32(vsqrtq_f32(scaled)));
    }
    return whole;
}
