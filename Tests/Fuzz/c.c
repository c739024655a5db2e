// SPDX-License-Identifier: MIT
// What a program in C does with a file that somebody sent it: every function of apus.h is called, answers or says why not,
// and keeps to what the header says of both.

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apus.h"

static apus_engine *engine;

static void broken(const char *form, ...) {
  va_list values;
  va_start(values, form);
  vfprintf(stderr, form, values);
  va_end(values);
  fputc('\n', stderr);
  abort();
}

// Whether a job succeeded. An error has a kind, a name and a message; there is one where a job failed, and only there.
static int ended(const char *job, int status, apus_error *error) {
  if ((status != APUS_OK) != (error != NULL)) broken("%s returns %d, and its error is %p", job, status, (void *)error);
  if (error == NULL) return 1;
  if (apus_error_kind(error) != status) broken("%s returns %d, and its error is %d", job, status, apus_error_kind(error));
  if (status < APUS_TRUNCATED || status > APUS_CANCELLED || status == APUS_MISUSE)
    broken("%s fails with %s: %s", job, apus_error_name(error), apus_error_message(error));
  if (strlen(apus_error_name(error)) == 0 || strlen(apus_error_message(error)) == 0) broken("%s fails without a reason", job);
  if (apus_error_place(error) == NULL || apus_error_offset(error) < -1) broken("%s fails at no place", job);
  apus_error_free(error);
  return 0;
}

// Bytes are there where a job succeeded, and a 0 follows them.
static void freed(const char *job, int has_succeeded, apus_bytes *bytes) {
  if (has_succeeded != (bytes != NULL)) broken("%s gives %p", job, (void *)bytes);
  if (bytes != NULL && apus_bytes_data(bytes)[apus_bytes_count(bytes)] != 0) broken("%s has no end", job);
  apus_bytes_free(bytes);
}

struct memory {
  apus_layout layout;
  uint8_t *bytes;
  size_t count;
};

enum { GUARD = 64, MARK = 0xA5, LEAST = 7 };

// Rows with a gap between them and marks around them, which stay as they are.
static void *allocated(void *context, apus_layout *layout) {
  struct memory *memory = context;
  free(memory->bytes);
  layout->stride += LEAST;
  memory->layout = *layout;
  memory->count = layout->stride * layout->height;
  if (memory->count > (size_t)1 << 26) return NULL;
  memory->bytes = malloc(memory->count + 2 * GUARD);
  if (memory->bytes == NULL) return NULL;
  memset(memory->bytes, MARK, memory->count + 2 * GUARD);
  return memory->bytes + GUARD;
}

static void check_marks(const struct memory *memory) {
  size_t row = memory->layout.stride - LEAST;
  for (int place = 0; place < GUARD; place++)
    if (memory->bytes[place] != MARK || memory->bytes[GUARD + memory->count + place] != MARK) broken("samples are out of bounds");
  for (uint32_t line = 0; line < memory->layout.height; line++)
    for (int place = 0; place < LEAST; place++)
      if (memory->bytes[GUARD + line * memory->layout.stride + row + place] != MARK) broken("samples are between rows");
}

static void decode(apus_photo *photo, apus_pixels pixels, const char *options) {
  apus_call call = {.size = sizeof call, .options = options};
  apus_layout wanted = {.size = sizeof wanted}, found = {.size = sizeof found};
  apus_error *error = NULL;
  apus_bytes *report = NULL;
  struct memory memory = {.bytes = NULL};
  int has_layout = ended("apus_photo_layout", apus_photo_layout(photo, pixels, &call, &wanted, &error), error);
  int status = apus_decode(engine, photo, pixels, &call, allocated, &memory, &found, &report, &error);
  int has_samples = ended("apus_decode", status, error);
  freed("the report of apus_decode", has_samples, report);
  if (has_samples) {
    if (!has_layout) broken("there are samples and no layout");
    if (wanted.width != found.width || wanted.height != found.height || wanted.channels != found.channels ||
        wanted.bits != found.bits)
      broken("the layout was %u x %u, %u of %u bits, and is %u x %u, %u of %u bits", wanted.width, wanted.height,
             wanted.channels, wanted.bits, found.width, found.height, found.channels, found.bits);
  }
  if (memory.bytes != NULL) check_marks(&memory);
  free(memory.bytes);
}

static int begin(void *context, const apus_layout *layout) {
  *(size_t *)context = layout->stride * layout->height;
  return layout->height > 1 << 14;
}

static int taken(void *context, const void *samples, size_t count) {
  size_t *left = context;
  if (count > *left) broken("there are %zu bytes too many", count - *left);
  *left -= count;
  return ((const uint8_t *)samples)[count - 1] > 255;
}

static void decode_rows(apus_photo *photo) {
  apus_call call = {.size = sizeof call, .options = "{\"max-size\": 100, \"salvage\": true}"};
  size_t left = 0;
  apus_rows rows = {.size = sizeof rows, .context = &left, .begin = begin, .rows = taken};
  apus_error *error = NULL;
  int status = apus_decode_rows(engine, photo, APUS_RGBA16, &call, &rows, NULL, NULL, &error);
  if (ended("apus_decode_rows", status, error) && left) broken("%zu bytes are missing", left);
}

static void convert(apus_photo *photo, const char *verb, const char *options) {
  apus_call call = {.size = sizeof call, .verb = verb, .options = options};
  apus_error *error = NULL;
  apus_bytes *file = NULL, *report = NULL;
  int is_there = ended(verb, apus_convert(engine, photo, &call, &file, &report, &error), error);
  freed(verb, is_there, file);
  freed("its report", is_there, report);
}

static void make_files(apus_photo *photo, const char *verb, const char *options, size_t count) {
  const uint32_t sides[] = {64, 16};
  apus_call call = {.size = sizeof call, .verb = verb, .options = options};
  apus_error *error = NULL;
  apus_files *files = NULL;
  apus_bytes *report = NULL;
  int status = apus_make_files(engine, photo, &call, sides, count, &files, &report, &error);
  int are_there = ended("apus_make_files", status, error);
  freed("the report of apus_make_files", are_there, report);
  if (are_there && count && apus_files_count(files) != count) broken("there are %zu files", apus_files_count(files));
  for (size_t index = 0; index < apus_files_count(files); index++) {
    size_t bytes;
    const uint8_t *data = apus_files_data(files, index, &bytes);
    if (data == NULL || data[bytes] != 0) broken("file %zu has no end", index);
    if (apus_files_name(files, index) == NULL || strlen(apus_files_extension(files, index)) == 0)
      broken("file %zu has no name", index);
  }
  apus_files_free(files);
}

static void facts(apus_photo *photo, const char *verb, const char *options) {
  apus_error *error = NULL;
  apus_bytes *messages = NULL;
  int status = -1;
  apus_bytes *answer = apus_photo_facts(photo, verb, options, &status, &messages, &error);
  int is_there = ended(verb, apus_error_kind(error), error);
  freed(verb, is_there, answer);
  freed("its messages", is_there, messages);
}

static void metadata(apus_photo *photo, apus_bytes *(*function)(apus_photo *, apus_error **)) {
  apus_error *error = NULL;
  apus_bytes *bytes = function(photo, &error);
  if (!ended("metadata", apus_error_kind(error), error) && bytes != NULL) broken("there is metadata and an error");
  apus_bytes_free(bytes);
}

// A file whose bytes are in memory that is exactly as large, which nothing may be read behind.
struct source {
  const uint8_t *bytes;
  size_t count;
  int releases;
};

static int read_source(void *context, uint64_t offset, void *into, size_t count) {
  const struct source *source = context;
  if (offset > source->count || count > source->count - offset) broken("%zu bytes are read at %llu", count, (unsigned long long)offset);
  memcpy(into, source->bytes + offset, count);
  return 0;
}

static void release_source(void *context) { ((struct source *)context)->releases++; }

static unsigned sum(const uint8_t *bytes, size_t count) {
  unsigned sum = 2166136261u;
  for (size_t place = 0; place < count; place++) sum = (sum ^ bytes[place]) * 16777619u;
  return sum >> 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  apus_error *error = NULL;
  if (engine == NULL) engine = apus_engine_new(1, &error);
  if (engine == NULL) broken("there is no engine");

  struct source source = {.bytes = bytes, .count = count};
  apus_reader reader = {.size = sizeof reader, .context = &source, .count = count, .read = read_source, .release = release_source};
  // Either way of opening, by turns.
  int is_read = count % 2;
  apus_photo *photo = is_read ? apus_photo_open_reader(&reader, &error) : apus_photo_open_memory(bytes, count, &error);
  if (ended("opening", apus_error_kind(error), error)) {
    metadata(photo, apus_photo_exif);
    metadata(photo, apus_photo_xmp);
    metadata(photo, apus_photo_icc);
    // One of the jobs that take longer, by what the bytes are.
    switch (sum(bytes, count) % 12) {
    case 0: facts(photo, "info", NULL); break;
    case 1: facts(photo, "extract", "{}"); break;
    case 2: facts(photo, "inspect", NULL); break;
    case 3: facts(photo, "hvcc show", NULL); break;
    case 4: facts(photo, "hvcc check", NULL); break;
    case 5: decode(photo, APUS_NATIVE, "{\"max-size\": 64}"); break;
    case 6: decode(photo, APUS_RGBA8, NULL); break;
    case 7: decode_rows(photo); break;
    case 8: convert(photo, "convert", "{\"quality\": 70, \"salvage\": true}"); break;
    case 9: convert(photo, "thumbnail", "{\"size\": \"32x32\"}"); break;
    case 10: make_files(photo, "convert", "{\"strip\": \"gps\"}", 2); break;
    case 11: make_files(photo, "extract", "{\"role\": \"all\"}", 0); break;
    }
    apus_photo_free(photo);
  }
  if (source.releases != is_read) broken("a reader is released %d times", source.releases);
  return 0;
}
