// SPDX-License-Identifier: MIT

/// Finds the tags of an XML document, and pairs them.
struct XMLScanner {
  /// The maximum depth, more than any program nests; a bound for documents made to cost time.
  static let depthLimit = 256

  private let bytes: [UInt8]
  private var position = 0
  private(set) var elements: [XMLDocument.Element] = []
  /// The open elements, outermost first.
  private var open: [Int] = []
  /// The namespaces of each prefix, innermost last.
  private var bindings: [String: [String]] = ["xml": ["http://www.w3.org/XML/1998/namespace"]]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func scan() throws(XMLError) {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<![CDATA[") {
        try skip(past: "]]>")
      } else if starts(with: "<?") {
        try skip(past: "?>")
      } else if starts(with: "<!") {
        throw error("contains a declaration, which XMP does not allow")
      } else if starts(with: "</") {
        try endTag()
      } else {
        try startTag()
      }
    }
    guard open.isEmpty, !elements.isEmpty else {
      position = bytes.count
      throw error(elements.isEmpty ? "holds no element" : "ends inside an element")
    }
  }

  private mutating func startTag() throws(XMLError) {
    let start = position
    position += 1
    let nameRange = try name()
    var raw: [(name: Range<Int>, value: Range<Int>, range: Range<Int>)] = []
    var isEmpty = false
    while true {
      let blank = skipBlank()
      guard position < bytes.count else { throw error("ends inside a tag") }
      if bytes[position] == UInt8(ascii: ">") { break }
      if starts(with: "/>") {
        isEmpty = true
        position += 1
        break
      }
      guard blank else { throw error("has no blank before an attribute") }
      raw.append(try attribute())
    }
    position += 1
    guard open.count < Self.depthLimit else {
      throw error("nests deeper than the limit of \(Self.depthLimit)")
    }
    guard !open.isEmpty || elements.isEmpty else {
      throw error("has a second outermost element")
    }
    let declarations = raw.compactMap { declaration($0.name, $0.value, $0.range) }
    for declaration in declarations {
      bindings[declaration.prefix, default: []].append(declaration.namespace)
    }
    let index = elements.count
    if let parent = open.last { elements[parent].isLeaf = false }
    var element = XMLDocument.Element(
      name: resolved(nameRange, isAttribute: false), parent: open.last, range: start..<position,
      nameRange: nameRange, content: isEmpty ? nil : position..<position)
    element.declarations = declarations
    for (name, value, range) in raw where declaration(name, value, range) == nil {
      element.attributes.append(
        XMLDocument.Attribute(
          name: resolved(name, isAttribute: true), range: range, value: value))
    }
    elements.append(element)
    if isEmpty { close(index) } else { open.append(index) }
  }

  private mutating func endTag() throws(XMLError) {
    let start = position
    position += 2
    let nameRange = try name()
    skipBlank()
    guard starts(with: ">") else { throw error("has an end tag that does not end") }
    guard let index = open.popLast(),
      bytes[elements[index].nameRange] == bytes[nameRange]
    else { throw error("has an end tag without its start tag") }
    position += 1
    elements[index].range = elements[index].range.lowerBound..<position
    elements[index].content = (elements[index].content?.lowerBound ?? start)..<start
    close(index)
  }

  private mutating func close(_ index: Int) {
    for declaration in elements[index].declarations {
      _ = bindings[declaration.prefix]?.popLast()
    }
  }
}

// MARK: - Names and attributes

extension XMLScanner {
  private mutating func attribute() throws(XMLError)
    -> (name: Range<Int>, value: Range<Int>, range: Range<Int>)
  {
    let name = try name()
    skipBlank()
    guard starts(with: "=") else { throw error("has an attribute without a value") }
    position += 1
    skipBlank()
    guard position < bytes.count, let quote = [0x22, 0x27].first(where: { $0 == bytes[position] })
    else { throw error("has an attribute value without quotes") }
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: quote) else {
      throw error("ends inside an attribute value")
    }
    guard !bytes[start..<end].contains(UInt8(ascii: "<")) else {
      throw error("has an attribute value with < in it")
    }
    position = end + 1
    return (name, start..<end, name.lowerBound..<position)
  }

  private mutating func name() throws(XMLError) -> Range<Int> {
    let start = position
    while position < bytes.count, !Self.isBlank(bytes[position]),
      !"=/><\"'".utf8.contains(bytes[position])
    {
      position += 1
    }
    guard position > start else { throw error("has a tag or an attribute without a name") }
    return start..<position
  }

  /// Returns the prefix and the local name; the prefix is empty if there is none.
  private func parts(_ name: Range<Int>) -> (prefix: String, local: String) {
    let colon = bytes[name].firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.map { bytes[name.lowerBound..<$0] } ?? []
    let local = bytes[(colon.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound]
    return (String(decoding: prefix, as: UTF8.self), String(decoding: local, as: UTF8.self))
  }

  private func resolved(_ name: Range<Int>, isAttribute: Bool) -> XMLDocument.Name {
    let (prefix, local) = parts(name)
    let namespace = isAttribute && prefix.isEmpty ? "" : bindings[prefix]?.last ?? ""
    return XMLDocument.Name(namespace: namespace, local: local)
  }

  private func declaration(_ name: Range<Int>, _ value: Range<Int>, _ range: Range<Int>)
    -> XMLDocument.Declaration?
  {
    let (prefix, local) = parts(name)
    let namespace = String(decoding: bytes[value], as: UTF8.self)
    if prefix == "xmlns" {
      return XMLDocument.Declaration(prefix: local, namespace: namespace, range: range)
    }
    guard prefix.isEmpty, local == "xmlns" else { return nil }
    return XMLDocument.Declaration(prefix: "", namespace: namespace, range: range)
  }
}

// MARK: - Bytes

extension XMLScanner {
  static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  @discardableResult
  private mutating func skipBlank() -> Bool {
    let start = position
    while position < bytes.count, Self.isBlank(bytes[position]) { position += 1 }
    return position > start
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe bytes[position...].starts(with: $0) }
  }

  private mutating func skip(past text: StaticString) throws(XMLError) {
    while position < bytes.count {
      if starts(with: text) {
        position += text.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw error("ends before \(text)")
  }

  private func error(_ detail: String) -> XMLError { XMLError(offset: position, detail: detail) }
}
