// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFFmpeg
public import ApusMedia

/// The bytes that come from an address with `udp://`, `http://` or `https://`. Used by one thread.
public final class NetworkLink: Sendable {
  private let connection: ForeignConnection
  private let stop: NetworkStop

  /// Connects; for datagrams, begins to listen.
  public init(_ address: NetworkAddress, _ options: NetworkOptions, _ stop: NetworkStop)
    throws(MediaError)
  {
    self.stop = stop
    connection = try ForeignConnection(
      named: address.scheme == .udp ? "the address" : "the server", stop.interruption)
    guard connection.knows(address.url) else {
      throw MediaError(.missing, "this libavformat is built without \(address.scheme.rawValue)")
    }
    var tags = options.tags(
      address.scheme == .udp ? "udp" : "http,https,httpproxy,tls,tcp")
    // Datagrams that come too fast are lost, as they may be on their way.
    if address.scheme == .udp { tags.append(ForeignTag(name: "overrun_nonfatal", value: "1")) }
    try connection.open(address.url, writes: false, tags)
  }

  /// The address to which the server redirected; `nil` if it did not.
  public var location: String? { connection.location }

  /// Waits for the next bytes and returns them; returns `nil` at the end.
  public func read() throws(MediaError) -> [UInt8]? {
    do throws(MediaError) {
      return try connection.read()
    } catch {
      guard stop.interruption.isInterrupted else { throw error }
      throw MediaError(.cancelled, of: .input, "was interrupted")
    }
  }
}
