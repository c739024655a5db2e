// SPDX-License-Identifier: MIT

internal import Bytes

extension Address {
  /// Parses a URL. Its last component is the key, unless one is given: then the whole path is the app.
  ///
  /// Servers differ on where the app ends; `app` overrides that, and the rest is the key.
  ///
  /// - Parameter isOwn: whether our own server will listen there; port 0 then lets the system choose one.
  public init(_ url: String, app: String? = nil, key: StreamKey? = nil, isOwn: Bool = false)
    throws(SessionError)
  {
    guard
      url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f && $0 != "\\" })
    else { throw SessionError(.address, "an address has a space or a control character") }
    guard let mark = url.utf8.firstOccurrence(of: "://".utf8),
      let scheme = Scheme(rawValue: url[..<mark.lowerBound].lowercased())
    else { throw SessionError(.address, "an address begins with rtmp:// or rtmps://") }
    let rest = url[mark.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let place = try Authority(rest[..<end], leastPort: isOwn ? 0 : 1)
    var path = rest[end...]
    if path.first == "/" { path.removeFirst() }
    let parts = try Self.parts(of: path, app: app, key: key)
    self.init(
      scheme: scheme, host: place.host, port: place.port, app: parts.app, key: parts.key,
      credentials: place.credentials)
  }

  private static func parts(of path: Substring, app: String?, key: StreamKey?)
    throws(SessionError) -> (app: String, key: StreamKey)
  {
    if let key { return (app ?? trimmed(path), key) }
    if let app {
      let rest = path.hasPrefix(app + "/") ? path.dropFirst(app.count + 1) : path
      return (app, StreamKey(String(rest)))
    }
    let name = path.prefix { $0 != "?" }
    guard let slash = name.lastIndex(of: "/") else { return (trimmed(path), StreamKey("")) }
    return (String(path[..<slash]), StreamKey(String(path[path.index(after: slash)...])))
  }

  /// Returns the path without the slash that users put at the end of a server's address.
  private static func trimmed(_ path: Substring) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : String(path)
  }
}

/// The part of a URL between the scheme and the path (RFC 3986, 3.2).
private struct Authority {
  var host: String
  var port: UInt16?
  var credentials: Credentials?

  init(_ text: Substring, leastPort: UInt16) throws(SessionError) {
    var text = text
    if let sign = text.lastIndex(of: "@") {
      credentials = Self.credentials(text[..<sign])
      text = text[text.index(after: sign)...]
    }
    if text.first == "[" {
      guard let bracket = text.firstIndex(of: "]") else {
        throw SessionError(.address, "an IPv6 address lacks its closing bracket")
      }
      host = String(text[text.index(after: text.startIndex)..<bracket])
      text = text[text.index(after: bracket)...]
      guard host.contains(":"),
        host.unicodeScalars.allSatisfy({ $0.properties.isASCIIHexDigit || $0 == ":" || $0 == "." })
      else { throw SessionError(.address, "the text in brackets is not an IPv6 address") }
    } else {
      host = String(text.prefix { $0 != ":" })
      text = text.dropFirst(host.count)
    }
    guard !host.isEmpty else { throw SessionError(.address, "an address has no host") }
    guard text.isEmpty || text.first == ":" else {
      throw SessionError(.address, "a port begins with a colon")
    }
    let digits = text.dropFirst()
    if !digits.isEmpty {
      guard let number = UInt16(digits), number >= leastPort, digits.allSatisfy(\.isNumber)
      else {
        throw SessionError(
          .address, "the port is \(digits), allowed are \(leastPort) to 65535")
      }
      port = number
    }
  }

  private static func credentials(_ text: Substring) -> Credentials {
    let user = text.prefix { $0 != ":" }
    return Credentials(
      user: unescaped(user), password: unescaped(text.dropFirst(user.count).dropFirst()))
  }

  /// Decodes percent signs (RFC 3986, 2.1); invalid ones are kept.
  private static func unescaped(_ text: Substring) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
