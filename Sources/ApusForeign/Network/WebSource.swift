// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusFiles
internal import ApusMedia
public import ApusSamples

/// A file in the web, downloaded as a whole into an unnamed temporary file.
public final class WebSource: LocatedSource {
  /// The address to which redirections led.
  public let location: String
  private let file: SpoolSource

  /// Downloads a file; throws if the server does not answer in time, or has no certificate for its name.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  public convenience init(
    _ address: String, _ options: NetworkOptions = NetworkOptions(), _ stop: NetworkStop? = nil,
    limit: Int
  ) throws {
    let link = try NetworkLink(
      NetworkAddress(address), options, stop ?? NetworkStop(options))
    try self.init(link, location: link.location ?? address, limit: limit)
  }

  /// Downloads what is left of a file.
  ///
  /// - Parameter first: the bytes that were read already.
  public init(_ link: NetworkLink, after first: [UInt8] = [], location: String, limit: Int) throws {
    self.location = location
    file = try SpoolSource()
    var next: [UInt8]? = first
    while let bytes = next {
      guard file.count + bytes.count <= limit else {
        throw MediaError(.limit, "it has more than \(limit) bytes")
      }
      _ = try file.append(bytes.span)
      next = try link.read()
    }
  }

  public var count: Int { file.count }
  public var resident: [UInt8]? { nil }
  public func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    try file.read(range, into: &output)
  }
}
