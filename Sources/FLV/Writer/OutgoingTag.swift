// SPDX-License-Identifier: MIT

public import ApusBytes

/// A tag to be written, or an RTMP message to be sent: the bytes before the payload are in memory, the payload stays in
/// its source.
public struct OutgoingTag: Sendable {
  /// The type of the tag.
  public var type: TagType
  /// Milliseconds, never decreasing, of which 32 bits are written.
  public var time: Int64
  /// The first bytes of the data, in memory.
  public var head: [UInt8]
  /// The rest of the data, which stays in its source.
  public var payload: Extent
  /// Whether a receiver can begin here.
  public var isKey = false
  /// Whether it is a configuration, metadata or an end rather than a frame.
  public var isSetup = false

  /// Creates a tag that is neither a key frame nor a configuration.
  ///
  /// - Parameter time: the time in milliseconds.
  public init(_ type: TagType, time: Int64, head: [UInt8], payload: Extent = Extent()) {
    self.type = type
    self.time = time
    self.head = head
    self.payload = payload
  }

  /// The size of the data in bytes.
  public var count: Int { head.count + payload.count }

  /// Returns the header of the tag; throws if the data exceed what a tag can hold.
  public func header() throws(SyntaxError) -> TagHeader {
    try TagHeader(type, dataSize: count, timestamp: UInt32(truncatingIfNeeded: time))
  }

  init(_ tag: VideoTag, time: Int64, payload: Extent = Extent()) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    var tag = tag
    try tag.syntax(&writer)
    self.init(.video, time: time, head: writer.sink.bytes, payload: payload)
  }

  init(_ tag: AudioTag, time: Int64, payload: Extent = Extent()) throws(SyntaxError) {
    var writer = SyntaxWriter(ArraySink())
    var tag = tag
    try tag.syntax(&writer)
    self.init(.audio, time: time, head: writer.sink.bytes, payload: payload)
  }

  init(_ message: AMFMessage, time: Int64) throws(SyntaxError) {
    self.init(.script, time: time, head: try message.bytes())
    isSetup = true
  }
}
