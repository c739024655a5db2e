// SPDX-License-Identifier: MIT

internal import ApusBytes

extension CBORContent {
  /// The content in diagnostic notation (RFC 8949, 8); `nil` if it is damaged or too long.
  public var text: String? { CBORItem(reading: data)?.diagnostic }
}

extension CBORItem {
  /// The item in diagnostic notation: RFC 8949, 8.
  var diagnostic: String {
    switch majorType {
    case 0: return "\(argument)"
    case 1: return "-\(UInt128(argument) + 1)"
    case 2: return "h'\((bytes + items.flatMap(\.bytes)).hexadecimal())'"
    case 3: return Field.quoted(text ?? "")
    case 4: return "[\(elements.map(\.diagnostic).joined(separator: ", "))]"
    case 5:
      let pairs = stride(from: 0, to: items.count - 1, by: 2).map {
        "\(items[$0].diagnostic): \(items[$0 + 1].diagnostic)"
      }
      return "{\(pairs.joined(separator: ", "))}"
    case 6: return "\(argument)(\(items.map(\.diagnostic).joined()))"
    default: break
    }
    switch (additionalInformation, argument) {
    case (20, _): return "false"
    case (21, _): return "true"
    case (22, _): return "null"
    case (23, _): return "undefined"
    case (26, let bits):
      return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))).shortest
    case (27, let bits): return Double(bitPattern: bits).shortest
    default: return "simple(\(argument))"
    }
  }
}
