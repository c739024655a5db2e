// SPDX-License-Identifier: MIT

/// What an ingest server tells: of which client, and what became of it. No key is in any of it.
public enum IngestEvent: Sendable {
  case listening(host: String, port: UInt16)
  case connected(client: Int, peer: String)
  /// A stream begins; `name` is what files and reports call it.
  case publishing(client: Int, name: String, path: String, software: String)
  /// What came first: codecs as text, such as `HEVC (enhanced)`.
  case format(client: Int, String)
  case playing(client: Int, name: String)
  case warning(client: Int, String)
  /// A stream cannot be recorded, or no further; what there is of it stays. It is ended, unless others get it and the
  /// reason may pass, as that a disk is full: then another file is begun after a while.
  case failed(client: Int, name: String, reason: String)
  /// A stream ended, in order or not.
  case ended(client: Int, name: String, statistics: IngestStatistics, error: String?)
  /// The recording of a stream continues in another file.
  case part(client: Int, name: String, path: String)
  /// A finished part was removed, because no more of them stay.
  case removed(name: String, path: String)
  /// A recording has its final form.
  case written(name: String, path: String, bytes: Int)
  /// A recording stays in the form in which it was made.
  case unfinished(name: String, path: String, reason: String)
  /// A client published nothing that could be recorded, so that its recording was removed; a file that it would have
  /// replaced stays.
  case empty(name: String, path: String, isOldThere: Bool)
  /// What becomes of a stream on its way to another server.
  case forward(name: String, target: Int, PublishEvent)
  /// A stream is passed on to that server no longer.
  case forwardFailed(name: String, target: Int, reason: String)
  /// The HLS presentation of a stream stopped, or pauses until the reason has passed; its recording continues.
  case presentationFailed(name: String, reason: String)
  /// It is presented again.
  case presentationResumed(name: String)
  /// A client was turned away, or lost before it published or played.
  case refused(client: Int, reason: String)
}

public struct IngestStatistics: Hashable, Sendable {
  public var tags = 0
  public var bytes = 0
  /// Milliseconds of the stream.
  public var duration: Int64 = 0
  /// Nanoseconds from the first byte to the last.
  public var time: Int64 = 0

  public init() {}
}
