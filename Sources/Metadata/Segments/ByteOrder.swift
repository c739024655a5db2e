// SPDX-License-Identifier: MIT

internal import Bytes

/// The order of the bytes of a number in a TIFF stream: TIFF 6.0, section 2.
enum ByteOrder: UInt16, Hashable, Sendable {
  case big = 0x4D4D
  case little = 0x4949

  /// A number as it is stored, taken as if the most significant byte came first; and back.
  func stored<Value: FixedWidthInteger>(_ value: Value) -> Value {
    self == .big ? value : value.byteSwapped
  }

  func bytes<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) -> [UInt8] {
    stride(from: 0, to: Value.bitWidth, by: 8).reversed().map {
      UInt8(truncatingIfNeeded: stored(value) >> Value($0))
    }
  }
}

extension SyntaxVisitor {
  /// An unsigned field whose bytes are in the given order.
  mutating func u<Value: FieldCoded & FixedWidthInteger>(
    _ name: StaticString, _ value: inout Value, _ order: ByteOrder
  ) throws(SyntaxError) {
    var stored = order.stored(value)
    try u(Value.bitWidth, name, &stored)
    if isAssigning { value = order.stored(stored) }
  }
}
