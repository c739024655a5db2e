// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A chunk header as the reader parses it, without a visitor, because a stream of small chunks has millions of them per
/// second.
struct FastChunkHeader {
  var form: ChunkForm
  var streamID: UInt32
  /// The number of bytes in the header.
  var size: Int
  var field: UInt32 = 0
  var isExtended = false
  var length = 0
  var type: UInt8 = 0
  var messageStreamID: UInt32 = 0

  /// Returns `nil` if the input ends before the header does.
  init?(_ bytes: Span<UInt8>, at start: Int, reader: borrowing ChunkReader) throws(SyntaxError) {
    let count = bytes.count - start
    guard count > 0 else { return nil }
    let first = bytes[start]
    form = ChunkForm(rawValue: first >> 6) ?? .full
    switch first & 0x3f {
    case 0:
      guard count > 1 else { return nil }
      streamID = UInt32(bytes[start + 1]) + 64
      size = 2
    case 1:
      guard count > 2 else { return nil }
      streamID = UInt32(UInt16(bigEndianBytes: bytes, at: start + 1, count: 2).byteSwapped) + 64
      size = 3
    default:
      streamID = UInt32(first & 0x3f)
      size = 1
    }
    if form == .continued {
      guard let times = reader.repeatedTimes(of: streamID) else { return }
      guard let isRepeated = Self.begins(bytes, at: start + size, with: times) else { return nil }
      if isRepeated { size += 4 }
      return
    }
    guard count >= size + form.size else { return nil }
    let place = start + size
    size += form.size
    field = UInt32(bigEndianBytes: bytes, at: place, count: 3)
    if form != .sameLength {
      length = Int(bigEndianBytes: bytes, at: place + 3, count: 3)
      type = bytes[place + 6]
    }
    if form == .full {
      messageStreamID = UInt32(bigEndianBytes: bytes, at: place + 7, count: 4).byteSwapped
    }
    if field == ChunkHeader.escape {
      guard count >= size + 4 else { return nil }
      isExtended = true
      field = UInt32(bigEndianBytes: bytes, at: start + size, count: 4)
      size += 4
    }
  }

  /// Returns whether one of two times follows; `nil` if the input ends before that is certain.
  ///
  /// RTMP 1.0 repeats the extended time in every chunk of its message. Old encoders do not, and some repeat the
  /// absolute time instead of the difference.
  private static func begins(_ bytes: Span<UInt8>, at start: Int, with times: (UInt32, UInt32))
    -> Bool?
  {
    var (isFirst, isSecond) = (true, true)
    for index in 0..<4 {
      guard start + index < bytes.count else { return nil }
      let shift = UInt32(24 - 8 * index)
      let byte = bytes[start + index]
      isFirst = isFirst && byte == UInt8(truncatingIfNeeded: times.0 >> shift)
      isSecond = isSecond && byte == UInt8(truncatingIfNeeded: times.1 >> shift)
      if !isFirst, !isSecond { return false }
    }
    return true
  }

  /// Returns whether the chunk belongs to the current message. Some encoders write a difference of time, and the same
  /// length again, where nothing should be.
  func continues(_ stream: ChunkStream) -> Bool {
    switch form {
    case .continued, .sameLength: true
    case .sameStream: length == stream.length && type == stream.type.rawValue
    case .full: false
    }
  }

  /// Begins a message.
  func begin(_ stream: inout ChunkStream) {
    if form != .continued {
      stream.field = field
      stream.isExtended = isExtended
    }
    if form == .full || form == .sameStream {
      stream.length = length
      stream.type = MessageType(rawValue: type)
    }
    if form == .full {
      stream.messageStreamID = messageStreamID
      stream.timestamp = field
    } else {
      // After a full header the difference is the time in that header: RTMP 1.0, 5.3.1.2.4.
      stream.timestamp &+= stream.field
    }
    stream.isOpen = true
  }
}
