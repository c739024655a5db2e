// SPDX-License-Identifier: MIT

internal import HEIF
internal import Media

/// The bands of one picture that are in memory: its colours and, where it has one, its alpha.
///
/// A band is made when the first step that paints it begins and goes back to the pool when it is encoded. Steps
/// paint different samples, or one after the other, so that painting itself needs no lock.
final class Canvas: Sendable {
  let colour: CanvasLayout
  let alpha: CanvasLayout?
  private let background: [Int]
  private let bands: Monitor<Bands>

  struct Band: Sendable {
    var colour: Picture
    var alpha: Picture?
  }

  private struct Bands {
    var open: [Int: Band] = [:]
    var spare: [Band] = []
  }

  /// - Parameter background: the samples of Y, Cb and Cr where no piece lies.
  init(colour: CanvasLayout, alpha: CanvasLayout?, background: [Int]) {
    self.colour = colour
    self.alpha = alpha
    self.background = background
    bands = Monitor(Bands())
  }

  /// A canvas of one band that is painted already.
  init(whole: Band, colour: CanvasLayout, alpha: CanvasLayout?) {
    self.colour = colour
    self.alpha = alpha
    background = []
    bands = Monitor(Bands(open: [0: whole]))
  }

  /// A band to be painted or encoded.
  func band(_ index: Int) -> Band {
    bands.withLock { bands in
      if let band = bands.open[index] { return band }
      let band = takeSpare(&bands.spare, for: index) ?? makeBand(index)
      if !background.isEmpty { unsafe band.colour.fill(background) }
      bands.open[index] = band
      return band
    }
  }

  /// The band is encoded: its memory may hold another.
  func release(_ index: Int) {
    bands.withLock { bands in
      if let band = bands.open.removeValue(forKey: index) { bands.spare.append(band) }
    }
  }

  /// A spare band of another height goes: only the last band has one.
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

  /// What the bands of the window take, in bytes.
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

  /// What planes of a format take.
  static func bytes(of format: PictureFormat) -> Int {
    (0..<format.planeCount).reduce(0) {
      $0 + format.width(ofPlane: $1) * format.height(ofPlane: $1) * format.bytesPerSample
    }
  }
}
