// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Follows the bytes of a container as libavformat reads them, and finds damage that libavformat does not report.
protocol ContainerWatch: Sendable {
  /// Checks bytes that were read.
  mutating func look(at bytes: Span<UInt8>, from offset: Int)

  /// Checks the end of the container, after all of it was read.
  mutating func finish(_ source: any ByteSource) throws

  /// The damage found, as text.
  var words: [String] { get }
  /// The bytes found that belong to no part of the container, in their order.
  var unread: [Range<Int>] { get }
}

extension ContainerWatch {
  /// No bytes, for containers in which they are not located.
  var unread: [Range<Int>] { [] }

  /// Returns a number of things as text, with the offset of the first.
  static func count(_ number: Int, _ one: String, _ many: String, first: Int) -> String {
    number == 1 ? "1 \(one) at byte \(first)" : "\(number) \(many), the first at byte \(first)"
  }
}
