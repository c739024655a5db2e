// SPDX-License-Identifier: MIT

internal import Colour
internal import Media
internal import Threads

/// A reduced picture, made from bands that arrive in any order: every sample is the mean of those it covers.
final class SmallPicture: Sendable {
  let format: PictureFormat
  private let scalers: [PlaneScaler]
  private let bandHeight: Int
  private let sums: Monitor<[[UInt64]]>

  /// Creates the reduced picture; `nil` if the picture is already that small.
  ///
  /// - Parameter side: the length of the longer side.
  init?(of whole: PictureFormat, side: Int, bandHeight: Int) {
    let longer = max(whole.width, whole.height)
    guard side > 0, longer > side else { return nil }
    var small = whole
    // Whole colour samples, so that it can be coded on its own.
    let sides = [(whole.width, whole.chroma.shiftX), (whole.height, whole.chroma.shiftY)].map {
      max(((($0 * side + longer / 2) / longer) >> $1) << $1, 1 << $1)
    }
    (small.width, small.height) = (sides[0], sides[1])
    format = small
    self.bandHeight = bandHeight
    let scalers = (0..<small.planeCount).map { plane in
      PlaneScaler(
        from: (whole.width(ofPlane: plane), whole.height(ofPlane: plane)),
        to: (small.width(ofPlane: plane), small.height(ofPlane: plane)))
    }
    self.scalers = scalers
    sums = Monitor(scalers.map { Array(repeating: 0, count: $0.width * $0.height) })
  }

  func add(_ band: Picture, index: Int) {
    for (plane, scaler) in scalers.enumerated() {
      let top = index * bandHeight >> (plane == 0 ? 0 : band.format.chroma.shiftY)
      let view = unsafe band.view
      let part = unsafe scaler.part(
        of: view.planes[plane], rows: top..<top + band.format.height(ofPlane: plane),
        bytesPerSample: band.format.bytesPerSample, largest: 1 << band.format.bitDepth - 1)
      sums.withLock { part.add(to: &$0[plane], width: scaler.width) }
    }
  }

  /// Returns the reduced picture, after all bands were added.
  func picture() -> Picture {
    let picture = Picture(format)
    let sums = sums.withLock { $0 }
    for (plane, scaler) in scalers.enumerated() {
      unsafe scaler.store(sums[plane], in: picture, plane: plane)
    }
    return picture
  }
}
