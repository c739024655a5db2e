// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// A type of a fact.
public protocol FactValue {
  static var form: FactForm { get }
  /// Whether it can be written as a value, unlike some numbers, such as NaN.
  var isValue: Bool { get }
  func write<W: FactWriter>(to writer: inout W)
}

extension FactValue {
  public var isValue: Bool { true }
}

/// The forms that values of facts have.
public indirect enum FactForm {
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
public protocol FactWriter {
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
public struct FactCounts: FactValue {
  public var entries: [(name: String, count: Int)]

  public init(_ entries: [(name: String, count: Int)]) { self.entries = entries }

  public static var form: FactForm { .counts }
  public func write<W: FactWriter>(to writer: inout W) { writer.counts(self) }
}

// MARK: - Values

extension String: FactValue {
  public static var form: FactForm { .text }
  public func write<W: FactWriter>(to writer: inout W) { writer.text(self) }
}

extension FourCC: FactValue {
  public static var form: FactForm { .text }
  public func write<W: FactWriter>(to writer: inout W) { writer.text(description) }
}

extension Bool: FactValue {
  public static var form: FactForm { .truth }
  public func write<W: FactWriter>(to writer: inout W) { writer.truth(self) }
}

extension Double: FactValue {
  public static var form: FactForm { .number }
  public var isValue: Bool { isFinite }
  public func write<W: FactWriter>(to writer: inout W) { writer.number(self) }
}

extension FactValue where Self: BinaryInteger {
  public static var form: FactForm { .integer(minimum: 0) }
  public func write<W: FactWriter>(to writer: inout W) { writer.count(self) }
}

// An `Int` is declared as a count.
extension Int: FactValue {}
extension UInt16: FactValue {}
extension UInt32: FactValue {}

extension Int64: FactValue {
  public static var form: FactForm { .integer(minimum: nil) }
}

extension UInt8: FactValue {
  public static var form: FactForm { .integer(minimum: 0, maximum: 255) }
}

extension FactValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var form: FactForm { .word(allCases.map(\.rawValue)) }
  public func write<W: FactWriter>(to writer: inout W) { writer.text(rawValue) }
}

extension FileKind: FactValue {}

extension Chroma: FactValue {
  public static var form: FactForm { .word(allCases.map(\.name)) }
  public func write<W: FactWriter>(to writer: inout W) { writer.text(name) }
}

extension Finding.Severity: FactValue {}

extension Array: FactValue where Element: FactValue {
  public static var form: FactForm { .list(Element.form) }
  public func write<W: FactWriter>(to writer: inout W) { writer.list(self) }
}

extension Optional: FactValue where Wrapped: FactValue {
  public static var form: FactForm { .nullable(Wrapped.form) }
  public var isValue: Bool { map(\.isValue) ?? false }
  public func write<W: FactWriter>(to writer: inout W) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Collection {
  /// The collection, or `nil` if it is empty.
  package var nonEmpty: Self? { isEmpty ? nil : self }
}
