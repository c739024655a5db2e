// SPDX-License-Identifier: MIT
#include "codec.h"

#include <stdlib.h>

#include <jerror.h>

// More than any encoder writes; each costs a walk over the whole picture, however few bytes it has.
enum { most_scans = 200 };

static void begin_input(j_decompress_ptr codec) { (void)codec; }

static const uint8_t end_of_image[] = {0xFF, JPEG_EOI};

static boolean fill_input(j_decompress_ptr codec) {
  apus_jpeg_decoder *decoder = codec->client_data;
  ptrdiff_t count = decoder->reader ? decoder->reader(decoder->context, decoder->buffer, sizeof decoder->buffer) : 0;
  if (count < 0) apus_jpeg_refuse((j_common_ptr)codec, APUS_JPEG_READ, "the input could not be read");
  if (count == 0) WARNMS(codec, JWRN_JPEG_EOF);
  decoder->source.next_input_byte = count ? decoder->buffer : end_of_image;
  decoder->source.bytes_in_buffer = count ? (size_t)count : sizeof end_of_image;
  return TRUE;
}

static void skip_input(j_decompress_ptr codec, long count) {
  struct jpeg_source_mgr *source = codec->src;
  while (count > (long)source->bytes_in_buffer) {
    count -= (long)source->bytes_in_buffer;
    fill_input(codec);
    // Nothing lies behind the end.
    if (source->next_input_byte == end_of_image) return;
  }
  if (count <= 0) return;
  source->next_input_byte += count;
  source->bytes_in_buffer -= (size_t)count;
}

static void count_scans(j_common_ptr codec) {
  if (((j_decompress_ptr)codec)->input_scan_number > most_scans)
    apus_jpeg_refuse(codec, APUS_JPEG_LIMIT, "has more than 200 scans");
}

apus_jpeg_decoder *apus_jpeg_decoder_new(bool strict) {
  apus_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->codec.err = apus_jpeg_set_up(&decoder->errors, strict);
  decoder->source.init_source = begin_input;
  decoder->source.fill_input_buffer = fill_input;
  decoder->source.skip_input_data = skip_input;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = begin_input;
  decoder->progress.progress_monitor = count_scans;
  return decoder;
}

void apus_jpeg_decoder_free(apus_jpeg_decoder *decoder) {
  if (!decoder) return;
  jpeg_destroy_decompress(&decoder->codec);
  free(decoder->pointers.scratch);
  free(decoder);
}

const char *apus_jpeg_decoder_message(const apus_jpeg_decoder *decoder) { return decoder->errors.message; }

int apus_jpeg_decoder_warning(const apus_jpeg_decoder *decoder) { return decoder->errors.outcome; }

static int stop(apus_jpeg_decoder *decoder) {
  if (decoder->codec.mem) jpeg_abort_decompress(&decoder->codec);
  return decoder->errors.outcome;
}

static int colour_of(J_COLOR_SPACE space) {
  switch (space) {
  case JCS_GRAYSCALE:
    return APUS_JPEG_GRAY;
  case JCS_YCbCr:
    return APUS_JPEG_YCBCR;
  case JCS_RGB:
    return APUS_JPEG_RGB;
  case JCS_CMYK:
  case JCS_YCCK:
    return APUS_JPEG_CMYK;
  default:
    return APUS_JPEG_OTHER;
  }
}

int apus_jpeg_open(apus_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, apus_jpeg_reader *reader,
                   void *context, apus_jpeg_image *image) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  apus_jpeg_forget(&decoder->errors);
  if (setjmp(decoder->errors.jump)) return stop(decoder);
  // Anew, so that each JPEG must bring its own tables.
  jpeg_destroy_decompress(codec);
  jpeg_create_decompress(codec);
  codec->client_data = decoder;
  codec->src = &decoder->source;
  codec->progress = &decoder->progress;
  decoder->reader = reader;
  decoder->context = context;
  decoder->source.next_input_byte = bytes;
  decoder->source.bytes_in_buffer = count;
  jpeg_read_header(codec, TRUE);
  if (codec->num_components > most_components)
    apus_jpeg_refuse((j_common_ptr)codec, APUS_JPEG_UNSUPPORTED, "has more than 4 components");

  *image = (apus_jpeg_image){
      .width = (int)codec->image_width,
      .height = (int)codec->image_height,
      .components = codec->num_components,
      .colour = colour_of(codec->jpeg_color_space),
      .progressive = codec->progressive_mode,
  };
  const jpeg_component_info *first = &codec->comp_info[0], *other = &codec->comp_info[1];
  bool fits = first->h_samp_factor == codec->max_h_samp_factor && first->v_samp_factor == codec->max_v_samp_factor;
  if (codec->num_components == 1) {
    image->across = image->down = 1;
  } else if (codec->num_components == 3 && fits && other->h_samp_factor == other[1].h_samp_factor &&
             other->v_samp_factor == other[1].v_samp_factor && first->h_samp_factor % other->h_samp_factor == 0 &&
             first->v_samp_factor % other->v_samp_factor == 0) {
    image->across = first->h_samp_factor / other->h_samp_factor;
    image->down = first->v_samp_factor / other->v_samp_factor;
  }
  return APUS_JPEG_OK;
}

int apus_jpeg_reduce(apus_jpeg_decoder *decoder, int reduction, apus_jpeg_image *image) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  if (setjmp(decoder->errors.jump)) return stop(decoder);
  codec->scale_num = 1;
  codec->scale_denom = (unsigned)reduction;
  jpeg_calc_output_dimensions(codec);
  image->width = (int)codec->output_width;
  image->height = (int)codec->output_height;
  return APUS_JPEG_OK;
}

// Planes with the sampling that the JPEG has.
static void read_raw(apus_jpeg_decoder *decoder, uint8_t *const *planes, const size_t *strides) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  int height = codec->max_v_samp_factor * DCTSIZE;
  apus_jpeg_make_scratch((j_common_ptr)codec, &decoder->pointers, codec->comp_info, codec->num_components);
  for (JDIMENSION part = 0; codec->output_scanline < codec->output_height; part++) {
    uint8_t *scratch = decoder->pointers.scratch;
    for (int c = 0; c < codec->num_components; c++) {
      const jpeg_component_info *component = &codec->comp_info[c];
      JDIMENSION rows = (JDIMENSION)component->v_samp_factor * DCTSIZE, top = part * rows;
      for (JDIMENSION row = 0; row < rows; row++) {
        bool kept = planes && top + row < component->downsampled_height;
        decoder->pointers.rows[c][row] = kept ? planes[c] + (size_t)(top + row) * strides[c] : scratch;
        scratch += padded_width(component);
      }
    }
    jpeg_read_raw_data(codec, decoder->pointers.image, (JDIMENSION)height);
  }
}

// The components of a pixel that the planes of RGB hold: green, blue and red.
static const int light[3] = {1, 2, 0};

// Three full planes, colour interpolated by libjpeg.
static void read_full(apus_jpeg_decoder *decoder, uint8_t *const *planes, const size_t *strides) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  bool is_rgb = codec->out_color_space == JCS_RGB;
  JSAMPARRAY line = codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * 3, 1);
  while (codec->output_scanline < codec->output_height) {
    size_t row = codec->output_scanline;
    jpeg_read_scanlines(codec, line, 1);
    for (int c = 0; c < 3; c++) {
      int component = is_rgb ? light[c] : c;
      for (JDIMENSION x = 0; x < codec->output_width; x++) planes[c][row * strides[c] + x] = line[0][3 * x + component];
    }
  }
}

// Green, blue and red of four inks: what of the light the coloured ink leaves, and black of that. Adobe's programs, and
// all that follow them, write inks the other way round and say so in a segment of theirs.
static void read_inks(apus_jpeg_decoder *decoder, uint8_t *const *planes, const size_t *strides) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  int turn = codec->saw_Adobe_marker ? 0 : 255;
  JSAMPARRAY line = codec->mem->alloc_sarray((j_common_ptr)codec, JPOOL_IMAGE, codec->output_width * 4, 1);
  while (codec->output_scanline < codec->output_height) {
    size_t row = codec->output_scanline;
    jpeg_read_scanlines(codec, line, 1);
    for (JDIMENSION x = 0; x < codec->output_width; x++) {
      const JSAMPLE *sample = &line[0][4 * x];
      for (int c = 0; c < 3; c++) {
        int left = (sample[light[c]] ^ turn) * (sample[3] ^ turn);
        planes[c][row * strides[c] + x] = (uint8_t)((left + 127) / 255);
      }
    }
  }
}

int apus_jpeg_decode(apus_jpeg_decoder *decoder, uint8_t *const *planes, const size_t *strides, bool full) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  if (setjmp(decoder->errors.jump)) return stop(decoder);
  bool inked = full && colour_of(codec->jpeg_color_space) == APUS_JPEG_CMYK;
  codec->raw_data_out = !full;
  codec->out_color_space = inked ? JCS_CMYK : codec->jpeg_color_space;
  codec->dct_method = JDCT_ISLOW;
  codec->do_block_smoothing = FALSE;
  jpeg_start_decompress(codec);
  if (inked) {
    read_inks(decoder, planes, strides);
  } else if (full) {
    read_full(decoder, planes, strides);
  } else {
    read_raw(decoder, planes, strides);
  }
  jpeg_finish_decompress(codec);
  return APUS_JPEG_OK;
}
