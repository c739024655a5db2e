// SPDX-License-Identifier: MIT

internal import ApusBytes

/// An address at which a stream is published or played:
/// `rtmp[s]://[user:password@]host[:port]/app[/instance]/key[?query]`.
///
/// The description shows neither the key nor a password.
public struct Address: Sendable {
  /// The protocol, with or without TLS.
  public enum Scheme: String, Hashable, Sendable {
    case rtmp
    case rtmps

    /// The port if the address has none: 1935, or 443 with TLS.
    public var defaultPort: UInt16 { self == .rtmp ? 1935 : 443 }
  }

  /// The protocol, with or without TLS.
  public var scheme: Scheme
  /// A name or an address, without the brackets of IPv6.
  public var host: String
  /// The port, also if it is the default one.
  public var port: UInt16
  /// The app with its instance, if there is one, and with its query.
  public var app: String
  /// The stream key with its query, which servers take as part of the name.
  public var key: StreamKey
  /// The user and password; `nil` if the address has none.
  public var credentials: Credentials?

  /// Creates an address from its parts.
  ///
  /// - Parameter port: the port; `nil` for the scheme's default.
  public init(
    scheme: Scheme = .rtmp, host: String, port: UInt16? = nil, app: String, key: StreamKey,
    credentials: Credentials? = nil
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.defaultPort
    self.app = app
    self.key = key
    self.credentials = credentials
  }

  /// The server and port as a URL writes them.
  public var authority: String {
    Authority(host: host, port: port == scheme.defaultPort ? nil : port).description
  }

  /// The value of `tcUrl` in `connect`.
  public var tcURL: String { "\(scheme.rawValue)://\(authority)/\(app)" }
}

extension Address: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The address with the key masked, and without a password or a query, which may contain tokens.
  public var description: String {
    let shown = app.prefix { $0 != "?" }
    let path = "\(scheme.rawValue)://\(authority)/\(shown)"
    return key.isEmpty ? path : path + "/" + key.description
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
