// SPDX-License-Identifier: MIT

import ApusFacts

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
  mutating func text(_ text: String) { value(text) }
  mutating func count(_ number: some BinaryInteger) { value(number) }
  mutating func structure(json text: String) { raw(text) }

  mutating func list<Element: FactValue>(_ elements: [Element]) {
    array { json in for element in elements { element.write(to: &json) } }
  }

  mutating func counts(_ counts: FactCounts) {
    object { json in for (name, count) in counts.entries { json.field(name, count) } }
  }

  mutating func facts<Subject: Described>(_ subject: Subject) {
    object { json in json.members(of: subject) }
  }

  fileprivate mutating func members<Subject: Described>(of subject: Subject) {
    var visitor = FactsJSON(json: self, subject: subject)
    Subject.describe(&visitor)
    self = visitor.json
  }
}

extension Described {
  /// The facts as one line of JSON, without its end.
  var json: String {
    var json = JSONWriter("")
    json.facts(self)
    return json.output
  }
}

extension ResultStream {
  /// Writes facts as one line of JSON.
  func write(json value: some FactValue) {
    var json = JSONWriter(self)
    value.write(to: &json)
    json.endDocument()
  }
}
