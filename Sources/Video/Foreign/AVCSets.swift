// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// The parameter sets of an AVC byte stream, and the decoder configuration record of them: ISO/IEC 14496-15, 5.3.3.
struct AVCSets: Sendable {
  private var sequences: [(id: UInt32, bytes: [UInt8])] = []
  private var pictures: [(id: UInt32, bytes: [UInt8])] = []
  private var extensions: [(id: UInt32, bytes: [UInt8])] = []

  /// What `nal_unit_type` says: ITU-T H.264, Table 7-1.
  enum Unit {
    static func type(_ unit: some Collection<UInt8>) -> UInt8 { (unit.first ?? 0) & 31 }
    static let idr: UInt8 = 5
    static let sequence: UInt8 = 7
    static let picture: UInt8 = 8
    static let delimiter: UInt8 = 9
    static let sequenceExtension: UInt8 = 13
    static func isSet(_ unit: some Collection<UInt8>) -> Bool {
      [sequence, picture, sequenceExtension].contains(type(unit))
    }
    /// Slices, whole or the first part of one.
    static func isPicture(_ unit: some Collection<UInt8>) -> Bool {
      [1, 2, idr].contains(type(unit))
    }
  }

  var isComplete: Bool { !sequences.isEmpty && !pictures.isEmpty }

  /// Takes in a set; answers whether it says anything new.
  mutating func take(_ unit: [UInt8]) -> Bool {
    switch Unit.type(unit) {
    case Unit.sequence: return Self.replace(&sequences, unit, skipping: 4)
    case Unit.picture: return Self.replace(&pictures, unit, skipping: 1)
    case Unit.sequenceExtension: return Self.replace(&extensions, unit, skipping: 1)
    default: return false
    }
  }

  /// - Parameter skipping: how many bytes stand before the id.
  private static func replace(
    _ sets: inout [(id: UInt32, bytes: [UInt8])], _ unit: [UInt8], skipping: Int
  ) -> Bool {
    guard unit.count > skipping, unit.count <= UInt16.max else { return false }
    var reader = SyntaxReader(escaped: Array(unit.dropFirst(skipping).prefix(16)))
    var id: UInt32 = 0
    do throws(SyntaxError) {
      try reader.ue("parameter_set_id", &id, in: 0...255)
    } catch {
      return false
    }
    guard let place = sets.firstIndex(where: { $0.id == id }) else {
      sets.append((id, unit))
      return true
    }
    guard sets[place].bytes != unit else { return false }
    sets[place].bytes = unit
    return true
  }

  /// The record, for samples with lengths of four bytes.
  func record() throws(SyntaxError) -> [UInt8] {
    guard let first = sequences.first?.bytes, isComplete else {
      throw SyntaxError(
        .invalid, field: "AVCDecoderConfigurationRecord", offset: 0,
        detail: "cannot be made: the stream has no parameter sets")
    }
    var record = AVCConfiguration()
    (record.profileIndication, record.profileCompatibility) = (first[1], first[2])
    record.levelIndication = first[3]
    record.sequenceParameterSets = sequences.map(\.bytes)
    record.pictureParameterSets = pictures.map(\.bytes)
    if ![66, 77, 88].contains(first[1]) {
      var high = try Self.highProfile(first)
      high.sequenceParameterSetExtensions = extensions.map(\.bytes)
      record.highProfile = high
    }
    var writer = SyntaxWriter(ArraySink())
    try record.syntax(&writer)
    return writer.sink.bytes
  }

  private static func highProfile(_ sequence: [UInt8]) throws(SyntaxError)
    -> AVCConfiguration.HighProfile
  {
    var reader = SyntaxReader(escaped: Array(sequence.dropFirst(4).prefix(32)))
    var number: UInt32 = 0
    var chroma: UInt32 = 0
    var result = AVCConfiguration.HighProfile()
    try reader.ue("seq_parameter_set_id", &number, in: 0...31)
    try reader.ue("chroma_format_idc", &chroma, in: 0...3)
    var isSeparate = false
    if chroma == 3 { try reader.flag("separate_colour_plane_flag", &isSeparate) }
    result.chromaFormat = UInt8(chroma)
    try reader.ue("bit_depth_luma_minus8", &number, in: 0...6)
    result.bitDepthLumaMinus8 = UInt8(number)
    try reader.ue("bit_depth_chroma_minus8", &number, in: 0...6)
    result.bitDepthChromaMinus8 = UInt8(number)
    return result
  }
}
