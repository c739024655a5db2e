// SPDX-License-Identifier: MIT

internal import Bytes

/// Writes a page element by element. Names of elements and attributes are part of the program; all else is text, which is
/// escaped here and nowhere else, so that what a file contains can never become an element or a script.
struct HTMLWriter {
  private(set) var bytes: [UInt8] = []

  init() {}

  /// An element with what `body` writes inside.
  mutating func element(
    _ name: StaticString, _ attributes: [HTMLAttribute] = [], _ body: (inout HTMLWriter) -> Void
  ) {
    open(name, attributes)
    body(&self)
    markup("</")
    markup(name)
    markup(">")
  }

  /// An element that holds text alone.
  mutating func element(
    _ name: StaticString, _ attributes: [HTMLAttribute] = [], _ text: String
  ) {
    element(name, attributes) { html in html.text(text) }
  }

  /// The same without attributes.
  mutating func element(_ name: StaticString, _ text: String) { element(name, [], text) }

  /// An element that holds nothing: `link`, `meta`, `img`, or one whose end the standard lets out, such as a cell that
  /// another one follows.
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

  /// An element of a drawing that holds nothing.
  mutating func shape(_ name: StaticString, _ attributes: [HTMLAttribute]) {
    open(name, attributes)
    markup("</")
    markup(name)
    markup(">")
  }

  /// A cell of a table, whose end tag is left out as the standard allows.
  mutating func cell(_ text: String, _ attributes: [HTMLAttribute] = []) {
    open("td", attributes)
    self.text(text)
  }

  /// Text between elements.
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
    // A page may hold neither of these as they are.
    case _ where scalar.isControlling || scalar.isNoncharacter:
      bytes.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".utf8)
    default: bytes.append(contentsOf: String(scalar).utf8)
    }
  }

  /// A script or a style sheet of the program, as it is.
  mutating func embed(_ file: EmbeddedFile, in name: StaticString) {
    open(name)
    bytes.append(contentsOf: file.bytes)
    markup("</")
    markup(name)
    markup(">")
  }

  /// A line break between elements, where it means nothing.
  mutating func line() { bytes.append(0x0a) }

  mutating func doctype() { markup("<!DOCTYPE html>\n") }

  private mutating func markup(_ text: StaticString) {
    bytes.append(contentsOf: "\(text)".utf8)
  }
}

extension Unicode.Scalar {
  /// Whether it is one of those that stand for no character and never will.
  fileprivate var isNoncharacter: Bool {
    value & 0xfffe == 0xfffe || (0xfdd0...0xfdef).contains(value)
  }
}
