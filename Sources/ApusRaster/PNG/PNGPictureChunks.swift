// SPDX-License-Identifier: MIT

package import ApusBytes

/// The image header (`IHDR`): PNG (Third Edition), 11.2.1.
package struct PNGImageHeader: SyntaxStructure {
  package static let size = 13
  package var width: UInt32 = 0
  package var height: UInt32 = 0
  package var bitDepth: UInt8 = 8
  package var colourType: UInt8 = 0
  var compressionMethod: UInt8 = 0
  var filterMethod: UInt8 = 0
  package var interlaceMethod: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "width", &width)
    try v.u(32, "height", &height)
    try v.u(8, "bit_depth", &bitDepth)
    try v.u(8, "colour_type", &colourType)
    try v.u(8, "compression_method", &compressionMethod)
    try v.u(8, "filter_method", &filterMethod)
    try v.u(8, "interlace_method", &interlaceMethod)
  }

  /// The colour type is a sum: 1 for a palette, 2 for colours, 4 for alpha.
  package var isGrey: Bool { colourType & 2 == 0 }
  package var hasAlpha: Bool { colourType & 4 != 0 }
}

/// The palette (`PLTE`): PNG (Third Edition), 11.2.2.
package struct PNGPalette: SyntaxStructure {
  var entries = Table(columns: [], count: 0, extent: Extent())

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.table(
      "entries", &entries,
      columns: [Table.Column("red", 8), Table.Column("green", 8), Table.Column("blue", 8)],
      count: nil)
  }
}

/// The alpha of palette entries (`tRNS`): PNG (Third Edition), 11.3.1.1.
package struct PNGPaletteAlpha: SyntaxStructure {
  var entries = Table(columns: [], count: 0, extent: Extent())

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.table("entries", &entries, columns: [Table.Column("alpha", 8)], count: nil)
  }
}

/// A value for each channel (`tRNS`, `sBIT`, `bKGD`): PNG (Third Edition), 11.3.1.1, 11.3.2.7 and 11.3.4.1.
package struct PNGChannels: SyntaxStructure {
  private var names: [StaticString] = []
  private var bits = 16
  private var values: [UInt16] = []

  package init() {}

  /// - Returns: `nil` for a chunk that such a picture does not have.
  package init?(_ type: FourCC, colourType: UInt8) {
    let colours: [StaticString] = ["red", "green", "blue"]
    switch (type, colourType) {
    case ("tRNS", 0), ("bKGD", 0), ("bKGD", 4): names = ["grey"]
    case ("tRNS", 2), ("bKGD", 2), ("bKGD", 6): names = colours
    case ("bKGD", 3): (names, bits) = (["palette_index"], 8)
    case ("sBIT", 0): (names, bits) = (["grey"], 8)
    case ("sBIT", 2), ("sBIT", 3): (names, bits) = (colours, 8)
    case ("sBIT", 4): (names, bits) = (["grey", "alpha"], 8)
    case ("sBIT", 6): (names, bits) = (colours + ["alpha"], 8)
    default: return nil
    }
    values = names.map { _ in 0 }
  }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    for (index, name) in names.enumerated() { try v.u(bits, name, &values[index]) }
  }
}
