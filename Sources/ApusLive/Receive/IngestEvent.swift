// SPDX-License-Identifier: MIT

/// Events of an ingest server: the client concerned, and what happened. They contain no keys.
public enum IngestEvent: Sendable {
  case listening(host: String, port: UInt16)
  case connected(client: Int, peer: String)
  /// A stream begins; `name` is its name in files and reports.
  case publishing(client: Int, name: String, path: String, software: String)
  /// The format of the first media: codecs as text, such as `HEVC (enhanced)`.
  case format(client: Int, String)
  case playing(client: Int, name: String)
  case warning(client: Int, String)
  /// A stream cannot be recorded, or not any further; what was recorded is kept. The stream is ended, unless it has
  /// other receivers and the reason may be temporary, such as a full disk: then another file is begun after a while.
  case failed(client: Int, name: String, reason: String)
  /// A stream ended, properly or not.
  case ended(client: Int, name: String, statistics: IngestStatistics, error: String?)
  /// The recording of a stream continues in another file.
  case part(client: Int, name: String, path: String)
  /// A finished part was removed, because it exceeded the limits.
  case removed(name: String, path: String)
  /// A recording has its final form.
  case written(name: String, path: String, bytes: Int)
  /// A recording is kept in the form in which it was made.
  case unfinished(name: String, path: String, reason: String)
  /// A client published nothing that could be recorded, so that its recording was removed; a file that it would have
  /// replaced is kept.
  case empty(name: String, path: String, isOldThere: Bool)
  /// An event of a stream that is forwarded to another server.
  case forward(name: String, target: Int, PublishEvent)
  /// A stream is no longer forwarded to that server.
  case forwardFailed(name: String, target: Int, reason: String)
  /// The HLS presentation of a stream stopped, or pauses until the cause has gone; its recording continues.
  case presentationFailed(name: String, reason: String)
  /// The stream is presented again.
  case presentationResumed(name: String)
  /// A client was turned away, or disconnected before it published or played.
  case refused(client: Int, reason: String)
}

/// Counters of a received stream.
public struct IngestStatistics: Hashable, Sendable {
  /// The number of FLV tags of media and metadata.
  public var tags = 0
  /// The size of their data in bytes.
  public var bytes = 0
  /// The duration of the stream.
  public var duration: Duration = .zero
  /// The time from the first byte to the last.
  public var time: Duration = .zero

  /// Creates counters at zero.
  public init() {}
}
