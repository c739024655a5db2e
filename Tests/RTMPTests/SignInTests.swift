// SPDX-License-Identifier: MIT

import FLV
import Testing

@testable import RTMP

/// Answers to challenges, computed beforehand with Python's hashlib and base64.
@Suite struct SignInTests {
  static let credentials = Credentials(user: "anna", password: "secret")
  static let refusal = "[ AccessManager.Reject ] : [ code=403 need auth; authmod="

  static func query(_ words: String, app: String = "live") throws -> String {
    var signIn = SignIn()
    try signIn.answer(words, as: credentials, app: app, nonce: "0badcafe")
    return signIn.query
  }

  @Test(arguments: [
    (
      "authmod=adobe ] : ?reason=needauth&user=anna&salt=SA1t&challenge=ch4ll&opaque=0paque",
      "live",
      "?authmod=adobe&user=anna&challenge=0badcafe&response=Q1atGeARMrHhJwtLUiAfug==&opaque=0paque"
    ),
    (
      "authmod=adobe ] : ?reason=needauth&user=anna&salt=SA1t&challenge=ch4ll", "live",
      "?authmod=adobe&user=anna&challenge=0badcafe&response=oxFI9ymhhaUvbBeshY+o3g=="
    ),
    (
      "authmod=llnw ] : ?reason=needauth&user=anna&nonce=n0nce", "live",
      "?authmod=llnw&user=anna&nonce=n0nce&cnonce=0badcafe&nc=00000001"
        + "&response=ac7a93880351c9ceee647510c9d8f77e"
    ),
    (
      "authmod=llnw ] : ?reason=needauth&user=anna&nonce=n0nce", "live/inst",
      "?authmod=llnw&user=anna&nonce=n0nce&cnonce=0badcafe&nc=00000001"
        + "&response=3d553f81cce9809d6adf0f7e39bf8089"
    ),
    ("code=403 need auth; authmod=adobe ]", "live", "?authmod=adobe&user=anna"),
    ("code=403 need auth; authmod=llnw ]", "live?a=b", "&authmod=llnw&user=anna"),
  ])
  func `it answers a challenge`(words: String, app: String, query: String) throws {
    #expect(try Self.query("[ AccessManager.Reject ] : [ " + words, app: app) == query)
  }

  @Test func `it signs in over three connections`() throws {
    var configuration = SessionTests.client()
    configuration.address.credentials = Self.credentials
    var script = try Script(configuration)
    try script.refuse(Self.refusal + "adobe ]")
    #expect(script.isAsking)
    try script.start()
    #expect(try script.sent("connect")["app"]?.text == "live?authmod=adobe&user=anna")
    #expect(
      try script.sent("connect")["tcUrl"]?.text == "rtmp://127.0.0.1/live?authmod=adobe&user=anna")
    try script.refuse("authmod=adobe ] : ?reason=needauth&user=anna&salt=a&challenge=b")
    try script.start()
    let app = try #require(try script.sent("connect")["app"]?.text)
    #expect(app.contains("&response="))
    #expect(!app.contains("secret"))
    try script.say(
      "_result", 1, [.object([]), .object([("code", "NetConnection.Connect.Success")])])
    #expect(script.client.state == .createStream)
  }

  @Test(arguments: ["?reason=authfailed", "?reason=nosuchuser", "?reason=needauth&salt=a"])
  func `it gives up where the answer is not taken`(reason: String) throws {
    var configuration = SessionTests.client()
    configuration.address.credentials = Self.credentials
    var script = try Script(configuration)
    try script.refuse("authmod=adobe ] : ?reason=needauth&user=anna&salt=a&challenge=b")
    try script.start()
    try script.refuse("authmod=adobe ] : " + reason)
    #expect(script.error?.kind == .unauthorized)
  }

  @Test func `it asks for a user where it has none`() throws {
    var script = try Script(SessionTests.client())
    try script.refuse(Self.refusal + "adobe ]")
    #expect(script.error?.kind == .unauthorized)
  }
}
