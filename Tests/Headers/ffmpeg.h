// SPDX-License-Identifier: MIT
// What the shims of Sources/CApusFFmpeg touch, as the releases of FFmpeg declare it: `CODEC`, `UTIL`, `FORMAT` and `FILTER`
// are versions of their libraries, each the major one times 1000 and the minor one. Nothing of it is ever called.
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define attribute_deprecated __attribute__((deprecated))
#define AV_VERSION_INT(a, b, c) ((a) << 16 | (b) << 8 | (c))
#define VERSION_INT(version) AV_VERSION_INT((version) / 1000, (version) % 1000, 100)
#define LIBAVCODEC_VERSION_MAJOR (CODEC / 1000)
#define LIBAVCODEC_VERSION_INT VERSION_INT(CODEC)
#define LIBAVUTIL_VERSION_MAJOR (UTIL / 1000)
#define LIBAVUTIL_VERSION_INT VERSION_INT(UTIL)
#define LIBAVFORMAT_VERSION_MAJOR (FORMAT / 1000)
#define LIBAVFILTER_VERSION_MAJOR (FILTER / 1000)

#define AVERROR(code) (-(code))
#define AVERROR_EOF (-1)
#define AVERROR_EXIT (-2)
#define AVERROR_HTTP_UNAUTHORIZED (-3)
#define AVERROR_HTTP_FORBIDDEN (-4)
#define EAGAIN 11
#define EIO 5
#define EPERM 1
#define EINVAL 22
#define AV_NOPTS_VALUE INT64_MIN
#define AV_CODEC_CAP_HARDWARE 1
#define AV_CODEC_CAP_HYBRID 2

enum AVPixelFormat { AV_PIX_FMT_NONE = -1 };
enum AVSampleFormat { AV_SAMPLE_FMT_NONE = -1 };
enum AVColorSpace { AVCOL_SPC_UNSPECIFIED = 2 };
enum AVColorRange { AVCOL_RANGE_UNSPECIFIED };
typedef struct AVClass { const char *class_name; } AVClass;
#define AV_LOG_INFO 32
void av_log_set_callback(void (*callback)(void *object, int level, const char *format, va_list arguments));
int av_log_format_line2(
    void *object, int level, const char *format, va_list arguments, char *line, int size, int *print_prefix);
typedef struct AVChannelLayout { int nb_channels; } AVChannelLayout;
enum AVPacketSideDataType { AV_PKT_DATA_PALETTE };
typedef struct AVBufferRef { uint8_t *data; } AVBufferRef;
typedef struct AVHWFramesContext AVHWFramesContext;
typedef struct AVPacketSideData { uint8_t *data; size_t size; int type; } AVPacketSideData;
#if CODEC >= 60031
AVPacketSideData *av_packet_side_data_new(
    AVPacketSideData **list, int *count, enum AVPacketSideDataType type, size_t size, int flags);
#endif
typedef struct AVPacket { int64_t pos; void *opaque; } AVPacket;

enum AVOptionType {
    AV_OPT_TYPE_INT = 2,
    AV_OPT_TYPE_UINT64,
#if UTIL >= 59039
    AV_OPT_TYPE_UINT,
#endif
};
typedef struct AVOption { enum AVOptionType type; } AVOption;
const AVOption *av_opt_next(const void *object, const AVOption *last);

typedef struct AVCodecContext {
    const AVClass *av_class;
    int flags;
#if CODEC < 60000
    attribute_deprecated int thread_safe_callbacks;
#endif
} AVCodecContext;

#if CODEC >= 60000
#define AV_CODEC_FLAG_COPY_OPAQUE (1 << 7)
#endif

typedef struct AVFrame {
    enum AVColorSpace colorspace;
    enum AVColorRange color_range;
    int flags;
    void *opaque;
#if UTIL < 58000
    int64_t pkt_duration;
#else
    int64_t duration;
#if UTIL < 59000
    attribute_deprecated int64_t pkt_duration;
#endif
#endif
#if UTIL < 58029
    int64_t pkt_pos;
    int key_frame, interlaced_frame, top_field_first;
#elif UTIL < 60000
    attribute_deprecated int64_t pkt_pos;
    attribute_deprecated int key_frame;
    attribute_deprecated int interlaced_frame;
    attribute_deprecated int top_field_first;
#endif
} AVFrame;

#if UTIL >= 58029
#define AV_FRAME_FLAG_KEY (1 << 1)
#define AV_FRAME_FLAG_INTERLACED (1 << 3)
#define AV_FRAME_FLAG_TOP_FIELD_FIRST (1 << 4)
#endif

#if CODEC < 61019
#define LIST
#else
#define LIST attribute_deprecated
enum AVCodecConfig {
    AV_CODEC_CONFIG_PIX_FORMAT,
    AV_CODEC_CONFIG_SAMPLE_RATE,
    AV_CODEC_CONFIG_SAMPLE_FORMAT,
    AV_CODEC_CONFIG_CHANNEL_LAYOUT,
};
#endif
typedef struct AVCodec {
    int capabilities;
#if CODEC < 63000
    LIST const enum AVPixelFormat *pix_fmts;
    LIST const int *supported_samplerates;
    LIST const enum AVSampleFormat *sample_fmts;
    LIST const AVChannelLayout *ch_layouts;
#endif
} AVCodec;
#if CODEC >= 61019
int avcodec_get_supported_config(
    const AVCodecContext *context, const AVCodec *codec, enum AVCodecConfig config, unsigned flags,
    const void **configs, int *count);
#endif

#if CODEC < 62000
#define FF_PROFILE_UNKNOWN -99
#endif
#if CODEC >= 60031
#define AV_PROFILE_UNKNOWN -99
#endif

typedef struct AVCodecParameters {
    int codec_id;
#if CODEC >= 60031
    AVPacketSideData *coded_side_data;
    int nb_coded_side_data;
#endif
} AVCodecParameters;
typedef struct AVStream {
    AVCodecParameters *codecpar;
#if CODEC < 60031
    AVPacketSideData *side_data;
    int nb_side_data;
#elif FORMAT < 62000
    attribute_deprecated AVPacketSideData *side_data;
    attribute_deprecated int nb_side_data;
#endif
} AVStream;
#if FORMAT < 62000
#if CODEC >= 60031
attribute_deprecated
#endif
uint8_t *av_stream_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size);
#endif

typedef struct AVDOVIDecoderConfigurationRecord {
    uint8_t dv_profile;
#if UTIL >= 59039
    uint8_t dv_md_compression;
#endif
} AVDOVIDecoderConfigurationRecord;

typedef struct AVBufferSrcParameters {
    int format;
#if FILTER >= 10000
    enum AVColorSpace color_space;
    enum AVColorRange color_range;
#endif
} AVBufferSrcParameters;
