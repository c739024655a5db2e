// SPDX-License-Identifier: MIT
// libde265, opened when it is needed.
#pragma once

#include <stddef.h>
#include <libde265/de265.h>

#include "../CApusTables/table.h"

#define APUS_DE265_FUNCTIONS(F)        \
    F(de265_get_version)               \
    F(de265_get_error_text)            \
    F(de265_new_decoder)               \
    F(de265_free_decoder)              \
    F(de265_push_NAL)                  \
    F(de265_flush_data)                \
    F(de265_decode)                    \
    F(de265_reset)                     \
    F(de265_get_warning)               \
    F(de265_get_next_picture)          \
    F(de265_get_image_PTS)             \
    F(de265_get_image_width)           \
    F(de265_get_image_height)          \
    F(de265_get_chroma_format)         \
    F(de265_get_bits_per_pixel)        \
    F(de265_get_image_plane)           \
    F(de265_set_verbosity)            \
    F(de265_set_parameter_bool)        \
    F(de265_set_image_allocation_functions) \
    F(de265_set_image_plane)

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_de265 {
    APUS_TABLE_BEGIN
    APUS_DE265_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_de265_names = APUS_DE265_FUNCTIONS(APUS_NAME);
