// SPDX-License-Identifier: MIT

/// The visitor that names every bit of a structure: dumps, the bit map and the differ are made from the fields it
/// collects.
public struct FieldMapper: SyntaxVisitor {
  private var writer: SyntaxWriter<CountingSink>
  private let start: Int
  private var fields: [Field] = []

  /// - Parameter start: the offset of the structure's first byte in the input.
  private init(start: Int, escaping: Bool) {
    self.start = start
    writer = SyntaxWriter(CountingSink(), escaping: escaping)
  }

  /// Returns the fields of `structure`, which begins at byte `start` of its input.
  public static func fields<Structure: SyntaxStructure>(
    of structure: Structure, at start: Int = 0, escaping: Bool = false
  ) throws(SyntaxError) -> [Field] {
    var structure = structure
    return try fields(at: start, escaping: escaping) { v throws(SyntaxError) in
      try structure.syntax(&v)
    }
  }

  /// Returns the fields that `body` visits, beginning at byte `start` of the input.
  ///
  /// - Parameter escaping: whether emulation prevention bytes take part in the positions.
  public static func fields(
    at start: Int, escaping: Bool = false,
    _ body: (inout FieldMapper) throws(SyntaxError) -> Void
  ) throws(SyntaxError) -> [Field] {
    var mapper = FieldMapper(start: start, escaping: escaping)
    try body(&mapper)
    let escapes = Set(mapper.writer.escapeOffsets.map { $0 + start })
    return escapes.isEmpty ? mapper.fields : mapper.fields.map { moved($0, past: escapes) }
  }

  /// Moves the borders of a field that lie within a byte after an emulation prevention byte: whether one precedes a byte
  /// is known only once all of its bits are.
  private static func moved(_ field: Field, past escapes: Set<Int>) -> Field {
    func moved(_ position: Int) -> Int {
      position % 8 > 0 && escapes.contains(position / 8) ? position + 8 : position
    }
    var result = field
    result.position = moved(field.position)
    result.bits = moved(field.position + field.bits) - result.position
    switch field.value {
    case .group(let fields): result.value = .group(fields.map { Self.moved($0, past: escapes) })
    case .list(let items): result.value = .list(items.map { Self.moved($0, past: escapes) })
    default: break
    }
    return result
  }

  /// Always `false`, because the structure was read before.
  public var isReading: Bool { false }
  /// Always 0, because nothing is read.
  public var remaining: Int { 0 }
  /// The number of bits up to the next byte boundary.
  public var bitsUntilAligned: Int { writer.bitsUntilAligned }
  private var position: Int { start * 8 + writer.bitCount }

  /// Returns an error at the offset of the next field.
  public func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String)
    -> SyntaxError
  {
    SyntaxError(kind, field: field.description, offset: position / 8, detail: detail)
  }

  private mutating func add(
    _ name: StaticString, _ value: Field.Value, _ kind: FieldKind,
    _ write: (inout SyntaxWriter<CountingSink>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let before = position
    try write(&writer)
    fields.append(
      Field(
        name: name.description, value: value, kind: kind, position: before, bits: position - before)
    )
  }

  /// Adds a field of bits.
  public mutating func field(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    var copy = value
    let isSigned =
      switch kind {
      case .signed, .signedFixed: true
      default: false
      }
    let unused = UInt64(64 - bits)
    let shown: Field.Value =
      isSigned && bits > 0
      ? .signed(Int64(bitPattern: value << unused) >> unused) : .number(value)
    try add(name, shown, kind) { writer throws(SyntaxError) in
      try writer.field(bits, name, &copy, kind)
    }
  }

  /// Shows the number itself; its bytes are only counted.
  public mutating func littleEndian(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    try field(bits, name, &value, kind)
  }

  /// Adds a field with an Exp-Golomb code.
  public mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)
  {
    var copy = value
    let shown: Field.Value = signed ? .signed(Int64(bitPattern: value)) : .number(value)
    try add(name, shown, signed ? .signed : .unsigned) { writer throws(SyntaxError) in
      try writer.expGolomb(name, &copy, signed: signed)
    }
  }

  /// Adds a field of bytes in memory.
  public mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind
  ) throws(SyntaxError) {
    var copy = value
    try add(name, .bytes(value), kind) { writer throws(SyntaxError) in
      try writer.bytes(name, &copy, count: count, kind)
    }
  }

  /// Adds a field of bytes that stay in the input.
  public mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)
  {
    var copy = value
    try add(name, .extent(value), .bytes) { writer throws(SyntaxError) in
      try writer.extent(name, &copy, count: count)
    }
  }

  /// Adds a field with a string, including its terminating zero.
  public mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    var copy = value
    try add(name, .text(value), .text) { writer throws(SyntaxError) in
      try writer.text(name, &copy)
    }
  }

  /// Adds a table as one field.
  public mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?
  ) throws(SyntaxError) {
    var copy = value
    try add(name, .table(value), .unsigned) { writer throws(SyntaxError) in
      try writer.table(name, &copy, columns: columns, count: count)
    }
  }

  /// Adds a list as one field, with a field or a group for each element.
  public mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout FieldMapper) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let before = position
    let outer = fields
    var items: [Field] = []
    for index in elements.indices {
      fields = []
      let start = position
      try body(&elements[index], &self)
      if fields.count == 1, fields[0].name == name.description {
        items.append(fields[0])
      } else {
        items.append(
          Field(
            name: name.description, value: .group(fields), kind: .unsigned, position: start,
            bits: position - start))
      }
    }
    fields = outer
    fields.append(
      Field(
        name: name.description, value: .list(items), kind: .unsigned, position: before,
        bits: position - before))
  }

  /// Adds a nested structure as one field.
  public mutating func group(
    _ name: StaticString, _ body: (inout FieldMapper) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let before = position
    let outer = fields
    fields = []
    try body(&self)
    let inner = fields
    fields = outer
    fields.append(
      Field(
        name: name.description, value: .group(inner), kind: .unsigned, position: before,
        bits: position - before))
  }

  /// Skips self-framed elements, which are mapped by their container.
  public mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)
  {
    try writer.framed(&elements, count: count)
  }

  /// Returns its argument, because nothing is read.
  public mutating func moreData(_ isPresent: Bool) -> Bool { isPresent }
  /// Returns no bytes, because nothing is read.
  public mutating func peek(_ count: Int) -> [UInt8] { [] }
}
