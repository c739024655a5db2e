// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A line of a playlist: a tag with the text after its colon, or a name.
struct PlaylistLine: Sendable {
  let text: Substring
  /// The number of the line, from 1.
  let number: Int
  /// The offset of its first byte.
  let offset: Int

  /// The tag, such as `EXT-X-MAP` of `#EXT-X-MAP:…`; `nil` for a name, `""` for a comment.
  var tag: Substring? {
    guard text.utf8.first == UInt8(ascii: "#") else { return nil }
    let rest = text.dropFirst()
    guard rest.hasPrefix("EXT") else { return "" }
    return rest.utf8.firstIndex(of: UInt8(ascii: ":")).map { rest[..<$0] } ?? rest
  }

  /// The text after the colon of a tag.
  var value: Substring {
    text.utf8.firstIndex(of: UInt8(ascii: ":")).map { text[text.utf8.index(after: $0)...] } ?? ""
  }

  func attributes() throws(SyntaxError) -> AttributeList { try AttributeList(value, self) }

  /// Returns the number that is the whole value of a tag.
  func integer() throws(SyntaxError) -> Int {
    guard let number = Int(digits: value) else {
      throw refusal(String(tag ?? ""), "is \(value), allowed are decimal numbers below 2^63")
    }
    return number
  }

  func refusal(_ field: String, _ detail: String, _ kind: SyntaxError.Kind = .invalid)
    -> SyntaxError
  {
    SyntaxError(kind, field: field, path: "line \(number)", offset: offset, detail: detail)
  }
}

/// The lines of a playlist that are not empty; it is UTF-8, and lines end with LF or CR LF: RFC 8216, 4.1.
struct PlaylistLines: Sendable {
  private let text: Substring
  private var position: Substring.Index
  private var number = 0

  init(_ bytes: [UInt8]) throws(SyntaxError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SyntaxError(.invalid, field: "playlist", detail: "is not UTF-8")
    }
    self.text = text[...]
    position = text.startIndex
    // A byte order mark is forbidden, but some editors write it.
    if text.unicodeScalars.first == "\u{feff}" {
      position = text.unicodeScalars.index(after: position)
    }
    guard let first = try next(), first.number == 1, first.text == "#EXTM3U" else {
      throw SyntaxError(
        .invalid, field: "playlist", offset: 0, detail: "does not begin with #EXTM3U")
    }
  }

  /// Returns the next line that is not empty.
  mutating func next() throws(SyntaxError) -> PlaylistLine? {
    while position < text.endIndex {
      let start = position
      let rest = text.utf8[position...]
      let end = rest.firstIndex(of: 0x0a) ?? rest.endIndex
      position = end < rest.endIndex ? rest.index(after: end) : end
      number += 1
      var line = text.utf8[start..<end]
      while let last = line.last, [0x0d, 0x20, 0x09].contains(last) { line = line.dropLast() }
      guard !line.isEmpty else { continue }
      let offset = text.utf8.distance(from: text.startIndex, to: start)
      let result = PlaylistLine(text: Substring(line), number: number, offset: offset)
      guard !line.contains(0x0d) else {
        throw result.refusal("line", "has a carriage return in its middle")
      }
      return result
    }
    return nil
  }
}
