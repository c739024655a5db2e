// SPDX-License-Identifier: MIT

/// Bounds on what the chunks of one connection may cost.
public struct ChunkLimits: Hashable, Sendable {
  /// Bytes of an audio, video or aggregate message; 2²⁴ − 1 is all that the field can say.
  public var media = 0xff_ffff
  /// Bytes of a command, data or unknown message.
  public var command = 1 << 20
  /// Bytes of a protocol control or user control message.
  public var control = 1 << 12
  /// The same while the peer may send nothing but commands. Memory grows by doubling, so this is no more than 1 MiB.
  public var pendingCommands = 1 << 19
  /// How many chunk streams a peer may open; publishers use five.
  public var streams = 64
  /// Bytes of messages that have begun and not ended, over all chunk streams.
  public var pending = 32 << 20
  /// The largest chunk that is believed; a peer that announces more sends messages in one chunk.
  public var chunkSize = 0xff_ffff
  /// How many chunks may carry fewer than `shortChunk` bytes and leave their message unfinished: a peer
  /// that announces a chunk size of 1 makes the reader work three hundred times as hard as it does.
  public var shortChunks = 1 << 16
  public var shortChunk = 16

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
