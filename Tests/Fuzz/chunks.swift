// SPDX-License-Identifier: MIT

import ApusBytes
import RTMP

/// Chunks give the same messages whole and in pieces, and messages that were read come back from chunks
/// that are written.
func fuzz(_ bytes: [UInt8]) throws {
  let size = Int(bytes.first ?? 0) % 40 + 1
  let input = Array(bytes.dropFirst())
  let (messages, failure) = Fuzz.messages(in: input, piece: input.count)
  let (others, other) = Fuzz.messages(in: input, piece: size)
  try expect(messages == others, "pieces of \(size) hold other messages than the whole")
  try expect(failure?.field == other?.field, "pieces of \(size) fail otherwise than the whole")

  var writer = ChunkWriter()
  writer.chunkSize = 128
  var output: [UInt8] = []
  let kept = messages.filter { $0.type != .setChunkSize && $0.type != .abort }
  for message in kept {
    try writer.append(
      message.type, on: message.streamID % 60 + 2, streamID: message.streamID,
      timestamp: message.timestamp, head: message.payload, to: &output)
  }
  let (back, error) = Fuzz.messages(in: output, piece: max(output.count, 1))
  try expect(error == nil, "what was written cannot be read: \(error.debugDescription)")
  try expect(back == kept, "messages come back otherwise")
}

private enum Fuzz {
  static func messages(in bytes: [UInt8], piece: Int) -> ([Message], SyntaxError?) {
    var reader = ChunkReader()
    var messages: [Message] = []
    do throws(SyntaxError) {
      for start in stride(from: 0, to: bytes.count, by: max(piece, 1)) {
        let part = Array(bytes[start..<min(start + piece, bytes.count)])
        var position = 0
        while let message = try reader.next(part.span, from: &position) { messages.append(message) }
      }
    } catch {
      return (messages, error)
    }
    return (messages, nil)
  }
}
