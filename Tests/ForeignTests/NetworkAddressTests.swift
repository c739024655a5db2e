// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusForeign

@Suite struct NetworkAddressTests {
  /// The whole address that libavformat gets, and what messages show.
  @Test(
    arguments: [
      ("rtsp://cam/live", "rtsp://cam/live", "rtsp://cam/live"),
      ("RTSP://cam:554", "rtsp://cam:554", "rtsp://cam:554"),
      ("rtsp://u:p@cam/a?token=x", "rtsp://u:p@cam/a?token=x", "rtsp://cam/a"),
      ("rtsp://u:a@b@cam/a", "rtsp://u:a@b@cam/a", "rtsp://cam/a"),
      ("rtsps://[::1]:322/a b", "rtsps://[::1]:322/a%20b", "rtsps://[::1]:322/a b"),
      ("udp://@239.0.0.1:5000", "udp://@239.0.0.1:5000", "udp://239.0.0.1:5000"),
      ("udp://:5000", "udp://:5000", "udp://:5000"),
      ("https://h/é.ts#part", "https://h/%C3%A9.ts", "https://h/é.ts"),
    ])
  func `it reads what an address says`(text: String, url: String, shown: String) throws {
    let address = try NetworkAddress(text)
    #expect(address.url == url)
    #expect("\(address)" == shown)
  }

  /// A login is only for an address that has none, and its characters cannot become part of another host.
  @Test(
    arguments: [
      ("rtsp://cam/live", "u:p", "rtsp://u:p@cam/live"),
      ("rtsp://cam/live", "u:p@evil/x", "rtsp://u:p%40evil%2Fx@cam/live"),
      ("rtsp://me:mine@cam/live", "u:p", "rtsp://me:mine@cam/live"),
    ])
  func `it takes a login`(text: String, login: String, url: String) throws {
    #expect(try NetworkAddress(text, login: login).url == url)
  }

  @Test(
    arguments: [
      ("rtmp://h/a", "begins with rtsp://"), ("file:///etc/hostname", "begins with rtsp://"),
      ("rtsp:/h/a", "begins with rtsp://"), ("rtsp:///a", "has no host"),
      ("rtsp://h:0/a", "the port"), ("udp://h", "has a port"), ("rtp://", "has a port"),
    ])
  func `it says what is wrong`(text: String, words: String) {
    let error = #expect(throws: MediaError.self) { try NetworkAddress(text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
