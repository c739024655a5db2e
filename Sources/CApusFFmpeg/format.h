// SPDX-License-Identifier: MIT
// libavformat, opened when a container is read or written that nothing else here reads or writes.
#pragma once

#include "shim.h"
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>

// From 6.1 on what is said beside the packets of a stream lies with the parameters of its codec.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
#define APUS_STREAM_SIDE_DATA_FUNCTIONS(F)
#define APUS_CODED_SIDE_DATA_FUNCTIONS(F) F(av_packet_side_data_new)
#else
#define APUS_STREAM_SIDE_DATA_FUNCTIONS(F) F(av_stream_new_side_data)
#define APUS_CODED_SIDE_DATA_FUNCTIONS(F)
#endif

#define APUS_AVFORMAT_FUNCTIONS(F) \
    F(avformat_version)            \
    F(avformat_alloc_context)      \
    F(avformat_open_input)         \
    F(avformat_close_input)        \
    F(avformat_free_context)       \
    F(avformat_find_stream_info)   \
    F(av_probe_input_format3)      \
    F(av_find_input_format)        \
    F(av_read_frame)               \
    F(avformat_alloc_output_context2) \
    F(avformat_new_stream)         \
    F(avformat_write_header)       \
    F(av_write_frame)              \
    F(av_write_trailer)            \
    F(avio_alloc_context)          \
    F(avio_context_free)           \
    F(avio_open2)                  \
    F(avio_close)                  \
    F(avio_read_partial)           \
    F(avio_write)                  \
    F(avio_flush)                  \
    F(avio_find_protocol_name)     \
    F(avformat_network_init)       \
    APUS_STREAM_SIDE_DATA_FUNCTIONS(F)

#define APUS_AVFORMAT_CODEC_FUNCTIONS(F) \
    F(avcodec_get_name)                  \
    F(avcodec_descriptor_get_by_name)    \
    F(av_new_packet)                     \
    F(av_packet_alloc)                   \
    F(av_packet_free)                    \
    F(av_packet_unref)                   \
    F(av_packet_get_side_data)           \
    APUS_CODED_SIDE_DATA_FUNCTIONS(F)

#define APUS_AVFORMAT_UTIL_FUNCTIONS(F) \
    F(av_malloc)                        \
    F(av_mallocz)                       \
    F(av_free)                          \
    F(av_dict_get)                      \
    F(av_dict_free)                     \
    F(av_dict_set)                      \
    F(av_opt_get)                       \
    F(av_channel_layout_default)        \
    F(av_pix_fmt_desc_get)

struct APUS_TABLE apus_avformat {
    APUS_TABLE_BEGIN
    APUS_AVFORMAT_FUNCTIONS(APUS_POINTER)
    APUS_AVFORMAT_CODEC_FUNCTIONS(APUS_POINTER)
    APUS_AVFORMAT_UTIL_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
    // A function of libsrt, if libavformat was built with it.
    void (*srt_setloglevel)(int);
};

static const char *const apus_avformat_names =
    APUS_AVFORMAT_FUNCTIONS(APUS_NAME) APUS_AVFORMAT_CODEC_FUNCTIONS(APUS_NAME) APUS_AVFORMAT_UTIL_FUNCTIONS(APUS_NAME) "?srt_setloglevel";

/// What is said beside the packets of a stream, and how many such there are.
static inline const AVPacketSideData *apus_side_data(const AVStream *stream, int *count) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    *count = stream->codecpar->nb_coded_side_data;
    return stream->codecpar->coded_side_data;
#else
    *count = stream->nb_side_data;
    return stream->side_data;
#endif
}

/// Room for something that is said beside the packets of a stream; NULL where there is no memory.
static inline uint8_t *apus_new_side_data(
    const struct apus_avformat *table, AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100)
    AVCodecParameters *parameters = stream->codecpar;
    AVPacketSideData *made = table->av_packet_side_data_new(
        &parameters->coded_side_data, &parameters->nb_coded_side_data, type, size, 0);
    return made ? made->data : NULL;
#else
    return table->av_stream_new_side_data(stream, type, size);
#endif
}

// What the muxer of Matroska learned with 7.0: the delay of any codec of sound, of which it wrote only that of Opus and
// without moving its times, and how pictures are turned.
static const _Bool apus_writes_matroska_delays = LIBAVFORMAT_VERSION_MAJOR >= 61;
static const _Bool apus_writes_matroska_rotation = LIBAVFORMAT_VERSION_MAJOR >= 61;

static inline void apus_set_dovi_compression(AVDOVIDecoderConfigurationRecord *record, uint8_t compression) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100)
    record->dv_md_compression = compression;
#else
    (void)record, (void)compression;
#endif
}

/// How the metadata of Dolby Vision are compressed, which libavutil says from 7.1 on; 0 for not at all.
static inline uint8_t apus_dovi_compression(const AVDOVIDecoderConfigurationRecord *record) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100)
    return record->dv_md_compression;
#else
    (void)record;
    return 0;
#endif
}

static const int apus_error_exit = AVERROR_EXIT;
static const int apus_error_unauthorized = AVERROR_HTTP_UNAUTHORIZED;
static const int apus_error_forbidden = AVERROR_HTTP_FORBIDDEN;
static const int apus_error_io = AVERROR(EIO);
static const int apus_error_permission = AVERROR(EPERM);
static const int apus_error_invalid = AVERROR(EINVAL);
