// SPDX-License-Identifier: MIT
// Kernels of the decoder by AVX2 where a machine has it: `wide` says that (`apus_has_avx2`). Each returns whether it did the
// work; where it did not, Swift does it in vectors of 16 bytes, with the same results.
#pragma once

#include "encode.h"

#if defined(__x86_64__) && defined(__SSE2__) && !defined(APUS_PORTABLE)
#define APUS_WIDE static inline __attribute__((target("avx2")))
#define APUS_WIDE_PART static inline __attribute__((always_inline, target("avx2")))

/// Two numbers that follow one another, repeated.
#define APUS_PAIR(at) ({ int32_t apus_pair; memcpy(&apus_pair, at, 4); _mm256_set1_epi32(apus_pair); })
#define APUS_ROW(at) _mm_loadu_si128((const __m128i *)(at))

/// Rows 0 and 2, or 1 and 3, of four rows of eight coefficients, in pairs.
APUS_WIDE_PART __m256i apus_row_pairs(const int16_t *from, long stride) {
    __m256i first = _mm256_cvtepu16_epi32(APUS_ROW(from)), second = _mm256_cvtepu16_epi32(APUS_ROW(from + 2 * stride));
    return _mm256_or_si256(first, _mm256_slli_epi32(second, 16));
}

/// The first pass of the inverse transform: columns of coefficients, eight at a time. Each row of `to` holds what the columns
/// have there, in groups of four: the first with the third, the second with the fourth.
APUS_WIDE_PART void apus_inverse_columns(int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int columns,
                                         int groups) {
    const long side = 1l << log2;
    const __m256i order = _mm256_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15,
                                           0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
    for (long column = 0; column < columns; column += 8) {
        __m256i evens[8], odds[8];
        APUS_UNROLL for (int group = 0; group < groups; group++) {
            evens[group] = apus_row_pairs(from + 4 * group * side + column, side);
            odds[group] = apus_row_pairs(from + (4 * group + 1) * side + column, side);
        }
        int16_t *first = to + column, *last = to + (side - 1) * side + column;
        for (int row = 0; row < side / 2; row++) {
            __m256i even = _mm256_set1_epi32(64), odd = _mm256_setzero_si256();
            const int16_t *factors = pairs + 2 * row;
            APUS_UNROLL for (int group = 0; group < groups; group++) {
                even = _mm256_add_epi32(even, _mm256_madd_epi16(evens[group], APUS_PAIR(factors + 64 * group)));
                odd = _mm256_add_epi32(odd, _mm256_madd_epi16(odds[group], APUS_PAIR(factors + 64 * group + 32)));
            }
            __m256i both = _mm256_packs_epi32(_mm256_srai_epi32(_mm256_add_epi32(even, odd), 7),
                                              _mm256_srai_epi32(_mm256_sub_epi32(even, odd), 7));
            both = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(both, 0xD8), order);
            _mm_storeu_si128((__m128i *)first, _mm256_castsi256_si128(both));
            _mm_storeu_si128((__m128i *)last, _mm256_extracti128_si256(both, 1));
            first += side;
            last -= side;
        }
    }
}

/// The second pass, row by row.
APUS_WIDE_PART void apus_inverse_rows(int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int shift,
                                      int groups) {
    const long side = 1l << log2;
    const __m256i rounding = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shifts = _mm_cvtsi32_si128(shift);
    const __m256i backwards = _mm256_setr_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1,
                                               14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
    const __m256i half = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
                                          14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
#define APUS_FACTORS(at) _mm256_loadu_si256((const __m256i *)(at))
#define APUS_SHIFTED(sum) _mm256_sra_epi32(sum, shifts)
    for (int row = 0; row < side; row++) {
        __m256i even = rounding, odd = _mm256_setzero_si256(), even2 = rounding, odd2 = _mm256_setzero_si256();
        APUS_UNROLL for (int group = 0; group < groups; group++) {
            __m256i first = APUS_PAIR(from + 4 * group), second = APUS_PAIR(from + 4 * group + 2);
            const int16_t *factors = pairs + 64 * group;
            even = _mm256_add_epi32(even, _mm256_madd_epi16(first, APUS_FACTORS(factors)));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(second, APUS_FACTORS(factors + 32)));
            if (log2 == 4) continue;
            even2 = _mm256_add_epi32(even2, _mm256_madd_epi16(first, APUS_FACTORS(factors + 16)));
            odd2 = _mm256_add_epi32(odd2, _mm256_madd_epi16(second, APUS_FACTORS(factors + 48)));
        }
        __m256i sum = APUS_SHIFTED(_mm256_add_epi32(even, odd)), difference = APUS_SHIFTED(_mm256_sub_epi32(even, odd));
        if (log2 == 4) {
            __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum, difference), 0xD8);
            _mm256_storeu_si256((__m256i *)to, _mm256_shuffle_epi8(both, half));
        } else {
            __m256i sum2 = APUS_SHIFTED(_mm256_add_epi32(even2, odd2));
            __m256i difference2 = APUS_SHIFTED(_mm256_sub_epi32(even2, odd2));
            __m256i left = _mm256_permute4x64_epi64(_mm256_packs_epi32(sum, sum2), 0xD8);
            __m256i right = _mm256_shuffle_epi8(_mm256_packs_epi32(difference, difference2), backwards);
            _mm256_storeu_si256((__m256i *)to, left);
            _mm256_storeu_si256((__m256i *)(to + 16), _mm256_permute4x64_epi64(right, 0x72));
        }
        from += side;
        to += side;
    }
}

/// The second pass of 8 × 8, two rows at a time: whole rows of the matrix, in pairs as the first pass left them.
APUS_WIDE_PART void apus_inverse_rows8(int16_t *to, const int16_t *from, const int16_t *pairs, int shift, int groups) {
    const __m256i rounding = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shifts = _mm_cvtsi32_si128(shift);
    __m256i factors[4];
    APUS_UNROLL for (int group = 0; group < groups; group++) {
        APUS_UNROLL for (int odd = 0; odd < 2; odd++) {
            // The other half of a row is this one backwards, with the other sign in odd rows.
            __m128i left = APUS_ROW(pairs + 64 * group + 32 * odd), right = _mm_shuffle_epi32(left, 0x1B);
            if (odd) right = _mm_sub_epi16(_mm_setzero_si128(), right);
            factors[2 * group + odd] = _mm256_set_m128i(right, left);
        }
    }
    for (int row = 0; row < 8; row += 2) {
        __m256i one = rounding, other = rounding;
        APUS_UNROLL for (int pair = 0; pair < 2 * groups; pair++) {
            one = _mm256_add_epi32(one, _mm256_madd_epi16(APUS_PAIR(from + 2 * pair), factors[pair]));
            other = _mm256_add_epi32(other, _mm256_madd_epi16(APUS_PAIR(from + 8 + 2 * pair), factors[pair]));
        }
        __m256i both = _mm256_packs_epi32(APUS_SHIFTED(one), APUS_SHIFTED(other));
        _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(both, 0xD8));
        from += 16;
        to += 16;
    }
}

APUS_WIDE int apus_inverse_small_avx2(int16_t *to, const int16_t *from, const int16_t *matrix, int shift) {
    const __m256i order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15,
                                           0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    __m256i upper = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(APUS_ROW(from)), order);
    __m256i lower = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(APUS_ROW(from + 8)), order);
    __m256i firsts = _mm256_broadcastsi128_si256(APUS_ROW(matrix)), lasts = _mm256_broadcastsi128_si256(APUS_ROW(matrix + 8));
    // Two rows at once, each in a half: 0 and 1, then 2 and 3.
    const __m256i near = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1), far = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
    __m256i rounding = _mm256_set1_epi32(64);
    __m256i a = _mm256_add_epi32(_mm256_madd_epi16(upper, _mm256_permutevar8x32_epi32(firsts, near)),
                                 _mm256_madd_epi16(lower, _mm256_permutevar8x32_epi32(lasts, near)));
    __m256i b = _mm256_add_epi32(_mm256_madd_epi16(upper, _mm256_permutevar8x32_epi32(firsts, far)),
                                 _mm256_madd_epi16(lower, _mm256_permutevar8x32_epi32(lasts, far)));
    a = _mm256_srai_epi32(_mm256_add_epi32(a, rounding), 7);
    b = _mm256_srai_epi32(_mm256_add_epi32(b, rounding), 7);
    // Rows 0 and 2, rows 1 and 3.
    __m256i between = _mm256_packs_epi32(a, b);
    rounding = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i shifts = _mm_cvtsi32_si128(shift);
    a = _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi32(between, 0x00), firsts),
                         _mm256_madd_epi16(_mm256_shuffle_epi32(between, 0x55), lasts));
    b = _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi32(between, 0xAA), firsts),
                         _mm256_madd_epi16(_mm256_shuffle_epi32(between, 0xFF), lasts));
    __m256i result = _mm256_packs_epi32(APUS_SHIFTED(_mm256_add_epi32(a, rounding)),
                                        APUS_SHIFTED(_mm256_add_epi32(b, rounding)));
    _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(result, 0xD8));
    return 1;
}
#undef APUS_FACTORS
#undef APUS_SHIFTED
#undef APUS_PAIR

APUS_WIDE void apus_inverse8_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int columns, int rows, int shift) {
    int16_t between[64];
    if (rows <= 4) apus_inverse_columns(between, from, pairs, 3, 8, 1);
    else apus_inverse_columns(between, from, pairs, 3, 8, 2);
    if (columns <= 4) apus_inverse_rows8(to, between, pairs, shift, 1);
    else apus_inverse_rows8(to, between, pairs, shift, 2);
}

APUS_WIDE void apus_inverse16_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int columns, int rows, int shift) {
    int16_t between[256];
    switch (rows) {
    case 4: apus_inverse_columns(between, from, pairs, 4, columns, 1); break;
    case 8: apus_inverse_columns(between, from, pairs, 4, columns, 2); break;
    default: apus_inverse_columns(between, from, pairs, 4, columns, 4);
    }
    switch (columns) {
    case 4: apus_inverse_rows(to, between, pairs, 4, shift, 1); break;
    case 8: apus_inverse_rows(to, between, pairs, 4, shift, 2); break;
    default: apus_inverse_rows(to, between, pairs, 4, shift, 4);
    }
}

APUS_WIDE void apus_inverse32_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int columns, int rows, int shift) {
    int16_t between[1024];
    // All that the second pass reads.
    if (columns > 16) columns = 32;
    switch (rows) {
    case 4: apus_inverse_columns(between, from, pairs, 5, columns, 1); break;
    case 8: apus_inverse_columns(between, from, pairs, 5, columns, 2); break;
    case 12: case 16: apus_inverse_columns(between, from, pairs, 5, columns, 4); break;
    default: apus_inverse_columns(between, from, pairs, 5, columns, 8);
    }
    switch (columns) {
    case 4: apus_inverse_rows(to, between, pairs, 5, shift, 1); break;
    case 8: apus_inverse_rows(to, between, pairs, 5, shift, 2); break;
    case 12: case 16: apus_inverse_rows(to, between, pairs, 5, shift, 4); break;
    default: apus_inverse_rows(to, between, pairs, 5, shift, 8);
    }
}

APUS_WIDE int apus_inverse_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int columns, int rows,
                                int shift) {
    if (log2 == 3) apus_inverse8_avx2(to, from, pairs, columns, rows, shift);
    else if (log2 == 4) apus_inverse16_avx2(to, from, pairs, columns, rows, shift);
    else apus_inverse32_avx2(to, from, pairs, columns, rows, shift);
    return 1;
}

// Differences

/// Sixteen samples of 8 bits and differences, added and clipped, the first eight of them in the low eight bytes of each half.
APUS_WIDE_PART __m256i apus_sums(__m128i samples, const int16_t *numbers) {
    return _mm256_adds_epi16(_mm256_cvtepu8_epi16(samples), _mm256_loadu_si256((const __m256i *)numbers));
}

APUS_WIDE int apus_add_block_8_avx2(uint8_t *to, long stride, const int16_t *numbers, int log2) {
    if (log2 == 2) {
        int32_t rows[4];
        for (int row = 0; row < 4; row++) memcpy(&rows[row], to + row * stride, 4);
        __m256i sums = apus_sums(_mm_setr_epi32(rows[0], rows[1], rows[2], rows[3]), numbers);
        __m128i samples = _mm_packus_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        for (int row = 0; row < 4; row++) rows[row] = ((apus_s32x4)samples)[row];
        for (int row = 0; row < 4; row++) memcpy(to + row * stride, &rows[row], 4);
    } else if (log2 == 3) {
        APUS_UNROLL for (int row = 0; row < 8; row += 2) {
            uint8_t *next = to + stride;
            __m128i both = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)to), _mm_loadl_epi64((const __m128i *)next));
            __m256i sums = apus_sums(both, numbers);
            both = _mm_packus_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
            _mm_storel_epi64((__m128i *)to, both);
            _mm_storeh_pi((__m64 *)next, (__m128)both);
            to += 2 * stride;
            numbers += 16;
        }
    } else if (log2 == 4) {
        APUS_UNROLL for (int row = 0; row < 16; row++) {
            __m256i sums = apus_sums(APUS_ROW(to), numbers);
            _mm_storeu_si128((__m128i *)to,
                             _mm_packus_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
            to += stride;
            numbers += 16;
        }
    } else {
        for (int row = 0; row < 32; row++) {
            __m256i sums = _mm256_packus_epi16(apus_sums(APUS_ROW(to), numbers), apus_sums(APUS_ROW(to + 16), numbers + 16));
            _mm256_storeu_si256((__m256i *)to, _mm256_permute4x64_epi64(sums, 0xD8));
            to += stride;
            numbers += 32;
        }
    }
    return 1;
}

APUS_WIDE int apus_add_flat_8_avx2(uint8_t *to, long stride, int number, int log2) {
    // Of the two one is zero.
    __m256i more = _mm256_set1_epi8((char)(number < 0 ? 0 : number > 255 ? 255 : number));
    __m256i less = _mm256_set1_epi8((char)(number > 0 ? 0 : number < -255 ? 255 : -number));
#define APUS_MOVED(v) _mm_subs_epu8(_mm_adds_epu8(v, _mm256_castsi256_si128(more)), _mm256_castsi256_si128(less))
    for (int row = 0; row < 1 << log2; row++) {
        if (log2 == 2) {
            int32_t four;
            memcpy(&four, to, 4);
            four = _mm_cvtsi128_si32(APUS_MOVED(_mm_cvtsi32_si128(four)));
            memcpy(to, &four, 4);
        } else if (log2 == 3) {
            _mm_storel_epi64((__m128i *)to, APUS_MOVED(_mm_loadl_epi64((const __m128i *)to)));
        } else if (log2 == 4) {
            _mm_storeu_si128((__m128i *)to, APUS_MOVED(APUS_ROW(to)));
        } else {
            __m256i samples = _mm256_loadu_si256((const __m256i *)to);
            _mm256_storeu_si256((__m256i *)to, _mm256_subs_epu8(_mm256_adds_epu8(samples, more), less));
        }
        to += stride;
    }
#undef APUS_MOVED
    return 1;
}

// Predictions from samples of 8 bits

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

// Edges of luma, of samples of 8 bits

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
    // Both directions may be kept as they are.
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
#define APUS_DONE(name, ...) return wide ? name##_avx2(__VA_ARGS__) : 0
#else
#define APUS_DONE(name, ...) return (void)wide, 0
#endif

/// The inverse transform of 8 × 8 to 32 × 32 coefficients, of which only so many columns and rows, multiples of four, may hold
/// anything but zeros.
static inline int apus_inverse(int wide, int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int columns,
                               int rows, int shift) {
    APUS_DONE(apus_inverse, to, from, pairs, log2, columns, rows, shift);
}

/// That of 4 × 4: `matrix` holds rows 0 and 1 in pairs, one for each column, then rows 2 and 3.
static inline int apus_inverse_small(int wide, int16_t *to, const int16_t *from, const int16_t *matrix, int shift) {
    APUS_DONE(apus_inverse_small, to, from, matrix, shift);
}

/// Adds differences to samples of 8 bits, clipped.
static inline int apus_add_block_8(int wide, uint8_t *to, long stride, const int16_t *numbers, int log2) {
    APUS_DONE(apus_add_block_8, to, stride, numbers, log2);
}

/// Adds the same difference to all of them.
static inline int apus_add_flat_8(int wide, uint8_t *to, long stride, int number, int log2) {
    APUS_DONE(apus_add_flat_8, to, stride, number, log2);
}

/// Predicts samples of 8 bits row by row along a reference, which begins with the corner. From 8 × 8 on, as what follows.
static inline int apus_angle_8(int wide, uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    APUS_DONE(apus_angle_8, to, stride, reference, angle, log2);
}

/// The same column by column.
static inline int apus_turned_angle_8(int wide, uint8_t *to, long stride, const uint8_t *reference, int angle, int log2) {
    APUS_DONE(apus_turned_angle_8, to, stride, reference, angle, log2);
}

/// Predicts them by two planes: ITU-T H.265, 8.4.4.2.4.
static inline int apus_planar_8(int wide, uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    APUS_DONE(apus_planar_8, to, stride, left, above, log2);
}

/// Filters sixteen lines of luma across an edge, after which `start` is the first sample: ITU-T H.265, 8.7.2.5. `limits` holds
/// for eight lines each β, tC, and -1 or 0 for each side that may change or stays as it is. β of 0 leaves all as it is.
static inline int apus_luma_along_8(int wide, uint8_t *start, long stride, apus_s16x8 limits) {
    APUS_DONE(apus_luma_along_8, start, stride, limits);
}

/// The same for a vertical edge.
static inline int apus_luma_across_8(int wide, uint8_t *start, long stride, apus_s16x8 limits) {
    APUS_DONE(apus_luma_across_8, start, stride, limits);
}

/// Adds to samples of 8 bits what their neighbours call for, `distance` away on either side: ITU-T H.265, 8.7.3, with offsets of
/// 8 bits at most in the order of `edgeIdx` from -2 to 2, without the one in the middle. Returns how many were done, from the
/// first on.
static inline long apus_offset_edges_8(int wide, uint8_t *to, const uint8_t *from, long count, long distance,
                                       apus_s16x4 offsets) {
    APUS_DONE(apus_offset_edges_8, to, from, count, distance, offsets);
}

/// Sixteen rows of sixteen samples of 8 bits become columns. Strides in bytes.
static inline void apus_transpose_16x16(int wide, uint8_t *to, long to_stride, const uint8_t *from, long from_stride) {
#ifdef APUS_WIDE
    if (wide) {
        apus_transpose_16x16_avx2(to, to_stride, from, from_stride);
        return;
    }
#endif
    for (int row = 0; row < 16; row += 8)
        for (int column = 0; column < 16; column += 8)
            apus_transpose_8(to + row * to_stride + column, to_stride, from + column * from_stride + row, from_stride);
}
