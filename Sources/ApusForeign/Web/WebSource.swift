// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFFmpeg
internal import ApusFiles
internal import ApusMedia
public import ApusSamples

/// A file in the web, downloaded as a whole through libavformat into an unnamed temporary file.
public final class WebSource: LocatedSource {
  /// The address to which redirections led.
  public let location: String
  private let file: SpoolSource

  /// Downloads a file; throws if the server does not answer for 15 s, or has no certificate for its name.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  public init(_ address: String, limit: Int) throws {
    let connection = try ForeignConnection(named: "the server")
    // The characters that an address may have: RFC 3986, 2.
    let text = address.utf8.percentEncoded(allowing: "!#$%&'()*+,/:;=?@[]")
    guard connection.knows(text) else {
      throw MediaError(.missing, "this libavformat is built without the protocol")
    }
    try connection.open(
      text, writes: false,
      [
        ForeignTag(name: "protocol_whitelist", value: "http,https,httpproxy,tls,tcp"),
        ForeignTag(name: "rw_timeout", value: "15000000"),
        ForeignTag(name: "tls_verify", value: "1"),
      ])
    location = connection.location ?? address
    file = try SpoolSource()
    while let bytes = try connection.read() {
      guard file.count + bytes.count <= limit else {
        throw MediaError(.limit, "it has more than \(limit) bytes")
      }
      _ = try file.append(bytes.span)
    }
  }

  public var count: Int { file.count }
  public var resident: [UInt8]? { nil }
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    try file.read(range, into: &output)
  }
}
