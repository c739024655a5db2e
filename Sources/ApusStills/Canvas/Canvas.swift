// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusThreads
internal import HEIF

/// The bands of one picture that are in memory: its colours and, if it has one, its alpha.
///
/// A band is created when the first step that paints it begins, and returns to the pool when it is encoded. Steps paint
/// different samples, or one after the other, so that painting itself needs no lock.
final class Canvas: Sendable {
  let colour: CanvasLayout
  let alpha: CanvasLayout?
  private let background: [Int]
  /// The bands that an earlier pass has kept, if any; new bands are restored from them.
  private let kept: KeptBands?
  private let bands: Monitor<Bands>

  struct Band: Sendable {
    var colour: Picture
    var alpha: Picture?
  }

  private struct Bands {
    var open: [Int: Band] = [:]
    var spare: [Band] = []
    /// The bands whose edges were requested.
    var served: Set<Int> = []
    /// The edge rows of released bands that their neighbours will request.
    var kept: [Edge: ColourRow] = [:]
  }

  /// The first or last row of colours in a band.
  private struct Edge: Hashable, Sendable {
    var band: Int
    var isLast: Bool
  }

  /// - Parameter background: the samples of Y, Cb and Cr where there is no piece.
  init(colour: CanvasLayout, alpha: CanvasLayout?, background: [Int]) {
    self.colour = colour
    self.alpha = alpha
    self.background = background
    kept = nil
    bands = Monitor(Bands())
  }

  /// Creates a canvas whose bands an earlier pass has painted.
  init(kept: KeptBands) {
    (colour, alpha) = (kept.colour, kept.alpha)
    background = []
    self.kept = kept
    bands = Monitor(Bands())
  }

  /// Creates a canvas whose bands are all painted already.
  init(painted: [Band], colour: CanvasLayout, alpha: CanvasLayout?) {
    self.colour = colour
    self.alpha = alpha
    background = []
    kept = nil
    bands = Monitor(
      Bands(open: Dictionary(uniqueKeysWithValues: zip(painted.indices, painted))))
  }

  /// Returns a band to be painted or encoded.
  func band(_ index: Int) -> Band {
    bands.withLock { open(index, of: &$0) }
  }

  private func open(_ index: Int, of bands: inout Bands) -> Band {
    if let band = bands.open[index] { return band }
    let band = takeSpare(&bands.spare, for: index) ?? makeBand(index)
    kept?.restore(index, into: band)
    if !background.isEmpty { unsafe band.colour.fill(background) }
    bands.open[index] = band
    bands.served.remove(index)
    return band
  }

  /// Returns the rows of colours above and below a band. Called once for each band, after the neighbouring bands are
  /// painted.
  func edges(of index: Int) -> ColourEdges {
    bands.withLock { bands in
      bands.served.insert(index)
      return ColourEdges(
        above: row(Edge(band: index - 1, isLast: true), of: &bands),
        below: row(Edge(band: index + 1, isLast: false), of: &bands))
    }
  }

  private func row(_ edge: Edge, of bands: inout Bands) -> ColourRow? {
    guard 0..<colour.bandCount ~= edge.band else { return nil }
    if let row = bands.kept.removeValue(forKey: edge) { return row }
    return ColourRow(open(edge.band, of: &bands).colour, isLast: edge.isLast)
  }

  /// Returns an encoded band's memory for reuse.
  ///
  /// - Parameter keepsEdges: whether the neighbouring bands will request its rows.
  func release(_ index: Int, keepsEdges: Bool = false) {
    bands.withLock { bands in
      guard let band = bands.open.removeValue(forKey: index) else { return }
      if keepsEdges {
        for (other, isLast) in [(index - 1, false), (index + 1, true)]
        where 0..<colour.bandCount ~= other && !bands.served.contains(other) {
          bands.kept[Edge(band: index, isLast: isLast)] = ColourRow(band.colour, isLast: isLast)
        }
      }
      bands.spare.append(band)
    }
  }

  /// Takes a spare band if its height fits; one of another height is dropped, since only the last band has one.
  private func takeSpare(_ spare: inout [Band], for index: Int) -> Band? {
    guard let last = spare.popLast(), last.colour.format == colour.format(ofBand: index) else {
      return nil
    }
    return last
  }

  private func makeBand(_ index: Int) -> Band {
    let alpha = alpha.map { Picture($0.format(ofBand: index)) }
    if let alpha { unsafe alpha.fill([0]) }
    return Band(colour: Picture(colour.format(ofBand: index)), alpha: alpha)
  }

  /// The size of the window's bands in memory, in bytes.
  var windowBytes: Int {
    [colour, alpha].compactMap { layout in
      layout.map { $0.window * Picture.bytes(of: $0.format(ofBand: 0)) }
    }.reduce(0, +)
  }
}

extension Picture {
  /// Sets every sample of each plane.
  @unsafe func fill(_ values: [Int]) {
    for plane in 0..<min(format.planeCount, values.count) {
      let value = values[plane]
      for row in 0..<format.height(ofPlane: plane) {
        let line = unsafe self.plane(plane) + row * strides[plane]
        let count = format.width(ofPlane: plane)
        if format.bytesPerSample == 1 {
          unsafe line.initializeMemory(
            as: UInt8.self, repeating: UInt8(truncatingIfNeeded: value), count: count)
        } else {
          unsafe line.initializeMemory(
            as: UInt16.self, repeating: UInt16(truncatingIfNeeded: value), count: count)
        }
      }
    }
  }

  /// Returns the size of the planes of a format, in bytes.
  static func bytes(of format: PictureFormat) -> Int {
    (0..<format.planeCount).reduce(0) {
      $0 + format.width(ofPlane: $1) * format.height(ofPlane: $1) * format.bytesPerSample
    }
  }
}
