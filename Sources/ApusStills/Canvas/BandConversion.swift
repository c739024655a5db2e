// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusThreads

/// Converts the bands of a canvas to the encoder's format; planes that need no conversion are passed through.
final class BandConversion: Sendable {
  private let conversion: SampleConversion?
  private let ignoresAlpha: Bool
  private let spare = Monitor<[Picture]>([])

  /// - Parameter ignoresAlpha: whether alpha is encoded separately, and colours stay unblended.
  init(_ conversion: SampleConversion?, ignoresAlpha: Bool = false) {
    self.conversion = conversion
    self.ignoresAlpha = ignoresAlpha
  }

  /// Whether a band needs the rows of colours above and below it.
  var needsEdges: Bool { conversion?.needsEdges ?? false }

  /// - Parameters:
  ///   - edges: the rows above and below, if needed.
  ///   - top: the canvas row with which the band begins.
  func convert(_ band: Canvas.Band, edges: ColourEdges, at top: Int) -> Picture {
    guard let conversion else { return band.colour }
    let format = conversion.outputFormat(height: band.colour.format.height)
    let reused = spare.withLock { spare -> Picture? in
      guard let last = spare.popLast(), last.format == format else { return nil }
      return last
    }
    let target = reused ?? Picture(format)
    unsafe conversion.convert(
      band.colour.view, alpha: ignoresAlpha ? nil : band.alpha?.view, edges: edges, at: top,
      into: target)
    return target
  }

  /// Returns an encoded band's memory for reuse.
  func release(_ picture: Picture) {
    if conversion != nil { spare.withLock { $0.append(picture) } }
  }
}
