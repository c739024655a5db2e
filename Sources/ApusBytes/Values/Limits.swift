// SPDX-License-Identifier: MIT

/// Limits on the cost of reading one input. They bound cost, never small counts: a photo with a thousand items is
/// normal.
public struct Limits: NamedLimits, Hashable, Sendable {
  /// The maximum nesting depth of structures.
  public var depth = 64
  /// The maximum number of boxes in one input.
  public var boxes = 1_000_000
  /// The maximum number of list elements in memory at once; tables stay in the file and do not count.
  public var elements = 2_000_000
  /// The maximum size of field contents in memory at once, in bytes.
  public var bytes = 256 << 20
  /// The maximum size of a pipe that is read completely, in bytes.
  public var pipe = 4 << 30
  /// The maximum size of all samples together relative to the input, which exceeds 1 only if they overlap.
  public var growth = 8
  /// The maximum number of pictures drawn of one track.
  public var pictures = 100_000

  public init() {}

  /// Calls a function with every limit under the name that options use.
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
