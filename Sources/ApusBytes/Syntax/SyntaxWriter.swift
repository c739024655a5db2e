// SPDX-License-Identifier: MIT

/// The visitor that writes a structure into a sink; with a `CountingSink` it computes the size, with a `ComparingSink`
/// it checks that the structure is written back to the same bytes.
public struct SyntaxWriter<Sink: ByteSink>: SyntaxVisitor {
  /// The sink, with everything written so far except an incomplete byte.
  public var sink: Sink
  @usableFromInline var pending: UInt8 = 0
  @usableFromInline var pendingBits = 0
  @usableFromInline var zeros = 0
  @usableFromInline let escapes: Bool
  /// The offsets of the emulation prevention bytes so far.
  @usableFromInline var escapeOffsets: [Int] = []
  /// The sizes of self-framed elements that were created or changed: while counting, those counted so far, in the order
  /// in which they begin; while writing, those still to come, the next one last.
  @usableFromInline var sizes: [Int] = []

  /// - Parameter escaping: whether to insert an `emulation_prevention_three_byte` where H.265, 7.3.1.1 requires it.
  @inlinable
  public init(_ sink: Sink, escaping: Bool = false) {
    self.sink = sink
    escapes = escaping
  }

  /// Always `false`.
  @inlinable
  public var isReading: Bool { false }
  /// Always 0, because nothing is read.
  @inlinable
  public var remaining: Int { 0 }
  /// Whether the next bit is the first of a byte.
  @inlinable
  public var isAligned: Bool { pendingBits == 0 }
  /// The number of bits up to the next byte boundary.
  @inlinable
  public var bitsUntilAligned: Int { pendingBits == 0 ? 0 : 8 - pendingBits }
  /// The number of bits written, including those of an incomplete byte.
  @inlinable
  public var bitCount: Int { sink.count * 8 + pendingBits }

  /// Returns an error at the offset of the next byte in the sink.
  @inlinable
  public func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String)
    -> SyntaxError
  {
    SyntaxError(kind, field: field.description, offset: sink.count, detail: detail)
  }

  /// Writes bits; throws if the value does not fit them.
  @inlinable
  public mutating func field(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    guard bits == 64 || value >> UInt64(bits) == 0 else {
      throw failure(.misuse, name, "of \(value) does not fit \(bits) bits")
    }
    try put(value, bits)
  }

  /// Writes an Exp-Golomb code; throws if the value has none of at most 32 leading zeros.
  @inlinable
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

  /// Writes bytes; throws if their number is not the given count.
  @inlinable
  public mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind
  ) throws(SyntaxError) {
    try require(count, is: value.count, name)
    try append(value)
  }

  /// Copies bytes from their input; throws if their number is not the given count.
  @inlinable
  public mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)
  {
    try require(count, is: value.count, name)
    try append(value)
  }

  /// Writes a string, with a zero if it is terminated.
  @inlinable
  public mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError) {
    try append(value.bytes)
    if value.isTerminated { try append([0]) }
  }

  /// Copies the rows of a table from their input; throws if their number is not the given count.
  @inlinable
  public mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?
  ) throws(SyntaxError) {
    try require(count, is: value.count, name)
    try append(value.extent)
  }

  /// Writes the elements of a list; throws if their number is not the given count.
  @inlinable
  public mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout SyntaxWriter) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try require(count, is: elements.count, name)
    // A writer changes nothing, so each element is passed separately: the list may be shared.
    for element in elements {
      var element = element
      try body(&element, &self)
    }
  }

  /// Writes a nested structure.
  @inlinable
  public mutating func group(
    _ name: StaticString, _ body: (inout SyntaxWriter) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try body(&self)
  }

  /// Writes self-framed elements, except those that the sink skips.
  @inlinable
  public mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)
  {
    for element in elements {
      if let extent = element.extent, sink.skip(framed: extent) { continue }
      try element.write(to: &self)
    }
  }

  /// Returns its argument, because nothing is read.
  @inlinable
  public mutating func moreData(_ isPresent: Bool) -> Bool { isPresent }
  /// Returns no bytes, because nothing is read.
  @inlinable
  public mutating func peek(_ count: Int) -> [UInt8] { [] }

  /// Runs the form compiled for this visitor, or the generic form.
  @inlinable
  public mutating func run(_ structure: inout some CompiledStructure) throws(SyntaxError) {
    try Sink.run(&structure, in: &self)
  }

  /// Informs the sink of the range from which the next element was read.
  @inlinable
  public mutating func begin(framed origin: Range<Int>, header: Int) {
    sink.begin(framed: origin, header: header)
  }

  /// Returns the size of the next element, which states it before its contents: all nested elements are measured at the
  /// same time, instead of each of them again at every level.
  public mutating func size<Element: Framed>(of element: Element) throws(SyntaxError) -> Int {
    if let extent = element.extent { return extent.count }
    if sizes.isEmpty {
      var counter = SyntaxWriter<CountingSink>(CountingSink())
      try element.write(to: &counter)
      sizes = counter.sizes.reversed()
      // An element without a size field has the size of what it writes.
      if sizes.isEmpty { return counter.sink.count }
    }
    return sizes.removeLast()
  }

  /// Records the size of an element that is counted, followed by those of all nested elements.
  @inlinable
  public mutating func measure(
    _ element: (inout Self) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    let (place, start) = (sizes.count, sink.count)
    sizes.append(0)
    try element(&self)
    sizes[place] = sink.count - start
  }

  /// Appends bytes unchanged.
  @inlinable
  public mutating func append(_ bytes: [UInt8]) throws(SyntaxError) {
    guard escapes || pendingBits > 0 else { return try sink.append(bytes.span) }
    for byte in bytes { try put(UInt64(byte), 8) }
  }

  /// Appends bytes, copied from their input.
  @inlinable
  public mutating func append(_ extent: Extent) throws(SyntaxError) {
    guard escapes || pendingBits > 0 else { return try sink.append(extent) }
    try append(try extent.bytes())
  }

  @inlinable
  mutating func put(_ value: UInt64, _ bits: Int) throws(SyntaxError) {
    if pendingBits == 0, !escapes, bits % 8 == 0 {
      return try sink.append(value, bytes: bits / 8)
    }
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

  @inlinable
  mutating func emit(_ byte: UInt8) throws(SyntaxError) {
    if escapes {
      if zeros >= 2, byte <= 3 {
        escapeOffsets.append(sink.count)
        try sink.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    try sink.append(byte)
  }

  @inlinable
  func require(_ count: Int?, is actual: Int, _ name: StaticString) throws(SyntaxError) {
    guard count == nil || count == actual else {
      throw failure(.misuse, name, "holds \(actual), \(count ?? 0) are announced")
    }
  }
}
