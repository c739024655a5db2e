// SPDX-License-Identifier: MIT
// What libavcodec and libavutil tell of themselves: codecs, options, devices.
#pragma once

#include "shim.h"
#include <libavutil/buffer.h>
#include <libavutil/hwcontext.h>

#define APUS_CODEC_LIST_FUNCTIONS(F) \
    F(av_codec_iterate)              \
    F(av_codec_is_encoder)           \
    F(avcodec_get_hw_config)         \
    F(avcodec_get_name)              \
    F(avcodec_get_class)

#define APUS_OPTION_FUNCTIONS(F)    \
    F(av_opt_next)                  \
    F(av_hwdevice_ctx_create)       \
    F(av_hwdevice_find_type_by_name) \
    F(av_hwdevice_get_type_name)    \
    F(av_hwdevice_get_hwframe_constraints) \
    F(av_hwframe_constraints_free)  \
    F(av_hwframe_ctx_alloc)         \
    F(av_hwframe_ctx_init)          \
    F(av_hwframe_get_buffer)        \
    F(av_hwframe_transfer_data)     \
    F(av_buffer_ref)                \
    F(av_buffer_unref)

struct APUS_TABLE apus_codecs {
    APUS_TABLE_BEGIN
    APUS_CODEC_LIST_FUNCTIONS(APUS_POINTER)
    APUS_OPTION_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_codecs_names =
    APUS_CODEC_LIST_FUNCTIONS(APUS_NAME) APUS_OPTION_FUNCTIONS(APUS_NAME);

/// The next option of a class, which need not have an object.
static inline const AVOption *apus_next_option(
    const struct apus_codecs *table, const AVClass *class, const AVOption *last) {
    return class ? table->av_opt_next(&class, last) : NULL;
}

/// The frames of a device that a buffer of libavutil describes.
static inline AVHWFramesContext *apus_frames_of(AVBufferRef *frames) { return (AVHWFramesContext *)frames->data; }

static const unsigned apus_codec_hardware = AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID;
