// SPDX-License-Identifier: MIT

import ApusFacts
import ApusJSON

@testable import ApusCommand

/// The JSON schema of facts, by their declaration.
struct FactSchema<Subject>: FactVisitor {
  private(set) var object = ObjectSchema()
  /// The forms of a subject that has several, and has no other facts.
  private(set) var forms: [(name: String, object: ObjectSchema)] = []

  mutating func required<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value
  ) {
    object.add(name, meaning, Value.form, isRequired: true)
  }

  mutating func optional<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value?
  ) {
    object.add(name, meaning, Value.form, isRequired: false)
  }

  mutating func facts<Part: Described>(_ read: (Subject) -> Part) {
    object.merge(FactSchema<Part>(of: Part.self).object, isOptional: false)
  }

  mutating func optionalFacts<Part: Described>(_ read: (Subject) -> Part?) {
    object.merge(FactSchema<Part>(of: Part.self).object, isOptional: true)
  }

  mutating func form<each Value: FactValue>(
    _ key: String, _ name: String, _ meaning: String, _ facts: repeat Fact<each Value>,
    read: (Subject) -> (repeat each Value)?
  ) {
    var object = ObjectSchema(description: meaning)
    object.add(key, name)
    for fact in repeat each facts { object.add(fact) }
    forms.append((name, object))
  }
}

extension FactSchema {
  mutating func isKnown(_ name: String, onlyIf key: String, is word: String) {
    object.isKnown(name, onlyIf: key, is: word)
  }
}

extension FactSchema where Subject: Described {
  init(of subject: Subject.Type) { Subject.describe(&self) }
}

/// The schema of one object.
struct ObjectSchema {
  var description: String?
  private var properties: [(name: String, text: String)] = []
  private var names: [String] = []
  /// A rule about the values of its properties.
  private var rule: String?
  /// The objects that it refers to.
  private(set) var parts: [any Described.Type] = []

  init(description: String? = nil) { self.description = description }

  var isEmpty: Bool { properties.isEmpty }

  mutating func add(_ name: String, _ meaning: String, _ form: FactForm, isRequired: Bool) {
    let text = "\(words(form)), \"description\": \(JSONWriter<String>.quoted(meaning))"
    properties.append((name, "{ \(text) }"))
    if isRequired { names.append(name) }
  }

  mutating func add<Value: FactValue>(_ fact: Fact<Value>) {
    var form = Value.form
    if fact.isOptional, case .nullable(let known) = form { form = known }
    add(fact.name, fact.meaning, form, isRequired: !fact.isOptional)
  }

  /// Adds the name of a form.
  mutating func add(_ key: String, _ name: String) {
    properties.append((key, "{ \"const\": \(JSONWriter<String>.quoted(name)) }"))
    names.append(key)
  }

  mutating func merge(_ other: ObjectSchema, isOptional: Bool) {
    properties += other.properties
    if !isOptional { names += other.names }
    parts += other.parts
    rule = rule ?? other.rule
  }

  mutating func isKnown(_ name: String, onlyIf key: String, is word: String) {
    let null = "{ \"properties\": { \"\(name)\": { \"type\": \"null\" } } }"
    rule = """
      "if": { "properties": { "\(key)": { "const": "\(word)" } } }, "then": { "not": \(null) }, "else": \(null)
      """
  }

  /// Returns the members of a schema for one value.
  mutating func words(_ form: FactForm, orNull: Bool = false) -> String {
    func type(_ name: String) -> String {
      "\"type\": " + (orNull ? "[\"\(name)\", \"null\"]" : "\"\(name)\"")
    }
    switch form {
    case .text: return type("string")
    case .word(let words):
      let names = words.map(JSONWriter<String>.quoted) + (orNull ? ["null"] : [])
      return "\"enum\": [\(names.joined(separator: ", "))]"
    case .integer(let minimum, let maximum):
      return type("integer") + (minimum.map { ", \"minimum\": \($0)" } ?? "")
        + (maximum.map { ", \"maximum\": \($0)" } ?? "")
    case .number: return type("number")
    case .truth: return type("boolean")
    case .list(let element): return type("array") + ", \"items\": { \(words(element)) }"
    case .counts:
      return type("object")
        + ", \"additionalProperties\": { \"type\": \"integer\", \"minimum\": 0 }"
    case .facts(let part):
      parts.append(part)
      let reference = Self.reference(part.title)
      return orNull ? "\"oneOf\": [{ \"type\": \"null\" }, { \(reference) }]" : reference
    case .structure: return type("object")
    case .nullable(let known): return words(known, orNull: true)
    }
  }

  static func reference(_ name: String) -> String { "\"$ref\": \"#/$defs/\(name)\"" }

  /// Returns the schema, without braces; its last line has this margin.
  func text(_ margin: String) -> String {
    let required = names.map(JSONWriter<String>.quoted).joined(separator: ", ")
    let members = properties.map {
      "\(margin)  \(JSONWriter<String>.quoted($0.name)): \($0.text)"
    }
    return (description.map { "\"description\": \(JSONWriter<String>.quoted($0)), " } ?? "")
      + """
      "type": "object", "required": [\(required)], "additionalProperties": false, "properties": {
      \(members.joined(separator: ",\n"))
      \(margin)}
      """ + (rule.map { ", \($0)" } ?? "")
  }
}
