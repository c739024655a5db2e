// SPDX-License-Identifier: MIT

public import ApusBytes

/// Writes a file: its header, tags in order, and the size after each. Throws for anything that would make the file
/// invalid: data beyond 24 bits, times before 0, times that decrease.
public struct FLVWriter<Sink: ByteSink> {
  /// The destination, with the bytes written so far.
  public private(set) var sink: Sink
  /// The last time of pictures and of sound.
  private var last: (video: Int64, audio: Int64) = (0, 0)
  /// Memory for the bytes before and after the data of a tag.
  private var spare: [UInt8] = []

  /// Writes the header and the first `PreviousTagSize` to a sink.
  public init(_ sink: Sink, header: FLVHeader = FLVHeader()) throws(SyntaxError) {
    var writer = SyntaxWriter(sink)
    var header = header
    try header.syntax(&writer)
    var size: UInt32 = 0
    try writer.u(32, "PreviousTagSize", &size)
    self.sink = writer.sink
  }

  /// Passes on buffered bytes, if the sink buffers them.
  public mutating func passOn() throws(SyntaxError) { try sink.passOn() }

  /// Writes a tag, and the size after it.
  public mutating func append(_ tag: OutgoingTag) throws(SyntaxError) {
    let header = try tag.header()
    if tag.type.isMedia {
      let before = tag.type == .video ? last.video : last.audio
      guard tag.time >= before else {
        throw SyntaxError(
          .misuse, field: "Timestamp", offset: sink.count,
          detail: "of \(tag.time) ms comes before one of \(before) ms that was written already")
      }
      if tag.type == .video { last.video = tag.time } else { last.audio = tag.time }
    }
    var frame: [UInt8] = []
    swap(&frame, &spare)
    header.append(to: &frame)
    try sink.append(frame.span)
    try sink.append(tag.head.span)
    if tag.payload.count > 0 { try sink.append(tag.payload) }
    frame.removeAll(keepingCapacity: true)
    TagHeader.append32(header.tagSize, to: &frame)
    try sink.append(frame.span)
    frame.removeAll(keepingCapacity: true)
    swap(&frame, &spare)
  }
}
