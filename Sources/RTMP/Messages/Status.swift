// SPDX-License-Identifier: MIT

internal import FLV

/// The contents of `onStatus`, `_error` and the answer to `connect`: RTMP 1.0, 7.2.2.
public struct Status: Hashable, Sendable {
  /// The level: `status`, `warning` or `error`.
  public var level: String
  /// The code, such as `NetStream.Publish.Start`.
  public var code: String
  /// The server's text, made safe to print.
  public var text: String

  /// Creates a status.
  public init(level: String, code: String, text: String) {
    self.level = level
    self.code = code
    self.text = text
  }

  /// - Parameter key: the key to be masked if the server repeats it.
  init?(_ value: AMFValue?, key: StreamKey) {
    guard let members = value?.members else { return nil }
    let words = { (name: String) in key.masked(Printable.text(members[name]?.text ?? "")) }
    (level, code, text) = (words("level"), words("code"), words("description"))
  }

  var isError: Bool { level == "error" }

  var value: AMFValue {
    .object([("level", .text(level)), ("code", .text(code)), ("description", .text(text))])
  }
}

extension Status: CustomStringConvertible {
  public var description: String { text.isEmpty ? code : code + " (" + text + ")" }
}

/// Texts of a peer, which may contain anything.
enum Printable {
  private static let longest = 400

  /// Replaces control characters, such as terminal escapes, and shortens texts that are too long.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(longest) {
      switch scalar.properties.generalCategory {
      case .control, .format, .privateUse, .surrogate, .unassigned, .lineSeparator,
        .paragraphSeparator:
        result.append("?")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
