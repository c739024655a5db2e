// SPDX-License-Identifier: MIT
#include "baseline.h"

#include <stdlib.h>
#include <string.h>

static size_t used(const apus_jpeg_encoder *encoder) {
  return encoder->capacity - encoder->destination.free_in_buffer;
}

static void set_used(apus_jpeg_encoder *encoder, size_t count) {
  encoder->destination.next_output_byte = encoder->bytes + count;
  encoder->destination.free_in_buffer = encoder->capacity - count;
}

static void begin_output(j_compress_ptr codec) { (void)codec; }

static boolean grow_output(j_compress_ptr codec) {
  apus_jpeg_encoder *encoder = codec->client_data;
  size_t count = encoder->capacity, capacity = count ? 2 * count : 1 << 18;
  uint8_t *bytes = realloc(encoder->bytes, capacity);
  if (!bytes) apus_jpeg_refuse((j_common_ptr)codec, APUS_JPEG_MEMORY, "not enough memory for what was encoded");
  encoder->bytes = bytes;
  encoder->capacity = capacity;
  // libjpeg calls this when the buffer is full, whatever is left in it by its own count.
  set_used(encoder, count);
  return TRUE;
}

apus_jpeg_encoder *apus_jpeg_encoder_new(void) {
  apus_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return NULL;
  encoder->codec.err = apus_jpeg_set_up(&encoder->errors, true);
  encoder->destination.init_destination = begin_output;
  encoder->destination.empty_output_buffer = grow_output;
  encoder->destination.term_destination = begin_output;
  return encoder;
}

void apus_jpeg_encoder_free(apus_jpeg_encoder *encoder) {
  if (!encoder) return;
  jpeg_destroy_compress(&encoder->codec);
  apus_jpeg_baseline_free(encoder->baseline);
  free(encoder->pointers.scratch);
  free(encoder->bytes);
  free(encoder);
}

const char *apus_jpeg_encoder_message(const apus_jpeg_encoder *encoder) { return encoder->errors.message; }

const uint8_t *apus_jpeg_bytes(const apus_jpeg_encoder *encoder, size_t *count) {
  *count = used(encoder);
  return encoder->bytes;
}

void apus_jpeg_clear(apus_jpeg_encoder *encoder) { set_used(encoder, 0); }

static int give_up(apus_jpeg_encoder *encoder) {
  if (encoder->codec.mem) jpeg_abort_compress(&encoder->codec);
  set_used(encoder, 0);
  return encoder->errors.outcome;
}

// Sets the sizes that libjpeg finds out when it starts.
static void measure(struct jpeg_compress_struct *codec) {
  codec->max_h_samp_factor = codec->comp_info[0].h_samp_factor;
  codec->max_v_samp_factor = codec->comp_info[0].v_samp_factor;
  for (int c = 0; c < codec->num_components; c++) {
    jpeg_component_info *component = &codec->comp_info[c];
    JDIMENSION unit = (JDIMENSION)(codec->max_h_samp_factor / component->h_samp_factor);
    component->downsampled_width = (codec->image_width + unit - 1) / unit;
    component->width_in_blocks = (component->downsampled_width + DCTSIZE - 1) / DCTSIZE;
  }
}

void apus_jpeg_renew(apus_jpeg_encoder *encoder) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  jpeg_destroy_compress(codec);
  jpeg_create_compress(codec);
  codec->client_data = encoder;
  codec->dest = &encoder->destination;
  if (!encoder->bytes) grow_output(codec);
  set_used(encoder, 0);
}

int apus_jpeg_configure(apus_jpeg_encoder *encoder, const apus_jpeg_settings *settings) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  apus_jpeg_forget(&encoder->errors);
  apus_jpeg_baseline_free(encoder->baseline);
  encoder->baseline = NULL;
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  apus_jpeg_renew(encoder);
  codec->image_width = (JDIMENSION)settings->width;
  codec->image_height = (JDIMENSION)settings->height;
  codec->input_components = settings->components;
  codec->in_color_space = settings->components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(codec);
  codec->comp_info[0].h_samp_factor = settings->across;
  codec->comp_info[0].v_samp_factor = settings->down;
  jpeg_set_quality(codec, settings->quality, TRUE);
  codec->raw_data_in = TRUE;
  codec->dct_method = JDCT_ISLOW;
  codec->write_JFIF_header = settings->jfif;
  codec->restart_in_rows = settings->restart_rows;
  codec->optimize_coding = settings->optimized;
  codec->scan_info = NULL;
  codec->num_scans = 0;
  if (settings->progressive) jpeg_simple_progression(codec);
  encoder->baseline = apus_jpeg_baseline_new(codec);
  if (encoder->baseline) measure(codec);
  return APUS_JPEG_OK;
}

// Lets the rows of the next MCU row point to the samples, or to copies that are continued to whole blocks by their
// last sample; below the last row it comes again.
static void point(apus_jpeg_encoder *encoder, const uint8_t *const *planes, const size_t *strides, int top,
                  int rows) {
  const struct jpeg_compress_struct *codec = &encoder->codec;
  uint8_t *scratch = encoder->pointers.scratch;
  for (int c = 0; c < codec->num_components; c++) {
    const jpeg_component_info *component = &codec->comp_info[c];
    int down = codec->max_v_samp_factor / component->v_samp_factor, first = top / down;
    int count = (rows + down - 1) / down - first;
    size_t width = component->downsampled_width, padded = padded_width(component);
    for (int row = 0; row < component->v_samp_factor * DCTSIZE; row++) {
      JSAMPROW *target = &encoder->pointers.rows[c][row];
      if (row >= count) {
        *target = encoder->pointers.rows[c][count - 1];
        continue;
      }
      const uint8_t *source = planes[c] + (size_t)(first + row) * strides[c];
      if (width < padded) {
        memcpy(scratch, source, width);
        memset(scratch + width, source[width - 1], padded - width);
        *target = scratch;
        scratch += padded;
      } else {
        *target = (JSAMPROW)source;
      }
    }
  }
}

static void write_rows(apus_jpeg_encoder *encoder, const uint8_t *const *planes, const size_t *strides, int rows) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  int height = codec->max_v_samp_factor * DCTSIZE;
  apus_jpeg_make_scratch((j_common_ptr)codec, &encoder->pointers, codec->comp_info, codec->num_components);
  for (int top = 0; top < rows; top += height) {
    point(encoder, planes, strides, top, rows);
    jpeg_write_raw_data(codec, encoder->pointers.image, (JDIMENSION)height);
  }
}

// Where the entropy-coded data begin in a JPEG that this encoder wrote from `start` on.
static size_t scan_start(const apus_jpeg_encoder *encoder, size_t start) {
  size_t at = start + 2, end = used(encoder);
  while (at + 4 <= end) {
    bool is_scan = encoder->bytes[at + 1] == 0xDA;
    at += 2 + ((size_t)encoder->bytes[at + 2] << 8 | encoder->bytes[at + 3]);
    if (is_scan) break;
  }
  return at;
}

int apus_jpeg_header(apus_jpeg_encoder *encoder) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  size_t start = used(encoder);
  apus_jpeg_forget(&encoder->errors);
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  jpeg_start_compress(codec, TRUE);
  // Frame and scan headers are written with the first samples, which may be anything.
  apus_jpeg_make_scratch((j_common_ptr)codec, &encoder->pointers, codec->comp_info, codec->num_components);
  memset(encoder->pointers.scratch, 0, encoder->pointers.capacity);
  for (int c = 0; c < codec->num_components; c++)
    for (int row = 0; row < most_rows; row++) encoder->pointers.rows[c][row] = encoder->pointers.scratch;
  jpeg_write_raw_data(codec, encoder->pointers.image, (JDIMENSION)(codec->max_v_samp_factor * DCTSIZE));
  jpeg_abort_compress(codec);
  set_used(encoder, scan_start(encoder, start));
  return APUS_JPEG_OK;
}

// Makes room for so many more bytes.
static void reserve(apus_jpeg_encoder *encoder, size_t count) {
  while (encoder->destination.free_in_buffer < count) {
    size_t filled = used(encoder);
    grow_output(&encoder->codec);
    set_used(encoder, filled);
  }
}

// Appends the same as libjpeg would; false if it could not.
static bool write_baseline(apus_jpeg_encoder *encoder, const uint8_t *const *planes, const size_t *strides, int rows,
                           int restart) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  int height = codec->max_v_samp_factor * DCTSIZE;
  size_t start = used(encoder);
  apus_jpeg_make_scratch((j_common_ptr)codec, &encoder->pointers, codec->comp_info, codec->num_components);
  apus_jpeg_baseline_begin(encoder->baseline);
  reserve(encoder, 2);
  if (restart >= 0) {
    encoder->bytes[start] = 0xFF;
    encoder->bytes[start + 1] = (uint8_t)(JPEG_RST0 + restart % 8);
    set_used(encoder, start + 2);
  }
  for (int top = 0; top < rows; top += height) {
    int heights[most_components];
    for (int c = 0; c < codec->num_components; c++) {
      int unit = DCTSIZE * codec->max_v_samp_factor / codec->comp_info[c].v_samp_factor;
      heights[c] = (rows - top + unit - 1) / unit;
    }
    point(encoder, planes, strides, top, rows);
    reserve(encoder, apus_jpeg_baseline_most(encoder->baseline));
    const uint8_t *end = apus_jpeg_baseline_row(encoder->baseline, &encoder->pointers, heights,
                                                encoder->bytes + used(encoder));
    if (!end) {
      set_used(encoder, start);
      return false;
    }
    set_used(encoder, (size_t)(end - encoder->bytes));
  }
  reserve(encoder, apus_jpeg_baseline_most(encoder->baseline));
  const uint8_t *end = apus_jpeg_baseline_end(encoder->baseline, encoder->bytes + used(encoder));
  set_used(encoder, (size_t)(end - encoder->bytes));
  return true;
}

int apus_jpeg_interval(apus_jpeg_encoder *encoder, const uint8_t *const *planes, const size_t *strides, int rows,
                       int restart) {
  struct jpeg_compress_struct *codec = &encoder->codec;
  size_t start = used(encoder);
  apus_jpeg_forget(&encoder->errors);
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  if (encoder->baseline && write_baseline(encoder, planes, strides, rows, restart)) return APUS_JPEG_OK;
  // A JPEG of its own, of which the entropy-coded data are kept.
  codec->image_height = (JDIMENSION)rows;
  codec->restart_in_rows = 0;
  codec->write_JFIF_header = FALSE;
  jpeg_suppress_tables(codec, TRUE);
  jpeg_start_compress(codec, FALSE);
  write_rows(encoder, planes, strides, rows);
  jpeg_finish_compress(codec);
  // The two bytes of the marker take the place of SOI; EOI goes.
  size_t scan = scan_start(encoder, start), count = used(encoder) - 2 - scan;
  if (restart >= 0) {
    encoder->bytes[start++] = 0xFF;
    encoder->bytes[start++] = (uint8_t)(JPEG_RST0 + restart % 8);
  }
  memmove(encoder->bytes + start, encoder->bytes + scan, count);
  set_used(encoder, start + count);
  return APUS_JPEG_OK;
}

int apus_jpeg_begin(apus_jpeg_encoder *encoder) {
  apus_jpeg_forget(&encoder->errors);
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  jpeg_start_compress(&encoder->codec, TRUE);
  return APUS_JPEG_OK;
}

int apus_jpeg_write(apus_jpeg_encoder *encoder, const uint8_t *const *planes, const size_t *strides, int rows) {
  apus_jpeg_forget(&encoder->errors);
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  write_rows(encoder, planes, strides, rows);
  return APUS_JPEG_OK;
}

int apus_jpeg_finish(apus_jpeg_encoder *encoder) {
  apus_jpeg_forget(&encoder->errors);
  if (setjmp(encoder->errors.jump)) return give_up(encoder);
  jpeg_finish_compress(&encoder->codec);
  return APUS_JPEG_OK;
}
