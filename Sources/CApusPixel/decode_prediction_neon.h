// SPDX-License-Identifier: MIT
// Predictions from samples of 8 bits, and the turning of blocks of them, by NEON, included by decode.h alone.
#pragma once

APUS_WIDE_PART void apus_angle_side(uint8_t *to, long stride, const uint8_t *reference, int angle, int side) {
    int place = 0;
    for (int row = 0; row < side; row++) {
        place += angle;
        const uint8_t *from = reference + (place >> 5) + 1;
        const uint8x16_t far = vdupq_n_u8(place & 31), near = vsubq_u8(vdupq_n_u8(32), far);
        const uint8x8_t far8 = vget_low_u8(far), near8 = vget_low_u8(near);
        if (side == 8) vst1_u8(to, vrshrn_n_u16(vmlal_u8(vmull_u8(vld1_u8(from), near8), vld1_u8(from + 1), far8), 5));
        APUS_UNROLL for (int column = 0; column < side / 16 * 16; column += 16) {
            uint8x16_t a = vld1q_u8(from + column), b = vld1q_u8(from + column + 1);
            uint16x8_t low = vmlal_u8(vmull_u8(vget_low_u8(a), near8), vget_low_u8(b), far8);
            uint16x8_t high = vmlal_high_u8(vmull_high_u8(a, near), b, far);
            vst1q_u8(to + column, vrshrn_high_n_u16(vrshrn_n_u16(low, 5), high, 5));
        }
        to += stride;
    }
}

/// Predicts row by row along a reference, which begins with the corner.
APUS_WIDE int apus_angle_8_neon(uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    if (log2 == 3) apus_angle_side(to, stride, reference, angle, 8);
    else if (log2 == 4) apus_angle_side(to, stride, reference, angle, 16);
    else apus_angle_side(to, stride, reference, angle, 32);
    return 1;
}

/// Sixteen rows of sixteen samples become columns.
APUS_WIDE void apus_transpose_16x16_neon(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
    uint8x16_t v[16];
    APUS_UNROLL for (int i = 0; i < 16; i++) v[i] = vld1q_u8(from + i * from_stride);
    APUS_UNROLL for (int step = 0; step < 4; step++) apus_interleave_8(v, 16);
    APUS_UNROLL for (int i = 0; i < 16; i++) vst1q_u8(to + i * to_stride, v[i]);
}

/// The same for modes whose rows are columns.
APUS_WIDE int apus_turned_angle_8_neon(uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    const int side = 1 << log2;
    if (angle == 0) {
        for (int row = 0; row < side; row++) {
            const uint8x16_t samples = vdupq_n_u8(reference[row + 1]);
            if (log2 == 3) vst1_u8(to, vget_low_u8(samples));
            else vst1q_u8(to, samples);
            if (log2 == 5) vst1q_u8(to + 16, samples);
            to += stride;
        }
        return 1;
    }
    uint8_t turned[1024];
    apus_angle_8_neon(turned, side, reference, angle, log2);
    if (log2 == 3) {
        apus_transpose_8(to, stride, turned, 8);
    } else {
        for (int row = 0; row < side; row += 16)
            for (int column = 0; column < side; column += 16)
                apus_transpose_16x16_neon(to + row * stride + column, stride, turned + side * column + row, side);
    }
    return 1;
}

APUS_WIDE_PART void apus_planar_side(uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    const int side = 1 << log2;
    const uint8x8_t lanes = vcreate_u8(0x0706050403020100), down = vdup_n_u8(left[side]), right = vdup_n_u8(above[side]);
    // The parts of all but the left sample, as they would be in the row above the first, and their growth from row to row.
    uint16x8_t parts[4], growth[4];
    uint8x8_t across[4];
    APUS_UNROLL for (int i = 0; i < side / 8; i++) {
        const uint8x8_t upper = vld1_u8(above + 8 * i), further = vadd_u8(lanes, vdup_n_u8(8 * i + 1));
        across[i] = vsub_u8(vdup_n_u8(side), further);
        parts[i] = vmlal_u8(vmull_u8(upper, vdup_n_u8(side)), further, right);
        growth[i] = vsubl_u8(down, upper);
    }
    for (int row = 0; row < side; row++) {
        const uint8x8_t first = vdup_n_u8(left[row]);
        APUS_UNROLL for (int i = 0; i < side / 8; i++) {
            parts[i] = vaddq_u16(parts[i], growth[i]);
            uint16x8_t sum = vmlal_u8(parts[i], across[i], first);
            vst1_u8(to + 8 * i, log2 == 3   ? vrshrn_n_u16(sum, 4)
                                : log2 == 4 ? vrshrn_n_u16(sum, 5)
                                            : vrshrn_n_u16(sum, 6));
        }
        to += stride;
    }
}

/// Predicts by two planes: ITU-T H.265, 8.4.4.2.4.
APUS_WIDE int apus_planar_8_neon(uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    if (log2 == 3) apus_planar_side(to, stride, left, above, 3);
    else if (log2 == 4) apus_planar_side(to, stride, left, above, 4);
    else apus_planar_side(to, stride, left, above, 5);
    return 1;
}
