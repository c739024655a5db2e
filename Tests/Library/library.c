// SPDX-License-Identifier: MIT
// Uses every function of apus.h; ends with 1 where one does not do what the header says.
// library PHOTO WRITTEN.jpg SAMPLES.raw PLANES.yuv OTHER.heic JOINED.heic: what it makes of the photos is left for others to compare.

#define _POSIX_C_SOURCE 200809L

#include "apus.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define REQUIRE(condition)                                                   \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition);  \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

static void succeed(int status, apus_error *error) {
  if (status != APUS_OK || error) {
    fprintf(stderr, "%d: %s\n", status, error ? apus_error_message(error) : "no reason");
    exit(1);
  }
}

/* The memory that a decoding asks for, with some bytes between rows. */
typedef struct {
  unsigned char *rows;
  size_t stride, count;
  int refuses;
} Memory;

static void *allocate(void *context, apus_layout *layout) {
  Memory *memory = context;
  if (memory->refuses) return NULL;
  layout->stride += 24;
  memory->stride = layout->stride;
  memory->count = layout->stride * layout->height;
  memory->rows = malloc(memory->count);
  memset(memory->rows, 0xA5, memory->count);
  return memory->rows;
}

static void save(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  REQUIRE(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

/* A file that is read through callbacks. */
typedef struct {
  FILE *file;
  int reads, released, fails;
} Source;

static int read_source(void *context, uint64_t offset, void *into, size_t count) {
  Source *source = context;
  source->reads += 1;
  if (source->fails) return 7;
  return fseek(source->file, (long)offset, SEEK_SET) || fread(into, 1, count, source->file) != count;
}

static void release_source(void *context) { __atomic_add_fetch(&((Source *)context)->released, 1, __ATOMIC_SEQ_CST); }

static int stop(void *context, double fraction) {
  ++*(int *)context;
  return fraction >= 0;
}

static int count_calls(void *context, double fraction) {
  REQUIRE(fraction >= 0 && fraction <= 1);
  ++*(int *)context;
  return 0;
}

/* Rows that come one band after the other. */
typedef struct {
  unsigned char *rows;
  size_t count, most;
  uint32_t height;
} Stream;

static int begin_stream(void *context, const apus_layout *layout) {
  Stream *stream = context;
  stream->height = layout->height;
  stream->rows = malloc(layout->stride * layout->height);
  return 0;
}

static int take_rows(void *context, const void *samples, size_t count) {
  Stream *stream = context;
  if (stream->most && stream->count >= stream->most) return 1;
  memcpy(stream->rows + stream->count, samples, count);
  stream->count += count;
  return 0;
}

static apus_engine *engine;
static apus_photo *photo;
static apus_bytes *first;

static void *convert_again(void *unused) {
  apus_call call = {.size = sizeof call, .options = "{\"quality\": 85}"};
  for (int turn = 0; turn < 4; turn++) {
    apus_bytes *file = NULL;
    apus_error *error = NULL;
    succeed(apus_convert(engine, photo, &call, &file, NULL, &error), error);
    REQUIRE(apus_bytes_count(file) == apus_bytes_count(first));
    REQUIRE(!memcmp(apus_bytes_data(file), apus_bytes_data(first), apus_bytes_count(file)));
    apus_bytes_free(file);
  }
  return unused;
}

static void check_errors(const char *path) {
  apus_error *error = NULL;
  REQUIRE(!apus_photo_open_file("/nowhere/photo.heic", &error) && error);
  REQUIRE(apus_error_kind(error) == APUS_IO && !strcmp(apus_error_name(error), "io"));
  REQUIRE(strstr(apus_error_message(error), "/nowhere/photo.heic"));
  REQUIRE(!strcmp(apus_error_place(error), "") && apus_error_offset(error) == -1);
  apus_error_free(error);
  REQUIRE(!apus_photo_open_file("/nowhere/photo.heic", NULL));
  REQUIRE(!apus_photo_open_file(NULL, &error) && apus_error_kind(error) == APUS_MISUSE);
  apus_error_free(error);

  apus_bytes *file = NULL;
  const char *wrong[] = {"{\"quality\": 101}", "{\"qualty\": 5}", "{", "[]", "{\"srgb\": \"perhaps\"}", "{\"output\": \"x\"}",
                         "{\"journal\": \"x\"}", "{\"remove-source\": true}", "{\"quality\": [1]}"};
  for (size_t index = 0; index < sizeof wrong / sizeof *wrong; index++) {
    apus_call call = {.size = sizeof call, .options = wrong[index]};
    REQUIRE(apus_convert(engine, photo, &call, &file, NULL, &error) == APUS_MISUSE);
    REQUIRE(!file && apus_error_kind(error) == APUS_MISUSE && *apus_error_message(error));
    apus_error_free(error);
  }
  apus_call small = {.size = 4};
  REQUIRE(apus_convert(engine, photo, &small, &file, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_convert(NULL, photo, NULL, &file, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_convert(engine, NULL, NULL, &file, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_convert(engine, photo, NULL, NULL, NULL, NULL) == APUS_MISUSE);

  /* A file that ends in the middle of its media data, and one that is none. */
  FILE *stream = fopen(path, "rb");
  static unsigned char bytes[1 << 20];
  size_t count = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  apus_photo *cut = apus_photo_open_memory(bytes, count - 40, NULL);
  REQUIRE(apus_convert(engine, cut, NULL, &file, NULL, &error) != APUS_OK && !file);
  REQUIRE(apus_error_offset(error) > 0 && *apus_error_place(error));
  apus_error_free(error);
  apus_photo_free(cut);
  apus_photo *none = apus_photo_open_memory("neither", 7, NULL);
  REQUIRE(apus_convert(engine, none, NULL, &file, NULL, NULL) == APUS_UNSUPPORTED);
  apus_photo_free(none);
  REQUIRE(!apus_photo_open_memory(NULL, 5, NULL));
}

static void check_reader(const char *path) {
  Source source = {.file = fopen(path, "rb")};
  fseek(source.file, 0, SEEK_END);
  apus_reader reader = {sizeof reader, &source, (uint64_t)ftell(source.file), read_source, release_source};
  apus_photo *read = apus_photo_open_reader(&reader, NULL);
  apus_call call = {.size = sizeof call, .options = "{\"quality\": 85}"};
  apus_bytes *file = NULL;
  apus_error *error = NULL;
  succeed(apus_convert(engine, read, &call, &file, NULL, &error), error);
  REQUIRE(source.reads > 0 && !source.released);
  REQUIRE(apus_bytes_count(file) == apus_bytes_count(first) &&
          !memcmp(apus_bytes_data(file), apus_bytes_data(first), apus_bytes_count(file)));
  apus_bytes_free(file);
  source.fails = 1;
  REQUIRE(apus_convert(engine, read, &call, &file, NULL, &error) == APUS_IO && !file);
  apus_error_free(error);
  apus_photo_free(read);
  /* A worker may still be about to let go of it. */
  const struct timespec moment = {0, 10000000};
  for (int wait = 0; wait < 3000 && !__atomic_load_n(&source.released, __ATOMIC_SEQ_CST); wait++) nanosleep(&moment, NULL);
  REQUIRE(source.released == 1);
  reader.read = NULL;
  REQUIRE(!apus_photo_open_reader(&reader, NULL) && source.released == 2);
  fclose(source.file);
}

static void check_samples(const char *raw, const char *yuv) {
  apus_layout layout = {.size = sizeof layout}, decoded = {.size = sizeof decoded};
  apus_error *error = NULL;
  succeed(apus_photo_layout(photo, APUS_NATIVE, NULL, &layout, &error), error);
  REQUIRE(layout.width > 0 && layout.bits == 8 && layout.stride == (size_t)layout.width * layout.channels);

  Memory memory = {0};
  apus_bytes *report = NULL;
  succeed(apus_decode(engine, photo, APUS_RGB8, NULL, allocate, &memory, &decoded, &report, &error), error);
  REQUIRE(decoded.width == layout.width && decoded.height == layout.height && decoded.channels == 3);
  REQUIRE(strstr((const char *)apus_bytes_data(report), "\"status\":\"converted\""));
  apus_bytes_free(report);
  size_t length = (size_t)decoded.width * 3;
  unsigned char *packed = malloc(length * decoded.height);
  for (uint32_t row = 0; row < decoded.height; row++) {
    memcpy(packed + row * length, memory.rows + row * memory.stride, length);
    for (size_t byte = length; byte < memory.stride; byte++) REQUIRE(memory.rows[row * memory.stride + byte] == 0xA5);
  }
  save(raw, packed, length * decoded.height);

  Memory deep = {0};
  succeed(apus_decode(engine, photo, APUS_RGBA16, NULL, allocate, &deep, &decoded, NULL, &error), error);
  for (uint32_t row = 0; row < decoded.height; row += 7) {
    const uint16_t *line = (const uint16_t *)(deep.rows + row * deep.stride);
    for (uint32_t column = 0; column < decoded.width; column++) {
      for (int colour = 0; colour < 3; colour++)
        REQUIRE(line[column * 4 + colour] == packed[row * length + column * 3 + colour] * 257);
      REQUIRE(line[column * 4 + 3] == 0xFFFF);
    }
  }
  free(deep.rows);

  Stream stream = {0};
  apus_rows rows = {sizeof rows, &stream, begin_stream, take_rows};
  succeed(apus_decode_rows(engine, photo, APUS_RGB8, NULL, &rows, &decoded, NULL, &error), error);
  REQUIRE(stream.height == decoded.height && stream.count == length * decoded.height);
  REQUIRE(!memcmp(stream.rows, packed, stream.count));
  free(stream.rows);
  Stream little = {.most = 1};
  rows.context = &little;
  REQUIRE(apus_decode_rows(engine, photo, APUS_RGB8, NULL, &rows, NULL, NULL, NULL) == APUS_CANCELLED);
  free(little.rows);
  rows.rows = NULL;
  REQUIRE(apus_decode_rows(engine, photo, APUS_RGB8, NULL, &rows, NULL, NULL, NULL) == APUS_MISUSE);
  free(packed);

  /* The fixture is coded as 4:2:0 in 8 bits: all of Y, then all of Cb, then all of Cr. */
  apus_call as_planes = {.size = sizeof as_planes, .options = "{\"format\": \"yuv\"}"};
  apus_bytes *planes = NULL;
  succeed(apus_convert(engine, photo, &as_planes, &planes, NULL, &error), error);
  size_t samples = (size_t)decoded.width * decoded.height;
  REQUIRE(apus_bytes_count(planes) == samples + samples / 2);
  save(yuv, apus_bytes_data(planes), apus_bytes_count(planes));
  apus_bytes_free(planes);

  apus_call embedded = {.size = sizeof embedded, .verb = "thumbnail", .options = "{\"size\": 64}"};
  Memory small = {0};
  apus_layout tiny = {.size = sizeof tiny};
  succeed(apus_decode(engine, photo, APUS_RGB8, &embedded, allocate, &small, &tiny, NULL, &error), error);
  REQUIRE(tiny.width <= 64 && tiny.height <= 64 && (tiny.width == 64 || tiny.height == 64));
  free(small.rows);
  REQUIRE(apus_photo_layout(photo, APUS_RGB8, &embedded, &layout, NULL) == APUS_MISUSE);

  apus_call part = {.size = sizeof part, .options = "{\"crop\": \"40x30+8+4\"}"};
  succeed(apus_photo_layout(photo, APUS_RGB8, &part, &layout, &error), error);
  REQUIRE(layout.width == 40 && layout.height == 30);
  Memory cropped = {0};
  succeed(apus_decode(engine, photo, APUS_RGB8, &part, allocate, &cropped, NULL, NULL, &error), error);
  for (int row = 0; row < 30; row++)
    REQUIRE(!memcmp(cropped.rows + row * cropped.stride, memory.rows + (row + 4) * memory.stride + 8 * 3, 40 * 3));
  free(cropped.rows);

  /* What was decoded is encoded again, with what is said beside it. */
  apus_bytes *exif = apus_photo_exif(photo, &error), *xmp = apus_photo_xmp(photo, NULL), *icc = apus_photo_icc(photo, NULL);
  REQUIRE(!error && exif && xmp && icc);
  apus_layout own = {sizeof own, decoded.width, decoded.height, 3, 8, memory.stride};
  apus_metadata metadata = {sizeof metadata, apus_bytes_data(exif), apus_bytes_count(exif), apus_bytes_data(xmp),
                            apus_bytes_count(xmp), apus_bytes_data(icc), apus_bytes_count(icc)};
  apus_call png = {.size = sizeof png, .options = "{\"format\": \"png\"}"};
  apus_bytes *file = NULL;
  succeed(apus_encode(engine, memory.rows, &own, &metadata, &png, &file, NULL, &error), error);
  apus_photo *again = apus_photo_open_memory(apus_bytes_data(file), apus_bytes_count(file), &error);
  apus_bytes *kept = apus_photo_exif(again, NULL);
  REQUIRE(kept && apus_bytes_count(kept) == apus_bytes_count(exif));
  Memory same = {0};
  succeed(apus_decode(engine, again, APUS_RGB8, NULL, allocate, &same, NULL, NULL, &error), error);
  REQUIRE(same.count == memory.count && !memcmp(same.rows, memory.rows, memory.count));
  free(same.rows);
  apus_bytes_free(kept);
  apus_photo_free(again);
  apus_bytes_free(file);
  own.channels = 5;
  REQUIRE(apus_encode(engine, memory.rows, &own, NULL, &png, &file, NULL, NULL) == APUS_MISUSE);
  own.channels = 3, own.stride = 5;
  REQUIRE(apus_encode(engine, memory.rows, &own, NULL, &png, &file, NULL, NULL) == APUS_MISUSE);
  apus_bytes_free(exif), apus_bytes_free(xmp), apus_bytes_free(icc);
  free(memory.rows);

  Memory refused = {.refuses = 1};
  REQUIRE(apus_decode(engine, photo, APUS_RGB8, NULL, allocate, &refused, NULL, NULL, NULL) == APUS_CANCELLED);
  REQUIRE(apus_decode(engine, photo, APUS_GRAY8, NULL, allocate, &refused, NULL, NULL, NULL) == APUS_UNSUPPORTED);
  REQUIRE(apus_decode(engine, photo, (apus_pixels)77, NULL, allocate, &refused, NULL, NULL, NULL) == APUS_MISUSE);
  int calls = 0;
  apus_call progress = {.size = sizeof progress, .progress = count_calls, .context = &calls};
  Memory watched = {0};
  succeed(apus_decode(engine, photo, APUS_RGB8, &progress, allocate, &watched, NULL, NULL, &error), error);
  REQUIRE(calls > 0);
  free(watched.rows);
  apus_call stopped = {.size = sizeof stopped, .progress = stop, .context = &calls};
  Memory given = {0};
  REQUIRE(apus_decode(engine, photo, APUS_RGB8, &stopped, allocate, &given, NULL, NULL, NULL) == APUS_CANCELLED);
  free(given.rows);
}

/* Several files of one photo: its sizes of one decoding, each as it is alone; what it holds beside the picture. */
static void check_files(void) {
  apus_error *error = NULL;
  apus_files *files = NULL;
  apus_bytes *report = NULL;
  const uint32_t sides[] = {160, 50, 1000};
  apus_call call = {.size = sizeof call, .options = "{\"quality\": 85}"};
  succeed(apus_make_files(engine, photo, &call, sides, 3, &files, &report, &error), error);
  REQUIRE(apus_files_count(files) == 3 && strstr((const char *)apus_bytes_data(report), "\"status\":\"converted\""));
  apus_bytes_free(report);
  for (size_t index = 0; index < 3; index++) {
    char options[64], name[16];
    snprintf(options, sizeof options, "{\"quality\": 85, \"max-size\": %u}", (unsigned)sides[index]);
    snprintf(name, sizeof name, "%u", (unsigned)sides[index]);
    apus_call one = {.size = sizeof one, .options = options};
    apus_bytes *alone = NULL;
    succeed(apus_convert(engine, photo, &one, &alone, NULL, &error), error);
    size_t count = 0;
    const uint8_t *bytes = apus_files_data(files, index, &count);
    REQUIRE(!strcmp(apus_files_name(files, index), name) && !strcmp(apus_files_extension(files, index), "jpg"));
    REQUIRE(count == apus_bytes_count(alone) && !memcmp(bytes, apus_bytes_data(alone), count));
    apus_bytes_free(alone);
  }
  size_t beyond = 1;
  REQUIRE(!apus_files_data(files, 3, &beyond) && beyond == 0 && !apus_files_name(files, 3));
  apus_files_free(files);

  succeed(apus_make_files(engine, photo, &call, NULL, 0, &files, NULL, &error), error);
  REQUIRE(apus_files_count(files) == 1 && !*apus_files_name(files, 0));
  apus_files_free(files);

  apus_call extract = {.size = sizeof extract, .verb = "extract", .options = "{\"role\": [\"exif\", \"xmp\"]}"};
  succeed(apus_make_files(engine, photo, &extract, NULL, 0, &files, NULL, &error), error);
  apus_bytes *exif = apus_photo_exif(photo, NULL);
  size_t found = 0;
  for (size_t index = 0; index < apus_files_count(files); index++) {
    size_t count = 0;
    const uint8_t *bytes = apus_files_data(files, index, &count);
    if (strcmp(apus_files_extension(files, index), "exif")) continue;
    found += count >= apus_bytes_count(exif) && !memcmp(bytes, apus_bytes_data(exif), apus_bytes_count(exif));
  }
  REQUIRE(found == 1 && apus_files_count(files) == 2);
  apus_bytes_free(exif);
  apus_files_free(files);
  apus_bytes *parts = apus_photo_facts(photo, "extract", NULL, NULL, NULL, &error);
  REQUIRE(parts && strstr((const char *)apus_bytes_data(parts), "\"role\":\"exif\""));
  apus_bytes_free(parts);

  const uint32_t wrong[] = {64, 64}, none[] = {0};
  apus_bytes *file = NULL;
  extract.options = "{\"role\": \"depth\"}";
  REQUIRE(apus_make_files(engine, photo, &extract, NULL, 0, &files, NULL, NULL) == APUS_NOTHING && !files);
  REQUIRE(apus_make_files(engine, photo, &extract, sides, 1, &files, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_convert(engine, photo, &extract, &file, NULL, NULL) == APUS_MISUSE && !file);
  extract.options = "{\"track\": 1}";
  REQUIRE(apus_make_files(engine, photo, &extract, NULL, 0, &files, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_make_files(engine, photo, &call, wrong, 2, &files, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_make_files(engine, photo, &call, none, 1, &files, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_make_files(engine, photo, &call, NULL, 1, &files, NULL, NULL) == APUS_MISUSE);
  REQUIRE(apus_make_files(engine, photo, &call, NULL, 0, NULL, NULL, NULL) == APUS_MISUSE);
}

/* Two pictures in one file, the first with a further property, the second, which is the primary one, with a further item. What
 * libheif reads there is compared elsewhere. */
static void check_joining(const char *other, const char *target) {
  apus_error *error = NULL;
  apus_photo *second = apus_photo_open_file(other, &error);
  REQUIRE(second && !error);
  const apus_photo *photos[] = {photo, second};
  apus_bytes *file = apus_join(photos, 2,
                               "{\"primary\": 1, \"pictures\": [{\"properties\": [\"0000001070617370000000040000000"
                               "3\"]}, {\"metadata\": [{\"type\": \"69707463\", \"data\": \"1c02\"}]}]}",
                               &error);
  REQUIRE(file && !error);
  save(target, apus_bytes_data(file), apus_bytes_count(file));
  apus_bytes_free(file);
  REQUIRE(!apus_join(photos, 0, NULL, NULL) && !apus_join(NULL, 1, NULL, NULL));
  REQUIRE(!apus_join(photos, 2, "{\"primary\": 2}", NULL));
  REQUIRE(!apus_join(photos, 1, "{\"pictures\": [{\"exif\": \"0x\"}]}", &error));
  REQUIRE(apus_error_kind(error) == APUS_MISUSE);
  apus_error_free(error), apus_photo_free(second);
}

static void check_facts(void) {
  int status = -1;
  apus_bytes *messages = NULL;
  apus_error *error = NULL;
  apus_bytes *facts = apus_photo_facts(photo, "info", NULL, &status, &messages, &error);
  REQUIRE(facts && !error && status == 0 && apus_bytes_count(messages) == 0);
  REQUIRE(strstr((const char *)apus_bytes_data(facts), "\"file\":\"photo\""));
  apus_bytes_free(facts), apus_bytes_free(messages);
  facts = apus_photo_facts(photo, "hvcc show", "{\"full\": true}", NULL, NULL, NULL);
  REQUIRE(facts && *apus_bytes_data(facts) == '[');
  apus_bytes_free(facts);
  facts = apus_photo_facts(photo, "flv check", NULL, &status, &messages, NULL);
  REQUIRE(facts && status == 1 && apus_bytes_count(messages) > 0);
  apus_bytes_free(facts), apus_bytes_free(messages);
  REQUIRE(!apus_photo_facts(photo, "transcode", NULL, NULL, NULL, &error) && apus_error_kind(error) == APUS_MISUSE);
  apus_error_free(error);
}

int main(int count, char **words) {
  REQUIRE(count == 7 && strchr(apus_version(), '.'));
  apus_error *error = NULL;
  engine = apus_engine_new(2, &error);
  photo = apus_photo_open_file(words[1], &error);
  REQUIRE(engine && photo && !error);

  apus_call call = {.size = sizeof call, .options = "{\"quality\": 85}"};
  apus_bytes *report = NULL;
  succeed(apus_convert(engine, photo, &call, &first, &report, &error), error);
  REQUIRE(strstr((const char *)apus_bytes_data(report), "\"warnings\":[]"));
  save(words[2], apus_bytes_data(first), apus_bytes_count(first));
  apus_bytes_free(report);
  apus_call tiny = {.size = sizeof tiny, .verb = "thumbnail", .options = "{\"size\": 40}"};
  apus_bytes *thumbnail = NULL;
  succeed(apus_convert(engine, photo, &tiny, &thumbnail, NULL, &error), error);
  REQUIRE(apus_bytes_count(thumbnail) > 100 && apus_bytes_count(thumbnail) < apus_bytes_count(first));
  apus_bytes_free(thumbnail);

  pthread_t threads[16];
  for (int index = 0; index < 16; index++) REQUIRE(!pthread_create(&threads[index], NULL, convert_again, NULL));
  for (int index = 0; index < 16; index++) pthread_join(threads[index], NULL);
  apus_engine_release_memory(engine);

  check_errors(words[1]);
  check_reader(words[1]);
  check_samples(words[3], words[4]);
  check_files();
  check_joining(words[5], words[6]);
  check_facts();

  apus_bytes_free(first);
  apus_photo_free(photo);
  apus_engine_free(engine);
  apus_bytes_free(NULL), apus_files_free(NULL), apus_photo_free(NULL), apus_engine_free(NULL), apus_error_free(NULL);
  return 0;
}
