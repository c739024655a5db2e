// SPDX-License-Identifier: MIT
// Filters of samples of 8 bits by AVX2, included by decode.h alone.
#pragma once

/// Sums of the first and the last of four lines, for all four.
APUS_WIDE_PART __m256i apus_outer_sums(__m256i lines, __m256i first, __m256i last) {
    return _mm256_add_epi16(_mm256_shuffle_epi8(lines, first), _mm256_shuffle_epi8(lines, last));
}

APUS_WIDE_PART __m256i apus_limited(__m256i value, __m256i around, __m256i reach) {
    return _mm256_min_epi16(_mm256_max_epi16(value, _mm256_sub_epi16(around, reach)), _mm256_add_epi16(around, reach));
}

/// Filters sixteen lines of four samples on either side of an edge. Returns how many samples on a side may have changed.
APUS_WIDE_PART int apus_filter_edges(__m256i v[8], apus_s16x8 limits) {
#define APUS_SUM _mm256_add_epi16
#define APUS_LESS _mm256_sub_epi16
#define APUS_TWICE(a) _mm256_add_epi16(a, a)
#define APUS_LIMIT(i)          \
    _mm256_shuffle_epi8(both, _mm256_set_m128i(_mm_set1_epi16(0x0908 + 0x0202 * (i)), _mm_set1_epi16(0x0100 + 0x0202 * (i))))
    const __m256i first = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9,
                                           0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9);
    const __m256i last = _mm256_add_epi8(first, _mm256_set1_epi8(6)), both = _mm256_broadcastsi128_si256((__m128i)limits);
    const __m256i p3 = v[0], p2 = v[1], p1 = v[2], p0 = v[3], q0 = v[4], q1 = v[5], q2 = v[6], q3 = v[7];
    const __m256i beta = APUS_LIMIT(0), tc = APUS_LIMIT(1);
    __m256i bendP = _mm256_abs_epi16(APUS_LESS(APUS_SUM(p2, p0), APUS_TWICE(p1)));
    __m256i bendQ = _mm256_abs_epi16(APUS_LESS(APUS_SUM(q2, q0), APUS_TWICE(q1)));
    __m256i bend = APUS_SUM(bendP, bendQ);
    __m256i isOn = _mm256_cmpgt_epi16(beta, apus_outer_sums(bend, first, last));
    if (_mm256_testz_si256(isOn, isOn)) return 0;
    __m256i slope = APUS_SUM(_mm256_abs_epi16(APUS_LESS(p3, p0)), _mm256_abs_epi16(APUS_LESS(q0, q3)));
    __m256i gap = APUS_LESS(q0, p0), tc5 = APUS_SUM(_mm256_slli_epi16(tc, 2), tc), one = _mm256_set1_epi16(1);
    __m256i flat = _mm256_and_si256(
        _mm256_and_si256(_mm256_cmpgt_epi16(_mm256_srai_epi16(beta, 2), APUS_TWICE(bend)),
                         _mm256_cmpgt_epi16(_mm256_srai_epi16(beta, 3), slope)),
        _mm256_cmpgt_epi16(_mm256_srai_epi16(APUS_SUM(tc5, one), 1), _mm256_abs_epi16(gap)));
    __m256i strong = _mm256_and_si256(
        isOn, _mm256_and_si256(_mm256_shuffle_epi8(flat, first), _mm256_shuffle_epi8(flat, last)));
    // Either side may be kept as it is.
    const __m256i before = APUS_LIMIT(2), behind = APUS_LIMIT(3);

    __m256i twist = APUS_LESS(q1, p1);
    __m256i rest = APUS_SUM(APUS_LESS(gap, APUS_SUM(APUS_TWICE(twist), twist)),
                            APUS_SUM(_mm256_slli_epi16(_mm256_and_si256(gap, one), 3), _mm256_set1_epi16(8)));
    __m256i step = APUS_SUM(_mm256_srai_epi16(gap, 1), _mm256_srai_epi16(rest, 4));
    __m256i weak = _mm256_andnot_si256(strong, isOn);
    weak = _mm256_and_si256(weak, _mm256_cmpgt_epi16(APUS_TWICE(tc5), _mm256_abs_epi16(step)));
    const __m256i zero = _mm256_setzero_si256(), most = _mm256_set1_epi16(255), half = _mm256_srai_epi16(tc, 1);
    __m256i limit = _mm256_srai_epi16(APUS_SUM(beta, _mm256_srai_epi16(beta, 1)), 3);
    __m256i wideP = _mm256_cmpgt_epi16(limit, apus_outer_sums(bendP, first, last));
    __m256i wideQ = _mm256_cmpgt_epi16(limit, apus_outer_sums(bendQ, first, last));
    step = apus_limited(step, zero, tc);
    __m256i changeP = _mm256_srai_epi16(APUS_SUM(APUS_LESS(_mm256_avg_epu16(p2, p0), p1), step), 1);
    __m256i changeQ = _mm256_srai_epi16(APUS_LESS(APUS_LESS(_mm256_avg_epu16(q2, q0), q1), step), 1);
    changeP = _mm256_and_si256(apus_limited(changeP, zero, half), _mm256_and_si256(wideP, weak));
    changeQ = _mm256_and_si256(apus_limited(changeQ, zero, half), _mm256_and_si256(wideQ, weak));
    step = _mm256_and_si256(step, weak);
#define APUS_CLIPPED(a) _mm256_max_epi16(zero, _mm256_min_epi16(most, a))
    v[2] = APUS_CLIPPED(APUS_SUM(p1, _mm256_and_si256(changeP, before)));
    v[3] = APUS_CLIPPED(APUS_SUM(p0, _mm256_and_si256(step, before)));
    v[4] = APUS_CLIPPED(APUS_LESS(q0, _mm256_and_si256(step, behind)));
    v[5] = APUS_CLIPPED(APUS_SUM(q1, _mm256_and_si256(changeQ, behind)));
    if (_mm256_testz_si256(strong, strong)) return 2;

    const __m256i two = _mm256_set1_epi16(2), four = _mm256_set1_epi16(4), reach = APUS_TWICE(tc);
    __m256i middle = APUS_SUM(p0, q0);
    __m256i sumP = APUS_SUM(APUS_SUM(p2, p1), middle), sumQ = APUS_SUM(APUS_SUM(q2, q1), middle);
    __m256i newP0 = _mm256_srai_epi16(APUS_SUM(APUS_SUM(sumP, APUS_SUM(p1, middle)), APUS_SUM(q1, four)), 3);
    __m256i newQ0 = _mm256_srai_epi16(APUS_SUM(APUS_SUM(sumQ, APUS_SUM(q1, middle)), APUS_SUM(p1, four)), 3);
    __m256i newP1 = _mm256_srai_epi16(APUS_SUM(sumP, two), 2), newQ1 = _mm256_srai_epi16(APUS_SUM(sumQ, two), 2);
    __m256i newP2 = _mm256_srai_epi16(APUS_SUM(APUS_SUM(sumP, four), APUS_TWICE(APUS_SUM(p3, p2))), 3);
    __m256i newQ2 = _mm256_srai_epi16(APUS_SUM(APUS_SUM(sumQ, four), APUS_TWICE(APUS_SUM(q3, q2))), 3);
    const __m256i strongP = _mm256_and_si256(strong, before), strongQ = _mm256_and_si256(strong, behind);
    v[1] = _mm256_blendv_epi8(p2, apus_limited(newP2, p2, reach), strongP);
    v[2] = _mm256_blendv_epi8(v[2], apus_limited(newP1, p1, reach), strongP);
    v[3] = _mm256_blendv_epi8(v[3], apus_limited(newP0, p0, reach), strongP);
    v[4] = _mm256_blendv_epi8(v[4], apus_limited(newQ0, q0, reach), strongQ);
    v[5] = _mm256_blendv_epi8(v[5], apus_limited(newQ1, q1, reach), strongQ);
    v[6] = _mm256_blendv_epi8(q2, apus_limited(newQ2, q2, reach), strongQ);
    return 3;
#undef APUS_SUM
#undef APUS_LESS
#undef APUS_TWICE
#undef APUS_LIMIT
#undef APUS_CLIPPED
}

APUS_WIDE int apus_luma_along_8_avx2(uint8_t *start, long stride, apus_s16x8 limits) {
    __m256i v[8];
    uint8_t *from = start - 4 * stride;
    APUS_UNROLL for (int i = 0; i < 8; i++) v[i] = _mm256_cvtepu8_epi16(APUS_ROW(from + i * stride));
    int changed = apus_filter_edges(v, limits);
    if (!changed) return 1;
#define APUS_PUT(i) \
    _mm_storeu_si128((__m128i *)(from + (i) * stride), \
                     _mm_packus_epi16(_mm256_castsi256_si128(v[i]), _mm256_extracti128_si256(v[i], 1)))
    APUS_PUT(2);
    APUS_PUT(3);
    APUS_PUT(4);
    APUS_PUT(5);
    if (changed > 2) {
        APUS_PUT(1);
        APUS_PUT(6);
    }
#undef APUS_PUT
    return 1;
}

APUS_WIDE int apus_luma_across_8_avx2(uint8_t *start, long stride, apus_s16x8 limits) {
    __m256i v[8], a[4], b[4];
    uint8_t *from = start - 4;
    const __m256i zero = _mm256_setzero_si256();
    APUS_UNROLL for (int i = 0; i < 8; i++)
        v[i] = _mm256_set_m128i(_mm_loadl_epi64((const __m128i *)(from + (i + 8) * stride)),
                                _mm_loadl_epi64((const __m128i *)(from + i * stride)));
    APUS_UNROLL for (int i = 0; i < 4; i++) a[i] = _mm256_unpacklo_epi8(v[2 * i], v[2 * i + 1]);
    APUS_UNROLL for (int i = 0; i < 2; i++) {
        b[2 * i] = _mm256_unpacklo_epi16(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm256_unpackhi_epi16(a[2 * i], a[2 * i + 1]);
    }
    APUS_UNROLL for (int i = 0; i < 2; i++) {
        a[2 * i] = _mm256_unpacklo_epi32(b[i], b[i + 2]);
        a[2 * i + 1] = _mm256_unpackhi_epi32(b[i], b[i + 2]);
    }
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        v[2 * i] = _mm256_unpacklo_epi8(a[i], zero);
        v[2 * i + 1] = _mm256_unpackhi_epi8(a[i], zero);
    }
    if (!apus_filter_edges(v, limits)) return 1;
    APUS_UNROLL for (int i = 0; i < 4; i++) a[i] = _mm256_or_si256(v[2 * i], _mm256_slli_epi16(v[2 * i + 1], 8));
    APUS_UNROLL for (int i = 0; i < 2; i++) {
        b[2 * i] = _mm256_unpacklo_epi16(a[2 * i], a[2 * i + 1]);
        b[2 * i + 1] = _mm256_unpackhi_epi16(a[2 * i], a[2 * i + 1]);
    }
    APUS_UNROLL for (int i = 0; i < 2; i++) {
        a[2 * i] = _mm256_unpacklo_epi32(b[i], b[i + 2]);
        a[2 * i + 1] = _mm256_unpackhi_epi32(b[i], b[i + 2]);
    }
    APUS_UNROLL for (int i = 0; i < 4; i++) {
        __m128i low = _mm256_castsi256_si128(a[i]), high = _mm256_extracti128_si256(a[i], 1);
        _mm_storel_epi64((__m128i *)(from + 2 * i * stride), low);
        _mm_storeh_pi((__m64 *)(from + (2 * i + 1) * stride), (__m128)low);
        _mm_storel_epi64((__m128i *)(from + (2 * i + 8) * stride), high);
        _mm_storeh_pi((__m64 *)(from + (2 * i + 9) * stride), (__m128)high);
    }
    return 1;
}

// Offsets at edges, and turned pictures

APUS_WIDE long apus_offset_edges_8_avx2(uint8_t *to, const uint8_t *from, long count, long distance, apus_s16x4 offsets) {
    // By the sum of two signs, from -2 on.
    const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        (char)offsets[0], (char)offsets[1], 0, (char)offsets[2], (char)offsets[3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i two = _mm256_set1_epi8(2), high = _mm256_set1_epi8((char)0x80);
    long x = 0;
    for (; x + 32 <= count; x += 32) {
        __m256i sample = _mm256_loadu_si256((const __m256i *)(from + x));
        __m256i before = _mm256_loadu_si256((const __m256i *)(from + x + distance));
        __m256i behind = _mm256_loadu_si256((const __m256i *)(from + x - distance));
        // -1 where it holds.
        __m256i notMore = _mm256_add_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(sample, before), sample),
                                          _mm256_cmpeq_epi8(_mm256_min_epu8(sample, behind), sample));
        __m256i notLess = _mm256_add_epi8(_mm256_cmpeq_epi8(_mm256_max_epu8(sample, before), sample),
                                          _mm256_cmpeq_epi8(_mm256_max_epu8(sample, behind), sample));
        __m256i offset = _mm256_shuffle_epi8(table, _mm256_add_epi8(_mm256_sub_epi8(notMore, notLess), two));
        __m256i sum = _mm256_adds_epi8(_mm256_xor_si256(sample, high), offset);
        _mm256_storeu_si256((__m256i *)(to + x), _mm256_xor_si256(sum, high));
    }
    return x;
}

APUS_WIDE void apus_transpose_16x16_avx2(uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
    apus_transpose16_8(to, to_stride, from, from_stride);
}
