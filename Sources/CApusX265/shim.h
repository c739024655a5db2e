// SPDX-License-Identifier: MIT
// libx265, opened when it is needed.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <x265.h>

#include "../CApusTables/table.h"

#define APUS_X265_TEXT(x) #x
#define APUS_X265_TEXT_OF(x) APUS_X265_TEXT(x)

// What is called; the library's own table of a bit depth has them under these names.
#define APUS_X265_FUNCTIONS(F) \
    F(param_alloc)             \
    F(param_free)              \
    F(param_parse)             \
    F(param_apply_profile)     \
    F(param_default_preset)    \
    F(picture_alloc)           \
    F(picture_free)            \
    F(picture_init)            \
    F(encoder_open)            \
    F(encoder_headers)         \
    F(encoder_encode)          \
    F(encoder_close)

/// Every function that is called, as a pointer of its own type, for one bit depth.
struct APUS_TABLE apus_x265 {
    APUS_TABLE_BEGIN
#define F(name) __typeof__(*((x265_api *)0)->name) *name;
    APUS_X265_FUNCTIONS(F)
#undef F
    APUS_TABLE_END
    int major_version, minor_version;
};

/// The one function that is looked up.
struct APUS_TABLE apus_x265_library {
    APUS_TABLE_BEGIN
    __typeof__(x265_api_get) *api;
    APUS_TABLE_END
};

static const char *const apus_x265_file = "libx265.so." APUS_X265_TEXT_OF(X265_BUILD);
static const char *const apus_x265_function = "x265_api_get_" APUS_X265_TEXT_OF(X265_BUILD);

/// Whether the library was built with the structures that these headers have.
static inline _Bool apus_x265_fits(const x265_api *api) {
    return api->sizeof_param == sizeof(x265_param) && api->sizeof_picture == sizeof(x265_picture);
}

static inline struct apus_x265 apus_x265_table(const x265_api *api) {
#define F(name) .name = api->name,
    struct apus_x265 table = {APUS_X265_FUNCTIONS(F)};
#undef F
    sscanf(api->version_str, "%d.%d", &table.major_version, &table.minor_version);
    return table;
}

/// Hands a picture in, or NULL after the last, and takes one out. x265 4.0 alone hands out a list of layers, of which
/// there is one unless settings ask for more.
static inline int apus_x265_encode(
    const struct apus_x265 *table, x265_encoder *encoder, x265_nal **units, uint32_t *count,
    x265_picture *picture, x265_picture *output) {
#if X265_BUILD >= 210 && X265_BUILD < 213
    x265_picture *layers[MAX_SCALABLE_LAYERS] = {output};
    return table->encoder_encode(encoder, units, count, picture, layers);
#else
    return table->encoder_encode(encoder, units, count, picture, output);
#endif
}

static const int apus_x265_build = X265_BUILD;

/// Names that the library takes, closed by NULL: of profiles, presets, tunes and searches.
static inline const char *const *apus_x265_names(int kind) {
    switch (kind) {
    case 0: return x265_profile_names;
    case 1: return x265_preset_names;
    case 2: return x265_tune_names;
    default: return x265_motion_est_names;
    }
}
