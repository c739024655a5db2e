// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The name under which a stream is published: everyone who knows it can publish, so it is a secret. Only `unmasked`
/// reveals it.
public struct StreamKey: Sendable {
  /// The key itself, for the wire only.
  public let unmasked: String

  static let mask = "••••"

  /// Creates a key from its text, with its query if it has one.
  public init(_ text: String) { unmasked = text }

  /// Whether the key has no characters.
  public var isEmpty: Bool { unmasked.isEmpty }

  /// Returns a text without the key, or the part of it before its query.
  public func masked(_ text: String) -> String {
    let name = unmasked.prefix { $0 != "?" }
    return [unmasked, String(name)].reduce(text) { text, secret in
      Self.replaced(secret, in: text)
    }
  }

  private static func replaced(_ secret: String, in text: String) -> String {
    let (secret, bytes) = (Array(secret.utf8), Array(text.utf8))
    // A key of one or two letters would garble every message, and protects nothing.
    guard secret.count > 2, secret.count <= bytes.count else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: secret) {
        result += Array(mask.utf8)
        index += secret.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension StreamKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { Self.mask }
  public var debugDescription: String { Self.mask }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StreamKey: Hashable {
  /// Compares keys in a time that does not depend on whether they are equal.
  public static func == (left: StreamKey, right: StreamKey) -> Bool {
    Secret.isEqual(left.unmasked, right.unmasked)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(unmasked) }
}
