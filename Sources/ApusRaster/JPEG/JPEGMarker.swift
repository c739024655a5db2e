// SPDX-License-Identifier: MIT

package import ApusBytes

/// A marker: ITU-T T.81, B.1.1.3.
package struct JPEGMarker: SyntaxStructure, Hashable {
  package static let size = 2
  package private(set) var prefix: UInt8 = 0xFF
  package private(set) var code: UInt8 = 0

  package init() {}
  package init(code: UInt8) { self.code = code }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "prefix", &prefix, as: .hex)
    try v.u(8, "marker", &code, as: .hex)
  }

  /// Whether no segment follows: `TEM`, `RST0` to `RST7`, `SOI` and `EOI`.
  package var standsAlone: Bool { code == 0x01 || (0xD0...0xD9).contains(code) }

  /// Whether a frame header follows; three of `SOF0` to `SOF15` are other markers.
  package var isFrame: Bool { (0xC0...0xCF).contains(code) && Self.names[code] == nil }

  /// The symbol in table B.1.
  package var name: String {
    if let name = Self.names[code] { return name }
    switch code {
    case 0xC0...0xCF: return "SOF\(code - 0xC0)"
    case 0xD0...0xD7: return "RST\(code - 0xD0)"
    case 0xE0...0xEF: return "APP\(code - 0xE0)"
    case 0xF0...0xFD: return "JPG\(code - 0xF0)"
    default: return "RES"
    }
  }

  private static let names: [UInt8: String] = [
    0x01: "TEM", 0xC4: "DHT", 0xC8: "JPG", 0xCC: "DAC", 0xD8: "SOI", 0xD9: "EOI", 0xDA: "SOS",
    0xDB: "DQT", 0xDC: "DNL", 0xDD: "DRI", 0xDE: "DHP", 0xDF: "EXP", 0xFE: "COM",
  ]
}

/// The marker and the length of a segment: ITU-T T.81, B.1.1.4.
package struct JPEGSegmentHeader: SyntaxStructure, Hashable {
  package static let size = 4
  package var marker = JPEGMarker()
  /// The number of bytes after the marker, including these two.
  package var length: UInt16 = 2

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try marker.syntax(&v)
    try v.u(16, "length", &length)
  }
}
