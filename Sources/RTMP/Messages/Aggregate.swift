// SPDX-License-Identifier: MIT

public import ApusBytes
internal import FLV

/// A message that holds others as FLV tags, each with the size of the tag after it: RTMP 1.0, 7.1.6.
public enum Aggregate {
  /// Returns the messages inside. Their times are shifted so that the first has the time of the whole.
  public static func messages(in whole: Message) throws(SyntaxError) -> [Message] {
    var reader = SyntaxReader(MemorySource(whole.payload))
    var messages: [Message] = []
    var shift: UInt32?
    while reader.remaining > 0 {
      var header = TagHeader()
      try header.syntax(&reader)
      var payload: [UInt8] = []
      try reader.bytes("data", &payload, count: Int(header.dataSize))
      // Some writers omit the last size.
      if reader.remaining > 0 {
        var size: UInt32 = 0
        try reader.u(32, "back_pointer", &size)
      }
      let moved = shift ?? (whole.timestamp &- header.timestamp)
      shift = moved
      guard header.type.rawValue != MessageType.aggregate.rawValue else { continue }
      messages.append(
        Message(
          MessageType(rawValue: header.type.rawValue), timestamp: header.timestamp &+ moved,
          streamID: whole.streamID, payload: payload))
    }
    return messages
  }
}
