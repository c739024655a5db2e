// SPDX-License-Identifier: MIT

public import ApusBytes

/// The framing of every box, implemented once: size and type, wrong sizes, the choice of declaration, and the check
/// that a box can be written back.
extension Node: Framed {
  /// Reads one box, or bytes that are not a box; never fails because of the contents of a box, which is then kept as
  /// bytes.
  public static func read(from reader: inout SyntaxReader) throws(SyntaxError) -> Node {
    let start = reader.position
    let isTopLevel = reader.path.isEmpty
    // A top-level box may be media data, so only its header is read ahead.
    if isTopLevel { reader.readAheadEnd = start + 32 }
    if reader.remaining == 4, try reader.peek(4) == [0, 0, 0, 0] {
      return Node(remainderOf: &reader, from: start, .terminator)
    }
    guard let found = try BoxHeader.read(from: &reader) else {
      return Node(remainderOf: &reader, from: start, .shortHeader)
    }
    var header = found.header
    let available = reader.end - start
    let size = found.size.flatMap(Int.init(exactly:)) ?? (found.size == nil ? available : .max)
    guard size >= header.count else {
      return Node(remainderOf: &reader, from: start, .badSize(UInt64(size)))
    }
    let step = reader.step(toBox: header)
    let declaration = step.declaration as? BoxDeclaration
    let bodyStart = reader.position
    let end = start + min(size, available)
    if isTopLevel { reader.readAheadEnd = end }

    if size > available {
      header.declaredSize = found.size
      reader.report(
        .error, isTopLevel ? "box-beyond-file" : "box-overruns-parent", in: step, at: start,
        "\(header.type) announces \(size) bytes, \(available) are left")
    } else if header.form == .toEnd, !isTopLevel {
      reader.report(
        .warning, "size-zero-inside", in: step, at: start,
        "\(header.type) has size 0 (to the end of the file), which only the last box of a file may have"
      )
    }
    if declaration == nil, !header.type.isPrintable, !header.type.isUserDataText {
      reader.report(
        .note, "type-not-printable", in: step, at: start,
        "type \(header.type) is no four-character code that a person could type")
    }

    let place: SyntaxReader.Place
    do throws(SyntaxError) {
      place = try reader.enter(step, end: end)
    } catch {
      reader.report(.error, error.rule, in: step, at: error.offset ?? start, error.message)
      let body = reader.takeRest(upTo: end)
      return Node(header: header, content: .opaque(body, .malformed(error)), extent: start..<end)
    }
    defer { reader.leave(to: place, at: end) }
    var node = Node(
      header: header,
      content: .lazy(Extent(reader.source, bodyStart..<end)), extent: start..<end)
    guard declaration?.isLazy != true else { return node }
    node.content = try Self.body(
      of: header.type, as: declaration?.box, from: bodyStart, end: end, &reader)
    try node.verify(from: start, &reader)
    return node
  }

  private static func body(
    of type: FourCC, as boxType: (any Box.Type)?, from start: Int, end: Int,
    _ reader: inout SyntaxReader
  ) throws(SyntaxError) -> Content {
    guard let boxType else {
      return .opaque(Extent(reader.source, start..<end), .unknown)
    }
    var box: any Box = boxType.init()
    do throws(SyntaxError) {
      try box.run(&reader)
      guard reader.isAligned else {
        throw reader.failure(.invalid, "", "the body ends inside a byte")
      }
    } catch {
      if error.kind == .io { throw error }
      reader.report(.error, error.rule, at: error.offset ?? start, error.message)
      return .opaque(Extent(reader.source, start..<end), .malformed(error))
    }
    let trailing = reader.takeRest()
    if !trailing.isEmpty {
      reader.report(
        .warning, "trailing-bytes", at: trailing.range.lowerBound,
        "\(trailing.count) \(trailing.count == 1 ? "byte follows" : "bytes follow") the last field of \(type)"
      )
    }
    return .typed(box, trailing: Trailing(trailing))
  }

  /// Checks that a typed box is written back to the bytes it was read from; makes it opaque if not.
  private mutating func verify(from start: Int, _ reader: inout SyntaxReader) throws(SyntaxError) {
    guard case .typed(_, let trailing) = content, let extent else { return }
    var writer = SyntaxWriter(ComparingSink(reader, from: start))
    let size = extent.count
    do throws(SyntaxError) {
      try header.syntax(&writer, size: size)
      try writeBody(to: &writer)
      if writer.sink.difference == nil, writer.sink.count == size { return }
    } catch {
      if error.kind == .io { throw error }
    }
    let offset = writer.sink.difference ?? extent.upperBound - trailing.count
    reader.report(
      .warning, "not-canonical", at: offset,
      "\(type) would not be written back to the same bytes, so its body is kept as it is")
    content = .opaque(
      Extent(reader.source, start + header.count..<extent.upperBound),
      .notCanonical(offset: offset))
  }

  /// Creates a node for the rest of the structure, as bytes that are not a box.
  init(remainderOf reader: inout SyntaxReader, from start: Int? = nil, _ reason: Junk) {
    let start = start ?? reader.position
    let rest = reader.takeRest(from: start)
    switch reason {
    case .terminator, .limit: break
    case .shortHeader:
      reader.report(
        .warning, "junk", at: start,
        "\(rest.count) \(rest.count == 1 ? "byte is" : "bytes are") too few for a box")
    case .badSize(let size):
      reader.report(
        .error, "size-below-header", at: start,
        "a box announces \(size) bytes, fewer than its own header has; \(rest.count) bytes are passed over"
      )
    }
    self.init(header: BoxHeader(FourCC()), content: .junk(rest, reason), extent: rest.range)
  }
}

// MARK: - Writing

extension Node {
  /// Writes the box with the sizes of its current contents.
  public func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError) {
    if case .junk(let bytes, _) = content { return try writer.append(bytes) }
    if let origin { writer.begin(framed: origin, header: header.count) }
    guard Sink.self != CountingSink.self else {
      // Only the length of the header matters, because its size field is what is being measured.
      return try writer.measure { writer throws(SyntaxError) in
        try header.syntax(&writer, size: 0)
        try writeBody(to: &writer)
      }
    }
    try header.syntax(&writer, size: try writer.size(of: self))
    try writeBody(to: &writer)
  }

  private func writeBody<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError) {
    switch content {
    case .opaque(let body, _), .lazy(let body), .junk(let body, _): try writer.append(body)
    case .typed(var box, let trailing):
      try writer.run(&box)
      if let trailing = trailing.extent { try writer.append(trailing) }
    }
  }
}

extension SyntaxError {
  /// The rule for a finding about this error.
  fileprivate var rule: String {
    switch kind {
    case .truncated: "truncated"
    case .invalid, .misuse: "invalid"
    case .unsupported: "unsupported"
    case .limit: "limit"
    case .io: "unreadable"
    }
  }
}

extension FourCC {
  /// Whether this is a QuickTime text type such as `©nam`.
  fileprivate var isUserDataText: Bool {
    bytes[0] == 0xa9 && bytes[1...].allSatisfy { (0x20...0x7e).contains($0) }
  }
}
