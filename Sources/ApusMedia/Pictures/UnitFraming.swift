// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The framing of NAL units in the samples of a coded picture, each with a length prefix. It is checked here, because
/// decoders skip units that do not fit.
public struct UnitFraming: Sendable {
  private let lengthSize: Int
  private let codec: PictureCodec

  /// Creates the framing; `nil` for a codec without such units, or a configuration that is too short.
  public init?(_ picture: CodedPicture) {
    let place: Int
    switch picture.codec {
    case .hevc: place = 21
    case .avc: place = 4
    default: return nil
    }
    guard picture.configuration.count > place else { return nil }
    lengthSize = Int(picture.configuration[place] & 3) + 1
    codec = picture.codec
  }

  /// Throws if units do not fill their samples to the last byte, or slices contain impossible runs of zeros.
  public func check(_ picture: CodedPicture) throws(MediaError) {
    for (index, sample) in picture.samples.enumerated() {
      let (units, damage) = split(sample)
      if let damage = damage ?? gap(in: sample, units) {
        throw damage.inside(picture.name(ofSample: index))
      }
    }
  }

  /// Returns an error for zeros in place of slice data, as in files that were copied incompletely: ITU-T H.265 and
  /// H.264, 7.4.1. A few zeros at the end of a unit are padding.
  private func gap(in sample: [UInt8], _ units: [Range<Int>]) -> MediaError? {
    let bytes = sample.span
    for unit in units where isSlice(bytes[unit.lowerBound]) {
      var index = unit.lowerBound + 2
      while index < unit.upperBound {
        // Checking every third byte finds any three consecutive zeros.
        if bytes[index] != 0 {
          index += 3
          continue
        }
        var start = index
        while start > unit.lowerBound, bytes[start - 1] == 0 { start -= 1 }
        var end = index + 1
        while end < unit.upperBound, bytes[end] == 0 { end += 1 }
        let isPadding = end == unit.upperBound && end - start <= Self.padding
        if end - start > 2, !isPadding {
          return MediaError(
            .incomplete, "has \(end - start) zero bytes at \(start), within a slice")
        }
        index = end + 2
      }
    }
    return nil
  }

  /// The maximum number of padding zeros; encoders have been seen to end a unit with 12.
  private static let padding = 64

  private func isSlice(_ header: UInt8) -> Bool {
    codec == .hevc ? header.hevcNALUnitType < 32 : (1...5).contains(header.avcNALUnitType)
  }

  /// Returns the units of a sample, as far as they can be determined.
  public func units(of sample: [UInt8]) -> [Range<Int>] { split(sample).units }

  /// Returns whether a sample of HEVC can be decoded without any other (IRAP): ITU-T H.265, 7.4.2.2. If it refers to
  /// other pictures nevertheless, as in open GOPs, decoders generate them and never show them.
  public func isRandomAccess(_ sample: [UInt8]) -> Bool {
    for unit in units(of: sample) {
      guard let type = sample[unit].first?.hevcNALUnitType, type < 32 else { continue }
      return (16...23).contains(type)
    }
    return false
  }

  /// Returns the sample with its last unit shortened to the available bytes.
  public func mended(_ sample: [UInt8]) -> [UInt8] {
    var mended: [UInt8] = []
    for unit in split(sample).units {
      mended += unit.count.bigEndianBytes.suffix(lengthSize)
      mended += sample[unit]
    }
    return mended
  }

  private func split(_ sample: [UInt8]) -> (units: [Range<Int>], damage: MediaError?) {
    var units: [Range<Int>] = []
    var damage: MediaError?
    var offset = 0
    while offset < sample.count {
      let left = sample.count - offset
      guard left > lengthSize else {
        damage =
          damage
          ?? MediaError(
            .incomplete, "has \(left) bytes after its last NAL unit, at \(offset)")
        break
      }
      let length = Int(bigEndianBytes: sample[offset..<offset + lengthSize])
      offset += lengthSize
      let rest = sample.count - offset
      if length == 0 || length > rest {
        damage =
          damage
          ?? MediaError(
            .incomplete, "has a NAL unit of \(length) bytes at \(offset), where \(rest) are left")
      }
      let count = min(length, rest)
      if count > 0 { units.append(offset..<offset + count) }
      offset += count
    }
    if sample.isEmpty { damage = MediaError(.incomplete, "has no bytes") }
    return (units, damage)
  }
}
