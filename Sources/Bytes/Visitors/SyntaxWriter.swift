// SPDX-License-Identifier: MIT

/// The visitor that writes a structure into a sink; with a `CountingSink` it is the size counter, with a
/// `ComparingSink` it proves that what was read can be written back.
public struct SyntaxWriter<Sink: ByteSink>: SyntaxVisitor {
  public private(set) var sink: Sink
  private var pending: UInt8 = 0
  private var pendingBits = 0
  private var zeros = 0
  private let escapes: Bool

  /// - Parameter escaping: whether an `emulation_prevention_three_byte` is put in where H.265, 7.3.1.1 asks for it.
  public init(_ sink: Sink, escaping: Bool = false) {
    self.sink = sink
    escapes = escaping
  }

  public var isReading: Bool { false }
  public var remaining: Int { 0 }
  public var isAligned: Bool { pendingBits == 0 }
  public var bitsUntilAligned: Int { pendingBits == 0 ? 0 : 8 - pendingBits }
  /// How many bits were written, those of an unfinished byte included.
  public var bitCount: Int { sink.count * 8 + pendingBits }

  public func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String)
    -> SyntaxError
  {
    SyntaxError(kind, field: field.description, offset: sink.count, detail: detail)
  }

  public mutating func field(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    guard bits == 64 || value >> UInt64(bits) == 0 else {
      throw failure(.misuse, name, "of \(value) does not fit \(bits) bits")
    }
    try put(value, bits)
  }

  public mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)
  {
    let number = Int64(bitPattern: value)
    let code = signed ? (number > 0 ? UInt64(number) * 2 - 1 : number.magnitude * 2) : value
    guard code < 1 << 33 else { throw failure(.misuse, name, "of \(value) has no Exp-Golomb code") }
    let length = 64 - (code + 1).leadingZeroBitCount
    try put(0, length - 1)
    try put(code + 1, length)
  }

  public mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind
  ) throws(SyntaxError) {
    try require(count, is: value.count, name)
    try append(value)
  }

  public mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)
  {
    try require(count, is: value.count, name)
    try append(value)
  }

  public mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    try append(value.bytes)
    if value.isTerminated { try append([0]) }
  }

  public mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?
  ) throws(SyntaxError) {
    try require(count, is: value.count, name)
    try append(value.extent)
  }

  public mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout SyntaxWriter) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try require(count, is: elements.count, name)
    for index in elements.indices { try body(&elements[index], &self) }
  }

  public mutating func group(
    _ name: StaticString, _ body: (inout SyntaxWriter) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try body(&self)
  }

  public mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)
  {
    for element in elements {
      if let extent = element.extent, sink.skip(framed: extent) { continue }
      try element.write(to: &self)
    }
  }

  public mutating func moreData(_ isPresent: Bool) -> Bool { isPresent }
  public mutating func peek(_ count: Int) -> [UInt8] { [] }

  /// Tells the sink where the element that comes next was read.
  public mutating func begin(framed origin: Range<Int>, header: Int) {
    sink.begin(framed: origin, header: header)
  }

  /// Bytes as they are.
  public mutating func append(_ bytes: [UInt8]) throws(SyntaxError) {
    guard escapes || pendingBits > 0 else { return try sink.append(bytes.span) }
    for byte in bytes { try put(UInt64(byte), 8) }
  }

  /// Bytes as they are, copied from their input.
  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    guard escapes || pendingBits > 0 else { return try sink.append(extent) }
    try append(try extent.bytes())
  }

  private mutating func put(_ value: UInt64, _ bits: Int) throws(SyntaxError) {
    var left = bits
    while left > 0 {
      let room = min(8 - pendingBits, left)
      left -= room
      let part = UInt8(truncatingIfNeeded: value >> UInt64(left) & ((1 << UInt64(room)) - 1))
      pending = room == 8 ? part : pending << UInt8(room) | part
      pendingBits += room
      if pendingBits == 8 {
        try emit(pending)
        pendingBits = 0
        pending = 0
      }
    }
  }

  private mutating func emit(_ byte: UInt8) throws(SyntaxError) {
    if escapes {
      if zeros >= 2, byte <= 3 {
        try sink.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    try sink.append(byte)
  }

  private func require(_ count: Int?, is actual: Int, _ name: StaticString) throws(SyntaxError) {
    guard count == nil || count == actual else {
      throw failure(.misuse, name, "holds \(actual), \(count ?? 0) are announced")
    }
  }
}
