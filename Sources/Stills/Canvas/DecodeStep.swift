// SPDX-License-Identifier: MIT

internal import HEIF
internal import Media

/// One coded picture that is decoded, and where its pieces are painted.
struct DecodeStep: Hashable, Sendable {
  let source: Int
  /// The indices of the pieces in the plan.
  var pieces: [Int]
  /// The bands that they touch.
  var bands: Range<Int>
  /// The rows of the source that are decoded, after those of the step before; `nil` for all of them at once.
  var rows: Range<Int>?

  /// How many rows a step decodes of a source that comes in rows.
  private static let mostRows = 64

  /// What to decode, in the order in which bands need it; layers in the order in which they are painted.
  ///
  /// A source whose pieces lie far apart is decoded again rather than held in memory.
  static func steps(of plan: PicturePlan, bandHeight: Int, isLayered: Bool) -> [DecodeStep] {
    let bands = plan.pieces.map {
      $0.place.y / bandHeight..<($0.place.maxY + bandHeight - 1) / bandHeight
    }
    // No key path: the first one of a process costs a sixth of a millisecond.
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
      // Among steps that begin in one band the order of the plan holds.
      steps.sort {
        ($0.bands.lowerBound, $0.pieces[0], $0.firstRow)
          < ($1.bands.lowerBound, $1.pieces[0], $1.firstRow)
      }
    }
    return steps
  }

  var firstRow: Int { rows?.lowerBound ?? 0 }

  /// The step as several, each of which paints a few rows of one band: where the source comes in rows, and these are
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
