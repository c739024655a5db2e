// SPDX-License-Identifier: MIT

package import ApusBytes

/// An application segment with an identifier: Exif 2.32, 4.7.2; ICC.1:2022, B.4; XMP part 3, 1.1.3; CIPA DC-007, 5.
package struct JPEGApplicationData: SyntaxStructure {
  package var identifier = Text()
  private var padding: UInt8 = 0
  /// The number of a part of a profile, from 1, and that of all parts.
  package var part: UInt8 = 1
  package var partCount: UInt8 = 1
  private var packet: [UInt8] = []
  package var data = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("identifier", &identifier)
    switch identifier {
    case "Exif": try v.u(8, "padding", &padding)
    case "ICC_PROFILE":
      try v.u(8, "sequence_number", &part)
      try v.u(8, "marker_count", &partCount)
    case "http://ns.adobe.com/xap/1.0/": return try v.bytes("packet", &packet, count: nil, .text)
    default: break
    }
    try v.extent("data", &data, count: nil)
  }
}

/// The colour transform of a JPEG by Adobe (`APP14`): Adobe Technical Note 5116, 18.
package struct JPEGAdobeData: SyntaxStructure {
  package static let identifier = Array("Adobe".utf8)
  private var identifier: [UInt8] = Self.identifier
  private var version: UInt16 = 100
  private var flags0: UInt16 = 0
  private var flags1: UInt16 = 0
  /// The transform: 0 for none, 1 for YCbCr, 2 for YCCK.
  package var transform: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("identifier", &identifier, count: Self.identifier.count, .text)
    try v.u(16, "version", &version)
    try v.u(16, "flags0", &flags0, as: .hex)
    try v.u(16, "flags1", &flags1, as: .hex)
    try v.u(8, "transform", &transform)
  }
}

/// A comment (`COM`): ITU-T T.81, B.2.4.5.
package struct JPEGComment: SyntaxStructure {
  private var comment: [UInt8] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("Cm", &comment, count: nil, .text)
  }
}
