// SPDX-License-Identifier: MIT

// begin
import ApusLive

/// Records streams as FLV and presents them over HLS, if their publishers know the key. It serves until its task is
/// canceled.
func receive(key: String, in folder: String, _ onPort: (UInt16) -> Void) async throws {
  var options = IngestOptions(app: "live", to: .folder(folder), as: .flv)
  options.presentations = folder
  options.authorize = { request in
    request.key == key ? .renamed("camera") : .denied("the key is wrong")
  }
  let server = try IngestServer(host: "127.0.0.1", port: 0, options)
  onPort(server.port)
  for await event in server.events { print(event) }
}
// end
