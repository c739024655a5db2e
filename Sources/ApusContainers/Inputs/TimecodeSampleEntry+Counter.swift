// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension TimecodeSampleEntry {
  /// Returns the frame number at a later time: QuickTime File Format, Timecode Media.
  func counter(_ bytes: [UInt8], later units: Int64, per timescale: UInt32) -> [UInt8] {
    let length = UInt64(frameDuration) * UInt64(timescale)
    guard bytes.count == 4, length > 0, units > 0 else { return bytes }
    let product = UInt64(units).multipliedFullWidth(by: UInt64(timeScale))
    guard product.high < length else { return bytes }
    let frames = length.dividingFullWidth(product).quotient
    let number =
      UInt32(bigEndianBytes: bytes) &+ UInt32(truncatingIfNeeded: frames)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
