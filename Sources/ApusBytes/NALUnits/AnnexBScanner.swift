// SPDX-License-Identifier: MIT

/// Finds the NAL units of a byte stream that arrives in pieces of any size.
///
/// It keeps only the incomplete NAL unit; no byte is searched twice.
public struct AnnexBScanner: Sendable {
  /// The bytes of the current NAL unit, or the last two bytes before the first start code.
  private var kept: [UInt8] = []
  private var hasStarted = false
  /// The number of bytes of `kept` that were searched.
  private var searched = 0
  private let limit: Int
  /// The offset of the first byte of `kept` in the stream.
  private var start = 0

  /// - Parameter limit: the maximum size of a NAL unit.
  public init(limit: Int = Limits().bytes) { self.limit = limit }

  /// Adds the next piece of the stream; `body` receives each NAL unit that it completes.
  public mutating func append(
    _ piece: Span<UInt8>, _ body: (ArraySlice<UInt8>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try append(located: piece) { _, unit throws(SyntaxError) in try body(unit) }
  }

  /// Adds the next piece of the stream; `body` receives each NAL unit that it completes with its offset in the stream.
  package mutating func append(
    located piece: Span<UInt8>, _ body: (Int, ArraySlice<UInt8>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    // The buffer is used only inside the closure.
    unsafe piece.withUnsafeBufferPointer { bytes in unsafe kept.append(contentsOf: bytes) }
    var first = 0
    while let prefix = StartCode.next(in: kept.span, from: searched) {
      if hasStarted { try hand(over: first..<prefix, body) }
      hasStarted = true
      first = prefix + 3
      searched = first
    }
    // A prefix may span the end of the piece.
    searched = max(searched, kept.count - 2)
    if !hasStarted { first = max(0, kept.count - 2) }
    if first > 0 {
      kept.removeFirst(first)
      searched -= first
      start += first
    }
    guard kept.count <= limit else {
      throw SyntaxError(
        .limit, field: "bytes",
        detail: "of one NAL unit are beyond the limit of \(limit)")
    }
  }

  /// Ends the stream.
  public mutating func finish(_ body: (ArraySlice<UInt8>) throws(SyntaxError) -> Void)
    throws(SyntaxError)
  {
    try end { _, unit throws(SyntaxError) in try body(unit) }
  }

  /// Ends the stream; `body` receives the last NAL unit with its offset in the stream.
  package mutating func end(
    _ body: (Int, ArraySlice<UInt8>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    if hasStarted { try hand(over: 0..<kept.count, body) }
    self = AnnexBScanner(limit: limit)
  }

  private func hand(
    over range: Range<Int>, _ body: (Int, ArraySlice<UInt8>) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    var end = range.upperBound
    while end > range.lowerBound, kept[end - 1] == 0 { end -= 1 }
    try body(start + range.lowerBound, kept[range.lowerBound..<end])
  }
}
