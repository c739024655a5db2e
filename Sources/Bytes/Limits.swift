// SPDX-License-Identifier: MIT

/// Bounds on what reading one input may cost. They bound cost, never small counts: a photo with a
/// thousand items is normal.
public struct Limits: NamedLimits, Hashable, Sendable {
  /// How deep structures may nest.
  public var depth = 64
  /// How many boxes one input may hold.
  public var boxes = 1_000_000
  /// How many list elements may be held in memory at once; tables stay in the file and do not count.
  public var elements = 2_000_000
  /// How many bytes of field contents may be held in memory at once.
  public var bytes = 256 << 20
  /// How many bytes a pipe may hold that is read as a whole.
  public var pipe = 4 << 30
  /// How many times as large as the input all samples together may be; more than once only where they overlap.
  public var growth = 8
  /// How many pictures are drawn of one track.
  public var pictures = 100_000

  public init() {}

  public mutating func visit(_ body: (_ name: String, _ value: inout Int) -> Void) {
    body("depth", &depth)
    body("boxes", &boxes)
    body("elements", &elements)
    body("bytes", &bytes)
    body("pipe", &pipe)
    body("growth", &growth)
    body("pictures", &pictures)
  }
}
