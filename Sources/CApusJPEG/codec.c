// SPDX-License-Identifier: MIT
#include "codec.h"

#include <stdlib.h>

#include <jerror.h>

static int outcome_of(int code) {
  switch (code) {
  case JWRN_JPEG_EOF:
  case JERR_INPUT_EOF:
  case JERR_INPUT_EMPTY:
    return APUS_JPEG_INCOMPLETE;
  case JERR_ARITH_NOTIMPL:
  case JERR_BAD_PRECISION:
  case JERR_CCIR601_NOTIMPL:
  case JERR_COMPONENT_COUNT:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_NOTIMPL:
  case JERR_NOT_COMPILED:
  case JERR_SOF_UNSUPPORTED:
    return APUS_JPEG_UNSUPPORTED;
  case JERR_IMAGE_TOO_BIG:
  case JERR_WIDTH_OVERFLOW:
    return APUS_JPEG_LIMIT;
  case JERR_OUT_OF_MEMORY:
    return APUS_JPEG_MEMORY;
  case JERR_BAD_STATE:
  case JERR_TOO_LITTLE_DATA:
  case JWRN_TOO_MUCH_DATA:
    return APUS_JPEG_MISUSE;
  default:
    return APUS_JPEG_CORRUPT;
  }
}

static void note(j_common_ptr codec) {
  apus_jpeg_errors *errors = (apus_jpeg_errors *)codec->err;
  if (errors->outcome != APUS_JPEG_OK) return;
  errors->outcome = outcome_of(errors->base.msg_code);
  errors->base.format_message(codec, errors->message);
}

_Noreturn static void leave(j_common_ptr codec) {
  note(codec);
  longjmp(((apus_jpeg_errors *)codec->err)->jump, 1);
}

_Noreturn void apus_jpeg_refuse(j_common_ptr codec, int outcome, const char *message) {
  apus_jpeg_errors *errors = (apus_jpeg_errors *)codec->err;
  errors->outcome = outcome;
  snprintf(errors->message, sizeof errors->message, "%s", message);
  longjmp(errors->jump, 1);
}

static void emit(j_common_ptr codec, int level) {
  if (level >= 0) return;
  codec->err->num_warnings++;
  if (((apus_jpeg_errors *)codec->err)->strict) leave(codec);
  note(codec);
}

static void ignore(j_common_ptr codec) { (void)codec; }

struct jpeg_error_mgr *apus_jpeg_set_up(apus_jpeg_errors *errors, bool strict) {
  jpeg_std_error(&errors->base);
  errors->base.error_exit = leave;
  errors->base.emit_message = emit;
  errors->base.output_message = ignore;
  errors->strict = strict;
  return &errors->base;
}

void apus_jpeg_forget(apus_jpeg_errors *errors) {
  errors->outcome = APUS_JPEG_OK;
  errors->message[0] = 0;
}

#define STRING(x) #x
#define TEXT(x) STRING(x)

const char *apus_jpeg_version(void) { return "libjpeg-turbo " TEXT(LIBJPEG_TURBO_VERSION); }

void apus_jpeg_make_scratch(j_common_ptr codec, apus_jpeg_rows *pointers, const jpeg_component_info *components,
                            int count) {
  size_t size = 0;
  for (int c = 0; c < count; c++) {
    size += padded_width(&components[c]) * (size_t)components[c].v_samp_factor * DCTSIZE;
    pointers->image[c] = pointers->rows[c];
  }
  if (size <= pointers->capacity) return;
  free(pointers->scratch);
  pointers->capacity = 0;
  pointers->scratch = malloc(size);
  if (!pointers->scratch) apus_jpeg_refuse(codec, APUS_JPEG_MEMORY, "not enough memory for a row");
  pointers->capacity = size;
}
