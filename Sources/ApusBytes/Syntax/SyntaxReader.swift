// SPDX-License-Identifier: MIT

/// The visitor that fills a structure from an input.
///
/// It accesses the input through a small window, so that only the headers of a large file are read.
public struct SyntaxReader: SyntaxVisitor, Sendable {
  /// The offset of the next byte of which no bit was read.
  public internal(set) var position: Int
  /// The offset at which the enclosing structure ends.
  public internal(set) var end: Int
  /// The limits on the cost of reading; exceeding one throws an error.
  public let limits: Limits
  /// The findings so far, in the order in which they were reported.
  public private(set) var findings: [Finding] = []
  /// The enclosing structures, outermost first.
  public internal(set) var path: [Step] = []
  /// The format's declarations of structures, if they are not those that every input has.
  public var declarations: (any AnyObject & Sendable)?

  /// The number of structures of each type that were entered, at each level.
  var siblings = SiblingNumbers()
  var window: InputWindow
  private var current: UInt8 = 0
  @usableFromInline var bitsLeft = 0
  private var spent = Spending()
  private var escape: Escape?

  private struct Spending {
    var boxes = 0
    var elements = 0
    var bytes = 0
  }

  /// The state of emulation prevention inside a NAL unit (ITU-T H.265, 7.3.1.1).
  private struct Escape {
    var zeros = 0
    /// The position of the stop bit: the offset of its byte, and its distance from the low end of the byte.
    var stopByte: Int
    var stopBit: Int
  }

  /// Creates a reader for a range of an input, or for all of it.
  public init(_ source: any ByteSource, range: Range<Int>? = nil, limits: Limits = Limits()) {
    let range = range ?? 0..<source.count
    self.limits = limits
    position = range.lowerBound
    end = range.upperBound
    window = InputWindow(source, readAheadEnd: range.upperBound)
  }

  /// Creates a reader for the payload of a NAL unit, which drops each `emulation_prevention_three_byte`.
  public init(escaped bytes: [UInt8], limits: Limits = Limits()) {
    self.init(MemorySource(bytes), limits: limits)
    var last = bytes.count
    while last > 0,
      bytes[last - 1] == 0
        || (bytes[last - 1] == 3 && last > 2 && bytes[last - 2] == 0 && bytes[last - 3] == 0)
    {
      last -= 1
    }
    let stopByte = last - 1
    escape = Escape(
      stopByte: stopByte, stopBit: stopByte < 0 ? 0 : bytes[stopByte].trailingZeroBitCount)
  }

  /// The input that is read.
  public var source: any ByteSource { window.source }
  /// The end of the range of the input that may be read ahead.
  public var readAheadEnd: Int {
    get { window.readAheadEnd }
    set { window.readAheadEnd = newValue }
  }

  /// Always `true`.
  public var isReading: Bool { true }
  /// The number of whole bytes left in the current structure, including emulation prevention bytes.
  public var remaining: Int { end - position }
  /// Whether the next bit is the first of a byte.
  public var isAligned: Bool { bitsLeft == 0 }
  /// The number of unread bits of the current byte.
  public var bitsUntilAligned: Int { bitsLeft }

  /// Returns an error with the path of the current structure and the offset of the next byte.
  public func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String)
    -> SyntaxError
  {
    SyntaxError(kind, field: field.description, path: pathText, offset: position, detail: detail)
  }

  /// Reports a finding about the current structure, or about `step` inside it.
  public mutating func report(
    _ severity: Finding.Severity, _ rule: String, in step: Step? = nil, at offset: Int,
    _ message: String
  ) {
    let path = self.path + (step.map { [$0] } ?? [])
    findings.append(
      Finding(severity, rule: rule, path: Self.text(of: path), offset: offset, message: message))
  }
}

// MARK: - Fields

extension SyntaxReader {
  /// Reads bits into a value; throws if the structure ends before.
  public mutating func field(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    if bitsLeft == 0, escape == nil, end - position < (bits + 7) / 8 {
      throw truncated(name, needed: (bits + 7) / 8)
    }
    value = try readBits(bits, name)
  }

  /// Reads an Exp-Golomb code into a value; throws if it begins with more than 32 zero bits.
  public mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)
  {
    var zeros = 0
    while try readBits(1, name) == 0 {
      zeros += 1
      guard zeros <= 32 else { throw failure(.invalid, name, "begins with more than 32 zero bits") }
    }
    let code = (1 << UInt64(zeros)) - 1 + (try readBits(zeros, name))
    value = signed ? (code & 1 == 1 ? code / 2 + 1 : 0 &- code / 2) : code
  }

  /// Reads bytes into memory; throws if the structure ends before, or if they exceed the limit on bytes.
  public mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind
  ) throws(SyntaxError) {
    guard escape == nil, bitsLeft == 0 else { return try takeBytes(name, &value, count: count) }
    let range = try claim(name, count)
    try spend(\.bytes, range.count, of: \.bytes, "bytes")
    value = try load(range)
  }

  /// Consumes bytes without reading them.
  public mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)
  {
    value = Extent(source, try claim(name, count))
  }

  /// Reads a string up to a zero or to the end of the structure.
  public mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    try requireAlignment(name)
    let start = position
    var end = start
    while end < self.end {
      if try byte(at: end) == 0 { break }
      end += 1
    }
    try spend(\.bytes, end - start, of: \.bytes, "bytes")
    value = Text(bytes: try load(start..<end), isTerminated: end < self.end)
    position = value.isTerminated ? end + 1 : end
  }

  /// Consumes the rows of a table without reading them; throws if the structure ends before.
  public mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?
  ) throws(SyntaxError) {
    try requireAlignment(name)
    let rowBits = columns.reduce(0) { $0 + $1.bits }
    let rows: Int
    if let count {
      rows = count
    } else {
      rows = rowBits == 0 ? 0 : remaining * 8 / rowBits
    }
    guard rowBits == 0 || rows <= remaining * 8 / rowBits else {
      throw failure(
        .truncated, name, "announces \(rows) rows of \(rowBits) bits, \(remaining) bytes are left")
    }
    let range = try claim(name, (rows * rowBits + 7) / 8)
    value = Table(columns: columns, count: rows, extent: Extent(source, range))
  }

  /// Reads elements up to a count, or to the end of the structure; throws if they exceed the limit on elements.
  @inlinable
  public mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout SyntaxReader) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    elements = []
    while count.map({ elements.count < $0 }) ?? (remaining > 0) {
      try spendElement()
      var element = Element()
      let before = (position, bitsLeft)
      try body(&element, &self)
      guard count != nil || before != (position, bitsLeft) else {
        throw failure(.invalid, name, "holds an element of no bits")
      }
      elements.append(element)
    }
  }

  /// Reads a nested structure.
  @inlinable
  public mutating func group(
    _ name: StaticString, _ body: (inout SyntaxReader) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try body(&self)
  }

  /// Reads a structure of a known size; throws if it does not consume all of its bytes.
  public mutating func sized(
    _ name: StaticString, _ count: Int,
    _ body: (inout SyntaxReader) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try requireAlignment(name)
    guard count >= 0, count <= remaining else { throw truncated(name, needed: count) }
    let outerEnd = end
    end = position + count
    defer { end = outerEnd }
    try body(&self)
    guard remaining == 0, isAligned else {
      throw failure(.invalid, name, "is \(remaining) bytes longer than what it holds")
    }
  }

  /// Reads self-framed elements; reports a finding if the structure ends before their count.
  @inlinable
  public mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)
  {
    try requireAlignment("boxes")
    elements = []
    while remaining > 0, count.map({ elements.count < $0 }) ?? true {
      try spendBox()
      elements.append(try Element.read(from: &self))
    }
    // An array that grew has spare capacity, which is wasted in a large number of lists.
    if elements.capacity > elements.count { elements = elements.map(\.self) }
    if let count, elements.count < count {
      report(
        .error, "count-beyond-boxes", at: position,
        "\(count) boxes are announced, \(elements.count) are there")
    }
  }

  /// Returns whether payload bits are left before the stop bit; outside a NAL unit, whether bytes are left.
  public mutating func moreData(_ isPresent: Bool) -> Bool {
    guard let escape else { return remaining > 0 }
    let byte = bitsLeft == 0 ? position : position - 1
    return byte < escape.stopByte
      || (byte == escape.stopByte && (bitsLeft == 0 ? 8 : bitsLeft) > escape.stopBit + 1)
  }

  /// Returns the next bytes of the structure without consuming them; fewer at its end.
  public mutating func peek(_ count: Int) throws(SyntaxError) -> [UInt8] {
    try load(position..<min(position + count, end))
  }
}

// MARK: - Bits

extension SyntaxReader {
  private mutating func readBits(_ count: Int, _ name: StaticString) throws(SyntaxError) -> UInt64 {
    var value: UInt64 = 0
    // Whole bytes within the window, which is the case for tables and most fields.
    if bitsLeft == 0, escape == nil, count % 8 == 0, count / 8 <= end - position,
      let whole = window.number(of: count / 8, at: position)
    {
      position += count / 8
      return whole
    }
    var needed = count
    while needed > 0 {
      if bitsLeft == 0 {
        current = try nextByte(name)
        bitsLeft = 8
      }
      let taken = min(needed, bitsLeft)
      let bits = current >> UInt8(bitsLeft - taken) & UInt8(truncatingIfNeeded: (1 << taken) - 1)
      value = value << UInt64(taken) | UInt64(bits)
      bitsLeft -= taken
      needed -= taken
    }
    return value
  }

  /// Reads bytes that are not contiguous in the input: escaped ones, or ones that begin inside a byte.
  private mutating func takeBytes(_ name: StaticString, _ value: inout [UInt8], count: Int?)
    throws(SyntaxError)
  {
    let count = count ?? remaining
    guard count >= 0, count <= remaining else { throw truncated(name, needed: count) }
    try spend(\.bytes, count, of: \.bytes, "bytes")
    value = []
    value.reserveCapacity(count)
    while value.count < count { value.append(UInt8(truncatingIfNeeded: try readBits(8, name))) }
  }

  private mutating func nextByte(_ name: StaticString) throws(SyntaxError) -> UInt8 {
    guard position < end else { throw truncated(name, needed: 1) }
    var byte = try byte(at: position)
    position += 1
    guard var zeros = escape?.zeros else { return byte }
    if byte == 3, zeros >= 2 {
      guard position < end else { throw truncated(name, needed: 1) }
      zeros = 0
      byte = try self.byte(at: position)
      position += 1
    }
    escape?.zeros = byte == 0 ? zeros + 1 : 0
    return byte
  }

  mutating func byte(at offset: Int) throws(SyntaxError) -> UInt8 { try window.byte(at: offset) }

  private mutating func claim(_ name: StaticString, _ count: Int?) throws(SyntaxError) -> Range<Int>
  {
    try requireAlignment(name)
    let count = count ?? remaining
    guard count >= 0, count <= remaining else { throw truncated(name, needed: count) }
    defer { position += count }
    return position..<position + count
  }

  @usableFromInline
  mutating func spendElement() throws(SyntaxError) {
    try spend(\.elements, 1, of: \.elements, "elements")
  }

  @usableFromInline
  mutating func spendBox() throws(SyntaxError) {
    try spend(\.boxes, 1, of: \.boxes, "boxes")
  }

  @usableFromInline
  func requireAlignment(_ name: StaticString) throws(SyntaxError) {
    guard bitsLeft == 0 else { throw failure(.misuse, name, "does not begin on a byte") }
  }

  private mutating func spend(
    _ counter: WritableKeyPath<Spending, Int>, _ amount: Int, of limit: KeyPath<Limits, Int>,
    _ name: StaticString
  ) throws(SyntaxError) {
    spent[keyPath: counter] += amount
    guard spent[keyPath: counter] <= limits[keyPath: limit] else {
      throw failure(.limit, name, "are beyond the limit of \(limits[keyPath: limit])")
    }
  }

  private func truncated(_ name: StaticString, needed: Int) -> SyntaxError {
    failure(
      .truncated, name, "needs \(needed) \(needed == 1 ? "byte" : "bytes"), has \(end - position)")
  }
}
