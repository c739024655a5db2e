// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The units at the end of a decoder configuration. They are kept as bytes, and each by its fields if all of them can be
/// read and written back: what a damaged unit says must not make the rest of its configuration unreadable.
struct ConfigurationUnits<Unit: SyntaxStructure>: Sendable {
  let bytes: Extent
  private var units: [Unit] = []

  /// The maximum size of units that are read one by one, in bytes.
  private static var longest: Int { 1 << 12 }

  init(_ bytes: Extent = Extent()) { self.bytes = bytes }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ name: StaticString) throws(SyntaxError) {
    if v.isReading {
      var bytes = Extent()
      try v.extent(name, &bytes, count: nil)
      self = Self(bytes)
      units = Self.units(in: bytes) ?? []
    } else if units.isEmpty {
      var bytes = bytes
      try v.extent(name, &bytes, count: nil)
      self = Self(bytes)
    } else {
      try v.list(name, &units, count: units.count)
    }
  }

  private static func units(in data: Extent) -> [Unit]? {
    guard !data.isEmpty, data.count <= longest else { return nil }
    do throws(SyntaxError) {
      let bytes = try data.bytes()
      var reader = SyntaxReader(MemorySource(bytes))
      var writer = SyntaxWriter(ArraySink())
      var units: [Unit] = []
      while reader.remaining > 0 {
        var unit = Unit()
        try unit.syntax(&reader)
        guard reader.isAligned else { return nil }
        try unit.syntax(&writer)
        units.append(unit)
      }
      return writer.sink.bytes == bytes ? units : nil
    } catch {
      return nil
    }
  }
}

/// A number in groups of seven bits, the lowest first (`leb128()`): AV1 Bitstream & Decoding Process Specification, 4.10.5;
/// Immersive Audio Model and Formats 1.0, 3.1.
struct LEB128: SyntaxStructure, Hashable {
  var value: UInt64 = 0
  /// The number of bytes as written, which may be more than are needed.
  private var length = 1

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntax(&v, "leb128")
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ name: StaticString) throws(SyntaxError) {
    var (number, count) = (UInt64(0), 0)
    var isLast = false
    while !isLast, count < 8 {
      let rest = value >> UInt64(7 * count)
      var byte = UInt8(rest & 0x7f) | (rest > 0x7f || count + 1 < length ? 0x80 : 0)
      try v.u(8, name, &byte)
      number |= UInt64(byte & 0x7f) << UInt64(7 * count)
      count += 1
      isLast = byte & 0x80 == 0
    }
    (value, length) = (number, count)
  }

  /// The number as a size or count; one that no input has if it is too large.
  var count: Int { Int(clamping: value) }
}
