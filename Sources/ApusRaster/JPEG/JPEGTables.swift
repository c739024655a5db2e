// SPDX-License-Identifier: MIT

package import ApusBytes

/// Quantization tables (`DQT`): ITU-T T.81, B.2.4.1.
package struct JPEGQuantizationTables: SyntaxStructure {
  private struct Element: SyntaxStructure {
    var precision: UInt8 = 0
    var destination: UInt8 = 0
    var values: [UInt16] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(4, "Pq", &precision)
      try v.u(4, "Tq", &destination)
      try v.values(precision == 0 ? 8 : 16, "Q", &values, count: 64)
    }
  }

  private var tables: [Element] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.list("tables", &tables, count: nil)
  }
}

/// Huffman tables (`DHT`): ITU-T T.81, B.2.4.2.
package struct JPEGHuffmanTables: SyntaxStructure {
  private struct Element: SyntaxStructure {
    var tableClass: UInt8 = 0
    var destination: UInt8 = 0
    var counts: [UInt8] = []
    var values: [UInt8] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(4, "Tc", &tableClass)
      try v.u(4, "Th", &destination)
      try v.bytes("L", &counts, count: 16)
      try v.bytes("V", &values, count: counts.reduce(0) { $0 + Int($1) })
    }
  }

  private var tables: [Element] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.list("tables", &tables, count: nil)
  }
}

/// The header of a scan (`SOS`): ITU-T T.81, B.2.3.
package struct JPEGScanHeader: SyntaxStructure {
  private struct Component: SyntaxStructure {
    var selector: UInt8 = 0
    var dc: UInt8 = 0
    var ac: UInt8 = 0

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(8, "Cs", &selector)
      try v.u(4, "Td", &dc)
      try v.u(4, "Ta", &ac)
    }
  }

  private var components: [Component] = []
  private var first: UInt8 = 0
  private var last: UInt8 = 63
  private var high: UInt8 = 0
  private var low: UInt8 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(8, "Ns", components.count)
    try v.list("components", &components, count: count)
    try v.u(8, "Ss", &first)
    try v.u(8, "Se", &last)
    try v.u(4, "Ah", &high)
    try v.u(4, "Al", &low)
  }
}

/// The restart interval (`DRI`): ITU-T T.81, B.2.4.4.
package struct JPEGRestartInterval: SyntaxStructure {
  package static let size = 2
  package var interval: UInt16 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "Ri", &interval)
  }
}

/// The number of lines, if it follows the first scan (`DNL`): ITU-T T.81, B.2.5.
package struct JPEGLineCount: SyntaxStructure {
  private var lines: UInt16 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "NL", &lines)
  }
}
