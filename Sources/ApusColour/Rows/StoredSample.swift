// SPDX-License-Identifier: MIT

/// The stored form of a sample in a plane: a byte, or a 16-bit word.
protocol StoredSample: FixedWidthInteger & UnsignedInteger {
  var real: Float { get }
  init(low bits: UInt32)
  static var top: Float { get }
}

extension UInt8: StoredSample {
  @inline(__always) var real: Float { Float(self) }
  @inline(__always) init(low bits: UInt32) { self.init(truncatingIfNeeded: bits) }
  @inline(__always) static var top: Float { 255 }
}

extension UInt16: StoredSample {
  @inline(__always) var real: Float { Float(self) }
  @inline(__always) init(low bits: UInt32) { self.init(truncatingIfNeeded: bits) }
  @inline(__always) static var top: Float { 65535 }
}
