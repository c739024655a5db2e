// SPDX-License-Identifier: MIT
// libavcodec and libavutil, opened when they are needed: programs that do without them start faster.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avutil.h>
#include <libavutil/frame.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

#define APUS_AVCODEC_FUNCTIONS(F)  \
    F(avcodec_version)              \
    F(avcodec_find_decoder)        \
    F(avcodec_find_decoder_by_name) \
    F(avcodec_alloc_context3)      \
    F(avcodec_free_context)        \
    F(avcodec_open2)               \
    F(avcodec_send_packet)         \
    F(avcodec_receive_frame)       \
    F(avcodec_flush_buffers)       \
    F(avcodec_default_get_buffer2) \
    F(av_packet_alloc)             \
    F(av_packet_free)              \
    F(av_packet_unref)             \
    F(av_new_packet)

#define APUS_AVUTIL_FUNCTIONS(F) \
    F(av_frame_alloc)            \
    F(av_frame_free)             \
    F(av_frame_unref)            \
    F(av_strerror)               \
    F(av_log_set_level)          \
    F(av_mallocz)                \
    F(av_pix_fmt_desc_get)

/// Every function that is called, as a pointer of its own type.
struct apus_ffmpeg {
#define F(name) __typeof__(name) *name;
    APUS_AVCODEC_FUNCTIONS(F)
    APUS_AVUTIL_FUNCTIONS(F)
#undef F
};

static inline void *apus_open(const char *name, int version) {
    char path[64];
    snprintf(path, sizeof path, "%s.so.%d", name, version);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/// Opens the libraries of the version that these headers describe. Returns what is missing, or NULL.
static inline const char *apus_ffmpeg_load(struct apus_ffmpeg *table) {
    void *codec = apus_open("libavcodec", LIBAVCODEC_VERSION_MAJOR);
    if (!codec) return "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR);
    void *util = apus_open("libavutil", LIBAVUTIL_VERSION_MAJOR);
    if (!util) return "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR);
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(codec, #name))) return #name " of libavcodec";
    APUS_AVCODEC_FUNCTIONS(F)
#undef F
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(util, #name))) return #name " of libavutil";
    APUS_AVUTIL_FUNCTIONS(F)
#undef F
    return NULL;
}

// Macros and enumerations that Swift cannot see.
static const int apus_error_again = AVERROR(EAGAIN);
static const int apus_error_eof = AVERROR_EOF;
