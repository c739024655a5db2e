// SPDX-License-Identifier: MIT

/// How a live stream is doing at a moment.
public struct IngestState: Sendable {
  /// What files and reports call it.
  public var name = ""
  public var client = 0
  /// The address and port of its publisher.
  public var peer = ""
  /// What the publisher says that it is.
  public var software = ""
  /// Codecs as text.
  public var codecs = ""
  /// When it began, in seconds since 1970.
  public var began: Int64 = 0
  public var statistics = IngestStatistics()
  /// Bits a second, over the last seconds.
  public var bitRate = 0
  /// Pictures a second, over the last seconds.
  public var frameRate = 0.0
  /// Milliseconds of the stream between the last two key frames.
  public var keyFrameDistance: Int64?
  /// Milliseconds by which pictures are ahead of the sound that comes with them, and how much that has changed.
  public var distance: Double?
  public var drift: Double?
  /// How unevenly frames come, in milliseconds.
  public var jitter = 0.0
  /// Microseconds to the publisher and back.
  public var roundTrip: Int64?
  public var players = 0
  /// Players that were disconnected because they did not keep up.
  public var lostPlayers = 0
  /// How many times a stream of this name has come before.
  public var returns = 0
  /// The file that is recorded now, and its size in bytes.
  public var path = ""
  public var recorded = 0
  /// The servers that it is passed on to.
  public var forwards: [BroadcastState] = []

  public init() {}
}
