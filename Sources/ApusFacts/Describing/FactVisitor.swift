// SPDX-License-Identifier: MIT

/// Facts that are declared once, by name and meaning; printing them and generating their schema both run that
/// declaration.
package protocol Described: FactValue {
  /// The name in the schema.
  static var title: String { get }
  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == Self
}

extension Described {
  package static var form: FactForm { .facts(Self.self) }
  package func write<W: FactWriter>(to writer: inout W) { writer.facts(self) }
}

/// A visitor of a declaration of facts. The declaration has no values, only ways to read them, so that it is the same
/// for every subject.
package protocol FactVisitor<Subject> {
  associatedtype Subject

  /// Visits a fact that is always present; if its value is optional, it is null when nothing is known.
  mutating func required<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value)

  /// Visits a fact that is left out when nothing is known.
  mutating func optional<Value: FactValue>(
    _ name: String, _ meaning: String, _ read: (Subject) -> Value?)

  /// Visits facts that are placed among those of the subject.
  mutating func facts<Part: Described>(_ read: (Subject) -> Part)

  /// Visits facts that are placed among those of the subject, all of which may be left out.
  mutating func optionalFacts<Part: Described>(_ read: (Subject) -> Part?)

  /// Visits one of several forms of the subject, which the fact `key` names.
  ///
  /// - Parameter read: returns the values of its facts, or `nil` if the subject has another form.
  mutating func form<each Value: FactValue>(
    _ key: String, _ name: String, _ meaning: String, _ facts: repeat Fact<each Value>,
    read: (Subject) -> (repeat each Value)?)

  /// Declares that a fact is not null if another one is this word, and only then.
  mutating func isKnown(_ name: String, onlyIf key: String, is word: String)
}

extension FactVisitor {
  package mutating func isKnown(_ name: String, onlyIf key: String, is word: String) {}
}

/// The declaration of a fact that belongs to one form of a subject.
package struct Fact<Value: FactValue>: Sendable {
  package let name: String
  package let meaning: String
  /// Whether it is left out when nothing is known.
  package let isOptional: Bool

  package init(_ name: String, _ meaning: String, isOptional: Bool = false) {
    self.name = name
    self.meaning = meaning
    self.isOptional = isOptional
  }
}
