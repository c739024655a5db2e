// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Text with styles, as in timed text: 3GPP TS 26.245, 5.17.
struct StyledText: Hashable, Sendable {
  struct Style: Hashable, Sendable {
    struct Face: OptionSet, Hashable, Sendable {
      let rawValue: UInt8
      static let bold = Face(rawValue: 1)
      static let italic = Face(rawValue: 2)
      static let underlined = Face(rawValue: 4)
    }

    var face: Face = []
    /// Red, green, blue, opacity; `nil` for the track's own.
    var colour: UInt32?

    mutating func set(_ part: Face, _ isOn: Bool) {
      if isOn { face.insert(part) } else { face.remove(part) }
    }
  }

  struct Letter: Hashable, Sendable {
    var scalar: Unicode.Scalar
    var style: Style
  }

  private(set) var letters: [Letter] = []

  var isEmpty: Bool { letters.isEmpty }

  mutating func append(_ scalar: Unicode.Scalar, _ style: Style) {
    letters.append(Letter(scalar: scalar, style: style))
  }

  /// Appends text on a new line.
  mutating func append(line: StyledText) {
    if !isEmpty, !line.isEmpty { append("\n", Style()) }
    letters += line.letters
  }

  /// Returns the text without blanks and empty lines around it.
  func trimmed() -> StyledText {
    func isBlank(_ letter: Letter) -> Bool {
      letter.scalar == "\n" || letter.scalar == " " || letter.scalar == "\t"
    }
    var result = self
    result.letters = Array(letters.drop(while: isBlank))
    while result.letters.last.map(isBlank) == true { result.letters.removeLast() }
    return result
  }

  /// A sample: the text after its length, and a `styl` box unless all of it looks alike. A sample holds at most 64 KB
  /// of text.
  var sample: [UInt8] {
    var text: [UInt8] = []
    var runs: [(style: Style, range: Range<Int>)] = []
    for (index, letter) in letters.enumerated() {
      let bytes = UTF8.encode(letter.scalar).map { Array($0) } ?? []
      guard text.count + bytes.count <= UInt16.max else { break }
      text += bytes
      var style = letter.style
      // The track uses white for all text without a style.
      if style.colour == .max { style.colour = nil }
      if let last = runs.last, last.style == style {
        runs[runs.count - 1].range = last.range.lowerBound..<index + 1
      } else {
        runs.append((style, index..<index + 1))
      }
    }
    var sample = UInt16(truncatingIfNeeded: text.count).bigEndianBytes + text
    let styled = runs.filter { $0.style != Style() }
    guard !styled.isEmpty else { return sample }
    sample += UInt32(10 + styled.count * 12).bigEndianBytes + Array("styl".utf8)
    sample += UInt16(truncatingIfNeeded: styled.count).bigEndianBytes
    for (style, range) in styled {
      sample +=
        UInt16(truncatingIfNeeded: range.lowerBound).bigEndianBytes
        + UInt16(truncatingIfNeeded: range.upperBound).bigEndianBytes
      // The only font of the track, in its size.
      sample += [0, 1, style.face.rawValue, TimedTextTrack.fontSize]
      sample += (style.colour ?? .max).bigEndianBytes
    }
    return sample
  }
}
