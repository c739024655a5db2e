// SPDX-License-Identifier: MIT
// Predictions from samples of 8 bits, and the turning of blocks of them, by AVX2, included by decode.h alone.
#pragma once

/// Predicts row by row along a reference, which begins with the corner.
APUS_WIDE int apus_angle_8_avx2(uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    // Multiplying by it rounds and divides by 32.
    const __m256i scale = _mm256_set1_epi16(1 << 10);
    const __m128i small = _mm256_castsi256_si128(scale);
    int place = 0;
#define APUS_WEIGHTS _mm256_set1_epi16((short)((place & 31) << 8 | (32 - (place & 31))))
#define APUS_MIXED(pairs, weights) _mm_mulhrs_epi16(_mm_maddubs_epi16(pairs, _mm256_castsi256_si128(weights)), small)
    if (log2 == 3) {
        APUS_UNROLL for (int row = 0; row < 8; row += 2) {
            __m128i rows[2];
            APUS_UNROLL for (int i = 0; i < 2; i++) {
                place += angle;
                const uint8_t *from = reference + (place >> 5) + 1;
                __m128i near = _mm_loadl_epi64((const __m128i *)from), far = _mm_loadl_epi64((const __m128i *)(from + 1));
                rows[i] = APUS_MIXED(_mm_unpacklo_epi8(near, far), APUS_WEIGHTS);
            }
            __m128i both = _mm_packus_epi16(rows[0], rows[1]);
            _mm_storel_epi64((__m128i *)to, both);
            _mm_storeh_pi((__m64 *)(to + stride), (__m128)both);
            to += 2 * stride;
        }
    } else if (log2 == 4) {
        for (int row = 0; row < 16; row++) {
            place += angle;
            const uint8_t *from = reference + (place >> 5) + 1;
            __m128i near = APUS_ROW(from), far = APUS_ROW(from + 1);
            __m256i weights = APUS_WEIGHTS;
            _mm_storeu_si128((__m128i *)to, _mm_packus_epi16(APUS_MIXED(_mm_unpacklo_epi8(near, far), weights),
                                                             APUS_MIXED(_mm_unpackhi_epi8(near, far), weights)));
            to += stride;
        }
    } else {
        for (int row = 0; row < 32; row++) {
            place += angle;
            const uint8_t *from = reference + (place >> 5) + 1;
            __m256i near = _mm256_loadu_si256((const __m256i *)from), far = _mm256_loadu_si256((const __m256i *)(from + 1));
            __m256i weights = APUS_WEIGHTS;
            __m256i low = _mm256_maddubs_epi16(_mm256_unpacklo_epi8(near, far), weights);
            __m256i high = _mm256_maddubs_epi16(_mm256_unpackhi_epi8(near, far), weights);
            _mm256_storeu_si256((__m256i *)to, _mm256_packus_epi16(_mm256_mulhrs_epi16(low, scale),
                                                                   _mm256_mulhrs_epi16(high, scale)));
            to += stride;
        }
    }
#undef APUS_WEIGHTS
#undef APUS_MIXED
    return 1;
}

/// Sixteen rows of sixteen samples become columns.
APUS_WIDE_PART void apus_transpose16_8(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
    __m256i a[8], b[8];
    APUS_UNROLL for (int i = 0; i < 8; i++)
        a[i] = _mm256_set_m128i(APUS_ROW(from + (i + 8) * from_stride), APUS_ROW(from + i * from_stride));
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm256_unpacklo_epi8(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm256_unpackhi_epi8(a[2 * i], a[2 * i + 1]);
    }
    APUS_UNROLL for (int i = 0; i < 2; i++) {
        a[4 * i] = _mm256_unpacklo_epi16(b[4 * i], b[4 * i + 2]);
        a[4 * i + 1] = _mm256_unpackhi_epi16(b[4 * i], b[4 * i + 2]);
        a[4 * i + 2] = _mm256_unpacklo_epi16(b[4 * i + 1], b[4 * i + 3]);
        a[4 * i + 3] = _mm256_unpackhi_epi16(b[4 * i + 1], b[4 * i + 3]);
    }
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm256_unpacklo_epi32(a[i], a[i + 4]);
        b[2 * i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 4]);
    }
    APUS_UNROLL for (int i = 0; i < 8; i++) {
        __m256i columns = _mm256_permute4x64_epi64(b[i], 0xD8);
        _mm_storeu_si128((__m128i *)(to + 2 * i * to_stride), _mm256_castsi256_si128(columns));
        _mm_storeu_si128((__m128i *)(to + (2 * i + 1) * to_stride), _mm256_extracti128_si256(columns, 1));
    }
}

/// The same for modes whose rows are columns.
APUS_WIDE int apus_turned_angle_8_avx2(uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    if (angle == 0) {
        for (int row = 0; row < 1 << log2; row++) {
            __m256i samples = _mm256_set1_epi8((char)reference[row + 1]);
            if (log2 == 3) _mm_storel_epi64((__m128i *)to, _mm256_castsi256_si128(samples));
            else if (log2 == 4) _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(samples));
            else _mm256_storeu_si256((__m256i *)to, samples);
            to += stride;
        }
        return 1;
    }
    uint8_t turned[1024];
    apus_angle_8_avx2(turned, 1 << log2, reference, angle, log2);
    if (log2 == 3) {
        apus_transpose_8(to, stride, turned, 8);
    } else if (log2 == 4) {
        apus_transpose16_8(to, stride, turned, 16);
    } else {
        for (int row = 0; row < 32; row += 16)
            for (int column = 0; column < 32; column += 16)
                apus_transpose16_8(to + row * stride + column, stride, turned + 32 * column + row, 32);
    }
    return 1;
}

/// Predicts by two planes: ITU-T H.265, 8.4.4.2.4.
APUS_WIDE int apus_planar_8_avx2(uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    const int side = 1 << log2;
    const __m256i lanes = _mm256_setr_epi8(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7,
                                           8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
    // side - 1 - x and x + 1, for sixteen columns.
    const __m256i signs = _mm256_set1_epi16((short)0x01FF), start = _mm256_set1_epi16((short)(1 << 8 | (side - 1)));
    const __m256i across = _mm256_add_epi8(_mm256_sign_epi8(lanes, signs), start);
    const __m256i further = _mm256_add_epi8(across, _mm256_set1_epi16((short)0x10F0));
    const __m256i down = _mm256_set1_epi8((char)left[side]);
    // Samples above with the one below, as both are weighted.
    const __m256i upper = _mm256_permute4x64_epi64(_mm256_castsi128_si256(APUS_ROW(above)), 0xD8);
    const __m256i upper2 = _mm256_permute4x64_epi64(_mm256_castsi128_si256(APUS_ROW(above + 16)), 0xD8);
    const __m256i along = _mm256_unpacklo_epi8(upper, down), along2 = _mm256_unpacklo_epi8(upper2, down);
    const __m256i rounding = _mm256_set1_epi16((short)side);
    const __m128i shift = _mm_cvtsi32_si128(log2 + 1);
    const int right = above[side] << 8;
    for (int row = 0; row < side; row++) {
        __m256i ends = _mm256_set1_epi16((short)(left[row] | right));
        __m256i weights = _mm256_set1_epi16((short)((row + 1) << 8 | (side - 1 - row)));
        __m256i sum = _mm256_add_epi16(_mm256_maddubs_epi16(ends, across), _mm256_maddubs_epi16(along, weights));
        sum = _mm256_srl_epi16(_mm256_add_epi16(sum, rounding), shift);
        if (log2 == 5) {
            __m256i sum2 = _mm256_add_epi16(_mm256_maddubs_epi16(ends, further), _mm256_maddubs_epi16(along2, weights));
            sum2 = _mm256_srl_epi16(_mm256_add_epi16(sum2, rounding), shift);
            _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(_mm256_packus_epi16(sum, sum2), 0xD8));
        } else {
            __m128i samples = _mm_packus_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
            if (log2 == 4) _mm_storeu_si128((__m128i *)to, samples);
            else _mm_storel_epi64((__m128i *)to, samples);
        }
        to += stride;
    }
    return 1;
}
