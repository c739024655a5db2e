// SPDX-License-Identifier: MIT
// What FFmpeg 5.1 to 9.0 name differently, under one name each. Included by shim.h.
#pragma once

#include <stdint.h>
#include <libavcodec/avcodec.h>
#include <libavcodec/version.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/version.h>

/// Lets several threads of a decoder allocate pictures at once; from 6.0 on they always may.
static inline void apus_allow_parallel_allocation(AVCodecContext *context) {
#if LIBAVCODEC_VERSION_MAJOR < 60
    _Pragma("GCC diagnostic push")
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")
    context->thread_safe_callbacks = 1;
    _Pragma("GCC diagnostic pop")
#else
    (void)context;
#endif
}

/// In units of the frame's time; 0 where unknown.
static inline int64_t apus_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    return frame->pkt_duration;
#else
    return frame->duration;
#endif
}

static inline void apus_set_duration(AVFrame *frame, int64_t duration) {
#if LIBAVUTIL_VERSION_MAJOR < 58
    frame->pkt_duration = duration;
#else
    frame->duration = duration;
#endif
}

/// Whether a frame was decoded without any other.
static inline _Bool apus_is_key(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_KEY
    return frame->flags & AV_FRAME_FLAG_KEY;
#else
    return frame->key_frame;
#endif
}

/// Whether a frame holds two fields.
static inline _Bool apus_has_fields(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_INTERLACED
    return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
    return frame->interlaced_frame;
#endif
}

static inline _Bool apus_is_top_first(const AVFrame *frame) {
#ifdef AV_FRAME_FLAG_TOP_FIELD_FIRST
    return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    return frame->top_field_first;
#endif
}

/// Says that a frame holds two fields, and which is the first.
static inline void apus_set_fields(AVFrame *frame, _Bool is_top_first) {
#ifdef AV_FRAME_FLAG_INTERLACED
    frame->flags |= AV_FRAME_FLAG_INTERLACED;
    if (is_top_first) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
    else frame->flags &= ~AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    frame->interlaced_frame = 1;
    frame->top_field_first = is_top_first;
#endif
}

/// Has the frames of a decoder carry the numbers of their packets: its place in the file until 5.1, where nothing else
/// accompanies each, and what it has said of that since.
static inline void apus_number_frames(AVCodecContext *context) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    context->flags |= AV_CODEC_FLAG_COPY_OPAQUE;
#else
    (void)context;
#endif
}

static inline void apus_set_number(AVPacket *packet, int64_t number) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    packet->opaque = (void *)(intptr_t)number;
#else
    packet->pos = number;
#endif
}

/// 0 or less where it has none.
static inline int64_t apus_number(const AVFrame *frame) {
#ifdef AV_CODEC_FLAG_COPY_OPAQUE
    return (intptr_t)frame->opaque;
#else
    return frame->pkt_pos;
#endif
}

// From 7.1 on the lists of what a codec takes are handed over by a function.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 19, 100)
#define APUS_AVCODEC_LIST_FUNCTIONS(F) F(avcodec_get_supported_config)
#else
#define APUS_AVCODEC_LIST_FUNCTIONS(F)
#endif

#ifdef AV_PROFILE_UNKNOWN
static const int apus_no_profile = AV_PROFILE_UNKNOWN;
#else
static const int apus_no_profile = FF_PROFILE_UNKNOWN;
#endif

/// Whether an option holds a whole number without a sign; 7.1 has a type for those that are as large as an `int`.
static inline _Bool apus_is_unsigned(enum AVOptionType type) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100)
    return type == AV_OPT_TYPE_UINT || type == AV_OPT_TYPE_UINT64;
#else
    return type == AV_OPT_TYPE_UINT64;
#endif
}
