// SPDX-License-Identifier: MIT
// Runs the kernels of CApusPixel that compute in floating point over numbers that are the same on every machine, and prints a
// digest of what each gives. With a word, the kernels for AVX2 or NEON are run, and otherwise the models, which compute in
// the same steps as Swift: the digests must be equal.

#pragma STDC FP_CONTRACT OFF

#include <math.h>

#include "colours.h"
#include "digest.h"
#include "light.h"

enum { most = 96, steps = 1000 };

/// A number within `least` to `greatest`; one in sixteen is an end of that or zero.
static float number(float least, float greatest) {
    uint32_t kind = next() % 64;
    const float special[4] = {least, greatest, 0, -0.0f};
    if (kind < 4) return special[kind];
    return least + (greatest - least) * ((next() & 0xffffff) / 16777216.0f);
}

/// Says if a kernel of this machine was not run.
static long checked(int wide, const char *name, long done, long wanted) {
    if (wide && done != wanted) printf("%s did %ld of %ld\n", name, done, wanted);
    return done;
}

static float greater(float a, float b) { return a > b ? a : b; }
static float less(float a, float b) { return a < b ? a : b; }

static float rows[3][most], others[most];

static void fill(float *row, float least, float greatest) {
    for (int i = 0; i < most; i++) row[i] = number(least, greatest);
}

static void fill_bytes(uint8_t *row) {
    for (int i = 0; i < most; i++) row[i] = next();
}

// Models

static void look_up(float *row, const float *table) {
    float place = less(greater(*row, 0), 1) * steps;
    float whole = greater(place - 0.5f, 0) + 8388608, part = place - (whole - 8388608);
    const float *pair = table + 2 * (int)(whole - 8388608);
    *row = pair[0] + part * pair[1];
}

static void turn(float *red, float *green, float *blue, const float *m, const float *w) {
    float r = m[0] * *red + m[1] * *green + m[2] * *blue;
    float g = m[4] * *red + m[5] * *green + m[6] * *blue;
    float b = m[8] * *red + m[9] * *green + m[10] * *blue;
    float luminance = w[0] * r + w[1] * g + w[2] * b;
    float low = less(less(r, g), b), high = greater(greater(r, g), b);
    float below = greater(luminance, 0) / greater(luminance - low, 1e-9f);
    float above = greater(1 - luminance, 0) / greater(high - luminance, 1e-9f);
    float part = less(low < 0 ? below : 1, high > 1 ? above : 1);
    *red = luminance + part * (r - luminance);
    *green = luminance + part * (g - luminance);
    *blue = luminance + part * (b - luminance);
}

static void count_light(float place, int x, uint32_t *counts) {
    int below = (int)place;
    counts[4 * (place - below < 0.5f ? below : below + 1) + (x & 3)]++;
}

static uint8_t rounded(float value) {
    float clamped = less(greater(value, 0), 255) + 8388608;
    uint32_t bits;
    memcpy(&bits, &clamped, 4);
    return bits;
}

static void pixels(uint8_t *to, const uint8_t *luma, long count, const float *colours, long spacing, const float *factors,
                   const float *parts, const float *offsets) {
    long last = (count - 1) / 2;
    for (int channel = 0; channel < 3; channel++) {
        const float *row = colours + channel * spacing;
        for (long x = 0; x < count; x++) {
            long place = x / 2, near = x & 1 ? (place < last ? place + 1 : last) : (place ? place - 1 : 0);
            float added = row[place] + parts[x & 1] * (row[near] - row[place]);
            to[3 * x + channel] = rounded(factors[4 * channel] * luma[x] + added + offsets[x & 15]);
        }
    }
}

// Kernels

static void light(int wide) {
    static float table[2 * (steps + 1)];
    begin(1);
    for (int i = 0; i <= steps; i++) table[2 * i] = number(0, 1), table[2 * i + 1] = number(-1, 1);
    for (int count = 1; count < most; count++) {
        fill(rows[0], -0.5f, 1.5f);
        if (count % 5 == 0) rows[0][count / 3] = NAN, rows[0][count / 2] = INFINITY, rows[0][count / 5] = -INFINITY;
        long x = checked(wide, "apus_look_up", apus_look_up(wide, rows[0], count, table, steps), count & ~7);
        for (; x < count; x++) look_up(rows[0] + x, table);
        add(rows[0], sizeof rows[0]);
    }
    end("look up");

    begin(2);
    for (int turns = 0; turns < 4 * most; turns++) {
        int count = 1 + turns % (most - 1);
        float matrix[12], weights[3] = {0.2627f, 0.678f, 0.0593f};
        for (int i = 0; i < 12; i++) matrix[i] = number(-0.6f, 1.7f);
        for (int i = 0; i < 3; i++) fill(rows[i], turns & 1 ? 0 : -0.5f, turns & 2 ? 1 : 8);
        if (turns % 7 == 0) memcpy(rows[1], rows[0], sizeof rows[0]), memcpy(rows[2], rows[0], sizeof rows[0]);
        long x = apus_turn_light(wide, rows[0], rows[1], rows[2], count, matrix, weights);
        checked(wide, "apus_turn_light", x, count & ~7);
        for (; x < count; x++) turn(rows[0] + x, rows[1] + x, rows[2] + x, matrix, weights);
        add(rows, sizeof rows);
    }
    end("turn");

    begin(3);
    for (int count = 1; count < most; count++) {
        uint32_t counts[4 * 64] = {0};
        fill(rows[0], 0, count & 1 ? 62 : 3);
        for (int i = 0; i < most; i += 5) rows[0][i] = (next() % 124) / 2.0f;
        long x = checked(wide, "apus_count_light", apus_count_light(wide, rows[0], count, counts), count & ~7);
        for (; x < count; x++) count_light(rows[0][x], x, counts);
        add(counts, sizeof counts);
    }
    end("count");

    begin(4);
    for (int count = 1; count < most; count++) {
        float scale = number(0, 100);
        fill(rows[0], -1, 10000);
        if (count % 5 == 0) rows[0][count / 3] = NAN, rows[0][count / 2] = INFINITY, rows[0][count / 5] = 1e-40f;
        // No product of infinity and 0, whose sign depends on the machine.
        if (scale == 0) scale = 1;
        long x = checked(wide, "apus_fourth_root", apus_fourth_root(wide, rows[0], count, scale), count & ~7);
        for (; x < count; x++) rows[0][x] = sqrtf(sqrtf(greater(rows[0][x], 0) * scale));
        add(rows[0], sizeof rows[0]);
    }
    end("fourth root");
}

static void colours(int wide) {
    static uint8_t luma[most], second[most], made[4 * most];
    static float colours[3][most];
#ifdef __aarch64__
    // Kernels that only AVX2 has.
    const int is_checked = 0;
#else
    const int is_checked = wide;
#endif
    begin(5);
    for (int count = 1; count < most; count++) {
        float factors[4];
        for (int i = 0; i < 4; i++) factors[i] = number(-2, 2);
        fill_bytes(luma);
        fill_bytes(second);
        fill(others, -300, 300);
        fill(rows[0], -300, 300);
        long x = apus_add_colours(wide, rows[1], luma, second, count, factors);
        checked(is_checked, "apus_add_colours", x, count & ~7);
        for (; x < count; x++) rows[1][x] = factors[1] * luma[x] + factors[2] * second[x] + factors[3];
        x = apus_move(wide, rows[2], rows[0], others, count, factors[0]);
        checked(is_checked, "apus_move", x, count & ~7);
        for (; x < count; x++) rows[2][x] = rows[0][x] + factors[0] * (others[x] - rows[0][x]);
        add(rows, sizeof rows);
    }
    end("rows");

    begin(6);
    for (int turns = 0; turns < 8 * most; turns++) {
        int count = 1 + turns % (most - 1);
        float factors[12], parts[2] = {turns & 1 ? 0.25f : 0, turns & 1 ? 0.25f : 0.5f}, offsets[16];
        for (int i = 0; i < 12; i++) factors[i] = turns & 2 ? number(0.9f, 1.2f) : 1;
        for (int i = 0; i < 16; i++) offsets[i] = turns & 4 ? number(-0.5f, 0.5f) : 0;
        fill_bytes(luma);
        // Halves as well, which are rounded to even numbers, and numbers outside of all that is a sample.
        for (int channel = 0; channel < 3; channel++)
            for (int i = 0; i < most; i++)
                colours[channel][i] = turns & 8    ? number(-300, 300)
                                      : turns & 16 ? number(-1e10f, 1e10f)
                                                   : (next() % 400) / 2.0f - 100;
        memset(made, 77, sizeof made);
        float *row = colours[0] + 1;
        int is_done = apus_pixels(wide, made, luma, count, row, most, factors, parts, offsets);
        if (!checked(wide, "apus_pixels", is_done, 1)) pixels(made, luma, count, row, most, factors, parts, offsets);
        add(made, sizeof made);
    }
    end("pixels");
}

int main(int count, char **words) {
    (void)words;
    // With a word, what only some machines have.
    int wide = count > 1 && apus_has_wide();
    if (count > 1 && !wide) return 2;
    light(wide);
    colours(wide);
    return 0;
}
