// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A part of a file (`EXT-X-BYTERANGE`, and `BYTERANGE` of `EXT-X-MAP`): RFC 8216, 4.3.2.2.
public struct PlaylistByteRange: Hashable, Sendable {
  /// The number of bytes.
  public var count: Int
  /// The offset; `nil` if it follows the previous range of the same file.
  public var start: Int?

  /// Creates a range.
  ///
  /// - Parameter start: the offset; `nil` if the range follows the previous one of the same file.
  public init(count: Int, start: Int? = nil) {
    self.count = count
    self.start = start
  }

  init(_ text: some StringProtocol, _ line: PlaylistLine) throws(SyntaxError) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard let count = parts.first.flatMap({ Int(digits: $0) }), parts.count <= 2 else {
      throw line.refusal("byte range", "is \(text), allowed is LENGTH or LENGTH@START")
    }
    self.count = count
    guard parts.count == 2 else { return }
    guard let start = Int(digits: parts[1]), !start.addingReportingOverflow(count).overflow else {
      throw line.refusal("byte range", "is \(text), allowed is LENGTH or LENGTH@START below 2^63")
    }
    self.start = start
  }

  var text: String { start.map { "\(count)@\($0)" } ?? "\(count)" }
}
