// SPDX-License-Identifier: MIT

/// The elements and attributes of an XML document, and which bytes they are: XML 1.0, Namespaces in XML 1.0.
///
/// It serves to change some bytes of a document and keep the rest: text is not decoded, and entities are
/// left alone.
struct XMLDocument: Sendable {
  struct Name: Hashable, Sendable {
    var namespace: String
    var local: String
  }

  struct Attribute: Sendable {
    var name: Name
    /// The name, the equals sign and the value with its quotes.
    var range: Range<Int>
    var value: Range<Int>
  }

  /// `xmlns` or `xmlns:PREFIX`.
  struct Declaration: Sendable {
    var prefix: String
    var namespace: String
    var range: Range<Int>
  }

  struct Element: Sendable {
    var name: Name
    /// The index of the element around it.
    var parent: Int?
    /// The range from `<` to the `>` of the end tag.
    var range: Range<Int>
    /// The name with its prefix.
    var nameRange: Range<Int>
    /// The contents between start tag and end tag; `nil` for an empty-element tag.
    var content: Range<Int>?
    var attributes: [Attribute] = []
    var declarations: [Declaration] = []
    var isLeaf = true
  }

  let bytes: [UInt8]
  /// The elements in the order of their start tags, so what lies in an element follows it.
  let elements: [Element]

  init(_ bytes: [UInt8]) throws(XMLError) {
    var scanner = XMLScanner(bytes)
    try scanner.scan()
    self.bytes = bytes
    elements = scanner.elements
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The indices of the elements inside another.
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
