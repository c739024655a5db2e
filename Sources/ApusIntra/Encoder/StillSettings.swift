// SPDX-License-Identifier: MIT

public import ApusMedia

/// The settings for encoding a picture.
public struct StillSettings: Hashable, Sendable {
  /// The quantizer of the picture in 256ths of a step, 0 to 51 steps, before any adaptation.
  var quantizer: Int
  /// Whether smooth blocks get finer quantizers.
  var adaptsQuantizers = false
  var choices: SearchChoices
  /// The colour description in the stream; `nil` for none.
  public var colour: ColourDescription?
  /// The position of colour samples stated in the stream; `nil` for none.
  public var chromaSite: ChromaSite?
  /// Whether sample adaptive offsets are applied after deblocking.
  var hasOffsets = false
  /// Whether blocks of 4 × 4 may skip the transform, which makes pictures of screens and text a fifth smaller and has
  /// no benefit for photos.
  public var skipsTransforms = false
  /// Whether no wide kernels are used; see `Vector.wide`.
  var isPortable = false

  /// Creates settings with one quantizer for all blocks, 0 to 51.
  public init(qp: Int, speed: StillSpeed = .medium) {
    quantizer = qp << 8
    choices = SearchChoices(speed)
  }

  /// Creates settings for a quality of 1 to 100 on the scale of libheif: a rate factor of half the difference to 100,
  /// from which x265 derives a quantizer 2.9125 steps finer, adapted to each block.
  public init(quality: Int, speed: StillSpeed = .medium) {
    choices = SearchChoices(speed)
    quantizer = (100 - quality) * 128 - 746 - Self.finer(quality, speed)
    adaptsQuantizers = true
    hasOffsets = true
  }

  /// Returns the amount by which quantizers are finer than those of x265 at the same rate factor, for equal luma
  /// quality: x265 keeps more levels than their cost justifies, and so is closer to its source. If quantizers are so
  /// fine that errors are rounded away, the slower speeds need no more than x265, and the slowest one less. Fitted at
  /// qualities 40, 60 and 80 on eight crops of photos.
  private static func finer(_ quality: Int, _ speed: StillSpeed) -> Int {
    let (coarse, fine) = (max(0, min(60 - quality, 24)), max(0, min(quality - 60, 20)))
    switch speed {
    case .fast: return 282 + 3 * coarse - fine
    case .medium: return 222 + 17 * coarse / 4 - 10 * fine
    case .slow: return 222 + 17 * coarse / 4 - 13 * fine
    }
  }

  /// The value of `SliceQpY`.
  var qp: Int { max(0, min(51, (quantizer + 128) >> 8)) }
}
