// SPDX-License-Identifier: MIT

public import Flow

/// A sample, or a change of format, on its way to the network.
public struct QueuedEvent: Sendable {
  public var event: SourceEvent
  /// What hangs on it; `nil` for sound and for changes of format, which are never left out for want of speed.
  public var picture: PictureRole?
  /// The decoding time in nanoseconds of the stream.
  public var time: Int64
  public var bytes: Int
  /// What other connections have made of it.
  var shared: SharedTags?
  /// Whether pictures before it, which it does not need, were left out.
  public internal(set) var followsGap = false

  public init(
    _ event: SourceEvent, picture: PictureRole? = nil, time: Int64, bytes: Int,
    shared: SharedTags? = nil
  ) {
    self.event = event
    self.picture = picture
    self.time = time
    self.bytes = bytes
    self.shared = shared
  }

  var isSample: Bool { if case .sample = event { true } else { false } }
  /// The track of a sample.
  var track: Int? { if case .sample(let sample) = event { sample.track } else { nil } }
  var isRandomAccess: Bool { picture?.kind == .randomAccess }
}
