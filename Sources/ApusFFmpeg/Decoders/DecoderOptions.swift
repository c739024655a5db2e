// SPDX-License-Identifier: MIT

/// Options for a decoder, whatever it decodes.
public struct DecoderOptions: Hashable, Sendable {
  /// The number of decoding threads, each for a picture; 0 for as many as there are processors.
  public var threads = 0
  /// Whether damage is counted and the remains of a picture or sound returned; otherwise damage throws.
  public var isSalvaging = false
  /// The most luma samples in a picture, before cropping.
  public var pixelLimit = Int.max

  /// Creates options with a thread for each processor, for which damage is an error.
  public init() {}
}
