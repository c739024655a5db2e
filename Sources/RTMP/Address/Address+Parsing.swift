// SPDX-License-Identifier: MIT

internal import ApusBytes

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
    let place: Authority
    do {
      place = try Authority(rest[..<end], leastPort: isOwn ? 0 : 1)
    } catch {
      throw SessionError(.address, error.message)
    }
    var credentials: Credentials?
    if let text = place.userInfo { credentials = try Credentials(userInfo: text) }
    var path = rest[end...]
    if path.first == "/" { path.removeFirst() }
    let parts = try Self.parts(of: path, app: app, key: key)
    self.init(
      scheme: scheme, host: place.host, port: place.port, app: parts.app, key: parts.key,
      credentials: credentials)
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

extension Credentials {
  /// - Parameter text: the user information of a URL: RFC 3986, 3.2.1.
  fileprivate init(userInfo text: Substring) throws(SessionError) {
    let user = text.prefix { $0 != ":" }
    guard let name = user.percentDecoded(),
      let password = text.dropFirst(user.count).dropFirst().percentDecoded()
    else { throw SessionError(.address, "the user or the password is not UTF-8") }
    self.init(user: name, password: password)
  }
}
