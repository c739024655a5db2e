// SPDX-License-Identifier: MIT

public import ApusMedia

/// A copy of what a decoder handed over.
public struct DecodedPlanes: Equatable, Sendable {
  public var format: PictureFormat
  /// The bytes of each plane, row after row.
  public var planes: [[UInt8]] = []

  public init(_ view: PictureView) {
    format = unsafe view.format
    for index in unsafe view.planes.indices {
      let plane = unsafe view.planes[index]
      let width = format.width(ofPlane: index) * format.bytesPerSample
      planes.append(
        (0..<format.height(ofPlane: index)).flatMap { row in
          unsafe [UInt8](
            UnsafeRawBufferPointer(start: plane.base + row * plane.stride, count: width))
        })
    }
  }

  /// Decodes a picture; throws where the decoder hands over none, or more than one.
  public init(_ picture: CodedPicture, by decoder: any PictureDecoder) throws(MediaError) {
    let (planes, damage) = Self.salvaged(picture, by: decoder)
    if let damage { throw damage }
    guard planes.count == 1 else { throw MediaError(.misuse, "\(planes.count) pictures") }
    self = planes[0]
  }

  /// What was handed over before an error.
  public static func salvaged(_ picture: CodedPicture, by decoder: any PictureDecoder)
    -> (pictures: [DecodedPlanes], error: MediaError?)
  {
    var pictures: [DecodedPlanes] = []
    do throws(MediaError) {
      try unsafe decoder.decode(picture) { view throws(MediaError) in
        unsafe pictures.append(DecodedPlanes(view))
      }
      return (pictures, nil)
    } catch {
      return (pictures, error)
    }
  }

  /// Picture checksums: ITU-T H.265, D.3.19.
  public var checksums: [UInt32] {
    planes.enumerated().map { index, bytes in
      let width = format.width(ofPlane: index)
      var sum: UInt32 = 0
      for sample in 0..<bytes.count / format.bytesPerSample {
        let (x, y) = (sample % width, sample / width)
        let mask = UInt32((x & 255) ^ (y & 255) ^ (x >> 8) ^ (y >> 8))
        for byte in 0..<format.bytesPerSample {
          sum &+= UInt32(bytes[sample * format.bytesPerSample + byte]) ^ mask
        }
      }
      return sum
    }
  }

  /// Adler-32 of all planes, as `ffmpeg -f framecrc` prints it: it begins with 0.
  public var frameCRC: UInt32 {
    var (a, b): (UInt32, UInt32) = (0, 0)
    for byte in planes.joined() {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }
}
