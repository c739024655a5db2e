// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The filters in a graph's description, with their options, parsed as by libavfilter.
struct FilterDescription {
  struct Filter: Equatable {
    var name: String
    /// The options, after one level of quoting was removed.
    var options: String
  }

  private(set) var filters: [Filter] = []
  private var bytes: ArraySlice<UInt8>

  init(_ text: String) {
    bytes = ArraySlice(text.utf8)
    skipBlanks()
    if bytes.starts(with: "sws_flags=".utf8) {
      bytes = bytes.drop { $0 != Self.semicolon }.dropFirst()
    }
    repeat {
      skipBlanks()
      skipLabels()
      let name = token(until: "=,;[")
      var options = ""
      if bytes.first == Self.equals {
        bytes.removeFirst()
        options = token(until: "[],;")
      }
      // The text after `@` distinguishes instances.
      let kind = name.split(separator: "@", omittingEmptySubsequences: false).first ?? ""
      filters.append(Filter(name: String(kind), options: options))
      skipBlanks()
      skipLabels()
      skipBlanks()
    } while isSeparated()
  }

  private static let semicolon = UInt8(ascii: ";")
  private static let comma = UInt8(ascii: ",")
  private static let equals = UInt8(ascii: "=")
  private static let bracket = UInt8(ascii: "[")
  private static let quote = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")
  private static let blanks = Array(" \n\t\r".utf8)

  private mutating func skipBlanks() { bytes = bytes.drop(while: Self.blanks.contains) }

  private mutating func skipLabels() {
    while bytes.first == Self.bracket {
      bytes.removeFirst()
      _ = token(until: "]")
      bytes = bytes.dropFirst()
      skipBlanks()
    }
  }

  private mutating func isSeparated() -> Bool {
    let next = bytes.popFirst()
    return next == Self.comma || next == Self.semicolon
  }

  private mutating func token(until ends: String) -> String {
    skipBlanks()
    let ends = Array(ends.utf8)
    var token: [UInt8] = []
    // Blanks at the end are removed, unless they are quoted.
    var kept = 0
    while let byte = bytes.first, !ends.contains(byte) {
      bytes.removeFirst()
      if byte == Self.backslash, let next = bytes.popFirst() {
        token.append(next)
        kept = token.count
      } else if byte == Self.quote {
        let quoted = bytes.prefix { $0 != Self.quote }
        token += quoted
        bytes = bytes.dropFirst(quoted.count)
        if bytes.popFirst() != nil { kept = token.count }
      } else {
        token.append(byte)
      }
    }
    while token.count > kept, let last = token.last, Self.blanks.contains(last) {
      token.removeLast()
    }
    return String(decoding: token, as: UTF8.self)
  }
}
