// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// The address of a camera, a server or a multicast group that sends video and sound: `rtsp://user:password@camera/stream`.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// The protocols by which inputs are read.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    case rtsp, rtsps, rtp, udp, http, https

    /// Whether datagrams come without a connection, so that nothing tells their end.
    public var isConnectionless: Bool { self == .udp || self == .rtp }
  }

  /// The protocol.
  public let scheme: Scheme
  /// The address in full, with user and password.
  public let url: String
  private let authority: Authority
  private let path: String

  /// Whether a text begins like such an address.
  public static func isOne(_ text: String) -> Bool { scheme(of: text) != nil }

  private static func scheme(of text: String) -> Scheme? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
    return Scheme(rawValue: parts[0].lowercased())
  }

  /// - Parameter login: user and password, separated by a colon, for an address that has none.
  public init(_ text: String, login: String? = nil) throws(MediaError) {
    guard let scheme = Self.scheme(of: text) else {
      let known = Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")
      throw MediaError(.misuse, "the address of an input begins with \(known)")
    }
    let rest = text.dropFirst(scheme.rawValue.count + 3)
    let place = rest.prefix { $0 != "/" && $0 != "?" }
    do throws(SyntaxError) {
      authority = try Authority(place, needsHost: !scheme.isConnectionless)
    } catch {
      throw MediaError(.misuse, MediaError(error).message)
    }
    guard authority.port != nil || !scheme.isConnectionless else {
      throw MediaError(.misuse, "an address of \(scheme.rawValue):// has a port")
    }
    let tail = rest.dropFirst(place.count).prefix { $0 != "#" }
    self.scheme = scheme
    path = String(tail.prefix { $0 != "?" })
    // The characters that an address may have: RFC 3986, 2.
    let allowed = "!$%&'()*+,/:;=?@[]"
    let user =
      authority.userInfo?.utf8.percentEncoded(allowing: allowed)
      ?? login?.utf8.percentEncoded(allowing: ":")
    url =
      "\(scheme.rawValue)://" + (user.map { "\($0)@" } ?? "")
      + "\(Authority(host: authority.host, port: authority.port))"
      + tail.utf8.percentEncoded(allowing: allowed)
  }

  /// The address without user, password and parameters.
  public var description: String {
    "\(scheme.rawValue)://\(Authority(host: authority.host, port: authority.port))\(path)"
  }
}
