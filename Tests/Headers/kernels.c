// SPDX-License-Identifier: MIT
// Runs the integer kernels of CApusPixel over numbers that are the same on every machine, and prints a digest of what each gives.
// Compiled for what a machine has, for the plain way (APUS_PORTABLE) and for other machines, the digests must be equal.

#include "decode.h"
#include "digest.h"
#include "models.h"

/// A number within `least` to `most`; one in eight is an end of that.
static int number(int least, int most) {
    uint32_t kind = next() % 16;
    if (kind == 0) return least;
    if (kind == 1) return most;
    return least + (int)(next() % (uint32_t)(most - least + 1));
}

static int16_t numbers[4096], more[4096], results[4096];
static uint16_t samples[8192], others[8192];
static uint8_t bytes[4096], turned[4096];

static void fill(int16_t *to, int count, int least, int most) {
    for (int i = 0; i < count; i++) to[i] = number(least, most);
}

static void decoding(void) {
    begin(1);
    for (int turn = 0; turn < 2000; turn++) {
        fill(numbers, 8, -32768, 32767);
        fill(more, 8, turn & 1 ? -90 : -16384, turn & 1 ? 90 : 16384);
        apus_s16x8 a, b;
        memcpy(&a, numbers, 16);
        memcpy(&b, more, 16);
        apus_s32x4 sums = apus_multiply_add(a, b);
        apus_s16x8 narrow = apus_narrow(sums, sums >> 7);
        apus_s16x8 found[4] = {apus_greater(a, b), apus_equal(a, b), apus_least(a, b), apus_most(a, b)};
        add(&sums, sizeof sums);
        add(&narrow, sizeof narrow);
        add(found, sizeof found);
    }
    end("arithmetic");

    begin(2);
    for (int turn = 0; turn < 2000; turn++) {
        fill(numbers, 8, -32768, 32767);
        for (int i = 0; i < 16; i++) bytes[i] = number(0, 255);
        apus_add_8(bytes, numbers);
        apus_add_8x4(bytes + 8, numbers + 4);
        add(bytes, 16);
        int most = (1 << (9 + turn % 7)) - 1;
        for (int i = 0; i < 16; i++) samples[i] = number(0, most);
        apus_add_16(samples, numbers, most);
        apus_add_16x4(samples + 8, numbers + 4, most);
        add(samples, 32);
    }
    end("add");

    begin(3);
    for (int turn = 0; turn < 200; turn++) {
        for (int i = 0; i < 128; i++) bytes[i] = number(0, 255), samples[i] = number(0, 65535);
        memset(turned, 0, 256);
        memset(others, 0, 256);
        apus_transpose_8(turned, 8 + turn % 5, bytes, 9 + turn % 7);
        apus_transpose_16(others, 8 + turn % 5, samples, 9 + turn % 7);
        add(turned, 256);
        add(others, 256);
    }
    end("transpose");
}

static void encoding(int wide) {
    static const int angles[] = {-32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32};
    begin(4);
    for (int turn = 0; turn < 400; turn++) {
        int log2 = 2 + turn % 4, n = 1 << log2, most = turn & 4 ? 1023 : 255, stride = n + turn % 9;
        for (int i = 0; i < 2048; i++) samples[i] = number(0, most), others[i] = number(0, most);
        int cost = apus_satd(wide, samples, stride, others, n, log2);
        add(&cost, sizeof cost);
        for (unsigned i = 0; i < sizeof angles / sizeof *angles; i++) {
            cost = apus_satd_angle(wide, samples, stride, others + 64, angles[i], log2);
            apus_predict_angle(wide, (uint16_t *)results, n, others + 64, angles[i], log2);
            add(&cost, sizeof cost);
            add(results, 2 * n * n);
        }
        apus_predict_planar(wide, (uint16_t *)results, n, samples, others, log2);
        add(results, 2 * n * n);
        apus_difference(wide, numbers, samples, stride, others, n, log2);
        add(numbers, 2 * n * n);
        cost = apus_squares(wide, samples, stride, others, n, log2);
        add(&cost, sizeof cost);
        int32_t sums[8];
        apus_offset_sums(wide, sums, samples, stride, others + 80, 64, (long[]){1, 64, 65, 63}[turn % 4], number(1, n), n);
        add(sums, sizeof sums);
        apus_reconstruct(wide, (uint16_t *)results, n, others, n, numbers, log2, most);
        add(results, 2 * n * n);
    }
    end("prediction");

    begin(5);
    for (int turn = 0; turn < 400; turn++) {
        int log2 = 2 + turn % 4, n = 1 << log2, depth = turn & 4 ? 10 : 8, most = (1 << depth) - 1;
        fill(numbers, n * n, -most, most);
        fill(more, n * n, -90, 90);
        apus_transform(wide, results, numbers, more, log2, depth);
        add(results, 2 * n * n);
    }
    end("transform");

    begin(6);
    for (int turn = 0; turn < 400; turn++) {
        int log2 = 2 + turn % 4, n = 1 << log2, count = n * n / 16, shift = 7 + turn % 8;
        int range = turn & 8 ? 300 : 20000;
        uint16_t groups[64], masks[64] = {0}, signs[64] = {0};
        for (int g = 0; g < count; g++) groups[g] = (g % (n / 4)) * 4 + (g / (n / 4)) * 4 * n;
        fill(numbers, n * n, -range, range);
        memset(results, 0, sizeof results);
        memset(more, 0, sizeof more);
        int64_t error = 0;
        int last = apus_quantize(
            wide, results, more, masks, signs, numbers, groups, count, n, turn % 3, 13000 + turn, shift, 60 + turn, &error);
        add(&last, sizeof last);
        add(&error, sizeof error);
        add(masks, sizeof masks);
        for (int g = 0; g < count; g++) {
            if (masks[g]) add(&signs[g], 2);
            uint32_t found = apus_found(results + 16 * g);
            add(&found, sizeof found);
        }
        add(results, 2 * n * n);
        add(more, 2 * n * n);
    }
    end("quantize");
}

/// Runs a kernel, or its model on a machine without it. A kernel that is missing where `wide` is set shows in the output.
#define RUN(wide, kernel, model, ...)                                    \
    do {                                                                 \
        if (kernel(wide, __VA_ARGS__)) break;                            \
        if (wide) printf("%s is missing\n", #kernel);                    \
        model;                                                           \
    } while (0)

static void decoding_residuals(int wide) {
    begin(7);
    for (int turn = 0; turn < 800; turn++) {
        int log2 = 2 + turn % 4, n = 1 << log2, columns = 4 * number(1, n / 4), rows = 4 * number(1, n / 4);
        int range = turn & 8 ? 32767 : 300, shift = 8 + turn % 5, stride = n + turn % 9;
        fill(more, 512, -90, 90);
        memset(numbers, 0, sizeof numbers);
        memset(results, 0, sizeof results);
        for (int y = 0; y < rows; y++) {
            fill(numbers + y * n, columns, -range - 1, range);
            // The greatest sums that there are.
            for (int x = 0; turn % 48 > 40 && x < columns; x++) numbers[y * n + x] = more[0] < 0 ? -32768 : 32767;
        }
        for (int i = 0; turn % 48 > 40 && i < 512; i++) more[i] = turn & 1 ? 90 : -90;
        if (log2 == 2) {
            RUN(wide, apus_inverse_small, inverse_model(results, numbers, more, 2, shift), results, numbers, more, shift);
        } else {
            RUN(wide, apus_inverse, inverse_model(results, numbers, more, log2, shift),
                results, numbers, more, log2, columns, rows, shift);
        }
        add(results, 2 * n * n + 64);
        for (int i = 0; i < 2048; i++) bytes[i] = number(0, 255);
        uint8_t *to = bytes + turn % 3;
        RUN(wide, apus_add_block_8, add_model(to, stride, results, 1, log2), to, stride, results, log2);
        add(bytes, 2048);
        fill(numbers, n * n, -32768, 32767);
        RUN(wide, apus_add_block_8, add_model(to, stride, numbers, 1, log2), to, stride, numbers, log2);
        add(bytes, 2048);
        for (int i = 0; i < 2048; i++) bytes[i] = number(0, 255);
        int16_t flat = turn & 4 ? number(-300, 300) : number(-32768, 32767);
        RUN(wide, apus_add_flat_8, add_model(to, stride, &flat, 0, log2), to, stride, flat, log2);
        add(bytes, 2048);
    }
    end("inverse transform");
}

static void decoding_predictions(int wide) {
    static const int angles[] = {-32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32};
    begin(8);
    for (int turn = 0; turn < 600; turn++) {
        int log2 = 3 + turn % 3, angle = angles[turn % 17], stride = (1 << log2) + turn % 9;
        for (int i = 0; i < 256; i++) bytes[i] = turn % 5 ? number(0, 255) : 255 * number(0, 1);
        memset(turned, 0, 2048);
        uint8_t *to = turned + turn % 4, *reference = bytes + 64;
        RUN(wide, apus_angle_8, angle_model(to, stride, reference, angle, log2, 0), to, stride, reference, angle, log2);
        add(turned, 2048);
        RUN(wide, apus_turned_angle_8, angle_model(to, stride, reference, angle, log2, 1),
            to, stride, reference, angle, log2);
        add(turned, 2048);
        RUN(wide, apus_planar_8, planar_model(to, stride, bytes, reference, log2), to, stride, bytes, reference, log2);
        add(turned, 2048);
    }
    end("prediction of 8 bits");
}

static void luma_model(uint8_t *start, int across, int along, apus_s16x8 limits) {
    for (int i = 0; i < 4; i++) {
        int at = i >> 1 << 2;
        edge_model(start + 4 * i * along, across, along, limits[at], limits[at + 1], limits[at + 2], limits[at + 3]);
    }
}

static void decoding_edges(int wide) {
    begin(9);
    for (int turn = 0; turn < 4000; turn++) {
        int range = turn % 5 ? 4 * (turn % 5) : 255, base = number(0, 255 - range);
        for (int i = 0; i < 2048; i++) bytes[i] = base + number(0, range);
        apus_s16x8 limits;
        for (int i = 0; i < 8; i++)
            limits[i] = i & 2 ? -number(0, 1) : i & 1 ? number(0, 24) : number(0, 64);
        int stride = 40 + turn % 8, is_across = turn & 1, across = is_across ? 1 : stride, along = is_across ? stride : 1;
        uint8_t *start = bytes + stride * 12 + 12;
        if (is_across) RUN(wide, apus_luma_across_8, luma_model(start, across, along, limits), start, stride, limits);
        else RUN(wide, apus_luma_along_8, luma_model(start, across, along, limits), start, stride, limits);
        add(bytes, 2048);
        uint8_t *cb = start + 6, *cr = start + stride * 16 + 6;
        apus_s16x8 tc = {limits[1], limits[1], limits[1], limits[1], limits[5], limits[5], limits[5], limits[5]};
        // Plainly everywhere but here: this one has vectors on every machine.
        memcpy(turned, bytes, 2048);
        chroma_model(turned + (cb - bytes), across, along, limits[1], limits[2], limits[3]);
        chroma_model(turned + (cr - bytes), across, along, limits[5], limits[2], limits[3]);
        if (is_across) apus_chroma_across_8(cb, cr, stride, tc, limits[2], limits[3]);
        else apus_chroma_along_8(cb, cr, stride, tc, limits[2], limits[3]);
        add(bytes, 2048);
        if (memcmp(turned, bytes, 2048)) printf("chroma differs from its model\n");
    }
    end("edges");
}

static void decoding_offsets(int wide) {
    begin(10);
    for (int turn = 0; turn < 2000; turn++) {
        int range = turn % 5 ? 2 * (turn % 5) : 255, base = turn & 1 ? 0 : number(0, 255 - range);
        for (int i = 0; i < 2048; i++) bytes[i] = base + number(0, range);
        int16_t values[4];
        fill(values, 4, turn & 2 ? -128 : -7, turn & 2 ? 127 : 7);
        apus_s16x4 offsets = {values[0], values[1], values[2], values[3]};
        long count = number(0, 200), distance = number(-100, 100);
        memset(turned, 0, 256);
        long done = apus_offset_edges_8(wide, turned, bytes + 500, count, distance, offsets);
        if (wide && done < count / 32 * 32) printf("apus_offset_edges_8 is missing\n");
        offset_model(turned + done, bytes + 500 + done, count - done, distance, values);
        add(turned, 256);
        memset(turned, 0, 512);
        apus_transpose_16x16(wide, turned, 16 + turn % 5, bytes, 17 + turn % 7);
        add(turned, 512);
    }
    end("offsets and turning");
}

int main(int count, char **words) {
    (void)words;
    // With a word, what only some machines have.
    int wide = count > 1 && apus_has_wide();
    if (count > 1 && !wide) return 2;
    decoding();
    encoding(wide);
    decoding_residuals(wide);
    decoding_predictions(wide);
    decoding_edges(wide);
    decoding_offsets(wide);
    return 0;
}
