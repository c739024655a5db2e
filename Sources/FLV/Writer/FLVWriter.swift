// SPDX-License-Identifier: MIT

public import Bytes

/// Writes a file: its header, tags in order, and the size after each. What would make a bad file is
/// refused: data beyond 24 bits, times before 0, times that fall.
public struct FLVWriter<Sink: ByteSink> {
  public private(set) var sink: Sink
  /// The last time of each type.
  private var last: [TagType: Int64] = [:]

  public init(_ sink: Sink, header: FLVHeader = FLVHeader()) throws(SyntaxError) {
    var writer = SyntaxWriter(sink)
    var header = header
    try header.syntax(&writer)
    var size: UInt32 = 0
    try writer.u(32, "PreviousTagSize", &size)
    self.sink = writer.sink
  }

  /// Hands on what was written, where the sink gathers it.
  public mutating func passOn() throws(SyntaxError) { try sink.passOn() }

  public mutating func append(_ tag: OutgoingTag) throws(SyntaxError) {
    let header = try tag.header()
    if tag.type.isMedia {
      let before = last[tag.type] ?? 0
      guard tag.time >= before else {
        throw SyntaxError(
          .misuse, field: "Timestamp", offset: sink.count,
          detail: "of \(tag.time) ms stands before one of \(before) ms that was written already")
      }
      last[tag.type] = tag.time
    }
    var head: [UInt8] = []
    head.reserveCapacity(TagHeader.size + tag.head.count)
    header.append(to: &head)
    head += tag.head
    try sink.append(head.span)
    try sink.append(tag.payload)
    var size: [UInt8] = []
    TagHeader.append32(header.tagSize, to: &size)
    try sink.append(size.span)
  }
}
