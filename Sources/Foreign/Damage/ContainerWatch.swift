// SPDX-License-Identifier: MIT

internal import Bytes

/// Follows the bytes of a container as libavformat reads them, and finds damage that it passes over without a word.
protocol ContainerWatch: Sendable {
  /// Looks at bytes that were read.
  mutating func look(at bytes: Span<UInt8>, from offset: Int)

  /// Looks at the end of the container, once all of it was read.
  mutating func finish(_ source: any ByteSource) throws

  /// What was found, as text.
  var words: [String] { get }
}

extension ContainerWatch {
  /// How many there are of something, where the first lies.
  static func count(_ number: Int, _ one: String, _ many: String, first: Int) -> String {
    number == 1 ? "1 \(one) at byte \(first)" : "\(number) \(many), the first at byte \(first)"
  }
}
