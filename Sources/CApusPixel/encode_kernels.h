// SPDX-License-Identifier: MIT
// The encoder's kernels, included once for each instruction set by encode.h, which says what the upper-case words mean. The
// bodies are the same everywhere and so are their results; no #pragma once, for this file is read more than once.

/// Hadamard costs of 16 columns and 8 rows of differences, side by side, halved.
#define APUS_BUTTERFLY(a, b) { apus_s16x16 sum = r[a] + r[b]; r[b] = r[a] - r[b]; r[a] = sum; }
#define APUS_SATD_ROWS                                                                                     \
    APUS_BUTTERFLY(0, 4) APUS_BUTTERFLY(1, 5) APUS_BUTTERFLY(2, 6) APUS_BUTTERFLY(3, 7)                    \
    APUS_BUTTERFLY(0, 2) APUS_BUTTERFLY(1, 3) APUS_BUTTERFLY(4, 6) APUS_BUTTERFLY(5, 7)                    \
    APUS_BUTTERFLY(0, 1) APUS_BUTTERFLY(2, 3) APUS_BUTTERFLY(4, 5) APUS_BUTTERFLY(6, 7)
/// Sums of numbers that lie four lanes apart, of two vectors at once.
#define APUS_ACROSS(a, b) { apus_s16x16 low = APUS_LOW16(r[a], r[b]), high = APUS_HIGH16(r[a], r[b]);        \
    r[a] = low + high; r[b] = low - high; }
/// |a + b| + |a - b| is twice the greater of |a| and |b|.
#define APUS_GREATER_ACROSS(a, b) { apus_s16x16 low = APUS_LOW16(r[a], r[b]), high = APUS_HIGH16(r[a], r[b]); \
    total += APUS_MADD16(APUS_MOST16(APUS_ABS16(low), APUS_ABS16(high)), (apus_s16x16)1); }

#define APUS_SATD16x8                                                                                       \
    APUS_SATD_ROWS                                                                                          \
    APUS_ACROSS(0, 1) APUS_ACROSS(2, 3) APUS_ACROSS(4, 5) APUS_ACROSS(6, 7)                                 \
    APUS_ACROSS(0, 1) APUS_ACROSS(2, 3) APUS_ACROSS(4, 5) APUS_ACROSS(6, 7)                                 \
    APUS_GREATER_ACROSS(0, 1) APUS_GREATER_ACROSS(2, 3) APUS_GREATER_ACROSS(4, 5) APUS_GREATER_ACROSS(6, 7)

/// Of 8 × 8, rows 0 to 3 in the low halves and rows 4 to 7 in the high ones.
#define APUS_SATD8x8                                                                                        \
    APUS_BUTTERFLY(0, 2) APUS_BUTTERFLY(1, 3) APUS_BUTTERFLY(0, 1) APUS_BUTTERFLY(2, 3)                     \
    APUS_ACROSS(0, 1) APUS_ACROSS(2, 3) APUS_ACROSS(0, 1) APUS_ACROSS(2, 3)                                 \
    APUS_ACROSS(0, 1) APUS_ACROSS(2, 3)                                                                     \
    APUS_UNROLL for (int i = 0; i < 4; i++) {                                                                           \
        apus_s16x16 a = APUS_ABS16(r[i]);                                                                   \
        a = APUS_MOST16(a, __builtin_shufflevector(a, a, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7)); \
        total += APUS_MADD16(a, apus_first_half);                                                           \
    }

/// Of 4 × 4, all rows in one vector.
#define APUS_SATD4x4(v)                                                                                     \
    {                                                                                                       \
        apus_s16x16 a = __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7); \
        v = a + (v ^ apus_minus8) - apus_minus8;                                                            \
        a = __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11);            \
        v = a + (v ^ apus_minus4) - apus_minus4;                                                            \
        a = __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);            \
        v = a + (v ^ apus_minus2) - apus_minus2;                                                            \
        v = APUS_ABS16(v);                                                                                  \
        a = __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);            \
        total += APUS_MADD16(APUS_MOST16(v, a), apus_even);                                                 \
    }

#define APUS_JOIN4(a, b, c, d)                                                                              \
    __builtin_shufflevector(                                                                                \
        __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7), \
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define APUS_JOIN8(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

/// Hadamard cost of the differences of two blocks.
APUS_TARGET static inline int APUS_NAME(apus_satd)(
    const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    apus_s32x8 total = {0};
    if (log2 == 2) {
        apus_s16x16 v = APUS_JOIN4(APUS_LOAD4(a), APUS_LOAD4(a + a_stride), APUS_LOAD4(a + 2 * a_stride), APUS_LOAD4(a + 3 * a_stride))
            - APUS_JOIN4(APUS_LOAD4(b), APUS_LOAD4(b + b_stride), APUS_LOAD4(b + 2 * b_stride), APUS_LOAD4(b + 3 * b_stride));
        APUS_SATD4x4(v)
    } else if (log2 == 3) {
        apus_s16x16 r[4];
        APUS_UNROLL for (int i = 0; i < 4; i++)
            r[i] = APUS_JOIN8(APUS_LOAD8(a + i * a_stride), APUS_LOAD8(a + (i + 4) * a_stride))
                - APUS_JOIN8(APUS_LOAD8(b + i * b_stride), APUS_LOAD8(b + (i + 4) * b_stride));
        APUS_SATD8x8
    } else {
        int n = 1 << log2;
        for (int y = 0; y < n; y += 8)
            for (int x = 0; x < n; x += 16) {
                apus_s16x16 r[8];
                APUS_UNROLL for (int i = 0; i < 8; i++)
                    r[i] = APUS_LOAD16(a + (y + i) * a_stride + x) - APUS_LOAD16(b + (y + i) * b_stride + x);
                APUS_SATD16x8
            }
    }
    return (apus_sum8(total) + 1) >> 1;
}

/// Hadamard cost of a block against its prediction along an angle, which is stored nowhere.
///
/// `reference` begins with the corner; for modes below 18 block and references are turned.
APUS_TARGET static inline int APUS_NAME(apus_satd_angle)(
    const uint16_t *block, long stride, const uint16_t *reference, int angle, int log2) {
    apus_s32x8 total = {0};
    if (log2 == 2) {
        apus_s16x4 a[4], b[4];
        apus_s16x16 part = ((apus_s16x16)(int16_t)angle * apus_rows4) & 31;
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            int place = (i + 1) * angle;
            const uint16_t *from = reference + (place >> 5) + 1;
            a[i] = APUS_LOAD4(from);
            b[i] = APUS_LOAD4(from + 1);
        }
        apus_s16x16 near = APUS_JOIN4(a[0], a[1], a[2], a[3]), far = APUS_JOIN4(b[0], b[1], b[2], b[3]);
        apus_s16x16 v = APUS_JOIN4(APUS_LOAD4(block), APUS_LOAD4(block + stride), APUS_LOAD4(block + 2 * stride), APUS_LOAD4(block + 3 * stride));
        v -= (near * 32 + (far - near) * part + 16) >> 5;
        APUS_SATD4x4(v)
    } else if (log2 == 3) {
        apus_s16x16 r[4];
        APUS_UNROLL for (int i = 0; i < 4; i++) {
            int place = (i + 1) * angle, other = (i + 5) * angle;
            const uint16_t *from = reference + (place >> 5) + 1, *below = reference + (other >> 5) + 1;
            apus_s16x16 near = APUS_JOIN8(APUS_LOAD8(from), APUS_LOAD8(below));
            apus_s16x16 far = APUS_JOIN8(APUS_LOAD8(from + 1), APUS_LOAD8(below + 1));
            apus_s16x16 part = ((apus_s16x16)(int16_t)angle * (apus_rows8 + (int16_t)i)) & 31;
            r[i] = APUS_JOIN8(APUS_LOAD8(block + i * stride), APUS_LOAD8(block + (i + 4) * stride))
                - ((near * 32 + (far - near) * part + 16) >> 5);
        }
        APUS_SATD8x8
    } else {
        int n = 1 << log2;
        for (int y = 0; y < n; y += 8)
            for (int x = 0; x < n; x += 16) {
                apus_s16x16 r[8];
                APUS_UNROLL for (int i = 0; i < 8; i++) {
                    int place = (y + i + 1) * angle;
                    const uint16_t *from = reference + (place >> 5) + 1 + x;
                    apus_s16x16 near = APUS_LOAD16(from), far = APUS_LOAD16(from + 1);
                    r[i] = APUS_LOAD16(block + (y + i) * stride + x)
                        - ((near * 32 + (far - near) * (int16_t)(place & 31) + 16) >> 5);
                }
                APUS_SATD16x8
            }
    }
    return (apus_sum8(total) + 1) >> 1;
}

/// Predicts a block along an angle, row by row along the reference.
APUS_TARGET static inline void APUS_NAME(apus_predict_angle)(
    uint16_t *to, long stride, const uint16_t *reference, int angle, int log2) {
    int n = 1 << log2;
    for (int y = 0; y < n; y++) {
        int place = (y + 1) * angle;
        const uint16_t *from = reference + (place >> 5) + 1;
        int16_t part = place & 31;
        if (log2 == 2) {
            apus_s16x4 near = APUS_LOAD4(from), far = APUS_LOAD4(from + 1);
            APUS_STORE4(to, (near * 32 + (far - near) * part + 16) >> 5);
        } else if (log2 == 3) {
            apus_s16x8 near = APUS_LOAD8(from), far = APUS_LOAD8(from + 1);
            APUS_STORE8(to, (near * 32 + (far - near) * part + 16) >> 5);
        } else {
            for (int x = 0; x < n; x += 16) {
                apus_s16x16 near = APUS_LOAD16(from + x), far = APUS_LOAD16(from + x + 1);
                APUS_STORE16(to + x, (near * 32 + (far - near) * part + 16) >> 5);
            }
        }
        to += stride;
    }
}

/// Predicts a block by two planes: ITU-T H.265, 8.4.4.2.4. Up to 10 bits a sample.
APUS_TARGET static inline void APUS_NAME(apus_predict_planar)(
    uint16_t *to, long stride, const uint16_t *left, const uint16_t *above, int log2) {
    int n = 1 << log2;
    uint16_t right = above[n], down = left[n];
    apus_u16x8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int y = 0; y < n; y++) {
        uint16_t first = left[y], base = (uint16_t)((y + 1) * down + n), along = n - 1 - y;
        for (int x = 0; x < n; x += 8) {
            apus_u16x8 at = lanes + (uint16_t)x;
            apus_u16x8 sum = ((uint16_t)(n - 1) - at) * first + (at + (uint16_t)1) * right
                + (apus_u16x8)APUS_LOAD8(above + x) * along + base;
            sum = sum >> (uint16_t)(log2 + 1);
            if (n == 4) {
                APUS_STORE4(to, __builtin_shufflevector((apus_s16x8)sum, (apus_s16x8)sum, 0, 1, 2, 3));
            } else {
                APUS_STORE8(to + x, (apus_s16x8)sum);
            }
        }
        to += stride;
    }
}

/// Differences of two blocks, row by row.
APUS_TARGET static inline void APUS_NAME(apus_difference)(
    int16_t *to, const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    int n = 1 << log2;
    for (int y = 0; y < n; y++) {
        if (log2 == 2) APUS_STORE4(to, APUS_LOAD4(a) - APUS_LOAD4(b));
        else if (log2 == 3) APUS_STORE8(to, APUS_LOAD8(a) - APUS_LOAD8(b));
        else for (int x = 0; x < n; x += 16) APUS_STORE16(to + x, APUS_LOAD16(a + x) - APUS_LOAD16(b + x));
        to += n;
        a += a_stride;
        b += b_stride;
    }
}

/// The sum of the squared differences of two blocks, of 10 bits at most.
APUS_TARGET static inline int APUS_NAME(apus_squares)(
    const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, int log2) {
    int n = 1 << log2;
    apus_s32x8 total = {0};
    apus_s32x4 small = {0};
    for (int y = 0; y < n; y++) {
        if (log2 == 2) {
            apus_s16x4 v = APUS_LOAD4(a) - APUS_LOAD4(b);
            apus_s16x8 both = __builtin_shufflevector(v, (apus_s16x4){0}, 0, 1, 2, 3, 4, 5, 6, 7);
            small += apus_multiply_add(both, both);
        } else if (log2 == 3) {
            apus_s16x8 v = APUS_LOAD8(a) - APUS_LOAD8(b);
            small += apus_multiply_add(v, v);
        } else {
            for (int x = 0; x < n; x += 16) {
                apus_s16x16 v = APUS_LOAD16(a + x) - APUS_LOAD16(b + x);
                total += APUS_MADD16(v, v);
            }
        }
        a += a_stride;
        b += b_stride;
    }
    return apus_sum8(total) + small[0] + small[1] + small[2] + small[3];
}

/// Adds differences to a prediction, clipped to 0 to `most`.
APUS_TARGET static inline void APUS_NAME(apus_reconstruct)(
    uint16_t *to, long stride, const uint16_t *prediction, long p_stride, const int16_t *residual, int log2, int16_t most) {
    int n = 1 << log2;
    for (int y = 0; y < n; y++) {
        if (log2 == 2) {
            apus_s16x4 sum = __builtin_elementwise_add_sat(APUS_LOAD4(prediction), APUS_LOAD4((const uint16_t *)residual));
            APUS_STORE4(to, __builtin_elementwise_max(__builtin_elementwise_min(sum, (apus_s16x4)most), (apus_s16x4)(int16_t)0));
        } else if (log2 == 3) {
            apus_s16x8 sum = __builtin_elementwise_add_sat(APUS_LOAD8(prediction), APUS_LOAD8((const uint16_t *)residual));
            APUS_STORE8(to, __builtin_elementwise_max(__builtin_elementwise_min(sum, (apus_s16x8)most), (apus_s16x8)(int16_t)0));
        } else {
            for (int x = 0; x < n; x += 16) {
                apus_s16x16 sum = __builtin_elementwise_add_sat(APUS_LOAD16(prediction + x), APUS_LOAD16((const uint16_t *)residual + x));
                APUS_STORE16(to + x, __builtin_elementwise_max(__builtin_elementwise_min(sum, (apus_s16x16)most), (apus_s16x16)(int16_t)0));
            }
        }
        to += stride;
        prediction += p_stride;
        residual += n;
    }
}

/// One direction of the transform, columns of 16: `factors` holds for each row of the matrix the half that the other half
/// follows from by symmetry.
APUS_TARGET static inline __attribute__((always_inline)) void APUS_NAME(apus_columns16)(
    int16_t *to, const int16_t *from, const int16_t *factors, int n, int shift) {
    int half = n / 2;
    apus_s32x8 rounding = (apus_s32x8)(1 << (shift - 1));
    for (int x = 0; x < n; x += 16) {
        apus_s16x16 even[16], odd[16];
        APUS_UNROLL for (int j = 0; j < half; j += 2) {
            apus_s16x16 a = APUS_LOAD16((const uint16_t *)from + j * n + x);
            apus_s16x16 b = APUS_LOAD16((const uint16_t *)from + (n - 1 - j) * n + x);
            apus_s16x16 c = APUS_LOAD16((const uint16_t *)from + (j + 1) * n + x);
            apus_s16x16 d = APUS_LOAD16((const uint16_t *)from + (n - 2 - j) * n + x);
            even[j] = APUS_LOW16(a + b, c + d);
            even[j + 1] = APUS_HIGH16(a + b, c + d);
            odd[j] = APUS_LOW16(a - b, c - d);
            odd[j + 1] = APUS_HIGH16(a - b, c - d);
        }
        for (int k = 0; k < n; k++) {
            const apus_s16x16 *pairs = k & 1 ? odd : even;
            apus_s32x8 low = rounding, high = rounding;
            APUS_UNROLL for (int j = 0; j < half; j += 2) {
                int32_t pair;
                memcpy(&pair, factors + k * half + j, 4);
                apus_s16x16 both = (apus_s16x16)(apus_s32x8)pair;
                low += APUS_MADD16(pairs[j], both);
                high += APUS_MADD16(pairs[j + 1], both);
            }
            APUS_STORE16((uint16_t *)to + k * n + x, APUS_NARROW16(low >> shift, high >> shift));
        }
    }
}

APUS_TARGET static inline __attribute__((always_inline)) void APUS_NAME(apus_columns8)(
    int16_t *to, const int16_t *from, const int16_t *factors, int shift) {
    apus_s32x4 rounding = (apus_s32x4)(1 << (shift - 1));
    apus_s16x8 even[4], odd[4];
    APUS_UNROLL for (int j = 0; j < 4; j += 2) {
        apus_s16x8 a = APUS_LOAD8((const uint16_t *)from + j * 8), b = APUS_LOAD8((const uint16_t *)from + (7 - j) * 8);
        apus_s16x8 c = APUS_LOAD8((const uint16_t *)from + (j + 1) * 8), d = APUS_LOAD8((const uint16_t *)from + (6 - j) * 8);
        even[j] = APUS_LOW8(a + b, c + d);
        even[j + 1] = APUS_HIGH8(a + b, c + d);
        odd[j] = APUS_LOW8(a - b, c - d);
        odd[j + 1] = APUS_HIGH8(a - b, c - d);
    }
    APUS_UNROLL for (int k = 0; k < 8; k++) {
        const apus_s16x8 *pairs = k & 1 ? odd : even;
        apus_s32x4 low = rounding, high = rounding;
        APUS_UNROLL for (int j = 0; j < 4; j += 2) {
            int32_t pair;
            memcpy(&pair, factors + k * 4 + j, 4);
            apus_s16x8 both = (apus_s16x8)(apus_s32x4)pair;
            low += apus_multiply_add(pairs[j], both);
            high += apus_multiply_add(pairs[j + 1], both);
        }
        APUS_STORE8((uint16_t *)to + k * 8, apus_narrow(low >> shift, high >> shift));
    }
}

/// The forward transform of differences: coefficients come column by column, as they would stand after one turn.
///
/// `factors` of 4 × 4 holds whole rows of the matrix. Numbers are one bit smaller between the passes than the standard has them
/// on its way back, so that sums of two fit into 16 bits whatever the differences are.
APUS_TARGET static inline void APUS_NAME(apus_transform)(
    int16_t *to, const int16_t *from, const int16_t *factors, int log2, int bit_depth) {
    int first = log2 + bit_depth - 8, second = log2 + 5;
    int16_t between[1024], turned[1024];
    if (log2 == 2) {
        apus_s16x8 a = APUS_LOAD8((const uint16_t *)from), b = APUS_LOAD8((const uint16_t *)from + 8);
        apus_s16x8 upper = __builtin_shufflevector(a, a, 0, 4, 1, 5, 2, 6, 3, 7);
        apus_s16x8 lower = __builtin_shufflevector(b, b, 0, 4, 1, 5, 2, 6, 3, 7);
        apus_s32x4 sums[4];
        for (int pass = 0; pass < 2; pass++) {
            int shift = pass ? second : first;
            APUS_UNROLL for (int k = 0; k < 4; k++) {
                int32_t pair, other;
                memcpy(&pair, factors + k * 4, 4);
                memcpy(&other, factors + k * 4 + 2, 4);
                sums[k] = (apus_multiply_add(upper, (apus_s16x8)(apus_s32x4)pair)
                    + apus_multiply_add(lower, (apus_s16x8)(apus_s32x4)other) + (1 << (shift - 1))) >> shift;
            }
            a = apus_narrow(sums[0], sums[1]);
            b = apus_narrow(sums[2], sums[3]);
            upper = __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13);
            lower = __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
        }
        APUS_STORE8((uint16_t *)to, a);
        APUS_STORE8((uint16_t *)to + 8, b);
        return;
    }
    int n = 1 << log2;
    if (log2 == 3) APUS_NAME(apus_columns8)(between, from, factors, first);
    else if (log2 == 4) APUS_NAME(apus_columns16)(between, from, factors, 16, first);
    else APUS_NAME(apus_columns16)(between, from, factors, 32, first);
    for (int y = 0; y < n; y += 8)
        for (int x = 0; x < n; x += 8)
            apus_transpose_16((uint16_t *)turned + x * n + y, n, (const uint16_t *)between + y * n + x, n);
    if (log2 == 3) APUS_NAME(apus_columns8)(to, turned, factors, second);
    else if (log2 == 4) APUS_NAME(apus_columns16)(to, turned, factors, 16, second);
    else APUS_NAME(apus_columns16)(to, turned, factors, 32, second);
}

/// Quantizes coefficients to the nearest level, sub-block by sub-block in the order of their scan. Of sub-blocks without
/// levels only `masks` is written.
///
/// - `from`: column by column, `side` apart; `groups` says where each of `count` sub-blocks begins.
/// - `least`: the first magnitude that is not quantized to 0.
/// - `rests`: what a coefficient exceeds its level by, in 256ths of a step.
/// - `masks`, `signs`: a bit for each place of the scan: whether its level is not 0, whether it is negative.
///
/// - `error`: what leaving out all that is quantized to 0 costs, in 65536ths of a squared step.
///
/// Returns the last sub-block with a level, -1 without one.
APUS_TARGET static inline int APUS_NAME(apus_quantize)(
    int16_t *levels, int16_t *rests, uint16_t *masks, uint16_t *signs, const int16_t *from, const uint16_t *groups,
    int count, int side, int scan, int scale, int shift, int least, int64_t *error) {
    int last = -1;
    // Of sub-blocks without levels, in coefficients, and of other zeros, in 256ths of a step.
    apus_s32x8 skipped = {0}, zeros = {0};
    apus_s16x16 bound = (apus_s16x16)(int16_t)(least - 1);
    for (int g = 0; g < count; g++) {
        const uint16_t *at = (const uint16_t *)from + groups[g];
        apus_s16x16 v = APUS_JOIN4(APUS_LOAD4(at), APUS_LOAD4(at + side), APUS_LOAD4(at + 2 * side), APUS_LOAD4(at + 3 * side));
        apus_s16x16 size = APUS_ABS16(v);
        if (APUS_MASK16(size > bound) == 0) {
            masks[g] = 0;
            skipped += APUS_MADD16(v, v);
            continue;
        }
        last = g;
        apus_u32x8 low = __builtin_convertvector(__builtin_shufflevector((apus_u16x16)size, (apus_u16x16)size, 0, 1, 2, 3, 4, 5, 6, 7), apus_u32x8);
        apus_u32x8 high = __builtin_convertvector(__builtin_shufflevector((apus_u16x16)size, (apus_u16x16)size, 8, 9, 10, 11, 12, 13, 14, 15), apus_u32x8);
        low = (low * (uint32_t)(uint16_t)scale) >> (uint32_t)shift;
        high = (high * (uint32_t)(uint16_t)scale) >> (uint32_t)shift;
        apus_u32x8 low_level = (low + 128) >> 8, high_level = (high + 128) >> 8;
        apus_s16x16 level = APUS_JOIN8(__builtin_convertvector((apus_s32x8)low_level, apus_s16x8), __builtin_convertvector((apus_s32x8)high_level, apus_s16x8));
        apus_s16x16 rest = APUS_JOIN8(__builtin_convertvector((apus_s32x8)(low - (low_level << 8)), apus_s16x8), __builtin_convertvector((apus_s32x8)(high - (high_level << 8)), apus_s16x8));
        apus_s16x16 dropped = rest & (level == (apus_s16x16)(int16_t)0);
        zeros += APUS_MADD16(dropped, dropped);
#define APUS_ORDER(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                          \
    level = __builtin_shufflevector(level, level, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);          \
    rest = __builtin_shufflevector(rest, rest, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);             \
    v = __builtin_shufflevector(v, v, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
        if (scan == 0) {
            APUS_ORDER(0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15)
        } else if (scan == 1) {
            APUS_ORDER(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
        }
#undef APUS_ORDER
        APUS_STORE16((uint16_t *)levels + g * 16, level);
        APUS_STORE16((uint16_t *)rests + g * 16, rest);
        apus_s16x16 none = (apus_s16x16)(int16_t)0;
        masks[g] = APUS_MASK16(level > none);
        signs[g] = APUS_MASK16(v < none);
    }
    int64_t energy = 0;
    for (int i = 0; i < 8; i++) energy += skipped[i];
    *error = ((((energy * scale) >> shift) * scale) >> shift) + apus_sum8(zeros);
    return last;
}

/// Of one class of edges: how many samples are of each category (valleys, the corners below and above, peaks), and by how
/// much the source exceeds them in all.
APUS_TARGET static inline void APUS_NAME(apus_offset_sums)(
    int32_t *sums, const uint16_t *source, long source_stride, const uint16_t *made, long stride, long distance,
    int width, int height) {
    apus_s32x8 counts[4] = {0}, totals[4] = {0};
    for (int y = 0; y < height; y++, source += source_stride, made += stride) {
        for (int x = 0; x < width; x += 16) {
            apus_s16x16 s = APUS_LOAD16(made + x), a = APUS_LOAD16(made + x + distance), b = APUS_LOAD16(made + x - distance);
            apus_s16x16 slope = (s < a) + (s < b) - (s > a) - (s > b);
            apus_s16x16 more = APUS_LOAD16(source + x) - s;
            apus_s16x16 inside = apus_lanes16 < (apus_s16x16)(int16_t)(width - x);
            APUS_UNROLL for (int i = 0; i < 4; i++) {
                apus_s16x16 mask = (slope == (apus_s16x16)(int16_t)(i < 2 ? i - 2 : i - 1)) & inside;
                counts[i] += APUS_MADD16(mask, mask);
                totals[i] += APUS_MADD16(more & mask, (apus_s16x16)1);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        sums[i] = apus_sum8(counts[i]);
        sums[4 + i] = apus_sum8(totals[i]);
    }
}

/// A bit for each of 16 numbers that is not 0.
APUS_TARGET static inline uint32_t APUS_NAME(apus_found)(const int16_t *numbers) {
    apus_s16x16 none = (apus_s16x16)(int16_t)0;
    return (uint16_t)~APUS_MASK16(APUS_LOAD16((const uint16_t *)numbers) == none);
}

/// Whether the sum of 16 numbers is odd.
APUS_TARGET static inline uint32_t APUS_NAME(apus_odd)(const int16_t *numbers) {
    apus_s16x16 one = (apus_s16x16)(int16_t)1;
    return (uint32_t)__builtin_popcount((uint16_t)APUS_MASK16((APUS_LOAD16((const uint16_t *)numbers) & one) == one)) & 1;
}

/// Makes those of 16 numbers negative whose bits are set.
APUS_TARGET static inline void APUS_NAME(apus_sign)(int16_t *numbers, uint16_t signs) {
    apus_s16x16 mask = ((apus_s16x16)(int16_t)signs & apus_bits) == apus_bits;
    APUS_STORE16((uint16_t *)numbers, (APUS_LOAD16((const uint16_t *)numbers) ^ mask) - mask);
}

#undef APUS_BUTTERFLY
#undef APUS_SATD_ROWS
#undef APUS_ACROSS
#undef APUS_GREATER_ACROSS
#undef APUS_SATD16x8
#undef APUS_SATD8x8
#undef APUS_SATD4x4
#undef APUS_JOIN4
#undef APUS_JOIN8
