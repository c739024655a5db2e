// SPDX-License-Identifier: MIT

/// The reader's state of one chunk stream: the last header, and the incomplete message.
struct ChunkStream: Sendable {
  let id: UInt32
  /// The absolute timestamp of the current or last message.
  var timestamp: UInt32 = 0
  /// The time in the last header that had one: it is added when a continued chunk begins a message.
  var field: UInt32 = 0
  /// Whether that time was in a separate field.
  var isExtended = false
  var length = 0
  var type = MessageType(rawValue: 0)
  var messageStreamID: UInt32 = 0

  /// Whether a message is incomplete.
  var isOpen = false
  var payload: [UInt8] = []
  /// The number of bytes of the message that were received and skipped; `nil` if they are kept.
  var passedOver: Int?

  /// The number of bytes of the message that were received.
  var received: Int { passedOver ?? payload.count }

  /// Appends bytes, growing by what has come and never by the declared length.
  mutating func append(_ bytes: Span<UInt8>) {
    if let passedOver {
      self.passedOver = passedOver + bytes.count
      return
    }
    let needed = payload.count + bytes.count
    if needed > payload.capacity { payload.reserveCapacity(min(length, max(4096, 2 * needed))) }
    unsafe bytes.withUnsafeBufferPointer { unsafe payload.append(contentsOf: $0) }
  }

  /// Returns the whole message; the next one begins empty.
  mutating func take() -> Message {
    isOpen = false
    var whole: [UInt8] = []
    swap(&whole, &payload)
    return Message(type, timestamp: timestamp, streamID: messageStreamID, payload: whole)
  }
}
