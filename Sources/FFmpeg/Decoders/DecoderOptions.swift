// SPDX-License-Identifier: MIT

/// How a decoder works, whatever it decodes.
public struct DecoderOptions: Hashable, Sendable {
  /// How many threads decode, several pictures at a time; 0 for as many as there are processors.
  public var threads = 0
  /// Whether damage is counted and what is left of a picture or sound given; otherwise damage throws.
  public var isSalvaging = false
  /// How many luma samples, before cropping, a picture may have.
  public var pixelLimit = Int.max

  public init() {}
}
