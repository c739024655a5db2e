// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusForeign

@Suite struct SRTAddressTests {
  @Test func `it reads what an address says`() throws {
    let plain = try SRTAddress("srt://example.org:9000")
    #expect(plain.host == "example.org")
    #expect(plain.port == 9000)
    #expect(plain.mode == .caller)
    #expect(plain.latency == 120)
    #expect(plain.passphrase == nil)
    let whole = try SRTAddress(
      "SRT://[::1]:9001/?mode=listener&latency=300&passphrase=a%26b%20long%20enough&pbkeylen=32"
        + "&streamid=%23!::r=live,m=publish")
    #expect(whole.host == "::1")
    #expect(whole.mode == .listener)
    #expect(whole.latency == 300)
    #expect(whole.passphrase == "a&b long enough")
    #expect(whole.keyLength == 32)
    #expect(whole.streamID == "#!::r=live,m=publish")
    #expect("\(whole)" == "srt://[::1]:9001")
    #expect(try SRTAddress("srt://:9000").mode == .listener)
  }

  @Test(
    arguments: [
      ("srt://h", "port"), ("srt://h:0", "port"), ("srt://h:70000", "port"),
      ("rtmp://h:1", "srt://"), ("srt://h:1?latency=2000000", "milliseconds"),
      ("srt://h:1?passphrase=short", "10 to 79"), ("srt://h:1?mode=rendezvous", "mode"),
      ("srt://h:1?pbkeylen=8", "pbkeylen"), ("srt://h:1?maxbw=1", "not maxbw"),
      ("srt://h:1?latency", "name=value"), ("srt://h:1?streamid=%zz", "name=value"),
      ("srt://h:1?streamid=%ff", "name=value"), ("srt://h:1?streamid=%+5", "name=value"),
    ])
  func `it says what is wrong`(url: String, words: String) {
    let error = #expect(throws: MediaError.self) { try SRTAddress(url) }
    #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
  }
}
