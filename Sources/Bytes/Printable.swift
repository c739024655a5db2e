// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
  /// Whether it could drive a terminal, end a line, or turn the order of what is read: control characters, separators
  /// of lines, and marks of writing direction.
  public var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// The same with everything escaped that could drive a terminal, for names and texts that someone else chose.
  public var printable: String {
    // Most text is ASCII, whose bytes tell as much as its scalars and are found sooner.
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
