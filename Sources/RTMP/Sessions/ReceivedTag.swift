// SPDX-License-Identifier: MIT

internal import ApusBytes
public import FLV

/// Audio, video or script data received over a connection, as a tag of a file would hold it.
public struct ReceivedTag: Hashable, Sendable {
  /// The type of the tag: audio, video or script.
  public var type: TagType
  /// The timestamp as sent.
  public var timestamp: UInt32
  /// The time in milliseconds, unaffected by the wraps of 24, 31 or 32 bits.
  public var time: Int64
  /// The data of the tag, without `@setDataFrame` before metadata.
  public var data: [UInt8]

  /// `@setDataFrame`, which makes a server keep the metadata that follow, and is not stored in files.
  static let setDataFrame: [UInt8] = [2, 0, 13] + Array("@setDataFrame".utf8)
  static let onMetaData: [UInt8] = [2, 0, 10] + Array("onMetaData".utf8)
  private static let clearDataFrame: [UInt8] = [2, 0, 15] + Array("@clearDataFrame".utf8)
  private static let sampleAccess: [UInt8] = [2, 0, 17] + Array("|RtmpSampleAccess".utf8)
  private static let onStatus: [UInt8] = [2, 0, 8] + Array("onStatus".utf8)

  /// Returns `nil` for other messages, and for data messages about the connection.
  init?(_ message: Message, clock: inout TagClock) {
    var data = message.payload
    let type: TagType
    switch message.type {
    case .audio: type = .audio
    case .video: type = .video
    case .data, .dataAMF3:
      type = .script
      if message.type == .dataAMF3, data.first == 0 { data.removeFirst() }
      if data.starts(with: Self.setDataFrame) { data.removeFirst(Self.setDataFrame.count) }
      let about = [Self.clearDataFrame, Self.sampleAccess, Self.onStatus]
      if about.contains(where: { data.starts(with: $0) }) { return nil }
    default: return nil
    }
    self.type = type
    self.data = data
    timestamp = message.timestamp
    time = clock.time(of: message.timestamp, isScript: type == .script)
  }
}
