// SPDX-License-Identifier: MIT

/// Limits on the resources that the chunks of one connection may use.
public struct ChunkLimits: Hashable, Sendable {
  /// The most bytes in an audio, video or aggregate message; 2²⁴ − 1 is the highest value of the field.
  public var media = 0xff_ffff
  /// The most bytes in a command, data or unknown message.
  public var command = 1 << 20
  /// The most bytes in a protocol control or user control message.
  public var control = 1 << 12
  /// The most bytes in a message while the peer may send only commands. Memory grows by doubling, so this needs no more
  /// than 1 MiB.
  public var pendingCommands = 1 << 19
  /// The most chunk streams that a peer may open; publishers use five.
  public var streams = 64
  /// The most bytes of incomplete messages, over all chunk streams.
  public var pending = 32 << 20
  /// The largest chunk size that is accepted; for a peer that declares more, each message is one chunk.
  public var chunkSize = 0xff_ffff
  /// The most chunks that may carry fewer than `shortChunk` bytes without finishing their message: a chunk size of 1
  /// makes reading three hundred times as expensive for us as for the peer.
  public var shortChunks = 1 << 16
  /// The number of payload bytes below which a chunk counts toward `shortChunks`.
  public var shortChunk = 16

  /// Creates limits that every known publisher and server observes.
  public init() {}

  func length(of type: MessageType) -> Int {
    switch type {
    case .audio, .video, .aggregate: media
    case .setChunkSize, .abort, .acknowledgement, .userControl, .windowAcknowledgementSize,
      .setPeerBandwidth:
      control
    default: command
    }
  }
}
