/* SPDX-License-Identifier: MIT
 *
 * apus.h: photos of phones and cameras for programs in C and C++.
 *
 * Reads HEIC, HEIF, JPEG, PNG, PPM and Y4M; gives samples, JPEG, PNG or HEIC, metadata, and what the file is. The answers
 * are those of the command `apus`: the same samples, the same bytes, the same JSON.
 *
 * Objects. An engine has threads and may be shared by any number of callers at the same time; one for a process is
 * usual. A photo is an opened file and may be used by several threads at once. Each object is freed by the function that is
 * named after its type; every such function takes NULL.
 *
 * Errors. Every function that can fail returns 0 or an object when it succeeded, otherwise an error kind or NULL. Where
 * `error` is not NULL, the reason is stored there, and the caller frees it.
 *
 * Structures begin with `size`, which the caller sets to the size of the structure as it knows it.
 *
 * The library changes nothing of the process: no signals, no output, no environment, no files but those that it is told
 * to open. `apus_command` alone does, for programs that are nothing else. Callbacks must not let exceptions through.
 */
#ifndef APUS_H
#define APUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apus_engine apus_engine;
typedef struct apus_photo apus_photo;
typedef struct apus_bytes apus_bytes;
typedef struct apus_files apus_files;
typedef struct apus_error apus_error;

/* The version of the library, such as "1.0.0". */
const char *apus_version(void);

/* ---- Errors ---------------------------------------------------------------------------------------------------- */

enum {
  APUS_OK = 0,
  APUS_TRUNCATED = 1,   /* the bytes end before their structure does */
  APUS_INVALID = 2,     /* the bytes contradict the standard or themselves */
  APUS_CORRUPT = 3,     /* the coded data contradict the standard */
  APUS_INCOMPLETE = 4,  /* part of the picture is not there */
  APUS_UNSUPPORTED = 5, /* a codec, form or feature that is not known here */
  APUS_MISSING = 6,     /* a library that the job needs is not installed */
  APUS_LIMIT = 7,       /* a named limit was reached */
  APUS_MEMORY = 8,      /* there is not enough memory */
  APUS_IO = 9,          /* the input could not be read */
  APUS_MISUSE = 10,     /* the caller asked for what cannot be */
  APUS_NOTHING = 11,    /* there is nothing of what was asked for */
  APUS_CANCELLED = 12,  /* the caller ended the job */
  APUS_CRASH = 13
};

int apus_error_kind(const apus_error *error);
/* The name of the kind, such as "truncated". */
const char *apus_error_name(const apus_error *error);
/* What went wrong, with its place, in words. */
const char *apus_error_message(const apus_error *error);
/* Where it went wrong, such as "meta/iprp at byte 33"; empty where there is no place. */
const char *apus_error_place(const apus_error *error);
/* The byte of the input, or -1. */
int64_t apus_error_offset(const apus_error *error);
void apus_error_free(apus_error *error);

/* ---- Bytes ----------------------------------------------------------------------------------------------------- */

/* A 0 follows the last byte, so that a text is a C string. */
const uint8_t *apus_bytes_data(const apus_bytes *bytes);
size_t apus_bytes_count(const apus_bytes *bytes);
void apus_bytes_free(apus_bytes *bytes);

/* ---- Photos ---------------------------------------------------------------------------------------------------- */

/* The bytes are copied. */
apus_photo *apus_photo_open_memory(const void *bytes, size_t count, apus_error **error);
apus_photo *apus_photo_open_file(const char *path, apus_error **error);

/* What stands for a file. `read` stores `count` bytes from `offset` on, all of which lie within the file, and returns 0,
 * or anything else when it could not. Several threads may call it at the same time. `release` may be NULL; it is
 * called once, when the file is no longer needed, also when opening it fails: perhaps by a worker of the engine, and a moment
 * after apus_photo_free has returned. */
typedef struct apus_reader {
  size_t size;
  void *context;
  uint64_t count;
  int (*read)(void *context, uint64_t offset, void *into, size_t count);
  void (*release)(void *context);
} apus_reader;

apus_photo *apus_photo_open_reader(const apus_reader *reader, apus_error **error);
void apus_photo_free(apus_photo *photo);

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

/* What goes with a job; NULL stands for one in which all is 0. */
typedef struct apus_call {
  size_t size;
  /* "convert", "thumbnail" or "edit": what the command calls the job; NULL is "convert". A thumbnail is the one that the
   * photo holds, where that is large enough; edit changes metadata, rotation and parts and encodes nothing.
   * apus_make_files takes "extract", too. */
  const char *verb;
  /* A JSON object, of the options of the verb by their long names: {"quality": 85, "strip": "gps"}. Names and values
   * are checked as the command does; an option that may be typed several times takes an array, too. NULL for none. */
  const char *options;
  /* Called from threads of the engine, one call at a time, with 0 to 1 of a pass over the picture; anything but 0 ends the
   * job as cancelled. NULL for none. The engine waits for it, so that it must not use the same engine. */
  int (*progress)(void *context, double fraction);
  void *context;
} apus_call;

apus_engine *apus_engine_new(unsigned workers, apus_error **error); /* 0: one for each processor */
/* Lets go of the decoders and encoders that are kept for the next call. */
void apus_engine_release_memory(apus_engine *engine);
void apus_engine_free(apus_engine *engine);

/* ---- Samples --------------------------------------------------------------------------------------------------- */

typedef enum apus_pixels {
  APUS_NATIVE = 0, /* what a PNG of the picture would hold */
  APUS_GRAY8, APUS_GRAY_ALPHA8, APUS_RGB8, APUS_RGBA8,
  APUS_GRAY16, APUS_GRAY_ALPHA16, APUS_RGB16, APUS_RGBA16 /* in the order of bytes of the machine */
} apus_pixels;

typedef struct apus_layout {
  size_t size;
  uint32_t width, height;
  uint32_t channels; /* 1 to 4: gray, gray and alpha, RGB, RGBA */
  uint32_t bits;     /* of a channel: 8 or 16; the brightest has all bits set */
  size_t stride;     /* bytes from a row to the next one */
} apus_layout;

/* How the samples of the picture lie when it is decoded with these options, of "convert". Nothing is decoded. */
int apus_photo_layout(apus_photo *photo, apus_pixels pixels, const apus_call *call, apus_layout *layout,
                      apus_error **error);

/* Gives memory for all rows, or NULL to end the job. The stride may be made larger. */
typedef void *(*apus_allocate)(void *context, apus_layout *layout);

/* Decodes the picture, upright unless the options say otherwise, into memory of the caller. Colours of more than gray do
 * not become gray; alpha that is not asked for is left out, and the colours below it stay as they are. `layout`
 * and `report` may be NULL; the report is one object of JSON, as `apus convert --json` prints it. */
int apus_decode(apus_engine *engine, apus_photo *photo, apus_pixels pixels, const apus_call *call,
                apus_allocate allocate, void *context, apus_layout *layout, apus_bytes **report,
                apus_error **error);

/* Takes samples as they are decoded, from the top. */
typedef struct apus_rows {
  size_t size;
  void *context;
  /* Comes first; anything but 0 ends the job. May be NULL. */
  int (*begin)(void *context, const apus_layout *layout);
  /* Whole rows without anything between them; anything but 0 ends the job. */
  int (*rows)(void *context, const void *samples, size_t count);
} apus_rows;

/* The same as apus_decode, for callers that have no use for the whole picture in memory. */
int apus_decode_rows(apus_engine *engine, apus_photo *photo, apus_pixels pixels, const apus_call *call,
                     const apus_rows *rows, apus_layout *layout, apus_bytes **report, apus_error **error);

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* Converts the picture to the bytes of a file: a JPEG unless the options name another format. The format "yuv" is the planes
 * as they were coded and nothing else: all of Y, then Cb, then Cr, samples of more than 8 bits as two bytes, the lower
 * first; how they are coded is in apus_photo_facts(photo, "info", …). */
int apus_convert(apus_engine *engine, apus_photo *photo, const apus_call *call, apus_bytes **file,
                 apus_bytes **report, apus_error **error);

/* Makes every file of a job, which the caller frees together:
 *
 * - of "convert", the picture in each of `count` sizes, whose longer sides have so many samples at most, of one decoding:
 *   the bytes of each are those that max-size makes, but that a JPEG is never copied as it is. Where `count` is 0, the
 *   picture alone, or with {"images": "all"} every picture of the file.
 * - of "extract", what its options name: {"role": "depth"}, {"role": ["gainmap", "exif"]}, {"item": 5}, {"frames": true}.
 *   `count` is 0. What there is, apus_photo_facts says of "extract".
 *
 * All of them or none; that there is nothing of what was asked for is APUS_NOTHING. */
int apus_make_files(apus_engine *engine, apus_photo *photo, const apus_call *call, const uint32_t *sides,
                    size_t count, apus_files **files, apus_bytes **report, apus_error **error);
size_t apus_files_count(const apus_files *files);
/* What tells a file from the others: its size, "2" for the second picture, "depth", "matte-hair", "frame-001"; empty for
 * the picture itself. NULL beyond the last file. */
const char *apus_files_name(const apus_files *files, size_t index);
/* What its name ends with on a disk, such as "jpg". */
const char *apus_files_extension(const apus_files *files, size_t index);
/* The bytes, and how many they are. */
const uint8_t *apus_files_data(const apus_files *files, size_t index, size_t *count);
void apus_files_free(apus_files *files);

/* What a file is to say beside its samples; any of them may be NULL. */
typedef struct apus_metadata {
  size_t size;
  const void *exif; /* from the header of TIFF on */
  size_t exif_count;
  const void *xmp;
  size_t xmp_count;
  const void *icc;
  size_t icc_count;
} apus_metadata;

/* Encodes samples as a file, by the options of `apus convert`; `metadata` may be NULL. */
int apus_encode(apus_engine *engine, const void *samples, const apus_layout *layout,
                const apus_metadata *metadata, const apus_call *call, apus_bytes **file,
                apus_bytes **report, apus_error **error);

/* Writes the pictures of several HEIC files as one file, without encoding them again; NULL if that fails. `options` is a
 * JSON object or NULL:
 *
 * - "primary" is the index of the primary picture, 0 if it is left out.
 * - "pictures" is an array with an object for each file. Its "properties" are boxes for the picture, such as a pasp;
 *   its "metadata" are items that describe it, each with "type", "content-type" and "data"; its "exif" replaces the
 *   data of the item Exif. Boxes, types and data are hexadecimal digits. "nclx": false leaves out the box with the
 *   code points of colours, and "premultiplied": true states that colours are multiplied with the alpha. */
apus_bytes *apus_join(const apus_photo *const *photos, size_t count, const char *options, apus_error **error);

/* ---- Metadata and facts ---------------------------------------------------------------------------------------- */

/* NULL without an error where the picture has none. Exif begins with the header of TIFF. */
apus_bytes *apus_photo_exif(apus_photo *photo, apus_error **error);
apus_bytes *apus_photo_xmp(apus_photo *photo, apus_error **error);
/* The profile that a PNG of the picture would have. */
apus_bytes *apus_photo_icc(apus_photo *photo, apus_error **error);

/* What a verb prints as JSON about the file: "info", "inspect", "hvcc show", "hvcc check", "flv show", "flv check", or
 * "extract", which lists what the photo holds beside its picture; with its options. `status` is the exit status of the command, 1 for a check that found errors; what else it would
 * say is in `messages`, a text of lines. Both may be NULL. */
apus_bytes *apus_photo_facts(apus_photo *photo, const char *verb, const char *options, int *status,
                             apus_bytes **messages, apus_error **error);

/* ---- The command ----------------------------------------------------------------------------------------------- */

/* Carries out what the process was started with, its own arguments, as the command `apus` does, and ends it. This is for a
 * program whose `main` does nothing else. */
void apus_command(void);

#ifdef __cplusplus
}
#endif

#endif
