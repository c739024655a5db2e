// SPDX-License-Identifier: MIT

internal import ApusMedia
public import FLV
public import RTMP

/// Instructions from a publisher to the owner of the sockets, in this order. Connections are distinguished by numbers.
enum PublishAction: Sendable {
  case open(Int, ClientConfiguration)
  case send(Int, [OutgoingTag])
  /// Send what is left, then the closing messages, and close.
  case end(Int)
  case abort(Int)
  case report(PublishEvent)
  /// Nothing more will come.
  case finish(MediaError?)
}

/// Events of a connection.
enum LinkInput: Sendable {
  /// The server accepts the stream.
  case running(ServerFacts)
  case status(Status)
  case moveTo(Address, isNow: Bool)
  /// The connection ended, for this reason; `nil` if it was asked to end.
  case ended(String?, isFinal: Bool)
}

/// Events for a user or a program.
public enum PublishEvent: Sendable {
  /// - Parameter attempt: 1 for the first after the last success.
  case connecting(Address, attempt: Int)
  /// The server accepts the stream, from this time of it on.
  case publishing(Address, HEVCDialect?, from: Duration)
  /// A connection other than RTMP is being opened, or waited for; given by its name.
  ///
  /// - Parameter attempt: 1 for the first after the last success.
  case opening(String, attempt: Int)
  /// Such a connection accepts the stream, from this time of it on.
  case sending(String, from: Duration)
  /// The connection was lost; the time until the next attempt.
  case lost(String, retryAfter: Duration)
  /// The server redirected the stream to another address.
  case moving(Address)
  /// Parameter sets changed, at this time of the stream.
  case configuration(Duration)
  case dropped(Drop)
  case status(Status)
  case warning(String)
  case ended(PublishStatistics)
}

/// Counters of a stream so far.
public struct PublishStatistics: Hashable, Sendable {
  /// The duration of the stream that was sent.
  public var time: Duration = .zero
  /// The number of samples sent.
  public var samples = 0
  /// The payload sent, in bytes, without the overhead of the protocol.
  public var bytes = 0
  /// The number of samples that were dropped, by kind.
  public var drops: [Drop.Kind: Int] = [:]
  /// The size of all dropped samples, in bytes.
  public var droppedBytes = 0
  /// The number of times that a connection was lost.
  public var losses = 0
  /// The size of what waits in the queue, in bytes.
  public var queuedBytes = 0
  /// The duration of the stream that waits in the queue.
  public var queuedTime: Duration = .zero

  /// The number of samples that were dropped, of all kinds.
  public var dropped: Int { drops.values.reduce(0, +) }

  /// Creates counters at zero.
  public init() {}
}
