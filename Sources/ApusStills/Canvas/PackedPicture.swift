// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The samples of a picture, packed into as little memory as their bits need.
struct PackedPicture: Sendable {
  private let format: PictureFormat
  private let bytes: [UInt8]

  /// The number of 16-bit samples packed as one group: their high eight bits, then their low two.
  private static let group = 64
  private static let packedGroup = group + group / 4

  init(_ picture: Picture) {
    let format = picture.format
    self.format = format
    let count = Self.rowBytes(of: format).enumerated().reduce(0) {
      $0 + $1.element * format.height(ofPlane: $1.offset)
    }
    bytes = unsafe Array(unsafeUninitializedCapacity: count) { buffer, written in
      if var place = unsafe buffer.baseAddress.map(UnsafeMutableRawPointer.init) {
        for (plane, bytes) in Self.rowBytes(of: format).enumerated() {
          for row in 0..<format.height(ofPlane: plane) {
            let line = unsafe picture.plane(plane) + row * picture.strides[plane]
            if format.bytesPerSample == 1 {
              unsafe place.copyMemory(from: line, byteCount: bytes)
            } else {
              unsafe Self.pack(line, into: place, groups: bytes / Self.packedGroup)
            }
            unsafe place += bytes
          }
        }
      }
      written = count
    }
  }

  /// Unpacks all samples into a picture of the same format.
  func unpack(into picture: Picture) {
    precondition(picture.format == format)
    unsafe bytes.withUnsafeBytes { buffer in
      guard var place = buffer.baseAddress else { return }
      for (plane, bytes) in Self.rowBytes(of: format).enumerated() {
        for row in 0..<format.height(ofPlane: plane) {
          let line = unsafe picture.plane(plane) + row * picture.strides[plane]
          if format.bytesPerSample == 1 {
            unsafe line.copyMemory(from: place, byteCount: bytes)
          } else {
            unsafe Self.unpack(place, into: line, groups: bytes / Self.packedGroup)
          }
          unsafe place += bytes
        }
      }
    }
  }

  /// Returns the packed size of a picture in bytes; `nil` if its samples have more bits than can be packed.
  static func bytes(of format: PictureFormat) -> Int? {
    guard format.bitDepth <= 10 else { return nil }
    return rowBytes(of: format).enumerated().reduce(0) {
      $0 + $1.element * format.height(ofPlane: $1.offset)
    }
  }

  /// Returns the packed bytes per row of each plane. The last group of a row also includes some of the padding that
  /// every row of a `Picture` has.
  private static func rowBytes(of format: PictureFormat) -> [Int] {
    (0..<format.planeCount).map { plane in
      let width = format.width(ofPlane: plane)
      return format.bytesPerSample == 1 ? width : (width + group - 1) / group * packedGroup
    }
  }

  @unsafe private static func pack(
    _ line: UnsafeRawPointer, into place: UnsafeMutableRawPointer, groups: Int
  ) {
    var samples = unsafe line.assumingMemoryBound(to: UInt16.self)
    var high = unsafe place.assumingMemoryBound(to: UInt8.self)
    for _ in 0..<groups {
      for index in 0..<group {
        unsafe high[index] = UInt8(truncatingIfNeeded: samples[index] &>> 2)
      }
      let low = unsafe high + group
      for index in 0..<16 {
        let (first, second) = unsafe (samples[index] & 3, samples[index + 16] & 3)
        let (third, fourth) = unsafe (samples[index + 32] & 3, samples[index + 48] & 3)
        unsafe low[index] = UInt8(
          truncatingIfNeeded: first | second &<< 2 | third &<< 4 | fourth &<< 6)
      }
      unsafe samples += group
      unsafe high += packedGroup
    }
  }

  @unsafe private static func unpack(
    _ place: UnsafeRawPointer, into line: UnsafeMutableRawPointer, groups: Int
  ) {
    var samples = unsafe line.assumingMemoryBound(to: UInt16.self)
    var high = unsafe place.assumingMemoryBound(to: UInt8.self)
    for _ in 0..<groups {
      let low = unsafe high + group
      for part in 0..<4 {
        let shift = UInt8(truncatingIfNeeded: 2 * part)
        let (to, from) = unsafe (samples + 16 * part, high + 16 * part)
        for index in 0..<16 {
          unsafe to[index] = UInt16(from[index]) &<< 2 | UInt16(low[index] &>> shift & 3)
        }
      }
      unsafe samples += group
      unsafe high += packedGroup
    }
  }
}
