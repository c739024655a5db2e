// SPDX-License-Identifier: MIT

import ApusFacts
import ApusJSON

@testable import ApusCommand

/// A file with the schema of the documents that commands print.
struct SchemaFile {
  let name: String
  private let title: String
  private let description: String
  /// The forms that a document may have.
  private let forms: [FactForm]
  /// Objects that the definitions refer to.
  private var waiting: [any Described.Type] = []
  private var definitions: [String: String] = [:]

  init(_ name: String, _ title: String, _ description: String, _ forms: FactForm...) {
    self.name = name
    self.title = title
    self.description = description
    self.forms = forms
  }

  func text() -> String {
    var file = self
    let root = file.root()
    var known: [String: ObjectIdentifier] = [:]
    while let part = file.waiting.popLast() {
      let isNew = known.updateValue(ObjectIdentifier(part), forKey: part.title) == nil
      precondition(isNew || known[part.title] == ObjectIdentifier(part), "two \(part.title)")
      if isNew { file.define(part.title, file.members(of: part, "    ")) }
    }
    let definitions = file.definitions.sorted { $0.key < $1.key }.map {
      "    \(JSONWriter<String>.quoted($0.key)): { \($0.value) }"
    }
    let end =
      definitions.isEmpty
      ? "" : ",\n  \"$defs\": {\n\(definitions.joined(separator: ",\n"))\n  }"
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": \(JSONWriter<String>.quoted(title)),
        "description": \(JSONWriter<String>.quoted(description)),
        \(root)\(end)
      }

      """
  }

  private mutating func root() -> String {
    if forms.count == 1, case .facts(let part) = forms[0] { return members(of: part, "  ") }
    var object = ObjectSchema()
    let texts = forms.map { object.words($0) }
    waiting += object.parts
    return forms.count == 1 ? texts[0] : Self.choice("anyOf", texts, "  ")
  }

  private mutating func members<Part: Described>(of part: Part.Type, _ margin: String) -> String {
    let schema = FactSchema(of: part)
    waiting += schema.object.parts
    guard !schema.forms.isEmpty else { return schema.object.text(margin) }
    precondition(schema.object.isEmpty, "\(part) has facts outside its forms")
    for (name, object) in schema.forms {
      waiting += object.parts
      define(name, object.text("    "))
    }
    return Self.choice("oneOf", schema.forms.map { ObjectSchema.reference($0.name) }, margin)
  }

  private mutating func define(_ name: String, _ text: String) {
    let other = definitions.updateValue(text, forKey: name)
    precondition(other == nil, "two objects are called \(name)")
  }

  private static func choice(_ name: String, _ texts: [String], _ margin: String) -> String {
    let rows = texts.map { "\(margin)  { \($0) }" }
    return "\"\(name)\": [\n\(rows.joined(separator: ",\n"))\n\(margin)]"
  }
}
