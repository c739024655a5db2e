// SPDX-License-Identifier: MIT

package import ApusBytes

/// The first fields of each tag type: ICC.1:2022, 10.1.
package struct ICCTypeHeader: SyntaxStructure {
  package var signature: FourCC = FourCC(0)
  private var reserved: UInt32 = 0

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "type", &signature)
    try v.u(32, "reserved", &reserved)
  }
}

/// The type `XYZ `: ICC.1:2022, 10.31.
package struct ICCXYZ: SyntaxStructure {
  private var header = ICCTypeHeader()
  package private(set) var numbers: [ICCXYZNumber] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try v.list("numbers", &numbers, count: v.isReading ? v.remaining / 12 : numbers.count)
  }
}

/// The type `curv`: ICC.1:2022, 10.6.
package struct ICCCurve: SyntaxStructure {
  private var header = ICCTypeHeader()
  package private(set) var values: [UInt16] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    let count = try v.count(32, "count", values.count)
    guard !v.isReading || count <= v.remaining / 2 else {
      throw v.failure(.truncated, "count", "of \(count) is more than the tag holds")
    }
    try v.values(16, "values", &values, count: count)
  }
}

/// The type `para`: ICC.1:2022, 10.18.
package struct ICCParametricCurve: SyntaxStructure {
  private var header = ICCTypeHeader()
  package private(set) var functionType: UInt16 = 0
  private var reserved: UInt16 = 0
  private var fixed: [Int32] = []

  package init() {}

  package var parameters: [Double] { fixed.map { Double($0) / 65536 } }

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try v.u(16, "function_type", &functionType)
    try v.u(16, "reserved", &reserved)
    let counts = [1, 3, 4, 5, 7]
    guard functionType < counts.count else {
      throw v.failure(.unsupported, "function_type", "is \(functionType), known are 0 to 4")
    }
    try v.list("parameters", &fixed, count: counts[Int(functionType)]) { p, v throws(SyntaxError) in
      try v.i(32, "parameters", &p, as: .signedFixed(16))
    }
  }
}

/// The type `mluc`: ICC.1:2022, 10.15.
package struct ICCLocalizedText: SyntaxStructure {
  package struct Record: SyntaxStructure {
    package static let size = 12
    package var language: UInt16 = 0
    private var country: UInt16 = 0
    package var length: UInt32 = 0
    /// The offset from the start of the tag.
    package var offset: UInt32 = 0

    package init() {}

    package var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }

    package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "language_code", &language, as: .hex)
      try v.u(16, "country_code", &country, as: .hex)
      try v.u(32, "length", &length)
      try v.u(32, "offset", &offset)
    }
  }

  private var header = ICCTypeHeader()
  private var count = 0
  package private(set) var records: [Record] = []
  private var strings = Extent()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    count = try v.count(32, "number_of_records", count)
    var size = UInt32(Record.size)
    try v.u(32, "record_size", &size)
    guard size == Record.size else { throw v.failure(.unsupported, "record_size", "is \(size)") }
    let present = v.isReading ? min(count, v.remaining / Record.size) : records.count
    try v.list("records", &records, count: present)
    try v.extent("strings", &strings, count: nil)
  }
}

/// The type `desc` of version 2: ICC.1:2001-04, 6.5.17.
package struct ICCDescription: SyntaxStructure {
  private var header = ICCTypeHeader()
  private var count = 0
  package private(set) var ascii: [UInt8] = []

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    count = try v.count(32, "ascii_count", count)
    try v.bytes(
      "ascii", &ascii, count: v.isReading ? min(count, v.remaining) : ascii.count, .text)
  }
}

/// The type `cicp`: ICC.1:2022, 10.3; ITU-T H.273, 8.
package struct ICCCodePoints: SyntaxStructure {
  private var header = ICCTypeHeader()
  package var points = CodePoints()

  package init() {}

  package mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try header.syntax(&v)
    try points.syntax(&v)
  }
}
