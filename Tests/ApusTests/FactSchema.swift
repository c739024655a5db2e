// SPDX-License-Identifier: MIT

import Facts

@testable import ApusCommand

/// The JSON schema of facts, by their declaration.
struct FactSchema<Subject>: FactVisitor {
  private var properties: [(name: String, text: String)] = []
  private var names: [String] = []
  private(set) var parts: [any Described.Type] = []
  private var isOptional = false

  mutating func required<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value
  ) {
    add(name, meaning, Value.form)
    if !isOptional { names.append(name) }
  }

  mutating func optional<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value?
  ) {
    add(name, meaning, Value.form)
  }

  mutating func facts<Part: Described>(_ read: (Subject) -> Part) { merge(Part.self, false) }
  mutating func optionalFacts<Part: Described>(_ read: (Subject) -> Part?) {
    merge(Part.self, true)
  }

  private mutating func merge<Part: Described>(_ part: Part.Type, _ isOptional: Bool) {
    var schema = FactSchema<Part>()
    schema.isOptional = self.isOptional || isOptional
    Part.describe(&schema)
    properties += schema.properties
    names += schema.names
    parts += schema.parts
  }

  private mutating func add(_ name: String, _ meaning: String, _ form: FactForm) {
    let text = "\(words(form)), \"description\": \(JSONWriter<String>.quoted(meaning))"
    properties.append((name, "{ \(text) }"))
  }

  /// The members of a schema for one value.
  private mutating func words(_ form: FactForm) -> String {
    switch form {
    case .text: return "\"type\": \"string\""
    case .word(let words):
      return "\"enum\": [\(words.map(JSONWriter<String>.quoted).joined(separator: ", "))]"
    case .count: return "\"type\": \"integer\", \"minimum\": 0"
    case .number: return "\"type\": \"number\""
    case .truth: return "\"type\": \"boolean\""
    case .list(let element): return "\"type\": \"array\", \"items\": { \(words(element)) }"
    case .counts:
      return
        "\"type\": \"object\", \"additionalProperties\": { \"type\": \"integer\", \"minimum\": 0 }"
    case .facts(let part):
      parts.append(part)
      return "\"$ref\": \"#/$defs/\(part.title)\""
    }
  }

  /// An object with these members, indented.
  private func object(_ margin: String) -> String {
    let required = names.map(JSONWriter<String>.quoted).joined(separator: ", ")
    let members = properties.map {
      "\(margin)  \(JSONWriter<String>.quoted($0.name)): \($0.text)"
    }
    return """
      \(margin)"type": "object",
      \(margin)"required": [\(required)],
      \(margin)"additionalProperties": false,
      \(margin)"properties": {
      \(members.joined(separator: ",\n"))
      \(margin)}
      """
  }

  private static func schema<Part: Described>(of part: Part.Type) -> FactSchema<Part> {
    var schema = FactSchema<Part>()
    Part.describe(&schema)
    return schema
  }

  private static func definition<Part: Described>(of part: Part.Type) -> (
    text: String, parts: [any Described.Type]
  ) {
    let schema = schema(of: part)
    let name = JSONWriter<String>.quoted(Part.title)
    return ("    \(name): {\n\(schema.object("      "))\n    }", schema.parts)
  }
}

extension FactSchema where Subject: Described {
  /// The schema as a file has it.
  static func text(description: String) -> String {
    let root = schema(of: Subject.self)
    var definitions: [(name: String, text: String)] = []
    var waiting = root.parts
    while let part = waiting.popLast() {
      guard !definitions.contains(where: { $0.name == part.title }) else { continue }
      let (text, parts) = definition(of: part)
      definitions.append((part.title, text))
      waiting += parts
    }
    definitions.sort { $0.name < $1.name }
    return """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": \(JSONWriter<String>.quoted(Subject.title)),
        "description": \(JSONWriter<String>.quoted(description)),
      \(root.object("  ")),
        "$defs": {
      \(definitions.map(\.text).joined(separator: ",\n"))
        }
      }

      """
  }
}
