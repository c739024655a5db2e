// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles

/// The size that precedes each message between processes.
enum MessageSize {
  /// The number of bytes that it takes.
  static let bytes = 4
  /// One that is larger was not sent by this program.
  static let largest = 16 << 20

  /// - Parameter bytes: those of the size, and maybe others after them.
  static func size(_ bytes: [UInt8]) -> Int {
    Int(bigEndianBytes: bytes.prefix(Self.bytes))
  }
}

extension SyntaxStructure {
  /// Sends it as a message.
  func send(to descriptor: Int32, name: String) throws {
    let writer = DescriptorWriter(descriptor, name: name)
    try send(to: writer)
    try writer.flush()
  }

  func send(to writer: DescriptorWriter) throws {
    var message = self
    var body = SyntaxWriter(ArraySink())
    try message.syntax(&body)
    var size = UInt32(clamping: body.sink.count)
    var header = SyntaxWriter(ArraySink())
    try header.u(32, "size", &size)
    try writer.write((header.sink.bytes + body.sink.bytes).span)
  }
}
