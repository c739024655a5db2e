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

  /// The units of a sample, which they fill to the last byte.
  public func units(of sample: [UInt8]) throws(PictureError) -> [Range<Int>] {
    var units: [Range<Int>] = []
    var offset = 0
    while offset < sample.count {
      let left = sample.count - offset
      guard left > lengthSize else {
        throw PictureError(.incomplete, "has \(left) bytes after its last NAL unit, at \(offset)")
      }
      let length = sample[offset..<offset + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      offset += lengthSize
      guard length > 0, length <= sample.count - offset else {
        throw PictureError(
          .incomplete,
          "has a NAL unit of \(length) bytes at \(offset), where \(sample.count - offset) are left")
      }
      units.append(offset..<offset + length)
      offset += length
    }
    guard !units.isEmpty else { throw PictureError(.incomplete, "has no bytes") }
    return units
  }
}
