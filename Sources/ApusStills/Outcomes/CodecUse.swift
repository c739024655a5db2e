// SPDX-License-Identifier: MIT

/// The codec that decoded or encoded pictures, and the reason for its choice.
public struct CodecUse: Hashable, Sendable, Codable {
  /// The name: `intra`, `own`, or a library with its version if it was loaded.
  public var name: String
  /// The number of pictures that the codec decoded or encoded.
  public var pictures = 1
  /// The reason why it is not the first choice.
  public var reason: String?

  public init(name: String, pictures: Int = 1, reason: String? = nil) {
    self.name = name
    self.pictures = pictures
    self.reason = reason
  }
}

extension [CodecUse] {
  mutating func add(_ use: CodecUse) {
    guard use.pictures > 0 else { return }
    if let index = firstIndex(where: { $0.name == use.name && $0.reason == use.reason }) {
      self[index].pictures += use.pictures
    } else {
      append(use)
    }
  }
}
