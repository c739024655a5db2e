// SPDX-License-Identifier: MIT

package import ApusJSON

/// Writes the facts of one subject as the members of a JSON object, by their declaration.
private struct FactsJSON<Output: TextOutputStream, Subject>: FactVisitor {
  var json: JSONWriter<Output>
  let subject: Subject

  mutating func required<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value
  ) {
    json.key(name)
    read(subject).write(to: &json)
  }

  mutating func optional<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value?
  ) {
    guard let value = read(subject), value.isValue else { return }
    json.key(name)
    value.write(to: &json)
  }

  mutating func facts<Part: Described>(_ read: (Subject) -> Part) {
    json.members(of: read(subject))
  }

  mutating func optionalFacts<Part: Described>(_ read: (Subject) -> Part?) {
    if let part = read(subject) { json.members(of: part) }
  }

  mutating func form<each Value: FactValue>(
    _ key: String, _ name: String, _ meaning: String, _ facts: repeat Fact<each Value>,
    read: (Subject) -> (repeat each Value)?
  ) {
    guard let values = read(subject) else { return }
    json.field(key, name)
    for (fact, value) in repeat (each facts, each values) {
      if fact.isOptional, !value.isValue { continue }
      json.key(fact.name)
      value.write(to: &json)
    }
  }
}

extension JSONWriter: FactWriter {
  package mutating func text(_ text: String) { value(text) }
  package mutating func count(_ number: some BinaryInteger) { value(number) }
  package mutating func structure(json text: String) { raw(text) }

  package mutating func list<Element: FactValue>(_ elements: [Element]) {
    array { json in for element in elements { element.write(to: &json) } }
  }

  package mutating func counts(_ counts: FactCounts) {
    object { json in for (name, count) in counts.entries { json.field(name, count) } }
  }

  package mutating func facts<Subject: Described>(_ subject: Subject) {
    object { json in json.members(of: subject) }
  }

  mutating func members<Subject: Described>(of subject: Subject) {
    var visitor = FactsJSON(json: self, subject: subject)
    Subject.describe(&visitor)
    self = visitor.json
  }
}

extension Described {
  /// The facts as one line of JSON, without its end.
  package var json: String {
    var json = JSONWriter("")
    json.facts(self)
    return json.output
  }
}
