// SPDX-License-Identifier: MIT
// libwebp, opened when it is needed.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <webp/encode.h>

#include "../CApusTables/table.h"

#define APUS_WEBP_FUNCTIONS(F) \
    F(WebPConfigInitInternal)  \
    F(WebPValidateConfig)      \
    F(WebPPictureInitInternal) \
    F(WebPPictureImportRGB)    \
    F(WebPPictureImportRGBA)   \
    F(WebPPictureFree)         \
    F(WebPEncode)              \
    F(WebPMemoryWriterInit)    \
    F(WebPMemoryWriterClear)   \
    F(WebPMemoryWrite)         \
    F(WebPGetEncoderVersion)

/// Every function that is called, as a pointer of its own type.
struct APUS_TABLE apus_webp {
    APUS_TABLE_BEGIN
    APUS_WEBP_FUNCTIONS(APUS_POINTER)
    APUS_TABLE_END
};

static const char *const apus_webp_names = APUS_WEBP_FUNCTIONS(APUS_NAME);

/// Encodes samples that lie side by side, with alpha where a sample has four. Returns 0 and memory that `free_writer` gives
/// back, or a number of WebPEncodingError.
static inline int apus_webp_encode(
    const struct apus_webp *table, const uint8_t *samples, int width, int height, int stride, int channels,
    float quality, int method, WebPMemoryWriter *writer) {
    WebPConfig config;
    WebPPicture picture;
    table->WebPMemoryWriterInit(writer);
    if (!table->WebPConfigInitInternal(&config, WEBP_PRESET_DEFAULT, quality, WEBP_ENCODER_ABI_VERSION) ||
        !table->WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION))
        return VP8_ENC_ERROR_INVALID_CONFIGURATION;
    config.method = method;
    if (!table->WebPValidateConfig(&config)) return VP8_ENC_ERROR_INVALID_CONFIGURATION;
    picture.width = width;
    picture.height = height;
    picture.writer = table->WebPMemoryWrite;
    picture.custom_ptr = writer;
    int is_whole = (channels == 4 ? table->WebPPictureImportRGBA : table->WebPPictureImportRGB)(&picture, samples, stride) &&
                   table->WebPEncode(&config, &picture);
    int error = is_whole ? 0 : picture.error_code ? (int)picture.error_code : VP8_ENC_ERROR_OUT_OF_MEMORY;
    table->WebPPictureFree(&picture);
    if (error) table->WebPMemoryWriterClear(writer);
    return error;
}
