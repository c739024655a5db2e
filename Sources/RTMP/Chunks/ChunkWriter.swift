// SPDX-License-Identifier: MIT

public import ApusBytes

/// Divides messages into chunks (RTMP 1.0, 5.3), in the forms that every known reader accepts.
///
/// The first message of a chunk stream, and one whose time decreases or whose message stream differs, gets a full
/// header. No message begins with a continued chunk, because readers disagree on its time.
public struct ChunkWriter: Sendable {
  /// The number of payload bytes in a chunk; `Set Chunk Size` must be sent to the peer first.
  public var chunkSize = 128

  private struct Last {
    var header: ChunkHeader
    var time: UInt32
  }

  /// The last message on each chunk stream, of which there are few.
  private var last: [Last] = []

  /// Creates a writer for the bytes after the handshake.
  public init() {}

  /// Appends a message whose payload is in two places, which it copies once.
  public mutating func append(
    _ type: MessageType, on chunkStreamID: UInt32, streamID: UInt32, timestamp: UInt32,
    head: [UInt8], payload: Extent = Extent(), to output: inout [UInt8]
  ) throws(SyntaxError) {
    let count = head.count + payload.count
    guard count <= 0xff_ffff else {
      throw SyntaxError(
        .misuse, field: "message_length",
        detail: "of \(count) is beyond the 16777215 bytes that a message can hold")
    }
    let header = header(
      type, on: chunkStreamID, streamID: streamID, timestamp: timestamp, length: UInt32(count))
    let chunks = count / chunkSize + 1
    Self.reserve(count + 18 + chunks * 7, in: &output)
    header.append(to: &output)
    var left = min(count, chunkSize)
    var rest = count
    try head.withPieces { piece throws(SyntaxError) in
      cut(piece, header, &left, &rest, &output)
    }
    try payload.forEachPiece { piece throws(SyntaxError) in
      cut(piece, header, &left, &rest, &output)
    }
  }

  /// Appends payload, with a header for each chunk after the first.
  private func cut(
    _ piece: Span<UInt8>, _ header: ChunkHeader, _ left: inout Int, _ rest: inout Int,
    _ output: inout [UInt8]
  ) {
    var start = 0
    while start < piece.count {
      if left == 0 {
        header.appendContinuation(to: &output)
        left = min(chunkSize, rest)
      }
      let size = min(left, piece.count - start)
      unsafe piece.extracting(start..<start + size).withUnsafeBufferPointer {
        unsafe output.append(contentsOf: $0)
      }
      start += size
      left -= size
      rest -= size
    }
  }

  private mutating func header(
    _ type: MessageType, on id: UInt32, streamID: UInt32, timestamp: UInt32, length: UInt32
  ) -> ChunkHeader {
    var header = ChunkHeader()
    header.chunkStreamID = id
    header.timestamp = timestamp
    header.messageLength = length
    header.messageType = type.rawValue
    header.messageStreamID = streamID
    let place = last.firstIndex { $0.header.chunkStreamID == id }
    if let before = place.map({ last[$0] }), before.header.messageStreamID == streamID,
      Int32(bitPattern: timestamp &- before.time) >= 0
    {
      header.timestamp = timestamp &- before.time
      let isAlike =
        before.header.messageLength == length && before.header.messageType == type.rawValue
      header.form = isAlike ? .sameLength : .sameStream
    }
    if header.timestamp >= ChunkHeader.escape { header.extendedTimestamp = header.timestamp }
    let now = Last(header: header, time: timestamp)
    if let place { last[place] = now } else { last.append(now) }
    return header
  }

  /// Grows at least twofold, so that a batch of messages is not moved for each of them.
  private static func reserve(_ more: Int, in output: inout [UInt8]) {
    let needed = output.count + more
    if needed > output.capacity { output.reserveCapacity(max(needed, 2 * output.capacity)) }
  }
}

extension [UInt8] {
  fileprivate func withPieces(_ body: (Span<UInt8>) throws(SyntaxError) -> Void)
    throws(SyntaxError)
  {
    try body(span)
  }
}
