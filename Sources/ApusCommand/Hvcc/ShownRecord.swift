// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import ApusRecords
import HEVC

/// A configuration record of any codec, for listings.
protocol ShownRecord {
  var bytes: [UInt8] { get }
  /// The offset of the first byte; `nil` if the record was built.
  var offset: Int? { get }
  /// The path of the box; empty if there is none.
  var path: String { get }
  var users: [FoundRecord.User] { get }
  var entryType: FourCC? { get }
  var originalType: FourCC? { get }
  var codecString: String { get }
  var supplementalCodecStrings: [String] { get }
  /// A summary in one line: profile, level, chroma, depth, size and rate.
  var summary: String { get }
  /// The NAL units that the record holds, with start codes.
  var annexB: [UInt8] { get }
  func view() throws(SyntaxError) -> RecordView
  /// The record of the layers above the base (`lhvC`).
  func layer() throws(SyntaxError) -> LayerView?
}

/// The record of the layers above the base.
struct LayerView {
  var bytes: [UInt8]
  var offset: Int?
  var view: RecordView
}

extension ShownRecord {
  /// The tracks or items by their ids: `items 1 to 48`, `track 1`.
  var usedBy: String {
    guard users.count > 4 else { return users.map(\.description).joined(separator: ", ") }
    return users.prefix(3).map(\.description).joined(separator: ", ")
      + " and \(users.count - 3) more"
  }

  /// The place of the record, for messages.
  var place: String { path.isEmpty ? users.first?.description ?? "record" : path }
}

extension FoundRecord: ShownRecord {
  var annexB: [UInt8] {
    AnnexB.bytes(of: (record.arrays + (layered?.arrays ?? [])).flatMap(\.nalUnits))
  }

  func view() throws(SyntaxError) -> RecordView {
    try RecordView(record, record.arrays, at: offset ?? 0, sets: headers.sets)
  }

  func layer() throws(SyntaxError) -> LayerView? {
    guard let layered, let layeredBytes else { return nil }
    let view = try RecordView(layered, layered.arrays, at: layeredOffset ?? 0, sets: headers.sets)
    return LayerView(bytes: layeredBytes, offset: layeredOffset, view: view)
  }

  /// `Main, Main tier, level 4.0, 4:2:0, 8 bits, 1920x1080, 25 frames per second`.
  var summary: String {
    var parts = [
      record.profileName ?? "profile \(record.generalProfileIDC)", "\(record.tierName) tier",
      "level \(record.levelName)", record.chromaFormatName,
    ]
    let (luma, chroma) = (record.bitDepthLuma, record.bitDepthChroma)
    parts.append(luma == chroma ? "\(luma) bits" : "\(luma) and \(chroma) bits")
    let sequence = headers.baseSequences.first
    if let size = sequence?.displaySize { parts.append(size.description) }
    if let rate = sequence?.frameRate { parts.append("\(rate) frames per second") }
    return parts.joined(separator: ", ")
  }
}

extension FoundAVCRecord: ShownRecord {
  var supplementalCodecStrings: [String] { [] }
  /// The parameter sets as a byte stream, each after a start code of four bytes: ITU-T H.264, B.1.2.
  var annexB: [UInt8] {
    (record.parameterSets + (record.highProfile?.sequenceParameterSetExtensions ?? []))
      .flatMap { [0, 0, 0, 1] + $0 }
  }

  func view() throws(SyntaxError) -> RecordView { try RecordView(record, at: offset ?? 0) }
  func layer() -> LayerView? { nil }
}
