// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HEIF

/// The decoding of one coded picture, and the pieces that are painted from it.
struct DecodeStep: Hashable, Sendable {
  let source: Int
  /// The indices of the pieces in the plan.
  var pieces: [Int]
  /// The bands that the pieces touch.
  var bands: Range<Int>
  /// The rows of the source to decode, which follow those of the previous step; `nil` to decode all at once.
  var rows: Range<Int>?

  /// The maximum number of rows that a step decodes from a source that is read in rows.
  private static let mostRows = 64

  /// Returns the pictures to decode, in the order in which bands need them; layers, in painting order.
  ///
  /// A source whose pieces lie far apart is decoded again rather than held in memory.
  static func steps(of plan: PicturePlan, bandHeight: Int, isLayered: Bool) -> [DecodeStep] {
    let bands = plan.pieces.map {
      $0.place.y / bandHeight..<($0.place.maxY + bandHeight - 1) / bandHeight
    }
    // No key path here: the first one in a process costs a sixth of a millisecond.
    let reach = bands.map { $0.count }.max() ?? 1
    var order = Array(plan.pieces.indices)
    if !isLayered {
      order.sort {
        (plan.pieces[$0].source, bands[$0].lowerBound, $0)
          < (plan.pieces[$1].source, bands[$1].lowerBound, $1)
      }
    }
    var steps: [DecodeStep] = []
    for piece in order {
      let source = plan.pieces[piece].source
      if let last = steps.last, last.source == source,
        plan.pieces[last.pieces[0]].alphaSource == nil,
        plan.pieces[piece].alphaSource == nil,
        isLayered || bands[piece].upperBound - last.bands.lowerBound <= reach
      {
        steps[steps.count - 1].pieces.append(piece)
        let joined =
          min(
            last.bands.lowerBound, bands[piece].lowerBound)..<max(
            last.bands.upperBound, bands[piece].upperBound)
        steps[steps.count - 1].bands = joined
      } else {
        steps.append(DecodeStep(source: source, pieces: [piece], bands: bands[piece]))
      }
    }
    if !isLayered {
      steps = steps.flatMap { $0.divided(of: plan, bandHeight: bandHeight) }
      // Steps that begin in the same band keep the order of the plan.
      steps.sort {
        ($0.bands.lowerBound, $0.pieces[0], $0.firstRow)
          < ($1.bands.lowerBound, $1.pieces[0], $1.firstRow)
      }
    }
    return steps
  }

  var firstRow: Int { rows?.lowerBound ?? 0 }

  /// Divides the step into several, each of which paints a few rows of one band, if the source is read in rows that are
  /// rows of the canvas in the same order.
  private func divided(of plan: PicturePlan, bandHeight: Int) -> [DecodeStep] {
    let source = plan.sources[source]
    let piece = plan.pieces[pieces[0]]
    let whole = PixelRect(width: source.format.width, height: source.format.height)
    guard source.comesInRows, pieces.count == 1, piece.alphaSource == nil, piece.crop == whole,
      !piece.orientation.swapsSides, !piece.orientation.flips.y,
      piece.place.height == whole.height, plan.pieces.count == 1
    else { return [self] }
    var steps: [DecodeStep] = []
    var top = piece.place.y
    while top < piece.place.maxY {
      let band = top / bandHeight
      let end = min(top + Self.mostRows, (band + 1) * bandHeight, piece.place.maxY)
      var step = self
      step.bands = band..<band + 1
      step.rows = top - piece.place.y..<end - piece.place.y
      steps.append(step)
      top = end
    }
    return steps
  }
}
