// SPDX-License-Identifier: MIT

/// Who encoded pictures, and why.
public struct EncoderUse: Hashable, Sendable {
  /// `own`, or the library and its version.
  public var name: String
  public var pictures: Int
  /// Why it is not the one that is asked first.
  public var reason: String?

  public init(name: String, pictures: Int, reason: String? = nil) {
    self.name = name
    self.pictures = pictures
    self.reason = reason
  }
}

extension [EncoderUse] {
  mutating func add(_ use: EncoderUse) {
    guard use.pictures > 0 else { return }
    if let index = firstIndex(where: { $0.name == use.name && $0.reason == use.reason }) {
      self[index].pictures += use.pictures
    } else {
      append(use)
    }
  }
}
