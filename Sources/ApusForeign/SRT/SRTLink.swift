// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia
internal import Glibc

/// An SRT connection through libavformat.
///
/// Used by one thread, except that others may call `cancel`.
public final class SRTLink: Sendable {
  /// The address of the connection.
  public let address: SRTAddress
  private let connection: ForeignConnection

  /// Prepares a connection; throws `.missing` if libavformat is not installed or was built without SRT.
  public init(_ address: SRTAddress) throws(MediaError) {
    self.address = address
    connection = try ForeignConnection(named: "\(address)", hasEnd: false)
    guard connection.knows("\(address)") else {
      throw MediaError(.missing, "this libavformat is built without SRT (libsrt)")
    }
  }

  /// Connects, or waits for a peer to connect.
  public func open(writes: Bool) throws(MediaError) {
    var options = [
      ForeignTag(name: "mode", value: address.mode.rawValue),
      ForeignTag(name: "latency", value: "\(UInt64(address.latency) * 1000)"),
      ForeignTag(name: "transtype", value: "live"),
    ]
    if let passphrase = address.passphrase {
      options.append(ForeignTag(name: "passphrase", value: passphrase))
    }
    if let length = address.keyLength {
      options.append(ForeignTag(name: "pbkeylen", value: "\(length)"))
    }
    if let streamID = address.streamID {
      options.append(ForeignTag(name: "srt_streamid", value: streamID))
    }
    try connection.open("\(address)", writes: writes, options)
  }

  /// Waits for the next bytes and returns them; returns `nil` when the other side has ended.
  public func read() throws(MediaError) -> [UInt8]? { try connection.read() }

  /// Sends bytes, waiting while there is no room.
  public func write(_ bytes: Span<UInt8>) throws(MediaError) { try connection.write(bytes) }

  /// Sends buffered bytes.
  public func flush() throws(MediaError) { try connection.flush() }

  /// Ends the connection after the other side has had time to receive the packets under way.
  public func finish() throws(MediaError) {
    try connection.flush()
    usleep(min(address.latency + 100, 5000) * 1000)
    connection.close()
  }

  /// Closes the connection at once; `finish` first gives the other side time to receive everything.
  public func close() { connection.close() }

  /// Makes the current call, and every later one, end with an error; callable from any thread.
  public func cancel() { connection.cancel() }
}
