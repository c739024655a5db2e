// SPDX-License-Identifier: MIT

/// The elements and attributes of an XML document, with their byte ranges: XML 1.0, Namespaces in XML 1.0.
///
/// Its purpose is to change some bytes of a document and keep the rest: text is not decoded, and entities are not
/// resolved.
struct XMLDocument: Sendable {
  struct Name: Hashable, Sendable {
    var namespace: String
    var local: String
  }

  struct Attribute: Sendable {
    var name: Name
    /// The range of the name, the equals sign and the quoted value.
    var range: Range<Int>
    var value: Range<Int>
  }

  /// A declaration `xmlns` or `xmlns:PREFIX`.
  struct Declaration: Sendable {
    var prefix: String
    var namespace: String
    var range: Range<Int>
  }

  struct Element: Sendable {
    var name: Name
    /// The index of the enclosing element.
    var parent: Int?
    /// The range from `<` to the `>` of the end tag.
    var range: Range<Int>
    /// The range of the name with its prefix.
    var nameRange: Range<Int>
    /// The contents between start tag and end tag; `nil` for an empty-element tag.
    var content: Range<Int>?
    var attributes: [Attribute] = []
    var declarations: [Declaration] = []
    var isLeaf = true
  }

  let bytes: [UInt8]
  /// The elements in the order of their start tags, so that descendants follow their ancestor.
  let elements: [Element]

  init(_ bytes: [UInt8]) throws(XMLError) {
    var scanner = XMLScanner(bytes)
    try scanner.scan()
    self.bytes = bytes
    elements = scanner.elements
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the indices of an element's descendants.
  func descendants(of index: Int) -> Range<Int> {
    var end = index + 1
    while end < elements.count, elements[end].range.upperBound <= elements[index].range.upperBound {
      end += 1
    }
    return index + 1..<end
  }

  func children(of index: Int) -> [Int] {
    descendants(of: index).filter { elements[$0].parent == index }
  }
}

/// The reason why bytes are not an XML document.
struct XMLError: Error, CustomStringConvertible {
  var offset: Int
  var detail: String
  var description: String { "at byte \(offset): \(detail)" }
}
