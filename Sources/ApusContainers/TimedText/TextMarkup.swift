// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples

/// The ways in which text subtitles mark what is bold, slanted, underlined or coloured.
enum TextMarkup: Hashable, Sendable {
  /// Tags of HTML, and what players adopted from SubStation Alpha.
  case subRip
  /// Fields separated by commas, the text last, override codes in braces.
  case subStationAlpha
  /// Tags, and named character references.
  case webVTT

  /// Returns `nil` where samples are not a known kind of text, or are a movie's timed text already.
  init?(_ track: CodedTrack) {
    guard track.kind == .subtitle, track.details.movie == nil else { return nil }
    switch track.details.codec {
    case "subrip", "srt", "text": self = .subRip
    case "ass", "ssa": self = .subStationAlpha
    case "webvtt": self = .webVTT
    default: return nil
    }
  }

  func text(_ bytes: [UInt8]) -> StyledText {
    var source = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    // Skips the fields before the text: its number, layer, style, speaker, margins and effect.
    if self == .subStationAlpha {
      for _ in 0..<8 {
        guard let comma = source.firstIndex(of: ",") else { return StyledText() }
        source = source[source.index(after: comma)...]
      }
    }
    var reader = MarkupReader(markup: self)
    return reader.text(source)
  }
}

/// Separates text from markup.
private struct MarkupReader {
  let markup: TextMarkup
  private var result = StyledText()
  private var style = StyledText.Style()
  /// The colours to return to when the open `font` tags end, the innermost last.
  private var colours: [UInt32?] = []
  /// Whether a drawing follows instead of text.
  private var isDrawing = false

  init(markup: TextMarkup) { self.markup = markup }

  mutating func text(_ source: Substring.UnicodeScalarView) -> StyledText {
    var rest = source
    while let scalar = rest.first {
      if let length = special(rest) {
        rest = rest.dropFirst(length)
        continue
      }
      if scalar != "\r", scalar != "\0", !isDrawing { result.append(scalar, style) }
      rest = rest.dropFirst()
    }
    return result.trimmed()
  }

  /// Returns the number of characters of a code; `nil` if there is none.
  private mutating func special(_ rest: Substring.UnicodeScalarView) -> Int? {
    switch rest.first {
    case "{" where markup != .webVTT:
      guard rest.dropFirst().first == "\\" || markup == .subStationAlpha,
        let end = rest.firstIndex(of: "}")
      else { return nil }
      orders(String(rest[..<end].dropFirst()))
      return rest.distance(from: rest.startIndex, to: end) + 1
    case "<" where markup != .subStationAlpha:
      guard let end = rest.firstIndex(of: ">") else { return nil }
      guard tag(String(rest[..<end].dropFirst()).lowercased()) else { return nil }
      return rest.distance(from: rest.startIndex, to: end) + 1
    case "\\" where markup == .subStationAlpha:
      switch rest.dropFirst().first {
      case "N", "n": add("\n")
      case "h": add("\u{a0}")
      default: return nil
      }
      return 2
    case "&" where markup == .webVTT:
      guard let name = Self.characters.first(where: { rest.starts(with: $0.name.unicodeScalars) })
      else { return nil }
      add(name.scalar)
      return name.name.unicodeScalars.count
    default: return nil
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    if !isDrawing { result.append(scalar, style) }
  }

  private static let characters: [(name: String, scalar: Unicode.Scalar)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{a0}"), ("&lrm;", "\u{200e}"),
    ("&rlm;", "\u{200f}"),
  ]

  /// Returns whether it is a tag rather than text in angle brackets.
  private mutating func tag(_ tag: String) -> Bool {
    let isEnd = tag.hasPrefix("/")
    let name = tag.dropFirst(isEnd ? 1 : 0).prefix { $0.isLetter }
    switch name {
    case "b": style.set(.bold, !isEnd)
    case "i": style.set(.italic, !isEnd)
    case "u": style.set(.underlined, !isEnd)
    case "s": break
    case "font":
      if isEnd {
        style.colour = colours.popLast() ?? nil
      } else {
        colours.append(style.colour)
        style.colour = Self.colour(tag) ?? style.colour
      }
    default: return markup == .webVTT
    }
    return true
  }

  /// Returns the colour of a tag such as `font color="#80ff00"`, opaque.
  private static func colour(_ tag: String) -> UInt32? {
    guard let sign = tag.firstIndex(of: "#") else { return nil }
    let digits = tag[sign...].dropFirst().prefix(6)
    return digits.count == 6 ? UInt32(hexadecimal: digits).map { $0 << 8 | 0xff } : nil
  }

  /// Applies the override codes of SubStation Alpha that timed text can express: `\b1\i0`.
  private mutating func orders(_ text: String) {
    for order in text.split(separator: "\\") {
      let value = order.dropFirst()
      guard let number = Int(value) else { continue }
      switch order.first {
      case "b": style.set(.bold, number != 0)
      case "i": style.set(.italic, number != 0)
      case "u": style.set(.underlined, number != 0)
      case "p": isDrawing = number > 0
      default: break
      }
    }
  }
}
