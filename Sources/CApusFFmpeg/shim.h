// SPDX-License-Identifier: MIT
// libavcodec and libavutil, opened when they are needed: programs that do without them start faster.
#pragma once

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>

#include "../CApusTables/table.h"
#include "versions.h"

#define APUS_AVCODEC_FUNCTIONS(F)  \
    F(avcodec_version)              \
    F(avcodec_find_decoder)        \
    F(avcodec_find_decoder_by_name) \
    F(avcodec_find_encoder_by_name) \
    F(avcodec_descriptor_get_by_name) \
    F(avcodec_alloc_context3)      \
    F(avcodec_free_context)        \
    F(avcodec_open2)               \
    F(avcodec_send_packet)         \
    F(avcodec_receive_frame)       \
    F(avcodec_flush_buffers)       \
    F(avcodec_default_get_buffer2) \
    F(avcodec_send_frame)          \
    F(avcodec_receive_packet)      \
    F(av_packet_alloc)             \
    F(av_packet_free)              \
    F(av_packet_unref)             \
    F(av_new_packet)

#define APUS_AVUTIL_FUNCTIONS(F) \
    F(av_frame_alloc)            \
    F(av_frame_free)             \
    F(av_frame_unref)            \
    F(av_frame_clone)            \
    F(av_frame_get_buffer)       \
    F(av_frame_make_writable)    \
    F(av_frame_get_side_data)    \
    F(av_frame_remove_side_data) \
    F(av_frame_copy_props)       \
    F(av_buffer_alloc)           \
    F(av_buffer_unref)           \
    F(av_mastering_display_metadata_create_side_data) \
    F(av_content_light_metadata_create_side_data) \
    F(av_strerror)               \
    F(av_log_set_callback)       \
    F(av_log_format_line2)       \
    F(av_mallocz)                \
    F(av_free)                   \
    F(av_dict_set)               \
    F(av_dict_get)               \
    F(av_dict_free)              \
    F(av_channel_layout_default) \
    F(av_channel_layout_from_string) \
    F(av_channel_layout_describe) \
    F(av_channel_layout_uninit)  \
    F(av_get_sample_fmt)         \
    F(av_get_sample_fmt_name)    \
    F(av_get_bytes_per_sample)   \
    F(av_sample_fmt_is_planar)   \
    F(av_get_pix_fmt)            \
    F(av_get_pix_fmt_name)       \
    F(av_pix_fmt_desc_get)

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_ffmpeg {
    APUS_TABLE_BEGIN
    APUS_AVCODEC_FUNCTIONS(APUS_POINTER)
    APUS_AVCODEC_LIST_FUNCTIONS(APUS_POINTER)
    APUS_AVUTIL_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_ffmpeg_names =
    APUS_AVCODEC_FUNCTIONS(APUS_NAME) APUS_AVCODEC_LIST_FUNCTIONS(APUS_NAME) APUS_AVUTIL_FUNCTIONS(APUS_NAME);

// Macros and enumerations that Swift cannot see.
static const int apus_error_again = AVERROR(EAGAIN);
static const int apus_error_eof = AVERROR_EOF;
static const int64_t apus_no_time = AV_NOPTS_VALUE;

// Lists of what a codec takes, each closed as its kind is; NULL for anything.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
static inline const void *apus_list(
    const struct apus_ffmpeg *table, const AVCodec *codec, enum AVCodecConfig kind) {
    const void *list = NULL;
    return table->avcodec_get_supported_config(NULL, codec, kind, 0, &list, NULL) < 0 ? NULL : list;
}
#define APUS_LIST(name, type, kind, member) \
    static inline const type *name(const struct apus_ffmpeg *table, const AVCodec *codec) { \
        return (const type *)apus_list(table, codec, kind); \
    }
#else
#define APUS_LIST(name, type, kind, member) \
    static inline const type *name(const struct apus_ffmpeg *table, const AVCodec *codec) { \
        (void)table; \
        return codec->member; \
    }
#endif
APUS_LIST(apus_pixel_formats, enum AVPixelFormat, AV_CODEC_CONFIG_PIX_FORMAT, pix_fmts)
APUS_LIST(apus_sample_formats, enum AVSampleFormat, AV_CODEC_CONFIG_SAMPLE_FORMAT, sample_fmts)
APUS_LIST(apus_sample_rates, int, AV_CODEC_CONFIG_SAMPLE_RATE, supported_samplerates)
APUS_LIST(apus_channel_layouts, AVChannelLayout, AV_CODEC_CONFIG_CHANNEL_LAYOUT, ch_layouts)

/// The receiver of messages, and the function that formats them.
struct apus_log_receiver {
    void (*receive)(void *object, int level, const char *line);
    __typeof__(av_log_format_line2) *format;
};

/// The one receiver of this process. Within a function, since Swift emits no variables of headers.
static inline struct apus_log_receiver *apus_log_receiver(void) {
    static struct apus_log_receiver receiver;
    return &receiver;
}

/// Formats a message and passes it on. In C, since a `va_list` is a pointer on some processors and a structure on others.
static void apus_log_message(void *object, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_INFO || !format) return;
    char line[512] = "";
    int prefix = 0;
    apus_log_receiver()->format(object, level, format, arguments, line, sizeof line, &prefix);
    apus_log_receiver()->receive(object, level, line);
}

/// Passes every message about events and errors to a receiver, and prints none.
static inline void apus_listen(
    const struct apus_ffmpeg *table, void (*_Nonnull receive)(void *object, int level, const char *_Nonnull line)) {
    *apus_log_receiver() = (struct apus_log_receiver){receive, table->av_log_format_line2};
    table->av_log_set_callback(apus_log_message);
}

/// Tells threads apart.
static inline unsigned long apus_thread(void) { return (unsigned long)pthread_self(); }

/// The context of a codec that a message comes from, or NULL.
static inline const AVCodecContext *apus_codec_of(void *object) {
    const AVClass *kind = object ? *(const AVClass *const *)object : NULL;
    return kind && kind->class_name && !strcmp(kind->class_name, "AVCodecContext")
        ? (const AVCodecContext *)object : NULL;
}

/// The container that a message comes from, or NULL.
static inline const void *apus_container_of(const void *object) {
    const AVClass *kind = object ? *(const AVClass *const *)object : NULL;
    return kind && kind->class_name && !strcmp(kind->class_name, "AVFormatContext") ? object : NULL;
}
