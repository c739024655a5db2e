// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg-turbo behind functions that return an outcome. libjpeg leaves with longjmp where it cannot go on;
// here that ends inside of the function that was called. An object belongs to one thread at a time.

enum {
  APUS_JPEG_OK,
  APUS_JPEG_CORRUPT,
  APUS_JPEG_INCOMPLETE,
  APUS_JPEG_UNSUPPORTED,
  APUS_JPEG_LIMIT,
  APUS_JPEG_MEMORY,
  APUS_JPEG_MISUSE,
  // The function that gives the bytes said no.
  APUS_JPEG_READ,
};

// The library this was compiled with.
const char *apus_jpeg_version(void);

typedef struct {
  int width, height;
  // 1 or 3; the first has this many samples for each of the others, across and down.
  int components, across, down;
  int quality;
  // MCU rows in a restart interval, 0 for none.
  int restart_rows;
  bool jfif, progressive, optimized;
} apus_jpeg_settings;

typedef struct apus_jpeg_encoder apus_jpeg_encoder;

apus_jpeg_encoder *apus_jpeg_encoder_new(void);
void apus_jpeg_encoder_free(apus_jpeg_encoder *);
const char *apus_jpeg_encoder_message(const apus_jpeg_encoder *);

// What was encoded and not taken yet; valid until the next call with this encoder.
const uint8_t *apus_jpeg_bytes(const apus_jpeg_encoder *, size_t *count);
void apus_jpeg_clear(apus_jpeg_encoder *);

// Sets everything but the samples; comes first. What was begun before is given up.
int apus_jpeg_configure(apus_jpeg_encoder *, const apus_jpeg_settings *);

// Appends all that stands before the entropy-coded data of a baseline JPEG, from SOI to the end of SOS.
int apus_jpeg_header(apus_jpeg_encoder *);

// Appends the entropy-coded data of one restart interval: `rows` rows of luma from the planes, of the configured
// width. Before it comes the marker RSTm, m being `restart`, unless that is negative.
int apus_jpeg_interval(apus_jpeg_encoder *, const uint8_t *const *planes, const size_t *strides, int rows,
                       int restart);

// A whole JPEG: begin, write until all rows are there, finish. All rows but the last ones come as whole MCU rows.
int apus_jpeg_begin(apus_jpeg_encoder *);
int apus_jpeg_write(apus_jpeg_encoder *, const uint8_t *const *planes, const size_t *strides, int rows);
int apus_jpeg_finish(apus_jpeg_encoder *);

// Copies up to `capacity` bytes and returns how many; 0 at the end, negative where that is not possible.
typedef ptrdiff_t apus_jpeg_reader(void *context, uint8_t *buffer, size_t capacity);

enum { APUS_JPEG_GRAY, APUS_JPEG_YCBCR, APUS_JPEG_RGB, APUS_JPEG_CMYK, APUS_JPEG_OTHER };

typedef struct {
  int width, height;
  int components;
  // One of the five above.
  int colour;
  // Samples of the first component for each of the others; 0 where there are no such whole numbers.
  int across, down;
  bool progressive;
} apus_jpeg_image;

typedef struct apus_jpeg_decoder apus_jpeg_decoder;

// Strict: a warning of libjpeg is an error. Otherwise the first one is kept and decoding goes on.
apus_jpeg_decoder *apus_jpeg_decoder_new(bool strict);
void apus_jpeg_decoder_free(apus_jpeg_decoder *);
const char *apus_jpeg_decoder_message(const apus_jpeg_decoder *);
// The outcome that the first warning stands for.
int apus_jpeg_decoder_warning(const apus_jpeg_decoder *);

// Reads up to the first scan, from the reader or else from memory that stays where it is.
int apus_jpeg_open(apus_jpeg_decoder *, const uint8_t *bytes, size_t count, apus_jpeg_reader *, void *context,
                   apus_jpeg_image *);

// Between opening and decoding: makes the sides of the decoded picture smaller by 1, 2, 4 or 8, rounded up, and says
// what planes there will then be. Colour is made smaller less where that leaves it as many samples as luma.
int apus_jpeg_reduce(apus_jpeg_decoder *, int reduction, apus_jpeg_image *);

// Decodes everything to the end of the image. Planes hold whole blocks of 8 samples across in each row, and exactly
// their own rows; without planes the samples are dropped. `full` makes three planes of the same size of whatever
// sampling there is, and of RGB and CMYK green, blue and red.
int apus_jpeg_decode(apus_jpeg_decoder *, uint8_t *const *planes, const size_t *strides, bool full);

// How the samples of a turned JPEG lie: rows become columns first, and then columns come from the right, rows from below.
typedef struct {
  bool transposed, from_right, from_below;
} apus_jpeg_turning;

// Between opening and decoding: writes the same coefficients in other places as a JPEG of the same form, without
// application segments and comments. Huffman codes are made for the picture. Blocks that are not whole must not come first.
int apus_jpeg_turn(apus_jpeg_decoder *, const apus_jpeg_turning *, apus_jpeg_encoder *);

// Damage of a JPEG, and the offset of the byte at which it shows.
typedef struct {
  size_t offset;
  char message[120];
} apus_jpeg_damage;

// Reads a JPEG to its end, from memory or from the reader, and the codes of every scan of a sequential or progressive one
// without making samples of them: whatever ITU-T T.81 does not allow there is damage and an outcome other than OK.
int apus_jpeg_walk(const uint8_t *bytes, size_t count, apus_jpeg_reader *, void *context, apus_jpeg_damage *);
