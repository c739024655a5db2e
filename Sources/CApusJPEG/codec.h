// SPDX-License-Identifier: MIT
#pragma once

#include "apus_jpeg.h"

#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

// What both directions share.

typedef struct {
  struct jpeg_error_mgr base;
  // Where to go on after an error; set by every function that calls libjpeg.
  jmp_buf jump;
  bool strict;
  int outcome;
  char message[JMSG_LENGTH_MAX];
} apus_jpeg_errors;

// Gives libjpeg its functions for errors.
struct jpeg_error_mgr *apus_jpeg_set_up(apus_jpeg_errors *, bool strict);
void apus_jpeg_forget(apus_jpeg_errors *);
_Noreturn void apus_jpeg_refuse(j_common_ptr, int outcome, const char *message);

enum { most_components = MAX_COMPS_IN_SCAN, most_rows = MAX_SAMP_FACTOR * DCTSIZE };

// The rows of one MCU row of every component, and memory for as many, padded to whole blocks.
typedef struct {
  JSAMPROW rows[most_components][most_rows];
  JSAMPARRAY image[most_components];
  uint8_t *scratch;
  size_t capacity;
} apus_jpeg_rows;

static inline size_t padded_width(const jpeg_component_info *component) {
  return (size_t)component->width_in_blocks * DCTSIZE;
}

void apus_jpeg_make_scratch(j_common_ptr, apus_jpeg_rows *, const jpeg_component_info *, int count);

struct apus_jpeg_decoder {
  struct jpeg_decompress_struct codec;
  apus_jpeg_errors errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  apus_jpeg_reader *reader;
  void *context;
  apus_jpeg_rows pointers;
  uint8_t buffer[1 << 16];
};

struct apus_jpeg_encoder {
  struct jpeg_compress_struct codec;
  apus_jpeg_errors errors;
  struct jpeg_destination_mgr destination;
  uint8_t *bytes;
  size_t capacity;
  apus_jpeg_rows pointers;
  // What encodes intervals instead of libjpeg; NULL where it cannot.
  struct apus_jpeg_baseline *baseline;
};

// Begins a JPEG from nothing, so that nothing stays of earlier settings: libjpeg keeps Huffman tables that it has made.
void apus_jpeg_renew(apus_jpeg_encoder *);
