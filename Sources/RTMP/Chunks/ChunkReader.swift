// SPDX-License-Identifier: MIT

public import ApusBytes

/// Assembles messages from chunks (RTMP 1.0, 5.3), however the bytes are divided.
///
/// Payload is copied once, from the input into its message. The reader obeys the two messages about chunks, `Set Chunk
/// Size` and `Abort Message`, before it returns them.
public struct ChunkReader: Sendable {
  /// The number of payload bytes in a chunk, as the peer declared it; 128 at first.
  public private(set) var chunkSize = 128
  /// The number of messages that were discarded because the next began before they ended.
  public private(set) var discarded = 0
  /// The number of bytes read, including headers.
  public private(set) var count = 0

  /// Whether messages with sound and pictures are read. Otherwise they are skipped without being kept, and all other
  /// messages together are limited to a small size.
  public var takesMedia = true {
    didSet {
      guard !takesMedia else { return }
      for place in streams.indices where streams[place].isOpen && streams[place].type.isMedia {
        guard streams[place].passedOver == nil else { continue }
        streams[place].passedOver = streams[place].payload.count
        pending -= streams[place].payload.count
        streams[place].payload = []
      }
    }
  }
  /// The number of bytes of incomplete messages.
  public private(set) var pending = 0

  let limits: ChunkLimits
  private var streams: [ChunkStream] = []
  private var shortChunks = 0
  /// The stream to which the next payload belongs, and the number of bytes until the next header.
  private var current = 0
  private var chunkLeft = 0
  /// The offset of its header for errors, however the bytes are divided.
  private var chunkStart = 0
  /// The beginning of a header that was cut by the end of the last input.
  private var rest: [UInt8] = []

  /// More bytes than any header has.
  private static let ahead = 32

  /// Creates a reader for the bytes after the handshake.
  public init(limits: ChunkLimits = ChunkLimits()) { self.limits = limits }

  private enum Step {
    case starved
    case advanced
    case message(Message)
  }

  /// Returns the next whole message of the input from `position` on; `nil` when the input is used up.
  public mutating func next(_ bytes: Span<UInt8>, from position: inout Int) throws(SyntaxError)
    -> Message?
  {
    while true {
      if rest.isEmpty {
        guard position < bytes.count else { return nil }
        let start = position
        let step = try advance(bytes, &position)
        count &+= position - start
        if case .message(let message) = step { return message }
        if case .starved = step {
          rest = (position..<bytes.count).map { bytes[$0] }
          count &+= rest.count
          position = bytes.count
          return nil
        }
      } else {
        switch try joined(bytes, &position) {
        case .message(let message): return message
        case .starved: return nil
        case .advanced: continue
        }
      }
    }
  }

  /// Takes one step over the cut header and enough of the input to complete any header.
  private mutating func joined(_ bytes: Span<UInt8>, _ position: inout Int) throws(SyntaxError)
    -> Step
  {
    let end = min(position + Self.ahead, bytes.count)
    let both = rest + (position..<end).map { bytes[$0] }
    var place = 0
    let step = try advance(both.span, &place)
    if case .starved = step {
      count &+= end - position
      rest = both
      position = end
    } else if place >= rest.count {
      count &+= place - rest.count
      position += place - rest.count
      rest = []
    } else {
      // The field was taken for a time but turned out to be payload.
      rest.removeFirst(place)
    }
    return step
  }

  /// Reads one header, or payload up to the end of its chunk or of the input.
  private mutating func advance(_ bytes: Span<UInt8>, _ position: inout Int) throws(SyntaxError)
    -> Step
  {
    if chunkLeft == 0 {
      chunkStart = count - rest.count
      guard let header = try FastChunkHeader(bytes, at: position, reader: self) else {
        return .starved
      }
      position += header.size
      try begin(header)
    } else {
      let piece = min(chunkLeft, bytes.count - position)
      if streams[current].passedOver == nil {
        let most = takesMedia ? limits.pending : limits.pendingCommands
        guard pending + piece <= most else {
          throw failure(
            .limit, "messages", "that have begun hold more than the limit of \(most) bytes")
        }
        pending += piece
      }
      streams[current].append(bytes.extracting(position..<position + piece))
      chunkLeft -= piece
      position += piece
    }
    guard chunkLeft == 0, streams[current].received == streams[current].length else {
      return .advanced
    }
    guard streams[current].passedOver == nil else {
      streams[current].isOpen = false
      streams[current].passedOver = nil
      return .advanced
    }
    pending -= streams[current].length
    let message = streams[current].take()
    try obey(message)
    return .message(message)
  }

  /// Begins the chunk whose header was read.
  private mutating func begin(_ header: FastChunkHeader) throws(SyntaxError) {
    current = try place(of: header)
    let wasOpen = streams[current].isOpen
    if !wasOpen || !header.continues(streams[current]) {
      if wasOpen {
        discarded += 1
        pending -= streams[current].payload.count
        streams[current].payload = []
      }
      header.begin(&streams[current])
      streams[current].passedOver = takesMedia || !streams[current].type.isMedia ? nil : 0
      let stream = streams[current]
      guard stream.length <= limits.length(of: stream.type) else {
        throw failure(
          .limit, "message_length",
          "is \(stream.length) for a message of type \(stream.type.rawValue), the limit is "
            + "\(limits.length(of: stream.type))")
      }
    }
    let left = streams[current].length - streams[current].received
    chunkLeft = min(chunkSize, left)
    if chunkLeft < left, chunkLeft < limits.shortChunk {
      shortChunks += 1
      guard shortChunks <= limits.shortChunks else {
        throw failure(
          .limit, "chunk_size",
          "of \(chunkSize) cuts messages into more than the limit of \(limits.shortChunks) pieces")
      }
    }
  }

  private mutating func place(of header: FastChunkHeader) throws(SyntaxError) -> Int {
    if let place = place(of: header.streamID) { return place }
    // librtmp opens a chunk stream without naming its message stream.
    guard header.form == .full || header.form == .sameStream else {
      throw failure(
        .invalid, "fmt",
        "is \(header.form.rawValue) in the first chunk of chunk stream \(header.streamID)")
    }
    guard streams.count < limits.streams else {
      throw failure(.limit, "cs_id", "is one of more than the limit of \(limits.streams)")
    }
    streams.append(ChunkStream(id: header.streamID))
    return streams.count - 1
  }

  /// Returns the index of a chunk stream; most chunks belong to the same one as the previous chunk.
  private func place(of id: UInt32) -> Int? {
    if current < streams.count, streams[current].id == id { return current }
    for place in streams.indices where streams[place].id == id { return place }
    return nil
  }

  /// Returns the time fields that a continued chunk of this stream may repeat; `nil` if it has none.
  func repeatedTimes(of id: UInt32) -> (UInt32, UInt32)? {
    guard let place = place(of: id), streams[place].isExtended else { return nil }
    return (streams[place].field, streams[place].timestamp)
  }

  /// Obeys the messages of RTMP 1.0, 5.4.1 and 5.4.2.
  private mutating func obey(_ message: Message) throws(SyntaxError) {
    guard message.type == .setChunkSize || message.type == .abort else { return }
    switch try ControlMessage(message) {
    case .setChunkSize(let size):
      guard size > 0, size <= Int32.max else {
        throw failure(.invalid, "chunk_size", "is \(size), allowed are 1 to 2147483647")
      }
      chunkSize = min(Int(size), limits.chunkSize)
    case .abort(let id):
      guard let place = place(of: id), streams[place].isOpen else { return }
      pending -= streams[place].payload.count
      streams[place].isOpen = false
      streams[place].payload = []
    default: break
    }
  }

  func failure(_ kind: SyntaxError.Kind, _ field: String, _ detail: String) -> SyntaxError {
    SyntaxError(kind, field: field, path: "chunks", offset: chunkStart, detail: detail)
  }
}
