// SPDX-License-Identifier: MIT

public import Bytes
internal import Media

/// A type of a fact.
public protocol FactValue {
  static var form: FactForm { get }
  /// Whether it is a value at all: there are numbers that are none.
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
  /// A whole number, 0 or more.
  case count
  case number
  case truth
  case list(FactForm)
  /// Whole numbers by names that no declaration knows.
  case counts
  case facts(any Described.Type)
}

/// A writer that takes the values of facts.
public protocol FactWriter {
  mutating func text(_ text: String)
  mutating func count(_ number: some BinaryInteger)
  mutating func number(_ number: Double)
  mutating func truth(_ truth: Bool)
  mutating func list<Element: FactValue>(_ elements: [Element])
  mutating func counts(_ counts: FactCounts)
  mutating func facts<Subject: Described>(_ subject: Subject)
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
  public static var form: FactForm { .count }
  public func write<W: FactWriter>(to writer: inout W) { writer.count(self) }
}

extension Int: FactValue {}
extension UInt16: FactValue {}
extension UInt32: FactValue {}

extension FactValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  public static var form: FactForm { .word(allCases.map(\.rawValue)) }
  public func write<W: FactWriter>(to writer: inout W) { writer.text(rawValue) }
}

extension FileKind: FactValue {}
extension Finding.Severity: FactValue {}

extension Array: FactValue where Element: FactValue {
  public static var form: FactForm { .list(Element.form) }
  public func write<W: FactWriter>(to writer: inout W) { writer.list(self) }
}
