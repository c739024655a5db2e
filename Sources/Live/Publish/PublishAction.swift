// SPDX-License-Identifier: MIT

public import FLV
public import Media
public import RTMP

/// What a publisher asks of the owner of the sockets, in this order. Connections are distinguished by numbers.
public enum PublishAction: Sendable {
  case open(Int, ClientConfiguration)
  case send(Int, [OutgoingTag])
  /// Send what is left, say goodbye, close.
  case end(Int)
  case abort(Int)
  case report(PublishEvent)
  /// Nothing more will come.
  case finish(MediaError?)
}

/// What happened to a connection.
public enum LinkInput: Sendable {
  /// The server takes the stream.
  case running(ServerFacts)
  case status(Status)
  case moveTo(Address, isNow: Bool)
  /// The end of the connection, with its reason, which is `nil` for an end that was asked for.
  case ended(String?, isFinal: Bool)
}

/// What a person or a program wants to hear of.
public enum PublishEvent: Sendable {
  /// - Parameter attempt: 1 for the first since the last that succeeded.
  case connecting(Address, attempt: Int)
  /// The server takes the stream, from this time of it (milliseconds) on.
  case publishing(Address, HEVCDialect?, from: Int64)
  /// A connection that is no RTMP is made, or waited for, by its name.
  ///
  /// - Parameter attempt: 1 for the first since the last that succeeded.
  case opening(String, attempt: Int)
  /// Such a connection takes the stream, from this time of it (milliseconds) on.
  case sending(String, from: Int64)
  /// The connection is gone; nanoseconds until the next attempt.
  case lost(String, retryAfter: Int64)
  /// The server wants the stream elsewhere.
  case moving(Address)
  /// Parameter sets changed, at this time of the stream.
  case configuration(Int64)
  case dropped(Drop)
  case status(Status)
  case warning(String)
  case ended(PublishStatistics)
}

/// Counts of a stream so far.
public struct PublishStatistics: Hashable, Sendable {
  /// Milliseconds of stream that were sent.
  public var time: Int64 = 0
  public var samples = 0
  public var bytes = 0
  public var drops: [Drop.Kind: Int] = [:]
  public var droppedBytes = 0
  /// How many times a connection was lost.
  public var losses = 0
  public var queuedBytes = 0
  /// Milliseconds of stream that wait.
  public var queuedTime: Int64 = 0

  public var dropped: Int { drops.values.reduce(0, +) }

  public init() {}
}
