// SPDX-License-Identifier: MIT
// What the kernels of the decoder do, number by number, for machines that have none of them.
#pragma once

#include <stdint.h>
#include <stdlib.h>

static int clipped(int64_t number, int least, int most) {
    return number < least ? least : number > most ? most : (int)number;
}

/// Whole rows of the matrix from rows in pairs, as kernels have them.
static int factor(const int16_t *pairs, int log2, int row, int column) {
    int side = 1 << log2, mirrored = column >= side / 2;
    int at = (row >> 2) * 64 + (row & 1) * 32 + 2 * (mirrored ? side - 1 - column : column) + (row >> 1 & 1);
    return mirrored && row & 1 ? -pairs[at] : pairs[at];
}

static void inverse_model(int16_t *to, const int16_t *from, const int16_t *pairs, int log2, int shift) {
    int side = 1 << log2;
    int16_t between[1024];
    for (int pass = 0; pass < 2; pass++) {
        const int16_t *input = pass ? between : from;
        int16_t *output = pass ? to : between;
        int bits = pass ? shift : 7;
        // Turned by either pass.
        for (int column = 0; column < side; column++)
            for (int place = 0; place < side; place++) {
                int64_t sum = 1 << (bits - 1);
                for (int row = 0; row < side; row++) {
                    int number = log2 == 2 ? pairs[(row >> 1) * 8 + 2 * place + (row & 1)] : factor(pairs, log2, row, place);
                    sum += input[row * side + column] * number;
                }
                output[column * side + place] = clipped(sum >> bits, -32768, 32767);
            }
    }
}

static void add_model(uint8_t *to, long stride, const int16_t *numbers, int step, int log2) {
    for (int y = 0; y < 1 << log2; y++)
        for (int x = 0; x < 1 << log2; x++)
            to[y * stride + x] = clipped(to[y * stride + x] + numbers[(y * (1 << log2) + x) * step], 0, 255);
}

static void angle_model(uint8_t *to, long stride, const uint8_t *reference, int angle, int log2, int is_turned) {
    for (int y = 0; y < 1 << log2; y++)
        for (int x = 0; x < 1 << log2; x++) {
            int place = ((is_turned ? x : y) + 1) * angle, part = place & 31;
            const uint8_t *from = reference + (place >> 5) + (is_turned ? y : x) + 1;
            to[y * stride + x] = ((32 - part) * from[0] + part * from[1] + 16) >> 5;
        }
}

static void planar_model(uint8_t *to, long stride, const uint8_t *left, const uint8_t *above, int log2) {
    int side = 1 << log2;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            to[y * stride + x] = ((side - 1 - x) * left[y] + (x + 1) * above[side] + (side - 1 - y) * above[x]
                                  + (y + 1) * left[side] + side) >> (log2 + 1);
}

static void offset_model(uint8_t *to, const uint8_t *from, long count, long distance, const int16_t *offsets) {
    for (long x = 0; x < count; x++) {
        int sample = from[x], slope = 0;
        for (int i = -1; i < 2; i += 2) slope += (sample > from[x + i * distance]) - (sample < from[x + i * distance]);
        int offset = slope ? offsets[slope < 0 ? slope + 2 : slope + 1] : 0;
        to[x] = clipped(sample + offset, 0, 255);
    }
}

/// Four lines across an edge: `across` from sample to sample, `along` from line to line.
static void edge_model(uint8_t *at, long across, long along, int beta, int tc, int before, int behind) {
    int s[4][8], bends[4][2];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 8; i++) s[k][i] = at[(i - 4) * across + k * along];
        bends[k][0] = abs(s[k][1] - 2 * s[k][2] + s[k][3]);
        bends[k][1] = abs(s[k][6] - 2 * s[k][5] + s[k][4]);
    }
    if (bends[0][0] + bends[0][1] + bends[3][0] + bends[3][1] >= beta) return;
    int is_strong = 1, wide[2];
    for (int k = 0; k < 4; k += 3)
        is_strong &= 2 * (bends[k][0] + bends[k][1]) < beta >> 2 && abs(s[k][3] - s[k][4]) < (5 * tc + 1) >> 1
                     && abs(s[k][0] - s[k][3]) + abs(s[k][4] - s[k][7]) < beta >> 3;
    for (int i = 0; i < 2; i++) wide[i] = bends[0][i] + bends[3][i] < (beta + (beta >> 1)) >> 3;
    for (int k = 0; k < 4; k++) {
        int step = (9 * (s[k][4] - s[k][3]) - 3 * (s[k][5] - s[k][2]) + 8) >> 4;
        if (!is_strong && abs(step) >= 10 * tc) continue;
        for (int side = 0; side < 2; side++) {
            if (!(side ? behind : before)) continue;
            // From the edge on: this side, then the other.
            int p[4], q[4];
            for (int i = 0; i < 4; i++) p[i] = s[k][side ? 4 + i : 3 - i], q[i] = s[k][side ? 3 - i : 4 + i];
            int made[3] = {p[0], p[1], p[2]};
            if (is_strong) {
                made[0] = clipped((p[2] + 2 * p[1] + 2 * p[0] + 2 * q[0] + q[1] + 4) >> 3, p[0] - 2 * tc, p[0] + 2 * tc);
                made[1] = clipped((p[2] + p[1] + p[0] + q[0] + 2) >> 2, p[1] - 2 * tc, p[1] + 2 * tc);
                made[2] = clipped((2 * p[3] + 3 * p[2] + p[1] + p[0] + q[0] + 4) >> 3, p[2] - 2 * tc, p[2] + 2 * tc);
            } else {
                int own = clipped(step, -tc, tc) * (side ? -1 : 1);
                made[0] = clipped(p[0] + own, 0, 255);
                int change = clipped((((p[2] + p[0] + 1) >> 1) - p[1] + own) >> 1, -(tc >> 1), tc >> 1);
                if (wide[side]) made[1] = clipped(p[1] + change, 0, 255);
            }
            for (int i = 0; i < 3; i++) at[(side ? i : -1 - i) * across + k * along] = made[i];
        }
    }
}

static void chroma_model(uint8_t *at, long across, long along, int tc, int before, int behind) {
    for (int k = 0; k < 4; k++, at += along) {
        int p1 = at[-2 * across], p0 = at[-across], q0 = at[0], q1 = at[across];
        int step = clipped(((q0 - p0) * 4 + p1 - q1 + 4) >> 3, -tc, tc);
        if (before) at[-across] = clipped(p0 + step, 0, 255);
        if (behind) at[0] = clipped(q0 - step, 0, 255);
    }
}
