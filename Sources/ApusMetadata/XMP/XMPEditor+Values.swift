// SPDX-License-Identifier: MIT

/// The properties that a person sets: XMP part 1, 7.5; IPTC Photo Metadata.
extension XMPEditor {
  /// A value of a property in one of its forms.
  private enum Value {
    case simple(String)
    /// A text in the default language, with which those in other languages remain.
    case alternative(String)
    case bag([String])
    case sequence([String])

    var isEmpty: Bool {
      switch self {
      case .simple(let text), .alternative(let text): text.isEmpty
      case .bag(let items), .sequence(let items): items.allSatisfy(\.isEmpty)
      }
    }

    /// The texts as XML writes them.
    var texts: [String] {
      switch self {
      case .simple(let text), .alternative(let text): [escaped(text)]
      case .bag(let items), .sequence(let items): items.map(escaped)
      }
    }

    /// The content of the property's element.
    var xml: String {
      switch self {
      case .simple(let text): escaped(text)
      case .alternative(let text):
        "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(escaped(text))</rdf:li></rdf:Alt>"
      case .bag(let items): "<rdf:Bag>\(Self.list(items))</rdf:Bag>"
      case .sequence(let items): "<rdf:Seq>\(Self.list(items))</rdf:Seq>"
      }
    }

    private static func list(_ items: [String]) -> String {
      items.map { "<rdf:li>\(escaped($0))</rdf:li>" }.joined()
    }
  }

  /// Sets texts, the rating and the time. Times and coordinates change only where there are some, because Exif has them.
  mutating func set(_ edits: MetadataEdits, time: PhotoTime?) throws(XMLError) {
    var properties = ""
    let texts = edits.texts
    let dublin = ("dc", XMPNamespace.dublinCore)
    try set("title", of: dublin, to: texts.title.map { .alternative($0) }, &properties)
    try set("description", of: dublin, to: texts.caption.map { .alternative($0) }, &properties)
    try set("rights", of: dublin, to: texts.copyright.map { .alternative($0) }, &properties)
    try set("creator", of: dublin, to: texts.creator.map { .sequence([$0]) }, &properties)
    try set("subject", of: dublin, to: texts.keywords.map { .bag($0) }, &properties)
    let rating = edits.rating.map { Value.simple(String($0)) }
    try set("Rating", of: ("xmp", XMPNamespace.xmp), to: rating, &properties)
    if let time {
      for name in Self.times {
        for range in values(of: name) { replace(range, by: time.iso8601) }
      }
    }
    if edits.position != nil {
      _ = removeProperties { $0.namespace == XMPNamespace.exif && $0.local.hasPrefix("GPS") }
    }
    guard !properties.isEmpty else { return }
    try append(
      node: """
        <rdf:Description rdf:about="\(about)" xmlns:rdf="\(XMPNamespace.rdf)" \
        xmlns:dc="\(XMPNamespace.dublinCore)" xmlns:xmp="\(XMPNamespace.xmp)">\
        \(properties)</rdf:Description>
        """)
  }

  private static let times = [
    Name(namespace: XMPNamespace.photoshop, local: "DateCreated"),
    Name(namespace: XMPNamespace.exif, local: "DateTimeOriginal"),
    Name(namespace: XMPNamespace.exif, local: "DateTimeDigitized"),
    Name(namespace: XMPNamespace.xmp, local: "CreateDate"),
  ]

  /// The picture that the first node is about; often empty.
  private var about: String {
    let name = Name(namespace: XMPNamespace.rdf, local: "about")
    let attribute = nodes.lazy.flatMap { document.elements[$0].attributes }.first {
      $0.name == name
    }
    return attribute.map { document.text($0.value) } ?? ""
  }

  /// Removes a property, and adds it with another value to the text of a new node.
  private mutating func set(
    _ local: String, of namespace: (prefix: String, uri: String), to value: Value?,
    _ properties: inout String
  ) throws(XMLError) {
    guard let value else { return }
    let name = Name(namespace: namespace.uri, local: local)
    if case .alternative(let text) = value, !text.isEmpty, replaceDefault(of: name, by: text) {
      return
    }
    guard texts(of: name) != (value.isEmpty ? [] : value.texts) else { return }
    for node in nodes {
      for attribute in document.elements[node].attributes where attribute.name == name {
        remove(attribute.range)
      }
      for child in document.children(of: node) where document.elements[child].name == name {
        remove(element: child)
      }
    }
    guard !value.isEmpty else { return }
    properties += "<\(namespace.prefix):\(local)>\(value.xml)</\(namespace.prefix):\(local)>"
  }

  /// Returns the texts of a property as XML writes them: its own, or those of its list.
  private func texts(of name: Name) -> [String] {
    nodes.flatMap { node -> [String] in
      let attributes = document.elements[node].attributes.filter { $0.name == name }
      let children = document.children(of: node).filter { document.elements[$0].name == name }
      return attributes.map { document.text($0.value) }
        + children.flatMap { child in
          ([child] + document.descendants(of: child)).compactMap { index in
            let element = document.elements[index]
            return element.isLeaf ? element.content.map(document.text) ?? "" : nil
          }
        }
    }
  }

  /// Replaces the text in the default language; returns `false` if there is none.
  private mutating func replaceDefault(of name: Name, by text: String) -> Bool {
    let language = Name(namespace: XMPNamespace.xml, local: "lang")
    for node in nodes {
      for property in document.children(of: node) where document.elements[property].name == name {
        let items = document.descendants(of: property).filter { index in
          document.elements[index].attributes.contains {
            $0.name == language && document.text($0.value) == "x-default"
          }
        }
        guard let item = items.first, document.elements[item].isLeaf,
          let content = document.elements[item].content
        else { continue }
        if document.text(content) != escaped(text) { replace(content, by: escaped(text)) }
        return true
      }
    }
    return false
  }
}

/// Returns a text with the characters that XML reserves written as entities.
private func escaped(_ text: String) -> String {
  var result = ""
  for character in text {
    switch character {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    default: result.append(character)
    }
  }
  return result
}
