// SPDX-License-Identifier: MIT

/// How NAL units lie in the samples of a coded picture: each behind its length. Decoders pass over what does not
/// fit, so it is found here.
public struct UnitFraming: Sendable {
  private let lengthSize: Int

  /// `nil` for a codec without such units, or a configuration that is too short to tell.
  public init?(_ picture: CodedPicture) {
    let place: Int
    switch picture.codec {
    case .hevc: place = 21
    case .avc: place = 4
    default: return nil
    }
    guard picture.configuration.count > place else { return nil }
    lengthSize = Int(picture.configuration[place] & 3) + 1
  }

  /// Throws where units do not fill their samples to the last byte.
  public func check(_ picture: CodedPicture) throws(PictureError) {
    for (index, sample) in picture.samples.enumerated() {
      if let damage = split(sample).damage { throw damage.inside(picture.name(ofSample: index)) }
    }
  }

  /// The units of a sample, as far as there are any.
  public func units(of sample: [UInt8]) -> [Range<Int>] { split(sample).units }

  /// The sample with a last unit that ends where its bytes do.
  public func mended(_ sample: [UInt8]) -> [UInt8] {
    var mended: [UInt8] = []
    for unit in split(sample).units {
      for shift in (0..<lengthSize).reversed() {
        mended.append(UInt8(truncatingIfNeeded: unit.count >> (8 * shift)))
      }
      mended += sample[unit]
    }
    return mended
  }

  private func split(_ sample: [UInt8]) -> (units: [Range<Int>], damage: PictureError?) {
    var units: [Range<Int>] = []
    var damage: PictureError?
    var offset = 0
    while offset < sample.count {
      let left = sample.count - offset
      guard left > lengthSize else {
        damage = PictureError(
          .incomplete, "has \(left) bytes after its last NAL unit, at \(offset)")
        break
      }
      let length = sample[offset..<offset + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      offset += lengthSize
      let rest = sample.count - offset
      if length == 0 || length > rest {
        damage = PictureError(
          .incomplete, "has a NAL unit of \(length) bytes at \(offset), where \(rest) are left")
      }
      let count = min(length, rest)
      if count > 0 { units.append(offset..<offset + count) }
      offset += count
    }
    if sample.isEmpty { damage = PictureError(.incomplete, "has no bytes") }
    return (units, damage)
  }
}
