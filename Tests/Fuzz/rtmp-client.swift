// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import RTMP

/// Whatever a server says, the client lives, and does the same however the bytes are cut.
func fuzz(_ bytes: [UInt8]) throws {
  guard let first = bytes.first else { return }
  let said = [3] + [UInt8](repeating: 0, count: 2 * 1536) + bytes.dropFirst()
  let whole = play(said, piece: said.count, asPlayer: first & 1 != 0)
  let parts = play(said, piece: Int(first) + 1, asPlayer: first & 1 != 0)
  try expect(whole == parts, "pieces of \(first) bytes lead elsewhere than the whole")
}

/// What the client came to, without the acknowledgements and pongs, whose number depends on the pieces.
private func play(_ bytes: [UInt8], piece: Int, asPlayer: Bool) -> String {
  let address = Address(
    host: "localhost", app: "live", key: StreamKey("key"),
    credentials: Credentials(user: "user", password: "password"))
  let configuration = ClientConfiguration(address, for: asPlayer ? .play : .publish)
  var client = ClientSession(configuration, random: Zeros())
  var actions = client.start()
  for start in stride(from: 0, to: bytes.count, by: piece) {
    actions += client.receive(Array(bytes[start..<min(start + piece, bytes.count)]).span)
  }
  var output: [UInt8] = []
  try? client.append(OutgoingTag(.video, time: 1, head: [1]), to: &output)
  actions += client.disconnected()
  actions += client.end()
  return actions.map { action in
    switch action {
    case .send: ""
    case .tag(let tag): "\(tag.type) \(tag.time) \(tag.data.count);"
    default: "\(action);"
    }
  }.joined()
}

private struct Zeros: RandomNumberGenerator, Sendable {
  mutating func next() -> UInt64 { 0 }
}
