// SPDX-License-Identifier: MIT
// Inverse transforms, and what they leave added to predictions, by AVX2, included by decode.h alone.
#pragma once

/// Two numbers that follow one another, repeated.
#define APUS_PAIR(at) ({ int32_t apus_pair; memcpy(&apus_pair, at, 4); _mm256_set1_epi32(apus_pair); })

/// Rows 0 and 2, or 1 and 3, of four rows of eight coefficients, in pairs.
APUS_WIDE_PART __m256i apus_row_pairs(const int16_t *from, long stride) {
    __m256i first = _mm256_cvtepu16_epi32(APUS_ROW(from)), second = _mm256_cvtepu16_epi32(APUS_ROW(from + 2 * stride));
    return _mm256_or_si256(first, _mm256_slli_epi32(second, 16));
}

/// The first pass of the inverse transform: columns of coefficients, eight at a time. Each row of `to` holds what the
/// columns have there, in groups of four: the first with the third, the second with the fourth.
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
    __m256i firsts = _mm256_broadcastsi128_si256(APUS_ROW(matrix));
    __m256i lasts = _mm256_broadcastsi128_si256(APUS_ROW(matrix + 8));
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

APUS_WIDE void apus_inverse16_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int columns, int rows,
                                  int shift) {
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

APUS_WIDE void apus_inverse32_avx2(int16_t *to, const int16_t *from, const int16_t *pairs, int columns, int rows,
                                  int shift) {
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

/// Sixteen samples of 8 bits and as many differences, added.
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
