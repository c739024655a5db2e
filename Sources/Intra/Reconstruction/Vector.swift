// SPDX-License-Identifier: MIT

/// Eight samples of either width as numbers of 16 bits, and back.
enum Vector {
  @inline(__always)
  static func load<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafeMutablePointer<Sample>
  ) -> SIMD8<UInt16> {
    let raw = UnsafeRawPointer(from)
    if Sample.self == UInt8.self {
      return unsafe SIMD8<UInt16>(
        truncatingIfNeeded: raw.loadUnaligned(as: SIMD8<UInt8>.self))
    }
    return unsafe raw.loadUnaligned(as: SIMD8<UInt16>.self)
  }

  @inline(__always)
  static func store<Sample: FixedWidthInteger & UnsignedInteger>(
    _ vector: SIMD8<UInt16>, _ to: UnsafeMutablePointer<Sample>
  ) {
    let raw = UnsafeMutableRawPointer(to)
    if Sample.self == UInt8.self {
      unsafe raw.storeBytes(
        of: SIMD8<UInt8>(truncatingIfNeeded: vector), as: SIMD8<UInt8>.self)
    } else {
      unsafe raw.storeBytes(of: vector, as: SIMD8<UInt16>.self)
    }
  }
}
