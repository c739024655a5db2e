// SPDX-License-Identifier: MIT

/// What decoded or encoded pictures, and why.
public struct CodecUse: Hashable, Sendable {
  /// `intra` or `own`, or the library with its version, which one that was not loaded lacks.
  public var name: String
  public var pictures = 1
  /// Why it is not the one that is asked first.
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
