// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// A type of a fact.
package protocol FactValue {
  static var form: FactForm { get }
  /// Whether it can be written as a value, unlike some numbers, such as NaN.
  var isValue: Bool { get }
  func write<W: FactWriter>(to writer: inout W)
}

extension FactValue {
  package var isValue: Bool { true }
}

/// The forms that values of facts have.
package indirect enum FactForm {
  case text
  /// One of these words.
  case word([String])
  /// A whole number in a range that may be open at either end.
  case integer(minimum: Int?, maximum: Int? = nil)
  case number
  case truth
  case list(FactForm)
  /// Whole numbers by names that no declaration knows.
  case counts
  case facts(any Described.Type)
  /// An object with members that no declaration knows.
  case structure
  /// The form, or null.
  case nullable(FactForm)
}

/// A writer for the values of facts.
package protocol FactWriter {
  mutating func text(_ text: String)
  mutating func count(_ number: some BinaryInteger)
  mutating func number(_ number: Double)
  mutating func truth(_ truth: Bool)
  mutating func list<Element: FactValue>(_ elements: [Element])
  mutating func counts(_ counts: FactCounts)
  mutating func facts<Subject: Described>(_ subject: Subject)
  /// Writes a structure, given as JSON.
  mutating func structure(json text: String)
  mutating func null()
}

/// Counts by name, in display order.
package struct FactCounts: FactValue {
  package var entries: [(name: String, count: Int)]

  package init(_ entries: [(name: String, count: Int)]) { self.entries = entries }

  package static var form: FactForm { .counts }
  package func write<W: FactWriter>(to writer: inout W) { writer.counts(self) }
}

// MARK: - Values

extension String: FactValue {
  package static var form: FactForm { .text }
  package func write<W: FactWriter>(to writer: inout W) { writer.text(self) }
}

extension FourCC: FactValue {
  package static var form: FactForm { .text }
  package func write<W: FactWriter>(to writer: inout W) { writer.text(description) }
}

extension Bool: FactValue {
  package static var form: FactForm { .truth }
  package func write<W: FactWriter>(to writer: inout W) { writer.truth(self) }
}

extension Double: FactValue {
  package static var form: FactForm { .number }
  package var isValue: Bool { isFinite }
  package func write<W: FactWriter>(to writer: inout W) { writer.number(self) }
}

extension FactValue where Self: BinaryInteger {
  package static var form: FactForm { .integer(minimum: 0) }
  package func write<W: FactWriter>(to writer: inout W) { writer.count(self) }
}

// An `Int` is declared as a count.
extension Int: FactValue {}
extension UInt16: FactValue {}
extension UInt32: FactValue {}

extension Int64: FactValue {
  package static var form: FactForm { .integer(minimum: nil) }
}

extension UInt8: FactValue {
  package static var form: FactForm { .integer(minimum: 0, maximum: 255) }
}

extension FactValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  package static var form: FactForm { .word(allCases.map(\.rawValue)) }
  package func write<W: FactWriter>(to writer: inout W) { writer.text(rawValue) }
}

extension FileKind: FactValue {}

extension Chroma: FactValue {
  package static var form: FactForm { .word(allCases.map(\.name)) }
  package func write<W: FactWriter>(to writer: inout W) { writer.text(name) }
}

extension Finding.Severity: FactValue {}

extension Array: FactValue where Element: FactValue {
  package static var form: FactForm { .list(Element.form) }
  package func write<W: FactWriter>(to writer: inout W) { writer.list(self) }
}

extension Optional: FactValue where Wrapped: FactValue {
  package static var form: FactForm { .nullable(Wrapped.form) }
  package var isValue: Bool { map(\.isValue) ?? false }
  package func write<W: FactWriter>(to writer: inout W) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Collection {
  /// The collection, or `nil` if it is empty.
  package var nonEmpty: Self? { isEmpty ? nil : self }
}
