// SPDX-License-Identifier: MIT

import ApusForeign
import RTMP
import Testing

@testable import ApusCommand

@Suite struct StreamTargetTests {
  private func target(_ url: String) throws -> StreamTarget {
    try StreamTarget(line: url, StreamKeyOptions(), app: nil)
  }

  @Test func `the name of a stream goes into the address that it is passed on to`() throws {
    let caller = try target("srt://127.0.0.1:9000?streamid=live/{key}&latency=50 name=gateway")
    #expect(caller.namesStream)
    #expect(caller.srt(of: "studio")?.streamID == "live/studio")
    #expect(caller.srt(of: "studio")?.latency == 50)
    #expect(caller.name == "gateway")
    let server = try target("rtmp://127.0.0.1/live/{key}")
    #expect(server.namesStream)
    #expect(server.addresses(of: "studio").map(\.key.unmasked) == ["studio"])
    #expect(server.srt(of: "studio") == nil)
  }

  @Test(arguments: [
    "srt://127.0.0.1:9000", "srt://127.0.0.1:9000?streamid=one",
    "srt://:9000?mode=listener&streamid={key}", "rtmp://127.0.0.1/live/key",
  ])
  func `an address without a place for the name is that of one stream`(_ url: String) throws {
    #expect(try !target(url).namesStream)
  }
}
