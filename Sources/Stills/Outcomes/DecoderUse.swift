// SPDX-License-Identifier: MIT

/// Who decodes pictures, and why.
public struct DecoderUse: Hashable, Sendable {
  /// The library and its version; without one where it was not loaded.
  public var name: String
  public var pictures = 1
  /// Why our own decoder did not take them, where it was asked.
  public var reason: String?

  public init(name: String, pictures: Int = 1, reason: String? = nil) {
    self.name = name
    self.pictures = pictures
    self.reason = reason
  }
}

extension [DecoderUse] {
  mutating func add(_ use: DecoderUse) {
    if let index = firstIndex(where: { $0.name == use.name && $0.reason == use.reason }) {
      self[index].pictures += use.pictures
    } else {
      append(use)
    }
  }
}
