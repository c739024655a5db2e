// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusRecords
import HEVC

/// The differences of two records: fields, arrays, parameter sets, and the codec string.
struct RecordComparison {
  var left: FoundRecord
  var right: FoundRecord
  /// The differences, each named with its structure: `SPS 0: general_level_idc`.
  private(set) var differences: [Difference] = []

  struct Difference {
    var name: String
    var left: String
    var right: String
  }

  var isSame: Bool { left.bytes == right.bytes && left.layeredBytes == right.layeredBytes }

  init(_ left: FoundRecord, _ right: FoundRecord) throws {
    self.left = left
    self.right = right
    try compare(left.view(), right.view(), prefix: "")
    switch (try left.layer()?.view, try right.layer()?.view) {
    case (nil, nil): break
    case (let a?, let b?): try compare(a, b, prefix: "lhvC ")
    case (let a, let b):
      add("lhvC", a == nil ? "none" : "present", b == nil ? "none" : "present")
    }
  }

  private mutating func compare(_ left: RecordView, _ right: RecordView, prefix: String) throws {
    add(left.fields, right.fields, in: prefix)
    let (order, other) = (left.arrays.map(\.name), right.arrays.map(\.name))
    if order != other {
      add("\(prefix)arrays", order.joined(separator: ", "), other.joined(separator: ", "))
    }
    for array in left.arrays {
      guard let match = right.arrays.first(where: { $0.name == array.name }) else { continue }
      add(array.fields, match.fields, in: "\(prefix)\(array.name): ")
    }
    let units = Self.units(of: left)
    let others = Self.units(of: right)
    for (name, unit) in units {
      guard let match = others.first(where: { $0.name == name })?.unit else {
        add("\(prefix)\(name)", "\(unit.bytes.count) bytes", "none")
        continue
      }
      if unit.bytes != match.bytes {
        add(unit.fields, match.fields, in: "\(prefix)\(name): ")
      }
    }
    for (name, unit) in others where !units.contains(where: { $0.name == name }) {
      add("\(prefix)\(name)", "none", "\(unit.bytes.count) bytes")
    }
  }

  private mutating func add(_ left: [Field], _ right: [Field], in place: String) {
    for difference in FieldDifference.between(left, right) {
      add(
        place + difference.name, difference.left?.text ?? "none",
        difference.right?.text ?? "none")
    }
  }

  private mutating func add(_ name: String, _ left: String, _ right: String) {
    differences.append(Difference(name: name, left: left, right: right))
  }

  /// The NAL units by name: parameter sets by ID, others by position.
  private static func units(of view: RecordView) -> [(name: String, unit: RecordView.UnitView)] {
    var seen: [String: Int] = [:]
    return view.arrays.flatMap(\.units).map { unit in
      let header = unit.header
      var name = unit.identity
      if header.nuhLayerID > 0 { name += " of layer \(header.nuhLayerID)" }
      let count = seen[name, default: 0]
      seen[name] = count + 1
      return (count == 0 ? name : "\(name) [\(count)]", unit)
    }
  }
}

extension RecordView.UnitView {
  fileprivate var header: NALUnitHeader { NALUnitHeader(of: bytes) ?? NALUnitHeader() }

  /// `SPS 0`, `PREFIX_SEI_NUT mastering_display_colour_volume`.
  fileprivate var identity: String {
    let headers = StreamHeaders([bytes])
    if let set = headers.videos.first?.payload { return "VPS \(set.id)" }
    if let set = headers.sequences.first?.payload { return "SPS \(set.id)" }
    if let set = headers.pictures.first?.payload { return "PPS \(set.id)" }
    let names = headers.messages.first?.payload.messages.map(\.name) ?? []
    return ([header.nalUnitType.name] + names).joined(separator: " ")
  }
}

extension RecordComparison {
  /// The meaning of the differences for players.
  var codecStringMeaning: String {
    left.codecString == right.codecString
      ? "same codec string: \(left.codecString)"
      : "codec strings differ: \(left.codecString) and \(right.codecString)"
  }

  func write<Output: TextOutputStream>(palette: Palette, to output: inout Output) {
    for difference in differences {
      output.write("\(palette.name(difference.name)): \(difference.left) → \(difference.right)\n")
    }
    output.write(codecStringMeaning + "\n")
  }
}

extension RecordComparison: Described {
  static let title = "comparison"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RecordComparison {
    v.required("same", "Whether the bytes of the records are the same.") { $0.isSame }
    v.required("codec_strings", "The codec strings of both.") {
      [$0.left.codecString, $0.right.codecString]
    }
    v.required("differences", "The differences.") { $0.differences }
  }
}

extension RecordComparison.Difference: Described {
  static let title = "difference"

  static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == RecordComparison.Difference {
    v.required("name", "The field, with its structure.") { $0.name }
    v.required("left", "The value in the first record.") { $0.left }
    v.required("right", "The value in the second record.") { $0.right }
  }
}
