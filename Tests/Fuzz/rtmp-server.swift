// SPDX-License-Identifier: MIT

import ApusBytes
import RTMP

/// Whatever a client says, the server lives, and does the same however the bytes are cut.
func fuzz(_ bytes: [UInt8]) throws {
  guard let first = bytes.first else { return }
  let said = [3] + [UInt8](repeating: 0, count: 2 * 1536) + bytes.dropFirst()
  let whole = serve(said, piece: said.count, isOpen: first & 1 != 0)
  let parts = serve(said, piece: Int(first) + 1, isOpen: first & 1 != 0)
  try expect(whole == parts, "pieces of \(first) bytes lead elsewhere than the whole")
}

/// What the server came to, without what it sends: the number of its acknowledgements depends on the pieces.
private func serve(_ bytes: [UInt8], piece: Int, isOpen: Bool) -> String {
  let access = isOpen ? nil : ServerConfiguration.Access(app: "live", key: StreamKey("key"))
  var server = ServerSession(ServerConfiguration(access: access), random: Zeros())
  var actions: [ServerAction] = []
  for start in stride(from: 0, to: bytes.count, by: piece) {
    actions += server.receive(Array(bytes[start..<min(start + piece, bytes.count)]).span)
    while server.state == .waiting { actions += server.accept() }
  }
  actions += server.disconnected()
  return actions.map { action in
    switch action {
    case .send: ""
    case .tag(let tag): "\(tag.type) \(tag.time) \(tag.data.count);"
    case .request(let request): "\(request.purpose) \(request.app);"
    default: "\(action);"
    }
  }.joined()
}

private struct Zeros: RandomNumberGenerator, Sendable {
  mutating func next() -> UInt64 { 0 }
}
