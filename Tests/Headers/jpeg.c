// SPDX-License-Identifier: MIT
// Encodes blocks that are the same on every machine as baseline JPEGs, and prints digests of the bytes. With LIBJPEG defined
// they are compared with those of libjpeg, which also encodes what CApusJPEG does not.

#include "baseline.h"
#include "digest.h"

#include <stdlib.h>
#include <string.h>

enum { width = 67, height = 45, side = 80, most_tables = 2, kinds = 5, most_bytes = 1 << 18 };

typedef struct {
    const char *name;
    int components, across, down;
} sampling;

static const sampling samplings[] = {
    {"4:0:0", 1, 1, 1}, {"4:4:4", 3, 1, 1}, {"4:2:2", 3, 2, 1}, {"4:4:0", 3, 1, 2}, {"4:2:0", 3, 2, 2},
};
static const int qualities[] = {1, 10, 30, 50, 75, 90, 95, 98, 100};

static uint8_t planes[3][side][side];
static uint8_t bytes[most_bytes];
static JQUANT_TBL quantizers[most_tables];
static JHUFF_TBL huffman[most_tables][2];

// Samples

static int cosine(int angle) {
    static const int values[9] = {127, 125, 117, 106, 90, 71, 49, 25, 0};
    angle &= 31;
    if (angle > 16) angle = 32 - angle;
    return angle > 8 ? -values[16 - angle] : values[angle];
}

/// Noise, slopes, black and white samples or blocks, and blocks of a single high frequency, which follows only zeros.
static uint8_t sample(int kind, int x, int y, uint32_t block) {
    int across = 4 + (block >> 3 & 3), down = 4 + (block >> 5 & 3);
    switch (kind) {
    case 0: return next();
    case 1: return 128 + (x * (int)(block % 9) - y * (int)(block >> 4 & 7) + (int)(next() & 1)) % 100;
    case 2: return next() & 1 ? 255 : 0;
    case 3: return block & 1 ? 255 : 0;
    default: return 128 + cosine((2 * x + 1) * across) * cosine((2 * y + 1) * down) / 128;
    }
}

static void fill(int kind) {
    for (int c = 0; c < 3; c++)
        for (int top = 0; top < side; top += 8)
            for (int left = 0; left < side; left += 8) {
                uint32_t block = next();
                for (int place = 0; place < 64; place++)
                    planes[c][top + place / 8][left + place % 8] = sample(kind, place % 8, place / 8, block);
            }
}

// Tables

/// As many codes of each length as the standard's tables have: ITU-T T.81, K.3.
static void make_tables(int quality) {
    static const uint8_t counts[most_tables][2][16] = {
        {{0, 1, 5, 1, 1, 1, 1, 1, 1}, {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125}},
        {{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119}},
    };
    int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    for (int table = 0; table < most_tables; table++) {
        for (int place = 0; place < 64; place++) {
            int value = ((12 + 4 * table + place + place % 8 * 3) * scale + 50) / 100;
            quantizers[table].quantval[place] = value < 1 ? 1 : value > 255 ? 255 : value;
        }
        for (int kind = 0; kind < 2; kind++) memcpy(huffman[table][kind].bits + 1, counts[table][kind], 16);
        for (int size = 0; size < 12; size++) huffman[table][0].huffval[size] = size;
        uint8_t *symbol = huffman[table][1].huffval;
        *symbol++ = 0;
        for (int sum = 1; sum <= 25; sum++)
            for (int run = 0; run < 16; run++)
                if (sum > run && sum - run <= 10) *symbol++ = run << 4 | (sum - run);
        *symbol++ = 0xF0;
    }
}

static void describe(struct jpeg_compress_struct *codec, const sampling *form) {
    codec->image_width = width;
    codec->image_height = height;
    codec->data_precision = 8;
    codec->num_components = form->components;
    codec->dct_method = JDCT_ISLOW;
    for (int c = 0; c < form->components; c++) {
        jpeg_component_info *component = &codec->comp_info[c];
        component->h_samp_factor = c ? 1 : form->across;
        component->v_samp_factor = c ? 1 : form->down;
        component->quant_tbl_no = component->dc_tbl_no = component->ac_tbl_no = c > 0;
    }
    for (int i = 0; i < most_tables; i++) {
        codec->quant_tbl_ptrs[i] = &quantizers[i];
        codec->dc_huff_tbl_ptrs[i] = &huffman[i][0];
        codec->ac_huff_tbl_ptrs[i] = &huffman[i][1];
    }
}

static void point(apus_jpeg_rows *rows, const sampling *form, int top) {
    for (int c = 0; c < form->components; c++) {
        int down = c ? 1 : form->down;
        for (int row = 0; row < 8 * down; row++) rows->rows[c][row] = planes[c][top * down + row];
        rows->image[c] = rows->rows[c];
    }
}

// Encoders

/// Returns the number of bytes, 0 if the form is not supported.
static size_t encode(const struct jpeg_compress_struct *codec, const sampling *form) {
    static apus_jpeg_rows rows;
    apus_jpeg_baseline *baseline = apus_jpeg_baseline_new(codec);
    if (!baseline) return 0;
    apus_jpeg_baseline_begin(baseline);
    uint8_t *end = bytes;
    for (int top = 0; end && top * form->down < height; top += 8) {
        int heights[3];
        for (int c = 0; c < form->components; c++) {
            int unit = c ? 8 * form->down : 8;
            heights[c] = (height - top * form->down + unit - 1) / unit;
        }
        point(&rows, form, top);
        end = apus_jpeg_baseline_row(baseline, &rows, heights, end);
    }
    if (end) end = apus_jpeg_baseline_end(baseline, end);
    apus_jpeg_baseline_free(baseline);
    return end ? (size_t)(end - bytes) : 0;
}

static struct jpeg_compress_struct codec;

#ifdef LIBJPEG
static void set_up(const sampling *form) {
    static struct jpeg_error_mgr errors;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    codec.input_components = form->components;
    codec.in_color_space = form->components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    codec.image_width = width;
    codec.image_height = height;
    jpeg_set_defaults(&codec);
    codec.raw_data_in = TRUE;
    describe(&codec, form);
}

/// Has libjpeg encode the same if nothing else did, and otherwise compares the bytes.
static size_t check(size_t count, const sampling *form) {
    static apus_jpeg_rows rows;
    uint8_t *made = NULL;
    unsigned long size = 0;
    jpeg_mem_dest(&codec, &made, &size);
    jpeg_start_compress(&codec, TRUE);
    for (int top = 0; top * form->down < height; top += 8) {
        point(&rows, form, top);
        jpeg_write_raw_data(&codec, rows.image, (JDIMENSION)(8 * form->down));
    }
    jpeg_finish_compress(&codec);
    size_t start = 2, is_scan = 0;
    while (!is_scan) {
        is_scan = made[start + 1] == 0xDA;
        start += 2 + (made[start + 2] << 8 | made[start + 3]);
    }
    size -= start + 2;
    if (!count) memcpy(bytes, made + start, count = size);
    if (count != size || memcmp(bytes, made + start, size)) printf("libjpeg writes other bytes\n");
    free(made);
    jpeg_destroy_compress(&codec);
    return count;
}
#else
static void set_up(const sampling *form) {
    static jpeg_component_info components[3];
    memset(&codec, 0, sizeof codec);
    codec.comp_info = components;
    describe(&codec, form);
}

static size_t check(size_t count, const sampling *form) {
    if (!count) printf("%s is not supported\n", form->name);
    return count;
}
#endif

int main(void) {
    for (size_t i = 0; i < sizeof samplings / sizeof *samplings; i++)
        for (size_t j = 0; j < sizeof qualities / sizeof *qualities; j++) {
            size_t all = 0;
            begin(1 + 100 * i + j);
            make_tables(qualities[j]);
            for (int kind = 0; kind < kinds; kind++) {
                fill(kind);
                set_up(&samplings[i]);
                size_t count = check(encode(&codec, &samplings[i]), &samplings[i]);
                add(bytes, count);
                all += count;
            }
            printf("quality %d, %zu bytes: ", qualities[j], all);
            end(samplings[i].name);
        }
    return 0;
}
