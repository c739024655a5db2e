// SPDX-License-Identifier: MIT
// Reads the entropy-coded data of a JPEG (ITU-T T.81, annexes F and G) without making samples of them, because libjpeg
// accepts much that no encoder writes: codes that do not exist, and runs beyond the last coefficient.
#include "codec.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { quick_bits = 12, most_scans = 200, piece = 1 << 16, longest_code = 16 };

// A Huffman table: C.2.
typedef struct {
  bool is_defined, has_several;
  // For the next 12 bits: the length of their first code times 256, and its symbol; 0 for a longer code.
  uint16_t single[1 << quick_bits];
  // For the next 12 bits: the length of all codes with their values that fit, 16 if the last one ends the block, and 32
  // times the number of coefficients.
  uint16_t several[1 << quick_bits];
  // By length: what the codes of that length are less than, padded to 16 bits, and the index of code 0.
  uint32_t limit[longest_code + 1];
  int32_t start[longest_code + 1];
  uint8_t symbols[256];
} table;

typedef struct {
  int identifier, across, down;
  // Blocks that hold samples, and those of whole MCUs.
  uint32_t width, height, stride;
  int prediction;
  table *dc, *ac;
  // The bit to which each coefficient is known, -1 for none: G.1.1.1.
  int8_t known[DCTSIZE2];
  // Progressive JPEGs: a bit for each coefficient of a block that is not 0.
  uint64_t *nonzero;
} component;

typedef struct {
  const uint8_t *next, *end;
  // The offset of `end`.
  size_t offset;
  apus_jpeg_reader *reader;
  void *context;
  // The next bits, from the highest on, and how many of them there are.
  uint64_t bits;
  int count;
  // The marker before which the bits end; 0 as long as it was not met.
  int marker;
  bool is_at_end;
  uint32_t width, height, mcus_across, mcus_down, restart_interval, eob_run;
  int depth, component_count, scan, ss, se, ah, al;
  bool is_progressive;
  component components[most_components], *scanned[most_components];
  int scanned_count;
  table tables[2][4];
  int outcome;
  apus_jpeg_damage *damage;
  uint8_t buffer[piece];
} walk;

// The offset of the byte from which the next bit comes, apart from stuffed bytes that were read already.
static size_t place(const walk *walk) {
  return walk->offset - (size_t)(walk->end - walk->next) - (size_t)(walk->count / 8) - (walk->marker ? 2 : 0);
}

static bool fail(walk *walk, int outcome, const char *format, ...) {
  if (walk->outcome != APUS_JPEG_OK) return false;
  walk->outcome = outcome;
  walk->damage->offset = place(walk);
  va_list values;
  va_start(values, format);
  vsnprintf(walk->damage->message, sizeof walk->damage->message, format, values);
  va_end(values);
  return false;
}

static bool fail_scan(walk *walk, const char *reason) {
  return fail(walk, APUS_JPEG_CORRUPT, "scan %d %s", walk->scan, reason);
}

static bool fail_end(walk *walk) {
  if (!walk->is_at_end) return fail_scan(walk, "ends too early");
  return fail(walk, APUS_JPEG_INCOMPLETE, "ends within scan %d", walk->scan);
}

// Bytes

static int next_byte(walk *walk) {
  if (walk->next == walk->end) {
    if (walk->is_at_end) return -1;
    ptrdiff_t count = walk->reader ? walk->reader(walk->context, walk->buffer, piece) : 0;
    if (count <= 0 || count > piece) {
      walk->is_at_end = true;
      if (count < 0) fail(walk, APUS_JPEG_READ, "the input could not be read");
      return -1;
    }
    walk->next = walk->buffer;
    walk->end = walk->buffer + count;
    walk->offset += (size_t)count;
  }
  return *walk->next++;
}

static void refill_by_bytes(walk *walk) {
  while (walk->count <= 56 && !walk->marker) {
    int byte = next_byte(walk);
    if (byte == 0xFF) {
      int next = next_byte(walk);
      while (next == 0xFF) next = next_byte(walk);
      if (next > 0) walk->marker = next;
      if (next != 0) return;
    }
    if (byte < 0) return;
    walk->bits |= (uint64_t)byte << (56 - walk->count);
    walk->count += 8;
  }
}

static inline void refill(walk *walk) {
  if (walk->count >= 32) return;
  if (!walk->marker && walk->end - walk->next >= 8) {
    uint64_t word;
    memcpy(&word, walk->next, 8);
    // Whether no byte is 0xFF.
    if (!((~word - 0x0101010101010101) & word & 0x8080808080808080)) {
      int bytes = (63 - walk->count) >> 3;
      walk->bits |= __builtin_bswap64(word) >> walk->count;
      walk->next += bytes;
      walk->count += 8 * bytes;
      // The bytes that were read beyond them are read again.
      walk->bits &= ~(uint64_t)0 << (64 - walk->count);
      return;
    }
  }
  refill_by_bytes(walk);
}

static inline bool skip(walk *walk, int count) {
  if (count > walk->count) return fail_end(walk);
  walk->bits <<= count;
  walk->count -= count;
  return true;
}

// Returns up to 15 bits, or -1.
static inline int take(walk *walk, int count) {
  refill(walk);
  int value = (int)(walk->bits >> 48 >> (16 - count));
  return skip(walk, count) ? value : -1;
}

// Huffman codes

static bool define(walk *walk, table *table, const uint8_t *counts, const uint8_t *symbols, bool is_dc) {
  uint32_t code = 0;
  int index = 0;
  memset(table, 0, sizeof *table);
  for (int length = 1; length <= longest_code; length++, code <<= 1) {
    table->start[length] = index - (int32_t)code;
    for (int n = 0; n < counts[length - 1]; n++, code++, index++) {
      if (code >= 1u << length || index > 255) return fail(walk, APUS_JPEG_CORRUPT, "has a Huffman table with too many codes");
      uint8_t symbol = symbols[index];
      if (is_dc && symbol > 15) return fail(walk, APUS_JPEG_CORRUPT, "has a Huffman table for DC with the symbol %d", symbol);
      table->symbols[index] = symbol;
      if (length > quick_bits) continue;
      int shift = quick_bits - length;
      for (uint32_t low = 0; low < 1u << shift; low++) table->single[code << shift | low] = (uint16_t)(length << 8 | symbol);
    }
    table->limit[length] = code << (longest_code - length);
  }
  table->is_defined = true;
  return true;
}

// Returns the next symbol, or -1; there are enough bits for its value, too, unless the data end.
static inline int next_symbol(walk *walk, const table *table) {
  refill(walk);
  int entry = table->single[walk->bits >> (64 - quick_bits)], length = entry >> 8, symbol = entry & 255;
  if (!entry) {
    uint32_t code = (uint32_t)(walk->bits >> 48);
    length = quick_bits + 1;
    while (length <= longest_code && code >= table->limit[length]) length++;
    if (length > longest_code) {
      if (walk->count < longest_code) fail_end(walk);
      else fail_scan(walk, "has a Huffman code that does not exist");
      return -1;
    }
    symbol = table->symbols[(table->start[length] + (int32_t)(code >> (longest_code - length))) & 255];
  }
  return skip(walk, length) ? symbol : -1;
}

static int most_bits(const walk *walk) { return walk->depth == 8 ? 10 : 14; }

// Makes the table of several symbols of a sequential JPEG at a time.
static void find_several(const walk *walk, table *table) {
  for (uint32_t bits = 0; bits < 1 << quick_bits; bits++) {
    int length = 0, coefficients = 0, ends = 0;
    while (!ends && coefficients < DCTSIZE2) {
      int entry = table->single[bits << length & ((1 << quick_bits) - 1)], size = entry & 15, run = entry >> 4 & 15;
      bool is_known = entry && (size ? size <= most_bits(walk) : run == 0 || run == 15);
      if (!is_known || length + (entry >> 8) + size > quick_bits) break;
      length += (entry >> 8) + size;
      ends = size == 0 && run == 0;
      if (!ends) coefficients += run + 1;
    }
    table->several[bits] = (uint16_t)(length | ends << 4 | coefficients << 5);
  }
  table->has_several = true;
}

// Blocks

static bool read_dc(walk *walk, component *component) {
  int size = next_symbol(walk, component->dc);
  if (size < 0) return false;
  if (size > most_bits(walk) + 1) return fail_scan(walk, "has a DC difference that is too large");
  int value = take(walk, size);
  if (value < 0) return false;
  if (size && value < 1 << (size - 1)) value -= (1 << size) - 1;
  component->prediction += value;
  // Twice of what samples of this depth have.
  if (abs(component->prediction) >= 2 << most_bits(walk)) return fail_scan(walk, "has a DC coefficient that is out of range");
  return true;
}

// Reads one code with its value from the `k`-th coefficient on; returns what follows it, 64 after the last, or -1.
static int read_one(walk *walk, const table *table, int k) {
  int symbol = next_symbol(walk, table);
  if (symbol < 0) return -1;
  int size = symbol & 15, run = symbol >> 4;
  if (symbol == 0) return DCTSIZE2;
  bool exists = size <= most_bits(walk) && (size || run == 15);
  if (!exists) return fail_scan(walk, "has a Huffman code without a meaning") - 1;
  if (k + run >= DCTSIZE2) return fail_scan(walk, "has a run beyond the last coefficient") - 1;
  return skip(walk, size) ? k + run + 1 : -1;
}

// Reads as many codes of AC as the next bits and the tables of short codes hold; returns the coefficient that follows, 64 at the end.
static inline int read_several(walk *walk, const table *table, int k) {
  uint64_t bits = walk->bits;
  int count = walk->count, most = most_bits(walk);
  while (true) {
    int entry = table->several[bits >> (64 - quick_bits)], length = entry & 15, next = k + (entry >> 5);
    if (!length) {
      int one = table->single[bits >> (64 - quick_bits)], size = one & 15;
      length = (one >> 8) + size;
      next = k + (one >> 4 & 15) + 1;
      // Long or invalid codes are left to `read_one`.
      if (!one || !size || size > most) break;
    }
    // A block that its last coefficient ends has no other end: what follows is of the next one.
    if (length > count || next + (entry >> 4 & 1) > DCTSIZE2) break;
    bits <<= length;
    count -= length;
    k = entry & 16 ? DCTSIZE2 : next;
    if (k == DCTSIZE2) break;
  }
  walk->bits = bits;
  walk->count = count;
  return k;
}

// F.2.2.2.
static bool read_sequential(walk *walk, component *component) {
  if (!read_dc(walk, component)) return false;
  int k = 1;
  while (true) {
    refill(walk);
    int next = read_several(walk, component->ac, k);
    if (next == k) next = read_one(walk, component->ac, k);
    if (next == DCTSIZE2) return true;
    if (next < 0) return false;
    k = next;
  }
}

static bool read_eob_run(walk *walk, int run) {
  int rest = take(walk, run);
  walk->eob_run = (1u << run) + (uint32_t)rest;
  return rest >= 0;
}

// G.1.2.2.
static bool read_first(walk *walk, const component *component, uint64_t *nonzero) {
  int k = walk->ss;
  while (k <= walk->se) {
    int symbol = next_symbol(walk, component->ac);
    if (symbol < 0) return false;
    int size = symbol & 15, run = symbol >> 4;
    if (size == 0 && run < 15) return read_eob_run(walk, run);
    if (size > most_bits(walk)) return fail_scan(walk, "has a Huffman code without a meaning");
    k += run + 1;
    if (k > walk->se + 1) return fail_scan(walk, "has a run beyond the last coefficient");
    if (size) *nonzero |= (uint64_t)1 << (k - 1);
    if (!skip(walk, size)) return false;
  }
  return true;
}

// Reads a bit for each coefficient that is not 0, up to the place of the zero after `zeros` others; returns that place, or -1.
static int correct(walk *walk, uint64_t nonzero, int k, int zeros) {
  int bits = 0;
  for (; k <= walk->se; k++) {
    if (nonzero >> k & 1) bits++;
    else if (zeros-- == 0) break;
  }
  for (; bits > 0; bits -= 15)
    if (take(walk, bits < 15 ? bits : 15) < 0) return -1;
  return k;
}

// G.1.2.3.
static bool read_refinement(walk *walk, const component *component, uint64_t *nonzero) {
  int k = walk->ss;
  while (k <= walk->se && walk->eob_run == 0) {
    int symbol = next_symbol(walk, component->ac);
    if (symbol < 0) return false;
    int size = symbol & 15, run = symbol >> 4;
    if (size > 1) return fail_scan(walk, "has a Huffman code without a meaning");
    if (size == 0 && run < 15) {
      if (!read_eob_run(walk, run)) return false;
      break;
    }
    if (size && take(walk, 1) < 0) return false;
    k = correct(walk, *nonzero, k, run);
    if (k < 0) return false;
    if (k > walk->se) return fail_scan(walk, "has a run beyond the last coefficient");
    if (size) *nonzero |= (uint64_t)1 << k;
    k++;
  }
  if (walk->eob_run == 0) return true;
  walk->eob_run--;
  return correct(walk, *nonzero, k, DCTSIZE2) >= 0;
}

static bool read_block(walk *walk, component *component, uint32_t row, uint32_t column) {
  if (!walk->is_progressive) return read_sequential(walk, component);
  if (walk->ss == 0) return walk->ah ? take(walk, 1) >= 0 : read_dc(walk, component);
  uint64_t *nonzero = &component->nonzero[(size_t)row * component->stride + column];
  if (walk->ah) return read_refinement(walk, component, nonzero);
  if (walk->eob_run == 0 && !read_first(walk, component, nonzero)) return false;
  if (walk->eob_run) walk->eob_run--;
  return true;
}

// Scans

// Reads up to the marker after a scan or an interval of it. Encoders pad with bytes of 0 or 1 at most.
static bool end_interval(walk *walk) {
  if (walk->eob_run) return fail_scan(walk, "has a run of blocks beyond its end");
  int padding = walk->count % 8;
  uint64_t bits = walk->bits >> 1 >> (63 - padding);
  // Ones, says F.1.2.3, yet encoders of cameras write zeros.
  if (bits != 0 && bits != (1u << padding) - 1) return fail_scan(walk, "is padded with neither ones nor zeros");
  skip(walk, padding);
  for (refill_by_bytes(walk); walk->count; refill_by_bytes(walk)) {
    int byte = (int)(walk->bits >> 56);
    if (byte != 0 && byte != 0xFF) return fail_scan(walk, "has more data than blocks");
    skip(walk, 8);
  }
  return walk->marker || fail(walk, APUS_JPEG_INCOMPLETE, "ends without a marker after scan %d", walk->scan);
}

static bool restart(walk *walk, uint32_t index) {
  if (!end_interval(walk)) return false;
  if (walk->marker != JPEG_RST0 + (int)(index & 7)) return fail_scan(walk, "lacks a restart marker");
  walk->marker = 0;
  for (int c = 0; c < walk->scanned_count; c++) walk->scanned[c]->prediction = 0;
  return true;
}

static bool read_mcu(walk *walk, uint32_t row, uint32_t column) {
  if (walk->scanned_count == 1) return read_block(walk, walk->scanned[0], row, column);
  for (int c = 0; c < walk->scanned_count; c++) {
    component *component = walk->scanned[c];
    for (int block = component->across * component->down; block > 0; block--) {
      // Only scans of one component look at the place.
      if (!read_block(walk, component, 0, 0)) return false;
    }
  }
  return true;
}

static bool read_scan(walk *walk) {
  bool is_alone = walk->scanned_count == 1;
  uint32_t across = is_alone ? walk->scanned[0]->width : walk->mcus_across;
  uint32_t down = is_alone ? walk->scanned[0]->height : walk->mcus_down;
  uint32_t left = walk->restart_interval, restarts = 0;
  walk->bits = 0;
  walk->count = walk->marker = 0;
  walk->eob_run = 0;
  for (int c = 0; c < walk->scanned_count; c++) walk->scanned[c]->prediction = 0;
  for (uint32_t row = 0; row < down; row++) {
    for (uint32_t column = 0; column < across; column++) {
      if (walk->restart_interval && left-- == 0) {
        if (!restart(walk, restarts++)) return false;
        left = walk->restart_interval - 1;
      }
      if (!read_mcu(walk, row, column)) return false;
    }
  }
  return end_interval(walk);
}

// Segments

static uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

static bool read_frame(walk *walk, int marker, const uint8_t *body, size_t count) {
  bool fits = count >= 6 && body[5] > 0 && body[5] <= most_components && count == 6 + 3 * (size_t)body[5];
  if (!fits || walk->component_count) return fail(walk, APUS_JPEG_CORRUPT, "has a frame header that is not right");
  walk->is_progressive = marker == 0xC2;
  walk->depth = body[0];
  walk->height = (uint32_t)body[1] << 8 | body[2];
  walk->width = (uint32_t)body[3] << 8 | body[4];
  walk->component_count = body[5];
  uint32_t across = 1, down = 1;
  for (int c = 0; c < walk->component_count; c++) {
    component *component = &walk->components[c];
    component->identifier = body[6 + 3 * c];
    component->across = body[7 + 3 * c] >> 4;
    component->down = body[7 + 3 * c] & 15;
    memset(component->known, -1, sizeof component->known);
    if (component->across < 1 || component->across > 4 || component->down < 1 || component->down > 4)
      return fail(walk, APUS_JPEG_CORRUPT, "has sampling factors that do not exist");
    if (across < (uint32_t)component->across) across = (uint32_t)component->across;
    if (down < (uint32_t)component->down) down = (uint32_t)component->down;
  }
  walk->mcus_across = round_up(walk->width, DCTSIZE * across);
  walk->mcus_down = round_up(walk->height, DCTSIZE * down);
  for (int c = 0; c < walk->component_count; c++) {
    component *component = &walk->components[c];
    component->width = round_up(round_up(walk->width * (uint32_t)component->across, across), DCTSIZE);
    component->height = round_up(round_up(walk->height * (uint32_t)component->down, down), DCTSIZE);
    component->stride = component->width;
    if (!walk->is_progressive) continue;
    component->nonzero = calloc((size_t)component->stride * component->height + 1, sizeof *component->nonzero);
    if (!component->nonzero) return fail(walk, APUS_JPEG_MEMORY, "not enough memory to check a progressive JPEG");
  }
  return true;
}

static bool read_tables(walk *walk, const uint8_t *body, size_t count) {
  while (count > 0) {
    size_t symbols = 0;
    for (size_t length = 1; length <= longest_code && length < count; length++) symbols += body[length];
    if (count < 17 + symbols || symbols > 256 || body[0] > 0x1F || (body[0] & 15) > 3)
      return fail(walk, APUS_JPEG_CORRUPT, "has a Huffman table that is not right");
    // As many as there may be, whatever the table says.
    uint8_t padded[256] = {0};
    memcpy(padded, body + 17, symbols);
    if (!define(walk, &walk->tables[body[0] >> 4][body[0] & 15], body + 1, padded, body[0] < 16)) return false;
    body += 17 + symbols;
    count -= 17 + symbols;
  }
  return true;
}

// The number of lines (DNL) follows the first scan: B.2.5. libjpeg knows that of the frame header alone.
static bool read_lines(walk *walk, const uint8_t *body, size_t count) {
  bool is_right = count == 2 && walk->scan == 1 && ((uint32_t)body[0] << 8 | body[1]) == walk->height;
  return is_right || fail(walk, APUS_JPEG_CORRUPT, "has a number of lines (DNL) that is not that of the frame header");
}

// Frames of Motion JPEG leave out the tables that every decoder knows: K.3.
static bool define_usual(walk *walk, table *table, bool is_dc, int number) {
  if (number > 1) return fail(walk, APUS_JPEG_CORRUPT, "scan %d uses a Huffman table that is missing", walk->scan);
  struct jpeg_compress_struct codec;
  apus_jpeg_errors errors;
  memset(&errors, 0, sizeof errors);
  codec.err = apus_jpeg_set_up(&errors, true);
  if (setjmp(errors.jump)) {
    jpeg_destroy_compress(&codec);
    return fail(walk, APUS_JPEG_MEMORY, "not enough memory to check a JPEG");
  }
  jpeg_create_compress(&codec);
  codec.in_color_space = JCS_YCbCr;
  codec.input_components = 3;
  jpeg_set_defaults(&codec);
  const JHUFF_TBL *usual = is_dc ? codec.dc_huff_tbl_ptrs[number] : codec.ac_huff_tbl_ptrs[number];
  bool is_right = define(walk, table, usual->bits + 1, usual->huffval, is_dc);
  jpeg_destroy_compress(&codec);
  return is_right;
}

// The order in which coefficients become known: G.1.1.1.
static bool check_progression(walk *walk) {
  bool fits = walk->ss == 0 ? walk->se == 0 : walk->se >= walk->ss && walk->se < DCTSIZE2 && walk->scanned_count == 1;
  if (!fits || walk->al > 13 || (walk->ah && walk->ah != walk->al + 1))
    return fail(walk, APUS_JPEG_CORRUPT, "scan %d has parameters that do not exist", walk->scan);
  for (int c = 0; c < walk->scanned_count; c++) {
    int8_t *known = walk->scanned[c]->known;
    for (int k = walk->ss; k <= walk->se; k++) {
      if ((known[k] < 0 ? 0 : known[k]) != walk->ah || (k && known[0] < 0) || (known[k] >= 0 && !walk->ah))
        return fail(walk, APUS_JPEG_CORRUPT, "scan %d does not follow from those before it", walk->scan);
      known[k] = (int8_t)walk->al;
    }
  }
  return true;
}

static bool prepare_scan(walk *walk, const uint8_t *body, size_t count) {
  walk->scan++;
  if (walk->scan > most_scans) return fail(walk, APUS_JPEG_LIMIT, "has more than 200 scans");
  if (!walk->component_count) return fail(walk, APUS_JPEG_CORRUPT, "has a scan before the frame header");
  int blocks = 0;
  walk->scanned_count = count ? body[0] : 0;
  if (walk->scanned_count < 1 || walk->scanned_count > most_components || count != 4 + 2 * (size_t)walk->scanned_count)
    return fail(walk, APUS_JPEG_CORRUPT, "scan %d has a header that is not right", walk->scan);
  const uint8_t *last = body + count - 3;
  walk->ss = walk->is_progressive ? last[0] : 0;
  walk->se = walk->is_progressive ? last[1] : DCTSIZE2 - 1;
  walk->ah = walk->is_progressive ? last[2] >> 4 : 0;
  walk->al = walk->is_progressive ? last[2] & 15 : 0;
  for (int c = 0; c < walk->scanned_count; c++) {
    component *component = walk->components, *end = component + walk->component_count;
    while (component < end && component->identifier != body[1 + 2 * c]) component++;
    for (int other = 0; other < c; other++)
      if (component == walk->scanned[other]) component = end;
    int dc = body[2 + 2 * c] >> 4, ac = body[2 + 2 * c] & 15;
    if (component == end || dc > 3 || ac > 3) return fail(walk, APUS_JPEG_CORRUPT, "scan %d has a header that is not right", walk->scan);
    walk->scanned[c] = component;
    blocks += component->across * component->down;
    component->dc = &walk->tables[0][dc];
    component->ac = &walk->tables[1][ac];
    if (walk->ss == 0 && walk->ah == 0 && !component->dc->is_defined && !define_usual(walk, component->dc, true, dc)) return false;
    if (walk->se == 0) continue;
    if (!component->ac->is_defined && !define_usual(walk, component->ac, false, ac)) return false;
    // It costs as much as reading some hundred blocks.
    bool pays = !walk->is_progressive && walk->mcus_across * walk->mcus_down >= 32;
    if (pays && !component->ac->has_several) find_several(walk, component->ac);
  }
  if (walk->scanned_count > 1 && blocks > 10) return fail(walk, APUS_JPEG_CORRUPT, "scan %d has more than 10 blocks in an MCU", walk->scan);
  if (walk->is_progressive) return check_progression(walk);
  for (int c = 0; c < walk->scanned_count; c++) walk->scanned[c]->known[0] = 0;
  return true;
}

// Returns the next marker, or -1.
static int next_marker(walk *walk) {
  int marker = walk->marker;
  walk->marker = 0;
  if (marker) return marker;
  int byte = next_byte(walk);
  if (byte >= 0 && byte != 0xFF) fail(walk, APUS_JPEG_CORRUPT, "has a byte between segments");
  while (byte == 0xFF) byte = next_byte(walk);
  if (byte < 0) fail(walk, APUS_JPEG_INCOMPLETE, "ends without EOI");
  return walk->outcome == APUS_JPEG_OK ? byte : -1;
}

static bool read_segment(walk *walk, int marker) {
  uint8_t body[1 << 16];
  int high = next_byte(walk), low = next_byte(walk), length = high << 8 | low;
  if (low >= 0 && length < 2) return fail(walk, APUS_JPEG_CORRUPT, "has a segment of %d bytes", length);
  size_t count = 0;
  for (int byte = low; count + 2 < (size_t)length && (byte = next_byte(walk)) >= 0; count++) body[count] = (uint8_t)byte;
  if (low < 0 || count + 2 < (size_t)length)
    return fail(walk, APUS_JPEG_INCOMPLETE, "ends within a segment");
  switch (marker) {
  case 0xC0: case 0xC1: case 0xC2: return read_frame(walk, marker, body, count);
  case 0xC4: return read_tables(walk, body, count);
  case 0xDA: return prepare_scan(walk, body, count) && read_scan(walk);
  case 0xDC: return read_lines(walk, body, count);
  case 0xDD:
    if (count != 2) return fail(walk, APUS_JPEG_CORRUPT, "has a restart interval that is not right");
    walk->restart_interval = (uint32_t)body[0] << 8 | body[1];
    return true;
  default: return true;
  }
}

static bool read_image(walk *walk) {
  while (true) {
    int marker = next_marker(walk);
    if (marker < 0) return false;
    // Frames that libjpeg decodes by arithmetic, where it notices damage itself, or not at all.
    if (marker == 0xC3 || (marker >= 0xC5 && marker <= 0xCF && marker != 0xC8 && marker != 0xCC)) return true;
    if (marker == JPEG_EOI) break;
    bool is_alone = marker == 0xD8 || marker == 0x01 || (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7);
    if (!is_alone && !read_segment(walk, marker)) return false;
    // The height follows the first scan, which libjpeg does not decode.
    if (walk->component_count && !walk->height) return true;
  }
  if (!walk->component_count) return fail(walk, APUS_JPEG_CORRUPT, "has no picture before EOI");
  for (int c = 0; c < walk->component_count; c++)
    if (walk->components[c].known[0] < 0) return fail(walk, APUS_JPEG_INCOMPLETE, "has no scan of component %d", c + 1);
  return true;
}

int apus_jpeg_walk(const uint8_t *bytes, size_t count, apus_jpeg_reader *reader, void *context,
                   apus_jpeg_damage *damage) {
  *damage = (apus_jpeg_damage){0};
  walk *walk = calloc(1, sizeof *walk);
  if (!walk) return APUS_JPEG_MEMORY;
  walk->next = bytes;
  walk->end = bytes + count;
  walk->offset = count;
  walk->reader = reader;
  walk->context = context;
  walk->damage = damage;
  read_image(walk);
  int outcome = walk->outcome;
  for (int c = 0; c < most_components; c++) free(walk->components[c].nonzero);
  free(walk);
  return outcome;
}
