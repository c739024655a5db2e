// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Conversion of eight samples of either width to and from 16-bit numbers.
enum Vector {
  /// Whether this machine can run wide kernels: those by AVX2, or those of whole blocks by NEON.
  static let wide = apus_has_wide()

  @inline(__always)
  static func load<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafeMutablePointer<Sample>
  ) -> SIMD8<UInt16> {
    let raw = UnsafeRawPointer(from)
    if Sample.self == UInt8.self { return unsafe apus_load_8(raw) }
    return unsafe raw.loadUnaligned(as: SIMD8<UInt16>.self)
  }

  @inline(__always)
  static func store<Sample: FixedWidthInteger & UnsignedInteger>(
    _ vector: SIMD8<UInt16>, _ to: UnsafeMutablePointer<Sample>
  ) {
    let raw = UnsafeMutableRawPointer(to)
    if Sample.self == UInt8.self {
      unsafe apus_store_8(raw, vector)
    } else {
      unsafe raw.storeBytes(of: vector, as: SIMD8<UInt16>.self)
    }
  }

  /// Copies eight samples.
  @inline(__always)
  static func copy<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafeMutablePointer<Sample>, _ to: UnsafeMutablePointer<Sample>
  ) {
    let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
    if Sample.self == UInt8.self {
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
    } else {
      unsafe target.storeBytes(
        of: source.loadUnaligned(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
    }
  }

  /// Copies four samples, or a multiple of eight.
  @inline(__always)
  static func copy<Sample: FixedWidthInteger & UnsignedInteger>(
    _ from: UnsafeMutablePointer<Sample>, _ to: UnsafeMutablePointer<Sample>, _ count: Int
  ) {
    if count == 4 {
      let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(to))
      if Sample.self == UInt8.self {
        unsafe target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
      } else {
        unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      }
      return
    }
    var index = 0
    while index < count {
      unsafe copy(from + index, to + index)
      index &+= 8
    }
  }
}
