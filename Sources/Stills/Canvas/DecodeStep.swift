// SPDX-License-Identifier: MIT

internal import HEIF
internal import Media

/// One coded picture that is decoded, and where its pieces are painted.
struct DecodeStep: Hashable, Sendable {
  let source: Int
  /// By their place in the plan.
  var pieces: [Int]
  /// The bands that they touch.
  var bands: Range<Int>

  /// What to decode, in the order in which bands need it; layers in the order in which they are painted.
  ///
  /// A source whose pieces lie far apart is decoded again rather than held in memory.
  static func steps(of plan: PicturePlan, bandHeight: Int, isLayered: Bool) -> [DecodeStep] {
    let bands = plan.pieces.map {
      $0.place.y / bandHeight..<($0.place.maxY + bandHeight - 1) / bandHeight
    }
    let reach = bands.map(\.count).max() ?? 1
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
      // Among steps that begin in one band the order of the plan holds.
      steps.sort { ($0.bands.lowerBound, $0.pieces[0]) < ($1.bands.lowerBound, $1.pieces[0]) }
    }
    return steps
  }
}
