// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia
internal import Glibc

/// The similarity of a decoded picture to the one that the encoder got.
public struct PictureLikeness: Hashable, Sendable {
  /// The number of the picture, from 1, among those that the encoder got.
  public let number: Int
  /// The time at which it is shown in the written file.
  public let time: RationalTime
  /// The mean square of the differences in each plane (Y, U, V, or only Y), with a peak of 1.
  public let errors: [Double]
  /// The mean square of the differences of all samples.
  public let error: Double
  /// The structural similarity of each plane, 1 where they are equal; `nil` for planes of fewer than 8 × 8 samples.
  public let similarities: [Double?]
  /// The structural similarity of all planes, weighted by their numbers of samples.
  public let similarity: Double?

  /// The peak signal-to-noise ratio in decibels, for all samples, like FFmpeg's `psnr_avg`.
  public var psnr: Double { Self.decibels(error) }

  /// Returns the ratio in decibels for an error; infinity if there is none.
  public static func decibels(_ error: Double) -> Double {
    error > 0 ? -10 * log10(error) : .infinity
  }

  init(_ one: VideoFrame, _ other: VideoFrame, number: Int) throws(MediaError) {
    self.number = number
    time = other.time
    guard let format = one.format, other.format == format else {
      throw MediaError(
        .unsupported,
        "was encoded as \(one.width)x\(one.height) \(one.pixelFormat) and is decoded as "
          + "\(other.width)x\(other.height) \(other.pixelFormat), which cannot be compared",
        at: other.time)
    }
    var planes: [PlaneLikeness] = []
    _ = unsafe one.withView { left in
      unsafe other.withView { right in
        for plane in 0..<format.planeCount {
          planes.append(unsafe Self.likeness(left, right, plane))
        }
      }
    }
    guard planes.count == format.planeCount else {
      throw MediaError(.unsupported, "\(one.pixelFormat) cannot be compared", at: one.time)
    }
    let counts = (0..<format.planeCount).map {
      Double(format.width(ofPlane: $0) * format.height(ofPlane: $0))
    }
    errors = planes.map(\.error)
    error = zip(planes, counts).reduce(0) { $0 + $1.0.error * $1.1 } / counts.reduce(0, +)
    similarities = planes.map(\.similarity)
    var (sum, weight) = (0.0, 0.0)
    for (plane, count) in zip(planes, counts) {
      guard let similarity = plane.similarity else { continue }
      sum += similarity * count
      weight += count
    }
    similarity = weight > 0 ? sum / weight : nil
  }

  private static func likeness(_ one: PictureView, _ other: PictureView, _ plane: Int)
    -> PlaneLikeness
  {
    let format = unsafe one.format
    let (width, height) = (format.width(ofPlane: plane), format.height(ofPlane: plane))
    let (left, right) = unsafe (one.planes[plane], other.planes[plane])
    guard format.bytesPerSample > 1 else {
      return unsafe PlaneLikeness(
        PlaneLikeness.Plane<UInt8>(base: left.base, stride: left.stride),
        PlaneLikeness.Plane<UInt8>(base: right.base, stride: right.stride), width: width,
        height: height, bitDepth: format.bitDepth)
    }
    return unsafe PlaneLikeness(
      PlaneLikeness.Plane<UInt16>(base: left.base, stride: left.stride),
      PlaneLikeness.Plane<UInt16>(base: right.base, stride: right.stride), width: width,
      height: height, bitDepth: format.bitDepth)
  }
}
