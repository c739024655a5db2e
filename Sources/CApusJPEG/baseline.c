// SPDX-License-Identifier: MIT
#include "baseline.h"

#if defined(APUS_PORTABLE) || !(defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON)))

apus_jpeg_baseline *apus_jpeg_baseline_new(const struct jpeg_compress_struct *codec) {
  (void)codec;
  return NULL;
}
void apus_jpeg_baseline_free(apus_jpeg_baseline *baseline) { (void)baseline; }
size_t apus_jpeg_baseline_most(const apus_jpeg_baseline *baseline) {
  (void)baseline;
  return 0;
}
void apus_jpeg_baseline_begin(apus_jpeg_baseline *baseline) { (void)baseline; }
uint8_t *apus_jpeg_baseline_row(apus_jpeg_baseline *baseline, const apus_jpeg_rows *rows, const int *heights,
                                uint8_t *bytes) {
  (void)baseline, (void)rows, (void)heights;
  return bytes;
}
uint8_t *apus_jpeg_baseline_end(apus_jpeg_baseline *baseline, uint8_t *bytes) {
  (void)baseline;
  return bytes;
}

#else

#ifdef __x86_64__
#include "blocks.h"
#else
#include "blocks_neon.h"
#endif

typedef struct {
  int component, column, row;
} block;

enum { most_blocks = 2 * 2 + 2, most_tables = 2 };

struct apus_jpeg_baseline {
  quantizers quantizers[most_tables][most_tables];
  coder coders[most_tables];
  block blocks[most_blocks];
  int block_count, component_count, mcus;
  int tables[most_components], across[most_components], widths[most_components];
  int previous[most_components];
  // Less than a byte.
  uint64_t bits;
  int bit_count;
  // Bytes of a row before zeros are put between them.
  uint8_t *scratch;
};

// Tables

// Returns false if a code is missing that a level may need.
static bool make_coder(coder *coder, const JHUFF_TBL *dc, const JHUFF_TBL *ac) {
  const JHUFF_TBL *sources[2] = {dc, ac};
  memset(coder, 0, sizeof *coder);
  for (int kind = 0; kind < 2; kind++) {
    uint32_t next = 0;
    int index = 0;
    for (int length = 1; length <= 16; length++) {
      for (int i = 0; i < sources[kind]->bits[length]; i++) {
        uint8_t symbol = sources[kind]->huffval[index++];
        if (kind == 1) coder->symbols[symbol] = next << 5 | (code)length;
        else if (symbol < 12) coder->dc[symbol] = next << 5 | (code)length;
        next++;
      }
      next <<= 1;
    }
  }
  for (int size = 0; size < 12; size++)
    if (!coder->dc[size]) return false;
  if (!coder->symbols[0x00] || !coder->symbols[0xF0]) return false;
  for (int run = 0; run < 16; run++) {
    for (int size = 1; size <= 10; size++)
      if (!coder->symbols[run << 4 | size]) return false;
    for (int level = -127; level <= 127; level++) {
      if (!level) continue;
      int magnitude = abs(level), size = 32 - __builtin_clz((unsigned)magnitude);
      code symbol = coder->symbols[run << 4 | size];
      uint32_t bits = (uint32_t)(level < 0 ? level - 1 : level) & ((1u << size) - 1);
      coder->levels[run][(uint8_t)level] = ((symbol >> 5) << size | bits) << 5 | ((symbol & 31) + (code)size);
    }
  }
  return true;
}

// Division by a constant that is exact for 16 bits: a power of two times the reciprocal, rounded up or down, and a
// correction.
static void make_quantizer(const JQUANT_TBL *table, uint16_t correction[64], uint16_t reciprocal[64],
                           uint16_t scale[64]) {
  for (int i = 0; i < 64; i++) {
    // What the transform leaves is eight times too large.
    uint32_t divisor = (uint32_t)table->quantval[i] << 3;
    int bits = 31 - __builtin_clz(divisor), shift = 16 + bits;
    uint32_t quotient = (uint32_t)((1ull << shift) / divisor), rest = (uint32_t)((1ull << shift) % divisor);
    uint32_t half = divisor / 2;
    if (!rest) {
      quotient >>= 1;
      shift--;
    } else if (rest <= divisor / 2) {
      half++;
    } else {
      quotient++;
    }
    correction[i] = (uint16_t)half;
    reciprocal[i] = (uint16_t)quotient;
    scale[i] = (uint16_t)(1u << (32 - shift));
  }
}

static void make_quantizers(apus_jpeg_baseline *baseline, const struct jpeg_compress_struct *codec, int count) {
  uint16_t values[most_tables][3][64];
  for (int i = 0; i < count; i++)
    make_quantizer(codec->quant_tbl_ptrs[i], values[i][0], values[i][1], values[i][2]);
  for (int a = 0; a < count; a++)
    for (int b = 0; b < count; b++) set_quantizers(&baseline->quantizers[a][b], values[a], values[b]);
}

static bool has_instructions(void) {
#ifdef __x86_64__
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("lzcnt");
#else
  return true;
#endif
}

static bool is_supported(const struct jpeg_compress_struct *codec) {
  if (!has_instructions()) return false;
  if (codec->progressive_mode || codec->arith_code || codec->optimize_coding || codec->scan_info ||
      codec->dct_method != JDCT_ISLOW || codec->data_precision != 8)
    return false;
  if (codec->num_components != 1 && codec->num_components != 3) return false;
  for (int c = 0; c < codec->num_components; c++) {
    const jpeg_component_info *component = &codec->comp_info[c];
    int table = component->quant_tbl_no;
    if (table >= most_tables || component->dc_tbl_no != table || component->ac_tbl_no != table) return false;
    if (!codec->quant_tbl_ptrs[table] || !codec->dc_huff_tbl_ptrs[table] || !codec->ac_huff_tbl_ptrs[table])
      return false;
    for (int i = 0; i < 64; i++) {
      int value = codec->quant_tbl_ptrs[table]->quantval[i];
      if (value < 1 || value > 255) return false;
    }
    if (component->h_samp_factor > (c ? 1 : 2) || component->v_samp_factor > (c ? 1 : 2)) return false;
  }
  return true;
}

apus_jpeg_baseline *apus_jpeg_baseline_new(const struct jpeg_compress_struct *codec) {
  if (!is_supported(codec)) return NULL;
  apus_jpeg_baseline *baseline = aligned_alloc(32, (sizeof *baseline + 31) & ~(size_t)31);
  if (!baseline) return NULL;
  memset(baseline, 0, sizeof *baseline);
  int count = codec->num_components, table_count = 1;
  baseline->component_count = count;
  // A single component is not interleaved, whatever its factors are.
  int most_across = count > 1 ? codec->comp_info[0].h_samp_factor : 1;
  baseline->mcus = ((int)codec->image_width + 8 * most_across - 1) / (8 * most_across);
  for (int c = 0; c < count; c++) {
    const jpeg_component_info *component = &codec->comp_info[c];
    int across = count > 1 ? component->h_samp_factor : 1, down = count > 1 ? component->v_samp_factor : 1;
    baseline->tables[c] = component->quant_tbl_no;
    baseline->across[c] = across;
    if (component->quant_tbl_no + 1 > table_count) table_count = component->quant_tbl_no + 1;
    int unit = 8 * most_across / across;
    baseline->widths[c] = ((int)codec->image_width + unit - 1) / unit;
    for (int row = 0; row < down; row++)
      for (int column = 0; column < across; column++)
        baseline->blocks[baseline->block_count++] = (block){c, column, row};
  }
  make_quantizers(baseline, codec, table_count);
  for (int i = 0; i < table_count; i++) {
    if (!make_coder(&baseline->coders[i], codec->dc_huff_tbl_ptrs[i], codec->ac_huff_tbl_ptrs[i])) {
      free(baseline);
      return NULL;
    }
  }
  // `stuff` reads up to 31 bytes after the last one. They do not matter, but valgrind wants them to be set.
  baseline->scratch = calloc(1, apus_jpeg_baseline_most(baseline));
  if (!baseline->scratch) {
    free(baseline);
    return NULL;
  }
  return baseline;
}

void apus_jpeg_baseline_free(apus_jpeg_baseline *baseline) {
  if (baseline) free(baseline->scratch);
  free(baseline);
}

size_t apus_jpeg_baseline_most(const apus_jpeg_baseline *baseline) {
  // 64 levels of 26 bits at most, and a zero after every byte.
  return (size_t)baseline->mcus * (size_t)baseline->block_count * 2 * 64 * 26 / 8 + 64;
}

void apus_jpeg_baseline_begin(apus_jpeg_baseline *baseline) {
  memset(baseline->previous, 0, sizeof baseline->previous);
  baseline->bits = 0;
  baseline->bit_count = 0;
}

WIDE uint8_t *apus_jpeg_baseline_row(apus_jpeg_baseline *baseline, const apus_jpeg_rows *rows, const int *heights,
                                     uint8_t *bytes) {
  writer writer = {baseline->bits, baseline->bit_count, baseline->scratch};
  int previous[most_components];
  memcpy(previous, baseline->previous, sizeof previous);
  const int count = baseline->block_count;
  pair pair;
  for (int mcu = 0; mcu < baseline->mcus; mcu++) {
    for (int index = 0; index < count; index += 2) {
      const block *blocks[2];
      size_t at[2];
      bool is_there[2];
      for (int i = 0; i < 2; i++) {
        // An odd block is its own partner.
        const block *block = &baseline->blocks[index + i < count ? index + i : index];
        int column = mcu * baseline->across[block->component] + block->column;
        // Blocks beyond the right and the lower edge only repeat the DC of the one before them.
        is_there[i] = column < baseline->widths[block->component] && block->row < heights[block->component];
        blocks[i] = block;
        at[i] = is_there[i] ? (size_t)column * 8 : 0;
      }
      const block *first = blocks[0], *second = blocks[1];
      quantize(rows->rows[first->component] + 8 * first->row, at[0],
               rows->rows[second->component] + 8 * second->row, at[1], count - index,
               &baseline->quantizers[baseline->tables[first->component]][baseline->tables[second->component]],
               &pair);
      for (int i = 0; i < 2 && index + i < count; i++) {
        int component = blocks[i]->component;
        const coder *coder = &baseline->coders[baseline->tables[component]];
        if (__builtin_expect(!is_there[i], 0)) {
          put(&writer, coder->dc[0]);
          put(&writer, coder->symbols[0]);
          continue;
        }
        put_dc(&writer, coder, pair.dc[i] - previous[component]);
        previous[component] = pair.dc[i];
        if (__builtin_expect(pair.large >> i & 1, 0)) {
          if (!put_large(&writer, coder, pair.rows[0] + 8 * i, 16)) return NULL;
        } else {
          put_levels(&writer, coder, pair.levels[i], pair.places[i]);
        }
      }
    }
  }
  memcpy(baseline->previous, previous, sizeof previous);
  baseline->bits = writer.bits;
  baseline->bit_count = writer.count;
  return stuff(baseline->scratch, writer.bytes, bytes);
}

uint8_t *apus_jpeg_baseline_end(apus_jpeg_baseline *baseline, uint8_t *bytes) {
  // Ones fill the last byte.
  int count = baseline->bit_count, fill = -count & 7;
  uint64_t bits = baseline->bits << fill | ((1u << fill) - 1);
  for (int left = count + fill; left > 0;) {
    left -= 8;
    uint8_t byte = (uint8_t)(bits >> left);
    *bytes++ = byte;
    if (byte == 0xFF) *bytes++ = 0;
  }
  return bytes;
}

#endif
