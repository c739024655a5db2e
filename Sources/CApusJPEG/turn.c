// SPDX-License-Identifier: MIT
#include "codec.h"

// The coefficient of a block that comes to each place, and whether its sign changes.
typedef struct {
  uint8_t from[DCTSIZE2];
  bool negative[DCTSIZE2];
} places;

static places places_of(const apus_jpeg_turning *turning) {
  places places;
  for (int place = 0; place < DCTSIZE2; place++) {
    int across = place % DCTSIZE, down = place / DCTSIZE;
    places.from[place] = (uint8_t)(turning->transposed ? across * DCTSIZE + down : place);
    // A mirrored cosine of an odd frequency is its negative.
    places.negative[place] = (turning->from_right && across % 2) != (turning->from_below && down % 2);
  }
  return places;
}

static void turn_plane(j_decompress_ptr from, jvirt_barray_ptr old, j_compress_ptr to, jvirt_barray_ptr new,
                       const jpeg_component_info *component, const apus_jpeg_turning *turning) {
  places places = places_of(turning);
  JDIMENSION width = component->width_in_blocks, height = component->height_in_blocks;
  for (JDIMENSION y = 0; y < height; y++) {
    JBLOCKROW row = to->mem->access_virt_barray((j_common_ptr)to, new, y, 1, TRUE)[0];
    JDIMENSION down = turning->from_below ? height - 1 - y : y;
    for (JDIMENSION x = 0; x < width; x++) {
      JDIMENSION across = turning->from_right ? width - 1 - x : x;
      JDIMENSION line = turning->transposed ? across : down, column = turning->transposed ? down : across;
      const JCOEF *block = from->mem->access_virt_barray((j_common_ptr)from, old, line, 1, FALSE)[0][column];
      for (int place = 0; place < DCTSIZE2; place++) {
        JCOEF level = block[places.from[place]];
        row[x][place] = places.negative[place] ? (JCOEF)-level : level;
      }
    }
  }
}

static void transpose_form(j_compress_ptr codec) {
  JDIMENSION width = codec->image_width;
  codec->image_width = codec->image_height;
  codec->image_height = width;
#if JPEG_LIB_VERSION >= 70
  codec->jpeg_width = codec->image_width;
  codec->jpeg_height = codec->image_height;
#endif
  for (int c = 0; c < codec->num_components; c++) {
    jpeg_component_info *component = &codec->comp_info[c];
    int across = component->h_samp_factor;
    component->h_samp_factor = component->v_samp_factor;
    component->v_samp_factor = across;
  }
  for (int t = 0; t < NUM_QUANT_TBLS; t++) {
    if (!codec->quant_tbl_ptrs[t]) continue;
    UINT16 *values = codec->quant_tbl_ptrs[t]->quantval;
    for (int down = 0; down < DCTSIZE; down++)
      for (int across = 0; across < down; across++) {
        UINT16 value = values[down * DCTSIZE + across];
        values[down * DCTSIZE + across] = values[across * DCTSIZE + down];
        values[across * DCTSIZE + down] = value;
      }
  }
}

static JDIMENSION units(JDIMENSION count, int size) { return (count + (JDIMENSION)size - 1) / (JDIMENSION)size; }

static boolean refuse_segment(j_decompress_ptr codec) {
  apus_jpeg_refuse((j_common_ptr)codec, APUS_JPEG_UNSUPPORTED, "has metadata after its first scan");
}

int apus_jpeg_turn(apus_jpeg_decoder *decoder, const apus_jpeg_turning *turning, apus_jpeg_encoder *encoder) {
  j_decompress_ptr from = &decoder->codec;
  j_compress_ptr to = &encoder->codec;
  // Errors of both directions come here.
  to->err = from->err;
  if (setjmp(decoder->errors.jump)) {
    if (to->mem) jpeg_abort_compress(to);
    jpeg_abort_decompress(from);
    return decoder->errors.outcome;
  }
  apus_jpeg_renew(encoder);
  for (int marker = JPEG_APP0; marker < JPEG_APP0 + 16; marker++)
    jpeg_set_marker_processor(from, marker, refuse_segment);
  jpeg_set_marker_processor(from, JPEG_COM, refuse_segment);
  JDIMENSION interval = from->restart_interval;
  JDIMENSION row = from->comps_in_scan == 1 ? from->cur_comp_info[0]->width_in_blocks
                                            : units(from->image_width, from->max_h_samp_factor * DCTSIZE);
  jvirt_barray_ptr *old = jpeg_read_coefficients(from);

  jpeg_copy_critical_parameters(from, to);
  if (turning->transposed) transpose_form(to);
  to->write_JFIF_header = to->write_Adobe_marker = FALSE;
  to->arith_code = from->arith_code;
  to->optimize_coding = !from->arith_code;
  if (from->progressive_mode) jpeg_simple_progression(to);
  // Rows of MCUs, where an interval has whole ones.
  to->restart_in_rows = interval % row ? 0 : (int)(interval / row);
  to->restart_interval = interval % row ? interval : 0;

  int across = turning->transposed ? from->max_v_samp_factor : from->max_h_samp_factor;
  int down = turning->transposed ? from->max_h_samp_factor : from->max_v_samp_factor;
  jvirt_barray_ptr new[most_components];
  for (int c = 0; c < to->num_components; c++) {
    JDIMENSION h = (JDIMENSION)to->comp_info[c].h_samp_factor, v = (JDIMENSION)to->comp_info[c].v_samp_factor;
    new[c] = to->mem->request_virt_barray((j_common_ptr)to, JPOOL_IMAGE, TRUE, units(to->image_width, across * DCTSIZE) * h,
                                          units(to->image_height, down * DCTSIZE) * v, v);
  }
  jpeg_write_coefficients(to, new);
  for (int c = 0; c < to->num_components; c++) turn_plane(from, old[c], to, new[c], &to->comp_info[c], turning);
  jpeg_finish_compress(to);
  jpeg_finish_decompress(from);
  return APUS_JPEG_OK;
}
