// SPDX-License-Identifier: MIT

import Bytes
import HEVC
import Records

/// A record cut into what a listing shows: its fixed fields, and the NAL units of its arrays decoded.
struct RecordView {
  /// The fields before the arrays.
  var fields: [Field]
  var arrays: [ArrayView]

  struct ArrayView {
    var array: NALUnitArray
    var fields: [Field]
    var units: [UnitView]
    var name: String { NALUnitType(fieldBits: UInt64(array.nalUnitType)).name }
  }

  struct UnitView {
    var bytes: [UInt8]
    var length: Field?
    var syntax: NALUnitFields
  }

  /// - Parameters:
  ///   - start: the offset of the record in its input.
  ///   - sets: the parameter sets that SEI messages may refer to.
  init(
    _ record: some SyntaxStructure, _ arrays: [NALUnitArray], at start: Int, sets: ParameterSets
  ) throws(SyntaxError) {
    let all = try FieldMapper.fields(of: record, at: start)
    fields = all.filter { $0.name != "arrays" }
    self.arrays = []
    guard case .list(let items)? = all.first(where: { $0.name == "arrays" })?.value else { return }
    for (array, item) in zip(arrays, items) {
      guard case .group(let inner) = item.value else { continue }
      var view = ArrayView(array: array, fields: inner.filter { $0.name != "nalus" }, units: [])
      if case .list(let units)? = inner.first(where: { $0.name == "nalus" })?.value {
        for (bytes, unit) in zip(array.nalUnits, units) {
          guard case .group(let parts) = unit.value else { continue }
          let place = parts.last?.offset ?? unit.offset
          view.units.append(
            UnitView(
              bytes: bytes, length: parts.first,
              syntax: try NALUnitFields(of: bytes, sets: sets, at: place)))
        }
      }
      self.arrays.append(view)
    }
  }
}

extension FoundRecord {
  func view() throws(SyntaxError) -> RecordView {
    try RecordView(record, record.arrays, at: offset ?? 0, sets: headers.sets)
  }

  func layeredView() throws(SyntaxError) -> RecordView? {
    guard let layered else { return nil }
    return try RecordView(layered, layered.arrays, at: layeredOffset ?? 0, sets: headers.sets)
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

  /// The tracks or items by their ids: `items 1 to 48`, `track 1`.
  var usedBy: String {
    guard users.count > 4 else { return users.map(\.description).joined(separator: ", ") }
    return users.prefix(3).map(\.description).joined(separator: ", ")
      + " and \(users.count - 3) more"
  }

  /// What a message calls its place.
  var place: String { path.isEmpty ? users.first?.description ?? "record" : path }
}
