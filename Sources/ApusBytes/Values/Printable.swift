// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
  /// Whether the scalar could control a terminal, end a line, or change the reading order: control characters, line
  /// separators, and marks of writing direction.
  package var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The text with all scalars escaped that could control a terminal, for names and texts from other sources.
  package var printable: String {
    // Most text is ASCII, whose bytes can be checked faster than scalars.
    if utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return self }
    guard unicodeScalars.contains(where: \.isControlling) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControlling {
        text += scalar.escaped(asASCII: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
