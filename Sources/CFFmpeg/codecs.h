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
    F(av_buffer_ref)                \
    F(av_buffer_unref)

struct apus_codecs {
#define F(name) __typeof__(name) *name;
    APUS_CODEC_LIST_FUNCTIONS(F)
    APUS_OPTION_FUNCTIONS(F)
#undef F
};

/// Of libraries that are open already. Returns what is wrong with them, or NULL.
static inline const char *apus_codecs_load(struct apus_codecs *table) {
    void *codec = apus_open("libavcodec", LIBAVCODEC_VERSION_MAJOR);
    if (!codec) return dlerror();
    void *util = apus_open("libavutil", LIBAVUTIL_VERSION_MAJOR);
    if (!util) return dlerror();
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(codec, #name))) return dlerror();
    APUS_CODEC_LIST_FUNCTIONS(F)
#undef F
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(util, #name))) return dlerror();
    APUS_OPTION_FUNCTIONS(F)
#undef F
    return NULL;
}

/// The next option of a class, which need not have an object.
static inline const AVOption *apus_next_option(
    const struct apus_codecs *table, const AVClass *class, const AVOption *last) {
    return class ? table->av_opt_next(&class, last) : NULL;
}

/// The frames of a device that a buffer of libavutil describes.
static inline AVHWFramesContext *apus_frames_of(AVBufferRef *frames) { return (AVHWFramesContext *)frames->data; }

static const unsigned apus_codec_hardware = AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID;
