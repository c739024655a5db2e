// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusThreads

/// A reduced picture of one that comes in bands, in any order; every sample is the mean of the area that it covers.
final class PictureScaler: Sendable {
  let format: PictureFormat
  private let scalers: [PlaneScaler]
  private let bandHeight: Int
  private let sums: Monitor<[[UInt64]]>

  /// - Parameters:
  ///   - whole: the format of the whole picture.
  ///   - format: the format of the reduced picture, with the same bit depth.
  init(_ whole: PictureFormat, to format: PictureFormat, bandHeight: Int) {
    self.format = format
    self.bandHeight = bandHeight
    scalers = (0..<format.planeCount).map { plane in
      PlaneScaler(
        from: (whole.width(ofPlane: plane), whole.height(ofPlane: plane)),
        to: (format.width(ofPlane: plane), format.height(ofPlane: plane)))
    }
    sums = Monitor(scalers.map { Array(repeating: 0, count: $0.width * $0.height) })
  }

  func add(_ band: Picture, index: Int) {
    let view = unsafe band.view
    for (plane, scaler) in scalers.enumerated() {
      let top = index * bandHeight >> (plane == 0 ? 0 : band.format.chroma.shiftY)
      let part = unsafe scaler.part(
        of: view.planes[plane], rows: top..<top + band.format.height(ofPlane: plane),
        bytesPerSample: band.format.bytesPerSample, largest: 1 << band.format.bitDepth - 1)
      sums.withLock { part.add(to: &$0[plane], width: scaler.width) }
    }
  }

  /// Returns the reduced picture; call it after all bands were added.
  func picture() -> Picture {
    let picture = Picture(format)
    sums.withLock { sums in
      for (plane, scaler) in scalers.enumerated() {
        unsafe scaler.store(sums[plane], in: picture, plane: plane)
      }
    }
    return picture
  }
}
