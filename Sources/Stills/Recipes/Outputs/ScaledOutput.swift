// SPDX-License-Identifier: MIT

internal import Colour
internal import Media
internal import Threads

/// A pass that reduces a picture before its colours are converted.
final class ScaledOutput: FirstPass {
  private let format: PictureFormat
  private let alphaFormat: PictureFormat?
  private let bandHeight: Int
  private let scalers: [PlaneScaler]
  private let alphaScaler: PlaneScaler?
  private let sums: Monitor<Sums>

  private struct Sums: Sendable {
    var planes: [[UInt64]]
    var alpha: [UInt64]
  }

  /// - Parameters:
  ///   - canvas: the format of the whole picture.
  ///   - alpha: the format of its alpha.
  ///   - format: the format of the reduced picture; the bit depth is that of the canvas.
  init(
    _ canvas: PictureFormat, alpha: PictureFormat?, bandHeight: Int, to format: PictureFormat
  ) {
    self.format = format
    self.bandHeight = bandHeight
    scalers = (0..<format.planeCount).map { plane in
      PlaneScaler(
        from: (canvas.width(ofPlane: plane), canvas.height(ofPlane: plane)),
        to: (format.width(ofPlane: plane), format.height(ofPlane: plane)))
    }
    alphaFormat = alpha.map {
      var small = $0
      (small.width, small.height) = (format.width, format.height)
      return small
    }
    alphaScaler = alpha.map {
      PlaneScaler(from: ($0.width, $0.height), to: (format.width, format.height))
    }
    sums = Monitor(
      Sums(
        planes: scalers.map { Array(repeating: 0, count: $0.width * $0.height) },
        alpha: Array(
          repeating: 0, count: alphaScaler.map { $0.width * $0.height } ?? 0)))
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let top = band.index * bandHeight
    let planes = scalers.indices.map { part(of: band.picture, $0, scalers[$0], top) }
    let alpha = alphaScaler.flatMap { scaler in band.alpha.map { part(of: $0, 0, scaler, top) } }
    sums.withLock { sums in
      for (plane, part) in planes.enumerated() {
        part.add(to: &sums.planes[plane], width: scalers[plane].width)
      }
      if let alpha { alpha.add(to: &sums.alpha, width: format.width) }
    }
    return []
  }

  private func part(of picture: Picture, _ plane: Int, _ scaler: PlaneScaler, _ top: Int)
    -> PlaneScaler.Part
  {
    let first = plane == 0 ? top : top >> picture.format.chroma.shiftY
    let view = unsafe picture.view
    return unsafe scaler.part(
      of: view.planes[plane], rows: first..<first + picture.format.height(ofPlane: plane),
      bytesPerSample: picture.format.bytesPerSample, largest: 1 << picture.format.bitDepth - 1)
  }

  func add(to results: inout PassResults) throws { results.scaled = picture() }

  /// The picture, once all bands were added.
  func picture() -> ScaledPicture {
    let colour = Picture(format)
    var alpha: Picture?
    sums.withLock { sums in
      for (plane, scaler) in scalers.enumerated() {
        unsafe scaler.store(sums.planes[plane], in: colour, plane: plane)
      }
      if let alphaFormat, let alphaScaler {
        let picture = Picture(alphaFormat)
        unsafe alphaScaler.store(sums.alpha, in: picture, plane: 0)
        alpha = picture
      }
    }
    return ScaledPicture(colour: colour, alpha: alpha)
  }
}
