// SPDX-License-Identifier: MIT
// libheif, opened when it is needed.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <libheif/heif.h>

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
struct apus_heif {
#define F(name) __typeof__(name) *name;
    APUS_HEIF_FUNCTIONS(F)
#undef F
    // Of libheif 1.17 and later; NULL in those before.
    struct heif_error (*heif_image_handle_get_preferred_decoding_colorspace)(
        const struct heif_image_handle *, enum heif_colorspace *, enum heif_chroma *);
};

/// Opens the library. Returns what is wrong with it, or NULL.
static inline const char *apus_heif_load(struct apus_heif *table) {
    void *library = dlopen("libheif.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define F(name) \
    if (!(table->name = (__typeof__(table->name))dlsym(library, #name))) return dlerror();
    APUS_HEIF_FUNCTIONS(F)
#undef F
    table->heif_image_handle_get_preferred_decoding_colorspace =
        (__typeof__(table->heif_image_handle_get_preferred_decoding_colorspace))dlsym(
            library, "heif_image_handle_get_preferred_decoding_colorspace");
    return NULL;
}

/// The version of the library that is installed, or of the headers where none is.
static inline unsigned apus_heif_version(void) {
    void *library = dlopen("libheif.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return LIBHEIF_NUMERIC_VERSION;
    __typeof__(heif_get_version_number) *version =
        (__typeof__(version))dlsym(library, "heif_get_version_number");
    unsigned number = version ? version() : LIBHEIF_NUMERIC_VERSION;
    dlclose(library);
    return number;
}

/// One plane; later versions have it under another name too, by a macro, which Swift cannot see.
static const enum heif_chroma apus_heif_one_plane = heif_chroma_monochrome;
