// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Reading and writing of the same eleven bytes at memory speed, for walks over millions of tags; the tests compare
/// both forms.
extension TagHeader {
  /// - Parameter bytes: at least eleven bytes.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at index: Int) {
    let first = bytes[index]
    reserved = first >> 6
    filter = first & 0b10_0000 != 0
    type = TagType(rawValue: first & 0b1_1111)
    dataSize = UInt32(bigEndianBytes: bytes, at: index + 1, count: 3)
    timestamp =
      UInt32(bigEndianBytes: bytes, at: index + 4, count: 3) | UInt32(bytes[index + 7]) << 24
    streamID = UInt32(bigEndianBytes: bytes, at: index + 8, count: 3)
  }

  /// Appends the eleven bytes.
  @inline(__always)
  func append(to bytes: inout [UInt8]) {
    bytes.append(reserved << 6 | (filter ? 0b10_0000 : 0) | type.rawValue & 0b1_1111)
    Self.append24(dataSize, to: &bytes)
    Self.append24(timestamp & 0xff_ffff, to: &bytes)
    bytes.append(UInt8(truncatingIfNeeded: timestamp >> 24))
    Self.append24(streamID, to: &bytes)
  }

  @inline(__always)
  static func append24(_ number: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: number >> 16))
    bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    bytes.append(UInt8(truncatingIfNeeded: number))
  }

  @inline(__always)
  static func append32(_ number: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: number >> 24))
    append24(number & 0xff_ffff, to: &bytes)
  }
}
