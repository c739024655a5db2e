// SPDX-License-Identifier: MIT
// Filters of samples of 8 bits by NEON, included by decode.h alone.
#pragma once

/// The limits of eight lines across an edge, in all lanes.
typedef struct {
    int16x8_t beta, tc, before, behind;
} apus_edge_limits;

/// The first of each four lanes, repeated.
APUS_WIDE_PART int16x8_t apus_first_of_4(uint16x8_t lines) {
    const uint8x16_t order = vcombine_u8(vcreate_u8(0x0100010001000100), vcreate_u8(0x0908090809080908));
    return vreinterpretq_s16_u8(vqtbl1q_u8(vreinterpretq_u8_u16(lines), order));
}

/// All ones for four lines of which the first and the last together bend by less than a limit.
APUS_WIDE_PART int16x8_t apus_bends_less(int16x8_t bend, int16x8_t limit) {
    return apus_first_of_4(vcgtq_s16(limit, vaddq_s16(bend, vrev64q_s16(bend))));
}

APUS_WIDE_PART int16x8_t apus_limited(int16x8_t value, int16x8_t around, int16x8_t reach) {
    return vminq_s16(vmaxq_s16(value, vsubq_s16(around, reach)), vaddq_s16(around, reach));
}

APUS_WIDE_PART int apus_is_zero(int16x8_t masks) { return vmaxvq_u16(vreinterpretq_u16_s16(masks)) == 0; }

/// The strong filter, where masks are set: the three samples on either side.
APUS_WIDE_PART void apus_filter_strongly(int16x8_t v[8], const int16x8_t old[8], int16x8_t strong, apus_edge_limits limits) {
    const int16x8_t p3 = old[0], p2 = old[1], p1 = old[2], p0 = old[3], q0 = old[4], q1 = old[5], q2 = old[6], q3 = old[7];
    const int16x8_t reach = vaddq_s16(limits.tc, limits.tc), middle = vaddq_s16(p0, q0);
    const int16x8_t sumP = vaddq_s16(vaddq_s16(p2, p1), middle), sumQ = vaddq_s16(vaddq_s16(q2, q1), middle);
    const uint16x8_t maskP = vreinterpretq_u16_s16(vandq_s16(strong, limits.before));
    const uint16x8_t maskQ = vreinterpretq_u16_s16(vandq_s16(strong, limits.behind));
#define APUS_PUT(i, mask, sum, bits) v[i] = vbslq_s16(mask, apus_limited(vrshrq_n_s16(sum, bits), old[i], reach), v[i])
    const int16x8_t inner = vaddq_s16(middle, vaddq_s16(p1, q1));
    APUS_PUT(1, maskP, vaddq_s16(sumP, vshlq_n_s16(vaddq_s16(p3, p2), 1)), 3);
    APUS_PUT(2, maskP, sumP, 2);
    APUS_PUT(3, maskP, vaddq_s16(sumP, inner), 3);
    APUS_PUT(4, maskQ, vaddq_s16(sumQ, inner), 3);
    APUS_PUT(5, maskQ, sumQ, 2);
    APUS_PUT(6, maskQ, vaddq_s16(sumQ, vshlq_n_s16(vaddq_s16(q3, q2), 1)), 3);
#undef APUS_PUT
}

/// Filters eight lines of four samples on either side of an edge, which still have to be clipped to 8 bits. Returns how many
/// samples on a side may have changed.
APUS_WIDE_PART int apus_filter_edges(int16x8_t v[8], apus_edge_limits limits) {
    const int16x8_t p3 = v[0], p2 = v[1], p1 = v[2], p0 = v[3], q0 = v[4], q1 = v[5], q2 = v[6], q3 = v[7];
    const int16x8_t old[8] = {p3, p2, p1, p0, q0, q1, q2, q3};
    const int16x8_t beta = limits.beta, tc = limits.tc;
    const int16x8_t bendP = vabdq_s16(vaddq_s16(p2, p0), vaddq_s16(p1, p1));
    const int16x8_t bendQ = vabdq_s16(vaddq_s16(q2, q0), vaddq_s16(q1, q1));
    const int16x8_t bend = vaddq_s16(bendP, bendQ), isOn = apus_bends_less(bend, beta);
    if (apus_is_zero(isOn)) return 0;
    const int16x8_t gap = vsubq_s16(q0, p0), slope = vaddq_s16(vabdq_s16(p3, p0), vabdq_s16(q0, q3));
    uint16x8_t flat = vcgtq_s16(vshrq_n_s16(beta, 2), vaddq_s16(bend, bend));
    flat = vandq_u16(flat, vcgtq_s16(vshrq_n_s16(beta, 3), slope));
    flat = vandq_u16(flat, vcgtq_s16(vrshrq_n_s16(vmulq_n_s16(tc, 5), 1), vabsq_s16(gap)));
    const int16x8_t strong = vandq_s16(isOn, apus_first_of_4(vandq_u16(flat, vrev64q_u16(flat))));

    int16x8_t step = vrshrq_n_s16(vmlsq_n_s16(vmulq_n_s16(gap, 9), vsubq_s16(q1, p1), 3), 4);
    int16x8_t weak = vreinterpretq_s16_u16(vcgtq_s16(vmulq_n_s16(tc, 10), vabsq_s16(step)));
    weak = vandq_s16(weak, vbicq_s16(isOn, strong));
    const int16x8_t limit = vshrq_n_s16(vaddq_s16(beta, vshrq_n_s16(beta, 1)), 3);
    const int16x8_t weakP = vandq_s16(weak, limits.before), weakQ = vandq_s16(weak, limits.behind);
    const int16x8_t wideP = vandq_s16(apus_bends_less(bendP, limit), weakP);
    const int16x8_t wideQ = vandq_s16(apus_bends_less(bendQ, limit), weakQ);
    const int16x8_t half = vshrq_n_s16(tc, 1), zero = vdupq_n_s16(0);
    step = apus_limited(step, zero, tc);
    int16x8_t changeP = vhaddq_s16(vsubq_s16(vrhaddq_s16(p2, p0), p1), step);
    int16x8_t changeQ = vhsubq_s16(vsubq_s16(vrhaddq_s16(q2, q0), q1), step);
    v[2] = vaddq_s16(p1, vandq_s16(apus_limited(changeP, zero, half), wideP));
    v[3] = vaddq_s16(p0, vandq_s16(step, weakP));
    v[4] = vsubq_s16(q0, vandq_s16(step, weakQ));
    v[5] = vaddq_s16(q1, vandq_s16(apus_limited(changeQ, zero, half), wideQ));
    if (apus_is_zero(strong)) return 2;
    apus_filter_strongly(v, old, strong, limits);
    return 3;
}

/// The limits of the first eight lines.
APUS_WIDE_PART apus_edge_limits apus_first_limits(int16x8_t limits) {
    apus_edge_limits first = {vdupq_laneq_s16(limits, 0), vdupq_laneq_s16(limits, 1), vdupq_laneq_s16(limits, 2),
                              vdupq_laneq_s16(limits, 3)};
    return first;
}

APUS_WIDE int apus_luma_along_8_neon(uint8_t *start, long stride, apus_s16x8 limits) {
    int16x8_t both = (int16x8_t)limits;
    for (int half = 0; half < 2; half++) {
        int16x8_t v[8];
        uint8_t *from = start - 4 * stride + 8 * half;
        APUS_UNROLL for (int i = 0; i < 8; i++) v[i] = vreinterpretq_s16_u16(vmovl_u8(vld1_u8(from + i * stride)));
        int changed = apus_filter_edges(v, apus_first_limits(both));
        both = vextq_s16(both, both, 4);
        if (!changed) continue;
        APUS_UNROLL for (int i = 2; i < 6; i++) vst1_u8(from + i * stride, vqmovun_s16(v[i]));
        if (changed < 3) continue;
        vst1_u8(from + stride, vqmovun_s16(v[1]));
        vst1_u8(from + 6 * stride, vqmovun_s16(v[6]));
    }
    return 1;
}

APUS_WIDE int apus_luma_across_8_neon(uint8_t *start, long stride, apus_s16x8 limits) {
    int16x8_t both = (int16x8_t)limits;
    for (int half = 0; half < 2; half++) {
        uint8x16_t rows[4];
        int16x8_t v[8];
        uint8_t *from = start - 4 + 8 * half * stride;
        apus_load_rows_8(rows, from, stride);
        apus_turn_8(rows);
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            v[2 * i] = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(rows[i])));
            v[2 * i + 1] = vreinterpretq_s16_u16(vmovl_high_u8(rows[i]));
        }
        int changed = apus_filter_edges(v, apus_first_limits(both));
        both = vextq_s16(both, both, 4);
        if (!changed) continue;
        APUS_UNROLL for (int i = 0; i < 4; i++) rows[i] = vqmovun_high_s16(vqmovun_s16(v[2 * i]), v[2 * i + 1]);
        apus_turn_8(rows);
        apus_store_rows_8(from, stride, rows);
    }
    return 1;
}

// Offsets at edges

APUS_WIDE long apus_offset_edges_8_neon(uint8_t *to, const uint8_t *from, long count, long distance, apus_s16x4 offsets) {
    // By the sum of two signs, from -2 on.
    const int8_t numbers[16] = {(int8_t)offsets[0], (int8_t)offsets[1], 0, (int8_t)offsets[2], (int8_t)offsets[3]};
    const int8x16_t table = vld1q_s8(numbers);
    const uint8x16_t two = vdupq_n_u8(2);
    long x = 0;
    for (; x + 16 <= count; x += 16) {
        uint8x16_t sample = vld1q_u8(from + x);
        uint8x16_t before = vld1q_u8(from + x + distance), behind = vld1q_u8(from + x - distance);
        // -1 where it holds.
        uint8x16_t less = vaddq_u8(vcltq_u8(sample, before), vcltq_u8(sample, behind));
        uint8x16_t more = vaddq_u8(vcgtq_u8(sample, before), vcgtq_u8(sample, behind));
        int8x16_t offset = vqtbl1q_s8(table, vaddq_u8(two, vsubq_u8(less, more)));
        vst1q_u8(to + x, vsqaddq_u8(sample, offset));
    }
    return x;
}
