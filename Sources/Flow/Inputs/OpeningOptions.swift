// SPDX-License-Identifier: MIT

public import Bytes
public import HEVC
public import Media

/// How an input of coded media is opened.
public struct OpeningOptions: Sendable {
  /// The rate of a bare stream, whatever it says itself.
  public var frameRate: FrameRate?
  /// The time to begin at: the last key frame that is shown no later comes first.
  public var start: RationalTime?
  /// The only track of a movie that is taken, by its ID.
  public var track: UInt32?
  /// Whether what is whole of a damaged input is taken, instead of refusing it.
  public var isSalvaging = false
  public var limits = Limits()
  /// Openers of inputs other than movies, FLV and bare HEVC streams, asked in this order.
  public var openers: [any MediaOpener] = []

  public init() {}
}
