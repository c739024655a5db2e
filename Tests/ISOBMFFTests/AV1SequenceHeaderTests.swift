// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import TestSupport
import Testing

/// Sequence headers that libraries wrote by FFmpeg 5.1, and one by hand with all that they left out; and what FFmpeg's
/// `trace_headers` says of each.
@Suite struct AV1SequenceHeaderTests {
  static let rows: [(unit: String, fields: [String])] = [
    (
      "0a0d0000000337fbe017c284880482",
      [
        "seq_profile=0", "reduced_still_picture_header=0", "timing_info_present_flag=0",
        "operating_points[0].seq_level_idx=0", "max_frame_width_minus_1=127",
        "max_frame_height_minus_1=95", "enable_order_hint=1", "enable_ref_frame_mvs=1",
        "seq_choose_screen_content_tools=1", "order_hint_bits_minus_1=6", "high_bitdepth=1",
        "mono_chrome=0", "color_primaries=9", "transfer_characteristics=16",
        "matrix_coefficients=9", "color_range=0",
      ]
    ),
    (
      "0a0d00000002aff79b5f2a12201208",
      [
        "max_frame_width_minus_1=63", "max_frame_height_minus_1=47", "enable_filter_intra=1",
        "enable_intra_edge_filter=1", "enable_masked_compound=1", "enable_cdef=1",
        "color_primaries=9", "transfer_characteristics=16", "matrix_coefficients=9",
        "color_range=0",
      ]
    ),
    (
      "0a0638157fbda240",
      [
        "seq_profile=1", "still_picture=1", "reduced_still_picture_header=1", "seq_level_idx=0",
        "max_frame_width_minus_1=63", "max_frame_height_minus_1=47", "enable_cdef=1",
        "high_bitdepth=0", "color_description_present_flag=0", "color_range=1",
      ]
    ),
    (
      "0a1f4400000004000000ca5a40000000507844051c0201ea00241db1f1f06a2dee",
      [
        "seq_profile=2", "time_scale=50", "num_ticks_per_picture_minus_1=4",
        "buffer_delay_length_minus_1=9", "frame_presentation_time_length_minus_1=7",
        "operating_points_cnt_minus_1=1", "operating_points[0].operating_point_idc=257",
        "operating_points[0].seq_tier=1", "operating_points[0].decoder_buffer_delay=513",
        "operating_points[0].encoder_buffer_delay=3",
        "operating_points[0].initial_display_delay_minus_1=5",
        "operating_points[1].seq_level_idx=4", "max_frame_width_minus_1=199",
        "max_frame_height_minus_1=99", "delta_frame_id_length_minus_2=12",
        "enable_interintra_compound=1", "enable_warped_motion=1", "enable_order_hint=0",
        "seq_force_screen_content_tools=1", "seq_force_integer_mv=1", "enable_superres=1",
        "enable_restoration=1", "twelve_bit=1", "mono_chrome=1",
        "color_description_present_flag=0", "color_range=1", "film_grain_params_present=1",
      ]
    ),
  ]

  /// The payload of the unit, without its header and its size, which are one byte each.
  private static func payload(_ unit: String) -> [UInt8] { Array(hex(unit).dropFirst(2)) }

  private static func read(_ bytes: [UInt8]) throws(SyntaxError) -> AV1SequenceHeader {
    var reader = SyntaxReader(MemorySource(bytes))
    var header = AV1SequenceHeader()
    try header.syntax(&reader)
    return header
  }

  @Test(arguments: rows) func `it reads every field`(unit: String, fields: [String]) throws {
    var header = try Self.read(Self.payload(unit))
    let listing = try FieldMapper.fields(at: 0) { v throws(SyntaxError) in
      try header.syntax(&v)
    }.flatMap(\.leaves).map { "\($0.name)=\($0.field.text)" }
    for field in fields { #expect(listing.contains(field), "\(listing)") }
  }

  @Test(arguments: rows) func `it writes the same bits`(unit: String, _: [String]) throws {
    let bytes = Self.payload(unit)
    let written = try Self.written(try Self.read(bytes))
    // A stop bit follows, and zeros.
    let stop = bytes.last.map { 1 << $0.trailingZeroBitCount } ?? 0
    #expect(written == bytes.dropLast() + [UInt8(Int(bytes.last ?? 0) ^ stop)])
  }

  @Test(arguments: rows) func `it loses no bit that is flipped`(unit: String, _: [String]) throws {
    let bytes = Self.payload(unit)
    var read = 0
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      guard let header = try? Self.read(flipped) else { continue }
      read += 1
      #expect(try Self.read(try Self.written(header)) == header, "bit \(bit)")
    }
    #expect(read > bytes.count)
  }

  @Test(arguments: rows) func `it refuses what is cut`(unit: String, _: [String]) throws {
    let bytes = Self.payload(unit)
    for count in 0..<bytes.count - 2 {
      #expect(throws: SyntaxError.self) { try Self.read(Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: rows) func `it is found in a configuration`(unit: String, _: [String]) throws {
    var box = AV1Configuration()
    // After a delimiter and a unit of padding whose size takes two bytes.
    let padding: [UInt8] = [0x7A, 0x80, 0x01] + [UInt8](repeating: 0, count: 128)
    box.configOBUs = Extent([0x12, 0x00] + padding + hex(unit))
    #expect(box.sequence == (try Self.read(Self.payload(unit))))
    box.configOBUs = Extent([0x12, 0x00] + padding.dropLast())
    #expect(box.sequence == nil)
  }

  private static func written(_ header: AV1SequenceHeader) throws -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    var copy = header
    try copy.syntax(&writer)
    var rest: UInt8 = 0
    let count = writer.bitsUntilAligned
    if count > 0 { try writer.u(count, "rest", &rest) }
    return writer.sink.bytes
  }
}
