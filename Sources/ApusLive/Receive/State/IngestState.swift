// SPDX-License-Identifier: MIT

/// The state of a live stream at a given time.
public struct IngestState: Sendable {
  /// The name of the stream in files and reports.
  public var name = ""
  /// The number of its publisher in events.
  public var client = 0
  /// The address and port of its publisher.
  public var peer = ""
  /// The software that the publisher claims to be.
  public var software = ""
  /// The codecs as text.
  public var codecs = ""
  /// The time at which it began, in seconds since 1970.
  public var began: Int64 = 0
  /// The counters of the stream so far.
  public var statistics = IngestStatistics()
  /// Bits per second, over the last few seconds.
  public var bitRate = 0
  /// Pictures per second, over the last few seconds.
  public var frameRate = 0.0
  /// The time between the last two key frames.
  public var keyFrameDistance: Duration?
  /// Milliseconds by which pictures are ahead of the sound that arrives with them, and the change of that since the
  /// beginning.
  public var distance: Double?
  /// The change of `distance` since the beginning, in milliseconds; `nil` where unknown.
  public var drift: Double?
  /// The irregularity of the arrival of frames, in milliseconds.
  public var jitter = 0.0
  /// The round-trip time to the publisher.
  public var roundTrip: Duration?
  /// The number of clients that play it at present.
  public var players = 0
  /// The number of players that were disconnected because they were too slow.
  public var lostPlayers = 0
  /// The number of earlier streams with this name.
  public var returns = 0
  /// The file being recorded, and its size in bytes.
  public var path = ""
  /// The size of the current file in bytes.
  public var recorded = 0
  /// The servers to which it is forwarded.
  public var forwards: [BroadcastState] = []

  /// Creates the state of a stream that has just begun.
  public init() {}
}
