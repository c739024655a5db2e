// SPDX-License-Identifier: MIT

package import ApusBytes

/// A text in Latin-1 (`tEXt`), or a compressed one (`zTXt`): PNG (Third Edition), 11.3.3.2 and 11.3.3.3.
package struct PNGText: SyntaxStructure {
  private var isCompressed = false
  private var keyword = Text()
  private var compressionMethod: UInt8 = 0
  private var text: [UInt8] = []
  private var compressed = Extent()

  package init() {}
  package init(isCompressed: Bool) { self.isCompressed = isCompressed }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("keyword", &keyword)
    guard isCompressed else { return try v.bytes("text", &text, count: nil, .text) }
    try v.u(8, "compression_method", &compressionMethod)
    try v.extent("compressed_text", &compressed, count: nil)
  }
}

/// A text in UTF-8 (`iTXt`): PNG (Third Edition), 11.3.3.4.
package struct PNGInternationalText: SyntaxStructure {
  package var keyword = Text()
  package var compressionFlag: UInt8 = 0
  private var compressionMethod: UInt8 = 0
  private var languageTag = Text()
  private var translatedKeyword = Text()
  private var text: [UInt8] = []
  private var compressed = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.text("keyword", &keyword)
    try v.u(8, "compression_flag", &compressionFlag)
    try v.u(8, "compression_method", &compressionMethod)
    try v.text("language_tag", &languageTag)
    try v.text("translated_keyword", &translatedKeyword)
    if compressionFlag == 0 {
      try v.bytes("text", &text, count: nil, .text)
    } else {
      try v.extent("compressed_text", &compressed, count: nil)
    }
  }

  /// Whether the text is XMP: XMP part 3, 1.1.5.
  package var isXMP: Bool {
    keyword.isTerminated && keyword.bytes.elementsEqual("XML:com.adobe.xmp".utf8)
  }

  /// The packet of XMP; `nil` for another text, a compressed one, and one without all of its fields.
  package var xmp: [UInt8]? {
    isXMP && compressionFlag == 0 && translatedKeyword.isTerminated ? text : nil
  }
}

/// The size of a dot (`pHYs`): PNG (Third Edition), 11.3.4.3.
package struct PNGPhysicalDimensions: SyntaxStructure {
  package var across: UInt32 = 0
  package var down: UInt32 = 0
  /// The unit: 1 for metres, 0 for only a ratio.
  package var unit: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "pixels_per_unit_x", &across)
    try v.u(32, "pixels_per_unit_y", &down)
    try v.u(8, "unit_specifier", &unit)
  }
}

/// The time of the last change (`tIME`): PNG (Third Edition), 11.3.5.1.
package struct PNGTime: SyntaxStructure {
  private var year: UInt16 = 0
  private var parts: [UInt8] = Array(repeating: 0, count: 5)

  private static let names: [StaticString] = ["month", "day", "hour", "minute", "second"]

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "year", &year)
    for (index, name) in Self.names.enumerated() { try v.u(8, name, &parts[index]) }
  }
}
