// SPDX-License-Identifier: MIT

/// A sample as it lies in a plane: a byte, or a word of 16 bits.
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
