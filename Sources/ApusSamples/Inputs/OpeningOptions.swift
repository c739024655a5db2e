// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import HEVC

/// Options for opening an input of coded media.
public struct OpeningOptions: Sendable {
  /// The frame rate of a bare stream, which overrides its own.
  public var frameRate: FrameRate?
  /// The time at which to begin: the samples start with the last key frame that is shown no later.
  public var start: RationalTime?
  /// The ID of the only track of a movie to be read.
  public var track: UInt32?
  /// Whether the undamaged part of a damaged input is read, instead of refusing it.
  public var isSalvaging = false
  /// The limits on the cost of reading.
  public var limits = Limits()
  /// Openers of inputs other than movies, FLV and bare HEVC streams, tried in this order.
  public var openers: [any MediaOpener] = []

  /// Creates options that read an input from its beginning, and refuse a damaged one.
  public init() {}
}
