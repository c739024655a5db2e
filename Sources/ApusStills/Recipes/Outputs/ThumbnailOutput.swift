// SPDX-License-Identifier: MIT

internal import ApusJPEG
internal import ApusMedia
internal import ApusThreads

/// A pass that makes a thumbnail for Exif: every sample is the average of those it covers.
final class ThumbnailOutput: FirstPass {
  private let whole: PictureFormat
  private let small: PictureFormat
  private let bandHeight: Int
  private let sums: Monitor<[PlaneSums]>

  private struct PlaneSums: Sendable {
    var sums: [UInt32]
    var counts: [UInt32]
  }

  /// The longer side, as in cameras: Exif 2.32, 4.5.8 recommends 160 × 120.
  private static let side = 160

  /// - Parameters:
  ///   - format: the format of the picture, converted for JPEG.
  ///   - bandHeight: the number of rows in each band but the last.
  init(of format: PictureFormat, bandHeight: Int) {
    whole = format
    self.bandHeight = bandHeight
    let longer = max(format.width, format.height)
    let scale = { max(min($0 * Self.side / longer, $0), 1) }
    small = PictureFormat(
      width: scale(format.width), height: scale(format.height),
      chroma: format.chroma == .monochrome ? .monochrome : .yuv444, bitDepth: 8)
    let count = small.width * small.height
    let plane = PlaneSums(
      sums: Array(repeating: 0, count: count), counts: Array(repeating: 0, count: count))
    sums = Monitor(Array(repeating: plane, count: small.planeCount))
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let picture = band.picture
    sums.withLock { sums in
      for plane in 0..<small.planeCount {
        let shiftY = plane == 0 ? 0 : picture.format.chroma.shiftY
        add(picture, plane, firstRow: band.index * bandHeight >> shiftY, to: &sums[plane])
      }
    }
    return []
  }

  private func add(_ picture: Picture, _ plane: Int, firstRow: Int, to sums: inout PlaneSums) {
    let width = picture.format.width(ofPlane: plane)
    let height = whole.height(ofPlane: plane)
    let columns = (0..<width).map { $0 * small.width / width }
    for row in 0..<picture.format.height(ofPlane: plane) {
      let start = (firstRow + row) * small.height / height * small.width
      let line = unsafe picture.plane(plane) + row * picture.strides[plane]
      for column in 0..<width {
        let place = start + columns[column]
        sums.sums[place] += UInt32(unsafe line.load(fromByteOffset: column, as: UInt8.self))
        sums.counts[place] += 1
      }
    }
  }

  func add(to results: inout PassResults) throws {
    results.thumbnail = try thumbnail()
  }

  /// Returns the thumbnail as JPEG.
  private func thumbnail() throws -> [UInt8] {
    let picture = Picture(small)
    sums.withLock { sums in
      for (plane, samples) in sums.enumerated() {
        for place in samples.sums.indices {
          let count = max(samples.counts[place], 1)
          let value = UInt8(truncatingIfNeeded: (samples.sums[place] + count / 2) / count)
          let (row, column) = place.quotientAndRemainder(dividingBy: small.width)
          unsafe (picture.plane(plane) + row * picture.strides[plane])
            .storeBytes(of: value, toByteOffset: column, as: UInt8.self)
        }
      }
    }
    let settings = JPEGSettings(
      width: small.width, height: small.height, chroma: small.chroma, quality: 80)
    let encoder = try JPEGWholeEncoder(settings)
    return try unsafe encoder.begin() + encoder.append(picture.view) + encoder.finish()
  }
}
