// SPDX-License-Identifier: MIT

import Testing

@testable import RTMP

@Suite struct AddressTests {
  @Test(
    arguments: [
      ("rtmp://host/live/key", "host", 1935, "live", "key", "rtmp://host/live"),
      (
        "RTMPS://host/live/key?token=a/b", "host", 443, "live", "key?token=a/b", "rtmps://host/live"
      ),
      (
        "rtmp://host:1936/app/inst/key", "host", 1936, "app/inst", "key",
        "rtmp://host:1936/app/inst"
      ),
      ("rtmp://[::1]:1936/live/key", "::1", 1936, "live", "key", "rtmp://[::1]:1936/live"),
      ("rtmp://[fe80::1]/live/key", "fe80::1", 1935, "live", "key", "rtmp://[fe80::1]/live"),
      ("rtmp://anna:a%40b@host/live/key", "host", 1935, "live", "key", "rtmp://host/live"),
      ("rtmp://host/live", "host", 1935, "live", "", "rtmp://host/live"),
      ("rtmp://host/live/", "host", 1935, "live", "", "rtmp://host/live"),
      ("rtmp://host", "host", 1935, "", "", "rtmp://host/"),
      ("rtmp://host/live/key#there", "host", 1935, "live", "key", "rtmp://host/live"),
    ] as [(String, String, UInt16, String, String, String)])
  func `it reads addresses`(
    url: String, host: String, port: UInt16, app: String, key: String, tcURL: String
  ) throws {
    let address = try Address(url)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(address.app == app)
    #expect(address.key.unmasked == key)
    #expect(address.tcURL == tcURL)
  }

  @Test func `it leaves the port of a server of ours to the system`() throws {
    #expect(try Address("rtmp://127.0.0.1:0/live", isOwn: true).port == 0)
  }

  @Test func `it reads a user and password`() throws {
    let address = try Address("rtmp://anna:a%40b%zz%+5:c@host/live/key")
    #expect(address.credentials?.user == "anna")
    #expect(address.credentials?.password == "a@b%zz%+5:c")
  }

  @Test func `it takes the whole path for the app where the key comes from elsewhere`() throws {
    let address = try Address("rtmps://b.example.org/live2?backup=1", key: StreamKey("k"))
    #expect(address.app == "live2?backup=1")
    #expect(address.tcURL == "rtmps://b.example.org/live2?backup=1")
  }

  @Test func `it takes the app that it is told`() throws {
    let address = try Address("rtmp://host/a/b/c?d", app: "a")
    #expect(address.app == "a")
    #expect(address.key.unmasked == "b/c?d")
  }

  @Test(arguments: [
    "host/live/key", "http://host/live/key", "rtmp:///live", "rtmp://host:0/live",
    "rtmp://host:65536/live", "rtmp://host:1x/live", "rtmp://[::1/live", "rtmp://[host]/live",
    "rtmp://[::1]x/live", "rtmp://ho st/live", "rtmp://host/li\nve", "", "rtmp://",
  ])
  func `it refuses what is none`(url: String) {
    let error = #expect(throws: SessionError.self) { try Address(url) }
    #expect(error?.kind == .address)
  }

  @Test func `it shows no secret in any description`() throws {
    let secrets = ["k3y-0ne", "t0ken", "passw0rd", "4pptoken"]
    let address = try Address(
      "rtmp://anna:passw0rd@host/live?x=4pptoken", key: StreamKey("k3y-0ne?t=t0ken"))
    let session = ClientSession(ClientConfiguration(address, for: .publish))
    var dumped = ""
    dump(address, to: &dumped)
    dump(address.key, to: &dumped)
    dump(address.credentials, to: &dumped)
    dump(session.configuration, to: &dumped)
    dump(ServerConfiguration.Access(app: "live", key: address.key), to: &dumped)
    dumped += "\(address) \(address.key) \(String(reflecting: address))"
    dumped += "\(session.configuration) \(String(describing: address.credentials))"
    for secret in secrets { #expect(!dumped.contains(secret)) }
    #expect(dumped.contains("rtmp://host/live/••••"))
  }

  @Test func `it masks a key that a server repeats`() {
    let key = StreamKey("abcd?t=1")
    #expect(key.masked("no such stream abcd?t=1, or abcd") == "no such stream ••••, or ••••")
    #expect(StreamKey("a").masked("a bad name") == "a bad name")
  }

  @Test(arguments: [
    ("b.live.example.org", "a.live.example.org", true), ("example.org", "a.example.org", true),
    ("a.example.org", "example.org", true), ("evil.org", "example.org", false),
    ("example.org.evil.com", "example.org", false), ("evil.co.uk", "bbc.co.uk", false),
    ("b.bbc.co.uk", "a.bbc.co.uk", true), ("10.0.0.2", "10.0.0.1", false),
    ("a.b.c.example.org", "x.example.org", false),
  ])
  func `it knows hosts that stand beside each other`(new: String, old: String, isAllowed: Bool)
    throws
  {
    let address = Address(host: old, app: "live", key: StreamKey("k"))
    let result = Result {
      try ReconnectPolicy.sameDomain.address("rtmp://\(new)/live", from: address)
    }
    #expect(((try? result.get()) != nil) == isAllowed)
  }

  @Test func `it never goes from an encrypted connection to a plain one`() {
    let address = Address(scheme: .rtmps, host: "host", app: "live", key: StreamKey("k"))
    #expect(throws: SessionError.self) {
      try ReconnectPolicy.any.address("rtmp://host/live", from: address)
    }
  }
}
