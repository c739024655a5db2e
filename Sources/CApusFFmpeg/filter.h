// SPDX-License-Identifier: MIT
// libavfilter, opened when a graph is made. It brings libswscale and libswresample along.
#pragma once

#include "shim.h"
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavfilter/version.h>

#define APUS_AVFILTER_FUNCTIONS(F)      \
    F(avfilter_version)                \
    F(avfilter_get_by_name)            \
    F(avfilter_graph_alloc)            \
    F(avfilter_graph_alloc_filter)     \
    F(avfilter_graph_config)           \
    F(avfilter_graph_free)             \
    F(avfilter_graph_parse2)           \
    F(avfilter_init_str)               \
    F(avfilter_inout_free)             \
    F(avfilter_link)                   \
    F(avfilter_pad_get_type)           \
    F(av_buffersink_get_frame_flags)   \
    F(av_buffersink_get_frame_rate)    \
    F(av_buffersink_get_time_base)     \
    F(av_buffersink_set_frame_size)    \
    F(av_buffersrc_add_frame_flags)    \
    F(av_buffersrc_close)              \
    F(av_buffersrc_parameters_alloc)   \
    F(av_buffersrc_parameters_set)

/// What the samples of a frame mean. From 7.0 on a graph of filters is told beforehand; until then every frame says it,
/// and this is -1.
struct apus_meaning {
    int matrix, range;
};

static inline struct apus_meaning apus_meaning(const AVFrame *frame) {
#if LIBAVFILTER_VERSION_MAJOR >= 10
    return (struct apus_meaning){frame->colorspace, frame->color_range};
#else
    (void)frame;
    return (struct apus_meaning){-1, -1};
#endif
}

static inline void apus_set_meaning(AVBufferSrcParameters *parameters, struct apus_meaning meaning) {
#if LIBAVFILTER_VERSION_MAJOR >= 10
    parameters->color_space = (enum AVColorSpace)meaning.matrix;
    parameters->color_range = (enum AVColorRange)meaning.range;
#else
    (void)parameters, (void)meaning;
#endif
}

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_avfilter {
    APUS_TABLE_BEGIN
    APUS_AVFILTER_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_avfilter_names = APUS_AVFILTER_FUNCTIONS(APUS_NAME);
