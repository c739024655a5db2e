// SPDX-License-Identifier: MIT

/// An XMP packet in which some bytes are replaced and all others kept: ISO 16684-1, 7.
struct XMPEditor: Sendable {
  typealias Name = XMLDocument.Name

  let document: XMLDocument
  private var splices: [(range: Range<Int>, bytes: [UInt8])] = []

  init(_ packet: [UInt8]) throws(XMLError) {
    document = try XMLDocument(packet)
  }

  var isChanged: Bool { !splices.isEmpty }

  /// The nodes whose attributes and child elements are the properties of the picture.
  var nodes: [Int] {
    document.elements.indices.filter { index in
      document.elements[index].parent.map {
        document.elements[$0].name == Name(namespace: XMPNamespace.rdf, local: "RDF")
      } ?? false
    }
  }

  /// Sets the value of a simple property, in either syntax.
  mutating func set(_ namespace: String, _ local: String, to value: Int) {
    for range in values(of: Name(namespace: namespace, local: local)) { replace(range, by: value) }
  }

  /// Sets the size of the picture wherever it is stated.
  mutating func setSize(width: Int, height: Int) {
    set(XMPNamespace.tiff, "ImageWidth", to: width)
    set(XMPNamespace.tiff, "ImageLength", to: height)
    set(XMPNamespace.exif, "PixelXDimension", to: width)
    set(XMPNamespace.exif, "PixelYDimension", to: height)
  }

  /// Returns the ranges of the values of a simple property, in either syntax.
  func values(of name: Name) -> [Range<Int>] {
    nodes.flatMap { node in
      let attributes = document.elements[node].attributes.filter { $0.name == name }.map(\.value)
      let children = document.children(of: node).map { document.elements[$0] }
      return attributes + children.filter { $0.name == name && $0.isLeaf }.compactMap(\.content)
    }
  }

  private mutating func replace(_ range: Range<Int>, by value: Int) {
    let old = document.bytes[range]
    let blanks = old.prefix { XMLScanner.isBlank($0) }.count
    let text = old.dropFirst(blanks).prefix { !XMLScanner.isBlank($0) }
    guard Int(String(decoding: text, as: UTF8.self)) != value else { return }
    splices.append((text.startIndex..<text.endIndex, Array(String(value).utf8)))
  }

  /// Removes every property, and every field of a property, with a matching name.
  ///
  /// - Returns: the number removed.
  mutating func removeProperties(where fits: (Name) -> Bool) -> Int {
    let before = splices.count
    for (index, element) in document.elements.enumerated() {
      if element.parent != nil, fits(element.name) { remove(element: index) }
      for attribute in element.attributes where fits(attribute.name) { remove(attribute.range) }
    }
    return splices.count - before
  }

  mutating func remove(element index: Int) { remove(document.elements[index].range) }

  /// Removes a range and the blanks before it.
  mutating func remove(_ range: Range<Int>) {
    var start = range.lowerBound
    while start > 0, XMLScanner.isBlank(document.bytes[start - 1]) { start -= 1 }
    splices.append((start..<range.upperBound, []))
  }

  mutating func insert(_ text: String, at offset: Int) {
    splices.append((offset..<offset, Array(text.utf8)))
  }

  mutating func replace(_ range: Range<Int>, by text: String) {
    splices.append((range, Array(text.utf8)))
  }

  /// Adds a node at the end of `rdf:RDF`.
  mutating func append(node: String) throws(XMLError) {
    let rdf = document.elements.first { $0.name == Name(namespace: XMPNamespace.rdf, local: "RDF") }
    guard let rdf else { throw XMLError(offset: 0, detail: "holds no rdf:RDF") }
    if let content = rdf.content {
      insert(node, at: content.upperBound)
    } else {
      let name = document.text(rdf.nameRange)
      replace(rdf.range.upperBound - 2..<rdf.range.upperBound, by: ">\(node)</\(name)>")
    }
  }

  /// Returns the packet with all changes; changes within a removed part are dropped.
  func packet() -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    let inOrder = splices.sorted {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }
    for (range, bytes) in inOrder where range.lowerBound >= position {
      result += document.bytes[position..<range.lowerBound] + bytes
      position = range.upperBound
    }
    return result + document.bytes[position...]
  }
}
