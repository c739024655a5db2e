// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts

/// Gathers facts, each with its meaning, by the same declaration as for JSON and its schema.
struct FactReader<Subject: Described>: FactVisitor {
  private(set) var facts: [ReportFact] = []
  private let subject: Subject

  init(_ subject: Subject) {
    self.subject = subject
    Subject.describe(&self)
  }

  mutating func required<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value
  ) {
    add(name, meaning, read(subject))
  }

  mutating func optional<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value?
  ) {
    if let value = read(subject), value.isValue { add(name, meaning, value) }
  }

  mutating func facts<Part: Described>(_ read: (Subject) -> Part) {
    facts += FactReader<Part>(read(subject)).facts
  }

  mutating func optionalFacts<Part: Described>(_ read: (Subject) -> Part?) {
    if let part = read(subject) { facts += FactReader<Part>(part).facts }
  }

  mutating func form<each Value: FactValue>(
    _ key: String, _ name: String, _ meaning: String, _ facts: repeat Fact<each Value>,
    read: (Subject) -> (repeat each Value)?
  ) {
    guard let values = read(subject) else { return }
    add(key, meaning, name)
    for (fact, value) in repeat (each facts, each values) {
      if value.isValue { add(fact.name, fact.meaning, value) }
    }
  }

  private mutating func add<Value: FactValue>(_ name: String, _ meaning: String, _ value: Value) {
    var reader = FactValueReader(name: name)
    value.write(to: &reader)
    guard let found = reader.value else { return }
    var fact = ReportFact(name, meaning, found)
    fact.omitted = reader.omitted
    facts.append(fact)
  }
}

/// Formats a value, with the unit indicated by its name.
private struct FactValueReader: FactWriter {
  let name: String
  private(set) var value: ReportFact.Value?
  private(set) var omitted = 0

  /// The maximum number of elements shown of a list.
  private static var shown: Int { 48 }

  init(name: String) { self.name = name }

  mutating func text(_ text: String) { value = .text(text) }
  mutating func truth(_ truth: Bool) { value = .text(truth ? "yes" : "no") }
  mutating func structure(json text: String) { value = .text(text) }
  mutating func null() { value = .text("unknown") }

  mutating func count(_ number: some BinaryInteger) {
    let number = Int(clamping: number)
    let isSize = name == "size" || name == "bytes" || name.hasSuffix("_bytes")
    value = .text(
      isSize && number >= 1000 ? "\(number) (\(Quantity.bytes(number)))" : "\(number)")
  }

  mutating func number(_ number: Double) {
    switch name {
    case "duration", "presentation_duration", "start", "still_image_time":
      value = .text(Quantity.time(number))
    case "bit_rate": value = .text(Quantity.bitRate(number))
    default: value = .text(number.decimal(places: 0...6))
    }
  }

  mutating func counts(_ counts: FactCounts) {
    value = .text(counts.entries.map { "\($0.count) \($0.name)" }.joined(separator: ", "))
  }

  mutating func facts<Subject: Described>(_ subject: Subject) {
    value = .group(FactReader<Subject>(subject).facts)
  }

  mutating func list<Element: FactValue>(_ elements: [Element]) {
    omitted = max(0, elements.count - Self.shown)
    let found = elements.prefix(Self.shown).map { element in
      var reader = FactValueReader(name: name)
      element.write(to: &reader)
      return reader.value ?? .text("")
    }
    let texts = found.compactMap { value in
      if case .text(let text) = value { text } else { nil }
    }
    guard texts.count < found.count else {
      value = texts.isEmpty ? nil : .text(texts.joined(separator: ", "))
      return
    }
    value = .list(
      found.map { value in if case .group(let facts) = value { facts } else { [] } })
  }
}
