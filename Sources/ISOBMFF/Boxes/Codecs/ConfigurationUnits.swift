// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The units at the end of a decoder configuration. They are kept as bytes, and each by its fields if all of them can be
/// read and written back: what a damaged unit says must not make the rest of its configuration unreadable.
///
/// The units are read again for every visitor, because a file may have a million configurations.
struct ConfigurationUnits<Unit: SyntaxStructure>: Sendable {
  private(set) var bytes: Extent
  private var isReadable = false

  /// The maximum size of units that are read one by one, in bytes.
  private static var longest: Int { 1 << 12 }

  init(_ bytes: Extent = Extent()) { self.bytes = bytes }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, _ name: StaticString) throws(SyntaxError) {
    if v.isReading {
      try v.extent(name, &bytes, count: nil)
      isReadable = Self.units(in: bytes) != nil
    } else if isReadable, var units = Self.units(in: bytes) {
      try v.list(name, &units, count: units.count)
      let changed = try Self.encoded(units)
      if try changed != bytes.bytes() { bytes = Extent(changed) }
    } else {
      try v.extent(name, &bytes, count: nil)
    }
  }

  private static func encoded(_ units: [Unit]) throws(SyntaxError) -> [UInt8] {
    var writer = SyntaxWriter(ArraySink())
    for var unit in units { try unit.syntax(&writer) }
    return writer.sink.bytes
  }

  /// Returns the units; `nil` if not all can be read and written back.
  private static func units(in data: Extent) -> [Unit]? {
    guard !data.isEmpty, data.count <= longest else { return nil }
    do throws(SyntaxError) {
      let bytes = try data.bytes()
      var reader = SyntaxReader(MemorySource(bytes))
      var units: [Unit] = []
      while reader.remaining > 0 {
        var unit = Unit()
        try unit.syntax(&reader)
        guard reader.isAligned else { return nil }
        units.append(unit)
      }
      return try encoded(units) == bytes ? units : nil
    } catch {
      return nil
    }
  }
}
