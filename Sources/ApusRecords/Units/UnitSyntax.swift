// SPDX-License-Identifier: MIT

package import ApusBytes
internal import HEVC

/// A NAL unit of HEVC or H.264 with everything that is known of it: the headers of a slice, every bit of parameter sets
/// and messages.
package struct UnitSyntax: Sendable {
  /// The name of its type in the standard.
  package var name: String
  /// The range in its input.
  package var range: Range<Int>
  /// Whether it is a slice.
  package var isSlice = false
  /// The fields with their bits, including those of the header.
  package var fields: [Field]
  /// The bytes after the fields, which are not parsed, as a field; `nil` if all are parsed.
  package var rest: Field?
  /// The reason why it could not be parsed, if its type is declared.
  package var failure: SyntaxError?

  init(_ name: String, _ range: Range<Int>, _ fields: [Field], failure: SyntaxError? = nil) {
    self.name = name
    self.range = range
    self.fields = fields
    self.failure = failure
  }

  /// Creates the syntax of a unit in a record.
  package init(_ unit: RecordView.UnitView) {
    let start = unit.fields.first?.offset ?? 0
    self.init(
      unit.name, start..<start + unit.bytes.count, unit.fields, failure: unit.failure)
  }

  /// `nuh_layer_id` and `TemporalId`; `nil` for H.264.
  package var layer: (id: UInt64, temporalID: UInt64)? {
    guard case .group(let header)? = fields.first?.value,
      case .number(let id)? = header.first(where: { $0.name == "nuh_layer_id" })?.value,
      case .number(let next)? = header.first(where: { $0.name == "nuh_temporal_id_plus1" })?.value
    else { return nil }
    return (id, max(next, 1) - 1)
  }

  /// The names of its messages, if it contains supplemental enhancement information.
  package var messages: [String] {
    fields.compactMap { message in
      guard message.name == "sei_message", case .group(let fields) = message.value else {
        return nil
      }
      var type: UInt64 = 0
      for field in fields {
        guard case .number(let byte) = field.value else { return nil }
        type += byte
        guard field.name == "ff_byte" else { break }
      }
      // The types that both standards have are the same; others of H.264 have no names here.
      let isNamed = layer != nil || Self.sharedTypes.contains(type)
      return isNamed ? SEIPayloadNames.name(of: UInt32(clamping: type)) : "type \(type)"
    }
  }

  private static let sharedTypes: Set<UInt64> = [
    0, 1, 2, 3, 4, 5, 6, 9, 15, 16, 17, 19, 22, 23, 45, 47, 56, 137, 144, 147, 148, 149, 150, 151,
    154, 155, 156,
  ]

  /// Adds the bytes from an offset to the end of the unit.
  mutating func addRest(_ name: String, from start: Int, in source: any ByteSource) {
    guard start < range.upperBound else { return }
    rest = Field(
      name: name, value: .extent(Extent(source, start..<range.upperBound)), kind: .bytes,
      position: start * 8, bits: (range.upperBound - start) * 8)
  }
}
