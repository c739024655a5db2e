// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The byte order of numbers in a TIFF stream: TIFF 6.0, section 2.
enum ByteOrder: UInt16, Hashable, Sendable {
  case big = 0x4D4D
  case little = 0x4949

  /// Converts a number to and from its stored form, which is then treated as big-endian.
  func stored<Value: FixedWidthInteger>(_ value: Value) -> Value {
    self == .big ? value : value.byteSwapped
  }

  func bytes<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) -> [UInt8] {
    stored(value).bigEndianBytes
  }

  /// Returns the number that some bytes make in this order.
  func number(_ bytes: ArraySlice<UInt8>) -> Int {
    self == .big ? Int(bigEndianBytes: bytes) : Int(littleEndianBytes: bytes)
  }
}

extension SyntaxVisitor {
  /// Visits an unsigned field in the given byte order.
  mutating func u<Value: FieldCoded & FixedWidthInteger>(
    _ name: StaticString, _ value: inout Value, _ order: ByteOrder
  ) throws(SyntaxError) {
    switch order {
    case .big: try u(Value.bitWidth, name, &value)
    case .little: try littleEndian(Value.bitWidth, name, &value)
    }
  }
}
