// SPDX-License-Identifier: MIT

/// What the reader knows of one chunk stream: the last header, and the message that has begun.
struct ChunkStream: Sendable {
  let id: UInt32
  /// Absolute, of the message that has begun or was last.
  var timestamp: UInt32 = 0
  /// The time as the last header that had one gave it: what a continued chunk adds when it begins a message.
  var field: UInt32 = 0
  /// Whether that time had its own field.
  var isExtended = false
  var length = 0
  var type = MessageType(rawValue: 0)
  var messageStreamID: UInt32 = 0

  /// Whether a message has begun.
  var isOpen = false
  var payload: [UInt8] = []
  /// How many bytes of the message came and were not kept; `nil` where they are kept.
  var passedOver: Int?

  /// How many bytes of the message came.
  var received: Int { passedOver ?? payload.count }

  /// Appends, growing by what has come and never by what was announced.
  mutating func append(_ bytes: Span<UInt8>) {
    if let passedOver {
      self.passedOver = passedOver + bytes.count
      return
    }
    let needed = payload.count + bytes.count
    if needed > payload.capacity { payload.reserveCapacity(min(length, max(4096, 2 * needed))) }
    unsafe bytes.withUnsafeBufferPointer { unsafe payload.append(contentsOf: $0) }
  }

  /// The whole message; the next one begins empty.
  mutating func take() -> Message {
    isOpen = false
    var whole: [UInt8] = []
    swap(&whole, &payload)
    return Message(type, timestamp: timestamp, streamID: messageStreamID, payload: whole)
  }
}
