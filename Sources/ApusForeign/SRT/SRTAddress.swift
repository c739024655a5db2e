// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// The address of an SRT connection, to connect to or to listen at:
/// `srt://host:port?mode=caller&latency=200&passphrase=…`.
///
/// Times are milliseconds, as in SRT's own programs; libavformat uses microseconds for some of them.
public struct SRTAddress: Hashable, Sendable, CustomStringConvertible {
  /// The side that opens the connection.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case caller, listener
  }

  /// The host name or IP address; for a listener, it may be empty to listen at all addresses.
  public var host: String
  /// The UDP port.
  public var port: UInt16
  /// The side that opens the connection: this one as a caller, the peer if this one listens.
  public var mode = Mode.caller
  /// The time after which late packets are given up, in milliseconds.
  public var latency: UInt32 = 120
  /// The secret from which the encryption key is derived; `nil` for no encryption.
  public var passphrase: String?
  /// The size in bytes of the key derived from the passphrase: 16, 24 or 32.
  public var keyLength: UInt32?
  /// The identifier by which the server distinguishes streams.
  public var streamID: String?

  private static let longest: UInt32 = 60_000

  /// Parses an address; throws for unknown parameters and for values out of range.
  public init(_ url: String) throws(MediaError) {
    let (rest, query) = try Self.parts(of: url)
    guard let place = try? Authority(rest, needsHost: false), let port = place.port,
      place.userInfo == nil
    else {
      throw Self.wrong("names its port: srt://host:port")
    }
    (host, self.port) = (place.host, port)
    for word in query.split(separator: "&") {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = pair[1].percentDecoded(isStrict: true) else {
        throw Self.wrong("has parameters as name=value")
      }
      try set(pair[0], value)
    }
    // A listener without a host name listens at every address.
    if host.isEmpty { mode = .listener }
  }

  private static func parts(of url: String) throws(MediaError) -> (Substring, Substring) {
    let scheme = "srt://"
    guard url.prefix(scheme.count).lowercased() == scheme else {
      throw wrong("begins with srt://")
    }
    let parts = url.dropFirst(scheme.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var place = parts.first ?? ""
    if place.hasSuffix("/") { place.removeLast() }
    return (place, parts.count > 1 ? parts[1] : "")
  }

  private mutating func set(_ name: Substring, _ value: String) throws(MediaError) {
    switch name {
    case "mode":
      guard let mode = Mode(rawValue: value) else {
        throw Self.wrong("has mode=caller or mode=listener")
      }
      self.mode = mode
    case "latency":
      guard let latency = UInt32(value), latency <= Self.longest else {
        throw Self.wrong("has a latency in milliseconds, up to \(Self.longest)")
      }
      self.latency = latency
    case "passphrase":
      guard (10...79).contains(value.utf8.count) else {
        throw Self.wrong("has a passphrase of 10 to 79 characters")
      }
      passphrase = value
    case "pbkeylen":
      guard let length = UInt32(value), [16, 24, 32].contains(length) else {
        throw Self.wrong("has pbkeylen=16, 24 or 32")
      }
      keyLength = length
    case "streamid":
      guard value.utf8.count <= 512 else { throw Self.wrong("has a streamid of 512 characters") }
      streamID = value
    default:
      throw Self.wrong(
        "has the parameters mode, latency, passphrase, pbkeylen and streamid, not \(name)")
    }
  }

  private static func wrong(_ words: String) -> MediaError {
    MediaError(.misuse, "an SRT address \(words)")
  }

  /// The address without secret parts.
  public var description: String { "srt://\(Authority(host: host, port: port))" }
}
