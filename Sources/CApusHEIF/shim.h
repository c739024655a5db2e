// SPDX-License-Identifier: MIT
// libheif, opened when it is needed.
#pragma once

#include <stddef.h>
#include <libheif/heif.h>

#include "../CApusTables/table.h"

#define APUS_HEIF_FUNCTIONS(F)                    \
    F(heif_get_version)                           \
    F(heif_context_alloc)                         \
    F(heif_context_free)                          \
    F(heif_context_read_from_memory_without_copy) \
    F(heif_context_get_primary_image_handle)      \
    F(heif_image_handle_release)                  \
    F(heif_decoding_options_alloc)                \
    F(heif_decoding_options_free)                 \
    F(heif_decode_image)                          \
    F(heif_image_release)                         \
    F(heif_image_get_colorspace)                  \
    F(heif_image_get_chroma_format)               \
    F(heif_image_get_width)                       \
    F(heif_image_get_height)                      \
    F(heif_image_get_bits_per_pixel_range)        \
    F(heif_image_get_plane_readonly)              \
    F(heif_image_get_decoding_warnings)

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_heif {
    APUS_TABLE_BEGIN
    APUS_HEIF_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
    // Of libheif 1.17 and later; NULL in those before.
    struct heif_error (*heif_image_handle_get_preferred_decoding_colorspace)(
        const struct heif_image_handle *, enum heif_colorspace *, enum heif_chroma *);
};

static const char *const apus_heif_names = APUS_HEIF_FUNCTIONS(APUS_NAME) "?heif_image_handle_get_preferred_decoding_colorspace";

struct APUS_TABLE apus_heif_version {
    APUS_TABLE_BEGIN
    __typeof__(heif_get_version_number) *number;
    APUS_TABLE_END
};

/// The version of the headers.
static const unsigned apus_heif_version_number = LIBHEIF_NUMERIC_VERSION;

/// One plane; later versions have it under another name too, by a macro, which Swift cannot see.
static const enum heif_chroma apus_heif_one_plane = heif_chroma_monochrome;
