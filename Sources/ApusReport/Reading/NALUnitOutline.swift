// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRecords

/// A NAL unit as shown in the tree.
struct NALUnitOutline {
  var box: ReportBox
  /// The offsets of its emulation prevention bytes.
  var escapes: [Int]

  init(
    _ name: String, _ bytes: [UInt8], _ fields: [Field], at offset: Int,
    failure: SyntaxError? = nil, size: Int? = nil, anchor: String = ""
  ) {
    box = ReportBox(name, anchor: anchor, start: offset, size: size ?? bytes.count)
    box.kind = .unit
    let row = ClauseTable.nalUnit(name)
    (box.title, box.clause) = (row?.title, row?.clause)
    box.note = failure.map { "cannot be read further: \($0)" }
    let meaning = FieldMeaning(type: name)
    box.fields = FieldRows(fields) { meaning($0) }.rows
    escapes = NALUnitBytes.escapes(in: bytes).map { $0 + offset }
  }

  /// Creates the outline of a unit; `nil` if only its header is known.
  init?(_ unit: UnitSyntax, in source: any ByteSource) {
    guard unit.rest == nil || unit.isSlice && unit.failure == nil else { return nil }
    let start = unit.range.lowerBound
    guard let bytes = try? source.bytes(in: start..<(unit.rest?.offset ?? unit.range.upperBound))
    else { return nil }
    self.init(
      unit.name, bytes, unit.fields, at: start, failure: unit.failure, size: unit.range.count)
    guard unit.isSlice else { return }
    let isHEVC = unit.layer != nil
    box.title = isHEVC ? "Slice segment header" : "Slice header"
    box.clause = isHEVC ? "ITU-T H.265, 7.3.6.1" : "ITU-T H.264, 7.3.3"
  }

  /// Returns the NAL units at the beginning of a sample: parameter sets, messages, and the headers of slices.
  static func all(in sample: Extent, _ setup: UnitReader.Setup) -> [NALUnitOutline] {
    var reader = setup.reader
    var units = SampleUnits(in: sample, lengthSize: setup.lengthSize)
    var found: [NALUnitOutline] = []
    do throws(SyntaxError) {
      while found.count < most, let unit = try units.next() {
        if let outline = NALUnitOutline(try reader.next(unit.bytes), in: sample.source) {
          found.append(outline)
        }
      }
    } catch {
      // The rest cannot be read; the units before it are shown.
    }
    return found
  }

  private static let most = 6
}
