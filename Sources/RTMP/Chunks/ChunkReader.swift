// SPDX-License-Identifier: MIT

public import Bytes

/// Makes messages of chunks (RTMP 1.0, 5.3), whatever way the bytes are cut.
///
/// Payload is copied once, from the input into its message. The reader obeys the two messages that are about
/// chunks, `Set Chunk Size` and `Abort Message`, before it hands them over.
public struct ChunkReader: Sendable {
  public private(set) var chunkSize = 128
  /// Messages that were given up because the next began before they ended.
  public private(set) var discarded = 0
  /// Bytes taken, headers included.
  public private(set) var count = 0

  /// Whether messages with sound and pictures are read. While they are not, they are passed over and nothing of them
  /// is held, and all other messages together hold little.
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
  /// Bytes of messages that have begun and not ended.
  public private(set) var pending = 0

  let limits: ChunkLimits
  private var streams: [ChunkStream] = []
  private var shortChunks = 0
  /// The stream whose payload comes next, and how much of it until the next header.
  private var current = 0
  private var chunkLeft = 0
  /// The offset of its header, which errors name however the bytes were cut.
  private var chunkStart = 0
  /// The beginning of a header that the last input cut.
  private var rest: [UInt8] = []

  /// More than any header has.
  private static let ahead = 32

  public init(limits: ChunkLimits = ChunkLimits()) { self.limits = limits }

  private enum Step {
    case starved
    case advanced
    case message(Message)
  }

  /// The next whole message of the input from `position` on; `nil` when the input is used up.
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

  /// One step over the cut header and as much of the input as ends any header.
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
      // A time that turned out to be payload.
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
    // librtmp opens a stream without saying of which message stream it is.
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

  /// Returns the place of a chunk stream; most chunks are of the same one as the chunk before.
  private func place(of id: UInt32) -> Int? {
    if current < streams.count, streams[current].id == id { return current }
    for place in streams.indices where streams[place].id == id { return place }
    return nil
  }

  /// The time fields that a continued chunk of this stream may repeat; `nil` where it has none.
  func repeatedTimes(of id: UInt32) -> (UInt32, UInt32)? {
    guard let place = place(of: id), streams[place].isExtended else { return nil }
    return (streams[place].field, streams[place].timestamp)
  }

  /// RTMP 1.0, 5.4.1 and 5.4.2.
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
