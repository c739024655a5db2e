// SPDX-License-Identifier: MIT
// What programs of version 0 of the interface were compiled with: fields, numbers and functions stay where and what they are.
// A structure may grow at its end; then its size here is that of its first version.

#include "apus.h"

#define FIELD(type, field, place, kind)                                                                 \
  _Static_assert(offsetof(type, field) == (place), #type " has moved " #field);                         \
  _Static_assert(_Generic(((type *)0)->field, kind : 1, default : 0), #type " has another type of " #field)
#define LEAST(type, size) _Static_assert(sizeof(type) >= (size), #type " has shrunk")

_Static_assert(sizeof(void *) == 8, "the places are those of machines of 64 bits");

FIELD(apus_reader, size, 0, size_t);
FIELD(apus_reader, context, 8, void *);
FIELD(apus_reader, count, 16, uint64_t);
FIELD(apus_reader, read, 24, int (*)(void *, uint64_t, void *, size_t));
FIELD(apus_reader, release, 32, void (*)(void *));
LEAST(apus_reader, 40);
FIELD(apus_call, size, 0, size_t);
FIELD(apus_call, verb, 8, const char *);
FIELD(apus_call, options, 16, const char *);
FIELD(apus_call, progress, 24, int (*)(void *, double));
FIELD(apus_call, context, 32, void *);
LEAST(apus_call, 40);
FIELD(apus_layout, size, 0, size_t);
FIELD(apus_layout, width, 8, uint32_t);
FIELD(apus_layout, height, 12, uint32_t);
FIELD(apus_layout, channels, 16, uint32_t);
FIELD(apus_layout, bits, 20, uint32_t);
FIELD(apus_layout, stride, 24, size_t);
LEAST(apus_layout, 32);
FIELD(apus_rows, size, 0, size_t);
FIELD(apus_rows, context, 8, void *);
FIELD(apus_rows, begin, 16, int (*)(void *, const apus_layout *));
FIELD(apus_rows, rows, 24, int (*)(void *, const void *, size_t));
LEAST(apus_rows, 32);
FIELD(apus_metadata, size, 0, size_t);
FIELD(apus_metadata, exif, 8, const void *);
FIELD(apus_metadata, exif_count, 16, size_t);
FIELD(apus_metadata, xmp, 24, const void *);
FIELD(apus_metadata, xmp_count, 32, size_t);
FIELD(apus_metadata, icc, 40, const void *);
FIELD(apus_metadata, icc_count, 48, size_t);
LEAST(apus_metadata, 56);

_Static_assert(
    APUS_OK == 0 && APUS_TRUNCATED == 1 && APUS_INVALID == 2 && APUS_CORRUPT == 3 && APUS_INCOMPLETE == 4 &&
        APUS_UNSUPPORTED == 5 && APUS_MISSING == 6 && APUS_LIMIT == 7 && APUS_MEMORY == 8 && APUS_IO == 9 &&
        APUS_MISUSE == 10 && APUS_NOTHING == 11 && APUS_CANCELLED == 12 && APUS_CRASH == 13,
    "the numbers of errors");
_Static_assert(
    APUS_NATIVE == 0 && APUS_GRAY8 == 1 && APUS_GRAY_ALPHA8 == 2 && APUS_RGB8 == 3 && APUS_RGBA8 == 4 &&
        APUS_GRAY16 == 5 && APUS_GRAY_ALPHA16 == 6 && APUS_RGB16 == 7 && APUS_RGBA16 == 8,
    "the numbers of forms");

_Static_assert(_Generic((apus_allocate)0, void *(*)(void *, apus_layout *) : 1, default : 0), "the type of apus_allocate");

// A function of another type does not compile.
static const char *(*const version)(void) = apus_version;
static int (*const error_kind)(const apus_error *) = apus_error_kind;
static const char *(*const error_name)(const apus_error *) = apus_error_name;
static const char *(*const error_message)(const apus_error *) = apus_error_message;
static const char *(*const error_place)(const apus_error *) = apus_error_place;
static int64_t (*const error_offset)(const apus_error *) = apus_error_offset;
static void (*const error_free)(apus_error *) = apus_error_free;
static const uint8_t *(*const bytes_data)(const apus_bytes *) = apus_bytes_data;
static size_t (*const bytes_count)(const apus_bytes *) = apus_bytes_count;
static void (*const bytes_free)(apus_bytes *) = apus_bytes_free;
static apus_photo *(*const open_memory)(const void *, size_t, apus_error **) = apus_photo_open_memory;
static apus_photo *(*const open_file)(const char *, apus_error **) = apus_photo_open_file;
static apus_photo *(*const open_reader)(const apus_reader *, apus_error **) = apus_photo_open_reader;
static void (*const photo_free)(apus_photo *) = apus_photo_free;
static apus_engine *(*const engine_new)(unsigned, apus_error **) = apus_engine_new;
static void (*const engine_release)(apus_engine *) = apus_engine_release_memory;
static void (*const engine_free)(apus_engine *) = apus_engine_free;
static int (*const layout)(apus_photo *, apus_pixels, const apus_call *, apus_layout *, apus_error **) = apus_photo_layout;
static int (*const decode)(apus_engine *, apus_photo *, apus_pixels, const apus_call *, apus_allocate, void *, apus_layout *,
                           apus_bytes **, apus_error **) = apus_decode;
static int (*const decode_rows)(apus_engine *, apus_photo *, apus_pixels, const apus_call *, const apus_rows *, apus_layout *,
                                apus_bytes **, apus_error **) = apus_decode_rows;
static int (*const convert)(apus_engine *, apus_photo *, const apus_call *, apus_bytes **, apus_bytes **, apus_error **) =
    apus_convert;
static int (*const make_files)(apus_engine *, apus_photo *, const apus_call *, const uint32_t *, size_t, apus_files **,
                               apus_bytes **, apus_error **) = apus_make_files;
static size_t (*const files_count)(const apus_files *) = apus_files_count;
static const char *(*const files_name)(const apus_files *, size_t) = apus_files_name;
static const char *(*const files_extension)(const apus_files *, size_t) = apus_files_extension;
static const uint8_t *(*const files_data)(const apus_files *, size_t, size_t *) = apus_files_data;
static void (*const files_free)(apus_files *) = apus_files_free;
static apus_bytes *(*const join)(const apus_photo *const *, size_t, const char *, apus_error **) = apus_join;
static int (*const encode)(apus_engine *, const void *, const apus_layout *, const apus_metadata *, const apus_call *,
                           apus_bytes **, apus_bytes **, apus_error **) = apus_encode;
static apus_bytes *(*const exif)(apus_photo *, apus_error **) = apus_photo_exif;
static apus_bytes *(*const xmp)(apus_photo *, apus_error **) = apus_photo_xmp;
static apus_bytes *(*const icc)(apus_photo *, apus_error **) = apus_photo_icc;
static apus_bytes *(*const facts)(apus_photo *, const char *, const char *, int *, apus_bytes **, apus_error **) =
    apus_photo_facts;
static void (*const command)(void) = apus_command;

int main(void) {
  const void *functions[] = {
      &version,    &error_kind, &error_name,  &error_message, &error_place,  &error_offset, &error_free,  &bytes_data,     &bytes_count,
      &bytes_free, &open_memory, &open_file,     &open_reader,  &photo_free,   &engine_new,  &engine_release, &engine_free,
      &layout,     &decode,      &decode_rows,   &convert,      &make_files,   &files_count, &files_name,     &files_extension,
      &files_data, &files_free,  &encode,        &exif,         &xmp,          &icc,         &facts,       &command,
      &join};
  return functions[0] == 0;
}
