// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The streams that a server accepts, and the properties that it declares.
public struct ServerConfiguration: Sendable {
  /// The app and key that publishers and players must name; `nil` accepts any.
  public var access: Access?
  /// The capabilities declared in the answer to `connect`; `nil` declares none.
  public var capabilities: Capabilities? = .receiver
  /// The number of bytes of payload in each chunk that is sent.
  public var chunkSize: UInt32 = 1 << 16
  /// The number of bytes after which the client should acknowledge.
  public var window: UInt32 = 2_500_000
  /// The limits on what the client may send.
  public var limits = ChunkLimits()
  /// The number of bytes that may come while a request is waiting for its answer.
  public var held = 1 << 20

  /// Creates the default configuration.
  ///
  /// - Parameter access: the app and key that clients must name; `nil` accepts any.
  public init(access: Access? = nil) { self.access = access }

  /// The app and the key that admit clients.
  public struct Access: Sendable {
    private let path: String

    /// Creates the app and the key that admit clients; either may be empty.
    public init(app: String, key: StreamKey) { path = Self.path(app, key.unmasked) }

    /// Returns whether a client is admitted. Clients differ on where the app ends, so both are compared together; a
    /// query after the key may be part of it or not. The time is the same for every answer of the same length.
    func allows(app: String, key: StreamKey) -> Bool {
      let name = String(key.unmasked.prefix { $0 != "?" })
      let whole = Secret.isEqual(path, Self.path(app, key.unmasked))
      let bare = Secret.isEqual(path, Self.path(app, name))
      return whole || bare
    }

    private static func path(_ app: String, _ key: String) -> String {
      var app = app.drop { $0 == "/" }
      while app.last == "/" { app.removeLast() }
      return app.isEmpty ? key : app + "/" + key
    }
  }
}

extension ServerConfiguration.Access: CustomStringConvertible, CustomReflectable {
  public var description: String { StreamKey.mask }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
