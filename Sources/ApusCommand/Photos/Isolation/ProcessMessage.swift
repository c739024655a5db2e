// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusJSON

/// A message between processes of this program: JSON after its size, which takes four bytes.
protocol ProcessMessage: Codable, Sendable {}

/// The size that precedes each message.
enum MessageSize {
  /// The number of bytes that it takes.
  static let bytes = 4
  /// The maximum size; a larger message was not sent by this program.
  static let largest = 16 << 20

  /// - Parameter bytes: the bytes of the size, and maybe others after them.
  static func size(_ bytes: [UInt8]) -> Int {
    Int(bigEndianBytes: bytes.prefix(Self.bytes))
  }
}

extension ProcessMessage {
  /// - Parameter bytes: the message without its size.
  init(message bytes: [UInt8]) throws {
    try self.init(from: MessageDecoder(json: JSONReader.value(of: bytes)))
  }

  func send(to descriptor: Int32, name: String) throws {
    let writer = DescriptorWriter(descriptor, name: name)
    try send(to: writer)
    try writer.flush()
  }

  func send(to writer: DescriptorWriter) throws {
    var body: [UInt8] = []
    try MessageEncoder.json(of: self).append(to: &body)
    var size = UInt32(clamping: body.count)
    var header = SyntaxWriter(ArraySink())
    try header.u(32, "size", &size)
    try writer.write((header.sink.bytes + body).span)
  }
}

extension JSONValue {
  fileprivate func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .truth(let truth): bytes += "\(truth)".utf8
    case .number(let digits): bytes += digits.utf8
    case .text(let text): Self.append(text, to: &bytes)
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
        element.append(to: &bytes)
      }
      bytes += (elements.isEmpty ? "[]" : "]").utf8
    case .object(let members):
      for (index, member) in members.enumerated() {
        bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
        Self.append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes += (members.isEmpty ? "{}" : "}").utf8
    }
  }

  /// Appends a text unchanged, with the characters for file names that are not UTF-8.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: bytes += "\\u\(byte.hexadecimal(width: 4))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
