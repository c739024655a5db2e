// SPDX-License-Identifier: MIT
// libwebp, opened when it is needed.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <webp/encode.h>

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
struct apus_webp {
#define F(name) __typeof__(name) *name;
    APUS_WEBP_FUNCTIONS(F)
#undef F
};

/// Opens the library. Returns what is missing, or NULL.
static inline const char *apus_webp_load(struct apus_webp *table) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) return "libwebp.so.7";
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(library, #name))) return #name " of libwebp";
    APUS_WEBP_FUNCTIONS(F)
#undef F
    return NULL;
}

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
