// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import CApusMath

/// The headroom of an iPhone's HDR picture, from two numbers in its maker note, according to Apple's documentation
/// ("Applying Apple HDR effect to your photos").
public enum AppleHeadroom {
  /// Returns the headroom as a linear factor; `nil` if Exif does not have both numbers, or they mean none.
  public static func headroom(inExif exif: [UInt8]) -> Double? {
    guard let note = ExifReader.makerNote(of: exif) else { return nil }
    return headroom(inMakerNote: note)
  }

  static func headroom(inMakerNote note: [UInt8]) -> Double? {
    guard note.starts(with: Array("Apple iOS\0".utf8)) else { return nil }
    let first = rational(0x21, in: note)
    let second = rational(0x30, in: note)
    guard first != nil || second != nil else { return nil }
    return headroom(first ?? 0, second ?? 0)
  }

  /// - Parameters:
  ///   - first: the value of tag 0x21.
  ///   - second: the value of tag 0x30.
  public static func headroom(_ first: Double, _ second: Double) -> Double? {
    let stops =
      first < 1
      ? (second <= 0.01 ? 1.8 - 20 * second : 1.601 - 0.101 * second)
      : (second <= 0.01 ? 3.0 - 70 * second : 2.303 - 0.303 * second)
    guard stops.isFinite, stops > 0, stops <= 16 else { return nil }
    return exp2(stops)
  }

  /// Returns an SRATIONAL in the note's only directory, which is big-endian, with offsets relative to its first byte.
  private static func rational(_ tag: Int, in note: [UInt8]) -> Double? {
    let start = 16
    guard note.count >= start else { return nil }
    let count = Int(bigEndianBytes: note.span, at: 14, count: 2)
    for index in 0..<count {
      let entry = start + 12 * index
      guard entry + 12 <= note.count else { return nil }
      guard Int(bigEndianBytes: note.span, at: entry, count: 2) == tag else { continue }
      guard Int(bigEndianBytes: note.span, at: entry + 2, count: 2) == 10,
        Int(bigEndianBytes: note.span, at: entry + 4, count: 4) == 1
      else {
        return nil
      }
      let place = Int(bigEndianBytes: note.span, at: entry + 8, count: 4)
      guard place <= note.count - 8 else { return nil }
      let numerator = Int32(bigEndianBytes: note.span, at: place, count: 4)
      let denominator = Int32(bigEndianBytes: note.span, at: place + 4, count: 4)
      return denominator == 0 ? nil : Double(numerator) / Double(denominator)
    }
    return nil
  }
}
