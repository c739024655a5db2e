// SPDX-License-Identifier: MIT

internal import ApusBytes

/// Writes a page element by element. Names of elements and attributes are part of the program; everything else is text,
/// which is escaped here and nowhere else, so that the contents of a file can never become an element or a script.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// Writes an element with the output of `body` inside.
  mutating func element(
    _ name: StaticString, _ attributes: [HTMLAttribute] = [], _ body: (inout HTMLWriter) -> Void
  ) {
    open(name, attributes)
    body(&self)
    markup("</")
    markup(name)
    markup(">")
  }

  /// Writes an element that contains only text.
  mutating func element(
    _ name: StaticString, _ attributes: [HTMLAttribute] = [], _ text: String
  ) {
    element(name, attributes) { html in html.text(text) }
  }

  /// Writes an element without attributes that contains only text.
  mutating func element(_ name: StaticString, _ text: String) { element(name, [], text) }

  /// Writes an element without contents: `link`, `meta`, `img`, or one whose end tag the standard allows to omit, such
  /// as a cell followed by another one.
  mutating func open(_ name: StaticString, _ attributes: [HTMLAttribute] = []) {
    markup("<")
    markup(name)
    for attribute in attributes {
      markup(" ")
      markup(attribute.name)
      guard let value = attribute.value else { continue }
      markup("=\"")
      write(value, isQuoted: true)
      markup("\"")
    }
    markup(">")
  }

  /// Writes an empty element of a drawing.
  mutating func shape(_ name: StaticString, _ attributes: [HTMLAttribute]) {
    open(name, attributes)
    markup("</")
    markup(name)
    markup(">")
  }

  /// Writes a cell of a table, whose end tag is omitted as the standard allows.
  mutating func cell(_ text: String, _ attributes: [HTMLAttribute] = []) {
    open("td", attributes)
    self.text(text)
  }

  /// Writes text between elements.
  mutating func text(_ text: String) { write(text, isQuoted: false) }

  private mutating func write(_ text: String, isQuoted: Bool) {
    let isPlain = text.utf8.allSatisfy {
      (0x20..<0x7f).contains($0) && $0 != 0x22 && $0 != 0x26 && $0 != 0x3c && $0 != 0x3e
    }
    guard !isPlain else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    for scalar in text.unicodeScalars { append(scalar, isQuoted: isQuoted) }
  }

  private mutating func append(_ scalar: Unicode.Scalar, isQuoted: Bool) {
    switch scalar.value {
    case 0x0a: bytes.append(0x0a)
    case 0x22: markup(isQuoted ? "&quot;" : "\"")
    case 0x26: markup("&amp;")
    case 0x3c: markup("&lt;")
    case 0x3e: markup("&gt;")
    // A page must not contain either of these unescaped.
    case _ where scalar.isControlling || scalar.isNoncharacter:
      bytes.append(contentsOf: "\\u{\(scalar.value.hexadecimal())}".utf8)
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }

  /// Writes a script or a style sheet of the program, unchanged.
  mutating func embed(_ file: EmbeddedFile, in name: StaticString) {
    open(name)
    bytes.append(contentsOf: file.bytes)
    markup("</")
    markup(name)
    markup(">")
  }

  /// Writes a line break between elements, where it has no effect.
  mutating func line() { bytes.append(0x0a) }

  mutating func doctype() { markup("<!DOCTYPE html>\n") }

  private mutating func markup(_ text: StaticString) {
    bytes.append(contentsOf: "\(text)".utf8)
  }
}

extension Unicode.Scalar {
  /// Whether it is a code point that will never be assigned to a character.
  fileprivate var isNoncharacter: Bool {
    value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(value)
  }
}
