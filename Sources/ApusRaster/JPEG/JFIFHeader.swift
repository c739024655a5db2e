// SPDX-License-Identifier: MIT

package import ApusBytes

/// The segment at the start of a JFIF file: JFIF 1.02, page 5.
package struct JFIFHeader: SyntaxStructure {
  package static let identifier = Array("JFIF\0".utf8)

  private var identifier: Text = "JFIF"
  private var version: UInt16 = 0x0102
  /// The units: 0 for the aspect ratio of a dot, 1 for dots per inch, 2 for dots per centimetre.
  package var units: UInt8 = 0
  package var xDensity: UInt16 = 1
  package var yDensity: UInt16 = 1
  private var xThumbnail: UInt8 = 0
  private var yThumbnail: UInt8 = 0

  package init() {}

  /// - Parameter body: the body of an APP0 segment; the result is `nil` if it is of another kind, or truncated.
  package init?(_ body: ArraySlice<UInt8>) {
    guard body.starts(with: Self.identifier) else { return nil }
    self.init(reading: body)
  }

  /// Whether a thumbnail follows as uncompressed samples.
  package var hasThumbnail: Bool { xThumbnail > 0 && yThumbnail > 0 }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("identifier", &identifier)
    try v.u(16, "version", &version)
    try v.u(8, "units", &units)
    try v.u(16, "x_density", &xDensity)
    try v.u(16, "y_density", &yDensity)
    try v.u(8, "x_thumbnail", &xThumbnail)
    try v.u(8, "y_thumbnail", &yThumbnail)
  }
}
