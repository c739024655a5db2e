// SPDX-License-Identifier: MIT

/// The visitor that assigns a new value to one field: it runs the declaration and changes the leaf with the given name,
/// so that every displayed field can be set.
public struct FieldAssigner: SyntaxVisitor {
  /// The leaf by its name in `Field.leaves`, or the cell of a table as `entries[3].sample_delta`. If several leaves
  /// share a name, `name#1` is the second one.
  private let target: String
  private let occurrence: Int
  private let value: String

  private var prefix: [String] = []
  private var seen = 0
  private var writer = SyntaxWriter(CountingSink())
  private var assigned: Assignment?
  /// The old and the new value of the field, if it is a number.
  private var change: (old: UInt64, new: UInt64)?
  /// Whether the last field visited is the one that was assigned.
  public private(set) var isAssigning = false

  /// The result of searching for the name.
  private enum Assignment {
    case done
    case refused(FieldValueError)
  }

  private init(_ target: String, occurrence: Int, to value: String) {
    self.target = target
    self.occurrence = occurrence
    self.value = value
  }

  /// Runs `body`, which visits the declaration, and sets the field `name`.
  public static func set(
    _ name: String, to value: String,
    in body: (inout FieldAssigner) throws(SyntaxError) -> Void
  ) throws(FieldValueError) {
    _ = try run(name, to: value, in: body)
    // A number that counts or measures other data does not keep its assigned value.
    let second = try run(name, to: value, in: body)
    if let change = second.change, change.old != change.new { throw .derived }
  }

  private static func run(
    _ name: String, to value: String,
    in body: (inout FieldAssigner) throws(SyntaxError) -> Void
  ) throws(FieldValueError) -> FieldAssigner {
    let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
    let occurrence = parts.count == 2 ? Int(parts[1]) : nil
    var assigner = FieldAssigner(
      occurrence == nil ? name : parts[0], occurrence: occurrence ?? 0, to: value)
    do throws(SyntaxError) {
      try body(&assigner)
    } catch {
      throw .unwritable(error)
    }
    switch assigner.assigned {
    case .done: break
    case .refused(let error): throw error
    case nil: throw .unknown
    }
    guard occurrence != nil || assigner.seen == 1 else { throw .ambiguous(assigner.seen) }
    return assigner
  }

  /// Always `false`, because the structure was read before.
  public var isReading: Bool { false }
  /// Always 0, because nothing is read.
  public var remaining: Int { 0 }
  /// The number of bits up to the next byte boundary, in the written form.
  public var bitsUntilAligned: Int { writer.bitsUntilAligned }

  /// Returns an error at the position in the written form, relative to the first byte visited.
  public func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String)
    -> SyntaxError
  {
    writer.failure(kind, field, detail)
  }

  /// Returns whether this is the leaf to change.
  private mutating func isTarget(_ name: StaticString) -> Bool {
    isAssigning = false
    let name = name.description
    let isItem = prefix.last?.hasPrefix(name + "[") ?? false
    guard target.hasSuffix(name) || isItem else { return false }
    let full = (prefix + [name]).joined(separator: ".")
    guard full == target || (isItem && prefix.joined(separator: ".") == target) else {
      return false
    }
    seen += 1
    return seen == occurrence + 1
  }

  private mutating func assign(_ body: () throws(FieldValueError) -> Void) {
    do throws(FieldValueError) {
      try body()
      assigned = .done
    } catch {
      assigned = .refused(error)
    }
  }
}

// MARK: - Fields

extension FieldAssigner {
  /// Visits bits, and assigns them if they are the target.
  public mutating func field(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    if isTarget(name) {
      let (text, old) = (self.value, value)
      assign { () throws(FieldValueError) in
        value = try FieldValue.number(text, bits: bits, as: kind)
      }
      change = (old, value)
      isAssigning = true
    }
    var copy = value
    try writer.field(bits, name, &copy, kind)
  }

  /// Visits an Exp-Golomb code, and assigns it if it is the target.
  public mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)
  {
    if isTarget(name) {
      let text = self.value
      assign { () throws(FieldValueError) in
        value = try FieldValue.number(
          text, bits: signed ? 64 : 32, as: signed ? .signed : .unsigned)
      }
    }
    var copy = value
    try writer.expGolomb(name, &copy, signed: signed)
  }

  /// Visits bytes in memory, and replaces them if they are the target.
  public mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind
  ) throws(SyntaxError) {
    if isTarget(name) {
      let text = self.value
      let old = value.count
      assign { () throws(FieldValueError) in
        value = try FieldValue.bytes(text, as: kind, replacing: old)
      }
    }
    try writer.append(value)
  }

  /// Visits bytes of the input, and replaces them by bytes in memory if they are the target.
  public mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)
  {
    if isTarget(name) {
      let text = self.value
      assign { () throws(FieldValueError) in
        value = Extent(try FieldValue.bytes(text, as: .bytes, replacing: 0))
      }
    }
    try writer.append(value)
  }

  /// Visits a string, and replaces it if it is the target; text with a zero byte is refused.
  public mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    if isTarget(name) {
      value.bytes = Array(self.value.utf8)
      assigned = value.bytes.contains(0) ? .refused(.expected("text without a zero byte")) : .done
    }
    try writer.text(name, &value)
  }

  /// Changes one value in one row; the other rows are not copied.
  public mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?
  ) throws(SyntaxError) {
    isAssigning = false
    if let (row, column) = cell(of: name, columns) {
      seen += 1
      if seen == occurrence + 1 {
        let (text, table) = (self.value, value)
        var changed = table
        assign { () throws(FieldValueError) in
          guard row < table.count else { throw .expected("a row below \(table.count)") }
          changed = try table.setting(row, column, to: text)
        }
        value = changed
      }
    }
    try writer.append(value.extent)
  }

  /// Returns the row and column of the target, if it is in this table.
  private func cell(of name: StaticString, _ columns: [Table.Column]) -> (row: Int, column: Int)? {
    let start = (prefix + [name.description]).joined(separator: ".") + "["
    guard target.hasPrefix(start) else { return nil }
    let rest = target.dropFirst(start.count)
    guard let end = rest.firstIndex(of: "]"), let row = Int(rest[..<end]), row >= 0 else {
      return nil
    }
    let tail = rest[rest.index(after: end)...]
    if tail.isEmpty, columns.count == 1 { return (row, 0) }
    return columns.firstIndex { tail == "." + $0.name }.map { (row, $0) }
  }

  /// Visits the elements of a list under names with their indexes.
  public mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout FieldAssigner) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    isAssigning = false
    for index in elements.indices {
      prefix.append("\(name)[\(index)]")
      defer { prefix.removeLast() }
      try body(&elements[index], &self)
    }
  }

  /// Visits a nested structure under names with that of the group.
  public mutating func group(
    _ name: StaticString, _ body: (inout FieldAssigner) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    isAssigning = false
    prefix.append(name.description)
    defer { prefix.removeLast() }
    try body(&self)
  }

  /// Visits self-framed elements, which have separate names.
  public mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)
  {
    isAssigning = false
    try writer.framed(&elements, count: count)
  }

  /// Returns its argument, because nothing is read.
  public mutating func moreData(_ isPresent: Bool) -> Bool { isPresent }
  /// Returns no bytes, because nothing is read.
  public mutating func peek(_ count: Int) -> [UInt8] { [] }
}

extension Table {
  /// Returns the same table with one value in one row replaced.
  fileprivate func setting(_ row: Int, _ column: Int, to text: String)
    throws(FieldValueError) -> Table
  {
    let old = columns[column]
    let number = try FieldValue.number(text, bits: old.bits, as: old.kind)
    let start = row * rowBits + columns[..<column].reduce(0) { $0 + $1.bits }
    let first = extent.range.lowerBound + start / 8
    let last = extent.range.lowerBound + (start + old.bits - 1) / 8
    do throws(SyntaxError) {
      var bytes = try extent.source.bytes(in: first..<last + 1)
      for bit in 0..<old.bits {
        let place = start % 8 + bit
        let mask = UInt8(0x80) >> UInt8(place % 8)
        let isSet = number >> UInt64(old.bits - 1 - bit) & 1 == 1
        bytes[place / 8] = isSet ? bytes[place / 8] | mask : bytes[place / 8] & ~mask
      }
      let patched = PatchedSource(extent.source, bytes, at: first)
      return Table(columns: columns, count: count, extent: Extent(patched, extent.range))
    } catch {
      throw .unwritable(error)
    }
  }
}
