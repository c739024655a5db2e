// SPDX-License-Identifier: MIT

public import Media

/// How a picture is encoded.
public struct StillSettings: Hashable, Sendable {
  /// Quantizer of the picture in 256ths of a step, 0 to 51 steps; where quantizers adapt, before that.
  var quantizer: Int
  /// Whether smooth blocks get finer quantizers.
  var adaptsQuantizers = false
  var choices: SearchChoices
  /// What the stream says of its samples; nothing where it is `nil`.
  public var colour: ColourDescription?
  /// Where the stream says that colour samples lie; nothing where it is `nil`.
  public var chromaSite: ChromaSite?
  /// Whether samples are offset after the edges of blocks are filtered.
  var hasOffsets = false
  /// Whether blocks of 4 × 4 may go without a transform, which makes pictures of screens and text a fifth smaller and
  /// gains nothing in photos.
  public var skipsTransforms = false
  /// Whether kernels are run that every machine has.
  var isPortable = false

  /// One quantizer for all blocks, 0 to 51.
  public init(qp: Int, speed: StillSpeed = .medium) {
    quantizer = qp << 8
    choices = SearchChoices(speed)
  }

  /// A quality of 1 to 100 as libheif means it: a rate factor of half of what it lacks to 100, of which x265 makes a
  /// quantizer 2.9125 steps finer, adapted to each block.
  public init(quality: Int, speed: StillSpeed = .medium) {
    choices = SearchChoices(speed)
    quantizer = (100 - quality) * 128 - 746 - Self.finer(quality, speed)
    adaptsQuantizers = true
    hasOffsets = true
  }

  /// How much finer quantizers are than those of x265 with the same rate factor, for the same luma: it leaves more levels than
  /// cost allows, and so it is nearer to its source. Where quantizers are so fine that errors round to nothing, the
  /// slower speeds need no more than x265, and the slowest one less. Fitted at qualities 40, 60 and 80 on eight crops of photos.
  private static func finer(_ quality: Int, _ speed: StillSpeed) -> Int {
    let (coarse, fine) = (max(0, min(60 - quality, 24)), max(0, min(quality - 60, 20)))
    switch speed {
    case .fast: return 282 + 3 * coarse - fine
    case .medium: return 222 + 17 * coarse / 4 - 10 * fine
    case .slow: return 222 + 17 * coarse / 4 - 13 * fine
    }
  }

  /// `SliceQpY`.
  var qp: Int { max(0, min(51, (quantizer + 128) >> 8)) }
}
